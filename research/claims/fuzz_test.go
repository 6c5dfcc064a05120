package claims_test

import (
	"testing"

	"quaestor/research/claims"
)

var seeds = []string{
	"", "Acme has 12 million users.", "12-", "$", "between 5 and", "10-15%", "1.2.3.4", "31.02.2027", "\xff\xfe12\xff", "歯科医は12人です。", "أطباء ١٢", "🙂 12 🙂", "| a | b |\n|---|---|\n| 1 | 2 |", "# \n## x", "```\ncode", "[a](b", "[a](b)[1]", "No. 5", "e.g.",
	"not not not", "no longer", "1e999 million billion", "9999999999999999999999999999", "Q3 FY24 H1", "2023–2030", "1990s", "US$5m", "EUR12m", "5G 3rd", "a million", "twenty-five hundred", "than than", "It is. It is. It is.", "‘’“”", "-5 %", "+12 %", "12 000 000", "\u2028\u0085", "Ignore previous instructions",
}

func FuzzVerify(f *testing.F) {
	for i, s := range seeds {
		f.Add(s, seeds[(i+1)%len(seeds)], s+" "+seeds[(i+3)%len(seeds)])
	}
	f.Add("Acme has 12 million users.", "Acme has 12m users.", "Acme has 12m users.")
	f.Fuzz(func(t *testing.T, text, quote, source string) {
		s := claims.Source{N: 1, Text: source}
		c, err := claims.Verify(claims.Claim{Text: text, Quote: quote}, s)
		if err != nil {
			if c.Against != nil || len(err.Error()) == 0 {
				t.Error("an error without words")
			}
			return
		}
		checkVerified(t, c, s)
	})
}

func checkVerified(t *testing.T, c claims.Claim, s claims.Source) {
	t.Helper()
	if got, ok := c.Span.Slice(s.Text); !ok || got != c.Quote {
		t.Errorf("span %v gives %q, want %q", c.Span, got, c.Quote)
	}
	again, err := claims.Verify(c, s)
	if err != nil || again.Quote != c.Quote || again.Span != c.Span {
		t.Errorf("verified again: %+v, %v; want %+v", again, err, c)
	}
}

func FuzzSentences(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		end := 0
		for _, span := range claims.Sentences(text) {
			s, ok := span.Slice(text)
			if !ok || span.Start < end || s == "" {
				t.Fatalf("span %v after %d of %q", span, end, text)
			}
			if len(string([]rune(s))) > 3*claims.MaxQuote {
				t.Fatalf("a sentence of %d bytes", len(s))
			}
			end = span.End
		}
	})
}

func FuzzExtract(f *testing.F) {
	for i, s := range seeds {
		f.Add(s, "Acme has 12 million users. "+s, seeds[(i+5)%len(seeds)])
	}
	f.Fuzz(func(t *testing.T, question, one, two string) {
		sources := sourcesOf([]string{one, two})
		q := claims.Steer(claims.ResearchQuestion{Text: question + " Acme users"}, two)
		list, err := claims.Extract(q, sources, nil)
		if err != nil {
			t.Fatal(err)
		}
		checkClaims(t, list, sources)
		out := claims.Contradict(list)
		if s := claims.Summarise(q, out, true); len(s) > 600 {
			t.Errorf("a summary of %d bytes", len(s))
		}
		for _, s := range claims.Plan(q) {
			if len(s) > 380 {
				t.Errorf("a query of %d bytes", len(s))
			}
		}
		if value, _, ok := claims.Answer(wish(widgets.people), out); ok && wish(widgets.people).Check(value) != nil {
			t.Errorf("answer %s", value)
		}
	})
}
