package warehouse

import (
	"context"

	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/guard"
)

// Gateway is a warehouse as a run uses it: connected, indexed and guarded. It is safe for
// concurrent use.
type Gateway interface {
	Dialect() guard.Dialect
	Filter() guard.Filter
	// Catalog returns what the warehouse held when the gateway was opened.
	Catalog() *catalog.Index
	// Ask runs a statement from an untrusted author. The guard checks it, the middlewares
	// see it, and what is sent is printed from the tree that passed. A refusal is a
	// [*QueryError] of class Forbidden, UnknownTable or SyntaxError. Every answer is
	// written to the audit log, refusals included.
	Ask(ctx context.Context, q Query) (Answer, error)
	// Lookup describes tables by the names a model used for them, at most
	// MaxLookupTables. It asks the index, not the warehouse.
	Lookup(ctx context.Context, refs []string) (LookupAnswer, error)
	// Search finds at most topK tables by words, best first.
	Search(ctx context.Context, words string, topK int) ([]Hit, error)
	Close() error
}

// Query is a statement with the run and step it belongs to.
type Query struct {
	SQL  string
	Run  string // empty for a statement outside of runs
	Step int
}

// Answer is the outcome of a statement.
type Answer struct {
	Result *Result
	Sent   guard.Statement // the statement that was sent
}

// LookupAnswer is the outcome of a lookup.
type LookupAnswer struct {
	Tables   []TableDetail
	NotFound []NotFound
}

// TableDetail is the description of one table.
type TableDetail struct {
	Ref  string // qualified name
	Text string // from catalog.Index.Describe, with samples
}

// NotFound is a name that matches no table, or more than one.
type NotFound struct {
	Ref        string
	Candidates []string // qualified names that may have been meant; nil if there are none
}

// Hit is a table found by a search.
type Hit struct {
	Ref     string
	Line    string  // the table's line in the catalog
	Score   float64 // 0 to 1; higher is better
	Because string  // what matched: words of its name, a column, or its meaning
}

// Middleware sees every statement between guard and warehouse. It may refuse it by returning
// an error that gives the reason, or return another statement, which the guard checks again.
// To leave it unchanged it returns s.Statement.SQL.
type Middleware func(ctx context.Context, s Statement) (string, error)

// Statement is a statement on its way to the warehouse.
type Statement struct {
	Tenant, Warehouse, Run string
	Step                   int
	Statement              guard.Statement
}
