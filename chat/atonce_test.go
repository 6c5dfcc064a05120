package chat_test

import (
	"strings"
	"testing"
	"time"

	"quaestor/internal/llm/llmtest"
	"quaestor/obligations"
	"quaestor/sessions"
)

// bread is the reading of "We sell bread".
func bread() map[string]any {
	return reading("answer", map[string]any{"key": "business", "value": "bread", "quote": "We sell bread"})
}

// The reply begins while the message is read; its question goes out when the plan is
// decided, and is the plan's.
func TestReplyBeginsAtOnce(t *testing.T) {
	t.Parallel()

	const slow = 400 * time.Millisecond
	for _, tt := range []struct {
		name, message, reply string
		read                 map[string]any
		want                 string // the reply
		key                  string // that is asked
	}{
		{"likely plan holds", "It opened in 2019", "That is a good while. How many people work there?",
			reading("answer", map[string]any{"key": "founded", "value": "2019", "quote": "in 2019"}), "That is a good while. How many people work there?", "team_size"},
		{"something else is asked", "It opened in 2019", "That is a good while. Where do people buy?",
			reading("answer", map[string]any{"key": "founded", "value": "2019", "quote": "in 2019"}), "That is a good while.\n\nHow many people work there?", "team_size"},
		{"nothing is asked", "It opened in 2019", "That is a good while.",
			reading("answer", map[string]any{"key": "founded", "value": "2019", "quote": "in 2019"}), "That is a good while.\n\nHow many people work there?", "team_size"},
		{"the message says something else", "It opened in 2019", "That is a good while. How many people work there?",
			reading("answer", map[string]any{"key": "team_size", "value": 4, "quote": "2019"}), "That is a good while.\n\nWhen did it open?", "founded"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			model := llmtest.New(t)
			model.OnUnderstand(llmtest.Reply{JSON: bread()}, llmtest.Reply{JSON: tt.read, FirstDelay: slow})
			model.OnReply(llmtest.Reply{Text: "Bread, then."}, llmtest.Reply{Text: tt.reply})
			d := newHarness(t, setup{model: model, atOnce: true, objective: strings.ReplaceAll(small, `"widgetType":"choice"`, `"widgetType":"text"`)})
			d.oneByOne(t)

			events := d.take(d.input(tt.message))

			m, q := payload[sessions.MessageEvent](t, events, sessions.KindMessage), payload[sessions.QuestionEvent](t, events, sessions.KindQuestion)
			if m.Content != tt.want || q.Key != tt.key || m.Degraded != "" {
				t.Errorf("the reply is %q and asks for %s (degraded %q), want %q, %s", m.Content, q.Key, m.Degraded, tt.want, tt.key)
			}
			for _, e := range events {
				if e.Kind == sessions.KindDelta {
					t.Error("a piece was left in the log")
				}
			}
			if r := d.lastReport(); r.FirstPiece == 0 || r.FirstPiece >= slow {
				t.Errorf("the first words came after %v; the reading took %v", r.FirstPiece, slow)
			}
		})
	}
}

// oneByOne brings the session to the question when the shop opened, asked alone.
func (d *harness) oneByOne(t *testing.T) {
	t.Helper()
	d.take(d.input("We sell bread"))
	if o := obligations.Find(d.list(), "business"); o.Value == nil {
		t.Fatal("the business is not noted")
	}
}

// lastReport returns the report of the turn that ended last.
func (d *harness) lastReport() (last struct{ FirstPiece time.Duration }) {
	d.t.Helper()
	for turns := len(d.transcript()) / 2; turns > 0; turns-- {
		select {
		case r := <-d.reports:
			last.FirstPiece = r.FirstPiece
		case <-time.After(patience):
			d.t.Fatal("a turn was never reported")
		}
	}
	return last
}
