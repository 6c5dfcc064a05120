package snowflake

import (
	"context"
	"errors"
	"strings"

	sf "github.com/snowflakedb/gosnowflake"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/wire"
)

// fault returns what a person or a model is told of err; that of ctx, the
// caller's, when it has ended.
func (c *conn) fault(ctx context.Context, err error) error { return faults.Fault(ctx, err, c.secret) }

// driverFamily is that of the driver's own errors, of connections: 260000 to 269999.
const driverFamily = 260000

// family returns the first number of the block of ten thousand that a code of the driver lies in.
func family(number int) int { return number / 10000 * 10000 }

// faults are the service's numbers.
var faults = wire.Classifier[int]{
	ServerError: func(err error) (wire.ServerError[int], bool) {
		var e *sf.SnowflakeError
		if !errors.As(err, &e) {
			return wire.ServerError[int]{}, false
		}
		message := strings.TrimPrefix(e.Message, "SQL compilation error: ")
		if family(e.Number) == driverFamily {
			message = "the account does not answer"
		}
		return wire.ServerError[int]{Code: e.Number, Message: message}, true
	},
	Codes: map[warehouse.ErrorClass][]int{
		warehouse.SyntaxError:     {1003},
		warehouse.UnknownColumn:   {904},
		warehouse.UnknownTable:    {2003, 2043},
		warehouse.AmbiguousColumn: {1006, 2065},
		warehouse.UnknownFunction: {2140, 2141},
		warehouse.GroupingError:   {979},
		warehouse.DivisionByZero:  {100051},
		warehouse.TypeMismatch:    {100038, 100035, 100040, 1007, 1044},
		warehouse.NoPermission:    {3001, 390100, 390144, 390195, 394304},
		warehouse.TimedOut:        {604, 630, 639},
		warehouse.OverQuota:       {606, 607, 90073},
		warehouse.Unreachable:     {driverFamily},
	},
	Family: family,
	Names:  map[warehouse.ErrorClass][]wire.Delimiters{"": {{Open: "'", Shut: "'"}}},
}
