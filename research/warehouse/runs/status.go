package runs

import (
	"slices"

	"quaestor/internal/fault"
)

// Status is where a run stands.
type Status string

// The statuses.
const (
	Pending     Status = "pending"     // waits for a worker
	Running     Status = "running"     // a worker has it
	Paused      Status = "paused"      // until somebody resumes it
	Interrupted Status = "interrupted" // its worker died, was shut down or failed; it goes on by itself
	Completed   Status = "completed"
	Failed      Status = "failed" // could not be done; it can be resumed where it was
	Cancelled   Status = "cancelled"
)

// transitions are the statuses that may follow each.
var transitions = map[Status][]Status{
	Pending:     {Running, Paused, Cancelled, Failed},
	Running:     {Pending, Paused, Interrupted, Completed, Failed, Cancelled},
	Paused:      {Pending, Cancelled},
	Interrupted: {Running, Pending, Paused, Failed, Cancelled},
	Completed:   nil,
	Failed:      {Pending},
	Cancelled:   nil,
}

// MayBecome reports whether t may follow s.
func (s Status) MayBecome(t Status) bool { return slices.Contains(transitions[s], t) }

// Over reports whether nothing happens to the run any more by itself.
func (s Status) Over() bool { return s == Completed || s == Failed || s == Cancelled }

// wishPause is the request that a run pauses after the step it is in.
const wishPause = "pause"

// refused says that a run cannot become what somebody wants.
func refused(s Status, did string) error {
	return fault.New(fault.Conflict, "this run is %s and cannot be %s", s, did).Coded("run_" + string(s))
}

func noRun() error {
	return fault.New(fault.NotFound, "there is no such run").Coded("run_not_found")
}
