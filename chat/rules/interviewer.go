package rules

import (
	"context"

	"quaestor/chat"
	"quaestor/chat/reading"
	"quaestor/internal/listening"
)

// Interviewer is the interviewer without a model. It may be used by any number of
// goroutines.
type Interviewer struct {
	listener *listening.Listener
}

var (
	_ chat.Interviewer = (*Interviewer)(nil)
	_ chat.Comparer    = (*Interviewer)(nil)
)

// New returns an interviewer that understands people by a listener.
func New(l *listening.Listener) *Interviewer { return &Interviewer{listener: l} }

// Name returns "rules".
func (*Interviewer) Name() string { return "rules" }

// Comparing implements [chat.Comparer] by the listener's text encoder.
func (i *Interviewer) Comparing(ctx context.Context) chat.Similarity {
	if !i.listener.Compares() {
		return nil
	}
	return func(a, b string) float64 { return i.listener.Similarity(ctx, a, b) }
}

// Understand reads what the person says in s: the filled-in widgets first, then
// the message. It takes time linear in the message and fails only when ctx is
// done.
func (i *Interviewer) Understand(ctx context.Context, s *chat.Scene) (chat.Understanding, error) {
	return reading.Understand(ctx, s, i.listener)
}

// Reply words the plan and passes it to say sentence by sentence. It stops when
// ctx is done or say fails, and returns that error.
func (*Interviewer) Reply(ctx context.Context, s *chat.Scene, p *chat.Plan, say func(text string) error) (chat.Usage, error) {
	w := newWriter(s, p)
	w.compose()
	for _, piece := range w.pieces {
		if err := ctx.Err(); err != nil {
			return chat.Usage{}, err
		}
		if err := say(piece); err != nil {
			return chat.Usage{}, err
		}
	}
	return chat.Usage{}, nil
}
