package research

import (
	"unicode"
	"unicode/utf16"

	"quaestor/obligations"
	"quaestor/web/ui"
)

// margin is how much of the text around a quote is shown with it, in UTF-16
// units.
const margin = 240

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

// pages is how many pages the source's text takes, at least one.
func (v SourceView) pages() int {
	return max((v.units()+ui.PageUnits-1)/ui.PageUnits, 1)
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
func (v SourceView) shown() []ui.Passage {
	units := utf16.Encode([]rune(v.Document.Content))
	page := min(max(v.Page, 1), v.pages())
	marks := make([]ui.Mark, len(v.Claims))
	for i, c := range v.Claims {
		marks[i] = ui.Mark{N: c.N, Quote: c.Quote, Span: c.Span}
	}
	return ui.Passages(units, marks, ui.WholeCharacter(units, (page-1)*ui.PageUnits), ui.WholeCharacter(units, min(page*ui.PageUnits, len(units))))
}
