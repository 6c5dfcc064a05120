package obligations_test

import (
	"encoding/json"
	"testing"

	"quaestor/obligations"
)

// A person who names another value than research proposed has decided: both are
// kept for reviewers, and nobody is asked which holds.
func TestPersonsWordOverAProposalIsDecided(t *testing.T) {
	t.Parallel()

	list := []obligations.Obligation{{Template: &obligations.Template{Key: "competitors", Prompt: "Who else?", Widget: obligations.Text, Priority: 5}, Status: obligations.Pending}}
	proposal := obligations.Finding{Key: "competitors", Act: obligations.Tell, Value: json.RawMessage(`"Hof Berg"`), Source: "research",
		Evidence: obligations.Evidence{Kind: obligations.ResearchEvidence, Source: "https://a.example/", Quote: "Hof Berg sells cheese"}}
	list = obligations.Merge(list, obligations.Apply(list, []obligations.Finding{proposal}, 1))
	word := obligations.Finding{Key: "competitors", Act: obligations.Tell, Value: json.RawMessage(`"Hof Sonnenberg"`), Source: "conversation",
		Evidence: obligations.Evidence{Kind: obligations.Stated, Message: "2-user", Span: &obligations.Span{Start: 0, End: 14}, Quote: "Hof Sonnenberg"}}
	changes := obligations.Apply(list, []obligations.Finding{word}, 2)

	if len(changes) != 1 || changes[0].Conflict == nil || changes[0].Conflict.Status != obligations.ConflictResolved {
		t.Fatalf("changes %+v, want one, with a conflict that nobody has to decide", changes)
	}
	if o := changes[0].After; string(o.Value) != `"Hof Sonnenberg"` || o.Status != obligations.Satisfied || len(o.Evidence) != 1 {
		t.Errorf("it holds %s, %s, on %+v", o.Value, o.Status, o.Evidence)
	}
	again := obligations.Apply(obligations.Merge(list, changes), []obligations.Finding{proposal}, 3)
	for _, c := range again {
		if string(c.After.Value) != `"Hof Sonnenberg"` {
			t.Errorf("the proposal came back: %s", c.After.Value)
		}
	}
}
