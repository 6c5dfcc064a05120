package reading

import (
	"slices"
	"strings"

	"quaestor/chat"
	"quaestor/chat/field"
	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
	"quaestor/sessions"
)

// deniesAt reports whether word i is a no to what was said before, and does not begin what is told:
// "nobody" does in "nobody has the key".
func (h *heard) deniesAt(i int) bool {
	w := h.folded()[i]
	tells := language.IsWord("nought", w) && i+1 < len(h.words) && h.spelled(h.words[i+1].From, h.words[i+1].To) > 0
	return language.IsWord("no", w) && !tells
}

// toldInstead reads what a message that rejects what was read back says instead: the first of
// its sentences that neither denies, nor asks, nor speaks of what was read back. It is held in
// doubt, and read back in its turn, unless it names what it is of. A plain "no, a third van" is left
// to [heard.denial]. It reports whether the message was read.
func (h *heard) toldInstead() bool {
	if h.asked.Closed() {
		return false
	}
	list := h.sentences()
	for len(list) > 1 && h.words[list[0].to].Text == "?" && list[0].to-list[0].from <= 2 { // "What? No."
		list = list[1:]
	}
	if len(list) == 0 || !h.deniesAt(list[0].from) {
		return false
	}
	first := list[0]
	first.from++
	for first.from < first.to && (isMark(h.folded()[first.from], ",-–") || h.deniesAt(first.from)) {
		first.from++
	}
	if h.plainly(first, len(list) == 1) {
		return false // it follows the no, and is read as any answer is
	}
	for _, c := range list[1:] {
		if h.tells(c) && h.noteInstead(c) {
			return true
		}
	}
	h.out.About = h.asked.Key
	if !h.told(h.asked.Key) {
		h.denyPart(h.asked, &listening.Segment{To: len(h.said.Text)})
	}
	return true
}

// plainly reports whether what stands behind a no in its sentence tells something, and does not
// only deny. Where it is all there is, it may have a denial of its own: "no, there's no signal up
// there".
func (h *heard) plainly(s wordRange, alone bool) bool {
	for from := s.from; from < s.to; {
		to := from
		for to < s.to && !isMark(h.folded()[to], ",") {
			to++
		}
		c := wordRange{from, to}
		if h.tells(c) {
			return true
		}
		if own, same := h.stemsOf(c); alone && own > 1 && same == 0 && !h.playsDown(c) && !h.ofOurs(c) && !h.speaksOf(c, "nevermind") && !h.namesAsked(c) {
			return true
		}
		from = to + 1
	}
	return false
}

// namesAsked reports whether a clause has a word of the name of what is read back.
func (h *heard) namesAsked(c wordRange) bool {
	names := listening.Stems(h.asked.Name())
	for st := range listening.Stems(h.said.Text[h.words[c.from].From:h.words[c.to-1].To]) {
		if names[st] {
			return true
		}
	}
	return false
}

// stemsOf returns how many words of a clause say something, and how many of them what was read
// back has, too.
func (h *heard) stemsOf(c wordRange) (own, same int) {
	if c.to <= c.from {
		return 0, 0
	}
	held := listening.Stems(field.InEnglish(h.asked.Template, h.proposal()))
	for st := range listening.Stems(h.said.Text[h.words[c.from].From:h.words[c.to-1].To]) {
		own++
		if held[st] {
			same++
		}
	}
	return own, same
}

// playsDown reports whether a clause says that something is merely so: "good afternoon is only
// hello".
func (h *heard) playsDown(c wordRange) bool {
	for i := c.from + 1; i < c.to; i++ {
		if language.IsWord("merely", h.folded()[i]) && (language.IsWord("being", h.folded()[i-1]) || language.IsWord("being", h.folded()[max(c.from, i-2)])) {
			return true
		}
	}
	return false
}

// ofOurs reports whether a clause speaks of what was said before: "das war die Antwort an Sie".
func (h *heard) ofOurs(c wordRange) bool {
	return c.to-c.from > 2 && language.IsWord("topic", h.folded()[c.from]) && language.IsWord("bygone", h.folded()[c.from+1])
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
	if h.ofOurs(c) || h.playsDown(c) {
		return false
	}
	says := false
	for i := c.from; i < c.to; i++ {
		w := h.folded()[i]
		if language.IsWord("deny", w) || h.rejects(i) || language.IsWord("no", w) && i > c.from || language.IsWord("nevermind", w) {
			return false
		}
		says = says || language.IsWord("predicate", w) || language.IsWord("being", w)
	}
	own, same := h.stemsOf(c)
	return own > 0 && (2*same < own+1 || !says || h.otherFigure(c))
}

// otherFigure reports whether a clause has a figure that is not in what was read back.
func (h *heard) otherFigure(c wordRange) bool {
	held := h.values.Figures(language.Words(field.InEnglish(h.asked.Template, h.proposal())))
	return slices.ContainsFunc(h.values.Figures(h.words[c.from:c.to]), func(f language.Figure) bool {
		return !slices.ContainsFunc(held, func(was language.Figure) bool { return was.Low == f.Low && was.High == f.High })
	})
}

// noteInstead notes a clause as the answer to what was read back, without the name of that
// in front of it.
func (h *heard) noteInstead(at wordRange) bool {
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
	other := h.heardAlone(h.asked, start, end)
	fit := obligations.Confidence(mostDoubtful)
	if named {
		fit = 0
	}
	var v valueRead
	for i := range other.said.Segments {
		seg := &other.said.Segments[i]
		if answersNothing[seg.Act] && seg.Act != listening.Correction && !named {
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
		if language.IsWord("being", h.folded()[i]) || isMark(h.folded()[i], ":") {
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

// dropDenied takes out the choices that the message names and denies: "health no", "kein Abo",
// "Abo? Nein".
func (h *heard) dropDenied() {
	kept := h.out.Findings[:0:0]
	for _, f := range h.out.Findings {
		o := h.find(f.Key)
		if o == nil || len(o.Choices) == 0 || f.Value == nil || f.Act != obligations.Tell && f.Act != obligations.Correct {
			kept = append(kept, f)
			continue
		}
		picked := field.Texts(f.Value)
		left := slices.DeleteFunc(slices.Clone(picked), func(v string) bool { return h.deniedChoice(o, v) })
		switch {
		case len(left) == len(picked):
		case len(left) > 0:
			f.Value = field.Encode(left)
		case h.asked != nil && h.asked.Key == o.Key && h.purpose() == sessions.ToConfirm:
			f = obligations.Finding{Key: o.Key, Act: obligations.Deny, Value: h.proposal(), Reason: "the person says this is not right"}
			h.out.Intent, h.out.About = chat.Disagree, o.Key
		default:
			continue
		}
		kept = append(kept, f)
	}
	h.out.Findings = kept
}

// deniedChoice reports whether the message names a choice of o, with a no right before or
// behind it, and nowhere without.
func (h *heard) deniedChoice(o *obligations.Obligation, value string) bool {
	c := o.Pick(value)
	if c == nil || field.Kind(o.Template) == listening.YesNo {
		return false // "no no" is a no
	}
	folded, denied := h.folded(), false
	for from := 0; from < len(folded); {
		score, at := field.SaidAt(c, folded[from:])
		if score <= 0 {
			break
		}
		at += from
		before := at > 0 && (language.IsWord("no", folded[at-1]) || h.rejects(at-1))
		next := at + 1
		if next < len(folded) && isMark(folded[next], "?,") {
			next++
		}
		behind := next < len(folded) && saysNo(folded[next]) && (next+1 == len(folded) || isMark(folded[next+1], ",.;!\n"))
		if !before && !behind {
			return false
		}
		denied, from = true, at+1
	}
	return denied
}
