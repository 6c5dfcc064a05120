package runs

import (
	"time"

	"quaestor/research/warehouse"
)

// inRow is after how many consecutive steps exploration stops if all of them were
// unreadable, repeated earlier ones, or could not reach the warehouse.
const inRow = 3

// reason returns why exploration stops now, or "" to go on.
func (w *work) reason() StopReason {
	if reason := reasonIn(w.steps, w.run.MaxSteps); reason != "" {
		return reason
	}
	return w.run.Budget.reason(&w.run, time.Since(w.since))
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

// reason returns the limit a run has reached, or "". more is working time not yet
// counted in the run.
func (b Budget) reason(r *Run, more time.Duration) StopReason {
	switch {
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
