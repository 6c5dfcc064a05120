package runs_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/internal/prerequisite"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/digest"
	"quaestor/research/warehouse/guard"
	"quaestor/research/warehouse/insight"
	"quaestor/research/warehouse/runs"
)

// market is a real warehouse in PostgreSQL: sales that fall in one region, and stock whose source
// is missing for a while. asked is what was asked of it.
type market struct {
	*shop
	db     *pgxpool.Pool
	fail   func(sql string) bool // of statements that time out
	strike func()
	reads  int64 // bytes that each statement scans
}

const marketRows = `
	CREATE SCHEMA m;
	CREATE TABLE m.sales (id bigint PRIMARY KEY, sold_at timestamp, region text, kind text, amount double precision);
	INSERT INTO m.sales SELECT i, at, region, kind, 20 + (i * 7919) % 60 FROM (
		SELECT i, timestamp '2024-01-01' + i * interval '17 minutes' AS at, (ARRAY['north','south','east','west'])[1 + (i * i / 7) % 4] AS region, (ARRAY['a','b','c'])[1 + (i / 3) % 3] AS kind FROM generate_series(1::bigint, 30000) i) x
		WHERE NOT (region = 'south' AND at > timestamp '2024-08-01' AND i % 5 < 3);
	CREATE TABLE m.stock (id bigint PRIMARY KEY, counted_at timestamp, depot text, source text, pieces integer);
	INSERT INTO m.stock SELECT i, at, (ARRAY['d1','d2','d3'])[1 + (i * i / 5) % 3], CASE WHEN at BETWEEN '2024-06-01' AND '2024-07-15' AND i % 2 = 0 OR i % 40 = 0 THEN NULL ELSE 'scan' || i % 300 END, (10 + i % 80)::int
		FROM (SELECT i, timestamp '2024-01-01' + i * interval '50 minutes' AS at FROM generate_series(1::bigint, 10000) i) x;
	ANALYZE`

// newMarket returns a market over a database of its own.
func newMarket(t testing.TB) *market {
	t.Helper()
	m := &market{shop: newShop(), db: postgrestest.Superuser(t, postgrestest.DB(t)), fail: func(string) bool { return false }, strike: func() {}}
	if _, err := m.db.Exec(t.Context(), marketRows); err != nil {
		t.Fatal(err)
	}
	m.catalog = catalog.NewIndex([]catalog.Table{
		{Schema: "m", Name: "sales", Rows: 28000, Columns: []catalog.Column{{Name: "id", Type: "bigint", Key: true}, {Name: "sold_at", Type: "timestamp"}, {Name: "region", Type: "text"}, {Name: "kind", Type: "text"}, {Name: "amount", Type: "double precision"}}},
		{Schema: "m", Name: "stock", Rows: 10000, Columns: []catalog.Column{{Name: "id", Type: "bigint", Key: true}, {Name: "counted_at", Type: "timestamp"}, {Name: "depot", Type: "text"}, {Name: "source", Type: "text"}, {Name: "pieces", Type: "integer"}}},
	})
	return m
}

func (m *market) Dialect() guard.Dialect { return guard.PostgreSQL }

func (m *market) Ask(ctx context.Context, q warehouse.Query) (warehouse.Answer, error) {
	m.strike()
	defer m.strike()
	m.mu.Lock()
	m.asked = append(m.asked, q)
	m.mu.Unlock()
	if m.fail(q.SQL) {
		return warehouse.Answer{}, warehouse.NewQueryError(warehouse.TimedOut, "it took too long", "", nil)
	}
	rows, err := m.db.Query(ctx, q.SQL)
	if err != nil {
		return warehouse.Answer{}, warehouse.NewQueryError(warehouse.OtherError, err.Error(), "", err)
	}
	defer rows.Close()
	var names []string
	for _, f := range rows.FieldDescriptions() {
		names = append(names, f.Name)
	}
	var cells [][]any
	for rows.Next() {
		values, err := rows.Values()
		if err != nil {
			return warehouse.Answer{}, err
		}
		for i, v := range values {
			if n, ok := v.(pgtype.Numeric); ok {
				f, _ := n.Float64Value()
				values[i] = f.Float64
			}
		}
		cells = append(cells, values)
	}
	if err := rows.Err(); err != nil {
		return warehouse.Answer{}, warehouse.NewQueryError(warehouse.OtherError, err.Error(), "", err)
	}
	return warehouse.Answer{Result: &warehouse.Result{Columns: digest.FromRows(names, cells), Rows: len(cells), Scanned: m.reads}, Sent: guard.Statement{SQL: q.SQL, Tables: []string{"m.sales"}}}, nil
}

// trade makes the warehouse of a world a market.
func (w *world) trade() *market {
	w.t.Helper()
	m := newMarket(w.t)
	w.o.Open = func(context.Context, string, string, string) (warehouse.Gateway, error) { return m, nil }
	w.o.Instructions = func(_ context.Context, r runs.Run) (warehouse.Instructions, string, error) {
		return warehouse.Instructions{Dialect: guard.PostgreSQL, System: "Look.", Datasets: []string{"m"}, Language: "en", Areas: []warehouse.Area{
			{ID: "quality", Name: "Data quality", Keywords: []string{"missing", "null"}, Priority: 2}, {ID: "trade", Name: "Trade", Keywords: []string{"sales", "volume"}, Priority: 1}}}, "test@1", nil
	}
	w.analyst.says(ask("SELECT region, count(*) AS volume FROM m.sales GROUP BY region"), ask("SELECT count(*) - count(source) AS missing FROM m.stock"))
	return m
}

func (w *world) insights(run string) []runs.Insight {
	w.t.Helper()
	list, err := runs.Insights(background, w.pool, w.tenant, runs.Selection{Run: run})
	if err != nil {
		w.t.Fatal(err)
	}
	return list
}

func (w *world) recommendations(run string) []runs.Recommendation {
	w.t.Helper()
	list, err := runs.Recommendations(background, w.pool, w.tenant, runs.Selection{Run: run})
	if err != nil {
		w.t.Fatal(err)
	}
	return list
}

// results are what a run came to, without ids and times.
func (w *world) results(run string) string {
	w.t.Helper()
	var b strings.Builder
	for _, i := range w.insights(run) {
		i.Run, i.At = "", time.Time{}
		body, err := json.MarshalIndent(i, "", " ")
		if err != nil {
			w.t.Fatal(err)
		}
		b.Write(append(body, '\n'))
	}
	for _, r := range w.recommendations(run) {
		fmt.Fprintf(&b, "%s %d %s %v %s\n", r.ID, r.Priority, r.Title, r.Insights, r.Status)
	}
	areas, err := runs.Areas(background, w.pool, w.tenant, run)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, a := range areas {
		fmt.Fprintf(&b, "%s %s %q %v %v\n", a.ID, a.Status, a.Reason, a.Selected, a.Dropped)
	}
	return b.String()
}

// A run ends with insights that were checked, and with what may be done about them.
func TestRunFindsInsights(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	m := w.trade()
	run := w.work(w.order(runs.Order{}).ID)

	list := w.insights(run.ID)
	if len(list) < 2 || run.Outcome != runs.FullOutcome {
		t.Fatalf("the run is %s with %d insights: %s", run.Outcome, len(list), run.Summary)
	}
	kinds := map[insight.Kind]runs.Insight{}
	for _, i := range list {
		if _, ok := kinds[i.Kind]; !ok {
			kinds[i.Kind] = i
		}
		if i.Review.Status == "" || i.Review.Claimed != i.Affected {
			t.Errorf("%s was checked as %+v", i.ID, i.Review)
		}
		if i.Survives && i.Standing != insight.New {
			t.Errorf("%s stands %q", i.ID, i.Standing)
		}
	}
	drop, gap := kinds[insight.Drop], kinds[insight.NullSpike]
	if len(drop.Segment) != 1 || drop.Segment[0].Value != "south" || drop.Area != "trade" || drop.ID != "trade-1" || len(drop.Recommendations) != 1 || len(drop.Steps) != 1 {
		t.Errorf("the fall is %+v", drop)
	}
	if gap.Table != "m.stock" || gap.Area != "quality" || gap.Period.From.Month() < 5 || gap.Period.From.Month() > 6 {
		t.Errorf("the gap is %+v", gap)
	}
	if !strings.Contains(run.Summary, drop.Title) {
		t.Errorf("the summary is %s", run.Summary)
	}
	for _, q := range m.asked {
		if q.Step == 0 && q.Run != run.ID {
			t.Errorf("a statement belongs to run %q", q.Run)
		}
	}
	again := w.work(w.order(runs.Order{}).ID)
	for _, i := range w.insights(again.ID) {
		if i.Survives && i.Standing != insight.Again {
			t.Errorf("found again, %s stands %q", i.ID, i.Standing)
		}
	}
	if _, err := m.db.Exec(t.Context(), "UPDATE m.stock SET source = 'found' WHERE source IS NULL"); err != nil {
		t.Fatal(err)
	}
	w.work(w.order(runs.Order{}).ID)
	ledger, err := runs.Ledger(t.Context(), w.pool, w.tenant, w.project)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range ledger {
		switch {
		case e.Subject == gap.Key && (e.Standing != insight.Resolved || e.Seen != 2 || e.First != run.ID || e.Last != again.ID):
			t.Errorf("the gap that was filled stands as %+v", e)
		case e.Subject == drop.Key && (e.Standing != insight.Again || e.Seen != 3):
			t.Errorf("the fall stands as %+v", e)
		}
	}
}

// A table that cannot be read in time costs the insights of others nothing; the area that rests
// on it is told of, and the run is partial.
func TestRunGoesOnWithoutATable(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	w.trade().fail = func(sql string) bool { return strings.Contains(sql, `"stock"`) }
	run := w.work(w.order(runs.Order{}).ID)

	areas, err := runs.Areas(t.Context(), w.pool, w.tenant, run.ID)
	if err != nil {
		t.Fatal(err)
	}
	if len(w.insights(run.ID)) == 0 || len(areas) != 2 {
		t.Fatalf("%d insights, areas %+v", len(w.insights(run.ID)), areas)
	}
	if run.Outcome != runs.FullOutcome && run.Outcome != runs.PartialOutcome {
		t.Errorf("the run is %s", run.Outcome)
	}

	none := newWorld(t)
	none.trade().fail = func(sql string) bool { return !strings.HasPrefix(sql, "SELECT region") }
	run = none.work(none.order(runs.Order{}).ID)
	if run.Outcome != runs.NoOutcome || run.Status != runs.Completed {
		t.Errorf("without any table the run is %s, %s", run.Status, run.Outcome)
	}
}

// Only insights that survived may have recommendations, whoever writes the rows.
func TestDatabaseKeepsRecommendationsFromInsightsThatFell(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	w.trade()
	run := w.work(w.order(runs.Order{}).ID)
	kept := w.recommendations(run.ID)
	if len(kept) == 0 {
		t.Fatal("there is nothing to link")
	}
	w.exec(`INSERT INTO warehouse_insights (tenant_id, run_id, ref, project_id, place, area_id, subject, kind, severity, title, affected, body, status)
		VALUES ($1, $2, 'trade-99', $3, 99, 'trade', 'drop|m.sales|count', 'drop', 'low', 'It fell', 1, '{}', 'rejected')`, w.tenant, run.ID, w.project)

	b := postgres.NewBatch(w.tenant)
	_, _ = b.Exec(background, `INSERT INTO warehouse_recommendation_insights (tenant_id, run_id, recommendation_ref, insight_ref) VALUES ($1, $2, $3, 'trade-99')`, w.tenant, run.ID, kept[0].ID)
	if err := b.Send(t.Context(), w.pool); postgres.Constraint(err) != "warehouse_recommendation_insights_insight_fkey" {
		t.Errorf("linking an insight that fell gives %v", err)
	}
}

// A worker that is killed anywhere in the analysis leaves a run that another finishes with the
// same insights and recommendations.
func TestAnalystMayDieAnywhere(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	m := w.trade()
	key := make([]byte, 32)
	begin := func() runs.Run {
		w.exec(`UPDATE warehouse_insight_ledger SET standing = 'resolved' WHERE tenant_id = $1`, w.tenant)
		w.exec(`DELETE FROM warehouse_runs WHERE tenant_id = $1 AND status <> 'running'`, w.tenant) // what they recommended would not be repeated
		r := w.order(runs.Order{})
		w.exec(`UPDATE warehouse_runs SET mask_key = $3 WHERE tenant_id = $1 AND id = $2`, w.tenant, r.ID, key)
		return r
	}
	want := w.results(w.work(begin().ID).ID)
	if strings.Count(want, `"survives": true`) < 2 {
		t.Fatalf("unharmed, the run found\n%s", want)
	}
	for n := 1; ; n += prerequisite.Scale(37, 11) {
		run := begin()
		mortal, ctx, r := w.mortalIn(t, m, n)
		err := mortal.Until(ctx, w.tenant, run.ID)
		survived := err == nil && r.left.Load() > 0
		m.strike = func() {}
		w.expire(run.ID)
		if got := w.find(run.ID); !got.Status.Over() {
			w.work(run.ID)
		}
		if diff := cmp.Diff(want, w.results(run.ID)); diff != "" {
			t.Fatalf("killed at %d, the run found something else (-want +got):\n%s", n, diff)
		}
		if survived {
			return
		}
	}
}

// mortalIn is [world.mortal] over a market.
func (w *world) mortalIn(t *testing.T, m *market, n int) (*runs.Runner, context.Context, *reaper) {
	t.Helper()
	runner, ctx, r := w.mortal(t, n)
	m.strike = r.strike
	runner.Open = func(context.Context, string, string, string) (warehouse.Gateway, error) { return m, nil }
	return runner, ctx, r
}

// wordsmith is an analyst that words insights too: some well, some with numbers of its own.
type wordsmith struct {
	*scriptedAnalyst
	fail error
}

func (s *wordsmith) Room() int { return 4000 }

func (s *wordsmith) Word(_ context.Context, task insight.WordingTask) (insight.Worded, error) {
	out := map[string]insight.Wording{}
	for n, i := range task.Insights {
		out[i.ID] = insight.Wording{Headline: "Look: " + i.Headline, Text: i.Text}
		if n > 0 {
			out[i.ID] = insight.Wording{Headline: i.Headline + ", that is 42", Text: i.Text}
		}
	}
	return insight.Worded{Wordings: out, Spent: warehouse.TokenUsage{In: 50, Out: 5, Calls: 1}, Results: len(task.Results), Memory: len(task.Memory), Prompt: "Area: " + task.Area.Name, Reply: "Look:\x00 it fell"}, s.fail
}

// A model may word what was found; words that state numbers of their own are not taken, and a
// model that fails costs its words, and the outcome says so.
func TestModelWordsInsights(t *testing.T) {
	t.Parallel()

	for _, fail := range []error{nil, errors.New("the model is away")} {
		w := newWorld(t)
		w.trade()
		told := w.o.Instructions
		w.o.Instructions = func(ctx context.Context, r runs.Run) (warehouse.Instructions, string, error) {
			i, pack, err := told(ctx, r)
			i.Previous = "Found before: the fall."
			return i, pack, err
		}
		w.o.Analyst = func(context.Context, runs.Run) (warehouse.Analyst, error) {
			return &wordsmith{w.analyst, fail}, nil
		}
		run := w.work(w.order(runs.Order{}).ID)

		said := 0
		for _, i := range w.insights(run.ID) {
			if strings.Contains(i.Title, "42") {
				t.Errorf("%s says %s", i.ID, i.Title)
			}
			if strings.HasPrefix(i.Title, "Look: ") {
				said++
			}
		}
		want := runs.FullOutcome
		if fail != nil {
			want = runs.NoOutcome // no area with findings was analysed in full
		}
		if (said > 0) != (fail == nil) || run.Outcome != want || w.find(run.ID).Spent[runs.Analysing].In != 100 {
			t.Errorf("with %v, %d are in the model's words, the run is %s and has spent %+v", fail, said, run.Outcome, w.find(run.ID).Spent)
		}
		areas, err := runs.Areas(t.Context(), w.pool, w.tenant, run.ID)
		if err != nil || strings.Contains(areas[0].Reason, "the model is away") != (fail != nil) {
			t.Errorf("areas are %+v, %v", areas, err)
		}
		dropped := 0
		for _, a := range areas {
			dropped += len(a.Dropped)
			if a.Results == 0 || a.Memory != len("Found before: the fall.") {
				t.Errorf("area %s was given %d characters of results and %d of memory", a.ID, a.Results, a.Memory)
			}
			dialog, err := runs.Dialog(t.Context(), w.pool, w.tenant, run.ID, a.ID)
			if want := (runs.AreaDialog{Prompt: "Area: " + a.Name, Reply: "Look:\uFFFD it fell"}); err != nil || dialog != want {
				t.Errorf("the dialog of area %s is %+v, %v; want %+v", a.ID, dialog, err, want)
			}
		}
		if _, err := runs.Dialog(t.Context(), w.pool, w.tenant, run.ID, "nowhere"); !fault.Is(err, fault.NotFound) {
			t.Errorf("the dialog of an area that is none: %v", err)
		}
		if c := w.find(run.ID).Counters; c.Dropped != dropped || c.Ranked != 0 {
			t.Errorf("%d steps were left out and %d searches made, want %d and 0", c.Dropped, c.Ranked, dropped)
		}
	}
}
