package ui

import (
	"time"
)

// Fact is a name and what there is to say under it.
type Fact struct{ Name, Value string }

// moment returns the moment that the value is, if it is one as [when] writes it.
func (f Fact) moment() (time.Time, bool) {
	at, err := time.Parse(momentLayout, f.Value)
	return at, err == nil
}

// When is a moment as people without JavaScript read it.
func When(at time.Time) string { return at.UTC().Format(momentLayout) }

// momentLayout is how moments are written.
const momentLayout = "2 Jan 2006, 15:04 UTC"
