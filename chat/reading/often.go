package reading

import (
	"math"
	"strconv"
	"strings"

	"quaestor/chat/field"
	"quaestor/internal/language"
	"quaestor/obligations"
)

// frequency is how often something happens: from low to high times a year.
type frequency struct{ low, high float64 }

// perYear is how often a period comes in a year. A life has seventy years, and a day as many hours as
// people are awake.
var perYear = map[string]float64{"hour": 365 * 16, "day": 365, "week": 52, "fortnight": 26, "month": 12, "quarter": 4, "year": 1, "life": 1.0 / 70}

// A few are this many, and an option that is no more than so many times off is near.
const (
	fewest   = 2
	several  = 6
	nearTo   = 2
	oftenFar = 8 // words between how often and in which period
)

// oftenChosen reads how often something happens as one of the choices of what was asked, where those are
// frequencies: "two or three times a month" lies between once a week and once a month.
func (h *heard) oftenChosen(t *obligations.Template, from, to int) valueRead {
	if h.asked == nil || h.asked.Key != t.Key || t.Widget != obligations.ChoiceOne || len(t.Choices) < 3 {
		return valueRead{}
	}
	said, ok := h.oftenIn(h.wordsBetween(from, to))
	if !ok {
		return valueRead{}
	}
	v := valueRead{from: from, to: to, sure: saidInFull, spanned: true}
	options := make([]frequency, len(t.Choices))
	known, best, nearest := 0, -1, math.Inf(1)
	for i := range t.Choices {
		c := &t.Choices[i]
		options[i] = frequency{math.Inf(1), 0}
		for _, form := range append([]string{c.Label}, c.Synonyms...) {
			f, ok := h.oftenIn(language.Words(form))
			if !ok {
				continue
			}
			options[i] = frequency{min(options[i].low, f.low), max(options[i].high, f.high)}
			if f.low <= said.low*(1+sameOften) && said.high <= f.high*(1+sameOften) {
				if d := math.Log(f.high/f.low) + math.Log(said.high/said.low); d < nearest {
					best, nearest = i, d
				}
			}
		}
		if options[i].high > 0 {
			known++
		}
	}
	if known < 3 || known < len(t.Choices)-1 {
		return valueRead{}
	}
	if best < 0 {
		best, v.sure = nearestOften(options, said.low), leastSure
	}
	v.value = field.Encode(t.Choices[best].Value)
	return v
}

// sameOften is by how much frequencies may differ that are the same: four weeks are a month.
const sameOften = 0.1

// nearestOften returns the option of which something is that happens so often: the most frequent one
// that it reaches, unless the next one is nearer.
func nearestOften(options []frequency, times float64) int {
	below, above := -1, -1
	for i, f := range options {
		switch {
		case f.high == 0:
		case f.low <= times && (below < 0 || f.low > options[below].low):
			below = i
		case f.low > times && (above < 0 || f.low < options[above].low):
			above = i
		}
	}
	switch {
	case below < 0:
		return above
	case above < 0 || times <= options[below].high || times*nearTo < options[above].low:
		return below
	case options[above].low/times < times/options[below].high:
		return above
	}
	return below
}

// oftenIn returns how often something happens by some words: "every other week", "zwei-, dreimal im Monat".
func (h *heard) oftenIn(words []language.Word) (frequency, bool) {
	folded := language.Folded(words)
	if n := daytimes(folded); n > 1 {
		return frequency{n * perYear["day"], n * perYear["day"]}, true
	}
	for p := range folded {
		period, adverb := periodOf(folded, p)
		times := perYear[period]
		if times == 0 {
			continue
		}
		low, high, ok := h.timesIn(words, folded, max(0, p-oftenFar), p)
		switch {
		case ok:
			return frequency{low * times, high * times}, true
		case adverb:
			return frequency{times, times}, true
		}
	}
	return frequency{}, false
}

// daytimes returns how many parts of the day some words name and no other period: "mornings, evenings and at
// night" is three times a day.
func daytimes(folded []string) float64 {
	named := map[string]bool{}
	for p, w := range folded {
		if language.IsWord("daytime", w) {
			named[w] = true
		} else if period, _ := periodOf(folded, p); period != "" && period != "day" {
			return 0
		}
	}
	return float64(len(named))
}

// periodOf returns the period that word p names; adverb tells that it says by itself that something comes
// once in it: "weekly", "montags".
func periodOf(folded []string, p int) (period string, adverb bool) {
	w := folded[p]
	for _, l := range language.All() {
		if period, ok := l.Value("period", w); ok {
			return period, strings.HasSuffix(w, "ly") || strings.HasSuffix(w, "lich") || language.IsWord("everyday", w)
		}
		if _, ok := l.Value("weekday", w); ok && len(w) > 3 {
			return "week", strings.HasSuffix(w, "s")
		}
	}
	switch {
	case language.IsWord("lifetime", w):
		return "life", false
	case language.IsWord("partofday", w):
		return "day", false
	case language.IsWord("everyday", w):
		return "day", true
	}
	return "", false
}

// timesIn returns how often something comes in a period, by the words before that.
func (h *heard) timesIn(words []language.Word, folded []string, from, to int) (low, high float64, ok bool) {
	every, other, few, counts := false, false, false, false
	low, high = math.Inf(1), 0
	take := func(n float64) { low, high = min(low, n), max(high, n) }
	for i := from; i < to; i++ {
		w := folded[i]
		if isMark(w, ".;!?") {
			every, other, few, counts, low, high = false, false, false, false, math.Inf(1), 0
			continue
		}
		if n, said := valueIn("times", w); said {
			counts = true
			take(n)
			continue
		}
		switch {
		case language.IsWord("every", w):
			every = true
		case language.IsWord("secondly", w):
			other = true
		case language.IsWord("timeword", w):
			counts = true
		case language.IsWord("fewtimes", w):
			few, counts = true, counts || strings.HasSuffix(w, "mal") || strings.HasSuffix(w, "mals")
		case language.IsWord("article", w):
			if i+1 < to && (isMark(folded[i+1], "-") || language.IsWord("or", folded[i+1]) || language.IsWord("rangeto", folded[i+1])) { // "ein- oder zweimal"
				take(1)
			}
		default:
			for _, f := range h.values.Figures(words[i : i+1]) {
				take(f.Low)
			}
		}
	}
	switch {
	case every && few:
		return 1.0 / several, 1.0 / fewest, true
	case every && other:
		return 0.5, 0.5, true
	case every && high > 0:
		return 1 / high, 1 / low, true
	case every:
		return 1, 1, true
	case counts && few:
		return fewest, several, true
	case counts && high > 0:
		return low, high, true
	}
	return 0, 0, false
}

// valueIn returns the figure that a word stands for in a kind of the lexicon.
func valueIn(kind, word string) (float64, bool) {
	for _, l := range language.All() {
		if s, ok := l.Value(kind, word); ok {
			n, err := strconv.ParseFloat(s, 64)
			return n, err == nil
		}
	}
	return 0, false
}
