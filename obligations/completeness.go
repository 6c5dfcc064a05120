package obligations

import (
	"math"
	"slices"
)

// Criteria define when an objective counts as complete.
type Criteria struct {
	MinSatisfied  int        `json:"minObligationsSatisfied"`
	MinConfidence Confidence `json:"minConfidenceScore"`  // mean confidence of the satisfied ones
	Required      []string   `json:"requiredObligations"` // keys that must be satisfied
}

// requiredCap bounds score and progress while a required key is open.
const requiredCap = 0.85

// Completeness tells how far a session has come.
type Completeness struct {
	Score       float64  `json:"score"`    // 0–1, quality: what is known, weighted by how surely
	Progress    float64  `json:"progress"` // 0–1, coverage: what is resolved; phases follow it
	Met         bool     `json:"met"`      // the criteria hold
	Satisfied   int      `json:"satisfied"`
	Partial     int      `json:"partial"`
	Skipped     int      `json:"skipped"`
	Total       int      `json:"total"`
	OpenKeys    []string `json:"open,omitempty"` // keys neither satisfied nor skipped, in order
	MissingKeys []string `json:"missingRequired,omitempty"`

	Categories []CategoryScore `json:"categories,omitempty"` // in the order of the obligations; none where none has a category
}

// CategoryScore is how far one category is.
type CategoryScore struct {
	Name      string  `json:"name"`
	Satisfied int     `json:"satisfied"`
	Skipped   int     `json:"skipped"`
	Total     int     `json:"total"`
	Progress  float64 `json:"progress"` // 0–1, as in [Completeness], of this category alone
}

// Score computes how far list is. An empty list scores 0 and meets nothing.
//
//	score    = Σ(satisfied: c·p; partial: ½·c·p) ÷ Σp, skipped ones left out of both
//	progress = Σ(satisfied or skipped: p; partial: ½·p) ÷ Σp
//
// with p the priority and c the confidence; both are at most 0.85 while a required
// key is open. A required key skipped as not applicable counts as resolved. One the
// person declined is not satisfied, but it does not hold up the phases.
func (c Criteria) Score(list []Obligation) Completeness {
	out := Completeness{Total: len(list)}
	var weight, known, all, resolved, surety float64
	for i := range list {
		o := &list[i]
		p := float64(o.Priority)
		all += p
		if o.Status != Skipped {
			weight += p
		}
		switch o.Status {
		case Satisfied:
			out.Satisfied++
			known += p * o.Confidence.Float()
			surety += o.Confidence.Float()
			resolved += p
		case Partial:
			out.Partial++
			known += p * o.Confidence.Float() / 2
			resolved += p / 2
		case Skipped:
			out.Skipped++
			resolved += p
		}
		if !o.Resolved() {
			out.OpenKeys = append(out.OpenKeys, o.Key)
		}
	}
	out.Score, out.Progress = ratio(known, weight), ratio(resolved, all)
	out.cap(c, list)
	out.Met = c.met(out, list, surety)
	out.Categories = categoryScores(list)
	return out
}

// categoryScores returns how far each category is. Obligations without one belong to none.
func categoryScores(list []Obligation) []CategoryScore {
	var out []CategoryScore
	var all, resolved []float64 // weights, by category
	for i := range list {
		o := &list[i]
		if o.Category == "" {
			continue
		}
		at := slices.IndexFunc(out, func(c CategoryScore) bool { return c.Name == o.Category })
		if at < 0 {
			at = len(out)
			out, all, resolved = append(out, CategoryScore{Name: o.Category}), append(all, 0), append(resolved, 0)
		}
		c, p := &out[at], float64(o.Priority)
		c.Total++
		all[at] += p
		switch o.Status {
		case Satisfied:
			c.Satisfied++
			resolved[at] += p
		case Skipped:
			c.Skipped++
			resolved[at] += p
		case Partial:
			resolved[at] += p / 2
		}
	}
	for i := range out {
		out[i].Progress = ratio(resolved[i], all[i])
	}
	return out
}

func (out *Completeness) cap(c Criteria, list []Obligation) {
	open := false
	for _, key := range c.Required {
		o := Find(list, key)
		if o == nil || o.Status != Satisfied {
			out.MissingKeys = append(out.MissingKeys, key)
		}
		open = open || o == nil || !o.Resolved()
	}
	if len(out.MissingKeys) > 0 {
		out.Score = min(out.Score, requiredCap)
	}
	if open {
		out.Progress = min(out.Progress, requiredCap)
	}
}

// met reports whether the criteria hold. Obligations that do not apply, or to which any
// answer suits, lower the number wanted: nobody can satisfy them.
func (c Criteria) met(got Completeness, list []Obligation, surety float64) bool {
	if got.Satisfied == 0 {
		return false
	}
	pointless := 0
	for i := range list {
		if list[i].Status == Skipped && list[i].SkipReason != Declined {
			pointless++
		}
	}
	for _, key := range got.MissingKeys {
		o := Find(list, key)
		if o == nil || o.Status != Skipped || o.SkipReason == Declined {
			return false
		}
	}
	wanted := min(c.MinSatisfied, got.Total-pointless)
	return got.Satisfied >= wanted && surety/float64(got.Satisfied) >= c.MinConfidence.Float()-1e-9
}

// ratio returns a ÷ b rounded to hundredths, or 0 if b is 0.
func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return math.Round(a/b*100) / 100
}
