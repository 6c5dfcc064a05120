package guard

import (
	"fmt"
	"slices"
	"strings"
)

// Dialect is the SQL dialect of a warehouse.
type Dialect string

// The dialects that are parsed with a complete grammar.
const (
	PostgreSQL Dialect = "postgresql"
	Redshift   Dialect = "redshift" // with PostgreSQL's grammar
	MySQL      Dialect = "mysql"
	MariaDB    Dialect = "mariadb" // with MySQL's grammar
)

// The dialects without a complete grammar: the queries that analysts write are parsed, and
// anything beyond them is refused.
const (
	BigQuery   Dialect = "bigquery"
	Snowflake  Dialect = "snowflake"
	SQLServer  Dialect = "sqlserver"
	ClickHouse Dialect = "clickhouse"
)

// Rule names the reason for a refusal.
type Rule string

// The rules.
const (
	RuleText      Rule = "text"      // characters or comments that no query needs
	RuleSyntax    Rule = "syntax"    // it cannot be parsed
	RuleStatement Rule = "statement" // it is not exactly one query, or it writes or locks
	RuleRelation  Rule = "relation"  // a table that is not in the policy
	RuleFunction  Rule = "function"
	RuleOperator  Rule = "operator"
	RuleType      Rule = "type"
	RuleNode      Rule = "node" // a part of the language that queries do not need
	RuleSize      Rule = "size" // too long or too deeply nested
)

// Refusal tells why a statement may not run, in a clause addressed to the model, and what to
// write instead.
type Refusal struct {
	Rule   Rule
	What   string
	Remedy string
}

// Error returns what is refused and the remedy, in a sentence for the analyst.
func (r *Refusal) Error() string {
	if r.Remedy == "" {
		return r.What
	}
	return r.What + "; " + r.Remedy
}

// Policy is what may be read. It must not change while statements are checked.
type Policy struct {
	Dialect Dialect
	// Relations are the tables that may be read.
	Relations []Relation
	// Hidden are tables that statements may not name. Ties of others may lead through them.
	Hidden []Relation
	// Schemas are searched, in order, for a name without a schema.
	Schemas []string
	// Filter applies to every relation that it is tied to (see [Ties]), if its column is set.
	Filter Filter
	// Close refuses relations that the filter is not tied to, unless they are Open. Without a
	// filter it has no effect.
	Close bool
	// Parser is DuckDB's; the other dialects need none.
	Parser Parser
}

// Relation is a table that may be read.
type Relation struct {
	Schema, Name string
	Columns      []string
	Keys         []Key
	Open         bool // may be read as a whole although the filter is not tied to it
}

// Filter restricts tables to the rows of one tenant.
type Filter struct {
	Column, Value string
}

// Statement is a statement that may run.
type Statement struct {
	SQL      string   // printed from the tree that was checked
	Tables   []string // qualified names of the tables it reads, without duplicates, in order of appearance
	Filtered []string // those of them that are read through the filter
	Columns  []Column // that it refers to by name, without duplicates, in order of appearance
}

// Column is a reference to a column as a statement writes it. Of one in two parts, such as a.b,
// the first may be a table, or a column that holds a document with the field b. Names that the
// statement defines itself, such as aliases, are among the references.
type Column struct {
	Table string // or the column of a document; empty for a name by itself
	Name  string
}

// Guard checks statements against one policy. It is safe for concurrent use. Make one with [New].
type Guard struct {
	dialect   Dialect
	lexicon   *lexicon
	check     func(sql string) (Statement, error)
	relations map[string]*relation   // by "schema\x00name", as they are spelt
	folded    map[string][]*relation // the same in lower case, where several may coincide
	byName    map[string]*relation   // by qualified name; where several share one, no tie leads there
	schemas   []string               // searched in order for a name without a schema
	filter    Filter
	parser    Parser // DuckDB's; nil for other dialects
	again     bool   // for a statement that was checked and is read again, in which hidden relations occur
}

// relation is a relation of the policy, and how the filter is tied to it.
type relation struct {
	Relation
	tie      Tie
	filtered bool // the filter is tied to it
	closed   bool // the filter is not tied to it, and it is not open
	hidden   bool
}

// New returns a guard for a policy. It refuses an unknown dialect. Making one takes time
// proportional to the relations, so it is made once for many statements.
func New(p Policy) (*Guard, error) {
	g := &Guard{dialect: p.Dialect, relations: map[string]*relation{}, folded: map[string][]*relation{}, byName: map[string]*relation{}, schemas: p.Schemas, filter: p.Filter, parser: p.Parser}
	switch p.Dialect {
	case PostgreSQL, Redshift:
		g.lexicon, g.check = &pgLexicon, g.checkPostgres
	case MySQL, MariaDB:
		g.lexicon, g.check = &mysqlLexicon, g.checkMySQL
	case BigQuery, Snowflake, SQLServer, ClickHouse:
		d := tokenDialects[p.Dialect]
		g.lexicon, g.check = &d.lexicon, func(sql string) (Statement, error) { return g.checkTokens(sql, d) }
	case DuckDB:
		if p.Parser == nil {
			return nil, fmt.Errorf("guard: dialect %q needs a parser", p.Dialect)
		}
		g.lexicon, g.check = &pgLexicon, func(sql string) (Statement, error) { return g.checkDuckDB(sql, p.Parser) }
	default:
		return nil, fmt.Errorf("guard: no grammar for dialect %q", p.Dialect)
	}
	g.know(p)
	return g, nil
}

// know adds the relations of a policy.
func (g *Guard) know(p Policy) {
	all := slices.Concat(p.Relations, p.Hidden)
	ties := Ties(all, p.Filter)
	for i, r := range all {
		known := &relation{Relation: r, tie: ties[i], filtered: ties[i].Tied(), hidden: i >= len(p.Relations)}
		known.closed = p.Close && p.Filter.Column != "" && !known.filtered && !r.Open
		g.byName[dotted(r.Schema, r.Name)] = known
		g.relations[r.Schema+"\x00"+r.Name] = known
		low := strings.ToLower(r.Schema + "\x00" + r.Name)
		g.folded[low] = append(g.folded[low], known)
	}
}

// Check returns the statement that may run in place of sql. The error is a [*Refusal], or
// that of the parser if it could not be asked.
func (g *Guard) Check(sql string) (Statement, error) {
	if r := checkText(sql, g.lexicon); r != nil {
		return Statement{}, r
	}
	return g.check(sql)
}

// find returns the relation that a name denotes: the one that is spelt exactly so, or else the
// only one that differs in case. It returns nil if there is none. schema is empty for an
// unqualified name. A name that differs in case from several relations is not found, so that no
// table is read that was not meant.
func (g *Guard) find(schema, name string) *relation {
	schemas := g.schemas
	if schema != "" {
		schemas = []string{schema}
	}
	for _, s := range schemas {
		if r := g.relations[s+"\x00"+name]; g.shows(r) {
			return r
		}
	}
	for _, s := range schemas {
		if list := g.folded[strings.ToLower(s+"\x00"+name)]; len(list) == 1 && g.shows(list[0]) {
			return list[0]
		}
	}
	return nil
}

// shows reports whether a statement may name r, which may be nil.
func (g *Guard) shows(r *relation) bool { return r != nil && (g.again || !r.hidden && !r.closed) }

// unknown refuses a relation that is not found, and says so if it is closed.
func (g *Guard) unknown(schema, name string) Refusal {
	open := *g
	open.again = true
	if r := open.find(schema, name); r != nil && r.closed {
		return Refusal{RuleRelation, "the table " + firstLine(dotted(r.Schema, r.Name)) + " is closed: no foreign key ties it to the filter by " + firstLine(g.filter.Column),
			"use a table of the catalog; an administrator can open it on the page of the warehouse"}
	}
	return Refusal{RuleRelation, "there is no table " + firstLine(dotted(schema, name)) + " here", "use a table of the catalog, or search_tables"}
}
