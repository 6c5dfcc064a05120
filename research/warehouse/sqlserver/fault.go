package sqlserver

import (
	"context"
	"errors"

	mssql "github.com/microsoft/go-mssqldb"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/wire"
)

// classes are those of the server's errors, by number.
var classes = map[int32]warehouse.ErrorClass{
	102: warehouse.SyntaxError, 105: warehouse.SyntaxError, 156: warehouse.SyntaxError, 170: warehouse.SyntaxError, 319: warehouse.SyntaxError, 11501: warehouse.SyntaxError,
	207: warehouse.UnknownColumn, 4104: warehouse.UnknownColumn, 208: warehouse.UnknownTable, 209: warehouse.AmbiguousColumn,
	195: warehouse.UnknownFunction, 4121: warehouse.UnknownFunction, 8120: warehouse.GroupingError, 8121: warehouse.GroupingError, 8134: warehouse.DivisionByZero,
	206: warehouse.TypeMismatch, 241: warehouse.TypeMismatch, 242: warehouse.TypeMismatch, 245: warehouse.TypeMismatch, 402: warehouse.TypeMismatch, 8114: warehouse.TypeMismatch, 8115: warehouse.TypeMismatch, 8117: warehouse.TypeMismatch,
	229: warehouse.NoPermission, 230: warehouse.NoPermission, 262: warehouse.NoPermission, 300: warehouse.NoPermission, 916: warehouse.NoPermission,
	1222: warehouse.TimedOut, 1205: warehouse.OtherError, 701: warehouse.OverQuota, 8649: warehouse.OverQuota, 10928: warehouse.OverQuota, 40501: warehouse.OverQuota,
	4060: warehouse.Unreachable, 18456: warehouse.Unreachable, 40613: warehouse.Unreachable,
}

// fault returns what went wrong. Who gave up gets their own error.
func (c *conn) fault(ctx context.Context, err error) error {
	var known *warehouse.QueryError
	var said mssql.Error
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

// said is an error of the server. Of a batch the first error tells most.
func (c *conn) said(e mssql.Error) error {
	if len(e.All) > 0 {
		e = e.All[0]
	}
	class, ok := classes[e.Number]
	if !ok {
		class = warehouse.OtherError
	}
	return warehouse.NewQueryError(class, wire.Clean(e.Message, c.secret), wire.Quoted(e.Message, "'", "'"), e)
}
