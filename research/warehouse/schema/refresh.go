package schema

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/fault"
	"quaestor/internal/language"
	"quaestor/internal/postgres"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/digest"
	"quaestor/research/warehouse/schema/internal/dbsqlc"
)

// Progress is the progress of a refresh or an encoding.
type Progress struct {
	Doing string // "listing", "sampling" or "encoding"
	Done  int    // tables, or texts for encoding
	Of    int    // the total; 0 if not known yet
}

// Bounds of one batch of writes.
const (
	// A batch is one transaction. Its size bounds memory, and how much a refresh that fails has
	// to repeat.
	batchTables  = 500
	batchColumns = 20_000
)

// refresh is the state of one refresh.
type refresh struct {
	*Index
	place
	*listing
	conn     warehouse.Conn
	db       *pgxpool.Conn  // holds the advisory lock, and is used for writing
	progress func(Progress) // never nil
	mask     digest.Mask    // with the warehouse's key, for samples

	texts      map[string]bool          // stored texts by id; true for columns
	wanted     map[string]bool          // ids of columns that some table has
	keepAll    bool                     // a table keeps stored columns that the listing does not show
	batch      writeBatch               // what is not written yet
	changedNow map[string]catalog.Table // tables in batch whose changes are to be listed
	toSample   []catalog.Table          // in the order of the listing
}

// Refresh updates what is stored about a warehouse to what it holds within schemas, and returns the
// difference. It reads one listing, writes what differs, and samples tables that are new, changed, or
// could not be sampled before. Tables can be found as soon as they are written. A table that cannot be
// read is counted and stored with the reason. If the listing or the database fails, Refresh returns an
// error; what was written stays, no table is marked as gone, and the next refresh continues.
//
// progress may be nil. While another refresh of the same warehouse runs it is a Conflict. Vectors are
// computed by [Index.Encode].
func (x *Index) Refresh(ctx context.Context, tenant, id string, conn warehouse.Conn, schemas []string, progress func(Progress)) (Drift, error) {
	of := place{tenant, id}
	h, err := x.hold(ctx, of, "refresh", "a refresh of this warehouse is running")
	if err != nil {
		return Drift{}, err
	}
	defer h.leave(ctx)
	if progress == nil {
		progress = func(Progress) {}
	}
	r := &refresh{Index: x, place: of, listing: newListing(time.Now()), conn: conn, db: h.Conn, progress: progress,
		texts: map[string]bool{}, wanted: map[string]bool{}, changedNow: map[string]catalog.Table{}}
	if err := r.begin(ctx); err != nil {
		return Drift{}, err
	}
	err = r.run(ctx, schemas)
	return r.finish(ctx, err)
}

// begin creates the warehouse's row if it has none, and reads what is stored.
func (r *refresh) begin(ctx context.Context) error {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // never fails
	b := postgres.NewBatch(r.tenant)
	_ = queries.SchemaBegin(ctx, b, &dbsqlc.SchemaBeginParams{TenantID: r.tenant, WarehouseID: r.warehouse, MaskKey: key})
	postgres.Many(b, queries.SchemaHead, &dbsqlc.SchemaHeadParams{TenantID: r.tenant, WarehouseID: r.warehouse}, func(row *dbsqlc.SchemaHeadRow) error {
		r.mask.Key = row.MaskKey
		return nil
	})
	postgres.Many(b, queries.TextKnown, &dbsqlc.TextKnownParams{TenantID: r.tenant, WarehouseID: r.warehouse}, func(row *dbsqlc.TextKnownRow) error {
		r.texts[row.ID] = row.Kind == kindColumn
		return nil
	})
	err := b.Send(ctx, r.db)
	if code := postgres.Code(err); code == "23503" || code == "22P02" { // no such warehouse, or not a valid id
		return fault.New(fault.NotFound, "there is no such warehouse").Because(err)
	}
	if err != nil {
		return fmt.Errorf("begin to look into warehouse %s: %w", r.warehouse, err)
	}
	return r.load(ctx, r.db, r.place)
}

// run lists, writes, removes and samples. What was written stays even if a later part fails.
func (r *refresh) run(ctx context.Context, schemas []string) error {
	if err := r.conn.Tables(ctx, schemas, func(t catalog.Table) error { return r.table(ctx, cleaned(t)) }); err != nil {
		return errors.Join(err, r.flush(ctx)) // keep what was listed so far
	}
	if err := r.flush(ctx); err != nil {
		return err
	}
	r.progress(Progress{"listing", r.drift.Tables, r.drift.Tables})
	if err := r.forget(ctx); err != nil {
		return err
	}
	return r.sample(ctx)
}

// table processes one table of the listing.
func (r *refresh) table(ctx context.Context, t catalog.Table) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	id, hash := tableID(t.Schema, t.Name), contentHash(&t)
	v := r.look(id, hash, &t)
	if v == absurd {
		return nil
	}
	r.queueTable(v, id, hash, &t)
	if r.drift.Tables%1000 == 0 {
		r.progress(Progress{"listing", r.drift.Tables, 0})
	}
	if r.batch.tables() >= batchTables || r.batch.columns >= batchColumns {
		return r.flush(ctx)
	}
	return nil
}

// queueTable puts into the batch what must be written about a table.
func (r *refresh) queueTable(v verdict, id string, hash []byte, t *catalog.Table) {
	switch v {
	case added, changed:
		if v == changed && len(r.drift.Detail.Changed)+len(r.changedNow) < maxDetail {
			r.changedNow[id] = *t
		}
		r.batch.save(id, hash, t)
	case back, counted:
		r.batch.mark(markRow{id, t.Rows, string(r.stateOf(v, id)), r.whyOf(v, id)})
	case mute:
		r.batch.mark(markRow{id, t.Rows, string(Failed), whyMute(t)})
	case same, absurd:
	}
	r.keepAll = r.keepAll || len(t.Columns) == 0
	r.textsOf(v, id, t)
	if k := r.known[id]; len(t.Columns) > 0 && (v == added || v == changed || !k.sampled || k.state == Failed) {
		r.toSample = append(r.toSample, *t)
	}
}

// stateOf and whyOf return the state and reason of a table of which only these are written.
func (r *refresh) stateOf(v verdict, id string) State {
	if v == back {
		return OK
	}
	return r.known[id].state
}

// whyOf returns why the table could not be read; a table that is back starts afresh.
func (r *refresh) whyOf(v verdict, id string) string {
	if v == back {
		return ""
	}
	return r.known[id].why
}

// textsOf puts the texts of a table and its columns into the batch unless they are stored already.
func (r *refresh) textsOf(v verdict, id string, t *catalog.Table) {
	for i := range t.Columns {
		c := &t.Columns[i]
		column := columnID(c)
		r.wanted[column] = true
		if _, ok := r.texts[column]; !ok {
			r.texts[column] = true
			r.batch.text(kindColumn, column, columnText(c), columnWords(c))
		}
	}
	if _, ok := r.texts[id]; !ok || v == added || v == changed {
		r.texts[id] = false
		r.batch.text(kindTable, id, tableText(t), tableWords(t))
	}
}

// finish stores the outcome of the refresh. It stores a refresh that failed, too, with the
// reason. The error joins failed and that of the database.
func (r *refresh) finish(ctx context.Context, failed error) (Drift, error) {
	ctx = context.WithoutCancel(ctx) // also after a cancelled refresh
	ctx, cancel := context.WithTimeout(ctx, leaveTime)
	defer cancel()
	d := &r.drift
	d.Took = time.Since(d.At)
	if failed != nil {
		d.Why = sentence(failed)
	}
	detail, err := json.Marshal(d.Detail)
	if err != nil {
		return *d, errors.Join(failed, err)
	}
	err = queriesIn(ctx, r.db, r.tenant, func(b *postgres.Batch) {
		_ = queries.RefreshSave(ctx, b, &dbsqlc.RefreshSaveParams{TenantID: r.tenant, WarehouseID: r.warehouse, At: d.At, TookMs: float64(d.Took.Microseconds()) / 1000,
			Tables: int32(d.Tables), Added: int32(d.Added), Removed: int32(d.Removed), Changed: int32(d.Changed), Failed: int32(d.Failed), Why: d.Why, Detail: detail})
	})
	if err != nil {
		err = fmt.Errorf("store what the look into warehouse %s came to: %w", r.warehouse, err)
	}
	return *d, errors.Join(failed, err)
}

// queriesIn sends the statements that f queues.
func queriesIn(ctx context.Context, db postgres.DB, tenant string, f func(b *postgres.Batch)) error {
	b := postgres.NewBatch(tenant)
	f(b)
	return b.Send(ctx, db)
}

// sentence returns for people why a warehouse could not be read. It is empty for nil. Errors that
// are not meant for people become one general sentence.
func sentence(err error) string {
	if err == nil {
		return ""
	}
	var q *warehouse.QueryError
	switch {
	case errors.As(err, &q):
		return language.Clip(clean(q.Error()), maxWhy)
	case errors.Is(err, context.DeadlineExceeded):
		return "It took too long."
	case errors.Is(err, context.Canceled):
		return "It was given up."
	}
	var f *fault.Error
	if errors.As(err, &f) {
		return language.Clip(clean(f.Error()), maxWhy)
	}
	return "It failed."
}

// maxWhy bounds such a sentence, in characters.
const maxWhy = 500
