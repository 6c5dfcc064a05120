package reading

import (
	"testing"

	"quaestor/chat"
	"quaestor/chat/chattest"
	"quaestor/internal/listening"
)

// Two values that were taken for each other are exchanged, whether they are named or were
// just told.
func TestValuesMixedUpAreExchanged(t *testing.T) {
	t.Parallel()

	for _, message := range []string{"Sorry, I swapped those two.", "No wait, I got the budget and the team size mixed up, they are the other way round"} {
		s := chattest.Scene("business", message)
		chattest.Hold(s, "team_size", "40", 3)
		chattest.Hold(s, "budget", "12", 4)
		u := understand(t, s)
		if got := chattest.Brief(u.Findings); u.Intent != chat.Correction || got != "team_size=12!; budget=40!" && got != "budget=40!; team_size=12!" {
			t.Errorf("%q finds %q, %s, want the two exchanged", message, got, u.Intent)
		}
	}
}

// What was mixed up elsewhere changes nothing here.
func TestWhatIsMixedUpElsewhereChangesNothing(t *testing.T) {
	t.Parallel()

	for _, message := range []string{"The post gets mixed up every week", "They do it the other way round", "A swap in two minutes"} {
		s := chattest.Scene("business", message)
		chattest.Hold(s, "team_size", "40", 3)
		chattest.Hold(s, "budget", "12", 4)
		for _, f := range understand(t, s).Findings {
			if f.Key == "team_size" || f.Key == "budget" {
				t.Errorf("%q changes %s", message, f.Key)
			}
		}
	}
}

// To whom any answer suits has said so for good.
func TestNoPreferenceIsAStateOfItsOwn(t *testing.T) {
	t.Parallel()

	for _, key := range []string{"company_size", "launch"} {
		u := understand(t, chattest.Scene(key, "Honestly, any of them is fine by me."))
		if got := chattest.Brief(u.Findings); got != key+" skip:no_preference" {
			t.Errorf("asked for %s: %q, want no preference", key, got)
		}
	}
}

// Questions about the interview have answers of their own, in both languages.
func TestQuestionsAboutTheTalkAreToldApart(t *testing.T) {
	t.Parallel()

	listener := listening.New(nil)
	for question, want := range map[string]string{
		"Who gets to read what I say here?": "reader", "Wer liest das eigentlich alles?": "reader", "Are you a robot or a person?": "who",
		"Sind Sie ein Mensch?": "who", "Can I talk to a real person instead?": "human", "Was passiert danach mit meinen Antworten?": "result",
	} {
		if got := (&heard{kindOfQuestion: func(q string) (listening.QuestionKind, float64) { return listener.KindOfQuestion(t.Context(), q) }}).questionAbout(question); got != want {
			t.Errorf("%q is about %q, want %q", question, got, want)
		}
	}
}
