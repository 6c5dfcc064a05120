package web

import "context"

// Setup is how the server is set up, for the pages of those who manage it. The
// zero value shows nothing.
type Setup struct {
	Settings []Setting
	Parts    []Part
	// Pending counts the migrations that the database lacks; nil means it is not
	// known.
	Pending func(context.Context) (int, error)
}

// Setting is a setting in force. The value of a secret is masked already.
type Setting struct{ Variable, Value, Help string }

// Part is something the server is connected to, or could be.
type Part struct {
	Name  string // in addresses: letters and -
	Title string
	State string // one sentence of what is configured, or what would configure it
	On    bool   // it is configured
	// Try makes one small real request in the name of a tenant and says what came
	// of it. Nil means that there is nothing to try.
	Try func(ctx context.Context, tenant string) (string, error)
}
