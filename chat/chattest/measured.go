package chattest

import (
	"sync"
	"testing"
)

// Tally counts the lines of a table of messages that are not read as they should be. What
// is learned from examples is never right about all of them.
type Tally struct {
	testing.TB

	mu   sync.Mutex
	miss int
}

// Measured returns a test that fails when more than most of its lines do, which is how
// many did when it was measured: they may become fewer, not more.
func Measured(t *testing.T, most int) *Tally {
	t.Helper()
	m := &Tally{TB: t}
	t.Cleanup(func() {
		if m.miss > most {
			t.Errorf("%d lines are not read as they should be; it was %d", m.miss, most)
		}
	})
	return m
}

// Errorf counts a line.
func (m *Tally) Errorf(format string, args ...any) {
	m.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.miss++
	m.Logf(format, args...)
}

// Error counts a line.
func (m *Tally) Error(args ...any) {
	m.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.miss++
	m.Log(args...)
}
