package chat_test

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"quaestor/chat"
	"quaestor/internal/llm/llmtest"
	"quaestor/sessions"
)

func TestActiveTimeNeverCountsNights(t *testing.T) {
	t.Parallel()

	var s chat.BudgetUse
	at := time.Date(2026, 8, 12, 22, 0, 0, 0, time.UTC)
	for _, pause := range []time.Duration{0, 90 * time.Second, 4 * time.Minute, 10 * time.Hour, -time.Minute, 30 * time.Second} {
		at = at.Add(pause)
		s = s.Until(at)
	}

	if want := 90.0 + 240 + 300 + 0 + 30; s.Seconds != want || s.Turns != 6 || !s.At.Equal(at) {
		t.Errorf("%+v, want %v seconds in 6 turns", s, want)
	}
}

func TestActiveTimeIsBounded(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		var s chat.BudgetUse
		at := time.Unix(1e9, 0)
		turns := rapid.IntRange(1, 30).Draw(t, "turns")
		for range turns {
			at = at.Add(time.Duration(rapid.Int64Range(-int64(time.Hour), int64(72*time.Hour)).Draw(t, "pause")))
			before := s.Seconds
			if s = s.Until(at); s.Seconds < before {
				t.Fatalf("active time fell from %v to %v", before, s.Seconds)
			}
		}
		if s.Seconds > float64(turns-1)*300 {
			t.Fatalf("%v seconds in %d turns", s.Seconds, turns)
		}
	})
}

func TestPrices(t *testing.T) {
	t.Parallel()

	got := chat.Prices{Prompt: 0.5, Completion: 2}.Of(chat.Usage{PromptTokens: 3000, CompletionTokens: 250})

	if math.Abs(got-2) > 1e-9 {
		t.Errorf("3,000 tokens at 0.5 and 250 at 2 cost %v, want 2", got)
	}
	if free := (chat.Prices{}).Of(chat.Usage{PromptTokens: 3000}); free != 0 {
		t.Errorf("a model without prices costs %v", free)
	}
}

// A session's account goes from turn to turn with their usage.
func TestSpentTravelsWithTheTurns(t *testing.T) {
	t.Parallel()

	const budgeted = `{"minutes":30,"money":5}`
	objective := small[:len(small)-1] + `,"budget":` + budgeted + `}`
	model := llmtest.New(t)
	model.OnUnderstand(llmtest.Reply{JSON: reading("answer", map[string]any{"key": "business", "value": "bread", "quote": "We sell bread"})}, llmtest.Reply{JSON: reading("small_talk")})
	model.OnReply(llmtest.Reply{Text: "What does your shop sell?"}, llmtest.Reply{Text: "Thank you."}, llmtest.Reply{Text: "Fine."})
	d := newHarness(t, setup{model: model, objective: objective})
	d.engine.Prices = chat.Prices{Prompt: 1, Completion: 1}
	var cost []float64
	for n, message := range []string{"", "We sell bread", "Hm"} {
		d.take(d.input(message))
		turn, err := sessions.FindTurn(t.Context(), d.pool, d.scope, n+1)
		if err != nil {
			t.Fatal(err)
		}
		var u chat.Usage
		if err := json.Unmarshal(turn.Usage, &u); err != nil {
			t.Fatal(err)
		}
		s := chat.SpentOf(turn.Usage)
		if s == nil || s.Turns != n+1 || s.At.IsZero() {
			t.Fatalf("turn %d accounts for %+v", n+1, s)
		}
		before := 0.0
		if n > 0 {
			before = cost[n-1]
		}
		if want := before + d.engine.Prices.Of(u); math.Abs(s.Money-want) > 1e-9 || s.Money <= before {
			t.Errorf("after turn %d the session has cost %v, want %v", n+1, s.Money, want)
		}
		cost = append(cost, s.Money)
	}
}

func TestTurnsWithoutABudgetAreNotAccountedFor(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	d.take(d.input(""))
	turn, err := sessions.FindTurn(t.Context(), d.pool, d.scope, 1)
	if err != nil {
		t.Fatal(err)
	}

	if s := chat.SpentOf(turn.Usage); s != nil {
		t.Errorf("the turn accounts for %+v", s)
	}
	if s := chat.SpentOf(json.RawMessage(`{"spent":`)); s != nil {
		t.Errorf("half a usage accounts for %+v", s)
	}
}
