package connections

import (
	"context"
	"errors"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/guard"
	"quaestor/research/warehouse/schema"
)

// Checker tells which statements a warehouse would be asked, without asking it. It is safe for
// concurrent use. [Checker.Close] ends it.
type Checker struct{ gateway *gateway }

// Checker returns the checker of a warehouse: its guards over the tables that are indexed. Only
// where the warehouse itself parses for the guard, which is DuckDB, does it connect. It is a
// Conflict while nothing is indexed.
func (s *Store) Checker(ctx context.Context, tenant, id string) (*Checker, error) {
	w, err := s.Find(ctx, tenant, id)
	if err != nil {
		return nil, err
	}
	snapshot, err := s.Index.Load(ctx, tenant, id)
	if err != nil {
		return nil, err
	}
	o := &gateway{store: s, warehouse: w, dialect: s.makes[w.Kind].Dialect(), all: snapshot, snapshot: seen(snapshot, w), limits: w.Limits.OrDefault()}
	if w.Kind == warehouse.DuckDB {
		if o.conn, _, err = s.reach(ctx, tenant, id); err != nil {
			return nil, err
		}
	}
	c := &Checker{o}
	if err := o.show(View{}); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// Dialect returns the dialect that statements are written in.
func (c *Checker) Dialect() guard.Dialect { return c.gateway.dialect }

// Snapshot returns what the warehouse held when it was indexed, as its filter lets it be seen.
func (c *Checker) Snapshot() *schema.Snapshot { return c.gateway.snapshot }

// Check returns the statement that would be sent in place of sql. The error is a
// [*guard.Refusal], or that of a parser that could not be asked.
func (c *Checker) Check(sql string) (guard.Statement, error) { return c.gateway.check(sql) }

// Close closes the connection, if there is one.
func (c *Checker) Close() error {
	if c.gateway.conn == nil {
		return nil
	}
	return c.gateway.Close()
}
