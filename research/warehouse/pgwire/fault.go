package pgwire

import (
	"context"
	"errors"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/wire"
)

// fault returns what a person or a model is told of err; that of ctx, the
// caller's, when it has ended.
func (c *conn) fault(ctx context.Context, err error) error {
	var known *warehouse.QueryError
	var said *pgconn.PgError
	var large *pgproto3.ExceededMaxBodyLenErr
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &known):
		return known
	case errors.As(err, &said):
		class := classOf(said)
		return warehouse.NewQueryError(class, wire.Clean(sentence(said), c.secret), nameOf(class, said), err)
	case errors.As(err, &large):
		return warehouse.NewQueryError(warehouse.OverQuota, "a row is larger than a result may be", "", err)
	case errors.Is(err, context.DeadlineExceeded), pgconn.Timeout(err):
		return warehouse.NewQueryError(warehouse.TimedOut, "the statement was stopped after its time", "", err)
	}
	return wire.Unreachable(err, c.secret)
}

// sentence returns what the server said, with its hint, which often has the right
// name.
func sentence(e *pgconn.PgError) string {
	if e.Hint == "" {
		return e.Message
	}
	return e.Message + ". " + e.Hint
}

// states are the classes of single conditions, families those of all that begin
// so.
var (
	states = map[string]warehouse.ErrorClass{
		"42601": warehouse.SyntaxError,
		"42703": warehouse.UnknownColumn,
		"42P01": warehouse.UnknownTable, "3F000": warehouse.UnknownTable,
		"42702": warehouse.AmbiguousColumn, "42P09": warehouse.AmbiguousColumn,
		"42804": warehouse.TypeMismatch, "42846": warehouse.TypeMismatch, "42P18": warehouse.TypeMismatch, "42725": warehouse.TypeMismatch, "42809": warehouse.TypeMismatch,
		"42883": warehouse.UnknownFunction,
		"42803": warehouse.GroupingError,
		"42501": warehouse.NoPermission,
		"22012": warehouse.DivisionByZero,
		"25006": warehouse.Forbidden,
		"57014": warehouse.TimedOut, "55P03": warehouse.TimedOut, "25P03": warehouse.TimedOut, "25P04": warehouse.TimedOut,
	}
	families = map[string]warehouse.ErrorClass{
		"22": warehouse.TypeMismatch, "53": warehouse.OverQuota, "54": warehouse.OverQuota,
		"08": warehouse.Unreachable, "57": warehouse.Unreachable, "58": warehouse.Unreachable, "3D": warehouse.NoPermission,
		"28": warehouse.NoPermission, "25": warehouse.Forbidden,
	}
)

func classOf(e *pgconn.PgError) warehouse.ErrorClass {
	if e.Code == "42883" && strings.HasPrefix(e.Message, "operator") {
		return warehouse.TypeMismatch
	}
	if class, ok := states[e.Code]; ok {
		return class
	}
	if len(e.Code) == 5 {
		if class, ok := families[e.Code[:2]]; ok {
			return class
		}
	}
	return warehouse.OtherError
}

// nameOf returns the column, table or function that the server found at fault.
func nameOf(class warehouse.ErrorClass, e *pgconn.PgError) string {
	switch class {
	case warehouse.UnknownFunction:
		return wire.Quoted(e.Message, "function ", "(")
	case warehouse.UnknownColumn, warehouse.UnknownTable, warehouse.AmbiguousColumn, warehouse.GroupingError:
		if name := wire.Quoted(e.Message, `"`, `"`); name != "" {
			return name
		}
		return wire.Quoted(e.Message, "column ", " ") // one of a table is not quoted: column o.total does not exist
	case warehouse.NoPermission:
		if _, object, ok := strings.Cut(e.Message, "permission denied for "); ok { // table orders
			return object[strings.IndexByte(object, ' ')+1:]
		}
	}
	return ""
}
