package data

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"

	"quaestor/internal/fault"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/connections"
	"quaestor/research/warehouse/schema"
	"quaestor/web"
)

// Limits of what the page of a warehouse shows of its tables. maxSearch is in
// characters, and what the API takes as well.
const (
	shownTables  = 40
	shownChanges = 60
	maxSearch    = 200
)

// fillIndex adds what is known of the tables: those that a search finds, else the first
// by name.
func (s *Handlers) fillIndex(r *http.Request, v *WarehouseView) error {
	ctx := r.Context()
	isRunning, errRunning := s.Connections.Refreshing(ctx, s.Queue, v.Tenant, v.ID)
	last, errLast := s.Index.Refreshes(ctx, v.Tenant, v.ID, 1)
	if err := cmp.Or(errRunning, errLast); err != nil {
		return err
	}
	v.Index.Running = isRunning
	if len(last) > 0 {
		v.Index.Last = last[0]
		changes := driftChanges(last[0].Detail)
		v.Index.Changes = changes[:min(len(changes), shownChanges)]
	}
	snapshot, err := s.Index.Load(ctx, v.Tenant, v.ID)
	if fault.Is(err, fault.Conflict) { // never read
		return nil
	}
	if err != nil {
		return err
	}
	v.Index.Tables = len(snapshot.Tables)
	for i := range snapshot.Tables {
		v.Index.Columns += len(snapshot.Tables[i].Columns)
	}
	access := v.AccessTo(snapshot)
	v.Index.fillAccess(access)
	if v.Index.Search = strings.TrimSpace(r.URL.Query().Get("find")); v.Index.Search != "" {
		return s.fillHits(ctx, snapshot, access, v)
	}
	for i := range snapshot.Tables[:min(len(snapshot.Tables), shownTables)] {
		v.Index.Hits = append(v.Index.Hits, tableHit(snapshot.Index, i, "", access[i]))
	}
	v.Index.More = max(v.Index.Tables-shownTables, 0)
	return nil
}

// tableHit returns table i of an index as a line of the list. because tells what
// matched a search.
func tableHit(x *catalog.Index, i int, because string, a connections.TableAccess) TableHit {
	out := TableHit{Table: x.Table(i), Because: because, Access: a}
	for _, j := range x.Joins(i) {
		if !slices.Contains(out.JoinsTo, j.Table) {
			out.JoinsTo = append(out.JoinsTo, j.Table)
		}
	}
	return out
}

// fillHits adds the tables that the search finds. A search that is too long is cut.
func (s *Handlers) fillHits(ctx context.Context, snapshot *schema.Snapshot, access []connections.TableAccess, v *WarehouseView) error {
	if r := []rune(v.Index.Search); len(r) > maxSearch {
		v.Index.Search = string(r[:maxSearch])
	}
	shown, err := s.Connections.Load(ctx, v.Tenant, v.ID) // without samples of filtered tables
	if err != nil {
		return err
	}
	hits, err := s.Index.Search(ctx, shown, v.Index.Search, warehouse.MaxSearchTopK)
	for _, h := range hits {
		if i, ok, _ := snapshot.Index.Find(h.Ref); ok {
			v.Index.Hits = append(v.Index.Hits, tableHit(snapshot.Index, i, h.Because, access[i]))
		}
	}
	return err
}

// driftChanges returns the changes that a refresh found, those first that break
// queries: tables that failed, have another name or are gone. It is never nil.
func driftChanges(d schema.DriftDetail) []driftChange {
	out := web.Map(d.Failed, func(f schema.Failure) driftChange { return driftChange{f.Table, "failed", f.Why} })
	out = append(out, web.Map(d.Renamed, func(r schema.Rename) driftChange { return driftChange{r.From, "renamed", "now " + r.To} })...)
	out = append(out, web.Map(d.Removed, func(table string) driftChange { return driftChange{table, "gone", ""} })...)
	out = append(out, web.Map(d.Changed, func(c schema.TableChange) driftChange { return driftChange{c.Table, "changed", changeWords(c)} })...)
	return append(out, web.Map(d.Added, func(table string) driftChange { return driftChange{table, "new", ""} })...)
}

// changeWords tells how a table changed.
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

// submitRefresh queues a refresh of the tables.
func (s *Handlers) submitRefresh(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	if err := s.Connections.EnqueueRefresh(r.Context(), s.Queue, web.ActorFrom(r.Context()).Tenant, id); err != nil {
		return err
	}
	return web.EndForm(w, r, warehousePath(id)+"?done=refresh#tables")
}
