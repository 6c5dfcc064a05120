package web

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.uber.org/goleak"

	"quaestor/chat"
	"quaestor/chat/model"
	"quaestor/chat/rules"
	"quaestor/internal/auth"
	"quaestor/internal/llm"
	"quaestor/internal/llm/llmtest"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/internal/telemetry"
	"quaestor/migrations"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
	"quaestor/sessions/settings"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience bounds every wait in these tests.
const patience = 30 * time.Second

// world is a server over a database of its own.
type world struct {
	t      testing.TB
	url    string
	pool   *pgxpool.Pool
	server *Server
	tenant string
	token  string // sent with every request; empty for none

	endRequests func() // ends the requests that are being answered
}

// terms vary a world.
type terms struct {
	tokens bool            // demand tokens instead of trusting loopback
	model  *llmtest.Server // who interviews; nil means the rules
	pool   *pgxpool.Pool   // of another world, to be a second instance of it
	limits settings.Values // what the server says where an organisation says nothing
}

func open(t testing.TB, o terms) *world {
	t.Helper()
	pool := o.pool
	if pool == nil {
		pool = postgrestest.DB(t)
	}
	tenant, err := auth.EnsureTenant(t.Context(), pool, "development")
	if err != nil {
		t.Fatal(err)
	}
	library := objectives.NewLibrary(pool)
	if err := library.Ship(t.Context(), tenant.ID); err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, pool: pool, tenant: tenant.ID, server: assemble(t, o, pool, library)}
	if !o.tokens {
		w.server.Develop = &auth.Actor{Tenant: tenant.ID, User: "developer", Role: auth.Owner}
	}
	w.url, w.endRequests = serving(t, w.server)
	return w
}

// serving serves s until the test ends, and returns its address and what ends its
// requests, as the program does when it closes.
func serving(t testing.TB, s *Server) (url string, endRequests func()) {
	t.Helper()
	requests, end := context.WithCancel(context.Background())
	srv := httptest.NewUnstartedServer(s.Handler())
	srv.Config.BaseContext = func(net.Listener) context.Context { return requests }
	srv.Start()
	t.Cleanup(func() {
		end()
		srv.Close()
	})
	return srv.URL, end
}

// assemble builds a server's parts; they end with the test.
func assemble(t testing.TB, o terms, pool *pgxpool.Pool, library *objectives.Library) *Server {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	queue, err := research.NewQueue(t.Context(), pool, research.QueueOptions{Schema: migrations.RiverSchema, Workers: -1, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	instance := uuid.NewString()
	hub := sessions.NewHub(pool, log, instance)
	t.Cleanup(hub.Close)
	engine, err := chat.New(chat.Options{Pool: pool, Hub: hub, Library: library, Queue: queue, Rules: rules.New(), Model: interviewer(t, o.model), Instance: instance,
		Log: log, Defaults: o.limits, HeadStart: 200 * time.Millisecond, Tenants: func(context.Context) ([]string, error) { return nil, nil }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		engine.Drain(ctx)
	})
	return New(Options{Pool: pool, Engine: engine, Hub: hub, Library: library, Office: research.Commands{Editor: sessions.Editor{Pool: pool, Hub: hub, Library: library}, Queue: queue}, Metrics: telemetry.NewMetrics("test"), Log: log, Version: "test", Read: reading(t), Setup: Setup{Defaults: o.limits}, Warehouses: dataParts(t, pool, queue, log)})
}

func interviewer(t testing.TB, srv *llmtest.Server) chat.Interviewer {
	t.Helper()
	if srv == nil {
		return nil
	}
	client, err := llm.New(llm.Options{BaseURL: srv.URL(), Model: "scripted"})
	if err != nil {
		t.Fatal(err)
	}
	return model.New(client, nil)
}

// as returns the same world seen by a holder of a new token.
func (w *world) as(tenant, user string, role auth.Role) *world {
	w.t.Helper()
	token, err := auth.CreateToken(w.t.Context(), w.pool, auth.Grant{Tenant: tenant, User: user, Role: role})
	if err != nil {
		w.t.Fatal(err)
	}
	other := *w
	other.token = token
	return &other
}

// request is one request; the zero value of each field is a sensible default.
type request struct {
	method string // POST when there is a body, else GET
	path   string
	body   any // a string is sent as it is
	header map[string]string
	host   string
}

func (w *world) do(q request) *http.Response {
	w.t.Helper()
	resp, err := http.DefaultTransport.RoundTrip(w.build(q))
	if err != nil {
		w.t.Fatalf("%s: %v", q.path, err)
	}
	w.t.Cleanup(func() { _ = resp.Body.Close() })
	return resp
}

func (w *world) build(q request) *http.Request {
	w.t.Helper()
	var body io.Reader
	if q.body != nil {
		body = bytes.NewReader(encoded(w.t, q.body))
	}
	if q.method == "" {
		q.method = http.MethodGet
		if body != nil {
			q.method = http.MethodPost
		}
	}
	r, err := http.NewRequestWithContext(w.t.Context(), q.method, w.url+q.path, body)
	if err != nil {
		w.t.Fatal(err)
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if w.token != "" {
		r.Header.Set("Authorization", "Bearer "+w.token)
	}
	for k, v := range q.header {
		r.Header.Set(k, v)
	}
	r.Host = q.host
	return r
}

func encoded(t testing.TB, body any) []byte {
	t.Helper()
	if s, ok := body.(string); ok {
		return []byte(s)
	}
	b, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// fetch returns the JSON of an answer that must have the status.
func fetch[T any](w *world, status int, q request) T {
	w.t.Helper()
	var out T
	resp := w.do(q)
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	if resp.StatusCode != status {
		w.t.Fatalf("%s answered %d, want %d: %s", q.path, resp.StatusCode, status, raw)
	}
	if err := json.Unmarshal(raw, &out); err != nil {
		w.t.Fatalf("%s: %v in %s", q.path, err, raw)
	}
	return out
}

// told is one event of a stream.
type told struct {
	ID   string
	Type sessions.Kind
	Data map[string]any
	Raw  string
}

// stream reads server-sent events.
type stream struct {
	t     testing.TB
	lines *bufio.Reader
}

func (w *world) stream(q request) *stream {
	w.t.Helper()
	resp := w.do(q)
	if kind := resp.Header.Get("Content-Type"); kind != "text/event-stream" {
		raw, _ := io.ReadAll(resp.Body)
		w.t.Fatalf("%s answered %d %s: %s", q.path, resp.StatusCode, kind, raw)
	}
	return &stream{w.t, newLines(resp.Body)}
}

func newLines(r io.Reader) *bufio.Reader { return bufio.NewReader(r) }

// next returns the next event, and false at the end of the stream.
func (s *stream) next() (told, bool) {
	s.t.Helper()
	var e told
	for {
		line, err := s.lines.ReadString('\n')
		if err != nil {
			return e, false
		}
		field, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch {
		case field == "id":
			e.ID = value
		case field == "data":
			e.Raw = value
			if err := json.Unmarshal([]byte(value), &e.Data); err != nil {
				s.t.Fatalf("event %s: %v", value, err)
			}
			e.Type = sessions.Kind(fmt.Sprint(e.Data["type"]))
		case line == "\n" && e.Raw != "":
			return e, true
		}
	}
}

// rest returns what follows up to the end of the stream.
func (s *stream) rest() []told {
	s.t.Helper()
	var out []told
	for e, ok := s.next(); ok; e, ok = s.next() {
		out = append(out, e)
	}
	return out
}

// until returns what follows up to and including the first event of that kind.
func (s *stream) until(kind sessions.Kind) []told {
	s.t.Helper()
	var out []told
	for {
		e, ok := s.next()
		if !ok {
			s.t.Fatalf("the stream ended before the event %s; it brought %d events", kind, len(out))
		}
		if out = append(out, e); e.Type == kind {
			return out
		}
	}
}

// say takes a turn and returns its events.
func (w *world) say(body turnBody) []told {
	w.t.Helper()
	events := w.stream(request{path: "/api/discovery-chat", body: plain(body)}).rest()
	if len(events) == 0 || !events[len(events)-1].Type.Last() {
		w.t.Fatalf("the turn %+v did not end: %d events", body, len(events))
	}
	return events
}

// plain is a body without its empty fields.
func plain(b turnBody) map[string]any {
	out := map[string]any{"message": b.Message}
	for name, v := range map[string]string{"sessionId": b.SessionID, "contextType": b.ContextType, "userId": b.UserID, "tenantId": b.TenantID, "clientMessageId": b.ClientMessageID} {
		if v != "" {
			out[name] = v
		}
	}
	if len(b.Answers) > 0 {
		out["answers"] = b.Answers
	}
	return out
}

// begin opens a conversation and returns its session's id.
func (w *world) begin(contextType string) string {
	w.t.Helper()
	made := fetch[sessionBody](w, http.StatusCreated, request{path: "/api/v1/sessions", body: map[string]string{"contextType": contextType}})
	w.say(turnBody{SessionID: made.ID})
	return made.ID
}

// pick returns the events of a kind.
func pick(events []told, kind sessions.Kind) []told {
	var out []told
	for _, e := range events {
		if e.Type == kind {
			out = append(out, e)
		}
	}
	return out
}

// lasting are the events that have a number.
func lasting(events []told) []told {
	var out []told
	for _, e := range events {
		if e.ID != "" {
			out = append(out, e)
		}
	}
	return out
}

func raws(events []told) []string {
	out := make([]string, len(events))
	for i, e := range events {
		out[i] = e.ID + " " + e.Raw
	}
	return out
}

// fingerprint is every row of every table but those that servers keep about
// themselves.
func (w *world) fingerprint() map[string]string {
	w.t.Helper()
	super := postgrestest.Superuser(w.t, w.pool)
	defer super.Close()
	rows, err := super.Query(w.t.Context(), `SELECT format('%I.%I', table_schema, table_name) FROM information_schema.tables
		WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')
		AND table_name NOT IN ('instances', 'river_leader', 'river_client', 'river_client_queue', 'river_queue')`)
	if err != nil {
		w.t.Fatal(err)
	}
	var tables []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			w.t.Fatal(err)
		}
		tables = append(tables, name)
	}
	out := map[string]string{}
	for _, name := range tables {
		var sum string
		row := `x::text`
		if name == "public.api_tokens" { // when it was used last is no change
			row = `(to_jsonb(x) - 'last_used_at')::text`
		}
		err := super.QueryRow(w.t.Context(), `SELECT count(*) || ' ' || coalesce(md5(string_agg(`+row+`, E'\n' ORDER BY `+row+`)), '') FROM `+name+` AS x`).Scan(&sum)
		if err != nil {
			w.t.Fatalf("fingerprint of %s: %v", name, err)
		}
		out[name] = sum
	}
	return out
}
