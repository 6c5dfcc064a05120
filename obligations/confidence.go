package obligations

import (
	"fmt"
	"math"
	"strconv"

	"quaestor/internal/language"
)

// Confidence is how sure we are of a value, in hundredths from 0 to 100. In
// JSON and SQL it is the fraction, 0.00 to 1.00.
type Confidence int

// The upper ends of the bands, and the line from which a value satisfies.
const (
	maxLow    Confidence = 40
	maxMedium Confidence = 70
	maxHigh   Confidence = 90
	certain   Confidence = 100

	// DefaultSatisfied is the least confidence that satisfies when a template names no
	// condition: the start of the high band.
	DefaultSatisfied Confidence = 71
)

// Of returns the confidence nearest to f. Values outside 0–1 are clamped, and NaN
// becomes 0.
func Of(f float64) Confidence {
	if math.IsNaN(f) || f <= 0 {
		return 0
	}
	if f >= 1 {
		return certain
	}
	return Confidence(math.Round(f * 100))
}

// Float returns the fraction, 0.00 to 1.00.
func (c Confidence) Float() float64 { return float64(c) / 100 }

// String returns two decimals, such as "0.90".
func (c Confidence) String() string { return strconv.FormatFloat(c.Float(), 'f', 2, 64) }

// MarshalJSON writes the fraction.
func (c Confidence) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, c.Float(), 'f', -1, 64), nil
}

// UnmarshalJSON reads a fraction and refuses what is outside 0–1.
func (c *Confidence) UnmarshalJSON(b []byte) error {
	f, err := strconv.ParseFloat(string(b), 64)
	if err != nil || math.IsNaN(f) || f < 0 || f > 1 {
		return fmt.Errorf("confidence must be 0.00 to 1.00, not %s", language.Short(string(b)))
	}
	*c = Of(f)
	return nil
}

// Band is a range of confidence with a name people understand.
type Band string

// The bands.
const (
	Low      Band = "low"
	Medium   Band = "medium"
	High     Band = "high"
	VeryHigh Band = "very_high"
)

// Band returns the band that c lies in.
func (c Confidence) Band() Band {
	switch {
	case c <= maxLow:
		return Low
	case c <= maxMedium:
		return Medium
	case c <= maxHigh:
		return High
	}
	return VeryHigh
}

// Grade is what a confidence is computed from. It is stored with the evidence so that
// a reviewer can see where the figure comes from.
type Grade struct {
	Kind      EvidenceKind `json:"kind"`
	Hedged    bool         `json:"hedged,omitempty"`    // "maybe", "around", "I think"
	Vague     bool         `json:"vague,omitempty"`     // an answer too general to act on
	Loose     bool         `json:"loose,omitempty"`     // taken from a passing remark, not from an answer to the question
	Unfound   bool         `json:"unfound,omitempty"`   // its quote is not in the transcript
	Disputed  bool         `json:"disputed,omitempty"`  // other evidence contradicts it
	Fit       *Confidence  `json:"fit,omitempty"`       // how well the words fit what was asked, where that is in doubt; it caps
	Agreement int          `json:"agreement,omitempty"` // further pieces of evidence for the same value
	Model     *Confidence  `json:"model,omitempty"`     // the model's own figure; nil without a model
}

// base is the confidence of undoubted evidence of each kind. Agreeing to a proposal
// ranks below an unprompted statement, because people tend to agree (acquiescence bias
// in the survey literature). Research and inference stay below the line of 0.71 until
// a person confirms them.
var base = map[EvidenceKind]Confidence{
	Reviewer:         100,
	WidgetInput:      97,
	Stated:           92,
	Accepted:         82,
	Document:         75,
	ResearchEvidence: 65,
	InferredEvidence: 60,
}

// What each doubt costs and each agreement adds, in hundredths. The costs are chosen so
// that an otherwise undoubted statement (0.92) lands in the band named beside them.
const (
	hedgeCost       = 27 // partial: 0.92 − 0.27 = 0.65
	vagueCost       = 37 // partial, and worth a follow-up: 0.55
	looseCost       = 12 // a passing remark still satisfies: 0.80
	disputeCost     = 30
	agreementGain   = 4
	maxAgreement    = 3
	unfoundCap      = 40 // words that were not said, or do not support the value, stay in the lowest band
	doubtfulCap     = 60 // words that support it weakly never reach 0.71 without a yes
	modelShareTenth = 3  // weight of a lower figure of the model, in tenths
)

// flagged returns g with what a flag of the evidence does to it.
func (g Grade) flagged(flag string) Grade {
	limit := map[string]Confidence{FlagUnsupported: unfoundCap, FlagDoubtful: doubtfulCap}[flag]
	if limit > 0 && (g.Fit == nil || *g.Fit > limit) {
		g.Fit = &limit
	}
	g.Unfound = g.Unfound || flag == FlagQuoteNotFound
	return g
}

// Confidence computes how sure the evidence makes us. It is monotone: a doubt never
// raises it, and an agreement or a higher figure of the model never lowers it. The
// model's figure can lower a value, but never lift it above its evidence.
func (g Grade) Confidence() Confidence {
	c := base[g.Kind]
	for _, doubt := range []struct {
		is   bool
		cost Confidence
	}{{g.Hedged, hedgeCost}, {g.Vague, vagueCost}, {g.Loose, looseCost}, {g.Disputed, disputeCost}} {
		if doubt.is {
			c -= doubt.cost
		}
	}
	if g.Kind != ResearchEvidence && g.Kind != InferredEvidence {
		c += agreementGain * Confidence(min(max(g.Agreement, 0), maxAgreement))
	}
	c = min(max(c, 0), certain)
	if g.Model != nil && *g.Model < c {
		c = (c*(10-modelShareTenth) + *g.Model*modelShareTenth) / 10
	}
	if g.Fit != nil {
		c = min(c, *g.Fit)
	}
	if g.Unfound {
		c = min(c, unfoundCap)
	}
	return c
}
