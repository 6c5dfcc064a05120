package runs

import (
	"context"
	"time"

	"quaestor/internal/postgres"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/runs/internal/dbsqlc"
)

// inRow is after how many consecutive steps exploration stops if all of them were
// unreadable, repeated earlier ones, or could not reach the warehouse.
const inRow = 3

// reason returns why exploration stops now, or "" to go on.
func (w *work) reason() StopReason {
	if reason := reasonIn(w.steps, w.run.MaxSteps); reason != "" {
		return reason
	}
	return budgetReason(share(w.run.Budget), &w.run, time.Since(w.since))
}

// share returns the part of a budget that exploration may use: four fifths. Without the rest
// nothing could be made of what it found.
func share(b Budget) Budget {
	return Budget{USD: b.USD * 4 / 5, Tokens: b.Tokens - b.Tokens/5, Bytes: b.Bytes - b.Bytes/5, Time: b.Time - b.Time/5}
}

// exhaustedAfter takes over what the run has spent, and records why it stops if its budget is used up
// by that. It is called between pieces of work, by the one goroutine that stores what came of them.
func (w *work) exhaustedAfter(b *postgres.Batch, spent map[Purpose]PurposeCost) error {
	w.run.Spent = spent
	reason := budgetReason(w.run.Budget, &w.run, time.Since(w.since))
	if reason == "" || w.spentUp.Swap(true) {
		return nil
	}
	w.run.Stop = reason
	return queries.RunStopped(context.Background(), b, &dbsqlc.RunStoppedParams{StopReason: postgres.OrNull(string(reason)), TenantID: w.run.Tenant, ID: w.run.ID})
}

// reasonIn returns a reason that lies in the steps.
func reasonIn(steps []warehouse.Step, most int) StopReason {
	switch n := len(steps); {
	case n == 0:
		return ""
	case steps[n-1].Type == warehouse.CompleteStep:
		return StopComplete
	case last(steps, func(s *warehouse.Step) bool { return s.Class == ModelFailed }):
		return StopModel
	case last(steps, func(s *warehouse.Step) bool { return s.Type == warehouse.ErrorStep }):
		return StopUnparseable
	case last(steps, func(s *warehouse.Step) bool { return s.Type == warehouse.QueryStep && s.Class == warehouse.Unreachable }):
		return StopWarehouse
	case last(steps, func(s *warehouse.Step) bool { return s.Repeats > 0 }):
		return StopRepeating
	case n >= most:
		return StopMaxSteps
	}
	return ""
}

// last reports whether the last inRow steps all satisfy is.
func last(steps []warehouse.Step, is func(*warehouse.Step) bool) bool {
	if len(steps) < inRow {
		return false
	}
	for i := range inRow {
		if !is(&steps[len(steps)-1-i]) {
			return false
		}
	}
	return true
}

// budgetReason returns the limit that a run has reached, or "". more is working time not yet
// counted in the run.
func budgetReason(b Budget, r *Run, more time.Duration) StopReason {
	switch {
	case b.Bytes > 0 && r.Total().Asked.Scanned >= b.Bytes:
		return StopBytes
	case b.USD > 0 && r.USD() >= b.USD:
		return StopMoney
	case b.Tokens > 0 && r.Tokens() >= b.Tokens:
		return StopTokens
	case b.Time > 0 && r.Counters.Active+more >= b.Time:
		return StopTime
	}
	return ""
}

// spentOn counts the steps of a type that count against its budget: those that were
// answered and did not repeat another.
func spentOn(steps []warehouse.Step, t warehouse.StepType) int {
	n := 0
	for i := range steps {
		if s := &steps[i]; s.Type == t && s.Repeats == 0 && s.Error == "" {
			n++
		}
	}
	return n
}
