package reading

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"quaestor/chat/field"
	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
	"quaestor/sessions"
)

// reckoned reads the answer to a question for a figure that is told in several of them: the parts of
// a sum ("10k now and 5k from the bank"), a rate and for how long it is ("500 a day, five days a
// week"), how many of what ("3 x 500"), or a share and the rest ("40 % in the shop, the rest
// online"). It reports whether it was one.
func (h *heard) reckoned() bool {
	if h.asked == nil || h.asked.Widget != obligations.Number || h.purpose() != sessions.ToAsk || h.told(h.asked.Key) || len(h.words) > longestReckoned || len(h.settled) > 0 {
		return false
	}
	for i := range h.said.Segments {
		if a := h.said.Segments[i].Act; a == listening.Question || a == listening.Correction || a == listening.Stop {
			return false
		}
	}
	dates := h.values.Dates(h.words, h.scene.Now, language.Ahead)
	figures := slices.DeleteFunc(h.values.Figures(h.words), func(f language.Figure) bool {
		return f.Ordinal || slices.ContainsFunc(dates, func(d language.DateValue) bool {
			return d.From < f.To && f.From < d.To && f.Currency == "" && f.Unit == ""
		})
	})
	if v := h.remainder(figures); v != nil {
		return h.noteReckoned(v)
	}
	if len(figures) == 1 { // "dreimal 500 Euro"
		f := figures[0]
		if times, ok := h.lexicalValue("times", f.From-1); ok && f.Period == "" && times > 1 {
			f.Low, f.High = f.Low*times, f.High*times
			return h.noteReckoned(&f)
		}
	}
	if len(figures) < 2 || h.speaksOf(h.all(), "apart") || h.deniesIn(h.all()) {
		return false
	}
	for _, reckon := range []func([]language.Figure) *language.Figure{h.totalOf, h.timesOf, h.lastingOf, h.sumOf} {
		f := reckon(figures)
		if f == nil {
			continue
		}
		return h.noteReckoned(f)
	}
	return false
}

// lexicalValue returns what word i is worth as one of a kind.
func (h *heard) lexicalValue(kind string, i int) (float64, bool) {
	if i < 0 {
		return 0, false
	}
	for _, l := range language.All() {
		if s, ok := l.Value(kind, h.folded()[i]); ok {
			v, err := strconv.ParseFloat(s, 64)
			return v, err == nil
		}
	}
	return 0, false
}

// longestReckoned bounds, in words, a message whose figures are reckoned with.
const longestReckoned = 30

// noteReckoned notes what was reckoned as the answer, in the words of the whole message.
func (h *heard) noteReckoned(f *language.Figure) bool {
	value := field.Figure(h.asked.Template, f)
	if value == nil {
		return false
	}
	_, _, same, _ := field.OfPeriod(h.asked.Template, f)
	v := valueRead{value: value, hedged: f.Approximate || !same, sure: 1, spanned: true}
	v.from, v.to = h.extent(h.spoken(h.all()))
	return h.note(h.asked.Key, v, obligations.Tell, 0)
}

// totalOf returns the figure that is said to be the total of the others.
func (h *heard) totalOf(figures []language.Figure) *language.Figure {
	for i := len(figures) - 1; i > 0; i-- {
		f := figures[i]
		for k := f.From - 1; k >= max(0, f.From-2); k-- {
			if isMark(h.folded()[k], ",.;") {
				break
			}
			if h.entry("total", k, f.From) > 0 {
				return &f
			}
		}
		if f.To < len(h.words) && h.entry("total", f.To, len(h.words)) > 0 {
			return &f
		}
	}
	return nil
}

// timesOf returns the product of two figures that a sign parts: "3 x 500 euros", "8 grand a van times
// two".
func (h *heard) timesOf(figures []language.Figure) *language.Figure {
	if len(figures) != 2 || figures[0].Percent || figures[1].Percent {
		return nil
	}
	a, b := figures[0], figures[1]
	if !slices.ContainsFunc(h.folded()[a.To:b.From], func(w string) bool { return language.IsWord("multiple", w) || w == "*" || w == "×" }) {
		return nil
	}
	if a.Currency == "" && a.Unit == "" {
		a, b = b, a
	}
	a.Low, a.High = a.Low*b.Low, a.High*b.High
	return &a
}

// lastingOf returns a rate over the time that it lasts, "500 a month for a year", or over the days on
// which it holds, "500 a day, five days a week".
func (h *heard) lastingOf(figures []language.Figure) *language.Figure {
	if len(figures) != 2 {
		return nil
	}
	rate, time := figures[0], figures[1]
	if rate.Unit == "day" && rate.Period != "" || rate.Period == "" {
		rate, time = time, rate
	}
	switch {
	case rate.Period == "" || !language.IsTime(time.Unit) || rate.Times != 0:
		return nil
	case rate.Period == "day" && time.Unit == "day" && time.Period != "":
		rate.Low, rate.High, rate.Period = rate.Low*time.Low, rate.High*time.High, time.Period
	case time.Period == "" && field.Period(h.asked.Template) == "" && language.IsWord("lasting", h.folded()[max(0, time.From-1)]):
		factor, ok := language.Convert(time.Unit, rate.Period)
		if !ok {
			return nil
		}
		rate.Low, rate.High, rate.Period, rate.Approximate = field.Rounded(rate.Low*time.Low*factor), field.Rounded(rate.High*time.High*factor), "", true
	default:
		return nil
	}
	return &rate
}

// sumOf returns the sum of figures of one kind that are joined by "and", "plus" or "another".
func (h *heard) sumOf(figures []language.Figure) *language.Figure {
	sum := figures[0]
	joined := false
	for i := 1; i < len(figures); i++ {
		f := figures[i]
		between := h.folded()[figures[i-1].To:f.From]
		and := slices.ContainsFunc(between, func(w string) bool { return language.IsWord("part", w) || language.IsWord("another", w) })
		parted := and || slices.ContainsFunc(between, func(w string) bool { return isMark(w, ",") })
		joined = joined || and
		switch {
		case !parted, f.Percent != sum.Percent, f.Currency != "" && f.Currency != sum.Currency && sum.Currency != "":
			return nil
		case f.Unit != "" && f.Unit != sum.Unit && sum.Unit != "", f.Period != "" && f.Period != sum.Period:
			return nil
		case f.High > mostAlike*sum.High, sum.High > mostAlike*f.High:
			return nil
		}
		sum.Low, sum.High, sum.Approximate = sum.Low+f.Low, sum.High+f.High, sum.Approximate || f.Approximate
		sum.Currency, sum.Unit = cmp.Or(sum.Currency, f.Currency), cmp.Or(sum.Unit, f.Unit)
	}
	if !joined || sum.Percent || h.asked.Unit == "" || !h.countsAlike(figures) {
		return nil
	}
	return &sum
}

// mostAlike is by how much one part of a sum is larger than another at most.
const mostAlike = 20

// countsAlike reports whether what figures count may be added up: money and time, or people of whom
// only is told where they are or how they work.
func (h *heard) countsAlike(figures []language.Figure) bool {
	if field.Unit(h.asked.Template) == "money" || language.IsTime(field.Unit(h.asked.Template)) {
		return true
	}
	for _, f := range figures {
		if f.To < len(h.words) {
			w := h.folded()[f.To]
			if !language.IsWord("people", w) && !language.IsWord("boundary", w) && !language.IsWord("part", w) && h.entry("working", f.To, len(h.words)) == 0 {
				return false
			}
		}
	}
	return true
}

// remainder returns what is left of a whole for what was asked, where another part is told along with
// a word for the rest: "40 % in the shop, the rest online", asked what is sold online.
func (h *heard) remainder(figures []language.Figure) *language.Figure {
	if field.Unit(h.asked.Template) != "percent" || !h.speaksOf(h.all(), "remainder") {
		return nil
	}
	f, ok := h.onlyShare(figures)
	if !ok {
		return nil
	}
	of := field.Stems(h.asked.Name() + " " + h.asked.Prompt)
	for _, w := range cut(h.asked.Prompt).folded() {
		if language.IsWord("percent", w) || language.IsWord("quantity", w) {
			maps.DeleteFunc(of, func(st string, _ bool) bool { return field.Stems(w)[st] })
		}
	}
	shared := func(p wordRange) int {
		n := 0
		for st := range h.stemsIn(p) {
			if of[st] {
				n++
			}
		}
		return n
	}
	told, rest := 0, 0
	for _, p := range h.pieces() {
		switch {
		case h.speaksOf(p, "remainder"):
			rest += shared(p)
		case p.from <= f.From && f.From < p.to:
			told += shared(p)
		}
	}
	if rest <= told {
		return nil
	}
	f.Low, f.High, f.Percent = 100-f.High, 100-f.Low, true
	return &f
}

// onlyShare returns the one share that is told, in figures or in a word: "a quarter".
func (h *heard) onlyShare(figures []language.Figure) (language.Figure, bool) {
	for i, w := range h.folded() {
		if percent, ok := field.Share(w, false); ok {
			return language.Figure{Low: percent, High: percent, From: i, To: i + 1}, true
		}
	}
	if len(figures) != 1 || figures[0].High > 100 {
		return language.Figure{}, false
	}
	return figures[0], true
}
