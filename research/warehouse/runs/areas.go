package runs

import (
	"context"
	"encoding/json"
	"fmt"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/research/warehouse/pick"
	"quaestor/research/warehouse/runs/internal/dbsqlc"
)

// Area is an area that a run analysed.
type Area struct {
	ID       string              `json:"id"`
	Name     string              `json:"name"`
	Status   AreaStatus          `json:"status"`
	Reason   string              `json:"reason,omitempty"` // why it failed, in sentences
	Selected []pick.SelectedStep `json:"selectedSteps"`    // best first
	Dropped  []pick.DroppedStep  `json:"droppedSteps"`     // all others
	Results  int                 `json:"resultsChars"`     // characters of their results that the model was given; 0 without a model
	Memory   int                 `json:"memoryChars"`      // characters of what it was told of earlier runs

	dialog AreaDialog
	text   string // the selected steps, for a prompt
	ranked bool   // the vectors of steps were searched
}

// AreaDialog is what a model was told when it worded the findings of an area, behind the instructions that are the same
// for all, and what it answered, word for word. Both are empty where no model did.
type AreaDialog struct {
	Prompt string `json:"prompt"`
	Reply  string `json:"reply"`
}

// maxDialog is how many bytes of either side are kept.
const maxDialog = 199_000

// Dialog returns the dialog of an area that a run analysed.
func Dialog(ctx context.Context, db postgres.DB, tenant, run, area string) (AreaDialog, error) {
	found, err := postgres.Find(ctx, db, tenant, queries.AreaDialog, &dbsqlc.AreaDialogParams{TenantID: tenant, RunID: run, AreaID: area}, func(r *dbsqlc.AreaDialogRow) (AreaDialog, error) {
		return AreaDialog{r.Prompt, r.Reply}, nil
	})
	return postgres.Found(found, notID(err), fault.New(fault.NotFound, "the run has analysed no area of this id"))
}

// AreaStatus is what came of an area.
type AreaStatus string

// The statuses of areas.
const (
	AreaComplete AreaStatus = "complete"
	AreaFailed   AreaStatus = "failed"
)

// save queues the area.
func (a *Area) save(ctx context.Context, b *postgres.Batch, r *Run, place int) error {
	selected, err := json.Marshal(nonNil(a.Selected))
	if err != nil {
		return fmt.Errorf("encode the steps of area %s: %w", a.ID, err)
	}
	dropped, err := json.Marshal(nonNil(a.Dropped))
	if err != nil {
		return fmt.Errorf("encode the steps of area %s: %w", a.ID, err)
	}
	searches := int32(0)
	if a.ranked {
		searches = 1
	}
	err = queries.RunAnalysed(ctx, b, &dbsqlc.RunAnalysedParams{Searches: searches, Dropped: int32(len(a.Dropped)), TenantID: r.Tenant, ID: r.ID})
	if err != nil {
		return err
	}
	return queries.AreaInsert(ctx, b, &dbsqlc.AreaInsertParams{TenantID: r.Tenant, RunID: r.ID, AreaID: a.ID, Place: int32(place), Name: a.Name, Status: string(a.Status), Reason: a.Reason, Selected: selected, Dropped: dropped, ResultsChars: int32(a.Results), MemoryChars: int32(a.Memory), Prompt: a.dialog.Prompt, Reply: a.dialog.Reply})
}

// nonNil returns an empty list for none.
func nonNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// Areas returns the areas that a run analysed, in order. It is empty before the analysis.
func Areas(ctx context.Context, db postgres.DB, tenant, run string) ([]Area, error) {
	out, err := postgres.List(ctx, db, tenant, queries.AreaList, &dbsqlc.AreaListParams{TenantID: tenant, RunID: run}, func(r *dbsqlc.AreaListRow) (Area, error) {
		a := Area{ID: r.AreaID, Name: r.Name, Status: AreaStatus(r.Status), Reason: r.Reason, Results: int(r.ResultsChars), Memory: int(r.MemoryChars)}
		if err := json.Unmarshal(r.Selected, &a.Selected); err != nil {
			return a, err
		}
		return a, json.Unmarshal(r.Dropped, &a.Dropped)
	})
	if err != nil {
		return nil, fmt.Errorf("read the areas of run %s: %w", run, notID(err))
	}
	return out, nil
}

// scans reads what was found in the tables of a run.
func scans(ctx context.Context, db postgres.DB, tenant, run string) (map[string]scan, error) {
	out := map[string]scan{}
	list, err := postgres.List(ctx, db, tenant, queries.ScanList, &dbsqlc.ScanListParams{TenantID: tenant, RunID: run}, func(r *dbsqlc.ScanListRow) (scan, error) {
		s := scan{err: r.Error}
		return s, json.Unmarshal(r.Findings, &s.Findings)
	})
	if err != nil {
		return nil, fmt.Errorf("read what run %s found: %w", run, notID(err))
	}
	for _, s := range list {
		out[s.Table] = s
	}
	return out, nil
}
