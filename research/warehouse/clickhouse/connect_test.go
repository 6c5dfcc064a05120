package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"testing"
	"time"

	"quaestor/internal/fault"
	"quaestor/internal/secret"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/guard"
	"quaestor/research/warehouse/wire"
)

var owned = []string{"CREATE TABLE @.t (id UInt64, v String) ENGINE = Memory", "INSERT INTO @.t SELECT 1, 'a'", "CREATE TABLE @.m (id UInt64) ENGINE = MergeTree ORDER BY id", "INSERT INTO @.m SELECT 1"}

// fingerprint is the state that no statement may change.
func (l *lab) fingerprint() string {
	l.t.Helper()
	var out []string
	for _, sql := range []string{
		"SELECT concat(toString(count()), toString(sum(id))) FROM @.t", "SELECT toString(count()) FROM @.m", "SELECT toString(count()) FROM system.tables WHERE database NOT LIKE 'lab%' OR database = '@'",
		"SELECT toString(groupArray(name)) FROM (SELECT name FROM system.databases WHERE name NOT LIKE 'lab%')", "SELECT toString(count()) FROM system.mutations WHERE database = '@'", "SELECT toString(count()) FROM system.columns WHERE database = '@'",
	} {
		var part string
		if err := l.root.QueryRow(l.t.Context(), strings.ReplaceAll(sql, "@", l.name)).Scan(&part); err != nil {
			l.t.Fatalf("%s: %v", sql, err)
		}
		out = append(out, part)
	}
	return strings.Join(out, " | ")
}

// What would write does not, with the rights to and without the guard.
func TestNothingIsWritten(t *testing.T) {
	t.Parallel()

	l := newLab(t, owned...)
	for _, user := range []string{"default", "reader"} {
		c := l.open(user)
		before := l.fingerprint()
		for _, sql := range []string{
			"INSERT INTO t SELECT 3, 'c'", "INSERT INTO t VALUES (3, 'c')", "CREATE TABLE made (id UInt8) ENGINE = Memory", "CREATE TABLE made ENGINE = Memory AS SELECT 1", "CREATE TEMPORARY TABLE made (id UInt8)", "CREATE VIEW made AS SELECT 1", "CREATE DATABASE made", "DROP TABLE t", "TRUNCATE TABLE t", "ALTER TABLE m DELETE WHERE 1", "ALTER TABLE m ADD COLUMN w UInt8", "ALTER TABLE m FREEZE", "RENAME TABLE t TO u", "ATTACH TABLE x (id UInt8) ENGINE = Memory", "DETACH TABLE t", "OPTIMIZE TABLE m FINAL",
			"SET readonly = 0", "SET max_execution_time = 0", "SELECT 1 SETTINGS readonly = 0", "SELECT count() FROM system.numbers SETTINGS max_execution_time = 0", "SYSTEM SHUTDOWN", "SYSTEM FLUSH LOGS", "KILL QUERY WHERE 1", "USE system", "SELECT 1; INSERT INTO t SELECT 4, 'd'", "SELECT 1; DROP TABLE t",
			"SELECT * FROM url('http://127.0.0.1:1/', CSV, 'a String')", "SELECT * FROM remote('127.0.0.1', system.one)", "SELECT * FROM file('x.csv', 'CSV', 'a String')", "SELECT 1 INTO OUTFILE '/tmp/x'", "INSERT INTO FUNCTION file('x', 'CSV', 'a UInt8') SELECT 1", "CHECK TABLE m", "EXCHANGE TABLES t AND m", "GRANT ALL ON *.* TO reader", "", ";",
		} {
			_, _ = c.Query(t.Context(), guard.Statement{SQL: sql}, warehouse.Limits{Time: time.Second})
			if after := l.fingerprint(); after != before {
				t.Fatalf("%s: the state was\n%s\nand is\n%s", sql, before, after)
			}
			works(t, c)
		}
	}
}

// Reading only holds when nothing looks at a statement before.
func TestReadonlyHoldsAlone(t *testing.T) {
	t.Parallel()

	l := newLab(t, owned...)
	c := l.open("default").(*conn)
	before := l.fingerprint()
	for _, sql := range []string{"INSERT INTO t SELECT 3, 'c'", "CREATE TABLE made (id UInt8) ENGINE = Memory", "DROP TABLE t", "ALTER TABLE m ADD COLUMN w UInt8", "TRUNCATE TABLE t", "SET readonly = 0", "SYSTEM FLUSH LOGS", "SELECT * FROM url('http://127.0.0.1:1/', CSV, 'a String')", "SELECT * FROM file('x.csv', 'CSV', 'a String')"} {
		s, err := c.pool.Acquire(t.Context(), ready(c.limits))
		if err != nil {
			t.Fatal(err)
		}
		err = s.Exec(c.bound(t.Context(), c.limits, nil), sql)
		c.pool.Drop(s)
		if err == nil || l.fingerprint() != before {
			t.Errorf("%s: %v", sql, err)
		}
	}
}

func TestTLS(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	for _, tt := range []struct {
		mode, ca string
		port     int
		works    bool
	}{
		{"", l.s.ca, l.s.secure, true}, {"", "", l.s.secure, false}, {wire.VerifyCA, l.s.ca, l.s.secure, true}, {wire.VerifyCA, "", l.s.secure, false}, {wire.Require, "", l.s.secure, true}, {wire.Require, "", l.s.port, false}, {wire.Disable, "", l.s.port, true},
	} {
		s := l.settings("reader")
		maps.Copy(s.Options, map[string]string{wire.Security: tt.mode, wire.Authority: tt.ca, wire.Port: strconv.Itoa(tt.port)})
		c, err := (&Connector{wire.Reach{Allow: loopback}}).Open(t.Context(), s)
		if (err == nil) != tt.works {
			t.Errorf("%q: %v", tt.mode, err)
		}
		if err != nil {
			if warehouse.ClassOf(err) != warehouse.Unreachable {
				t.Errorf("%q: class of %v", tt.mode, err)
			}
			continue
		}
		works(t, c)
		_ = c.Close()
	}
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	for _, tt := range []struct{ option, value, field string }{
		{wire.Host, "", wire.Host}, {wire.Host, "/tmp/socket", wire.Host}, {wire.Port, "0", wire.Port}, {wire.Security, "x", wire.Security}, {"secure", "true", "secure"},
	} {
		s := l.settings("reader")
		s.Options[tt.option] = tt.value
		_, err := (&Connector{wire.Reach{Allow: loopback}}).Open(t.Context(), s)
		var f *fault.Error
		if !errors.As(err, &f) || f.Field != tt.field {
			t.Errorf("%s %q: %v", tt.option, tt.value, err)
		}
	}
	s := l.settings("reader")
	if _, err := new(Connector).Open(t.Context(), s); warehouse.ClassOf(err) != warehouse.Unreachable || !strings.Contains(err.Error(), "not public") {
		t.Errorf("a private address: %v", err)
	}
	s.Secret = secret.New("another-password")
	if _, err := (&Connector{wire.Reach{Allow: loopback}}).Open(t.Context(), s); warehouse.ClassOf(err) != warehouse.NoPermission || strings.Contains(err.Error(), "another-password") {
		t.Errorf("a wrong password: %v", err)
	}
}

func TestRights(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	if r, err := l.open("reader").Rights(t.Context()); err != nil || r.CanWrite || r.Role != "reader" || r.Server != "ClickHouse 18.16.1" {
		t.Errorf("the reader: %+v, %v", r, err)
	}
	c := l.open("default")
	if r, err := c.Rights(t.Context()); err != nil || !r.CanWrite || len(r.Why) != 1 {
		t.Errorf("the administrator: %+v, %v", r, err)
	}
	works(t, c)
}

func TestGrant(t *testing.T) {
	t.Parallel()

	s := warehouse.Settings{Options: map[string]string{wire.User: "o`hara"}, Schemas: []string{"sales"}}
	want := "CREATE USER `o\\`hara` IDENTIFIED WITH sha256_password BY 'choose a password' SETTINGS max_execution_time = 31, max_memory_usage = 536870912;\nGRANT SELECT ON `sales`.* TO `o\\`hara`;\n"
	if got := new(Connector).Grant(s); !strings.HasPrefix(got, want) {
		t.Errorf("Grant = %s, want %s", got, want)
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()

	c := newLab(t, owned...).open("reader")
	for _, tt := range []struct {
		sql, name string
		class     warehouse.ErrorClass
	}{
		{"SELECT FROM WHERE", "", warehouse.SyntaxError},
		{"SELECT nothing FROM t", "nothing", warehouse.UnknownColumn},
		{"SELECT * FROM missing", "missing", warehouse.UnknownTable},
		{"SELECT * FROM nodatabase.t", "nodatabase", warehouse.UnknownTable},
		{"SELECT nofunction(1)", "nofunction", warehouse.UnknownFunction},
		{"SELECT intDiv(1, 0)", "", warehouse.DivisionByZero},
		{"SELECT v, count() FROM t", "v", warehouse.GroupingError},
		{"SELECT 1 + 'a'", "", warehouse.TypeMismatch},
		{"SELECT toInt32('x')", "", warehouse.TypeMismatch},
	} {
		e := failure(t, c, tt.sql, warehouse.Limits{})
		if name := e.Name[strings.IndexByte(e.Name, '.')+1:]; e.Class != tt.class || name != tt.name {
			t.Errorf("%s is %s of %q (%s), want %s of %q", tt.sql, e.Class, e.Name, e.Message, tt.class, tt.name)
		}
	}
}

// What the warehouse has changes while it is read.
func TestDrift(t *testing.T) {
	t.Parallel()

	l := newLab(t, owned...)
	c := l.open("default")
	sample := func() error {
		_, err := c.Sample(t.Context(), catalog.Table{Schema: l.name, Name: "m"}, 5)
		return err
	}
	l.exec("ALTER TABLE @.m ADD COLUMN w String")
	if err := sample(); err != nil {
		t.Errorf("after a change: %v", err)
	}
	l.exec("DROP TABLE @.m")
	if err := sample(); warehouse.ClassOf(err) != warehouse.UnknownTable {
		t.Errorf("without the table: %v", err)
	}
	works(t, c)
}

// awaitQuiet waits until no statement of this test runs on the server.
func (l *lab) awaitQuiet() { l.awaitCount("= 0") }

func (l *lab) awaitCount(what string) {
	l.t.Helper()
	ctx, cancel := context.WithTimeout(l.t.Context(), 20*time.Second)
	defer cancel()
	for done := uint8(0); done == 0; {
		// A statement is known by its time, which those of the lab do not have.
		sql := fmt.Sprintf("SELECT count() %s FROM system.processes WHERE query LIKE '%%sleep%%' AND query NOT LIKE '%%processes%%'", what)
		if err := l.root.QueryRow(ctx, sql).Scan(&done); err != nil {
			l.t.Fatalf("statements %s never came: %v", what, err)
		}
	}
}

// The server is killed in the middle of a statement, and started again; and the
// caller's end is the caller's error.
func TestServerGoesAndComesBack(t *testing.T) {
	t.Parallel()

	s, err := newServer()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.stop)
	l := labOn(t, s)
	c := l.open("default")
	works(t, c)
	slow := guard.Statement{SQL: "SELECT sum(number) AS sleepless FROM system.numbers"}
	ended := make(chan error, 1)
	ask := func(ctx context.Context) {
		_, err := c.Query(ctx, slow, warehouse.Limits{})
		ended <- err
	}
	ctx, cancel := context.WithCancel(t.Context())
	go ask(ctx)
	l.awaitCount("> 0")
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("Query = %v, want the caller's error", err)
	}
	works(t, c)
	l.awaitQuiet()

	go ask(context.Background())
	l.awaitCount("> 0")
	s.crash()
	if err := <-ended; warehouse.ClassOf(err) != warehouse.Unreachable {
		t.Errorf("a server that is killed is %v", err)
	}
	if e := failure(t, c, "SELECT 1", warehouse.Limits{}); e.Class != warehouse.Unreachable {
		t.Errorf("a server that is gone is %v", e)
	}
	if err := s.start(); err != nil {
		t.Fatal(err)
	}
	works(t, c)
}
