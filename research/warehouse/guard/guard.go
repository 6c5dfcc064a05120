package guard

import (
	"fmt"
	"strings"
)

// Dialect is the language of a warehouse.
type Dialect string

// The dialects that are parsed with their whole grammar.
const (
	PostgreSQL Dialect = "postgresql" // and Redshift
)

// Rule is why a statement was refused.
type Rule string

// The rules.
const (
	RuleText      Rule = "text"      // characters or comments that have no place in a query
	RuleSyntax    Rule = "syntax"    // it cannot be parsed
	RuleStatement Rule = "statement" // not one query, or one that writes or locks
	RuleRelation  Rule = "relation"  // a table that is not of this warehouse
	RuleFunction  Rule = "function"
	RuleOperator  Rule = "operator"
	RuleType      Rule = "type"
	RuleNode      Rule = "node" // a part of the language that queries do not need
	RuleSize      Rule = "size" // too long, or too deep
)

// Refusal says why a statement may not run, in a clause for the model, and what to
// do instead.
type Refusal struct {
	Rule   Rule
	What   string
	Remedy string
}

func (r *Refusal) Error() string {
	if r.Remedy == "" {
		return r.What
	}
	return r.What + "; " + r.Remedy
}

// Policy is what may be read. It is not changed while statements are checked.
type Policy struct {
	Dialect Dialect
	// Relations are the tables, by their qualified names.
	Relations []Relation
	// Schemas are those in which a bare name is looked for, in order.
	Schemas []string
	// Filter, if its column is set, is the condition on every relation that has
	// that column.
	Filter Filter
}

// Relation is a table that may be read.
type Relation struct {
	Schema, Name string
	Columns      []string
}

// Filter keeps to the rows of one tenant.
type Filter struct {
	Column, Value string
}

// Statement is one that may run.
type Statement struct {
	SQL    string   // printed from the tree that was checked
	Tables []string // that it reads, qualified, each once, in the order they stand
	Held   []string // those of them that it reads through the filter
}

// Guard checks statements by one policy. It may be used by many at once.
type Guard struct {
	dialect   Dialect
	relations map[string]*relation // by "schema\x00name", as they are written
	folded    map[string][]*relation
	schemas   []string
	filter    Filter
}

// relation is one that may be read, and whether it is filtered.
type relation struct {
	Relation
	filtered bool
}

// New returns a guard. It refuses a dialect that it cannot parse.
func New(p Policy) (*Guard, error) {
	if p.Dialect != PostgreSQL {
		return nil, fmt.Errorf("guard: no grammar for dialect %q", p.Dialect)
	}
	g := &Guard{dialect: p.Dialect, relations: map[string]*relation{}, folded: map[string][]*relation{}, schemas: p.Schemas, filter: p.Filter}
	for _, r := range p.Relations {
		known := &relation{Relation: r, filtered: p.Filter.Column != "" && hasColumn(r.Columns, p.Filter.Column)}
		g.relations[r.Schema+"\x00"+r.Name] = known
		low := strings.ToLower(r.Schema + "\x00" + r.Name)
		g.folded[low] = append(g.folded[low], known)
	}
	return g, nil
}

func hasColumn(columns []string, name string) bool {
	for _, c := range columns {
		if strings.EqualFold(c, name) {
			return true
		}
	}
	return false
}

// Check returns the statement that may run in the place of sql, or a [*Refusal].
func (g *Guard) Check(sql string) (Statement, error) {
	if r := checkText(sql); r != nil {
		return Statement{}, r
	}
	return g.checkPostgres(sql)
}

// find returns the relation that a name means: as it is written, or else the only
// one that differs in capitals.
func (g *Guard) find(schema, name string) *relation {
	schemas := g.schemas
	if schema != "" {
		schemas = []string{schema}
	}
	for _, s := range schemas {
		if r := g.relations[s+"\x00"+name]; r != nil {
			return r
		}
	}
	for _, s := range schemas {
		if list := g.folded[strings.ToLower(s+"\x00"+name)]; len(list) == 1 {
			return list[0]
		}
	}
	return nil
}
