package schema

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"quaestor/internal/language"
	"quaestor/internal/postgres"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/digest"
	"quaestor/research/warehouse/schema/internal/dbsqlc"
)

// Bounds of samples.
const (
	sampleRows     = 3   // rows of a table that are kept
	askedRows      = 20  // rows that are asked for, from which values of columns are taken as well
	mostCategories = 8   // different values in a column that has categories
	mostDistinct   = 50  // different values that such a column may have in the whole table, if known
	categoryRunes  = 40  // characters of a category
	sampleRunes    = 256 // characters of a value
	samplers       = 4   // tables sampled concurrently
	samplesAtOnce  = 200 // tables whose samples are written in one batch
	sampledColumns = 200 // the first columns of a table
)

// sampledRow is the outcome of sampling a table.
type sampledRow struct {
	ID      string     `json:"id"`
	Hash    string     `json:"content_hash"` // of the table when it was sampled
	Samples [][]string `json:"samples"`

	Categories map[string][]string `json:"categories"`

	State string `json:"state"` // ok or failed
	Why   string `json:"why"`
	ref   string // for the drift
}

// sample samples the tables that need it, several concurrently, and writes the samples as they
// arrive. A table that fails is stored with the reason.
func (r *refresh) sample(ctx context.Context) error {
	if len(r.toSample) == 0 {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	work, done := make(chan *catalog.Table), make(chan sampledRow)
	var workers sync.WaitGroup
	for range min(samplers, len(r.toSample)) {
		workers.Go(func() {
			for t := range work {
				done <- r.sampleOf(ctx, t)
			}
		})
	}
	go func() { // ends when all tables are handed out or ctx ends; then the workers end, and done is closed
		defer func() { close(work); workers.Wait(); close(done) }()
		for i := range r.toSample {
			select {
			case work <- &r.toSample[i]:
			case <-ctx.Done():
				return
			}
		}
	}()
	err := r.collect(ctx, done)
	cancel()
	for range done { // wait until the last workers have ended
	}
	return err
}

// collect writes what the samplers return.
func (r *refresh) collect(ctx context.Context, done <-chan sampledRow) error {
	var list []sampledRow
	n := 0
	for row := range done {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		n++
		if row.State == string(Failed) {
			k := r.known[row.ID]
			r.fail(row.ref, row.Why)
			if k != nil && k.state == Failed && k.why == row.Why && k.sampled {
				continue // unchanged
			}
		}
		if list = append(list, row); len(list) == samplesAtOnce {
			if err := r.writeSamples(ctx, list); err != nil {
				return err
			}
			list = list[:0]
			r.progress(Progress{"sampling", n, len(r.toSample)})
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	r.progress(Progress{"sampling", n, len(r.toSample)})
	return r.writeSamples(ctx, list)
}

// writeSamples stores the samples of several tables.
func (r *refresh) writeSamples(ctx context.Context, list []sampledRow) error {
	if len(list) == 0 {
		return nil
	}
	body, err := json.Marshal(list)
	if err != nil {
		return fmt.Errorf("encode samples: %w", err)
	}
	now := time.Now()
	err = queriesIn(ctx, r.db, r.tenant, func(b *postgres.Batch) {
		_ = queries.TableSampled(ctx, b, &dbsqlc.TableSampledParams{TenantID: r.tenant, WarehouseID: r.warehouse, SampledAt: &now, Rows: body})
		_ = queries.SchemaTouch(ctx, b, &dbsqlc.SchemaTouchParams{TenantID: r.tenant, WarehouseID: r.warehouse})
	})
	if err != nil {
		return fmt.Errorf("write samples of warehouse %s: %w", r.warehouse, err)
	}
	return nil
}

// sampleOf samples one table.
func (r *refresh) sampleOf(ctx context.Context, t *catalog.Table) sampledRow {
	out := sampledRow{ID: tableID(t.Schema, t.Name), Hash: byteaText(contentHash(t)), Samples: [][]string{}, Categories: map[string][]string{}, State: string(OK), ref: t.Ref()}
	ctx, cancel := context.WithTimeout(ctx, r.sampleTime)
	defer cancel()
	res, err := r.conn.Sample(ctx, *t, askedRows)
	if err != nil {
		out.State, out.Why = string(Failed), noSamples+sentence(err)
		return out
	}
	out.Samples = masked(t, res, r.mask)
	out.Categories = categories(t.Columns, out.Samples)
	out.Samples = out.Samples[:min(len(out.Samples), sampleRows)]
	return out
}

// people matches names of columns whose values identify people. Even a few such values are shown as
// pseudonyms.
var people = regexp.MustCompile(`(?i)(^|_)(e_?mail|phone|mobile|telephone|fax|ssn|iban|passport|tax_?id|national_?id|card_?(no|number)|birth(day|_?date)|street|address_?(line)?_?\d?|` +
	`(first|last|full|given|family|sur|middle|maiden|user|login|customer|client|member|patient|employee|person|contact|guest|owner)_?name|surname|username|login|password|secret|token|ip(_?address)?)$`)

// masked returns the samples of a table in the order of its columns, with pseudonyms for what
// identifies people and long values cut.
func masked(t *catalog.Table, res *warehouse.Result, m digest.Mask) [][]string {
	list := res.Columns[:min(len(res.Columns), sampledColumns)]
	at := make(map[string]int, len(list)) // indexes in the result
	for i := range list {
		at[list[i].Name] = i
	}
	cells := digest.Compact(list, m).AllRows
	out := make([][]string, min(len(cells), askedRows))
	for _, c := range t.Columns[:min(len(t.Columns), sampledColumns)] {
		i, ok := at[c.Name]
		hide := ok && people.MatchString(spaced(c.Name, '_'))
		for r := range out {
			text := ""
			if ok {
				text = sampleText(cells[r][i])
			}
			if hide && text != "" && text != "null" {
				text = m.Pseudonym(text)
			}
			out[r] = append(out[r], text)
		}
	}
	return out
}

// categories returns the values of columns that have few different ones, by column, from masked
// rows. A column counts only if its values recur, twice each on average, and if it is not known to
// have many values beyond these rows: a value that recurs usually tells of a kind and not of a person.
// Numbers, dates, long texts and pseudonyms are none.
func categories(columns []catalog.Column, rows [][]string) map[string][]string {
	out := map[string][]string{}
	for c := range columns {
		if columns[c].Distinct > mostDistinct || ofTime.MatchString(columns[c].Type) {
			continue
		}
		var list []string
		n := 0
		for _, row := range rows {
			if c >= len(row) || row[c] == "" || row[c] == "null" {
				continue
			}
			if !isCategory(row[c]) {
				list = nil
				break
			}
			n++
			if !slices.Contains(list, row[c]) {
				list = append(list, row[c])
			}
		}
		if len(list) > 0 && len(list) <= mostCategories && n >= 2*len(list) {
			slices.Sort(list)
			out[columns[c].Name] = list
		}
	}
	return out
}

// ofTime matches types of dates and times.
var ofTime = regexp.MustCompile(`(?i)date|time`)

// isCategory reports whether a masked value may be that of a category.
func isCategory(v string) bool {
	return v[0] != '~' && utf8.RuneCountInString(v) <= categoryRunes && strings.ContainsFunc(v, unicode.IsLetter) && !strings.ContainsAny(v, "~@{[")
}

// sampleText returns a cell as text.
func sampleText(cell json.RawMessage) string {
	var s string
	if json.Unmarshal(cell, &s) == nil && string(cell) != "null" {
		return language.Clip(clean(s), sampleRunes)
	}
	return language.Clip(clean(string(cell)), sampleRunes)
}

// ForgetSamples deletes the samples of a warehouse in the caller's transaction, because other rows
// may be seen from now on. The next refresh takes them again.
func (x *Index) ForgetSamples(ctx context.Context, tx pgx.Tx, tenant, id string) error {
	err := queries.SamplesForget(ctx, tx, &dbsqlc.SamplesForgetParams{TenantID: tenant, WarehouseID: id})
	if err == nil {
		err = queries.SchemaTouch(ctx, tx, &dbsqlc.SchemaTouchParams{TenantID: tenant, WarehouseID: id})
	}
	if err != nil {
		return fmt.Errorf("delete the samples of warehouse %s: %w", id, err)
	}
	return nil
}
