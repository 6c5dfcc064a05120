package reading

import (
	"encoding/json"
	"sort"
	"strings"

	"quaestor/chat"
	"quaestor/chat/field"
	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
)

// longestNoted bounds, in words, a question that only asks whether something is noted: "budget 6,000, got
// that down?".
const longestNoted = 9

// asksNoted reports whether the folded words of a sentence ask what is noted here, or whether something is:
// "what's my budget down as", "have you got what I told you", "show me what you have", "did you fix it".
// asks is whether they end with a question mark.
func asksNoted(words []string, asks bool) bool {
	s := wordsOf(words)
	addressed := asks || s.has("addressing")
	shown := !s.begins("askswho") && (s.begins("shows") || s.begins("readout") || addressed && (s.has("readout") || s.has("shows")))
	held := s.has("holds") && s.has("addressing") || s.has("stands")
	switch {
	case s.has("readback") && addressed:
		return true
	case s.has("shows") && (s.has("allofit") || s.has("noted")) && addressed, len(words) > 0 && len(words) <= 3 && language.IsWord("shows", words[0]):
		return true
	case shown && (s.has("record") && !s.followedBy("record", "of") || s.has("sofar") || s.has("retold") || held):
		return true
	case s.has("summary") && (s.has("shows") || s.has("addressing")):
		return true
	case !asks:
		return false
	case s.has("addressing") && (s.has("noted") || s.has("amended")), s.has("putdown") && len(words) <= longestNoted:
		return true
	case s.has("addressing") && s.has("caught") && s.has("retold"):
		return true
	}
	return (s.begins("asks") || s.begins("asksis")) && held && s.has("sofar")
}

// asksNotedOf reports whether a sentence asks what is noted of one field, which it names: "what have you
// got for the budget", "was steht bei Beginn".
func (h *heard) asksNotedOf(s wordRange) bool {
	words := wordsOf(h.folded()[s.from:s.to])
	if !h.asks(s) && !words.begins("shows") {
		return false
	}
	held := words.has("holds") && words.has("addressing") || words.has("stands")
	begins := words.begins("shows") || words.begins("whword") || words.begins("whhow") || words.begins("asksis")
	if !held || !begins {
		return false
	}
	_, ok := h.mentioned(s, anyOne)
	return ok
}

// asksLast returns the last clause of a sentence where it alone asks what is noted, and what stands before
// it asks nothing: "6,000, have you got that down?".
func (h *heard) asksLast(s wordRange) wordRange {
	list := h.clauses(s)
	last := list[len(list)-1]
	before := wordsOf(h.folded()[s.from:last.from])
	if len(list) < 2 || before.has("shows") || before.has("readout") || before.has("addressing") || !asksNoted(h.folded()[last.from:last.to], h.asks(last)) {
		return s
	}
	return last
}

// asksOnlyNoted reports whether a segment that asks is one sentence, which asks what is noted.
func (h *heard) asksOnlyNoted(seg *listening.Segment) bool {
	if seg.Act != listening.Question {
		return false
	}
	in, ok := h.sentenceOf(seg)
	return ok && h.requestIn(in) == AboutNotes
}

// sentenceOf returns the words of a segment that lies within one sentence.
func (h *heard) sentenceOf(seg *listening.Segment) (wordRange, bool) {
	if h.inSentences == nil {
		h.inSentences = h.sentences()
	}
	list := h.inSentences
	s := sort.Search(len(list), func(i int) bool { return h.words[list[i].to-1].To > seg.From })
	if s == len(list) || h.words[list[s].from].From >= seg.To || s+1 < len(list) && h.words[list[s+1].from].From < seg.To {
		return wordRange{}, false
	}
	in := list[s]
	in.from = max(in.from, h.firstWord(seg.From))
	return in, in.len() > 0
}

// notedOf returns the obligation that a question about what is noted is about: the one that it names, else
// the one whose value it says or speaks of, and where it asks for a change the one that was answered last;
// nil where it asks for everything. unknown is whether it speaks of something that nothing noted is about.
func (h *heard) notedOf(from, to int) (o *obligations.Obligation, unknown bool) {
	s := h.within(from, to)
	for s.len() > 0 && h.words[s.to-1].To > to {
		s.to--
	}
	words := wordsOf(h.folded()[s.from:s.to])
	if n, ok := h.mentioned(s, anyOne); ok && (n.label || n.o.Value != nil || !words.has("allofit")) {
		return n.o, false
	}
	for _, f := range h.values.Figures(h.words[s.from:s.to]) {
		for i := range h.scene.Obligations {
			o := &h.scene.Obligations[i]
			var held float64
			if o.Widget == obligations.Number && json.Unmarshal(o.Value, &held) == nil && held == f.Low {
				return o, false
			}
		}
	}
	topic := h.topicOf(s)
	best, most, next := bestOf(h.scene.Obligations, func(o *obligations.Obligation) float64 {
		if o.Value == nil {
			return 0
		}
		return shared(topic, field.Stems(field.InEnglish(o.Template, o.Value)))
	})
	switch {
	case len(topic) > 0 && best != nil && most > next:
		return best, false
	case words.has("amended") && !words.has("allofit"):
		if list := h.answeredLast(); len(list) > 0 {
			return list[0], false
		}
	case len(topic) > 0 && words.has("retold") && best == nil:
		return nil, true
	}
	return nil, false
}

// topicOf returns the stems of what a question about what is noted speaks of, without the words that ask.
func (h *heard) topicOf(s wordRange) map[string]bool {
	var rest []string
	for i := s.from; i < s.to; {
		n := 0
		for _, kind := range []string{"noted", "holds", "stands", "caught", "retold", "readout", "shows", "record", "sofar", "amended", "summary", "courtesy", "saying", "allofit", "addressing", "asks", "speaker", "heading"} {
			n = max(n, h.entry(kind, i, s.to))
		}
		if n == 0 {
			rest = append(rest, h.words[i].Text)
		}
		i += max(n, 1)
	}
	return field.Stems(strings.Join(rest, " "))
}

// shared returns how many stems of a set another has, whole or one the beginning of the other.
func shared(a, b map[string]bool) float64 {
	n := 0.0
	for st := range a {
		for other := range b {
			if len(st) >= leastStem && len(other) >= leastStem && (strings.HasPrefix(st, other) || strings.HasPrefix(other, st)) {
				n++
				break
			}
		}
	}
	return n
}

// leastStem is how many letters a stem has that is hardly shared by chance.
const leastStem = 4

// mostAsked is how many remarks of a message are looked at for what they are about.
const mostAsked = 12

// noteAsked adds to a remark that asks what is noted what it is about.
func (h *heard) noteAsked(r chat.Remark, from, to int) chat.Remark {
	if r.Intent != chat.AskMemory || len(h.out.Beside) > mostAsked {
		return r
	}
	o, unknown := h.notedOf(from, to)
	r.Unknown = unknown
	if o != nil {
		r.Key = o.Key
	}
	return r
}

// wordsOf are the folded words of a sentence.
type wordsOf []string

// has reports whether one of the words, or several together, are of a kind in any language.
func (s wordsOf) has(kind string) bool {
	for i := range s {
		if s.at(kind, i) > 0 {
			return true
		}
	}
	return false
}

// at returns how many words from i on are together one of a kind; 0 for none.
func (s wordsOf) at(kind string, i int) int {
	for n := min(longestEntry, len(s)-i); n > 0; n-- {
		if language.IsWord(kind, strings.Join(s[i:i+n], "_")) {
			return n
		}
	}
	return 0
}

// begins reports whether the first words but for courtesies are of a kind.
func (s wordsOf) begins(kind string) bool {
	for i := 0; i < len(s); {
		if s.at(kind, i) > 0 {
			return true
		}
		n := s.at("courtesy", i)
		if n == 0 && language.IsSaid(s[i]) {
			return false
		}
		i += max(n, 1)
	}
	return false
}

// followedBy reports whether a word of a kind has one of another behind it.
func (s wordsOf) followedBy(kind, other string) bool {
	for i := range s {
		if n := s.at(kind, i); n > 0 && i+n < len(s) && s.at(other, i+n) > 0 {
			return true
		}
	}
	return false
}
