package pgwire

import (
	"strings"
	"testing"
	"time"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/guard"
)

// owned is what a role owns that could do with it what it likes.
var owned = []string{
	"CREATE SCHEMA own", "CREATE TABLE own.t (id int PRIMARY KEY, v text)", "INSERT INTO own.t VALUES (1, 'a'), (2, 'b')", "CREATE SEQUENCE own.s",
	"CREATE FUNCTION own.write() RETURNS int LANGUAGE plpgsql AS 'BEGIN INSERT INTO own.t VALUES (99, ''written''); RETURN 1; END'",
	"CREATE FUNCTION own.unlock() RETURNS int LANGUAGE plpgsql AS 'BEGIN SET TRANSACTION READ WRITE; INSERT INTO own.t VALUES (98, ''written''); RETURN 1; END'",
	"CREATE PROCEDURE own.commits() LANGUAGE plpgsql AS 'BEGIN INSERT INTO own.t VALUES (97, ''written''); COMMIT; END'",
	"CREATE PROCEDURE own.gives(INOUT n int) LANGUAGE plpgsql AS 'BEGIN COMMIT; INSERT INTO own.t VALUES (96, ''written''); COMMIT; END'",
}

// givenAway makes the role own all of it.
var givenAway = []string{
	"GRANT CREATE ON SCHEMA public TO %", "ALTER SCHEMA own OWNER TO %", "ALTER TABLE own.t OWNER TO %", "ALTER SEQUENCE own.s OWNER TO %",
	"ALTER FUNCTION own.write() OWNER TO %", "ALTER FUNCTION own.unlock() OWNER TO %", "ALTER PROCEDURE own.commits() OWNER TO %", "ALTER PROCEDURE own.gives(int) OWNER TO %",
}

// fingerprint is the state that no statement may change.
func (l *lab) fingerprint() string {
	l.t.Helper()
	var out string
	err := l.super.QueryRow(l.t.Context(), `SELECT concat_ws(' | ',
		(SELECT string_agg(t::text, ';' ORDER BY id) FROM own.t t), (SELECT last_value || ' ' || is_called FROM own.s),
		(SELECT count(*) FROM pg_class WHERE relnamespace NOT IN (SELECT oid FROM pg_namespace WHERE nspname LIKE 'pg\_t%')), (SELECT count(*) FROM pg_proc), (SELECT count(*) FROM pg_largeobject_metadata),
		(SELECT count(*) FROM pg_db_role_setting), (SELECT count(*) FROM pg_prepared_xacts),
		(SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())))`).Scan(&out)
	if err != nil {
		l.t.Fatal(err)
	}
	return out
}

// What would write does not, with the rights to and without the guard.
func TestNothingIsWritten(t *testing.T) {
	t.Parallel()

	l := newLab(t, owned...)
	c := l.open(l.role(givenAway...))
	before := l.fingerprint()
	for _, sql := range []string{
		"INSERT INTO own.t VALUES (3, 'c')", "INSERT INTO own.t VALUES (3, 'c') RETURNING id", "UPDATE own.t SET v = 'x' RETURNING v", "DELETE FROM own.t RETURNING id", "TRUNCATE own.t",
		"WITH x AS (DELETE FROM own.t RETURNING id) SELECT * FROM x", "MERGE INTO own.t USING own.t s ON false WHEN NOT MATCHED THEN INSERT VALUES (9, 'm')",
		"CREATE TABLE own.made (id int)", "CREATE TABLE own.made AS SELECT 1", "SELECT 1 AS id INTO own.made", "CREATE TEMP TABLE made (id int)", "DROP TABLE own.t", "ALTER TABLE own.t ADD w int", "CREATE FUNCTION own.f() RETURNS int LANGUAGE sql AS 'SELECT 1'", "CREATE ROLE somebody",
		"COMMIT", "ROLLBACK", "END", "ABORT", "BEGIN", "START TRANSACTION READ WRITE", "SET TRANSACTION READ WRITE", "SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE", "SAVEPOINT a", "PREPARE TRANSACTION 'a'",
		"COMMIT; INSERT INTO own.t VALUES (4, 'd')", "SELECT 1; INSERT INTO own.t VALUES (4, 'd')", "SELECT 1; COMMIT; CREATE TABLE own.made (id int)",
		"SELECT own.write()", "SELECT own.unlock()", "CALL own.commits()", "CALL own.gives(1)", "DO $$ BEGIN SET TRANSACTION READ WRITE; INSERT INTO own.t VALUES (5, 'e'); END $$", "DO $$ BEGIN COMMIT; INSERT INTO own.t VALUES (6, 'f'); END $$",
		"SELECT set_config('transaction_read_only', 'off', false)", "SELECT set_config('transaction_read_only', 'off', false), own.write()", "SELECT set_config('default_transaction_read_only', 'off', false)", "SET transaction_read_only = off", "SELECT set_config('statement_timeout', '0', false)", "SET statement_timeout = 0", "RESET ALL", "DISCARD ALL",
		"COPY own.t FROM STDIN", "COPY own.t TO STDOUT", "COPY own.t TO PROGRAM 'cat'", "COPY own.t TO '/tmp/x'", "LOCK TABLE own.t", "LOCK TABLE own.t IN ACCESS EXCLUSIVE MODE", "SELECT * FROM own.t FOR UPDATE", "SELECT pg_advisory_lock(7)", "SELECT pg_try_advisory_lock_shared(8)",
		"SELECT nextval('own.s')", "SELECT setval('own.s', 900)", "SELECT lo_create(4711)", "SELECT lo_from_bytea(4712, 'x')", "SELECT pg_notify('a', 'b')", "NOTIFY a", "LISTEN a", "PREPARE p AS DELETE FROM own.t", "EXECUTE p", "EXPLAIN ANALYZE DELETE FROM own.t", "VACUUM own.t", "ANALYZE own.t", "CLUSTER own.t", "REINDEX TABLE own.t", "COMMENT ON TABLE own.t IS 'x'", "GRANT ALL ON own.t TO public", "SECURITY LABEL ON TABLE own.t IS 'x'", "REFRESH MATERIALIZED VIEW own.m", "CHECKPOINT", "LOAD 'x'", "ALTER ROLE current_user SET work_mem = '1GB'", "SELECT txid_current()", "SELECT query_to_xml('DELETE FROM own.t RETURNING id', true, true, '')", "SELECT $1::int", "", ";",
	} {
		_, _ = c.Query(t.Context(), guard.Statement{SQL: sql}, warehouse.Limits{Time: 3 * second})
		if after := l.fingerprint(); after != before {
			t.Fatalf("%s: the state was\n%s\nand is\n%s", sql, before, after)
		}
		works(t, c)
	}
	if e := failure(t, c, "SELECT pg_sleep(30)", warehouse.Limits{Time: second}); e.Class != warehouse.TimedOut {
		t.Errorf("after all that a statement has no time: %v", e)
	}
}

// within fails the test when f takes longer than the time of a statement and 2 s.
func within(t *testing.T, what string, limit time.Duration, f func()) {
	t.Helper()
	began := time.Now()
	f()
	if took := time.Since(began); took > limit+2*second {
		t.Errorf("%s took %v of %v", what, took, limit)
	}
}

// What would never end does, and the connection is there for the next.
func TestBombs(t *testing.T) {
	t.Parallel()

	c := newLab(t).open("")
	l := warehouse.Limits{Time: 700 * time.Millisecond, Memory: 64 << 20, Bytes: 4 << 20, Rows: 10_000}
	for _, sql := range []string{
		"SELECT pg_sleep(60)",
		"SELECT count(*) FROM generate_series(1, 1000000000) a, generate_series(1, 1000000000) b",
		"SELECT * FROM generate_series(1, 1000000000) a, generate_series(1, 1000000000) b",
		"WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r",
		"WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT * FROM r",
		"SELECT repeat('x', 1000000000)",
		"SELECT repeat('x', 1000000) FROM generate_series(1, 1000000)",
		"SELECT string_agg(repeat('x', 100000), '') FROM generate_series(1, 100000)",
		"SELECT count(*) FROM (SELECT g, md5(g::text) FROM generate_series(1, 100000000) g ORDER BY 2) s",
		"SELECT count(*) FROM generate_series(1, 100000000) g WHERE repeat('a', 200) || g ~ '^(a+)+$'",
		"DO $$ BEGIN LOOP END LOOP; END $$",
	} {
		within(t, sql, l.Time, func() {
			_, err := c.Query(t.Context(), guard.Statement{SQL: sql}, l)
			if class := warehouse.ClassOf(err); err != nil && class != warehouse.TimedOut && class != warehouse.OverQuota && class != warehouse.Forbidden {
				t.Errorf("%s: %v", sql, err)
			}
		})
		works(t, c)
	}
}

// A message is bounded, and names what the statement got wrong.
func TestErrors(t *testing.T) {
	t.Parallel()

	l := newLab(t, owned...)
	c := l.open(l.role("GRANT USAGE ON SCHEMA own TO %"))
	for _, tt := range []struct {
		sql, name string
		class     warehouse.ErrorClass
	}{
		{"SELEC 1", "", warehouse.SyntaxError},
		{"SELECT nothing", "nothing", warehouse.UnknownColumn},
		{"SELECT x.nothing FROM (SELECT 1 AS a) x", "x.nothing", warehouse.UnknownColumn},
		{"SELECT * FROM own.missing", "own.missing", warehouse.UnknownTable},
		{"SELECT * FROM missing.t", "missing.t", warehouse.UnknownTable},
		{"SELECT a FROM (SELECT 1 AS a) x, (SELECT 2 AS a) y", "a", warehouse.AmbiguousColumn},
		{"SELECT 1 + true", "", warehouse.TypeMismatch},
		{"SELECT 'x'::int", "", warehouse.TypeMismatch},
		{"SELECT '2024-13-01'::date", "", warehouse.TypeMismatch},
		{"SELECT nofunction(1)", "nofunction", warehouse.UnknownFunction},
		{"SELECT 1 / 0", "", warehouse.DivisionByZero},
		{"SELECT a, count(*) FROM (SELECT 1 AS a) x", "x.a", warehouse.GroupingError},
		{"SELECT * FROM own.t", "t", warehouse.NoPermission},
		{"SELECT '" + strings.Repeat("y", 5000) + "'::int", "", warehouse.TypeMismatch},
	} {
		e := failure(t, c, tt.sql, warehouse.Limits{})
		if e.Class != tt.class || e.Name != tt.name || len([]rune(e.Message)) > 610 {
			t.Errorf("%.80s is %s of %q (%s), want %s of %q", tt.sql, e.Class, e.Name, e.Message, tt.class, tt.name)
		}
	}
}
