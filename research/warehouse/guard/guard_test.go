package guard

import (
	"errors"
	"os"
	"strings"
	"testing"
)

// policy is that of the corpora: two tables of many tenants, one with odd names.
var policy = Policy{
	Dialect: PostgreSQL,
	Relations: []Relation{
		{Schema: "sales", Name: "orders", Columns: []string{"id", "tenant", "customer_id", "total", "status", "placed_at", "details"}},
		{Schema: "sales", Name: "customers", Columns: []string{"id", "tenant", "country"}},
		{Schema: "public", Name: "Odd Table", Columns: []string{"a b", "select"}},
	},
	Schemas: []string{"sales", "public"},
	Filter:  Filter{Column: "tenant", Value: "o'hara"},
}

func newGuard(t testing.TB, p Policy) *Guard {
	t.Helper()
	g, err := New(p)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// corpus returns the statements of a file.
func corpus(t testing.TB, name string) []string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, p := range strings.Split(string(data), "\n\n") {
		lines := strings.Split(strings.TrimSpace(p), "\n")
		for len(lines) > 1 && strings.HasPrefix(lines[0], "-- ") {
			lines = lines[1:]
		}
		if s := strings.Join(lines, "\n"); s != "" {
			out = append(out, s)
		}
	}
	return out
}

func TestRefused(t *testing.T) {
	t.Parallel()

	g := newGuard(t, policy)
	for _, sql := range corpus(t, "postgresql_refused.sql") {
		got, err := g.Check(sql)
		var r *Refusal
		if !errors.As(err, &r) || r.What == "" {
			t.Errorf("%s\nmay run as %s (%v)", sql, got.SQL, err)
		}
	}
}

func TestAccepted(t *testing.T) {
	t.Parallel()

	g := newGuard(t, policy)
	for _, sql := range corpus(t, "postgresql_accepted.sql") {
		if _, err := g.Check(sql); err != nil {
			t.Errorf("%s\nis refused: %v", sql, err)
		}
	}
}

func TestFilter(t *testing.T) {
	t.Parallel()

	g := newGuard(t, policy)
	for sql, want := range map[string]string{
		"SELECT total FROM Orders o":                         `SELECT total FROM (SELECT * FROM sales.orders WHERE tenant = 'o''hara') o`,
		"SELECT sales.orders.total FROM sales.orders":        `SELECT orders.total FROM (SELECT * FROM sales.orders WHERE tenant = 'o''hara') orders`,
		"WITH orders AS (SELECT * FROM orders) TABLE orders": `WITH orders AS (SELECT * FROM (SELECT * FROM sales.orders WHERE tenant = 'o''hara') orders) SELECT * FROM orders`,
		`SELECT count(*) FROM "Odd Table"`:                   `SELECT pg_catalog.count(*) FROM public."Odd Table" "Odd Table"`,
	} {
		got, err := g.Check(sql)
		if err != nil || got.SQL != want {
			t.Errorf("%s\nbecomes %s (%v)\nwant    %s", sql, got.SQL, err, want)
		}
	}
}

func TestText(t *testing.T) {
	t.Parallel()

	for sql, rule := range map[string]Rule{
		"": RuleText, "  \n": RuleText, "SELECT 1\x00": RuleText, "SELECT '\xff'": RuleText, "SELECT\u200b1": RuleText, "SELECT 1 \U000e0041": RuleText,
		"SELECT '" + strings.Repeat("a", maxSQL) + "'": RuleSize,
		"SELECT '\u200b', '/*! */', '--+ x'":           "", "SELECT $a$/*! */$a$": "", "SELECT 1 /* plain /* nested */ */ -- end": "",
	} {
		r := checkText(sql)
		if r == nil && rule != "" || r != nil && r.Rule != rule {
			t.Errorf("%.60q is refused with %v, want %q", sql, r, rule)
		}
	}
}

func TestDeepStatements(t *testing.T) {
	t.Parallel()

	g := newGuard(t, policy)
	for _, sql := range []string{
		"SELECT " + strings.Repeat("(", 5000) + "1" + strings.Repeat(")", 5000),
		"SELECT " + strings.Repeat("-", 300) + "1",
		"SELECT 1" + strings.Repeat(" + 1", 15_000),
		strings.Repeat("SELECT * FROM (", 300) + "SELECT 1" + strings.Repeat(") x", 300),
		"SELECT " + strings.Repeat("NOT ", 3000) + "true",
	} {
		if got, err := g.Check(sql); err == nil && len(got.SQL) > 2*maxSQL {
			t.Errorf("%.40s… passes as %d bytes", sql, len(got.SQL))
		}
	}
}

// Whatever passes passes again as it was printed, and reads the same tables.
func FuzzPostgres(f *testing.F) {
	for _, sql := range corpus(f, "postgresql_accepted.sql") {
		f.Add(sql)
	}
	for _, sql := range corpus(f, "postgresql_refused.sql") {
		f.Add(sql)
	}
	g, plain := newGuard(f, policy), policy
	plain.Filter = Filter{}
	open := newGuard(f, plain)
	f.Fuzz(func(t *testing.T, sql string) {
		got, err := g.Check(sql)
		if err != nil {
			return
		}
		again, err := open.Check(got.SQL)
		if err != nil {
			t.Fatalf("%q passes as %q, which is refused: %v", sql, got.SQL, err)
		}
		if strings.Join(again.Tables, " ") != strings.Join(got.Tables, " ") {
			t.Fatalf("%q reads %v, and printed %v", sql, got.Tables, again.Tables)
		}
	})
}

func BenchmarkPostgres(b *testing.B) {
	g := newGuard(b, policy)
	const sql = `WITH firsts AS (SELECT customer_id, min(placed_at) AS first FROM orders GROUP BY 1)
		SELECT date_trunc('week', first) AS week, count(*) AS n, sum(o.total) FILTER (WHERE o.status = 'paid') FROM firsts f JOIN orders o USING (customer_id) GROUP BY 1 ORDER BY 1`
	b.ReportAllocs()
	for b.Loop() {
		if _, err := g.Check(sql); err != nil {
			b.Fatal(err)
		}
	}
}
