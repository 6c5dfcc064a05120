package chat

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"quaestor/internal/llm"
)

// Model is the interviewer with a language model. It is safe for concurrent use.
// The model reads and words; what its reading may change is bounded here: only
// obligations it was shown, only values of the right shape, only evidence that
// can come of talking.
type Model struct {
	client *llm.Client
	calls  *CallLog    // nil keeps none
	rules  wordings    // of replies
	aloud  atomic.Bool // replies begin with thoughts that only a closing mark ends, as some servers' do
}

var _ Interviewer = (*Model)(nil)

// NewModel returns an interviewer that asks c.
func NewModel(c *llm.Client) *Model { return &Model{client: c} }

// Name returns "model " and the model's name.
func (m *Model) Name() string { return "model " + m.client.Model() }

// Bounds of what the model may write, in tokens. Models that think first spend
// most of it on that.
const (
	understandTokens = 6000
	replyTokens      = 2500
)

// Understand asks the model what the message says and takes from its answer what
// it may decide. An error wraps an [*llm.Error]; the usage is filled then too.
func (m *Model) Understand(ctx context.Context, s *Scene) (Understanding, error) {
	listed := narrow(s)
	steady := 0.0
	request := llm.Request{Purpose: "understand", Messages: understandMessages(s, listed), MaxTokens: understandTokens, Temperature: &steady}
	var h modelAnswer
	began := time.Now()
	answer, err := m.client.JSON(ctx, request, understandSchema, &h)
	m.keep(s, understandCall, began, request, answer, err)
	if err != nil {
		return Understanding{Usage: usageOf(answer)}, fmt.Errorf("understand turn %d: %w", s.Turn, err)
	}
	u := interpret(s, listed, h)
	u.Usage = usageOf(answer)
	return u, nil
}

// Reply has the model word the plan and passes its words on as they come. What it
// thinks before or between them is left out. An error means that the reply is not
// whole: it wraps an [*llm.Error], say's error, or tells what is wrong with the
// text.
func (m *Model) Reply(ctx context.Context, s *Scene, p *Plan, say func(text string) error) (Usage, error) {
	request := llm.Request{Purpose: "reply", Messages: replyMessages(&m.rules, s, p), MaxTokens: replyTokens}
	voice := voice{say: say, thinking: m.aloud.Load()}
	began := time.Now()
	answer, err := m.client.Stream(ctx, request, voice.pass)
	if err == nil {
		err = voice.end(answer.FinishReason)
	}
	if voice.fault != nil {
		err = voice.fault
	}
	m.keep(s, replyCall, began, request, answer, err)
	m.learn(err)
	if err != nil {
		err = fmt.Errorf("reply to turn %d: %w", s.Turn, err)
	}
	return usageOf(answer), err
}

// learn notes whether thoughts begin before the reply does. The reply that shows
// it is lost; the next one is read rightly.
func (m *Model) learn(err error) {
	switch {
	case errors.Is(err, errThoughts):
		m.aloud.Store(true)
	case errors.Is(err, errCut):
		m.aloud.Store(false)
	}
}

func usageOf(r llm.Reply) Usage {
	return Usage{Calls: r.Attempts, PromptTokens: r.Usage.PromptTokens, CompletionTokens: r.Usage.CompletionTokens}
}
