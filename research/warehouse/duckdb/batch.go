package duckdb

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"slices"

	"quaestor/research/warehouse/digest"
)

// columnKind says how the values of a column travel.
type columnKind string

// The kinds. All but texts and bytes are eight bytes a value, or one for a truth.
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
	Text bool       `json:"text,omitempty"` // texts are never numbers
}

// A batch is the number of its rows in four bytes, and then for each column:
//
//   - a byte, 1 if some values are null, and then a bit for each value, set if it
//     is null, the first one lowest
//   - the values: of eight bytes, of one, or the four-byte length of each, and then
//     all their bytes
//
// errBatch is what a batch that is not so gives.
var errBatch = errors.New("the reader of DuckDB files sent rows that cannot be read")

// result collects batches into columns.
type result struct {
	heads   []columnHead
	columns []digest.Column
	rows    int
	bytes   int64
}

// newResult returns a result without rows.
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

// add appends a batch, and says how many rows it had.
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

// column appends n values to column i.
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

// nulls appends which of n values are null; a column without any has no list.
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

// strings appends values of any length. All of a batch share one string.
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

// value returns a value that is neither number nor text. What DuckDB writes as JSON
// and is none, because of a NaN in it, stays text.
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

// input is what is left of a batch.
type input struct {
	rest []byte
	bad  bool // more was asked for than there is
}

// take returns the next n bytes; none when there are fewer.
func (in *input) take(n int) []byte {
	if n < 0 || n > len(in.rest) {
		in.bad = true
		return nil
	}
	out := in.rest[:n]
	in.rest = in.rest[n:]
	return out
}

func (in *input) u32() uint32 {
	if b := in.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

// nulls returns the bits of n values that say which are null; nil for none.
func (in *input) nulls(n int) []byte {
	if b := in.take(1); in.bad || b[0] == 0 {
		return nil
	}
	return in.take((n + 7) / 8)
}
