package reading

import (
	"regexp"
	"slices"
	"strings"

	"quaestor/chat/field"
	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
	"quaestor/sessions"
)

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

// textOf returns marked words as a text: items of a list with semicolons between them,
// open text from the first to the last of them, a name just as it stands.
func (h *heard) textOf(kind listening.Type, list []listening.Span, seg *listening.Segment, v valueRead) valueRead {
	var text string
	switch {
	case kind == listening.Time:
		return h.timeOf(list)
	case kind == listening.List || len(list) > 1 && kind == listening.Product:
		text = strings.Join(slices.DeleteFunc(h.listed(list), onlyMeasure.MatchString), "; ")
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

// onlyMeasure is an item that is a figure and its unit at most: "minus 20".
var onlyMeasure = regexp.MustCompile(`^(?i:minus |plus )?[-+−]?\d+(?:[.,]\d+)?(?: ?(?:°|%|\pL)\pL{0,2})?$`)

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
	before := fewBefore
	if words := h.wordsBetween(seg.From, from); len(words) > 0 && h.lexical("boundary", language.Fold(words[len(words)-1].Text)) && !h.partsClauses(words[len(words)-1].Text) {
		before = manyBefore // "we are a bakery in | Cork"
	}
	from = h.toClauseStart(from, seg.From, before)
	from = h.withDenial(from, seg.From)
	to = h.toFittingEnd(from, to, seg.To)
	for _, s := range h.sentences() {
		a, b := h.bytes(s)
		if n := h.spelled(a, b); a >= seg.From && a <= from && to <= b && n >= longSentence && 3*h.spelled(from, to) < n {
			from, to = a, min(b, seg.To) // a shred of a tale says less than the tale
		}
	}
	got := h.statement(&obligations.Template{Widget: obligations.Text}, from, to)
	if got.value == nil {
		return valueRead{}
	}
	v.value, v.from, v.to, v.vague = got.value, got.from, got.to, got.vague
	v.hedged = got.hedged || h.hedgedBefore(got.from)
	return v
}

// withDenial returns the byte where a text begins that is said not to be so in the words right before it,
// which belong to it: "ich kann nicht | mehr Schüler annehmen", "don't | touch the stock ordering".
func (h *heard) withDenial(from, least int) int {
	words := h.wordsBetween(least, from)
	for i := len(words) - 1; i >= 0 && i >= len(words)-reachOfDenial; i-- {
		w := language.Fold(words[i].Text)
		if isMark(w, ",.;:!?") || h.partsClauses(words[i].Text) {
			break
		}
		if strings.HasSuffix(w, "n't") || language.IsWord("deny", w) || language.IsWord("not", w) {
			return min(words[i].From, h.toClauseStart(words[i].From, least, manyBefore))
		}
	}
	return from
}

// reachOfDenial is how many words before a text may say that it is not so.
const reachOfDenial = 2

// toFittingEnd returns the byte to which an answer to the open question that was asked goes on behind its
// clause: over the clauses of its sentence with which it still fits the question.
func (h *heard) toFittingEnd(from, to, most int) int {
	if !h.listener.Encoded() || h.asked == nil || !isOpen(h.asked.Template) || h.purpose() == sessions.ToForm {
		return to
	}
	end, fits := to, 0.0
	for end < most {
		words := h.wordsBetween(end, most)
		if len(words) == 0 || isMark(words[0].Text, ".;:!?()\n") {
			break
		}
		next := h.clauseBehind(words)
		if next == end || words[0].Text != "," && !h.pairs(end, words[0].Text) || h.spelled(end, next) > longestTail || len(h.values.Figures(h.wordsBetween(end, next))) > 0 {
			break
		}
		if fits == 0 {
			fits = logOdds(h.fitted(h.asked, from, to, otherAnswers).Asked)
		}
		if logOdds(h.fitted(h.asked, from, next, otherAnswers).Asked) < fits-lessFits {
			break
		}
		end = next
	}
	return end
}

// partsClauses reports whether a word or mark stands between clauses of a sentence.
func (h *heard) partsClauses(word string) bool {
	f := language.Fold(word)
	return isMark(word, ",.;:!?()–—\n") || language.IsWord("and", f) || language.IsWord("contrast", f)
}

// pairs reports whether a word joins another to the one that stands alone behind a comma before byte at:
// "me and my dad".
func (h *heard) pairs(at int, word string) bool {
	comma := strings.LastIndexByte(h.said.Text[:at], ',')
	return language.IsWord("and", language.Fold(word)) && comma >= 0 && h.spelled(comma, at) == 1
}

// longestTail is how many words a clause has at most that goes on.
const longestTail = 6

// lessFits is by how much the log odds of an answer may fall that goes on.
const lessFits = 0.5

// clauseBehind returns where the clause ends that begins with words, marks in front of it left out.
func (h *heard) clauseBehind(words []language.Word) int {
	said := false
	for _, w := range words {
		parts := h.partsClauses(w.Text)
		if parts && said {
			return w.From
		}
		said = said || !parts
	}
	return words[len(words)-1].To
}

// longSentence is how many words a sentence has at least for a text to be all of it where little of it
// is marked.
const longSentence = 10

// toClauseStart returns the byte where the clause of byte at begins, if that is no more than a few words before.
func (h *heard) toClauseStart(at, least, few int) int {
	words := h.wordsBetween(least, at)
	for i := len(words) - 1; i >= 0; i-- {
		if words[i].Text == "-" || h.partsClauses(words[i].Text) {
			if i+1 < len(words) {
				return words[i+1].From
			}
			return at
		}
		if len(words)-i > few {
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
		if w.Text == "-" || h.partsClauses(w.Text) {
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

// manyBefore is the same where they are cut in the middle of a phrase.
const manyBefore = 6
