package guard

import (
	"slices"
	"strings"
)

// notes are what a walk over a tree finds. The first fault ends it.
type notes struct {
	tables, held []string
	fault        *Refusal
	nodes, depth int
}

// refuse keeps the first fault.
func (c *notes) refuse(rule Rule, what, remedy string) {
	if c.fault == nil {
		c.fault = &Refusal{rule, what, remedy}
	}
}

// enter counts a node and says whether to go into it.
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
	names []string
	above *scope
}

// has says whether a bare name is one of them, as it is written.
func (s *scope) has(name string) bool {
	for ; s != nil; s = s.above {
		if slices.Contains(s.names, name) {
			return true
		}
	}
	return false
}

// find returns the name that a bare one means, as WITH gives it: servers differ in
// whether capitals matter, so what is printed is the name that was given.
func (s *scope) find(name string) (string, bool) {
	for ; s != nil; s = s.above {
		for _, n := range s.names {
			if strings.EqualFold(n, name) {
				return n, true
			}
		}
	}
	return "", false
}
