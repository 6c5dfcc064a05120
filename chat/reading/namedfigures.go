package reading

import (
	"slices"
	"strings"

	"quaestor/chat/field"
	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
	"quaestor/sessions"
)

// namedFigures reads figures and dates that stand beside the name of what they are of,
// wherever they stand and whatever was asked: "Team seven. Sales about 420 grand", "Umsatz
// vielleicht 280.000". One that is denied strikes out what holds it.
func (h *heard) namedFigures() {
	if len(h.words) > longestNamed || len(h.scene.Files) > 0 {
		return
	}
	alone := len(h.pieces()) == 1 && h.asked != nil && h.purpose() == sessions.ToAsk && field.TakesNoFigure(h.asked.Template)
	found := false
	for _, p := range h.pieces() {
		if h.isSettled(h.words[p.from].From, h.words[p.to-1].To) || h.asksIn(p) {
			continue
		}
		o, at := h.figureOf(p)
		if o == nil || h.told(o.Key) || alone && (o.Value == nil || o.Hinted()) {
			continue
		}
		seg := &listening.Segment{Act: listening.Answer, From: h.words[p.from].From, To: h.words[p.to-1].To}
		v := h.closed(o.Template, h.words[at.from].From, h.words[at.to-1].To, seg)
		switch {
		case v.value == nil || h.before(o, v) || h.tooRecent(o, v) || h.fitted(o, v.from, v.to, namedAnswers).Asked < hardlyFits:
			continue
		case h.isRejected(at.from) || at.to < p.to && language.IsWord("no", h.folded()[at.to]):
			if o.Value != nil && obligations.SameValue(o.Value, v.value) && !h.saidNext(o, p) {
				h.deny(o)
			}
		case o.Value == nil || o.Hinted():
			v.loose = !slices.Contains(h.scene.Asked.Keys(), o.Key)
			h.note(o.Key, v, obligations.Tell, 0)
		case !obligations.SameValue(o.Value, v.value) && h.saidByAnother(o):
			v.loose = true
			h.note(o.Key, v, obligations.Tell, 0) // which of them holds is asked
		case !obligations.SameValue(o.Value, v.value):
			h.note(o.Key, v, obligations.Correct, 0)
		case h.asked != nil && h.asked.Key == o.Key:
			continue // what is read back is said again
		}
		found = true
		if h.partOfText(p, at, o) {
			continue
		}
		if p.from > 0 && isMark(h.folded()[p.from-1], ",") {
			seg.From = h.words[p.from-1].From
		}
		h.settled = append(h.settled, byteRange{seg.From, seg.To})
	}
	if found {
		h.hearBeside()
		h.named = true
	}
}

// saidNext notes what is said in the place of a figure that the piece before denies: "38k isn't the
// budget, we've got 120 to 140 thousand".
func (h *heard) saidNext(o *obligations.Obligation, denied wordRange) bool {
	for _, p := range h.pieces() {
		if p.from < denied.to || p.from > denied.to+1 || h.asksIn(p) || h.deniesIn(p) {
			continue
		}
		seg := &listening.Segment{Act: listening.Answer, From: h.words[p.from].From, To: h.words[p.to-1].To}
		if other, _ := h.figureOf(p); other != nil && other.Key != o.Key {
			return false
		}
		v := h.closed(o.Template, seg.From, seg.To, seg)
		if v.value == nil || obligations.SameValue(v.value, o.Value) || !h.note(o.Key, v, obligations.Correct, 0) {
			return false
		}
		h.settled = append(h.settled, byteRange{seg.From, seg.To})
		return true
	}
	return false
}

// tooRecent reports whether a date in passing began something else than what is asked for by a question of
// long standing: "the rent went up in July" is no founding. A cue of the field says otherwise.
func (h *heard) tooRecent(o *obligations.Obligation, v valueRead) bool {
	if o.Widget != obligations.Date || !field.LooksBack(o.Template) || h.isAsked(o.Key) || o.Value != nil && !o.Hinted() {
		return false
	}
	s := h.sentenceAt(h.firstWord(v.from))
	for _, cue := range o.Cues {
		words := strings.Fields(language.FoldWords(cue))
		for i := s.from; i+len(words) <= s.to; i++ {
			if h.saysAt(i, words) {
				return false
			}
		}
	}
	date := field.Text(v.value)
	return len(date) >= len("2006-01") && date[:len("2006-01")] > h.scene.Now.AddDate(0, -recentMonths, 0).Format("2006-01")
}

// recentMonths is how long ago a date is that was told in passing and may have begun anything.
const recentMonths = 24

// partOfText reports whether a piece with a figure of o belongs to the text that was asked for: it
// says more than the figure and what it is of, "we are a bakery with 12 staff".
func (h *heard) partOfText(p, at wordRange, o *obligations.Obligation) bool {
	if h.asked == nil || h.asked.Key == o.Key || !h.asking() || h.asked.Closed() || field.Kind(h.asked.Template) != listening.Text {
		return false
	}
	if n, ok := h.mentioned(p, func(x *obligations.Obligation) bool { return x.Key == o.Key }); ok && n.to < p.to && language.IsWord("being", h.folded()[n.to]) || o.Value != nil && !o.Hinted() {
		return false
	}
	names := listening.Stems(o.Name() + " " + strings.Join(o.Cues, " ") + " " + o.Unit + " " + h.text(at))
	for st := range listening.Stems(h.text(p)) {
		if !names[st] && !language.IsWord("people", st) && !language.IsWord("predicate", st) && !language.IsWord("period", st) && !language.IsWord("currency", st) && !language.IsWord("about", st) && !language.IsWord("opener", st) {
			return true
		}
	}
	return false
}

// longestNamed bounds, in words, a message in which figures are looked for by their names.
const longestNamed = 120

// pieces cuts the message at its sentences and commas, and at an "and" between two figures.
func (h *heard) pieces() []wordRange {
	figures := h.values.Figures(h.words)
	within := func(from, to int) bool {
		return slices.ContainsFunc(figures, func(f language.Figure) bool { return f.From >= from && f.From < to })
	}
	var out []wordRange
	for _, s := range h.sentences() {
		begun := s.from
		for i := s.from; i <= s.to; i++ {
			and := i < s.to && language.IsWord("and", h.folded()[i])
			if i < s.to && !isMark(h.folded()[i], ",") && !(and && (i == begun || within(begun, i) && within(i+1, min(s.to, i+nearAnd)))) {
				continue
			}
			if i > begun {
				out = append(out, wordRange{begun, i})
			}
			begun = i + 1
		}
	}
	return out
}

// nearAnd is within how many words behind an "and" a figure begins that is of something else.
const nearAnd = 4

// asksIn reports whether a piece belongs to a question.
func (h *heard) asksIn(p wordRange) bool {
	for i := p.to; i < len(h.words) && i <= p.to; i++ {
		if h.words[i].Text == "?" {
			return true
		}
	}
	return false
}

// besideName is how many words that say something a piece has at most beside a figure and the
// name of what it is of: in longer ones the figure may be of anything.
const besideName = 4

// figureOf returns the one obligation that a piece names, or whose unit it says, along with the
// figure or date that is of it; nil where there is none.
func (h *heard) figureOf(p wordRange) (*obligations.Obligation, wordRange) {
	words := h.words[p.from:p.to]
	var dates, figures []wordRange
	for _, d := range h.values.Dates(words, h.scene.Now, language.Ahead) {
		dates = append(dates, wordRange{p.from + d.From, p.from + d.To})
	}
	var units []language.Figure
	for _, f := range h.values.Figures(words) {
		at := wordRange{p.from + f.From, p.from + f.To}
		dated := slices.ContainsFunc(dates, func(d wordRange) bool { return d.from < at.to && at.from < d.to })
		if !dated || f.Currency != "" || f.Unit != "" {
			figures, units = append(figures, at), append(units, f)
		}
	}
	if len(dates) > 1 || len(figures) > 1 || len(dates)+len(figures) == 0 {
		return nil, wordRange{}
	}
	var says []string
	for _, w := range words {
		if !language.IsWord("period", language.Fold(w.Text)) {
			says = append(says, w.Text)
		}
	}
	stems := listening.Stems(strings.Join(says, " "))
	if len(stems) > besideName+2 || h.speaksOf(p, "former", "condition", "alter") {
		return nil, wordRange{}
	}
	shared := h.figureNames()
	at := map[obligations.Widget][]wordRange{obligations.Date: dates, obligations.Number: figures}
	best, most, next := bestOf(h.scene.Obligations, func(o *obligations.Obligation) float64 {
		here := at[o.Widget]
		if len(here) != 1 || len(o.Choices) > 0 {
			return 0
		}
		if o.Unit == "money" && units[0].Currency == "" && units[0].High < leastUnmarked && !strings.ContainsAny(h.words[here[0].from].Text, "0123456789") {
			return 0 // "one-off sales"
		}
		score := field.CuedBy(o.Template, stems, shared)
		if o.Widget == obligations.Number && h.hasUnit(o, &units[0], here[0], p) {
			score += 2
		}
		return score
	})
	if most < 1 || most == next || h.answersWith(at[best.Widget][0], best, stems) {
		return nil, wordRange{}
	}
	return best, at[best.Widget][0]
}

// answersWith reports whether a piece that is all of the message says more than the figure and
// what it is of, where a text is asked for: "small firms with 12 employees".
func (h *heard) answersWith(at wordRange, o *obligations.Obligation, stems map[string]bool) bool {
	if h.asked == nil || h.asked.Key == o.Key || h.asked.Closed() || h.purpose() != sessions.ToAsk || len(h.pieces()) > 1 {
		return false
	}
	names := listening.Stems(o.Name() + " " + strings.Join(o.Cues, " ") + " " + o.Unit + " " + h.said.Text[h.words[at.from].From:h.words[at.to-1].To])
	for st := range stems {
		if !names[st] && !language.IsWord("people", st) && !language.IsWord("predicate", st) && !language.IsWord("period", st) && !language.IsWord("currency", st) {
			return true
		}
	}
	return false
}

// leastUnmarked is the least sum of money that is said in words and without a currency.
const leastUnmarked = 100

// figureNames counts of how many obligations for figures and dates each stem is a name.
func (h *heard) figureNames() map[string]int {
	out := map[string]int{}
	for i := range h.scene.Obligations {
		if o := &h.scene.Obligations[i]; len(o.Choices) == 0 && (o.Widget == obligations.Number || o.Widget == obligations.Date) {
			for st := range listening.Stems(o.Name() + " " + strings.Join(o.Cues, " ")) {
				out[st]++
			}
		}
	}
	return out
}

// hasUnit reports whether a figure is said in the unit that o alone is counted in: hours, or
// people of one's own ("drei Leute", "four of us").
func (h *heard) hasUnit(o *obligations.Obligation, f *language.Figure, at, p wordRange) bool {
	alone := f.High > 0
	for i := range h.scene.Obligations {
		other := &h.scene.Obligations[i]
		alone = alone && (other.Key == o.Key || !strings.EqualFold(other.Unit, o.Unit))
	}
	switch {
	case !alone || o.Unit == "":
		return false
	case strings.EqualFold(o.Unit, "people"):
		own := language.IsWord("us", h.folded()[at.from]) || h.folded()[at.from] == "zu"
		for i := p.from; i < p.to; i++ {
			own = own || language.IsWord("us", h.folded()[i])
		}
		counted := h.folded()[at.from] == "zu" || slices.ContainsFunc(h.folded()[at.to:min(p.to, at.to+3)], func(w string) bool { return language.IsWord("people", w) || language.IsWord("us", w) })
		return counted && (own || p.to-p.from <= at.to-at.from+2)
	case f.Unit != "" && language.IsTime(f.Unit) && f.Period != "" && len(h.pieces()) > 1:
		return strings.EqualFold(strings.TrimSuffix(o.Unit, "s"), f.Unit)
	}
	return false
}

// before reports whether v is a day gone by, and o is for one to come.
func (h *heard) before(o *obligations.Obligation, v valueRead) bool {
	return o.Widget == obligations.Date && field.LooksAhead(o.Template) && field.Text(v.value) < h.scene.Now.Format("2006")
}
