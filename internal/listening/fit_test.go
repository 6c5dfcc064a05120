package listening_test

import (
	"os"
	"path/filepath"
	"testing"

	"quaestor/internal/listening"
)

func TestAnswersAreWellFormed(t *testing.T) {
	t.Parallel()

	files, err := filepath.Glob("answers/train-*/*.txt")
	if err != nil || len(files) < 40 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, name := range files {
		body, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		list, err := listening.ParseAnswers(string(body))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, d := range list {
			if len(d.Fields) < 10 || len(d.Talks) < 4 {
				t.Errorf("%s: %q has %d questions and %d people who answer", name, d.Objective, len(d.Fields), len(d.Talks))
			}
		}
	}
}

func TestAnswersThatCannotBeRead(t *testing.T) {
	t.Parallel()

	for body, want := range map[string]string{
		"# A\nQ text | only two":                      "line 2: a question is type | question | label",
		"# A\nQ colour | Which one? | colour\n- red":  `line 2: unknown type "colour"`,
		"# A\nQ text | Why? | reason\n- half [a mark": `line 3: "half [a mark" has not one pair of brackets`,
		"# A\nQ text | Why? | reason\n* because":      "line 3: a line begins with #, Q or -",
	} {
		if _, err := listening.ParseAnswers(body); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", body, err, want)
		}
	}
}

// shop are open questions of a small objective.
func shop() []listening.Field {
	return []listening.Field{
		{Key: "decides", Type: listening.Text, Name: "Decision maker", Question: "Who has the final say?"},
		{Key: "users", Type: listening.List, Name: "Users", Question: "Who will work with it?"},
		{Key: "budget", Type: listening.Amount, Name: "Budget", Question: "How much money is there for it?"},
		{Key: "start", Type: listening.Date, Name: "Start", Question: "When should it be ready?"},
		{Key: "tools", Type: listening.List, Name: "Tools used today", Question: "Which programs and papers do you use today?"},
	}
}

// What fits is told without an encoder, too, by the words of the answers that were learned.
func TestWhatIsSaidFitsItsQuestion(t *testing.T) {
	t.Parallel()

	l, fields := listening.New(nil), shop()
	for said, want := range map[string]string{
		"around 4,000 pounds":                  "budget",
		"by the end of March 2027":             "start",
		"a spreadsheet and a paper diary":      "tools",
		"our chairman has the final say":       "decides",
		"the nurses, volunteers and reception": "users",
	} {
		h, err := l.Hear(t.Context(), listening.Text, fields[0].Question, said)
		if err != nil {
			t.Fatal(err)
		}
		best := 0
		odds := l.Fits(t.Context(), &h, 0, len(said), fields)
		for i := range odds {
			if odds[i] > odds[best] {
				best = i
			}
		}
		if fields[best].Key != want {
			t.Errorf("%q fits %s, want %s: %.1f", said, fields[best].Key, want, odds)
		}
	}
}

func TestHowWellWordsFitIsALikelihood(t *testing.T) {
	t.Parallel()

	l, fields := listening.New(nil), shop()
	h, err := l.Hear(t.Context(), listening.Text, fields[0].Question, "about 4,000 pounds")
	if err != nil {
		t.Fatal(err)
	}
	fit := l.FitOf(t.Context(), &h, 0, len(h.Text), 0, 0.85, fields)
	if fit.Asked < 0 || fit.Asked+fit.Sure > 1.000001 || fields[fit.Other].Key != "budget" {
		t.Errorf("it fits %+v", fit)
	}
	sure := l.FitOf(t.Context(), &h, 0, len(h.Text), 0, 0.999, fields)
	if sure.Asked <= fit.Asked {
		t.Errorf("what is believed does not count: %v after %v", sure.Asked, fit.Asked)
	}
	if one := l.FitOf(t.Context(), &h, 0, len(h.Text), 0, 0.85, fields[:1]); one.Asked != 1 || one.Other != -1 {
		t.Errorf("of one question it is %+v", one)
	}
	if none := l.Fits(t.Context(), &listening.Heard{}, 0, 0, fields); len(none) != len(fields) {
		t.Errorf("of nothing it is %v", none)
	}
}

func BenchmarkFits(b *testing.B) {
	l, fields := listening.New(nil), shop()
	for len(fields) < 20 {
		fields = append(fields, fields[len(fields)%5])
	}
	h, err := l.Hear(b.Context(), listening.Text, fields[0].Question, "a spreadsheet and a paper diary that lies at the front desk")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		l.Fits(b.Context(), &h, 0, len(h.Text), fields)
	}
}
