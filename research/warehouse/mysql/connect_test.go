package mysql

import (
	"context"
	"errors"
	"maps"
	"slices"
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

// overTCP opens a connection to the port of the server.
func (l *lab) overTCP(user string, options map[string]string) (warehouse.Conn, error) {
	s := l.settings(user)
	s.Options[wire.Host], s.Options[wire.Port] = "127.0.0.1", strconv.Itoa(l.s.port)
	maps.Copy(s.Options, options)
	return (&Connector{Reach: wire.Reach{Allow: loopback}}).Open(l.t.Context(), s)
}

func TestTLS(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	user := l.role("GRANT SELECT ON @.* TO %")
	for _, tt := range []struct {
		mode, ca string
		works    bool
		cipher   bool
	}{
		{"", l.s.ca, true, true}, {"", "", false, false}, {wire.VerifyCA, l.s.ca, true, true}, {wire.VerifyCA, "", false, false}, {wire.Require, "", true, true}, {wire.Disable, "", true, false},
	} {
		c, err := l.overTCP(user, map[string]string{wire.Security: tt.mode, wire.Authority: tt.ca})
		if (err == nil) != tt.works {
			t.Errorf("%q: %v", tt.mode, err)
		}
		if err != nil {
			if warehouse.ClassOf(err) != warehouse.Unreachable {
				t.Errorf("%q: class of %v", tt.mode, err)
			}
			continue
		}
		r := query(t, c, "SELECT variable_value FROM information_schema.session_status WHERE variable_name = 'SSL_CIPHER'", warehouse.Limits{})
		if (r.Columns[0].Strings[0] != "") != tt.cipher {
			t.Errorf("%q: the cipher is %q", tt.mode, r.Columns[0].Strings[0])
		}
		_ = c.Close()
	}
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	for _, tt := range []struct{ option, value, field string }{
		{wire.Host, "", wire.Host}, {wire.Port, "x", wire.Port}, {wire.Database, "", wire.Database}, {wire.Security, "preferred", wire.Security}, {"allowAllFiles", "true", "allowAllFiles"},
	} {
		s := l.settings("u")
		s.Options[tt.option] = tt.value
		_, err := (&Connector{Reach: wire.Reach{Sockets: true}}).Open(t.Context(), s)
		var f *fault.Error
		if !errors.As(err, &f) || f.Field != tt.field {
			t.Errorf("%s %q: %v", tt.option, tt.value, err)
		}
	}
	user := l.role()
	s := l.settings(user)
	s.Secret = secret.New("another-password")
	_, err := (&Connector{Reach: wire.Reach{Sockets: true}}).Open(t.Context(), s)
	if warehouse.ClassOf(err) != warehouse.NoPermission || strings.Contains(err.Error(), "another-password") {
		t.Errorf("a wrong password: %v", err)
	}
	s.Options[wire.Host], s.Options[wire.Port] = "127.0.0.1", strconv.Itoa(l.s.port)
	if _, err := new(Connector).Open(t.Context(), s); warehouse.ClassOf(err) != warehouse.Unreachable || !strings.Contains(err.Error(), "not public") {
		t.Errorf("a private address: %v", err)
	}
}

func TestRights(t *testing.T) {
	t.Parallel()

	l := newLab(t, owned...)
	user := l.role("GRANT SELECT, SHOW VIEW ON @.* TO %")
	c := l.open(user)
	rights := func() warehouse.Rights {
		r, err := c.Rights(t.Context())
		if err != nil || r.CanWrite != (len(r.Why) > 0) || !strings.Contains(r.Server, "MariaDB") {
			t.Errorf("rights are %+v, %v", r, err)
		}
		return r
	}
	if r := rights(); r.CanWrite || r.Role != user+"@%" {
		t.Errorf("a reader: %+v", r)
	}
	l.exec("GRANT INSERT (v), DELETE ON "+l.name+".t TO '"+user+"'@'%'", "GRANT FILE ON *.* TO '"+user+"'@'%'", "GRANT EXECUTE ON "+l.name+".* TO '"+user+"'@'%' WITH GRANT OPTION", "CREATE ROLE "+l.name+"_writers", "GRANT "+l.name+"_writers TO '"+user+"'@'%'")
	want := []string{"delete on " + l.name + ".t", "do what the role " + l.name + "_writers may", "execute on " + l.name + ".*", "file on *.*", "give its rights on " + l.name + ".* to others", "insert on " + l.name + ".t"}
	if r := rights(); !slices.Equal(r.Why, want) {
		t.Errorf("a writer: %q, want %q", r.Why, want)
	}
	if r, err := l.open("").Rights(t.Context()); err != nil || !slices.Contains(r.Why, "all privileges on *.*") {
		t.Errorf("the administrator: %+v, %v", r, err)
	}
}

// What is granted is enough to read, and for nothing else.
func TestGrant(t *testing.T) {
	t.Parallel()

	l := newLab(t, owned...)
	s := l.settings("it's a reader")
	s.Options[wire.Security] = wire.Disable
	l.exec(strings.Split(strings.TrimSpace((&Connector{Make: warehouse.MariaDB}).Grant(s)), "\n")...)
	l.exec("SET PASSWORD FOR 'it''s a reader'@'%' = PASSWORD('" + password + "')")
	c := l.open("it's a reader")
	if r, err := c.Rights(t.Context()); err != nil || r.CanWrite {
		t.Errorf("rights are %+v, %v", r, err)
	}
	if r := query(t, c, "SELECT * FROM t", warehouse.Limits{}); r.Rows != 2 {
		t.Errorf("%d rows", r.Rows)
	}
}

// What the warehouse has changes while it is read.
func TestDrift(t *testing.T) {
	t.Parallel()

	l := newLab(t, owned...)
	user := l.role("GRANT SELECT ON @.t TO %")
	c := l.open(user)
	sample := func() error {
		_, err := c.Sample(t.Context(), catalog.Table{Schema: l.name, Name: "t"}, 5)
		return err
	}
	if err := sample(); err != nil {
		t.Fatal(err)
	}
	l.exec("ALTER TABLE t MODIFY v blob, ADD w int")
	if err := sample(); err != nil {
		t.Errorf("after a change: %v", err)
	}
	l.exec("REVOKE SELECT ON " + l.name + ".t FROM '" + user + "'@'%'")
	if err := sample(); warehouse.ClassOf(err) != warehouse.NoPermission {
		t.Errorf("without the right: %v", err)
	}
	l.exec("GRANT SELECT ON "+l.name+".* TO '"+user+"'@'%'", "DROP TABLE t")
	c = l.open(user) // rights to a database are looked up as a connection is made
	if err := sample(); warehouse.ClassOf(err) != warehouse.UnknownTable {
		t.Errorf("without the table: %v", err)
	}
	works(t, c)
}

// awaitQuiet waits until no statement of this test runs on the server.
func (l *lab) awaitQuiet() { l.awaitCount("= 0", "SLEEP") }

// awaitQuery waits until the server runs a statement.
func (l *lab) awaitQuery(part string) { l.awaitCount("> 0", part) }

func (l *lab) awaitCount(what, part string) {
	l.t.Helper()
	ctx, cancel := context.WithTimeout(l.t.Context(), 20*time.Second)
	defer cancel()
	for done := false; !done; {
		if err := l.root.QueryRowContext(ctx, "SELECT COUNT(*) "+what+" FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID() AND info LIKE '%"+part+"%'").Scan(&done); err != nil {
			l.t.Fatalf("%s %s never came: %v", part, what, err)
		}
	}
}

// The caller's end is the caller's error, and the statement ends on the server.
func TestCancelled(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	c := l.open("")
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := c.Query(ctx, guard.Statement{SQL: "SELECT SLEEP(61)"}, warehouse.Limits{})
		ended <- err
	}()
	l.awaitQuery("SLEEP(61)")
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("Query = %v, want the caller's error", err)
	}
	works(t, c)
	l.awaitQuiet()
}

// The server is killed in the middle of a statement, and started again.
func TestServerGoesAndComesBack(t *testing.T) {
	t.Parallel()

	s, err := newServer()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.stop)
	l := labOn(t, s, "CREATE TABLE t (id int)")
	c := l.open("")
	works(t, c)
	ended := make(chan error, 1)
	go func() {
		_, err := c.Query(context.Background(), guard.Statement{SQL: "SELECT SLEEP(60)"}, warehouse.Limits{})
		ended <- err
	}()
	l.awaitQuery("SLEEP(60)")
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
