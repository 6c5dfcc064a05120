package warehouse

import "time"

// StatementUsage is what statements took of a warehouse.
type StatementUsage struct {
	Statements int           `json:"statements,omitempty"` // that were sent, those that failed included
	Rows       int64         `json:"rows,omitempty"`       // that came back
	Scanned    int64         `json:"scanned,omitempty"`    // bytes, as the warehouse reports
	Took       time.Duration `json:"took,omitempty"`       // in nanoseconds, of the warehouse
}

// Add returns the sum.
func (u StatementUsage) Add(v StatementUsage) StatementUsage {
	return StatementUsage{u.Statements + v.Statements, u.Rows + v.Rows, u.Scanned + v.Scanned, u.Took + v.Took}
}
