package reading

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"quaestor/chat/field"
	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
	"quaestor/sessions"
)

// countsThings reports whether a figure counts the things that are said behind it, "80 cows", where t
// asks for money and nothing in its words speaks of them.
func (h *heard) countsThings(t *obligations.Template, words []language.Word, f *language.Figure) bool {
	if field.Unit(t) != "money" || f.Currency != "" || f.Unit != "" || f.Period != "" || f.Percent || f.To >= len(words) || scaled(words[f.To-1]) {
		return false
	}
	next := words[f.To]
	w := language.Fold(next.Text)
	thing := len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss")
	if h.language() == "de" {
		r, _ := utf8.DecodeRuneInString(next.Text)
		thing = unicode.IsUpper(r)
	}
	if !thing || !next.Spaced || slices.ContainsFunc([]string{"loose", "boundary", "period", "per", "currency", "about", "most", "least", "opener", "predicate", "being", "topic", "speaker", "mend", "part", "also", "courtesy", "total", "hedge", "closer", "linking", "padding", "weekday", "month"}, func(kind string) bool { return language.IsWord(kind, w) }) {
		return false
	}
	return !field.OfItsOwn(t, listening.Stems(w))
}

// pricesOne reports whether a figure is the price of one of something, "38 euros a head", "12 a week
// per kennel", where t asks what comes together in some time, or was not asked for.
func (h *heard) pricesOne(t *obligations.Template, words []language.Word, f *language.Figure) bool {
	asked := h.asked != nil && h.asked.Key == t.Key
	if field.Unit(t) != "money" || asked && field.Period(t) == "" || f.Percent || f.To >= len(words) {
		return false
	}
	w := language.Fold(words[f.To].Text)
	if language.IsWord("apiece", w) {
		return true
	}
	if f.To+1 >= len(words) {
		return false
	}
	next := language.Fold(words[f.To+1].Text)
	return language.IsWord("apiece", w+"_"+next) || language.IsWord("peritem", w) && h.spelled(words[f.To+1].From, words[f.To+1].To) > 0 && !language.IsWord("period", next) && !language.IsWord("article", next)
}

// scaled reports whether a word is or ends with a scale, as nobody counts things: "20k".
func scaled(w language.Word) bool {
	f := language.Fold(w.Text)
	return language.IsWord("scale", f) && f != "hundred" && f != "hundert"
}

// tellByUnit holds in doubt a figure whose unit does not fit what was asked, for the one open field
// that takes it: "40 hours a week", asked for the sales of a year; "400k a year", asked
// for how people pay.
func (h *heard) tellByUnit() {
	if h.asked == nil || h.purpose() != sessions.ToAsk || h.asked.Widget != obligations.Number && len(h.asked.Choices) == 0 || h.told(h.asked.Key) || len(h.words) > longestReplaced {
		return
	}
	figures := h.values.Figures(h.words)
	if len(figures) != 1 || figures[0].Unit == "" && (figures[0].Period == "" || figures[0].Low < thousand) || len(h.out.Findings) > 0 || len(h.said.Segments) != 1 || answersNothing[h.said.Segments[0].Act] {
		return
	}
	f := &figures[0]
	if h.asked.Widget != obligations.Number && f.Unit != "" { // "1 sec"
		return
	}
	var only *obligations.Obligation
	for i := range h.scene.Obligations {
		o := &h.scene.Obligations[i]
		unit := field.Unit(o.Template)
		alike := language.IsTime(f.Unit) && language.IsTime(unit) || language.IsMeasure(f.Unit) && language.IsMeasure(unit)
		if f.Unit == "" {
			alike = unit == "money" && field.Period(o.Template) == f.Period
		}
		if factor, _ := language.Convert(f.Unit, unit); factor > mostLarger || factor < 1/mostLarger {
			continue // "3 months" are no hours of a week
		}
		if o.Widget != obligations.Number || o.Value != nil || o.Resolved() || o.Key == h.asked.Key || !alike || field.Figure(o.Template, f) == nil {
			continue
		}
		if only != nil {
			return
		}
		only = o
	}
	if only == nil {
		return
	}
	_, _, same, _ := field.OfPeriod(only.Template, f)
	v := valueRead{value: field.Figure(only.Template, f), hedged: f.Approximate || !same, loose: true}
	v.from, v.to = h.words[f.From].From, h.words[f.To-1].To
	h.noteFitting(only.Key, v, obligations.Tell, mostDoubtful)
}

// mostLarger is by how much the unit of a figure is larger or smaller than that of its field at most:
// hours are told in minutes and days.
const mostLarger = 61
