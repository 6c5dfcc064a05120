package rules

import (
	"strings"
	"testing"

	"quaestor/chat"
	"quaestor/chat/chattest"
	"quaestor/obligations"
	"quaestor/sessions"
)

// "That's it" at the end of an answer ends the answer; alone, once closing was offered, it ends the interview.
func TestWhatEndsAnAnswerEndsNoInterview(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 0)

	for _, tt := range []struct{ language, said, value string }{
		{"en", "Plumbers and roofers. That's it.", "Plumbers and roofers"},
		{"en", "Small hotels on the coast. Done.", "Small hotels on the coast"},
		{"en", "Families with young children, that's all", "Families with young children"},
		{"en", "People who fish. Nothing else.", "People who fish"},
		{"en", "Farmers who keep goats. Finished!", "Farmers who keep goats"},
		{"en", "Vets. That's everything.", "Vets"},
		{"de", "Weniger Reste am Abend. Fertig.", "Weniger Reste am Abend"},
		{"de", "Eine zweite Filiale. Das war's.", "Eine zweite Filiale"},
		{"de", "Mehr Kuchen verkaufen. Das ist alles.", "Mehr Kuchen verkaufen"},
		{"de", "Ein Café dazu. Mehr nicht.", "Ein Café dazu"},
		{"de", "Neue Öfen für die Backstube. Nichts weiter.", "Neue Öfen für die Backstube"},
		{"de", "Brot für Schulen backen, das war's", "Brot für Schulen backen"},
	} {
		s := chattest.Scene("target_market", tt.said)
		key := "target_market"
		if tt.language == "de" {
			s, key = chattest.SceneIn(chattest.Bakery(), "vorhaben", tt.said), "vorhaben"
		}
		s.Session.Language = tt.language
		if u := understand(m, s); u.Intent != chat.Answer || !strings.HasPrefix(chattest.Brief(u.Findings), key+`="`+tt.value+`"`) {
			m.Errorf("%q is %s and finds %s, want %s as the answer", tt.said, u.Intent, chattest.Brief(u.Findings), tt.value)
		}
		s.Message = tt.said[strings.LastIndexAny(tt.said[:len(tt.said)-1], ".,")+2:]
		s.Asked = &sessions.Question{Purpose: sessions.ToFinish, Prompt: "Shall I close it here?"}
		if u := understand(m, s); u.Intent != chat.Agree && u.Intent != chat.Finish {
			m.Errorf("%q once closing was offered is %s", s.Message, u.Intent)
		}
	}
}

// That a question may be put off or left out is said to who hesitates, and not to others.
func TestWaysOutAreOfferedToWhoHesitates(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		intent   chat.Intent
		status   obligations.Status
		language string
		offered  bool
	}{
		{chat.DontKnow, obligations.Pending, "en", true}, {chat.Answer, obligations.Deferred, "en", true}, {chat.Later, obligations.Pending, "de", true},
		{chat.Answer, obligations.Pending, "en", false}, {chat.Unclear, obligations.Pending, "en", false}, {chat.Unclear, obligations.Pending, "de", false},
	} {
		s := chattest.Scene("target_market", "x")
		s.Session.Language = tt.language
		obligations.Find(s.Obligations, "competitors").Status = tt.status
		q := chattest.Ask(obligations.Find(s.Obligations, "competitors"), sessions.ToAsk)
		q.Attempt, q.MayDefer = 3, true
		got := reply(t, s, &chat.Plan{Understanding: chat.Understanding{Intent: tt.intent}, Question: q, List: s.Obligations})
		if saysOneOf(tt.language, "may-defer", got) != tt.offered {
			t.Errorf("after %s with %s: %q, a way out offered is to be %t", tt.intent, tt.status, got, tt.offered)
		}
	}
	for in, offered := range map[string]bool{"why do you ask?": false, "what's that for?": false, "I don't know. Why do you need that?": true} {
		s := chattest.Scene("competitors", in)
		p := chat.Decide(s, understand(t, s))
		if got := reply(t, s, p); saysOneOf("en", "why.may-skip", got) && !offered {
			t.Errorf("%q is answered %q", in, got)
		}
	}
}

// Who has to go at an hour wants it brief and does not leave now; who goes now leaves.
func TestWhoHasToGoAtAnHourWantsItBrief(t *testing.T) {
	t.Parallel()

	for in, brief := range map[string]bool{
		"I have to leave at 10": true, "got to dash at half past": true, "need to run in 5 minutes": true, "Muss um 11 weg": true, "Ich müsste eigentlich weg": false, "ich muss um halb zehn los": true, "muss in 10 Minuten los": true,
		"They have to leave at 10 every day": false, "We have to close at 6": false, "Die Lehrlinge müssen jeden Tag um 5 los": false, "I have to go now": false, "Ich muss los": false,
	} {
		k := newTalk(t, *chattest.Shipped(t, "project_discovery"))
		k.turn("")
		p := k.turn(in)
		if hurry := p.Understanding.Signals.Course.Hurry > 0; hurry != brief || brief && (p.Ends != "" || len(p.Changes) > 0) {
			t.Errorf("%q: in a hurry %t, ends %q, finds %s", in, hurry, p.Ends, chattest.Brief(p.Understanding.Findings))
		}
	}
}

// A transition reads as a sentence, whatever a part is called.
func TestPartsAreAnnouncedInASentence(t *testing.T) {
	t.Parallel()

	for name, want := range map[string]string{"For whom it is": "“For whom it is”", "Goals": "goals", "How it is made": "“How it is made”"} {
		w := newWriter(chattest.Scene("business", "x"), &chat.Plan{})
		if got := w.worded("part", with{"part": w.partName(name)}); !strings.Contains(got, want) || strings.Contains(got, ":") {
			t.Errorf("%q is announced as %q", name, got)
		}
	}
}
