package data

import (
	"context"
	"slices"
	"strings"
	"time"

	"quaestor/internal/fault"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/connections"
	"quaestor/research/warehouse/schema"
	"quaestor/web"
)

// tableQuery selects tables of a warehouse. A search has one page.
type tableQuery struct {
	ID     string `path:"id" doc:"id of the warehouse"`
	Search string `query:"search" maxLength:"200" pattern:"^[^\\x00]*$" doc:"words; names, columns and meanings are searched"`
	After  string `query:"cursor" maxLength:"500" pattern:"^[^\\x00]*$"`
	Limit  int    `query:"limit" minimum:"1" maximum:"200" default:"100"`
}

// tableBody is a table of a warehouse.
type tableBody struct {
	Ref     string  `json:"ref" doc:"its name, qualified"`
	Columns int     `json:"columns,omitempty"`
	Rows    int64   `json:"rows,omitempty" doc:"as the warehouse estimates them"`
	Access  string  `json:"access,omitempty" enum:"whole,filtered,opened,closed" doc:"whether the connection's filter is on it; closed tables cannot be read"`
	Path    string  `json:"path,omitempty" doc:"how the filter reaches it: its column, or the foreign keys that lead there"`
	Line    string  `json:"line,omitempty" doc:"in short; of a search"`
	Score   float64 `json:"score,omitempty" doc:"of a search, 0 to 1"`
	Because string  `json:"because,omitempty" doc:"what matched"`
}

// driftBody is what a refresh of a warehouse's tables found against the one before.
type driftBody struct {
	At      time.Time     `json:"at"`
	Seconds float64       `json:"seconds" doc:"how long it took"`
	Tables  int           `json:"tables" doc:"tables there are now"`
	Added   int           `json:"added"`
	Removed int           `json:"removed"`
	Changed int           `json:"changed" doc:"tables with other columns, keys or comment"`
	Failed  int           `json:"failed" doc:"tables that cannot be described or sampled"`
	Why     string        `json:"why,omitempty" doc:"why it ended early"`
	Changes []driftChange `json:"changes" nullable:"false" doc:"the first hundred of each kind"`
}

// driftChange is what happened to a table since the refresh before. Pages show it too.
type driftChange struct {
	Table  string `json:"table"`
	Change string `json:"change" enum:"new,gone,changed,renamed,failed"`
	Detail string `json:"detail,omitempty"`
}

func toDriftBody(d schema.Drift) driftBody {
	return driftBody{d.At, d.Took.Seconds(), d.Tables, d.Added, d.Removed, d.Changed, d.Failed, d.Why,
		driftChanges(d.Detail)}
}

// refreshing is the answer to the order of a refresh; clients know its schema as
// Refreshing.
type refreshing struct {
	Running bool `json:"running"`
}

// refreshWarehouse queues a refresh. It is not running any more by the time of the
// answer if a worker was very quick.
func (s *Handlers) refreshWarehouse(ctx context.Context, in *warehouseID) (refreshing, error) {
	tenant := web.ActorFrom(ctx).Tenant
	if err := s.Connections.EnqueueRefresh(ctx, s.Queue, tenant, in.ID); err != nil {
		return refreshing{}, err
	}
	isRunning, err := s.Connections.Refreshing(ctx, s.Queue, tenant, in.ID)
	return refreshing{isRunning}, err
}

// listTables answers with an empty list before the tables were first read.
func (s *Handlers) listTables(ctx context.Context, in *tableQuery) (web.Page[tableBody], error) {
	tenant := web.ActorFrom(ctx).Tenant
	w, err := s.Connections.Find(ctx, tenant, in.ID)
	if err != nil {
		return web.Page[tableBody]{}, err
	}
	if in.Search == "" {
		return s.tablePage(ctx, w, in)
	}
	snapshot, err := s.Connections.Load(ctx, tenant, in.ID)
	if fault.Is(err, fault.Conflict) { // never read
		return web.Page[tableBody]{Items: []tableBody{}}, nil
	}
	if err != nil {
		return web.Page[tableBody]{}, err
	}
	hits, err := s.Index.Search(ctx, snapshot, in.Search, min(in.Limit, warehouse.MaxSearchTopK))
	return web.Page[tableBody]{Items: web.Map(hits, func(h warehouse.Hit) tableBody {
		return tableBody{Ref: h.Ref, Line: h.Line, Score: h.Score, Because: h.Because}
	})}, err
}

// tablePage returns a page of the tables of w by name, those that are closed included. It is empty
// before the tables were first read.
func (s *Handlers) tablePage(ctx context.Context, w connections.Warehouse, in *tableQuery) (web.Page[tableBody], error) {
	snapshot, err := s.Index.Load(ctx, w.Tenant, w.ID)
	if fault.Is(err, fault.Conflict) {
		return web.Page[tableBody]{Items: []tableBody{}}, nil
	}
	if err != nil {
		return web.Page[tableBody]{}, err
	}
	all := []tableBody{}
	for i, a := range w.AccessTo(snapshot) {
		t := &snapshot.Tables[i]
		if a.Ref > in.After {
			all = append(all, tableBody{Ref: a.Ref, Columns: len(t.Columns), Rows: max(t.Rows, 0), Access: string(a.Access), Path: a.Path})
		}
	}
	slices.SortFunc(all, func(a, b tableBody) int { return strings.Compare(a.Ref, b.Ref) })
	out := web.Page[tableBody]{Items: all[:min(len(all), in.Limit)]}
	if len(all) > in.Limit {
		out.NextCursor = all[in.Limit-1].Ref
	}
	return out, nil
}

func (s *Handlers) listDrift(ctx context.Context, in *warehouseID) (web.Page[driftBody], error) {
	tenant := web.ActorFrom(ctx).Tenant
	if _, err := s.Connections.Find(ctx, tenant, in.ID); err != nil {
		return web.Page[driftBody]{}, err
	}
	list, err := s.Index.Refreshes(ctx, tenant, in.ID, 0)
	return web.Page[driftBody]{Items: web.Map(list, toDriftBody)}, err
}
