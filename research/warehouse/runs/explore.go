package runs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"quaestor/internal/postgres"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/runs/internal/dbsqlc"
)

// maxCorrections is how often the analyst is asked to correct an unreadable reply. After that the
// step ends with an error, and the next one begins afresh.
const maxCorrections = 3

// explore makes steps until there is a reason to stop. It continues where an earlier attempt
// stopped: finished steps are loaded, and a stored reply is acted on without asking again.
func (w *work) explore(ctx context.Context) error {
	if err := w.open(ctx); err != nil {
		return err
	}
	for {
		reason := w.reason()
		if reason != "" {
			return w.enter(ctx, Analysis, "", func(b *postgres.Batch) error {
				w.run.Stop = reason
				return queries.RunStopped(ctx, b, &dbsqlc.RunStoppedParams{StopReason: postgres.OrNull(string(reason)), TenantID: w.run.Tenant, ID: w.run.ID})
			})
		}
		if err := w.step(ctx); err != nil {
			return fmt.Errorf("step %d: %w", len(w.steps)+1, err)
		}
		if err := w.mayGoOn(ctx); err != nil {
			return err
		}
	}
}

// open loads the steps so far and opens the warehouse.
func (w *work) open(ctx context.Context) error {
	if err := w.call(ctx); err != nil {
		return err
	}
	if err := w.load(ctx); err != nil {
		return err
	}
	if w.analyst.Name() != w.run.Analyst {
		if err := w.commit(ctx, w.named); err != nil {
			return err
		}
	}
	g, err := w.Open(ctx, w.run.Tenant, w.run.Warehouse, w.run.ID)
	if err != nil {
		return err
	}
	w.meter = &meter{Gateway: g}
	w.gateway = w.meter
	return nil
}

// load loads the steps so far, unless they are in memory.
func (w *work) load(ctx context.Context) error {
	if w.steps != nil {
		return nil
	}
	list, err := Steps(ctx, w.Pool, w.run.Tenant, w.run.ID, 0, MaxSteps+1)
	if err != nil {
		return err
	}
	for _, s := range list {
		if s.State == Done {
			w.steps = append(w.steps, s.Step)
		} else {
			w.asked = &s.Step
		}
	}
	return nil
}

// step makes one step, or completes one whose reply is stored.
func (w *work) step(ctx context.Context) error {
	s := w.asked
	if s == nil {
		s = &warehouse.Step{N: len(w.steps) + 1}
		if err := w.ask(ctx, s, nil); err != nil {
			return w.unanswered(ctx, s, err)
		}
	}
	for {
		a, err := warehouse.ParseAction(s.Reply, warehouse.AllActions)
		if err == nil {
			return w.act(ctx, s, a)
		}
		if s.Corrections >= maxCorrections {
			return w.unreadable(ctx, s, err)
		}
		if err := w.ask(ctx, s, err); err != nil {
			return w.unanswered(ctx, s, err)
		}
	}
}

// noReplyError says that the analyst gave no reply.
type noReplyError struct{ err error }

// Error returns the analyst's error.
func (e *noReplyError) Error() string { return e.err.Error() }

// Unwrap returns the analyst's error.
func (e *noReplyError) Unwrap() error { return e.err }

// ask gets the reply for a step and stores it. unread is what was wrong with the previous reply,
// nil for none. The error is an [*noReplyError] if there is no reply. The reply is stored before it
// is acted on, so that a worker that takes over does not pay for it twice.
func (w *work) ask(ctx context.Context, s *warehouse.Step, unread error) error {
	reply, err := w.analyst.Next(ctx, w.situation(s, unread))
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return &noReplyError{err}
	}
	if unread != nil {
		s.Corrections++
	}
	s.Reply, s.At = lastBytes(clean(reply.Text), maxReply), time.Now().UTC().Truncate(time.Microsecond)
	s.Spent = s.Spent.Add(reply.Spent)
	describe(s)
	paid := price(w.prices, Exploring, w.run.Analyst, reply.Spent)
	err = w.commit(ctx, func(b *postgres.Batch) error {
		if err := saveStep(b, w.run.ID, w.run.Attempt, s, Asked); err != nil {
			return err
		}
		return paid.add(b, w.run.ID)
	}, stepEvent(s, Asked))
	if err == nil {
		w.asked, w.run.Spent = s, with(w.run.Spent, paid)
	}
	return err
}

// maxReply bounds a stored reply in bytes; only the end of a longer one is kept.
const maxReply = 64 << 10

// lastBytes returns at most max bytes of the end of s.
func lastBytes(s string, max int) string {
	if len(s) <= max {
		return s
	}
	return clean(s[len(s)-max:])
}

// situation is what the analyst is told when asked for a step. It is complete by itself: an
// analyst keeps no memory of earlier calls.
func (w *work) situation(s *warehouse.Step, unread error) warehouse.Situation {
	at := warehouse.Situation{Instructions: *w.run.Instructions, Catalog: w.gateway.Catalog(), Steps: w.steps, MaxSteps: w.run.MaxSteps, MinSteps: w.run.MinSteps,
		LookupsLeft: max(warehouse.MaxLookups-spentOn(w.steps, warehouse.LookupStep), 0), SearchesLeft: max(warehouse.MaxSearches-spentOn(w.steps, warehouse.SearchStep), 0)}
	switch last := len(w.steps) - 1; {
	case unread != nil:
		at.Correction, at.Rejected = "The last reply holds no action: "+unread.Error()+".", s.Reply
	case last >= 0 && (w.steps[last].Type == warehouse.CompleteRejectedStep || w.steps[last].Repeats > 0):
		at.Correction = w.steps[last].Answer // whose reply the steps contain
	}
	return at
}

// describe sets what a step is about, from its reply.
func describe(s *warehouse.Step) {
	a, err := warehouse.ParseAction(s.Reply, warehouse.AllActions)
	s.Error, s.Class = "", ""
	s.Thinking, s.Purpose, s.Query, s.Search, s.TopK = a.Thinking, a.Purpose, a.Query, a.Search, a.TopK
	switch {
	case err != nil:
		s.Type, s.Error, s.Class = warehouse.ErrorStep, err.Error(), Unreadable
	case a.Kind == warehouse.QueryData:
		s.Type = warehouse.QueryStep
	case a.Kind == warehouse.LookupSchema:
		s.Type = warehouse.LookupStep
	case a.Kind == warehouse.SearchTables:
		s.Type = warehouse.SearchStep
	default:
		s.Type, s.Purpose = warehouse.CompleteStep, a.Summary
	}
}

// unanswered ends a step for which the analyst gave no reply, and waits before the
// next. Any other err is returned unchanged.
func (w *work) unanswered(ctx context.Context, s *warehouse.Step, err error) error {
	var silent *noReplyError
	if !errors.As(err, &silent) {
		return err
	}
	if stop := w.mustStop(silent.err); stop != nil {
		return stop
	}
	s.Type, s.Error, s.Class, s.At = warehouse.ErrorStep, "the analyst gave no reply: "+cut(silent.Error(), maxDetail), ModelFailed, time.Now().UTC().Truncate(time.Microsecond)
	if err := w.done(ctx, s); err != nil || w.reason() != "" {
		return err
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(w.Rest):
		return nil
	}
}

// unreadable ends a step whose replies contained no valid action.
func (w *work) unreadable(ctx context.Context, s *warehouse.Step, err error) error {
	s.Type, s.Error, s.Class = warehouse.ErrorStep, err.Error(), Unreadable
	s.Answer = "No action was found in that. " + err.Error() + "."
	return w.done(ctx, s)
}

// done stores the result of a step. The copy in memory changes only after the commit, so that a
// failed write leaves it as it is stored.
func (w *work) done(ctx context.Context, s *warehouse.Step) error {
	costs := append(w.repairCosts(s), w.statements(Exploring))
	next := w.run.after(s, costs)
	err := w.commit(ctx, func(b *postgres.Batch) error { return w.settle(b, s, &next, costs) }, news(s, &next)...)
	if err != nil {
		return err
	}
	next.Counters.Active = w.run.Counters.Active // updated by the commit
	w.run, w.steps, w.asked = next, append(w.steps, *s), nil
	w.index(ctx, s)
	return nil
}

// settle queues a finished step, and what it adds to the run's counters and spending.
func (w *work) settle(b *postgres.Batch, s *warehouse.Step, next *Run, costs []cost) error {
	if err := saveStep(b, w.run.ID, w.run.Attempt, s, Done); err != nil {
		return err
	}
	for _, c := range costs {
		if err := c.add(b, w.run.ID); err != nil {
			return err
		}
	}
	return w.run.Counters.upTo(next.Counters).add(b, next)
}

// news returns the events that report a finished step.
func news(s *warehouse.Step, r *Run) []Payload {
	out := make([]Payload, 0, len(s.Fixes)+2)
	for _, f := range s.Fixes {
		f.From, f.To, f.Error = cut(f.From, maxTold), cut(f.To, maxTold), cut(f.Error, maxTold)
		out = append(out, FixEvent{s.N, f})
	}
	return append(out, stepEvent(s, Done), countersEvent(r))
}

// countersEvent returns what people are told of what a run did and spent.
func countersEvent(r *Run) CountersEvent {
	t := r.Total()
	return CountersEvent{Counters: r.Counters, Progress: r.Progress, Tokens: r.Tokens(), USD: r.USD(), Asked: t.Asked, Unpriced: t.Unpriced, UnpricedStatements: t.UnpricedStatements}
}
