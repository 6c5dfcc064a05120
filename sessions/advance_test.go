package sessions_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

func TestAdvance(t *testing.T) {
	t.Parallel()

	templates := []obligations.Template{
		{Key: "market", FieldPath: "market", Prompt: "Who?", Widget: obligations.Text, Collection: obligations.DirectQuestion, Priority: 5},
		{Key: "size", FieldPath: "size", Prompt: "How many?", Widget: obligations.Number, Collection: obligations.DirectQuestion, Priority: 5, Dependencies: []string{"market"}},
	}
	d := objectives.Definition{Obligations: templates, Phases: objectives.Phases{Exploration: objectives.PhaseConfig{Goal: "learn"}}}
	said := obligations.Evidence{Kind: obligations.Stated, Span: &obligations.Span{End: 2}, Quote: "so"}
	tell := func(act obligations.Act, v string) obligations.Finding {
		return obligations.Finding{Key: "market", Act: act, Value: []byte(v), Evidence: said}
	}
	for _, tt := range []struct {
		name  string
		in    [][]obligations.Finding // turn by turn; the last one is told
		want  []string
		phase sessions.Phase
	}{
		{"nothing happened", [][]obligations.Finding{nil}, []string{"sessions.CompletenessEvent"}, sessions.Opening},
		{"asking is not told twice", [][]obligations.Finding{{tell(obligations.Asked, "")}, {tell(obligations.Asked, "")}}, []string{"sessions.CompletenessEvent"}, sessions.Opening},
		{"a value, not what it unlocks", [][]obligations.Finding{{tell(obligations.Tell, `"shops"`)}},
			[]string{"sessions.ObligationEvent market", "sessions.CompletenessEvent", "sessions.PhaseEvent exploration"}, sessions.Exploration},
		{"a change of mind", [][]obligations.Finding{{tell(obligations.Tell, `"shops"`)}, {tell(obligations.Correct, `"farms"`)}},
			[]string{"sessions.ObligationEvent market", "sessions.NegotiationEvent market", "sessions.CompletenessEvent"}, sessions.Exploration},
		{"two values that differ", [][]obligations.Finding{{tell(obligations.Tell, `"shops"`)}, {tell(obligations.Tell, `"farms"`)}},
			[]string{"sessions.ObligationEvent market", "sessions.NegotiationEvent market", "sessions.ConflictEvent", "sessions.CompletenessEvent"}, sessions.Exploration},
		{"a denial never leads back to the opening", [][]obligations.Finding{{tell(obligations.Tell, `"shops"`)}, {tell(obligations.Deny, "")}},
			[]string{"sessions.ObligationEvent market", "sessions.NegotiationEvent market", "sessions.CompletenessEvent"}, sessions.Exploration},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			s := sessions.Session{Phase: sessions.Opening}
			list := obligations.Fresh(templates, obligations.Origin{})
			var told []sessions.Payload
			for i, findings := range tt.in {
				changes := obligations.Apply(list, findings, i+1)
				list = obligations.Merge(list, changes)
				s, told = sessions.Advance(s, &d, list, changes, i+1)
			}

			if diff := cmp.Diff(tt.want, namesOf(told)); diff != "" {
				t.Errorf("Advance() (-want +got):\n%s", diff)
			}
			if s.Phase != tt.phase {
				t.Errorf("phase = %q, want %q", s.Phase, tt.phase)
			}
		})
	}
}

// namesOf says what each payload is and of what.
func namesOf(list []sessions.Payload) []string {
	var out []string
	for _, p := range list {
		name := fmt.Sprintf("%T", p)
		switch p := p.(type) {
		case sessions.ObligationEvent:
			name += " " + p.Key
		case sessions.NegotiationEvent:
			name += " " + p.Key
		case sessions.PhaseEvent:
			name += " " + string(p.Phase)
		}
		out = append(out, name)
	}
	return out
}
