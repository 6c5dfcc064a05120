package reading

import (
	"cmp"
	"slices"
	"strings"

	"quaestor/chat"
	"quaestor/chat/field"
	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
	"quaestor/sessions"
)

// correction reads a change of something said before: of the field that holds a value it
// mentions, or that its values or words point to.
func (h *heard) correction(seg *listening.Segment) {
	if m, set := h.phraseAt(seg); set && m.intent == chat.Disagree {
		return // it takes back what was told last
	}
	changed := h.instead(seg)
	for i := range seg.Values {
		s := &seg.Values[i]
		if changed || h.deniedValue(s) || len(seg.Values) > 1 && !s.Answers && len(h.holders(s)) > 0 {
			continue // the old value: "not 150 but 150,000"
		}
		o := h.changed(seg, s)
		if o != nil && o.Value == nil && h.mayAnswerInstead(o, seg, s) {
			o = h.asked
		}
		if o == nil || h.told(o.Key) || o != h.asked && !h.pointsAt(o, seg, s) {
			continue
		}
		changed = h.change(o, s, seg) || changed
	}
	if changed {
		h.revising = true
		return
	}
	if !h.lastAnew(seg) && !h.withdraw(seg) && seg.Sure >= surely && h.speaks(seg, "wrongly", "amend", "amended", "noted", "not", "no", "deny") {
		h.which = true
	}
}

// mayAnswerInstead reports whether a value in a correction is rather the figure, date or choice that was
// asked for than one of o, which holds nothing and is not named: "those are no competitors. Call it three."
func (h *heard) mayAnswerInstead(o *obligations.Obligation, seg *listening.Segment, s *listening.Span) bool {
	return h.asked != nil && o.Key != h.asked.Key && h.purpose() == sessions.ToAsk && h.asked.Closed() && !h.told(h.asked.Key) &&
		listening.Compatible(s.Type, field.Kind(h.asked.Template)) >= 0.6 && field.CuedBy(o.Template, listening.Stems(h.said.Text[seg.From:seg.To]), h.figureNames()) < 1
}

// pointsAt reports whether a value in a correction may be of o, which was not asked for: what it
// holds was said last, or words of the correction are of its name or of what it holds. A figure, a
// date or a choice needs no more than to be held; what is not held has to fit.
func (h *heard) pointsAt(o *obligations.Obligation, seg *listening.Segment, s *listening.Span) bool {
	if o.Value == nil {
		return o.Closed() && h.listener.Encoded() && h.fitted(o, s.From, s.To, otherAnswers).Asked >= surelyTold
	}
	last := h.answeredLast()
	if o.Closed() || len(last) > 0 && last[0].Key == o.Key {
		return true
	}
	stems := listening.Stems(h.said.Text[seg.From:seg.To])
	return overlaps(stems, listening.Stems(field.InEnglish(o.Template, o.Value))) || overlaps(stems, listening.Stems(o.Name()+" "+strings.Join(o.Cues, " ")))
}

// changesMind reports whether a stretch that was heard as a correction or a denial says so, or speaks
// of something that was noted: whoever says neither goes on telling.
func (h *heard) changesMind(seg *listening.Segment) bool {
	if seg.Act != listening.Correction && seg.Act != listening.Deny || h.speaks(seg, "no", "deny", "not", "contrast", "amend", "amended", "wrongly", "noted", "nonsense", "regret") {
		return true
	}
	stems := listening.Stems(h.said.Text[seg.From:seg.To])
	for i := range h.scene.Obligations {
		o := &h.scene.Obligations[i]
		if o.Value == nil || h.told(o.Key) {
			continue
		}
		if h.mentions(seg, o) || overlaps(stems, listening.Stems(field.InEnglish(o.Template, o.Value))) {
			return true
		}
	}
	return false
}

func overlaps(a, b map[string]bool) bool {
	for x := range a {
		if b[x] {
			return true
		}
	}
	return false
}

// lastAnew reads "no wait, that was wrong, 450,000": the one figure or date of the message
// replaces what was answered last, where that is one, too.
func (h *heard) lastAnew(seg *listening.Segment) bool {
	last := h.answeredLast()
	if len(h.words) > longestReplaced || len(h.out.Findings) > 0 || len(last) == 0 || last[0].Closed() && len(last[0].Choices) > 0 || !last[0].Closed() {
		return false
	}
	all := &listening.Segment{Act: seg.Act, From: 0, To: len(h.said.Text)}
	figures, dates := h.values.Figures(h.words), h.values.Dates(h.words, h.scene.Now, language.Ahead)
	if last[0].Widget == obligations.Number && len(figures) != 1 || last[0].Widget == obligations.Date && len(dates) != 1 {
		return false
	}
	v := h.closed(last[0].Template, all.From, all.To, all)
	if v.value == nil || obligations.SameValue(v.value, last[0].Value) || h.asked != nil && h.asked.Key != last[0].Key && h.asked.Widget == last[0].Widget {
		return false
	}
	h.revising = true
	return h.note(last[0].Key, v, obligations.Correct, 0)
}

// change notes a value as the new one of o.
func (h *heard) change(o *obligations.Obligation, s *listening.Span, seg *listening.Segment) bool {
	v := h.valueOf(o.Template, field.Kind(o.Template), []listening.Span{*s}, seg)
	if v.value == nil || o.Value != nil && obligations.SameValue(o.Value, v.value) {
		return false
	}
	act := obligations.Correct
	if o.Value == nil {
		act = obligations.Tell
	}
	fit := obligations.Confidence(0)
	if len(o.Choices) > 0 && v.sure <= leastSure || o.Value == nil && o != h.asked { // meant, not said
		fit = mostDoubtful
	}
	return h.noteFitting(o.Key, v, act, fit)
}

// instead reads a correction that mentions what is held and says what is right: "I said 4
// people but it is 6". What is right may stand in the segment behind.
func (h *heard) instead(seg *listening.Segment) bool {
	for i := range seg.Values {
		old := &seg.Values[i]
		for _, o := range h.holders(old) {
			if h.told(o.Key) {
				continue
			}
			for k := range seg.Values {
				s := &seg.Values[k]
				if k != i && !h.deniedValue(s) && listening.Compatible(s.Type, field.Kind(o.Template)) >= 0.6 && h.change(o, s, seg) {
					return true
				}
			}
			if next := h.segmentAfter(seg); next != nil && next.Act != listening.Question {
				for k := range next.Values {
					s := &next.Values[k]
					if listening.Compatible(s.Type, field.Kind(o.Template)) >= 0.6 && len(h.holders(s)) == 0 && h.change(o, s, next) {
						return true
					}
				}
			}
		}
	}
	return false
}

// deniedValue reports whether the words right before a value deny it: "it is not 85 thousand".
func (h *heard) deniedValue(s *listening.Span) bool {
	folded := language.Folded(h.wordsBetween(0, s.From))
	return field.Denied(folded, len(folded))
}

// segmentAfter returns the segment behind seg, or nil.
func (h *heard) segmentAfter(seg *listening.Segment) *listening.Segment {
	for i := range h.said.Segments {
		if h.said.Segments[i].From >= seg.To {
			return &h.said.Segments[i]
		}
	}
	return nil
}

// withdraw reads that something is to be forgotten, or a choice made anew: "scrap the
// budget", "make it the rustic one".
func (h *heard) withdraw(seg *listening.Segment) bool {
	whole := &listening.Span{Type: listening.Choice, From: seg.From, To: seg.To}
	c := h.owners(seg, whole)
	for n, i := range c.Index {
		o := &h.scene.Obligations[i]
		if o.Value == nil || len(o.Choices) == 0 || h.told(o.Key) {
			continue
		}
		if v := h.chosenAnew(o, seg); v.value != nil && (c.Features[n].Named() || h.mentions(seg, o)) {
			return h.note(o.Key, v, obligations.Correct, 0)
		}
	}
	if len(seg.Values) > 0 {
		return false
	}
	for i := range h.scene.Obligations {
		o := &h.scene.Obligations[i]
		if o.Value != nil && !h.told(o.Key) && h.unsays(o, seg) {
			h.denyPart(o, seg)
			return true
		}
	}
	return false
}

// unsays reports whether a stretch takes back what o holds: it names that, or o. Of a list it has to say
// so of an item, or in the clause that names the list.
func (h *heard) unsays(o *obligations.Obligation, seg *listening.Segment) bool {
	named := func(text string) bool {
		return strings.Contains(" "+language.FoldWords(text)+" ", " "+language.FoldWords(o.Name())+" ")
	}
	if !isList(o) || len(field.Items(field.Text(o.Value))) < 2 {
		return h.mentions(seg, o) || named(h.said.Text[seg.From:seg.To])
	}
	if slices.ContainsFunc(field.Items(field.Text(o.Value)), func(item string) bool { return h.deniesItem(item, seg) }) {
		return true
	}
	return slices.ContainsFunc(h.clauses(h.within(seg.From, seg.To)), func(c wordRange) bool {
		return named(h.text(c)) && h.speaksOf(c, "no", "not", "deny", "wrongly", "nonsense", "abandon", "removing", "offlist")
	})
}

// denyPart takes out of a list the items that a clause denies, and all that o holds where none is
// denied by name.
func (h *heard) denyPart(o *obligations.Obligation, seg *listening.Segment) {
	if isList(o) && o.Widget == obligations.Text {
		var kept []string
		items := field.Items(field.Text(o.Value))
		for _, item := range items {
			if !h.deniesItem(item, seg) {
				kept = append(kept, item)
			}
		}
		if len(kept) > 0 && len(kept) < len(items) {
			h.note(o.Key, valueRead{value: field.Encode(strings.Join(kept, "; ")), from: seg.From, to: seg.To, sure: 1}, obligations.Correct, 0)
			return
		}
	}
	h.deny(o)
}

// deniesItem reports whether a clause of a stretch says all words of an item and denies it, itself or by
// the no before it.
func (h *heard) deniesItem(item string, seg *listening.Segment) bool {
	stems := listening.Stems(item)
	if len(stems) == 0 {
		return false
	}
	refused := false // the clause before is a no
	for _, c := range h.clauses(h.within(seg.From, seg.To)) {
		said, all := listening.Stems(h.text(c)), true
		for st := range stems {
			all = all && said[st]
		}
		if all && (refused || h.speaksOf(c, "no", "not", "deny", "wrongly", "nonsense", "abandon", "removing", "offlist")) {
			return true
		}
		refused = c.len() == 1 && saysNo(h.folded()[c.from])
	}
	return false
}

func (h *heard) chosenAnew(o *obligations.Obligation, seg *listening.Segment) valueRead {
	v := valueRead{value: field.Pick(o.Template, h.choicesSaid(o.Template, seg.From, seg.To), 1), from: seg.From, to: seg.To, sure: 1}
	if v.value != nil && obligations.SameValue(v.value, o.Value) {
		return valueRead{}
	}
	return v
}

// changed returns the obligation that a value in a correction is of: what was asked, where
// one of its choices is said; else the likeliest that takes it, what holds a value before what
// does not; nil when two are as likely.
func (h *heard) changed(seg *listening.Segment, s *listening.Span) *obligations.Obligation {
	if h.asked != nil && h.asking() && field.Pick(h.asked.Template, h.choicesSaid(h.asked.Template, seg.From, seg.To), 1) != nil {
		return h.asked
	}
	c := h.owners(seg, s)
	i, clear := c.Likeliest()
	if i < 0 || !clear {
		return nil
	}
	return &h.scene.Obligations[i]
}

// holders returns the obligations that hold a value, those told last before others.
func (h *heard) holders(s *listening.Span) []*obligations.Obligation {
	words := strings.ToLower(h.said.Text[s.From:s.To])
	var out []*obligations.Obligation
	for i := range h.scene.Obligations {
		o := &h.scene.Obligations[i]
		if o.Value == nil || listening.Compatible(s.Type, h.kinds[i]) == 0 {
			continue
		}
		v := h.valueOf(o.Template, h.kinds[i], []listening.Span{*s}, &listening.Segment{From: s.From, To: s.To, Values: []listening.Span{*s}})
		if v.value != nil && obligations.SameValue(v.value, o.Value) || strings.EqualFold(words, field.InEnglish(o.Template, o.Value)) {
			out = append(out, o)
		}
	}
	slices.SortStableFunc(out, func(a, b *obligations.Obligation) int { return cmp.Compare(lastTurn(b), lastTurn(a)) })
	return out
}

// mentions reports whether a segment names the value that o holds.
func (h *heard) mentions(seg *listening.Segment, o *obligations.Obligation) bool {
	text := " " + language.FoldWords(h.said.Text[seg.From:seg.To]) + " "
	held := language.FoldWords(field.InEnglish(o.Template, o.Value))
	if held != "" && strings.Contains(text, " "+held+" ") {
		return true
	}
	if o.Widget != obligations.Number {
		return false
	}
	for _, f := range h.values.Figures(h.wordsBetween(seg.From, seg.To)) {
		if obligations.SameValue(field.Encode(f.Low), o.Value) {
			return true
		}
	}
	return false
}
