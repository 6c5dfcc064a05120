package tokens

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

func TestCount(t *testing.T) {
	t.Parallel()

	for s, want := range map[string]int{"": 0, "hello": 1, "hello world": 2, "SELECT 1": 3, "1234567": 3, "  12": 3, "it's": 1} {
		if got := Count(s); got != want {
			t.Errorf("%q has %d tokens, want %d", s, got, want)
		}
	}
}

// The vocabulary has every number of up to three digits, which figures relies on.
func TestEveryShortNumberIsOneToken(t *testing.T) {
	t.Parallel()

	for width := 1; width <= 3; width++ {
		for n := range []int{1: 10, 2: 100, 3: 1000}[width] {
			if s := fmt.Sprintf("%0*d", width, n); exact(s) != 1 {
				t.Errorf("%s has %d tokens", s, exact(s))
			}
		}
	}
}

// Words add up to what the vocabulary says of the whole, whatever the text.
func TestCountIsExact(t *testing.T) {
	t.Parallel()

	pieces := []string{"SELECT", "sales.orders", " ", "  ", "\n", "\n\n", "\t", "'s", "'", "'Ll", "12", "3.5e-07", "\"", `{"name":"`, "</", "/", "//", "é", "naïve", "表", "١٢", "😀", "_id", "-", "…", "İ", "ǅ", "%", "\r\n", "x"}
	text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[ -~\n\t]{0,200}`),
		rapid.Map(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 60), func(p []string) string { return strings.Join(p, "") }))
	rapid.Check(t, func(t *rapid.T) {
		s := text.Draw(t, "text")
		if got, want := Count(s), exact(s); got != want {
			t.Fatalf("%q has %d tokens, want %d", s, got, want)
		}
	})
}

// Lines add up when the next begins with a letter, a digit, or a mark but a slash.
func TestLinesAddUp(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.String().Draw(t, "a")+"\n", rapid.SampledFrom([]string{"1. ", "<", "A", "{", "["}).Draw(t, "begin")+rapid.String().Draw(t, "b")
		if Count(a+b) != Count(a)+Count(b) {
			t.Fatalf("%q and %q", a, b)
		}
	})
}

// prose is a long text of n bytes or more, as prompts have them.
func prose(n int) string {
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for b.Len() < n {
		row, _ := json.Marshal(map[string]any{"region": fmt.Sprint("R", r.IntN(90)), "revenue": r.Float64() * 1e5, "orders": r.IntN(1e6), "note": strings.Repeat("late order ", r.IntN(6))})
		b.Write(row)
		b.WriteString("\n- customer_id bigint NOT NULL [foreign_key]\n")
	}
	return b.String()
}

func TestEstimate(t *testing.T) {
	t.Parallel()

	s := prose(3 << 20)
	got, want := float64(Count(s)), float64(exact(s))
	if got < 0.98*want || got > 1.02*want {
		t.Errorf("%.0f tokens are estimated at %.0f", want, got)
	}
}

// What is remembered has an end.
func TestMemoryIsBounded(t *testing.T) {
	t.Parallel()

	var c counter
	for i := range maxWords + 10 {
		c.words(fmt.Sprint("w", string(rune('a'+i%26)), string(rune('a'+i/26%26)), string(rune('a'+i/676%26)), string(rune('a'+i/17576%26))))
	}
	for i := range maxTexts + 10 {
		c.text(fmt.Sprint("1", i))
	}
	if len(c.short) > maxWords || len(c.texts) > maxTexts {
		t.Errorf("%d words and %d texts are remembered", len(c.short), len(c.texts))
	}
}

func TestManyCountAtOnce(t *testing.T) {
	t.Parallel()

	texts := []string{prose(100), prose(5000), "order \n12", "naïve"}
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for k := range 50 {
				if s := texts[(i+k)%len(texts)]; Count(s) != exact(s) {
					t.Error(s)
				}
			}
		})
	}
	all.Wait()
}

func FuzzCount(f *testing.F) {
	f.Add("it's 12\n  3é")
	f.Add("0\xc30")
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) <= partBytes && Count(s) != exact(s) {
			t.Errorf("%q has %d tokens, want %d", s, Count(s), exact(s))
		}
	})
}

func BenchmarkCount(b *testing.B) {
	text := prose(64 << 10)
	Count(text)
	b.Run("a turn's new text", func(b *testing.B) {
		n := 0
		b.SetBytes(3000)
		for b.Loop() {
			n++
			shared.words(text[n%1000 : n%1000+3000])
		}
	})
	b.Run("stable 64 KB", func(b *testing.B) {
		for b.Loop() {
			Count(text)
		}
	})
	b.Run("the library alone", func(b *testing.B) {
		b.SetBytes(3000)
		for b.Loop() {
			exact(text[:3000])
		}
	})
}
