package admin

import (
	"context"
	"time"

	"quaestor/sessions/settings"
)

// Setup is how the server is set up, for the pages of those who manage it. The
// zero value shows nothing, and bounds and deletes nothing.
type Setup struct {
	Settings []Setting
	Parts    []Part
	// Defaults hold where an organisation has set nothing.
	Defaults settings.Values
	// Regular are the jobs that are due now and then.
	Regular []PeriodicJob
	// Vitals says how what only the program knows is, such as its disk; nil for
	// nothing.
	Vitals func(context.Context) []Dependency
	// Pending counts the migrations that the database lacks; nil means it is not
	// known.
	Pending func(context.Context) (int, error)
}

// Setting is a setting in force. The value of a secret is masked already.
type Setting struct{ Variable, Value, Help string }

// PeriodicJob is a kind of job that is queued every now and then.
type PeriodicJob struct {
	Kind  string
	Every time.Duration
}

// Dependency is one thing that the server needs, and its health.
type Dependency struct {
	Name  string
	Well  bool
	Off   bool // it is not set up, and nothing is wrong with that
	Words string
}

// Part is something the server is connected to, or could be.
type Part struct {
	Name  string // in addresses: letters and -
	Title string
	State string    // one sentence of what is configured, or what would configure it
	Use   string    // one sentence of what it is used for; may be empty
	Set   []Setting // the settings it comes from, of which only values are shown
	On    bool      // it is configured
	// Try makes one small real request in the name of a tenant and says what came
	// of it. Nil means that there is nothing to try.
	Try func(ctx context.Context, tenant string) (string, error)
	// Remedy says what repairs a failure of Try; nil for nothing that is known.
	Remedy func(error) string
}
