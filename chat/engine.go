package chat

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
	"quaestor/sessions/settings"
)

// Options say what an engine works with. All but those with a default are
// needed.
type Options struct {
	Pool     *pgxpool.Pool
	Hub      *sessions.Hub
	Library  *objectives.Library
	Queue    *research.Queue
	Rules    Interviewer // answers when there is no model, or the model fails
	Model    Interviewer // nil means none is configured
	Instance string      // id of this server, a UUID
	Log      *slog.Logger
	Tenants  func(context.Context) ([]string, error) // whose turns to take over from servers that died

	HeadStart time.Duration // how long the reply waits for the understanding; zero means 1.5 s (0.6 s in voice)
	TurnLimit time.Duration // longest a turn may run; zero means 90 s
	Heartbeat time.Duration // how often this server says that it lives and looks whether others do; zero means 1 s
	Observe   func(TurnReport)
	Prices    Prices          // of the model; zero means that money budgets are never used up
	Defaults  settings.Values // what holds where an organisation has set nothing; zero bounds nothing

	Researchable func() bool // whether anything is connected that something could be looked up in; nil means that there is
}

// TurnReport tells what one turn took, for metrics.
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
	suspects []string    // instances whose lock was free at the last look; of the loop that takes over

	mu      sync.Mutex
	running map[place]*run // turns worked here; guarded by mu
	begins  map[string]int // sessions in which turns begin here, and how many; guarded by mu
	closing bool           // no turn begins any more; guarded by mu
	starts  sync.WaitGroup // of begins; grows with mu held, and not once closing
	wg      sync.WaitGroup
	halt    context.CancelCauseFunc // ends watch and, late in Drain, the turns
	life    context.Context         //nolint:containedctx // the engine's own life, which no call brings along
}

// place names a turn.
type place struct {
	session string
	turn    int
}

const (
	defaultHeadStart = 1500 * time.Millisecond
	voiceHeadStart   = 600 * time.Millisecond
	filesHeadStart   = 12 * time.Second
	defaultTurnLimit = 90 * time.Second
	defaultHeartbeat = time.Second
	missedHeartbeats = 12 // after which a server counts as dead whose lock still holds
)

// New returns an engine that works turns until [Engine.Drain], those of servers
// that died among them.
func New(o Options) (*Engine, error) {
	if o.Pool == nil || o.Hub == nil || o.Library == nil || o.Queue == nil || o.Rules == nil || o.Log == nil || o.Instance == "" {
		return nil, errors.New("chat: an engine needs pool, hub, library, queue, rules, log and instance")
	}
	if o.TurnLimit == 0 {
		o.TurnLimit = defaultTurnLimit
	}
	if o.Heartbeat == 0 {
		o.Heartbeat = defaultHeartbeat
	}
	if o.Observe == nil {
		o.Observe = func(TurnReport) {}
	}
	e := &Engine{Options: o, running: map[place]*run{}, begins: map[string]int{}}
	e.life, e.halt = context.WithCancelCause(context.Background())
	o.Hub.OnStop(func(session string, turn int) { e.stopHere(session, turn) })
	if err := e.beat(); err != nil {
		return nil, err
	}
	e.wg.Go(e.watch)
	return e, nil
}

// Interviewer returns the name of who answers: the model's when one is
// configured.
func (e *Engine) Interviewer() string {
	if e.Model != nil {
		return e.Model.Name()
	}
	return e.Rules.Name()
}

var (
	errStopped  = errors.New("the person stopped the turn")
	errDraining = errors.New("the server is shutting down")
	errTooLong  = errors.New("the turn took too long")
)

// Drain lets no turn begin, waits for those that run until ctx ends, and then
// hands over the rest, which other servers take over at their next look.
func (e *Engine) Drain(ctx context.Context) {
	e.mu.Lock()
	e.closing = true
	e.mu.Unlock()
	idle := make(chan struct{})
	go func() { e.starts.Wait(); e.idle(); close(idle) }()
	word := sessions.Gone
	select {
	case <-idle:
	case <-ctx.Done():
		word = sessions.Left
	}
	e.halt(errDraining)
	e.wg.Wait()
	<-idle
	e.signOff(ctx, word)
}

// signOff gives this server's last word, whatever became of ctx.
func (e *Engine) signOff(ctx context.Context, word func(context.Context, postgres.DB, string) error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	if err := word(ctx, e.Pool, e.Instance); err != nil {
		e.Log.WarnContext(ctx, "sign off", "err", err)
	}
}

// idle waits until no turn runs here.
func (e *Engine) idle() {
	for {
		e.mu.Lock()
		var any *run
		for _, r := range e.running {
			any = r
			break
		}
		e.mu.Unlock()
		if any == nil {
			return
		}
		<-any.over
	}
}

// starting counts a turn that is about to begin in a session, unless the engine is
// closing, until started is called: Drain waits for it, and the sweep for orphans
// leaves it alone.
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

// launch works a turn that has begun, whose first events are given.
func (e *Engine) launch(t sessions.Turn, s *Scene, log []sessions.Event) error {
	r := &run{turn: t, scene: s, over: make(chan struct{}), started: time.Now()}
	r.ctx, r.cancel = context.WithCancelCause(e.life)
	e.mu.Lock()
	if e.running[r.place()] != nil {
		e.mu.Unlock()
		r.cancel(nil)
		return errTurnRunning()
	}
	e.running[r.place()] = r
	e.mu.Unlock()
	if t.Stopping {
		r.cancel(errStopped)
	}
	r.deltas = e.Hub.Reply(t, log...)
	e.wg.Go(func() { e.work(r) })
	return nil
}

func (e *Engine) dismiss(r *run) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.running, r.place())
	close(r.over)
}
