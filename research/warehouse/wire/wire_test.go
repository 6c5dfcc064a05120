package wire

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.uber.org/goleak"

	"quaestor/internal/fault"
	"quaestor/internal/secret"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/digest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestCheck(t *testing.T) {
	t.Parallel()

	fields := Fields(5432, "postgres", "", "quaestor")
	o, err := Check(fields, warehouse.Settings{Options: map[string]string{Host: " db.example "}})
	if err != nil {
		t.Fatal(err)
	}
	want := Options{Host: "db.example", Port: "5432", Database: "postgres", User: "quaestor", Security: VerifyFull, Authority: ""}
	if diff := cmp.Diff(want, o); diff != "" {
		t.Error(diff)
	}
	if c, err := o.tls(); err != nil || c.InsecureSkipVerify || c.ServerName != "db.example" {
		t.Errorf("by default the server is trusted by %+v, %v", c, err)
	}
	for name, v := range map[string]string{Host: "a\x00b", Port: strings.Repeat("5", 600), Security: "off", "unknown": "x"} {
		_, err := Check(fields, warehouse.Settings{Options: map[string]string{Host: "h", name: v}})
		var f *fault.Error
		if !errors.As(err, &f) || f.Field != name {
			t.Errorf("%s %.10q: %v", name, v, err)
		}
	}
}

func TestRefuse(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		sql  string
		pass bool
	}{
		{"SELECT 1", true}, {" ( (select 1) )", true}, {"-- a\nWITH x AS (SELECT 1) SELECT * FROM x", true}, {"/* a */ VALUES (1)", true}, {"SELECT 'INTO', \"into\", `into` -- into\n", true}, {"SELECT 'it''s into'", true}, {"SELECT url FROM t", true}, {"SELECT intot", true},
		{"INSERT INTO t VALUES (1)", false}, {"", false}, {";", false}, {"SELECT 1 INTO OUTFILE 'x'", false}, {"SELECT 1/**/into @a", false}, {"SELECT 1 /*!50000 INTO OUTFILE 'x' */", false}, {"SELECT 1 /*M! x */", false},
		{"SELECT 1--1 INTO @a", false}, {`SELECT 'a\'' INTO @a`, false}, {`SELECT 'a\' INTO @a`, false}, {`SELECT "\" INTO @a, "`, false}, {"SELECT * FROM url ('x')", false}, {"SELECT * FROM `x`, URL(1)", false}, {"EXPLAIN SELECT 1", false}, {"'SELECT'", false},
	} {
		if err := Refuse(tt.sql, "INTO", Executed, "URL("); (err == nil) != tt.pass {
			t.Errorf("Refuse(%s) = %v", tt.sql, err)
		}
	}
}

// What is refused stays so, whatever literals and comments stand before it.
func FuzzRefuse(f *testing.F) {
	for _, s := range []string{"", "'", `\`, "/*", "--", "#", "`", `"a\"`, "'a''"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var n int
		for i := 0; i < len(s); i += n {
			if n = token(s[i:], true); n < 1 || i+n > len(s) {
				t.Fatalf("token(%q) = %d", s[i:], n)
			}
		}
		if !strings.ContainsAny(s, "'\"`#/-\\") && Refuse("SELECT "+s+" INTO @a", "INTO") == nil {
			t.Errorf("%q hides INTO", s)
		}
	})
}

// conn is a connection that is only closed.
type conn struct{ closed bool }

func (c *conn) Close() error { c.closed = true; return nil }

func TestPool(t *testing.T) {
	t.Parallel()

	opened := 0
	p := NewPool(func(context.Context) (*conn, error) { opened++; return &conn{}, nil })
	fine := func(context.Context, *conn) error { return nil }
	take := func() *conn {
		c, err := p.Acquire(t.Context(), fine)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	first := take()
	p.Release(first)
	if again := take(); again != first || opened != 1 {
		t.Error("a connection that was put back is not used again")
	}
	p.Release(first)

	stale := errors.New("stale")
	c, err := p.Acquire(t.Context(), func(_ context.Context, c *conn) error {
		if c == first {
			return stale
		}
		return nil
	})
	if err != nil || c == first || !first.closed || opened != 2 {
		t.Errorf("a stale connection is not replaced: %v, %d opened", err, opened)
	}
	if _, err := p.Acquire(t.Context(), func(context.Context, *conn) error { return stale }); !errors.Is(err, stale) {
		t.Errorf("a new connection that is not ready: %v", err)
	}
	p.Drop(c)

	all := make([]*conn, maxOpen)
	for i := range all {
		all[i] = take()
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Acquire(ctx, fine); !errors.Is(err, context.Canceled) {
		t.Errorf("one more than there may be: %v", err)
	}
	p.Release(all[0])
	_ = p.Close()
	p.Release(all[1])
	if !all[0].closed || !all[1].closed {
		t.Error("closing leaves connections open")
	}
	if _, err := p.Acquire(t.Context(), fine); err == nil {
		t.Error("a closed pool gives connections")
	}
}

func TestColumn(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name string
		form ValueKind
		fill func(*Column)
		want digest.Column
	}{
		{"numbers", Ints, func(c *Column) { c.Int(1); c.Null(); c.Uint(3) }, digest.Column{Ints: []int64{1, 0, 3}, Null: []bool{false, true, false}}},
		{"large numbers", Ints, func(c *Column) { c.Int(-1); c.Null(); c.Uint(1 << 63); c.Int(4) }, digest.Column{Decimals: []string{"-1", "0", "9223372036854775808", "4"}, Null: []bool{false, true, false, false}}},
		{"decimals", Decimals, func(c *Column) { c.Decimal([]byte("1.50")); c.Null() }, digest.Column{Decimals: []string{"1.50", ""}, Null: []bool{false, true}}},
		{"what is no decimal", Decimals, func(c *Column) { c.Decimal([]byte("1.50")); c.Null(); c.Decimal([]byte("NaN")) }, digest.Column{Values: []any{json.Number("1.50"), nil, json.Number("NaN")}, Null: []bool{false, true, false}}},
		{"strings", Strings, func(c *Column) { c.Text([]byte("a")); c.String("a"); c.Null() }, digest.Column{Strings: []string{"a", "a", ""}, Null: []bool{false, false, true}, Text: true}},
		{"bytes among strings", Strings, func(c *Column) { c.Text([]byte("a")); c.Value([]byte{0}) }, digest.Column{Values: []any{"a", []byte{0}}, Text: true}},
		{"days", Days, func(c *Column) { c.Micros(86400e6) }, digest.Column{Micros: []int64{86400e6}, Days: true}},
		{"32 bits", Floats, func(c *Column) { c.Float32(0.1) }, digest.Column{Floats: []float64{0.1}}},
		{"truth", Bools, func(c *Column) { c.Null(); c.Bool(true) }, digest.Column{Bools: []bool{false, true}, Null: []bool{true, false}}},
		{"anything", Values, func(c *Column) { c.Null(); c.Int(1); c.Float(2); c.Bool(true) }, digest.Column{Values: []any{nil, int64(1), 2.0, true}, Null: []bool{true, false, false, false}, Text: true}},
	} {
		c := NewColumn("", tt.form)
		tt.fill(c)
		if diff := cmp.Diff(tt.want, c.out, cmpopts.IgnoreUnexported(digest.Column{})); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
		digest.Compact([]digest.Column{c.out}, digest.Mask{})
	}
}

func TestMerger(t *testing.T) {
	t.Parallel()

	var got []string
	m := Merger{Found: func(t catalog.Table) error {
		line := t.Ref()
		for _, c := range t.Columns {
			line += " " + c.Name
		}
		for _, f := range t.Foreign {
			line += " " + strings.Join(f.Columns, "+") + "->" + f.Table + "(" + strings.Join(f.To, "+") + ")"
		}
		got = append(got, line)
		return nil
	}}
	for _, name := range []string{"a", "b", "c", "d"} {
		m.Table(catalog.Table{Schema: "s", Name: name})
	}
	m.Foreign("s", "c", "k", "x", "s.a", "i")
	m.Foreign("s", "c", "k", "y", "s.a", "j")
	m.Foreign("s", "unknown", "k", "y", "s.a", "j")
	for _, c := range [][2]string{{"a", "i"}, {"a", "j"}, {"unknown", "z"}, {"c", "x"}, {"c", "y"}, {"a", "late"}} {
		if err := m.Column("s", c[0], catalog.Column{Name: c[1]}); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.End(); err != nil {
		t.Fatal(err)
	}
	if want := []string{"s.a i j", "s.b", "s.c x y x+y->s.a(i+j)", "s.d"}; !slices.Equal(got, want) {
		t.Errorf("tables are %q, want %q", got, want)
	}
}

func TestBeyondReading(t *testing.T) {
	t.Parallel()

	for line, want := range map[string][]string{
		"GRANT SELECT, SHOW VIEW ON `a`.* TO `u`@`%`":                         nil,
		"GRANT USAGE ON *.* TO `u`@`%` IDENTIFIED BY PASSWORD '*4D'":          nil,
		"GRANT SELECT (`a`, `b`), INSERT (`a`) ON `a`.`t` TO `u`@`%`":         {"insert on a.t"},
		"GRANT ALL PRIVILEGES ON *.* TO `root`@`localhost` WITH GRANT OPTION": {"all privileges on *.*", "give its rights on *.* to others"},
		"GRANT `writers` TO `u`@`%`":                                          {"do what the role writers may"},
		"REVOKE INSERT ON `a`.* FROM `u`@`%`":                                 nil,
	} {
		if got := BeyondReading(line, []string{"SELECT", "SHOW VIEW", "USAGE"}); !slices.Equal(got, want) {
			t.Errorf("BeyondReading(%s) = %q, want %q", line, got, want)
		}
	}
}

func TestMeter(t *testing.T) {
	t.Parallel()

	near, far := net.Pipe()
	defer func() { _ = far.Close() }()
	var budget Budget
	budget.Allow(4)
	m := MeterConn(near, &budget)
	go func() { _, _ = far.Write([]byte("abcdef")) }()
	b := make([]byte, 3)
	if n, err := m.Read(b); n != 3 || err != nil {
		t.Errorf("3 of 4 bytes: %d, %v", n, err)
	}
	if _, err := m.Read(b); !errors.Is(err, ErrTooMuch) || !budget.Over() {
		t.Errorf("6 of 4 bytes: %v", err)
	}
}

func TestClean(t *testing.T) {
	t.Parallel()

	if got := Clean(" no hunter-2 for you ", secret.New("hunter-2")); got != "no *** for you" {
		t.Errorf("Clean = %q", got)
	}
}
