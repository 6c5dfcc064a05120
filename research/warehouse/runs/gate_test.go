package runs_test

import (
	"context"
	"testing"
	"time"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/runs"
)

// In every phase a run can be paused, goes on where it was, and can be cancelled
// at once.
func TestRunIsPausedResumedAndCancelledInEveryPhase(t *testing.T) {
	t.Parallel()

	for _, at := range []string{"analyst", "schema", "brief", "open", "reply", "query", "encode"} {
		t.Run(at, func(t *testing.T) {
			t.Parallel()

			w := newWorld(t)
			w.analyst.says(ask("SELECT 1"), ask("SELECT 2"))
			w.o.Beat = time.Hour // the worker is told, or does not know
			gate := newGate(t)
			gate.install(w, at)
			runner := runs.NewRunner(w.o)

			run := w.order(runs.Order{})
			ended := make(chan error, 1)
			go func() { ended <- runner.Until(t.Context(), w.tenant, run.ID) }()
			gate.reached()
			if r, err := w.commands().Pause(t.Context(), w.tenant, run.ID, "ada"); err != nil || r.Status != runs.Running || !r.Pausing {
				t.Fatalf("Pause = %s, %v", r.Status, err)
			}
			gate.open()
			if err := wait(t, ended, "the pause"); !isPaused(err) && !isLost(err) { // its heart may see the pause before it does
				t.Fatalf("the worker ends with %v", err)
			}
			paused := w.find(run.ID)
			if paused.Status != runs.Paused || paused.Pausing {
				t.Fatalf("the run is %s", paused.Status)
			}
			if r, err := w.commands().Resume(t.Context(), w.tenant, run.ID, "ada"); err != nil || r.Status != runs.Pending {
				t.Fatalf("Resume = %s, %v", r.Status, err)
			}
			if r := w.work(run.ID); r.Status != runs.Completed || types(w.steps(r.ID)) != "query query complete" || w.analyst.calls() != 3 || w.shop.questions() != 2 {
				t.Errorf("after the pause the run is %s with %q; %d replies, %d queries", r.Status, types(w.steps(r.ID)), w.analyst.calls(), w.shop.questions())
			}

			gate.close()
			second := w.order(runs.Order{})
			go func() { ended <- runner.Until(t.Context(), w.tenant, second.ID) }()
			gate.reached()
			if r, err := w.commands().Cancel(t.Context(), w.tenant, second.ID, "ada"); err != nil || r.Status != runs.Cancelled {
				t.Fatalf("Cancel = %s, %v", r.Status, err)
			}
			if err := wait(t, ended, "the end of a run that was cancelled"); !isLost(err) { // the gate never opens
				t.Errorf("the worker ends with %v", err)
			}
			if r := w.find(second.ID); r.Status != runs.Cancelled || r.Ended == nil {
				t.Errorf("the run is %s", r.Status)
			}
		})
	}
}

// gate is where a worker is held.
type gate struct {
	t    *testing.T
	here chan struct{}
	pass chan struct{}
}

func newGate(t *testing.T) *gate {
	return &gate{t: t, here: make(chan struct{}, 100), pass: make(chan struct{})}
}

func (g *gate) stop(ctx context.Context) error {
	select {
	case <-g.pass:
		return nil
	default:
	}
	g.here <- struct{}{}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-g.pass:
		return nil
	}
}

func (g *gate) reached() { wait(g.t, g.here, "the worker at the gate") }
func (g *gate) open()    { close(g.pass) }
func (g *gate) close() {
	g.pass = make(chan struct{})
	for len(g.here) > 0 {
		<-g.here
	}
}

// install holds workers of w at a place.
func (g *gate) install(w *world, at string) {
	o := w.o
	switch at {
	case "analyst":
		w.o.Analyst = func(ctx context.Context, r runs.Run) (warehouse.Analyst, error) {
			if err := g.stop(ctx); err != nil {
				return nil, err
			}
			return o.Analyst(ctx, r)
		}
	case "schema":
		w.o.Schema = func(ctx context.Context, _, _ string) (runs.Readiness, error) {
			return runs.Readiness{Ready: true}, g.stop(ctx)
		}
	case "brief":
		w.o.Instructions = func(ctx context.Context, r runs.Run) (warehouse.Instructions, string, error) {
			if err := g.stop(ctx); err != nil {
				return warehouse.Instructions{}, "", err
			}
			return o.Instructions(ctx, r)
		}
	case "open":
		w.o.Open = func(ctx context.Context, tenant, house, run string) (warehouse.Gateway, error) {
			if err := g.stop(ctx); err != nil {
				return nil, err
			}
			return o.Open(ctx, tenant, house, run)
		}
	case "reply":
		w.analyst.before = func(ctx context.Context, _ warehouse.Situation) { _ = g.stop(ctx) }
	case "query":
		w.shop.before = func(ctx context.Context, _ warehouse.Query) { _ = g.stop(ctx) }
	case "encode":
		w.o.Encoder = &gatedEncoder{g}
	}
}

// gatedEncoder gives no vectors, late.
type gatedEncoder struct{ *gate }

func (e *gatedEncoder) Name() string   { return "gated" }
func (e *gatedEncoder) Dimension() int { return 4 }
func (e *gatedEncoder) Encode(ctx context.Context, texts []string) ([][]float32, error) {
	return make([][]float32, len(texts)), e.stop(ctx)
}
