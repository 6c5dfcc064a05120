package webtest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/auth"
	"quaestor/internal/llm/llmtest"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/internal/speech"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
	"quaestor/sessions/settings"
	"quaestor/web"
	"quaestor/web/talk"
)

// Patience bounds every wait in these tests.
const Patience = 30 * time.Second

// World is a server over a database of its own.
type World struct {
	T      testing.TB
	URL    string
	Pool   *pgxpool.Pool
	Server *Site
	Tenant string
	Token  string // sent with every request; empty for none

	EndRequests func() // ends the requests that are being answered
}

// Terms vary a world.
type Terms struct {
	Tokens bool            // demand tokens instead of trusting loopback
	Model  *llmtest.Server // who interviews; nil means the rules
	Pool   *pgxpool.Pool   // of another world, to be a second instance of it
	Limits settings.Values // what the server says where an organisation says nothing
	Voice  *speech.Voice   // what speaks and hears; nil means nothing
}

func Open(t testing.TB, o Terms) *World {
	t.Helper()
	pool := o.Pool
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
	w := &World{T: t, Pool: pool, Tenant: tenant.ID, Server: assemble(t, o, pool, library)}
	if !o.Tokens {
		w.Server.Develop = &auth.Actor{Tenant: tenant.ID, User: "developer", Role: auth.Owner}
	}
	w.URL, w.EndRequests = Serving(t, w.Server)
	return w
}

// Serving serves s until the test ends, and returns its address and what ends its
// requests, as the program does when it closes.
func Serving(t testing.TB, s *Site) (url string, endRequests func()) {
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

// As returns the same world seen by a holder of a new token.
func (w *World) As(tenant, user string, role auth.Role) *World {
	w.T.Helper()
	token, err := auth.CreateToken(w.T.Context(), w.Pool, auth.Grant{Tenant: tenant, User: user, Role: role})
	if err != nil {
		w.T.Fatal(err)
	}
	other := *w
	other.Token = token
	return &other
}

// Request is one Request; the zero value of each field is a sensible default.
type Request struct {
	Method string // POST when there is a body, else GET
	Path   string
	Body   any // a string is sent as it is
	Header map[string]string
	Host   string
}

func (w *World) Do(q Request) *http.Response {
	w.T.Helper()
	resp, err := http.DefaultTransport.RoundTrip(w.Build(q))
	if err != nil {
		w.T.Fatalf("%s: %v", q.Path, err)
	}
	w.T.Cleanup(func() { _ = resp.Body.Close() })
	return resp
}

func (w *World) Build(q Request) *http.Request {
	w.T.Helper()
	var body io.Reader
	if q.Body != nil {
		body = bytes.NewReader(encoded(w.T, q.Body))
	}
	if q.Method == "" {
		q.Method = http.MethodGet
		if body != nil {
			q.Method = http.MethodPost
		}
	}
	r, err := http.NewRequestWithContext(w.T.Context(), q.Method, w.URL+q.Path, body)
	if err != nil {
		w.T.Fatal(err)
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if w.Token != "" {
		r.Header.Set("Authorization", "Bearer "+w.Token)
	}
	for k, v := range q.Header {
		r.Header.Set(k, v)
	}
	r.Host = q.Host
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

// Fetch returns the JSON of an answer that must have the status.
func Fetch[T any](w *World, status int, q Request) T {
	w.T.Helper()
	var out T
	resp := w.Do(q)
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		w.T.Fatal(err)
	}
	if resp.StatusCode != status {
		w.T.Fatalf("%s answered %d, want %d: %s", q.Path, resp.StatusCode, status, raw)
	}
	if err := json.Unmarshal(raw, &out); err != nil {
		w.T.Fatalf("%s: %v in %s", q.Path, err, raw)
	}
	return out
}

// Told is one event of a stream.
type Told struct {
	ID   string
	Type sessions.Kind
	Data map[string]any
	Raw  string
}

// Stream reads server-sent events.
type Stream struct {
	T     testing.TB
	Lines *bufio.Reader
}

func (w *World) Stream(q Request) *Stream {
	w.T.Helper()
	resp := w.Do(q)
	if kind := resp.Header.Get("Content-Type"); kind != "text/event-stream" {
		raw, _ := io.ReadAll(resp.Body)
		w.T.Fatalf("%s answered %d %s: %s", q.Path, resp.StatusCode, kind, raw)
	}
	return &Stream{w.T, NewLines(resp.Body)}
}

func NewLines(r io.Reader) *bufio.Reader { return bufio.NewReader(r) }

// Next returns the Next event, and false at the end of the stream.
func (s *Stream) Next() (Told, bool) {
	s.T.Helper()
	var e Told
	for {
		line, err := s.Lines.ReadString('\n')
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
				s.T.Fatalf("event %s: %v", value, err)
			}
			e.Type = sessions.Kind(fmt.Sprint(e.Data["type"]))
		case line == "\n" && e.Raw != "":
			return e, true
		}
	}
}

// Rest returns what follows up to the end of the stream.
func (s *Stream) Rest() []Told {
	s.T.Helper()
	var out []Told
	for e, ok := s.Next(); ok; e, ok = s.Next() {
		out = append(out, e)
	}
	return out
}

// Until returns what follows up to and including the first event of that kind.
func (s *Stream) Until(kind sessions.Kind) []Told {
	s.T.Helper()
	var out []Told
	for {
		e, ok := s.Next()
		if !ok {
			s.T.Fatalf("the stream ended before the event %s; it brought %d events", kind, len(out))
		}
		if out = append(out, e); e.Type == kind {
			return out
		}
	}
}

// Say takes a turn and returns its events.
func (w *World) Say(body talk.TurnBody) []Told {
	w.T.Helper()
	events := w.Stream(Request{Path: "/api/discovery-chat", Body: Plain(body)}).Rest()
	if len(events) == 0 || !events[len(events)-1].Type.Last() {
		w.T.Fatalf("the turn %+v did not end: %d events", body, len(events))
	}
	return events
}

// Plain is a body without its empty fields.
func Plain(b talk.TurnBody) map[string]any {
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

// Begin opens a conversation and returns its session's id.
func (w *World) Begin(contextType string) string {
	w.T.Helper()
	made := Fetch[web.SessionBody](w, http.StatusCreated, Request{Path: "/api/v1/sessions", Body: map[string]string{"contextType": contextType}})
	w.Say(talk.TurnBody{SessionID: made.ID})
	return made.ID
}

// Pick returns the events of a kind.
func Pick(events []Told, kind sessions.Kind) []Told {
	var out []Told
	for _, e := range events {
		if e.Type == kind {
			out = append(out, e)
		}
	}
	return out
}

// Lasting are the events that have a number.
func Lasting(events []Told) []Told {
	var out []Told
	for _, e := range events {
		if e.ID != "" {
			out = append(out, e)
		}
	}
	return out
}

func Raws(events []Told) []string {
	out := make([]string, len(events))
	for i, e := range events {
		out[i] = e.ID + " " + e.Raw
	}
	return out
}

// Fingerprint is every row of every table but those that servers keep about
// themselves.
func (w *World) Fingerprint() map[string]string {
	w.T.Helper()
	super := postgrestest.Superuser(w.T, w.Pool)
	defer super.Close()
	rows, err := super.Query(w.T.Context(), `SELECT format('%I.%I', table_schema, table_name) FROM information_schema.tables
		WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')
		AND table_name NOT IN ('instances', 'river_leader', 'river_client', 'river_client_queue', 'river_queue')`)
	if err != nil {
		w.T.Fatal(err)
	}
	var tables []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			w.T.Fatal(err)
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
		err := super.QueryRow(w.T.Context(), `SELECT count(*) || ' ' || coalesce(md5(string_agg(`+row+`, E'\n' ORDER BY `+row+`)), '') FROM `+name+` AS x`).Scan(&sum)
		if err != nil {
			w.T.Fatalf("fingerprint of %s: %v", name, err)
		}
		out[name] = sum
	}
	return out
}
