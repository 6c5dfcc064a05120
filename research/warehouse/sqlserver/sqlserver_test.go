package sqlserver

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"quaestor/internal/fault"
	"quaestor/internal/secret"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/digest"
	"quaestor/research/warehouse/guard"
	"quaestor/research/warehouse/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}

// settings reach a lab.
func (s *lab) settings() warehouse.Settings {
	host, port, _ := net.SplitHostPort(s.l.Addr().String())
	return warehouse.Settings{Kind: warehouse.SQLServer, Secret: secret.New("sesame-12345"),
		Options: map[string]string{wire.Host: host, wire.Port: port, wire.Database: "shop", wire.User: "quaestor", wire.Security: wire.Disable}}
}

func (s *lab) connect() warehouse.Conn {
	s.t.Helper()
	c, err := (&Connector{Reach: wire.Reach{Allow: loopback}}).Open(s.t.Context(), s.settings())
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		if err := c.Close(); err != nil {
			s.t.Error(err)
		}
	})
	return c
}

// described answers that a statement gives rows.
func described(rest func(sql string) reply) func(sql, arg string) reply {
	return calm(func(sql, arg string) reply {
		if strings.Contains(sql, "sp_describe_first_result_set") {
			if strings.Contains(arg, "no_rows") {
				return reply{columns: []field{{"name", "nvarchar"}}}
			}
			return reply{columns: []field{{"name", "nvarchar"}}, rows: [][]any{{"a"}}}
		}
		return rest(sql)
	})
}

func ask(sql string) guard.Statement { return guard.Statement{SQL: sql} }

func TestEveryTypeSurvives(t *testing.T) {
	t.Parallel()

	id := []byte{0x33, 0x22, 0x11, 0x00, 0x55, 0x44, 0x77, 0x66, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff}
	s := open(t, described(func(string) reply {
		return reply{columns: []field{{"n", "bigint"}, {"ok", "bit"}, {"x", "float"}, {"price", "decimal"}, {"day", "date"}, {"id", "guid"}, {"name", "nvarchar"}, {"raw", "varbinary"}},
			rows: [][]any{{7, true, 1.5, 1234, 738000, id, "Grüße ]😀", []byte{0, 255}}, {nil, nil, nil, nil, nil, nil, nil, nil}}}
	}))
	r, err := s.connect().Query(t.Context(), ask("SELECT * FROM t"), warehouse.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Rows != 2 || r.More {
		t.Errorf("%d rows, more %v", r.Rows, r.More)
	}
	want := []string{"7", "true", "1.5", "12.34", `"2021-07-30"`, `"00112233-4455-6677-8899-AABBCCDDEEFF"`, `"Grüße ]😀"`}
	got := digest.Compact(r.Columns, digest.Mask{}).AllRows
	for i, w := range want {
		if g := string(got[0][i]); r.Columns[i].Name != "id" && g != w { // which is masked
			t.Errorf("column %s: %s, want %s", r.Columns[i].Name, g, w)
		}
		if string(got[1][i]) != "null" {
			t.Errorf("column %s: %s is not null", r.Columns[i].Name, got[1][i])
		}
	}
	if v := r.Columns[5].Strings[0]; v != "00112233-4455-6677-8899-AABBCCDDEEFF" {
		t.Errorf("identifier %s", v)
	}
	if s.kept != 0 || s.begun != s.undone {
		t.Errorf("%d transactions begun, %d undone, %d kept", s.begun, s.undone, s.kept)
	}
}

func TestOnlyWhatGivesRowsIsSent(t *testing.T) {
	t.Parallel()

	s := open(t, described(func(sql string) reply {
		return reply{columns: []field{{"n", "bigint"}}, rows: [][]any{{1}}}
	}))
	c := s.connect()
	for _, sql := range []string{"DELETE FROM t", "SELECT 1; DROP TABLE t", "WITH a AS (SELECT 1 AS x) INSERT INTO t SELECT x FROM a", "SELECT * INTO other FROM t", "EXEC xp_cmdshell 'dir'", "SELECT * FROM OPENROWSET('x', 'y', 'z')", "SELECT 1 WHERE 'no_rows' = 'no_rows'"} {
		_, err := c.Query(t.Context(), ask(sql), warehouse.Limits{})
		if warehouse.ClassOf(err) != warehouse.Forbidden {
			t.Errorf("%s: %v", sql, err)
		}
		if slices.Contains(s.seen, sql) {
			t.Errorf("%s was sent", sql)
		}
	}
	if s.kept != 0 {
		t.Errorf("%d transactions were kept", s.kept)
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()

	rows := make([][]any, 1000)
	for i := range rows {
		rows[i] = []any{i, strings.Repeat("x", 100)}
	}
	s := open(t, described(func(sql string) reply {
		if strings.Contains(sql, "slow") {
			return reply{hang: true}
		}
		return reply{columns: []field{{"n", "bigint"}, {"name", "nvarchar"}}, rows: rows}
	}))
	c := s.connect()
	if r, err := c.Query(t.Context(), ask("SELECT * FROM t"), warehouse.Limits{Rows: 10}); err != nil || r.Rows != 10 || !r.More {
		t.Errorf("rows: %+v, %v", r, err)
	}
	if r, err := c.Query(t.Context(), ask("SELECT * FROM t"), warehouse.Limits{Bytes: 1100}); err != nil || r.Rows != 10 || !r.More {
		t.Errorf("bytes: %+v, %v", r, err)
	}
	began := time.Now()
	_, err := c.Query(t.Context(), ask("SELECT * FROM slow"), warehouse.Limits{Time: 100 * time.Millisecond})
	if warehouse.ClassOf(err) != warehouse.TimedOut || time.Since(began) > 2*time.Second {
		t.Errorf("after %s: %v", time.Since(began), err)
	}
	s.mu.Lock()
	told := s.attention
	s.mu.Unlock()
	if told == 0 {
		t.Error("the server was not told to stop")
	}
	if r, err := c.Query(t.Context(), ask("SELECT * FROM t"), warehouse.Limits{Rows: 1}); err != nil || r.Rows != 1 {
		t.Errorf("afterwards: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Query(ctx, ask("SELECT * FROM slow"), warehouse.Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
}

func TestErrorsAreOfAClass(t *testing.T) {
	t.Parallel()

	for number, want := range map[int32]struct {
		message, name string
		class         warehouse.ErrorClass
	}{
		207:  {"Invalid column name 'TARIiH'.", "TARIiH", warehouse.UnknownColumn},
		208:  {"Invalid object name 'orders'.", "orders", warehouse.UnknownTable},
		102:  {"Incorrect syntax near 'FROM'.", "FROM", warehouse.SyntaxError},
		8134: {"Divide by zero error encountered.", "", warehouse.DivisionByZero},
		229:  {"The SELECT permission was denied on the object 'pay', database 'shop'.", "pay", warehouse.NoPermission},
		8120: {"Column 'a.b' is invalid in the select list.", "a.b", warehouse.GroupingError},
		9999: {"Something else about sesame-12345.", "", warehouse.OtherError},
	} {
		s := open(t, described(func(string) reply { return reply{number: number, message: want.message} }))
		_, err := s.connect().Query(t.Context(), ask("SELECT 1"), warehouse.Limits{})
		var q *warehouse.QueryError
		if !errors.As(err, &q) || q.Class != want.class || q.Name != want.name {
			t.Errorf("%d: %+v", number, err)
			continue
		}
		if strings.Contains(q.Message, "sesame") {
			t.Errorf("%d tells the secret: %s", number, q.Message)
		}
	}
}

func TestServerThatGoesAway(t *testing.T) {
	t.Parallel()

	s := open(t, described(func(sql string) reply {
		return reply{columns: []field{{"n", "bigint"}}, rows: [][]any{{1}}, hangUp: strings.Contains(sql, "cut")}
	}))
	c := s.connect()
	if _, err := c.Query(t.Context(), ask("SELECT * FROM cut"), warehouse.Limits{}); warehouse.ClassOf(err) != warehouse.Unreachable {
		t.Errorf("got %v", err)
	}
	s.cut()
	for range 8 { // the pool throws away what is dead
		if _, err := c.Query(t.Context(), ask("SELECT 1"), warehouse.Limits{}); err == nil {
			return
		}
	}
	t.Error("the connection does not heal")
}

func TestCatalog(t *testing.T) {
	t.Parallel()

	text := func(names ...string) (out []field) {
		for _, n := range names {
			out = append(out, field{n, "nvarchar"})
		}
		return out
	}
	s := open(t, calm(func(sql, arg string) reply {
		switch {
		case strings.Contains(sql, "sys.partitions"):
			return reply{columns: append(text("s", "o"), field{"n", "bigint"}), rows: [][]any{{"dbo", "orders", 14300}}}
		case strings.Contains(sql, "sys.foreign_keys"):
			return reply{columns: append(text("s", "o"), append([]field{{"id", "bigint"}}, text("c", "rs", "ro", "rc")...)...),
				rows: [][]any{{"dbo", "orders", 5, "shop", "dbo", "customers", "shop"}, {"dbo", "orders", 5, "customer", "dbo", "customers", "id"}}}
		case arg != `["dbo"]`:
			t.Errorf("schemas %s", arg)
		}
		return reply{columns: append(text("s", "o", "c", "t"), field{"l", "bigint"}, field{"p", "bigint"}, field{"sc", "bigint"}, field{"null", "bit"}, field{"key", "bit"}, field{"ct", "nvarchar"}, field{"cc", "nvarchar"}),
			rows: [][]any{
				{"dbo", "Müşteri 😀]", "id", "int", 4, 10, 0, false, true, "Kunden", ""},
				{"dbo", "orders", "id", "bigint", 8, 19, 0, false, true, "", ""},
				{"dbo", "orders", "name", "nvarchar", 100, 0, 0, true, false, "", "who"},
				{"dbo", "orders", "amount", "decimal", 9, 12, 2, true, false, "", ""},
				{"dbo", "orders", "note", "varchar", -1, 0, 0, true, false, "", ""}}}
	}))
	var got []catalog.Table
	if err := s.connect().Tables(t.Context(), []string{"dbo"}, func(t catalog.Table) error { got = append(got, t); return nil }); err != nil {
		t.Fatal(err)
	}
	want := []catalog.Table{
		{Schema: "dbo", Name: "Müşteri 😀]", Comment: "Kunden", Rows: catalog.UnknownRows, Columns: []catalog.Column{{Name: "id", Type: "int", NotNull: true, Key: true}}},
		{Schema: "dbo", Name: "orders", Rows: 14300, Columns: []catalog.Column{{Name: "id", Type: "bigint", NotNull: true, Key: true}, {Name: "name", Type: "nvarchar(50)", Comment: "who"},
			{Name: "amount", Type: "decimal(12,2)"}, {Name: "note", Type: "varchar(max)"}},
			Foreign: []catalog.Foreign{{Columns: []string{"shop", "customer"}, Table: "dbo.customers", To: []string{"shop", "id"}}}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	stop := errors.New("enough")
	if err := s.connect().Tables(t.Context(), []string{"dbo"}, func(catalog.Table) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("stopped with %v", err)
	}
}

func TestRights(t *testing.T) {
	t.Parallel()

	words := [][]any{}
	s := open(t, calm(func(string, string) reply { return reply{columns: []field{{"w", "nvarchar"}}, rows: words} }))
	c := s.connect()
	r, err := c.Rights(t.Context())
	if err != nil || r.CanWrite || r.Role != "quaestor" || r.Server != "SQL Server 16.0.1000.6" {
		t.Errorf("%+v, %v", r, err)
	}
	words = [][]any{{"INSERT"}, {"be a member of db_owner"}, {"DELETE on Sales"}}
	if r, err = c.Rights(t.Context()); err != nil || !r.CanWrite || !slices.Equal(r.Why, []string{"insert", "be a member of db_owner", "delete on Sales"}) {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestSettingsThatCannotBe(t *testing.T) {
	t.Parallel()

	for field, options := range map[string]map[string]string{
		wire.Host:     {},
		wire.Port:     {wire.Host: "db.example.org", wire.Port: "0"},
		wire.Security: {wire.Host: "db.example.org", wire.Security: "maybe"},
		"colour":      {wire.Host: "db.example.org", "colour": "red"},
	} {
		_, err := (&Connector{}).Open(t.Context(), warehouse.Settings{Options: options})
		var f *fault.Error
		if !errors.As(err, &f) || f.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	_, err := (&Connector{}).Open(t.Context(), warehouse.Settings{Options: map[string]string{wire.Host: "127.0.0.1", wire.Security: wire.Disable}})
	if warehouse.ClassOf(err) != warehouse.Unreachable || !strings.Contains(err.Error(), "operator") {
		t.Errorf("a private address: %v", err)
	}
}

func TestGrantNamesWhatThereIs(t *testing.T) {
	t.Parallel()

	got := (&Connector{}).Grant(warehouse.Settings{Options: map[string]string{wire.Database: "shop", wire.User: "re]ader"}, Schemas: []string{"sales"}})
	for _, want := range []string{"USE [shop];", "GRANT SELECT ON SCHEMA::[sales] TO [re]]ader];", "DENY INSERT, UPDATE, DELETE"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}
