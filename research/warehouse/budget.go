package warehouse

import (
	"cmp"
	"time"
)

// Budget limits what a run may use. Zero is no limit.
type Budget struct {
	USD    float64       `json:"usd,omitempty"`    // US dollars, for models and warehouse, as far as prices are known
	Tokens int64         `json:"tokens,omitempty"` // input and output of all calls
	Bytes  int64         `json:"bytes,omitempty"`  // that the warehouse scans, as it reports
	Time   time.Duration `json:"time,omitempty"`   // of work, without waits; in whole seconds
}

// The limits of a budget.
const (
	MaxBudgetUSD   = 1_000_000
	MaxBudgetBytes = 1 << 60
	MaxBudgetTime  = 24 * time.Hour
)

// Fault returns the field of an invalid limit with what would be right; both are empty if the budget
// is valid.
func (b Budget) Fault() (field, right string) {
	switch {
	case !(b.USD >= 0 && b.USD <= MaxBudgetUSD): // NaN as well
		return "budget.usd", "must be 0 to 1,000,000"
	case b.Tokens < 0:
		return "budget.tokens", "must not be negative"
	case b.Bytes < 0 || b.Bytes > MaxBudgetBytes:
		return "budget.bytes", "must be 0 to 2^60"
	case b.Time < 0 || b.Time > MaxBudgetTime:
		return "budget.time", "must be at most a day"
	}
	return "", ""
}

// Least returns the lower of each two limits.
func (b Budget) Least(c Budget) Budget {
	return Budget{lower(b.USD, c.USD), lower(b.Tokens, c.Tokens), lower(b.Bytes, c.Bytes), lower(b.Time, c.Time)}
}

// lower returns the lower of two limits, of which zero is none.
func lower[T cmp.Ordered](a, b T) T {
	var none T
	switch {
	case a == none:
		return b
	case b == none:
		return a
	}
	return min(a, b)
}
