package reading

import (
	"strings"

	"quaestor/chat"
	"quaestor/chat/field"
	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
)

// announced reads what people put under a heading of their own: "The competitors? Big salons
// mostly", "as for the budget, 5k". What follows in the sentence answers what the heading names,
// whatever was asked. Headings with a colon are statements, see [heard.stated].
func (h *heard) announced() bool {
	found := false
	for i := range h.words {
		if i > 0 && !isMark(h.words[i-1].Text, ".;!?\n") {
			continue
		}
		end := h.headingEnd(i)
		if end < 0 || end+1 >= len(h.words) {
			continue
		}
		o := h.namedIn(wordRange{i, end})
		if o == nil || h.told(o.Key) || o.Value != nil && !o.Hinted() {
			continue
		}
		from, to := h.words[end+1].From, h.sentenceEnd(end+1)
		if h.asked != nil && o.Key == h.asked.Key {
			h.settled = append(h.settled, byteRange{h.words[i].From, h.words[end].To})
			found = true
			continue
		}
		if h.under(o, from, to) {
			h.settled = append(h.settled, byteRange{h.words[i].From, to})
			found = true
		}
	}
	if found {
		h.hearBeside()
	}
	return found
}

// longestHeading is how many words a heading has at most.
const longestHeading = 5

// headingEnd returns the word at which a heading that begins at word i ends: its question mark,
// or the comma behind one that is led to by its words; -1 where there is none.
func (h *heard) headingEnd(i int) int {
	lead := false
	for n := 3; n > 0 && !lead; n-- {
		lead = i+n <= len(h.words) && language.IsWord("heading", strings.Join(h.folded()[i:min(i+n, len(h.words))], "_"))
	}
	for j := i + 1; j < len(h.words) && j <= i+longestHeading; j++ {
		switch h.words[j].Text {
		case "?":
			if j+1 < len(h.words) && isMark(h.words[j+1].Text, "?!") {
				return -1 // "hours?? I get four of sleep"
			}
			return j
		case ",":
			if lead {
				return j
			}
			return -1
		case ".", ";", ":", "!", "\n":
			return -1
		}
		if language.IsWord("asks", h.words[i].Text) || language.IsWord("asks", h.words[j].Text) || language.IsWord("predicate", h.words[j].Text) {
			return -1
		}
	}
	return -1
}

// under reads a stretch of the message as the answer to o.
func (h *heard) under(o *obligations.Obligation, from, to int) bool {
	other := h.heardAlone(o, from, to)
	for i := range other.said.Segments {
		seg := &other.said.Segments[i]
		if seg.Act != listening.Answer && seg.Act != listening.Fact && !hasAnswer(seg) {
			continue
		}
		if v := other.valueIn(o.Template, seg, true); v.value != nil {
			return h.note(o.Key, v, obligations.Tell, 0)
		}
	}
	return false
}

// joinOpening takes the message in which somebody says what they came for as one answer, behind
// its greeting: it is told in the way people introduce themselves, in pieces.
func (h *heard) joinOpening() {
	if h.scene.Turn > 2 || h.asked == nil || field.Kind(h.asked.Template) != listening.Text || strings.Contains(h.said.Text, "?") || chat.AnnouncedAt(h.said.Text) >= 0 {
		return
	}
	whole := listening.Segment{Act: listening.Answer, From: -1, Sure: 1}
	for i := range h.said.Segments {
		switch s := &h.said.Segments[i]; {
		case s.Act == listening.Answer || s.Act == listening.Fact || h.introduces(s):
			if whole.From < 0 {
				whole.From, whole.Sure = s.From, 0
			}
			whole.To, whole.Sure = s.To, max(whole.Sure, s.Sure)
			whole.Values = append(whole.Values, s.Values...)
		case whole.From >= 0 || !h.greets(s):
			return // something else is wanted
		}
	}
	if whole.From < 0 || len(h.said.Segments) < 2 {
		return
	}
	var kept []listening.Segment
	for _, s := range h.said.Segments {
		if s.To <= whole.From {
			kept = append(kept, s)
		}
	}
	h.said.Segments = append(kept, whole)
}
