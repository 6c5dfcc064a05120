package tokens

import "unicode/utf8"

// How many parts of a text an estimate counts, and how long they are.
const (
	sampleParts = 64
	sampleBytes = 4 << 10
)

// Estimate returns roughly how many tokens a large text has, from parts spread evenly over it. It
// takes a few milliseconds whatever the length. A text no longer than the parts together is
// counted exactly.
func Estimate(s string) int {
	if len(s) <= sampleParts*sampleBytes {
		return shared.words(s)
	}
	counted, bytes := 0, 0
	step := (len(s) - sampleBytes) / (sampleParts - 1)
	for i := range sampleParts {
		part := partOf(s, i*step)
		counted, bytes = counted+shared.words(part), bytes+len(part)
	}
	return int(float64(counted)/float64(bytes)*float64(len(s))) + 1
}

// partOf returns the part of s that begins at about from, cut between characters.
func partOf(s string, from int) string {
	to := from + sampleBytes
	for from > 0 && !utf8.RuneStart(s[from]) {
		from--
	}
	for to < len(s) && !utf8.RuneStart(s[to]) {
		to++
	}
	return s[from:min(to, len(s))]
}
