package pgwire

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/digest"
)

// Every type of PostgreSQL is in a digest what it was in the table.
func TestValues(t *testing.T) {
	t.Parallel()

	c := newLab(t, `CREATE TYPE mood AS ENUM ('sad', 'glad')`, `CREATE TYPE pair AS (a int, b text)`).open("")
	for _, tt := range []struct {
		sql, want string
		kind      digest.ColumnKind
	}{
		{"1::smallint", "1", digest.Number},
		{"(-7)::int", "-7", digest.Number},
		{"9223372036854775807::bigint", "9223372036854775807", digest.Number},
		{"4000000000::oid", "4000000000", digest.Number},
		{"0.1::real", "0.1", digest.Number},
		{"1e300::float8", "1e+300", digest.Number},
		{"'NaN'::float8", "null", digest.Number},
		{"'-Infinity'::float8", "null", digest.Number},
		{"12345678901234567890.123456789::numeric", "12345678901234567890.123456789", digest.Number},
		{"'NaN'::numeric", "null", digest.Number},
		{"'Infinity'::numeric", "null", digest.Number},
		{"true", "true", digest.Boolean},
		{"'0042'::text", `"0042"`, digest.String},
		{"''::text", `""`, digest.String},
		{"'2024-01-01'::varchar", `"2024-01-01"`, digest.String},
		{"'glad'::public.mood", `"glad"`, digest.String},
		{"'a'::char(3)", `"a  "`, digest.String},
		{"B'0101'", `"0101"`, digest.String},
		{"'2024-02-29'::date", `"2024-02-29"`, digest.Timestamp},
		{"'12024-02-29'::date", `"12024-02-29"`, digest.Timestamp},
		{"'0044-03-15 BC'::date", `"-0043-03-15"`, digest.Timestamp},
		{"'5874897-12-31'::date", `"5874897-12-31"`, digest.String},
		{"'infinity'::date", `"infinity"`, digest.String},
		{"'2024-02-29 12:34:56.789012'::timestamp", `"2024-02-29T12:34:56.789012Z"`, digest.Timestamp},
		{"'2024-02-29 12:00+02'::timestamptz", `"2024-02-29T10:00:00Z"`, digest.Timestamp},
		{"'294276-12-31 23:59:59'::timestamp", `"294276-12-31 23:59:59"`, digest.String},
		{"'-infinity'::timestamptz", `"-infinity"`, digest.String},
		{"'01:02:03'::time", `"01:02:03"`, digest.String},
		{"'1 day 02:00'::interval", `"1 day 02:00:00"`, digest.String},
		{`'\x00ff'::bytea`, `"AP8="`, digest.Binary},
		{"'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid", `"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"`, digest.String},
		{`'{"a": [1, null]}'::json`, `{"a": [1, null]}`, digest.JSON},
		{`'{"b":1}'::jsonb`, `{"b": 1}`, digest.JSON},
		{"ARRAY[1, NULL, 3]", "[1,null,3]", digest.JSON},
		{`ARRAY['a,b', 'say "x"', 'NULL', NULL, '', 'c\d']`, `["a,b","say \"x\"","NULL",null,"","c\\d"]`, digest.JSON},
		{"ARRAY[[1, 2], [3, 4]]", "[[1,2],[3,4]]", digest.JSON},
		{"ARRAY[true, false]", "[true,false]", digest.JSON},
		{"ARRAY[1.5, 'NaN']::numeric[]", `[1.5,"NaN"]`, digest.JSON},
		{"'[3:4]={1,2}'::int[]", `"[3:4]={1,2}"`, digest.String},
		{"'{}'::text[]", "[]", digest.JSON},
		{"ARRAY['sad']::public.mood[]", `"{sad}"`, digest.String},
		{"ROW(1, 'x')::public.pair", `"(1,x)"`, digest.String},
		{"'[1,5)'::int4range", `"[1,5)"`, digest.String},
		{"'192.168.0.1/24'::inet", `"192.168.0.1/24"`, digest.String},
		{"'$12.50'::money", `"$12.50"`, digest.String},
		{"NULL::int", "null", digest.Null},
	} {
		kind, shown := cell(t, query(t, c, "SELECT "+tt.sql+" AS v", warehouse.Limits{}))
		if tt.want == "null" && tt.kind == digest.Number {
			tt.kind = digest.Null // a column of nothing but what is no number
		}
		if kind != tt.kind || shown != tt.want {
			t.Errorf("%s is %s %s, want %s %s", tt.sql, kind, shown, tt.kind, tt.want)
		}
	}
}

// One odd value does not change those beside it.
func TestColumnsOfManyKinds(t *testing.T) {
	t.Parallel()

	c := newLab(t).open("")
	r := query(t, c, `SELECT * FROM (VALUES
		(1, 1.5, 'a', date '2024-01-01', '2024-01-01'::timestamptz, 1::float8),
		(2, 'NaN', NULL, 'infinity', 'infinity', 'NaN'),
		(NULL, NULL, 'b', NULL, NULL, NULL),
		(4, 2.50, 'a', '2024-01-03', '2024-01-03 04:05', 2)) v(i, n, s, d, t, f)`, warehouse.Limits{})
	d := digest.Compact(r.Columns, digest.Mask{})
	var rows []string
	for _, row := range d.AllRows {
		var cells []string
		for _, c := range row {
			cells = append(cells, string(c))
		}
		rows = append(rows, strings.Join(cells, " "))
	}
	want := `1 1.5 "a" "2024-01-01T00:00:00Z" "2024-01-01T00:00:00Z" 1
2 null null "infinity" "infinity" null
null null "b" null null null
4 2.50 "a" "2024-01-03T00:00:00Z" "2024-01-03T04:05:00Z" 2`
	if got := strings.Join(rows, "\n"); got != want {
		t.Errorf("rows are\n%s\nwant\n%s", got, want)
	}
	if d.Columns[1].Kind != digest.Number || *d.Columns[1].Max != 2.5 || r.More {
		t.Errorf("n is %+v, more %v", d.Columns[1], r.More)
	}
}

func TestCaps(t *testing.T) {
	t.Parallel()

	c := newLab(t).open("")
	series := "SELECT g, g::text AS s FROM (SELECT generate_series(1, 50000000) AS g) x"
	if r := query(t, c, series, warehouse.Limits{Rows: 1000, Time: 10 * second}); r.Rows != 1000 || !r.More || len(r.Columns[0].Ints) != 1000 || r.Columns[1].Strings[999] != "1000" {
		t.Errorf("1,000 rows are %d, more %v", r.Rows, r.More)
	}
	works(t, c)
	if r := query(t, c, series, warehouse.Limits{Bytes: 10_000, Time: 10 * second}); !r.More || r.Bytes > 10_000 || r.Bytes < 9_900 {
		t.Errorf("10,000 bytes are %d, more %v", r.Bytes, r.More)
	}
	works(t, c)
	if r := query(t, c, "SELECT g FROM generate_series(1, 1000) g", warehouse.Limits{Rows: 1000}); r.Rows != 1000 || r.More {
		t.Errorf("all of 1,000 rows are %d, more %v", r.Rows, r.More)
	}
	if e := failure(t, c, "SELECT repeat('x', 80000000)", warehouse.Limits{Time: 10 * second}); e.Class != warehouse.OverQuota {
		t.Errorf("a row of 80 MB: %v", e)
	}
	works(t, c)
	if r := query(t, c, "SELECT repeat('x', 2000)", warehouse.Limits{Bytes: 1000}); r.Rows != 0 || !r.More {
		t.Errorf("a row beyond the bytes: %+v", r)
	}
}

// A table as wide as PostgreSQL allows.
func TestWideTable(t *testing.T) {
	t.Parallel()

	columns := make([]string, 1600)
	for i := range columns {
		columns[i] = "c" + strconv.Itoa(i) + " smallint DEFAULT " + strconv.Itoa(i)
	}
	l := newLab(t, "CREATE SCHEMA w", "CREATE TABLE w.wide ("+strings.Join(columns, ", ")+")", "INSERT INTO w.wide DEFAULT VALUES")
	c := l.open("")
	tables := list(t, c, "w")
	if len(tables) != 1 || len(tables[0].Columns) != 1600 || tables[0].Columns[1599].Name != "c1599" {
		t.Fatalf("the table is described as %.100s", fmt.Sprint(tables))
	}
	r, err := c.Sample(t.Context(), tables[0], 3)
	if err != nil || r.Rows != 1 || r.Columns[1599].Ints[0] != 1599 {
		t.Errorf("sample: %v, %v", r.Rows, err)
	}
}
