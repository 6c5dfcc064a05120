package sessions_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

func TestQuestionGivesMoreHelpEachTime(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		attempt, max   int
		examples, last bool
	}{{1, 0, false, false}, {2, 0, false, false}, {3, 0, true, true}, {2, 2, true, true}, {1, 1, false, false}, {3, 5, true, false}, {4, 5, true, false}, {5, 5, true, true}} {
		o := &obligations.Template{Key: "a", Prompt: "What?", MaxAttempts: tt.max, Examples: []string{"x"}}
		q := sessions.Question{Purpose: sessions.ToAsk, Key: "a", Attempt: tt.attempt}

		q.Complete(func(string) *obligations.Template { return o })

		if (len(q.Examples) > 0) != tt.examples || q.MayDefer != tt.last {
			t.Errorf("attempt %d of %d: examples %v, may be put off %v", tt.attempt, tt.max, q.Examples, q.MayDefer)
		}
	}
}

func TestParkedQuestionKeepsNoOther(t *testing.T) {
	t.Parallel()

	form := &sessions.Question{Purpose: sessions.ToForm, Label: "Facts", Attempt: 1, Fields: []sessions.Question{{Purpose: sessions.ToAsk, Key: "a", Prompt: "A?", Attempt: 1, Why: "because"}},
		Resume: &sessions.Question{Key: "z"}, ChosenBecause: &obligations.Rationale{Sentence: "s"}}

	want := &sessions.Question{Purpose: sessions.ToForm, Label: "Facts", Attempt: 1, Fields: []sessions.Question{{Purpose: sessions.ToAsk, Key: "a", Prompt: "A?", Attempt: 1}}}
	if diff := cmp.Diff(want, form.Parked()); diff != "" {
		t.Errorf("Parked() (-want +got):\n%s", diff)
	}
	if got := (*sessions.Question)(nil).Parked(); got != nil {
		t.Errorf("nothing parked is %+v", got)
	}
}

func TestBudgetIsRefusedWhereItIsNone(t *testing.T) {
	t.Parallel()

	d := objectives.Shipped()[0]
	d.Budget = objectives.Budget{Turns: -1, Minutes: -0.5, Money: -2}
	raw, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}

	_, err = objectives.ParseDefinition(raw)

	var got []string
	if faults, ok := err.(objectives.Faults); ok {
		for _, f := range faults {
			got = append(got, f.Field)
		}
	}
	if diff := cmp.Diff([]string{"budget.turns", "budget.minutes", "budget.money"}, got); diff != "" {
		t.Errorf("ParseDefinition() faults (-want +got):\n%s\n%v", diff, err)
	}
	d.Budget = objectives.Budget{Minutes: 20, Money: 1.5}
	if err := d.Validate(); err != nil {
		t.Errorf("a budget of minutes and money is refused: %v", err)
	}
}
