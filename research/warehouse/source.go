package warehouse

import (
	"context"

	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/guard"
)

// Source is a warehouse as a run sees it: reached, indexed, and guarded. It may be
// used by many at once.
type Source interface {
	Dialect() guard.Dialect
	Filter() guard.Filter
	// Catalog is what the warehouse held when the source was opened.
	Catalog() *catalog.Index
	// Ask runs a statement that somebody wrote who is not trusted. The middlewares
	// see it, the guard checks it, and what is sent is printed from the tree that
	// passed. A refusal is a [*QueryError] of class Forbidden, UnknownTable or
	// SyntaxError, and like every answer it stands in the audit.
	Ask(ctx context.Context, q Query) (Answer, error)
	// Lookup describes tables by the names somebody gave them, at most
	// MaxLookupTables; it asks the index only.
	Lookup(ctx context.Context, refs []string) (LookupAnswer, error)
	// Search finds tables by words, the best first, at most topK.
	Search(ctx context.Context, words string, topK int) ([]Hit, error)
	Close() error
}

// Query is a statement, and of which run and step it is.
type Query struct {
	SQL  string
	Run  string // empty for a statement outside of runs
	Step int
}

// Answer is what came of a statement.
type Answer struct {
	Result *Result
	Sent   guard.Statement // what was sent
}

// LookupAnswer is what a lookup found.
type LookupAnswer struct {
	Tables   []TableDetail
	NotFound []NotFound
}

// TableDetail is one table, described.
type TableDetail struct {
	Ref  string // qualified
	Text string // catalog.Index.Describe of it, with samples
}

// NotFound is a name that means no table, or more than one.
type NotFound struct {
	Ref        string
	Candidates []string // qualified names that may have been meant; nil for none
}

// Hit is a table that a search found.
type Hit struct {
	Ref     string
	Line    string  // of the catalog
	Score   float64 // 0 to 1, of the search; higher is better
	Because string  // what matched: words of its name, a column, its meaning
}

// Middleware sees every statement that is to be sent, after the guard passed it. It
// may refuse it, with an error that says why, or return another one, which the
// guard checks in turn. An unchanged statement is s.Statement.SQL.
type Middleware func(ctx context.Context, s Statement) (string, error)

// Statement is a statement on its way.
type Statement struct {
	Tenant, Warehouse, Run string
	Step                   int
	Statement              guard.Statement
}
