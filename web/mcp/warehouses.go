package mcp

import (
	"context"
	"fmt"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/connections"
	"quaestor/web"
)

// maxSearch bounds the words of a search, in characters.
const maxSearch = 200

// warehouseList is what an organisation has connected. Addresses and secrets are not shown.
type warehouseList struct {
	Warehouses []warehouseItem `json:"warehouses"`
	More       bool            `json:"more" jsonschema:"there are more than are listed"`
}

type warehouseItem struct {
	ID      string   `json:"id"`
	Name    string   `json:"name"`
	Kind    string   `json:"kind" jsonschema:"make, such as postgresql"`
	Schemas []string `json:"schemas,omitempty" jsonschema:"whose tables are read; none for the usual ones"`
	State   string   `json:"state,omitempty" jsonschema:"what the last test of it found"`
}

type tableArgs struct {
	WarehouseID string `json:"warehouseId" jsonschema:"from list_warehouses"`
	Search      string `json:"search" jsonschema:"words for what is wanted; names, columns and meanings are searched"`
	Limit       int    `json:"limit,omitempty" jsonschema:"1 to 50; 20 without it"`
}

// tableList is the tables that a search found.
type tableList struct {
	Tables []tableItem `json:"tables" jsonschema:"the best first"`
	Unread bool        `json:"unread" jsonschema:"the tables of the warehouse were not read yet, so that none is found"`
}

type tableItem struct {
	Name    string  `json:"name" jsonschema:"qualified"`
	Columns string  `json:"line" jsonschema:"its columns in short"`
	Score   float64 `json:"score" jsonschema:"0 to 1"`
	Because string  `json:"because,omitempty" jsonschema:"what matched"`
}

func (s *Handlers) addWarehouseTools(server *sdk.Server) {
	add(s, server, tool{name: "list_warehouses", title: "List warehouses", needs: auth.Review,
		description: "The data warehouses that the organisation has connected."}, s.listWarehouses)
	add(s, server, tool{name: "search_tables", title: "Search tables", needs: auth.Review,
		description: "Finds tables of a warehouse by words and by meaning."}, s.searchTables)
}

func (s *Handlers) listWarehouses(ctx context.Context, _ noArgs) (warehouseList, error) {
	list, err := s.Connections.List(ctx, web.ActorFrom(ctx).Tenant)
	if err != nil {
		return warehouseList{}, err
	}
	out := warehouseList{More: len(list) > maxRows}
	out.Warehouses = web.Map(list[:min(len(list), maxRows)], func(w connections.Warehouse) warehouseItem {
		item := warehouseItem{ID: w.ID, Name: w.Name, Kind: string(w.Kind), Schemas: w.Schemas[:min(len(w.Schemas), maxRows)]}
		if w.Test != nil {
			item.State = clip(w.Test.Says, maxValue)
		}
		return item
	})
	return out, nil
}

func (v warehouseList) text() string {
	out := []string{fmt.Sprintf("%d warehouses:", len(v.Warehouses))}
	for _, w := range v.Warehouses {
		out = append(out, fmt.Sprintf("- %s (%s), id %s", w.Name, w.Kind, w.ID))
	}
	return lines(out)
}

func (s *Handlers) searchTables(ctx context.Context, in tableArgs) (tableList, error) {
	out := tableList{Tables: []tableItem{}}
	limit, err := limitOf(in.Limit)
	if err != nil {
		return out, err
	}
	if in.Limit == 0 {
		limit = 20
	}
	if err := checkWords("search", in.Search); err != nil {
		return out, err
	}
	tenant := web.ActorFrom(ctx).Tenant
	if _, err := s.Connections.Find(ctx, tenant, in.WarehouseID); err != nil {
		return out, err
	}
	snapshot, err := s.Connections.Load(ctx, tenant, in.WarehouseID)
	if fault.Is(err, fault.Conflict) { // never read
		out.Unread = true
		return out, nil
	}
	if err != nil {
		return out, err
	}
	hits, err := s.Index.Search(ctx, snapshot, in.Search, min(limit, warehouse.MaxSearchTopK))
	if err != nil {
		return out, err
	}
	for _, h := range hits {
		out.Tables = append(out.Tables, tableItem{h.Ref, clip(h.Line, maxText), h.Score, h.Because})
	}
	return out, nil
}

// checkWords refuses words that are no search.
func checkWords(field, words string) error {
	if n := utf8.RuneCountInString(words); n == 0 || n > maxSearch {
		return fault.New(fault.Unprocessable, "has 1 to %d characters, not %d", maxSearch, n).At(field)
	}
	return withoutNUL(map[string]string{field: words})
}

func (v tableList) text() string {
	if v.Unread {
		return "The tables of this warehouse were not read yet. Somebody who manages the organisation has them read on its page."
	}
	out := []string{fmt.Sprintf("%d tables, the best first:", len(v.Tables))}
	for _, t := range v.Tables {
		out = append(out, "- "+t.Columns)
	}
	return lines(out)
}
