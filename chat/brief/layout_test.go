package brief

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Whatever the runs, lines fit, and nothing but spaces is left out.
func TestLinesFitAndHoldEverything(t *testing.T) {
	t.Parallel()

	words := rapid.SliceOfN(rapid.StringMatching(`[ a-zA-ZäßЖΩ€□.,—]{0,40}`), 0, 12)
	rapid.Check(t, func(t *rapid.T) {
		var runs []run
		all := ""
		for i, w := range words.Draw(t, "words") {
			w, _ = replaceMissing(w)
			runs, all = append(runs, run{text: w, bold: i%2 == 1, soft: i%3 == 2}), all+w
		}
		room := rapid.Float64Range(0.2, 60).Draw(t, "room")

		got := ""
		for _, l := range breakLines(runs, room) {
			wide, characters := 0.0, 0
			for _, p := range l {
				got, wide, characters = got+p.text, wide+typefaces()[p.bold].width(p.text), characters+len([]rune(p.text))
			}
			if wide > room+0.001 && characters > 1 {
				t.Fatalf("a line of %.2f ems in room for %.2f: %v", wide, room, l)
			}
		}
		if diff := cmp.Diff(strings.ReplaceAll(all, " ", ""), strings.ReplaceAll(got, " ", "")); diff != "" {
			t.Fatalf("text (-in +out):\n%s", diff)
		}
	})
}

func TestClean(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct{ name, in, want string }{
		{"lines", "a\r\nb\rc\u2028d", "a\nb\nc\nd"},
		{"control characters are seen", "a\x00b\x1b", "a\uFFFDb\uFFFD"},
		{"broken text is seen", "a\xffb", "a\uFFFDb"},
		{"turns of direction go", "a\u202eb\u2066c\u200fd", "abcd"},
		{"what joins emoji stays", "👩\u200d🍳", "👩\u200d🍳"},
		{"tabs are space", "a\tb", "a b"},
		{"no character at all", "a\ufffeb", "a\uFFFDb"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			if got := clean(tt.in); got != tt.want {
				t.Errorf("clean(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestWebLink(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		in   string
		want bool
	}{
		{"https://example.org/a?b=c", true},
		{"http://example.org", true},
		{"javascript:alert(1)", false},
		{"data:text/html,x", false},
		{"https://bank.example@evil.example/", false},
		{"https://example.org/a b", false},
		{"https://example.org/\u202egpj", false},
		{"//example.org/a", false},
		{"/local", false},
		{"", false},
	} {
		if got := webLink(tt.in) != ""; got != tt.want {
			t.Errorf("webLink(%q) leads somewhere: %t, want %t", tt.in, got, tt.want)
		}
	}
}
