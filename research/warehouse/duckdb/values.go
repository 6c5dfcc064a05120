//go:build duckdb && cgo

package duckdb

import (
	"encoding/binary"
	"math"
	"math/big"
	"strconv"
	"unsafe"

	b "github.com/duckdb/duckdb-go-bindings"
)

// scanColumn is a column of the current chunk. Its memory belongs to DuckDB and is valid until the
// next chunk.
type scanColumn struct {
	head  columnHead
	kind  b.Type         // DuckDB's
	inner b.Type         // the type that a decimal is stored as
	scale int            // of a decimal
	data  unsafe.Pointer // the values, in DuckDB's layout
	valid unsafe.Pointer // validity mask; nil if no value is null
	text  []byte         // the decimals of the chunk
	ends  []int          // the end of each decimal in text
}

// newColumn returns column i of a result.
func newColumn(r *b.Result, i b.IdxT) scanColumn {
	c := scanColumn{kind: b.ColumnType(r, i), head: columnHead{Name: b.ColumnName(r, i)}}
	t := b.ColumnLogicalType(r, i)
	defer b.DestroyLogicalType(&t)
	switch c.kind {
	case b.TypeBoolean:
		c.head.Kind = bools
	case b.TypeFloat, b.TypeDouble:
		c.head.Kind = floats
	case b.TypeDecimal:
		c.head.Kind, c.inner, c.scale = decimals, b.DecimalInternalType(t), int(b.DecimalScale(t))
	case b.TypeHugeInt:
		c.head.Kind, c.inner = decimals, b.TypeHugeInt
	case b.TypeUBigInt:
		c.head.Kind, c.inner = decimals, b.TypeUBigInt
	case b.TypeDate:
		c.head.Kind, c.head.Days = micros, true
	case b.TypeTimestamp, b.TypeTimestampS, b.TypeTimestampMS, b.TypeTimestampNS, b.TypeTimestampTZ:
		c.head.Kind = micros
	case b.TypeBlob:
		c.head.Kind = blobs
	case b.TypeVarchar:
		c.head.Kind, c.head.Text = texts, true
		if b.LogicalTypeGetAlias(t) == "JSON" {
			c.head.Kind, c.head.Text = objects, false
		}
	default:
		c.head.Kind = ints
	}
	return c
}

// isNull reports whether value r is null; in the mask a set bit means that it is not.
func isNull(valid unsafe.Pointer, r int) bool {
	return valid != nil && *(*uint64)(unsafe.Add(valid, r/64*8))&(1<<(r%64)) == 0
}

// at returns value r of a vector.
func at[T any](data unsafe.Pointer, r int) T {
	var t T
	return *(*T)(unsafe.Add(data, uintptr(r)*unsafe.Sizeof(t)))
}

// textAt returns text r of a vector in DuckDB's layout: the length, followed either by up to
// twelve bytes inline, or by four bytes and a pointer to all of them. The string shares DuckDB's
// memory and must be cloned to outlive the chunk.
func textAt(data unsafe.Pointer, r int) string {
	p := unsafe.Add(data, r*16)
	n := *(*uint32)(p)
	if n <= 12 {
		return unsafe.String((*byte)(unsafe.Add(p, 4)), n)
	}
	return unsafe.String(*(**byte)(unsafe.Add(p, 8)), n)
}

// null reports whether value r is null, or is a time that cannot be expressed in microseconds, such
// as infinity.
func (c *scanColumn) null(r int) bool {
	if isNull(c.valid, r) {
		return true
	}
	if c.head.Kind != micros {
		return false
	}
	_, ok := c.micros(r)
	return !ok
}

// size returns how many bytes value r counts for.
func (c *scanColumn) size(r int) int64 {
	switch c.head.Kind {
	case bools:
		return 1
	case texts, objects, blobs:
		if isNull(c.valid, r) {
			return 0
		}
		return int64(at[[4]uint32](c.data, r)[0])
	case decimals:
		return 40 // of a number of 38 digits
	default:
		return 8
	}
}

// append appends the first n values in the format of a batch.
func (c *scanColumn) append(out []byte, n int) []byte {
	out = c.appendNulls(out, n)
	switch c.head.Kind {
	case bools:
		for r := range n {
			out = append(out, at[byte](c.data, r))
		}
	case floats:
		for r := range n {
			out = binary.LittleEndian.AppendUint64(out, math.Float64bits(c.float(r)))
		}
	case micros:
		for r := range n {
			v, _ := c.micros(r)
			out = binary.LittleEndian.AppendUint64(out, uint64(v))
		}
	case ints:
		for r := range n {
			out = binary.LittleEndian.AppendUint64(out, uint64(c.integer(r, c.kind)))
		}
	case decimals:
		out = c.appendDecimals(out, n)
	default:
		out = c.appendTexts(out, n)
	}
	return out
}

// appendNulls appends the null bits of n values.
func (c *scanColumn) appendNulls(out []byte, n int) []byte {
	from := len(out)
	out = append(out, 0)
	if c.valid == nil && c.head.Kind != micros {
		return out
	}
	out = append(out, make([]byte, (n+7)/8)...)
	for r := range n {
		if c.null(r) {
			out[from] = 1
			out[from+1+r/8] |= 1 << (r % 8)
		}
	}
	if out[from] == 0 {
		out = out[:from+1]
	}
	return out
}

// appendTexts appends n values of any length.
func (c *scanColumn) appendTexts(out []byte, n int) []byte {
	for r := range n {
		out = binary.LittleEndian.AppendUint32(out, uint32(c.size(r)))
	}
	for r := range n {
		if !isNull(c.valid, r) {
			out = append(out, textAt(c.data, r)...)
		}
	}
	return out
}

// appendDecimals appends n decimals as texts.
func (c *scanColumn) appendDecimals(out []byte, n int) []byte {
	c.text, c.ends = c.text[:0], c.ends[:0]
	for r := range n {
		if !isNull(c.valid, r) {
			c.text = c.appendDecimal(c.text, r)
		}
		c.ends = append(c.ends, len(c.text))
	}
	from := 0
	for _, end := range c.ends {
		out = binary.LittleEndian.AppendUint32(out, uint32(end-from))
		from = end
	}
	return append(out, c.text...)
}

// float returns number r. A single-precision number becomes the shortest decimal that means it.
func (c *scanColumn) float(r int) float64 {
	if c.kind == b.TypeDouble {
		return at[float64](c.data, r)
	}
	v := at[float32](c.data, r)
	f, err := strconv.ParseFloat(strconv.FormatFloat(float64(v), 'g', -1, 32), 64)
	if err != nil {
		return float64(v)
	}
	return f
}

// integer returns whole number r, which is stored as kind.
func (c *scanColumn) integer(r int, kind b.Type) int64 {
	switch kind {
	case b.TypeTinyInt:
		return int64(at[int8](c.data, r))
	case b.TypeSmallInt:
		return int64(at[int16](c.data, r))
	case b.TypeInteger:
		return int64(at[int32](c.data, r))
	case b.TypeUTinyInt:
		return int64(at[uint8](c.data, r))
	case b.TypeUSmallInt:
		return int64(at[uint16](c.data, r))
	case b.TypeUInteger:
		return int64(at[uint32](c.data, r))
	default:
		return at[int64](c.data, r)
	}
}

// micros returns time r in microseconds, and whether that is possible.
func (c *scanColumn) micros(r int) (int64, bool) {
	switch c.kind {
	case b.TypeDate:
		v := int64(at[int32](c.data, r))
		return scaled(v, 86_400_000_000, v == math.MaxInt32 || v == -math.MaxInt32)
	case b.TypeTimestampS:
		return scaled(at[int64](c.data, r), 1_000_000, false)
	case b.TypeTimestampMS:
		return scaled(at[int64](c.data, r), 1000, false)
	case b.TypeTimestampNS:
		v := at[int64](c.data, r)
		return v / 1000, v != math.MaxInt64 && v != -math.MaxInt64
	default:
		return scaled(at[int64](c.data, r), 1, false)
	}
}

// scaled returns v × by; false if v is infinite or the product overflows.
func scaled(v, by int64, endless bool) (int64, bool) {
	if endless || v == math.MaxInt64 || v == -math.MaxInt64 || v > math.MaxInt64/by || v < math.MinInt64/by {
		return 0, false
	}
	return v * by, true
}

// appendDecimal writes number r with all its digits.
func (c *scanColumn) appendDecimal(out []byte, r int) []byte {
	switch c.inner {
	case b.TypeUBigInt:
		return strconv.AppendUint(out, at[uint64](c.data, r), 10)
	case b.TypeHugeInt:
		v := at[[2]uint64](c.data, r) // the lower half comes first
		if high := int64(v[1]); high == int64(v[0])>>63 {
			return point(strconv.AppendInt(nil, int64(v[0]), 10), c.scale, out)
		}
		whole := new(big.Int).Lsh(big.NewInt(int64(v[1])), 64)
		return point(whole.Add(whole, new(big.Int).SetUint64(v[0])).Append(nil, 10), c.scale, out)
	default:
		var digits [24]byte
		return point(strconv.AppendInt(digits[:0], c.integer(r, c.inner), 10), c.scale, out)
	}
}

// point writes digits with a decimal point before the last scale of them.
func point(digits []byte, scale int, out []byte) []byte {
	if digits[0] == '-' {
		out, digits = append(out, '-'), digits[1:]
	}
	if scale == 0 {
		return append(out, digits...)
	}
	if n := len(digits) - scale; n > 0 {
		out, digits = append(out, digits[:n]...), digits[n:]
	} else {
		out = append(out, '0')
	}
	out = append(out, '.')
	for range scale - len(digits) {
		out = append(out, '0')
	}
	return append(out, digits...)
}
