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
	kinds, data := columns(events)
	postgres.One(b, queries.EventAppend, &dbsqlc.EventAppendParams{Kinds: kinds, TenantID: s.Tenant, SessionID: s.Session, Turn: int32(events[0].Turn), Datas: data}, func(seq int64) error {
		*last = seq
		return nil
	})
}

// columns returns events as they stand in a row.
func columns(events []Event) (kinds, data []string) {
	kinds, data = make([]string, len(events)), make([]string, len(events))
	for i, e := range events {
		kinds[i], data[i] = string(e.Kind), string(e.Data)
	}
	return kinds, data
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

// maxRead bounds the rows one read of a log returns, each the events of one
// write.
const maxRead = 100

// After returns events of a log with numbers above after, in order, and whether
// there may be more of them.
func After(ctx context.Context, db postgres.DB, s obligations.Scope, after int64) (events []Event, more bool, err error) {
	rows := 0
	b := postgres.NewBatch(s.Tenant)
	postgres.Many(b, queries.EventsAfter, &dbsqlc.EventsAfterParams{TenantID: s.Tenant, SessionID: s.Session, After: after, Max: int32(maxRead)}, func(r *dbsqlc.EventsAfterRow) error {
		rows++
		events = append(events, unpack(r, after)...)
		return nil
	})
	if err := b.Send(ctx, db); err != nil {
		return nil, false, fmt.Errorf("read log of session %s: %w", s.Session, notID(err))
	}
	return events, rows == maxRead, nil
}

// unpack returns the events of a row with numbers above after.
func unpack(r *dbsqlc.EventsAfterRow, after int64) []Event {
	first := r.Seq - int64(len(r.Kinds)-1)
	skip := min(max(after+1-first, 0), int64(len(r.Kinds)))
	out := make([]Event, 0, int64(len(r.Kinds))-skip)
	for i := skip; i < int64(len(r.Kinds)); i++ {
		out = append(out, Event{first + i, int(r.Turn), Kind(r.Kinds[i]), []byte(r.Data[i]), r.At})
	}
	return out
}

// LoadHead queues a read of the number of the last event of a log into head,
// which stays as it is when there is no such session.
func LoadHead(b *postgres.Batch, s obligations.Scope, head *int64) {
	postgres.One(b, queries.EventHead, &dbsqlc.EventHeadParams{TenantID: s.Tenant, SessionID: s.Session}, func(seq int64) error {
		*head = seq
		return nil
	})
}

// Head returns the number of the last event of a log; 0 for an empty log. An
// unknown session is NotFound.
func Head(ctx context.Context, db postgres.DB, s obligations.Scope) (int64, error) {
	head := int64(-1)
	b := postgres.NewBatch(s.Tenant)
	LoadHead(b, s, &head)
	if err := b.Send(ctx, db); err != nil {
		return 0, fmt.Errorf("read head of session %s: %w", s.Session, notID(err))
	}
	if head < 0 {
		return 0, NoSession()
	}
	return head, nil
}
