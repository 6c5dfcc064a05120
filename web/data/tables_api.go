package data

import (
	"context"
	"slices"
	"strings"
	"time"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/schema"
	"quaestor/web"
)

// tableQuery asks for tables of a warehouse.
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
	Line    string  `json:"line,omitempty" doc:"in short; of a search"`
	Score   float64 `json:"score,omitempty" doc:"of a search, 0 to 1"`
	Because string  `json:"because,omitempty" doc:"what matched"`
}

// driftBody says what a look at a warehouse found, against the look before.
type driftBody struct {
	At      time.Time     `json:"at"`
	Seconds float64       `json:"seconds" doc:"that it took"`
	Tables  int           `json:"tables" doc:"there are"`
	Added   int           `json:"added"`
	Removed int           `json:"removed"`
	Changed int           `json:"changed" doc:"tables whose columns, keys or comment are others"`
	Failed  int           `json:"failed" doc:"tables that cannot be described or sampled"`
	Why     string        `json:"why,omitempty" doc:"it ended early"`
	Changes []driftChange `json:"changes" nullable:"false" doc:"the first hundred of each sort"`
}

// driftChange is what happened to a table.
type driftChange struct {
	Table  string `json:"table"`
	Change string `json:"change" enum:"new,gone,changed,renamed,failed"`
	Detail string `json:"detail,omitempty"`
}

func toDriftBody(d schema.Drift) driftBody {
	return driftBody{d.At, d.Took.Seconds(), d.Tables, d.Added, d.Removed, d.Changed, d.Failed, d.Why,
		web.Map(driftRows(d.Detail), func(r DriftRow) driftChange { return driftChange{r.Table, r.Change, r.Detail} })}
}

// refreshing says that the tables of a warehouse are being read.
type refreshing struct {
	Running bool `json:"running"`
}

func (s *Handlers) refreshWarehouse(ctx context.Context, in *warehousePath) (refreshing, error) {
	a, err := web.NeedManager(ctx)
	if err != nil {
		return refreshing{}, err
	}
	if err := s.refresh(ctx, a.Tenant, in.ID); err != nil {
		return refreshing{}, err
	}
	now, err := s.refreshing(ctx, a.Tenant, in.ID)
	return refreshing{now}, err
}

// listTables answers with no tables while none were read.
func (s *Handlers) listTables(ctx context.Context, in *tableQuery) (web.Page[tableBody], error) {
	a := web.ActorFrom(ctx)
	if err := web.Need(a, auth.Review); err != nil {
		return web.Page[tableBody]{}, err
	}
	if _, err := s.Connections.Find(ctx, a.Tenant, in.ID); err != nil {
		return web.Page[tableBody]{}, err
	}
	snapshot, err := s.Index.Load(ctx, a.Tenant, in.ID)
	if fault.Is(err, fault.Conflict) {
		return web.Page[tableBody]{Items: []tableBody{}}, nil
	}
	if err != nil {
		return web.Page[tableBody]{}, err
	}
	if in.Search == "" {
		return tablePage(snapshot.Tables, in.After, in.Limit), nil
	}
	hits, err := s.Index.Search(ctx, snapshot, in.Search, min(in.Limit, warehouse.MaxSearchTopK))
	return web.Page[tableBody]{Items: web.Map(hits, func(h warehouse.Hit) tableBody {
		return tableBody{Ref: h.Ref, Line: h.Line, Score: h.Score, Because: h.Because}
	})}, err
}

// tablePage returns tables after a name, by name.
func tablePage(list []catalog.Table, after string, most int) web.Page[tableBody] {
	all := []tableBody{}
	for i := range list {
		t := &list[i]
		if ref := t.Ref(); ref > after {
			all = append(all, tableBody{Ref: ref, Columns: len(t.Columns), Rows: max(t.Rows, 0)})
		}
	}
	slices.SortFunc(all, func(a, b tableBody) int { return strings.Compare(a.Ref, b.Ref) })
	out := web.Page[tableBody]{Items: all[:min(len(all), most)]}
	if len(all) > most {
		out.NextCursor = all[most-1].Ref
	}
	return out
}

func (s *Handlers) listDrift(ctx context.Context, in *warehousePath) (web.Page[driftBody], error) {
	a := web.ActorFrom(ctx)
	if err := web.Need(a, auth.Review); err != nil {
		return web.Page[driftBody]{}, err
	}
	if _, err := s.Connections.Find(ctx, a.Tenant, in.ID); err != nil {
		return web.Page[driftBody]{}, err
	}
	looks, err := s.Index.Refreshes(ctx, a.Tenant, in.ID, 0)
	return web.Page[driftBody]{Items: web.Map(looks, toDriftBody)}, err
}
