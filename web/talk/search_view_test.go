package talk_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web/talk"
	"quaestor/web/webtest"
)

func TestStretches(t *testing.T) {
	t.Parallel()

	span := func(start, end int) obligations.Span { return obligations.Span{Start: start, End: end} }
	for _, tt := range []struct {
		name  string
		text  string
		spans []obligations.Span
		want  []talk.Stretch
	}{
		{"nothing", "", nil, nil},
		{"no span", "bread", nil, []talk.Stretch{{Text: "bread", Marked: false}}},
		{"in the middle", "we bake bread", []obligations.Span{span(3, 7)}, []talk.Stretch{{Text: "we ", Marked: false}, {Text: "bake", Marked: true}, {Text: " bread", Marked: false}}},
		{"the whole", "bread", []obligations.Span{span(0, 5)}, []talk.Stretch{{Text: "bread", Marked: true}}},
		{"after an emoji", "🥖 bread", []obligations.Span{span(3, 8)}, []talk.Stretch{{Text: "🥖 ", Marked: false}, {Text: "bread", Marked: true}}},
		{"half an emoji", "🥖 bread", []obligations.Span{span(1, 8)}, []talk.Stretch{{Text: "🥖 bread", Marked: false}}},
		{"past the end", "bread", []obligations.Span{span(2, 9)}, []talk.Stretch{{Text: "bread", Marked: false}}},
		{"turned round", "bread", []obligations.Span{span(4, 2)}, []talk.Stretch{{Text: "bread", Marked: false}}},
		{"one over the other", "bread", []obligations.Span{span(0, 3), span(2, 5)}, []talk.Stretch{{Text: "bre", Marked: true}, {Text: "ad", Marked: false}}},
	} {
		if diff := cmp.Diff(tt.want, talk.Stretches(tt.text, tt.spans)); diff != "" {
			t.Errorf("%s: Stretches differ (-want +got):\n%s", tt.name, diff)
		}
	}
}

// Whatever the spans are, the stretches make up the text, and no two neighbours are both
// unmarked.
func TestStretchesAreTheTextAgain(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringN(0, 30, -1).Draw(t, "text")
		n := len(utf16.Encode([]rune(text)))
		place := rapid.IntRange(-2, n+2)
		spans := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) obligations.Span {
			return obligations.Span{Start: place.Draw(t, "start"), End: place.Draw(t, "end")}
		}), 0, 5).Draw(t, "spans")

		var whole strings.Builder
		plain := false
		for _, s := range talk.Stretches(text, spans) {
			if s.Text == "" || plain && !s.Marked {
				t.Fatalf("a stretch is empty or goes on with the one before: %+v", s)
			}
			plain = !s.Marked
			whole.WriteString(s.Text)
		}
		if got := whole.String(); got != string(utf16.Decode(utf16.Encode([]rune(text)))) {
			t.Fatalf("the stretches are %q, want %q", got, text)
		}
	})
}

func sampleSearch() talk.SearchView {
	return talk.SearchView{Nav: everywhere, Words: "tool library", Page: 1, More: true, Found: []talk.FoundCard{
		{Title: "The idea", Within: "Product idea", Hit: sessions.Hit{Kind: sessions.FoundObligation, Session: "s-1", Key: "idea_summary", At: time.Unix(0, 0), Snippet: "A library for <b>tools</b>", Highlights: []obligations.Span{{Start: 2, End: 9}}}},
		{Title: "Said in turn 2", Within: "Product idea", By: "bob", Hit: sessions.Hit{Kind: sessions.FoundMessage, Session: "s-2", Key: "2-user", At: time.Unix(0, 0), Snippet: "tools", Highlights: []obligations.Span{{Start: 0, End: 5}}}},
	}}
}

func TestSearchMarksWhatWasFound(t *testing.T) {
	t.Parallel()

	p := webtest.Render(t, talk.Search(sampleSearch()))

	row := p.Within(p.Test("found-obligation"))
	if got := row.All(webtest.Tag("mark")); len(got) != 1 || webtest.Text(got[0]) != "library" {
		t.Errorf("marked = %v, want library", got)
	}
	if got := webtest.Text(row.Test("snippet")); got != "A library for <b>tools</b>" {
		t.Errorf("snippet = %q", got)
	}
	if got := webtest.Attr(row.Test("found-link"), "href"); got != "/s/s-1#ob-idea_summary" {
		t.Errorf("link = %q", got)
	}
	if got := webtest.Text(p.Test("found-message")); !strings.Contains(got, "begun by bob") || !strings.Contains(got, "Message") {
		t.Errorf("message = %q", got)
	}
	if got := webtest.Attr(p.Test("search-words"), "value"); got != "tool library" {
		t.Errorf("the box says %q", got)
	}
	if got := webtest.Attr(p.Test("found-more"), "href"); got != "/search?page=2&q=tool+library" {
		t.Errorf("more is at %q", got)
	}
	if got := webtest.Attr(p.Test("kind-message"), "href"); got != "/search?kind=message&q=tool+library" {
		t.Errorf("messages are at %q", got)
	}
}

func TestSearchSaysWhyThereIsNothing(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name string
		view talk.SearchView
		want string // data-testid of what is said
	}{
		{"no words", talk.SearchView{Page: 1}, "search-help"},
		{"nothing met", talk.SearchView{Words: "zebras", Page: 1}, "nothing-found"},
		{"too long", talk.SearchView{Words: "zebras", Page: 1, Failure: "The search takes too long."}, "search-failure"},
	} {
		p := webtest.Render(t, talk.Search(tt.view))
		for _, id := range []string{"search-help", "nothing-found", "search-failure"} {
			if got := len(p.Tests(id)) == 1; got != (id == tt.want) {
				t.Errorf("%s: %s is there: %t", tt.name, id, got)
			}
		}
	}
}

func TestFoundIsNamedAndPlaced(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		hit         sessions.Hit
		title, path string
	}{
		{sessions.Hit{Kind: sessions.FoundObligation, Session: "s-1", Key: "idea"}, "The idea", "/s/s-1#ob-idea"},
		{sessions.Hit{Kind: sessions.FoundMessage, Session: "s-1", Key: "12-user"}, "Said in turn 12", "/s/s-1#m-12-user"},
		{sessions.Hit{Kind: sessions.FoundMessage, Session: "s-1", Key: "3-assistant"}, "Said by Quaestor in turn 3", "/s/s-1#m-3-assistant"},
		{sessions.Hit{Kind: sessions.FoundSession, Session: "s-1", Key: "session"}, "Product idea", "/s/s-1"},
	} {
		if got := talk.FoundTitle(tt.hit, "The idea", "Product idea"); got != tt.title {
			t.Errorf("FoundTitle(%s) = %q, want %q", tt.hit.Key, got, tt.title)
		}
		if got := talk.FoundPath(tt.hit); got != tt.path {
			t.Errorf("FoundPath(%s) = %q, want %q", tt.hit.Key, got, tt.path)
		}
	}
}

func TestFoundWordsLeaveOutTheMarksOfReplies(t *testing.T) {
	t.Parallel()

	for key, want := range map[string]string{"2-assistant": "The idea: tools", "2-user": "**The idea**: tools"} {
		var got strings.Builder
		for _, s := range talk.FoundWords(sessions.Hit{Kind: sessions.FoundMessage, Key: key, Snippet: "**The idea**: tools", Highlights: []obligations.Span{{Start: 6, End: 10}}}) {
			got.WriteString(s.Text)
		}
		if got.String() != want {
			t.Errorf("the words of %s are %q, want %q", key, got.String(), want)
		}
	}
}
