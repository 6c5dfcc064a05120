package objectives_test

import (
	"encoding/json"
	"strings"
	"testing"

	"quaestor/obligations"
	"quaestor/sessions/objectives"
)

// twoDates is an objective with one constraint; %s stands for its condition.
const twoDates = `{"contextType":"two_dates","version":"1.0.0","displayName":"Two dates","description":"Two.",
 "obligations":[{"key":"start","prompt":"When?","widgetType":"date","priority":5},{"key":"launch","prompt":"When?","widgetType":"date","priority":5}],
 "constraints":[{"name":"order","when":"%s","message":"The launch lies before the start."}],
 "phases":{"opening":{"goal":"g"},"exploration":{"goal":"g"},"validation":{"goal":"g"},"closing":{"goal":"g"}},
 "completion":{"minObligationsSatisfied":1,"minConfidenceScore":0.5,"requiredObligations":[]}}`

func TestConstraintsAreCheckedWhenAnObjectiveIsRead(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct{ name, when, says string }{
		{"sound", "launch < start", ""},
		{"an unknown key", "launch < end", "constraints[0].when: the condition fails at line 1, column 10"},
		{"types that do not compare", "launch < 3", "constraints[0].when: the condition fails at line 1, column 8"},
		{"broken", "launch <", "constraints[0].when"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			d, err := objectives.ParseDefinition([]byte(strings.Replace(twoDates, "%s", tt.when, 1)))

			switch {
			case tt.says == "" && (err != nil || strings.Join(d.Constraints[0].Keys, " ") != "start launch"):
				t.Errorf("ParseDefinition() = %+v, %v, want the keys filled in", d.Constraints, err)
			case tt.says != "" && (err == nil || !strings.Contains(err.Error(), tt.says)):
				t.Errorf("ParseDefinition() = %v, want %q", err, tt.says)
			}
		})
	}
}

func TestShippedConstraints(t *testing.T) {
	t.Parallel()

	eachShipped(t, func(t *testing.T, d objectives.Definition) {
		if n := len(d.Constraints); n < 2 || n > 4 {
			t.Errorf("%d constraints, want 2 to 4", n)
		}
		for _, c := range d.Constraints {
			wantMarks(t, c.Name, c.Message, 0)
			if !strings.HasSuffix(c.Message, ".") {
				t.Errorf("message of %s is no sentence: %q", c.Name, c.Message)
			}
		}
	})
}

// TestShippedConstraintsClash gives each constraint values that clash and values
// that nearly do.
func TestShippedConstraintsClash(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		context, name string
		clash, fit    map[string]string
	}{
		{"business_profile", "goal_after_founding", map[string]string{"timeline": `"2024-05"`, "founded": `"2025"`}, map[string]string{"timeline": `"2025-05"`, "founded": `"2025"`}},
		{"business_profile", "revenue_before_start", map[string]string{"growth_stage": `"preparing"`, "annual_revenue": `90000`}, map[string]string{"growth_stage": `"preparing"`, "annual_revenue": `0`}},
		{"business_profile", "hours_and_people", map[string]string{"time_available": `600`, "team_size": `2`}, map[string]string{"time_available": `{"min":20,"max":600}`, "team_size": `2`}},
		{"idea_discovery", "income_without_payers", map[string]string{"who_pays": `"nobody"`, "revenue_idea": `["advertising","subscription"]`}, map[string]string{"who_pays": `"nobody"`, "revenue_idea": `["advertising","no_income"]`}},
		{"idea_discovery", "stage_and_proof", map[string]string{"idea_stage": `"thought"`, "validation_so_far": `["in_use"]`}, map[string]string{"idea_stage": `"thought"`, "validation_so_far": `["conversations"]`}},
		{"idea_discovery", "running_untried", map[string]string{"idea_stage": `"trial"`, "validation_so_far": `["nothing"]`}, map[string]string{"idea_stage": `"explored"`, "validation_so_far": `["nothing"]`}},
		{"project_discovery", "budget_for_size", map[string]string{"project_size": `"large"`, "budget": `500`}, map[string]string{"project_size": `"large"`, "budget": `{"min":500,"max":5000}`}},
		{"project_discovery", "people_for_size", map[string]string{"project_size": `"programme"`, "team_available": `0`}, map[string]string{"project_size": `"medium"`, "team_available": `0`}},
		{"project_discovery", "people_for_deadline", map[string]string{"project_size": `"programme"`, "team_available": `2`, "deadline_flexibility": `"fixed"`}, map[string]string{"project_size": `"programme"`, "team_available": `2`, "deadline_flexibility": `"preferred"`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			for _, d := range objectives.Shipped() {
				if d.ContextType != tt.context {
					continue
				}
				if got := clashes(t, d, tt.clash); len(got) != 1 || got[0] != tt.name {
					t.Errorf("%v violates %v, want %s", tt.clash, got, tt.name)
				}
				if got := clashes(t, d, tt.fit); len(got) != 0 {
					t.Errorf("%v violates %v, want nothing", tt.fit, got)
				}
			}
		})
	}
}

// clashes names the constraints of d that values violate.
func clashes(t *testing.T, d objectives.Definition, values map[string]string) []string {
	t.Helper()
	list := obligations.Fresh(d.Obligations, obligations.Origin{})
	for key, v := range values {
		o := obligations.Find(list, key)
		if o == nil || o.Check(json.RawMessage(v)) != nil {
			t.Fatalf("%s cannot be %s", key, v)
		}
		o.Value = json.RawMessage(v)
	}
	var out []string
	for _, c := range d.Constraints {
		if c.Violated(list) {
			out = append(out, c.Name)
		}
	}
	return out
}
