package sessions

import (
	"context"
	"fmt"

	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions/internal/dbsqlc"
)

// Append queues events of one turn onto a session's log; the number of the last
// one goes to last. The lock on the log's head, held to the end of the
// transaction, makes commit order the order of numbers, so a reader that asks
// for what comes after n never misses one.
func Append(b *postgres.Batch, s obligations.Scope, events []Event, last *int64) {
	if len(events) == 0 {
		return
	}
	kinds, data := make([]string, len(events)), make([]string, len(events))
	for i, e := range events {
		kinds[i], data[i] = string(e.Kind), string(e.Data)
	}
	postgres.Rows[struct{ Seq int64 }](b, func(r *struct{ Seq int64 }) error {
		*last = r.Seq
		return nil
	}, dbsqlc.EventAppend, kinds, s.Tenant, s.Session, int32(events[0].Turn), data)
}

// Number gives the events that were appended last their numbers.
func Number(events []Event, last int64) {
	for i := range events {
		events[i].Seq = last - int64(len(events)-1-i)
	}
}

// Events makes the payloads of a turn events, not numbered yet.
func Events(turn int, payloads []Payload) []Event {
	out := make([]Event, len(payloads))
	for i, p := range payloads {
		out[i].Turn = turn
		out[i].Kind, out[i].Data = Encode(p)
	}
	return out
}

// maxRead bounds what one read of a log returns.
const maxRead = 500

// After returns events of a log with numbers above after, in order; at most
// 500.
func After(ctx context.Context, db postgres.DB, s obligations.Scope, after int64) ([]Event, error) {
	var out []Event
	b := postgres.NewBatch(s.Tenant)
	postgres.Rows[dbsqlc.EventsAfterRow](b, func(r *dbsqlc.EventsAfterRow) error {
		out = append(out, Event{r.Seq, int(r.Turn), Kind(r.Kind), r.Data, r.At})
		return nil
	}, dbsqlc.EventsAfter, s.Tenant, s.Session, after, int32(maxRead))
	if err := b.Send(ctx, db); err != nil {
		return nil, fmt.Errorf("read log of session %s: %w", s.Session, notID(err))
	}
	return out, nil
}

// Head returns the number of the last event of a log; 0 for an empty log. An
// unknown session is NotFound.
func Head(ctx context.Context, db postgres.DB, s obligations.Scope) (int64, error) {
	head := int64(-1)
	b := postgres.NewBatch(s.Tenant)
	postgres.Rows[struct{ Seq int64 }](b, func(r *struct{ Seq int64 }) error {
		head = r.Seq
		return nil
	}, dbsqlc.EventHead, s.Tenant, s.Session)
	if err := b.Send(ctx, db); err != nil {
		return 0, fmt.Errorf("read head of session %s: %w", s.Session, notID(err))
	}
	if head < 0 {
		return 0, NoSession()
	}
	return head, nil
}
