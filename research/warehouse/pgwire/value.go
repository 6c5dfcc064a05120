package pgwire

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math"
	"time"

	"github.com/jackc/pgx/v5/pgtype"

	"quaestor/research/warehouse/wire"
)

// reader appends a non-null cell to its column. It does not retain b.
type reader func(c *wire.Column, b []byte)

// kind is how the values of a type are transferred and where they are stored.
type kind struct {
	form   wire.ValueKind
	format int16
	read   reader
}

// kinds are the types that are not simply transferred as text into strings.
var kinds = map[uint32]kind{
	pgtype.Int2OID:        {wire.Ints, pgtype.BinaryFormatCode, readInt2},
	pgtype.Int4OID:        {wire.Ints, pgtype.BinaryFormatCode, readInt4},
	pgtype.Int8OID:        {wire.Ints, pgtype.BinaryFormatCode, readInt8},
	pgtype.OIDOID:         {wire.Ints, pgtype.BinaryFormatCode, readOID},
	pgtype.Float4OID:      {wire.Floats, pgtype.BinaryFormatCode, readFloat4},
	pgtype.Float8OID:      {wire.Floats, pgtype.BinaryFormatCode, readFloat8},
	pgtype.BoolOID:        {wire.Bools, pgtype.BinaryFormatCode, func(c *wire.Column, b []byte) { c.Bool(b[0] != 0) }},
	pgtype.NumericOID:     {wire.Decimals, pgtype.TextFormatCode, (*wire.Column).Decimal},
	pgtype.TimestampOID:   {wire.Times, pgtype.BinaryFormatCode, readTime},
	pgtype.TimestamptzOID: {wire.Times, pgtype.BinaryFormatCode, readTime},
	pgtype.DateOID:        {wire.Days, pgtype.BinaryFormatCode, readDate},
	pgtype.ByteaOID:       {wire.Values, pgtype.BinaryFormatCode, func(c *wire.Column, b []byte) { c.Value(bytes.Clone(b)) }},
	pgtype.JSONOID:        {wire.Values, pgtype.TextFormatCode, readJSON},
	pgtype.JSONBOID:       {wire.Values, pgtype.TextFormatCode, readJSON},
}

// arrays are the types whose literals are converted to JSON arrays; true means that their elements
// are numbers or booleans, which JSON writes without quotes.
var arrays = map[uint32]bool{
	pgtype.Int2ArrayOID: true, pgtype.Int4ArrayOID: true, pgtype.Int8ArrayOID: true, pgtype.Float4ArrayOID: true, pgtype.Float8ArrayOID: true,
	pgtype.NumericArrayOID: true, pgtype.BoolArrayOID: true, pgtype.TextArrayOID: false, pgtype.VarcharArrayOID: false, pgtype.BPCharArrayOID: false,
	pgtype.DateArrayOID: false, pgtype.TimestampArrayOID: false, pgtype.TimestamptzArrayOID: false, pgtype.UUIDArrayOID: false, pgtype.NameArrayOID: false,
}

// kindOf returns the kind of a type; unknown types are text.
func kindOf(oid uint32) kind {
	if k, ok := kinds[oid]; ok {
		return k
	}
	if bare, ok := arrays[oid]; ok {
		return kind{wire.Values, pgtype.TextFormatCode, func(c *wire.Column, b []byte) { readArray(c, b, bare) }}
	}
	return kind{wire.Strings, pgtype.TextFormatCode, (*wire.Column).Text}
}

// The functions below read one value in PostgreSQL's binary format, which is big-
// endian.
func readInt2(c *wire.Column, b []byte) { c.Int(int64(int16(binary.BigEndian.Uint16(b)))) }

func readInt4(c *wire.Column, b []byte) { c.Int(int64(int32(binary.BigEndian.Uint32(b)))) }

func readInt8(c *wire.Column, b []byte) { c.Int(int64(binary.BigEndian.Uint64(b))) }

func readOID(c *wire.Column, b []byte) { c.Int(int64(binary.BigEndian.Uint32(b))) }

func readFloat4(c *wire.Column, b []byte) {
	c.Float32(math.Float32frombits(binary.BigEndian.Uint32(b)))
}

func readFloat8(c *wire.Column, b []byte) { c.Float(math.Float64frombits(binary.BigEndian.Uint64(b))) }

// PostgreSQL's epoch, which is 2000-01-01, and the length of a day.
const (
	epochDays   = 10957 // from 1970 to 2000
	dayMicros   = int64(24 * time.Hour / time.Microsecond)
	epochMicros = epochDays * dayMicros
	lastDay     = math.MaxInt64/dayMicros - 1
)

// readTime converts microseconds since 2000. Infinite times become words.
func readTime(c *wire.Column, b []byte) {
	switch v := int64(binary.BigEndian.Uint64(b)); {
	case v == math.MaxInt64:
		c.Value("infinity")
	case v == math.MinInt64:
		c.Value("-infinity")
	case v > math.MaxInt64-epochMicros:
		c.Value(time.Unix(epochMicros/1e6+v/1e6, v%1e6*1e3).UTC().Format("2006-01-02 15:04:05.999999"))
	default:
		c.Micros(v + epochMicros)
	}
}

// readDate converts days since 2000.
func readDate(c *wire.Column, b []byte) {
	switch v := int32(binary.BigEndian.Uint32(b)); {
	case v == math.MaxInt32:
		c.Value("infinity")
	case v == math.MinInt32:
		c.Value("-infinity")
	case int64(v)+epochDays > lastDay:
		c.Value(time.Unix((int64(v)+epochDays)*86400, 0).UTC().Format(time.DateOnly))
	default:
		c.Micros((int64(v) + epochDays) * dayMicros)
	}
}

// readJSON copies the document, because b belongs to the connection's buffer.
func readJSON(c *wire.Column, b []byte) { c.Value(json.RawMessage(bytes.Clone(b))) }

// readArray converts the literal of an array to JSON; one that cannot be converted stays text.
func readArray(c *wire.Column, b []byte, bare bool) {
	if out, ok := arrayJSON(b, bare); ok {
		c.Value(json.RawMessage(out))
		return
	}
	c.Value(string(b))
}
