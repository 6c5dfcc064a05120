package chat_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"quaestor/chat"
	"quaestor/chat/chattest"
	"quaestor/obligations"
	"quaestor/sessions"
)

// What a person answers to a question that is asked again takes the place of their earlier answer, or
// joins the choices they had picked; what was not asked, or somebody else had told, is a conflict.
func TestAnsweredAgainIsNoConflict(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name, asked, key, held, by, in, want string
		conflict                             bool
	}{
		{"a text in other words", "competitors", "competitors", `"the van; Danish tills"`, "u1", "Ruth's ledger and the Danish thing", `"Ruth's ledger and the Danish thing"`, false},
		{"another text", "competitors", "competitors", `"two stalls"`, "u1", "the bakery by the bridge", `"the bakery by the bridge"`, false},
		{"a German text", "competitors", "competitors", `"der Imbiss"`, "u1", "Der Imbiss am Tor und die Kantine", `"Der Imbiss am Tor und die Kantine"`, false},
		{"a number", "team_size", "team_size", `14`, "u1", "16", `16`, false},
		{"a range", "budget", "budget", `2000`, "u1", "3000", `3000`, false},
		{"a choice", "company_size", "company_size", `"enterprise"`, "u1", "mid_market", `"mid_market"`, false},
		{"choices join", "channels", "channels", `["shop"]`, "u1", "web", `["shop","web"]`, false},
		{"the same choices", "channels", "channels", `["shop","web"]`, "u1", "web", `["shop","web"]`, false},
		{"somebody else's text", "competitors", "competitors", `"two stalls"`, "u2", "the bakery by the bridge", `"the bakery by the bridge"`, true},
		{"somebody else's number", "team_size", "team_size", `14`, "u2", "16", `16`, true},
		{"a number that was not asked", "launch", "team_size", `14`, "u1", "16", `16`, true},
		{"a text that was not asked", "launch", "competitors", `"two stalls"`, "u1", "the bakery by the bridge", `"the bakery by the bridge"`, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			s := chattest.Scene(tt.asked, tt.in)
			chattest.Hold(s, tt.key, tt.held, 3)
			o := obligations.Find(s.Obligations, tt.key)
			o.Evidence[0].By, s.Asked.Attempt, s.Asked.Purpose = tt.by, 2, sessions.ToAsk
			value, err := json.Marshal(tt.in)
			switch {
			case err != nil:
				t.Fatal(err)
			case o.Widget == obligations.Number:
				value = []byte(tt.in)
			case o.Widget == obligations.MultiSelect:
				value = []byte(`["` + tt.in + `"]`)
			}
			e := obligations.Evidence{Kind: obligations.Stated, Message: s.MessageID(), Quote: tt.in, Span: &obligations.Span{End: len(tt.in)}}
			f := obligations.Finding{Key: tt.key, Act: obligations.Tell, Value: value, Evidence: e}

			u := chat.Screen(s, chat.Understanding{Intent: chat.Answer, Findings: []obligations.Finding{f}}, func(string, string) float64 { return 1 })
			changes := obligations.Apply(s.Obligations, u.Findings, s.Turn)

			after := obligations.Find(obligations.Merge(s.Obligations, changes), tt.key)
			conflict := slices.ContainsFunc(changes, func(c obligations.Change) bool { return c.Conflict != nil })
			if got := string(after.Value); strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(tt.want, " ", "") || conflict != tt.conflict {
				t.Errorf("%s after %s: %s, a conflict: %v; want %s, %v", tt.in, tt.held, got, conflict, tt.want, tt.conflict)
			}
		})
	}
}
