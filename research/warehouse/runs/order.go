package runs

import (
	"crypto/sha256"
	"encoding/json"
	"slices"
	"strings"

	"quaestor/internal/fault"
)

// Order is a request for a run.
type Order struct {
	Project   string   `json:"projectId"`             // must be ready
	Warehouse string   `json:"warehouseId,omitempty"` // one of the project's; empty for its default one
	Areas     []string `json:"areas,omitempty"`       // ids of those to explore; empty for all
	MaxSteps  int      `json:"maxSteps"`              // zero means DefaultMaxSteps
	MinSteps  int      `json:"minSteps"`              // before which the analyst may not end
	Budget    Budget   `json:"budget"`                // it may lower that of the project, not raise it

	By      string `json:"-"` // who ordered it
	Request string `json:"-"` // the client's id of the request, which makes repeating it safe; may be empty
}

// The limits of an order.
const (
	// 100 steps are the default of the predecessor, which users compare us with.
	DefaultMaxSteps = 100
	MaxSteps        = 1000
	maxAreas        = 100
	maxAreaBytes    = 80
	maxRequestBytes = 255
)

// tidy returns the order with its defaults, or a fault if it is invalid.
func (o Order) tidy() (Order, error) {
	if o.MaxSteps == 0 {
		o.MaxSteps = DefaultMaxSteps
	}
	o.Areas = slices.Clone(o.Areas)
	slices.Sort(o.Areas)
	o.Areas = slices.Compact(o.Areas)
	switch {
	case o.MaxSteps < 1 || o.MaxSteps > MaxSteps:
		return o, fault.New(fault.Unprocessable, "must be 1 to %d, not %d", MaxSteps, o.MaxSteps).At("maxSteps")
	case o.MinSteps < 0 || o.MinSteps > o.MaxSteps:
		return o, fault.New(fault.Unprocessable, "must be 0 to %d, not %d", o.MaxSteps, o.MinSteps).At("minSteps")
	case len(o.Areas) > maxAreas || slices.ContainsFunc(o.Areas, func(a string) bool { return strings.TrimSpace(a) == "" || len(a) > maxAreaBytes || a != clean(a) }):
		return o, fault.New(fault.Unprocessable, "must be the ids of at most %d areas", maxAreas).At("areas")
	case len(o.Request) > maxRequestBytes || o.Request != clean(o.Request):
		return o, fault.New(fault.Invalid, "at most %d bytes", maxRequestBytes).At("Idempotency-Key")
	}
	if field, right := o.Budget.Fault(); field != "" {
		return o, fault.New(fault.Unprocessable, "%s", right).At(field)
	}
	return o, nil
}

// coverage returns how much of its subject the order covers.
func (o *Order) coverage() Coverage {
	if len(o.Areas) > 0 {
		return SelectedAreas
	}
	return FullCoverage
}

// hash distinguishes orders that use the same request id.
func (o *Order) hash() []byte {
	body, err := json.Marshal(o)
	if err != nil {
		panic("runs: an order that was checked cannot be encoded: " + err.Error())
	}
	sum := sha256.Sum256(body)
	return sum[:]
}
