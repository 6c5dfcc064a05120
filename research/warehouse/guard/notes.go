package guard

import (
	"slices"
	"strconv"
	"strings"
)

// notes are what a walk over a tree finds. The first fault ends it.
type notes struct {
	tables, held []string
	fault        *Refusal
	nodes, depth int
	withs        int // queries that WITH has named so far
}

// withName returns what the next query of a WITH is called when it is printed. It is
// no name that a table has: servers differ in where they see such a query (in
// MariaDB it is not in a WITH within FROM), and a table of its name would be read
// in its place.
func (c *notes) withName() string {
	c.withs++
	return "quaestor_with_" + strconv.Itoa(c.withs)
}

// refuse keeps the first fault.
func (c *notes) refuse(rule Rule, what, remedy string) {
	if c.fault == nil {
		c.fault = &Refusal{rule, what, remedy}
	}
}

// enter counts a node and reports whether to go into it.
func (c *notes) enter() bool {
	c.nodes++
	if c.depth++; c.depth > maxDepth || c.nodes > maxNodes {
		c.refuse(RuleSize, "the statement is too deep or too large", "write a simpler one")
	}
	return c.fault == nil
}

func (c *notes) leave() { c.depth-- }

// read keeps the name of a relation, once.
func (c *notes) read(r *relation) {
	name := dotted(r.Schema, r.Name)
	if !slices.Contains(c.tables, name) {
		c.tables = append(c.tables, name)
	}
	if r.filtered && !slices.Contains(c.held, name) {
		c.held = append(c.held, name)
	}
}

// dotted returns the qualified name of a relation.
func dotted(schema, name string) string {
	if schema == "" {
		return name
	}
	return schema + "." + name
}

// scope is the names that WITH gives to queries, innermost first.
type scope struct {
	names   []string
	printed []string // what they are called when they are printed, if it is not that
	above   *scope
}

// add gives a query its name.
func (s *scope) add(name, printed string) {
	s.names, s.printed = append(s.names, name), append(s.printed, printed)
}

// find returns what a bare name that WITH gives is called when it is printed.
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
