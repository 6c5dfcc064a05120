package talk

import (
	"fmt"
	"net/url"
	"strings"
	"unicode/utf16"

	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web/ui"
)

// SearchView is what [Search] shows.
type SearchView struct {
	Nav     ui.Nav
	Words   string             // to search for; empty shows help instead of results
	Kind    sessions.FoundKind // empty for all kinds
	Found   []FoundCard        // best first
	Page    int                // from 1
	More    bool               // there is a page after this one
	Failure string             // why the search failed, a sentence; empty when it did not
}

// FoundCard is a hit of a search.
type FoundCard struct {
	sessions.Hit
	Title  string // see [FoundTitle]
	Within string // name of the interview's objective
	By     string // owner of the interview, unless that is the reader
}

// Stretch is a piece of a text that matches a query, or lies between matches.
type Stretch struct {
	Text   string
	Marked bool
}

// Stretches cuts text at spans, which count UTF-16 units. Spans are in order and do not
// overlap; one that does not fit is left out. The stretches together are text again.
func Stretches(text string, spans []obligations.Span) []Stretch {
	units := utf16.Encode([]rune(text))
	splits := func(at int) bool { return ui.WholeCharacter(units, at) != at }
	var out []Stretch
	at := 0
	add := func(end int, marked bool) {
		if end > at {
			out = append(out, Stretch{string(utf16.Decode(units[at:end])), marked})
		}
		at = end
	}
	for _, s := range spans {
		if s.Start < at || s.End <= s.Start || s.End > len(units) || splits(s.Start) || splits(s.End) {
			continue
		}
		add(s.Start, false)
		add(s.End, true)
	}
	add(len(units), false)
	return out
}

// foundKinds are the kinds that a search can be narrowed to, in the order of their tabs.
// The first one is all of them.
var foundKinds = []foundKind{
	{"", "", "Everything", ""},
	{sessions.FoundSession, "Interview", "Interviews", "interviews"},
	{sessions.FoundObligation, "Answer", "Answers", "answer"},
	{sessions.FoundMessage, "Message", "Messages", "in_progress"},
}

// foundKind is a kind of hits, named in the singular and the plural, with its icon.
type foundKind struct {
	kind            sessions.FoundKind
	one, many, icon string
}

// foundKindOf returns the names and the icon of k.
func foundKindOf(k sessions.FoundKind) foundKind {
	for _, f := range foundKinds {
		if f.kind == k {
			return f
		}
	}
	return foundKind{}
}

// path is the address of a page of the same search, narrowed to kind.
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

// foundTitle is the heading over the results.
func (v SearchView) foundTitle() string {
	switch {
	case v.Failure != "":
		return "Not searched"
	case len(v.Found) == 0:
		return "Nothing found"
	case v.Page > 1:
		return fmt.Sprintf("Found, page %d", v.Page)
	case v.More:
		return "The best places first"
	}
	return ui.Count(len(v.Found), "place") + " found"
}

// FoundTitle names a hit: an answer by label, the name of its obligation; a message by
// its speaker and turn; an interview by the name of its objective.
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

// FoundWords returns the snippet of h, with its matches marked. Replies are Markdown, of
// which snippets leave out the marks of bold type.
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

// FoundPath is the address of a hit within the page of its interview.
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
