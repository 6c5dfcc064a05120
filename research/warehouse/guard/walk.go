package guard

import (
	"slices"
	"strconv"
	"strings"
)

// walk collects what is found on the way through a statement. The first refusal ends the walk:
// later ones are dropped, because they would often follow from the first. Its zero value is
// ready; it is used for one statement.
type walk struct {
	tables, held []string // qualified names, and those of them that are read through the filter
	columns      columns
	fault        *Refusal
	nodes, depth int // against maxNodes and maxDepth
	withs        int // how many queries of WITH have been renamed
}

// withName returns the name under which the next query of a WITH is printed. No table has
// it. Servers differ in where they see such a query (MariaDB does not see it in a WITH
// within FROM), and would otherwise read a table of the same name.
func (c *walk) withName() string {
	c.withs++
	return "quaestor_with_" + strconv.Itoa(c.withs)
}

// refuse keeps the first refusal.
func (c *walk) refuse(rule Rule, what, remedy string) {
	if c.fault == nil {
		c.fault = &Refusal{rule, what, remedy}
	}
}

// refuseUnknown keeps the refusal of a relation that is not found, unless there is one already.
func (c *walk) refuseUnknown(g *Guard, schema, name string) {
	r := g.unknown(schema, name)
	c.refuse(r.Rule, r.What, r.Remedy)
}

// enter counts a node and reports whether to descend into it.
func (c *walk) enter() bool {
	c.nodes++
	if c.depth++; c.depth > maxDepth || c.nodes > maxNodes {
		c.refuse(RuleSize, "the statement is too deep or too large", "write a simpler one")
	}
	return c.fault == nil
}

// leave ends what enter began.
func (c *walk) leave() { c.depth-- }

// read records a relation, once.
func (c *walk) read(r *relation) {
	name := dotted(r.Schema, r.Name)
	if !slices.Contains(c.tables, name) {
		c.tables = append(c.tables, name)
	}
	if r.filtered && !slices.Contains(c.held, name) {
		c.held = append(c.held, name)
	}
}

// columns are the references to columns that a walk has met.
type columns []Column

// refer records a reference, once. parts are those of its name; those before the last two, which
// are of a schema, are left out.
func (c *columns) refer(parts ...string) {
	var to Column
	switch n := len(parts); n {
	case 0:
		return
	case 1:
		to.Name = parts[0]
	default:
		to.Table, to.Name = parts[n-2], parts[n-1]
	}
	if !slices.Contains(*c, to) {
		*c = append(*c, to)
	}
}

// dotted returns schema.name, or only the name if there is no schema.
func dotted(schema, name string) string {
	if schema == "" {
		return name
	}
	return schema + "." + name
}

// scope holds the names that WITH gives to queries, innermost first.
type scope struct {
	names   []string
	printed []string // the names they are printed under
	above   *scope
}

// add gives a query its name.
func (s *scope) add(name, printed string) {
	s.names, s.printed = append(s.names, name), append(s.printed, printed)
}

// find returns the name under which the query called name is printed. It compares regardless of
// case, as servers do unless told otherwise. s may be nil.
func (s *scope) find(name string) (string, bool) {
	for ; s != nil; s = s.above {
		for i, n := range s.names {
			if strings.EqualFold(n, name) {
				return s.printed[i], true
			}
		}
	}
	return "", false
}
