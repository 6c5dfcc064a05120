package reading

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"quaestor/chat/field"
	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
)

// timeOf reads a time of day.
func (h *heard) timeOf(list []listening.Span) valueRead {
	for _, s := range list {
		words := h.wordsBetween(s.From, s.To)
		if clocks := h.values.Clocks(words); len(clocks) > 0 {
			if h.inTheEvening(clocks[0].Text) {
				clocks[0].Text = laterHalf(clocks[0].Text)
			}
			return valueRead{value: field.Encode(clocks[0].Text), from: s.From, to: s.To, hedged: clocks[0].Approx, sure: s.Sure}
		}
	}
	return valueRead{}
}

// inTheEvening reports whether a time that may be of either half of the day is of the
// second, by what was asked for.
func (h *heard) inTheEvening(clock string) bool {
	if h.asked == nil || clock < "05:00" || clock > "11:59" {
		return false
	}
	return language.Says("evening", h.asked.Prompt+" "+h.asked.Name()) && !h.speaksOf(h.all(), "morning")
}

// laterHalf returns a time twelve hours later.
func laterHalf(clock string) string {
	hour, _ := strconv.Atoi(clock[:2])
	return strconv.Itoa(hour+12) + clock[2:]
}

// closed reads a number or a date that has words between two bytes of a segment; it may
// begin before them and go on behind them ("10, or maybe 12").
func (h *heard) closed(t *obligations.Template, from, to int, seg *listening.Segment) valueRead {
	v := valueRead{from: from, to: to}
	words := h.wordsBetween(max(seg.From, from-closedReach), min(max(to, seg.To), to+closedReach))
	overlaps := func(a, b int) bool { return words[a].From < to && words[b-1].To > from }
	if t.Widget == obligations.Date {
		d := language.Ahead
		if field.LooksBack(t) {
			d = language.Behind
		}
		for _, date := range h.values.Dates(words, h.scene.Now, d) {
			if overlaps(date.From, date.To) && (d == language.Ahead || date.ISO[:4] <= h.scene.Now.Format("2006") || strings.Contains(h.raw, date.ISO[:4])) {
				v.value, v.hedged, v.unclear = field.Encode(date.In(d)), date.Approximate || h.hedgedBefore(words[date.From].From), date.Other != ""
				v.from, v.to = words[date.From].From, words[date.To-1].To
				return v
			}
		}
		if d == language.Behind {
			if since := h.lasting(words, from, to); since.value != nil {
				return since
			}
			return h.shortYear(t, words)
		}
		return v
	}
	if countsPeople(t) {
		if n := h.peopleIn(from, to, seg.From, seg.To); n.value != nil && t.Check(n.value) == nil {
			return n
		}
	}
	if n := h.noneOf(t, words, from, to); n != nil {
		v.value = n
		return v
	}
	if n := h.shareOf(t, words, from, to); n != nil {
		v.value, v.hedged = n, true
		return v
	}
	for _, f := range h.values.Figures(words) {
		if !overlaps(f.From, f.To) || onlyPeriod(words, &f) {
			continue
		}
		if h.noSuch(words, &f) || h.countsThings(t, words, &f) || h.pricesOne(t, words, &f) {
			continue
		}
		if got := field.Figure(t, &f); got != nil {
			v.value, v.from, v.to, v.hedged = got, words[f.From].From, words[f.To-1].To, f.Approximate || f.Least
			_, _, same, _ := field.OfPeriod(t, &f)
			v.hedged = v.hedged || !same || h.hedgedBefore(v.from)
			return v
		}
	}
	return v
}

// lasting reads for how long something has been as the day it began: "for 20 years".
func (h *heard) lasting(words []language.Word, from, to int) valueRead {
	for _, f := range h.values.Figures(words) {
		start, end := words[f.From].From, words[f.To-1].To
		if start >= to || end <= from || f.Low != f.High || f.Period != "" || f.Low <= 0 || f.From > 0 && h.lexical("in", language.Fold(words[f.From-1].Text)) {
			continue
		}
		v := valueRead{from: start, to: end, hedged: true, sure: 1}
		switch n := int(f.Low); f.Unit {
		case "year":
			v.value = field.Encode(h.scene.Now.AddDate(-n, 0, 0).Format("2006"))
		case "month":
			v.value = field.Encode(h.scene.Now.AddDate(0, -n, 0).Format("2006-01"))
		default:
			continue
		}
		return v
	}
	return valueRead{}
}

// shortYear reads the last two figures of a year, where little else is said: "eighty-six".
func (h *heard) shortYear(t *obligations.Template, words []language.Word) valueRead {
	figures := h.values.Figures(words)
	if h.asked == nil || h.asked.Key != t.Key || len(figures) != 1 || h.count() > longestShortYear {
		return valueRead{}
	}
	f := figures[0]
	if f.Low != f.High || f.Low != math.Trunc(f.Low) || f.Low < 30 || f.Low > 99 || f.Unit != "" || f.Currency != "" || f.Period != "" || f.Percent || f.Ordinal {
		return valueRead{}
	}
	v := valueRead{value: field.Encode(strconv.Itoa(1900 + int(f.Low))), from: words[f.From].From, to: words[f.To-1].To, hedged: true, sure: 1}
	if t.Check(v.value) != nil {
		return valueRead{}
	}
	return v
}

// longestShortYear is how many words stand with a year of two figures.
const longestShortYear = 4

// closedReach is how many bytes before and behind marked words a figure or a date is looked for, and
// mostTried how many marked words are tried: a paste has hundreds.
const (
	closedReach = 200
	mostTried   = 12
)

// noSuch reports whether a figure is the nought of something else: "no more questions" is no time.
func (h *heard) noSuch(words []language.Word, f *language.Figure) bool {
	if f.Low != 0 || f.High != 0 || f.Unit != "" || f.To >= len(words) || strings.ContainsAny(words[f.From].Text, "0123456789") || !language.IsWord("no", language.Fold(words[f.From].Text)) && !strings.HasPrefix(language.Fold(words[f.From].Text), "kein") {
		return false
	}
	next := language.Fold(words[f.To].Text)
	return h.spelled(words[f.To].From, words[f.To].To) > 0 && !h.lexical("people", next)
}

// onlyPeriod reports whether a figure is no more than the period of a rate: the "a week" of
// "some hours a week".
func onlyPeriod(words []language.Word, f *language.Figure) bool {
	if f.To-f.From != 2 || f.From == 0 || !language.IsTime(f.Unit) {
		return false
	}
	return language.IsWord("article", language.Fold(words[f.From].Text)) && language.IsWord("period", language.Fold(words[f.From-1].Text))
}

// noneOf returns nought where one or two words say that there is none: "nobody", "keine".
func (h *heard) noneOf(t *obligations.Template, words []language.Word, from, to int) json.RawMessage {
	if k := field.Kind(t); k != listening.Count && k != listening.Amount || h.asked == nil || h.asked.Key != t.Key {
		return nil
	}
	said := 0
	none, not := false, false
	for _, w := range words {
		if w.From < to && w.To > from {
			f := language.Fold(w.Text)
			if not && language.IsWord("article", f) {
				continue
			}
			said++
			none = none || language.IsWord("nought", f) || not && (h.lexical("fewest", f) || field.Unit(t) == "money" && language.IsWord("money", f))
			not = said == 1 && (language.IsWord("no", f) || language.IsWord("not", f) || strings.HasPrefix(f, "kein"))
		}
	}
	if zero := field.Encode(0); none && said <= 2 && t.Check(zero) == nil {
		return zero
	}
	return nil
}

// shareOf returns a share that is said in a word, in percent: "half", "a third", "all".
func (h *heard) shareOf(t *obligations.Template, words []language.Word, from, to int) json.RawMessage {
	if field.Unit(t) != "percent" || strings.ContainsAny(h.said.Text[from:to], "0123456789%") {
		return nil
	}
	if part, ok := h.values.Fraction(words); ok {
		if percent := field.Encode(math.Round(100 * part)); t.Check(percent) == nil {
			return percent
		}
	}
	for _, w := range words {
		if w.From >= to || w.To <= from {
			continue
		}
		if percent, ok := field.Share(language.Fold(w.Text), len(words) <= shortShare); ok && t.Check(field.Encode(percent)) == nil {
			return field.Encode(percent)
		}
	}
	return nil
}

// shortShare bounds, in words, what all or nothing may be an answer in.
const shortShare = 5
