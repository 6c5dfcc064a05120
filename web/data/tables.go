package data

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/schema"
	"quaestor/web"
)

// Bounds of what a page says of the tables of a warehouse.
const (
	shownTables = 40
	shownDrift  = 60
	maxFind     = 200
)

// fillIndex says what is known of the tables, those that a search finds or else the
// first ones.
func (s *Handlers) fillIndex(r *http.Request, a auth.Actor, v *WarehouseView) error {
	ctx, index := r.Context(), s.Index
	running, err := s.refreshing(ctx, a.Tenant, v.ID)
	if err != nil {
		return err
	}
	v.Index.Running = running
	if err := s.fillDrift(ctx, a, v); err != nil {
		return err
	}
	snapshot, err := index.Load(ctx, a.Tenant, v.ID)
	if fault.Is(err, fault.Conflict) { // nothing is known yet
		return nil
	}
	if err != nil {
		return err
	}
	v.Index.Tables = len(snapshot.Tables)
	for i := range snapshot.Tables {
		v.Index.Columns += len(snapshot.Tables[i].Columns)
	}
	if v.Index.Search = strings.TrimSpace(r.URL.Query().Get("find")); v.Index.Search != "" {
		return s.fillHits(ctx, snapshot, v)
	}
	for i := range snapshot.Tables[:min(len(snapshot.Tables), shownTables)] {
		v.Index.Hits = append(v.Index.Hits, tableHit(snapshot.Index, i, ""))
	}
	v.Index.More = max(v.Index.Tables-shownTables, 0)
	return nil
}

// tableHit shows table i of an index.
func tableHit(x *catalog.Index, i int, because string) TableHit {
	t := x.Table(i)
	out := TableHit{Ref: t.Ref(), Says: t.Comment, Columns: len(t.Columns), Rows: t.Rows, Because: because}
	for _, j := range x.Joins(i) {
		if !slices.Contains(out.Leads, j.Table) {
			out.Leads = append(out.Leads, j.Table)
		}
	}
	return out
}

// fillHits lists the tables that words find.
func (s *Handlers) fillHits(ctx context.Context, snapshot *schema.Snapshot, v *WarehouseView) error {
	if r := []rune(v.Index.Search); len(r) > maxFind {
		v.Index.Search = string(r[:maxFind])
	}
	hits, err := s.Index.Search(ctx, snapshot, v.Index.Search, warehouse.MaxSearchTopK)
	for _, h := range hits {
		if i, ok, _ := snapshot.Index.Find(h.Ref); ok {
			v.Index.Hits = append(v.Index.Hits, tableHit(snapshot.Index, i, h.Because))
		}
	}
	return err
}

// fillDrift says what the last look found.
func (s *Handlers) fillDrift(ctx context.Context, a auth.Actor, v *WarehouseView) error {
	looks, err := s.Index.Refreshes(ctx, a.Tenant, v.ID, 1)
	if err != nil || len(looks) == 0 {
		return err
	}
	d := looks[0]
	v.Index.At, v.Index.Took, v.Index.Failed, v.Index.Failure = d.At, d.Took, d.Failed, d.Why
	rows := driftRows(d.Detail)
	v.Index.Drift = rows[:min(len(rows), shownDrift)]
	return nil
}

// driftRows are the changes of a look, those that matter most first.
func driftRows(d schema.DriftDetail) []DriftRow {
	var out []DriftRow
	for _, f := range d.Failed {
		out = append(out, DriftRow{Change: "failed", Table: f.Table, Detail: f.Why})
	}
	for _, r := range d.Renamed {
		out = append(out, DriftRow{Change: "renamed", Table: r.From, Detail: "now " + r.To})
	}
	for _, t := range d.Removed {
		out = append(out, DriftRow{Change: "gone", Table: t})
	}
	for _, c := range d.Changed {
		out = append(out, DriftRow{Change: "changed", Table: c.Table, Detail: changeWords(c)})
	}
	for _, t := range d.Added {
		out = append(out, DriftRow{Change: "new", Table: t})
	}
	return out
}

// changeWords say what changed of a table.
func changeWords(c schema.TableChange) string {
	var parts []string
	if len(c.Added) > 0 {
		parts = append(parts, "new: "+strings.Join(c.Added, ", "))
	}
	if len(c.Removed) > 0 {
		parts = append(parts, "gone: "+strings.Join(c.Removed, ", "))
	}
	for _, r := range c.Retyped {
		parts = append(parts, r.Column+" was "+r.From+", is "+r.To)
	}
	if len(parts) == 0 {
		return "keys, comment or the order of columns"
	}
	return strings.Join(parts, "; ")
}

// refreshHere has the tables read again.
func (s *Handlers) refreshHere(w http.ResponseWriter, r *http.Request) error {
	a, err := web.NeedManager(r.Context())
	if err != nil {
		return err
	}
	if err := s.refresh(r.Context(), a.Tenant, r.PathValue("id")); err != nil {
		return err
	}
	return web.EndForm(w, r, "/data/warehouses/"+r.PathValue("id")+"?done=refresh#tables")
}
