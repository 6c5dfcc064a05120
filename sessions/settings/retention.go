package settings

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/sessions/settings/internal/dbsqlc"
)

// Due counts what the rules of retention would delete now.
type Due struct {
	Finished int `json:"finished" doc:"finished interviews"`
	Idle     int `json:"idle" doc:"open interviews nobody went on with"`
	Research int `json:"research" doc:"finished research that was asked for outside of interviews"`
	Held     int `json:"held" doc:"interviews over their time that are held, and so kept"`
}

// None reports whether nothing would be deleted.
func (d Due) None() bool { return d.Finished+d.Idle+d.Research == 0 }

// Forecast counts what the rules would delete of a tenant now under v, by the same rule
// as [Sweep]. It changes nothing.
func Forecast(ctx context.Context, db postgres.DB, tenant string, v Values) (Due, error) {
	var out Due
	b := postgres.NewBatch(tenant)
	postgres.One(b, queries.DueCount, &dbsqlc.DueCountParams{TenantID: tenant, FinishedDays: int32(v.KeptFinishedDays), IdleDays: int32(v.KeptIdleDays)}, func(r *dbsqlc.DueCountRow) error {
		out = Due{Finished: int(r.Finished), Idle: int(r.Idle), Research: int(r.Research), Held: int(r.Held)}
		return nil
	})
	err := b.Send(ctx, db)
	return out, fault.Wrap(err, "count what is over its time of tenant %s", tenant)
}

// Bounds of a sweep, chosen so that no transaction holds its locks for long and no
// tenant keeps the others waiting.
const (
	sweepBatch       = 25  // deleted in one transaction
	sweepAlertsBatch = 500 // alerts are small rows, and nothing refers to them

	sweepRound = 500 // of a tenant in one sweep; the next goes on with the rest
)

// Sweep deletes a tenant's expired data under v in batches, each with its entry in the
// journal, and returns what it deleted. When it fails, what was deleted before stays
// deleted.
func Sweep(ctx context.Context, pool *pgxpool.Pool, tenant string, v Values) (Due, error) {
	var total Due
	for n := sweepBatch; n == sweepBatch && total.Finished+total.Idle < sweepRound; {
		some, err := sweepSessions(ctx, pool, tenant, v)
		if err != nil {
			return total, err
		}
		n = some.Finished + some.Idle
		total.Finished, total.Idle = total.Finished+some.Finished, total.Idle+some.Idle
	}
	for n := sweepBatch; n == sweepBatch && total.Research < sweepRound; total.Research += n {
		var err error
		if n, err = sweepResearch(ctx, pool, tenant, v); err != nil {
			return total, err
		}
	}
	for n := sweepBatch; n == sweepBatch; {
		var err error
		if n, err = sweepRecordings(ctx, pool, tenant, v); err != nil {
			return total, err
		}
	}
	for n := sweepAlertsBatch; n == sweepAlertsBatch; {
		var err error
		if n, err = sweepAlerts(ctx, pool, tenant, v); err != nil {
			return total, err
		}
	}
	return total, nil
}

// sweepAlerts deletes a batch of alerts that were read long ago.
func sweepAlerts(ctx context.Context, pool *pgxpool.Pool, tenant string, v Values) (n int, err error) {
	err = postgres.InTx(ctx, pool, tenant, func(tx pgx.Tx) error {
		gone, err := queries.AlertsForget(ctx, tx, &dbsqlc.AlertsForgetParams{TenantID: tenant, Days: int32(v.KeptAlertsDays), Max: sweepAlertsBatch})
		if n = int(gone); err != nil {
			return err
		}
		return writeGone(ctx, tx, tenant, Detail{Rule: "alerts", Count: n})
	})
	return n, fault.Wrap(err, "delete alerts that are over their time")
}

// sweepRecordings deletes a batch of recordings that are kept too long.
func sweepRecordings(ctx context.Context, pool *pgxpool.Pool, tenant string, v Values) (n int, err error) {
	err = postgres.InTx(ctx, pool, tenant, func(tx pgx.Tx) error {
		gone, err := queries.RecordingsForget(ctx, tx, &dbsqlc.RecordingsForgetParams{TenantID: tenant, Days: int32(v.KeptRecordingsDays), Max: sweepBatch})
		n = len(gone)
		if err != nil {
			return err
		}
		return writeGone(ctx, tx, tenant, Detail{Rule: "recordings", Count: n})
	})
	return n, fault.Wrap(err, "delete recordings that are over their time")
}

// sweepSessions deletes a batch of expired sessions.
func sweepSessions(ctx context.Context, pool *pgxpool.Pool, tenant string, v Values) (Due, error) {
	var out Due
	err := postgres.InTx(ctx, pool, tenant, func(tx pgx.Tx) error {
		due, err := queries.DueTake(ctx, tx, &dbsqlc.DueTakeParams{TenantID: tenant, FinishedDays: int32(v.KeptFinishedDays), IdleDays: int32(v.KeptIdleDays), Max: sweepBatch})
		if err != nil || len(due) == 0 {
			return err
		}
		byRule := map[string][]string{}
		for _, d := range due {
			byRule[d.Rule] = append(byRule[d.Rule], d.ID)
		}
		for _, rule := range []string{"finished", "idle"} {
			gone, err := deleteSessions(ctx, tx, tenant, byRule[rule])
			if err != nil {
				return err
			}
			if rule == "finished" {
				out.Finished = len(gone)
			} else {
				out.Idle = len(gone)
			}
			if err := writeGone(ctx, tx, tenant, Detail{Rule: rule, Sessions: gone}); err != nil {
				return err
			}
		}
		return nil
	})
	if postgres.Constraint(err) == "session_holds_session_fkey" {
		return Due{}, nil // one was held a moment ago; the next sweep leaves it out
	}
	return out, fault.Wrap(err, "delete sessions that are over their time")
}

// deleteSessions deletes sessions with everything that belongs to them, except those
// with a running turn, and returns the deleted ones.
func deleteSessions(ctx context.Context, tx pgx.Tx, tenant string, ids []string) ([]string, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return queries.SessionsDelete(ctx, tx, &dbsqlc.SessionsDeleteParams{TenantID: tenant, Ids: ids})
}

// writeGone writes what a rule deleted into the journal, unless that is nothing.
func writeGone(ctx context.Context, tx pgx.Tx, tenant string, d Detail) error {
	if len(d.Sessions) == 0 && d.Count == 0 {
		return nil
	}
	return NoteIn(ctx, tx, tenant, JournalEntry{Kind: Deleted, Detail: d})
}

// sweepResearch deletes a batch of expired research.
func sweepResearch(ctx context.Context, pool *pgxpool.Pool, tenant string, v Values) (n int, err error) {
	err = postgres.InTx(ctx, pool, tenant, func(tx pgx.Tx) error {
		gone, err := queries.ResearchForget(ctx, tx, &dbsqlc.ResearchForgetParams{TenantID: tenant, FinishedDays: int32(v.KeptFinishedDays), Max: sweepBatch})
		n = len(gone)
		if err != nil {
			return err
		}
		return writeGone(ctx, tx, tenant, Detail{Rule: "research", Count: n})
	})
	return n, fault.Wrap(err, "delete research that is over its time")
}
