package reading

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"quaestor/chat/field"
	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
)

// valueRead is a value that was read, and the bytes of the message it stands in.
type valueRead struct {
	value    json.RawMessage
	from, to int
	hedged   bool
	vague    bool
	loose    bool
	unclear  bool    // the words may mean another value as well
	spanned  bool    // a value was marked in the words
	sure     float64 // that the words are the value
}

// valueIn reads a segment as a value of t. Where the model marked values that answer,
// those count; else, with wide, the whole segment.
func (h *heard) valueIn(t *obligations.Template, seg *listening.Segment, wide bool) valueRead {
	kind := field.Kind(t)
	if v := h.written(kind, seg); v.value != nil {
		return v
	}
	var starred, others []listening.Span
	for _, s := range seg.Values {
		switch {
		case s.Answers:
			starred = append(starred, s)
		case listening.Compatible(s.Type, kind) >= 0.6:
			others = append(others, s)
		}
	}
	if field.TakesSeveral(t, kind) && len(starred) > 0 {
		starred = h.items(seg, kind)
	}
	if kind == listening.Text && wide && len(starred) > 1 && seg.Act == listening.Answer && !slices.ContainsFunc(starred, func(s listening.Span) bool { return s.Type == listening.Text }) {
		return h.valueOfSegment(t, kind, seg) // names and places in a sentence, which is the answer
	}
	if !field.TakesSeveral(t, kind) && len(starred) > 1 && t.Widget != obligations.ChoiceOne && kind != listening.Text && kind != listening.Count {
		slices.SortStableFunc(starred, func(a, b listening.Span) int { return cmp.Compare(b.Star*b.Sure, a.Star*a.Sure) })
		starred = starred[:1]
	}
	for _, list := range [][]listening.Span{starred, others} {
		if len(list) == 0 {
			continue
		}
		if v := h.valueOf(t, kind, list, seg); v.value != nil {
			v.spanned = true
			return v
		}
	}
	if !wide {
		return valueRead{}
	}
	return h.valueOfSegment(t, kind, seg)
}

// patterns are of texts that are written in one way only.
var patterns = map[listening.Type]*regexp.Regexp{
	listening.Email: regexp.MustCompile(`[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+`),
	listening.URL:   regexp.MustCompile(`(?i)(?:https?://|www\.)[^\s<>"]+[^\s<>".,;:!?)]|\b[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|net|de|at|ch|eu|io|co|uk|info|example)\b(?:/[^\s<>"]*[^\s<>".,;:!?)])?`),
	listening.Phone: regexp.MustCompile(`(?:\+|\b)\d[\d ()/.-]{5,}\d\b`),
}

// written reads an e-mail address, a web address or a telephone number by how it is written.
func (h *heard) written(kind listening.Type, seg *listening.Segment) valueRead {
	p := patterns[kind]
	if p == nil {
		return valueRead{}
	}
	at := p.FindAllStringIndex(h.said.Text[seg.From:seg.To], -1)
	if len(at) == 0 {
		return valueRead{}
	}
	from, to := seg.From+at[len(at)-1][0], seg.From+at[len(at)-1][1] // the last one corrects those before
	return valueRead{value: field.Encode(h.said.Text[from:to]), from: from, to: to, sure: 1, spanned: true}
}

// items returns the items of a list: the values of its kind in the segment, and those
// that answer in the segments after it.
func (h *heard) items(seg *listening.Segment, kind listening.Type) []listening.Span {
	var out []listening.Span
	for i := range h.said.Segments {
		other := &h.said.Segments[i]
		if other.From < seg.From || other.Act != listening.Answer && other.Act != listening.Fact && other.From != seg.From {
			continue
		}
		for _, s := range other.Values {
			if s.Answers || other.From == seg.From && listening.Compatible(s.Type, kind) >= 0.6 {
				out = append(out, s)
			}
		}
	}
	return out
}

// valueOf reads marked words as a value of t.
func (h *heard) valueOf(t *obligations.Template, kind listening.Type, list []listening.Span, seg *listening.Segment) valueRead {
	first, last := list[0], list[len(list)-1]
	v := valueRead{from: first.From, to: last.To, sure: first.Sure}
	for _, s := range list[1:] {
		if kind == listening.Text { // one of them makes it the answer
			v.sure = max(v.sure, s.Sure)
		} else {
			v.sure = min(v.sure, s.Sure)
		}
	}
	switch t.Widget {
	case obligations.Text:
		return h.textOf(kind, list, seg, v)
	case obligations.Number, obligations.Date:
		for _, s := range list[:min(len(list), mostTried)] {
			if got := h.closed(t, s.From, s.To, seg); got.value != nil {
				got.sure = s.Sure
				return got
			}
		}
		return valueRead{}
	case obligations.ChoiceOne, obligations.MultiSelect:
		return h.chosen(t, kind, list, seg)
	}
	return valueRead{}
}

// valueOfSegment reads a whole segment as a value of t.
func (h *heard) valueOfSegment(t *obligations.Template, kind listening.Type, seg *listening.Segment) valueRead {
	switch t.Widget {
	case obligations.Text:
		if kind == listening.Time {
			return h.timeOf([]listening.Span{{From: seg.From, To: seg.To, Sure: 0.6}})
		}
		if kind != listening.Text && kind != listening.List {
			raw := kind != listening.Email && kind != listening.Phone && kind != listening.URL
			if !raw || len(language.Words(h.said.Text[seg.From:seg.To])) > 3 {
				return valueRead{}
			}
		}
		if kind == listening.List && len(language.Words(h.said.Text[seg.From:seg.To])) > 8 {
			return valueRead{}
		}
		v := h.statement(t, seg.From, seg.To)
		if v.value == nil || !field.Plausible(kind, field.Text(v.value)) {
			return valueRead{}
		}
		v.sure = 0.5
		return v
	case obligations.ChoiceOne, obligations.MultiSelect:
		return h.chosen(t, kind, nil, seg)
	case obligations.Number, obligations.Date:
		v := h.closed(t, seg.From, seg.To, seg)
		v.sure = 0.6
		return v
	}
	return valueRead{}
}

// textOf returns marked words as a text: items of a list with semicolons between them,
// open text from the first to the last of them, a name just as it stands.
func (h *heard) textOf(kind listening.Type, list []listening.Span, seg *listening.Segment, v valueRead) valueRead {
	var text string
	switch {
	case kind == listening.Time:
		return h.timeOf(list)
	case kind == listening.List || len(list) > 1 && kind == listening.Product:
		text = strings.Join(h.listed(list), "; ")
	case kind == listening.Text && !(len(list) == 1 && nameTypes[list[0].Type] && list[0].Type != listening.Product && list[0].Sure >= 0.5 && h.spelled(seg.From, seg.To) <= h.spelled(list[0].From, list[0].To)+besideText):
		return h.clauseOfText(list, seg, v)
	default:
		best := list[0]
		for _, s := range list {
			if s.Type == kind && (best.Type != kind || s.Sure > best.Sure) {
				best = s
			}
		}
		best = h.widened(best, seg)
		v.from, v.to, v.sure = best.From, best.To, best.Sure
		text = trimmed(h.said.Text[best.From:best.To])
	}
	if text == "" || !field.Plausible(kind, text) {
		return valueRead{}
	}
	v.value = field.Encode(text)
	v.hedged = h.hedgedBefore(v.from)
	return v
}

// besideText is how many words stand beside a name at most that is all of an answer for a text: in
// "I keep bees near Landshut" it is not the place.
const besideText = 3

// listed returns the items of a list: those that are marked, in all segments, and those that
// stand with them.
func (h *heard) listed(list []listening.Span) []string {
	var out []string
	for i := range h.said.Segments {
		other := &h.said.Segments[i]
		if other.To <= list[0].From || other.From >= list[len(list)-1].To {
			continue
		}
		var mine []listening.Span
		for _, s := range list {
			if s.From >= other.From && s.To <= other.To {
				mine = append(mine, s)
			}
		}
		if len(mine) > 0 {
			out = append(out, h.itemsOf(mine, other)...)
		}
	}
	if len(out) == 0 {
		for _, s := range list {
			out = append(out, trimmed(h.said.Text[s.From:s.To]))
		}
	}
	return out
}

// sentenceMark ends a sentence; the dot of "1. Februar" does not.
var sentenceMark = regexp.MustCompile(`(?:^|[^0-9.]|[0-9]{3}|[0-9][.,][0-9]+)\.(?:\s|$)|[!?;](?:\s|$)`)

// clauseOfText returns the clause that marked words begin, without what leads in and out: to the
// end of the segment, or to where a sentence ends when most of the segment comes after.
func (h *heard) clauseOfText(list []listening.Span, seg *listening.Segment, v valueRead) valueRead {
	first, last := list[0], list[len(list)-1]
	from, to := first.From, seg.To
	if 5*(last.To-first.From) > 2*(seg.To-seg.From) {
		to = last.To
	}
	if h.spelled(last.To, seg.To) <= fewBefore && !strings.ContainsAny(h.said.Text[last.To:seg.To], ",.;:!?") {
		to = seg.To
	}
	if rest := h.said.Text[last.To:seg.To]; len(rest) > last.To-first.From {
		if at := sentenceMark.FindStringIndex(rest); at != nil { // and not the dot of "booking.com"
			to = last.To + at[0]
		}
	}
	if behind := h.toClauseEnd(to, seg.To); behind > to {
		to = behind
	}
	if first.From-seg.From > 0 && h.spelled(seg.From, first.From) <= fewBefore && !strings.Contains(h.said.Text[seg.From:first.From], ":") {
		from = seg.From
	}
	from = h.toClauseStart(from, seg.From)
	got := h.statement(&obligations.Template{Widget: obligations.Text}, from, to)
	if got.value == nil {
		return valueRead{}
	}
	v.value, v.from, v.to, v.vague = got.value, got.from, got.to, got.vague
	v.hedged = got.hedged || h.hedgedBefore(got.from)
	return v
}

// toClauseStart returns the byte where the clause of byte at begins, if that is a few words before.
func (h *heard) toClauseStart(at, least int) int {
	words := h.wordsBetween(least, at)
	for i := len(words) - 1; i >= 0; i-- {
		if isMark(words[i].Text, ",.;:!?()–—-\n") || language.IsWord("and", language.Fold(words[i].Text)) || language.IsWord("contrast", language.Fold(words[i].Text)) {
			if i+1 < len(words) {
				return words[i+1].From
			}
			return at
		}
		if len(words)-i > fewBefore {
			return at
		}
	}
	return at
}

// toClauseEnd returns the byte where the clause ends that goes on at byte at, if that is a few words
// behind: words are seldom marked to its very end.
func (h *heard) toClauseEnd(at, most int) int {
	words := h.wordsBetween(at, most)
	for i, w := range words {
		if isMark(w.Text, ",.;:!?()–—-\n") || language.IsWord("and", language.Fold(w.Text)) || language.IsWord("contrast", language.Fold(w.Text)) {
			return max(at, w.From)
		}
		if i >= fewBehind {
			return at
		}
	}
	return most
}

// fewBehind is how many words behind the last marked one belong to a clause at most.
const fewBehind = 4

// fewBefore is how many words before the first marked one belong to a clause.
const fewBefore = 2

// hedgedBefore reports whether a hedge stands right before byte from.
func (h *heard) hedgedBefore(from int) bool {
	return h.hedged(h.within(max(0, from-hedgeReach), from))
}

// hedgeReach is how many bytes before a value a hedge stands at most.
const hedgeReach = 30

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
		if field.LooksBack(t.Prompt) {
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
			return h.lasting(words, from, to)
		}
		return v
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
		if h.noSuch(words, &f) || h.countsThings(t, words, &f) {
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
	if k := field.Kind(t); k != listening.Count || h.asked == nil || h.asked.Key != t.Key {
		return nil
	}
	said := 0
	none := false
	for _, w := range words {
		if w.From < to && w.To > from {
			said++
			f := language.Fold(w.Text)
			none = none || language.IsWord("nought", f)
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
