package rules

import (
	"slices"
	"strings"
	"testing"

	"quaestor/chat"
	"quaestor/chat/chattest"
	"quaestor/internal/language/messages"
	"quaestor/obligations"
)

// saysOneOf reports whether a reply has a wording of a message.
func saysOneOf(language, key, reply string) bool {
	return slices.ContainsFunc(messages.In(language).Wordings(key, nil, messages.Manner{}), func(c messages.Wording) bool { return c.SaidIn(reply) })
}

// met is what a message is met with: an apology, an explanation of the question, or that it has no answer.
func met(language, reply string) string {
	switch {
	case saysOneOf(language, "remark.complaint", reply):
		return "sorry"
	case saysOneOf(language, "help.date", reply):
		return "explained"
	case saysOneOf(language, "remark.question", reply):
		return "no answer"
	case saysOneOf(language, "aside.who", reply):
		return "who"
	}
	return ""
}

// A question that reproaches is met with an apology, one about the last question with an explanation of
// that, and only one that wants to know something of the world is left without an answer.
func TestQuestionsThatAskNothingOfTheWorld(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 0)

	for _, tt := range []struct{ language, said, want string }{
		{"en", "Do you want me to repeat all of it again?", "sorry"},
		{"en", "Who put this together, a trainee?", "sorry"},
		{"en", "Where did you get 12 from?", "sorry"},
		{"en", "When did I say clinics?", "sorry"},
		{"en", "What is that, a quiz?", "sorry"},
		{"en", "What kind of question is that?", "sorry"},
		{"de", "Wollen Sie das alles doppelt fragen?", "sorry"},
		{"de", "Wer hat sich das ausgedacht, der Praktikant?", "sorry"},
		{"de", "Wie kommen Sie auf 12?", "sorry"},
		{"de", "Seit wann sind wir denn 12?", "sorry"},
		{"de", "Wie oft muss ich das noch sagen?", "sorry"},
		{"de", "Was soll die Frage?", "sorry"},
		{"en", "Before what?", "explained"},
		{"en", "The start of what exactly?", "explained"},
		{"en", "If it goes where?", "explained"},
		{"en", "For whom, sorry?", "explained"},
		{"en", "A launch of which?", "explained"},
		{"en", "In how many?", "explained"},
		{"de", "Vor wem genau?", "explained"},
		{"de", "Der Beginn wovon?", "explained"},
		{"de", "Wenn wir was anfangen?", "explained"},
		{"de", "Ab welchem?", ""},
		{"de", "Das Vorhaben für wen, bitte?", "explained"},
		{"de", "Falls wer mitmacht?", "explained"},
		{"en", "What is the tallest building in Chicago?", "no answer"},
		{"en", "Who won the election in Peru?", "no answer"},
		{"en", "Do you know a good plumber?", "no answer"},
		{"de", "Wie hoch ist der Kölner Dom?", "no answer"},
		{"de", "Wer hat den Eiffelturm gebaut?", "no answer"},
		{"de", "Wer ist in Peru gewählt worden?", "no answer"},
		{"en", "Who are you, then?", "who"},
		{"de", "Mit wem spreche ich hier eigentlich?", "who"},
		{"de", "Sind Sie ein Roboter?", "who"},
	} {
		d, asked := garden(tt.language)
		s := chattest.SceneIn(d, asked, tt.said)
		s.Session.Language = tt.language
		chattest.Hold(s, map[string]string{"en": "team_size", "de": "leute"}[tt.language], "12", 3)
		u := understand(m, s)
		if got := reply(m, s, chat.Decide(s, u)); met(tt.language, got) != tt.want && tt.want != "" || len(u.Findings) > 0 {
			m.Errorf("%q (%s %s) is answered %q, want %q", tt.said, u.Intent, chattest.Brief(u.Findings), got, tt.want)
		}
	}
}

// Whoever reproaches the interviewer with what it noted hears what stands there.
func TestReproachIsToldWhatStandsThere(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct{ language, said string }{
		{"en", "Where did you get 12 from?"}, {"en", "Who wrote 12 people, a parrot?"}, {"en", "Did I say 12?"},
		{"de", "Wie kommen Sie auf 12?"}, {"de", "Wer hat da 12 hingeschrieben, mein Hund?"}, {"de", "Habe ich das mit den 12 so gesagt?"},
	} {
		d, asked := garden(tt.language)
		s := chattest.SceneIn(d, asked, tt.said)
		s.Session.Language = tt.language
		chattest.Hold(s, map[string]string{"en": "team_size", "de": "leute"}[tt.language], "12", 3)
		if got := reply(t, s, chat.Decide(s, understand(t, s))); !strings.Contains(got, ": 12") {
			t.Errorf("%q is answered %q, without what is noted", tt.said, got)
		}
	}
}

// Questions of the world are left without an answer in other words each time.
func TestNoAnswerIsSaidInOtherWords(t *testing.T) {
	t.Parallel()

	for language, asked := range map[string][]string{
		"en": {"What is the tallest building in Chicago?", "Who won the election in Peru?", "How deep is the Danube?", "When does the next ferry to Dover leave?", "Which team won the cup?", "Where can I buy good shoes?"},
		"de": {"Wie hoch ist der Kölner Dom?", "Wer hat den Eiffelturm gebaut?", "Wie tief ist die Donau?", "Welche Mannschaft hat den Pokal gewonnen?", "Wo kann man gute Schuhe kaufen?", "Wer ist in Peru gewählt worden?"},
	} {
		d, _ := garden(language)
		k := newTalk(t, *d)
		k.session.Language = language
		k.turn("")
		heard := map[string]bool{}
		for _, q := range asked {
			k.turn(q)
			said, _, _ := strings.Cut(k.last(), "   [")
			if heard[said] || !saysOneOf(language, "remark.question", said) {
				t.Errorf("%q is answered %q, want that there is no answer, and not as before", q, said)
			}
			heard[said] = true
		}
	}
}

// Whoever asks at the beginning what is to be known hears what the interview is about and how long it takes,
// and later what is still to come; what is asked about one thing is not that.
func TestWhatTheInterviewIsAbout(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 0)

	for language, said := range map[string][]string{
		"en": {"What do you need to know?", "So what is this all about?", "what would you like to hear from me?", "What are you going to ask me?", "What's this about?", "Which topics are there?"},
		"de": {"Was wollen Sie denn von mir wissen?", "Worum geht es hier?", "Was fragen Sie mich alles?", "Um was geht's denn überhaupt?", "Was brauchen Sie von mir?", "Welche Themen kommen denn?"},
	} {
		d := chattest.Shipped(t, "project_discovery").In(language)
		for _, in := range said {
			k := newTalk(m, *d)
			k.session.Language = language
			k.turn("")
			k.turn(in)
			if got := k.last(); !saysWithin(got, d.Obligations, "inute") {
				m.Errorf("%q is answered\n%s\nwant what it is about and how long", in, got)
			}
		}
	}
	for _, in := range []string{"What do you need to know about the budget for?", "What do you want with our phone number?", "why do you need to know?", "We want to know what do customers need", "Worum geht es bei der Frage nach dem Budget?", "Um was geht es in dem Vertrag?"} {
		if u := understand(m, chattest.Scene("business", in)); slices.ContainsFunc(u.Beside, func(r chat.Remark) bool { return r.About == "overview" }) {
			m.Errorf("%q is taken for a question what the interview is about", in)
		}
	}
}

// saysWithin reports whether a reply names at least two parts of an interview, and has a word.
func saysWithin(reply string, list []obligations.Template, word string) bool {
	parts := map[string]bool{}
	for _, t := range list {
		if strings.Contains(strings.ToLower(reply), strings.ToLower(t.Category)) {
			parts[t.Category] = true
		}
	}
	return len(parts) > 1 && strings.Contains(reply, word)
}

// Whoever asks what a question means, or complains, is asked in other words.
func TestQuestionIsPutInOtherWords(t *testing.T) {
	t.Parallel()

	for language, said := range map[string][]string{
		"en": {"Our what?", "What do you mean by that?", "Did you not just ask me that again?"},
		"de": {"Unser was?", "Was meinen Sie damit?", "Wollen Sie das jetzt zweimal fragen?"},
	} {
		d := chattest.Shipped(t, "business_profile").In(language)
		for _, in := range said {
			k := newTalk(t, *d)
			k.session.Language = language
			before := k.turn("").Question.Prompt
			if q := k.turn(in).Question; q.Key != "business_overview" || q.Prompt == before || q.Attempt != 1 {
				t.Errorf("%q is followed by %q, want other words:\n%s", in, q.Prompt, k.last())
			}
		}
		k := newTalk(t, *d)
		k.session.Language = language
		before := k.turn("").Question.Prompt
		if q := k.turn("Who are you? / Wer sind Sie?").Question; q.Prompt != before {
			t.Errorf("who asks who asks is asked %q, want the same words", q.Prompt)
		}
	}
}
