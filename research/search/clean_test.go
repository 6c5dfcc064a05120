package search

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestPlain(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct{ name, in, want string }{
		{"text", "Bicycles sell.", "Bicycles sell."},
		{"bold inside a word", "<strong>bi</strong>cycles", "bicycles"},
		{"blocks", "<p>one</p><br/>two", "one two"},
		{"attributes", `<span class="highlight">bicycle</span>s <img src=x onerror="alert(1)">`, "bicycles"},
		{"a comment", "a<!-- b <b>c</b> -->d<!-- e", "a d"},
		{"less than", "4 < 5 and a<3", "4 < 5 and a<3"},
		{"entities", "R&amp;D &lt;b&gt; &#8364;5 &unknown;", "R&D <b> €5 &unknown;"},
		{"entities of what hides", "a&#8203;b&#x202E;c", "abc"},
		{"white space", " a\r\n\tb\u2028c\u00a0d ", "a b c d"},
		{"controls", "a\x00b\x1b[31m", "a b [31m"},
		{"tags and fillers", "a\U000e0049\u2800\u3164\ufe0fb", "ab"},
		{"bad UTF-8", "a\xffb", "a b"},
		{"private characters", "a\ue000b", "a b"},
	} {
		if got := plain(tt.in, 100); got != tt.want {
			t.Errorf("%s: plain(%q) = %q, want %q", tt.name, tt.in, got, tt.want)
		}
	}
}

func TestPlainIsALineOfBoundedText(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(5, 50).Draw(t, "limit")
		got := plain(rapid.String().Draw(t, "in"), limit)
		if !utf8.ValidString(got) || utf8.RuneCountInString(got) > limit || strings.TrimSpace(got) != got {
			t.Fatalf("plain gives %q with limit %d", got, limit)
		}
		for _, r := range got {
			if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\n' {
				t.Fatalf("plain leaves %U in %q", r, got)
			}
		}
	})
}

func TestNormal(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct{ in, want string }{
		{"https://example.com", "https://example.com/"},
		{" HTTP://EXAMPLE.com:80/A?b=c#d ", "http://example.com/A?b=c"},
		{"https://example.com:8443/", "https://example.com:8443/"},
		{"https://example.com:/", "https://example.com/"},
		{"https://example.com/?utm_source=a&UTM_Medium=b&q=c&gclid=d&q=e", "https://example.com/?q=c&q=e"},
		{"https://example.com/?utm_source=a", "https://example.com/"},
		{"https://example.com/?", "https://example.com/"},
		{"https://example.com/a%2Fb/%E2%82%AC?x=%20y", "https://example.com/a%2Fb/%E2%82%AC?x=%20y"},
		{"http://[2001:db8::1]:80/", "http://[2001:db8::1]/"},
		{"https://example.com/#only", "https://example.com/"},
		{"", ""}, {"example.com", ""}, {"//example.com/", ""}, {"/a", ""}, {"https:///a", ""}, {"https:example.com", ""}, {"http://:80/", ""},
		{"ftp://example.com/", ""}, {"javascript:alert(1)", ""}, {"data:text/html,x", ""}, {"file:///etc/passwd", ""}, {"document:7", ""},
		{"https://a:b@example.com/", ""}, {"https://a@example.com/", ""}, {"https://exa\u200bmple.com/", ""}, {"https://example.com/\x00", ""}, {"http://exa mple.com/", ""},
		{"https://example.com/" + strings.Repeat("a", 2000), ""},
	} {
		if got := normal(tt.in); got != tt.want {
			t.Errorf("normal(%.60q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestNormalTwiceIsTheSame(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		once := normal(rapid.SampledFrom([]string{"http", "https", "HTTPS", "ftp"}).Draw(t, "scheme") + "://" +
			rapid.StringMatching(`[a-zA-Z.-]{0,12}(:[0-9]{0,3})?(/[^#]{0,12})?(\?[a-z&=%_]{0,12})?(#.{0,5})?`).Draw(t, "rest"))
		if once != "" && normal(once) != once {
			t.Fatalf("normal(%q) = %q", once, normal(once))
		}
	})
}

func TestAskedIsCutAtAWord(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		in := rapid.String().Draw(t, "in")
		runes, words := rapid.IntRange(1, 30).Draw(t, "runes"), rapid.IntRange(1, 5).Draw(t, "words")
		got, all := asked(in, runes, words), asked(in, 0, 0)
		if utf8.RuneCountInString(got) > runes || len(strings.Fields(got)) > words || !strings.HasPrefix(all, got) {
			t.Fatalf("asked gives %q of %q", got, all)
		}
		rest := all[len(got):]
		if rest != "" && !strings.HasPrefix(rest, " ") && strings.Contains(got, " ") {
			t.Fatalf("asked cuts %q in a word: %q", all, got)
		}
		if (got == "") != (all == "") {
			t.Fatalf("asked gives %q of %q", got, all)
		}
	})
}

func TestDay(t *testing.T) {
	t.Parallel()

	for in, want := range map[string]string{
		"2025-11-03T10:00:00": "2025-11-03", "2025-11-03T10:00:00Z": "2025-11-03", "2025-11-03T10:00:00.123+02:00": "2025-11-03", "2025-11-03 10:00:00": "2025-11-03",
		"2025-11-03": "2025-11-03", "Mon, 03 Nov 2025 10:00:00 GMT": "2025-11-03", "November 3, 2025": "2025-11-03", "Nov 3, 2025": "2025-11-03",
		"3 days ago": "", "": "", "2025-13-40": "", "0000-01-01": "", "yesterday": "",
	} {
		if got := day(in); got != want {
			t.Errorf("day(%q) = %q, want %q", in, got, want)
		}
	}
}

// FuzzHit reads results as all engines do and looks at what is left of them.
func FuzzHit(f *testing.F) {
	for _, seed := range []string{`{"url":"https://example.com/?utm_a=1#b","title":"<b>x</b>","content":"&#0;"}`, `{"url":null}`, `[`, `7`, `{"url":"http://\u0000"}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		hits, err := gather(&client{engine: "x"}, []json.RawMessage{raw}, 10, func(r searxngResult) Hit {
			return Hit{URL: r.URL, Title: r.Title, Snippet: r.Content, Published: r.Published}
		})
		if err != nil {
			return
		}
		for _, h := range hits {
			u, err := url.Parse(h.URL)
			if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.Fragment != "" || !utf8.ValidString(h.Title+h.Snippet) {
				t.Fatalf("a hit is %+v", h)
			}
		}
	})
}
