package catalog

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A word is found in those texts that have it, in lower case, and in no other.
func TestWordsAreFound(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.StringMatching(`[abAB_ü顧]{0,8}`), 0, 30).Draw(t, "texts")
		word := rapid.StringMatching(`[ab_ü顧]{1,3}`).Draw(t, "word")
		var all texts
		var want, got []int
		for i, s := range list {
			all.add(s, "")
			if strings.Contains(fold(s), word) {
				want = append(want, i)
			}
		}
		all.count()
		all.each(word, func(i int) { got = append(got, i) })
		if !slices.Equal(got, want) {
			t.Fatalf("%q is found in %v of %q, want %v", word, got, list, want)
		}
	})
}

// Of more words than a machine word has bits the first three stand in a line, be
// they of the table or of a column.
func TestFirstWordsOfMany(t *testing.T) {
	t.Parallel()

	var words []string
	for i := range 200 {
		words = append(words, strings.Repeat("z", i+9))
	}
	words[3], words[70], words[140], words[199] = "city", "", "stor", "sales"
	x := NewIndex(shop())
	got := x.Render(Options{Words: words})
	if want := "sales.stores | 2c | 542 rows | city, stor\n"; !strings.Contains(got.Text, want) {
		t.Errorf("%q is not in %s", want, got.Text)
	}
	if got.Tokens != Tokens(got.Text)+strings.Count(got.Text, "\n") {
		t.Errorf("%d tokens, want %d", got.Tokens, Tokens(got.Text)+strings.Count(got.Text, "\n"))
	}
}
