// Package model is the interviewer with a language model. It implements
// [chat.Interviewer] beside chat/rules, and [chat.Summarizer].
//
//	Understand  prompt (understand.tmpl, data.tmpl) → JSON → interpreter → chat.Understanding
//	Reply       prompt (reply.tmpl, data.tmpl) → stream → replyFilter → the person
//	Converse    prompt (converse.tmpl, data.tmpl) → stream → replyFilter → the person, then JSON → interpreter
//	Summarize   prompt (summary.tmpl) → JSON → text
//
// The model reads and words; it decides nothing. What its reading may change is
// bounded here: only obligations it was shown, only values of the right shape, only
// evidence that can come from a conversation. Whether its quotes are in the transcript
// is checked by [chat.Screen], as for every interviewer. Prompts name people by
// letters and contain no ids.
//
// The package also keeps the calls of the model for reviewers ([CallLog]) and prunes
// them after a while ([Pruning]).
package model

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"quaestor/chat"
	"quaestor/internal/llm"
	"quaestor/sessions"
)

// Model interviews with a language model. It is safe for concurrent use.
type Model struct {
	client   *llm.Client
	calls    *CallLog    // nil keeps none
	thinking atomic.Bool // replies start with reasoning that has no opening tag, as with some servers
}

var _ chat.Converser = (*Model)(nil)

// New returns an interviewer that uses c and hands the calls of turns to l, which
// may be nil.
func New(c *llm.Client, l *CallLog) *Model { return &Model{client: c, calls: l} }

// Name returns "model " and the model's name.
func (m *Model) Name() string { return nameOf(m.client.Model()) }

func nameOf(model string) string { return "model " + model }

// Bounds of what the model may write, in tokens. Answers and replies take a few hundred;
// models that reason first spend most of it on that.
const (
	understandTokens = 6000
	replyTokens      = 2500
)

// Understand asks the model what the message means and keeps what it may decide. An
// error wraps an [*llm.Error]; the usage is set then too.
func (m *Model) Understand(ctx context.Context, s *chat.Scene) (chat.Understanding, error) {
	listed := mostRelevant(s)
	temperature := 0.0
	request := llm.Request{Purpose: "understand", Messages: understandMessages(s, listed), MaxTokens: understandTokens, Temperature: &temperature}
	var read modelAnswer
	start := time.Now()
	answer, err := m.client.JSON(ctx, request, understandSchema, &read)
	m.logCall(s, understandCall, start, request, answer, err)
	if err != nil {
		return chat.Understanding{Usage: usageOf(answer)}, fmt.Errorf("understand turn %d: %w", s.Turn, err)
	}
	u := interpret(s, listed, read)
	u.Usage = usageOf(answer)
	return u, nil
}

// Reply has the model word the plan and passes the words on as they arrive, without
// its reasoning. An error means that the reply is not whole: it wraps an
// [*llm.Error] or the error of say, or states what is wrong with the text.
func (m *Model) Reply(ctx context.Context, s *chat.Scene, p *chat.Plan, say func(text string) error) (chat.Usage, error) {
	request := llm.Request{Purpose: "reply", Messages: replyMessages(s, p), MaxTokens: replyTokens}
	answer, err := m.stream(ctx, s, request, say)
	if err != nil {
		err = fmt.Errorf("reply to turn %d: %w", s.Turn, err)
	}
	return m.usageBy(answer), err
}

// Converse has the model acknowledge the message and passes the words on as they arrive,
// then reads what it says of the message's meaning.
func (m *Model) Converse(ctx context.Context, s *chat.Scene, p *chat.Plan, say func(text string) error) (chat.Understanding, error) {
	listed := mostRelevant(s)
	request := llm.Request{Purpose: "converse", Messages: converseMessages(s, p, listed), MaxTokens: understandTokens}
	split := splitter{say: say}
	answer, err := m.stream(ctx, s, request, split.add)
	if err == nil {
		err = split.end()
	}
	if err != nil {
		return chat.Understanding{Usage: usageOf(answer)}, fmt.Errorf("converse in turn %d: %w", s.Turn, err)
	}
	var read modelAnswer
	if err := understandSchema.Read(split.reading.String(), &read); err != nil {
		return chat.Understanding{Usage: m.usageBy(answer)}, fmt.Errorf("converse in turn %d: %w: %w", s.Turn, chat.ErrUnread, err)
	}
	u := interpret(s, listed, read)
	u.Usage = m.usageBy(answer)
	return u, nil
}

// stream makes a call whose words are passed on as they arrive, without the model's
// reasoning.
func (m *Model) stream(ctx context.Context, s *chat.Scene, request llm.Request, say func(text string) error) (llm.Reply, error) {
	filter := replyFilter{say: say, thinking: m.thinking.Load()}
	start := time.Now()
	answer, err := m.client.Stream(ctx, request, filter.add)
	if err == nil {
		err = filter.end(answer.FinishReason)
	}
	if filter.fault != nil {
		err = filter.fault
	}
	if !errors.Is(context.Cause(ctx), chat.ErrOvertaken) { // nobody saw anything of that call, and the reply has another
		m.logCall(s, replyCall, start, request, answer, err)
	}
	switch { // the reply that shows how the server marks reasoning is lost; the next is read correctly
	case errors.Is(err, errThoughts):
		m.thinking.Store(true)
	case errors.Is(err, errCut):
		m.thinking.Store(false)
	}
	return answer, err
}

// usageOf returns what a reply of the client used, its retries included.
func usageOf(r llm.Reply) chat.Usage {
	return chat.Usage{Calls: r.Attempts, PromptTokens: r.Usage.PromptTokens, CompletionTokens: r.Usage.CompletionTokens}
}

// usageBy returns what a reply of words used, and who gave it where that was another model
// than the first.
func (m *Model) usageBy(r llm.Reply) chat.Usage {
	u := usageOf(r)
	if r.Model != "" && r.Model != m.client.Model() {
		u.By = nameOf(r.Model)
	}
	return u
}

// The calls of a turn, by number. An attempt makes each at most once.
const (
	understandCall = 1
	replyCall      = 2
)

// logCall hands a finished call to the log. Calls outside of turns, such as those of a
// rehearsal, are not kept.
func (m *Model) logCall(s *chat.Scene, n int, start time.Time, asked llm.Request, answer llm.Reply, err error) {
	if m.calls == nil || s.Attempt == 0 {
		return
	}
	c := sessions.ModelCall{Scope: s.Scope, Turn: s.Turn, Attempt: s.Attempt, N: n, Purpose: asked.Purpose, Model: cmp.Or(answer.Model, m.client.Model()), Response: answer.Text,
		PromptTokens: answer.Usage.PromptTokens, CompletionTokens: answer.Usage.CompletionTokens, Tries: answer.Attempts,
		At: start, Began: start.Sub(s.Now), Total: time.Since(start)}
	switch {
	case errors.Is(err, context.Canceled):
		c.Failure = "canceled"
	case err != nil:
		c.Failure = chat.FailureClass(err)
	}
	if n == replyCall { // only replies are streamed
		c.FirstToken = answer.FirstToken
	}
	for i, msg := range asked.Messages {
		if i == 0 && msg.Role == "system" {
			c.Rules = msg.Content
			continue
		}
		c.Prompt = append(c.Prompt, sessions.CallMessage{Role: msg.Role, Content: msg.Content})
	}
	m.calls.Keep(c)
}
