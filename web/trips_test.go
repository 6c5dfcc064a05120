package web

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/sessions/objectives"
)

// trips counts the round trips of a pool: a batch is one, whatever is in it.
type trips struct{ n atomic.Int64 }

func (c *trips) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	c.n.Add(1)
	return ctx
}

func (c *trips) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	c.n.Add(1)
	return ctx
}

func (c *trips) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}
func (c *trips) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {
}
func (c *trips) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

// counted returns a server of the world that has just started, as far as its
// library knows, and what counts the round trips of its requests alone.
func (w *world) counted() (http.Handler, *trips) {
	w.t.Helper()
	c := &trips{}
	config := w.pool.Config().Copy()
	config.ConnConfig.Tracer = c
	pool, err := pgxpool.NewWithConfig(w.t.Context(), config)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(pool.Close)
	o := w.server.Options
	o.Pool, o.Library = pool, objectives.NewLibrary(pool)
	return New(o).Handler(), c
}

// of counts what one request takes, which must be answered 200 and say all of
// these.
func (c *trips) of(t testing.TB, h http.Handler, path string, says ...string) int64 {
	t.Helper()
	before := c.n.Load()
	rec, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, path, nil)
	r.Host, r.RemoteAddr = "localhost", "127.0.0.1:1"
	h.ServeHTTP(rec, r)
	if rec.Code != http.StatusOK {
		t.Fatalf("%s answered %d: %s", path, rec.Code, rec.Body)
	}
	for _, part := range says {
		if !strings.Contains(rec.Body.String(), part) {
			t.Errorf("%s does not say %q", path, part)
		}
	}
	return c.n.Load() - before
}

func TestHomeTakesThreeRoundTripsForAnyNumberOfSessions(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	for _, contextType := range []string{"business_profile", "idea_discovery", "project_discovery"} {
		for range 3 {
			w.begin(contextType)
		}
		h, c := w.counted()
		if got := c.of(t, h, "/", contextType, `data-testid="continue-`); got > 3 {
			t.Errorf("with sessions of %s the first page takes %d round trips, want at most 3", contextType, got)
		}
	}
}

// What a session was begun with stays readable: the version is retired, and read
// once.
func TestHomeReadsRetiredObjectivesOnce(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	fetch[objectiveBody](w, http.StatusCreated, request{path: "/api/v1/objectives", body: tiny})
	w.begin("tiny")
	w.publish(next(tiny, "1.0.0", "1.1.0"))
	h, c := w.counted()

	c.of(t, h, "/", "Tiny")
	if got := c.of(t, h, "/", "Tiny"); got > 3 {
		t.Errorf("the first page takes %d round trips, want at most 3", got)
	}
}

func TestConversationTakesThreeRoundTrips(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	id := w.begin("business_profile")
	w.say(turnBody{SessionID: id, Message: "We bake bread for cafés"})
	h, c := w.counted()

	for _, when := range []string{"first", "again"} {
		if got := c.of(t, h, "/s/"+id, "We bake bread for cafés", `data-testid="obligation-`); got > 3 {
			t.Errorf("the page takes %d round trips the %s time, want at most 3", got, when)
		}
	}
}

// next is an objective under its next version.
func next(definition, old, version string) string {
	return strings.Replace(definition, fmt.Sprintf(`"version":%q`, old), fmt.Sprintf(`"version":%q`, version), 1)
}
