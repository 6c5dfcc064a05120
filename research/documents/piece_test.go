package documents_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"quaestor/research/documents"
)

// said returns pieces as heading and text.
func said(text, mediaType string) []string {
	var out []string
	for _, p := range documents.Pieces(text, mediaType) {
		out = append(out, p.Heading+": "+text[p.Start:p.End])
	}
	return out
}

func TestPieces(t *testing.T) {
	t.Parallel()

	sentence := "Bread " + strings.TrimSpace(strings.Repeat("bread ", 15)) + ". " // 97 characters
	paragraph := strings.TrimSpace(strings.Repeat(sentence, 4))
	row := "| bread | " + strings.Repeat("x", 385) + " |\n"
	for _, tt := range []struct {
		name, in, kind string
		want           []string
	}{
		{"nothing", " \n\n\t", "text/plain", nil},
		{"a sentence", "  Bread.\n", "text/plain", []string{": Bread."}},
		{"headings", "Before.\n\n# Prices\nA loaf costs 3 EUR.\n\n## Rolls ##\n\nA roll costs 1 EUR.\n# People\nWe are 4.", "text/markdown",
			[]string{": Before.", "Prices: # Prices\nA loaf costs 3 EUR.", "Prices > Rolls: ## Rolls ##\n\nA roll costs 1 EUR.", "People: # People\nWe are 4."}},
		{"headings without text stay with what follows", "# A\n## B\n\n### C\nText.\n# D", "text/markdown", []string{"A > B > C: # A\n## B\n\n### C\nText.", "D: # D"}},
		{"code is no heading", "# A\n```\n# not one\n```\nText.", "text/markdown", []string{"A: # A\n```\n# not one\n```\nText."}},
		{"paragraphs", paragraph + "\n\n" + paragraph + "\n\n" + paragraph, "text/plain", []string{": " + paragraph + "\n\n" + paragraph, ": " + paragraph}},
		{"sentences of one paragraph", strings.TrimSpace(strings.Repeat(sentence, 12)), "text/plain",
			[]string{": " + strings.TrimSpace(strings.Repeat(sentence, 10)), ": " + strings.TrimSpace(strings.Repeat(sentence, 2))}},
		{"a long word", strings.Repeat("ж", 2500), "text/plain", []string{": " + strings.Repeat("ж", 1000), ": " + strings.Repeat("ж", 1000), ": " + strings.Repeat("ж", 500)}},
		{"rows of a table", row + row + row, "text/markdown", []string{": " + strings.TrimSpace(row+row), ": " + strings.TrimSpace(row)}},
		{"a long row", "name, note\n" + strings.Repeat("bread, ", 300) + "\nend, x", "text/csv",
			[]string{": name, note", ": " + strings.TrimSpace(strings.Repeat("bread, ", 300)), ": end, x"}},
	} {
		if diff := cmp.Diff(tt.want, said(tt.in, tt.kind)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestSentencesEndWhereTheyDo(t *testing.T) {
	t.Parallel()

	pad := strings.Repeat("a", 950) + ". "
	for _, tt := range []struct{ in, first string }{
		{"It costs 3.50 EUR, i.e. less than before. Then it rained for a day.", "It costs 3.50 EUR, i.e. less than before."},
		{`He said "no." Then all of them went home again and slept.`, `He said "no."`},
		{"一二三四五。六七八九十。" + strings.Repeat("百", 45), "一二三四五。六七八九十。"},
		{"Is it? Yes! B" + strings.Repeat("b", 60), "Is it? Yes!"},
		{"One\n- item\n- " + strings.Repeat("c", 60), "One\n- item"},
	} {
		text := pad + tt.in
		got := documents.Pieces(text, "text/plain")
		if want := strings.TrimSpace(pad + tt.first); len(got) == 0 || text[got[0].Start:got[0].End] != want {
			t.Errorf("%q: the first piece ends with %q, want %q", tt.in, text[got[0].Start:got[0].End][940:], want[940:])
		}
	}
}

// check holds whatever the text.
func check(text, mediaType string) error {
	at := 0
	for i, p := range documents.Pieces(text, mediaType) {
		if p.Start < at || p.End <= p.Start || p.End > len(text) {
			return fmt.Errorf("piece %d is %+v after %d", i, p, at)
		}
		in := text[p.Start:p.End]
		if strings.TrimSpace(text[at:p.Start]) != "" || strings.TrimSpace(in) != in {
			return fmt.Errorf("piece %d leaves out %q or has space around %q", i, text[at:p.Start], in)
		}
		if !utf8.ValidString(in) || utf8.RuneCountInString(p.Heading) > 200 {
			return fmt.Errorf("piece %d is cut in a character, or its heading is %q", i, p.Heading)
		}
		most := 1000
		if mediaType == "text/csv" || strings.HasPrefix(in, "|") {
			most = 10_000
		}
		if n := utf8.RuneCountInString(in); n > most {
			return fmt.Errorf("piece %d has %d characters", i, n)
		}
		at = p.End
	}
	if strings.TrimSpace(text[at:]) != "" {
		return fmt.Errorf("the pieces leave out %q", text[at:])
	}
	return nil
}

func TestPiecesCoverTheText(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.SampledFrom([]string{"# Heading\n", "###### Deep\n", "A sentence. ", "Is it? ", "\n\n", "| a | b |\n", "- item\n", "```\n", "ж", "word ",
			"\u3000", "\r\n", strings.Repeat("long", 300), strings.Repeat("many words ", 120), strings.Repeat("a, b, ", 2500), "。", "\u00a0", "#\n"}), 0, 40).Draw(t, "parts")
		kind := rapid.SampledFrom([]string{"text/plain", "text/markdown", "text/csv"}).Draw(t, "kind")
		if err := check(strings.Join(parts, ""), kind); err != nil {
			t.Fatal(err)
		}
	})
}

// A piece in the middle of a section is long enough, or what follows did not fit.
func TestPiecesAreFilled(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		for _, n := range rapid.SliceOfN(rapid.IntRange(1, 60), 1, 200).Draw(t, "sentences") {
			b.WriteString(strings.TrimSpace("W" + strings.Repeat("ord ", n)))
			b.WriteString(rapid.SampledFrom([]string{". ", ".\n\n"}).Draw(t, "end"))
		}
		text := b.String()
		pieces := documents.Pieces(text, "text/plain")
		for i, p := range pieces[:len(pieces)-1] {
			if n := utf8.RuneCountInString(text[p.Start:p.End]); n < 600 || n > 1000 {
				t.Fatalf("piece %d of %d has %d characters", i, len(pieces), n)
			}
			if text[p.End-1] != '.' {
				t.Fatalf("piece %d ends in %q", i, text[p.End-10:p.End])
			}
		}
	})
}

// Rows of a table are whole in one piece.
func TestRowsAreNotCut(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		var rows []string
		for i, n := range rapid.SliceOfN(rapid.IntRange(1, 400), 1, 60).Draw(t, "rows") {
			rows = append(rows, fmt.Sprintf("row %03d, A sentence. And more. %s;", i, strings.Repeat("x y. Z ", n)))
		}
		text := strings.Join(rows, "\n")
		pieces := said(text, "text/csv")
		for _, row := range rows {
			whole := 0
			for _, p := range pieces {
				whole += strings.Count(p+"\n", row+"\n")
			}
			if whole != 1 {
				t.Fatalf("row %.20q is in %d pieces", row, whole)
			}
		}
	})
}

func FuzzPieces(f *testing.F) {
	for _, seed := range []string{"", "# A\n\nText. More.", "a,b\n1,2", "| a |\n| b |", "```\n# x", strings.Repeat("x", 3000), "\u2028\n#  \n", "1. a\n2) b"} {
		f.Add(seed, false)
		f.Add(seed, true)
	}
	f.Fuzz(func(t *testing.T, text string, table bool) {
		text = strings.Map(func(r rune) rune {
			if r == unicode.ReplacementChar {
				return -1
			}
			return r
		}, strings.ToValidUTF8(text, ""))
		if err := check(text, map[bool]string{false: "text/plain", true: "text/csv"}[table]); err != nil {
			t.Fatal(err)
		}
	})
}

func ExamplePieces() {
	text := "# Prices\n\nA loaf costs 3 EUR.\n\n## Rolls\n\nA roll costs 1 EUR."
	for _, p := range documents.Pieces(text, "text/markdown") {
		fmt.Printf("%s | %q\n", p.Heading, text[p.Start:p.End])
	}
	// Output:
	// Prices | "# Prices\n\nA loaf costs 3 EUR."
	// Prices > Rolls | "## Rolls\n\nA roll costs 1 EUR."
}
