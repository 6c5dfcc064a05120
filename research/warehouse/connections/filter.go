package connections

import (
	"context"
	"slices"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/guard"
	"quaestor/research/warehouse/schema"
)

// Access is how the tables of a warehouse may be read through its filter.
type Access string

// The ways.
const (
	Whole    Access = "whole"    // there is no filter
	Filtered Access = "filtered" // only the rows that the filter leaves
	Opened   Access = "opened"   // as a whole: nothing ties it to the filter, and somebody has opened it
	Closed   Access = "closed"   // not at all: nothing ties it to the filter
)

// TableAccess is how one table may be read.
type TableAccess struct {
	Ref    string // qualified name
	Access Access
	Path   string // of Filtered, how the filter reaches it, such as "order_id → shop.orders.customer_id"
}

// accessOf returns how each of some tables may be read through a filter, in their order.
func accessOf(list []guard.Relation, f guard.Filter, open []string) []TableAccess {
	out := make([]TableAccess, len(list))
	for i, tie := range guard.Ties(list, f) {
		t := &catalog.Table{Schema: list[i].Schema, Name: list[i].Name}
		out[i] = TableAccess{Ref: t.Ref(), Access: Whole, Path: tie.Path}
		switch {
		case f.Column == "":
		case tie.Tied():
			out[i].Access = Filtered
		case slices.Contains(open, out[i].Ref):
			out[i].Access = Opened
		default:
			out[i].Access = Closed
		}
	}
	return out
}

// AccessTo returns how each table of a snapshot of w may be read, in the order of the snapshot.
func (w Warehouse) AccessTo(all *schema.Snapshot) []TableAccess {
	return accessOf(all.Relations(), w.Filter, w.Open)
}

// Load returns what is indexed of a warehouse as its filter lets it be seen: without tables that
// are closed, and without samples of those that the filter is on, which would show rows of others.
// It is a Conflict while nothing is indexed.
func (s *Store) Load(ctx context.Context, tenant, id string) (*schema.Snapshot, error) {
	w, err := s.Find(ctx, tenant, id)
	if err != nil {
		return nil, err
	}
	snapshot, err := s.Index.Load(ctx, tenant, id)
	if err != nil || w.Filter.Column == "" {
		return snapshot, err
	}
	return seen(snapshot, w), nil
}

// seen returns the part of a snapshot that the filter of w lets be seen.
func seen(all *schema.Snapshot, w Warehouse) *schema.Snapshot {
	if w.Filter.Column == "" {
		return all
	}
	tables := make([]catalog.Table, 0, len(all.Tables))
	for i, a := range w.AccessTo(all) {
		t := all.Tables[i]
		if a.Access == Filtered {
			t.Samples, t.Categories = nil, nil
		}
		if a.Access != Closed {
			tables = append(tables, t)
		}
	}
	return all.With(tables)
}

// filteredConn is a connection that samples only tables that may be read as a whole. Its tables
// have to be listed first: which of them the filter is on follows from all of their keys.
type filteredConn struct {
	warehouse.Conn
	warehouse Warehouse
	relations []guard.Relation // as listed
	access    map[string]Access
}

// Tables implements [warehouse.Conn].
func (d *filteredConn) Tables(ctx context.Context, schemas []string, each func(catalog.Table) error) error {
	d.relations, d.access = nil, map[string]Access{}
	err := d.Conn.Tables(ctx, schemas, func(t catalog.Table) error {
		d.relations = append(d.relations, schema.RelationOf(&t))
		return each(t)
	})
	for _, a := range accessOf(d.relations, d.warehouse.Filter, d.warehouse.Open) {
		d.access[a.Ref] = a.Access
	}
	return err
}

// Sample implements [warehouse.Conn]. A table that was not listed is not sampled.
func (d *filteredConn) Sample(ctx context.Context, t catalog.Table, n int) (*warehouse.Result, error) {
	if d.access[t.Ref()] != Opened {
		return &warehouse.Result{}, nil
	}
	return d.Conn.Sample(ctx, t, n)
}
