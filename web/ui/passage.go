package ui

import (
	"slices"
	"unicode/utf16"

	"quaestor/obligations"
)

// PageUnits is how much of a source's text a page shows, in UTF-16 units.
const PageUnits = 20_000

// Passage is a piece of a text. Marks are the numbers of those that quote it; Starts of
// those whose quote begins with it.
type Passage struct {
	Text   string
	Marks  []int
	Starts []int
}

// Mark is a quote within a text, with a number that tells it from others.
type Mark struct {
	N     int
	Quote string
	Span  obligations.Span
}

// Passages cuts the units from up to to of a text where quotes begin and end.
// Marks whose words do not stand at their span are left out.
func Passages(units []uint16, marks []Mark, from, to int) []Passage {
	marks = slices.DeleteFunc(slices.Clone(marks), func(c Mark) bool {
		s := c.Span
		return s.Start < 0 || s.End > len(units) || s.Start >= s.End || string(utf16.Decode(units[s.Start:s.End])) != c.Quote
	})
	cuts := []int{from, to}
	for _, c := range marks {
		for _, at := range []int{c.Span.Start, c.Span.End} {
			if at > from && at < to {
				cuts = append(cuts, at)
			}
		}
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	var out []Passage
	for i := range len(cuts) - 1 {
		s := Passage{Text: string(utf16.Decode(units[cuts[i]:cuts[i+1]]))}
		for _, c := range marks {
			if c.Span.Start < cuts[i+1] && c.Span.End > cuts[i] {
				s.Marks = append(s.Marks, c.N)
			}
			if c.Span.Start == cuts[i] {
				s.Starts = append(s.Starts, c.N)
			}
		}
		out = append(out, s)
	}
	return out
}

// WholeCharacter moves a place in a text off the middle of a character.
func WholeCharacter(units []uint16, at int) int {
	if at > 0 && at < len(units) && utf16.IsSurrogate(rune(units[at])) && units[at] >= 0xdc00 {
		return at - 1
	}
	return at
}
