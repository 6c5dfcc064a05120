package obligations

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"quaestor/internal/fault"
	"quaestor/internal/language"
)

var (
	keyPattern  = regexp.MustCompile(`^[a-z][a-z0-9_]{0,62}$`)
	pathPattern = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)*$`)
)

// maxTemplates bounds an objective; it is far more than one interview can ask.
const maxTemplates = 500

// Validate returns every fault of an objective's templates, each naming its field: doubled
// or malformed keys, unknown dependencies, cycles, priorities out of range, conditions that
// do not compile, missing or doubled choices, and conflicting paths. If the result is
// empty, the templates may be published.
func Validate(list []Template) []*fault.Error {
	v := validator{keys: map[string]int{}, paths: map[string]string{}}
	if len(list) == 0 {
		v.add("obligations", "an objective needs at least one obligation")
	}
	if len(list) > maxTemplates {
		v.add("obligations", "an objective has at most %d obligations, not %d", maxTemplates, len(list))
		return v.faults
	}
	for i := range list {
		if first, ok := v.keys[list[i].Key]; ok {
			v.add(at(i, "key"), "the key %q is used by obligation %d already; keys must be unique", language.Short(list[i].Key), first)
			continue
		}
		v.keys[list[i].Key] = i
	}
	for i := range list {
		v.template(i, list)
	}
	if cycle := findCycle(list); cycle != nil {
		v.add(at(v.keys[cycle[0]], "dependencies"), "dependencies must not go in a circle: %s", strings.Join(cycle, " → "))
	}
	return v.faults
}

type validator struct {
	faults []*fault.Error
	keys   map[string]int
	paths  map[string]string // field path → key
}

func (v *validator) add(field, format string, args ...any) {
	v.faults = append(v.faults, fault.New(fault.Unprocessable, format, args...).At(field))
}

func at(i int, field string) string { return fmt.Sprintf("obligations[%d].%s", i, field) }

// researchTypes are the kinds of research that a template may name. Package research
// implements them; a test there compares the two lists.
var researchTypes = []string{"competitive_analysis", "tech_feasibility", "market_research", "domain_research", "integration_research", NoResearch}

func (v *validator) template(i int, list []Template) {
	t := &list[i]
	if !keyPattern.MatchString(t.Key) {
		v.add(at(i, "key"), "a key is lower-case letters, digits and _, starts with a letter and has at most 63 characters; %q does not", language.Short(t.Key))
	}
	if strings.TrimSpace(t.Prompt) == "" {
		v.add(at(i, "prompt"), "the question is missing")
	}
	if t.Priority < 1 || t.Priority > 10 {
		v.add(at(i, "priority"), "priority must be 1 to 10, not %d", t.Priority)
	}
	if t.MaxAttempts < 0 || t.MaxAttempts > 10 {
		v.add(at(i, "maxAttempts"), "maxAttempts must be 1 to 10, or absent for %d, not %d", DefaultMaxAttempts, t.MaxAttempts)
	}
	if !slices.Contains([]Collection{DirectQuestion, Inferred, Research}, t.Collection) {
		v.add(at(i, "collectionType"), "collectionType must be direct_question, inferred or research, not %q", language.Short(string(t.Collection)))
	}
	if wrong := t.checkMetric(); wrong != "" {
		v.add(at(i, "metric"), "metric %s", wrong)
	}
	if t.ResearchType != "" && !slices.Contains(researchTypes, t.ResearchType) {
		v.add(at(i, "researchType"), "researchType must be one of %s, or absent, not %q", strings.Join(researchTypes, ", "), language.Short(t.ResearchType))
	}
	if !t.Merge.Valid() {
		v.add(at(i, "merge"), "merge must be latest, owner, majority or reviewer, or absent for latest, not %q", language.Short(string(t.Merge)))
	}
	v.path(i, t)
	v.widget(i, t)
	v.inference(i, list, t)
	v.dependencies(i, t)
	if t.SatisfiedWhen != "" {
		if _, err := Compile(t.SatisfiedWhen); err != nil {
			v.add(at(i, "satisfiedWhen"), "%s", err)
		}
	}
}

// path refuses a field path that cannot be exported: malformed, doubled, or both a value
// and the parent of other values.
func (v *validator) path(i int, t *Template) {
	if len(t.FieldPath) > 500 || !pathPattern.MatchString(t.FieldPath) {
		v.add(at(i, "fieldPath"), "a field path is names joined by dots, such as constraints.timeline; %q is not", language.Short(t.FieldPath))
		return
	}
	for path, key := range v.paths {
		if path == t.FieldPath || strings.HasPrefix(path, t.FieldPath+".") || strings.HasPrefix(t.FieldPath, path+".") {
			v.add(at(i, "fieldPath"), "%q clashes with the path %q of %q", t.FieldPath, path, key)
			break
		}
	}
	v.paths[t.FieldPath] = t.Key
}

func (v *validator) widget(i int, t *Template) {
	if !t.Depth.Known() {
		v.add(at(i, "depth"), "depth must be fact, reason or story, not %q", language.Short(string(t.Depth)))
	}
	if !t.SuitsWidget() {
		v.add(fmt.Sprintf("obligations[%d].valueType", i), "a value of widget %q is one of %s, or nothing is said of it; %q is none", t.Widget, strings.Join(ValueTypes[t.Widget], ", "), t.ValueType)
	}
	switch t.Widget {
	case Text, Date:
	case Number:
		if t.Min != nil && t.Max != nil && *t.Min > *t.Max {
			v.add(at(i, "min"), "min %v is above max %v", *t.Min, *t.Max)
		}
		if (t.Min != nil && math.IsNaN(*t.Min)) || (t.Max != nil && math.IsNaN(*t.Max)) {
			v.add(at(i, "min"), "min and max must be numbers")
		}
	case ChoiceOne, MultiSelect:
		v.choices(i, t)
	default:
		v.add(at(i, "widgetType"), "widgetType must be text, choice, multiselect, date or number, not %q", language.Short(string(t.Widget)))
	}
}

func (v *validator) choices(i int, t *Template) {
	if len(t.Choices) < 2 {
		v.add(at(i, "choices"), "a %s needs at least two choices", t.Widget)
	}
	seen := map[string]bool{}
	for j, c := range t.Choices {
		field := fmt.Sprintf("obligations[%d].choices[%d]", i, j)
		if strings.TrimSpace(c.Value) == "" || strings.TrimSpace(c.Label) == "" {
			v.add(field, "a choice needs a value and a label")
		}
		if seen[c.Value] {
			v.add(field, "the choice %q stands twice", language.Short(c.Value))
		}
		seen[c.Value] = true
	}
}

func (v *validator) dependencies(i int, t *Template) {
	for _, d := range t.Dependencies {
		if _, ok := v.keys[d]; !ok {
			v.add(at(i, "dependencies"), "%q depends on %q, which does not exist", t.Key, language.Short(d))
		}
	}
}

// findCycle returns the keys of a dependency cycle with the first repeated at the end, or
// nil.
func findCycle(list []Template) []string {
	deps := make(map[string][]string, len(list))
	for _, t := range list {
		deps[t.Key] = t.Dependencies
	}
	state := map[string]int{} // 0 unseen, 1 on the path, 2 done
	var path []string
	var walk func(string) []string
	walk = func(key string) []string {
		if state[key] == 1 {
			return append(slices.Clone(path[slices.Index(path, key):]), key)
		}
		if state[key] == 2 {
			return nil
		}
		state[key] = 1
		path = append(path, key)
		for _, d := range deps[key] {
			if cycle := walk(d); cycle != nil {
				return cycle
			}
		}
		path = path[:len(path)-1]
		state[key] = 2
		return nil
	}
	for _, t := range list {
		if cycle := walk(t.Key); cycle != nil {
			return cycle
		}
	}
	return nil
}

// Ready reports whether o may be asked: it was neither merged nor split, and everything it
// depends on bears it, see [Obligation.Bears]. A dependency that was merged is replaced by
// the obligation it was merged into.
func Ready(list []Obligation, o *Obligation) bool {
	if o.MergedInto != "" || o.SplitInto != nil {
		return false
	}
	for _, key := range o.Dependencies {
		if d := Standing(list, key); d != nil && d.Key != o.Key && !d.Bears() {
			return false
		}
	}
	return true
}
