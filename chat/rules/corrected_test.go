package rules

import (
	"encoding/json"
	"strings"
	"testing"

	"quaestor/chat"
	"quaestor/chat/chattest"
	"quaestor/internal/language"
	"quaestor/obligations"
	"quaestor/sessions"
)

// A reply that says that something was corrected names what it is now, and is made only where a value
// was changed.
func TestCorrectedNamesWhatItIsNow(t *testing.T) {
	t.Parallel()

	claims := []string{"corrected", "put right", "put that right", "changed", "instead of", "no longer", "now i have it", "your word counts", "taken that off", "berichtigt", "geändert", "richtig da", "jetzt da", "richtiggestellt", "gestrichen"}
	for _, tt := range []struct {
		language, key, held, in string
		act                     obligations.Act
		value, names            string // what it is afterwards, and what the reply names of it; no name where nothing is claimed
	}{
		{"en", "competitors", `"the bakery by the bridge"`, "the two stalls at the station and the canteen of the fire brigade", obligations.Correct, "", "the two stalls"},
		{"en", "competitors", `"the two stalls at the station and the canteen of the fire brigade behind it"`, "the kiosk at the pier and the restaurant that opens for the summer season only", obligations.Correct, "", "the kiosk"},
		{"en", "team_size", `14`, "16", obligations.Correct, "16", "16"},
		{"de", "competitors", `"die Bude am Kai"`, "der Imbiss am Tor, die Kantine der Feuerwehr und seit Mai ein Wagen vor der Schule", obligations.Correct, "", "der Imbiss"},
		{"de", "team_size", `14`, "16", obligations.Correct, "16", "16"},
		{"en", "competitors", `"the bakery by the bridge"`, "The bakery by the bridge.", obligations.Correct, `"The bakery by the bridge"`, ""},
		{"en", "team_size", `14`, "14", obligations.Correct, "14", ""},
		{"de", "team_size", `14`, "14 Leute", obligations.Correct, "14", ""},
	} {
		for seed := range 6 { // each wording is said in some turn
			for _, asked := range []string{tt.key, "launch"} {
				s := chattest.Scene(asked, tt.in)
				s.Session.Language, s.Turn = tt.language, 5+seed
				chattest.Hold(s, tt.key, tt.held, 3)
				if asked == tt.key {
					s.Asked = chattest.Ask(obligations.Find(s.Obligations, tt.key), sessions.ToConfirm)
				}
				value := json.RawMessage(tt.value)
				if tt.value == "" {
					value, _ = json.Marshal(tt.in)
				}
				e := obligations.Evidence{Kind: obligations.Stated, Message: s.MessageID(), Quote: tt.in, Span: &obligations.Span{End: len(tt.in)}}
				u := chat.Understanding{Intent: chat.Correction, About: tt.key, Findings: []obligations.Finding{{Key: tt.key, Act: tt.act, Value: value, Evidence: e}}}

				text := strings.ToLower(reply(t, s, chat.Decide(s, u)))

				says := ""
				for _, claim := range claims {
					if strings.Contains(text, claim) {
						says = claim
					}
				}
				if tt.names == "" && says != "" {
					t.Errorf("%s is held and %q said: the reply claims %q: %s", tt.held, tt.in, says, text)
				}
				if tt.names != "" && !strings.Contains(language.FoldWords(text), language.FoldWords(tt.names)) {
					t.Errorf("%s is held and %q said: the reply does not name %q: %s", tt.held, tt.in, tt.names, text)
				}
			}
		}
	}
}
