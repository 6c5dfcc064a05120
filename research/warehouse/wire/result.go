package wire

import (
	"time"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/digest"
)

// ResultBuilder is a result while it is read: its columns, and how much of it has come. It
// belongs to one statement and is not safe for concurrent use.
type ResultBuilder struct {
	Columns []*Column

	limits warehouse.Limits // of which Rows and Bytes count here
	began  time.Time
	rows   int
	bytes  int64
	more   bool // a row did not fit
}

// NewResultBuilder returns an empty builder within the limits l, for a statement that was sent at
// began. l must not have zeros; see [warehouse.Limits.OrDefault]. Columns is filled by the caller
// once they are known.
func NewResultBuilder(l warehouse.Limits, began time.Time) *ResultBuilder {
	return &ResultBuilder{limits: l, began: began}
}

// Room counts one more row of the given size and reports whether it may be kept. If it may
// not, the caller must stop reading.
func (r *ResultBuilder) Room(bytes int) bool {
	if r.rows >= r.limits.Rows || r.bytes+int64(bytes) > r.limits.Bytes {
		r.more = true
		return false
	}
	r.rows++
	r.bytes += int64(bytes)
	return true
}

// More reports whether a limit cut the result.
func (r *ResultBuilder) More() bool { return r.more }

// Result returns what was read so far. The columns are shared with the builder, which must not be
// used afterwards.
func (r *ResultBuilder) Result() *warehouse.Result {
	out := &warehouse.Result{Columns: make([]digest.Column, len(r.Columns)), Rows: r.rows, More: r.more, Bytes: r.bytes, Took: time.Since(r.began)}
	for i, c := range r.Columns {
		out.Columns[i] = c.out
	}
	return out
}
