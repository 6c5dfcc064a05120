package language_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"quaestor/internal/language"
)

func TestClip(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		s    string
		n    int
		want string
	}{
		{"", 0, ""}, {"", 3, ""}, {"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"äöü", 3, "äöü"}, {"äöüß", 3, "äö…"}, {"a cd", 3, "a…"}, {"abc", 1, "…"}, {"abc", 0, ""}, {"abc", -1, ""},
	} {
		if got := language.Clip(tt.s, tt.n); got != tt.want {
			t.Errorf("Clip(%q, %d) = %q, want %q", tt.s, tt.n, got, tt.want)
		}
	}
}

func TestCutsKeepToTheirBounds(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		s, n := rapid.String().Draw(t, "s"), rapid.IntRange(0, 12).Draw(t, "n")
		if c := language.Clip(s, n); utf8.RuneCountInString(c) > n || (c != s) != (utf8.RuneCountInString(s) > n) {
			t.Fatalf("Clip(%q, %d) = %q", s, n, c)
		}
		if h := language.Head(s, n); !strings.HasPrefix(s, h) || utf8.RuneCountInString(h) != min(n, utf8.RuneCountInString(s)) {
			t.Fatalf("Head(%q, %d) = %q", s, n, h)
		}
		if h := language.HeadBytes(s, n); !strings.HasPrefix(s, h) || len(h) > n || len(h) < min(n, len(s))-utf8.UTFMax+1 || !utf8.ValidString(h) {
			t.Fatalf("HeadBytes(%q, %d) = %q", s, n, h)
		}
	})
}

func TestWords(t *testing.T) {
	t.Parallel()

	for got, want := range map[string]string{
		language.OneLine(" a\n\tb  c "):           "a b c",
		language.Count(1, "source"):               "1 source",
		language.Count(0, "source"):               "0 sources",
		language.Count(2, "query"):                "2 queries",
		language.Count(1200, "day"):               "1,200 days",
		language.And(nil):                         "",
		language.And([]string{"a"}):               "a",
		language.And([]string{"a", "b"}):          "a and b",
		language.And([]string{"a", "b", "c"}):     "a, b and c",
		language.Thousands(999):                   "999",
		language.Thousands(-1000):                 "-1,000",
		language.Thousands(int64(1234567)):        "1,234,567",
		language.Thousands(-1234.5):               "-1,234.5",
		language.UpperFirst(""):                   "",
		language.UpperFirst("élan vital"):         "Élan vital",
		language.UpperFirst("\xffa"):              "\xffa",
		language.LowerFirst("Company"):            "company",
		language.LowerFirst("URL of the company"): "URL of the company",
		language.LowerFirst("A name"):             "A name",
		language.LowerFirst(""):                   "",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
