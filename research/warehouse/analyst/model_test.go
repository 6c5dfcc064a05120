package analyst_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"quaestor/internal/fault"
	"quaestor/internal/llm"
	"quaestor/internal/llm/llmtest"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/analyst"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// situation is one after two steps.
func situation() warehouse.Situation {
	return warehouse.Situation{Instructions: warehouse.Instructions{System: "Explore."}, MaxSteps: 10, LookupsLeft: 30, SearchesLeft: 30, Steps: []warehouse.Step{
		{N: 1, Type: warehouse.LookupStep, Tables: []string{"sales.orders"}, Answer: "## sales.orders", Reply: `{"lookup_schema":["sales.orders"]}`},
		{N: 2, Type: warehouse.QueryStep, Query: "SELECT 1", Error: "syntax: no", Class: warehouse.SyntaxError, Reply: `{"query":"SELECT 1"}`},
	}}
}

// setup returns an analyst and the server it asks, with little patience.
func setup(t *testing.T) (*analyst.Model, *llmtest.Server) {
	t.Helper()
	srv := llmtest.New(t)
	c, err := llm.New(llm.Options{BaseURL: srv.URL(), Model: "m", FirstToken: 150 * time.Millisecond, Idle: 150 * time.Millisecond, Retries: -1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return &analyst.Model{Client: c}, srv
}

func TestNext(t *testing.T) {
	t.Parallel()

	m, srv := setup(t)
	srv.Enqueue(llmtest.Reply{Text: `{"query":"SELECT 2"}`, Usage: &llmtest.Usage{PromptTokens: 700, CompletionTokens: 9, Details: &llmtest.UsageDetails{CachedTokens: 512}}})
	got, err := m.Next(t.Context(), situation())
	if err != nil || got.Text != `{"query":"SELECT 2"}` || got.Spent != (warehouse.TokenUsage{In: 700, Cached: 512, Out: 9, Calls: 1}) {
		t.Errorf("%+v, %v", got, err)
	}
	asked := srv.Requests()[0]
	if asked.MaxTokens != analyst.MaxReply || len(asked.Messages) != 6 || asked.System() != "Explore." || !strings.Contains(asked.LastUser(), "Steps done: 2 of at most 10") {
		t.Errorf("asked for %d tokens of %+v", asked.MaxTokens, asked.Messages)
	}
	if m.Name() != "model m" {
		t.Error(m.Name())
	}
}

// What a server does not say is counted.
func TestNextCountsWhatItSpent(t *testing.T) {
	t.Parallel()

	m, srv := setup(t)
	srv.Enqueue(llmtest.Reply{Text: `{"done":true}`, NoUsage: true})
	got, err := m.Next(t.Context(), situation())
	if err != nil || got.Spent.In != analyst.Size(analyst.Messages(situation(), analyst.MaxPrompt)) || got.Spent.Out < 3 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestNextFails(t *testing.T) {
	t.Parallel()

	for name, tt := range map[string]struct {
		reply llmtest.Reply
		want  llm.Class
	}{
		"too slow":     {llmtest.Reply{Text: "x", Fault: llmtest.StallBeforeFirst}, llm.Timeout},
		"stalls":       {llmtest.Reply{Text: "a b c d", Fault: llmtest.StallMid}, llm.Timeout},
		"too many":     {llmtest.Status(429, 0), llm.Limited},
		"not there":    {llmtest.Status(503, 0), llm.Upstream},
		"no rights":    {llmtest.Status(401, 0), llm.Refused},
		"a page":       {llmtest.Reply{Fault: llmtest.HTML200}, llm.NotJSON},
		"nothing":      {llmtest.Reply{Fault: llmtest.EmptyChoices}, llm.Empty},
		"cut off":      {llmtest.Reply{Text: "a b c d", Fault: llmtest.CleanCloseMidStream}, llm.Truncated},
		"reset":        {llmtest.Reply{Text: "a b c d", Fault: llmtest.ResetMidStream}, llm.Broken},
		"no end to it": {llmtest.Reply{Text: "a ", Fault: llmtest.EndlessText}, llm.TooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			m, srv := setup(t)
			srv.Enqueue(tt.reply)
			got, err := m.Next(t.Context(), situation())
			var e *llm.Error
			if !errors.As(err, &e) || e.Class != tt.want || got.Text != "" || got.Spent.Calls < 1 || got.Spent.In == 0 {
				t.Errorf("%+v, %v; want class %s", got, err, tt.want)
			}
		})
	}
}

// A reply that the limit of tokens cut is a reply: the parser says what is missing.
func TestNextPassesOnWhatTheLimitCut(t *testing.T) {
	t.Parallel()

	m, srv := setup(t)
	srv.Enqueue(llmtest.Reply{Text: `{"query":"SELECT`, FinishReason: "length"})
	got, err := m.Next(t.Context(), situation())
	if err != nil || got.Text != `{"query":"SELECT` {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestNextEndsWithItsContext(t *testing.T) {
	t.Parallel()

	m, _ := setup(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.Next(ctx, situation()); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// A window without room for the run is a fault, and nothing is sent.
func TestNextNeedsRoom(t *testing.T) {
	t.Parallel()

	for name, tt := range map[string]struct {
		window int
		system string
		field  string
	}{
		"a small window": {6_000, "Explore.", "window"},
		"a large prompt": {0, strings.Repeat("a table of many\n", 9_000), "prompt"},
	} {
		m, srv := setup(t)
		m.Window = tt.window
		s := situation()
		s.Instructions.System = tt.system
		_, err := m.Next(t.Context(), s)
		var f *fault.Error
		if !errors.As(err, &f) || !fault.Is(err, fault.Invalid) || f.Field != tt.field || len(srv.Requests()) != 0 {
			t.Errorf("%s: %v, %d requests", name, err, len(srv.Requests()))
		}
	}
}

func ExampleMessages() {
	s := warehouse.Situation{Instructions: warehouse.Instructions{System: "Explore."}, MaxSteps: 100, LookupsLeft: 30, SearchesLeft: 30}
	for _, m := range analyst.Messages(s, analyst.MaxPrompt) {
		fmt.Println(m.Role)
	}
	// Output:
	// system
	// user
}
