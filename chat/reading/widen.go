package reading

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"quaestor/internal/language"
	"quaestor/internal/listening"
)

// nameTypes are the types whose values are names, which go on as long as their words are
// written like names.
var nameTypes = map[listening.Type]bool{listening.Person: true, listening.Organisation: true, listening.Place: true, listening.Address: true, listening.Product: true}

// maxWidened bounds, in words, how far a name goes on to either side of what was marked.
const maxWidened = 4

// widened returns a marked name with the words beside it that belong to it: "Margaret Ellen"
// of "Margaret Ellen Pask".
func (h *heard) widened(s listening.Span, seg *listening.Segment) listening.Span {
	if s.Type == listening.Identifier {
		return h.unbroken(s)
	}
	if !nameTypes[s.Type] {
		return s
	}
	words := h.wordsBetween(seg.From, seg.To)
	first := slices.IndexFunc(words, func(w language.Word) bool { return w.To > s.From })
	last := first
	for last >= 0 && last+1 < len(words) && words[last+1].From < s.To {
		last++
	}
	if first < 0 || shouted(words) {
		return s
	}
	for n := 0; n < maxWidened && last+1 < len(words); n++ {
		next := words[last+1]
		switch {
		case nameLike(next.Text) && !h.endsSentenceAt(words, last):
			last++
		case last+2 < len(words) && nameLike(words[last+2].Text) && (language.IsWord("particle", language.Fold(next.Text)) && s.Type != listening.Person || inside(next.Text) && !words[last+2].Spaced):
			last += 2
		default:
			n = maxWidened
		}
	}
	for n := 0; n < maxWidened && first > 0; n++ {
		before := words[first-1]
		opens := first == 1 || strings.ContainsAny(words[max(first-2, 0)].Text, ".!?:")
		title := language.IsWord("title", language.Fold(strings.Trim(before.Text, ".")))
		if before.Text == "." && first > 1 && language.IsWord("title", language.Fold(words[first-2].Text)) {
			first -= 2
			continue
		}
		if !nameLike(before.Text) || opens && !title && s.Type != listening.Organisation || unicode.IsDigit([]rune(before.Text)[0]) && s.Type != listening.Address || h.language() == "de" && !title {
			break
		}
		first--
	}
	s.From, s.To = words[first].From, words[last].To
	return s
}

// unbroken returns an identifier with all that is written in one piece with it: "NV209".
func (h *heard) unbroken(s listening.Span) listening.Span {
	text := h.said.Text
	ends := func(b byte) bool { return strings.IndexByte(" \t\n,;:!?()\"", b) >= 0 }
	for s.From > 0 && !ends(text[s.From-1]) {
		s.From--
	}
	for s.To < len(text) && !ends(text[s.To]) {
		s.To++
	}
	return s
}

// nameLike reports whether a word is written like part of a name: with a capital, or in
// figures.
func nameLike(word string) bool {
	r, size := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(r) && word != "I" && !calendarWord(word) || unicode.IsDigit(r) && len(word) > size-1
}

// calendarWord reports whether a word is the name of a day or a month.
func calendarWord(word string) bool {
	f := language.Fold(word)
	return language.IsWord("weekday", f) || language.IsWord("month", f)
}

// inside reports whether a sign stands within names: "O'Dea", "Jodie Marsh-Okafor".
func inside(word string) bool { return word == "-" || word == "'" || word == "’" }

// endsSentenceAt reports whether a sentence ends behind word i.
func (h *heard) endsSentenceAt(words []language.Word, i int) bool {
	return strings.ContainsAny(h.said.Text[words[i].To:words[i+1].From], "\n")
}

// shouted reports whether words are written all in capitals, so that those say nothing.
func shouted(words []language.Word) bool {
	upper, all := 0, 0
	for _, w := range words {
		r, _ := utf8.DecodeRuneInString(w.Text)
		if unicode.IsLetter(r) {
			all++
			if unicode.IsUpper(r) {
				upper++
			}
		}
	}
	return all > 5 && 10*upper > 7*all
}

// maxItem bounds an item, in words.
const maxItem = 6

// firstItem bounds the words of the first item: before a longer one something leads in, as
// in "we need spades".
const firstItem = 2

// goesOnListing reports whether a few words behind an item are another one: they stand in its
// sentence, and say nothing of their own.
func (h *heard) goesOnListing(before, next []language.Word) bool {
	if len(next) > shortItem+1 || strings.ContainsAny(h.said.Text[before[0].From:next[0].From], ".!?") {
		return false
	}
	says := 0
	for _, w := range next {
		f := language.Fold(w.Text)
		if !language.IsSaid(w.Text) {
			continue
		}
		for _, kind := range [...]string{"speaker", "being", "predicate", "asks", "topic", "not", "no", "adverb", "closer", "hedge", "opener", "contrast"} {
			if language.IsWord(kind, f) && !language.IsWord("article", f) && f != "the" {
				return false
			}
		}
		says += len(listening.Stems(f))
	}
	return says > 0
}

// shortItem bounds, in words, an item that is not marked.
const shortItem = 3

// itemsOf returns the items that a segment lists around those that are marked: what stands
// between commas and "and".
func (h *heard) itemsOf(list []listening.Span, seg *listening.Segment) []string {
	words := h.wordsBetween(seg.From, seg.To)
	var pieces [][]language.Word
	begun := 0
	for i := 0; i <= len(words); i++ {
		if i < len(words) && !language.IsWord("part", language.Fold(words[i].Text)) && !strings.ContainsAny(words[i].Text, ",;/+\n•") && !(words[i].Text == "-" && words[i].Spaced) {
			continue
		}
		if i > begun {
			pieces = append(pieces, words[begun:i])
		}
		begun = i + 1
	}
	marked := func(p []language.Word) *listening.Span {
		for i := range list {
			if list[i].From < p[len(p)-1].To && p[0].From < list[i].To {
				return &list[i]
			}
		}
		return nil
	}
	first, last := len(pieces), -1
	for i, p := range pieces {
		if marked(p) != nil {
			first, last = min(first, i), i
		}
	}
	for last >= 0 && last+1 < len(pieces) && h.goesOnListing(pieces[last], pieces[last+1]) {
		last++
	}
	var out []string
	for i := first; i <= last; i++ {
		p := pieces[i]
		for len(p) > 0 && strings.ContainsAny(p[len(p)-1].Text, ".!?:") {
			p = p[:len(p)-1]
		}
		s := marked(pieces[i])
		for len(p) > 1 && language.IsWord("leaditem", language.Fold(p[0].Text)) && (s == nil || p[0].From < s.From) {
			p = p[1:]
		}
		switch {
		case len(p) == 0 || s == nil && (len(p) > shortItem || strings.ContainsAny(h.said.Text[p[0].From:p[len(p)-1].To], ".!?")):
		case s != nil && (len(p) > maxItem || i == first && len(p) > firstItem || strings.ContainsAny(h.said.Text[p[0].From:p[len(p)-1].To], ".!?:")):
			from := min(s.From, p[len(p)-1].From)
			out = append(out, trimmed(h.said.Text[from:s.To]))
		default:
			out = append(out, trimmed(h.said.Text[p[0].From:p[len(p)-1].To]))
		}
	}
	return out
}
