package embedding

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

// pieces returns the tokenizer of the real vocabulary.
func pieces(t testing.TB) *tokenizer {
	t.Helper()
	return lite(t).model.Load().tokenizer
}

func TestTokensAreTheOriginals(t *testing.T) {
	t.Parallel()

	tok := pieces(t)
	for _, tt := range readGolden(t).Tokens {
		if got := tok.tokens(tt.Text); !slices.Equal(got, tt.IDs) {
			t.Errorf("tokens(%q) = %v, want %v", tt.Text, got, tt.IDs)
		}
	}
}

func TestTokensOfOddTexts(t *testing.T) {
	t.Parallel()

	tok := pieces(t)
	for _, tt := range []struct{ name, text, like string }{
		{"empty", "", ""},
		{"white space", " \t\r\n\u00a0\u3000 ", ""},
		{"line breaks", "the\n\n  stock\tlevel\r\n", "the stock level"},
		{"invalid UTF-8 is one replacement", "stock \xff\xfe\xfd level", "stock \uFFFD level"},
		{"cut rune", "stock \xf0\x9f\x9a", "stock \uFFFD"},
		{"unknown runes merge", "日本語日本語", "日"},
		{"full width", "ｓｔｏｃｋ", "stock"},
		{"composed", "re\u0301sume\u0301", "résumé"},
	} {
		got, want := tok.tokens(tt.text), tok.tokens(tt.like)
		if !slices.Equal(got, want) {
			t.Errorf("%s: tokens(%q) = %v, want those of %q: %v", tt.name, tt.text, got, tt.like, want)
		}
		if tt.like == "" && got != nil {
			t.Errorf("%s: tokens(%q) = %v, want none", tt.name, tt.text, got)
		}
	}
}

func TestTokensOfLongTextsAreCut(t *testing.T) {
	t.Parallel()

	tok := pieces(t)
	head := tok.tokens(strings.Repeat("stock level ", 200))
	if len(head) != maxTokens {
		t.Fatalf("%d tokens of a long text, want %d", len(head), maxTokens)
	}
	for _, tt := range []struct{ name, text string }{
		{"a megabyte of words", strings.Repeat("stock level ", 100_000)},
		{"after a megabyte of blanks", strings.Repeat(" ", 1<<20) + strings.Repeat("stock level ", 200)},
		{"before a megabyte of rockets", strings.Repeat("stock level ", 200) + strings.Repeat("🚀", 1<<18)},
	} {
		if got := tok.tokens(tt.text); !slices.Equal(got, head) {
			t.Errorf("%s: tokens = %v, want %v", tt.name, got, head)
		}
	}
	if got := tok.tokens(strings.Repeat("🚀", 1<<18)); len(got) != 2 {
		t.Errorf("a megabyte of rockets gives %d tokens, want a blank and one unknown", len(got))
	}
	if n := len(symbols(strings.Repeat("ﷺ", 1<<16))); n != maxRunes {
		t.Errorf("ligatures of 18 runes give %d symbols, want %d", n, maxRunes)
	}
}

// Blanks around and between words say nothing, however many there are.
func TestTokensIgnoreWhichWhiteSpace(t *testing.T) {
	t.Parallel()

	tok := pieces(t)
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.StringMatching(`[A-Za-z0-9.,é🚀-]{1,9}`), 1, 12).Draw(t, "words")
		gap := rapid.StringMatching(`[ \t\n]{1,4}`).Draw(t, "gap")

		got, want := tok.tokens(gap+strings.Join(words, gap)+gap), tok.tokens(strings.Join(words, " "))

		if !slices.Equal(got, want) {
			t.Fatalf("tokens with gap %q = %v, want %v", gap, got, want)
		}
	})
}

// The rules of the cut, on a vocabulary small enough to see through.
func TestLatticePicksTheBestCut(t *testing.T) {
	t.Parallel()

	const blank, a, b, ab, abWord = 6, 7, 8, 9, 10
	spelt := map[int32]string{blank: "▁", a: "a", b: "b", ab: "ab", abWord: "▁ab"}
	for _, tt := range []struct {
		name   string
		scores map[int32]float64
		want   []int32
	}{
		{"one piece is best", map[int32]float64{blank: -1, a: -1, b: -1, ab: -4, abWord: -2}, []int32{abWord}},
		{"many pieces are best", map[int32]float64{blank: -1, a: -1, b: -1, ab: -4, abWord: -5}, []int32{blank, a, b}},
		{"of equals the last piece is short", map[int32]float64{blank: -1, a: -1, b: -1, ab: -2, abWord: -3}, []int32{blank, a, b}},
		{"a sum of 0 counts as none", map[int32]float64{blank: -1, a: -1, b: -1, ab: -1, abWord: 0}, []int32{blank, ab}},
	} {
		tok := &tokenizer{edges: make(map[edge]int32), pieces: []int32{unknown}, scores: make([]float64, abWord+1)}
		for id, piece := range spelt {
			tok.add([]rune(piece), id)
			tok.scores[id] = tt.scores[id]
		}
		if got := tok.tokens("ab"); !slices.Equal(got, tt.want) {
			t.Errorf("%s: tokens = %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestNewTokenizerRefuses(t *testing.T) {
	t.Parallel()

	few, err := json.Marshal([][2]any{{"a", -1.5}})
	if err != nil {
		t.Fatal(err)
	}
	for _, raw := range []string{"", "{}", `[1]`, string(few)} {
		if _, err := newTokenizer([]byte(raw)); err == nil {
			t.Errorf("newTokenizer(%q) took it", raw)
		}
	}
}

// Whatever the text: known ids, at most maxTokens, no two unknowns in a row, and
// where nothing was unknown or cut the pieces spell the text.
func FuzzTokens(f *testing.F) {
	tok := pieces(f)
	spelling := spellings(f)
	for _, tt := range readGolden(f).Tokens {
		f.Add(tt.Text)
	}
	f.Add("\xff\x00 \u2581\u2581 \U0010FFFF")
	f.Add(strings.Repeat("e\u0301", 300))
	f.Fuzz(func(t *testing.T, text string) {
		ids := tok.tokens(text)
		if len(ids) > maxTokens {
			t.Fatalf("%d tokens", len(ids))
		}
		var spelt strings.Builder
		for i, id := range ids {
			if id != unknown && id < reserved || id < 0 || id >= vocabulary {
				t.Fatalf("token %d is %d", i, id)
			}
			if id == unknown && i > 0 && ids[i-1] == unknown {
				t.Fatalf("two unknowns in a row: %v", ids)
			}
			spelt.WriteString(spelling[id])
		}
		if want := string(symbols(text)); len(ids) < maxTokens && !slices.Contains(ids, unknown) && spelt.String() != want {
			t.Fatalf("the pieces of %q spell %q, want %q", text, spelt.String(), want)
		}
		if blank := strings.TrimFunc(text, unicode.IsSpace) == ""; blank && ids != nil {
			t.Fatalf("blank %q has tokens %v", text, ids)
		}
	})
}

// spellings returns the pieces by id.
func spellings(t testing.TB) []string {
	t.Helper()
	raw, err := readFile(weights(t), "vocab.json")
	if err != nil {
		t.Fatal(err)
	}
	var pairs [][2]any
	if err := json.Unmarshal(raw, &pairs); err != nil {
		t.Fatal(err)
	}
	out := make([]string, len(pairs))
	for id, pair := range pairs {
		out[id] = pair[0].(string)
	}
	return out
}
