package metrics

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/research/warehouse/connections"
	"quaestor/research/warehouse/metrics/internal/dbsqlc"
)

// MaxDefinitions is how many definitions a warehouse may have. A model is shown those that a
// question names, so that it bounds what is searched, not what is read.
const MaxDefinitions = 1_000

// queries are the generated queries of this package.
var queries = dbsqlc.New()

// Store stores the definitions of all organisations. Both fields are required.
type Store struct {
	Pool        *pgxpool.Pool
	Connections *connections.Store
}

// List returns the definitions over a warehouse, metrics first, by name. A warehouse that is not
// there has none. Definitions that were saved before the tables of the warehouse were read are
// checked as soon as they were.
func (s Store) List(ctx context.Context, tenant, warehouse string) ([]Definition, error) {
	out, err := s.stored(ctx, tenant, warehouse)
	if err != nil || !slices.ContainsFunc(out, Definition.waits) {
		return out, err
	}
	return out, s.settle(ctx, tenant, warehouse, out)
}

// Usable returns the definitions over a warehouse that were checked and found right: those by which
// figures may be computed.
func (s Store) Usable(ctx context.Context, tenant, warehouse string) ([]Definition, error) {
	list, err := s.List(ctx, tenant, warehouse)
	return slices.DeleteFunc(list, func(d Definition) bool { return d.Unchecked }), err
}

// stored returns the definitions as they are stored.
func (s Store) stored(ctx context.Context, tenant, warehouse string) (out []Definition, err error) {
	err = postgres.InTx(ctx, s.Pool, tenant, func(tx pgx.Tx) error {
		out, err = list(ctx, tx, tenant, warehouse)
		return err
	})
	return out, worded(err, "list metrics")
}

// waits reports whether d is still to be checked.
func (d Definition) waits() bool { return d.Unchecked && d.Problem == "" }

// settle checks the definitions of a list that wait for it, if the tables of the warehouse are known
// by now and it can be asked how it reads SQL.
func (s Store) settle(ctx context.Context, tenant, warehouse string, list []Definition) error {
	c, err := s.checkerOver(ctx, tenant, warehouse, list)
	if err != nil || c.Checker == nil {
		if fault.Is(err, fault.Unavailable) { // it is checked another time
			return nil
		}
		return err
	}
	defer func() { _ = c.Close() }() // nothing was sent through it
	return worded(postgres.InTx(ctx, s.Pool, tenant, func(tx pgx.Tx) error {
		for i := range list {
			d := &list[i]
			if !d.waits() {
				continue
			}
			checked, err := c.check(d.Spec)
			if err == nil {
				d.Spec, d.Unchecked = checked, false
			} else if d.Problem = problemOf(err); d.Problem == "" {
				return err
			}
			document, err := json.Marshal(document{d.Spec, d.Unchecked, d.Problem})
			if err != nil {
				return err
			}
			if err := queries.MetricSettle(ctx, tx, &dbsqlc.MetricSettleParams{TenantID: tenant, WarehouseID: warehouse, Name: d.Name, Version: int32(d.Version), Definition: document}); err != nil {
				return err
			}
		}
		return nil
	}), "check metrics")
}

// problemOf words why a spec was refused: the field, and what is wrong with it; empty for another
// kind of error.
func problemOf(err error) string {
	var f *fault.Error
	if !errors.As(err, &f) || f.Kind != fault.Unprocessable {
		return ""
	}
	return strings.TrimSpace(f.Field + ": " + f.Message)
}

func list(ctx context.Context, tx pgx.Tx, tenant, warehouse string) ([]Definition, error) {
	rows, err := queries.MetricList(ctx, tx, &dbsqlc.MetricListParams{TenantID: tenant, WarehouseID: warehouse, Most: MaxDefinitions})
	if err != nil {
		return nil, err
	}
	out := make([]Definition, len(rows))
	for i, row := range rows {
		if out[i], err = fromRow(row); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Named returns one definition, or a NotFound.
func (s Store) Named(ctx context.Context, tenant, warehouse, name string) (Definition, error) {
	list, err := s.List(ctx, tenant, warehouse)
	if err != nil {
		return Definition{}, err
	}
	for _, d := range list {
		if d.Name == name {
			return d, nil
		}
	}
	return Definition{}, errNoMetric()
}

func errNoMetric() *fault.Error {
	return fault.New(fault.NotFound, "there is no such metric or dimension").Coded("metric_not_found")
}

// Find returns the definitions over a warehouse that a question names; see the function [Find].
func (s Store) Find(ctx context.Context, tenant, warehouse, question string) ([]Match, error) {
	list, err := s.Usable(ctx, tenant, warehouse)
	if err != nil {
		return nil, err
	}
	return Find(list, question), nil
}

// Save stores a definition of that name: a new one if version is 0, else in the place of that
// version. It is Unprocessable, with the field, if the spec is wrong, names a table or column that
// the warehouse does not have, or the guard of the warehouse would not let its SQL run. While the
// tables of the warehouse were not read, it is stored unchecked. It is a Conflict if there is one of the name already, or if it was
// changed since that version.
func (s Store) Save(ctx context.Context, tenant, warehouse, by string, version int, spec Spec) (Definition, error) {
	all, err := s.List(ctx, tenant, warehouse)
	if err != nil {
		return Definition{}, err
	}
	c, err := s.checkerOver(ctx, tenant, warehouse, all)
	if err != nil {
		return Definition{}, err
	}
	defer func() { _ = c.Close() }() // nothing was sent through it
	if version == 0 && len(c.known) >= MaxDefinitions {
		return Definition{}, fault.New(fault.Conflict, "a warehouse has at most %d metrics and dimensions; delete some first", MaxDefinitions).Coded("too_many_metrics")
	}
	if spec, err = c.check(spec); err != nil {
		return Definition{}, err
	}
	if err := c.keepsParts(spec); err != nil {
		return Definition{}, err
	}
	var out Definition
	err = postgres.InTx(ctx, s.Pool, tenant, func(tx pgx.Tx) error {
		out, err = put(ctx, tx, tenant, warehouse, by, version, document{Spec: spec, Unchecked: c.Checker == nil})
		return err
	})
	return out, worded(err, "save metric "+spec.Name)
}

// keepsParts refuses to make what ratios are made of something else than a metric with an
// expression.
func (c *checker) keepsParts(s Spec) error {
	if s.Kind == Metric && !s.IsRatio() {
		return nil
	}
	for _, other := range c.known {
		if other.Numerator == s.Name || other.Denominator == s.Name {
			return wrong("kind", "the ratio %s is made of it; it stays a metric with an expression", other.Name)
		}
	}
	return nil
}

// document is a spec as it is stored, with what its check came to.
type document struct {
	Spec
	Unchecked bool   `json:"unchecked,omitempty"`
	Problem   string `json:"problem,omitempty"`
}

// put stores a spec.
func put(ctx context.Context, tx pgx.Tx, tenant, warehouse, by string, version int, spec document) (Definition, error) {
	body, err := json.Marshal(spec)
	if err != nil {
		return Definition{}, err
	}
	row, err := queries.MetricPut(ctx, tx, &dbsqlc.MetricPutParams{TenantID: tenant, WarehouseID: warehouse, Kind: string(spec.Kind), Name: spec.Name, Definition: body, By: by, Version: int32(version)})
	switch {
	case errors.Is(err, pgx.ErrNoRows) && version == 0:
		return Definition{}, fault.New(fault.Conflict, "there is a metric or dimension %s already; change it, or choose another name", spec.Name).At("name").Coded("name_taken")
	case errors.Is(err, pgx.ErrNoRows):
		return Definition{}, fault.New(fault.Conflict, "%s was changed meanwhile; look at it again", spec.Name).Coded("metric_changed")
	case err != nil:
		return Definition{}, err
	case version != 0 && row.Version == 1: // it was deleted meanwhile; the insertion is rolled back
		return Definition{}, errNoMetric()
	}
	return fromRow(row)
}

// Delete deletes a definition. It is a Conflict while a ratio is made of it.
func (s Store) Delete(ctx context.Context, tenant, warehouse, name string) error {
	err := postgres.InTx(ctx, s.Pool, tenant, func(tx pgx.Tx) error {
		all, err := list(ctx, tx, tenant, warehouse)
		if err != nil {
			return err
		}
		if i := slices.IndexFunc(all, func(d Definition) bool { return d.Numerator == name || d.Denominator == name }); i >= 0 {
			return fault.New(fault.Conflict, "the ratio %s is made of %s; delete that first", all[i].Name, name).Coded("metric_in_use")
		}
		_, err = queries.MetricDelete(ctx, tx, &dbsqlc.MetricDeleteParams{TenantID: tenant, WarehouseID: warehouse, Name: name})
		return err
	})
	return worded(err, "delete metric "+name)
}

// fromRow converts a row of the table of definitions.
func fromRow(r *dbsqlc.WarehouseMetric) (Definition, error) {
	out := Definition{ID: r.ID, Warehouse: r.WarehouseID, Version: int(r.Version), CreatedBy: r.CreatedBy, CreatedAt: r.CreatedAt, ChangedBy: r.ChangedBy, ChangedAt: r.ChangedAt}
	var of document
	if err := json.Unmarshal(r.Definition, &of); err != nil {
		return out, fmt.Errorf("read metric %s: %w", r.ID, err)
	}
	out.Spec, out.Unchecked, out.Problem = of.Spec, of.Unchecked, of.Problem
	out.Kind, out.Name = Kind(r.Kind), r.Name
	return out, nil
}

// worded turns errors of the database into faults for people, and wraps all others. what is the
// operation, for logs.
func worded(err error, what string) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, pgx.ErrNoRows):
		return errNoMetric().Because(err)
	case postgres.Code(err) == "22P02": // not a valid id
		return fault.New(fault.NotFound, "there is no such warehouse").Coded("warehouse_not_found").Because(err)
	case postgres.Constraint(err) == "warehouse_metrics_warehouse_fkey", postgres.Constraint(err) == "warehouse_examples_warehouse_fkey":
		return fault.New(fault.NotFound, "there is no such warehouse").Coded("warehouse_not_found").Because(err)
	case fault.KindOf(err) != fault.Internal:
		return err
	}
	return fmt.Errorf("%s: %w", what, err)
}
