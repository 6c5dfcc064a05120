package runs

import (
	"context"
	"sync"
	"time"

	"quaestor/research/warehouse"
)

// meter is a gateway that counts what the warehouse was sent. It is safe for concurrent use.
type meter struct {
	warehouse.Gateway

	mu   sync.Mutex // guards used
	used warehouse.StatementUsage
}

// Ask implements [warehouse.Gateway]. Statements that were refused before they were sent do not count.
func (m *meter) Ask(ctx context.Context, q warehouse.Query) (warehouse.Answer, error) {
	began := time.Now()
	a, err := m.Gateway.Ask(ctx, q)
	u := warehouse.StatementUsage{Statements: 1, Took: time.Since(began)}
	switch {
	case a.Result != nil:
		u.Rows, u.Scanned, u.Took = int64(a.Result.Rows), a.Result.Scanned, a.Result.Took
	case a.Sent.SQL == "":
		return a, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.used = m.used.Add(u)
	return a, err
}

// take returns what was used since it was called last. A nil meter has used nothing.
func (m *meter) take() warehouse.StatementUsage {
	if m == nil {
		return warehouse.StatementUsage{}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	u := m.used
	m.used = warehouse.StatementUsage{}
	return u
}
