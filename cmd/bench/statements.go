package main

import (
	"bytes"
	"encoding/binary"
	"strings"
	"sync"
)

// tally is what a program sent to the database.
type tally struct {
	statements int // of turns: reads and writes of sessions
	trips      int // round trips that carry such a statement; BEGIN and COMMIT are not counted
	all        int // round trips of any kind, with those of queues and heartbeats
}

func (t tally) plus(u tally) tally {
	return tally{t.statements + u.statements, t.trips + u.trips, t.all + u.all}
}

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
	for _, start := range []string{"begin", "commit", "rollback", "set ", "select set_config", "-- ping", "listen", "unlisten", ";"} {
		if strings.HasPrefix(s, start) {
			return false
		}
	}
	for _, part := range []string{"pg_notify", "river_", "river.", "instances"} {
		if strings.Contains(s, part) {
			return false
		}
	}
	return s != ""
}

// counter reads what a program sends over one PostgreSQL connection and counts. A
// round trip ends where the program waits for an answer: at each Sync and Query.
type counter struct {
	mu       sync.Mutex
	frames   frames            // guarded by mu, as all below
	prepared map[string]string // SQL by the name of its statement
	bound    string            // SQL that is executed next
	ofTurn   bool              // the current round trip has a statement of a turn
	total    tally
}

func newCounter() *counter {
	return &counter{frames: frames{startup: true}, prepared: map[string]string{}}
}

// sum returns what was counted so far.
func (c *counter) sum() tally {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.total
}

// feed takes in bytes on their way to the database.
func (c *counter) feed(p []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.frames.feed(p, c.message)
}

// message counts one message. c.mu must be held.
func (c *counter) message(kind byte, head []byte) {
	switch kind {
	case 'P': // Parse: name, SQL
		name, rest := cstring(head)
		c.prepared[name], _ = cstring(rest)
	case 'B': // Bind: portal, name of the prepared statement
		_, rest := cstring(head)
		name, _ := cstring(rest)
		c.bound = c.prepared[name]
	case 'E': // Execute
		c.statement(c.bound)
	case 'Q': // Query
		sql, _ := cstring(head)
		c.statement(sql)
		c.trip()
	case 'S': // Sync
		c.trip()
	}
}

func (c *counter) statement(sql string) {
	if isOfTurn(sql) {
		c.total.statements++
		c.ofTurn = true
	}
}

func (c *counter) trip() {
	c.total.all++
	if c.ofTurn {
		c.total.trips++
	}
	c.ofTurn = false
}

// cstring cuts a text that ends with a zero byte.
func cstring(b []byte) (text string, rest []byte) {
	head, rest, _ := bytes.Cut(b, []byte{0})
	return string(head), rest
}

// maxHead is how much of a message's body is kept to look at.
const maxHead = 600

// frames cuts what a client sends into PostgreSQL's messages, however the bytes
// come. With startup set, the first message has no type.
type frames struct {
	startup bool
	prefix  []byte // type and length of the current message, as far as they came
	head    []byte // beginning of its body
	left    int    // bytes of its body still to come
}

// lengthBytes is the size of a message's length, which counts itself.
const lengthBytes = 4

// feed takes in p and calls f for each message that is whole: its type (0 for the
// first one) and the beginning of its body.
func (s *frames) feed(p []byte, f func(kind byte, head []byte)) {
	for len(p) > 0 {
		if !s.begun() {
			p = s.begin(p)
			if !s.begun() {
				return
			}
		}
		n := min(s.left, len(p))
		s.head = append(s.head, p[:min(n, maxHead-len(s.head))]...)
		s.left -= n
		p = p[n:]
		if s.left == 0 {
			f(s.kind(), s.head)
			s.prefix, s.head, s.startup = s.prefix[:0], s.head[:0], false
		}
	}
}

// prefixBytes is the length of what comes before a message's body.
func (s *frames) prefixBytes() int {
	if s.startup {
		return lengthBytes
	}
	return 1 + lengthBytes
}

func (s *frames) begun() bool { return len(s.prefix) == s.prefixBytes() }

func (s *frames) kind() byte {
	if s.startup {
		return 0
	}
	return s.prefix[0]
}

// begin takes type and length from p and returns what is left of it.
func (s *frames) begin(p []byte) []byte {
	n := min(s.prefixBytes()-len(s.prefix), len(p))
	s.prefix = append(s.prefix, p[:n]...)
	if s.begun() {
		s.left = max(int(binary.BigEndian.Uint32(s.prefix[len(s.prefix)-lengthBytes:]))-lengthBytes, 0)
	}
	return p[n:]
}
