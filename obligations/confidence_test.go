package obligations

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestBandAtEveryHundredth(t *testing.T) {
	t.Parallel()

	for c := Confidence(0); c <= 100; c++ {
		want := VeryHigh
		switch {
		case c <= 40:
			want = Low
		case c <= 70:
			want = Medium
		case c <= 90:
			want = High
		}

		if got := c.Band(); got != want {
			t.Errorf("Confidence(%d).Band() = %q, want %q", c, got, want)
		}
	}
}

func TestOf(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name string
		in   float64
		want Confidence
	}{
		{"nothing", 0, 0},
		{"all", 1, 100},
		{"below", -0.3, 0},
		{"above", 7, 100},
		{"not a number", math.NaN(), 0},
		{"without end", math.Inf(1), 100},
		{"without beginning", math.Inf(-1), 0},
		{"a float that is a hair short", 0.29, 29},
		{"nearest below", 0.7049, 70},
		{"nearest above", 0.7051, 71},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			if got := Of(tt.in); got != tt.want {
				t.Errorf("Of(%v) = %d, want %d", tt.in, got, tt.want)
			}
		})
	}
}

func TestConfidenceText(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name         string
		in           Confidence
		text, inJSON string
	}{
		{"none", 0, "0.00", "0"},
		{"one hundredth", 1, "0.01", "0.01"},
		{"a tenth", 90, "0.90", "0.9"},
		{"certain", 100, "1.00", "1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			got, err := json.Marshal(tt.in)

			if err != nil || string(got) != tt.inJSON {
				t.Errorf("Marshal(%d) = %s, %v, want %s", tt.in, got, err, tt.inJSON)
			}
			if got := tt.in.String(); got != tt.text {
				t.Errorf("Confidence(%d).String() = %q, want %q", tt.in, got, tt.text)
			}
		})
	}
}

func TestConfidenceSurvivesJSON(t *testing.T) {
	t.Parallel()

	for c := Confidence(0); c <= 100; c++ {
		var got Confidence
		b, err := json.Marshal(c)
		if err != nil {
			t.Fatalf("Marshal(%d): %v", c, err)
		}

		if err := json.Unmarshal(b, &got); err != nil || got != c {
			t.Errorf("Unmarshal(%s) = %d, %v, want %d", b, got, err, c)
		}
	}
}

func TestConfidenceRefusesJSON(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct{ name, in string }{
		{"above", "1.01"},
		{"below", "-0.01"},
		{"a percentage", "71"},
		{"a text", `"0.7"`},
		{"null", "null"},
		{"a list", "[0.5]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			var got Confidence
			err := got.UnmarshalJSON([]byte(tt.in))

			if err == nil || !strings.Contains(err.Error(), "0.00 to 1.00") {
				t.Errorf("UnmarshalJSON(%s) = %d, %v, want an error that names the range", tt.in, got, err)
			}
		})
	}
}

func TestGradeConfidence(t *testing.T) {
	t.Parallel()

	half, sure := Confidence(50), Confidence(100)
	for _, tt := range []struct {
		name string
		in   Grade
		want Confidence
	}{
		{"stated", Grade{Kind: Stated}, 92},
		{"assent ranks below a statement", Grade{Kind: Accepted}, 82},
		{"a hedge makes it partial", Grade{Kind: Stated, Hedged: true}, 65},
		{"vague", Grade{Kind: Stated, Vague: true}, 55},
		{"in passing", Grade{Kind: Stated, Loose: true}, 80},
		{"disputed", Grade{Kind: Stated, Disputed: true}, 62},
		{"all doubts at once end at nothing", Grade{Kind: InferredEvidence, Hedged: true, Vague: true, Loose: true, Disputed: true}, 0},
		{"a quote nobody said", Grade{Kind: Stated, Unfound: true}, 40},
		{"agreement", Grade{Kind: Accepted, Agreement: 2}, 90},
		{"agreement has an end", Grade{Kind: Accepted, Agreement: 50}, 94},
		{"research does not gain by agreement", Grade{Kind: ResearchEvidence, Agreement: 9}, 65},
		{"a doubtful model lowers", Grade{Kind: Stated, Model: &half}, 79},
		{"a sure model never lifts", Grade{Kind: InferredEvidence, Model: &sure}, 60},
		{"a reviewer is certain", Grade{Kind: Reviewer}, 100},
		{"no kind", Grade{}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			if got := tt.in.Confidence(); got != tt.want {
				t.Errorf("%+v.Confidence() = %d, want %d", tt.in, got, tt.want)
			}
		})
	}
}

// anyKind draws a kind of evidence.
func anyKind() *rapid.Generator[EvidenceKind] {
	return rapid.SampledFrom([]EvidenceKind{Stated, Accepted, InferredEvidence, Document, ResearchEvidence, WidgetInput, Reviewer})
}

func anyGrade(t *rapid.T) Grade {
	flag := rapid.Bool()
	g := Grade{
		Kind: anyKind().Draw(t, "kind"), Hedged: flag.Draw(t, "hedged"), Vague: flag.Draw(t, "vague"), Loose: flag.Draw(t, "loose"),
		Unfound: flag.Draw(t, "unfound"), Disputed: flag.Draw(t, "disputed"), Agreement: rapid.IntRange(-1, 6).Draw(t, "agreement"),
	}
	if flag.Draw(t, "has model") {
		c := Confidence(rapid.IntRange(0, 100).Draw(t, "model"))
		g.Model = &c
	}
	return g
}

func TestGradeIsMonotone(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		g := anyGrade(t)
		c := g.Confidence()
		if c < 0 || c > 100 || (g.Unfound && c > 40) {
			t.Fatalf("%+v.Confidence() = %d, out of bounds", g, c)
		}

		for name, doubt := range map[string]func(*Grade){
			"hedged": func(g *Grade) { g.Hedged = true }, "vague": func(g *Grade) { g.Vague = true },
			"loose": func(g *Grade) { g.Loose = true }, "unfound": func(g *Grade) { g.Unfound = true },
			"disputed": func(g *Grade) { g.Disputed = true },
		} {
			worse := g
			doubt(&worse)
			if got := worse.Confidence(); got > c {
				t.Fatalf("%s lifts %+v from %d to %d", name, g, c, got)
			}
		}
		better := g
		better.Agreement++
		if got := better.Confidence(); got < c {
			t.Fatalf("agreement lowers %+v from %d to %d", g, c, got)
		}
		if g.Model != nil && *g.Model < 100 {
			surer := *g.Model + 1
			better = g
			better.Model = &surer
			if got := better.Confidence(); got < c {
				t.Fatalf("a surer model lowers %+v from %d to %d", g, c, got)
			}
		}
	})
}

func FuzzConfidence(f *testing.F) {
	for _, seed := range []string{"0", "0.71", "1", "1.0000001", "1e-3", "NaN", "0x1p-2", "null", " 0.5", "-0", "+1", "1_0"} {
		f.Add([]byte(seed))
	}

	f.Fuzz(func(t *testing.T, in []byte) {
		var c Confidence
		if json.Unmarshal(in, &c) != nil {
			return
		}
		out, err := json.Marshal(c)
		var again Confidence
		if err != nil || json.Unmarshal(out, &again) != nil || again != c || c < 0 || c > 100 {
			t.Errorf("%q reads as %d, is written as %s (%v) and reads again as %d", in, c, out, err, again)
		}
	})
}
