package rules

import (
	"sync"
	"testing"
)

// tally counts the lines of a table of messages that are not read as they should be. What
// is learned from examples is never right about all of them.
type tally struct {
	testing.TB

	mu   sync.Mutex
	miss int
}

// measured returns a test that fails when more than most of its lines do, which is how
// many did when it was measured: they may become fewer, not more.
func measured(t *testing.T, most int) *tally {
	t.Helper()
	m := &tally{TB: t}
	t.Cleanup(func() {
		if m.miss > most {
			t.Errorf("%d lines are not read as they should be; it was %d", m.miss, most)
		}
	})
	return m
}

// Errorf counts a line.
func (m *tally) Errorf(format string, args ...any) {
	m.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.miss++
	m.Logf(format, args...)
}

// Error counts a line.
func (m *tally) Error(args ...any) {
	m.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.miss++
	m.Log(args...)
}
