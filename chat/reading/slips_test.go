package reading

import (
	"testing"

	"quaestor/chat"
	"quaestor/chat/chattest"
	"quaestor/obligations"
	"quaestor/sessions"
)

// "skpi" was a target market.
func TestSlipsInSetPhrases(t *testing.T) {
	t.Parallel()

	for language, said := range map[string]map[string]chat.Intent{
		"en": {"skpi": chat.SkipThis, "skip tihs": chat.SkipThis, "moev on": chat.SkipThis, "next qustion": chat.SkipThis, "dont knwo": chat.DontKnow, "nto sure": chat.DontKnow, "no idae": chat.DontKnow,
			"later plase": chat.Later, "give me an exmaple": chat.AskHelp, "hlep": chat.AskHelp, "how mcuh longer": chat.AskProgress, "thats al": chat.Finish},
		"de": {"weiter bite": chat.SkipThis, "übersrpingen": chat.SkipThis, "nähcste Frage": chat.SkipThis, "weis nicht": chat.DontKnow, "keine Ahnugn": chat.DontKnow, "spätre bitte": chat.Later,
			"ein Bespiel bitte": chat.AskHelp, "warum fragne sie das": chat.AskWhy},
	} {
		for in, want := range said {
			for _, asked := range []string{"target_market", "main_challenge"} {
				x := spokenTo{language, "business_profile", asked, nil, in, ""}
				if intent, got := x.understood(t); chat.Intent(intent) != want {
					t.Errorf("%s, asked %s, Understand(%q) = %s, %s; want %s", language, asked, in, intent, got, want)
				}
			}
		}
	}
}

// A slip in a yes is a yes.
func TestSlipsInAYes(t *testing.T) {
	t.Parallel()

	for _, in := range []string{"yse", "corect", "taht's right", "stimt", "ja gneau"} {
		s := chattest.Scene("target_market", in)
		chattest.Hold(s, "target_market", `"families"`, 4)
		s.Asked = chattest.Ask(obligations.Find(s.Obligations, "target_market"), sessions.ToConfirm)
		if u := understand(t, s); u.Intent != chat.Agree {
			t.Errorf("to confirm, Understand(%q) = %s, %s", in, u.Intent, chattest.Brief(u.Findings))
		}
	}
}

// Words of their own are no slips.
func TestWordsThatAreNoSlips(t *testing.T) {
	t.Parallel()

	for _, in := range []string{"ski", "ships", "shop", "text", "late bars", "pasta", "lager", "hostels", "stops", "Lager", "Seiter", "Weiler", "Spätis"} {
		if u := understand(t, chattest.Scene("business", in)); u.Intent != chat.Answer || len(u.Findings) != 1 {
			t.Errorf("Understand(%q) = %s, %s; want an answer", in, u.Intent, chattest.Brief(u.Findings))
		}
	}
}
