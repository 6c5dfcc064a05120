package sqlserver

import (
	"context"
	"errors"

	mssql "github.com/microsoft/go-mssqldb"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/wire"
)

// fault returns what a person or a model is told of err; that of ctx, the
// caller's, when it has ended.
func (c *conn) fault(ctx context.Context, err error) error { return faults.Fault(ctx, err, c.secret) }

// faults are the numbers of the server's sys.messages.
var faults = wire.Classifier[int32]{
	ServerError: func(err error) (wire.ServerError[int32], bool) {
		var e mssql.Error
		if !errors.As(err, &e) {
			return wire.ServerError[int32]{}, false
		}
		if len(e.All) > 0 { // of a batch the first error tells most
			e = e.All[0]
		}
		return wire.ServerError[int32]{Code: e.Number, Message: e.Message}, true
	},
	// The numbers are the same in all languages of the server, unlike its messages.
	Codes: map[warehouse.ErrorClass][]int32{
		warehouse.SyntaxError:     {102, 105, 156, 170, 319, 11501},
		warehouse.UnknownColumn:   {207, 4104},
		warehouse.UnknownTable:    {208},
		warehouse.AmbiguousColumn: {209},
		warehouse.UnknownFunction: {195, 4121},
		warehouse.GroupingError:   {8120, 8121},
		warehouse.DivisionByZero:  {8134},
		warehouse.TypeMismatch:    {206, 241, 242, 245, 402, 8114, 8115, 8117},
		warehouse.NoPermission:    {229, 230, 262, 300, 916},
		warehouse.TimedOut:        {1222},
		warehouse.OverQuota:       {701, 8649, 10928, 40501},
		warehouse.Unreachable:     {4060, 18456, 40613},
	},
	Names: map[warehouse.ErrorClass][]wire.Delimiters{"": {{Open: "'", Shut: "'"}}},
}
