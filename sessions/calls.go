package sessions

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions/internal/dbsqlc"
)

// ModelCall is one call of a model in a turn: what it was asked, what it answered
// and what that took. It is kept for reviewers.
type ModelCall struct {
	Scope   obligations.Scope
	Turn    int
	Attempt int    // of the turn, from 1
	N       int    // tells the calls of an attempt apart, from 1
	Purpose string // such as "understand" or "reply"
	Model   string

	Rules    string        // the first message, which is the same for many calls; empty for none
	Prompt   []CallMessage // the others
	Response string        // of a call that failed, what had come by then
	Cut      bool          // something was too long to be kept whole

	PromptTokens     int
	CompletionTokens int
	Money            float64 // by the prices of that time, in their currency
	Tries            int     // requests it took
	Failure          string  // class of what went wrong; empty when nothing did

	At         time.Time     // when it began
	Began      time.Duration // after the server had read the turn
	FirstToken time.Duration // from its beginning; 0 when nothing came
	Total      time.Duration
}

// Unreadable is the failure of calls that were kept and cannot be read any more.
const Unreadable = "unreadable"

// CallMessage is one message of a prompt.
type CallMessage struct {
	Role    string `json:"role"` // "user" or "assistant"
	Content string `json:"content"`
}

// milliseconds rounds up, so that what took any time at all took some.
func milliseconds(d time.Duration) int32 {
	return int32((max(d, 0) + time.Millisecond - 1) / time.Millisecond)
}

// LoadCalls queues a read of the calls of a turn that are still kept, in the order
// they began, each attempt by itself, into list.
func LoadCalls(b *postgres.Batch, s obligations.Scope, turn int, list *[]ModelCall) {
	postgres.Many(b, queries.TurnCallList, &dbsqlc.TurnCallListParams{TenantID: s.Tenant, SessionID: s.Session, Turn: int32(turn)}, func(r *dbsqlc.TurnCallListRow) error {
		c, err := fromCallRow(r)
		c.Scope, c.Turn = s, turn
		*list = append(*list, c)
		return err
	})
	var words callWords
	queueWords(b, s, turn, &words)
	postgres.Many(b, queries.CallPackList, &dbsqlc.CallPackListParams{TenantID: s.Tenant, SessionID: s.Session, Turn: int32(turn)}, func(r *dbsqlc.CallPackListRow) error {
		calls, err := unpackCalls(r.Packed, r.Rules, words)
		if err != nil { // reviewers see the rest, and that this is missing
			calls = []ModelCall{{N: int(r.N), Purpose: "model", Response: err.Error(), Cut: true, Failure: Unreadable}}
		}
		for i := range calls {
			calls[i].Scope, calls[i].Turn, calls[i].Attempt = s, turn, int(r.Attempt)
		}
		*list = append(*list, calls...)
		slices.SortStableFunc(*list, func(a, b ModelCall) int {
			return cmp.Or(a.Attempt-b.Attempt, cmp.Compare(a.Began, b.Began), a.N-b.N)
		})
		return nil
	})
}

// fromCallRow reads a call from before calls were packed.
func fromCallRow(r *dbsqlc.TurnCallListRow) (ModelCall, error) {
	c := ModelCall{Attempt: int(r.Attempt), N: int(r.N), Purpose: r.Purpose, Model: r.Model, Rules: postgres.OrEmpty(r.Rules), Response: r.Response, Cut: r.Cut,
		PromptTokens: int(r.PromptTokens), CompletionTokens: int(r.CompletionTokens), Money: r.Money, Tries: int(r.Tries), Failure: postgres.OrEmpty(r.Failure), At: r.At,
		Began: time.Duration(r.BeganMs) * time.Millisecond, Total: time.Duration(r.TotalMs) * time.Millisecond}
	if r.FirstTokenMs != nil {
		c.FirstToken = time.Duration(*r.FirstTokenMs) * time.Millisecond
	}
	if err := json.Unmarshal(r.Prompt, &c.Prompt); err != nil {
		return c, fmt.Errorf("prompt of call %d: %w", r.N, err)
	}
	return c, nil
}

// prunedAtOnce bounds the calls that are let go of in one transaction.
const prunedAtOnce = 2000

// PruneCalls lets go of a tenant's calls from before a time, and of rules that no
// prompt begins with any more, and returns how many calls there were. Each part is
// a transaction of its own, so that one that is cut short goes on where it was.
// Rules may stay an hour longer than the last call that refers to them.
func PruneCalls(ctx context.Context, db postgres.DB, tenant string, before time.Time) (int, error) {
	gone := 0
	for full := true; full; {
		full = false
		pruned := func(calls, rows int64) error {
			gone, full = gone+int(calls), full || rows == prunedAtOnce
			return nil
		}
		b := postgres.NewBatch(tenant)
		postgres.One(b, queries.CallPackPrune, &dbsqlc.CallPackPruneParams{TenantID: tenant, Before: before, Max: prunedAtOnce},
			func(r *dbsqlc.CallPackPruneRow) error { return pruned(r.Calls, r.Packs) })
		postgres.One(b, queries.TurnCallPrune, &dbsqlc.TurnCallPruneParams{TenantID: tenant, Before: before, Max: prunedAtOnce},
			func(r *dbsqlc.TurnCallPruneRow) error { return pruned(r.Calls, r.Packs) })
		if err := b.Send(ctx, db); err != nil {
			return gone, fmt.Errorf("prune calls: %w", err)
		}
	}
	b := postgres.NewBatch(tenant)
	_ = queries.PromptRulesPrune(ctx, b, &dbsqlc.PromptRulesPruneParams{TenantID: tenant, Before: before.Add(-packSpan)})
	_ = queries.PromptTextPrune(ctx, b, tenant)
	if err := b.Send(ctx, db); err != nil {
		return gone, fmt.Errorf("prune rules of prompts: %w", err)
	}
	return gone, nil
}
