package runs_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"quaestor/internal/embedding"
	"quaestor/internal/fault"
	"quaestor/internal/llm"
	"quaestor/internal/llm/llmtest"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/insight"
	"quaestor/research/warehouse/runs"
)

// change runs a statement in the market's database.
func (m *market) change(t *testing.T, sql string) {
	t.Helper()
	if _, err := m.db.Exec(t.Context(), sql); err != nil {
		t.Fatal(err)
	}
}

// fall returns the insight about the fall of sales in the south.
func (w *world) fall(run string) runs.Insight {
	w.t.Helper()
	for _, i := range w.insights(run) {
		if i.Kind == insight.Drop && len(i.Segment) == 1 && i.Segment[0].Value == "south" {
			return i
		}
	}
	w.t.Fatalf("run %s did not see the fall", run)
	panic("unreachable")
}

func (w *world) alerts(user string) []runs.Alert {
	w.t.Helper()
	list, err := runs.Alerts(background, w.pool, w.tenant, user, false, runs.AlertPlace{}, 50)
	if err != nil {
		w.t.Fatal(err)
	}
	return list
}

// Those who watch a finding are told when a later run changes, resolves or finds it again, and nobody
// else is; what was recommended is recommended again only when its finding has changed.
func TestWatchedFindingIsTold(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	m := w.trade()
	first := w.work(w.order(runs.Order{}).ID)
	fall := w.fall(first.ID)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(w.commands().Watch(t.Context(), w.tenant, first.ID, fall.ID, "ann", true))
	must(w.commands().Watch(t.Context(), w.tenant, first.ID, fall.ID, "bob", true))
	must(w.commands().Watch(t.Context(), w.tenant, first.ID, fall.ID, "bob", false))
	if err := w.commands().Watch(t.Context(), w.tenant, first.ID, "trade-77", "ann", true); !fault.Is(err, fault.NotFound) {
		t.Errorf("watching nothing gives %v", err)
	}

	same := w.work(w.order(runs.Order{}).ID)
	if list := w.alerts("ann"); len(list) > 0 || len(w.recommendations(same.ID)) > 0 {
		t.Errorf("when nothing changed, the alerts are %+v and the recommendations %+v", list, w.recommendations(same.ID))
	}

	m.change(t, "DELETE FROM m.sales WHERE region = 'south' AND sold_at > '2024-08-01' AND id % 5 < 4")
	changed := w.work(w.order(runs.Order{}).ID)
	list := w.alerts("ann")
	if len(list) != 1 || list[0].Change != runs.AlertChanged || list[0].Before != fall.Title || list[0].After != w.fall(changed.ID).Title || list[0].Insight != w.fall(changed.ID).ID || list[0].Run != changed.ID {
		t.Fatalf("after the change the alerts are %+v", list)
	}
	if got := kinds(w.events(changed.ID)); !strings.HasSuffix(got, "saving alert finished") {
		t.Errorf("the log of the run is %s", got)
	}
	again := w.recommendations(changed.ID)
	if len(again) != 1 || again[0].ID != "r-1" || again[0].Earlier == nil || again[0].Earlier.Run != first.ID || again[0].Earlier.Was != fall.Title {
		t.Errorf("recommended after the change: %+v", again)
	}

	m.change(t, "UPDATE m.sales SET region = 'south' WHERE sold_at > '2024-08-01' AND (id * 31 / 7) % 4 = 1")
	w.work(w.order(runs.Order{}).ID)
	list = w.alerts("ann")
	if len(list) != 2 || list[0].Change != runs.AlertResolved && list[0].Change != runs.AlertReversed {
		t.Fatalf("after the fall was made good the alerts are %+v", list)
	}
	if len(w.alerts("bob")) > 0 {
		t.Errorf("who watches no more was told %+v", w.alerts("bob"))
	}
	unread := func() int {
		n, err := runs.UnreadAlerts(t.Context(), w.pool, w.tenant, "ann")
		must(err)
		return n
	}
	if unread() != 2 {
		t.Errorf("%d alerts are unread, want 2", unread())
	}
	must(w.commands().ReadAlerts(t.Context(), w.tenant, "bob", ""))
	must(w.commands().ReadAlerts(t.Context(), w.tenant, "ann", list[0].ID))
	if unread() != 1 {
		t.Errorf("after one was read, %d are unread", unread())
	}
	must(w.commands().ReadAlerts(t.Context(), w.tenant, "ann", ""))
	if unread() != 0 {
		t.Errorf("after all were read, %d are unread", unread())
	}
}

// What is told of a watched finding depends on what a run made of it.
func TestAlerts(t *testing.T) {
	t.Parallel()

	entry := func(subject string, effect float64, s insight.Standing) runs.Entry {
		return runs.Entry{Subject: subject, Title: "was " + subject, Effect: effect, Standing: s, Last: "last", Ref: "a-1"}
	}
	known := []runs.Entry{entry("drop|s.a|count", -0.5, insight.Again), entry("drop|s.a|sum:x", -0.5, insight.New), entry("difference|s.a|y", 0.5, insight.New), entry("drop|s.b|count", -0.5, insight.New),
		entry("drop|s.c|count", -0.5, insight.Resolved), entry("drop|s.d|count", -0.5, insight.New), entry("drop|s.e|count", -0.5, insight.New), entry("drop|s.f|count", -0.5, insight.New), entry("shift|s.g|count", -0.5, insight.New)}
	watched := map[string][]string{}
	for _, e := range known {
		watched[e.Subject] = []string{"ann", "bob"}
	}
	delete(watched, "drop|s.f|count") // which nobody watches
	seen := func(subject string, effect float64) runs.Insight {
		return runs.Insight{Insight: insight.Insight{ID: "x-1", Key: subject, Effect: effect}, Title: "is " + subject, Survives: true}
	}
	found := []runs.Insight{seen("drop|s.a|count", -0.52), seen("drop|s.a|sum:x", -0.9), seen("difference|s.a|y", -0.5), seen("rise|s.b|count", 0.5), seen("drop|s.c|count", -0.5), seen("drop|s.g|count", -0.5)}
	resolved := []runs.Entry{known[3], known[5], known[7], known[8]}

	told, next := runs.AlertsOf(watched, known, resolved, found)
	got := ""
	for _, a := range told {
		got += fmt.Sprintf("%s %q %q %d\n", a.Change, a.Before, a.After, a.Watchers)
	}
	want := `changed "was drop|s.a|sum:x" "is drop|s.a|sum:x" 2
reversed "was difference|s.a|y" "is difference|s.a|y" 2
reversed "was drop|s.b|count" "is rise|s.b|count" 2
returned "was drop|s.c|count" "is drop|s.c|count" 2
resolved "was drop|s.d|count" "" 2
changed "was shift|s.g|count" "is drop|s.g|count" 2
`
	if got != want || next["was drop|s.b|count"] != "rise|s.b|count" || len(next) != 2 {
		t.Errorf("told is\n%swant\n%sand watched next %v", got, want, next)
	}
}

// gated is an encoder that holds back the first area until another one is encoded.
type gated struct {
	meanings
	open chan struct{}
	once *sync.Once
}

func (g gated) Encode(ctx context.Context, texts []string) ([][]float32, error) {
	for _, t := range texts {
		switch {
		case strings.HasPrefix(t, "Data quality"):
			select {
			case <-g.open:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		case strings.HasPrefix(t, "Trade"):
			g.once.Do(func() { close(g.open) })
		}
	}
	return g.meanings.Encode(ctx, texts)
}

// Areas are worked side by side, and come to the same whichever is done first.
func TestAreasAreWorkedSideBySide(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	w.trade()
	var want []runs.Area
	for _, encoder := range []embedding.Encoder{meanings{}, gated{open: make(chan struct{}), once: &sync.Once{}}} {
		w.o.Encoder = encoder
		run := w.work(w.order(runs.Order{}).ID)
		areas, err := runs.Areas(t.Context(), w.pool, w.tenant, run.ID)
		if err != nil || len(areas) != 2 || run.Counters.Ranked != 2 {
			t.Fatalf("%d areas are analysed with %d searches (%v)", len(areas), run.Counters.Ranked, err)
		}
		if want == nil {
			want = areas
		}
		if diff := cmp.Diff(want, areas, cmpopts.IgnoreUnexported(runs.Area{})); diff != "" {
			t.Errorf("the areas differ (-first +second):\n%s", diff)
		}
	}
}

// paced is a market whose connection allows so many statements at the same time.
type paced struct {
	*market
	allowed        int
	now, most, all atomic.Int32
}

func (p *paced) AtOnce() int { return p.allowed }

func (p *paced) Ask(ctx context.Context, q warehouse.Query) (warehouse.Answer, error) {
	n := p.now.Add(1)
	defer p.now.Add(-1)
	for was := p.most.Load(); n > was && !p.most.CompareAndSwap(was, n); was = p.most.Load() {
	}
	p.all.Add(1)
	return p.market.Ask(ctx, q)
}

// However many statements a connection allows at the same time, a run finds the same, and sends no more
// of them at once.
func TestConnectionLimitsWhatIsAskedAtOnce(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	m, key, want := w.trade(), make([]byte, 32), ""
	for _, n := range []int{1, 2, warehouse.MaxAtOnce} {
		p := &paced{market: m, allowed: n}
		w.o.Open = func(context.Context, string, string, string) (warehouse.Gateway, error) { return p, nil }
		w.exec(`DELETE FROM warehouse_runs WHERE tenant_id = $1`, w.tenant)
		w.exec(`UPDATE warehouse_insight_ledger SET standing = 'resolved' WHERE tenant_id = $1`, w.tenant)
		r := w.order(runs.Order{})
		w.exec(`UPDATE warehouse_runs SET mask_key = $3 WHERE tenant_id = $1 AND id = $2`, w.tenant, r.ID, key)
		got := w.results(w.work(r.ID).ID)
		if want == "" {
			want = got
		}
		if diff := cmp.Diff(want, got); diff != "" || p.all.Load() == 0 {
			t.Errorf("with %d at once it finds something else (-one by one +at once):\n%s", n, diff)
		}
		if most := int(p.most.Load()); most > n {
			t.Errorf("%d statements are sent at once, want at most %d", most, n)
		}
	}
}

// The metric of a recommendation that is done is measured by later runs, since the day it was done.
func TestOutcomeIsMeasured(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	m := w.trade()
	first := w.work(w.order(runs.Order{}).ID)
	fall := w.fall(first.ID)
	ref := fall.Recommendations[0]
	if _, err := w.commands().SetStatus(t.Context(), w.tenant, first.ID, ref, runs.DoneStatus, 0, "ann"); err != nil {
		t.Fatal(err)
	}
	second := w.work(w.order(runs.Order{}).ID) // the data end before it was done
	w.exec(`UPDATE warehouse_recommendations SET changed_at = '2024-11-01 09:00+00' WHERE tenant_id = $1 AND status = 'done'`, w.tenant)
	third := w.work(w.order(runs.Order{}).ID)

	list, err := runs.Measurements(t.Context(), w.pool, w.tenant, w.project)
	if err != nil || len(list) != 2 || list[0].By != third.ID || list[1].By != second.ID {
		t.Fatalf("measured are %+v (%v)", list, err)
	}
	if list[1].Value != nil {
		t.Errorf("before there are records since, the metric is %v", *list[1].Value)
	}
	var want float64
	err = m.db.QueryRow(t.Context(), `SELECT count(*) FILTER (WHERE region = 'south') / (max(sold_at)::date + 1 - date '2024-11-01')::float FROM m.sales WHERE sold_at >= '2024-11-01'`).Scan(&want)
	if err != nil {
		t.Fatal(err)
	}
	if got := list[0]; got.Run != first.ID || got.Recommendation != ref || got.Value == nil || fmt.Sprintf("%.6f", *got.Value) != fmt.Sprintf("%.6f", want) || got.Since.Format("2006-01-02") != "2024-11-01" {
		t.Errorf("the metric is %+v, want %g a day", got, want)
	}
}

// Two runs of a project are compared, the earlier one first whichever is named first.
func TestRunsAreCompared(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	m := w.trade()
	first := w.work(w.order(runs.Order{}).ID)
	if _, err := runs.Compare(t.Context(), w.pool, w.tenant, w.project, "", ""); !fault.Is(err, fault.Conflict) {
		t.Errorf("one run is compared with %v", err)
	}
	m.change(t, "DELETE FROM m.sales WHERE region = 'south' AND sold_at > '2024-08-01' AND id % 5 < 4")
	m.change(t, "UPDATE m.stock SET source = 'found' WHERE source IS NULL")
	second := w.work(w.order(runs.Order{}).ID)

	for _, ids := range [][2]string{{"", ""}, {first.ID, second.ID}, {second.ID, first.ID}, {first.ID, ""}} {
		c, err := runs.Compare(t.Context(), w.pool, w.tenant, w.project, ids[0], ids[1])
		if err != nil || c.Before.ID != first.ID || c.After.ID != second.ID {
			t.Fatalf("Compare(%v) compares %s with %s (%v)", ids, c.Before.ID, c.After.ID, err)
		}
		changes := map[insight.Change]insight.Compared{}
		for _, f := range c.Findings {
			changes[f.Change] = f
		}
		if was, now := changes[insight.Moved].Figures(); was == nil || now == nil || now.Value >= was.Value {
			t.Errorf("what changed went from %+v to %+v", was, now)
		}
		if gone := changes[insight.Vanished]; gone.Before == nil || gone.Before.Kind != insight.NullSpike {
			t.Errorf("gone is %+v", gone)
		}
	}
	if _, err := runs.Compare(t.Context(), w.pool, w.tenant, w.project, first.ID, first.ID); !fault.Is(err, fault.Unprocessable) {
		t.Errorf("a run is compared with itself: %v", err)
	}
	if _, err := runs.Compare(t.Context(), w.pool, w.tenant, w.project, w.house, ""); !fault.Is(err, fault.NotFound) {
		t.Errorf("a run that is none is compared: %v", err)
	}
}

// Findings are measured as the organisation defines its figures, and say so.
func TestFindingsFollowDefinitions(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	m := w.trade()
	m.change(t, "UPDATE m.sales SET amount = amount / 2 WHERE kind = 'a' AND sold_at > '2024-09-01'")
	w.o.Definitions = func(_ context.Context, tenant, house string) ([]insight.Definition, error) {
		if tenant != w.tenant || house != w.house {
			t.Errorf("the definitions of %s are asked for, of tenant %s", house, tenant)
		}
		return []insight.Definition{{Name: "basket", Title: "Basket value", Table: "m.sales", Expression: "AVG(amount)", Line: "basket (metric): AVG(amount) of m.sales."},
			{Name: "odd", Title: "Odd", Table: "m.sales", Expression: "SUM(amount) / COUNT(*)"}}, nil
	}
	run := w.work(w.order(runs.Order{}).ID)

	defined := 0
	for _, i := range w.insights(run.ID) {
		if i.Metric == "basket" {
			defined++
			if !strings.HasPrefix(i.Title, "Basket value") || !strings.Contains(i.Prose, "as your team defines “Basket value”") || i.Defined != "basket (metric): AVG(amount) of m.sales." {
				t.Errorf("by the definition, it says %s %s (%s)", i.Title, i.Prose, i.Defined)
			}
		}
		if strings.Contains(i.Title, "verage amount") {
			t.Errorf("beside the definition, it says %s", i.Title)
		}
	}
	if defined == 0 {
		t.Error("no finding follows the definition")
	}
}

// meanings is an encoder to which "turnover" means what the fall means.
type meanings struct{ fail bool }

func (meanings) Name() string   { return "meanings" }
func (meanings) Dimension() int { return 2 }

func (m meanings) Encode(_ context.Context, texts []string) ([][]float32, error) {
	if m.fail {
		return nil, errors.New("the encoder is away")
	}
	out := make([][]float32, len(texts))
	for i, t := range texts {
		out[i] = []float32{0, 1}
		if strings.Contains(t, "south") || strings.Contains(t, "turnover") {
			out[i] = []float32{1, 0}
		}
		if t == "xylophone" {
			out[i] = []float32{-1, -1}
		}
	}
	return out, nil
}

// Findings are found by words and by meaning, and answer questions with citations.
func TestFindingsAreSearchedAndAsked(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	w.trade()
	run := w.work(w.order(runs.Order{}).ID)
	w.work(w.order(runs.Order{}).ID) // which finds the same
	fall := w.fall(run.ID)
	s := &runs.Searcher{Pool: w.pool, Encoder: meanings{}, Log: quiet}
	find := func(s *runs.Searcher, q string) []runs.Finding {
		t.Helper()
		list, err := s.Search(t.Context(), w.tenant, w.project, q)
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	for _, q := range []string{"falling sales in the south", "turnover"} {
		if list := find(s, q); len(list) == 0 || !strings.Contains(list[0].Title, "south") {
			t.Errorf("%q finds %+v", q, list)
		}
	}
	seen := map[string]bool{}
	for _, f := range find(s, "south") {
		if seen[string(f.Kind)+f.Title] {
			t.Errorf("%s is found twice", f.Title)
		}
		seen[string(f.Kind)+f.Title] = true
	}
	if !seen["insight"+fall.Title] || len(seen) < 2 {
		t.Errorf("south finds %v, not the finding and its recommendation", seen)
	}
	if list := find(&runs.Searcher{Pool: w.pool, Encoder: meanings{true}, Log: quiet}, "south"); len(list) == 0 {
		t.Error("without vectors, words find nothing")
	}
	if list := find(&runs.Searcher{Pool: w.pool, Encoder: meanings{true}, Log: quiet}, "what was to be of the xylophones in all"); len(list) > 0 {
		t.Errorf("words that every text has find %+v", list)
	}
	if _, err := s.Search(t.Context(), w.tenant, w.project, " "); !fault.Is(err, fault.Unprocessable) {
		t.Errorf("nothing is searched for: %v", err)
	}

	a, err := s.Ask(t.Context(), w.tenant, w.project, "What happened in the south?")
	if err != nil || !a.Quoted || a.By != "rules" || len(a.Sentences) == 0 || a.Sentences[0].Text != a.Findings[0].Title+"." {
		t.Errorf("without a model the answer is %+v (%v)", a, err)
	}
	if a, err = s.Ask(t.Context(), w.tenant, w.project, "xylophone"); err != nil || len(a.Sentences) != 0 || a.Note == "" {
		t.Errorf("about nothing the answer is %+v (%v)", a, err)
	}
}

// Of what a model says, only sentences are kept that cite findings and have no figures but theirs.
func TestModelAnswersFromFindings(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	w.trade()
	w.work(w.order(runs.Order{}).ID)
	server := llmtest.New(t)
	client, err := llm.New(llm.Options{BaseURL: server.URL(), Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	s := &runs.Searcher{Pool: w.pool, Log: quiet, Model: func(context.Context, string) *llm.Client { return client }}
	ask := func(reply string) runs.FindingAnswer {
		t.Helper()
		server.Enqueue(llmtest.Reply{Text: reply})
		a, err := s.Ask(t.Context(), w.tenant, w.project, "What happened in the south?")
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	a := ask(`{"sentences": [{"text": "Sales in the south fell [1].", "cites": [1]}, {"text": "They fell by 999.9 %.", "cites": [1]}, {"text": "Nobody knows why.", "cites": []}, {"text": "It is so.", "cites": [99]}]}`)
	if a.Quoted || len(a.Sentences) != 1 || a.Sentences[0].Text != "Sales in the south fell." || a.By != "model m" || !strings.HasPrefix(a.Note, "3 of 4 sentences were left out") {
		t.Errorf("the answer is %+v", a)
	}
	if a = ask(`{"sentences": [{"text": "They fell by 999.9 %.", "cites": [1]}]}`); !a.Quoted || len(a.Sentences) == 0 {
		t.Errorf("when nothing holds, the answer is %+v", a)
	}
}
