package runs

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/embedding"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/insight"
	"quaestor/research/warehouse/prices"
)

// Options configures a runner.
type Options struct {
	Pool *pgxpool.Pool
	Hub  *Hub
	Log  *slog.Logger

	// Open opens a tenant's warehouse as a run sees it. The runner closes it.
	Open func(ctx context.Context, tenant, warehouse, run string) (warehouse.Gateway, error)
	// Schema returns what is known of a warehouse. If nothing is, it requests an
	// inspection, and the run waits. It also returns what has changed since. Nil means
	// that Open does not need the schema.
	Schema func(ctx context.Context, tenant, warehouse string) (Readiness, error)
	// Instructions returns what a run is about and the pack used, as slug@version. It is
	// called once, when the schema is known and Run.Previous is set.
	Instructions func(ctx context.Context, r Run) (b warehouse.Instructions, pack string, err error)
	// Analyst returns the analyst for a run.
	Analyst func(ctx context.Context, r Run) (warehouse.Analyst, error)
	// Definitions returns what an organisation means by the figures of a warehouse, which its findings
	// are measured by. Nil means that nothing is defined.
	Definitions func(ctx context.Context, tenant, warehouse string) ([]insight.Definition, error)
	// Repair runs a query and repairs it if necessary; with an error it returns the
	// failed attempts. If nil, a query is run once.
	Repair Repair
	// Prices returns what a tenant pays. It is called when a worker takes a run. If nil, no
	// price is known.
	Prices func(ctx context.Context, tenant string) (prices.List, error)
	// Encoder makes the vectors of steps; if nil, they have none.
	Encoder embedding.Encoder

	Lease time.Duration // how long a worker may be silent before another takes its run; zero means 20 s
	Beat  time.Duration // how often a worker shows that it is alive; zero means 5 s, or a quarter of Lease if that is less
	Wait  time.Duration // how often a run that waits for the schema checks for it; zero means 3 s
	Rest  time.Duration // pause after a step in which the analyst failed; zero means 5 s
}

// Repair runs a query of a tenant through a gateway, and repairs it if necessary.
type Repair func(ctx context.Context, tenant string, src warehouse.Gateway, q warehouse.Query) (warehouse.Answer, []warehouse.Fix, error)

// Readiness is what is known of a warehouse.
type Readiness struct {
	Ready bool
	Note  string // a sentence about what is known or awaited; may be empty
}

// The defaults of [Options].
const (
	defaultLease = 20 * time.Second
	defaultBeat  = 5 * time.Second
	defaultWait  = 3 * time.Second
	defaultRest  = 5 * time.Second
)

// Runner works runs. It is safe for concurrent use.
type Runner struct{ Options }

// NewRunner returns a runner, with defaults for options left zero.
func NewRunner(o Options) *Runner {
	o.Lease = cmp.Or(o.Lease, defaultLease)
	o.Beat = cmp.Or(o.Beat, min(defaultBeat, o.Lease/4))
	o.Wait = cmp.Or(o.Wait, defaultWait)
	o.Rest = cmp.Or(o.Rest, defaultRest)
	if o.Repair == nil {
		o.Repair = func(ctx context.Context, _ string, src warehouse.Gateway, q warehouse.Query) (warehouse.Answer, []warehouse.Fix, error) {
			a, err := src.Ask(ctx, q)
			return a, nil, err
		}
	}
	return &Runner{o}
}

// pricesOf returns what a tenant pays.
func (r *Runner) pricesOf(ctx context.Context, tenant string) (prices.List, error) {
	if r.Prices == nil {
		return prices.List{}, nil
	}
	return r.Prices(ctx, tenant)
}

// errPaused makes a worker stop at a run that somebody has paused.
var errPaused = errors.New("the run is paused")

// notReadyError is why a run cannot continue yet.
type notReadyError struct{ why string }

// Error returns what the run waits for, as its page shows it.
func (w *notReadyError) Error() string { return w.why }

// work is a run while one goroutine works on it.
type work struct {
	*Runner
	run     Run
	since   time.Time     // end of the time already counted
	request string        // the stored request to pause, as of the last write; empty for none
	look    chan struct{} // holds one token when the run's row may have changed

	analyst   warehouse.Analyst
	gateway   warehouse.Gateway // nil before exploration
	meter     *meter            // of the gateway; nil before exploration
	prices    prices.List
	spentUp   atomic.Bool      // a limit of the budget is reached
	refused   atomic.Int64     // statements that were not sent because of that
	steps     []warehouse.Step // the finished ones, in order
	asked     *warehouse.Step  // the step whose reply is stored but not its result; nil for none
	unindexed int              // consecutive failures of the encoder
}

// poke makes the worker check its run for a request now. It never blocks.
func (w *work) poke() {
	select {
	case w.look <- struct{}{}:
	default:
	}
}

// through works a run that was just acquired until its end. lease.ErrLost and
// errPaused mean that there is nothing more to do here.
func (r *Runner) through(ctx context.Context, run Run) error {
	list, err := r.pricesOf(ctx, run.Tenant)
	if err != nil {
		return err
	}
	w := &work{Runner: r, run: run, since: time.Now(), look: make(chan struct{}, 1), prices: list}
	w.spentUp.Store(budgetReason(run.Budget, &run, 0) != "")
	if run.Pausing {
		w.request = pauseRequest
	}
	defer r.Hub.enter(w)()
	return w.lease().Hold(ctx, func(ctx context.Context) error {
		defer func() {
			if w.gateway == nil {
				return
			}
			if err := w.gateway.Close(); err != nil {
				w.Log.WarnContext(ctx, "close the warehouse of a run", "tenant", run.Tenant, "run", run.ID, "err", err)
			}
		}()
		return w.phases(ctx)
	})
}
