package mysql

import (
	"context"
	"errors"
	"strings"

	"github.com/go-sql-driver/mysql"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/wire"
)

// fault returns what a person or a model is told of err; that of ctx, the
// caller's, when it has ended.
func (c *conn) fault(ctx context.Context, err error) error {
	var known *warehouse.QueryError
	var said *mysql.MySQLError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &known):
		return known
	case errors.As(err, &said):
		class := classOf(said)
		return warehouse.NewQueryError(class, wire.Clean(said.Message, c.secret), nameOf(class, said.Message), err)
	case errors.Is(err, wire.ErrTooMuch):
		return warehouse.NewQueryError(warehouse.OverQuota, "a row is larger than a result may be", "", err)
	case errors.Is(err, context.DeadlineExceeded):
		return warehouse.NewQueryError(warehouse.TimedOut, "the statement was stopped after its time", "", err)
	}
	return wire.Unreachable(err, c.secret)
}

// codes are the classes of the servers' errors; those that differ between the two
// makes do not overlap.
var codes = map[uint16]warehouse.ErrorClass{
	1064: warehouse.SyntaxError, 1149: warehouse.SyntaxError, 1248: warehouse.SyntaxError, 1327: warehouse.SyntaxError,
	1054: warehouse.UnknownColumn, 1166: warehouse.UnknownColumn,
	1146: warehouse.UnknownTable, 1049: warehouse.UnknownTable, 1051: warehouse.UnknownTable, 1109: warehouse.UnknownTable, 1356: warehouse.UnknownTable,
	1052: warehouse.AmbiguousColumn, 1060: warehouse.AmbiguousColumn,
	1305: warehouse.UnknownFunction, 1630: warehouse.UnknownFunction, 1582: warehouse.UnknownFunction, 1128: warehouse.UnknownFunction,
	1365: warehouse.DivisionByZero,
	1055: warehouse.GroupingError, 1056: warehouse.GroupingError, 1111: warehouse.GroupingError, 1140: warehouse.GroupingError, 1463: warehouse.GroupingError, 4015: warehouse.GroupingError,
	1264: warehouse.TypeMismatch, 1267: warehouse.TypeMismatch, 1270: warehouse.TypeMismatch, 1292: warehouse.TypeMismatch, 1366: warehouse.TypeMismatch, 1411: warehouse.TypeMismatch, 1690: warehouse.TypeMismatch,
	1241: warehouse.TypeMismatch, 1139: warehouse.TypeMismatch, 3685: warehouse.TypeMismatch, 4078: warehouse.TypeMismatch, 4079: warehouse.TypeMismatch,
	1205: warehouse.TimedOut, 1317: warehouse.TimedOut, 1969: warehouse.TimedOut, 3024: warehouse.TimedOut,
	1044: warehouse.NoPermission, 1045: warehouse.NoPermission, 1142: warehouse.NoPermission, 1143: warehouse.NoPermission, 1227: warehouse.NoPermission, 1345: warehouse.NoPermission, 1370: warehouse.NoPermission, 1698: warehouse.NoPermission,
	1792: warehouse.Forbidden, 1290: warehouse.Forbidden, 1836: warehouse.Forbidden, 1148: warehouse.Forbidden, 4166: warehouse.Forbidden,
	1037: warehouse.OverQuota, 1038: warehouse.OverQuota, 1040: warehouse.OverQuota, 1041: warehouse.OverQuota, 1104: warehouse.OverQuota, 1114: warehouse.OverQuota, 1135: warehouse.OverQuota, 1203: warehouse.OverQuota, 1226: warehouse.OverQuota, 3170: warehouse.OverQuota, 3636: warehouse.OverQuota, 4031: warehouse.OverQuota,
	1053: warehouse.Unreachable, 1129: warehouse.Unreachable, 1130: warehouse.Unreachable, 1152: warehouse.Unreachable, 1158: warehouse.Unreachable, 1159: warehouse.Unreachable, 1160: warehouse.Unreachable, 1161: warehouse.Unreachable, 1184: warehouse.Unreachable, 1927: warehouse.Unreachable, 2006: warehouse.Unreachable, 2013: warehouse.Unreachable,
}

func classOf(e *mysql.MySQLError) warehouse.ErrorClass {
	if e.Number == 1290 && strings.Contains(e.Message, "max-session-mem-used") {
		return warehouse.OverQuota
	}
	if class, ok := codes[e.Number]; ok {
		return class
	}
	return warehouse.OtherError
}

// nameOf returns the column, table or function that the server found at fault.
func nameOf(class warehouse.ErrorClass, message string) string {
	switch class {
	case warehouse.UnknownColumn, warehouse.UnknownTable, warehouse.AmbiguousColumn, warehouse.GroupingError:
		return wire.Quoted(message, "'", "'")
	case warehouse.UnknownFunction:
		if name := wire.Quoted(message, "'", "'"); name != "" {
			return name
		}
		return wire.Quoted(message, "FUNCTION ", " ")
	case warehouse.NoPermission:
		if _, name, ok := strings.Cut(message, "for table "); ok {
			return strings.NewReplacer("'", "", "`", "").Replace(name)
		}
	}
	return ""
}
