package eval

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
)

// Schema is the version of the scorecard's JSON. It changes when a field is removed or
// changes its meaning.
const Schema = "quaestor-eval/1"

// Scorecard is the measurement of a set of interviews. The same results give the same
// bytes.
type Scorecard struct {
	Schema      string      `json:"schema"`
	Label       string      `json:"label,omitempty"`
	Interviewer string      `json:"interviewer"`
	Total       Total       `json:"total"`
	Contexts    []Total     `json:"contexts"` // by context type
	Kinds       []Total     `json:"kinds"`    // by kind of persona
	Calibration Calibration `json:"calibration"`
	Runs        []Result    `json:"runs"` // by context type, then persona
}

// Total sums up several interviews. Accuracy is the mean over all values that are held,
// coverage the share of gold values that are held.
type Total struct {
	Name           string  `json:"name"` // empty for the whole
	Runs           int     `json:"runs"`
	Completed      int     `json:"completed"`
	InBudget       int     `json:"inBudget"`
	Stray          int     `json:"strayStops"`
	Turns          float64 `json:"turns"`          // mean
	TurnsCompleted float64 `json:"turnsCompleted"` // mean of the completed ones; 0 when none is
	Accuracy       float64 `json:"accuracy"`
	Coverage       float64 `json:"coverage"`
	CoverageAt5    float64 `json:"coverageAt5"`     // mean
	CoverageAt10   float64 `json:"coverageAt10"`    // mean
	Changes        float64 `json:"categoryChanges"` // mean
	FalseFills     int     `json:"falseFills"`
	Reasks         int     `json:"reasks"`
	Dependencies   int     `json:"dependencyViolations"`
	Unfounded      int     `json:"unfoundedValues"`
	Replay         int     `json:"replayDifferences"`
	Corrections    int     `json:"corrections"`
	Honoured       int     `json:"correctionsHonoured"`
	Contradictions int     `json:"contradictions"`
	Noticed        int     `json:"contradictionsNoticed"`
	Degraded       int     `json:"degradedTurns"`
}

// NewScorecard sums up results.
func NewScorecard(label, interviewer string, results []Result) Scorecard {
	runs := ordered(results)
	c := Scorecard{Schema: Schema, Label: label, Interviewer: interviewer, Runs: runs, Total: total("", runs)}
	var contexts []string
	var outcomes []Outcome
	for i := range runs {
		contexts = append(contexts, runs[i].Context)
		outcomes = append(outcomes, runs[i].Outcomes...)
	}
	for _, name := range slices.Compact(contexts) {
		c.Contexts = append(c.Contexts, total(name, chosen(runs, func(r *Result) bool { return r.Context == name })))
	}
	for _, k := range kinds {
		if of := chosen(runs, func(r *Result) bool { return r.Kind == k }); len(of) > 0 {
			c.Kinds = append(c.Kinds, total(string(k), of))
		}
	}
	c.Calibration = Calibrate(outcomes)
	c.round()
	return c
}

// chosen returns the results that are wanted.
func chosen(list []Result, want func(*Result) bool) []Result {
	return slices.DeleteFunc(slices.Clone(list), func(r Result) bool { return !want(&r) })
}

// total sums up results. Accuracy is weighted by the number of values that each held.
func total(name string, list []Result) Total {
	t := Total{Name: name, Runs: len(list)}
	var gold, held, score float64
	for i := range list {
		r := &list[i]
		t.add(r)
		gold, held = gold+float64(r.Gold), held+float64(r.Held)
		score += r.Accuracy * float64(r.Held)
	}
	n := float64(t.Runs)
	t.Turns, t.TurnsCompleted = ratio(t.Turns, n), ratio(t.TurnsCompleted, float64(t.Completed))
	t.CoverageAt5, t.CoverageAt10, t.Changes = ratio(t.CoverageAt5, n), ratio(t.CoverageAt10, n), ratio(t.Changes, n)
	t.Accuracy, t.Coverage = ratio(score, held), ratio(held, gold)
	return t
}

// add adds r. Means are still sums.
func (t *Total) add(r *Result) {
	t.Turns += float64(r.Turns)
	t.CoverageAt5, t.CoverageAt10, t.Changes = t.CoverageAt5+r.CoverageAt5, t.CoverageAt10+r.CoverageAt10, t.Changes+float64(r.CategoryChanges)
	if r.Stop == "completed" {
		t.Completed++
		t.TurnsCompleted += float64(r.Turns)
	}
	if r.InBudget {
		t.InBudget++
	}
	if r.Stray {
		t.Stray++
	}
	t.FalseFills += len(r.FalseFills)
	t.Reasks += len(r.Reasks)
	t.Dependencies += len(r.Dependencies)
	t.Unfounded += len(r.Unfounded)
	t.Replay += len(r.Replay)
	t.Corrections += len(r.Corrections)
	t.Contradictions += len(r.Contradictions)
	t.Degraded += r.Degraded
	for _, c := range r.Corrections {
		if c.Honoured {
			t.Honoured++
		}
	}
	for _, c := range r.Contradictions {
		if c.Noticed {
			t.Noticed++
		}
	}
}

// ratio returns a ÷ b, and 0 when b is 0.
func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// round rounds every fraction to four decimals, so that scorecards can be compared by eye
// and by diff.
func (c *Scorecard) round() {
	round(&c.Calibration.Brier, &c.Calibration.ECE)
	for i := range c.Calibration.Bins {
		round(&c.Calibration.Bins[i].Confidence, &c.Calibration.Bins[i].Accuracy)
	}
	for _, list := range [][]Total{c.Contexts, c.Kinds} {
		for i := range list {
			list[i].round()
		}
	}
	c.Total.round()
	for i := range c.Runs {
		round(&c.Runs[i].Accuracy, &c.Runs[i].Coverage, &c.Runs[i].CoverageAt5, &c.Runs[i].CoverageAt10)
		c.Runs[i].Values = slices.Clone(c.Runs[i].Values)
		for j := range c.Runs[i].Values {
			round(&c.Runs[i].Values[j].Score)
		}
	}
}

// round rounds the means.
func (t *Total) round() {
	round(&t.Turns, &t.TurnsCompleted, &t.Accuracy, &t.Coverage, &t.CoverageAt5, &t.CoverageAt10, &t.Changes)
}

// round rounds to four decimals.
func round(list ...*float64) {
	for _, f := range list {
		*f = math.Round(*f*1e4) / 1e4
	}
}

// JSON writes the scorecard as indented JSON with a line end.
func (c *Scorecard) JSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(c)
}

// ReadScorecard reads what [Scorecard.JSON] wrote. Another schema is refused.
func ReadScorecard(data []byte) (Scorecard, error) {
	var head struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return Scorecard{}, fmt.Errorf("read scorecard: %w", err)
	}
	if head.Schema != Schema {
		return Scorecard{}, fmt.Errorf("read scorecard: schema must be %s, not %q", Schema, head.Schema)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var c Scorecard
	if err := d.Decode(&c); err != nil {
		return Scorecard{}, fmt.Errorf("read scorecard: %w", err)
	}
	return c, nil
}
