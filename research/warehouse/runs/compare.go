package runs

import (
	"cmp"
	"context"
	"slices"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/research/warehouse/insight"
)

// Comparison is what became of the findings of one run in another of the same project.
type Comparison struct {
	Before, After Run // the earlier one first
	Findings      []insight.Compared
}

// Compare compares the findings of two completed runs of a project that stood up to their check, in the
// order of the runs. The ids may be empty, for the latest two. It is a Conflict if the project has fewer
// than two completed runs, or a run is not completed, and Unprocessable if the runs are the same.
func Compare(ctx context.Context, db postgres.DB, tenant, project, one, other string) (Comparison, error) {
	list, err := List(ctx, db, tenant, Filter{Project: project, Statuses: []Status{Completed}, Max: 200})
	if err != nil {
		return Comparison{}, err
	}
	after, err := chosen(list, other, one)
	if err != nil {
		return Comparison{}, err
	}
	before, err := chosen(list, one, after.ID)
	if err != nil {
		return Comparison{}, err
	}
	if before.ID == after.ID {
		return Comparison{}, fault.New(fault.Unprocessable, "is the run that it is compared with; choose another").At("after")
	}
	if before.Created.After(after.Created) {
		before, after = after, before
	}
	return compare(ctx, db, before, after)
}

// chosen returns the run called id, or the latest other than another for an empty id.
func chosen(list []Run, id, another string) (Run, error) {
	at := slices.IndexFunc(list, func(r Run) bool { return r.ID == id || id == "" && r.ID != another })
	switch {
	case at >= 0:
		return list[at], nil
	case id == "":
		return Run{}, fault.New(fault.Conflict, "the project has fewer than two completed runs; explore it again, and then compare").Coded("too_few_runs")
	}
	return Run{}, fault.New(fault.NotFound, "the project has no completed run %.60q", id).Coded("run_not_found")
}

// compare compares two runs.
func compare(ctx context.Context, db postgres.DB, before, after Run) (Comparison, error) {
	was, errWas := survivors(ctx, db, before.Tenant, before.ID)
	now, errNow := survivors(ctx, db, after.Tenant, after.ID)
	searched, errScans := scans(ctx, db, after.Tenant, after.ID)
	if err := cmp.Or(errWas, errNow, errScans); err != nil {
		return Comparison{}, err
	}
	return Comparison{before, after, insight.Compare(was, now, func(table string) bool {
		s, ok := searched[table]
		return ok && s.err == ""
	})}, nil
}

// survivors returns the insights of a run that stood up to their check, the most important first.
func survivors(ctx context.Context, db postgres.DB, tenant, run string) ([]insight.Insight, error) {
	list, err := Insights(ctx, db, tenant, Selection{Run: run})
	var out []insight.Insight
	for k := range list {
		if list[k].Survives {
			out = append(out, list[k].Insight)
		}
	}
	return out, err
}
