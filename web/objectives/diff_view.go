package objectives

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"quaestor/obligations"
	"quaestor/sessions/objectives"
	"quaestor/web/ui"
)

// DiffView is the page of what differs between two versions.
type DiffView struct {
	Nav         ui.Nav
	ContextType string
	Name        string
	Versions    []VersionRow
	From, To    string // versions
	Parts       []DiffPart
	Step        objectives.VersionStep
	MayEdit     bool
}

// DiffPart is what differs about one thing: an obligation, or the objective
// itself.
type DiffPart struct {
	Name   string
	Op     objectives.DiffOp
	Breaks bool // values held may no longer fit
	Rows   []DiffRow
}

// DiffRow is one field, as it was and as it is.
type DiffRow struct {
	Field         string
	Op            objectives.DiffOp
	Before, After string
	Breaks        bool
}

// DiffParts sorts differences by what they are about, in the order of b's
// obligations; what is gone comes after them, and the rest last.
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
		p.Breaks = p.Breaks || c.Step() == objectives.Major
		if id == orderPart {
			p.Rows = append(p.Rows, orderRow(a, b))
			continue
		}
		if field == "" {
			p.Op = c.Op
			p.Rows = append(p.Rows, wholeRows(c)...)
			continue
		}
		p.Rows = append(p.Rows, DiffRow{Field: field, Op: c.Op, Before: readable(c.Before), After: readable(c.After), Breaks: c.Step() == objectives.Major})
	}
	slices.SortStableFunc(order, func(x, y string) int { return rankOf(b, x) - rankOf(b, y) })
	out := make([]DiffPart, len(order))
	for i, id := range order {
		out[i] = *parts[id]
	}
	return out
}

// diffPlace says what a path is about: an obligation by its key, or a part of
// the objective; and the field, in words. An empty field is the whole.
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
		return poolUser(a, b, parts[1]), keyName(a, b, poolUser(a, b, parts[1])), "Other wordings"
	}
	return " " + parts[0], generalWords(parts[0]), fieldWords(path)
}

// orderPart stands for the order of the obligations.
const orderPart = " order"

// orderRow tells the stretch of the order in which two versions differ.
func orderRow(a, b *objectives.Definition) DiffRow {
	before, after := namesIn(a, b), namesIn(b, a)
	for len(before) > 0 && len(after) > 0 && before[0] == after[0] {
		before, after = before[1:], after[1:]
	}
	for len(before) > 0 && len(after) > 0 && before[len(before)-1] == after[len(after)-1] {
		before, after = before[:len(before)-1], after[:len(after)-1]
	}
	return DiffRow{Field: "Order", Op: objectives.DiffChanged, Before: lines(before), After: lines(after)}
}

// namesIn are the names of a's obligations that b has too.
func namesIn(a, b *objectives.Definition) []string {
	var out []string
	for _, t := range a.Obligations {
		if slices.ContainsFunc(b.Obligations, func(o obligations.Template) bool { return o.Key == t.Key }) {
			out = append(out, keyName(b, b, t.Key))
		}
	}
	return out
}

// poolUser is the key of an obligation that uses a pool; the pool's own id when
// none does.
func poolUser(a, b *objectives.Definition, pool string) string {
	for _, d := range []*objectives.Definition{b, a} {
		for _, t := range d.Obligations {
			if t.PoolID == pool {
				return t.Key
			}
		}
	}
	return pool
}

func keyName(a, b *objectives.Definition, key string) string {
	for _, d := range []*objectives.Definition{b, a} {
		for i := range d.Obligations {
			if d.Obligations[i].Key == key {
				return questionName(&d.Obligations[i])
			}
		}
	}
	return key
}

// rankOf is where a part stands in the list of differences.
func rankOf(d *objectives.Definition, id string) int {
	i := slices.IndexFunc(d.Obligations, func(t obligations.Template) bool { return t.Key == id })
	switch {
	case i >= 0:
		return i
	case strings.HasPrefix(id, " "):
		return len(d.Obligations) + 1
	}
	return len(d.Obligations)
}

// shownOfWhole are the fields told of an obligation that was added or removed.
var shownOfWhole = []string{"prompt", "widgetType", "choices", "dependencies", "priority"}

// wholeRows tells of an obligation that was added or removed.
func wholeRows(c objectives.Difference) []DiffRow {
	var fields map[string]json.RawMessage
	if json.Unmarshal(append(slices.Clone(c.Before), c.After...), &fields) != nil {
		return []DiffRow{{Field: "Value", Op: c.Op, Before: readable(c.Before), After: readable(c.After)}}
	}
	var out []DiffRow
	for _, name := range shownOfWhole {
		v, there := fields[name]
		if !there {
			continue
		}
		row := DiffRow{Field: fieldWords(name), Op: c.Op}
		if c.Op == objectives.DiffAdded {
			row.After = readable(v)
		} else {
			row.Before = readable(v)
		}
		out = append(out, row)
	}
	return out
}

// readable is a piece of JSON as people read it: lists by lines, objects by
// their members.
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

func plainValue(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case bool:
		return map[bool]string{true: "yes", false: "no"}[v]
	case float64:
		return trimmed(v)
	case []any:
		out := make([]string, len(v))
		for i, one := range v {
			out[i] = plainValue(one)
		}
		return strings.Join(out, "\n")
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

// fieldNames are the fields of an objective, in the words of the form.
var fieldNames = map[string]string{
	"label": "Name", "prompt": "Question", "why": "Why it is asked", "examples": "Examples", "cues": "Cues", "widgetType": "Kind of answer", "choices": "Choices",
	"allowOther": "Other answers are taken", "unit": "Unit", "min": "Least", "max": "Most", "integer": "Whole numbers only", "priority": "Priority", "category": "Category",
	"dependencies": "Asked after", "maxAttempts": "Times to ask", "collectionType": "How it is learnt", "merge": "Whose word holds", "satisfiedWhen": "Counts as known when",
	"expertiseRequired": "Expertise", "researchType": "Research", "followUpStrategy": "How to follow up", "agentNotes": "Notes for the interviewer", "key": "Key",
	"fieldPath": "Place in the export", "poolId": "Pool of wordings", "synonyms": "other words", "value": "value",
	"displayName": "Name", "description": "Description", "greeting": "Greeting", "phases": "Phases", "completion": "When it is complete", "budget": "Budget",
	"constraints": "What cannot all hold", "contextType": "Context type", "pools": "Wordings", "schema": "JSON Schema", "opening": "opening", "exploration": "exploration",
	"validation": "validation", "closing": "closing", "goal": "goal", "entry": "first words", "requiredObligations": "required questions",
	"minObligationsSatisfied": "questions that must be known", "minConfidenceScore": "least confidence", "turns": "turns", "minutes": "minutes", "money": "money", "message": "message", "when": "condition",
}

// fieldWords is a path in words.
func fieldWords(path string) string {
	parts := strings.Split(path, ".")
	for i, part := range parts {
		if words, known := fieldNames[part]; known {
			parts[i] = words
		}
	}
	return strings.Join(parts, ": ")
}

// generalWords names the part of an objective that is no obligation.
func generalWords(part string) string {
	switch part {
	case "phases", "completion", "budget", "constraints":
		return fieldNames[part]
	}
	return "The objective itself"
}

// reachWords says what a version's step means for those who release it.
func reachWords(s objectives.VersionStep) string {
	switch s {
	case objectives.Major:
		return "Values that interviews hold, or exports, may no longer fit"
	case objectives.Minor:
		return "Something else is asked, or at another time"
	case objectives.Patch:
		return "The same is asked, in other words"
	}
	return string(s)
}

// opWords names how a thing differs, and its sign.
func opWords(o objectives.DiffOp) string {
	switch o {
	case objectives.DiffAdded:
		return "Added"
	case objectives.DiffRemoved:
		return "Removed"
	case objectives.DiffChanged:
		return "Changed"
	}
	return string(o)
}
