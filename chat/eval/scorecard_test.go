package eval

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// cards are two scorecards of the same people, the second one better, with one
// person more.
func cards() (a, b Scorecard) {
	results := []Result{
		{Context: "idea_discovery", Persona: "nurse", Kind: Terse, Interviewer: "rules", Stop: "completed", Turns: 19, Budget: 60, InBudget: true, Gold: 20, Held: 20, Accuracy: 0.98, CoverageAt5: 0.2, CoverageAt10: 0.45, CategoryChanges: 6,
			Outcomes: []Outcome{{0.92, true}, {0.92, true}, {0.65, false}}},
		{Context: "business_profile", Persona: "florist", Kind: ChangingMind, Interviewer: "rules", Stop: "handed_over", Turns: 31, Budget: 60, InBudget: true, Gold: 3, Held: 2, Accuracy: 0.5,
			Values:   []Value{{Key: "team", Held: json.RawMessage(`4`), Gold: json.RawMessage(`4`), Score: 1}, {Key: "budget", Held: json.RawMessage(`7`), Gold: json.RawMessage(`9`)}},
			Coverage: 2.0 / 3, CoverageAt5: 1.0 / 3, CoverageAt10: 2.0 / 3, CategoryChanges: 9,
			FalseFills:     []Breach{{Turn: 4, Key: "goal", What: fillChitChat, Said: "Rain | again\nand again", Got: json.RawMessage(`"Rain"`)}},
			Reasks:         []Breach{{Turn: 9, Key: "team", What: "asked (ask) though satisfied: How many?"}},
			Corrections:    []CorrectionResult{{Turn: 6, Key: "team", Revisions: 1, Honoured: true, Said: "No, 4."}, {Turn: 8, Key: "budget", Revisions: 2, Said: "Make it 9."}},
			Contradictions: []ContradictionResult{{Turn: 11, Key: "team", Noticed: true}},
			Outcomes:       []Outcome{{0.97, false}}},
	}
	a = NewScorecard("before", "rules", results)
	better := slices.Clone(results)
	better[1].Reasks, better[1].Turns, better[1].Stop, better[1].Accuracy = nil, 27, "completed", 0.75
	better = append(better, Result{Context: "idea_discovery", Persona: "actor", Kind: Rambling, Interviewer: "rules", Turns: 60, Budget: 60, Gold: 4})
	return a, NewScorecard("after", "rules", better)
}

func TestGolden(t *testing.T) {
	t.Parallel()

	a, b := cards()
	for _, c := range []struct {
		file  string
		write func(io.Writer) error
	}{
		{"scorecard.json", a.JSON},
		{"scorecard.md", a.Markdown},
		{"compare.md", func(w io.Writer) error { return Compare(w, &a, &b) }},
		{"calibration.md", a.Calibration.Markdown},
	} {
		var got bytes.Buffer
		if err := c.write(&got); err != nil {
			t.Fatal(err)
		}
		golden(t, c.file, got.Bytes())
	}
}

func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", file)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs (run with -update to accept):\n%s", file, diff)
	}
}

func TestScorecardIsTheSameInAnyOrder(t *testing.T) {
	t.Parallel()

	_, b := cards()
	shuffled := slices.Clone(b.Runs)
	slices.Reverse(shuffled)
	again := NewScorecard("after", "rules", shuffled)
	var x, y bytes.Buffer
	if err := b.JSON(&x); err != nil {
		t.Fatal(err)
	}
	if err := again.JSON(&y); err != nil {
		t.Fatal(err)
	}

	if diff := cmp.Diff(x.String(), y.String()); diff != "" {
		t.Error(diff)
	}
}

func TestReadScorecard(t *testing.T) {
	t.Parallel()

	a, _ := cards()
	var b bytes.Buffer
	if err := a.JSON(&b); err != nil {
		t.Fatal(err)
	}
	back, err := ReadScorecard(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(a.Total, back.Total); diff != "" || len(back.Runs) != len(a.Runs) {
		t.Errorf("read back: %d runs, %s", len(back.Runs), diff)
	}

	for _, broken := range []string{``, `[]`, `{"schema":"quaestor-eval/0"}`, strings.Replace(b.String(), `"label"`, `"labels"`, 1)} {
		if _, err := ReadScorecard([]byte(broken)); err == nil {
			t.Errorf("%.40q is read", broken)
		}
	}
}

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestWritersTellOfAFullDisk(t *testing.T) {
	t.Parallel()

	a, b := cards()
	for name, err := range map[string]error{"JSON": a.JSON(full{}), "Markdown": a.Markdown(full{}), "Compare": Compare(full{}, &a, &b), "Calibration": a.Calibration.Markdown(full{})} {
		if err == nil {
			t.Errorf("%s says nothing", name)
		}
	}
}
