package builtin

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/digest"
	"quaestor/research/warehouse/guard"
)

// Each piece of each dialect, written out.
func TestPieces(t *testing.T) {
	t.Parallel()

	type pieces struct{ name, week, month, weekday, average, median, share, ten, some, after, days, epoch string }
	k := &clock{x: "t", form: asStamp}
	for name, want := range map[guard.Dialect]pieces{
		guard.PostgreSQL: {`"a""b"`, "CAST(date_trunc('week', t) AS date)", "CAST(EXTRACT(MONTH FROM t) AS integer)", "(CAST(EXTRACT(DOW FROM t) AS integer) + 6) % 7 + 1",
			"ROUND(CAST(AVG(x) AS numeric), 2)", "ROUND(CAST(percentile_cont(0.5) WITHIN GROUP (ORDER BY x) AS numeric), 2)", "ROUND(CAST(100.0 * a / NULLIF(b, 0) AS numeric), 2)",
			"LIMIT 10", "SELECT x FROM q LIMIT 10", "t >= DATE '2001-02-03'", "EXTRACT(EPOCH FROM CAST(b AS timestamp) - CAST(a AS timestamp)) / 86400.0", "(TIMESTAMP '1970-01-01' + s * INTERVAL '1 second')"},
		guard.DuckDB: {`"a""b"`, "CAST(date_trunc('week', t) AS date)", "EXTRACT(MONTH FROM t)", "EXTRACT(ISODOW FROM t)",
			"ROUND(AVG(x), 2)", "ROUND(quantile_cont(x, 0.5), 2)", "ROUND(100.0 * a / NULLIF(b, 0), 2)",
			"LIMIT 10", "SELECT x FROM q LIMIT 10", "t >= DATE '2001-02-03'", "date_diff('second', CAST(a AS TIMESTAMP), CAST(b AS TIMESTAMP)) / 86400.0", "make_timestamp(CAST(s AS BIGINT) * 1000000)"},
		guard.MySQL: {"`a\"b`", "DATE_SUB(CAST(t AS date), INTERVAL WEEKDAY(t) DAY)", "MONTH(t)", "WEEKDAY(t) + 1",
			"ROUND(AVG(x), 2)", "", "ROUND(100.0 * a / NULLIF(b, 0), 2)",
			"LIMIT 10", "SELECT x FROM q LIMIT 10", "t >= DATE '2001-02-03'", "TIMESTAMPDIFF(SECOND, a, b) / 86400.0", "FROM_UNIXTIME(s)"},
		guard.ClickHouse: {"`a\"b`", "toMonday(toDate(t))", "toMonth(t)", "toDayOfWeek(t)",
			"ROUND(AVG(toFloat64(x)), 2)", "ROUND(quantile(0.5)(toFloat64(x)), 2)", "ROUND(100.0 * a / NULLIF(b, 0), 2)",
			"LIMIT 10", "SELECT x FROM q LIMIT 10", "toDate(t) >= toDate('2001-02-03')", "dateDiff('second', toDateTime(a), toDateTime(b)) / 86400.0", "toDateTime(s)"},
		guard.SQLServer: {`[a"b]`, "DATEADD(day, -(DATEDIFF(day, 0, t) % 7), CAST(t AS date))", "DATEPART(month, t)", "DATEDIFF(day, 0, t) % 7 + 1",
			"ROUND(AVG(CAST(x AS float)), 2)", "", "ROUND(100.0 * a / NULLIF(b, 0), 2)",
			"OFFSET 0 ROWS FETCH NEXT 10 ROWS ONLY", "SELECT TOP (10) x FROM q", "t >= CAST('2001-02-03' AS date)", "DATEDIFF_BIG(second, a, b) / 86400.0", "DATEADD(second, s, CAST('1970-01-01' AS datetime2))"},
		guard.BigQuery: {"`a\"b`", "TIMESTAMP_TRUNC(CAST(t AS TIMESTAMP), ISOWEEK)", "EXTRACT(MONTH FROM CAST(t AS TIMESTAMP))", "MOD(EXTRACT(DAYOFWEEK FROM CAST(t AS TIMESTAMP)) + 5, 7) + 1",
			"ROUND(AVG(x), 2)", "ROUND(APPROX_QUANTILES(x, 100)[OFFSET(CAST(100 * 0.5 AS INT64))], 2)", "ROUND(100.0 * a / NULLIF(b, 0), 2)",
			"LIMIT 10", "SELECT x FROM q LIMIT 10", "CAST(t AS TIMESTAMP) >= TIMESTAMP '2001-02-03'", "TIMESTAMP_DIFF(CAST(b AS TIMESTAMP), CAST(a AS TIMESTAMP), SECOND) / 86400.0", "TIMESTAMP_SECONDS(CAST(s AS INT64))"},
		guard.Snowflake: {`"a""b"`, "CAST(date_trunc('week', t) AS date)", "EXTRACT(MONTH FROM t)", "DAYOFWEEKISO(t)",
			"ROUND(AVG(x), 2)", "ROUND(PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY x), 2)", "ROUND(100.0 * a / NULLIF(b, 0), 2)",
			"LIMIT 10", "SELECT x FROM q LIMIT 10", "t >= DATE '2001-02-03'", "DATEDIFF('second', a, b) / 86400.0", "TO_TIMESTAMP(s)"},
	} {
		d := dialectOf(name)
		got := pieces{name: d.quote(`a"b`), week: k.period(d, weekly), average: d.avg("x", 2), share: d.percent("a", "b"), ten: d.limit(10), some: d.some("x", "q", 10),
			after: k.since(d, time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)), days: withBoth(d.days, "a", "b"), epoch: with(d.epoch, "s")}
		got.month, _ = k.part(d, monthOf)
		got.weekday, _ = k.part(d, weekdayOf)
		if d.quantile != "" {
			got.median = d.percentile("x", "0.5", 2)
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(pieces{})); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	for name, want := range map[guard.Dialect]string{guard.MySQL: "`a``b`", guard.BigQuery: "`a\\`b`", guard.ClickHouse: "`a\\`b`"} {
		if got := dialectOf(name).quote("a`b"); got != want {
			t.Errorf("%s quotes %s", name, got)
		}
	}
	if got := dialectOf(guard.SQLServer).quote("a]b"); got != "[a]]b]" {
		t.Error(got)
	}
	if s, ok := text(`it's`); s != `'it''s'` || !ok {
		t.Error(s)
	}
	if _, ok := text(`a\' OR 1`); ok {
		t.Error("a backslash stands in a constant")
	}
}

// In every dialect that a guard reads, what the analyst writes passes. The answers
// come from PostgreSQL, to the same questions.
func TestShopInEveryDialect(t *testing.T) {
	t.Parallel()

	tx := open(t, shop)
	tables := tablesOf(t, tx, "shop")
	ask := guarded(t, tx, tables)
	answers := map[string]*digest.CompactResult{} // the dialects ask much the same
	for _, name := range []guard.Dialect{guard.MySQL, guard.ClickHouse, guard.SQLServer, guard.BigQuery, guard.Snowflake} {
		t.Run(string(name), func(t *testing.T) {
			g := newGuard(t, name, tables)
			twin := newMind(newWorld(guard.PostgreSQL, clone(tables), 200, nil).situation)
			w := newWorld(name, clone(tables), 45, nil)
			w.ask = func(t testing.TB, sql string) (*digest.CompactResult, error) {
				m := newMind(w.situation)
				m.live()
				key := m.decide().idea.key
				i := ideaCalled(twin, key)
				if i == nil {
					t.Fatalf("nobody thinks of %q", key)
					return nil, nil
				}
				if _, err := g.Check(sql); err != nil {
					t.Errorf("%s\n%v", sql, err)
				}
				q := i.write().query
				d, err := answers[q], error(nil)
				if d == nil {
					d, err = ask(t, q)
				}
				if err != nil {
					t.Fatal(err)
				}
				answers[q] = d
				twin.takeAnswer(move{idea: i, say: asking{query: q}}, stepOf(t, q, d))
				return d, nil
			}
			w.run(t)
			if n := len(w.situation.Steps); n < 45 {
				t.Errorf("it is done after %d steps", n)
			}
		})
	}
}

// ideaCalled returns the idea of m with a key.
func ideaCalled(m *mind, key string) *idea {
	for _, t := range m.tables {
		t.looked = true
		m.think(t)
		for _, i := range t.ideas {
			if i.key == key {
				return i
			}
		}
	}
	return nil
}

func clone(tables []catalog.Table) []catalog.Table { return append([]catalog.Table(nil), tables...) }

// ClickHouse before 20 divides no decimal by a number with a fraction.
func TestBucketsOfDecimals(t *testing.T) {
	t.Parallel()

	if got, want := clickhouse().bucket("price", "0.5"), "FLOOR(toFloat64(price) / 0.5) * 0.5"; got != want {
		t.Errorf("ClickHouse is asked for %s, want %s", got, want)
	}
	if got, want := postgresql().bucket("price", "0.5"), "FLOOR(price / 0.5) * 0.5"; got != want {
		t.Errorf("PostgreSQL is asked for %s, want %s", got, want)
	}
}
