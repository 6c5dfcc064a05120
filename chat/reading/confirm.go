package reading

import (
	"slices"
	"strings"

	"quaestor/chat/field"
	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
)

// confirmed reads an assent to what was read back, unless another value comes with it.
func (h *heard) confirmed(seg *listening.Segment, confirming bool) {
	if !confirming {
		h.tellOthers(seg)
		return
	}
	if h.told(h.asked.Key) {
		return
	}
	h.out.About = h.asked.Key
	if h.slipped == listening.Confirm.String() {
		h.acceptBytes(h.asked, seg.From, seg.To)
		return
	}
	if v := h.otherValue(seg); v.value != nil {
		h.note(h.asked.Key, v, obligations.Correct, 0)
		return
	}
	if h.speaks(seg, "yes", "assent") && !h.beginsPartly(seg) {
		h.acceptBytes(h.asked, seg.From, seg.To)
	}
}

// beginsPartly reports whether a stretch begins by agreeing in part only: "partly", "nicht ganz".
func (h *heard) beginsPartly(seg *listening.Segment) bool {
	at := h.firstWord(seg.From)
	return at < len(h.words) && h.entry("partly", at, len(h.words)) > 0
}

// otherValue returns a value that is said instead of what was read back, or along with an
// assent to it: "yes, but more like 25".
func (h *heard) otherValue(seg *listening.Segment) valueRead {
	if _, set := h.phraseAt(seg); set && len(h.said.Segments) == 1 {
		return valueRead{}
	}
	from := seg.From
	words := h.wordsBetween(seg.From, len(h.said.Text))
	assents := false
	for _, w := range words[:min(len(words), 4)] {
		if language.IsWord("yes", language.Fold(w.Text)) {
			assents, from = true, w.To
		}
	}
	if assents && (!h.asked.Closed() || len(h.asked.Choices) > 0) || from >= len(h.said.Text) {
		return valueRead{}
	}
	rest := h.as(h.asked, from)
	for i := range rest.said.Segments {
		s := &rest.said.Segments[i]
		if s.Act != listening.Answer && s.Act != listening.Correction && !hasAnswer(s) {
			continue
		}
		if v := rest.valueIn(h.asked.Template, s, !h.asked.Closed()); v.value != nil && !obligations.SameValue(v.value, h.proposal()) {
			return v
		}
	}
	return valueRead{}
}

// acceptBytes adds a finding that the person agreed to what was proposed, in the words
// between two bytes.
func (h *heard) acceptBytes(o *obligations.Obligation, from, to int) {
	if e, ok := h.quote(from, to); ok {
		h.accepted(o, h.proposal(), obligations.Confirm, e, h.hedged(h.within(from, to)))
	}
}

// denial reads a no to what was read back, and the right value with it.
func (h *heard) denial(seg *listening.Segment, confirming bool) {
	if !confirming {
		h.correction(seg)
		return
	}
	if h.noneOfThem() {
		return
	}
	if h.slipped == listening.Deny.String() || h.callsAllWrong() && !h.told(h.asked.Key) {
		h.deny(h.asked)
		return
	}
	v := h.afterNo(seg)
	if v.value == nil {
		v = h.valueIn(h.asked.Template, seg, false)
	}
	if v.value == nil {
		v = h.behind(seg)
	}
	if v.value != nil && !obligations.SameValue(v.value, h.proposal()) {
		if !h.told(h.asked.Key) || h.denied(h.asked.Key) {
			h.out.Findings = slices.DeleteFunc(h.out.Findings, func(f obligations.Finding) bool { return f.Key == h.asked.Key })
			h.note(h.asked.Key, v, obligations.Correct, 0)
		}
		return
	}
	if !h.told(h.asked.Key) && h.speaks(seg, "no", "deny", "contrast") {
		h.denyPart(h.asked, seg)
	}
}

// noneOfThem reports whether the message begins with a no that goes with the noun behind it: "no
// complaints for a year" denies nothing.
func (h *heard) noneOfThem() bool {
	if len(h.words) < 4 || h.folded()[0] != "no" {
		return false
	}
	next := h.folded()[1]
	return !isMark(next, ",.;:!?-–—") && !slices.ContainsFunc([]string{"topic", "speaker", "opener", "article", "being", "predicate", "not", "no", "mend", "amend", "addressing", "loose", "common"}, func(kind string) bool { return language.IsWord(kind, next) }) && strings.HasSuffix(next, "s")
}

// speaks reports whether a stretch has a word of one of some kinds, or is too short to tell
// anything of its own: nobody's answer is confirmed or struck out by what speaks of something
// else.
func (h *heard) speaks(seg *listening.Segment, kinds ...string) bool {
	if _, set := h.phraseAt(seg); set || h.spelled(seg.From, seg.To) <= fewWords {
		return true
	}
	return slices.ContainsFunc(h.wordsBetween(seg.From, seg.To), func(w language.Word) bool {
		return slices.ContainsFunc(kinds, func(kind string) bool { return language.IsWord(kind, w.Text) })
	})
}

// fewWords is how many words an assent or a no has that needs no word for it: "you got it".
const fewWords = 3

// afterNo reads what is said behind a no, as the answer that it is to the question itself:
// "no, fifteen"; or with it, where it begins what is told: "nobody has the key".
func (h *heard) afterNo(seg *listening.Segment) valueRead {
	words := h.wordsBetween(seg.From, len(h.said.Text))
	if len(words) < 2 || !saysNo(words[0].Text) {
		return valueRead{}
	}
	if !h.deniesAt(h.firstWord(words[0].From)) {
		if !isOpen(h.asked.Template) {
			return valueRead{}
		}
		return h.statement(h.asked.Template, words[0].From, len(h.raw))
	}
	rest := h.as(h.asked, words[1].From)
	for i := range rest.said.Segments {
		s := &rest.said.Segments[i]
		if s.Act == listening.Answer || s.Act == listening.Correction || s.Act == listening.Deny || hasAnswer(s) || len(rest.said.Segments) == 1 {
			v := rest.valueIn(h.asked.Template, s, true)
			if v.value != nil && obligations.SameValue(v.value, h.proposal()) && h.asked.Widget == obligations.Text { // "no, motorway services, truck stops" says more
				v = rest.valueOfSegment(h.asked.Template, listening.Text, &listening.Segment{From: words[1].From, To: len(h.raw)})
			}
			if v.value != nil {
				return v
			}
		}
	}
	return valueRead{}
}

// behind reads what is said after a denial, as the answer that it is to the question
// itself: "that's who hires us. What I'm after is a second herd".
func (h *heard) behind(seg *listening.Segment) valueRead {
	if seg.To >= len(h.said.Text) {
		return valueRead{}
	}
	rest := h.as(h.asked, seg.To)
	for i := range rest.said.Segments {
		s := &rest.said.Segments[i]
		if first := h.segmentAt(s.From); first == nil || first.Act == listening.Deny || first.Act == listening.Complaint {
			continue // the denial goes on
		}
		if s.Act == listening.Answer && s.Sure >= surely || hasAnswer(s) && !answersNothing[s.Act] {
			if v := rest.valueIn(h.asked.Template, s, s.Act == listening.Answer); v.value != nil {
				return v
			}
		}
	}
	return valueRead{}
}

// saysNo reports whether a word is a plain no.
func saysNo(word string) bool {
	f := language.Fold(word)
	return language.IsWord("no", f) && !strings.HasSuffix(f, "t")
}

// wantsOther reports whether a message, though it begins with a yes, surely does something else:
// "ok I'm bored now".
func (h *heard) wantsOther() bool {
	return slices.ContainsFunc(h.said.Segments, func(s listening.Segment) bool {
		if s.Act == listening.SmallTalk {
			return len(h.said.Segments) == 1 && h.spelled(s.From, s.To) > fewWords
		}
		return s.Sure >= surelyElse && (s.Act == listening.Stop || s.Act == listening.Feeling || s.Act == listening.Complaint || s.Act == listening.Later || s.Act == listening.Question)
	})
}

// surelyElse is how sure that must be.
const surelyElse = 0.8

// namesThing reports whether the message begins with an article: "a cheese shop with a bar".
func (h *heard) namesThing() bool {
	for _, w := range h.folded() {
		if !language.IsWord("opener", w) && !isMark(w, ",.") {
			return language.IsWord("article", w) || w == "the"
		}
	}
	return false
}

// inPlace takes what is said instead of a yes for the answer to the question itself.
func (h *heard) inPlace() {
	anew := h.as(h.asked, 0)
	for i := range anew.said.Segments {
		seg := &anew.said.Segments[i]
		if seg.Act != listening.Answer && !hasAnswer(seg) {
			continue
		}
		if v := anew.valueIn(h.asked.Template, seg, true); v.value != nil && !obligations.SameValue(v.value, h.proposal()) && h.fitted(h.asked, v.from, v.to, h.unaskedAnswers()).Asked >= leastFit {
			h.note(h.asked.Key, v, obligations.Correct, 0)
			return
		}
	}
}

// rejectsAnother reports whether the message ends with what it calls wrong, and that is nothing of
// what was read back: "the shop is called Oak Hill, not Oak" corrects no goal.
func (h *heard) rejectsAnother() bool {
	if h.asked.Closed() || len(h.words) > longestReplaced {
		return false
	}
	proposed := strings.Fields(language.FoldWords(field.InEnglish(h.asked.Template, h.proposal())))
	for _, s := range h.sentences() {
		for i := s.from + 2; i < s.to; i++ {
			if !h.rejects(i) || isMark(h.folded()[i], ",") || s.to-i-1 > 3 || i+1 >= s.to {
				continue
			}
			known := slices.ContainsFunc(h.folded()[i+1:s.to], func(w string) bool { return slices.Contains(proposed, w) })
			return !known && h.folded()[i-1] == ","
		}
	}
	return false
}

// plainAssent reads a yes or a no that stands at the beginning of a message whose acts
// say neither.
func (h *heard) plainAssent() {
	for _, l := range language.All() {
		if len(h.words) == 0 {
			return
		}
		first := language.Fold(h.words[0].Text)
		switch {
		case l.Has("yes", first) && len(h.words) < 6 && !h.wantsOther():
			h.acceptBytes(h.asked, h.words[0].From, h.words[0].To)
			return
		case l.Has("no", first) && first != "none":
			seg := &listening.Segment{Act: listening.Deny, From: 0, To: len(h.said.Text)}
			for _, s := range h.said.Segments {
				seg.Values = append(seg.Values, s.Values...)
			}
			h.denial(seg, true)
			return
		}
	}
	// Another value said instead of a yes: "more like fifteen", "a cheese shop with a bar". A whole
	// sentence that takes nothing back overwrites no text: it may speak of anything.
	all := h.whole()
	if !h.asked.Closed() && field.Kind(h.asked.Template) == listening.Text && !h.speaks(all, "no", "deny", "contrast", "amend") {
		if h.namesThing() && !h.speaks(all, "speaker", "predicate") && !strings.Contains(h.said.Text, "?") {
			h.inPlace()
		}
		return
	}
	for i := range h.said.Segments {
		seg := &h.said.Segments[i]
		if seg.Act == listening.Answer || seg.Act == listening.Correction {
			if v := h.valueIn(h.asked.Template, seg, false); v.value != nil && v.spanned {
				act := obligations.Correct
				if obligations.SameValue(v.value, h.proposal()) {
					h.acceptBytes(h.asked, seg.From, seg.To)
					return
				}
				h.note(h.asked.Key, v, act, 0)
				return
			}
		}
	}
}
