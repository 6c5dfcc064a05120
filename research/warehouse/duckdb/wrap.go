//go:build duckdb && cgo

package duckdb

import (
	"fmt"
	"strings"

	b "github.com/duckdb/duckdb-go-bindings"
)

// how says how the engine gives a column.
type how int

const (
	plain  how = iota // as it is
	asText            // as what DuckDB writes for it
	asJSON            // arrays and objects
)

// howOf says how the values of a type are given.
func howOf(t b.Type) how {
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

// wrap returns the statement around sql that has DuckDB write out the columns whose
// values are not plain; empty if all are. A statement around another keeps the
// order of its rows.
func wrap(s b.PreparedStatement, sql string) string {
	n := b.PreparedStatementColumnCount(s)
	items, odd := make([]string, n), false
	for i := range n {
		items[i] = fmt.Sprintf("#%d", i+1)
		switch howOf(b.PreparedStatementColumnType(s, i)) {
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
