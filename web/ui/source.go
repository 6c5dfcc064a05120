package ui

import (
	"slices"
	"unicode"
	"unicode/utf16"

	"quaestor/obligations"
)

// pageUnits is how much of a source's text a page shows, in UTF-16 units.
const pageUnits = 20_000

// margin is how much of the text around a quote is shown with it, in UTF-16
// units.
const margin = 240

// stretch is a piece of a text. Marks are the numbers of those that quote it; Starts of
// those whose quote begins with it.
type stretch struct {
	Text   string
	Marks  []int
	Starts []int
}

// around returns a quote with the text beside it, cut between words; ok is false
// when the text does not say quote at span.
func around(text, quote string, span obligations.Span) (before, after string, ok bool) {
	units := utf16.Encode([]rune(text))
	if span.Start < 0 || span.End > len(units) || span.Start >= span.End || string(utf16.Decode(units[span.Start:span.End])) != quote {
		return "", "", false
	}
	from, to := max(span.Start-margin, 0), min(span.End+margin, len(units))
	for from > 0 && from < span.Start && !unicode.IsSpace(rune(units[from-1])) {
		from++
	}
	for to < len(units) && to > span.End && !unicode.IsSpace(rune(units[to])) {
		to--
	}
	before, after = string(utf16.Decode(units[from:span.Start])), string(utf16.Decode(units[span.End:to]))
	if from > 0 {
		before = "… " + before
	}
	if to < len(units) {
		after += " …"
	}
	return before, after, true
}

// mark is a quote within a text, with a number that tells it from others.
type mark struct {
	N     int
	Quote string
	Span  obligations.Span
}

// stretches cuts the units from up to to of a text where quotes begin and end.
// Marks whose words do not stand at their span are left out.
func stretches(units []uint16, marks []mark, from, to int) []stretch {
	marks = slices.DeleteFunc(slices.Clone(marks), func(c mark) bool {
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
	var out []stretch
	for i := range len(cuts) - 1 {
		s := stretch{Text: string(utf16.Decode(units[cuts[i]:cuts[i+1]]))}
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

// pages is how many pages the source's text takes, at least one.
func (v SourceView) pages() int {
	return max((v.units()+pageUnits-1)/pageUnits, 1)
}

func (v SourceView) units() int {
	n := 0
	for _, r := range v.Document.Content {
		n += utf16.RuneLen(r)
	}
	return n
}

// shown is the part of the text on the view's page, cut where quotes begin and
// end. Pages do not part the two halves of a character.
func (v SourceView) shown() []stretch {
	units := utf16.Encode([]rune(v.Document.Content))
	page := min(max(v.Page, 1), v.pages())
	marks := make([]mark, len(v.Claims))
	for i, c := range v.Claims {
		marks[i] = mark{c.N, c.Quote, c.Span}
	}
	return stretches(units, marks, whole(units, (page-1)*pageUnits), whole(units, min(page*pageUnits, len(units))))
}

// whole moves a place in a text off the middle of a character.
func whole(units []uint16, at int) int {
	if at > 0 && at < len(units) && utf16.IsSurrogate(rune(units[at])) && units[at] >= 0xdc00 {
		return at - 1
	}
	return at
}
