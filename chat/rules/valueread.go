package rules

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

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
	spanned  bool    // a value was marked in the words
	sure     float64 // that the words are the value
}

// valueIn reads a segment as a value of t. Where the model marked values that answer,
// those count; else, with wide, the whole segment.
func (h *heard) valueIn(t *obligations.Template, seg *listening.Segment, wide bool) valueRead {
	kind := kindOf(t)
	var starred, others []listening.Span
	for _, s := range seg.Values {
		switch {
		case s.Answers:
			starred = append(starred, s)
		case listening.Compatible(s.Type, kind) >= 0.6:
			others = append(others, s)
		}
	}
	if several(t, kind) && len(starred) > 0 {
		starred = h.items(seg, kind)
	}
	if !several(t, kind) && len(starred) > 1 && t.Widget != obligations.ChoiceOne && kind != listening.Text && kind != listening.Count {
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

// several reports whether t takes a list.
func several(t *obligations.Template, kind listening.Type) bool {
	return t.Widget == obligations.MultiSelect || kind == listening.List
}

// valueOf reads marked words as a value of t.
func (h *heard) valueOf(t *obligations.Template, kind listening.Type, list []listening.Span, seg *listening.Segment) valueRead {
	first, last := list[0], list[len(list)-1]
	v := valueRead{from: first.From, to: last.To, sure: first.Sure}
	for _, s := range list {
		v.sure = min(v.sure, s.Sure)
	}
	switch t.Widget {
	case obligations.Text:
		return h.textOf(kind, list, seg, v)
	case obligations.Number, obligations.Date:
		for _, s := range list {
			if got := h.closed(t, s.From, s.To, seg.To); got.value != nil {
				got.sure = s.Sure
				if len(list) > 1 && t.Widget == obligations.Number && h.language() == "en" { // "two adults and a child"
					if all := h.closed(t, first.From, last.To, last.To); all.value != nil {
						all.sure = s.Sure
						return all
					}
				}
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
		if kind != listening.Text && kind != listening.List {
			raw := kind != listening.Time && kind != listening.Email && kind != listening.Phone && kind != listening.URL
			if !raw || len(language.Words(h.said.Text[seg.From:seg.To])) > 3 {
				return valueRead{}
			}
		}
		if kind == listening.List && len(language.Words(h.said.Text[seg.From:seg.To])) > 8 {
			return valueRead{}
		}
		from, to := h.wordsOf(seg.From, seg.To)
		got := h.u.readText(t, from, to)
		if got.value == nil {
			return valueRead{}
		}
		start, end := h.u.extent(got.from, got.to)
		return valueRead{value: encode(trimmed(h.u.raw[start:end])), from: start, to: end, hedged: got.hedged, vague: got.vague, sure: 0.5}
	case obligations.ChoiceOne, obligations.MultiSelect:
		return h.chosen(t, kind, nil, seg)
	case obligations.Number, obligations.Date:
		v := h.closed(t, seg.From, seg.To, seg.To)
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
		return h.timeOf(list, v)
	case kind == listening.List || len(list) > 1 && kind == listening.Product:
		var items []string
		for _, s := range list {
			items = append(items, trimmed(h.said.Text[s.From:s.To]))
		}
		text = strings.Join(items, "; ")
	case kind == listening.Text:
		text = trimmed(h.said.Text[v.from:v.to])
		if v.to-v.from < (seg.To-seg.From)/3 && len(list) == 1 && list[0].Type != listening.Text {
			return h.valueOfSegment(&obligations.Template{Widget: obligations.Text}, kind, seg)
		}
	default:
		best := list[0]
		for _, s := range list {
			if s.Type == kind && (best.Type != kind || s.Sure > best.Sure) {
				best = s
			}
		}
		v.from, v.to, v.sure = best.From, best.To, best.Sure
		text = trimmed(h.said.Text[best.From:best.To])
	}
	if text == "" {
		return valueRead{}
	}
	v.value = encode(text)
	v.hedged = h.hedgedBefore(v.from)
	return v
}

// trimmed returns words without what never belongs to a value: blanks, quotes and marks
// around it.
func trimmed(s string) string {
	return strings.TrimFunc(s, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(".,;:!?\"“”„()…", r) })
}

// hedgedBefore reports whether a hedge stands right before byte from.
func (h *heard) hedgedBefore(from int) bool {
	a, b := h.wordsOf(max(0, from-30), from)
	return b > a && h.u.hedged(a, b)
}

// timeOf reads a time of day.
func (h *heard) timeOf(list []listening.Span, v valueRead) valueRead {
	for _, s := range list {
		words := h.wordsBetween(s.From, s.To)
		if clocks := h.values.Clocks(words); len(clocks) > 0 {
			if h.inTheEvening(clocks[0].Text) {
				clocks[0].Text = laterHalf(clocks[0].Text)
			}
			return valueRead{value: encode(clocks[0].Text), from: s.From, to: s.To, hedged: clocks[0].Approx, sure: s.Sure}
		}
	}
	return valueRead{}
}

// eveningWords are of questions whose answers lie in the evening.
var eveningWords = []string{"evening", "bedtime", "go to bed", "dinner", "close", "abend", "schlafen", "ins bett", "bettzeit"}

// inTheEvening reports whether a time that may be of either half of the day is of the
// second, by what was asked for.
func (h *heard) inTheEvening(clock string) bool {
	if h.asked == nil || clock < "05:00" || clock > "11:59" {
		return false
	}
	prompt := strings.ToLower(h.asked.Prompt)
	text := strings.ToLower(h.said.Text)
	return slices.ContainsFunc(eveningWords, func(w string) bool { return strings.Contains(prompt, w) }) && !strings.Contains(text, "morning") && !strings.Contains(text, "früh")
}

// laterHalf returns a time twelve hours later.
func laterHalf(clock string) string {
	hour, _ := strconv.Atoi(clock[:2])
	return strconv.Itoa(hour+12) + clock[2:]
}

// wordsBetween returns the words of the message between two bytes.
func (h *heard) wordsBetween(from, to int) []language.Word {
	var out []language.Word
	for _, w := range h.words {
		if w.From >= from && w.To <= to {
			out = append(out, w)
		}
	}
	return out
}

// closed reads a number or a date that begins between two bytes; it may go on behind
// them ("10, or maybe 12"), to the end of the segment.
func (h *heard) closed(t *obligations.Template, from, to, end int) valueRead {
	v := valueRead{from: from, to: to}
	words := h.wordsBetween(from, max(to, end))
	inside := len(h.wordsBetween(from, to))
	if inside == 0 {
		return v
	}
	words = words[:min(len(words), inside+6)]
	if t.Widget == obligations.Date {
		d := language.Ahead
		if looksBack(t.Prompt) {
			d = language.Behind
		}
		for _, date := range h.values.Dates(words, h.scene.Now, d) {
			if date.From < inside {
				v.value, v.hedged = encode(date.ISO), date.Approximate
				v.from, v.to = words[date.From].From, words[date.To-1].To
				return v
			}
		}
		return v
	}
	if got := h.figure(t, words, inside, v); got.value != nil || h.language() != "en" {
		return got
	}
	if a, b := h.wordsOf(from, to); b > a && b-a <= shortFigure { // "me and my two sisters"
		if got := h.u.read(t, a, b, h.scene.Now); got.value != nil {
			v.value, v.hedged = got.value, got.hedged
		}
	}
	return v
}

// shortFigure is how many words a count of people or things takes at most: "none" in a
// longer one is no figure.
const shortFigure = 10

// backWords are of questions about what lies behind us.
var backWords = []string{"when did", "when was", "when were", "since when", "how long ago", "last ", "first seen", "born", "birth", "founded", "wann hat", "wann haben", "wann war", "wann wurde", "seit wann", "zuletzt", "geburt", "geboren", "gegründet", "happen", "notice", "started", "begann"}

func looksBack(prompt string) bool {
	prompt = strings.ToLower(prompt)
	return slices.ContainsFunc(backWords, func(w string) bool { return strings.Contains(prompt, w) })
}

// figure reads the first figure that begins among the first words and can be of t.
func (h *heard) figure(t *obligations.Template, words []language.Word, inside int, v valueRead) valueRead {
	unit := unitOf(t.Unit)
	for _, f := range h.values.Figures(words) {
		if f.From >= inside || f.Ordinal || f.Percent != (unit == "percent") && f.Percent || f.Currency != "" && unit != "money" {
			continue
		}
		factor, ok := language.Convert(f.Unit, t.Unit)
		if !ok {
			continue
		}
		low, high := tidyNumber(f.Low*factor), tidyNumber(f.High*factor)
		if low == high {
			v.value = encode(low)
		} else {
			v.value = encode(obligations.Range{Min: low, Max: high})
		}
		if t.Check(v.value) != nil {
			v.value = nil
			continue
		}
		v.from, v.to, v.hedged = words[f.From].From, words[f.To-1].To, f.Approximate
		return v
	}
	return v
}

func tidyNumber(v float64) float64 { return math.Round(v*1e6) / 1e6 }
