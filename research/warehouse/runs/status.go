package runs

import (
	"slices"

	"quaestor/internal/fault"
)

// Status is the status of a run.
type Status string

// The statuses.
const (
	Pending     Status = "pending"     // waits for a worker
	Running     Status = "running"     // held by a worker
	Paused      Status = "paused"      // until somebody resumes it
	Interrupted Status = "interrupted" // its worker died, was shut down or failed; it continues by itself
	Completed   Status = "completed"
	Failed      Status = "failed" // can be resumed where it was
	Cancelled   Status = "cancelled"
)

// transitions lists the statuses that may follow each status.
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

// Over reports whether the run stays as it is unless somebody acts.
func (s Status) Over() bool { return s == Completed || s == Failed || s == Cancelled }

// pauseRequest is the stored request to pause a run after the current step.
const pauseRequest = "pause"

// refused is the Conflict of a command that the run's status does not allow.
func refused(s Status, did string) error {
	return fault.New(fault.Conflict, "this run is %s and cannot be %s", s, did).Coded("run_" + string(s))
}

// noRun is the fault of a run that does not exist.
func noRun() error {
	return fault.New(fault.NotFound, "there is no such run").Coded("run_not_found")
}
