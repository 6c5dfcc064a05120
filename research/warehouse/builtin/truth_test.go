package builtin

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/digest"
	"quaestor/research/warehouse/guard"
)

// Data of known truth, each with faults and shapes of its own.
var truths = map[string]string{
	"shop": shop,
	"meters": `
		CREATE SCHEMA shop;
		CREATE TABLE shop.readings (reading_id bigint, meter text, taken_at timestamp, amount numeric(10,2), pressure double precision, valve text, remark text);
		INSERT INTO shop.readings SELECT i, 'M' || i % 70, timestamp '2024-01-03' + i * interval '37 minutes',
			CASE WHEN i % 9 = 0 THEN 0 WHEN i % 31 = 0 THEN -1 - i % 5 ELSE 1 + (i * 13) % 90 + CASE WHEN i % 400 = 0 THEN 9000 ELSE 0 END END,
			1 + (i % 24) * 2.5 + (i % 7) / 10.0, (ARRAY['open','open','open','shut'])[1 + i % 4], CASE WHEN i % 3 = 0 THEN 'checked' END FROM generate_series(1, 9000) i;
		INSERT INTO shop.readings SELECT * FROM shop.readings WHERE reading_id <= 40;
		ANALYZE`,
	"tickets": `
		CREATE SCHEMA shop;
		CREATE TABLE shop.agents (agent_id int PRIMARY KEY, team text, city text);
		INSERT INTO shop.agents SELECT i, (ARRAY['north','south','night'])[1 + i % 3], 'City ' || i % 8 FROM generate_series(1, 30) i;
		CREATE TABLE shop.tickets (ticket_id bigint PRIMARY KEY, agent_id int, customer text, state text, priority text, opened_at timestamp, closed_at timestamp, cost numeric(10,2), nothing text);
		INSERT INTO shop.tickets SELECT i, 1 + (i * 7) % 33, 'C' || (i * i) % 2600, (ARRAY['open','done','done','done','waiting'])[1 + i % 5], (ARRAY['low','low','normal','normal','normal','high'])[1 + (i / 4) % 6],
			ts, CASE WHEN i % 5 IN (1, 2, 3) THEN ts + ((i % 40) - 1) * interval '9 hours' END, CASE WHEN (i / 4) % 6 = 5 THEN 300 ELSE 40 END + (i * 17) % 50, NULL
			FROM (SELECT i, timestamp '2022-02-01' + (i / 12) * interval '1 day' + (i % 12) * interval '2 hours' AS ts FROM generate_series(1, 6000) i WHERE (i / 12) % 11 <> 4) g;
		ANALYZE`,
	"ledger": `
		CREATE SCHEMA shop;
		CREATE TABLE shop.ledger (entry_id bigint, account text, region text, booked_on date, entered_on date, amount numeric(12,2), fee numeric(12,2));
		INSERT INTO shop.ledger SELECT i, 'A' || i % 900, CASE WHEN i <= 200000 THEN (ARRAY['east','west','west'])[1 + i % 3] ELSE 'far' END, date '2023-01-01' + i / 400, date '2023-01-02' + i / 400 + i % 3,
			CASE WHEN i <= 200000 THEN CASE WHEN i % 50 = 0 THEN -5 WHEN i % 8 = 0 THEN 0 ELSE 10 + i % 100 + CASE WHEN i % 300 = 0 THEN 50000 ELSE 0 END END ELSE 1000000 END,
			CASE WHEN i <= 200000 AND i % 2 = 0 THEN i % 37 END FROM generate_series(1, 260000) i;
		ANALYZE`,
}

// Every sentence with which a run ends, and might have, is worked out again from the
// data by statements that are not the analyst's. One that cannot be is a fault.
func TestEverySentenceIsTrue(t *testing.T) {
	t.Parallel()

	for name, script := range truths {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			tx := open(t, script)
			if _, err := tx.Exec(t.Context(), `SET LOCAL synchronize_seqscans = off; SET LOCAL max_parallel_workers_per_gather = 0; SET LOCAL TIME ZONE 'UTC'`); err != nil {
				t.Fatal(err)
			}
			tables := tablesOf(t, tx, "shop")
			ask := guarded(t, tx, tables)
			if name == "ledger" { // too much to read it all
				inner := ask
				ask = func(t testing.TB, sql string) (*digest.CompactResult, error) {
					if strings.Contains(sql, `"ledger"`) && !strings.Contains(sql, "LIMIT 200000") {
						return nil, warehouse.NewQueryError(warehouse.TimedOut, "canceling statement due to statement timeout", "", nil)
					}
					return inner(t, sql)
				}
			}
			w := newWorld(guard.PostgreSQL, tables, 110, ask)
			summary := w.run(t)
			m := newMind(w.situation)
			m.live()
			c := checker{tx: tx, tables: m.tables}
			kinds := map[string]bool{}
			for _, f := range m.found {
				t.Log(f.text)
				kinds[c.check(t, f.text)] = true
			}
			if name != "ledger" {
				for _, f := range w.failures() {
					t.Errorf("fails: %s", f)
				}
			}
			if len(m.found) < 6 || len(kinds) < 5 {
				t.Errorf("%d sentences of %d kinds are too few to tell: %s", len(m.found), len(kinds), summary)
			}
			for _, f := range m.striking(3) {
				if !strings.Contains(summary, f) {
					t.Errorf("the summary does not say %q: %s", f, summary)
				}
			}
			if name == "ledger" {
				c.saysPart(t, w, m)
			}
		})
	}
}

// saysPart checks that all that rests on a part of the ledger says so.
func (c *checker) saysPart(t *testing.T, w *world, m *mind) {
	t.Helper()
	const part = "the first 200,000 of about 260,000 records of ledger"
	for _, f := range m.found {
		if !strings.Contains(f.text, part) {
			t.Errorf("it does not say that it rests on a part: %s", f.text)
		}
	}
	for _, s := range w.situation.Steps {
		if partial := strings.Contains(s.Query, "LIMIT 200000"); partial != strings.HasSuffix(s.Purpose, ", in "+part) {
			t.Errorf("step %d reads a part: %t, and is called %q", s.N, partial, s.Purpose)
		}
	}
}

// checker works sentences out again.
type checker struct {
	tx     pgx.Tx
	tables []*table
}

// sentence is a form that sentences have. Truth returns what its figures should be, in
// the order of their groups n1, n2 …, from the other groups.
type sentence struct {
	name  string
	form  *regexp.Regexp
	truth func(c *checker, g map[string]string, t *table) []string // SQL, one number each
}

const n = `-?[\d,]+(?:\.\d+)?`

func num(i int) string { return fmt.Sprintf(`(?P<n%d>%s)`, i, n) }

var sentences = []sentence{
	{"records, from", regexp.MustCompile(`^(?P<t>.+) has ` + num(1) + ` records?, from (?P<d1>\S+) to (?P<d2>\S+)$`), func(c *checker, g map[string]string, t *table) []string {
		k := t.clock().moment()
		return []string{"SELECT count(*) FROM $T", "=SELECT (min(" + k + ")::date = '" + g["d1"] + "' AND max(" + k + ")::date = '" + g["d2"] + "') FROM $T"}
	}},
	{"records", regexp.MustCompile(`^(?P<t>.+) has ` + num(1) + ` records?$`), func(*checker, map[string]string, *table) []string { return []string{"SELECT count(*) FROM $T"} }},
	{"read", regexp.MustCompile(`^the first ` + num(1) + ` of about ` + num(2) + ` records of (?P<t>.+) were read$`), func(_ *checker, _ map[string]string, t *table) []string {
		return []string{"SELECT count(*) FROM (SELECT 1 FROM $T LIMIT 200000) AS p", "SELECT count(*) FROM $T"}
	}},
	{"filled", regexp.MustCompile(`^(?P<c>.+) is filled in ` + num(1) + ` of ` + num(2) + ` records? of (?P<t>.+)$`), func(_ *checker, g map[string]string, t *table) []string {
		return []string{"SELECT count(" + said(t, g["c"]) + ") FROM $T", "SELECT count(*) FROM $T"}
	}},
	{"empty", regexp.MustCompile(`^(?P<c>.+) is empty in all ` + num(1) + ` records? of (?P<t>.+)$`), func(_ *checker, g map[string]string, t *table) []string {
		return []string{"SELECT count(*) FROM $T", "=SELECT count(" + said(t, g["c"]) + ") = 0 FROM $T"}
	}},
	{"median", regexp.MustCompile(`^(?P<c>.+) in (?P<t>.+) has a median of ` + num(1) + ` but an average of ` + num(2) + `$`), func(_ *checker, g map[string]string, t *table) []string {
		x := said(t, g["c"])
		return []string{"SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY " + x + ") FROM $T", "SELECT avg(" + x + ") FROM $T"}
	}},
	{"negative", regexp.MustCompile(`^` + num(1) + ` records? of (?P<t>.+) have a negative (?P<c>.+)$`), func(_ *checker, g map[string]string, t *table) []string {
		return []string{"SELECT count(*) FROM $T WHERE " + said(t, g["c"]) + " < 0"}
	}},
	{"relation", regexp.MustCompile(`^the average (?P<c>.+) of (?P<t>.+?) goes from ` + num(1) + ` where (?P<by>.+) is from ` + num(2) + ` to ` + num(3) + ` where it is from ` + num(4) + `$`), func(_ *checker, g map[string]string, t *table) []string {
		by, low, high := t.columnSaid(g["by"]), figured(g["n2"]), figured(g["n4"])
		from, to, width := by.bounds(12)
		within := strings.Join(by.within(from, to), " AND ")
		avg := func(start float64) string {
			return fmt.Sprintf("SELECT avg(%s) FROM $T WHERE %s AND %s >= %v AND %s < %v", said(t, g["c"]), within, by.quoted, start, by.quoted, start+width)
		}
		return []string{avg(low), "SELECT " + decimal(low), avg(high), "SELECT " + decimal(high)}
	}},
	{"twins", regexp.MustCompile(`^` + num(1) + ` records? of (?P<t>.+) stand there more than once, alike in every column$`), func(_ *checker, _ map[string]string, t *table) []string {
		return []string{"SELECT sum(n) FROM (SELECT count(*) AS n FROM $T AS r GROUP BY r HAVING count(*) > 1) AS d"}
	}},
	{"repeated", regexp.MustCompile(`^` + num(1) + ` values? of (?P<c>.+) occur more than once in (?P<t>.+)$`), func(_ *checker, g map[string]string, t *table) []string {
		return []string{"SELECT count(*) FROM (SELECT 1 FROM $T GROUP BY " + said(t, g["c"]) + " HAVING count(*) > 1 AND count(" + said(t, g["c"]) + ") > 0) AS d"}
	}},
	{"orphans", regexp.MustCompile(`^` + num(1) + ` records? of (?P<t>.+) refer by (?P<c>.+) to what is not in (?P<to>.+)$`), func(c *checker, g map[string]string, t *table) []string {
		to, key := c.target(t, g["c"], g["to"])
		return []string{"SELECT count(*) FROM $T AS l WHERE " + said(t, g["c"]) + " IS NOT NULL AND NOT EXISTS (SELECT FROM " + to.quoted + " AS r WHERE r." + to.column(key).quoted + " = l." + said(t, g["c"]) + ")"}
	}},
	{"among named", regexp.MustCompile(`^among the largest by (?P<by>.+) of (?P<to>.+?)(?: \((?P<via>[^)]+)\))?, average (?P<c>.+) of (?P<t>.+) goes from ` + num(1) + ` \((?P<v1>.+)\) to ` + num(2) + ` \((?P<v2>.+)\)$`), func(c *checker, g map[string]string, t *table) []string {
		var out []string
		for _, v := range []string{g["v1"], g["v2"]} {
			to, from, key := c.joinTo(t, g["to"], g["via"])
			out = append(out, "SELECT avg(l."+said(t, g["c"])+") FROM $T AS l JOIN "+to.quoted+" AS r ON r."+key.quoted+" = l."+from.quoted+" WHERE r."+said(to, g["by"])+"::text = '"+v+"'")
		}
		return out
	}},
	{"among", regexp.MustCompile(`^among the largest by (?P<by>.+?), average (?P<c>.+) of (?P<t>.+) goes from ` + num(1) + ` \((?P<v1>.+)\) to ` + num(2) + ` \((?P<v2>.+)\)$`), func(_ *checker, g map[string]string, t *table) []string {
		of := func(v string) string {
			return "SELECT avg(" + said(t, g["c"]) + ") FROM $T WHERE " + said(t, g["by"]) + "::text = '" + v + "'"
		}
		return []string{of(g["v1"]), of(g["v2"])}
	}},
	{"backwards", regexp.MustCompile(`^in ` + num(1) + ` records? of (?P<t>.+), (?P<b>.+) lies before (?P<a>.+)$`), func(_ *checker, g map[string]string, t *table) []string {
		return []string{"SELECT count(*) FROM $T WHERE " + t.moment(g["b"]) + " < " + t.moment(g["a"])}
	}},
	{"elapsed", regexp.MustCompile(`^from (?P<a>.+) to (?P<b>.+) of (?P<t>.+) the median is ` + num(1) + ` days, and ` + num(2) + ` days for the slowest twentieth or more$`), func(_ *checker, g map[string]string, t *table) []string {
		days := "extract(epoch FROM (" + t.moment(g["b"]) + ") - (" + t.moment(g["a"]) + ")) / 86400"
		return []string{"SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY " + days + ") FROM $T", "SELECT percentile_cont(0.95) WITHIN GROUP (ORDER BY " + days + ") FROM $T"}
	}},
	{"once", regexp.MustCompile(`^` + num(1) + ` of (?P<things>.+) \(` + num(2) + `% of the different values\) occur once only in (?P<t>.+)$`), func(_ *checker, g map[string]string, t *table) []string {
		x := t.counted1(g["things"])
		per := "(SELECT count(*) AS n FROM $T WHERE " + x + " IS NOT NULL GROUP BY " + x + ") AS d"
		return []string{"SELECT count(*) FROM " + per + " WHERE n = 1", "SELECT 100.0 * count(*) FILTER (WHERE n = 1) / count(*) FROM " + per}
	}},
	{"volume", regexp.MustCompile(`^by (?P<g>hour|day|week|month|year)(?: of (?P<k>.+?))?, (?P<t>.+) goes from ` + num(1) + ` records? to ` + num(2) + ` records?$`), func(_ *checker, g map[string]string, t *table) []string {
		per := t.periods(g["g"], g["k"])
		return []string{"SELECT min(n) FROM " + per, "SELECT max(n) FROM " + per}
	}},
	{"cycle of records", regexp.MustCompile(`^the number of records(?P<year> a year)? of (?P<t>.+) by (?P<by>month of the year|day of the week|hour of the day)(?: of (?P<k>.+?))? goes from ` + num(1) + `(?: (?:in|on|at) (?P<p1>\S+))? to ` + num(2) + `(?: (?:in|on|at) (?P<p2>\S+))?$`), func(_ *checker, g map[string]string, t *table) []string {
		return t.cycle(g, "count(*)")
	}},
	{"cycle of averages", regexp.MustCompile(`^the average (?P<c>.+) of (?P<t>.+) by (?P<by>month of the year|day of the week|hour of the day)(?: of (?P<k>.+?))? goes from ` + num(1) + `(?: (?:in|on|at) (?P<p1>\S+))? to ` + num(2) + `(?: (?:in|on|at) (?P<p2>\S+))?$`), func(_ *checker, g map[string]string, t *table) []string {
		return t.cycle(g, "avg("+said(t, g["c"])+")")
	}},
	{"gaps", regexp.MustCompile(`^only ` + num(1) + ` days? from (?P<d1>\S+) to (?P<d2>\S+) have records of (?P<t>.+)$`), func(_ *checker, g map[string]string, t *table) []string {
		return []string{"SELECT count(DISTINCT " + t.clock().moment() + "::date) FROM $T", "=SELECT min(" + t.clock().moment() + ")::date = '" + g["d1"] + "' AND max(" + t.clock().moment() + ")::date = '" + g["d2"] + "' FROM $T"}
	}},
	{"jump", regexp.MustCompile(`^the largest change of (?P<t>.+) from one (?P<g>hour|day|week|month|year) with records to the next is from ` + num(1) + ` to ` + num(2) + `, at (?P<at>.+)$`), func(_ *checker, g map[string]string, t *table) []string {
		per := "(SELECT p, n, lag(n) OVER (ORDER BY p) AS before FROM " + t.periods(g["g"], "") + ") AS j"
		return []string{"SELECT before FROM " + per + " WHERE p = '" + g["at"] + "'", "SELECT n FROM " + per + " WHERE p = '" + g["at"] + "'",
			"=SELECT abs(" + strings.ReplaceAll(g["n2"], ",", "") + " - " + strings.ReplaceAll(g["n1"], ",", "") + ") = (SELECT max(abs(n - before)) FROM " + per + ")"}
	}},
	{"largest", regexp.MustCompile(`^(?P<v>.+) is the largest (?P<c>.+) of (?P<t>.+), with ` + num(1) + `% of the records$`), func(_ *checker, g map[string]string, t *table) []string {
		x := said(t, g["c"])
		return []string{"SELECT 100.0 * count(*) FILTER (WHERE " + x + "::text = '" + g["v"] + "') / count(*) FROM $T",
			"=SELECT count(*) FILTER (WHERE " + x + "::text = '" + g["v"] + "') >= (SELECT max(n) FROM (SELECT count(*) AS n FROM $T GROUP BY " + x + ") AS d) FROM $T"}
	}},
	{"mover", regexp.MustCompile(`^the share of (?P<v>.+) in (?P<t>.+) \((?P<c>.+)\) went from ` + num(1) + `% before (?P<d>\S+) to ` + num(2) + `% since$`), func(_ *checker, g map[string]string, t *table) []string {
		share := func(op string) string {
			return "SELECT 100.0 * count(*) FILTER (WHERE " + said(t, g["c"]) + "::text = '" + g["v"] + "') / count(*) FROM $T WHERE " + t.clock().moment() + " " + op + " '" + g["d"] + "'"
		}
		return []string{share("<"), share(">=")}
	}},
	{"tenth", regexp.MustCompile(`^the largest tenth by (?P<c>.+) holds ` + num(1) + `% of the (?P<held>.+) of (?P<t>.+)$`), func(_ *checker, g map[string]string, t *table) []string {
		held := "count(*)"
		if g["held"] != "records" {
			held = "sum(" + said(t, g["held"]) + ")"
		}
		return []string{"SELECT 100.0 * sum(h) FILTER (WHERE place * 10 <= of_all) / sum(h) FROM (SELECT h, row_number() OVER (ORDER BY h DESC) AS place, count(*) OVER () AS of_all FROM (SELECT " + held + " AS h FROM $T WHERE " + said(t, g["c"]) + " IS NOT NULL GROUP BY " + said(t, g["c"]) + ") AS a) AS b"}
	}},
}

var partForm = regexp.MustCompile(`, in the first 200,000 of about 260,000 records of ledger$`)

// check works a sentence out again, and returns the name of its form.
func (c *checker) check(t *testing.T, text string) string {
	t.Helper()
	bare := partForm.ReplaceAllString(text, "")
	for _, s := range sentences {
		match := s.form.FindStringSubmatch(bare)
		if match == nil {
			continue
		}
		g := map[string]string{}
		for i, name := range s.form.SubexpNames() {
			g[name] = match[i]
		}
		of := c.table(g["t"])
		if of == nil {
			continue
		}
		if by := g["c"]; by != "" && of.columnSaid(by) == nil {
			continue
		}
		from := of.quoted
		if bare != text {
			from = "(SELECT * FROM " + of.quoted + " LIMIT 200000)"
		}
		k := 0
		for _, sql := range s.truth(c, g, of) {
			sql, holds := strings.CutPrefix(sql, "=")
			sql = strings.ReplaceAll(sql, "$T AS ", from+" AS ")
			sql = strings.ReplaceAll(sql, "$T", from+" AS whole_table")
			if holds {
				var is bool
				c.ask(t, sql, &is)
				if !is {
					t.Errorf("not true: %s\n%s", text, sql)
				}
				continue
			}
			k++
			said := g[fmt.Sprint("n", k)]
			var want *float64
			c.ask(t, "SELECT ("+sql+")::float8", &want)
			if want == nil {
				t.Errorf("%s\n%s is nothing by %s", text, said, sql)
			} else if math.Abs(*want-figured(said)) > half(said) {
				t.Errorf("%s\n%s is %v by %s", text, said, *want, sql)
			}
		}
		return s.name
	}
	t.Errorf("nobody can work out: %s", text)
	return ""
}

func (c *checker) ask(t *testing.T, sql string, into any) {
	t.Helper()
	if err := c.tx.QueryRow(context.Background(), sql).Scan(into); err != nil {
		t.Fatalf("%s\n%v", sql, err)
	}
}

// figured reads a figure, and half is what rounding may have taken from it.
func figured(s string) float64 {
	v, _ := strconv.ParseFloat(strings.ReplaceAll(s, ",", ""), 64)
	return v
}

func half(s string) float64 {
	_, digits, _ := strings.Cut(s, ".")
	return 0.5000001 * math.Pow10(-len(digits))
}

func (c *checker) table(say string) *table {
	for _, t := range c.tables {
		if t.say == say {
			return t
		}
	}
	return nil
}

func (t *table) columnSaid(say string) *column {
	for _, c := range t.cols {
		if c.say == say {
			return c
		}
	}
	return nil
}

// said is the column that a sentence calls so.
func said(t *table, say string) string {
	if c := t.columnSaid(say); c != nil {
		return c.quoted
	}
	return "no_such_column"
}

// moment is a column that says times, as one.
func (c *column) moment() string {
	switch c.clock.form {
	case seconds:
		return "to_timestamp(" + c.quoted + ")"
	case yyyymmdd:
		return "to_date(" + c.quoted + "::text, 'YYYYMMDD')"
	case isoText:
		return c.quoted + "::timestamp"
	default:
		return c.quoted
	}
}

func (t *table) moment(say string) string {
	x := t.columnSaid(say).moment()
	return "(" + x + ")::timestamp"
}

// counted1 is the column whose things a sentence counts.
func (t *table) counted1(things string) string {
	for _, c := range t.cols {
		if plural(c) == things && comesBack(c) {
			return c.quoted
		}
	}
	return "no_such_column"
}

// clockSaid is the time that a sentence names, the one of t if it names none.
func (t *table) clockSaid(say string) *column {
	if c := t.columnSaid(say); c != nil {
		return c
	}
	return t.clock()
}

// periods counts the records of each whole span of time.
func (t *table) periods(g, by string) string {
	k := t.clockSaid(by)
	from, to := k.clock.edges(grain(g))
	where := " WHERE " + k.quoted + " IS NOT NULL"
	if !from.IsZero() {
		where += " AND " + k.moment() + " >= '" + from.Format("2006-01-02") + "'"
	}
	if !to.IsZero() {
		where += " AND " + k.moment() + " < '" + to.Format("2006-01-02") + "'"
	}
	return "(SELECT date_trunc('" + g + "', " + k.moment() + ")::timestamp AS p, count(*) AS n FROM $T" + where + " GROUP BY 1) AS d"
}

// cycle is the figure at the places that a sentence names, or its ends if it names none.
func (t *table) cycle(g map[string]string, figure string) []string {
	k := t.clockSaid(g["k"]).moment()
	part := map[string]string{"month of the year": "trim(to_char(" + k + ", 'Month'))", "day of the week": "trim(to_char(" + k + ", 'Day'))", "hour of the day": "to_char(" + k + ", 'HH24:00')"}[g["by"]]
	if g["year"] != "" {
		figure = "1.0 * count(*) / count(DISTINCT extract(year FROM " + k + "))"
	}
	var out []string
	for i, order := range []string{"min", "max"} {
		if place := g[fmt.Sprint("p", i+1)]; place != "" {
			out = append(out, "SELECT "+figure+" FROM $T WHERE "+part+" = '"+place+"'")
			continue
		}
		out = append(out, "SELECT "+order+"(x) FROM (SELECT "+figure+" AS x FROM $T WHERE "+k+" IS NOT NULL GROUP BY "+part+") AS d")
	}
	return out
}

// target is what a column of t refers to.
func (c *checker) target(t *table, column, to string) (*table, string) {
	for _, j := range t.joins {
		if j.from.say == column {
			if other := c.table(to); other != nil && strings.HasSuffix(j.to, other.ref) {
				return other, j.key
			}
		}
	}
	return t, t.cols[0].name
}

// joinTo is the join by which t reaches another table, by a column if one is named.
func (c *checker) joinTo(t *table, to, via string) (other *table, from, key *column) {
	for _, j := range t.joins {
		if other := c.table(to); other != nil && strings.HasSuffix(j.to, other.ref) && (via == "" || j.from.say == via) {
			return other, j.from, other.column(j.key)
		}
	}
	return t, t.cols[0], t.cols[0]
}
