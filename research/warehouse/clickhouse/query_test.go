package clickhouse

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/digest"
	"quaestor/research/warehouse/guard"
)

// Every type of ClickHouse is in a digest what it was in the table.
func TestValues(t *testing.T) {
	t.Parallel()

	c := newLab(t).open("default")
	for _, tt := range []struct {
		sql, want string
		kind      digest.ColumnKind
	}{
		{"toInt8(-128)", "-128", digest.Number}, {"toInt16(-3)", "-3", digest.Number}, {"toInt32(-3)", "-3", digest.Number}, {"toInt64('-9223372036854775808')", "-9223372036854775808", digest.Number},
		{"toUInt8(255)", "255", digest.Number}, {"toUInt16(65535)", "65535", digest.Number}, {"toUInt32(4294967295)", "4294967295", digest.Number}, {"toUInt64('18446744073709551615')", "18446744073709551615", digest.Number},
		{"toFloat32(0.1)", "0.1", digest.Number}, {"toFloat64(1e300)", "1e+300", digest.Number}, {"nan", "null", digest.Null}, {"-inf", "null", digest.Null},
		{"toDecimal32('1.5', 3)", "1.5", digest.Number}, {"toDecimal128('123456789012345678901234567890.12345', 5)", "123456789012345678901234567890.12345", digest.Number}, {"toDecimal64('-0.001', 3)", "-0.001", digest.Number},
		{"'0042'", `"0042"`, digest.String}, {"''", `""`, digest.String}, {"'🚀 \"x\"'", `"🚀 \"x\""`, digest.String}, {"unhex('00FF')", `"AP8="`, digest.Binary}, {"toFixedString('ab', 4)", `"ab"`, digest.String},
		{"CAST('b' AS Enum8('a' = 1, 'b' = 2))", `"b"`, digest.String}, {"CAST('a' AS Enum16('a' = 1000))", `"a"`, digest.String},
		{"toDate('2024-02-29')", `"2024-02-29"`, digest.Timestamp}, {"toDateTime('2024-02-29 12:34:56')", `"2024-02-29T12:34:56Z"`, digest.Timestamp}, {"toDateTime('2024-02-29 12:00:00', 'Europe/Berlin')", `"2024-02-29T11:00:00Z"`, digest.Timestamp},
		{"toUUID('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11')", `"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"`, digest.String},
		{"[1, 2, 3]", "[1,2,3]", digest.JSON}, {"['a', 'say \"x\"']", `["a","say \"x\""]`, digest.JSON}, {"[[1], [2, 3]]", "[[1],[2,3]]", digest.JSON}, {"[toDate('2024-01-01')]", `["2024-01-01T00:00:00Z"]`, digest.JSON}, {"[nan]", `"[NaN]"`, digest.JSON}, {"[NULL, 1]", "[null,1]", digest.JSON}, {"(1, 'a')", `[1,"a"]`, digest.JSON},
		{"toNullable(toInt32(5))", "5", digest.Number}, {"CAST(NULL AS Nullable(Int32))", "null", digest.Null}, {"toNullable('a')", `"a"`, digest.String}, {"CAST(NULL AS Nullable(String))", "null", digest.Null}, {"CAST(NULL AS Nullable(DateTime))", "null", digest.Null}, {"toNullable(toDecimal32('2.5', 1))", "2.5", digest.Number}, {"CAST(NULL AS Nullable(Decimal(9, 2)))", "null", digest.Null}, {"CAST(NULL AS Nullable(UUID))", "null", digest.Null}, {"NULL", "null", digest.Null},
		{"1 = 1", "1", digest.Number}, {"toLowCardinality(toString('low'))", `"low"`, digest.String}, {"toLowCardinality(toNullable('low'))", `"low"`, digest.String},
	} {
		r := query(t, c, "SELECT "+tt.sql+" AS v", warehouse.Limits{})
		if r.Rows != 1 {
			t.Errorf("%s gives %d rows", tt.sql, r.Rows)
			continue
		}
		kind, shown := cell1(t, r)
		if kind != tt.kind || shown != tt.want {
			t.Errorf("%s is %s %s, want %s %s", tt.sql, kind, shown, tt.kind, tt.want)
		}
	}
}

// Types of newer servers go where they should.
func TestUnwrap(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		in, want string
		null     bool
	}{
		{"Int8", "Int8", false}, {"Nullable(Int8)", "Int8", true}, {"LowCardinality(String)", "String", false}, {"LowCardinality(Nullable(String))", "String", true},
		{"Nullable(DateTime64(3, 'UTC'))", "DateTime64(3, 'UTC')", true}, {"Array(Nullable(Int8))", "Array(Nullable(Int8))", false}, {"Nullable(Decimal(9, 2))", "Decimal(9, 2)", true},
	} {
		if got, null := unwrap(tt.in); got != tt.want || null != tt.null {
			t.Errorf("unwrap(%s) = %s, %v", tt.in, got, null)
		}
	}
}

func TestCaps(t *testing.T) {
	t.Parallel()

	for _, user := range []string{"default", "reader"} {
		c := newLab(t).open(user)
		series := "SELECT number, concat('s', toString(number)) AS s FROM system.numbers"
		if r := query(t, c, series, warehouse.Limits{Rows: 1000}); r.Rows != 1000 || !r.More || r.Columns[1].Strings[999] != "s999" {
			t.Errorf("1,000 rows are %d, more %v", r.Rows, r.More)
		}
		works(t, c)
		if r := query(t, c, series, warehouse.Limits{Bytes: 10_000}); !r.More || r.Bytes > 10_000 || r.Bytes < 9_900 {
			t.Errorf("10,000 bytes are %d, more %v", r.Bytes, r.More)
		}
		works(t, c)
		if r := query(t, c, "SELECT number FROM system.numbers LIMIT 1000", warehouse.Limits{Rows: 1000}); r.Rows != 1000 || r.More || r.Scanned == 0 {
			t.Errorf("all of 1,000 rows are %d, more %v, scanned %d", r.Rows, r.More, r.Scanned)
		}
		if e := failure(t, c, "SELECT arrayStringConcat(arrayMap(x -> 'xxxxxxxxxx', range(3000000)))", warehouse.Limits{Bytes: 1 << 20, Time: 20 * time.Second}); e.Class != warehouse.OverQuota {
			t.Errorf("a row of 30 MB: %v", e)
		}
		works(t, c)
	}
}

// The bounds reach a server that takes them.
func TestSettings(t *testing.T) {
	t.Parallel()

	l := warehouse.Limits{Time: 1500 * time.Millisecond, Memory: 123 << 20, Rows: 10}.OrDefault()
	c := newLab(t).open("default")
	r := query(t, c, "SELECT name, value FROM system.settings WHERE name IN ('readonly', 'max_execution_time', 'max_memory_usage', 'max_bytes_to_read') ORDER BY name", l)
	if got, want := strings.Join(r.Columns[1].Strings, " "), "21474836480 2 128974848 1"; got != want {
		t.Errorf("settings are %s, want %s", got, want)
	}
	if s := settings(l, "2", true); s["readonly"] != nil || s["max_result_rows"] != 11 || s["result_overflow_mode"] != "break" {
		t.Errorf("of a newer server: %v", s)
	}
	if s := settings(l, "1", true); s != nil {
		t.Errorf("of a user who reads only: %v", s)
	}
	if e := failure(t, c, "SELECT count() FROM (SELECT number FROM system.numbers LIMIT 100000000)", warehouse.Limits{Scanned: 1000}); e.Class != warehouse.OverQuota {
		t.Errorf("what is beyond the bytes to read is %v", e)
	}
}

// A table of 2,000 columns.
func TestWideTable(t *testing.T) {
	t.Parallel()

	columns := make([]string, 2000)
	for i := range columns {
		columns[i] = "c" + strconv.Itoa(i) + " UInt16 DEFAULT " + strconv.Itoa(i)
	}
	l := newLab(t, "CREATE TABLE @.wide ("+strings.Join(columns, ", ")+") ENGINE = Memory", "INSERT INTO @.wide (c0) SELECT 0")
	c := l.open("default")
	tables := list(t, c)
	if len(tables) != 1 || len(tables[0].Columns) != 2000 || tables[0].Columns[1999].Name != "c1999" {
		t.Fatalf("%d tables", len(tables))
	}
	r, err := c.Sample(t.Context(), tables[0], 3)
	if err != nil || r.Rows != 1 || r.Columns[1999].Ints[0] != 1999 {
		t.Errorf("sample: %+v, %v", r, err)
	}
}

// within fails the test when f takes longer than the time of a statement and 2 s.
func within(t *testing.T, what string, limit time.Duration, f func()) {
	t.Helper()
	began := time.Now()
	f()
	if took := time.Since(began); took > limit+2*time.Second {
		t.Errorf("%s took %v of %v", what, took, limit)
	}
}

// What would never end does, and the connection is there for the next.
func TestBombs(t *testing.T) {
	t.Parallel()

	lab := newLab(t)
	l := warehouse.Limits{Time: 700 * time.Millisecond, Memory: 64 << 20, Bytes: 4 << 20, Rows: 10_000}
	for _, user := range []string{"default", "reader"} {
		c := lab.open(user)
		for _, sql := range []string{
			"SELECT sleep(3)", "SELECT sleepEachRow(1) FROM system.numbers", "SELECT count() FROM system.numbers", "SELECT number FROM system.numbers", "SELECT count() FROM system.numbers AS a CROSS JOIN (SELECT number AS b FROM system.numbers LIMIT 100000)",
			"SELECT uniqExact(number) FROM (SELECT number FROM system.numbers LIMIT 20000000)", "SELECT groupArray(toString(number)) FROM (SELECT number FROM system.numbers LIMIT 3000000)", "SELECT count() FROM system.numbers WHERE match(concat('aaaaaaaaaaaaaaaaaaaaaaaa', toString(number)), '^(a+)+$')",
		} {
			within(t, sql, l.Time, func() {
				_, err := c.Query(t.Context(), guard.Statement{SQL: sql}, l)
				if class := warehouse.ClassOf(err); err != nil && class != warehouse.TimedOut && class != warehouse.OverQuota {
					t.Errorf("%s: %v", sql, err)
				}
			})
			works(t, c)
		}
	}
	lab.awaitQuiet()
}
