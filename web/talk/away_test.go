package talk_test

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/postgres/postgrestest"
	"quaestor/sessions"
	"quaestor/web"
	"quaestor/web/talk"
	"quaestor/web/webtest"
)

// line is the network between a pool and its database. It can be cut.
type line struct {
	mu    sync.Mutex
	cut   bool       // guarded by mu
	conns []net.Conn // guarded by mu
}

// cuttable returns a pool on a new database, and the line to it.
func cuttable(t *testing.T) (*pgxpool.Pool, *line) {
	t.Helper()
	l := &line{}
	config := postgrestest.DB(t).Config().Copy()
	dial := config.ConnConfig.DialFunc
	config.ConnConfig.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := dial(ctx, network, address)
		if err != nil || l.holds(c) {
			return c, err
		}
		return nil, errors.Join(&net.OpError{Op: "dial", Net: network, Err: errors.New("the line is cut")}, c.Close())
	}
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool, l
}

func (l *line) holds(c net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.cut {
		l.conns = append(l.conns, c)
	}
	return !l.cut
}

// setCut cuts the line, which closes every connection and refuses new ones, or repairs it.
func (l *line) setCut(cut bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cut = cut; cut {
		for _, c := range l.conns {
			_ = c.Close() // it may be closed already
		}
		l.conns = nil
	}
}

func TestWithoutItsDatabaseTheServerAsksToComeBack(t *testing.T) {
	t.Parallel()

	pool, line := cuttable(t)
	w := webtest.Open(t, webtest.Terms{Pool: pool})
	id := w.Begin("business_profile")
	message := talk.TurnBody{SessionID: id, Message: "We bake bread for the cafés in our town", ClientMessageID: "m-1"}
	before := w.Fingerprint()

	line.setCut(true)
	for _, q := range []webtest.Request{
		{Path: webtest.ChatPath, Body: webtest.Plain(message)},
		{Path: "/api/v1/sessions/" + id},
		{Path: "/api/v1/sessions/" + id + "/events", Header: map[string]string{"Accept": "text/event-stream"}},
		{Path: "/s/" + id, Header: map[string]string{"Accept": "text/html"}},
	} {
		res := w.Do(q)
		if res.StatusCode != http.StatusServiceUnavailable || res.Header.Get("Retry-After") != web.ComeBack {
			t.Errorf("%s answered %d with Retry-After %q, want 503 and %s", q.Path, res.StatusCode, res.Header.Get("Retry-After"), web.ComeBack)
		}
		if strings.HasPrefix(q.Path, "/api/") {
			var p web.Problem
			if err := json.NewDecoder(res.Body).Decode(&p); err != nil || p.Code != "database_away" {
				t.Errorf("%s said %+v, %v, want database_away", q.Path, p, err)
			}
		}
	}

	line.setCut(false)
	if diff := cmp.Diff(before, w.Fingerprint()); diff != "" {
		t.Errorf("what was refused changed something (-before +after):\n%s", diff)
	}
	said := w.Say(message)
	if last := said[len(said)-1]; last.Type != sessions.KindDone {
		t.Errorf("the message sent again ended with %s, want done", last.Raw)
	}
}
