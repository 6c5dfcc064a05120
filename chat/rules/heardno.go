package rules

import (
	"slices"
	"strings"

	"quaestor/internal/listening"
	"quaestor/obligations"
)

// toldInstead reads what a message that rejects what was read back says instead: the first of
// its clauses that neither denies, nor asks, nor speaks of what was read back. What is no plain
// "no, a third van" is held in doubt, and read back in its turn. It reports whether the message
// rejects.
func (h *heard) toldInstead() bool {
	if h.asked.Closed() {
		return false
	}
	list := h.sentences()
	for len(list) > 1 && h.words[list[0].to].Text == "?" && list[0].to-list[0].from <= 2 { // "What? No."
		list = list[1:]
	}
	if len(list) == 0 || !isOne("no", h.folded()[list[0].from]) {
		return false
	}
	first := list[0]
	first.from++
	for first.from < first.to && (isMark(h.folded()[first.from], ",-–") || isOne("no", h.folded()[first.from])) {
		first.from++
	}
	at, after := h.plainly(first), 1
	if h.language() == "en" && at.to > at.from && at.to-at.from <= longestInstead && len(list) == 1 {
		return false // the tables of English know how a right value is led to
	}
	if at.to <= at.from {
		at = wordRange{}
		for after < len(list) && !h.tells(list[after]) {
			after++
		}
		if after < len(list) {
			at = list[after]
		}
	}
	if at.to > at.from && h.noteInstead(at, after == 1 && at == first && at.to-at.from <= longestInstead) {
		return true
	}
	h.out.About = h.asked.Key
	if !h.told(h.asked.Key) {
		h.deny(h.asked)
	}
	return true
}

// longestInstead is how many words a value that is said right behind a no has at most, for it to
// be taken without asking.
const longestInstead = 8

// plainly returns what stands behind a no in its sentence, from where it tells something; nothing
// where it only denies.
func (h *heard) plainly(s wordRange) wordRange {
	for from := s.from; from < s.to; {
		to := from
		for to < s.to && !isMark(h.folded()[to], ",") {
			to++
		}
		if h.tells(wordRange{from, to}) {
			return wordRange{from, s.to}
		}
		from = to + 1
	}
	return wordRange{}
}

// tells reports whether a clause says something of its own: it neither denies nor asks, nor plays
// down or repeats what was read back.
func (h *heard) tells(c wordRange) bool {
	if c.to <= c.from || c.to < len(h.words) && h.words[c.to].Text == "?" {
		return false
	}
	if _, named := h.behindName(c); named {
		return true
	}
	if c.to-c.from > 2 && isOne("topic", h.folded()[c.from]) && isOne("bygone", h.folded()[c.from+1]) {
		return false // "das war die Antwort an Sie"
	}
	merely, says := false, false
	for i := c.from; i < c.to; i++ {
		w := h.folded()[i]
		if isOne("deny", w) || h.rejects(i) || isOne("no", w) && i > c.from || isOne("nevermind", w) {
			return false
		}
		says = says || isOne("predicate", w) || isOne("being", w)
		merely = merely || isOne("merely", w) && i > c.from && (isOne("being", h.folded()[i-1]) || isOne("being", h.folded()[max(c.from, i-2)]))
	}
	stems := listening.Stems(h.said.Text[h.words[c.from].From:h.words[c.to-1].To])
	held := listening.Stems(show(h.asked.Template, h.proposal()))
	same := 0
	for st := range stems {
		if held[st] {
			same++
		}
	}
	return len(stems) > 0 && !merely && (2*same < len(stems)+1 || !says && same < len(held))
}

// noteInstead notes a clause as the answer to what was read back, without the name of that
// in front of it.
func (h *heard) noteInstead(at wordRange, sure bool) bool {
	from, named := h.behindName(at)
	at.from = from
	for at.from < at.to && isMark(h.folded()[at.from], `'"„“”‘’‚`) {
		at.from++
	}
	for at.from < at.to && isMark(h.folded()[at.to-1], `'"„“”‘’‚`) {
		at.to--
	}
	if at.from >= at.to {
		return false
	}
	start, end := h.words[at.from].From, h.words[at.to-1].To
	text := strings.Repeat(" ", start) + h.said.Text[start:end]
	other := *h
	other.said = h.listen(kindOf(h.asked.Template), askedWords(h.asked.Template), text)
	fit := obligations.Confidence(mostDoubtful)
	if sure || named {
		fit = 0
	}
	var v valueRead
	for i := range other.said.Segments {
		seg := &other.said.Segments[i]
		if answersNothing[seg.Act] && seg.Act != listening.Correction && !sure && !named {
			continue
		}
		whole := listening.Segment{Act: listening.Answer, From: seg.From, To: end, Values: seg.Values}
		if v = other.valueIn(h.asked.Template, &whole, true); v.value != nil {
			break
		}
	}
	if v.value == nil || obligations.SameValue(v.value, h.proposal()) {
		return false
	}
	h.out.Findings = slices.DeleteFunc(h.out.Findings, func(f obligations.Finding) bool { return f.Key == h.asked.Key })
	return h.note(h.asked.Key, v, obligations.Correct, fit)
}

// behindName returns where a clause goes on behind the name of what was asked and a word of
// being: "Das Hindernis ist, dass …", "Branche: …".
func (h *heard) behindName(c wordRange) (from int, named bool) {
	names := listening.Stems(h.asked.Name() + " " + strings.Join(h.asked.Cues, " "))
	for i := c.from; i < min(c.to, c.from+longestHeading); i++ {
		if isOne("being", h.folded()[i]) || isMark(h.folded()[i], ":") {
			if !named {
				return c.from, false
			}
			i++
			for i < c.to && isMark(h.folded()[i], ",:") {
				i++
			}
			return i, true
		}
		for st := range listening.Stems(h.words[i].Text) {
			named = named || names[st]
		}
	}
	return c.from, false
}
