package duckdb

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"slices"

	"quaestor/research/warehouse/digest"
)

// columnKind is the encoding of a column's values in a batch.
type columnKind string

// The kinds. A value takes eight bytes, or one for bools; texts, decimals, objects and blobs
// have any length.
const (
	ints     columnKind = "ints"
	floats   columnKind = "floats"
	bools    columnKind = "bools"
	micros   columnKind = "micros"
	texts    columnKind = "texts"
	decimals columnKind = "decimals" // numbers as text
	objects  columnKind = "objects"  // JSON
	blobs    columnKind = "blobs"
)

// columnHead is one column of a result.
type columnHead struct {
	Name string     `json:"name"`
	Kind columnKind `json:"kind"`
	Days bool       `json:"days,omitempty"` // micros are days
	Text bool       `json:"text,omitempty"` // texts must not be parsed as numbers
}

// A batch is the number of its rows in four bytes, followed for each column by
//
//   - a byte that is 1 if some values are null, and then one bit for each value, set for
//     null, lowest bit first
//   - the values: eight bytes or one byte each, or the four-byte lengths of all of them
//     followed by all their bytes
//
// errBatch is the error for a batch that does not have this format.
var errBatch = errors.New("the reader of DuckDB files sent rows that cannot be read")

// result collects batches into columns. It trusts nothing in a batch but its own checks, since
// the child reads files of others.
type result struct {
	heads   []columnHead    // as the child sent them
	columns []digest.Column // one for each head
	rows    int
	bytes   int64 // of values, without nulls and lengths
}

// newResult returns an empty result with the given columns.
func newResult(heads []columnHead) *result {
	r := &result{heads: heads, columns: make([]digest.Column, len(heads))}
	for i, h := range heads {
		c := &r.columns[i]
		c.Name, c.Days, c.Text = h.Name, h.Days, h.Text
		switch h.Kind {
		case ints:
			c.Ints = []int64{}
		case floats:
			c.Floats = []float64{}
		case bools:
			c.Bools = []bool{}
		case micros:
			c.Micros = []int64{}
		case texts:
			c.Strings = []string{}
		case decimals:
			c.Decimals = []string{}
		case objects, blobs:
			c.Values = []any{}
		}
	}
	return r
}

// add appends a batch. Every column must have as many values as the batch has rows, and nothing
// may be left over; otherwise the error is errBatch and r must not be used.
func (r *result) add(b []byte) error {
	in := input{rest: b}
	n := int(in.u32())
	if n > math.MaxInt32 || in.bad {
		return errBatch
	}
	for i := range r.columns {
		if !r.column(&in, i, n) {
			return errBatch
		}
	}
	if len(in.rest) != 0 {
		return errBatch
	}
	r.rows += n
	return nil
}

// column appends n values to column i, and reports whether they were complete.
func (r *result) column(in *input, i, n int) bool {
	c, nulls := &r.columns[i], in.nulls(n)
	if in.bad {
		return false
	}
	if nulls != nil || c.Null != nil {
		c.Null = r.nulls(c.Null, nulls, n)
	}
	switch kind := r.heads[i].Kind; kind {
	case ints, micros, floats:
		r.bytes += int64(8 * n)
		r.words(c, kind, in.take(8*n))
	case bools:
		r.bytes += int64(n)
		for _, v := range in.take(n) {
			c.Bools = append(c.Bools, v != 0)
		}
	default:
		r.strings(c, kind, in, nulls, n)
	}
	return !in.bad
}

// nulls extends the list of nulls by n rows. A column without nulls has no list.
func (r *result) nulls(list []bool, bits []byte, n int) []bool {
	list = slices.Grow(list, r.rows+n-len(list))[:r.rows+n]
	for k := range bits {
		for j := range min(8, n-8*k) {
			list[r.rows+8*k+j] = bits[k]&(1<<j) != 0
		}
	}
	return list
}

// words appends values of eight bytes.
func (r *result) words(c *digest.Column, kind columnKind, b []byte) {
	for ; len(b) >= 8; b = b[8:] {
		v := binary.LittleEndian.Uint64(b)
		switch kind {
		case ints:
			c.Ints = append(c.Ints, int64(v))
		case floats:
			c.Floats = append(c.Floats, math.Float64frombits(v))
		default:
			c.Micros = append(c.Micros, int64(v))
		}
	}
}

// strings appends values of any length. All values of a batch share one string.
func (r *result) strings(c *digest.Column, kind columnKind, in *input, nulls []byte, n int) {
	lengths := in.take(4 * n)
	total := 0
	for k := range len(lengths) / 4 {
		total += int(binary.LittleEndian.Uint32(lengths[4*k:]))
	}
	all := string(in.take(total))
	if in.bad {
		return
	}
	r.bytes += int64(total)
	for k := range n {
		l := int(binary.LittleEndian.Uint32(lengths[4*k:]))
		v := all[:l]
		all = all[l:]
		switch kind {
		case texts:
			c.Strings = append(c.Strings, v)
		case decimals:
			c.Decimals = append(c.Decimals, v)
		default:
			c.Values = append(c.Values, value(kind, v, nulls != nil && nulls[k/8]&(1<<(k%8)) != 0))
		}
	}
}

// value returns a JSON or binary value. What DuckDB writes as JSON is not always valid, because
// of NaN for example; then it stays text.
func value(kind columnKind, v string, null bool) any {
	switch {
	case null:
		return nil
	case kind == blobs:
		return []byte(v)
	case json.Valid([]byte(v)):
		return json.RawMessage(v)
	default:
		return v
	}
}

// input is the unread rest of a batch.
type input struct {
	rest []byte // belongs to the frame and is not kept
	bad  bool   // more bytes were requested than there are
}

// take returns the next n bytes, or nil if there are fewer.
func (in *input) take(n int) []byte {
	if n < 0 || n > len(in.rest) {
		in.bad = true
		return nil
	}
	out := in.rest[:n]
	in.rest = in.rest[n:]
	return out
}

// u32 returns the next four bytes as a number.
func (in *input) u32() uint32 {
	if b := in.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

// nulls returns the null bits of n values; nil if none is null.
func (in *input) nulls(n int) []byte {
	if b := in.take(1); in.bad || b[0] == 0 {
		return nil
	}
	return in.take((n + 7) / 8)
}
