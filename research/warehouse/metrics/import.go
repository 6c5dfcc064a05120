package metrics

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
)

// maxImport is how many definitions a document may have.
const maxImport = 500

// Change is what an import does with a definition.
type Change string

// The changes.
const (
	Added   Change = "new"
	Changed Change = "changed"
	Same    Change = "same"
	Refused Change = "refused"
)

// Planned is a definition of a document, and what an import does with it.
type Planned struct {
	Spec
	Change  Change
	Field   string // at fault; empty unless it is refused
	Problem string // what is wrong and what would be right
}

// Plan is what an import does.
type Plan struct {
	Format   Format
	Rows     []Planned // those with an expression before the ratios that are made of them
	Examples []PlannedExample
	Skipped  []Skipped
}

// PlannedExample is an example of a document. A problem is empty for one that is taken over.
type PlannedExample struct {
	WrittenExample
	Problem string
}

// Plan returns what [Store.Import] would do with a document, and changes nothing.
func (s Store) Plan(ctx context.Context, tenant, warehouse string, text []byte) (Plan, error) {
	return s.runImport(ctx, tenant, warehouse, text, nil)
}

// Import takes over a document: new definitions, changed ones in the place of those of the same
// name, and examples. What is refused is left out, and is no error. The error is that of
// [Parse], a Conflict while the tables of the warehouse were not read, or one if somebody
// changed a definition meanwhile.
func (s Store) Import(ctx context.Context, tenant, warehouse, by string, text []byte) (Plan, error) {
	return s.runImport(ctx, tenant, warehouse, text, func(ctx context.Context, p Plan, versions map[string]int) error {
		err := postgres.InTx(ctx, s.Pool, tenant, func(tx pgx.Tx) error {
			for _, row := range p.Rows {
				if row.Change != Added && row.Change != Changed {
					continue
				}
				if _, err := put(ctx, tx, tenant, warehouse, by, versions[row.Name], document{Spec: row.Spec}); err != nil {
					return err
				}
			}
			for _, e := range p.Examples {
				if e.Problem != "" {
					continue
				}
				if _, err := verify(ctx, tx, tenant, warehouse, by, e.Question, e.SQL); err != nil {
					return err
				}
			}
			return nil
		})
		return worded(err, "import metrics")
	})
}

// runImport plans an import and stores it, unless store is nil.
func (s Store) runImport(ctx context.Context, tenant, warehouse string, text []byte, store func(context.Context, Plan, map[string]int) error) (Plan, error) {
	d, err := Parse(text)
	if err != nil {
		return Plan{}, err
	}
	if len(d.Specs) > maxImport || len(d.Examples) > MaxExamples {
		return Plan{}, wrong("text", "defines %d metrics and dimensions and has %d examples; at most %d and %d are imported at once", len(d.Specs), len(d.Examples), maxImport, MaxExamples)
	}
	list, err := s.List(ctx, tenant, warehouse)
	if err != nil {
		return Plan{}, err
	}
	c, err := s.checker(ctx, tenant, warehouse)
	if err != nil {
		return Plan{}, err
	}
	defer func() { _ = c.Close() }() // nothing was sent through it
	versions := make(map[string]int, len(list))
	for _, have := range list {
		versions[have.Name] = have.Version
	}
	out := c.plan(d)
	if len(c.known) > MaxDefinitions {
		return out, fault.New(fault.Conflict, "a warehouse has at most %d metrics and dimensions", MaxDefinitions).Coded("too_many_metrics")
	}
	if store != nil {
		err = store(ctx, out, versions)
	}
	return out, err
}

// plan checks what a document defines. What passes is known to what comes after it.
func (c *checker) plan(d Document) Plan {
	out := Plan{Format: d.Format, Skipped: d.Skipped}
	slices.SortStableFunc(d.Specs, func(a, b Spec) int { return order(a) - order(b) })
	seen := map[string]bool{}
	for _, s := range d.Specs {
		row := c.planned(s)
		if seen[row.Name] && row.Change != Refused {
			row = Planned{Spec: row.Spec, Change: Refused, Field: "name", Problem: "is defined twice in the document; leave one out"}
		}
		seen[row.Name] = true
		if row.Change != Refused {
			c.known[row.Name] = row.Spec
		}
		out.Rows = append(out.Rows, row)
	}
	for _, e := range d.Examples {
		p := PlannedExample{WrittenExample: WrittenExample{strings.TrimSpace(e.Question), strings.TrimSpace(e.SQL)}}
		if err := c.checkExample(p.Question, p.SQL); err != nil {
			p.Problem = err.Error()
		}
		out.Examples = append(out.Examples, p)
	}
	return out
}

// order puts metrics before dimensions, and ratios behind both.
func order(s Spec) int {
	switch {
	case s.IsRatio():
		return 2
	case s.Kind == Dimension:
		return 1
	}
	return 0
}

// planned checks one definition of a document.
func (c *checker) planned(s Spec) Planned {
	checked, err := c.check(s)
	if err == nil {
		err = c.keepsParts(checked)
	}
	if err != nil {
		out := Planned{Spec: checked, Change: Refused, Problem: err.Error()}
		var f *fault.Error
		if errors.As(err, &f) {
			out.Field, out.Problem = f.Field, f.Message
		}
		return out
	}
	have, known := c.known[checked.Name]
	switch {
	case !known:
		return Planned{Spec: checked, Change: Added}
	case reflect.DeepEqual(have, checked):
		return Planned{Spec: checked, Change: Same}
	}
	return Planned{Spec: checked, Change: Changed}
}
