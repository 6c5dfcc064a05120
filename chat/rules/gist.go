package rules

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"quaestor/chat"
	"quaestor/chat/field"
	"quaestor/internal/language"
	"quaestor/obligations"
)

// maxGist is how many of the person's own words are said back at most. Whoever said more
// knows what they said, and hears a form being read aloud.
const maxGist = 6

// gist returns the short words that stand for the text that o holds: "" where there are none,
// and where o holds no free text.
func (w *writer) gist(o *obligations.Obligation) string {
	var text string
	if o.Widget != obligations.Text || json.Unmarshal(o.Value, &text) != nil {
		return ""
	}
	if items := strings.Split(text, "; "); len(items) > 1 {
		if len(strings.Fields(text)) > maxGist+2 {
			return ""
		}
		return calm(plainLine(w.l.And(items)))
	}
	g := calm(plainLine(language.Gist(w.l.Tag(), text, maxGist)))
	if slices.ContainsFunc([]string{"opener", "yes", "no", "assent"}, func(kind string) bool { return language.IsWord(kind, g) }) {
		return ""
	}
	return g
}

// calm returns words that were shouted in small letters: who shouts is not shouted at.
func calm(s string) string {
	if !strings.Contains(s, " ") || strings.ContainsFunc(s, unicode.IsLower) {
		return s
	}
	return strings.ToLower(s)
}

// brieflySaid words v as a value of o within a sentence. Of a long text it gives the gist, or its
// first words.
func (w *writer) brieflySaid(o *obligations.Obligation, v json.RawMessage) string {
	held := *o
	held.Value = v
	if o.Pick(field.Text(v)) != nil {
		return w.quoted(w.l.Name(w.shown(&held)))
	}
	return w.quotedAs(o, w.shortly(&held))
}

// itemSaid words items of o: choices by their names, a text as it was said.
func (w *writer) itemSaid(o *obligations.Obligation, v json.RawMessage) string {
	held := *o
	held.Value = v
	if len(o.Choices) > 0 {
		return w.l.Name(w.shown(&held))
	}
	return w.quotedAs(o, w.shortly(&held))
}

// shortly words what o holds in a list: of a long text its gist, or its first words.
func (w *writer) shortly(o *obligations.Obligation) string {
	all := w.shown(o)
	if len(strings.Fields(all)) <= maxGist {
		return all
	}
	return firstWords(o, cmp.Or(w.gist(o), all))
}

// cutShort reports whether what o holds is a text that can only be told by its first words.
func (w *writer) cutShort(o *obligations.Obligation) bool {
	return o.Widget == obligations.Text && len(strings.Fields(w.shown(o))) > maxGist && w.gist(o) == ""
}

// firstWords cuts a free text after as many words as are said back.
func firstWords(o *obligations.Obligation, text string) string {
	if o.Widget != obligations.Text {
		return text
	}
	return chat.FirstWords(text, maxGist)
}
