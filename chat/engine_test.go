package chat_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.uber.org/goleak"

	"quaestor/chat"
	"quaestor/chat/model"
	"quaestor/chat/rules"
	"quaestor/internal/fault"
	"quaestor/internal/listening"
	"quaestor/internal/llm"
	"quaestor/internal/llm/llmtest"
	"quaestor/internal/postgres"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/migrations"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience bounds every wait in these tests.
const patience = 30 * time.Second

// harness is one server's engine and one person's session.
type harness struct {
	t       testing.TB
	pool    *pgxpool.Pool
	hub     *sessions.Hub
	engine  *chat.Engine
	scope   obligations.Scope
	calls   *model.CallLog // nil when none are kept
	reports chan chat.TurnReport
}

// setup varies a harness.
type setup struct {
	model      *llmtest.Server // nil means rules only
	wait       time.Duration   // of the question for the reading; zero means plenty
	modelCalls int             // a turn; zero means two
	atOnce     bool            // replies begin while the message is read, as they do in the product
	turnLimit  time.Duration   // zero means the engine's
	heartbeat  time.Duration   // zero means that nobody is taken for dead
	objective  string          // JSON; empty means small
	sourceless bool            // nothing is connected that something could be looked up in
	calls      bool            // of the model are kept
	unhurried  bool            // the model may take its time
	pool       *pgxpool.Pool   // what the engine works with; nil means the database's own
	log        *slog.Logger    // of the engine; nil discards

	models func(ctx context.Context, tenant string) chat.Models // nil means model for all
}

// small is an objective that shows what there is in few questions.
const small = `{"contextType":"shop","version":"1.0.0","displayName":"Shop","description":"A shop.","greeting":"Hello.",
"obligations":[
 {"key":"business","fieldPath":"shop.business","label":"Business","prompt":"What does your shop sell?","why":"It frames the rest.","widgetType":"text","priority":9,"category":"Shop","cues":["we sell"]},
 {"key":"team_size","fieldPath":"shop.team.size","label":"Team","prompt":"How many people work there?","widgetType":"number","unit":"people","integer":true,"min":1,"max":500,"priority":7,"category":"Facts","dependencies":["business"],"cues":["people"]},
 {"key":"founded","fieldPath":"shop.founded","label":"Opened","prompt":"When did it open?","widgetType":"date","priority":6,"category":"Facts","dependencies":["business"]},
 {"key":"channel","fieldPath":"shop.channel","label":"Channel","prompt":"Where do people buy?","widgetType":"choice","choices":[{"value":"street","label":"In the street","synonyms":["street","in town"]},{"value":"online","label":"Online"}],"priority":6,"category":"Facts","dependencies":["business"]},
 {"key":"market_size","fieldPath":"market.size","label":"Market","prompt":"How large is your market?","widgetType":"text","priority":5,"category":"Market","dependencies":["founded"],"expertiseRequired":"market research","researchType":"market_research"}],
"phases":{"opening":{"goal":"g"},"exploration":{"goal":"g"},"validation":{"goal":"g"},"closing":{"goal":"g"}},
"completion":{"minObligationsSatisfied":3,"minConfidenceScore":0.5,"requiredObligations":["business"]}}`

// newHarness returns a server and a session in a database of its own.
func newHarness(t testing.TB, c setup) *harness {
	t.Helper()
	url := postgrestest.URL(t)
	own := postgrestest.Open(t, url)
	tenant := postgrestest.Tenant(t, own)
	if c.objective == "" {
		c.objective = small
	}
	definition, err := objectives.ParseDefinition([]byte(c.objective))
	if err != nil {
		t.Fatal(err)
	}
	library := objectives.NewLibrary(own)
	objective, err := library.Publish(t.Context(), tenant, obligations.TenantLayer, definition)
	if err != nil {
		t.Fatal(err)
	}
	d := &harness{t: t, pool: own, scope: obligations.Scope{Tenant: tenant, Session: uuid.NewString()}}
	b := postgres.NewBatch(tenant)
	if err := sessions.Create(b, sessions.New{Scope: d.scope, Objective: objective, User: "person"}); err != nil {
		t.Fatal(err)
	}
	if err := b.Send(t.Context(), own); err != nil {
		t.Fatal(err)
	}
	if c.pool == nil {
		c.pool = own
	}
	d.startEngine(c)
	return d
}

// startEngine gives the harness an engine that ends with the test.
func (d *harness) startEngine(c setup) {
	d.t.Helper()
	log := slog.New(slog.DiscardHandler)
	if c.log != nil {
		log = c.log
	}
	queue, err := research.NewQueue(d.t.Context(), d.pool, research.QueueOptions{Schema: migrations.RiverSchema, Workers: -1, Log: log})
	if err != nil {
		d.t.Fatal(err)
	}
	instance := uuid.NewString()
	d.hub = sessions.NewHub(d.pool, log, instance)
	d.t.Cleanup(d.hub.Close)
	d.reports = make(chan chat.TurnReport, 100)
	reports := d.reports
	if c.wait == 0 {
		c.wait = patience
	}
	if c.heartbeat == 0 {
		c.heartbeat = time.Hour
	}
	o := chat.Options{Pool: c.pool, Hub: d.hub, Library: objectives.NewLibrary(d.pool), Queue: queue, Rules: rules.New(listening.New(nil)), Instance: instance, Log: log,
		ModelCalls: c.modelCalls, QuestionWait: c.wait, TurnLimit: c.turnLimit, Heartbeat: c.heartbeat, Observe: func(r chat.TurnReport) { reports <- r },
		Tenants: func(context.Context) ([]string, error) { return []string{d.scope.Tenant}, nil }}
	if c.pool == nil {
		o.Pool = d.pool
	}
	o.Researchable, o.Models = func() bool { return !c.sourceless }, c.models
	if c.model != nil {
		limit := 700 * time.Millisecond
		if c.unhurried {
			limit = patience
		}
		m := modelWithin(d.t, c.model, limit, d.kept(c))
		if o.Model = m; !c.atOnce {
			o.Model = &readsFirst{Model: m, read: map[string]chan struct{}{}}
		}
	}
	if d.engine, err = chat.New(o); err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(sync.OnceFunc(func() { drain(d.t, d.engine) }))
}

// readsFirst is a model whose replies begin when the message is read, so that a script
// sees its calls in one order.
type readsFirst struct {
	*model.Model

	mu   sync.Mutex
	read map[string]chan struct{} // closed when the message of a turn is read; guarded by mu
}

func (m *readsFirst) turn(s *chat.Scene) chan struct{} {
	m.mu.Lock()
	defer m.mu.Unlock()
	key := fmt.Sprint(s.Scope.Session, s.Turn, s.Attempt)
	if m.read[key] == nil {
		m.read[key] = make(chan struct{})
	}
	return m.read[key]
}

func (m *readsFirst) Understand(ctx context.Context, s *chat.Scene) (chat.Understanding, error) {
	defer close(m.turn(s))
	return m.Model.Understand(ctx, s)
}

// Reply leaves the engine the time to take note of the reading, and of nothing else: it
// tells nobody that it has.
func (m *readsFirst) Reply(ctx context.Context, s *chat.Scene, p *chat.Plan, say func(string) error) (chat.Usage, error) {
	if s.Message != "" || len(s.Files) > 0 {
		select {
		case <-ctx.Done():
			return chat.Usage{}, ctx.Err()
		case <-m.turn(s):
		}
		select {
		case <-ctx.Done():
			return chat.Usage{}, ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
	return m.Model.Reply(ctx, s, p, say)
}

func drain(t testing.TB, e *chat.Engine) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	e.Drain(ctx)
}

// scripted returns the model interviewer on a scripted server, impatient.
func scripted(t testing.TB, srv *llmtest.Server) *model.Model {
	t.Helper()
	return modelWithin(t, srv, 700*time.Millisecond, nil)
}

// within returns the model interviewer on a scripted server, which may be silent for
// so long.
func modelWithin(t testing.TB, srv *llmtest.Server, silent time.Duration, calls *model.CallLog) *model.Model {
	t.Helper()
	client, err := llm.New(llm.Options{BaseURL: srv.URL(), Model: "scripted", FirstToken: silent, Idle: silent, Total: max(4*time.Second, silent), MaxBytes: 1 << 20, Retries: -1})
	if err != nil {
		t.Fatal(err)
	}
	return model.New(client, calls)
}

// another returns the harness of a second server for the same session.
func (d *harness) another(c setup) *harness {
	d.t.Helper()
	other := *d
	other.startEngine(c)
	return &other
}

func (d *harness) input(message string) chat.Input {
	return chat.Input{Tenant: d.scope.Tenant, User: "person", SessionID: d.scope.Session, Message: message}
}

func (d *harness) start(in chat.Input) chat.StartedTurn {
	d.t.Helper()
	started, err := d.engine.Start(d.t.Context(), in)
	if err != nil {
		d.t.Fatalf("start %+v: %v", in, err)
	}
	return started
}

// take takes a turn to its end and returns its events from the log.
func (d *harness) take(in chat.Input) []sessions.Event {
	d.t.Helper()
	return d.ended(d.start(in).Turn)
}

// ended waits for a turn to end and returns its events from the log.
func (d *harness) ended(t sessions.Turn) []sessions.Event {
	d.t.Helper()
	d.until(t, "the turn's end", func(e sessions.Event) bool { return e.Kind.Last() })
	var out []sessions.Event
	for after, more := t.FirstSeq-1, true; more; {
		var all []sessions.Event
		var err error
		if all, more, err = sessions.After(d.t.Context(), d.pool, d.scope, after); err != nil {
			d.t.Fatal(err)
		}
		for _, e := range all {
			if after = e.Seq; e.Turn == t.Number {
				out = append(out, e)
			}
		}
	}
	return out
}

// until reads a turn's events until one fits.
func (d *harness) until(t sessions.Turn, what string, fits func(sessions.Event) bool) {
	d.t.Helper()
	ctx, cancel := context.WithTimeout(d.t.Context(), patience)
	defer cancel()
	sub := d.hub.Subscribe(d.pool, d.scope, 0)
	defer sub.Close()
	for {
		events, err := sub.Next(ctx, patience)
		if err != nil || len(events) == 0 {
			d.t.Fatalf("%s of turn %d never came: %v", what, t.Number, err)
		}
		for _, e := range events {
			if e.Turn == t.Number && fits(e) {
				return
			}
		}
	}
}

// piece waits for the first piece of a reply.
func (d *harness) piece(t sessions.Turn) {
	d.t.Helper()
	d.until(t, "a piece of the reply", func(e sessions.Event) bool { return e.Kind == sessions.KindDelta })
}

func (d *harness) list() []obligations.Obligation {
	d.t.Helper()
	var list []obligations.Obligation
	b := postgres.NewBatch(d.scope.Tenant)
	obligations.Load(b, d.scope, objectives.NewLibrary(d.pool).Templates(d.t.Context(), d.scope.Tenant), &list)
	if err := b.Send(d.t.Context(), d.pool); err != nil {
		d.t.Fatal(err)
	}
	return list
}

func (d *harness) transcript() []sessions.Message {
	d.t.Helper()
	list, err := sessions.Transcript(d.t.Context(), d.pool, d.scope, 0, 0)
	if err != nil {
		d.t.Fatal(err)
	}
	return list
}

// payload returns the first event of T's kind, decoded.
func payload[T any](t testing.TB, events []sessions.Event, kind sessions.Kind) T {
	t.Helper()
	var out T
	for _, e := range events {
		if e.Kind == kind {
			if err := json.Unmarshal(e.Data, &out); err != nil {
				t.Fatal(err)
			}
			return out
		}
	}
	t.Fatalf("no event %s", kind)
	return out
}

// reading is what a model answers about a message, with those findings.
func reading(intent string, findings ...map[string]any) map[string]any {
	list := []any{}
	for _, f := range findings {
		whole := map[string]any{"act": "tell", "hedged": false, "vague": false, "confidence": 0.9, "skip_reason": nil, "premises": []any{}, "reason": ""}
		for k, v := range f {
			whole[k] = v
		}
		list = append(list, whole)
	}
	return map[string]any{"intent": intent, "about": nil, "findings": list, "research": []any{}, "proposals": []any{}, "topic": nil, "follow_ups": []any{},
		"relationships": []any{}, "preferences": []any{}, "style": nil}
}

func TestEngineNeedsItsParts(t *testing.T) {
	t.Parallel()

	if e, err := chat.New(chat.Options{}); e != nil || err == nil {
		t.Errorf("New without parts = %v, %v", e, err)
	}
}

func TestDrainWaitsForTurnsAndLetsNoneBegin(t *testing.T) {
	t.Parallel()

	model := llmtest.New(t)
	model.OnUnderstand(llmtest.Reply{JSON: reading("answer")})
	model.OnReply(llmtest.Reply{Text: "And what do you sell there, then?", PieceDelay: 60 * time.Millisecond})
	d := newHarness(t, setup{model: model})
	started := d.start(d.input("Hello there"))
	d.piece(started.Turn)
	drained := make(chan struct{})
	go func() { defer close(drained); drain(t, d.engine) }()

	events := d.ended(started.Turn)
	<-drained
	head := len(events)
	_, err := d.engine.Start(t.Context(), d.input("One more"))

	if done := payload[sessions.DoneEvent](t, events, sessions.KindDone); done.Reason != "answered" {
		t.Errorf("the turn ended with %q, want answered", done.Reason)
	}
	if !fault.Is(err, fault.Unavailable) {
		t.Errorf("a turn began on a server that shuts down: %v", err)
	}
	if all, _, _ := sessions.After(t.Context(), d.pool, d.scope, 0); len(all) != head {
		t.Errorf("the refused turn wrote %d events", len(all)-head)
	}
}

func TestDrainGivesUpTurnsThatTakeTooLongForOthers(t *testing.T) {
	t.Parallel()

	model := llmtest.New(t)
	model.OnUnderstand(llmtest.Reply{JSON: reading("answer")})
	model.OnReply(llmtest.Reply{Text: "Slow and whole. What does your shop sell?", PieceDelay: 500 * time.Millisecond})
	d := newHarness(t, setup{model: model})
	started := d.start(d.input("Hello there"))
	d.piece(started.Turn)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	d.engine.Drain(ctx)
	if r := <-d.reports; r.Status != "lost" {
		t.Errorf("the turn that was given up is %s, want lost", r.Status)
	}

	other := d.another(setup{model: model}) // it would take an hour to miss the first

	if m := payload[sessions.MessageEvent](t, other.ended(started.Turn), sessions.KindMessage); m.Content != "Slow and whole. What does your shop sell?" || !m.Complete {
		t.Errorf("the other server answered %+v", m)
	}
}

func TestTurnThatTakesTooLongEndsWithAnError(t *testing.T) {
	t.Parallel()

	model := llmtest.New(t)
	model.OnUnderstand(llmtest.Reply{JSON: reading("answer")})
	model.OnReply(llmtest.Reply{Text: "Slow and whole and never finished in time.", PieceDelay: 400 * time.Millisecond})
	d := newHarness(t, setup{model: model, turnLimit: 600 * time.Millisecond})

	events := d.take(d.input("We sell bread"))

	if f := payload[sessions.ErrorEvent](t, events, sessions.KindError); f.Code != "turn_timeout" || !f.Retryable {
		t.Errorf("error %+v, want turn_timeout, retryable", f)
	}
	if list := d.transcript(); len(list) != 1 || list[0].Content != "We sell bread" {
		t.Errorf("transcript %+v, want what the person said and nothing else", list)
	}
	d.take(d.input("Hello again"))
}
