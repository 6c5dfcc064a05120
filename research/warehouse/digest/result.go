package digest

import "encoding/json"

// The bounds of a digest.
const (
	CompactInlineThreshold = 20     // rows up to which all are kept
	TopValueCardinality    = 20     // distinct values up to which a column names its most frequent, and its strings are shown as they are
	HeadTailRowCount       = 5      // rows kept of each end
	TopValues              = 3      // most frequent values named
	DistinctLimit          = 10_000 // distinct values up to which they are counted exactly
	maxCell                = 120    // characters of one cell, beyond which it is cut
)

// ColumnKind is what the values of a column are.
type ColumnKind string

// The kinds. A column is mixed when its values are of more than one of them.
const (
	Number    ColumnKind = "number"
	String    ColumnKind = "string"
	Boolean   ColumnKind = "boolean"
	Timestamp ColumnKind = "timestamp"
	Null      ColumnKind = "null" // nothing but nulls
	Mixed     ColumnKind = "mixed"
	Binary    ColumnKind = "binary" // bytes that are no text
	JSON      ColumnKind = "json"   // arrays and objects
)

// CompactResult is the digest of a result. Rows are in the order they came, the
// cells of each in the order of Columns.
type CompactResult struct {
	RowCount int             `json:"rowCount"`
	Columns  []ColumnSummary `json:"columns"`
	HeadRows []Row           `json:"headRows,omitempty"` // the first HeadTailRowCount
	TailRows []Row           `json:"tailRows,omitempty"` // the last HeadTailRowCount, when there are more than twice as many
	// ColumnsLeft is how many more columns there were than there was room for.
	ColumnsLeft int   `json:"columnsLeft,omitempty"`
	AllRows     []Row `json:"allRows,omitempty"` // every row, when there are at most CompactInlineThreshold, or when they are shorter than their digest
}

// ColumnSummary is what is said of one column. Statistics are of the values that
// are numbers; NaN and infinities count as null.
type ColumnSummary struct {
	Name         string     `json:"name"` // as in the SELECT; one that stands there again has _2, _3 …
	Kind         ColumnKind `json:"kind"`
	NullCount    int        `json:"nullCount,omitempty"`
	Distinct     int        `json:"distinct"`               // of the values that are not null
	DistinctMore bool       `json:"distinctMore,omitempty"` // there are more than Distinct

	// Numbers. Percentiles are interpolated linearly (type 7 of Hyndman and Fan, 1996).
	Min       *float64 `json:"min,omitempty"`
	P25       *float64 `json:"p25,omitempty"`
	Median    *float64 `json:"median,omitempty"`
	P75       *float64 `json:"p75,omitempty"`
	Max       *float64 `json:"max,omitempty"`
	Mean      *float64 `json:"mean,omitempty"`
	StdDev    *float64 `json:"stdDev,omitempty"` // of the sample; nil for a single value
	Sum       *float64 `json:"sum,omitempty"`    // nil beyond what a float64 holds, as are Mean and StdDev
	Zeros     int      `json:"zeros,omitempty"`
	Negatives int      `json:"negatives,omitempty"`

	// Times, ISO 8601 in UTC; of an even number of times the median is the earlier.
	MinTime    string `json:"minTime,omitempty"`
	MedianTime string `json:"medianTime,omitempty"`
	MaxTime    string `json:"maxTime,omitempty"`

	Top []ValueCount `json:"top,omitempty"` // the most frequent, of strings and booleans with at most TopValueCardinality values
}

// ValueCount is a value and how often it occurs.
type ValueCount struct {
	Value string `json:"value"`
	Count int    `json:"count"`
}

// Row is one row, its cells as they are shown.
type Row []json.RawMessage
