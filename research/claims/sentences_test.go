package claims_test

import (
	"slices"
	"strings"
	"testing"

	"quaestor/research/claims"
)

// cutUp returns the sentences of text as strings.
func cutUp(t testing.TB, text string) []string {
	t.Helper()
	var out []string
	for _, span := range claims.Sentences(text) {
		s, ok := span.Slice(text)
		if !ok {
			t.Fatalf("span %v is not in the text of %d bytes", span, len(text))
		}
		out = append(out, s)
	}
	return out
}

func TestSentences(t *testing.T) {
	t.Parallel()

	long := strings.TrimSpace(strings.Repeat("word ", 200)) + "."
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"two", "Acme builds bikes. Globex sells them.", []string{"Acme builds bikes.", "Globex sells them."}},
		{"abbreviations", "Dr. Miller works at Acme Inc. in Leipzig, e.g. on bikes. It grew.", []string{"Dr. Miller works at Acme Inc. in Leipzig, e.g. on bikes.", "It grew."}},
		{"a company at the end", "It was bought by Acme Inc. The price is unknown.", []string{"It was bought by Acme Inc.", "The price is unknown."}},
		{"decimals", "It costs $3.50 today. Version 2.1 is out.", []string{"It costs $3.50 today.", "Version 2.1 is out."}},
		{"initials", "J. R. Smith founded it. He left.", []string{"J. R. Smith founded it.", "He left."}},
		{"number sign", "It is No. 5 in Europe. It grows.", []string{"It is No. 5 in Europe.", "It grows."}},
		{"quotes and brackets", "“It works.” (So they say.) We agree!", []string{"“It works.”", "(So they say.)", "We agree!"}},
		{"soft wraps", "Acme builds\nbikes. Globex\nsells them.", []string{"Acme builds\nbikes.", "Globex\nsells them."}},
		{"headings", "# About Acme\nAcme builds bikes.\n\n## Prices\n$5 each.", []string{"About Acme", "Acme builds bikes.", "Prices", "$5 each."}},
		{"lists", "- First thing\n- Second thing. More of it.\n1. Third\n2) Fourth", []string{"First thing", "Second thing.", "More of it.", "Third", "Fourth"}},
		{"tables", "| Plan | Price |\n|---|---|\n| Pro | $12 |\n| Max | $20 |", []string{"| Plan | Price |", "| Pro | $12 |", "| Max | $20 |"}},
		{"no end", "Acme builds bikes", []string{"Acme builds bikes"}},
		{"footnotes", "Acme builds bikes.[1] It grew.[2]", []string{"Acme builds bikes.[1]", "It grew.[2]"}},
		{"other scripts", "東京は首都です。人口は多い。", []string{"東京は首都です。", "人口は多い。"}},
		{"beyond the first plane", "🙂 Acme builds bikes. 🙂🙂 Globex sells.", []string{"🙂 Acme builds bikes.", "🙂🙂 Globex sells."}},
		{"nothing", " \n\n---\n ", nil},
		{"too long", long, []string{strings.TrimSpace(long[:600]), strings.TrimSpace(long[600:])}},
	} {
		if got := cutUp(t, tt.text); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
