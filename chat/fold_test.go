package chat_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"quaestor/chat"
	"quaestor/chat/model"
	"quaestor/internal/llm/llmtest"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/migrations"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
)

// recall gives the session a past of that many turns, each with two
// messages and events, as if they had been held.
func (d *harness) recall(turns int) {
	d.t.Helper()
	super := postgrestest.Superuser(d.t, d.pool)
	for _, sql := range []string{
		`INSERT INTO turns (tenant_id, session_id, number, user_id, body_hash, first_seq, instance_id, status) SELECT $1, $2, n, 'person', '', 4 * n - 3, gen_random_uuid(), 'done' FROM generate_series(1, $3::int) AS n`,
		`INSERT INTO messages (tenant_id, session_id, turn, role, user_id, content) SELECT $1, $2, n, r, CASE r WHEN 'user' THEN 'person' END, 'Turn ' || n || ': ' || repeat('we sell bread and more of it, ', 8) FROM generate_series(1, $3::int) AS n, unnest(ARRAY['user', 'assistant']) AS r`,
		`INSERT INTO session_events (tenant_id, session_id, seq, turn, kinds, data) SELECT $1, $2, 4 * n - 3, n, ARRAY['session'], ARRAY['{"type":"session"}'::json] FROM generate_series(1, $3::int) AS n`,
		`INSERT INTO session_events (tenant_id, session_id, seq, turn, kinds, data) SELECT $1, $2, 4 * n, n, ARRAY['message', 'obligation', 'done'], ARRAY['{"type":"message"}'::json,
			json_build_object('type', 'obligation', 'turn', n, 'key', 'key_' || n % 40, 'label', 'Thing ' || n % 40, 'status', 'satisfied', 'confidence', 0.8, 'value', 'value of turn ' || n), '{"type":"done"}'::json] FROM generate_series(1, $3::int) AS n`,
		`UPDATE session_heads SET last_seq = 4 * $3::int WHERE tenant_id = $1 AND session_id = $2`,
		`UPDATE elicitation_sessions SET turn_count = $3::int WHERE tenant_id = $1 AND id = $2`,
	} {
		if _, err := super.Exec(d.t.Context(), sql, d.scope.Tenant, d.scope.Session, turns); err != nil {
			d.t.Fatalf("%s: %v", sql, err)
		}
	}
}

// folder is a queue that runs fold jobs on the harness's database.
type folder struct {
	queue *research.Queue
	news  <-chan *river.Event
}

func (d *harness) newFolder(m chat.Summarizer) *folder {
	d.t.Helper()
	return d.newFolderOf(chat.FoldOptions{Pool: d.pool, Model: m, Log: slog.New(slog.DiscardHandler)})
}

func (d *harness) newFolderOf(o chat.FoldOptions) *folder {
	d.t.Helper()
	q, err := research.NewQueue(d.t.Context(), d.pool, research.QueueOptions{Schema: migrations.RiverSchema, Workers: 4, Log: o.Log,
		Add: []research.AddFunc{chat.Folding(o)}})
	if err != nil {
		d.t.Fatal(err)
	}
	news, unsubscribe := q.Subscribe(river.EventKindJobCompleted, river.EventKindJobFailed, river.EventKindJobCancelled)
	d.t.Cleanup(unsubscribe)
	return &folder{q, news}
}

// start works jobs until the test ends.
func (d *harness) startFolder(f *folder) {
	d.t.Helper()
	if err := f.queue.Start(d.t.Context()); err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() {
		if err := f.queue.StopAndCancel(context.Background()); err != nil {
			d.t.Errorf("stop the workers: %v", err)
		}
	})
}

func (d *harness) enqueueFold(f *folder, to int) {
	d.t.Helper()
	if _, err := f.queue.Insert(d.t.Context(), chat.FoldArgs{Tenant: d.scope.Tenant, Session: d.scope.Session, To: to}, nil); err != nil {
		d.t.Fatal(err)
	}
}

// done waits for jobs to be completed.
func (f *folder) done(t testing.TB, jobs int) {
	t.Helper()
	deadline := time.After(patience)
	for n := range jobs {
		select {
		case e := <-f.news:
			if e.Kind != river.EventKindJobCompleted || e.Job.State != rivertype.JobStateCompleted {
				t.Fatalf("job %d is %s: %v", e.Job.ID, e.Job.State, e.Job.Errors)
			}
		case <-deadline:
			t.Fatalf("%d of %d jobs were never completed", jobs-n, jobs)
		}
	}
}

// folded folds the session's past without a model.
func (d *harness) folded(turns int) {
	d.t.Helper()
	f := d.newFolder(nil)
	d.enqueueFold(f, sessions.FoldDue(turns, 0))
	d.startFolder(f)
	f.done(d.t, 1)
}

func (d *harness) summaries(level int) []sessions.Summary {
	d.t.Helper()
	var out []sessions.Summary
	for {
		p := sessions.SummaryPage{Level: level, Max: 200}
		if len(out) > 0 {
			p.After = out[len(out)-1].From
		}
		list, err := sessions.Summaries(d.t.Context(), d.pool, d.scope, p)
		if err != nil {
			d.t.Fatal(err)
		}
		if len(list) == 0 {
			return out
		}
		out = append(out, list...)
	}
}

// checkRanges checks that the summaries of a level lie end to end.
func (d *harness) checkRanges(level, size, want int) {
	d.t.Helper()
	list := d.summaries(level)
	for i, m := range list {
		if m.From != i*size+1 || m.To != (i+1)*size {
			d.t.Errorf("summary %d of level %d is of turns %d to %d, want %d to %d", i, level, m.From, m.To, i*size+1, (i+1)*size)
		}
	}
	if len(list) != want {
		d.t.Errorf("level %d has %d summaries, want %d", level, len(list), want)
	}
}

func (d *harness) foldJobs() (n int) {
	d.t.Helper()
	if err := d.pool.QueryRow(d.t.Context(), `SELECT count(*) FROM river.river_job WHERE kind = 'session_fold'`).Scan(&n); err != nil {
		d.t.Fatal(err)
	}
	return n
}

// A turn orders the fold of what has left the window, once, and the next prompt
// is told what it says.
func TestConversationIsFoldedAsItGrows(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	d.take(d.input(""))
	d.take(d.input("We sell bread"))
	for range 17 {
		d.take(d.input("what have you got so far?"))
	}
	if n := d.foldJobs(); n != 0 {
		t.Fatalf("%d folds are ordered after 19 turns", n)
	}
	d.take(d.input("how far are we?"))
	d.take(d.input("how far are we?"))
	if n := d.foldJobs(); n != 1 {
		t.Fatalf("%d folds are ordered after 21 turns, want one", n)
	}

	f := d.newFolder(nil)
	d.startFolder(f)
	f.done(t, 1)

	d.checkRanges(0, 10, 1)
	got := d.summaries(0)[0]
	if !strings.HasPrefix(got.Text, "Learnt: Business “We sell bread” (turn 2).") || got.By != sessions.BuiltIn || got.Known["business"].Status != obligations.Satisfied {
		t.Errorf("the summary by %s says %q of %+v", got.By, got.Text, got.Known)
	}
	for n := d.foldJobs(); n < 2; n = d.foldJobs() { // nothing is due before turn 30
		if d.take(d.input("how far are we?")); d.foldJobs() > 1 && len(d.transcriptTurns()) != 30 {
			t.Fatalf("the second fold was ordered after turn %d", len(d.transcriptTurns()))
		}
	}
}

func (d *harness) transcriptTurns() []int {
	d.t.Helper()
	list, err := sessions.Transcript(d.t.Context(), d.pool, d.scope, 0, 0)
	if err != nil {
		d.t.Fatal(err)
	}
	var turns []int
	for _, m := range list {
		if m.Role == sessions.FromAssistant {
			turns = append(turns, m.Turn)
		}
	}
	return turns
}

func TestJobsThatRunAtOnceFoldEachStretchOnce(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	d.recall(150)
	one, two := d.newFolder(nil), d.newFolder(nil)
	for _, to := range []int{140, 130, 120, 110} {
		d.enqueueFold(one, to)
		d.enqueueFold(one, to) // is the same job
	}
	if n := d.foldJobs(); n != 4 {
		t.Fatalf("%d jobs, want 4", n)
	}
	d.startFolder(one)
	d.startFolder(two)
	for range 4 {
		select {
		case e := <-one.news:
			if e.Kind != river.EventKindJobCompleted {
				t.Fatalf("job %d is %s: %v", e.Job.ID, e.Job.State, e.Job.Errors)
			}
		case e := <-two.news:
			if e.Kind != river.EventKindJobCompleted {
				t.Fatalf("job %d is %s: %v", e.Job.ID, e.Job.State, e.Job.Errors)
			}
		case <-time.After(patience):
			t.Fatal("a job was never completed")
		}
	}

	d.checkRanges(0, 10, 14)
	d.checkRanges(1, 30, 4)
	d.checkRanges(2, 90, 1)
}

// When a worker is killed in the middle of its second stretch, the next one folds that
// stretch again and leaves the first.
func TestKilledFoldGoesOnWhereItWas(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	d.recall(50)
	m, srv := summaryModel(t)
	stalled := make(chan struct{}, 100)
	var calls atomic.Int32
	srv.Handle(func(llmtest.Request) llmtest.Reply {
		if calls.Add(1) == 2 {
			stalled <- struct{}{}
			return llmtest.Reply{FirstDelay: time.Second, JSON: map[string]any{"summary": "Too late."}}
		}
		return llmtest.Reply{JSON: map[string]any{"summary": fmt.Sprint("Made by call ", calls.Load(), ".")}}
	})
	first := d.newFolder(m)
	d.enqueueFold(first, 40)
	if err := first.queue.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	select {
	case <-stalled:
	case <-time.After(patience):
		t.Fatal("the second stretch was never begun")
	}
	if err := first.queue.StopAndCancel(context.Background()); err != nil {
		t.Fatal(err)
	}
	d.checkRanges(0, 10, 1)
	if _, err := d.pool.Exec(t.Context(), `UPDATE river.river_job SET state = 'available', scheduled_at = now() WHERE kind = 'session_fold'`); err != nil {
		t.Fatal(err)
	}

	second := d.newFolder(m)
	d.startFolder(second)
	second.done(t, 1)

	d.checkRanges(0, 10, 4)
	d.checkRanges(1, 30, 1)
	list := d.summaries(0)
	if list[0].Text != "Made by call 1." || slices.ContainsFunc(list, func(m sessions.Summary) bool { return m.Text == "Too late." }) {
		t.Errorf("the stretches say %q and %q", list[0].Text, list[1].Text)
	}
}

func TestModelWordsTheSummaries(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	d.recall(40)
	m, srv := summaryModel(t)
	srv.On(llmtest.Request.Structured, llmtest.Reply{JSON: map[string]any{"summary": "They bake.\n\nA lot" + strings.Repeat(", and more", 100)}})
	f := d.newFolder(m)
	d.enqueueFold(f, 30)
	d.startFolder(f)
	f.done(t, 1)

	d.checkRanges(0, 10, 3)
	d.checkRanges(1, 30, 1)
	for _, s := range append(d.summaries(0), d.summaries(1)...) {
		if s.By != "model scripted" || s.Degraded != "" || !strings.HasPrefix(s.Text, "They bake. A lot") || len([]rune(s.Text)) > sessions.StretchRunes || !strings.Contains(string(s.Usage), "promptTokens") {
			t.Errorf("turns %d to %d by %s (%s, %s): %.80q", s.From, s.To, s.By, s.Degraded, s.Usage, s.Text)
		}
	}
	requests := srv.Requests()
	if n := len(requests); n != 4 {
		t.Fatalf("the model was asked %d times, want 4", n)
	}
	for i, parts := range []map[string]int{{`"from":"user"`: 10, `"turns":`: 0}, {`"from":"assistant"`: 10}, {`Turn 30: `: 2}, {`"from":`: 0, `"turns":"11 to 20"`: 1}} {
		for part, want := range parts {
			if got := strings.Count(requests[i].Messages[1].Content, part); got != want {
				t.Errorf("request %d holds %q %d times, want %d", i, part, got, want)
			}
		}
		if size := len(requests[i].Messages[1].Content); size > 16<<10 {
			t.Errorf("request %d has %d bytes of data", i, size)
		}
	}
}

// A model that fails is not asked again in that job; what it did not word is
// extracted, and says why.
func TestSummariesWithoutTheModelThatFails(t *testing.T) {
	t.Parallel()

	for name, reply := range map[string]llmtest.Reply{"refuses": llmtest.Status(500, 0), "talks": {Text: "I would rather not."}, "says nothing": {JSON: map[string]any{"summary": ""}}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			d := newHarness(t, setup{})
			d.recall(40)
			m, srv := summaryModel(t)
			srv.Handle(func(llmtest.Request) llmtest.Reply { return reply })
			f := d.newFolder(m)
			d.enqueueFold(f, 30)
			d.startFolder(f)
			f.done(t, 1)

			for i, s := range d.summaries(0) {
				if s.By != sessions.BuiltIn || s.Degraded == "" || !strings.HasPrefix(s.Text, "Learnt: Thing ") {
					t.Errorf("stretch %d by %s (%q): %.80q", i, s.By, s.Degraded, s.Text)
				}
			}
			if n := len(srv.Requests()); n > 2 { // once, and once more for a repair
				t.Errorf("the model was asked %d times", n)
			}
		})
	}
}

// summaryModel returns a model on a scripted server.
func summaryModel(t testing.TB) (*model.Model, *llmtest.Server) {
	t.Helper()
	srv := llmtest.New(t)
	return modelWithin(t, srv, 2*time.Second, nil), srv
}

// tally counts what a pool's queries cost.
type tally struct{ trips, rows atomic.Int64 }

func (c *tally) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	c.trips.Add(1)
	return ctx
}

func (c *tally) TraceQueryEnd(_ context.Context, _ *pgx.Conn, e pgx.TraceQueryEndData) {
	c.rows.Add(e.CommandTag.RowsAffected())
}

func (c *tally) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	c.trips.Add(1)
	return ctx
}

func (c *tally) TraceBatchQuery(_ context.Context, _ *pgx.Conn, e pgx.TraceBatchQueryData) {
	c.rows.Add(e.CommandTag.RowsAffected())
}

func (c *tally) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

// cost is what one turn costs.
type cost struct{ trips, rows, prompt int64 }

// longSession returns a harness whose session has a past of that many turns, folded, and
// what counts the cost of its engine.
func longSession(t testing.TB, turns int, c setup) (*harness, *tally) {
	t.Helper()
	d := newHarness(t, setup{})
	d.recall(turns)
	d.folded(turns)
	return d.counted(c)
}

// counted returns the harness with another engine, and what counts the cost of that.
func (d *harness) counted(c setup) (*harness, *tally) {
	d.t.Helper()
	count := &tally{}
	config := d.pool.Config().Copy()
	config.ConnConfig.Tracer = count
	pool, err := pgxpool.NewWithConfig(d.t.Context(), config)
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(pool.Close)
	c.pool = pool
	return d.another(c), count
}

// costAt returns what a turn costs after so many, the engine being warm.
func costAt(t *testing.T, turns int) cost {
	t.Helper()
	model := llmtest.New(t)
	model.OnUnderstand(llmtest.Reply{JSON: reading("progress")})
	model.OnReply(llmtest.Reply{Text: "Not far yet. What does your shop sell?"})
	d, count := longSession(t, turns, setup{model: model})
	d.take(d.input("how far are we?"))
	<-d.reports
	out := cost{trips: math.MaxInt64, rows: math.MaxInt64}
	before := len(model.Requests())
	for range 3 { // the engine's own work on the side, which comes once, is in one of them at most
		trips, rows := count.trips.Load(), count.rows.Load()
		before = len(model.Requests())
		d.start(d.input("how far are we?"))
		if r := <-d.reports; r.Degraded != "" || r.Status != "done" {
			t.Fatalf("the turn is %s, without the model because of %q", r.Status, r.Degraded)
		}
		out.trips, out.rows = min(out.trips, count.trips.Load()-trips), min(out.rows, count.rows.Load()-rows)
	}
	for _, r := range model.Requests()[before:] {
		for _, m := range r.Messages {
			out.prompt += int64(len(m.Content))
		}
		if !strings.Contains(r.Messages[1].Content, "Turns 1 to ") {
			t.Errorf("after %d turns the prompt does not tell what came first", turns)
		}
	}
	return out
}

// After two thousand turns a turn takes no more round trips and rows than after
// fifty: a handful. And its prompts are as long but for what is told of the past, which has
// its bound.
func TestLongSessionCostsPerTurnWhatAShortOneDoes(t *testing.T) {
	t.Parallel()

	short, long := costAt(t, 50), costAt(t, 2000)

	if most := (cost{trips: 6, rows: 70}); short.trips > most.trips || long.trips > most.trips || short.rows > most.rows || long.rows > most.rows {
		t.Errorf("a turn costs %+v after 50 turns, %+v after 2000", short, long)
	}
	if more := long.prompt - short.prompt; more > 2*2*sessions.SummaryRunes || short.prompt == 0 {
		t.Errorf("the prompts have %d bytes after 50 turns, %d after 2000", short.prompt, long.prompt)
	}
	t.Logf("after 50 turns %+v, after 2000 %+v", short, long)
}

func TestTwoThousandTurnsAreFoldedInLevels(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	d.recall(2000)
	d.folded(2000)

	for level, want := range []int{199, 66, 22, 7, 2, 0} {
		size := sessions.FoldTurns
		for range level {
			size *= sessions.FoldFan
		}
		d.checkRanges(level, size, want)
	}
	last := d.summaries(0)[198]
	if n := len([]rune(last.SoFar)); n > sessions.SummaryRunes || n < sessions.SummaryRunes/2 {
		t.Errorf("%d characters are told of 1990 turns", n)
	}
	if len(last.Known) != 40 || last.Known["key_39"].Turn != 1959 && last.Known["key_39"].Turn != 1999-40 {
		t.Errorf("the last snapshot knows %d things, key_39 of turn %d", len(last.Known), last.Known["key_39"].Turn)
	}
}

func BenchmarkTurn(b *testing.B) {
	for _, turns := range []int{50, 2000} {
		b.Run(fmt.Sprintf("after %d turns", turns), func(b *testing.B) {
			d, count := longSession(b, turns, setup{})
			d.start(d.input("how far are we?"))
			<-d.reports
			trips, rows := count.trips.Load(), count.rows.Load()
			for b.Loop() {
				d.start(d.input("how far are we?"))
				<-d.reports
			}
			b.ReportMetric(float64(count.trips.Load()-trips)/float64(b.N), "trips/op")
			b.ReportMetric(float64(count.rows.Load()-rows)/float64(b.N), "rows/op")
		})
	}
}

func TestFoldJobHoldsIdsOnly(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	d.enqueueFold(d.newFolder(nil), 10)

	var got map[string]any
	var raw []byte
	if err := d.pool.QueryRow(t.Context(), `SELECT args FROM river.river_job`).Scan(&raw); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]any{"tenant": d.scope.Tenant, "session": d.scope.Session, "to": 10.0}, got); diff != "" {
		t.Errorf("args (-want +got):\n%s", diff)
	}
}
