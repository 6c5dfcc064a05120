package obligations

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"quaestor/internal/fault"
)

// sound returns a template that may be published.
func sound(key string, deps ...string) Template {
	return Template{Key: key, FieldPath: key, Prompt: "And?", Collection: DirectQuestion, Widget: Text, Priority: 5, Dependencies: deps}
}

// with returns a template that edit changed.
func with(t Template, edit func(*Template)) Template {
	edit(&t)
	return t
}

func TestValidateAccepts(t *testing.T) {
	t.Parallel()

	low, high := 1.0, 1.0
	for _, tt := range []struct {
		name string
		in   []Template
	}{
		{"one", []Template{sound("a")}},
		{"a chain in any order", []Template{sound("c", "b"), sound("b", "a"), sound("a")}},
		{"a diamond", []Template{sound("a"), sound("b", "a"), sound("c", "a"), sound("d", "b", "c")}},
		{"a number with equal ends", []Template{with(sound("n"), func(t *Template) { t.Widget, t.Min, t.Max = Number, &low, &high })}},
		{"paths that share a folder and a beginning", []Template{
			with(sound("a"), func(t *Template) { t.FieldPath = "plan.time" }), with(sound("b"), func(t *Template) { t.FieldPath = "plan.timeline" })}},
		{"a condition", []Template{with(sound("a"), func(t *Template) { t.SatisfiedWhen = "confidence >= 0.9 and len(value) > 3" })}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			if got := Validate(tt.in); len(got) > 0 {
				t.Errorf("Validate() = %v, want none", got)
			}
		})
	}
}

func TestValidateRefuses(t *testing.T) {
	t.Parallel()

	edit := func(f func(*Template)) []Template { return []Template{sound("first"), with(sound("a"), f)} }
	two := []Choice{{Value: "x", Label: "X"}, {Value: "y", Label: "Y"}}
	minus, nan := -1.0, math.NaN()
	for _, tt := range []struct {
		name        string
		in          []Template
		field, want string
	}{
		{"nothing", nil, "obligations", "at least one"},
		{"too many", make([]Template, maxTemplates+1), "obligations", "at most 500"},
		{"a key twice", []Template{sound("a"), with(sound("a"), func(t *Template) { t.FieldPath = "b" })}, "obligations[1].key", "used by obligation 0"},
		{"a key with capitals", edit(func(t *Template) { t.Key = "Market" }), "obligations[1].key", "lower-case"},
		{"no key", edit(func(t *Template) { t.Key = "" }), "obligations[1].key", "lower-case"},
		{"a long key", edit(func(t *Template) { t.Key = strings.Repeat("k", 64) }), "obligations[1].key", "63"},
		{"no prompt", edit(func(t *Template) { t.Prompt = " " }), "obligations[1].prompt", "missing"},
		{"priority 0", edit(func(t *Template) { t.Priority = 0 }), "obligations[1].priority", "1 to 10, not 0"},
		{"priority 14", edit(func(t *Template) { t.Priority = 14 }), "obligations[1].priority", "1 to 10, not 14"},
		{"too many attempts", edit(func(t *Template) { t.MaxAttempts = 11 }), "obligations[1].maxAttempts", "not 11"},
		{"a negative number of attempts", edit(func(t *Template) { t.MaxAttempts = -1 }), "obligations[1].maxAttempts", "not -1"},
		{"an unknown way to learn", edit(func(t *Template) { t.Collection = "guess" }), "obligations[1].collectionType", "guess"},
		{"an unknown widget", edit(func(t *Template) { t.Widget = "slider" }), "obligations[1].widgetType", "slider"},
		{"a choice without choices", edit(func(t *Template) { t.Widget = ChoiceOne }), "obligations[1].choices", "two choices"},
		{"one choice", edit(func(t *Template) { t.Widget, t.Choices = MultiSelect, two[:1] }), "obligations[1].choices", "two choices"},
		{"a choice twice", edit(func(t *Template) { t.Widget, t.Choices = ChoiceOne, append(two, two[0]) }), "obligations[1].choices[2]", "twice"},
		{"a choice without a label", edit(func(t *Template) { t.Widget, t.Choices = ChoiceOne, append(two, Choice{Value: "z"}) }), "obligations[1].choices[2]", "label"},
		{"min above max", edit(func(t *Template) { t.Widget, t.Min, t.Max = Number, new(float64), &minus }), "obligations[1].min", "above max"},
		{"min that is no number", edit(func(t *Template) { t.Widget, t.Min = Number, &nan }), "obligations[1].min", "numbers"},
		{"an unknown dependency", edit(func(t *Template) { t.Dependencies = []string{"nowhere"} }), "obligations[1].dependencies", "nowhere"},
		{"itself", edit(func(t *Template) { t.Dependencies = []string{"a"} }), "obligations[1].dependencies", "a → a"},
		{"a circle", []Template{sound("a", "c"), sound("b", "a"), sound("c", "b")}, "obligations[0].dependencies", "a → c → b → a"},
		{"a circle behind a way in", []Template{sound("in", "a"), sound("a", "b"), sound("b", "a")}, "obligations[1].dependencies", "a → b → a"},
		{"a bad condition", edit(func(t *Template) { t.SatisfiedWhen = "confidence >" }), "obligations[1].satisfiedWhen", "line 1, column"},
		{"no path", edit(func(t *Template) { t.FieldPath = "" }), "obligations[1].fieldPath", "joined by dots"},
		{"a path with an empty name", edit(func(t *Template) { t.FieldPath = "a..b" }), "obligations[1].fieldPath", "joined by dots"},
		{"a path twice", edit(func(t *Template) { t.FieldPath = "first" }), "obligations[1].fieldPath", "clashes"},
		{"a path below a value", edit(func(t *Template) { t.FieldPath = "first.name" }), "obligations[1].fieldPath", "clashes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			got := Validate(tt.in)

			for _, f := range got {
				if f.Kind == fault.Unprocessable && f.Field == tt.field && strings.Contains(f.Message, tt.want) {
					return
				}
			}
			t.Errorf("Validate() = %v, want one at %s with %q", got, tt.field, tt.want)
		})
	}
}

func TestValidateNamesEveryFault(t *testing.T) {
	t.Parallel()

	got := Validate([]Template{with(sound("a"), func(t *Template) { t.Priority = 0 }), with(sound("b"), func(t *Template) { t.Prompt, t.Widget = "", "" })})

	if len(got) != 3 {
		t.Errorf("Validate() = %v, want three faults", got)
	}
}

func TestReady(t *testing.T) {
	t.Parallel()

	for _, status := range statuses {
		list := []Obligation{{Template: &Template{Key: "a"}, Status: status}, {Template: &Template{Key: "b", Dependencies: []string{"a", "gone"}}}}
		want := status == Satisfied || status == Skipped

		if got := Ready(list, &list[1]); got != want {
			t.Errorf("Ready with a dependency that is %s = %v, want %v", status, got, want)
		}
	}
}

// TestLongChain walks the longest chain of dependencies there may be.
func TestLongChain(t *testing.T) {
	t.Parallel()

	list := make([]Template, maxTemplates)
	for i := range list {
		list[i] = sound(fmt.Sprint("k", i))
		if i > 0 {
			list[i].Dependencies = []string{fmt.Sprint("k", i-1)}
		}
	}
	if got := Validate(list); len(got) > 0 {
		t.Fatalf("Validate() of a chain = %v", got)
	}
	list[0].Dependencies = []string{fmt.Sprint("k", maxTemplates-1)}
	if got := Validate(list); len(got) != 1 {
		t.Errorf("Validate() of a circle = %v, want one fault", got)
	}
}
