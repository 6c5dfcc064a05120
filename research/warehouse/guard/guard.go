package guard

import (
	"fmt"
	"strings"
)

// Dialect is the language of a warehouse.
type Dialect string

// The dialects that are parsed with their whole grammar.
const (
	PostgreSQL Dialect = "postgresql"
	Redshift   Dialect = "redshift" // with the grammar of PostgreSQL
	MySQL      Dialect = "mysql"
	MariaDB    Dialect = "mariadb" // with the grammar of MySQL
)

// The dialects of which the guard reads the queries that analysts write, and
// refuses what is beyond them.
const (
	BigQuery   Dialect = "bigquery"
	Snowflake  Dialect = "snowflake"
	SQLServer  Dialect = "sqlserver"
	ClickHouse Dialect = "clickhouse"
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
	// Parser is DuckDB's; other dialects need none.
	Parser Parser
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

// Guard checks statements by one policy. It is safe for concurrent use.
type Guard struct {
	dialect   Dialect
	lexicon   *lexicon
	check     func(sql string) (Statement, error)
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
	g := &Guard{dialect: p.Dialect, relations: map[string]*relation{}, folded: map[string][]*relation{}, schemas: p.Schemas, filter: p.Filter}
	switch p.Dialect {
	case PostgreSQL, Redshift:
		g.lexicon, g.check = &pgLexicon, g.checkPostgres
	case MySQL, MariaDB:
		g.lexicon, g.check = &mysqlLexicon, g.checkMySQL
	case BigQuery, Snowflake, SQLServer, ClickHouse:
		d := readings[p.Dialect]
		g.lexicon, g.check = &d.lexicon, func(sql string) (Statement, error) { return g.checkTokens(sql, d) }
	case DuckDB:
		if p.Parser == nil {
			return nil, fmt.Errorf("guard: dialect %q needs a parser", p.Dialect)
		}
		g.lexicon, g.check = &pgLexicon, func(sql string) (Statement, error) { return g.checkDuckDB(sql, p.Parser) }
	default:
		return nil, fmt.Errorf("guard: no grammar for dialect %q", p.Dialect)
	}
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

// column returns the column that the filter is on, as r has it.
func (g *Guard) column(r *relation) string {
	for _, known := range r.Columns {
		if strings.EqualFold(known, g.filter.Column) {
			return known
		}
	}
	return g.filter.Column
}

// Check returns the statement that may run in the place of sql, or a [*Refusal].
func (g *Guard) Check(sql string) (Statement, error) {
	if r := checkText(sql, g.lexicon); r != nil {
		return Statement{}, r
	}
	return g.check(sql)
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
