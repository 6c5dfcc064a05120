//go:build duckdb

package main

import (
	"os"
	"testing"
	"time"

	"quaestor/internal/prerequisite"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/runs"
)

// TestSampleIsExplored runs the built-in analyst over the sample data, as a newcomer
// does by one button, through the very parts that the server is made of.
func TestSampleIsExplored(t *testing.T) {
	prerequisite.Need(t, prerequisite.Sample)
	if _, err := os.Stat(sampleFolder()); err != nil {
		t.Fatal(prerequisite.Missing(prerequisite.Sample, err))
	}
	o := newRemoteServer(t, Settings{}, nil)
	project, err := o.explorer.sample(t.Context(), o.tenant, "someone")
	if err != nil {
		t.Fatal(err)
	}
	if again, err := o.explorer.sample(t.Context(), o.tenant, "someone"); err != nil || again != project {
		t.Fatalf("again: %s, %v", again, err)
	}
	run, steps := o.explore(project, 30)
	if run.Status != runs.Completed || run.Counters.Successful < 15 || run.Counters.Failed > 0 || run.Counters.Active > 2*time.Minute {
		t.Errorf("%+v", run)
	}
	for _, st := range steps {
		if st.Type == warehouse.QueryStep && (st.Purpose == "" || st.SQL == "" || len(st.Digest) == 0) {
			t.Errorf("step %d: %+v", st.N, st)
		}
	}
	kept := 0
	list, err := runs.Insights(t.Context(), o.explorer.projects.Pool, o.tenant, runs.Selection{Run: run.ID})
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range list {
		if i.Survives && len(i.Figures) > 0 && i.Affected >= 1 {
			kept++
		}
		if unknown := i.Unknown(i.Headline + i.Text); len(unknown) > 0 {
			t.Errorf("nothing fills %v of %s", unknown, i.Headline)
		}
	}
	if kept < 8 {
		t.Errorf("%d of %d findings stand up to their check", kept, len(list))
	}
	recommended, err := runs.Recommendations(t.Context(), o.explorer.projects.Pool, o.tenant, runs.Selection{Run: run.ID})
	if err != nil || len(recommended) < 3 {
		t.Errorf("%d recommendations, %v", len(recommended), err)
	}
}
