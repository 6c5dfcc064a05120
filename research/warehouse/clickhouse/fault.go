package clickhouse

import (
	"context"
	"errors"
	"strings"

	driver "github.com/ClickHouse/clickhouse-go/v2"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/wire"
)

// fault returns what a person or a model is told of err; that of ctx, the
// caller's, when it has ended. own is the one that ends after the time of a
// statement.
func (c *conn) fault(ctx, own context.Context, err error) error {
	var known *warehouse.QueryError
	var said *driver.Exception
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &known):
		return known
	case errors.As(err, &said):
		class := classOf(said.Code)
		message := strings.TrimPrefix(said.Message, "DB::Exception: ")
		return warehouse.NewQueryError(class, wire.Clean(message, c.secret), nameOf(class, message), err)
	case errors.Is(err, wire.ErrTooMuch):
		return warehouse.NewQueryError(warehouse.OverQuota, "the server sends more at once than a result may have", "", err)
	case errors.Is(context.Cause(own), context.DeadlineExceeded), errors.Is(err, context.DeadlineExceeded):
		return warehouse.NewQueryError(warehouse.TimedOut, "the statement was stopped after its time", "", err)
	}
	return wire.Unreachable(err, c.secret)
}

// codes are the classes of the server's errors.
var codes = map[int32]warehouse.ErrorClass{
	62: warehouse.SyntaxError,
	10: warehouse.UnknownColumn, 16: warehouse.UnknownColumn, 47: warehouse.UnknownColumn,
	60: warehouse.UnknownTable, 81: warehouse.UnknownTable, 82: warehouse.UnknownTable,
	52: warehouse.AmbiguousColumn, 179: warehouse.AmbiguousColumn, 207: warehouse.AmbiguousColumn,
	46: warehouse.UnknownFunction, 63: warehouse.UnknownFunction,
	6: warehouse.TypeMismatch, 27: warehouse.TypeMismatch, 32: warehouse.TypeMismatch, 38: warehouse.TypeMismatch, 41: warehouse.TypeMismatch, 42: warehouse.TypeMismatch, 43: warehouse.TypeMismatch, 44: warehouse.TypeMismatch, 50: warehouse.TypeMismatch,
	53: warehouse.TypeMismatch, 69: warehouse.TypeMismatch, 70: warehouse.TypeMismatch, 72: warehouse.TypeMismatch, 386: warehouse.TypeMismatch, 407: warehouse.TypeMismatch, 427: warehouse.TypeMismatch,
	153: warehouse.DivisionByZero,
	184: warehouse.GroupingError, 215: warehouse.GroupingError,
	159: warehouse.TimedOut, 160: warehouse.TimedOut, 394: warehouse.TimedOut,
	192: warehouse.NoPermission, 193: warehouse.NoPermission, 194: warehouse.NoPermission, 195: warehouse.NoPermission, 291: warehouse.NoPermission, 497: warehouse.NoPermission, 516: warehouse.NoPermission,
	158: warehouse.OverQuota, 161: warehouse.OverQuota, 167: warehouse.OverQuota, 168: warehouse.OverQuota, 173: warehouse.OverQuota, 191: warehouse.OverQuota, 201: warehouse.OverQuota, 202: warehouse.OverQuota, 241: warehouse.OverQuota, 307: warehouse.OverQuota, 396: warehouse.OverQuota, 131: warehouse.OverQuota,
	164: warehouse.Forbidden, 48: warehouse.Forbidden, 392: warehouse.Forbidden, 452: warehouse.Forbidden,
	209: warehouse.Unreachable, 210: warehouse.Unreachable, 236: warehouse.Unreachable, 279: warehouse.Unreachable,
}

func classOf(code int32) warehouse.ErrorClass {
	if class, ok := codes[code]; ok {
		return class
	}
	return warehouse.OtherError
}

// introductions stand before the name at fault, in older and newer servers, and what
// stands behind it.
var introductions = map[warehouse.ErrorClass][][2]string{
	warehouse.UnknownColumn:   {{"identifier: ", " "}, {"identifier: ", ","}, {"identifier `", "`"}, {"columns: '", "'"}, {"column: ", ","}, {"no column with name ", " "}},
	warehouse.UnknownTable:    {{"Table ", " "}, {"table expression identifier '", "'"}, {"Database ", " "}},
	warehouse.UnknownFunction: {{"nknown function ", "."}, {"with name `", "`"}, {"nknown function ", " "}},
	warehouse.GroupingError:   {{"Column `", "`"}, {"olumn ", " "}},
	warehouse.AmbiguousColumn: {{"identifier '", "'"}, {"column ", " "}},
	warehouse.NoPermission:    {{"ON ", " "}},
}

// nameOf returns the column, table or function that the server found at fault.
func nameOf(class warehouse.ErrorClass, message string) string {
	for _, in := range introductions[class] {
		if name := wire.Quoted(message+" ", in[0], in[1]); name != "" && !strings.ContainsAny(name, " ") {
			return strings.Trim(name, "`'.,")
		}
	}
	return ""
}
