package sessions

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions/internal/dbsqlc"
)

// ModelCall is one call of a model during a turn: what the model was asked, what it
// answered, how long it took and what it cost. Reviewers read it.
type ModelCall struct {
	Scope   obligations.Scope
	Turn    int
	Attempt int    // of the turn, from 1
	N       int    // number of the call within its attempt, from 1
	Purpose string // such as "understand" or "reply"
	Model   string

	Rules    string        // the first message, which many calls share; empty for none
	Prompt   []CallMessage // the other messages
	Response string        // of a failed call, what had arrived
	Cut      bool          // a text was too long and was shortened

	PromptTokens     int
	CompletionTokens int
	Money            float64 // at the prices of that time, in their currency
	Tries            int     // requests that were sent
	Failure          string  // class of the error; empty for none

	At         time.Time     // when it began
	Began      time.Duration // since the server had read the turn
	FirstToken time.Duration // since the call began; 0 when nothing arrived
	Total      time.Duration
}

// Unreadable is the failure of calls that are stored and can no longer be read.
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

// LoadCalls queues a read of the stored calls of a turn into list, ordered by attempt
// and by when they began. A pack that cannot be read becomes one call that says so.
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

// fromCallRow returns a call that was stored in a row of its own, as older versions did.
func fromCallRow(r *dbsqlc.TurnCallListRow) (ModelCall, error) {
	c := ModelCall{Attempt: int(r.Attempt), N: int(r.N), Purpose: r.Purpose, Model: r.Model, Rules: postgres.OrEmpty(r.Rules), Response: r.Response, Cut: r.Cut,
		PromptTokens: int(r.PromptTokens), CompletionTokens: int(r.CompletionTokens), Money: r.Money, Tries: int(r.Tries), Failure: postgres.OrEmpty(r.Failure), At: r.At,
		Began: time.Duration(r.BeganMs) * time.Millisecond, Total: time.Duration(r.TotalMs) * time.Millisecond}
	if r.FirstTokenMs != nil {
		c.FirstToken = time.Duration(*r.FirstTokenMs) * time.Millisecond
	}
	err := json.Unmarshal(r.Prompt, &c.Prompt)
	return c, fault.Wrap(err, "prompt of call %d", r.N)
}

// prunedAtOnce bounds the rows of each table that one transaction of [PruneCalls]
// deletes, so that it holds its locks only briefly.
const prunedAtOnce = 2000

// PruneCalls deletes a tenant's calls from before a time, and then the rules and texts
// that no prompt refers to any more. It returns how many calls it deleted. Each batch is
// a transaction of its own: when it ends early, what was deleted stays deleted and the
// next call continues. Rules may outlive the last call that refers to them by an hour,
// the span of a pack.
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
	err := b.Send(ctx, db)
	return gone, fault.Wrap(err, "prune rules of prompts")
}
