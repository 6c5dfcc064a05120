package rules

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
	"quaestor/sessions"
)

// unitOf returns the unit a template's unit text names: a unit of time, "money", "percent", or ""
// for what only counts things.
func unitOf(text string) string {
	text = language.Fold(strings.TrimSpace(text))
	switch {
	case strings.Contains(text, "%"), text == "percent":
		return "percent"
	case text == "money", text == "currency", isOne("currency", text):
		return "money"
	}
	for _, kind := range []string{"period", "unit"} {
		for _, l := range language.All() {
			if unit, ok := l.Value(kind, text); ok {
				return unit
			}
		}
	}
	return ""
}

// otherMeasure reports whether a figure measures a length, weight, area or volume and t asks for money,
// a share, or a count of something.
func otherMeasure(t *obligations.Template, f *language.Figure) bool {
	return t.Unit != "" && language.IsMeasure(f.Unit) && !language.IsMeasure(unitOf(t.Unit)) && !(unitOf(t.Unit) == "money" && f.Unit == "m")
}

// countsThings reports whether a figure counts the things that are said behind it, "80 cows", where t
// asks for money and nothing in its words speaks of them.
func (h *heard) countsThings(t *obligations.Template, words []language.Word, f *language.Figure) bool {
	if unitOf(t.Unit) != "money" || f.Currency != "" || f.Unit != "" || f.Period != "" || f.Percent || f.To >= len(words) || h.scaled(words[f.To-1]) {
		return false
	}
	next := words[f.To]
	w := language.Fold(next.Text)
	thing := len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss")
	if h.language() == "de" {
		r, _ := utf8.DecodeRuneInString(next.Text)
		thing = unicode.IsUpper(r)
	}
	if !thing || !next.Spaced || slices.ContainsFunc([]string{"loose", "boundary", "period", "per", "currency", "about", "most", "least", "opener", "predicate", "being", "topic", "speaker", "mend", "part", "also", "courtesy", "total", "hedge", "closer", "linking", "padding", "weekday", "month"}, func(kind string) bool { return isOne(kind, w) }) {
		return false
	}
	return !ofItsOwn(t, listening.Stems(w))
}

// scaled reports whether a word is or ends with a scale, as nobody counts things: "20k".
func (h *heard) scaled(w language.Word) bool {
	f := language.Fold(w.Text)
	return isOne("scale", f) && f != "hundred" && f != "hundert"
}

// tellByUnit holds in doubt a figure whose unit does not fit what was asked, for the one open field
// that takes it: "40 hours a week", asked for the sales of a year.
func (h *heard) tellByUnit() {
	if h.asked == nil || h.purpose() != sessions.ToAsk || h.asked.Widget != obligations.Number || h.told(h.asked.Key) || len(h.words) > longestReplaced {
		return
	}
	figures := h.values.Figures(h.words)
	if len(figures) != 1 || figures[0].Unit == "" || len(h.out.Findings) > 0 || len(h.said.Segments) != 1 || answersNothing[h.said.Segments[0].Act] {
		return
	}
	f := &figures[0]
	var only *obligations.Obligation
	for i := range h.scene.Obligations {
		o := &h.scene.Obligations[i]
		unit := unitOf(o.Unit)
		alike := language.IsTime(f.Unit) && language.IsTime(unit) || language.IsMeasure(f.Unit) && language.IsMeasure(unit)
		if factor, _ := language.Convert(f.Unit, unit); factor > mostLarger || factor < 1/mostLarger {
			continue // "3 months" are no hours of a week
		}
		if o.Widget != obligations.Number || o.Value != nil || o.Resolved() || o.Key == h.asked.Key || !alike || h.figure(o.Template, f) == nil {
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
	_, _, same, _ := over(only.Template, f)
	v := valueRead{value: h.figure(only.Template, f), hedged: f.Approximate || !same, loose: true}
	v.from, v.to = h.words[f.From].From, h.words[f.To-1].To
	h.noteFitting(only.Key, v, obligations.Tell, mostDoubtful)
}

// mostLarger is by how much the unit of a figure is larger or smaller than that of its field at most:
// hours are told in minutes and days.
const mostLarger = 61

// least is the lower end of "up to".
func least(t *obligations.Template) float64 {
	if t.Min != nil {
		return *t.Min
	}
	return 0
}

// aWeek is how often a period comes in a week. How many days somebody means who says
// "a day" is not known: from the working days to all of them.
var aWeek = map[string][2]float64{
	"day": {5, 7}, language.EveryDay: {7, 7}, language.EveryWorkday: {5, 5}, "week": {1, 1}, "fortnight": {0.5, 0.5}, "month": {12.0 / 52, 12.0 / 52}, "quarter": {4.0 / 52, 4.0 / 52}, "year": {1.0 / 52, 1.0 / 52},
}

// over brings a figure that is said of a period to the one that t asks for: "500 a week" to a
// month. same tells whether the figure is the person's own; ok is false when nobody can tell.
func over(t *obligations.Template, f *language.Figure) (low, high float64, same, ok bool) {
	asked := periodOf(t)
	from, to := aWeek[f.Period], aWeek[asked]
	switch {
	case f.Period == "", asked == "", f.Times == 0 && (f.Period == asked || asked == "day" && (f.Period == language.EveryDay || f.Period == language.EveryWorkday)):
		return f.Low, f.High, true, true
	case from[0] == 0, to[0] == 0, unitOf(t.Unit) == "percent": // growth does not add up
		return 0, 0, false, false
	}
	times := cmp.Or(f.Times, 1)
	return rounded(f.Low * times * from[0] / to[1]), rounded(f.High * times * from[1] / to[0]), false, true
}

// rounded keeps no digits that a rough figure does not have.
func rounded(v float64) float64 {
	if math.Abs(v) >= 100 {
		return math.Round(v)
	}
	return math.Round(v*100) / 100
}

// periodOf returns the period that t asks a figure for: "week" of "How many hours a week",
// "year" of "in a year". It is empty where t asks for none.
func periodOf(t *obligations.Template) string {
	for _, text := range []string{t.Prompt, t.Name()} {
		words := strings.Fields(plainWords(text))
		for i, w := range words {
			for _, l := range language.All() {
				p, ok := l.Value("period", w)
				per := i > 0 && (isOne("per", words[i-1]) || isOne("article", words[i-1])) || i > 1 && isOne("per", words[i-2]+"_"+words[i-1])
				if ok && (per || strings.HasSuffix(w, "ly") || strings.HasSuffix(w, "lich") || strings.HasPrefix(w, "jaehr")) {
					return p
				}
			}
		}
	}
	return ""
}

// wholePeriods are the messages for a period as a whole, "a whole week".
var wholePeriods = map[string]string{
	"day": "period.whole.day", "week": "period.whole.week", "fortnight": "period.whole.fortnight", "month": "period.whole.month", "quarter": "period.whole.quarter", "year": "period.whole.year",
}
