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

// BudgetUse is what a session has used up. Each turn's usage contains it, so that a long
// session costs no more to account for than a short one. It is kept only where a budget
// needs it.
type BudgetUse struct {
	Turns   int       `json:"turns"`            // that were accounted for
	Seconds float64   `json:"activeSeconds"`    // see [BudgetUse.Until]
	Money   float64   `json:"money"`            // in the currency of [Prices]
	At      time.Time `json:"at"`               // of the last turn accounted for
	Warned  bool      `json:"warned,omitempty"` // the person was told how few questions are left
}

// longestPause is the most that the time between two turns counts. Five minutes are a
// long think; a night's sleep is no conversation.
const longestPause = 5 * time.Minute

// Until returns s with the time from its last turn to now, of which five minutes count at
// most. A clock that went back adds nothing.
func (s BudgetUse) Until(now time.Time) BudgetUse {
	if !s.At.IsZero() {
		s.Seconds += min(max(now.Sub(s.At), 0), longestPause).Seconds()
	}
	s.At = now
	s.Turns++
	return s
}

// Prices are what a model costs per 1,000 tokens, in any one currency. The zero value is
// a model that costs nothing.
type Prices struct {
	Prompt     float64
	Completion float64
}

// Of returns what u cost.
func (p Prices) Of(u Usage) float64 {
	return float64(u.PromptTokens)/1000*p.Prompt + float64(u.CompletionTokens)/1000*p.Completion
}

// From scarceQuestions on, what is required goes first: five leave room for the
// few required obligations that are usually still open then. At tellQuestions the person is
// told, while there is still time to choose what matters.
const (
	scarceQuestions = 5
	tellQuestions   = 2
)

// Two minutes a turn, a few typed sentences, are assumed until a session has had three
// turns to show what its turns take.
const (
	assumedTurn    = 2 * time.Minute
	measuredTurns  = 3
	unlimitedTurns = math.MaxInt32
)

// allowance is what a budget still allows.
type allowance struct {
	left int  // questions that can be asked and answered, this turn's included; 0 when the budget is used up
	tell bool // the person should be told now
}

// allow returns what budget b still allows in a turn of a session that has used up s.
// Minutes and money are converted to questions by what a turn took so far, because people
// and plans count in questions.
func allow(b objectives.Budget, turn int, s BudgetUse) allowance {
	a := allowance{left: unlimitedTurns}
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
	byTurns := b.Turns > 0 && a.left == b.Turns-turn // counts down one by one, so the moment cannot be missed
	a.tell = turn > 1 && !s.Warned && a.left > 0 && (a.left == tellQuestions || a.left < tellQuestions && !byTurns)
	return a
}

// questionsIn returns how many turns rest allows when that many turns took used. A turn
// counts as assumed until enough were measured. Any rest allows one.
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

// maxLookBack bounds the search for the last turn that was accounted for. Failed turns
// are not, and ten failures in a row are an outage.
const maxLookBack = 10

// accounted reports whether the use of the budget has to be kept. A budget in turns does
// not need it.
func (s *Scene) accounted() bool {
	b := s.budget()
	return b.Minutes > 0 || b.Money > 0
}

// spentBefore returns what a session had used up before a turn. It counts again from all
// turns when none was accounted for, as after a budget was set for a session that had
// none.
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

// recount returns what a session had used up before a turn, from all its turns.
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

// recordedUsage returns the usage recorded with a turn, and zero if there is none.
func recordedUsage(raw json.RawMessage) Usage {
	var u Usage
	if len(raw) == 0 || json.Unmarshal(raw, &u) != nil {
		return Usage{}
	}
	return u
}

// SpentOf returns what a session had used up after a turn, given the usage recorded with
// the turn. It returns nil when that was not accounted for.
func SpentOf(usage json.RawMessage) *BudgetUse { return recordedUsage(usage).Spent }

// account returns what the session has used up after this turn, or nil when its budget
// does not need it.
func (r *run) account(prices Prices, p *Plan) *BudgetUse {
	if !r.scene.accounted() {
		return nil
	}
	s := r.scene.Spent
	s.Money += prices.Of(r.usage)
	s.Warned = s.Warned || p.Left > 0
	return &s
}
