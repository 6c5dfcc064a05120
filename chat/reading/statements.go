package reading

import (
	"maps"
	"slices"
	"strings"

	"quaestor/chat"
	"quaestor/chat/field"
	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
	"quaestor/sessions"
)

// A statement says of which field it speaks and what that is: "the thing that holds us back is the
// rent", "Zielgruppe: junge Familien", "walk-ins are my customers", "Laufanalyse ist kein Hindernis".
type statement struct {
	of       *obligations.Obligation
	whole    wordRange // with the name of the field
	value    wordRange
	denied   bool // the value is said not to be one of that field, or what is noted is called wrong
	genitive bool // the value ends with the 's of "agriculture's the industry"
	turned   bool // the name stands behind the value
	labelled bool // a colon stands between, or the 's of "target market's families"
}

// stated reads the statements of a message. What they say belongs to the field they name, whatever
// was asked, and replaces what was noted of it. It reports whether there were any.
func (h *heard) stated() bool {
	if len(h.words) > longestNamed {
		return false
	}
	found := false
	list := h.statements()
	for i, s := range list {
		again := slices.ContainsFunc(list[i+1:], func(later statement) bool { return later.of == s.of && !later.denied })
		if h.told(s.of.Key) || !again && h.isSettled(h.words[s.whole.from].From, h.words[s.whole.to-1].To) {
			continue
		}
		open := s.of.Value == nil || s.of.Hinted()
		answers := h.asked != nil && h.asked.Key == s.of.Key && h.purpose() == sessions.ToAsk && open
		switch {
		case again: // what is said last holds
		case s.denied:
			if s.of.Value == nil || h.asked != nil && s.of.Key == h.asked.Key {
				continue // a no to what is read back
			}
			h.deniedStatement(s)
		case answers && s.whole.from == 0: // it is read as an answer, without the name in front of it
			if s.value.from > s.whole.from {
				h.settled = append(h.settled, byteRange{h.words[s.whole.from].From, h.words[s.value.from-1].To})
				found = true
			}
			continue
		default:
			end := h.noteStated(s)
			if end == 0 {
				continue
			}
			s.whole.to = max(s.value.from+1, h.firstWord(end-1)+1)
		}
		h.settled = append(h.settled, byteRange{h.words[s.whole.from].From, h.words[s.whole.to-1].To})
		found, h.named = true, true
	}
	if found {
		h.hearBeside()
		h.phrases = nil
		h.setPhrases() // they were heard anew
		h.dropScraps()
	}
	return found
}

// deniedStatement takes back what a statement denies: what it names of a list, or all that is held.
func (h *heard) deniedStatement(s statement) {
	several := isList(s.of) && len(field.Items(field.Text(s.of.Value))) > 1
	switch {
	case h.strikes(s.whole):
	case several && len(h.stemsIn(s.value)) > 0 && !h.callsWrong(h.clauses(s.value)[0]):
		h.which = true // it is none of what is held
	default:
		h.deny(s.of)
	}
}

// dropScraps takes what is left beside statements for talk where it is a word: "Mercy."
func (h *heard) dropScraps() {
	for i := range h.said.Segments {
		seg := &h.said.Segments[i]
		if !h.isSettled(seg.From, seg.To) && seg.Act == listening.Answer && h.spelled(seg.From, seg.To) <= 1 && (h.asked == nil || !h.asked.Closed() || h.asked.Widget == obligations.MultiSelect) {
			seg.Act, seg.Values = listening.SmallTalk, nil
		}
	}
}

// besideStated reads what is said along with statements in answer to a question that asks for no value:
// a yes or a no to it.
func (h *heard) besideStated() {
	confirming := h.purpose() == sessions.ToConfirm && h.asked != nil && !h.told(h.asked.Key)
	first := slices.IndexFunc(h.folded(), func(w string) bool { return !isMark(w, ",.;:!?") })
	switch {
	case !confirming || first < 0:
	case language.IsWord("yes", h.folded()[first]):
		h.acceptBytes(h.asked, h.words[first].From, h.words[first].To)
	case language.IsWord("no", h.folded()[first]):
		h.deny(h.asked)
	}
	h.out.Intent = chat.Answer
	if i := slices.IndexFunc(h.out.Findings, func(f obligations.Finding) bool { return f.Act == obligations.Correct || f.Act == obligations.Deny }); i >= 0 {
		h.out.Intent, h.out.About = chat.Correction, h.out.Findings[i].Key
	}
}

// longestStated is how many words name a field in a statement at most: "the biggest thing that is
// holding us back right now".
const longestStated = 9

// statements returns the statements of the message, in order. A value goes on to the next statement
// of its sentence, or to the sentence's end.
func (h *heard) statements() []statement {
	var out []statement
	for _, s := range h.sentences() {
		if h.asksIn(s) {
			continue
		}
		if h.speaksOf(s, "former", "condition") {
			if got, ok := h.cued(s); ok {
				out = append(out, got)
			}
			continue
		}
		first := len(out)
		for i := s.from; i < s.to; i++ {
			if i > s.from && !isMark(h.folded()[i-1], ",:;") && !language.IsWord("and", h.folded()[i-1]) && !language.IsWord("contrast", h.folded()[i-1]) {
				continue
			}
			from := i
			for from < s.to && (language.IsWord("opener", h.folded()[from]) || h.deniesAt(from) || language.IsWord("contrast", h.folded()[from]) || isMark(h.folded()[from], `,"'„“”‚‘’«»`)) {
				from++
			}
			got, ok := h.statementFrom(from, s.to)
			if !ok || !got.labelled && !got.genitive && !got.denied && got.of.Value == nil && h.oneWord(got.value) {
				continue // "customers are waiting"
			}
			got.whole.from = i
			for i > s.from && got.whole.from > s.from && (isMark(h.folded()[got.whole.from-1], ",") || language.IsWord("and", h.folded()[got.whole.from-1])) {
				got.whole.from--
			}
			if h.leadEnd(s, from) {
				got.whole.from = s.from
			}
			if n := len(out); n > first && out[n-1].value.from < out[n-1].whole.to && out[n-1].value.to > got.whole.from {
				out[n-1].value.to, out[n-1].whole.to = i, i
			}
			out = append(out, got)
			i = max(i, got.value.from-1)
		}
		if got, ok := h.cued(s); ok && len(out) == first {
			out = append(out, got)
		}
	}
	return slices.DeleteFunc(out, func(s statement) bool { return s.value.to <= s.value.from })
}

// oneWord reports whether a value is one word without an article and no figure: it may say how something
// is.
func (h *heard) oneWord(r wordRange) bool {
	return !language.IsWord("article", h.folded()[r.from]) && len(h.stemsIn(r)) <= 1 && !strings.ContainsAny(h.said.Text[h.words[r.from].From:h.words[r.to-1].To], "0123456789")
}

// leadEnd reports whether all that stands before word i in its sentence only leads up to it: "please
// note:".
func (h *heard) leadEnd(s wordRange, i int) bool {
	return i > s.from && i-s.from <= longestLead && isMark(h.folded()[i-1], ":")
}

// longestLead is how many words lead up to a statement at most, with the colon.
const longestLead = 5

// statementFrom reads a statement that begins at word from, in a sentence that ends at to.
func (h *heard) statementFrom(from, to int) (statement, bool) {
	for i := from; i < to-1 && i <= from+longestStated; i++ {
		word := h.folded()[i]
		mark, isNot := isMark(word, ":="), language.IsWord("not", word) && strings.HasSuffix(word, "n't")
		possessive := strings.HasSuffix(word, "'s") && h.lexical("genitive", "'s") && !language.IsWord("topic", word) && !language.IsWord("contracted", word) && !language.IsWord("speaker", word)
		switch {
		case isMark(word, ",;"):
			return statement{}, false
		case !mark && !possessive && !isNot && word != "be" && (!language.IsWord("being", word) || language.IsWord("bygone", word)):
			continue
		case i == from && !possessive:
			return statement{}, false
		}
		label := wordRange{from, i}
		if possessive {
			label.to = i + 1
		}
		least := leastStated
		if mark {
			least = leastLabelled
		}
		if i > from && !mark && !possessive && (language.IsWord("preposition", h.folded()[from]) || i > from+1 && (language.IsWord("us", h.folded()[i-1]) || language.IsWord("self", h.folded()[i-1]))) {
			return statement{}, false // "for the project we are two"
		}
		o := h.namedWith(label, least)
		if o == nil && !mark {
			o = h.cuedBy(label)
		}
		if o != nil && !maps.Equal(h.stemsIn(label), field.Stems(o.Name())) && len(h.values.Dates(h.words[label.from:label.to], h.scene.Now, language.Ahead)) > 0 {
			return statement{}, false // "the end of September's fixed", "für heute reicht's"
		}
		if o != nil && !isNot && (mark || h.folded()[i+1] == ":" || !language.IsWord("deny", h.folded()[i+1]) && !language.IsWord("not", h.folded()[i+1])) {
			value, wrong := h.behindWrong(wordRange{i + 1, to})
			if language.IsWord("degree", h.folded()[value.from]) && value.from+1 < value.to && language.IsWord("article", h.folded()[value.from+1]) {
				value.from++ // "it is really the parking"
			}
			if language.IsWord("alter", h.folded()[value.from]) || language.IsWord("also", h.folded()[value.from]) || language.IsWord("degree", h.folded()[value.from]) {
				return statement{}, false // it adds to a list, or says how something is
			}
			return statement{of: o, whole: wordRange{from, to}, value: value, denied: wrong, labelled: mark || possessive && h.isNameOf(o, label) || h.folded()[i+1] == ":"}, true
		}
		if mark {
			return statement{}, false
		}
		if value, ok := h.behindInstead(wordRange{i + 1, to}); ok && o != nil && (isNot || h.rejects(i+1)) {
			return statement{of: o, whole: wordRange{from, to}, value: value}, true
		}
		if value := (wordRange{i + 1, to}); o != nil && (isNot || h.rejects(i+1)) && h.holdsAny(o, value) {
			return statement{of: o, whole: wordRange{from, to}, value: value, denied: true}, true
		}
		if s, ok := h.turnedRound(label, i+1, to); ok {
			s.genitive = possessive
			s.denied = s.denied || isNot
			return s, true
		}
		if !possessive && !language.IsWord("asks", h.folded()[from]) { // and not "what they do today is"
			return statement{}, false
		}
	}
	return statement{}, false
}

// behindInstead returns what is said in place of something that is denied: "the guesthouses, it's
// contracts with schools", "the guesthouses but contracts with schools".
func (h *heard) behindInstead(r wordRange) (value wordRange, ok bool) {
	for i := r.from; i < r.to-1; i++ {
		at := i
		for at < r.to && (isMark(h.folded()[at], ",;–—-") || language.IsWord("contrast", h.folded()[at])) {
			at++
		}
		instead := slices.ContainsFunc(h.folded()[i:at], func(w string) bool { return language.IsWord("contrast", w) })
		switch w := h.folded()[min(at, r.to-1)]; {
		case at == i || at >= r.to-1:
			continue
		case language.IsWord("topic", w) && (h.folded()[at+1] == "be" || language.IsWord("being", h.folded()[at+1])):
			return wordRange{at + 2, r.to}, at+2 < r.to
		case language.IsWord("topic", w) && strings.HasSuffix(w, "'s"), language.IsWord("contracted", w):
			return wordRange{at + 1, r.to}, true
		case instead:
			return wordRange{at, r.to}, true
		}
	}
	return wordRange{}, false
}

// isNameOf reports whether all that some words say is in the name of o.
func (h *heard) isNameOf(o *obligations.Obligation, r wordRange) bool {
	name := field.Stems(o.Name())
	for st := range h.stemsIn(r) {
		if !name[st] {
			return false
		}
	}
	return true
}

// turnedRound reads a statement that ends with the name of the field, which begins at word from:
// "agriculture's the industry", "walk-ins are no obstacle".
func (h *heard) turnedRound(value wordRange, from, to int) (statement, bool) {
	end := from
	for end < to && !isMark(h.folded()[end], ",;:") && !language.IsWord("contrast", h.folded()[end]) {
		end++
	}
	if end-from > longestHeading || h.lexical("heading", h.folded()[from]) || h.lexical("boundary", h.folded()[from]) {
		return statement{}, false
	}
	points := value.to-value.from == 1 && language.IsWord("topic", h.folded()[value.from]) // at something said before
	if points && !h.speaksOf(wordRange{from, end}, "deny", "not") && !language.IsWord("not", h.folded()[from-1]) {
		return statement{}, false // "that is my customer"
	}
	denied := h.speaksOf(wordRange{from, end}, "deny", "not") || language.IsWord("not", h.folded()[from-1])
	o := h.namedIn(wordRange{from, end})
	if o == nil || denied && !points && !h.holdsAny(o, value) {
		return statement{}, false
	}
	return statement{of: o, whole: wordRange{value.from, end}, value: value, denied: denied, turned: true}, true
}

// behindWrong returns what a statement says behind "is wrong, it should be", and whether it says no
// more than that what is noted is wrong.
func (h *heard) behindWrong(r wordRange) (value wordRange, wrong bool) {
	end := r.from
	for end < r.to && !isMark(h.folded()[end], ",") {
		end++
	}
	if !h.callsWrong(wordRange{r.from, end}) {
		return r, false
	}
	for i := end; i < min(r.to-1, end+longestLead+1); i++ {
		if w := h.folded()[i]; w == "be" || language.IsWord("being", w) || language.IsWord("contracted", w) || strings.HasSuffix(w, "'s") {
			return wordRange{i + 1, r.to}, false
		}
	}
	return r, true
}

// callsWrong reports whether a few words say no more than that something is wrong, or where it stands
// wrongly.
func (h *heard) callsWrong(r wordRange) bool {
	wrong, more := false, 0
	for i := r.from; i < r.to; i++ {
		switch word := h.folded()[i]; {
		case language.IsWord("nonsense", word) || language.IsWord("wrongly", word) || i+1 < r.to && language.IsWord("wrongly", word+"_"+h.folded()[i+1]):
			wrong = true
		case language.IsWord("record", word), language.IsWord("addressing", word), language.IsWord("unchanged", word): // "still wrong in your list"
		case language.IsSaid(word) && len(field.Stems(word)) > 0 && !language.IsWord("degree", word):
			more++
		}
	}
	return wrong && more <= 1
}

// holdsAny reports whether what o holds has a word that says something of a few words.
func (h *heard) holdsAny(o *obligations.Obligation, r wordRange) bool {
	if o.Value == nil {
		return false
	}
	held := field.Stems(field.InEnglish(o.Template, o.Value) + " " + field.Text(o.Value))
	for st := range h.stemsIn(r) {
		if held[st] {
			return true
		}
	}
	return false
}

// noteStated notes the value of a statement, and returns the byte at which it ends; 0 where it has
// none.
func (h *heard) noteStated(s statement) int {
	o, at := s.of, s.value
	edge := func(i int) bool { return isMark(h.folded()[i], `,:;-–"'„“”‚‘’«»`) }
	for at.from < at.to && (edge(at.from) || language.IsWord("opener", h.folded()[at.from]) || at.from == s.value.from && h.folded()[at.from] == "to") {
		at.from++
	}
	for at.from < at.to && edge(at.to-1) {
		at.to--
	}
	if o.Value != nil && at.from < at.to && h.entry("unchanged", at.from, at.to) > 0 { // "the problem's still the dear tents"
		return 0
	}
	if at.from >= at.to || at.to-at.from == 1 && language.IsWord("topic", h.folded()[at.from]) {
		return 0
	}
	text := field.Kind(o.Template) == listening.Text && len(o.Choices) == 0
	if text {
		at.to = h.newSubject(at)
	}
	tail := at.to
	at.to = h.beforeTail(at)
	start, end := h.words[at.from].From, h.words[at.to-1].To
	if last := h.words[at.to-1].Text; s.genitive && at.to == s.value.to {
		end -= len(last) - strings.LastIndexAny(last, "'’")
	}
	other := h.heardAlone(o, start, end)
	whole := listening.Segment{Act: listening.Answer, From: start, To: end, Sure: 1}
	for i := range other.said.Segments {
		whole.Values = append(whole.Values, other.said.Segments[i].Values...)
	}
	v := other.valueIn(o.Template, &whole, true)
	if v.value == nil && !(text && s.labelled) {
		return 0
	}
	if text { // all of it is the value, whatever is a name in it
		v.value, v.from, v.to = field.Encode(trimmed(h.said.Text[start:end])), start, end
	}
	done := true
	switch {
	case text && !s.labelled && (s.turned || h.listener.Encoded()) && h.fitted(o, v.from, v.to, namedAnswers).Asked < hardlyFits:
		done = false // "the problem is so-so" says how something is
	case o.Value == nil || o.Hinted():
		done = h.note(o.Key, v, obligations.Tell, 0)
	case obligations.SameValue(o.Value, v.value):
	case text && !s.labelled && s.vague(h) && h.listener.Encoded() && h.fitted(o, v.from, v.to, otherAnswers).Asked < leastFit:
		done = false // "the people are twenty to a choir"
	case h.saidByAnother(o):
		done = h.note(o.Key, v, obligations.Tell, 0) // which of them holds is asked
	default:
		done = h.note(o.Key, v, obligations.Correct, 0)
	}
	if !done {
		return 0
	}
	if s.value.from < s.whole.to && s.whole.to > s.value.to {
		return h.words[s.whole.to-1].To // the name stands behind it
	}
	if tail > at.to {
		return h.words[tail-1].To
	}
	return v.to
}

// beforeTail returns where a value ends in front of what only goes with it: "the parking, not the staff",
// "the parking, write that down".
func (h *heard) beforeTail(r wordRange) int {
	for i := r.from + 1; i < r.to-1; i++ {
		if isMark(h.folded()[i], ",;") && (h.rejects(i+1) || h.entry("noteorder", i+1, r.to) > 0) {
			return i
		}
	}
	return r.to
}

// vague reports whether one word that says something names the field of a statement, as it may do with
// anything.
func (s *statement) vague(h *heard) bool {
	return !s.turned && s.value.from > s.whole.from && len(h.stemsIn(wordRange{s.whole.from, s.value.from})) <= 1
}

// saidByAnother reports whether what o holds was said last by somebody else.
func (h *heard) saidByAnother(o *obligations.Obligation) bool {
	n := len(o.Evidence)
	return n > 0 && o.Evidence[n-1].By != "" && o.Evidence[n-1].By != h.scene.Person
}

// newSubject returns where a new thought begins in some words, behind an "and" or a comma: "and we
// have 12 employees"; their end where there is none.
func (h *heard) newSubject(r wordRange) int {
	for i := r.from + 1; i < r.to-1; i++ {
		joint := isMark(h.folded()[i], ",") || language.IsWord("and", h.folded()[i])
		next := i + 1
		if joint && language.IsWord("and", h.folded()[next]) && next+1 < r.to {
			next++
		}
		if joint && language.IsWord("us", h.folded()[next]) || joint && language.IsWord("self", h.folded()[next]) {
			return i
		}
	}
	return r.to
}
