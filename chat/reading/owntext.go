package reading

import (
	"slices"
	"strings"
	"unicode"

	"quaestor/chat/field"
	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
)

// statement reads what is said between two bytes as a text in the person's own words: without
// what leads in ("well, I think"), the name of what was asked, and what closes ("I guess").
func (h *heard) statement(t *obligations.Template, from, to int) valueRead {
	whole := h.within(from, to)
	r := wordRange{h.skipNaming(t, h.skipLeadIns(whole)), whole.to}
	for n := h.closer(r); n > 0 && r.to-n > r.from; n = h.closer(r) {
		r.to -= n
	}
	if r.from >= r.to {
		return valueRead{}
	}
	start, end := h.extent(r)
	start = h.withSigns(from, start)
	said := tidy(h.raw[start:end])
	if said == "" {
		return valueRead{}
	}
	return valueRead{value: field.Encode(trimmed(said)), from: start, to: end, hedged: h.hedged(whole), vague: h.vague(r) || tooShort(said)}
}

// skipLeadIns returns the first word behind what leads in. Something is always left.
func (h *heard) skipLeadIns(r wordRange) int {
	i := r.from
	for i < r.to {
		n := 1
		if !isMark(h.words[i].Text, ",.;:!?…-–—") {
			n = h.entry("leadin", i, r.to)
			if glued := i+n < r.to && h.words[i+n].Text == "-"; n == 0 || glued || n == 1 && h.goesOn(i, r.to) {
				break
			}
		}
		if i+n >= r.to {
			break
		}
		i += n
	}
	return i
}

// goesOn reports whether a word that often leads in belongs to what follows: no mark parts them.
func (h *heard) goesOn(i, to int) bool {
	return language.IsWord("adverb", h.folded()[i]) && i+1 < to && !isMark(h.words[i+1].Text, ",.;:!?…")
}

// closer returns how many words at the end of a stretch belong to nothing said.
func (u *utterance) closer(r wordRange) int {
	if r.len() > 0 && isMark(u.words[r.to-1].Text, ",.;:!?…-–—") {
		return 1
	}
	return u.entryBefore("closer", r.from, r.to)
}

// withoutTail returns a text without what only closes its sentence and is no part of it: "I think",
// "if you ask me", "not me". A hedge among that makes it less sure.
func (u *utterance) withoutTail(v valueRead) valueRead {
	said := field.Text(v.value)
	first := slices.IndexFunc(u.words, func(w language.Word) bool { return w.To > v.from })
	if said == "" || first < 0 {
		return v
	}
	r := wordRange{first, len(u.words)}
	for i := first; i < len(u.words); i++ {
		if u.endsSentence(i) || i > first && u.onNewLine(i) {
			r.to = i
			break
		}
	}
	end := r.to
	for n := u.closer(r); n > 0 && r.to-n > r.from; n = u.closer(r) {
		r.to -= n
	}
	if r.to == end {
		return v
	}
	v.hedged = v.hedged || u.speaksOf(wordRange{r.to, end}, "hedge")
	cut := u.words[r.to].From
	if v.to <= cut {
		return v
	}
	if rest, ok := strings.CutSuffix(said, strings.TrimSpace(u.raw[cut:v.to])); ok && trimmed(rest) != "" {
		v.value, v.to = field.Encode(trimmed(rest)), u.words[r.to-1].To
	}
	return v
}

// skipNaming drops the name of what was asked in front of its answer: "our target market is
// small clinics" leaves "small clinics".
func (h *heard) skipNaming(t *obligations.Template, i int) int {
	if t.Name() == "" || i >= len(h.words) {
		return i
	}
	at := i
	if language.IsWord("owner", h.folded()[at]) && at+1 < len(h.words) {
		at++
	}
	n := 0
	for _, name := range append([]string{t.Name()}, t.Cues...) {
		if name := strings.Fields(language.FoldWords(name)); h.sameWords(at, name) {
			n = max(n, len(name))
		}
	}
	if n == 0 {
		return i
	}
	to := at + n
	linked := false
	for to < len(h.words) && to < at+n+4 && (language.IsWord("being", h.folded()[to]) || isMark(h.words[to].Text, ":=-–") || linked && language.IsWord("linking", h.folded()[to])) {
		linked = true
		to++
	}
	if !linked || to >= len(h.words) {
		return i
	}
	return to
}

// sameWords reports whether folded words stand at word i, be it in another form.
func (u *utterance) sameWords(i int, words []string) bool {
	if len(words) == 0 || i+len(words) > len(u.words) {
		return false
	}
	for k, w := range words {
		if said := u.folded()[i+k]; said != w && !listening.Alike(said, w) {
			return false
		}
	}
	return true
}

// extent returns the bytes of a stretch with the signs that stick to it ("$20", "20%", "(new)")
// and without closing punctuation.
func (u *utterance) extent(r wordRange) (start, end int) {
	start, end = u.bytes(r)
	sticks := func(i int) bool {
		w := u.words[i].Text
		return !language.IsSaid(w) && !isMark(w, ".,;:!?…")
	}
	for i := r.from; i > 0 && !u.words[i].Spaced && sticks(i-1); i-- {
		start = u.words[i-1].From
	}
	for i := r.to; i < len(u.words) && !u.words[i].Spaced && sticks(i); i++ {
		end = u.words[i].To
	}
	return start, end
}

// withSigns returns where a text begins that was read from byte start of what begins at
// from: with the figures and signs before it, which nobody says to lead in.
func (h *heard) withSigns(from, start int) int {
	if from < start && h.spelled(from, start) == 0 && strings.ContainsAny(h.raw[from:start], "0123456789") {
		return from
	}
	return start
}

// hedged reports whether a stretch is said with doubt. In a long statement only doubt at its ends
// counts: in the middle it belongs to what is told.
func (u *utterance) hedged(r wordRange) bool {
	for i := r.from; i < r.to; i++ {
		if i >= r.from+hedgeEdge && i < r.to-hedgeEdge {
			continue
		}
		if u.entry("hedge", i, r.to) > 0 {
			return true
		}
	}
	return r.len() > 0 && u.asks(r)
}

// hedgeEdge is how many words from either end doubt counts.
const hedgeEdge = 5

// vague reports whether a stretch is too general to act on: made of words alone that say nothing.
func (u *utterance) vague(r wordRange) bool {
	for i := r.from; i < r.to; i++ {
		if w := u.folded()[i]; language.IsSaid(w) && !language.IsWord("vague", w) && !language.IsWord("loose", w) {
			return false
		}
	}
	return r.len() <= maxVague
}

// maxVague bounds, in words, what may be vague: longer answers say something.
const maxVague = 9

// trimmed returns words without what never belongs to a value: blanks, quotes and marks
// around it, and a conjunction at its end, which began what was cut off.
func trimmed(s string) string {
	ends := func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(".,;:!?\"“”„()…", r) }
	return strings.TrimFunc(withoutDangler(strings.TrimFunc(s, ends)), ends)
}

// withoutDangler returns s without a conjunction at its end, which began what was cut off.
func withoutDangler(s string) string {
	at := strings.LastIndexByte(s, ' ')
	if at < 0 || !language.IsWord("dangler", s[at+1:]) {
		return s
	}
	return s[:at]
}

// maxTextBytes bounds a text answer; the rest of a long paste is not kept as a value.
const maxTextBytes = 6000

// tidy makes a value of raw words: white space at the ends and control characters gone, and
// not too long.
func tidy(raw string) string {
	if len(raw) > maxTextBytes {
		raw = raw[:maxTextBytes]
		if at := strings.LastIndexFunc(raw, unicode.IsSpace); at > 0 {
			raw = raw[:at]
		}
		raw = strings.ToValidUTF8(raw, "")
	}
	raw = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, raw)
	return strings.TrimSpace(raw)
}

// tooShort reports whether words are a letter or two: initials at best.
func tooShort(words string) bool {
	letters := 0
	for _, r := range words {
		if r > 0x2E80 { // scripts where one sign may be a word
			return false
		}
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			letters++
		}
	}
	return letters < 2
}
