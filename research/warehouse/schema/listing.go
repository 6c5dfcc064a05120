package schema

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"quaestor/internal/language"
	"quaestor/internal/postgres"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/schema/internal/dbsqlc"
)

// State is the state of a stored table.
type State string

// The states.
const (
	OK     State = "ok"     // described; sampled, or waiting for it
	Failed State = "failed" // it exists, but something about it could not be read; the row has the reason
	Gone   State = "gone"   // it existed once
)

// storedTable is what is stored about a table.
type storedTable struct {
	schema, name string
	hash         []byte // content hash
	rows         int64  // as stored; catalog.UnknownRows if unknown
	state        State
	sampled      bool   // was sampled since it last changed
	why          string // for Failed; empty otherwise
}

// ref returns the qualified name of the table.
func (k *storedTable) ref() string { return (&catalog.Table{Schema: k.schema, Name: k.name}).Ref() }

// verdict is how a listed table compares with what is stored about it.
type verdict int

const (
	same verdict = iota
	counted
	back // unchanged, but it had been gone or not describable
	added
	changed
	mute   // it cannot be described
	absurd // its name is too long for any warehouse
)

// listing compares the tables that a warehouse lists with those that are stored. It belongs to
// one refresh or check and is not safe for concurrent use.
type listing struct {
	known map[string]*storedTable // what is stored, by id
	seen  map[string]bool         // ids that were listed
	drift Drift                   // what was found so far

	addedBy map[string][]string // new tables by content hash
}

// newListing returns an empty listing; now is the time of the drift it reports.
func newListing(now time.Time) *listing {
	return &listing{known: map[string]*storedTable{}, seen: map[string]bool{}, drift: Drift{At: now}, addedBy: map[string][]string{}}
}

// load reads what is stored.
func (l *listing) load(ctx context.Context, db postgres.DB, of place) error {
	b := postgres.NewBatch(of.tenant)
	postgres.Many(b, queries.TableKnown, &dbsqlc.TableKnownParams{TenantID: of.tenant, WarehouseID: of.warehouse}, func(r *dbsqlc.TableKnownRow) error {
		l.known[r.ID] = &storedTable{r.SchemaName, r.Name, r.ContentHash, r.ApproximateRows, State(r.State), r.Sampled, r.Why}
		return nil
	})
	if err := b.Send(ctx, db); err != nil {
		return fmt.Errorf("read the tables that are known of warehouse %s: %w", of.warehouse, err)
	}
	return nil
}

// maxName bounds the name of a table in bytes; no make allows more than 1,024.
const maxName = 2000

// cannotDescribe is the reason stored for a table without columns, unless the warehouse gives one.
const cannotDescribe = "The warehouse does not describe its columns."

// noSamples begins the reasons stored for tables that are described, and of which rows could not be read.
const noSamples = "No samples: "

// whyMute returns why a table has no columns.
func whyMute(t *catalog.Table) string { return cmp.Or(t.Unread, cannotDescribe) }

// isMute reports whether the stored table could not be described.
func (k *storedTable) isMute() bool { return k.state == Failed && !strings.HasPrefix(k.why, noSamples) }

// look compares one listed table with what is stored. It counts the table in the drift. The
// content hash covers columns, keys and comment, but not the number of rows.
func (l *listing) look(id string, hash []byte, t *catalog.Table) verdict {
	k := l.known[id]
	if len(t.Schema) > maxName || len(t.Name) > maxName {
		l.fail(language.Clip(t.Ref(), 80), "Its name is too long.")
		return absurd
	}
	l.seen[id] = true
	l.drift.Tables++
	isNew := k == nil || k.state == Gone
	if isNew {
		l.drift.Added++
		l.drift.Detail.Added = first(l.drift.Detail.Added, t.Ref())
		l.addedBy[string(hash)] = append(l.addedBy[string(hash)], t.Ref())
	}
	switch {
	case len(t.Columns) == 0:
		l.fail(t.Ref(), whyMute(t))
		if k == nil {
			return added
		}
		if k.isMute() && k.why == whyMute(t) {
			return same
		}
		return mute
	case k == nil:
		return added
	case !bytes.Equal(k.hash, hash):
		return l.differs(isNew)
	case k.state == Gone, k.isMute():
		return back
	case farOff(k.rows, t.Rows):
		l.drift.Counted++
		return counted
	default:
		return same
	}
}

// differs returns the verdict on a table with another content hash, and counts it.
func (l *listing) differs(isNew bool) verdict {
	if isNew {
		return added
	}
	l.drift.Changed++
	return changed
}

// fail records a table that cannot be described or sampled.
func (l *listing) fail(ref, why string) {
	l.drift.Failed++
	l.drift.Detail.Failed = first(l.drift.Detail.Failed, Failure{ref, why})
}

// farOff reports whether a row count differs enough to be stored again, which is by more than a
// tenth: growing tables would otherwise be written on every refresh.
func farOff(was, is int64) bool {
	if was < 0 || is < 0 {
		return was != is
	}
	return max(was, is)-min(was, is) > max(was, is)/10
}

// gone returns the ids of tables that are no longer listed. It must be called after the last table.
func (l *listing) gone() []string {
	var out []string
	removedBy := map[string][]string{}
	for id, k := range l.known {
		if k.state == Gone || l.seen[id] {
			continue
		}
		out = append(out, id)
		removedBy[string(k.hash)] = append(removedBy[string(k.hash)], k.ref())
	}
	slices.SortFunc(out, func(a, b string) int { return strings.Compare(l.known[a].ref(), l.known[b].ref()) })
	l.drift.Removed = len(out)
	for _, id := range out {
		l.drift.Detail.Removed = first(l.drift.Detail.Removed, l.known[id].ref())
	}
	list := renames(l.addedBy, removedBy)
	slices.SortFunc(list, func(a, b Rename) int { return cmp.Compare(a.From, b.From) })
	l.drift.Detail.Renamed = list[:min(len(list), maxDetail)]
	return out
}

// Check compares a warehouse with what is stored about it, by one listing and without writing
// anything. It does not sample, so it reports no failures of sampling. It may run during a
// refresh.
func (x *Index) Check(ctx context.Context, tenant, id string, conn warehouse.Conn, schemas []string) (Drift, error) {
	of := place{tenant, id}
	l := newListing(time.Now())
	if err := l.load(ctx, x.pool, of); err != nil {
		return Drift{}, err
	}
	now := map[string]catalog.Table{} // changed tables that are listed in the drift
	err := conn.Tables(ctx, schemas, func(t catalog.Table) error {
		t = cleaned(t)
		id := tableID(t.Schema, t.Name)
		if l.look(id, contentHash(&t), &t) == changed && len(now) < maxDetail {
			now[id] = t
		}
		return nil
	})
	if err != nil {
		return Drift{}, err
	}
	l.gone()
	if err := l.compare(ctx, x.pool, of, now); err != nil {
		return Drift{}, err
	}
	l.drift.Took = time.Since(l.drift.At)
	return l.drift, nil
}

// compare lists in the drift how the columns of changed tables differ from the stored ones.
func (l *listing) compare(ctx context.Context, db postgres.DB, of place, now map[string]catalog.Table) error {
	b := postgres.NewBatch(of.tenant)
	l.queueCompare(b, of, now)
	if err := b.Send(ctx, db); err != nil {
		return fmt.Errorf("read the columns that are known of warehouse %s: %w", of.warehouse, err)
	}
	changes := l.drift.Detail.Changed
	slices.SortFunc(changes, func(a, b TableChange) int { return strings.Compare(a.Table, b.Table) })
	return nil
}

// queueCompare queues that comparison; it must come before the new columns are written in b.
func (l *listing) queueCompare(b *postgres.Batch, of place, now map[string]catalog.Table) {
	if len(now) == 0 {
		return
	}
	ids := make([]string, 0, len(now))
	for id := range now {
		ids = append(ids, id)
	}
	postgres.Many(b, queries.TableColumns, &dbsqlc.TableColumnsParams{TenantID: of.tenant, WarehouseID: of.warehouse, Ids: ids}, func(r *dbsqlc.TableColumnsRow) error {
		before, err := columnsOf(r.Columns)
		t := now[r.ID]
		l.drift.Detail.Changed = first(l.drift.Detail.Changed, changeOf(t.Ref(), before, t.Columns))
		return err
	})
}
