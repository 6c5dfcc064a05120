package runs

import (
	"context"
	"errors"
	"maps"
	"sync"
	"time"

	"quaestor/research/warehouse"
)

// meter is a gateway that counts what the warehouse was sent, and sends nothing more once a budget is used
// up. It is safe for concurrent use.
type meter struct {
	warehouse.Gateway

	mu      sync.Mutex                               // guards what follows
	used    warehouse.StatementUsage                 // since it was taken last
	within  warehouse.StatementUsage                 // since the budget was set
	largest warehouse.StatementUsage                 // the most that one statement has used, of each kind
	over    func(used warehouse.StatementUsage) bool // whether the budget is used up by that; nil means that there is none
	open    int                                      // statements that are under way
	back    chan struct{}                            // closed when one of them comes back
}

// errBudget is why a statement is not sent.
var errBudget = errors.New("the budget of the run was used up")

// Ask implements [warehouse.Gateway]. Statements that were refused before they were sent do not count.
func (m *meter) Ask(ctx context.Context, q warehouse.Query) (warehouse.Answer, error) {
	if err := m.admit(ctx); err != nil {
		return warehouse.Answer{}, err
	}
	began := time.Now()
	a, err := m.Gateway.Ask(ctx, q)
	u := warehouse.StatementUsage{Statements: 1, Took: time.Since(began)}
	switch {
	case a.Result != nil:
		u.Rows, u.Scanned, u.Took = int64(a.Result.Rows), a.Result.Scanned, a.Result.Took
	case a.Sent.SQL == "":
		u = warehouse.StatementUsage{}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.used, m.within = m.used.Add(u), m.within.Add(u)
	m.largest = warehouse.StatementUsage{Statements: 1, Scanned: max(m.largest.Scanned, u.Scanned), Took: max(m.largest.Took, u.Took), Rows: max(m.largest.Rows, u.Rows)}
	m.open--
	if m.back != nil {
		close(m.back)
		m.back = nil
	}
	return a, err
}

// admit waits until a statement may be sent, or returns errBudget. While those under way may use up the
// rest of the budget, which their largest predecessor tells, no other is sent beside them, so that the budget
// is passed by one statement at most.
func (m *meter) admit(ctx context.Context) error {
	for {
		m.mu.Lock()
		if m.back == nil {
			m.back = make(chan struct{})
		}
		back := m.back
		if m.over == nil || m.open == 0 && !m.over(m.within) || m.open > 0 && m.largest.Statements > 0 && !m.over(m.ahead()) {
			m.open++
			m.mu.Unlock()
			return nil
		}
		alone := m.open == 0
		m.mu.Unlock()
		if alone {
			return errBudget
		}
		select {
		case <-back:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// ahead is what will have been used when the statements under way, and one more, come back. Must hold mu.
func (m *meter) ahead() warehouse.StatementUsage {
	u := m.within
	for range m.open + 1 {
		u = u.Add(m.largest)
	}
	return u
}

// limit begins to hold statements to a budget: over tells whether what they use from now on uses it up.
func (m *meter) limit(over func(used warehouse.StatementUsage) bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.within, m.over = warehouse.StatementUsage{}, over
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

// keepWithinBudget holds the statements from now on to what is left of the run's budget. What else the run
// pays for has to be over by then: it is not counted.
func (w *work) keepWithinBudget() {
	run, since := w.run, w.since
	run.Spent = maps.Clone(run.Spent)
	list, house := w.prices, run.Warehouse
	w.meter.limit(func(used warehouse.StatementUsage) bool {
		then := run
		usd, _ := list.OfStatements(house, used) // what has no price costs nothing
		then.Spent = with(run.Spent, cost{Analysing, PurposeCost{Asked: used, WarehouseUSD: usd}})
		return budgetReason(run.Budget, &then, time.Since(since)) != ""
	})
}
