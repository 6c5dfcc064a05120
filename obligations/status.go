package obligations

import "slices"

// Status is where an obligation stands.
type Status string

// The statuses.
const (
	Pending    Status = "pending"     // not asked yet
	InProgress Status = "in_progress" // asked; no usable answer yet
	Partial    Status = "partial"     // an answer that is not sure or not complete enough
	Satisfied  Status = "satisfied"   // known
	Deferred   Status = "deferred"    // the person wants to come back to it
	Skipped    Status = "skipped"     // it does not apply, or the person will not say
)

// statuses lists all of them, in the usual order of an obligation's life.
var statuses = []Status{Pending, InProgress, Partial, Satisfied, Deferred, Skipped}

// transitions lists, for each status, the statuses an obligation may move to.
// None is final, because a session may be reopened.
var transitions = map[Status][]Status{
	Pending:    {InProgress, Partial, Satisfied, Deferred, Skipped},
	InProgress: {Pending, Partial, Satisfied, Deferred, Skipped},
	Partial:    {Pending, InProgress, Satisfied, Deferred, Skipped},
	Satisfied:  {Pending, InProgress, Partial, Deferred, Skipped}, // corrected, rejected, or its premise fell
	Deferred:   {Pending, InProgress, Partial, Satisfied, Skipped},
	Skipped:    {Pending, InProgress, Partial, Satisfied, Deferred}, // the person changed their mind
}

// May reports whether an obligation may move from s to next. Staying in a valid
// status is always allowed.
func (s Status) May(next Status) bool {
	if !s.Valid() || !next.Valid() {
		return false
	}
	return s == next || slices.Contains(transitions[s], next)
}

// Valid reports whether s is one of the statuses.
func (s Status) Valid() bool { return slices.Contains(statuses, s) }
