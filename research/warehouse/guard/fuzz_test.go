package guard

import (
	"slices"
	"strings"
	"testing"
)

// stays fails if what a guard passes is not passed again unchanged where nothing is
// filtered, or reads what is not of the policy.
func stays(t *testing.T, d Dialect, sql string) {
	t.Helper()
	got, err := newGuard(t, policyOf(d)).Check(sql)
	if err != nil {
		return
	}
	open := policyOf(d)
	open.Filter = Filter{}
	again, err := newGuard(t, open).Check(got.SQL)
	if err != nil {
		t.Fatalf("%s: %q passes as %q, which is refused: %v", d, sql, got.SQL, err)
	}
	if again.SQL != got.SQL || !slices.Equal(again.Tables, got.Tables) {
		t.Fatalf("%s: %q passes as %q of %v, and that as %q of %v", d, sql, got.SQL, got.Tables, again.SQL, again.Tables)
	}
	for _, table := range got.Tables {
		if !slices.ContainsFunc(policy.Relations, func(r Relation) bool { return table == dotted(r.Schema, r.Name) }) {
			t.Fatalf("%s: %q reads %s", d, sql, table)
		}
	}
	if held := strings.Contains(got.SQL, "hara"); slices.Contains(got.Tables, "sales.orders") && (!held || !slices.Contains(got.Filtered, "sales.orders")) {
		t.Fatalf("%s: %q reads orders without the filter: %s", d, sql, got.SQL)
	}
}

// seed adds the corpora of a dialect.
func seed(f *testing.F, d Dialect, add func(sql string)) {
	for _, kind := range []string{"_accepted.sql", "_refused.sql"} {
		for _, sql := range corpus(f, string(d)+kind) {
			add(sql)
		}
	}
}

func FuzzPostgres(f *testing.F) {
	seed(f, PostgreSQL, func(sql string) { f.Add(sql) })
	f.Fuzz(func(t *testing.T, sql string) { stays(t, PostgreSQL, sql) })
}

func FuzzMySQL(f *testing.F) {
	seed(f, MySQL, func(sql string) { f.Add(sql) })
	f.Fuzz(func(t *testing.T, sql string) { stays(t, MySQL, sql) })
}

func FuzzTokens(f *testing.F) {
	list := []Dialect{BigQuery, Snowflake, SQLServer, ClickHouse}
	for i, d := range list {
		seed(f, d, func(sql string) { f.Add(byte(i), sql) })
	}
	f.Fuzz(func(t *testing.T, n byte, sql string) { stays(t, list[int(n)%len(list)], sql) })
}

// Every statement of the corpora has the property that the fuzz targets look for.
func TestAcceptedStays(t *testing.T) {
	t.Parallel()

	for _, d := range corpora {
		for _, sql := range corpus(t, string(d)+"_accepted.sql") {
			stays(t, d, sql)
		}
	}
}

// aggregate is what an analyst asks for, in words that every dialect has.
const aggregate = `WITH firsts AS (SELECT customer_id, MIN(placed_at) AS first_at FROM orders GROUP BY customer_id)
	SELECT o.status, COUNT(*) AS n, SUM(CASE WHEN o.status = 'paid' THEN o.total ELSE 0 END) AS paid, ROW_NUMBER() OVER (ORDER BY COUNT(*) DESC) AS place
	FROM firsts f JOIN orders o ON o.customer_id = f.customer_id GROUP BY o.status ORDER BY n DESC`

func benchmark(b *testing.B, d Dialect, sql string) {
	g := newGuard(b, policyOf(d))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := g.Check(sql); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPostgres(b *testing.B) {
	benchmark(b, PostgreSQL, `WITH firsts AS (SELECT customer_id, min(placed_at) AS first FROM orders GROUP BY 1)
		SELECT date_trunc('week', first) AS week, count(*) AS n, sum(o.total) FILTER (WHERE o.status = 'paid') FROM firsts f JOIN orders o USING (customer_id) GROUP BY 1 ORDER BY 1`)
}

func BenchmarkMySQL(b *testing.B) { benchmark(b, MySQL, aggregate) }

func BenchmarkTokens(b *testing.B) { benchmark(b, SQLServer, aggregate) }
