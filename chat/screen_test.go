package chat_test

import (
	"encoding/json"
	"testing"

	"quaestor/chat"
	"quaestor/obligations"
	"quaestor/sessions/objectives"
)

func TestScreenKeepsWhatCanBeTrusted(t *testing.T) {
	t.Parallel()

	d, err := objectives.ParseDefinition([]byte(small))
	if err != nil {
		t.Fatal(err)
	}
	scene := &chat.Scene{Turn: 3, Person: "anna", Objective: &d, Obligations: obligations.Fresh(d.Obligations, obligations.Origin{}), Message: "We sell bread"}
	quote := func(kind obligations.EvidenceKind, text string) obligations.Evidence {
		return obligations.Evidence{Kind: kind, Turn: 3, Message: scene.MessageID(), Quote: text, By: "somebody else"}
	}
	cases := []struct {
		name    string
		finding obligations.Finding
		kept    bool
		flagged bool
	}{
		{"what was said", obligations.Finding{Key: "business", Act: obligations.Tell, Value: json.RawMessage(`"bread"`), Evidence: quote(obligations.Stated, "We sell bread")}, true, false},
		{"what was not said", obligations.Finding{Key: "business", Act: obligations.Tell, Value: json.RawMessage(`"cars"`), Evidence: quote(obligations.Stated, "We sell cars")}, true, true},
		{"unknown key", obligations.Finding{Key: "password", Act: obligations.Tell, Value: json.RawMessage(`"x"`), Evidence: quote(obligations.Stated, "We sell bread")}, false, false},
		{"wrong shape", obligations.Finding{Key: "team_size", Act: obligations.Tell, Value: json.RawMessage(`"many"`), Evidence: quote(obligations.Stated, "We sell bread")}, false, false},
		{"speaks for a reviewer", obligations.Finding{Key: "business", Act: obligations.Confirm, Evidence: quote(obligations.Reviewer, "We sell bread")}, false, false},
		{"speaks for research", obligations.Finding{Key: "business", Act: obligations.Tell, Value: json.RawMessage(`"bread"`), Evidence: quote(obligations.ResearchEvidence, "We sell bread")}, false, false},
		{"speaks for a widget nobody filled in", obligations.Finding{Key: "business", Act: obligations.Tell, Value: json.RawMessage(`"bread"`), Evidence: quote(obligations.WidgetInput, "")}, false, false},
		{"puts off", obligations.Finding{Key: "business", Act: obligations.Defer}, true, false},
	}
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			got := chat.Screen(scene, chat.Understanding{Intent: chat.Answer, About: "nothing", Findings: []obligations.Finding{tt.finding}, Refused: []chat.InvalidAnswer{{Key: "password"}}}, nil)

			if len(got.Findings) != map[bool]int{true: 1, false: 0}[tt.kept] || got.About != "" || len(got.Refused) != 0 {
				t.Fatalf("Screen = %+v, want the finding kept: %v", got, tt.kept)
			}
			if !tt.kept || tt.finding.Act == obligations.Defer {
				return
			}
			if e := got.Findings[0].Evidence; (e.Flag == obligations.FlagQuoteNotFound) != tt.flagged || e.By != "anna" {
				t.Errorf("evidence %+v, want it flagged: %v, and anna's", e, tt.flagged)
			}
		})
	}
}
