package eval

import (
	"context"
	"encoding/json"
	"math"

	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions"
)

// Outcome is a value that was proposed: how sure it was then, and whether it
// proved right.
type Outcome struct {
	Confidence float64 `json:"confidence"` // 0 to 1
	Correct    bool    `json:"correct"`
}

// bins is the number of bins confidences are sorted into.
const bins = 10

// Calibration tells how honest confidences are. An empty one has no outcomes and
// zero everywhere.
type Calibration struct {
	Count int     `json:"count"`
	Brier float64 `json:"brier"` // 0 is best, 0.25 what a constant 0.5 gets, 1 worst
	ECE   float64 `json:"ece"`   // expected calibration error, 0 to 1, 0 is best
	Bins  []Bin   `json:"bins"`  // 10, from low to high
}

// Bin is the outcomes whose confidence lies in [From, To), in the last one up to
// and with 1.
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
// with accuracy and confidence the means of o and f in a bin; the bins are the
// points of a reliability diagram. Confidences outside 0 to 1 are brought to the
// nearest end.
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

// binOf returns the bin of a confidence in hundredths; what stands on an edge
// belongs above it.
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

// Outcomes reads from a session's audit trail which values proved right: a value
// that was confirmed counts as right, one that was corrected or rejected as wrong,
// each with the confidence it had when it was first stored. What nobody came back
// to says nothing and is left out.
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

// proposal is a value whose fate is open.
type proposal struct {
	value      json.RawMessage
	confidence obligations.Confidence
	agreed     bool // judged already, or stored by an assent
}

// judge adds p's outcome unless it was judged before.
func (p *proposal) judge(out []Outcome, correct bool) []Outcome {
	if p == nil || p.agreed {
		return out
	}
	return append(out, Outcome{Confidence: p.confidence.Float(), Correct: correct})
}

// assented reports whether a person or a reviewer agreed to the value.
func assented(list []obligations.Evidence) bool {
	for _, e := range list {
		if e.Kind == obligations.Accepted || e.Kind == obligations.Reviewer {
			return true
		}
	}
	return false
}

// outcomes judges each value of an interview by gold, with the confidence it had
// when it was first stored: what the person said at first and took back counts as
// right, for it was what they said.
func (m *meter) outcomes() []Outcome {
	var out []Outcome
	held := map[string]json.RawMessage{}
	for _, e := range m.trail {
		v, t := e.Meta.Set.Value, m.templates[e.Key]
		if v == nil || t == nil || obligations.SameValue(held[e.Key], v) {
			continue
		}
		held[e.Key] = v
		right := false
		for _, own := range m.persona.sayings(e.Key) {
			right = right || score(t.Widget, v, own) >= rightAgain
		}
		out = append(out, Outcome{Confidence: e.NewConfidence.Float(), Correct: right && m.falseFill(e) == ""})
	}
	return out
}

// CalibrationOf computes the calibration of all a tenant's sessions of a context,
// of every context when contextType is empty, from their audit trails.
func CalibrationOf(ctx context.Context, db postgres.DB, tenant, contextType string) (Calibration, error) {
	var all []Outcome
	page := sessions.Page{Tenant: tenant, ContextType: contextType, Max: 200}
	for {
		found, err := sessions.List(ctx, db, page)
		if err != nil {
			return Calibration{}, err
		}
		for _, s := range found {
			trail, err := wholeTrail(ctx, db, s.Scope())
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

// wholeTrail reads a session's audit trail from the start.
func wholeTrail(ctx context.Context, db postgres.DB, s obligations.Scope) ([]obligations.Event, error) {
	var out []obligations.Event
	for after := int64(0); ; {
		page, err := obligations.History(ctx, db, s, obligations.HistoryPage{After: after})
		if err != nil || len(page) == 0 {
			return out, err
		}
		for _, e := range page {
			out = append(out, e.Event)
		}
		after = page[len(page)-1].ID
	}
}
