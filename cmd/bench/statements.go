package main

import (
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5/pgproto3"
)

// tally is what a program sent to the database.
type tally struct {
	statements int // of turns: reads and writes of sessions
	trips      int // round trips that carry such a statement; BEGIN and COMMIT are not counted
	all        int // round trips of any kind, with those of queues and heartbeats
}

// plus returns the sum of two tallies.
func (t tally) plus(u tally) tally {
	return tally{t.statements + u.statements, t.trips + u.trips, t.all + u.all}
}

// minus returns what was sent since u.
func (t tally) minus(u tally) tally {
	return tally{t.statements - u.statements, t.trips - u.trips, t.all - u.all}
}

// isOfTurn reports whether a statement is work of a turn. Setting up a transaction,
// waking others, heartbeats and the job queue are not.
func isOfTurn(sql string) bool {
	s := strings.ToLower(strings.TrimSpace(sql))
	if name, rest, found := strings.Cut(s, "\n"); found && strings.HasPrefix(name, "-- name:") {
		s = strings.TrimSpace(rest)
	}
	beginnings := []string{"begin", "commit", "rollback", "set ", "select set_config", "-- ping", "listen", "unlisten", ";"}
	parts := []string{"pg_notify", "river_", "river.", "instances"}
	return s != "" && !slices.ContainsFunc(beginnings, func(b string) bool { return strings.HasPrefix(s, b) }) &&
		!slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(s, p) })
}

// counter reads what a program sends over one PostgreSQL connection and counts. A
// round trip ends where the program waits for an answer: at each Sync and Query.
type counter struct {
	prepared map[string]string // SQL by the name of its statement
	bound    string            // SQL that is executed next
	ofTurn   bool              // whether the current round trip has a statement of a turn

	mu    sync.Mutex
	total tally // guarded by mu
}

// sum returns what was counted so far.
func (c *counter) sum() tally {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.total
}

// read counts the messages of a client until they end or cannot be parsed.
func (c *counter) read(client io.Reader) error {
	b := pgproto3.NewBackend(client, io.Discard)
	if _, err := b.ReceiveStartupMessage(); err != nil {
		return err
	}
	c.prepared = map[string]string{}
	for {
		m, err := b.Receive()
		if err != nil {
			return err
		}
		c.message(m)
	}
}

// message counts one message.
func (c *counter) message(m pgproto3.FrontendMessage) {
	switch m := m.(type) {
	case *pgproto3.Parse:
		c.prepared[m.Name] = m.Query
	case *pgproto3.Bind:
		c.bound = c.prepared[m.PreparedStatement]
	case *pgproto3.Execute:
		c.statement(c.bound)
	case *pgproto3.Query:
		c.statement(m.String)
		c.trip()
	case *pgproto3.Sync:
		c.trip()
	}
}

// statement counts a statement if it is work of a turn.
func (c *counter) statement(sql string) {
	if !isOfTurn(sql) {
		return
	}
	c.ofTurn = true
	c.mu.Lock()
	defer c.mu.Unlock()
	c.total.statements++
}

// trip counts a round trip, which ends here.
func (c *counter) trip() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.total.all++
	if c.ofTurn {
		c.total.trips++
	}
	c.ofTurn = false
}
