//go:build duckdb

package main

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quaestor/internal/prerequisite"
)

// explored is a step as the API shows it, without how long it took.
type explored struct {
	N       int
	State   string
	Type    string `json:"stepType"`
	Purpose string
	Query   string
	SQL     string
	Rows    int
	Answer  string
	Error   string
	Digest  json.RawMessage
}

// statement is an entry of the audit as the API shows it.
type statement struct {
	RunID   string
	Step    int
	Verdict string
}

// beginExploring connects a folder of files over the API and starts a run.
func (p *program) beginExploring(dir string, steps int) (warehouse string, run runShown) {
	p.t.Helper()
	type made struct{ ID string }
	w := post[made](p, "/api/v1/warehouses", map[string]any{"name": "Files", "kind": "duckdb", "options": map[string]string{"path": dir}})
	project := post[made](p, "/api/v1/projects", map[string]any{"name": "Files", "warehouseId": w.ID})
	return w.ID, post[runShown](p, "/api/v1/projects/"+project.ID+"/runs", map[string]any{"maxSteps": steps})
}

// stepsOf are the steps of a run.
func (p *program) stepsOf(id string) []explored {
	p.t.Helper()
	return fetch[struct{ Items []explored }](p, "/api/v1/runs/"+id+"/steps?limit=200").Items
}

// TestKilledRunLosesNothing kills the program again and again while it explores. The
// run ends as one that was never disturbed, and asks hardly anything twice.
func TestKilledRunLosesNothing(t *testing.T) {
	t.Parallel()

	steps, kills := prerequisite.Scale(20, 40), prerequisite.Scale(2, 6)
	files := folderOfFiles(t)
	calm := spawn(t, "--data-dir", t.TempDir())
	_, run := calm.beginExploring(files, steps)
	if r := calm.exploring(run.ID, never); r.Status != "completed" || r.Counters.FailedQueries > 0 {
		t.Fatalf("undisturbed: %+v", r)
	}
	want := calm.stepsOf(run.ID)
	if len(want) < steps-5 {
		t.Errorf("undisturbed it takes %d steps", len(want))
	}
	calm.stop()
	calm.ended()

	dir := t.TempDir()
	args := []string{"--data-dir", dir, "--research-lease", "4s"}
	p := spawn(t, args...)
	warehouse, run := p.beginExploring(files, steps)
	for n := range kills {
		at := (n + 1) * len(want) / (kills + 1)
		p.exploring(run.ID, func(r runShown) bool { return r.Counters.Steps >= at })
		p.kill()
		p.ended()
		p = spawn(t, args...)
	}
	r := p.exploring(run.ID, never)
	got := p.stepsOf(run.ID)

	if r.Status != "completed" || r.Error != "" || r.Attempt < 2 || r.Counters.Steps != len(got) {
		t.Errorf("%+v with %d steps", r, len(got))
	}
	t.Logf("%d attempts, %d steps", r.Attempt, len(got))
	if diff := cmp.Diff(plainSteps(want), plainSteps(got)); diff != "" {
		t.Errorf("steps (-undisturbed +killed):\n%s", diff)
	}
	checkAsked(t, p, warehouse, got, kills)
}

// plainSteps marks steps that are not numbered from 1 without gaps.
func plainSteps(list []explored) []explored {
	for i := range list {
		if list[i].N != i+1 {
			list[i].Error = "is not in its place"
		}
	}
	return list
}

// checkAsked holds the audit against the steps: a statement ran once for each step,
// and once more at most for each kill.
func checkAsked(t *testing.T, p *program, warehouse string, steps []explored, kills int) {
	t.Helper()
	passed := map[int]int{}
	all := 0
	for _, s := range fetch[struct{ Items []statement }](p, "/api/v1/warehouses/"+warehouse+"/statements?limit=200").Items {
		if s.Verdict == "passed" && s.Step > 0 {
			passed[s.Step]++
			all++
		}
	}
	queries := 0
	for _, s := range steps {
		if s.Type != "query" {
			continue
		}
		queries++
		if passed[s.N] < 1 || passed[s.N] > 2 {
			t.Errorf("the statement of step %d ran %d times", s.N, passed[s.N])
		}
	}
	if all > queries+kills {
		t.Errorf("%d statements ran for %d queries and %d kills", all, queries, kills)
	}
	t.Logf("%d statements for %d queries", all, queries)
}
