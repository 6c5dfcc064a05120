package metrics

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"quaestor/internal/fault"
	"quaestor/research/warehouse/connections"
	"quaestor/research/warehouse/guard"
)

// checker checks the SQL of specs for one warehouse.
type checker struct {
	*connections.Checker
	tables *tables
	known  map[string]Spec // the definitions that there are, by name
}

// checker returns the checker of a warehouse. It is a Conflict while the tables of the warehouse
// were not read.
func (s Store) checker(ctx context.Context, tenant, warehouse string) (*checker, error) {
	list, err := s.List(ctx, tenant, warehouse)
	if err != nil {
		return nil, err
	}
	c, err := s.Connections.Checker(ctx, tenant, warehouse)
	if err != nil {
		return nil, err
	}
	out := &checker{c, tablesOf(c.Snapshot().Tables), make(map[string]Spec, len(list))}
	for _, d := range list {
		out.known[d.Name] = d.Spec
	}
	return out, nil
}

// check returns s as it is stored, with the name of its table as the catalog has it, or an
// Unprocessable that names the field at fault.
func (c *checker) check(s Spec) (Spec, error) {
	s = s.trimmed()
	if err := s.Check(); err != nil {
		return s, err
	}
	if err := c.free(&s); err != nil {
		return s, err
	}
	if s.IsRatio() {
		return s, c.checkParts(&s)
	}
	var err error
	if s.Table, err = c.tables.resolve(s.Table); err != nil {
		return s, err
	}
	return s, c.checkSQL(&s)
}

// free refuses a spec that is called what another is called: nobody could tell which of them a
// question means.
func (c *checker) free(s *Spec) error {
	mine := map[string]string{}
	for i, synonym := range s.Synonyms {
		mine[folded(synonym)] = fmt.Sprintf("synonyms[%d]", i)
	}
	mine[folded(s.Label)] = "label"
	mine[folded(strings.ReplaceAll(s.Name, "_", " "))] = "name"
	delete(mine, "")
	for _, name := range slices.Sorted(maps.Keys(c.known)) {
		other := c.known[name]
		if name == s.Name {
			continue
		}
		for _, called := range other.names() {
			if field, taken := mine[folded(called)]; taken {
				return wrong(field, "%q is a name of %s already; choose another, or change %s", called, name, name)
			}
		}
	}
	return nil
}

// folded returns the words of a name as [Find] compares them.
func folded(name string) string {
	var out []string
	for _, w := range wordsOf(name) {
		out = append(out, w.text)
	}
	return strings.Join(out, " ")
}

// checkParts refuses a ratio of what is no metric, or a ratio itself.
func (c *checker) checkParts(s *Spec) error {
	for _, part := range []struct{ field, name string }{{"numerator", s.Numerator}, {"denominator", s.Denominator}} {
		known, ok := c.known[part.name]
		if !ok || known.Kind != Metric {
			return wrong(part.field, "there is no metric %q; define it first", part.name)
		}
		if known.IsRatio() {
			return wrong(part.field, "%s is a ratio itself; name a metric with an expression", part.name)
		}
	}
	return c.refusal("numerator", s.Statement(c.Dialect(), c.known[s.Numerator], c.known[s.Denominator]))
}

// checkSQL asks the guard about each part of s by itself, so that the field at fault is known,
// and then about the whole.
func (c *checker) checkSQL(s *Spec) error {
	d := c.Dialect()
	bare := Spec{Kind: s.Kind, Table: s.Table, Expression: "1"}
	if err := c.refusal("table", bare.query(d)); err != nil {
		return err
	}
	parts := []struct{ field, sql string }{{"expression", s.Expression}}
	for i, f := range s.Filters {
		parts = append(parts, struct{ field, sql string }{fmt.Sprintf("filters[%d]", i), f})
	}
	if s.Time != "" {
		parts = append(parts, struct{ field, sql string }{"time", s.Time})
	}
	for _, p := range parts {
		if err := guard.CheckFragment(d, p.sql); err != nil {
			return wrong(p.field, "%s", err)
		}
		alone := bare
		if strings.HasPrefix(p.field, "filters") {
			alone.Filters = []string{p.sql}
		} else {
			alone.Expression = p.sql
		}
		if err := c.refusal(p.field, alone.query(d)); err != nil {
			return err
		}
	}
	if s.Kind == Dimension {
		return c.refusal("expression", s.Members(d))
	}
	return c.refusal("expression", s.Statement(d))
}

// refusal returns what the guard has against a statement, as a fault of a field.
func (c *checker) refusal(field, sql string) error {
	_, err := c.Check(sql)
	var r *guard.Refusal
	if errors.As(err, &r) {
		return wrong(field, "cannot run: %s", r).Coded("metric_refused")
	}
	return fault.Wrap(err, "check a metric")
}
