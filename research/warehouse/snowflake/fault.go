package snowflake

import (
	"context"
	"errors"
	"strings"

	sf "github.com/snowflakedb/gosnowflake"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/wire"
)

// classes are those of the service's errors, by number.
var classes = map[int]warehouse.ErrorClass{
	1003: warehouse.SyntaxError, 904: warehouse.UnknownColumn, 2003: warehouse.UnknownTable, 2043: warehouse.UnknownTable, 1006: warehouse.AmbiguousColumn, 2065: warehouse.AmbiguousColumn,
	2140: warehouse.UnknownFunction, 2141: warehouse.UnknownFunction, 979: warehouse.GroupingError, 100051: warehouse.DivisionByZero, 100038: warehouse.TypeMismatch, 100035: warehouse.TypeMismatch,
	100040: warehouse.TypeMismatch, 1007: warehouse.TypeMismatch, 1044: warehouse.TypeMismatch, 3001: warehouse.NoPermission, 604: warehouse.TimedOut, 630: warehouse.TimedOut, 639: warehouse.TimedOut,
	606: warehouse.OverQuota, 607: warehouse.OverQuota, 90073: warehouse.OverQuota, 390100: warehouse.NoPermission, 390144: warehouse.NoPermission, 390195: warehouse.NoPermission, 394304: warehouse.NoPermission,
}

// fault returns what went wrong. Who gave up gets their own error.
func (c *conn) fault(ctx context.Context, err error) error {
	var known *warehouse.QueryError
	var said *sf.SnowflakeError
	switch {
	case errors.As(err, &known):
		return known
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return warehouse.NewQueryError(warehouse.TimedOut, "the statement took longer than it may", "", err)
	case errors.As(err, &said):
		return c.said(said)
	}
	return wire.Unreachable(err, c.secret)
}

// said is an error of the service.
func (c *conn) said(e *sf.SnowflakeError) error {
	class, ok := classes[e.Number]
	switch {
	case ok:
	case e.Number >= 260000 && e.Number < 270000: // the driver's own, of connections
		return warehouse.NewQueryError(warehouse.Unreachable, "the account does not answer", "", e)
	default:
		class = warehouse.OtherError
	}
	message := strings.TrimPrefix(e.Message, "SQL compilation error: ")
	return warehouse.NewQueryError(class, wire.Clean(message, c.secret), strings.Trim(wire.Quoted(message, "'", "'"), `"`), e)
}
