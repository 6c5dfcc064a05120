package settings

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions/settings/internal/dbsqlc"
)

// Erase deletes a session for good, with everything that belongs to it. A session with a
// running turn, or one that is held, is a Conflict and stays whole.
func Erase(ctx context.Context, pool *pgxpool.Pool, s obligations.Scope, by string) error {
	err := postgres.InTx(ctx, pool, s.Tenant, func(tx pgx.Tx) error {
		hold, err := FindHold(ctx, tx, s)
		if err != nil {
			return err
		}
		if hold != nil {
			return held()
		}
		gone, err := deleteSessions(ctx, tx, s.Tenant, []string{s.Session})
		if err != nil {
			return err
		}
		if len(gone) == 0 {
			return fault.New(fault.Conflict, "a turn of this interview is running; wait for its end").Coded("turn_running")
		}
		return NoteIn(ctx, tx, s.Tenant, JournalEntry{Actor: by, Kind: Deleted, Subject: s.Session, Detail: Detail{Rule: "hand", Sessions: gone}})
	})
	return erased(err, "session "+s.Session)
}

// erased words what prevented a deletion.
func erased(err error, what string) error {
	switch {
	case err == nil:
		return nil
	case postgres.Constraint(err) == "session_holds_session_fkey":
		return held()
	case fault.KindOf(err) != fault.Internal:
		return err
	}
	return fmt.Errorf("delete %s: %w", what, err)
}

// held is the answer to deleting a session that is held.
func held() error {
	return fault.New(fault.Conflict, "this interview is held back from deletion; release it first").Coded("session_held")
}

// Footprint counts what is stored about a person.
type Footprint struct {
	Interviews int  `json:"interviews" doc:"that they began"`
	Running    int  `json:"running" doc:"of those, with a turn that runs now"`
	Held       int  `json:"held" doc:"of those, held back from deletion"`
	Elsewhere  int  `json:"elsewhere" doc:"interviews of others that they spoke in"`
	Research   int  `json:"research" doc:"pieces of research they asked for outside of interviews"`
	Traces     int  `json:"traces" doc:"opinions on steps of runs, findings they watch and were told of, and, in the interviews of others, recordings of them and whether they agreed to any"`
	Member     bool `json:"member" doc:"they have a role in the organisation"`
}

// None reports whether nothing is stored.
func (f Footprint) None() bool {
	return f.Interviews == 0 && f.Elsewhere == 0 && f.Research == 0 && f.Traces == 0 && !f.Member
}

// FootprintOf counts what is kept of a person of a tenant.
func FootprintOf(ctx context.Context, db postgres.DB, tenant, user string) (Footprint, error) {
	var out Footprint
	b := postgres.NewBatch(tenant)
	postgres.One(b, queries.PersonHas, &dbsqlc.PersonHasParams{TenantID: tenant, UserID: user}, func(r *dbsqlc.PersonHasRow) error {
		out = Footprint{int(r.Own), int(r.Running), int(r.Held), int(r.Elsewhere), int(r.Research), int(r.Traces), r.Member}
		return nil
	})
	err := b.Send(ctx, db)
	return out, fault.Wrap(err, "count what is kept of a person")
}

// Elsewhere lists at most 100 interviews of others in which a person spoke.
func Elsewhere(ctx context.Context, db postgres.DB, tenant, user string) ([]string, error) {
	out, err := postgres.List(ctx, db, tenant, queries.PersonElsewhere, &dbsqlc.PersonElsewhereParams{TenantID: tenant, UserID: &user}, func(id string) (string, error) {
		return id, nil
	})
	return out, fault.Wrap(err, "list interviews a person spoke in")
}

// ErasePerson deletes every interview that a person began, the research they asked for
// their feedback on steps of runs, and what they watch and were told of findings, all or
// nothing: a running turn or a held interview is a Conflict. What they said in interviews of
// others stays in writing (see [Elsewhere]), and its sound is deleted. Package auth ends their
// membership and tokens.
func ErasePerson(ctx context.Context, pool *pgxpool.Pool, tenant, user, by string) (Footprint, error) {
	var was Footprint
	err := postgres.InTx(ctx, pool, tenant, func(tx pgx.Tx) error {
		ids, err := queries.PersonSessions(ctx, tx, &dbsqlc.PersonSessionsParams{TenantID: tenant, UserID: user})
		if err != nil {
			return err
		}
		if was, err = FootprintOf(ctx, tx, tenant, user); err != nil {
			return err
		}
		if was.Held > 0 {
			return fault.New(fault.Conflict, "%d of their interviews are held back from deletion; release them first", was.Held).Coded("session_held")
		}
		gone, err := deleteSessions(ctx, tx, tenant, ids)
		if err != nil {
			return err
		}
		if len(gone) != len(ids) {
			return fault.New(fault.Conflict, "a turn of one of their interviews is running; wait for its end").Coded("turn_running")
		}
		research, err := queries.PersonResearchDelete(ctx, tx, &dbsqlc.PersonResearchDeleteParams{TenantID: tenant, UserID: &user})
		if err != nil {
			return err
		}
		if err := queries.PersonConsentsDelete(ctx, tx, &dbsqlc.PersonConsentsDeleteParams{TenantID: tenant, UserID: user}); err != nil { // before the recordings, of which there may be no more
			return err
		}
		if err := queries.PersonTicketsDelete(ctx, tx, &dbsqlc.PersonTicketsDeleteParams{TenantID: tenant, UserID: user}); err != nil {
			return err
		}
		if err := queries.PersonRecordingsDelete(ctx, tx, &dbsqlc.PersonRecordingsDeleteParams{TenantID: tenant, UserID: user}); err != nil {
			return err
		}
		if err := queries.PersonOpinionsDelete(ctx, tx, &dbsqlc.PersonOpinionsDeleteParams{TenantID: tenant, UserID: user}); err != nil {
			return err
		}
		if err := queries.PersonWatchesDelete(ctx, tx, &dbsqlc.PersonWatchesDeleteParams{TenantID: tenant, UserID: user}); err != nil {
			return err
		}
		if err := queries.PersonAlertsDelete(ctx, tx, &dbsqlc.PersonAlertsDeleteParams{TenantID: tenant, UserID: user}); err != nil {
			return err
		}
		return NoteIn(ctx, tx, tenant, JournalEntry{Actor: by, Kind: Deleted, Subject: user, Detail: Detail{Rule: "person", Sessions: gone, Count: len(research)}})
	})
	return was, erased(err, "what is kept of a person")
}
