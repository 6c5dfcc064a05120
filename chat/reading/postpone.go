package reading

import (
	"slices"
	"strings"

	"quaestor/chat"
	"quaestor/chat/field"
	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
)

// longestPostponed bounds, in words, a wish to talk of something later.
const longestPostponed = 14

// postpones reads a wish to talk of a part of the interview later, "can we do the techy bits later",
// "lassen wir das Geld für den Schluss": what of that part is open is put off, and what was asked
// stays. It reports whether the message says that and nothing else.
func (h *heard) postpones() bool {
	if h.asked == nil || h.count() > longestPostponed {
		return false
	}
	all := h.spoken(h.all())
	later, wished, named := false, h.asks(all), map[string]bool{}
	for i := all.from; i < all.to; {
		n := 1
		switch w := h.folded()[i]; {
		case h.entry("afterwards", i, all.to) > 0:
			n, later = h.entry("afterwards", i, all.to), true
		case h.entry("courtesy", i, all.to) > 0:
			n, wished = h.entry("courtesy", i, all.to), true
		case h.isTopicOfTalk(i):
			named[w] = true
		case language.IsWord("talk", w), language.IsWord("postponing", w):
			wished = true
		case !language.IsSaid(h.words[i].Text), language.IsWord("hollow", w), language.IsWord("loose", w), language.IsWord("topic", w), language.IsWord("speaker", w), language.IsWord("asks", w), language.IsWord("addressing", w), language.IsWord("opener", w), language.IsWord("predicate", w), language.IsWord("article", w), language.IsWord("boundary", w):
		default:
			return false
		}
		i += n
	}
	if !later || !wished || len(named) == 0 {
		return false
	}
	asked := false
	for i := range h.scene.Obligations {
		o := &h.scene.Obligations[i]
		if o.Value != nil && !o.Hinted() || o.Resolved() || !ofTopic(o, named) {
			continue
		}
		asked = asked || slices.Contains(h.scene.Asked.Keys(), o.Key)
		h.add(obligations.Finding{Key: o.Key, Act: obligations.Defer, Reason: wantsLater})
	}
	if len(h.out.Findings) == 0 {
		return false
	}
	h.out.Intent, h.out.About = chat.Later, h.out.Findings[0].Key
	if asked {
		h.out.About = h.asked.Key
	}
	return true
}

// isTopicOfTalk reports whether word i names a part of the interview or a field of it.
func (h *heard) isTopicOfTalk(i int) bool {
	w := h.folded()[i]
	if len(themesOf(w)) > 0 {
		return true
	}
	if language.IsWord("loose", w) || language.IsWord("topicless", w) || language.IsWord("talk", w) || language.IsWord("hollow", w) {
		return false
	}
	return slices.ContainsFunc(h.scene.Obligations, func(o obligations.Obligation) bool { return ofTopic(&o, map[string]bool{w: true}) })
}

// ofTopic reports whether o is of a part of the interview that some words name: they say its name, or
// that of its part, or a theme that it is of.
func ofTopic(o *obligations.Obligation, words map[string]bool) bool {
	names := listening.Stems(o.Name() + " " + o.Category)
	for w := range words {
		for st := range listening.Stems(w) {
			if names[st] {
				return true
			}
		}
		for _, theme := range themesOf(w) {
			if isOfTheme(o, theme) {
				return true
			}
		}
	}
	return false
}

// themesOf returns the themes that a folded word speaks of: "money" of "finances".
func themesOf(word string) []string {
	var out []string
	for _, l := range language.All() {
		if theme, ok := l.Value("theme", word); ok {
			out = append(out, theme)
		}
	}
	return out
}

// isOfTheme reports whether o asks for something of a theme, by its unit or its name.
func isOfTheme(o *obligations.Obligation, theme string) bool {
	switch {
	case theme == "money" && field.Unit(o.Template) == "money", theme == "time" && o.Widget == obligations.Date:
		return true
	}
	for _, w := range strings.Fields(language.PlainWords(o.Name() + " " + o.Category)) {
		if slices.Contains(themesOf(w), theme) {
			return true
		}
	}
	return false
}
