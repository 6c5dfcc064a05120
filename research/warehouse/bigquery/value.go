package bigquery

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"time"

	"cloud.google.com/go/bigquery"
	"cloud.google.com/go/civil"

	"quaestor/research/warehouse/wire"
)

// forms are where the values of a type are stored; other types are strings.
var forms = map[bigquery.FieldType]wire.ValueKind{
	bigquery.IntegerFieldType: wire.Ints, bigquery.FloatFieldType: wire.Floats, bigquery.BooleanFieldType: wire.Bools,
	bigquery.NumericFieldType: wire.Decimals, bigquery.BigNumericFieldType: wire.Decimals, bigquery.TimestampFieldType: wire.Times, bigquery.DateTimeFieldType: wire.Times,
	bigquery.DateFieldType: wire.Days, bigquery.BytesFieldType: wire.Values, bigquery.RecordFieldType: wire.Values, bigquery.JSONFieldType: wire.Values,
}

// formOf returns the form of a field; repeated fields are arrays.
func formOf(f *bigquery.FieldSchema) wire.ValueKind {
	if f.Repeated {
		return wire.Values
	}
	if form, ok := forms[f.Type]; ok {
		return form
	}
	return wire.Strings
}

// put appends a cell to its column. v is nil for null. Times are in UTC, to the microsecond;
// DATETIME has no zone and is taken as UTC.
func put(c *wire.Column, f *bigquery.FieldSchema, v bigquery.Value) {
	switch v := v.(type) {
	case nil:
		c.Null()
	case int64:
		c.Int(v)
	case float64:
		c.Float(v)
	case bool:
		c.Bool(v)
	case string:
		if f.Type == bigquery.JSONFieldType {
			c.Value(json.RawMessage(v))
			return
		}
		c.Text([]byte(v))
	case time.Time:
		c.Micros(v.UnixMicro())
	case civil.Date:
		c.Micros(v.In(time.UTC).UnixMicro())
	case civil.DateTime:
		c.Micros(v.In(time.UTC).UnixMicro())
	case *big.Rat:
		c.Decimal([]byte(decimal(f, v)))
	case []byte:
		c.Value(v)
	case []bigquery.Value:
		c.Value(nested(f, v))
	default:
		c.Text([]byte(fmt.Sprint(v)))
	}
}

// decimal returns a number with its significant digits. NUMERIC has up to 9 decimals and
// BIGNUMERIC up to 38; trailing zeros are dropped.
func decimal(f *bigquery.FieldSchema, v *big.Rat) string {
	places := bigquery.NumericScaleDigits
	if f.Type == bigquery.BigNumericFieldType {
		places = bigquery.BigNumericScaleDigits
	}
	s := strings.TrimRight(v.FloatString(places), "0")
	return strings.TrimSuffix(s, ".")
}

// nested returns an array or record as JSON. A value that JSON cannot hold becomes text.
func nested(f *bigquery.FieldSchema, v []bigquery.Value) any {
	out, err := json.Marshal(plain(f, v))
	if err != nil {
		return fmt.Sprint(v)
	}
	return json.RawMessage(out)
}

// plain returns a value that can be encoded as JSON. A record becomes an object with its fields.
// Numbers keep all digits. Bytes become base64, as encoding/json writes them.
func plain(f *bigquery.FieldSchema, v bigquery.Value) any {
	list, ok := v.([]bigquery.Value)
	switch {
	case ok && f.Repeated:
		element := *f
		element.Repeated = false
		out := make([]any, len(list))
		for i, e := range list {
			out[i] = plain(&element, e)
		}
		return out
	case ok:
		out := make(map[string]any, len(list))
		for i, e := range list {
			if i < len(f.Schema) {
				out[f.Schema[i].Name] = plain(f.Schema[i], e)
			}
		}
		return out
	}
	switch v := v.(type) {
	case *big.Rat:
		return json.Number(decimal(f, v))
	case civil.Date, civil.Time, civil.DateTime:
		return fmt.Sprint(v)
	}
	return v
}

// sizeOf returns the approximate size of a row in bytes. Numbers, times and booleans count as
// eight bytes.
func sizeOf(row []bigquery.Value) int {
	n := 0
	for _, v := range row {
		switch v := v.(type) {
		case string:
			n += len(v)
		case []byte:
			n += len(v)
		case []bigquery.Value:
			n += sizeOf(v)
		default:
			n += 8
		}
	}
	return n
}
