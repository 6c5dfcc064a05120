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
	if errors.Is(context.Cause(own), context.DeadlineExceeded) {
		err = errors.Join(context.DeadlineExceeded, err)
	}
	return faults.Fault(ctx, err, c.secret)
}

// faults are the numbers of ClickHouse's ErrorCodes.cpp.
var faults = wire.Classifier[int32]{
	ServerError: func(err error) (wire.ServerError[int32], bool) {
		var e *driver.Exception
		if !errors.As(err, &e) {
			return wire.ServerError[int32]{}, false
		}
		return wire.ServerError[int32]{Code: e.Code, Message: strings.TrimPrefix(e.Message, "DB::Exception: ")}, true
	},
	Codes: map[warehouse.ErrorClass][]int32{
		warehouse.SyntaxError:     {62},
		warehouse.UnknownColumn:   {10, 16, 47},
		warehouse.UnknownTable:    {60, 81, 82},
		warehouse.AmbiguousColumn: {52, 179, 207},
		warehouse.UnknownFunction: {46, 63},
		warehouse.TypeMismatch:    {6, 27, 32, 38, 41, 42, 43, 44, 50, 53, 69, 70, 72, 386, 407, 427},
		warehouse.DivisionByZero:  {153},
		warehouse.GroupingError:   {184, 215},
		warehouse.TimedOut:        {159, 160, 394},
		warehouse.NoPermission:    {192, 193, 194, 195, 291, 497, 516},
		warehouse.OverQuota:       {158, 161, 167, 168, 173, 191, 201, 202, 241, 307, 396, 131},
		warehouse.Forbidden:       {164, 48, 392, 452},
		warehouse.Unreachable:     {209, 210, 236, 279},
	},
	Names: map[warehouse.ErrorClass][]wire.Delimiters{ // in older and newer servers
		warehouse.UnknownColumn:   {{Open: "identifier: ", Shut: " "}, {Open: "identifier: ", Shut: ","}, {Open: "identifier `", Shut: "`"}, {Open: "columns: '", Shut: "'"}, {Open: "column: ", Shut: ","}, {Open: "no column with name ", Shut: " "}},
		warehouse.UnknownTable:    {{Open: "Table ", Shut: " "}, {Open: "table expression identifier '", Shut: "'"}, {Open: "Database ", Shut: " "}},
		warehouse.UnknownFunction: {{Open: "nknown function ", Shut: "."}, {Open: "with name `", Shut: "`"}, {Open: "nknown function ", Shut: " "}},
		warehouse.GroupingError:   {{Open: "Column `", Shut: "`"}, {Open: "olumn ", Shut: " "}},
		warehouse.AmbiguousColumn: {{Open: "identifier '", Shut: "'"}, {Open: "column ", Shut: " "}},
		warehouse.NoPermission:    {{Open: "ON ", Shut: " "}},
	},
	OneWord: true,
}
