package chat

import (
	"time"

	"quaestor/internal/llm"
	"quaestor/sessions"
)

// Recorded returns m with a log that its calls in turns are handed to. Nil keeps
// none.
func (m *Model) Recorded(l *CallLog) *Model { return &Model{client: m.client, calls: l} }

// The calls of a turn, by number: each is made once at most in an attempt.
const (
	understandCall = 1
	replyCall      = 2
)

// keep hands a call over that began then. One that belongs to no turn, such as a
// rehearsal's, is not kept.
func (m *Model) keep(s *Scene, n int, began time.Time, asked llm.Request, answer llm.Reply, err error) {
	if m.calls == nil || s.Attempt == 0 {
		return
	}
	c := sessions.ModelCall{Scope: s.Scope, Turn: s.Turn, Attempt: s.Attempt, N: n, Purpose: asked.Purpose, Model: m.client.Model(), Response: answer.Text,
		PromptTokens: answer.Usage.PromptTokens, CompletionTokens: answer.Usage.CompletionTokens, Tries: answer.Attempts, Failure: failureOf(err),
		At: began, Began: began.Sub(s.Now), Total: time.Since(began)}
	if n == replyCall { // the other comes as a whole
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
