package objectives

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"quaestor/obligations"
	"quaestor/sessions/objectives"
	"quaestor/web"
)

// DiffView is the page of what differs between two versions.
type DiffView struct {
	PageView
	ContextType, Name string
	Versions          []VersionRow // all there are, to choose from
	From, To          string       // the versions compared
	Parts             []DiffPart
	Step              objectives.VersionStep // how far the change reaches
}

// DiffPart is what differs about one thing: an obligation, the order of all, or a part of
// the objective itself.
type DiffPart struct {
	Name   string
	Op     objectives.DiffOp
	Breaks bool // values that interviews hold may no longer fit
	Rows   []DiffRow
}

// DiffRow is one field, as it was and as it is.
type DiffRow struct {
	Field         string
	Op            objectives.DiffOp
	Before, After string
	Breaks        bool
}

// DiffParts groups differences by what they are about: b's obligations in their order,
// then the ones that only a has, then everything else.
func DiffParts(a, b *objectives.Definition, d objectives.Diff) []DiffPart {
	var order []string
	parts := map[string]*DiffPart{}
	for _, c := range d.Changes {
		id, name, field := diffPlace(a, b, c.Path)
		p := parts[id]
		if p == nil {
			p = &DiffPart{Name: name, Op: objectives.DiffChanged}
			parts[id] = p
			order = append(order, id)
		}
		breaks := c.Step() == objectives.Major
		p.Breaks = p.Breaks || breaks
		switch {
		case id == orderPart:
			p.Rows = append(p.Rows, orderRow(a, b))
		case field == "":
			p.Op = c.Op
			p.Rows = append(p.Rows, wholeRows(c)...)
		default:
			p.Rows = append(p.Rows, DiffRow{Field: field, Op: c.Op, Before: readable(c.Before), After: readable(c.After), Breaks: breaks})
		}
	}
	// Stable, so that parts of one rank stay in the order of their paths.
	slices.SortStableFunc(order, func(x, y string) int { return rankOf(b, x) - rankOf(b, y) })
	out := make([]DiffPart, len(order))
	for i, id := range order {
		out[i] = *parts[id]
	}
	return out
}

// diffPlace returns what a path is about, with its name for people, and the field in
// words; an empty field means the whole. An obligation's id is its key. Other ids begin
// with a space, which no key does.
func diffPlace(a, b *objectives.Definition, path string) (id, name, field string) {
	parts := strings.SplitN(path, ".", 3)
	switch {
	case parts[0] == "obligations" && len(parts) == 1:
		return orderPart, "Order of the questions", "Order"
	case parts[0] == "obligations" && len(parts) == 2:
		return parts[1], keyName(a, b, parts[1]), ""
	case parts[0] == "obligations":
		return parts[1], keyName(a, b, parts[1]), fieldWords(parts[2])
	case parts[0] == "pools" && len(parts) > 1:
		user := poolUser(a, b, parts[1])
		return user, keyName(a, b, user), "Other wordings"
	}
	return " " + parts[0], generalWords(parts[0]), fieldWords(path)
}

// orderPart stands for the order of the obligations.
const orderPart = " order"

// orderRow shows the stretch in which the order of two versions differs. Obligations that
// only one of them has do not count: they are told by themselves.
func orderRow(a, b *objectives.Definition) DiffRow {
	before, after := sharedNames(a, b), sharedNames(b, a)
	for len(before) > 0 && len(after) > 0 && before[0] == after[0] {
		before, after = before[1:], after[1:]
	}
	for len(before) > 0 && len(after) > 0 && before[len(before)-1] == after[len(after)-1] {
		before, after = before[:len(before)-1], after[:len(after)-1]
	}
	return DiffRow{Field: "Order", Op: objectives.DiffChanged, Before: lines(before), After: lines(after)}
}

// sharedNames returns the names that b gives to the obligations both have, in a's order.
func sharedNames(a, b *objectives.Definition) []string {
	var out []string
	for _, t := range a.Obligations {
		if i := indexOf(b, t.Key); i >= 0 {
			out = append(out, questionName(&b.Obligations[i]))
		}
	}
	return out
}

// indexOf returns the place of the obligation of that key; -1 for none.
func indexOf(d *objectives.Definition, key string) int {
	return slices.IndexFunc(d.Obligations, func(t obligations.Template) bool { return t.Key == key })
}

// poolUser returns the key of the first obligation that uses a pool, in b or else in a;
// the pool's own id when none does.
func poolUser(a, b *objectives.Definition, pool string) string {
	for _, t := range slices.Concat(b.Obligations, a.Obligations) {
		if t.PoolID == pool {
			return t.Key
		}
	}
	return pool
}

// keyName returns what the obligation of that key is called in b, or else in a; the key
// when neither has it.
func keyName(a, b *objectives.Definition, key string) string {
	for _, d := range []*objectives.Definition{b, a} {
		if i := indexOf(d, key); i >= 0 {
			return questionName(&d.Obligations[i])
		}
	}
	return key
}

// rankOf returns where a part stands in the list of differences.
func rankOf(d *objectives.Definition, id string) int {
	i := indexOf(d, id)
	switch {
	case i >= 0:
		return i
	case strings.HasPrefix(id, " "):
		return len(d.Obligations) + 1
	}
	return len(d.Obligations)
}

// shownOfWhole are the fields shown of an obligation that was added or removed: the ones
// that decide what is asked, how it is answered and when.
var shownOfWhole = []string{"prompt", "widgetType", "choices", "dependencies", "priority"}

// wholeRows shows an obligation that was added or removed, from the JSON of all of it.
func wholeRows(c objectives.Difference) []DiffRow {
	var fields map[string]json.RawMessage
	if json.Unmarshal(append(slices.Clone(c.Before), c.After...), &fields) != nil {
		return []DiffRow{{Field: "Value", Op: c.Op, Before: readable(c.Before), After: readable(c.After)}}
	}
	var out []DiffRow
	for _, name := range shownOfWhole {
		v, there := fields[name]
		switch {
		case !there:
		case c.Op == objectives.DiffAdded:
			out = append(out, DiffRow{Field: fieldWords(name), Op: c.Op, After: readable(v)})
		default:
			out = append(out, DiffRow{Field: fieldWords(name), Op: c.Op, Before: readable(v)})
		}
	}
	return out
}

// readable returns a piece of JSON as people read it, one entry of a list on each line.
// What it has no words for stays JSON.
func readable(raw json.RawMessage) string {
	if raw == nil {
		return ""
	}
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return string(raw)
	}
	return plainValue(v)
}

// plainValue words a decoded value: a choice by its label, a constraint by its message.
func plainValue(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case bool:
		return yesNo(v)
	case float64:
		return decimalText(v)
	case []any:
		return lines(web.Map(v, plainValue))
	case map[string]any:
		if label, ok := v["label"].(string); ok {
			return fmt.Sprintf("%s (%v)", label, v["value"])
		}
		if when, ok := v["when"].(string); ok {
			return fmt.Sprintf("%v\nwhen %s", v["message"], when)
		}
	}
	raw, _ := json.Marshal(v) // it came out of JSON
	return string(raw)
}

// fieldNames are the fields of an objective by their JSON names, in the words of the form.
var fieldNames = map[string]string{
	"label": "Name", "prompt": "Question", "why": "Why it is asked", "examples": "Examples", "cues": "Cues", "widgetType": "Kind of answer", "choices": "Choices",
	"allowOther": "Other answers are taken", "valueType": "What the answer is", "unit": "Unit", "min": "Least", "max": "Most", "integer": "Whole numbers only", "priority": "Priority", "category": "Category",
	"dependencies": "Asked after", "maxAttempts": "Times to ask", "collectionType": "How it is learnt", "inference": "Concluded by", "merge": "Whose word holds", "satisfiedWhen": "Counts as known when",
	"expertiseRequired": "Expertise", "researchType": "Research", "metric": "Figure of a warehouse", "depth": "How deep to go", "probe": "The question that goes deeper", "followUpStrategy": "How to follow up", "agentNotes": "Notes for the interviewer", "key": "Key",
	"fieldPath": "Place in the export", "poolId": "Pool of wordings", "synonyms": "other words", "value": "value",
	"displayName": "Name", "description": "Description", "greeting": "Greeting", "phases": "Phases", "completion": "When it is complete", "budget": "Budget",
	"constraints": "What cannot all hold", "contextType": "Context type", "pools": "Wordings", "schema": "JSON Schema", "opening": "opening", "exploration": "exploration",
	"validation": "validation", "closing": "closing", "goal": "goal", "entry": "first words", "requiredObligations": "required questions",
	"minObligationsSatisfied": "questions that must be known", "minConfidenceScore": "least confidence", "turns": "turns", "minutes": "minutes", "money": "money", "message": "message", "when": "condition",
}

// fieldWords returns a path in words; what has none keeps its JSON name.
func fieldWords(path string) string {
	parts := strings.Split(path, ".")
	for i, part := range parts {
		if words, known := fieldNames[part]; known {
			parts[i] = words
		}
	}
	return strings.Join(parts, ": ")
}

// generalWords names a part of an objective that is not an obligation.
func generalWords(part string) string {
	switch part {
	case "phases", "completion", "budget", "constraints":
		return fieldNames[part]
	}
	return "The objective itself"
}

// reachWords tell what a step means for the people who release a version.
var reachWords = map[objectives.VersionStep]string{
	objectives.Major: "Values that interviews hold, or exports, may no longer fit",
	objectives.Minor: "Something else is asked, or at another time",
	objectives.Patch: "The same is asked, in other words",
}

// opWords name how a thing differs.
var opWords = map[objectives.DiffOp]string{objectives.DiffAdded: "Added", objectives.DiffRemoved: "Removed", objectives.DiffChanged: "Changed"}
