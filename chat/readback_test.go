package chat_test

import (
	"strings"
	"testing"

	"quaestor/internal/llm/llmtest"
	"quaestor/obligations"
	"quaestor/sessions"
)

// asksForAPerson is an objective whose answers are easily heard wrongly.
const asksForAPerson = `{"contextType": "person", "version": "1.0.0", "displayName": "Person", "obligations": [
	{"key": "contact", "fieldPath": "contact", "label": "Contact name", "prompt": "What is the name of your contact?", "widgetType": "text", "valueType": "person", "priority": 10},
	{"key": "people", "fieldPath": "people", "label": "People", "prompt": "How many people work there?", "widgetType": "number", "integer": true, "min": 1, "max": 500, "priority": 8, "dependencies": ["contact"]},
	{"key": "story", "fieldPath": "story", "label": "Story", "prompt": "How did it begin?", "widgetType": "text", "priority": 5, "dependencies": ["people"]}]}`

// spokenHarness holds a conversation aloud.
type spokenHarness struct{ *harness }

func (d spokenHarness) says(text string) sessions.Message {
	d.t.Helper()
	in := d.input(text)
	in.Voice = true
	d.take(in)
	return d.reply()
}

func (d spokenHarness) value(key string) string {
	return string(obligations.Find(d.list(), key).Value)
}

func TestWhatIsHeardIsReadBackAndCorrectedByParts(t *testing.T) {
	t.Parallel()

	d := spokenHarness{newHarness(t, setup{objective: asksForAPerson})}
	d.says("")
	for _, turn := range []struct {
		says, reply string // part of the reply
		key, value  string
		attempts    int // at the obligation of key
	}{
		{"Peter Schmitt", "Peter Schmitt, spelled P, E, T, E, R; S, C, H, M, I, T, T. Is that right?", "contact", `"Peter Schmitt"`, 1},
		{"no schmitt with d t", "Peter Schmidt, spelled P, E, T, E, R; S, C, H, M, I, D, T. Is that right?", "contact", `"Peter Schmidt"`, 1},
		{"yes", "How many people work there?", "contact", `"Peter Schmidt"`, 1},
		{"fifty", "50, that is 5 0. Is that right?", "people", "50", 1},
		{"no, fifteen, not fifty", "15, that is 1 5. Is that right?", "people", "15", 1},
		{"yes that is right", "How did it begin?", "people", "15", 1},
	} {
		got := d.says(turn.says)
		if !strings.Contains(got.Content, turn.reply) {
			t.Fatalf("%q is answered by %q, want %q", turn.says, got.Content, turn.reply)
		}
		o := obligations.Find(d.list(), turn.key)
		if string(o.Value) != turn.value || o.Attempts != turn.attempts || o.Status != obligations.Satisfied {
			t.Errorf("after %q %s is %s, %s after %d attempts; want %s after %d", turn.says, turn.key, o.Value, o.Status, o.Attempts, turn.value, turn.attempts)
		}
	}
	d.checkReplay()
	if e := obligations.Find(d.list(), "contact").Evidence; len(e) == 0 || e[0].Quote != "no schmitt with d t" {
		t.Errorf("the name rests on %+v, want the correction", e)
	}
}

// A figure that nothing sounds like is named and not asked about, and can be corrected all the
// same.
func TestFiguresThatNothingSoundsLikeAreNamed(t *testing.T) {
	t.Parallel()

	d := spokenHarness{newHarness(t, setup{objective: asksForAPerson})}
	d.says("")
	d.says("Peter Schmidt")
	d.says("yes")
	if got := d.says("twelve"); !strings.Contains(got.Content, "12") || !strings.Contains(got.Content, "How did it begin?") {
		t.Errorf("twelve is answered by %q", got.Content)
	}
	d.says("no, twenty, not twelve")
	if got := d.value("people"); got != "20" {
		t.Errorf("after the correction there are %s people", got)
	}
}

// Whoever breaks into a question was not asked it, and what they answer is read back all the same.
func TestAnswerBeforeTheEndOfTheQuestionIsReadBack(t *testing.T) {
	t.Parallel()

	d := spokenHarness{newHarness(t, setup{objective: asksForAPerson})}
	d.says("")
	whole := d.reply()
	d.broken(whole.Turn, whole.Content[:5])
	if q := d.session().Question; q != nil {
		t.Fatalf("it asks %+v, want nothing", q)
	}
	if got := d.says("The contact name is Peter Schmitt"); !strings.Contains(got.Content, "S, C, H, M, I, T, T") {
		t.Errorf("the name is answered by %q", got.Content)
	}
}

func TestReadingBackEnds(t *testing.T) {
	t.Parallel()

	d := spokenHarness{newHarness(t, setup{objective: asksForAPerson})}
	d.says("")
	d.says("Peter Schmitt")
	d.says("no, with d t")
	d.says("no, Peter with a y")
	if got := d.says("no, Peter with an x"); strings.Contains(got.Content, "spelled") {
		t.Errorf("it reads back a fourth time: %q", got.Content)
	}
}

func TestReadBackIsRepeatedAndTypedAnswersAreNot(t *testing.T) {
	t.Parallel()

	d := spokenHarness{newHarness(t, setup{objective: asksForAPerson})}
	d.says("")
	first := d.says("Peter Schmitt")
	if again := d.says("Could you repeat that?"); !strings.Contains(again.Content, "S, C, H, M, I, T, T") {
		t.Errorf("after %q it repeats %q", first.Content, again.Content)
	}
	if q := d.session().Question; q == nil || !q.ReadBack || q.Purpose != sessions.ToConfirm {
		t.Errorf("the question is %+v", q)
	}

	typed := newHarness(t, setup{objective: asksForAPerson})
	typed.take(typed.input(""))
	typed.take(typed.input("Peter Schmitt"))
	if q := typed.session().Question; q == nil || q.Key != "people" {
		t.Errorf("after a typed name it asks %+v", q)
	}
}

func TestNoToWhatIsReadBackAsksAgain(t *testing.T) {
	t.Parallel()

	d := spokenHarness{newHarness(t, setup{objective: asksForAPerson})}
	d.says("")
	d.says("Peter Schmitt")
	d.says("no that is wrong")
	if q := d.session().Question; q == nil || q.Key != "contact" || q.ReadBack {
		t.Fatalf("it asks %+v, want for the name again", q)
	}
	if got := d.says("Anna Meyer"); !strings.Contains(got.Content, "M, E, Y, E, R") {
		t.Errorf("the other name is answered by %q", got.Content)
	}
}

// With a model, too, what is heard is read back in the server's words: a model would not spell
// it. A correction by parts counts, whatever the model reads.
func TestModelsAcknowledgeAndTheServerReadsBack(t *testing.T) {
	t.Parallel()

	for name, atOnce := range map[string]bool{"the reading first": false, "at once": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			model := llmtest.New(t)
			told := func(value, quote string) llmtest.Reply {
				return llmtest.Reply{JSON: reading("answer", map[string]any{"key": "contact", "value": value, "quote": quote})}
			}
			model.OnUnderstand(told("Peter Schmitt", "Peter Schmitt"), told("Schmitt", "schmitt"))
			model.OnReply(llmtest.Reply{Text: "Hello. What is the name of your contact?"}, llmtest.Reply{Text: "Thank you. How many people work there?"}, llmtest.Reply{Text: "Of course."})
			d := spokenHarness{newHarness(t, setup{model: model, objective: asksForAPerson, atOnce: atOnce})}
			d.says("")
			if got := d.says("Peter Schmitt"); !strings.Contains(got.Content, "Peter Schmitt, spelled P, E, T, E, R; S, C, H, M, I, T, T. Is that right?") || strings.Contains(got.Content, "How many") {
				t.Errorf("the name is answered by %q", got.Content)
			}
			if got := d.says("no schmitt with d t"); !strings.Contains(got.Content, "S, C, H, M, I, D, T") || d.value("contact") != `"Peter Schmidt"` {
				t.Errorf("the correction is answered by %q, and %s is held", got.Content, d.value("contact"))
			}
		})
	}
}
