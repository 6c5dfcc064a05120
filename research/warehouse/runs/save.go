package runs

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"quaestor/internal/language"
	"quaestor/internal/postgres"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/insight"
	"quaestor/research/warehouse/runs/internal/dbsqlc"
)

// save summarises the run and completes it.
func (w *work) save(ctx context.Context) error {
	if err := w.indexMissing(ctx); err != nil {
		return err
	}
	if err := w.load(ctx); err != nil {
		return err
	}
	found, err := w.ledger(ctx)
	if err != nil {
		return err
	}
	measured, err := w.measure(ctx)
	if err != nil {
		return err
	}
	summary := w.run.summary(w.steps, w.computed(ctx))
	if said := found.summary(); said != "" { // in place of the analyst's words, whose figures nobody has checked
		summary = w.run.extent(w.steps) + "\n\n" + said
	}
	known, err := scans(ctx, w.Pool, w.run.Tenant, w.run.ID)
	if err != nil {
		return err
	}
	unsearched := unsearchedOf(known)
	summary += sampled(known)
	for _, s := range UnsearchedWords(unsearched) {
		summary += " " + asText.Replace(s)
	}
	outcome := worst(w.run.outcome(), found.areas, found.insights)
	if outcome == FullOutcome && (Lacks(unsearched) || unchecked(found.insights)) {
		outcome = PartialOutcome
	}
	m := StatusEvent{as: EventFinished, Outcome: outcome, Stop: w.run.Stop, Summary: cut(summary, maxTold)}
	err = w.move(ctx, Completed, "", m, func(b *postgres.Batch) error {
		if err := found.save(ctx, b, &w.run); err != nil {
			return err
		}
		for i := range measured {
			if err := measured[i].save(ctx, b); err != nil {
				return err
			}
		}
		return queries.RunConcluded(ctx, b, &dbsqlc.RunConcludedParams{Summary: summary, RunType: postgres.OrNull(string(outcome)), TenantID: w.run.Tenant, ID: w.run.ID})
	}, found.told()...)
	if err != nil {
		return err
	}
	if err := w.searcher().Index(ctx, w.run.Tenant, w.run.Project); err != nil { // the first search makes up for it
		w.Log.WarnContext(ctx, "index the findings of a run", "tenant", w.run.Tenant, "run", w.run.ID, "err", err)
	}
	return nil
}

// unchecked reports whether the check of a finding failed, so that nothing is known of it.
func unchecked(found []Insight) bool {
	return slices.ContainsFunc(found, func(i Insight) bool { return i.Review.Status == insight.Failed })
}

// outcome classifies the run.
func (r *Run) outcome() Outcome {
	switch {
	case r.Counters.Successful == 0:
		return NoOutcome
	case r.Stop == StopComplete || r.Stop == StopMaxSteps || r.Stop == StopRepeating:
		return FullOutcome
	default:
		return PartialOutcome
	}
}

// because phrases the reason why exploration stopped.
var because = map[StopReason]string{
	StopComplete:    "The analyst was done.",
	StopMaxSteps:    "All steps were made.",
	StopRepeating:   "The last steps brought nothing new.",
	StopMoney:       "It has cost as much as it may.",
	StopTokens:      "It has used as many tokens as it may.",
	StopBytes:       "The warehouse has read as much for it as it may.",
	StopTime:        "It has taken as long as it may.",
	StopUnparseable: "The replies of the analyst could not be read any more.",
	StopModel:       "The analyst gave no replies any more.",
	StopWarehouse:   "The warehouse could not be reached any more.",
}

// sampled says which tables were too heavy to be searched in full; empty for none.
func sampled(found map[string]scan) string {
	out := ""
	for _, table := range sortedTables(found) {
		if n := found[table].Sampled; n > 0 {
			out += fmt.Sprintf(" Effects of %s were looked for in one of %d records, as there are too many to read them all for each question; figures are over all.", table, n)
		}
	}
	return out
}

// computed reports whether the analyst's words are computed from results, as those of the built-in
// one are. A model may say what nobody has checked, and what texts in the data told it to say.
func (w *work) computed(ctx context.Context) bool {
	if w.analyst == nil && w.call(ctx) != nil {
		return false
	}
	_, words := w.analyst.(writer)
	return !words
}

// summary says what the run did and why it stopped, and ends with the analyst's own
// words if they are computed, or with the last error.
func (r *Run) summary(steps []warehouse.Step, computed bool) string {
	out := r.extent(steps)
	if len(steps) == 0 {
		return out
	}
	switch last := &steps[len(steps)-1]; {
	case last.Type == warehouse.CompleteStep && !computed:
		return out + "\n\nNothing that was found stood up to a check; what the analyst says of it is in the last step."
	case last.Type == warehouse.CompleteStep && strings.TrimSpace(last.Purpose) != "":
		return out + "\n\n" + clean(last.Purpose)
	case r.Stop == StopUnparseable || r.Stop == StopModel || r.Stop == StopWarehouse:
		return out + " What was wrong last: " + clean(last.Error)
	}
	return out
}

// extent says what the run did and why it stopped.
func (r *Run) extent(steps []warehouse.Step) string {
	tables := map[string]bool{}
	for i := range steps {
		if steps[i].Type != warehouse.QueryStep {
			continue
		}
		for _, t := range steps[i].Tables {
			tables[t] = true
		}
	}
	c := r.Counters
	return fmt.Sprintf("%s, %d of %s answered over %s. %s", language.Count(c.Steps, "step"), c.Successful, language.Count(c.Queries, "query"), language.Count(len(tables), "table"), because[r.Stop])
}
