package talk

import (
	"fmt"
	"net/url"
	"strings"
	"time"
	"unicode/utf16"

	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web/ui"
)

// SearchView is what [Search] shows.
type SearchView struct {
	Nav     ui.Nav
	Words   string             // what to look for; empty shows how to
	Kind    sessions.FoundKind // empty for all
	Found   []FoundCard        // the best first
	Page    int                // from 1
	More    bool               // there is another page
	Failure string             // why nothing could be looked for; a sentence
}

// FoundCard is one thing that was found.
type FoundCard struct {
	Kind    sessions.FoundKind
	Title   string // of what was found
	Within  string // name of the interview's objective
	By      string // who began it, when that is somebody else
	Path    string
	At      time.Time
	Snippet []Stretch
}

// Stretch is a piece of text that met a query, or stands between such.
type Stretch struct {
	Text   string
	Marked bool
}

// Stretches cuts a text at spans, in UTF-16 units, in order and apart from each
// other; a span that is not is left out. All together are the text again.
func Stretches(text string, spans []obligations.Span) []Stretch {
	units := utf16.Encode([]rune(text))
	var out []Stretch
	at := 0
	add := func(end int, marked bool) {
		if end > at {
			out = append(out, Stretch{string(utf16.Decode(units[at:end])), marked})
		}
		at = end
	}
	for _, s := range spans {
		if s.Start < at || s.End <= s.Start || s.End > len(units) || splits(units, s.Start) || splits(units, s.End) {
			continue
		}
		add(s.Start, false)
		add(s.End, true)
	}
	add(len(units), false)
	return out
}

// splits reports whether a cut at i would part the halves of one character.
func splits(units []uint16, i int) bool {
	return i > 0 && i < len(units) && utf16.DecodeRune(rune(units[i-1]), rune(units[i])) != '\ufffd'
}

// foundKinds are the kinds a search can be narrowed to, in their order.
var foundKinds = []sessions.FoundKind{"", sessions.FoundSession, sessions.FoundObligation, sessions.FoundMessage}

// foundName names a kind of things found: one of them, or all there are.
func foundName(k sessions.FoundKind, several bool) string {
	one := map[sessions.FoundKind]string{sessions.FoundSession: "Interview", sessions.FoundObligation: "Answer", sessions.FoundMessage: "Message"}
	switch {
	case k == "":
		return "Everything"
	case several:
		return one[k] + "s"
	}
	return one[k]
}

// foundIcon is the picture of a kind.
func foundIcon(k sessions.FoundKind) string {
	return map[sessions.FoundKind]string{sessions.FoundSession: "interviews", sessions.FoundObligation: "answer", sessions.FoundMessage: "in_progress"}[k]
}

// path is where the same words are looked for in a kind, at a page.
func (v SearchView) path(kind sessions.FoundKind, page int) string {
	q := url.Values{"q": {v.Words}}
	if kind != "" {
		q.Set("kind", string(kind))
	}
	if page > 1 {
		q.Set("page", fmt.Sprint(page))
	}
	return "/search?" + q.Encode()
}

// found says what came of the search.
func (v SearchView) found() string {
	switch {
	case len(v.Found) == 0:
		return "Nothing found"
	case v.Page > 1:
		return fmt.Sprintf("Found, page %d", v.Page)
	case v.More:
		return "The best places first"
	}
	return ui.Many(len(v.Found), "place", "places") + " found"
}

// FoundTitle names what was found: an answer by its label, a message by who said
// it and when, an interview by its objective.
func FoundTitle(h sessions.Hit, label, objective string) string {
	switch h.Kind {
	case sessions.FoundObligation:
		return label
	case sessions.FoundMessage:
		turn, role, _ := strings.Cut(h.Key, "-")
		if sessions.Speaker(role) == sessions.FromAssistant {
			return "Said by Quaestor in turn " + turn
		}
		return "Said in turn " + turn
	case sessions.FoundSession:
		return objective
	}
	return h.Key
}

// FoundWords are the stretches of what was found. Of what Quaestor said they leave
// out the marks of bold type.
func FoundWords(h sessions.Hit) []Stretch {
	out := Stretches(h.Snippet, h.Highlights)
	if _, role, _ := strings.Cut(h.Key, "-"); h.Kind != sessions.FoundMessage || sessions.Speaker(role) != sessions.FromAssistant {
		return out
	}
	for i := range out {
		out[i].Text = strings.ReplaceAll(out[i].Text, "**", "")
	}
	return out
}

// FoundPath is where what was found stands.
func FoundPath(h sessions.Hit) string {
	path := "/s/" + url.PathEscape(h.Session)
	switch h.Kind {
	case sessions.FoundObligation:
		return path + "#ob-" + h.Key
	case sessions.FoundMessage:
		return path + "#m-" + url.PathEscape(h.Key)
	case sessions.FoundSession:
		return path
	}
	return path
}
