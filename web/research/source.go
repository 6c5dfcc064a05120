package research

import (
	"unicode"
	"unicode/utf16"

	"quaestor/obligations"
	"quaestor/research"
	"quaestor/web"
	"quaestor/web/ui"
)

// margin is how much of the text on each side of a quote is shown with it, in UTF-16 units:
// two or three sentences.
const margin = 240

// around returns the text on both sides of a quote, cut between words. Ok is false when
// text does not have quote at span: a quote that was not found is shown by itself.
func around(text, quote string, span obligations.Span) (before, after string, ok bool) {
	units := utf16.Encode([]rune(text))
	if span.Start < 0 || span.End > len(units) || span.Start >= span.End || string(utf16.Decode(units[span.Start:span.End])) != quote {
		return "", "", false
	}
	from, to := max(span.Start-margin, 0), min(span.End+margin, len(units))
	// A margin that would begin or end inside a word is cut to the next space.
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

// pages returns how many pages the source's text takes, at least one.
func (v SourceView) pages() int {
	units := 0
	for _, r := range v.Document.Content {
		units += utf16.RuneLen(r)
	}
	return max((units+ui.PageUnits-1)/ui.PageUnits, 1)
}

// at returns the page that is shown, from 1.
func (v SourceView) at() int { return min(max(v.Page, 1), v.pages()) }

// emptyWords tell why a source has no text.
func (v SourceView) emptyWords() string {
	if words := sourceWords(v.Document.Source); words != "" {
		return ui.Visible(words)
	}
	return "nothing in it could be read as text"
}

// shown returns the text of the page, cut where quotes begin and end. A page never ends
// inside a character of two units.
func (v SourceView) shown() []ui.Passage {
	units := utf16.Encode([]rune(v.Document.Content))
	page := v.at()
	marks := web.Map(v.Claims, func(c research.Claim) ui.Mark { return ui.Mark{N: c.N, Quote: c.Quote, Span: c.Span} })
	return ui.Passages(units, marks, ui.WholeCharacter(units, (page-1)*ui.PageUnits), ui.WholeCharacter(units, min(page*ui.PageUnits, len(units))))
}
