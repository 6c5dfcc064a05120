package runs

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/research/warehouse/runs/internal/dbsqlc"
)

// phases are the parts of the work, in the order of [order]. Each stores its result
// and its completion in one transaction; a completed one is skipped.
var phases = []struct {
	phase Phase
	do    func(*work, context.Context) error
}{
	{Initialization, (*work).initialize},
	{Recalling, (*work).recall},
	{Schema, (*work).schema},
	{Exploration, (*work).explore},
	{Analysis, (*work).analyse},
	{Validation, (*work).validate},
	{Recommending, (*work).recommend},
	{Saving, (*work).save},
}

// percent is the progress of a run when it enters a phase. The steps of exploration
// advance it by up to 50.
var percent = map[Phase]int{Initialization: 5, Recalling: 6, Schema: 8, Exploration: 10, Analysis: 65, Validation: 80, Recommending: 90, Saving: 95}

// phases carries out the phases that are not complete.
func (w *work) phases(ctx context.Context) error {
	if err := w.mayGoOn(ctx); err != nil {
		return err
	}
	for _, p := range phases {
		if w.run.done(p.phase) {
			continue
		}
		if err := p.do(w, ctx); err != nil {
			return fmt.Errorf("%s: %w", p.phase, err)
		}
	}
	return nil
}

// enter stores what f queues, which is the result of a phase, and enters the next.
func (w *work) enter(ctx context.Context, next Phase, detail string, f func(*postgres.Batch) error) error {
	e := PhaseEvent{Phase: next, Detail: cut(clean(detail), maxDetail), Progress: max(w.run.Progress, percent[next])}
	err := w.commit(ctx, func(b *postgres.Batch) error {
		if err := f(b); err != nil {
			return err
		}
		return queries.RunEnter(ctx, b, &dbsqlc.RunEnterParams{Phase: string(next), Progress: int32(e.Progress), PhaseDetail: e.Detail, TenantID: w.run.Tenant, ID: w.run.ID})
	}, e)
	if err != nil {
		return err
	}
	w.run.Phase, w.run.Detail, w.run.Progress = next, e.Detail, e.Progress
	return w.mayGoOn(ctx)
}

// mayGoOn pauses the run if that was requested.
func (w *work) mayGoOn(ctx context.Context) error {
	if w.request != pauseRequest {
		return nil
	}
	if err := w.move(ctx, Paused, w.run.Detail, StatusEvent{as: EventPaused}, nil); err != nil {
		return err
	}
	return errPaused
}

// initialize determines the analyst.
func (w *work) initialize(ctx context.Context) error {
	if err := w.call(ctx); err != nil {
		return err
	}
	return w.enter(ctx, Recalling, "", w.named)
}

// call obtains the analyst.
func (w *work) call(ctx context.Context) (err error) {
	if w.run.Warehouse == "" {
		return fault.New(fault.NotFound, "the warehouse of this run is not connected any more").Coded(goneCode)
	}
	if w.analyst == nil {
		w.analyst, err = w.Analyst(ctx, w.run)
	}
	return err
}

// named queues the name of the analyst.
func (w *work) named(b *postgres.Batch) error {
	w.run.Analyst = clean(w.analyst.Name())
	return queries.RunNamed(context.Background(), b, &dbsqlc.RunNamedParams{Analyst: w.run.Analyst, TenantID: w.run.Tenant, ID: w.run.ID})
}

// maxPrevious is how many earlier runs a run is told about.
const maxPrevious = 5

// recall loads the outcome of earlier runs.
func (w *work) recall(ctx context.Context) error {
	list, err := postgres.List(ctx, w.Pool, w.run.Tenant, queries.RunsBefore, &dbsqlc.RunsBeforeParams{TenantID: w.run.Tenant, ProjectID: w.run.Project, ID: w.run.ID, WarehouseID: orNone(w.run.Warehouse), Most: int32(maxPrevious)}, func(r *dbsqlc.RunsBeforeRow) (Previous, error) {
		return Previous{r.ID, orZero(r.CompletedAt), Outcome(r.RunType), StopReason(r.StopReason), r.Summary, int(r.Steps), r.Asked, r.Found, r.Recommended}, nil
	})
	if err != nil {
		return err
	}
	body, err := json.Marshal(list)
	if err != nil {
		return err
	}
	err = w.enter(ctx, Schema, "", func(b *postgres.Batch) error {
		return queries.RunRecalled(ctx, b, &dbsqlc.RunRecalledParams{Previous: body, TenantID: w.run.Tenant, ID: w.run.ID})
	})
	w.run.Previous = list
	return err
}

// schema waits until the schema of the warehouse is known, and then determines what
// the run is about.
func (w *work) schema(ctx context.Context) error {
	known := Readiness{Ready: true}
	if w.Schema != nil {
		var err error
		if known, err = w.Schema(ctx, w.run.Tenant, w.run.Warehouse); err != nil {
			return err
		}
	}
	if !known.Ready {
		return &notReadyError{known.Note}
	}
	brief, pack, err := w.Instructions(ctx, w.run)
	if err != nil {
		return fmt.Errorf("brief: %w", err)
	}
	body, err := json.Marshal(brief)
	if err != nil {
		return fmt.Errorf("encode the brief: %w", err)
	}
	hash := sha256.Sum256([]byte(brief.System))
	err = w.enter(ctx, Exploration, known.Note, func(b *postgres.Batch) error {
		return queries.RunBriefed(ctx, b, &dbsqlc.RunBriefedParams{Brief: body, Pack: clean(pack), PromptHash: hash[:], TenantID: w.run.Tenant, ID: w.run.ID})
	})
	if err != nil {
		return err
	}
	return json.Unmarshal(body, &w.run.Instructions) // exactly what another worker would read
}
