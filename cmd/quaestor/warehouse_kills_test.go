//go:build duckdb

package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"quaestor/internal/llm/llmtest"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/internal/prerequisite"
	"quaestor/migrations"
	"quaestor/research/warehouse/runs"
)

// clerkSays are the replies of a scripted model, a step each, with a bit of everything that
// happens in a run.
var clerkSays = []string{
	`{"thinking":"What is there?","lookup_schema":["orders","customers","nothing"]}`,
	`{"thinking":"Anything of returns?","search_tables":"returned orders","search_top_k":5}`,
	asks("SELECT count(*) AS n FROM orders"),
	asks("SELECT state, count(*) AS n FROM orders GROUP BY state"), // a column that must be repaired
	asks("SELECT country, count(*) AS n FROM customers GROUP BY country ORDER BY n DESC, country"),
	asks("SELECT count(*) AS n FROM orders"), // again: the answer stands
	asks("DELETE FROM orders"),
	`{"done": true, "summary": "All is said."}`, // too early
	asks("SELECT channel, sum(total) AS revenue FROM orders GROUP BY channel ORDER BY channel"),
	`{"thinking":"Again.","lookup_schema":["orders"]}`,
	asks("SELECT date_trunc('month', placed_at) AS month, count(*) AS n FROM orders GROUP BY 1 ORDER BY 1"),
	asks("SELECT category, avg(price) AS price FROM products GROUP BY category ORDER BY category"),
	asks("SELECT status, avg(quantity) AS quantity FROM orders GROUP BY status ORDER BY status"),
	`{"done": true, "summary": "The orders are explored."}`,
}

// newClerk starts a model that explores by clerkSays. What it replies depends on the request
// alone, so that who asks again after a death is told the same.
func newClerk(t *testing.T) *llmtest.Server {
	t.Helper()
	model := llmtest.New(t)
	model.Handle(func(r llmtest.Request) llmtest.Reply {
		last := r.LastUser()
		if strings.Contains(last, "fixed_sql") {
			if strings.Contains(last, "SELECT state") {
				return llmtest.Reply{Text: `{"fixed_sql": "SELECT status AS state, count(*) AS n FROM orders GROUP BY status ORDER BY status"}`}
			}
			return llmtest.Reply{Text: "That cannot be repaired."}
		}
		if strings.Contains(last, "<insights>") {
			return llmtest.Reply{JSON: rewordings(last)}
		}
		at := stepsDone.FindStringSubmatch(last)
		if at == nil {
			return llmtest.Status(http.StatusBadRequest, 0)
		}
		n, _ := strconv.Atoi(at[1])
		if n == 4 && !strings.Contains(last, "holds no JSON object") {
			return llmtest.Reply{Text: "Let me think about it first."}
		}
		return llmtest.Reply{Text: clerkSays[min(n, len(clerkSays)-1)]}
	})
	return model
}

// moment is when a run is killed: so long after it was seen to enter a phase.
type moment struct {
	phase runs.Phase
	after time.Duration
}

// phasesInOrder are those of a run.
var phasesInOrder = []runs.Phase{runs.Initialization, runs.Recalling, runs.Schema, runs.Exploration, runs.Analysis, runs.Validation, runs.Recommending, runs.Saving}

// phased is how far a run is.
type phased struct {
	Status runs.Status
	Phase  runs.Phase
}

// over reports whether the run is in p, past it, or over.
func (r phased) reached(p runs.Phase) bool {
	return r.Status.Over() || slices.Index(phasesInOrder, r.Phase) >= slices.Index(phasesInOrder, p)
}

// follow reads a run until stop says so.
func (p *program) follow(id string, stop func(phased) bool) phased {
	p.t.Helper()
	end := time.Now().Add(2 * patience)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		r := fetch[phased](p, "/api/v1/runs/"+id)
		if stop(r) {
			return r
		}
		if time.Now().After(end) {
			p.t.Fatalf("the run stays as it is: %+v", r)
		}
		<-tick.C
	}
}

// clocked follows a run to its end and returns how long each phase took.
func (p *program) clocked(id string) map[runs.Phase]time.Duration {
	p.t.Helper()
	took, since, at := map[runs.Phase]time.Duration{}, time.Now(), runs.Initialization
	p.follow(id, func(r phased) bool {
		if r.Phase != at || r.Status.Over() {
			took[at] += time.Since(since)
			since, at = time.Now(), r.Phase
		}
		return r.Status.Over()
	})
	return took
}

// result is what a run came to, as the API shows it, without what depends on when and for which
// project it ran.
func (p *program) result(id string) map[string]any {
	p.t.Helper()
	out := map[string]any{}
	for _, part := range []string{"", "/steps?limit=200", "/areas", "/insights?limit=200", "/recommendations?limit=200"} {
		out[part] = withoutTimes(fetch[any](p, "/api/v1/runs/"+id+part))
	}
	return out
}

// passing are the fields of a run that differ from one run to the next that is like it: ids,
// times, and what was spent, some of it by workers that died; see [killable.checkSpent].
var passing = []string{"id", "runId", "projectId", "createdAt", "startedAt", "updatedAt", "completedAt", "changedAt", "discoveredAt", "at",
	"milliseconds", "warehouseMilliseconds", "activeSeconds", "attempt", "spent", "total"}

// withoutTimes returns v without the fields that are passing. The ids of insights and steps, which
// a run gives itself, stay.
func withoutTimes(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, one := range v {
			if text, ok := one.(string); k == "id" && ok && len(text) != 36 || !slices.Contains(passing, k) {
				out[k] = withoutTimes(one)
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = withoutTimes(v[i])
		}
		return out
	}
	return v
}

// digestOf returns the SHA-256 of a result.
func digestOf(t *testing.T, result map[string]any) string {
	t.Helper()
	body, err := json.Marshal(result)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", sha256.Sum256(body))
}

// killable is a server that is killed and started again over one database.
type killable struct {
	*program
	args []string
	db   *pgx.Conn
}

// newKillable starts one.
func newKillable(t *testing.T, args ...string) *killable {
	t.Helper()
	address := postgrestest.URL(t)
	db, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close(context.Background()) })
	k := &killable{args: append(args, "--database-url", address), db: db}
	k.program = spawn(t, k.args...)
	return k
}

// restart kills the server and starts it again. The dead one's term as leader of the queue, which
// would last some fifteen seconds more, ends with it.
func (k *killable) restart() {
	k.t.Helper()
	k.kill()
	k.ended()
	if _, err := k.db.Exec(k.t.Context(), "DELETE FROM "+migrations.RiverSchema+".river_leader"); err != nil {
		k.t.Fatal(err)
	}
	k.program = spawn(k.t, k.args...)
}

// cost is what a run has spent in all, as the API shows it.
type cost struct{ Statements, Rows, Calls, In, Out int }

// costOf returns what a run has spent.
func (k *killable) costOf(id string) cost {
	return fetch[struct{ Total cost }](k.program, "/api/v1/runs/"+id).Total
}

// checkSpent makes sure that a killed run says what it has spent: no less than an undisturbed one, for everything that
// it came to was asked for by somebody, and no more than the audit has, which is written before an answer is used. What
// a dead worker had asked for is asked for again, and both times count, for both were sent.
func (k *killable) checkSpent(id string, calm cost) {
	k.t.Helper()
	got := k.costOf(id)
	var sent, rows int
	if err := k.db.QueryRow(k.t.Context(), "SELECT count(*), coalesce(sum(rows_read), 0)::bigint FROM warehouse_statements WHERE run_id = $1 AND verdict <> 'refused'", id).Scan(&sent, &rows); err != nil {
		k.t.Fatal(err)
	}
	k.t.Logf("spent %+v of %d statements and %d rows that were sent; undisturbed %+v", got, sent, rows, calm)
	if got.Statements < calm.Statements || got.Statements > sent || got.Rows < calm.Rows || got.Rows > rows {
		k.t.Errorf("it says that it spent %+v; %d statements with %d rows were sent, and undisturbed it spends %+v", got, sent, rows, calm)
	}
	if got.Calls < calm.Calls || got.In < calm.In || got.Out < calm.Out {
		k.t.Errorf("it says that it spent %+v; undisturbed it spends %+v", got, calm)
	}
}

// TestKilledRunsComeToTheSame kills the program at random moments of runs that a model explores,
// in every phase. Each run comes to what it came to undisturbed: its steps, its findings with
// their words and checks, its recommendations and its summary.
func TestKilledRunsComeToTheSame(t *testing.T) {
	t.Parallel()

	kills := prerequisite.Scale(4, 100)
	model := newClerk(t)
	k := newKillable(t, "--model", "clerk", "--model-url", model.URL(), "--research-lease", "1s")
	type made struct{ ID string }
	w := post[made](k.program, "/api/v1/warehouses", map[string]any{"name": "Files", "kind": "duckdb", "options": map[string]string{"path": folderOfFiles(t)}})
	begin := func(name string) string {
		project := post[made](k.program, "/api/v1/projects", map[string]any{"name": name, "warehouseId": w.ID})
		return post[made](k.program, "/api/v1/projects/"+project.ID+"/runs", map[string]any{"maxSteps": 20, "minSteps": 12}).ID
	}
	k.follow(begin("First"), func(r phased) bool { return r.Status.Over() }) // reads the tables, which later runs find read
	calm := begin("Calm")
	took := k.clocked(calm)
	want, spent := k.result(calm), k.costOf(calm)
	checkCalm(t, want)
	k.checkSpent(calm, spent)
	t.Logf("undisturbed: %s in %v", digestOf(t, want), took)

	seed := uint64(time.Now().UnixNano())
	random := rand.New(rand.NewPCG(seed, 0))
	t.Logf("seed %d", seed)
	struck := map[runs.Phase]int{}
	asked := len(model.Requests())
	perRun := 0
	for done, run := 0, 0; done < kills; run++ {
		id := begin(fmt.Sprintf("Run %d", run))
		for _, m := range moments(random, took, 1+random.IntN(4)) {
			k.follow(id, func(r phased) bool { return r.reached(m.phase) })
			time.Sleep(m.after) // a moment that no event marks
			at := fetch[phased](k.program, "/api/v1/runs/"+id)
			if at.Status.Over() || done == kills {
				break
			}
			k.restart()
			struck[at.Phase]++
			done++
		}
		k.follow(id, func(r phased) bool { return r.Status.Over() })
		got := k.result(id)
		if digestOf(t, got) != digestOf(t, want) {
			t.Errorf("run %d (-undisturbed +killed):\n%s", run, cmp.Diff(want, got))
		}
		k.checkSpent(id, spent)
		perRun = run + 1
	}
	t.Logf("%d kills in %d runs, by phase: %v; %d requests of the model", kills, perRun, struck, len(model.Requests())-asked)
}

// checkCalm makes sure that the undisturbed run has something of everything.
func checkCalm(t *testing.T, result map[string]any) {
	t.Helper()
	body, err := json.Marshal(result)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"status":"completed"`, "Look into it.", `"stepType":"lookup_schema"`, `"confirmed"`, `"effort":`, "SELECT status AS state"} {
		if !strings.Contains(string(body), want) {
			t.Errorf("the undisturbed run has no %s: %.3000s", want, body)
		}
	}
}

// moments chooses n random moments of a run, in order: each phase is as likely as another, and
// within it each moment.
func moments(random *rand.Rand, took map[runs.Phase]time.Duration, n int) []moment {
	var out []moment
	for range n {
		p := phasesInOrder[random.IntN(len(phasesInOrder))]
		out = append(out, moment{p, time.Duration(random.Int64N(int64(took[p] + 5*time.Millisecond)))})
	}
	slices.SortFunc(out, func(a, b moment) int {
		return slices.Index(phasesInOrder, a.phase) - slices.Index(phasesInOrder, b.phase)
	})
	return out
}
