package eval

import (
	"context"
	"encoding/json"
	"math"
	"slices"

	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions"
)

// Outcome is the confidence of a value when it was first stored, and whether the value
// proved right.
type Outcome struct {
	Confidence float64 `json:"confidence"` // 0 to 1
	Correct    bool    `json:"correct"`
}

// bins is the number of bins of a reliability diagram; ten is customary.
const bins = 10

// Calibration measures how well confidences match what proved right. Without outcomes it is
// zero everywhere.
type Calibration struct {
	Count int     `json:"count"`
	Brier float64 `json:"brier"` // 0 is best, 0.25 what a constant 0.5 gets, 1 worst
	ECE   float64 `json:"ece"`   // expected calibration error, 0 to 1, 0 is best
	Bins  []Bin   `json:"bins"`  // 10, from low to high
}

// Bin sums up the outcomes whose confidence is in [From, To). The last bin includes 1.
type Bin struct {
	From       float64 `json:"from"`
	To         float64 `json:"to"`
	Count      int     `json:"count"`
	Confidence float64 `json:"confidence"` // mean; 0 for an empty bin
	Accuracy   float64 `json:"accuracy"`   // share that proved right; 0 for an empty bin
}

// Calibrate computes the calibration of outcomes. With f the confidences, o the
// outcomes as 0 or 1, N their number and B the bins of n outcomes each:
//
//	Brier = 1/N Σ (f − o)²                          (Brier 1950, Monthly Weather Review 78(1))
//	ECE   = Σ over B of n/N · |accuracy − confidence| (Naeini et al. 2015, AAAI; Guo et al. 2017, ICML)
//
// where accuracy and confidence are the means of o and f in a bin. Confidences outside 0 to
// 1 count as the nearest end.
func Calibrate(outcomes []Outcome) Calibration {
	c := Calibration{Count: len(outcomes), Bins: make([]Bin, bins)}
	right := make([]float64, bins)
	for _, o := range outcomes {
		f, hit := math.Min(math.Max(o.Confidence, 0), 1), 0.0
		if o.Correct {
			hit = 1
		}
		b := binOf(f)
		c.Brier += (f - hit) * (f - hit)
		c.Bins[b].Count++
		c.Bins[b].Confidence += f
		right[b] += hit
	}
	for i := range c.Bins {
		c.close(i, right[i])
	}
	if c.Count > 0 {
		c.Brier /= float64(c.Count)
	}
	return c
}

// binOf returns the bin of a confidence. The small addend keeps hundredths on an edge in
// the upper bin in spite of rounding.
func binOf(f float64) int { return min(int(math.Floor(f*bins+1e-9)), bins-1) }

// close turns the sums of bin i into means and adds its share of the error.
func (c *Calibration) close(i int, right float64) {
	b := &c.Bins[i]
	b.From, b.To = float64(i)/bins, float64(i+1)/bins
	if b.Count == 0 {
		return
	}
	n := float64(b.Count)
	b.Confidence, b.Accuracy = b.Confidence/n, right/n
	c.ECE += n / float64(c.Count) * math.Abs(b.Accuracy-b.Confidence)
}

// Outcomes returns which values of a session proved right according to its audit trail: a
// value that was confirmed did, one that was corrected or rejected did not. Values that
// nobody came back to are left out.
func Outcomes(trail []obligations.Event) []Outcome {
	var out []Outcome
	open := map[string]*proposal{}
	for _, e := range trail {
		set := e.Meta.Set
		p := open[e.Key]
		switch {
		case set.Value == nil && !set.Cleared:
		case set.Cleared:
			out = p.judge(out, false)
			delete(open, e.Key)
		case p == nil || !obligations.SameValue(p.value, set.Value):
			out = p.judge(out, false)
			open[e.Key] = &proposal{value: set.Value, confidence: e.NewConfidence, agreed: assented(set.Evidence)}
		case assented(set.Evidence):
			out = p.judge(out, true)
			p.agreed = true
		}
	}
	return out
}

// proposal is a value that was neither confirmed nor rejected yet.
type proposal struct {
	value      json.RawMessage
	confidence obligations.Confidence
	agreed     bool // it has an outcome already, or was stored by assent
}

// judge adds the outcome of p unless it has one already.
func (p *proposal) judge(out []Outcome, correct bool) []Outcome {
	if p == nil || p.agreed {
		return out
	}
	return append(out, Outcome{Confidence: p.confidence.Float(), Correct: correct})
}

// assented reports whether a person or a reviewer agreed to the value.
func assented(list []obligations.Evidence) bool {
	return slices.ContainsFunc(list, func(e obligations.Evidence) bool {
		return e.Kind == obligations.Accepted || e.Kind == obligations.Reviewer
	})
}

// outcomes compares each value of an interview with gold. A value that the person gave at
// first and took back later counts as right, because that is what they said.
func (m *measurer) outcomes() []Outcome {
	var out []Outcome
	held := map[string]json.RawMessage{}
	for _, e := range m.trail {
		v, t := e.Meta.Set.Value, m.template(e.Key)
		if v == nil || t == nil || obligations.SameValue(held[e.Key], v) {
			continue
		}
		held[e.Key] = v
		right := slices.ContainsFunc(m.persona.sayings(e.Key), func(own json.RawMessage) bool { return score(t.Widget, v, own) >= rightScore })
		out = append(out, Outcome{Confidence: e.NewConfidence.Float(), Correct: right && m.falseFill(e) == ""})
	}
	return out
}

// CalibrationOf computes the calibration of a tenant's sessions of a context type, or of
// all when contextType is empty, from their audit trails.
func CalibrationOf(ctx context.Context, db postgres.DB, tenant, contextType string) (Calibration, error) {
	var all []Outcome
	page := sessions.Filter{Tenant: tenant, ContextType: contextType, Max: 200}
	for {
		found, err := sessions.List(ctx, db, page)
		if err != nil {
			return Calibration{}, err
		}
		for _, s := range found {
			trail, err := auditTrail(ctx, db, s.Scope(), new(int64))
			if err != nil {
				return Calibration{}, err
			}
			all = append(all, Outcomes(trail)...)
		}
		if len(found) < page.Max {
			return Calibrate(all), nil
		}
		last := found[len(found)-1]
		page.BeforeAt, page.BeforeID = last.CreatedAt, last.ID
	}
}
