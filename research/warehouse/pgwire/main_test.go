package pgwire

import (
	"context"
	"errors"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"go.uber.org/goleak"

	"quaestor/internal/postgres/postgrestest"
	"quaestor/internal/secret"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/digest"
	"quaestor/research/warehouse/guard"
	"quaestor/research/warehouse/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}

// lab is a database and the roles that tests connect as.
type lab struct {
	t     *testing.T
	super *pgx.Conn
	url   *url.URL
	make  warehouse.Kind
}

// newLab returns a database of one's own in which sql was run.
func newLab(t *testing.T, sql ...string) *lab {
	t.Helper()
	at := postgrestest.URL(t)
	super, err := pgx.Connect(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = super.Close(context.Background()) })
	u, err := url.Parse(at)
	if err != nil {
		t.Fatal(err)
	}
	l := &lab{t: t, super: super, url: u}
	l.exec(sql...)
	return l
}

func (l *lab) exec(sql ...string) {
	l.t.Helper()
	for _, s := range sql {
		if _, err := l.super.Exec(l.t.Context(), s); err != nil {
			l.t.Fatalf("%s: %v", s, err)
		}
	}
}

// role makes a role of this test with rights, and returns its name. The rights
// name it as %.
func (l *lab) role(rights ...string) string {
	l.t.Helper()
	name := "reader_" + strings.ReplaceAll(strings.TrimPrefix(l.url.Path, "/"), "-", "_")
	l.exec("CREATE ROLE " + name + " LOGIN")
	l.t.Cleanup(func() {
		ctx := context.Background()
		_, _ = l.super.Exec(ctx, "DROP OWNED BY "+name)
		if _, err := l.super.Exec(ctx, "DROP ROLE "+name); err != nil {
			l.t.Error(err)
		}
	})
	for _, r := range rights {
		l.exec(strings.ReplaceAll(r, "%", name))
	}
	return name
}

func (l *lab) settings(user string) warehouse.Settings {
	return warehouse.Settings{Kind: warehouse.PostgreSQL, Options: map[string]string{
		wire.Host: l.url.Query().Get("host"), wire.Port: l.url.Query().Get("port"), wire.Database: strings.TrimPrefix(l.url.Path, "/"), wire.User: user,
	}, Secret: secret.New("hunter-2-hunter")}
}

// open connects as user; as the superuser when it is empty.
func (l *lab) open(user string) warehouse.Conn {
	l.t.Helper()
	if user == "" {
		user = l.url.User.Username()
	}
	c := &Connector{Reach: wire.Reach{Sockets: true}, Make: l.make}
	conn, err := c.Open(l.t.Context(), l.settings(user))
	if err != nil {
		l.t.Fatal(err)
	}
	l.t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// query runs sql, which must succeed.
func query(t *testing.T, c warehouse.Conn, sql string, l warehouse.Limits) *warehouse.Result {
	t.Helper()
	r, err := c.Query(t.Context(), guard.Statement{SQL: sql}, l)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return r
}

// failure runs sql, which must fail, and returns its error.
func failure(t *testing.T, c warehouse.Conn, sql string, l warehouse.Limits) *warehouse.QueryError {
	t.Helper()
	_, err := c.Query(t.Context(), guard.Statement{SQL: sql}, l)
	var q *warehouse.QueryError
	if !errors.As(err, &q) {
		t.Fatalf("%s: %v, want an error of the warehouse", sql, err)
	}
	if strings.Contains(q.Error(), "hunter") {
		t.Errorf("%s: %v has the secret", sql, q)
	}
	return q
}

// works fails the test when the connection does not.
func works(t *testing.T, c warehouse.Conn) {
	t.Helper()
	if r := query(t, c, "SELECT 1 AS one", warehouse.Limits{}); r.Rows != 1 || r.Columns[0].Ints[0] != 1 {
		t.Errorf("SELECT 1 gives %+v", r)
	}
}

// cell returns the one value of a result as a digest shows it.
func cell(t *testing.T, r *warehouse.Result) (kind digest.ColumnKind, shown string) {
	t.Helper()
	d := digest.Compact(r.Columns, digest.Mask{})
	if r.Rows != 1 || len(d.AllRows) != 1 {
		t.Fatalf("the result has %d rows", r.Rows)
	}
	return d.Columns[0].Kind, string(d.AllRows[0][0])
}

const second = time.Second
