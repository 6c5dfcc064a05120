package digest

import "encoding/json"

// Bounds of a digest. They decide how much of a result a prompt holds: at twenty rows or values
// a list is still read as a whole, beyond that statistics say more in fewer tokens.
const (
	CompactInlineThreshold = 20     // rows up to which all are kept
	TopValueCardinality    = 20     // distinct values up to which a column lists its most frequent ones and shows its strings unmasked
	HeadTailRowCount       = 5      // rows kept from each end
	TopValues              = 3      // most frequent values listed
	DistinctLimit          = 10_000 // distinct values up to which they are counted exactly
	maxCell                = 120    // characters of a cell; the rest is cut
)

// ColumnKind is the kind of a column's values.
type ColumnKind string

// The kinds. A column is mixed if its values are of more than one of the others.
const (
	Number    ColumnKind = "number"
	String    ColumnKind = "string"
	Boolean   ColumnKind = "boolean"
	Timestamp ColumnKind = "timestamp"
	Null      ColumnKind = "null" // only nulls
	Mixed     ColumnKind = "mixed"
	Binary    ColumnKind = "binary" // bytes that are not text
	JSON      ColumnKind = "json"   // arrays and objects
)

// CompactResult is the digest of a result. Rows are in their original order, and their cells in
// the order of Columns.
type CompactResult struct {
	RowCount int             `json:"rowCount"`
	Columns  []ColumnSummary `json:"columns"`
	HeadRows []Row           `json:"headRows,omitempty"` // the first HeadTailRowCount
	TailRows []Row           `json:"tailRows,omitempty"` // the last HeadTailRowCount, if there are more than twice as many rows
	// ColumnsLeft is the number of columns that were dropped for lack of room.
	ColumnsLeft int   `json:"columnsLeft,omitempty"`
	AllRows     []Row `json:"allRows,omitempty"` // all rows, if there are at most CompactInlineThreshold or they are shorter than their digest
}

// ColumnSummary is the summary of one column. Statistics cover the values that are numbers; NaN
// and infinities count as null.
type ColumnSummary struct {
	Name         string     `json:"name"` // as in the SELECT; a repeated name gets _2, _3 …
	Kind         ColumnKind `json:"kind"`
	NullCount    int        `json:"nullCount,omitempty"`
	Distinct     int        `json:"distinct"`               // distinct values, not counting null
	DistinctMore bool       `json:"distinctMore,omitempty"` // there are more than Distinct

	// Numbers. Percentiles are interpolated linearly (type 7 of Hyndman and Fan, 1996).
	Min       *float64 `json:"min,omitempty"`
	P25       *float64 `json:"p25,omitempty"`
	Median    *float64 `json:"median,omitempty"`
	P75       *float64 `json:"p75,omitempty"`
	Max       *float64 `json:"max,omitempty"`
	Mean      *float64 `json:"mean,omitempty"`
	StdDev    *float64 `json:"stdDev,omitempty"` // of the sample; nil for a single value
	Sum       *float64 `json:"sum,omitempty"`    // nil if it exceeds a float64, as are Mean and StdDev
	Zeros     int      `json:"zeros,omitempty"`
	Negatives int      `json:"negatives,omitempty"`

	// Times in ISO 8601, UTC. The median of an even number of times is the earlier of the two.
	MinTime    string `json:"minTime,omitempty"`
	MedianTime string `json:"medianTime,omitempty"`
	MaxTime    string `json:"maxTime,omitempty"`

	Top []ValueCount `json:"top,omitempty"` // the most frequent values of strings and booleans with at most TopValueCardinality distinct ones
}

// ValueCount is a value with the number of its occurrences.
type ValueCount struct {
	Value string `json:"value"`
	Count int    `json:"count"`
}

// Row is one row, with its cells in the form in which they are shown.
type Row []json.RawMessage
