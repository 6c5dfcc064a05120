package mysql

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/digest"
	"quaestor/research/warehouse/guard"
)

// Every type of MariaDB is in a digest what it was in the table.
func TestValues(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	c := l.open("")
	for i, tt := range []struct {
		column, value, want string
		kind                digest.ColumnKind
	}{
		{"tinyint", "-128", "-128", digest.Number},
		{"bool", "true", "1", digest.Number},
		{"smallint unsigned", "65535", "65535", digest.Number},
		{"mediumint", "-8388608", "-8388608", digest.Number},
		{"int unsigned", "4294967295", "4294967295", digest.Number},
		{"bigint", "-9223372036854775808", "-9223372036854775808", digest.Number},
		{"bigint unsigned", "18446744073709551615", "18446744073709551615", digest.Number},
		{"decimal(40, 10)", "123456789012345678901234567890.0123456789", "123456789012345678901234567890.0123456789", digest.Number},
		{"float", "0.1", "0.1", digest.Number},
		{"double", "1e300", "1e+300", digest.Number},
		{"year", "2024", "2024", digest.Number},
		{"bit(1)", "b'1'", "1", digest.Number},
		{"bit(64)", "b'1111111111111111111111111111111111111111111111111111111111111111'", "18446744073709551615", digest.Number},
		{"varchar(20)", "'0042'", `"0042"`, digest.String},
		{"varchar(20)", "''", `""`, digest.String},
		{"char(5)", "'2024'", `"2024"`, digest.String},
		{"text", "'🚀 say \"x\"'", `"🚀 say \"x\""`, digest.String},
		{"enum('a', 'b')", "'b'", `"b"`, digest.String},
		{"set('a', 'b')", "'a,b'", `"a,b"`, digest.String},
		{"date", "'2024-02-29'", `"2024-02-29"`, digest.Timestamp},
		{"date", "'9999-12-31'", `"9999-12-31"`, digest.Timestamp},
		{"date", "'0000-00-00'", `"0000-00-00"`, digest.String},
		{"date", "'2024-00-00'", `"2024-00-00"`, digest.String},
		{"datetime(6)", "'2024-02-29 12:34:56.789012'", `"2024-02-29T12:34:56.789012Z"`, digest.Timestamp},
		{"datetime", "'0000-00-00 00:00:00'", `"0000-00-00 00:00:00"`, digest.String},
		{"timestamp(3) NULL", "'2024-02-29 12:34:56.5'", `"2024-02-29T12:34:56.5Z"`, digest.Timestamp},
		{"time", "'-838:59:59'", `"-838:59:59"`, digest.String},
		{"blob", "x'00ff'", `"AP8="`, digest.Binary},
		{"varbinary(10)", "'text'", `"text"`, digest.String},
		{"binary(4)", "x'00010203'", `"AAECAw=="`, digest.Binary},
		{"json", `'{"a": [1, null]}'`, `"{\"a\": [1, null]}"`, digest.String},
		{"uuid", "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'", `"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"`, digest.String},
		{"inet6", "'::1'", `"::1"`, digest.String},
		{"point", "POINT(1, 2)", `"AAAAAAEBAAAAAAAAAAAA8D8AAAAAAAAAQA=="`, digest.Binary},
		{"int", "NULL", "null", digest.Null},
	} {
		table := "v" + strconv.Itoa(i)
		l.exec("CREATE TABLE "+table+" (v "+tt.column+")", "SET SESSION sql_mode = ''", "INSERT INTO "+table+" VALUES ("+tt.value+")")
		kind, shown := cell(t, query(t, c, "SELECT v FROM "+table, warehouse.Limits{}))
		if kind != tt.kind || shown != tt.want {
			t.Errorf("%s %s is %s %s, want %s %s", tt.column, tt.value, kind, shown, tt.kind, tt.want)
		}
	}
}

// A date of zeros does not change those beside it, nor a large number the small
// ones.
func TestColumnsOfManyKinds(t *testing.T) {
	t.Parallel()

	l := newLab(t, "SET SESSION sql_mode = ''", "CREATE TABLE m (i bigint unsigned, d date, t datetime(3))",
		"INSERT INTO m VALUES (1, '2024-01-01', '2024-01-01 10:00'), (NULL, NULL, NULL), (18446744073709551615, '0000-00-00', '0000-00-00'), (2, '2024-01-03', '2024-01-03 01:02:03.004')")
	d := digest.Compact(query(t, l.open(""), "SELECT * FROM m", warehouse.Limits{}).Columns, digest.Mask{})
	var got []string
	for _, row := range d.AllRows {
		got = append(got, fmt.Sprintf("%s %s %s", row[0], row[1], row[2]))
	}
	want := `1 "2024-01-01T00:00:00Z" "2024-01-01T10:00:00Z"
null null null
18446744073709551615 "0000-00-00" "0000-00-00 00:00:00.000"
2 "2024-01-03T00:00:00Z" "2024-01-03T01:02:03.004Z"`
	if s := strings.Join(got, "\n"); s != want {
		t.Errorf("rows are\n%s\nwant\n%s", s, want)
	}
}

func TestCaps(t *testing.T) {
	t.Parallel()

	c := newLab(t).open("")
	for _, series := range []string{"SELECT seq, concat('s', seq) AS s FROM seq_1_to_50000000", "SELECT seq, concat('s', seq) AS s FROM seq_1_to_50000000 LIMIT 40000000"} {
		if r := query(t, c, series, warehouse.Limits{Rows: 1000}); r.Rows != 1000 || !r.More || len(r.Columns[0].Ints) != 1000 || r.Columns[1].Strings[999] != "s1000" {
			t.Errorf("1,000 rows are %d, more %v", r.Rows, r.More)
		}
		works(t, c)
		if r := query(t, c, series, warehouse.Limits{Bytes: 10_000}); !r.More || r.Bytes > 10_000 || r.Bytes < 9_900 {
			t.Errorf("10,000 bytes are %d, more %v", r.Bytes, r.More)
		}
		works(t, c)
	}
	if r := query(t, c, "SELECT seq FROM seq_1_to_1000", warehouse.Limits{Rows: 1000}); r.Rows != 1000 || r.More {
		t.Errorf("all of 1,000 rows are %d, more %v", r.Rows, r.More)
	}
	if e := failure(t, c, "SELECT repeat('x', 300000000)", warehouse.Limits{Memory: 1 << 40}); e.Class != warehouse.OverQuota {
		t.Errorf("a row of 300 MB: %v", e)
	}
	works(t, c)
	if e := failure(t, c, "SELECT repeat('x', 300000000)", warehouse.Limits{Memory: 64 << 20}); e.Class != warehouse.OverQuota {
		t.Errorf("memory of 300 MB: %v", e)
	}
	works(t, c)
	if r := query(t, c, "SELECT repeat('x', 2000)", warehouse.Limits{Bytes: 1000}); r.Rows != 0 || !r.More {
		t.Errorf("a row beyond the bytes: %+v", r)
	}
}

// A table as wide as the server allows.
func TestWideTable(t *testing.T) {
	t.Parallel()

	columns := make([]string, 2000)
	for i := range columns {
		columns[i] = "c" + strconv.Itoa(i) + " tinyint NOT NULL DEFAULT " + strconv.Itoa(i%100)
	}
	l := newLab(t, "CREATE TABLE wide ("+strings.Join(columns, ", ")+") ENGINE=Aria", "INSERT INTO wide () VALUES ()")
	c := l.open("")
	tables := list(t, c)
	if len(tables) != 1 || len(tables[0].Columns) != 2000 || tables[0].Columns[1999].Name != "c1999" {
		t.Fatalf("the table is described as %.100s", fmt.Sprint(tables))
	}
	r, err := c.Sample(t.Context(), tables[0], 3)
	if err != nil || r.Rows != 1 || r.Columns[1999].Ints[0] != 99 {
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
	c := lab.open("")
	l := warehouse.Limits{Time: 700 * time.Millisecond, Memory: 64 << 20, Bytes: 4 << 20, Rows: 10_000}
	for _, sql := range []string{
		"SELECT SLEEP(60)", "SELECT BENCHMARK(10000000000, MD5('a'))", "SELECT COUNT(*) FROM seq_1_to_1000000000 a, seq_1_to_1000000000 b",
		"SELECT COUNT(*) FROM information_schema.columns a, information_schema.columns b, information_schema.columns c, information_schema.columns d",
		"WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT COUNT(*) FROM r", "SELECT REPEAT('x', 1000000000)", "SELECT REPEAT('x', 1000000) FROM seq_1_to_1000000",
		"SELECT COUNT(*) FROM (SELECT seq, MD5(seq) AS m FROM seq_1_to_100000000 ORDER BY 2 LIMIT 100000000) s", "SELECT COUNT(*) FROM seq_1_to_100000000 WHERE CONCAT(REPEAT('a', 200), seq) REGEXP '^(a+)+$'",
		"SELECT GROUP_CONCAT(REPEAT('x', 1000)) FROM seq_1_to_100000000", "SELECT GET_LOCK('a', 60), SLEEP(60)",
	} {
		within(t, sql, l.Time, func() {
			_, err := c.Query(t.Context(), guard.Statement{SQL: sql}, l)
			if class := warehouse.ClassOf(err); err != nil && class != warehouse.TimedOut && class != warehouse.OverQuota && class != warehouse.OtherError {
				t.Errorf("%s: %v", sql, err)
			}
		})
		works(t, c)
	}
	lab.awaitQuiet()
}
