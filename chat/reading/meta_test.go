package reading

import (
	"testing"

	"quaestor/chat"
	"quaestor/chat/chattest"
	"quaestor/obligations"
)

// What is said about the conversation, or announced for later, is no answer.
func TestTalkAboutTheTalkIsNoAnswer(t *testing.T) {
	t.Parallel()

	for _, message := range []string{"that's a stupid question", "This is useless", "I already told you that", "delete everything", "wait", "hold on a second",
		"My answer is the same as before", "ask me something else", "you are not listening",
		"one more thing we must not forget: the parking in front of the shop must be free on Sundays"} {
		t.Run(message, func(t *testing.T) {
			t.Parallel()

			for _, f := range understand(t, chattest.Scene("business", message)).Findings {
				if f.Act == obligations.Tell || f.Act == obligations.Correct || f.Act == obligations.Skip {
					t.Errorf("%q is taken: %s %s %s", message, f.Act, f.Key, f.Value)
				}
			}
		})
	}
}

// Who begins by telling answers what the conversation would have opened with.
func TestFirstMessageAnswersTheOpening(t *testing.T) {
	t.Parallel()

	s := chattest.Scene("", "We run a bakery in a small town, with 12 staff")
	s.Turn = 1

	told := map[string]string{}
	for _, f := range understand(t, s).Findings {
		told[f.Key] = string(f.Value)
	}

	if told["business"] != `"We run a bakery in a small town"` || told["team_size"] != "12" {
		t.Errorf("told %v, want the business and the team's size", told)
	}
	s = chattest.Scene("", "Hello there!")
	s.Turn = 1
	if u := understand(t, s); len(u.Findings) > 0 {
		t.Errorf("a greeting tells %+v", u.Findings)
	}
}

// Complaints, cries, promises for later and a few words of other languages were kept as
// answers: a target market of "Das verstehe ich nicht".
func TestWhatPeopleSayBesideIsUnderstood(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 20)

	for _, test := range []struct {
		want chat.Intent
		in   []string
	}{
		{chat.OffTopic, []string{"you already asked me that", "You asked that already", "you asked me this before", "I already answered that", "I already told you", "you keep asking me the same thing", "this is boring", "this is taking forever", "I don't like this question", "I hate these questions", "bloody hell", "damn it", "this is so annoying", "hold on, my phone is ringing"}},
		{chat.Later, []string{"I'll send you the details tomorrow", "I will email you the numbers later", "I'd have to look up the exact figures later", "We can send the list next week"}},
		{chat.AskRepeat, []string{"where were we?", "back. where were we?", "ok, what were you asking?", "what was it again?"}},
		{chat.SmallTalk, []string{"I'm back", "ok I am back", "can we do this in Spanish?", "Do you speak German?", "Posso responder em português?", "Puedo contestar en español?", "Kann ich auf Deutsch antworten?"}},
		{chat.AskHelp, []string{"No entiendo", "Das verstehe ich nicht", "je ne comprends pas", "não entendi", "ich verstehe das nicht", "non capisco"}},
		{chat.DontKnow, []string{"no lo sé", "je ne sais pas", "keine Ahnung", "não sei", "Das weiß ich nicht", "non lo so", "geen idee"}},
	} {
		for _, in := range test.in {
			for _, key := range []string{"business", "channels"} {
				u := understand(m, chattest.Scene(key, in))
				if u.Intent != test.want {
					m.Errorf("asked %s, Understand(%q).Intent = %s, want %s (finds %s)", key, in, u.Intent, test.want, chattest.Brief(u.Findings))
				}
			}
		}
	}
	for _, in := range []string{"Long waits are boring", "We answer the phone for doctors", "They already told us they would pay", "We send the documents to the tax office later", "We speak German with customers from Bern", "This is a boring product that everybody needs", "They hate these questions in forms", "back pain treatment"} {
		if u := understand(m, chattest.Scene("business", in)); u.Intent != chat.Answer || len(u.Findings) != 1 {
			m.Errorf("Understand(%q) = %s, %s; want an answer", in, u.Intent, chattest.Brief(u.Findings))
		}
	}
}
