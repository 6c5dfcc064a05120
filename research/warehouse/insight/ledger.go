package insight

import (
	"math"
	"strings"
)

// Standing is how an insight stands against earlier runs.
type Standing string

// The standings.
const (
	New      Standing = "new"
	Again    Standing = "confirmed" // found before, with much the same effect
	Changed  Standing = "changed"   // found before, with another effect
	Resolved Standing = "resolved"  // found before and not any more, though its table was searched
)

// sameEffect is by how much effects may differ, relatively, and be the same.
const sameEffect = 0.25

// Stand compares the effect of an insight with that of an earlier run.
func Stand(was, now float64) Standing {
	if was*now > 0 && math.Abs(now-was) <= sameEffect*math.Max(math.Abs(was), math.Abs(now)) {
		return Again
	}
	return Changed
}

// TableOf returns the table of the key of an insight; see [Insight].
func TableOf(key string) string {
	_, rest, _ := strings.Cut(key, "|")
	table, _, _ := strings.Cut(rest, "|")
	return table
}
