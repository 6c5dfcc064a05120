package obligations

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quaestor/internal/fault"
)

// plans are the templates these tests constrain.
var plans = []Template{
	{Key: "start", Prompt: "?", Widget: Date, Priority: 5}, {Key: "launch", Prompt: "?", Widget: Date, Priority: 5},
	{Key: "budget", Prompt: "?", Widget: Number, Priority: 5}, {Key: "team", Prompt: "?", Widget: Number, Priority: 5},
	{Key: "size", Prompt: "?", Widget: ChoiceOne, Choices: []Choice{{Value: "small"}, {Value: "large"}}, Priority: 5},
	{Key: "proof", Prompt: "?", Widget: MultiSelect, AllowOther: true, Priority: 5}, {Key: "name", Prompt: "?", Widget: Text, Priority: 5},
}

// holding returns obligations that hold the values, as said by a person.
func holding(values map[string]string) []Obligation {
	list := Fresh(plans, Origin{Layer: Shipped, Source: "objective"})
	var findings []Finding
	for _, p := range plans {
		if v, ok := values[p.Key]; ok {
			findings = append(findings, tell(p.Key, json.RawMessage(v), said("m1")))
		}
	}
	return Merge(list, Apply(list, findings, 1))
}

func constrained(when string) Constraint {
	c := Constraint{Name: "rule", When: when, Message: "That does not fit."}
	c.Normalize(plans)
	return c
}

func TestViolated(t *testing.T) {
	t.Parallel()

	const early = "launch < start"
	for _, tt := range []struct {
		name, when string
		in         map[string]string
		want       bool
	}{
		{"dates in order", early, map[string]string{"start": `"2026-03-01"`, "launch": `"2026-09-01"`}, false},
		{"dates out of order", early, map[string]string{"start": `"2026-03-01"`, "launch": `"2026-02-28"`}, true},
		{"one date is missing", early, map[string]string{"launch": `"2026-02-28"`}, false},
		{"a year that may be meant later", early, map[string]string{"start": `"2026-03-01"`, "launch": `"2026"`}, false},
		{"a year that is over before", early, map[string]string{"start": `"2026-03-01"`, "launch": `"2025"`}, true},
		{"the same month", early, map[string]string{"start": `"2026-03"`, "launch": `"2026-03"`}, false},
		{"a month before the month", early, map[string]string{"start": `"2026-03"`, "launch": `"2026-02"`}, true},
		{"a date against a written one", `launch < date("2026-01-01") and start > launch`, map[string]string{"start": `"2026-03"`, "launch": `"2025-11"`}, true},
		{"days between", "days(start, launch) > 365", map[string]string{"start": `"2026-01-01"`, "launch": `"2027-01-02"`}, true},
		{"days between, short of it", "days(start, launch) > 365", map[string]string{"start": `"2026-01-01"`, "launch": `"2027-01-01"`}, false},
		{"numbers", "budget < 1000 * team", map[string]string{"budget": `1500`, "team": `2`}, true},
		{"numbers that fit", "budget < 1000 * team", map[string]string{"budget": `2000`, "team": `2`}, false},
		{"a range that may fit", "budget < 1000 * team", map[string]string{"budget": `{"min": 500, "max": 5000}`, "team": `2`}, false},
		{"a range that cannot fit", "budget < 1000 * team", map[string]string{"budget": `{"min": 500, "max": 1900}`, "team": `2`}, true},
		{"two ranges", "budget < 1000 * team", map[string]string{"budget": `{"min": 500, "max": 1900}`, "team": `{"min": 1, "max": 2}`}, false},
		{"a choice and a number", `size == "large" and team <= 1`, map[string]string{"size": `"large"`, "team": `1`}, true},
		{"several choices", `"in_use" in proof and size == "small"`, map[string]string{"proof": `["survey","in_use"]`, "size": `"small"`}, true},
		{"texts", `lower(name) == "none" and len(proof) > 0`, map[string]string{"name": `"None"`, "proof": `["x"]`}, true},
		{"what fails when it runs", `proof[3] == "x" and team > 0`, map[string]string{"proof": `["x"]`, "team": `1`}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			c := constrained(tt.when)
			if got := c.Violated(holding(tt.in)); got != tt.want {
				t.Errorf("Violated(%s over %v) = %v, want %v", tt.when, tt.in, got, tt.want)
			}
		})
	}
}

func TestSkippedValuesAreNotConstrained(t *testing.T) {
	t.Parallel()

	list := holding(map[string]string{"start": `"2026"`, "launch": `"2024"`})
	list = Merge(list, Apply(list, []Finding{{Key: "launch", Act: Skip, Skip: Declined}}, 2))

	if c := constrained("launch < start"); c.Violated(list) {
		t.Error("a skipped value violates a constraint")
	}
}

func TestValidateConstraints(t *testing.T) {
	t.Parallel()

	sound := Constraint{Name: "order", When: "launch < start", Message: "The launch is before the start."}
	with := func(change func(*Constraint)) []Constraint {
		c := sound
		change(&c)
		return []Constraint{c}
	}
	for _, tt := range []struct {
		name  string
		in    []Constraint
		field string // of the first fault; empty for none
		says  string
	}{
		{"sound", []Constraint{sound}, "", ""},
		{"its own keys", with(func(c *Constraint) { c.Keys = []string{"start", "launch"} }), "", ""},
		{"no name", with(func(c *Constraint) { c.Name = "" }), "constraints[0].name", "name"},
		{"the name twice", []Constraint{sound, sound}, "constraints[1].name", "order"},
		{"no message", with(func(c *Constraint) { c.Message = " " }), "constraints[0].message", "sentence"},
		{"a long message", with(func(c *Constraint) { c.Message = strings.Repeat("x", 301) }), "constraints[0].message", "300"},
		{"broken", with(func(c *Constraint) { c.When = "launch <" }), "constraints[0].when", "line 1, column 8"},
		{"an unknown key", with(func(c *Constraint) { c.When = "launch < end" }), "constraints[0].when", "line 1, column 10: unknown name end"},
		{"dates and numbers", with(func(c *Constraint) { c.When = "launch < budget" }), "constraints[0].when", "line 1, column 8"},
		{"no truth", with(func(c *Constraint) { c.When = "budget + team" }), "constraints[0].when", "bool"},
		{"the clock", with(func(c *Constraint) { c.When = "launch < now()" }), "constraints[0].when", "now"},
		{"a loop in a loop", with(func(c *Constraint) { c.When = "any(proof, any(proof, true)) and team > 0" }), "constraints[0].when", "loop"},
		{"one key", with(func(c *Constraint) { c.When = "budget < 0" }), "", ""},
		{"no key", with(func(c *Constraint) { c.When = "1 > 0" }), "constraints[0].when", "1 to 4"},
		{"five keys", with(func(c *Constraint) { c.When = "launch < start and budget < team and len(name) > 0" }), "constraints[0].when", "not 5"},
		{"other keys", with(func(c *Constraint) { c.Keys = []string{"launch", "budget"} }), "constraints[0].keys", "launch, start"},
		{"too long", with(func(c *Constraint) { c.When = strings.Repeat("(", 1001) }), "constraints[0].when", "1000 bytes"},
		{"too many", make([]Constraint, 51), "constraints", "at most 50"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			got := ValidateConstraints(tt.in, plans)
			switch {
			case tt.field == "" && len(got) > 0:
				t.Errorf("ValidateConstraints() = %v, want none", got)
			case tt.field == "":
			case len(got) == 0 || got[0].Field != tt.field || got[0].Kind != fault.Unprocessable || !strings.Contains(got[0].Message, tt.says):
				t.Errorf("ValidateConstraints() = %v, want %q at %s", got, tt.says, tt.field)
			}
		})
	}
}

func TestConflictOfAConstraintNamesBothSides(t *testing.T) {
	t.Parallel()

	list := holding(map[string]string{"start": `"2026-03-01"`})
	list = Merge(list, Apply(list, []Finding{{Key: "launch", Act: Tell, Value: json.RawMessage(`"2025"`), Evidence: said("m2"), Grade: Grade{Hedged: true}}}, 2))
	rule := constrained("launch < start")

	got := DetectConflicts(list, []Constraint{rule}, nil, 2)

	if len(got) != 1 {
		t.Fatalf("DetectConflicts() = %+v, want one", got)
	}
	c := got[0]
	if diff := cmp.Diff([]string{"launch", "start"}, c.Keys); diff != "" {
		t.Errorf("keys, the least certain first (-want +got):\n%s", diff)
	}
	if c.Kind != Constrained || c.Status != ConflictOpen || c.Constraint != "rule" || c.Message != rule.Message || c.Detected != 2 || c.Raised != 0 {
		t.Errorf("conflict = %+v", c)
	}
	for _, s := range c.Sides {
		if len(s.Evidence) != 1 || !s.Kept || len(c.Values(s.Key)) != 1 {
			t.Errorf("side = %+v", s)
		}
	}
	if again := DetectConflicts(list, []Constraint{rule}, got, 3); len(again) != 0 {
		t.Errorf("found again: %+v", again)
	}
	other := Merge(list, Apply(list, []Finding{correct("launch", json.RawMessage(`"2024"`), said("m3"))}, 3))
	if again := DetectConflicts(other, []Constraint{rule}, got, 3); len(again) != 1 {
		t.Errorf("another pair of values gave %d conflicts, want 1", len(again))
	}
}

func FuzzConstraint(f *testing.F) {
	for _, seed := range []string{"launch < start", "days(start, launch) > 3", "budget < team * 2", `"x" in proof and size == "small"`, "((", "now()", "len(proof) > 2 and team > 1"} {
		f.Add(seed, `"2026"`, `{"min":1,"max":2}`)
	}
	f.Fuzz(func(t *testing.T, when, date, number string) {
		c := constrained(when)
		if faults := ValidateConstraints([]Constraint{c}, plans); len(faults) > 0 && faults[0].Field == "" {
			t.Fatalf("a fault without a field: %v", faults)
		}
		list := Fresh(plans, Origin{Layer: Shipped, Source: "objective"})
		for key, v := range map[string]string{"start": date, "launch": `"2020-05-05"`, "budget": number, "team": "3"} {
			o := Find(list, key)
			o.Value = json.RawMessage(v)
		}
		first := c.Violated(list)
		if again := c.Violated(list); again != first {
			t.Fatalf("Violated(%s) = %v, then %v", when, first, again)
		}
	})
}

func ExampleConstraint() {
	templates := []Template{{Key: "founded", Widget: Date}, {Key: "launch", Widget: Date}}
	c := Constraint{Name: "founded_first", When: "launch < founded", Message: "The launch lies before the founding."}
	c.Normalize(templates)
	list := Fresh(templates, Origin{})
	list[0].Value, list[1].Value = json.RawMessage(`"2026-04"`), json.RawMessage(`"2025-12-24"`)
	fmt.Println(c.Keys, c.Violated(list))
	// Output: [founded launch] true
}
