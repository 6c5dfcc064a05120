package sessions

import (
	"context"
	"encoding/json"
	"fmt"
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

// CallMessage is one message of a prompt.
type CallMessage struct {
	Role    string `json:"role"` // "user" or "assistant"
	Content string `json:"content"`
}

// TextHash names a text that prompts begin with.
type TextHash [32]byte

// SavePromptText queues the rules that calls of the batch's tenant refer to by
// their SHA-256. What is there already stays.
func SavePromptText(b *postgres.Batch, hash TextHash, text string) {
	_ = queries.PromptTextInsert(context.Background(), b, &dbsqlc.PromptTextInsertParams{TenantID: b.Tenant(), Sha256: hash[:], Content: text})
}

// SaveCall queues a call whose rules, if it has any, are there under hash, in this
// batch or before it. A call of a session that is gone is left out, and so is one
// that is kept already.
func SaveCall(b *postgres.Batch, c ModelCall, hash TextHash) error {
	prompt, err := json.Marshal(c.Prompt)
	if err != nil {
		return fmt.Errorf("encode the prompt of turn %d: %w", c.Turn, err)
	}
	p := &dbsqlc.TurnCallInsertParams{TenantID: c.Scope.Tenant, SessionID: c.Scope.Session, Turn: int32(c.Turn), Attempt: int32(c.Attempt), N: int32(c.N),
		Purpose: c.Purpose, Model: c.Model, Prompt: prompt, Response: c.Response, Cut: c.Cut, PromptTokens: int32(c.PromptTokens), CompletionTokens: int32(c.CompletionTokens),
		Money: c.Money, Tries: int32(c.Tries), BeganMs: milliseconds(c.Began), TotalMs: milliseconds(c.Total), Failure: postgres.OrNull(c.Failure), At: c.At}
	if c.Rules != "" {
		p.Rules = hash[:]
	}
	if c.FirstToken > 0 {
		first := milliseconds(c.FirstToken)
		p.FirstTokenMs = &first
	}
	return queries.TurnCallInsert(context.Background(), b, p)
}

// milliseconds rounds up, so that what took any time at all took some.
func milliseconds(d time.Duration) int32 {
	return int32((max(d, 0) + time.Millisecond - 1) / time.Millisecond)
}

// LoadCalls queues a read of the calls of a turn that are still kept, in the order
// they began, into list.
func LoadCalls(b *postgres.Batch, s obligations.Scope, turn int, list *[]ModelCall) {
	postgres.Rows[dbsqlc.TurnCallListRow](b, func(r *dbsqlc.TurnCallListRow) error {
		c, err := fromCallRow(r)
		c.Scope, c.Turn = s, turn
		*list = append(*list, c)
		return err
	}, dbsqlc.TurnCallList, s.Tenant, s.Session, int32(turn))
}

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
func PruneCalls(ctx context.Context, db postgres.DB, tenant string, before time.Time) (int, error) {
	gone := 0
	for n := prunedAtOnce; n == prunedAtOnce; gone += n {
		b := postgres.NewBatch(tenant)
		postgres.Rows[struct{ N int64 }](b, func(r *struct{ N int64 }) error {
			n = int(r.N)
			return nil
		}, dbsqlc.TurnCallPrune, tenant, before, int32(prunedAtOnce))
		if err := b.Send(ctx, db); err != nil {
			return gone, fmt.Errorf("prune calls: %w", err)
		}
	}
	b := postgres.NewBatch(tenant)
	_ = queries.PromptTextPrune(ctx, b, tenant)
	if err := b.Send(ctx, db); err != nil {
		return gone, fmt.Errorf("prune rules of prompts: %w", err)
	}
	return gone, nil
}
