package pgwire

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/wire"
)

// fault returns what a person or a model is told of err; that of ctx, the
// caller's, when it has ended.
func (c *conn) fault(ctx context.Context, err error) error {
	var large *pgproto3.ExceededMaxBodyLenErr
	switch {
	case errors.As(err, &large):
		err = errors.Join(wire.ErrTooMuch, err)
	case pgconn.Timeout(err):
		err = errors.Join(context.DeadlineExceeded, err)
	}
	return faults.Fault(ctx, err, c.secret)
}

// faults are PostgreSQL's SQLSTATEs, and Redshift's. A code of two characters is for all
// conditions that begin so.
var faults = wire.Classifier[string]{
	ServerError: func(err error) (wire.ServerError[string], bool) {
		var e *pgconn.PgError
		if !errors.As(err, &e) {
			return wire.ServerError[string]{}, false
		}
		return wire.ServerError[string]{Code: e.Code, Message: e.Message, Hint: e.Hint}, true // the hint often has the right name
	},
	Phrases: []wire.Phrase{{Text: "operator does not exist", Class: warehouse.TypeMismatch}}, // an unknown function, by its code
	Codes: map[warehouse.ErrorClass][]string{
		warehouse.SyntaxError:     {"42601"},
		warehouse.UnknownColumn:   {"42703"},
		warehouse.UnknownTable:    {"42P01", "3F000"},
		warehouse.AmbiguousColumn: {"42702", "42P09"},
		warehouse.TypeMismatch:    {"42804", "42846", "42P18", "42725", "42809", "22"},
		warehouse.UnknownFunction: {"42883"},
		warehouse.GroupingError:   {"42803"},
		warehouse.NoPermission:    {"42501", "3D", "28"},
		warehouse.DivisionByZero:  {"22012"},
		warehouse.Forbidden:       {"25006", "25"},
		warehouse.TimedOut:        {"57014", "55P03", "25P03", "25P04"},
		warehouse.OverQuota:       {"53", "54"},
		warehouse.Unreachable:     {"08", "57", "58"},
	},
	Family: func(code string) string { return code[:min(len(code), 2)] },
	Names: map[warehouse.ErrorClass][]wire.Delimiters{
		warehouse.UnknownFunction: {{Open: "function ", Shut: "("}},
		warehouse.UnknownColumn:   quotedOrColumn, warehouse.UnknownTable: quotedOrColumn, warehouse.AmbiguousColumn: quotedOrColumn, warehouse.GroupingError: quotedOrColumn,
		warehouse.NoPermission: {
			{Open: "permission denied for table "}, {Open: "permission denied for view "}, {Open: "permission denied for materialized view "}, {Open: "permission denied for foreign table "},
			{Open: "permission denied for relation "}, {Open: "permission denied for schema "}, {Open: "permission denied for function "}, {Open: "permission denied for sequence "},
			{Open: "permission denied for database "}, {Open: "permission denied for language "},
		},
	},
}

// quotedOrColumn is where most names stand. The column of a table is not quoted: column
// o.total does not exist.
var quotedOrColumn = []wire.Delimiters{{Open: `"`, Shut: `"`}, {Open: "column ", Shut: " "}}
