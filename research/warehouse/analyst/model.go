package analyst

import (
	"context"
	"fmt"

	"quaestor/internal/fault"
	"quaestor/internal/llm"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/tokens"
)

// Bounds of a call, in tokens. A prompt of MaxPrompt holds a run of a hundred steps, as limits.go
// divides it.
const (
	MaxPrompt     = 24_000 // of a prompt, however large the model's window is
	MaxReply      = 4_096  // of a reply
	DefaultWindow = 32_000
	minPrompt     = 4_000 // below which a run cannot be described
	MinWindow     = minPrompt + MaxReply
)

// Model is an analyst that asks a model. It is safe for concurrent use by many runs.
type Model struct {
	Client *llm.Client
	// Window is how many tokens the model takes, prompt and reply together. Zero means
	// DefaultWindow. A prompt uses at most MaxPrompt of them.
	Window int

	pages pages // of the steps seen so far
}

// Name implements [warehouse.Analyst].
func (m *Model) Name() string { return "model " + m.Client.Model() }

// Next asks the model. If the call fails, the error is an [*llm.Error] with a class. If the
// window is too small for the run's system prompt, nothing is sent and the error is a fault.
func (m *Model) Next(ctx context.Context, s warehouse.Situation) (warehouse.Reply, error) {
	if err := fits(&s.Instructions, m.limit()); err != nil {
		return warehouse.Reply{}, err
	}
	told, size := m.Messages(s)
	steady := 0.0
	request := llm.Request{Purpose: "explore", Messages: told, MaxTokens: MaxReply, Temperature: &steady}
	reply, err := m.Client.Stream(ctx, request, func(string) error { return nil })
	out := warehouse.Reply{Spent: spent(&reply, size)}
	if err != nil {
		return out, fmt.Errorf("ask for step %d: %w", len(s.Steps)+1, err)
	}
	out.Text = reply.Text
	return out, nil
}

// Messages returns the prompt that Next sends, and its size in tokens.
func (m *Model) Messages(s warehouse.Situation) ([]llm.Message, int) {
	return m.pages.messages(&s, m.limit())
}

// limit returns how many tokens a prompt may have.
func (m *Model) limit() int {
	window := m.Window
	if window <= 0 {
		window = DefaultWindow
	}
	return min(MaxPrompt, window-MaxReply)
}

// fits checks that the system prompt leaves room for steps.
func fits(b *warehouse.Instructions, limit int) error {
	system := tokens.Count(b.System)
	switch {
	case limit < minPrompt:
		return fault.New(fault.Invalid, "the model's window must have at least %d tokens", MinWindow).At("window")
	case system > maxSystem(limit):
		return fault.New(fault.Invalid, "the exploration prompt has %d tokens, and the model's window has room for %d", system, maxSystem(limit)).At("prompt")
	}
	return nil
}

// spent returns the cost of a call: as the server reported it, or counted by us if the server did
// not report it or the call failed.
func spent(r *llm.Reply, prompt int) warehouse.TokenUsage {
	out := warehouse.TokenUsage{In: r.Usage.PromptTokens, Cached: min(r.Usage.CachedTokens, r.Usage.PromptTokens), Out: r.Usage.CompletionTokens, Calls: max(r.Attempts, 1)}
	if r.Usage.Estimated || r.Usage.PromptTokens == 0 {
		out.In, out.Out = prompt, tokens.Count(r.Text)
	}
	return out
}
