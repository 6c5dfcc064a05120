package mysql

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/guard"
)

var owned = []string{
	"CREATE TABLE t (id int PRIMARY KEY, v text)", "INSERT INTO t VALUES (1, 'a'), (2, 'b')", "CREATE SEQUENCE s", "CREATE TABLE plain (id int) ENGINE=Aria",
	"CREATE FUNCTION f() RETURNS int MODIFIES SQL DATA BEGIN INSERT INTO t VALUES (99, 'written'); RETURN 1; END",
	"CREATE FUNCTION g() RETURNS int MODIFIES SQL DATA BEGIN INSERT INTO plain VALUES (99); RETURN 1; END",
	"CREATE PROCEDURE p() BEGIN COMMIT; SET TRANSACTION READ WRITE; INSERT INTO t VALUES (98, 'written'); COMMIT; SELECT 1; END",
}

// fingerprint is the state that no statement may change.
func (l *lab) fingerprint() string {
	l.t.Helper()
	var parts [7]string
	for i, sql := range []string{
		"SELECT GROUP_CONCAT(CONCAT(id, v) ORDER BY id) FROM t", "SELECT COUNT(*) FROM plain", "SELECT next_not_cached_value FROM s",
		"SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = DATABASE()", "SELECT COUNT(*) FROM mysql.global_priv WHERE user = 'somebody'", "SELECT @@GLOBAL.max_statement_time",
		"SELECT COUNT(*) FROM information_schema.routines WHERE routine_schema = DATABASE()",
	} {
		if err := l.root.QueryRowContext(l.t.Context(), sql).Scan(&parts[i]); err != nil {
			l.t.Fatalf("%s: %v", sql, err)
		}
	}
	files, err := filepath.Glob(filepath.Join(l.s.dir, "tmp", "out*"))
	if err != nil {
		l.t.Fatal(err)
	}
	return strings.Join(append(parts[:], files...), " | ")
}

// What would write does not, with the rights to and without the guard.
func TestNothingIsWritten(t *testing.T) {
	t.Parallel()

	l := newLab(t, owned...)
	c := l.open(l.role("GRANT ALL ON @.* TO %", "GRANT FILE, PROCESS ON *.* TO %"))
	before := l.fingerprint()
	out := filepath.Join(l.s.dir, "tmp", "out")
	for _, sql := range []string{
		"INSERT INTO t VALUES (3, 'c')", "INSERT INTO t VALUES (3, 'c') RETURNING id", "UPDATE t SET v = 'x'", "DELETE FROM t", "DELETE FROM t RETURNING id", "REPLACE INTO t VALUES (1, 'z')", "TRUNCATE t", "INSERT INTO plain VALUES (1)",
		"CREATE TABLE made (id int)", "CREATE TABLE made AS SELECT 1", "CREATE TEMPORARY TABLE made (id int)", "CREATE VIEW made AS SELECT 1", "DROP TABLE t", "ALTER TABLE t ADD w int", "RENAME TABLE t TO u", "CREATE INDEX i ON t (id)", "CREATE USER somebody", "GRANT SELECT ON t TO somebody",
		"COMMIT", "ROLLBACK", "BEGIN", "START TRANSACTION READ WRITE", "SET TRANSACTION READ WRITE", "SET SESSION TRANSACTION READ WRITE", "SET tx_read_only = 0", "SET SESSION max_statement_time = 0", "SET GLOBAL max_statement_time = 9", "SET autocommit = 1", "XA START 'a'",
		"COMMIT; INSERT INTO t VALUES (4, 'd')", "SELECT 1; INSERT INTO t VALUES (4, 'd')", "SELECT 1; COMMIT", "SELECT f()", "SELECT g()", "SELECT f() FROM t", "CALL p()", "DO f()", "EXECUTE IMMEDIATE 'INSERT INTO t VALUES (5, ''e'')'", "PREPARE x FROM 'DELETE FROM t'", "BEGIN NOT ATOMIC INSERT INTO t VALUES (6, 'f'); END",
		"SELECT * FROM t INTO OUTFILE '" + out + "1'", "SELECT 'x' INTO DUMPFILE '" + out + "2'", "SELECT 1 INTO @a", "SELECT * INTO OUTFILE '" + out + "3' FROM t", "SELECT 1 /*!50000 INTO OUTFILE '" + out + "4' */", "SELECT 1 /*M!100000 INTO OUTFILE '" + out + "5' */", "(SELECT 1) UNION (SELECT 2) INTO OUTFILE '" + out + "6'", "SELECT 1--1 INTO OUTFILE '" + out + "7'", `SELECT 'a\'' INTO OUTFILE '` + out + `8'`, `SELECT "a\"" INTO OUTFILE '` + out + "9'",
		"/*! INSERT INTO t VALUES (7, 'g') */", "/*M! INSERT INTO t VALUES (7, 'g') */", "SET STATEMENT max_statement_time = 0 FOR INSERT INTO t VALUES (8, 'h')", "LOAD DATA INFILE '/etc/hostname' INTO TABLE t", "LOAD DATA LOCAL INFILE '/etc/hostname' INTO TABLE t", "LOCK TABLES t WRITE", "SELECT * FROM t FOR UPDATE", "FLUSH TABLES", "FLUSH TABLES WITH READ LOCK", "KILL 1", "SHUTDOWN", "ANALYZE TABLE t", "OPTIMIZE TABLE t", "HANDLER t OPEN", "SELECT NEXT VALUE FOR s", "SELECT SETVAL(s, 100)", "SELECT GET_LOCK('a', 1)", "SELECT @x := 5", "INSTALL SONAME 'x'", "HELP 'x'", "USE mysql", "EXPLAIN INSERT INTO t VALUES (9, 'i')", "ANALYZE INSERT INTO t VALUES (9, 'i')", "ANALYZE FORMAT=JSON DELETE FROM t", "VALUES (1)", "", ";",
	} {
		_, _ = c.Query(t.Context(), guard.Statement{SQL: sql}, warehouse.Limits{Time: 3 * time.Second})
		if after := l.fingerprint(); after != before {
			t.Fatalf("%s: the state was\n%s\nand is\n%s", sql, before, after)
		}
		works(t, c)
	}
	if e := failure(t, c, "SELECT COUNT(*) FROM seq_1_to_1000000000 a, seq_1_to_1000000000 b", warehouse.Limits{Time: time.Second}); e.Class != warehouse.TimedOut {
		t.Errorf("after all that a statement has no time: %v", e)
	}
	var free int
	if err := l.root.QueryRowContext(t.Context(), "SELECT IS_FREE_LOCK('a')").Scan(&free); err != nil || free != 1 {
		t.Errorf("a lock is held (%v)", err)
	}
}

// Of the ways to write, each ends on the read-only transaction even when nothing
// looks at the statement before.
func TestTransactionHoldsAlone(t *testing.T) {
	t.Parallel()

	l := newLab(t, owned...)
	c := l.open("").(*conn)
	before := l.fingerprint()
	for _, sql := range []string{"INSERT INTO t VALUES (3, 'c')", "DELETE FROM t", "CREATE TABLE made (id int)", "DROP TABLE t", "TRUNCATE t", "ALTER TABLE t ADD w int", "GRANT SELECT ON t TO somebody", "CREATE USER somebody", "SELECT f()", "SELECT g()"} {
		s, err := c.pool.Acquire(t.Context(), c.begin(c.limits))
		if err != nil {
			t.Fatal(err)
		}
		err = s.run(t.Context(), sql)
		c.giveBack(s)
		if err == nil || l.fingerprint() != before {
			t.Errorf("%s: %v", sql, err)
		}
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()

	l := newLab(t, owned...)
	l.exec("CREATE TABLE visible (id int)")
	c := l.open(l.role("GRANT SELECT ON @.visible TO %"))
	for _, tt := range []struct {
		sql, name string
		class     warehouse.ErrorClass
	}{
		{"SELECT FROM", "", warehouse.SyntaxError},
		{"SELECT nothing", "nothing", warehouse.UnknownColumn},
		{"SELECT visible.nothing FROM visible", "visible.nothing", warehouse.UnknownColumn},
		{"SELECT * FROM visible v, missing_database.t", "missing_database.t", warehouse.NoPermission},
		{"SELECT id FROM visible a, visible b", "id", warehouse.AmbiguousColumn},
		{"SELECT id, COUNT(*) FROM visible", "", warehouse.GroupingError},
		{"SELECT id, nofunction(1) FROM visible", "", warehouse.NoPermission},
		{"SELECT SUM(COUNT(*)) FROM visible", "", warehouse.GroupingError},
		{"SELECT * FROM t", l.name + ".t", warehouse.NoPermission},
		{"SELECT 18446744073709551615 + 1", "", warehouse.TypeMismatch},
	} {
		if e := failure(t, c, tt.sql, warehouse.Limits{}); e.Class != tt.class || (tt.name != "" && e.Name != tt.name) {
			t.Errorf("%s is %s of %q (%s), want %s of %q", tt.sql, e.Class, e.Name, e.Message, tt.class, tt.name)
		}
	}
	root := l.open("")
	if e := failure(t, root, "SELECT * FROM missing", warehouse.Limits{}); e.Class != warehouse.UnknownTable || e.Name != l.name+".missing" {
		t.Errorf("a missing table is %+v", e)
	}
	if e := failure(t, root, "SELECT nofunction(1)", warehouse.Limits{}); e.Class != warehouse.UnknownFunction || e.Name != l.name+".nofunction" {
		t.Errorf("a missing function is %+v", e)
	}
}
