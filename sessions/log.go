package sessions

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions/internal/dbsqlc"
)

// Append queues events of one turn onto a session's log and numbers them when the batch
// is sent. The lock on the log's head is held to the end of the transaction, so events
// are committed in the order of their numbers: a reader that asks for what comes after
// n never misses one.
func Append(b *postgres.Batch, s obligations.Scope, events []Event) {
	if len(events) == 0 {
		return
	}
	kinds, data := columns(events)
	postgres.One(b, queries.EventAppend, &dbsqlc.EventAppendParams{Kinds: kinds, TenantID: s.Tenant, SessionID: s.Session, Turn: int32(events[0].Turn), Datas: data}, func(last int64) error {
		for i := range events {
			events[i].Seq = last - int64(len(events)-1-i)
		}
		return nil
	})
}

// logBetweenTurns appends one event that is no part of a turn. It counts to the last
// one.
func logBetweenTurns(ctx context.Context, tx pgx.Tx, session Session, p Payload) ([]Event, error) {
	events := Events(session.lastTurn(), []Payload{p})
	b := postgres.NewBatch(session.Tenant)
	Append(b, session.Scope(), events)
	err := b.Send(ctx, tx)
	return events, fault.Wrap(err, "log event %s of session %s", p.kind(), session.ID)
}

// columns returns the kinds and payloads of events as the two arrays of a row.
func columns(events []Event) (kinds, data []string) {
	kinds, data = make([]string, len(events)), make([]string, len(events))
	for i, e := range events {
		kinds[i], data[i] = string(e.Kind), string(e.Data)
	}
	return kinds, data
}

// Events returns payloads as events of a turn. They have no numbers yet: see [Append].
func Events(turn int, payloads []Payload) []Event {
	out := make([]Event, len(payloads))
	for i, p := range payloads {
		out[i] = newEvent(turn, p)
	}
	return out
}

// maxRead bounds the rows that one read of a log returns. A row holds the events of one
// write.
const maxRead = 100

// After returns the events of a log with numbers above after, in order, and reports
// whether there may be more.
func After(ctx context.Context, db postgres.DB, s obligations.Scope, after int64) (events []Event, more bool, err error) {
	rows := 0
	b := postgres.NewBatch(s.Tenant)
	postgres.Many(b, queries.EventsAfter, &dbsqlc.EventsAfterParams{TenantID: s.Tenant, SessionID: s.Session, After: after, Max: int32(maxRead)}, func(r *dbsqlc.EventsAfterRow) error {
		rows++
		events = append(events, unpack(r, after)...)
		return nil
	})
	err = b.Send(ctx, db)
	return events, rows == maxRead, fault.Wrap(notID(err), "read log of session %s", s.Session)
}

// unpack returns the events of a row whose numbers are above after. Seq is the number of
// the last.
func unpack(r *dbsqlc.EventsAfterRow, after int64) []Event {
	first := r.Seq - int64(len(r.Kinds)-1)
	skip := min(max(after+1-first, 0), int64(len(r.Kinds)))
	out := make([]Event, 0, int64(len(r.Kinds))-skip)
	for i := skip; i < int64(len(r.Kinds)); i++ {
		out = append(out, Event{first + i, int(r.Turn), Kind(r.Kinds[i]), []byte(r.Data[i]), r.At})
	}
	return out
}

// LoadHead queues a read of the number of a log's last event into head, which stays as
// it is when the session does not exist.
func LoadHead(b *postgres.Batch, s obligations.Scope, head *int64) {
	postgres.One(b, queries.EventHead, &dbsqlc.EventHeadParams{TenantID: s.Tenant, SessionID: s.Session}, func(seq int64) error {
		*head = seq
		return nil
	})
}

// Head returns the number of a log's last event, 0 for an empty log. A session that does
// not exist is NotFound.
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
