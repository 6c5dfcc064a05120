package metrics

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"quaestor/internal/fault"
	"quaestor/internal/language"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/connections"
	"quaestor/research/warehouse/guard"
)

// checker checks the SQL of specs for one warehouse.
type checker struct {
	*connections.Checker // nil while the tables of the warehouse were not read
	tables               *tables
	known                map[string]Spec // the definitions that there are, by name
}

// checker returns the checker of a warehouse. It is a Conflict while the tables of the warehouse
// were not read.
func (s Store) checker(ctx context.Context, tenant, warehouse string) (*checker, error) {
	list, err := s.List(ctx, tenant, warehouse)
	if err != nil {
		return nil, err
	}
	c, err := s.checkerOver(ctx, tenant, warehouse, list)
	if err == nil && c.Checker == nil {
		return nil, fault.New(fault.Conflict, "the tables of this warehouse were not read yet; have them read on its page first").Coded("not_read")
	}
	return c, err
}

// checkerOver returns the checker of a warehouse with those definitions. While the tables of the
// warehouse were not read, its Checker is nil, and only what needs no tables is checked.
func (s Store) checkerOver(ctx context.Context, tenant, warehouse string, list []Definition) (*checker, error) {
	out := &checker{known: make(map[string]Spec, len(list))}
	for _, d := range list {
		out.known[d.Name] = d.Spec
	}
	c, err := s.Connections.Checker(ctx, tenant, warehouse)
	switch {
	case fault.Is(err, fault.Conflict):
		return out, nil
	case err != nil:
		return nil, err
	}
	out.Checker, out.tables = c, tablesOf(c.Snapshot().Tables)
	return out, nil
}

// Close ends c.
func (c *checker) Close() error {
	if c.Checker == nil {
		return nil
	}
	return c.Checker.Close()
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
	if c.Checker == nil {
		return s, nil
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
	if c.Checker == nil {
		return nil
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
		stmt, err := c.checked(p.field, alone.query(d))
		if err != nil {
			return err
		}
		if err := c.columns(p.field, s.Table, p.sql, stmt.Columns); err != nil {
			return err
		}
		if p.field == "expression" && s.Kind == Metric && len(stmt.Columns) > 0 && !strings.Contains(p.sql, "(") {
			return wrong("expression", "gives a value for each row; a metric is one figure over all of them, such as SUM(%s)", p.sql)
		}
	}
	if s.Kind == Dimension {
		return c.refusal("expression", s.Members(d))
	}
	return c.refusal("expression", s.Statement(d))
}

// refusal returns what the guard has against a statement, as a fault of a field.
func (c *checker) refusal(field, sql string) error {
	_, err := c.checked(field, sql)
	return err
}

// checked returns a statement as the guard lets it run, or what the guard has against it as a fault
// of a field.
func (c *checker) checked(field, sql string) (guard.Statement, error) {
	out, err := c.Check(sql)
	var r *guard.Refusal
	if errors.As(err, &r) {
		return out, wrong(field, "cannot run: %s", r).Coded("metric_refused")
	}
	if err != nil {
		return out, fmt.Errorf("check a metric: %w", err)
	}
	return out, nil
}

// ownNames matches SQL that may define names of its own: queries within it, aliases, and functions
// without a name.
var ownNames = regexp.MustCompile(`(?i)\bselect\b|\blambda\b|->`)

// columns refuses a part of a definition that names a column which its table does not have. A part
// that may define names of its own is left to the warehouse.
func (c *checker) columns(field, table, sql string, named []guard.Column) error {
	t := c.tables.named(table)
	if t == nil || len(t.Columns) == 0 || ownNames.MatchString(sql) && !strings.Contains(sql, "->>") {
		return nil
	}
	for _, n := range named {
		missing := n.Name
		switch {
		case hasColumn(t, n.Name) && (n.Table == "" || strings.EqualFold(n.Table, t.Name)):
			continue
		case n.Table != "" && (hasColumn(t, n.Table) || hasColumn(t, n.Table+"."+n.Name)): // a document and its field
			continue
		case n.Table != "" && !strings.EqualFold(n.Table, t.Name):
			missing = n.Table
		case n.Table == "" && strings.EqualFold(n.Name, t.Name): // the row as a whole
			continue
		}
		return wrong(field, "%s has no column %q; %s", table, missing, columnsNear(t, missing)).Coded("no_such_column")
	}
	return nil
}

// hasColumn reports whether a table has a column of a name, or one that is part of it, as ClickHouse
// writes nested ones.
func hasColumn(t *catalog.Table, name string) bool {
	return slices.ContainsFunc(t.Columns, func(c catalog.Column) bool {
		return strings.EqualFold(c.Name, name) || len(c.Name) > len(name) && c.Name[len(name)] == '.' && strings.EqualFold(c.Name[:len(name)], name)
	})
}

// likePrefix is how many letters two names have to begin with in common for one to be taken for a slip
// of the other: totl, total.
const likePrefix = 3

// columnsNear names the columns that may have been meant, or else the first ones.
func columnsNear(t *catalog.Table, name string) string {
	const shown = 12
	all := namesOf(t)
	low := strings.ToLower(name)
	near := slices.DeleteFunc(slices.Clone(all), func(own string) bool {
		own = strings.ToLower(own)
		return !strings.Contains(own, low) && !strings.Contains(low, own) && !strings.HasPrefix(own, low[:min(len(low), likePrefix)])
	})
	if len(near) > 0 {
		return "perhaps " + language.And(near[:min(len(near), 3)])
	}
	if len(all) > shown {
		return "it has " + strings.Join(all[:shown], ", ") + " and others"
	}
	return "it has " + language.And(all)
}

// namesOf returns the names of the columns of a table.
func namesOf(t *catalog.Table) []string {
	out := make([]string, len(t.Columns))
	for i := range t.Columns {
		out[i] = t.Columns[i].Name
	}
	return out
}
