package sessions

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions/internal/dbsqlc"
)

// Handover is the wish of the person for a human being. It is open until a reviewer has
// got in touch ([MeetHandover]).
type Handover struct {
	Turn int       // in which they asked
	At   time.Time // when
}

// AskHandover queues the mark that the person asks for a human being in a turn. A wish that
// is open stays as it is. It does not count as a change of the session's state, which turns
// decide on.
func AskHandover(b *postgres.Batch, s obligations.Scope, turn int) {
	_ = queries.HandoverAsk(context.Background(), b, &dbsqlc.HandoverAskParams{TenantID: s.Tenant, ID: s.Session, Turn: int32(turn)})
}

// MeetHandover notes that the reviewer by has got in touch with the person, and returns the
// events to publish. It is a Conflict when no wish for a human being is open.
func MeetHandover(ctx context.Context, pool *pgxpool.Pool, s obligations.Scope, by string) ([]Event, error) {
	var events []Event
	err := postgres.InTx(ctx, pool, s.Tenant, func(tx pgx.Tx) error {
		session, err := findLocked(ctx, tx, s)
		if err != nil {
			return err
		}
		n, err := queries.HandoverDone(ctx, tx, &dbsqlc.HandoverDoneParams{TenantID: s.Tenant, ID: s.Session})
		if err != nil {
			return fmt.Errorf("clear the wish for a human being of session %s: %w", s.Session, err)
		}
		if n == 0 {
			return fault.New(fault.Conflict, "nobody waits for a human being here; somebody may have got in touch already").Coded("no_handover")
		}
		events, err = logBetweenTurns(ctx, tx, session, HandoverEvent{Turn: session.lastTurn(), Change: HandoverDone, By: by})
		return err
	})
	return events, err
}

// handoverOf returns the open wish of a row; nil for none.
func handoverOf(r *dbsqlc.ElicitationSession) *Handover {
	if r.HandoverAt == nil {
		return nil
	}
	out := &Handover{At: *r.HandoverAt}
	if r.HandoverTurn != nil {
		out.Turn = int(*r.HandoverTurn)
	}
	return out
}
