package objectives_test

import (
	"errors"
	"strings"
	"testing"

	"quaestor/sessions/objectives"
	"quaestor/web"
	objectivepages "quaestor/web/objectives"
	"quaestor/web/webtest"
)

func TestMisfitsOfAnObjectiveNameFieldLineAndColumn(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct{ name, old, new, location, says string }{
		{"unknown field at the top", `"version"`, `"versoin"`, "versoin", "line 2, column 26 is no field"},
		{"unknown field of the second obligation", `"prompt": "B?"`, `"promt": "B?"`, "obligations[1].promt", "obligations[1].promt at line 6, column 18 is no field"},
		{"unknown field that is one elsewhere", `"goal": "g"}, "v`, `"priority": 1}, "v`, "phases.exploration.priority", "line 8, column 56 is no field"},
		{"text for a number", `"B?", "priority": 9`, `"B?", "priority": "9"`, "obligations[1].priority", "obligations[1].priority at line 6, column 46 must be a whole number, not a string"},
		{"fraction for a whole number", `"B?", "priority": 9`, `"B?", "priority": 9.5`, "obligations[1].priority", "must be a whole number, not a number"},
		{"number for a text", `"A?"`, `7`, "obligations[0].prompt", "line 5, column 28 must be a string, not a number"},
		{"object for a list", `["a"]`, `{"a": 1}`, "completion.requiredObligations", "line 9, column 98 must be a list, not an object"},
		{"number in a list of texts", `["a"]`, `["a", 5]`, "completion.requiredObligations[1]", "must be a string"},
		{"text for an object", `{"goal": "g"}, "v`, `"g", "v`, "phases.exploration", "must be an object, not a string"},
		{"not an object at all", webtest.TwoLines, `[1]`, "", "the objective at line 1, column 1 must be an object, not a list"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			if !strings.Contains(webtest.TwoLines, tt.old) {
				t.Fatalf("%q is not in the objective", tt.old)
			}
			_, err := objectivepages.ParseObjective([]byte(strings.Replace(webtest.TwoLines, tt.old, tt.new, 1)))

			p := web.ProblemOf(err, "")
			if p.Status != 422 || len(p.Errors) != 1 || p.Errors[0].Location != tt.location || !strings.Contains(p.Detail, tt.says) {
				t.Errorf("problem %d %q, errors %+v, want 422 at %q saying %q", p.Status, p.Detail, p.Errors, tt.location, tt.says)
			}
		})
	}
}

func TestAllMisfitsAreListedAtOnce(t *testing.T) {
	t.Parallel()

	_, err := objectivepages.ParseObjective([]byte(strings.NewReplacer(`"key": "a"`, `"kye": "a"`, `"B?"`, `false`).Replace(webtest.TwoLines)))

	p := web.ProblemOf(err, "")
	if len(p.Errors) != 2 || p.Errors[0].Location == p.Errors[1].Location {
		t.Errorf("errors %+v, want both faults", p.Errors)
	}
}

// Shipped objectives fit the schema that faults are located with.
func TestShippedObjectivesHaveNoMisfits(t *testing.T) {
	t.Parallel()

	other := errors.New("something else")
	for _, d := range objectives.Shipped() {
		raw, err := d.JSON()
		if err != nil {
			t.Fatal(err)
		}
		if got := objectivepages.Located(raw, other); !errors.Is(got, other) {
			t.Errorf("%s: %v", d.ContextType, got)
		}
	}
}

// No document makes locating its faults fail, however deep it is, or leaves a fault without
// words.
func FuzzLocated(f *testing.F) {
	f.Add(webtest.Tiny)
	f.Add(webtest.TwoLines)
	f.Add(strings.Repeat("[", 5000) + strings.Repeat("]", 5000))
	f.Add(strings.Repeat(`{"obligations":`, 100) + "1" + strings.Repeat("}", 100))
	f.Add(`{"a":1,"a":2,"":{"":[]}}`)
	f.Fuzz(func(t *testing.T, doc string) {
		_, err := objectivepages.ParseObjective([]byte(doc))
		if err == nil {
			return
		}
		for _, e := range web.ProblemOf(err, "").Errors {
			if e.Message == "" {
				t.Errorf("a fault at %q has no words", e.Location)
			}
		}
	})
}
