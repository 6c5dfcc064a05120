package settings

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/fault"
	"quaestor/internal/language"
	"quaestor/internal/postgres"
	"quaestor/sessions/settings/internal/dbsqlc"
)

// Kind is what an entry of the journal is about.
type Kind string

// The kinds.
const (
	Changed  Kind = "settings"  // limits or retention
	Deleted  Kind = "deleted"   // interviews, research or all about a person
	Held     Kind = "held"      // an interview was held back from deletion
	Released Kind = "released"  // and let go
	Exported Kind = "exported"  // everything was downloaded
	People   Kind = "person"    // a role was given, or somebody removed
	Tokens   Kind = "token"     // made, rotated or revoked
	Models   Kind = "model"     // a language model was added, changed, deleted or put elsewhere in the order
	Data     Kind = "warehouse" // the filter of a warehouse, a pack or the prompts of a project were changed
	Projects Kind = "project"   // a project over a warehouse was made, changed or deleted, or its schedule or its model
	Prices   Kind = "price"     // the price of a model or a warehouse was set or removed
)

// JournalEntry is a line of the journal: who did what, and when.
type JournalEntry struct {
	ID      int64
	At      time.Time
	Actor   string // empty for the rules of retention
	Kind    Kind
	Subject string // what it is about: a session, a person; may be empty
	Detail  Detail
}

// Detail is the rest of an entry. Its fields depend on the kind.
type Detail struct {
	Changes  []Change `json:"changes,omitempty"`
	Rule     string   `json:"rule,omitempty"`     // by which something was deleted: finished, idle, research, recordings, alerts, prompts, jobs, hand, person
	Sessions []string `json:"sessions,omitempty"` // ids of those deleted
	Count    int      `json:"count,omitempty"`    // of things deleted that are no sessions
	Says     string   `json:"says,omitempty"`     // a reason, or what was done
}

// maxName bounds what the columns of names take, in characters.
const maxName = 400

// Note writes an entry into a tenant's journal in a transaction of its own.
func Note(ctx context.Context, pool *pgxpool.Pool, tenant string, e JournalEntry) error {
	return postgres.InTx(ctx, pool, tenant, func(tx pgx.Tx) error { return NoteIn(ctx, tx, tenant, e) })
}

// NoteIn writes an entry into a tenant's journal within the caller's transaction.
func NoteIn(ctx context.Context, tx pgx.Tx, tenant string, e JournalEntry) error {
	detail, err := json.Marshal(e.Detail)
	if err != nil {
		return fmt.Errorf("encode a line of the journal: %w", err)
	}
	err = queries.JournalWrite(ctx, tx, &dbsqlc.JournalWriteParams{TenantID: tenant, Actor: language.Head(e.Actor, maxName), Kind: string(e.Kind), Subject: language.Head(e.Subject, maxName), Detail: detail})
	return fault.Wrap(err, "write the journal of tenant %s", tenant)
}

// Journal returns at most max entries before the one with that id, newest first. 0
// starts with the newest.
func Journal(ctx context.Context, db postgres.DB, tenant string, before int64, max int) ([]JournalEntry, error) {
	var out []JournalEntry
	b := postgres.NewBatch(tenant)
	postgres.Many(b, queries.JournalPage, &dbsqlc.JournalPageParams{TenantID: tenant, Before: before, Max: int32(max)}, func(r *dbsqlc.TenantJournal) error {
		e := JournalEntry{ID: r.ID, At: r.At, Actor: r.Actor, Kind: Kind(r.Kind), Subject: r.Subject}
		if err := json.Unmarshal(r.Detail, &e.Detail); err != nil {
			return fmt.Errorf("line %d: %w", r.ID, err)
		}
		out = append(out, e)
		return nil
	})
	err := b.Send(ctx, db)
	return out, fault.Wrap(err, "read the journal of tenant %s", tenant)
}
