package snowflake

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/guard"
	"quaestor/research/warehouse/wire"
)

// forbidden are words that no query contains; see [wire.Refuse].
var forbidden = strings.Fields("INSERT UPDATE DELETE MERGE DROP ALTER CREATE TRUNCATE EXECUTE CALL INTO COPY PUT GET REMOVE GRANT REVOKE USE SET UNSET UNDROP BEGIN DECLARE COMMIT ROLLBACK")

// Query implements [warehouse.Conn]. The estimate of EXPLAIN is checked against l.Scanned before
// the statement runs; it is the Scanned of the result. Of l, Memory has no effect.
func (c *conn) Query(ctx context.Context, s guard.Statement, l warehouse.Limits) (*warehouse.Result, error) {
	l = l.OrDefault()
	if err := wire.Refuse(s.SQL, forbidden...); err != nil {
		return nil, err
	}
	ownCtx, cancel := context.WithTimeout(ctx, l.Time+patience)
	defer cancel()
	scanned, err := c.explain(ownCtx, s.SQL, l)
	if err != nil {
		return nil, c.fault(ctx, err)
	}
	out, err := c.run(ownCtx, s.SQL, l)
	if err != nil {
		return nil, c.fault(ctx, err)
	}
	out.Scanned = scanned
	return out, nil
}

// plan is the part of EXPLAIN's answer that is checked.
type plan struct {
	GlobalStats struct {
		BytesAssigned int64 `json:"bytesAssigned"` // of the partitions that are left after pruning
	}
	Operations [][]struct {
		Operation string `json:"operation"` // such as TableScan or Insert
	}
}

// writes are parts of the names of operations in the plans of statements that write. They are
// compared in lower case.
var writes = []string{"insert", "update", "delete", "merge", "unload", "create", "copy", "truncate", "multitable"}

// explain refuses a statement that is not a query or would scan too much. It returns the bytes of
// the partitions that the query would read. EXPLAIN compiles a statement and does not run it; it
// needs no running warehouse. A statement without a plan is refused.
func (c *conn) explain(ctx context.Context, text string, l warehouse.Limits) (int64, error) {
	var answer string
	if err := c.db.QueryRowContext(ctx, "EXPLAIN USING JSON "+text).Scan(&answer); err != nil {
		return 0, err
	}
	var p plan
	if json.Unmarshal([]byte(answer), &p) != nil || len(p.Operations) == 0 {
		return 0, warehouse.NewQueryError(warehouse.Forbidden, "only statements with a plan are sent", "", nil)
	}
	for _, step := range p.Operations {
		for _, o := range step {
			for _, w := range writes {
				if strings.Contains(strings.ToLower(o.Operation), w) {
					return 0, wire.NoRows()
				}
			}
		}
	}
	scanned := p.GlobalStats.BytesAssigned
	return scanned, wire.CheckScan(scanned, l)
}

// run executes a statement and reads its result.
func (c *conn) run(ctx context.Context, text string, l warehouse.Limits) (*warehouse.Result, error) {
	began := time.Now()
	rows, err := c.db.QueryContext(ctx, text)
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // Err tells
	return wire.ReadRows(rows, wire.NewResultBuilder(l, began), kindOf)
}

// kindOf returns the form of a type and the function that appends its values. NUMBER without
// decimals is a whole number. Unknown types become text.
func kindOf(t *sql.ColumnType) (wire.ValueKind, wire.AppendFunc) {
	switch name := t.DatabaseTypeName(); name {
	case "FIXED":
		if _, scale, ok := t.DecimalSize(); ok && scale > 0 {
			return wire.Decimals, putDecimal
		}
		return wire.Ints, putWhole
	case "REAL":
		return wire.Floats, putFloat
	case "BOOLEAN":
		return wire.Bools, putBool
	case "DATE":
		return wire.Days, putTime
	case "TIMESTAMP_NTZ", "TIMESTAMP_LTZ", "TIMESTAMP_TZ":
		return wire.Times, putTime
	case "VARIANT", "OBJECT", "ARRAY":
		return wire.Values, putJSON
	case "BINARY":
		return wire.Values, func(c *wire.Column, v any) { c.Value(v) }
	case "TIME":
		return wire.Strings, putClock
	}
	return wire.Strings, putText
}

// The functions below append one value in the form in which the driver returns it.
func putText(c *wire.Column, v any) { c.Text([]byte(fmt.Sprint(v))) }

func putDecimal(c *wire.Column, v any) { c.Decimal([]byte(fmt.Sprint(v))) }

// putWhole appends a whole number, which may exceed 64 bits.
func putWhole(c *wire.Column, v any) {
	text := fmt.Sprint(v)
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		c.Int(n)
		return
	}
	c.Decimal([]byte(text))
}

// putFloat appends a number of binary floating point.
func putFloat(c *wire.Column, v any) {
	x, err := strconv.ParseFloat(fmt.Sprint(v), 64)
	if err != nil {
		c.Value(fmt.Sprint(v))
		return
	}
	c.Float(x)
}

// putBool appends a truth value. Anything but the spellings of true is false.
func putBool(c *wire.Column, v any) {
	switch fmt.Sprint(v) {
	case "true", "TRUE", "1":
		c.Bool(true)
	default:
		c.Bool(false)
	}
}

// putTime appends a date or a point in time. The point in time is kept to the microsecond, in
// UTC; its zone is lost.
func putTime(c *wire.Column, v any) {
	if t, ok := v.(time.Time); ok {
		c.Micros(t.UnixMicro())
		return
	}
	c.Value(fmt.Sprint(v))
}

// putClock appends a time of day.
func putClock(c *wire.Column, v any) {
	if t, ok := v.(time.Time); ok {
		v = t.Format("15:04:05.999999")
	}
	putText(c, v)
}

// putJSON appends a semi-structured value, which the driver returns as text. A text that is not
// valid JSON, which undefined values may give, stays text.
func putJSON(c *wire.Column, v any) {
	text := fmt.Sprint(v)
	if json.Valid([]byte(text)) {
		c.Value(json.RawMessage(text))
		return
	}
	c.Value(text)
}

// Sample reads at most n rows of a table. They are the first rows that the service finds, in no
// particular order.
func (c *conn) Sample(ctx context.Context, t catalog.Table, n int) (*warehouse.Result, error) {
	ref := quoted(t.Name)
	if t.Schema != "" {
		ref = quoted(t.Schema) + "." + ref
	}
	return c.Query(ctx, guard.Statement{SQL: "SELECT * FROM " + ref + " LIMIT " + strconv.Itoa(n)}, warehouse.Limits{Rows: n})
}
