package chat

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/fault"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
	"quaestor/sessions/settings"
)

// Options configures an engine. Fields without a stated default are required.
type Options struct {
	Pool     *pgxpool.Pool
	Hub      *sessions.Hub
	Library  *objectives.Library
	Queue    *research.Queue
	Rules    Interviewer // answers when there is no model, or the model fails
	Model    Interviewer // of all organisations, where Models is nil; nil means that none is configured
	Instance string      // id of this server, a UUID
	Log      *slog.Logger
	Tenants  func(context.Context) ([]string, error) // whose turns to take over from servers that died

	ModelCalls   int           // of a turn: 1 reads the message and acknowledges it in one call; zero means 2, at the same time
	QuestionWait time.Duration // how long after the message the question waits for the model to read it; zero means 8 s
	TurnLimit    time.Duration // longest a turn may run; zero means 90 s
	Heartbeat    time.Duration // how often this server reports that it is alive and looks for dead ones; zero means 1 s
	Observe      func(TurnReport)
	Prices       Prices          // of the model; zero means that budgets in money are never used up
	Defaults     settings.Values // applies where an organisation has set nothing; zero limits nothing

	Models func(ctx context.Context, tenant string) Models // of an organisation, asked in each turn; nil means Model for all

	Warehouses   *research.Warehouses // answer questions about an organisation's own data; nil means that there are none
	Researchable func() bool          // whether any source for research is connected; nil means yes
}

// TurnReport describes one finished turn, for metrics.
type TurnReport struct {
	Status      string // done, stopped, failed, or lost to another attempt
	Interviewer string
	Degraded    string
	FirstPiece  time.Duration // from start to the first piece of the reply; 0 if there was none
	Total       time.Duration
	Usage       Usage
}

// Engine runs turns. It is safe for concurrent use.
type Engine struct {
	Options

	orphans  atomic.Bool // the table may hold turns of this server that nobody works
	suspects []string    // instances whose lock was free at the last look; only watch uses it

	mu      sync.Mutex
	running map[turnKey]*run // turns worked here; guarded by mu
	begins  map[string]int   // sessions in which turns begin here, and how many; guarded by mu
	closing bool             // no turn begins any more; guarded by mu
	starts  sync.WaitGroup   // counts begins; grows with mu held, and not once closing
	turns   sync.WaitGroup   // counts running; grows only while starts is above zero
	watcher sync.WaitGroup
	halt    context.CancelCauseFunc // ends watch and, late in Drain, the turns
	life    context.Context         //nolint:containedctx // the engine's own life, which no caller provides
}

// turnKey identifies a turn.
type turnKey struct {
	session string
	turn    int
}

// A person who has read the first words of a reply waits some seconds for its question
// without wondering; longer than eight is rare even for models of this machine. The turn limit is
// what a slow model needs to understand and reply once. Twelve silent heartbeats are
// longer than a busy processor or a migrating virtual machine should keep a living server
// from its next one.
const (
	defaultQuestionWait = 8 * time.Second
	defaultTurnLimit    = 90 * time.Second
	defaultHeartbeat    = time.Second
	missedHeartbeats    = 12 // after which a server counts as dead although its lock still holds
)

// New returns an engine that works turns until [Engine.Drain], including those of
// servers that died.
func New(o Options) (*Engine, error) {
	if o.Pool == nil || o.Hub == nil || o.Library == nil || o.Queue == nil || o.Rules == nil || o.Log == nil || o.Instance == "" {
		return nil, errors.New("chat: an engine needs pool, hub, library, queue, rules, log and instance")
	}
	o.TurnLimit, o.Heartbeat, o.QuestionWait = cmp.Or(o.TurnLimit, defaultTurnLimit), cmp.Or(o.Heartbeat, defaultHeartbeat), cmp.Or(o.QuestionWait, defaultQuestionWait)
	if o.Observe == nil {
		o.Observe = func(TurnReport) {}
	}
	e := &Engine{Options: o, running: map[turnKey]*run{}, begins: map[string]int{}}
	e.life, e.halt = context.WithCancelCause(context.Background())
	o.Hub.OnStop(func(session string, turn int) { e.stopHere(session, turn) })
	if err := e.beat(); err != nil {
		return nil, err
	}
	e.watcher.Go(e.watch)
	return e, nil
}

// Interviewer returns the name of the interviewer of organisations that have set no model of
// their own: the server's model if one is configured, else the rules.
func (e *Engine) Interviewer() string {
	if e.Model != nil {
		return e.Model.Name()
	}
	return e.Rules.Name()
}

// Why a turn is cancelled; the cause of its context.
var (
	errStopped  = errors.New("the person stopped the turn")
	errDraining = errors.New("the server is shutting down")
	errTooLong  = errors.New("the turn took too long")
)

// Drain lets no more turns begin, waits for the running ones until ctx ends, and hands
// over the rest, which other servers take over at their next look.
func (e *Engine) Drain(ctx context.Context) {
	e.mu.Lock()
	e.closing = true
	e.mu.Unlock()
	idle := make(chan struct{})
	go func() { e.starts.Wait(); e.turns.Wait(); close(idle) }()
	signOff := sessions.Gone
	select {
	case <-idle:
	case <-ctx.Done():
		signOff = sessions.Left
	}
	e.halt(errDraining)
	e.watcher.Wait()
	<-idle
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second) // others should learn of it even when ctx is over
	defer cancel()
	if err := signOff(ctx, e.Pool, e.Instance); err != nil {
		e.Log.WarnContext(ctx, "sign off", "err", err)
	}
}

// starting registers that a turn is about to begin in a session, until started is
// called: Drain waits for it, and the search for orphans leaves it alone. It fails once
// the engine is closing.
func (e *Engine) starting(session string) (started func(), err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closing {
		return nil, fault.New(fault.Unavailable, "the server is shutting down; try again in a moment").Coded("draining")
	}
	e.begins[session]++
	e.starts.Add(1)
	return func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		if e.begins[session]--; e.begins[session] == 0 {
			delete(e.begins, session)
		}
		e.starts.Done()
	}, nil
}

// launch works a turn that has begun. log holds its first events. It must be called
// between starting and started.
func (e *Engine) launch(t sessions.Turn, s *Scene, log []sessions.Event) error {
	r := &run{turn: t, scene: s, started: time.Now()}
	r.ctx, r.cancel = context.WithCancelCause(e.life)
	e.mu.Lock()
	if e.running[r.key()] != nil {
		e.mu.Unlock()
		r.cancel(nil)
		return errTurnRunning()
	}
	e.running[r.key()] = r
	e.mu.Unlock()
	if t.Stopping {
		r.cancel(errStopped)
	}
	r.deltas = e.Hub.Reply(t, log...)
	e.turns.Go(func() { e.work(r) })
	return nil
}
