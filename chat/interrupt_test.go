package chat_test

import (
	"strings"
	"testing"

	"quaestor/chat"
	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/sessions"
)

// broken interrupts the reply of a turn after the part of it that is given.
func (d *harness) broken(turn int, heard string) {
	d.t.Helper()
	if err := d.engine.Interrupt(d.t.Context(), d.scope, chat.Interruption{Turn: turn, Heard: len(heard), By: "someone"}); err != nil {
		d.t.Fatal(err)
	}
}

// reply returns the last message of the interviewer.
func (d *harness) reply() sessions.Message {
	d.t.Helper()
	list := d.transcript()
	return list[len(list)-1]
}

func TestQuestionThatWasNotHeardCountsAsNotAsked(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	aloud := func(message string) chat.Input {
		in := d.input(message)
		in.Voice = true
		return in
	}
	d.take(aloud(""))
	d.take(aloud("We sell bread"))
	whole, asked := d.reply(), d.session().Question
	heard, _, _ := strings.Cut(whole.Content, " ")

	d.broken(whole.Turn, heard)
	d.broken(whole.Turn, whole.Content[:len(whole.Content)-3]) // the first interruption stays

	got := d.reply()
	if got.Content != heard || !got.Interrupted {
		t.Errorf("the reply is %q (interrupted %t), want %q", got.Content, got.Interrupted, heard)
	}
	o := obligations.Find(d.list(), asked.Key)
	if q := d.session().Question; q != nil || o.Attempts != 0 || o.Status != obligations.Pending {
		t.Errorf("the question is %+v after %d attempts at a %s obligation, want none of it asked", q, o.Attempts, o.Status)
	}
	d.checkReplay()
	log := d.wholeLog()
	told := payload[sessions.InterruptionEvent](t, log, sessions.KindInterruption)
	if told.Content != heard || !told.Unasked || told.Turn != whole.Turn {
		t.Errorf("the log tells %+v", told)
	}
	d.take(aloud("Wait a moment"))
	if again := d.session().Question; again == nil || again.Key != asked.Key || again.Attempt != 1 {
		t.Errorf("it asks %+v next, want %s for the first time", again, asked.Key)
	}
}

// Words that answer nothing are no failure to understand when the question was not heard.
func TestWhoBreaksInIsAskedTheQuestionThatWasNotHeard(t *testing.T) {
	t.Parallel()

	d := spokenHarness{newHarness(t, setup{})}
	d.says("")
	whole := d.reply()
	d.broken(whole.Turn, "")
	got := d.says("we bake bread for the cafes in our town").Content
	if !strings.Contains(got, "question") || strings.Contains(got, "orry") {
		t.Errorf("who broke in is told %q", got)
	}
}

func TestQuestionThatWasHalfHeardMayBeAnswered(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	d.take(d.input(""))
	whole, asked := d.reply(), d.session().Question
	heard := strings.TrimRight(whole.Content, "?")[:len(whole.Content)-3]

	d.broken(whole.Turn, heard)

	if q := d.session().Question; q == nil || q.Key != asked.Key {
		t.Errorf("the question is %+v, want %s", q, asked.Key)
	}
	if got := d.reply(); got.Content != heard || !got.Interrupted {
		t.Errorf("the reply is %q, want %q", got.Content, heard)
	}
}

func TestInterruptionsThatChangeNothing(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	d.take(d.input(""))
	first := d.reply()
	d.broken(first.Turn, first.Content)
	if got := d.reply(); got.Interrupted || got.Content != first.Content {
		t.Errorf("a reply that was heard to its end is %+v", got)
	}
	d.take(d.input("We sell bread"))

	d.broken(first.Turn, "") // it was answered since

	if list := d.transcript(); list[0].Interrupted || list[0].Content != first.Content {
		t.Errorf("an earlier reply is %+v", list[0])
	}
	err := d.engine.Interrupt(t.Context(), d.scope, chat.Interruption{Turn: 9, By: "someone"})
	if !fault.Is(err, fault.NotFound) {
		t.Errorf("an interruption of no reply: %v", err)
	}
}
