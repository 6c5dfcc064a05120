package webtest

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/sessions/objectives"
)

// Trips counts the round Trips of a pool: a batch is one, whatever is in it.
type Trips struct{ n atomic.Int64 }

func (c *Trips) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	c.n.Add(1)
	return ctx
}

func (c *Trips) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	c.n.Add(1)
	return ctx
}

func (c *Trips) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (c *Trips) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {
}

func (c *Trips) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

// Counted returns a server of the world that has just started, as far as its
// library knows, and what counts the round trips of its requests alone.
func (w *World) Counted() (http.Handler, *Trips) {
	w.T.Helper()
	c := &Trips{}
	config := w.Pool.Config().Copy()
	config.ConnConfig.Tracer = c
	pool, err := pgxpool.NewWithConfig(w.T.Context(), config)
	if err != nil {
		w.T.Fatal(err)
	}
	w.T.Cleanup(pool.Close)
	o := w.Server.Options
	o.Pool, o.Library = pool, objectives.NewLibrary(pool)
	return w.Server.With(o).Handler(), c
}

// Of counts what one request takes, which must be answered 200 and say all Of
// these.
func (c *Trips) Of(t testing.TB, h http.Handler, path string, says ...string) int64 {
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
