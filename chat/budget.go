package chat

import (
	"context"
	"encoding/json"
	"math"
	"time"

	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// BudgetUse is what a session has used up. It travels with the usage of each turn, so
// that a long session costs as little to account for as a short one, and only where
// a budget asks for it.
type BudgetUse struct {
	Turns   int       `json:"turns"`            // turns accounted for
	Seconds float64   `json:"activeSeconds"`    // see [BudgetUse.Until]
	Money   float64   `json:"money"`            // in the currency of [Prices]
	At      time.Time `json:"at"`               // of the last turn accounted for
	Warned  bool      `json:"warned,omitempty"` // the person was told that few questions are left
}

// longestPause is what the time between two turns counts for at most: a night's
// sleep is no conversation.
const longestPause = 5 * time.Minute

// Until returns s with the time from its last turn to now, of which five minutes
// count at most. A clock that went back adds nothing.
func (s BudgetUse) Until(now time.Time) BudgetUse {
	if !s.At.IsZero() {
		s.Seconds += min(max(now.Sub(s.At), 0), longestPause).Seconds()
	}
	s.At = now
	s.Turns++
	return s
}

// Prices are what a model costs, for each 1,000 tokens, in any one currency. The
// zero value is a model that costs nothing.
type Prices struct {
	Prompt     float64
	Completion float64
}

// Of returns what u cost.
func (p Prices) Of(u Usage) float64 {
	return float64(u.PromptTokens)/1000*p.Prompt + float64(u.CompletionTokens)/1000*p.Completion
}

// Few questions: from scarce on, what is required goes before the rest; at lastTwo
// the person is told.
const (
	scarce  = 5
	lastTwo = 2
)

// Until a session has shown what a turn of it takes, two minutes are assumed.
const (
	assumedTurn    = 2 * time.Minute
	measuredTurns  = 3
	unlimitedTurns = math.MaxInt32
)

// allowance is what a budget still allows.
type allowance struct {
	left   int  // questions that can be asked and answered, this turn's included; 0 when the budget is used up
	tell   bool // the person has to be told now
	warned bool // they were told before
}

// allow works out what budget b still allows at that turn of a session that has
// used up s. Minutes and money are turned into questions by what a turn took so far,
// for people and plans count in questions.
func allow(b objectives.Budget, turn int, s BudgetUse) allowance {
	a := allowance{left: unlimitedTurns, warned: s.Warned}
	if b.Turns > 0 {
		a.left = min(a.left, b.Turns-turn)
	}
	if b.Minutes > 0 {
		a.left = min(a.left, questionsIn(b.Minutes*60-s.Seconds, s.Seconds, assumedTurn.Seconds(), s.Turns))
	}
	if b.Money > 0 {
		a.left = min(a.left, questionsIn(b.Money-s.Money, s.Money, b.Money/unlimitedTurns, s.Turns))
	}
	a.left = max(a.left, 0)
	byTurns := b.Turns > 0 && a.left == b.Turns-turn // then the moment comes once by itself
	a.tell = turn > 1 && !s.Warned && a.left > 0 && (a.left == lastTwo || a.left < lastTwo && !byTurns)
	return a
}

// questionsIn returns how many turns rest allows when so many turns took used, one
// of them taking assumed until enough were measured. What is left of it allows one.
func questionsIn(rest, used, assumed float64, turns int) int {
	if rest <= 0 {
		return 0
	}
	each := assumed
	if turns >= measuredTurns && used > 0 {
		each = used / float64(turns)
	}
	return int(min(max(math.Floor(rest/each), 1), unlimitedTurns))
}

// maxLookBack bounds the turns looked at for one that was accounted for: turns that
// failed are not.
const maxLookBack = 10

// accounted reports whether what the session uses up has to be known: a budget that
// counts turns only does not ask.
func (s *Scene) accounted() bool {
	b := s.budget()
	return b.Minutes > 0 || b.Money > 0
}

// spentBefore returns what a session had used up before a turn.
func (e *Engine) spentBefore(ctx context.Context, s obligations.Scope, turn int) (BudgetUse, error) {
	for n := turn - 1; n >= max(turn-maxLookBack, 1); n-- {
		t, err := sessions.FindTurn(ctx, e.Pool, s, n)
		if err != nil {
			return BudgetUse{}, err
		}
		if before := SpentOf(t.Usage); before != nil {
			return *before, nil
		}
	}
	if turn == 1 {
		return BudgetUse{}, nil
	}
	return e.recount(ctx, s, turn)
}

// recount works out what a session had used up before a turn from all its turns: it
// is needed once, after a budget was set for one that had none.
func (e *Engine) recount(ctx context.Context, s obligations.Scope, turn int) (BudgetUse, error) {
	var out BudgetUse
	for after := 0; ; {
		list, err := sessions.Turns(ctx, e.Pool, s, after)
		if err != nil || len(list) == 0 {
			return out, err
		}
		for _, t := range list {
			if t.Number >= turn {
				return out, nil
			}
			out = out.Until(t.StartedAt)
			out.Money += e.Prices.Of(recordedUsage(t.Usage))
			after = t.Number
		}
	}
}

// recordedUsage reads the usage of a turn; zero for one that has none.
func recordedUsage(raw json.RawMessage) Usage {
	var u Usage
	if len(raw) == 0 || json.Unmarshal(raw, &u) != nil {
		return Usage{}
	}
	return u
}

// SpentOf returns what the usage of a turn says its session had used up by then, or
// nil when it was not accounted for.
func SpentOf(usage json.RawMessage) *BudgetUse {
	return recordedUsage(usage).Spent
}

// account returns what the session has used up after this turn; nil when its budget
// does not ask.
func (r *run) account(prices Prices, p *Plan) *BudgetUse {
	if !r.scene.accounted() {
		return nil
	}
	s := r.scene.Spent
	s.Money += prices.Of(r.usage)
	s.Warned = s.Warned || p.Left > 0
	return &s
}
