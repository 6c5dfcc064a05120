package main

import (
	"bytes"
	"encoding/binary"
	"strings"
	"sync"
)

// class is what database traffic is for.
type class int

// The classes. Work that a session's turn waits for is the turn's; waking others
// happens after it, and the rest would happen without any turn.
const (
	unknown    class = iota // nothing but BEGIN and the like so far
	ofTurn                  // reads and writes of sessions
	ofWaking                // notifications
	background              // queue, heartbeats, listening
	classes
)

// classOf says what a statement is for.
func classOf(sql string) class {
	s := strings.ToLower(strings.TrimSpace(sql))
	switch {
	case strings.Contains(s, "pg_notify"):
		return ofWaking
	case s == "", strings.HasPrefix(s, "begin"), strings.HasPrefix(s, "commit"), strings.HasPrefix(s, "rollback"), strings.HasPrefix(s, "set "),
		strings.HasPrefix(s, "select set_config"), strings.HasPrefix(s, "-- ping"), s == ";":
		return unknown
	case strings.Contains(s, "river_"), strings.Contains(s, "river."), strings.Contains(s, "instances"), strings.HasPrefix(s, "listen"), strings.HasPrefix(s, "unlisten"):
		return background
	}
	return ofTurn
}

// tally is how much traffic there was.
type tally struct {
	trips, statements int
	up, down          int64 // bytes to the database and from it
}

func (t tally) plus(u tally) tally {
	return tally{t.trips + u.trips, t.statements + u.statements, t.up + u.up, t.down + u.down}
}

func (t tally) minus(u tally) tally {
	return tally{t.trips - u.trips, t.statements - u.statements, t.up - u.up, t.down - u.down}
}

// ledger reads both directions of one PostgreSQL connection and counts. A round
// trip is everything the client sends until the server has said ReadyForQuery to
// all of it: a pipeline of ten statements is one. It is safe for two goroutines,
// one a direction.
type ledger struct {
	mu     sync.Mutex // guards what follows
	client frames
	server frames

	prepared map[string]string // SQL by name
	bound    string            // SQL of the portal bound last

	ready   bool // the connection is set up; what came before does not count
	open    bool // a round trip is under way
	syncs   int  // ReadyForQuery still to come
	current tally
	kind    class // of the current round trip
	inTx    bool  // the last ReadyForQuery left a transaction open
	txKind  class // of that transaction
	held    tally // round trips of a transaction whose class is unknown yet
	totals  [classes]tally
}

func newLedger() *ledger {
	return &ledger{client: frames{startup: true}, prepared: map[string]string{}}
}

// total returns what was counted of a class.
func (l *ledger) total(c class) tally {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.totals[c]
}

// fromClient takes in bytes on their way to the server.
func (l *ledger) fromClient(p []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.client.feed(p, l.clientMessage)
}

// fromServer takes in bytes on their way to the client.
func (l *ledger) fromServer(p []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.server.feed(p, l.serverMessage)
}

// clientMessage counts one message. l.mu must be held.
func (l *ledger) clientMessage(kind byte, head []byte, size int) {
	if !l.ready || kind == 'X' {
		return
	}
	if !l.open {
		l.open, l.kind, l.current = true, unknown, tally{trips: 1}
	}
	l.current.up += int64(size)
	switch kind {
	case 'P': // Parse: name, SQL
		name, sql := cstring(head)
		text, _ := cstring(sql)
		l.prepared[name] = text
	case 'B': // Bind: portal, name of the prepared statement
		_, rest := cstring(head)
		name, _ := cstring(rest)
		l.bound = l.prepared[name]
	case 'E': // Execute
		l.statement(l.bound)
	case 'Q': // Query
		text, _ := cstring(head)
		l.statement(text)
		l.syncs++
	case 'S': // Sync
		l.syncs++
	}
}

// statement counts one. What is a turn's makes its whole round trip the turn's.
func (l *ledger) statement(sql string) {
	l.current.statements++
	if c := classOf(sql); c == ofTurn || l.kind == unknown {
		l.kind = c
	}
}

// serverMessage counts one message. l.mu must be held.
func (l *ledger) serverMessage(kind byte, head []byte, size int) {
	if l.open {
		l.current.down += int64(size)
	}
	if kind != 'Z' { // ReadyForQuery: I idle, T in a transaction, E in a failed one
		return
	}
	l.ready = true
	if l.syncs--; l.syncs > 0 || !l.open {
		l.syncs = max(l.syncs, 0)
		return
	}
	l.open = false
	l.close(len(head) > 0 && head[0] != 'I')
}

// close puts a round trip where it belongs: what begins a transaction waits until
// it is known what the transaction is for.
func (l *ledger) close(inTx bool) {
	if l.inTx && (l.kind == unknown || l.txKind == ofTurn) {
		l.kind = l.txKind
	}
	l.held = l.held.plus(l.current)
	l.txKind = l.kind
	if l.inTx = inTx; inTx && l.kind == unknown {
		return
	}
	if l.kind == unknown {
		l.kind = background
	}
	l.totals[l.kind] = l.totals[l.kind].plus(l.held)
	l.held = tally{}
	if !inTx {
		l.txKind = unknown
	}
}

// cstring cuts a text that ends with a zero byte.
func cstring(b []byte) (text string, rest []byte) {
	head, rest, _ := bytes.Cut(b, []byte{0})
	return string(head), rest
}

// maxHead is how much of a message's body is kept to look at.
const maxHead = 600

// frames cuts a stream of bytes into PostgreSQL's messages, however the bytes
// come. The zero value reads a stream of typed messages; with startup set, the
// first one has no type.
type frames struct {
	startup bool
	prefix  []byte // type and length of the current message, as far as they came
	head    []byte // beginning of its body
	left    int    // bytes of its body still to come
	size    int
}

// feed takes in p and calls f for each message that is whole: its type (0 for the
// first one), the beginning of its body, and its size in bytes.
func (s *frames) feed(p []byte, f func(kind byte, head []byte, size int)) {
	for len(p) > 0 {
		if !s.begun() {
			p = s.begin(p)
			if !s.begun() {
				return
			}
		}
		n := min(s.left, len(p))
		keep := min(n, maxHead-len(s.head))
		s.head = append(s.head, p[:keep]...)
		s.left -= n
		p = p[n:]
		if s.left == 0 {
			f(s.kind(), s.head, s.size)
			s.prefix, s.head, s.startup = s.prefix[:0], s.head[:0], false
		}
	}
}

// prefixBytes is the length of what comes before a message's body.
func (s *frames) prefixBytes() int {
	if s.startup {
		return 4
	}
	return 5
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
		const lengthBytes = 4 // the length counts itself
		s.left = max(int(binary.BigEndian.Uint32(s.prefix[len(s.prefix)-lengthBytes:]))-lengthBytes, 0)
		s.size = s.left + len(s.prefix)
	}
	return p[n:]
}
