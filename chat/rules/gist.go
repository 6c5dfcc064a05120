package rules

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

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
		return plainLine(w.l.AndMore(items, mostItems))
	}
	return plainLine(language.Gist(w.l.Tag(), text, maxGist))
}

// mostItems is how many items of a list are said back.
const mostItems = 3

// brieflySaid words v as a value of o within a sentence. Of a long text it gives the gist, or its
// first words.
func (w *writer) brieflySaid(o *obligations.Obligation, v json.RawMessage) string {
	held := *o
	held.Value = v
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
	words := strings.Fields(text)
	if o.Widget != obligations.Text || len(words) <= maxGist {
		return text
	}
	return strings.TrimRight(strings.Join(words[:maxGist], " "), ",;:.–—-") + " …"
}

// saidBack says a single answer back: by its gist, without the name of what was asked a moment
// ago; a long one is only taken down. It reports false for what is no free text, and for what was
// told unasked.
func (w *writer) saidBack(list []obligations.Change) bool {
	if len(list) != 1 || len(w.scene.Asked.Keys()) > 1 {
		return false
	}
	o := &list[0].After
	if first := opening(w.scene.Obligations); !w.wasAsked(o.Key) && (w.scene.Turn > 1 || first == nil || first.Key != o.Key) {
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

// loose words stand at the end of a text where it was cut from a longer message.
var danglers = []string{"and", "but", "so", "or", "because", "und", "aber", "oder", "weil", "denn"}

// withoutDangler returns s without a conjunction at its end, which began what was cut off.
func withoutDangler(s string) string {
	at := strings.LastIndexByte(s, ' ')
	if at < 0 || !slices.Contains(danglers, strings.ToLower(s[at+1:])) {
		return s
	}
	return s[:at]
}
