package mysql

import (
	"context"
	"errors"

	"github.com/go-sql-driver/mysql"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/wire"
)

// fault returns what a person or a model is told of err; that of ctx, the
// caller's, when it has ended.
func (c *conn) fault(ctx context.Context, err error) error { return faults.Fault(ctx, err, c.secret) }

// faults are the numbers of both makes' error references; those that differ between the
// two do not overlap.
var faults = wire.Classifier[uint16]{
	ServerError: func(err error) (wire.ServerError[uint16], bool) {
		var e *mysql.MySQLError
		if !errors.As(err, &e) {
			return wire.ServerError[uint16]{}, false
		}
		return wire.ServerError[uint16]{Code: e.Number, Message: e.Message}, true
	},
	Phrases: []wire.Phrase{{Text: "max-session-mem-used", Class: warehouse.OverQuota}}, // else 1290 is a statement that an option forbids
	Codes: map[warehouse.ErrorClass][]uint16{
		warehouse.SyntaxError:     {1064, 1149, 1248, 1327},
		warehouse.UnknownColumn:   {1054, 1166},
		warehouse.UnknownTable:    {1146, 1049, 1051, 1109, 1356},
		warehouse.AmbiguousColumn: {1052, 1060},
		warehouse.UnknownFunction: {1305, 1630, 1582, 1128},
		warehouse.DivisionByZero:  {1365},
		warehouse.GroupingError:   {1055, 1056, 1111, 1140, 1463, 4015},
		warehouse.TypeMismatch:    {1264, 1267, 1270, 1292, 1366, 1411, 1690, 1241, 1139, 3685, 4078, 4079},
		warehouse.TimedOut:        {1205, 1317, 1969, 3024},
		warehouse.NoPermission:    {1044, 1045, 1142, 1143, 1227, 1345, 1370, 1698},
		warehouse.Forbidden:       {1792, 1290, 1836, 1148, 4166},
		warehouse.OverQuota:       {1037, 1038, 1040, 1041, 1104, 1114, 1135, 1203, 1226, 3170, 3636, 4031},
		warehouse.Unreachable:     {1053, 1129, 1130, 1152, 1158, 1159, 1160, 1161, 1184, 1927, 2006, 2013},
	},
	Names: map[warehouse.ErrorClass][]wire.Delimiters{
		warehouse.UnknownColumn: quoted, warehouse.UnknownTable: quoted, warehouse.AmbiguousColumn: quoted, warehouse.GroupingError: quoted,
		warehouse.UnknownFunction: append(quoted[:1:1], wire.Delimiters{Open: "FUNCTION ", Shut: " "}),
		warehouse.NoPermission:    {{Open: "for table "}},
	},
}

// quoted is where both makes put most names in a message.
var quoted = []wire.Delimiters{{Open: "'", Shut: "'"}}
