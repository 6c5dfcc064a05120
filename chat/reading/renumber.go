package reading

import (
	"quaestor/chat/field"
	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
)

// renumbered puts right how many of something a text that is held says there are: "two vans, Leeds" by
// "it's THREE vans", or by "I said two vans, it's three". It reports whether there was one.
func (h *heard) renumbered() bool {
	marked := h.speaksOf(h.all(), "no", "amend", "wrongly", "alter")
	figures := h.values.Figures(h.words)
	for n := range figures {
		f := &figures[n]
		if f.Low < fewestCounted || f.Low != f.High || f.Unit != "" || f.Currency != "" || f.Percent || f.Ordinal || f.Period != "" {
			continue
		}
		noun := h.counted(f)
		var was *language.Figure // which the message says itself
		if noun == "" && n > 0 && f.From-figures[n-1].To <= reachOfCount {
			was = &figures[n-1]
			noun = h.counted(was)
		}
		if noun == "" || was == nil && !marked {
			continue
		}
		for i := range h.scene.Obligations {
			o := &h.scene.Obligations[i]
			if o.Value == nil || field.Kind(o.Template) != listening.Text || h.told(o.Key) {
				continue
			}
			text := field.Text(o.Value)
			mended, ok := h.withCount(text, noun, was, f)
			if !ok {
				continue
			}
			v := valueRead{value: field.Encode(mended), sure: 1}
			v.from, v.to = h.words[f.From].From, h.words[f.To-1].To
			if h.note(o.Key, v, obligations.Correct, 0) {
				from, to := h.bytes(h.sentenceAt(f.From))
				h.settled = append(h.settled, byteRange{from, to})
				h.hearBeside()
				return true
			}
		}
	}
	return false
}

// fewestCounted is how many of something replace another number: one is often no count.
const fewestCounted = 2

// reachOfCount is how many words stand between a count and the one that replaces it: "two vans, it's three".
const reachOfCount = 4

// counted returns the stem of what a figure counts; empty if nothing.
func (h *heard) counted(f *language.Figure) string {
	if f.To >= len(h.words) || h.spelled(h.words[f.To].From, h.words[f.To].To) == 0 || language.IsWord("boundary", h.folded()[f.To]) || language.IsWord("being", h.folded()[f.To]) {
		return ""
	}
	if len(field.Stems(h.folded()[f.To])) == 0 { // "three of those"
		return ""
	}
	return language.Stem(h.folded()[f.To])
}

// withCount returns a text in which another number stands before a noun, which is that of was unless that is
// nil, with the one of f in its place; false where there is none.
func (h *heard) withCount(text, noun string, was, f *language.Figure) (string, bool) {
	words := language.Words(text)
	for _, old := range h.values.Figures(words) {
		if old.To < len(words) && language.Stem(language.Fold(words[old.To].Text)) == noun && (old.Low != f.Low || old.High != f.High) && (was == nil || was.Low == old.Low) {
			said := h.raw[h.words[f.From].From:h.words[f.To-1].To]
			return text[:words[old.From].From] + language.Fold(said) + text[words[old.To-1].To:], true
		}
	}
	return "", false
}
