package runs

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/embedding"
	"quaestor/research/warehouse"
)

// Options say what a runner works with.
type Options struct {
	Pool *pgxpool.Pool
	Hub  *Hub
	Log  *slog.Logger

	// Open returns a tenant's warehouse as a run sees it. The runner closes it.
	Open func(ctx context.Context, tenant, warehouse, run string) (warehouse.Source, error)
	// Schema says what is known of a warehouse; when that is nothing it has it looked
	// into, and the run waits. It also says what changed there meanwhile. Nil means
	// that Open needs nothing of the kind.
	Schema func(ctx context.Context, tenant, warehouse string) (Snapshot, error)
	// Brief says what a run is about, and by which pack, slug@version. It is asked
	// once, when the schema is known, and Run.Previous is set.
	Brief func(ctx context.Context, r Run) (b warehouse.Brief, pack string, err error)
	// Analyst returns who explores for a tenant.
	Analyst func(ctx context.Context, tenant string) (warehouse.Analyst, error)
	// Repair runs a query and repairs it if need be; what it returns with an error are the
	// attempts that failed. Nil asks the source once.
	Mend Repair
	// Price returns what calls cost, by the name of the analyst, of who fixed or of the
	// encoder, of which the calls only are known; known is false when nobody knows what
	// they cost. Nil knows no price.
	Price func(by string, s warehouse.TokenUsage) (usd float64, known bool)
	// Encoder makes the vectors of steps; nil leaves them without.
	Encoder embedding.Encoder

	Lease time.Duration // how long a worker may be silent before another takes its run; zero means 20 s
	Beat  time.Duration // how often a worker shows that it is alive; zero means 5 s
	Wait  time.Duration // how often a run that waits for the schema looks; zero means 3 s
	Rest  time.Duration // after a step in which the analyst failed; zero means 5 s
}

// Repair runs a query of a source, and repairs it if need be.
type Repair func(ctx context.Context, src warehouse.Source, q warehouse.Query) (warehouse.Answer, []warehouse.Fix, error)

// Snapshot is what is known of a warehouse.
type Snapshot struct {
	Ready bool
	Note  string // what is known or what it waits for, in a sentence; may be empty
}

// What the zero values of [Options] mean.
const (
	defaultLease = 20 * time.Second
	defaultBeat  = 5 * time.Second
	defaultWait  = 3 * time.Second
	defaultRest  = 5 * time.Second
)

// Runner works runs. It is safe for concurrent use.
type Runner struct{ Options }

// NewRunner returns a runner.
func NewRunner(o Options) *Runner {
	o.Lease = cmp.Or(o.Lease, defaultLease)
	o.Beat = cmp.Or(o.Beat, defaultBeat)
	o.Wait = cmp.Or(o.Wait, defaultWait)
	o.Rest = cmp.Or(o.Rest, defaultRest)
	if o.Mend == nil {
		o.Mend = func(ctx context.Context, src warehouse.Source, q warehouse.Query) (warehouse.Answer, []warehouse.Fix, error) {
			a, err := src.Ask(ctx, q)
			return a, nil, err
		}
	}
	return &Runner{o}
}

// errPaused is why a worker stops working a run that is not at its end.
var errPaused = errors.New("the run is paused")

// notReady is why a run cannot go on yet.
type notReady struct{ why string }

func (w *notReady) Error() string { return w.why }

// work is a run that is being worked, by one goroutine.
type work struct {
	*Runner
	run   Run
	since time.Time     // up to when its time was counted
	wish  string        // what somebody wants of it, as of the last write
	look  chan struct{} // one token: somebody wants something of it

	analyst   warehouse.Analyst
	source    warehouse.Source // nil before exploration
	steps     []warehouse.Step // that are done, in order
	asked     *warehouse.Step  // whose reply is stored, and nothing else; nil for none
	unindexed int              // steps in a row that the encoder failed with
}

// poke has the worker look at its run now.
func (w *work) poke() {
	select {
	case w.look <- struct{}{}:
	default:
	}
}

// through works a run that was just acquired to its end. lease.ErrLost and errPaused mean
// that there is nothing more to do here.
func (r *Runner) through(ctx context.Context, run Run) error {
	w := &work{Runner: r, run: run, since: time.Now(), look: make(chan struct{}, 1)}
	if run.Pausing {
		w.wish = wishPause
	}
	defer r.Hub.enter(w)()
	return w.lease().Hold(ctx, func(ctx context.Context) error {
		defer func() {
			if w.source == nil {
				return
			}
			if err := w.source.Close(); err != nil {
				w.Log.WarnContext(ctx, "close the warehouse of a run", "tenant", run.Tenant, "run", run.ID, "err", err)
			}
		}()
		return w.phases(ctx)
	})
}
