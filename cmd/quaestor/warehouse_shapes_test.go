package main

import (
	"fmt"
	"strings"
	"testing"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/runs"
)

// TestOddShapesAreExplored runs the built-in analyst over warehouses that are not as
// one would make them.
func TestOddShapesAreExplored(t *testing.T) {
	for name, c := range map[string]struct {
		sql   []string
		least int // queries that are answered
		says  string
	}{
		"names of all kinds": {[]string{
			`CREATE TABLE shop."Größe, ""quoted"" 🙂" ("select" int PRIMARY KEY, "from where" text, "Preis €" numeric(8,2), "order" timestamptz, "a.b" boolean, "it's" text)`,
			`INSERT INTO shop."Größe, ""quoted"" 🙂" SELECT i, (ARRAY['rot','grün','it''s'])[1 + i % 3], i % 50, timestamptz '2024-01-01' + i * interval '5 hours', i % 2 = 0, 'x' || i % 4 FROM generate_series(1, 3000) i`,
			`CREATE TABLE shop."table" ("group" int REFERENCES shop."Größe, ""quoted"" 🙂" ("select"), "user" text, "limit" double precision)`,
			`INSERT INTO shop."table" SELECT 1 + i % 3000, 'u' || i % 7, i / 3.0 FROM generate_series(1, 4000) i`, "ANALYZE"}, 18, " queries answered over "},
		"1,600 columns": {[]string{wide(1600), "INSERT INTO shop.wide (c0, c1, c4) SELECT i, 'x' || i % 7, i % 3 FROM generate_series(1, 500) i", "ANALYZE"}, 3, ""},
		"one table of texts": {[]string{"CREATE TABLE shop.notes (note text, author text)",
			"INSERT INTO shop.notes SELECT 'Remark ' || i || repeat(' and so on', i % 20), (ARRAY['ann','bob','cy'])[1 + i % 3] FROM generate_series(1, 800) i", "ANALYZE"}, 3, ""},
		"tables without rows":    {[]string{"CREATE TABLE shop.orders (id int PRIMARY KEY, placed_at timestamptz, total numeric)", "CREATE TABLE shop.things (id int, name text)", "ANALYZE"}, 0, ""},
		"tables without columns": {[]string{"CREATE TABLE shop.nothing ()", "INSERT INTO shop.nothing DEFAULT VALUES", "ANALYZE"}, 0, ""},
		"rows of nothing":        {[]string{"CREATE TABLE shop.orders (id int, placed_at timestamptz, total numeric, status text)", "INSERT INTO shop.orders SELECT NULL, NULL, NULL, NULL FROM generate_series(1, 300)", "ANALYZE"}, 1, ""},
		"numbers at their bounds": {[]string{"CREATE TABLE shop.readings (id bigint, at timestamptz, value double precision, exact numeric, kind text)",
			"INSERT INTO shop.readings SELECT 9223372036854775807 - i, CASE WHEN i % 100 = 0 THEN 'infinity' ELSE timestamptz '2024-01-01' + i * interval '1 hour' END, CASE WHEN i % 50 = 0 THEN 'NaN' WHEN i % 70 = 0 THEN 'Infinity' ELSE i / 7.0 END, CASE WHEN i % 90 = 0 THEN 'NaN' ELSE 1e40 + i END, 'k' || i % 4 FROM generate_series(1, 2000) i", "ANALYZE"}, 2, ""},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMart(t, c.sql...)
			o := newRemoteServer(t, Settings{}, nil)
			_, project := o.connect(m.draft())
			r, steps := o.explore(project, 24)

			if r.Status != runs.Completed || r.Counters.Failed > 0 || r.Counters.Successful < c.least || !strings.Contains(r.Summary, c.says) {
				t.Errorf("%+v", r)
			}
			for _, st := range steps {
				if st.Type == warehouse.QueryStep {
					t.Logf("%d %s\n%.600s\n%.600s", st.N, st.Thinking, st.SQL, st.Digest)
				}
			}
			t.Log(r.Summary)
		})
	}
}

// wide is a statement that makes a table of n columns.
func wide(n int) string {
	var b strings.Builder
	b.WriteString("CREATE TABLE shop.wide (c0 int PRIMARY KEY")
	for i := 1; i < n; i++ {
		fmt.Fprintf(&b, ", c%d %s", i, []string{"int", "text", "numeric(8,2)", "date"}[i%4])
	}
	return b.String() + ")"
}
