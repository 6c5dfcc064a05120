package rules

import (
	"cmp"
	"encoding/json"
	"strings"

	"quaestor/chat"
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
		return plainLine(w.l.AndMore(items, fitting(items)))
	}
	return plainLine(language.Gist(w.l.Tag(), text, maxGist))
}

// fitting returns how many items of a list are said back: those that are short together, one at
// least.
func fitting(items []string) int {
	words := 0
	for i, item := range items {
		if words += len(strings.Fields(item)); words > maxGist {
			return max(i, 1)
		}
	}
	return len(items)
}

// brieflySaid words v as a value of o within a sentence. Of a long text it gives the gist, or its
// first words.
func (w *writer) brieflySaid(o *obligations.Obligation, v json.RawMessage) string {
	held := *o
	held.Value = v
	if o.Pick(text(v)) != nil {
		return w.quoted(w.listed(w.shown(&held)))
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

// firstWords cuts a free text after as many words as are said back.
func firstWords(o *obligations.Obligation, text string) string {
	if o.Widget != obligations.Text {
		return text
	}
	return chat.FirstWords(text, maxGist)
}

// saidBack says a single answer back: by its gist, without the name of what was asked a moment
// ago; a long one is only taken down. It reports false for what is no free text, and for what was
// told unasked.
func (w *writer) saidBack(list []obligations.Change) bool {
	if len(list) != 1 || len(w.scene.Asked.Keys()) > 1 {
		return false
	}
	o := &list[0].After
	if !w.wasAsked(o.Key) {
		return false
	}
	if o.Widget != obligations.Text || len(o.Choices) > 0 {
		return false
	}
	if g := w.gist(o); g != "" {
		w.say("noted", with{"what": words(g)})
	} else {
		w.say("noted.long", nil)
	}
	return true
}

// withoutDangler returns s without a conjunction at its end, which began what was cut off.
func withoutDangler(s string) string {
	at := strings.LastIndexByte(s, ' ')
	if at < 0 || !language.IsWord("dangler", s[at+1:]) {
		return s
	}
	return s[:at]
}
