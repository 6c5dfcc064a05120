package wire

import (
	"time"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/digest"
)

// Reading is a result while it is read: its columns, and how much of it has come.
type Reading struct {
	Columns []*Column

	limits warehouse.Limits
	began  time.Time
	rows   int
	bytes  int64
	more   bool
}

// NewReading returns an empty reading within the limits l, of a statement that was sent at
// began.
func NewReading(l warehouse.Limits, began time.Time) *Reading {
	return &Reading{limits: l, began: began}
}

// Room counts one more row of the given size and reports whether it may be kept. If it may
// not, the caller must stop reading.
func (r *Reading) Room(bytes int) bool {
	if r.rows >= r.limits.Rows || r.bytes+int64(bytes) > r.limits.Bytes {
		r.more = true
		return false
	}
	r.rows++
	r.bytes += int64(bytes)
	return true
}

// More reports whether a limit cut the result.
func (r *Reading) More() bool { return r.more }

// Result returns what was read so far.
func (r *Reading) Result() *warehouse.Result {
	out := &warehouse.Result{Columns: make([]digest.Column, len(r.Columns)), Rows: r.rows, More: r.more, Bytes: r.bytes, Took: time.Since(r.began)}
	for i, c := range r.Columns {
		out.Columns[i] = c.out
	}
	return out
}
