package schema

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"quaestor/internal/postgres"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/schema/internal/dbsqlc"
)

// saveRow is a table with everything that the listing tells about it. This row and the two below
// are in the form in which a statement takes many of them, as JSON.
type saveRow struct {
	ID      string      `json:"id"`
	Schema  string      `json:"schema_name"`
	Name    string      `json:"name"`
	Comment string      `json:"comment"`
	Rows    int64       `json:"approximate_rows"`
	Columns []columnRow `json:"columns"`
	Keys    []keyRow    `json:"keys"`
	Hash    string      `json:"content_hash"` // as byteaText writes it
	State   string      `json:"state"`
	Why     string      `json:"why"`
}

// markRow is what changes about a table whose content did not.
type markRow struct {
	ID    string `json:"id"`
	Rows  int64  `json:"approximate_rows"`
	State string `json:"state"`
	Why   string `json:"why"`
}

// textRow is a text by which a table or column is found.
type textRow struct {
	Kind    string `json:"kind"` // table or column
	ID      string `json:"id"`
	Content string `json:"content"`
	Words   string `json:"words"` // a tsvector, as text
}

// writeBatch is a batch of rows that are written together.
type writeBatch struct {
	saves   []saveRow // new and changed tables
	marks   []markRow // tables of which little changed
	texts   []textRow // not stored yet
	columns int       // of saves, all in all
}

// tables returns how many tables the batch writes.
func (w *writeBatch) tables() int { return len(w.saves) + len(w.marks) }

// save adds a table that is new or changed. One without columns is saved as failed:
// the role may see its name and nothing else.
func (w *writeBatch) save(id string, hash []byte, t *catalog.Table) {
	row := saveRow{id, t.Schema, t.Name, t.Comment, t.Rows, columnRows(t.Columns), keyRows(t.Foreign), byteaText(hash), string(OK), ""}
	if len(t.Columns) == 0 {
		row.State, row.Why = string(Failed), whyMute(t)
	}
	w.saves, w.columns = append(w.saves, row), w.columns+len(t.Columns)
}

// byteaText returns bytes in the form in which the database reads them from JSON.
func byteaText(b []byte) string { return `\x` + hex.EncodeToString(b) }

// mark adds a table of which only the number of rows or the state has changed.
func (w *writeBatch) mark(m markRow) { w.marks = append(w.marks, m) }

// text adds a text for the search of tables.
func (w *writeBatch) text(kind, id, content, words string) {
	w.texts = append(w.texts, textRow{kind, id, content, words})
}

// flush writes the batch atomically and begins another.
func (r *refresh) flush(ctx context.Context) error {
	w := r.batch
	r.batch = writeBatch{}
	if w.tables() == 0 && len(w.texts) == 0 {
		return nil
	}
	b := postgres.NewBatch(r.tenant)
	r.queueCompare(b, r.place, r.changedNow)
	if err := w.queue(ctx, b, r); err != nil {
		return err
	}
	if err := b.Send(ctx, r.db); err != nil {
		return fmt.Errorf("write tables of warehouse %s: %w", r.warehouse, err)
	}
	clear(r.changedNow)
	return nil
}

// queue queues the statements that write w.
func (w *writeBatch) queue(ctx context.Context, b *postgres.Batch, r *refresh) error {
	err := rows(w.saves, func(body []byte) {
		_ = queries.TableSave(ctx, b, &dbsqlc.TableSaveParams{TenantID: r.tenant, WarehouseID: r.warehouse, SeenAt: r.drift.At, Rows: body})
	})
	if err != nil {
		return err
	}
	err = rows(w.marks, func(body []byte) {
		_ = queries.TableMark(ctx, b, &dbsqlc.TableMarkParams{TenantID: r.tenant, WarehouseID: r.warehouse, SeenAt: r.drift.At, Rows: body})
	})
	if err != nil {
		return err
	}
	err = rows(w.texts, func(body []byte) {
		_ = queries.TextSave(ctx, b, &dbsqlc.TextSaveParams{TenantID: r.tenant, WarehouseID: r.warehouse, Rows: body})
	})
	_ = queries.SchemaTouch(ctx, b, &dbsqlc.SchemaTouchParams{TenantID: r.tenant, WarehouseID: r.warehouse})
	return err
}

// rows calls f with list as JSON, unless it is empty.
func rows[R any](list []R, f func(body []byte)) error {
	if len(list) == 0 {
		return nil
	}
	body, err := json.Marshal(list)
	if err != nil {
		return fmt.Errorf("encode rows: %w", err)
	}
	f(body)
	return nil
}

// maxDropped is how many texts one statement deletes.
const maxDropped = 5_000

// whyGone is the reason stored for a table that is no longer listed.
const whyGone = "The warehouse does not list it any more."

// forget marks tables that are gone, and deletes texts that no longer belong to any table or column.
func (r *refresh) forget(ctx context.Context) error {
	gone := r.gone()
	for len(gone) > 0 {
		n := min(len(gone), maxDropped)
		for _, id := range gone[:n] {
			r.batch.mark(markRow{id, r.known[id].rows, string(Gone), whyGone})
		}
		if err := r.drop(ctx, kindTable, gone[:n]); err != nil {
			return err
		}
		gone = gone[n:]
	}
	var unused []string
	for id, column := range r.texts {
		if column && !r.wanted[id] && !r.keepAll {
			unused = append(unused, id)
		}
	}
	for len(unused) > 0 {
		n := min(len(unused), maxDropped)
		if err := r.drop(ctx, kindColumn, unused[:n]); err != nil {
			return err
		}
		unused = unused[n:]
	}
	return nil
}

// drop deletes texts, together with whatever else is in the batch.
func (r *refresh) drop(ctx context.Context, kind string, ids []string) error {
	w := r.batch
	r.batch = writeBatch{}
	b := postgres.NewBatch(r.tenant)
	_ = queries.TextDrop(ctx, b, &dbsqlc.TextDropParams{TenantID: r.tenant, WarehouseID: r.warehouse, Kind: kind, Ids: ids})
	if err := w.queue(ctx, b, r); err != nil {
		return err
	}
	if err := b.Send(ctx, r.db); err != nil {
		return fmt.Errorf("forget %ss of warehouse %s: %w", kind, r.warehouse, err)
	}
	return nil
}
