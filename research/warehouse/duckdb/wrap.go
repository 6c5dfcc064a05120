//go:build duckdb && cgo

package duckdb

import (
	"fmt"
	"strings"

	b "github.com/duckdb/duckdb-go-bindings"
)

// conversion is the way in which the engine returns a column.
type conversion int

const (
	plain  conversion = iota // in its own type
	asText                   // as DuckDB prints it
	asJSON                   // arrays and objects
)

// conversionOf returns how the values of a type are returned.
func conversionOf(t b.Type) conversion {
	switch t {
	case b.TypeBoolean, b.TypeTinyInt, b.TypeSmallInt, b.TypeInteger, b.TypeBigInt, b.TypeUTinyInt, b.TypeUSmallInt, b.TypeUInteger, b.TypeUBigInt,
		b.TypeHugeInt, b.TypeFloat, b.TypeDouble, b.TypeDecimal, b.TypeVarchar, b.TypeBlob, b.TypeDate,
		b.TypeTimestamp, b.TypeTimestampS, b.TypeTimestampMS, b.TypeTimestampNS, b.TypeTimestampTZ:
		return plain
	case b.TypeList, b.TypeStruct, b.TypeMap, b.TypeArray, b.TypeUnion, b.TypeVariant:
		return asJSON
	default:
		return asText
	}
}

// wrap returns a statement around sql in which DuckDB itself converts columns that are not plain;
// empty if all columns are plain. DuckDB keeps the order of the inner statement's rows.
func wrap(s b.PreparedStatement, sql string) string {
	n := b.PreparedStatementColumnCount(s)
	items, odd := make([]string, n), false
	for i := range n {
		items[i] = fmt.Sprintf("#%d", i+1)
		switch conversionOf(b.PreparedStatementColumnType(s, i)) {
		case asText:
			items[i], odd = fmt.Sprintf("CAST(#%d AS VARCHAR)", i+1), true
		case asJSON:
			items[i], odd = fmt.Sprintf("to_json(#%d)", i+1), true
		}
		items[i] += " AS " + quoteName(b.PreparedStatementColumnName(s, i))
	}
	if !odd {
		return ""
	}
	return "SELECT " + strings.Join(items, ", ") + " FROM (" + sql + "\n) AS t"
}
