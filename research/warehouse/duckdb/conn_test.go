//go:build duckdb && cgo

package duckdb_test

import (
	"strings"
	"testing"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/digest"
)

// Every type comes out as a value a digest can read.
func TestTypes(t *testing.T) {
	t.Parallel()

	conn := open(t, makeFile(t, "CREATE TABLE x (a INTEGER)"), warehouse.Limits{})
	for expression, want := range map[string]string{
		"1::TINYINT": "1", "-2::SMALLINT": "-2", "3::UINTEGER": "3", "18446744073709551615::UBIGINT": "d18446744073709551615", "NULL::BIGINT": "null",
		"170141183460469231731687303715884105727::HUGEINT": "d170141183460469231731687303715884105727", "sum(5)": "d5", "-5::HUGEINT": "d-5",
		"(-170141183460469231731687303715884105728)::HUGEINT": "d-170141183460469231731687303715884105728",
		"340282366920938463463374607431768211455::UHUGEINT":   "340282366920938463463374607431768211455",
		"0.1::FLOAT": "0.1", "1.5::DOUBLE": "1.5", "'nan'::DOUBLE": "NaN", "'-inf'::DOUBLE": "-Inf", "1.50::DECIMAL(5,2)": "d1.50", "-0.05::DECIMAL(18,4)": "d-0.0500", "12345678901234567890.123::DECIMAL(38,3)": "d12345678901234567890.123",
		"true": "true", "'ä€😀'": "ä€😀", "''": "", "repeat('x', 13)": "xxxxxxxxxxxxx", "NULL::VARCHAR": "null", "NULL": "null",
		"DATE '2020-01-02'": "t1577923200000000", "DATE '0044-03-15 (BC)'": "t-63517824000000000", "DATE 'infinity'": "null", "DATE '12000-01-01'": "t316516204800000000",
		"TIMESTAMP '2020-01-02 03:04:05.6'": "t1577934245600000", "TIMESTAMPTZ '2020-01-02 03:04:05+01'": "t1577930645000000", "TIMESTAMP_NS '2020-01-02 03:04:05.000001999'": "t1577934245000001", "TIMESTAMP_S '2020-01-02 03:04:05'": "t1577934245000000",
		"TIME '12:30:00'": "12:30:00", "INTERVAL 3 DAY": "3 days", "uuid_extract_version('00000000-0000-4000-8000-000000000000'::UUID)": "4", "'10'::BIT": "10",
		"'00000000-0000-4000-8000-000000000000'::UUID": "00000000-0000-4000-8000-000000000000", `'\xAA\x00'::BLOB`: "[]uint8 \xaa\x00", "'happy'::ENUM('happy', 'sad')": "happy",
		"[1, NULL, 3]": "json.RawMessage [1,null,3]", "{'a': 1, 'b': [{'c': 'x\"y'}]}": `json.RawMessage {"a":1,"b":[{"c":"x\"y"}]}`, "MAP {'k': 1}": `json.RawMessage {"k":1}`, `'{"z": 1}'::JSON`: `json.RawMessage {"z": 1}`,
		"[1.5, 'nan'::DOUBLE]": "string [1.5,NaN]", "NULL::INTEGER[]": "null", "[1,2]::INTEGER[2]": "json.RawMessage [1,2]",
	} {
		if got := strings.TrimSuffix(must(t, conn, "SELECT "+expression+" AS v"), "\n"); got != want {
			t.Errorf("%s gives %s, want %s", expression, got, want)
		}
	}
}

// A result is columns in the order of the SELECT, and a digest reads them as they
// are.
func TestDigest(t *testing.T) {
	t.Parallel()

	conn := open(t, makeFile(t, "CREATE TABLE x (a INTEGER)"), warehouse.Limits{})
	r, err := query(conn, `SELECT i AS "Z", i / 2 AS a, i % 2 = 0 AS even, DATE '2020-01-01' + i::INTEGER AS day, 'n' || i AS "Z", [i] AS l FROM range(5000) r(i) ORDER BY i DESC`)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(r.Names(), " "); got != "Z a even day Z l" || r.Rows != 5000 || r.More || r.Columns[0].Ints[0] != 4999 {
		t.Errorf("%s, %d rows, first %d", got, r.Rows, r.Columns[0].Ints[0])
	}
	d := digest.Compact(r.Columns, digest.Mask{})
	if d.RowCount != 5000 || d.Columns[0].Kind != digest.Number || d.Columns[3].Kind != digest.Timestamp || d.Columns[5].Kind != digest.JSON {
		t.Errorf("the digest is %+v", d.Columns)
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()

	conn := open(t, makeFile(t, "CREATE TABLE x (a INTEGER)"), warehouse.Limits{})
	for _, tt := range []struct {
		sql  string
		l    warehouse.Limits
		rows int
		more bool
	}{
		{"SELECT * FROM range(10)", warehouse.Limits{Rows: 10}, 10, false},
		{"SELECT * FROM range(11)", warehouse.Limits{Rows: 10}, 10, true},
		{"SELECT * FROM range(4096)", warehouse.Limits{Rows: 2048}, 2048, true},
		{"SELECT * FROM range(2048)", warehouse.Limits{Rows: 2048}, 2048, false},
		{"SELECT * FROM range(0)", warehouse.Limits{Rows: 10}, 0, false},
		{"SELECT * FROM range(1000000000)", warehouse.Limits{Rows: 10}, 10, true},
		{"SELECT repeat('x', 1000) FROM range(1000)", warehouse.Limits{Bytes: 10_000}, 10, true},
	} {
		r, err := conn.Query(t.Context(), statement(tt.sql), tt.l)
		if err != nil || r.Rows != tt.rows || r.More != tt.more {
			t.Errorf("%s within %+v gives %+v (%v), want %d rows, more %v", tt.sql, tt.l, r, err, tt.rows, tt.more)
		}
	}
	_, err := conn.Query(t.Context(), statement("SELECT repeat('x', 1000)"), warehouse.Limits{Bytes: 100})
	if warehouse.ClassOf(err) != warehouse.OverQuota {
		t.Errorf("one row over the limit gives %v", err)
	}
}
