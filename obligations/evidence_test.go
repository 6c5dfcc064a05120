package obligations

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestLocate(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name, content, quote string
		span                 Span
		found                string
	}{
		{"as it is", "We sell bread.", "sell bread", Span{3, 13}, "sell bread"},
		{"white space around the quote", "We sell bread.", "  bread\n", Span{8, 13}, "bread"},
		{"letter case", "We sell BREAD.", "we Sell bread", Span{0, 13}, "We sell BREAD"},
		{"runs of white space", "We  sell\n\tbread.", "sell bread", Span{4, 15}, "sell\n\tbread"},
		{"typographic quotes and dashes", "It’s “fresh” – daily", `it's "fresh" - daily`, Span{0, 20}, "It’s “fresh” – daily"},
		{"after an emoji of two units", "👩‍🌾 farm", "farm", Span{6, 10}, "farm"},
		{"an emoji", "we ❤️ bread", "❤️", Span{3, 5}, "❤️"},
		{"right to left", "אנחנו מוכרים לחם", "מוכרים", Span{6, 12}, "מוכרים"},
		{"combining marks", "cafe\u0301 au lait", "CAFE\u0301", Span{0, 5}, "cafe\u0301"},
		{"a letter that is longer folded", "İstanbul today", "TODAY", Span{9, 14}, "today"},
		{"the first of two", "no, no", "no", Span{0, 2}, "no"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			span, found, ok := Locate(tt.content, tt.quote)

			if !ok || span != tt.span || found != tt.found {
				t.Errorf("Locate(%q, %q) = %v, %q, %v, want %v, %q", tt.content, tt.quote, span, found, ok, tt.span, tt.found)
			}
			if got, in := span.Slice(tt.content); !in || got != tt.found {
				t.Errorf("%v.Slice(%q) = %q, %v, want %q", span, tt.content, got, in, tt.found)
			}
		})
	}
}

func TestLocateFindsNothing(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct{ name, content, quote string }{
		{"other words", "We sell bread.", "We sell cake"},
		{"an empty quote", "We sell bread.", ""},
		{"white space", "We sell bread.", " \n"},
		{"an empty message", "", "bread"},
		{"words with others between", "We sell fresh bread.", "sell bread"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			if span, found, ok := Locate(tt.content, tt.quote); ok {
				t.Errorf("Locate(%q, %q) = %v, %q, want nothing", tt.content, tt.quote, span, found)
			}
		})
	}
}

func TestSliceOutOfBounds(t *testing.T) {
	t.Parallel()

	for _, s := range []Span{{-1, 2}, {0, 5}, {2, 2}, {3, 1}, {0, 0}, {4, 9}} {
		if got, ok := s.Slice("four"); ok {
			t.Errorf("%v.Slice(\"four\") = %q, want none", s, got)
		}
	}
}

// anyText draws text with what is hard to count: emoji, marks, both directions
// of writing, typographic marks and odd white space.
func anyText() *rapid.Generator[string] {
	piece := rapid.SampledFrom([]string{"a", "B", "é", "e\u0301", "👩‍🌾", "🇩🇪", "שלום", "مرحبا", "“x”", "it’s", "–", " ", "\n", "\u00a0", "İ", "ß", "𝒳", "\u200f", "語"})
	return rapid.Map(rapid.SliceOfN(piece, 0, 20), func(parts []string) string { return strings.Join(parts, "") })
}

func TestSpanNamesTheWords(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		before, quote, after := anyText().Draw(t, "before"), anyText().Draw(t, "quote"), anyText().Draw(t, "after")
		content := before + quote + after
		written := quote
		if rapid.Bool().Draw(t, "retyped") {
			written = strings.NewReplacer("’", "'", "“", `"`, "”", `"`, "–", "-", "a", "A", "\n", "  ", "\u00a0", "\t").Replace(quote)
		}

		span, found, ok := Locate(content, written)

		if strings.TrimSpace(quote) == "" {
			return
		}
		if !ok {
			t.Fatalf("Locate(%q, %q) found nothing", content, written)
		}
		if slice, in := span.Slice(content); !in || slice != found {
			t.Fatalf("Locate(%q, %q) = %v, %q, but the slice is %q, %v", content, written, span, found, slice, in)
		}
	})
}

var transcript = []Utterance{
	{ID: "1-user", Content: "We sell bread.", User: true},
	{ID: "1-assistant", Content: "Do you sell cake?"},
	{ID: "2-user", Content: "No, we sell bread and rolls.", User: true},
}

func TestCheckEvidence(t *testing.T) {
	t.Parallel()

	assent := &Proposal{Message: "1-assistant", Value: json.RawMessage(`"cake"`)}
	for _, tt := range []struct {
		name     string
		in, want Evidence
	}{
		{"found in the latest message", Evidence{Kind: Stated, Quote: "We sell bread"},
			Evidence{Kind: Stated, Message: "2-user", Span: &Span{4, 17}, Quote: "we sell bread"}},
		{"found in the message it names", Evidence{Kind: Stated, Message: "1-user", Quote: "we sell bread"},
			Evidence{Kind: Stated, Message: "1-user", Span: &Span{0, 13}, Quote: "We sell bread"}},
		{"a wrong span is put right", Evidence{Kind: Stated, Quote: "rolls", Span: &Span{0, 2}},
			Evidence{Kind: Stated, Message: "2-user", Span: &Span{22, 27}, Quote: "rolls"}},
		{"assent", Evidence{Kind: Accepted, Quote: "no", Proposal: assent},
			Evidence{Kind: Accepted, Message: "2-user", Span: &Span{0, 2}, Quote: "No", Proposal: assent}},
		{"our own words are nobody's statement", Evidence{Kind: Stated, Quote: "cake"},
			Evidence{Kind: Stated, Quote: "cake", Flag: FlagQuoteNotFound, Grade: &Grade{Kind: Stated, Unfound: true}}},
		{"not in the message it names", Evidence{Kind: Stated, Message: "1-user", Quote: "rolls", Span: &Span{22, 27}, Grade: &Grade{Kind: Stated, Hedged: true}},
			Evidence{Kind: Stated, Message: "1-user", Quote: "rolls", Flag: FlagQuoteNotFound, Grade: &Grade{Kind: Stated, Hedged: true, Unfound: true}}},
		{"no quote", Evidence{Kind: Stated}, Evidence{Kind: Stated, Flag: FlagQuoteNotFound, Grade: &Grade{Kind: Stated, Unfound: true}}},
		{"a document quotes nobody", Evidence{Kind: Document, Quote: "cake", Source: "menu"}, Evidence{Kind: Document, Quote: "cake", Source: "menu"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			if diff := cmp.Diff(tt.want, Check(tt.in, transcript)); diff != "" {
				t.Errorf("Check() (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSound(t *testing.T) {
	t.Parallel()

	span := &Span{0, 2}
	for _, tt := range []struct {
		name string
		in   Evidence
		want bool
	}{
		{"a statement with its place", Evidence{Kind: Stated, Span: span}, true},
		{"a statement without", Evidence{Kind: Stated}, false},
		{"a statement that is flagged", Evidence{Kind: Stated, Span: span, Flag: FlagQuoteNotFound}, false},
		{"assent to a proposal", Evidence{Kind: Accepted, Span: span, Proposal: &Proposal{}}, true},
		{"assent to nothing", Evidence{Kind: Accepted, Span: span}, false},
		{"a widget", Evidence{Kind: WidgetInput}, true},
		{"a reviewer", Evidence{Kind: Reviewer}, true},
		{"a conclusion", Evidence{Kind: InferredEvidence, Premises: []string{"a"}}, true},
		{"a conclusion from nothing", Evidence{Kind: InferredEvidence}, false},
		{"a document", Evidence{Kind: Document, Source: "menu", Quote: "bread"}, true},
		{"a document nobody can find", Evidence{Kind: Document, Quote: "bread"}, false},
		{"research without a claim", Evidence{Kind: ResearchEvidence, Source: "menu"}, false},
		{"no kind", Evidence{}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			if got := tt.in.Sound(); got != tt.want {
				t.Errorf("Sound() = %v, want %v", got, tt.want)
			}
		})
	}
}

// TestInventedQuoteNeverSatisfies gives words that nobody said to the laxest
// condition, again and again.
func TestInventedQuoteNeverSatisfies(t *testing.T) {
	t.Parallel()

	list := Fresh([]Template{with(sound("a"), func(t *Template) { t.SatisfiedWhen = "confidence >= 0.1" })}, Origin{})
	sure := Confidence(100)
	for turn, quote := range []string{"cake", "pies", "tarts", "cakes and pies"} {
		e := Check(Evidence{Kind: Stated, Quote: quote}, transcript)
		list = Merge(list, Apply(list, []Finding{{Key: "a", Act: Tell, Value: json.RawMessage(`"cake"`), Evidence: e, Grade: Grade{Model: &sure}}}, turn+1))

		if o := list[0]; o.Status == Satisfied || o.Confidence > 40 || o.Evidence[0].Flag != FlagQuoteNotFound {
			t.Errorf("turn %d: %s at %s on %+v", turn+1, o.Status, o.Confidence, o.Evidence)
		}
	}
}

func FuzzLocate(f *testing.F) {
	f.Add("We  sell “bread”.", `we sell "bread"`)
	f.Add("👩‍🌾 farm", "farm")
	f.Add("İ", "i")
	f.Add("a\u00a0b", "a b")

	f.Fuzz(func(t *testing.T, content, quote string) {
		span, found, ok := Locate(content, quote)
		if !ok || !utf8.ValidString(content) || !utf8.ValidString(quote) {
			return
		}
		if got, in := span.Slice(content); !in || got != found {
			t.Errorf("Locate(%q, %q) = %v, %q, but the slice is %q, %v", content, quote, span, found, got, in)
		}
		if !SameValue(mustJSON(found), mustJSON(strings.TrimSpace(quote))) {
			t.Errorf("Locate(%q, %q) found %q", content, quote, found)
		}
	})
}

func mustJSON(v any) json.RawMessage {
	out, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return out
}
