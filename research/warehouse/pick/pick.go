package pick

import (
	"cmp"
	"slices"
	"strings"

	"quaestor/research/warehouse"
)

// Defaults of the options. The scores are cosine similarities; pick_test.go shows what they let
// through.
const (
	AnalysisAreaTopK                 = 24
	AnalysisAreaMinScore             = 0.30
	ExactMatchFloor                  = 0.55
	AnalysisQueryResultsBudgetTokens = 200_000
)

// Options limit the selection. Zero means the default.
type Options struct {
	TopK            int     // best steps, in addition to those whose text names a keyword
	MinScore        float64 // below which a step is dropped
	ExactMatchFloor float64 // score to which a step that names a keyword is raised
	Budget          int     // tokens of the whole text
}

// orDefault returns o with zeros replaced by the defaults.
func (o Options) orDefault() Options {
	o.TopK = cmp.Or(max(o.TopK, 0), AnalysisAreaTopK)
	o.MinScore = cmp.Or(o.MinScore, AnalysisAreaMinScore)
	o.ExactMatchFloor = cmp.Or(o.ExactMatchFloor, ExactMatchFloor)
	o.Budget = cmp.Or(max(o.Budget, 0), AnalysisQueryResultsBudgetTokens)
	return o
}

// Match is why a step was selected.
type Match string

// The sources.
const (
	Vector     Match = "vector"
	ExactMatch Match = "exact_match" // it was raised because it names a keyword
	Lexical    Match = "lexical"     // there are no vectors; it contains words of the area
)

// DropReason is why a step was dropped.
type DropReason string

// The reasons.
const (
	BelowMinScore DropReason = "below_min_score"
	NotInTopK     DropReason = "not_in_top_k"
	OverBudget    DropReason = "over_budget"
	NearDuplicate DropReason = "near_duplicate" // a better step has the same statement
	ErrorStep     DropReason = "error_step"     // it has no result
)

// SelectedStep is a step that is written.
type SelectedStep struct {
	Step   int     `json:"step"`
	Score  float64 `json:"score"`
	Source Match   `json:"source"`
	Cut    bool    `json:"cut,omitempty"` // its digest was shortened
}

// DroppedStep is a step that is not written.
type DroppedStep struct {
	Step   int        `json:"step"`
	Score  float64    `json:"score"`
	Reason DropReason `json:"reason"`
}

// Selection is the result of a selection. Every candidate is in exactly one of the lists.
type Selection struct {
	Selected []SelectedStep // best first
	Dropped  []DroppedStep  // in the order of the candidates
	Text     string         // a JSON array of the selected steps, for {{QUERY_RESULTS}}
	Tokens   int            // tokens of Text, possibly one or two too many
}

// rankedCandidate is a candidate with its rank.
type rankedCandidate struct {
	*Candidate
	score  float64
	source Match
	sure   bool // its text names a keyword, so that TopK does not apply to it
	weak   bool // only its thinking names a keyword
	cut    bool
	entry  entry
	reason DropReason // why it is dropped; empty if it is not
}

// Pick selects the candidates that are about an area. Their numbers must differ. The text takes
// at most the budget. Candidates are not modified.
func Pick(candidates []Candidate, a warehouse.Area, o Options) Selection {
	o = o.orDefault()
	all := rank(candidates, a, o)
	order := make([]*rankedCandidate, 0, len(all))
	for i := range all {
		if all[i].reason == "" {
			order = append(order, &all[i])
		}
	}
	slices.SortStableFunc(order, (*rankedCandidate).compare)
	order = leave(order, firstOf())
	order = leave(order, topK(o.TopK))
	return choice(all, fit(order, o.Budget))
}

// rank scores all candidates, and drops those without a result or below the minimum score.
func rank(candidates []Candidate, a warehouse.Area, o Options) []rankedCandidate {
	keywords := folded(a.Keywords)
	var words []string // of the area, if no candidate has a vector score
	if !slices.ContainsFunc(candidates, func(c Candidate) bool { return c.Score > 0 }) {
		words = wordsOf(Query(a))
	}
	out := make([]rankedCandidate, len(candidates))
	for i := range candidates {
		r := &out[i]
		*r = rankedCandidate{Candidate: &candidates[i], score: candidates[i].Score, source: Vector, entry: candidates[i].entry}
		if words != nil {
			r.score, r.source = lexical(r.text, words, o), Lexical
		}
		if r.digest == nil {
			r.reason = ErrorStep
			continue
		}
		r.lift(keywords, o.ExactMatchFloor)
		if !(r.score >= o.MinScore) { // also drops NaN
			r.reason = BelowMinScore
		}
	}
	return out
}

// lift raises the score of a step that names a keyword.
func (r *rankedCandidate) lift(keywords []string, floor float64) {
	r.sure = names(r.text, keywords)
	if r.score >= floor || !r.sure && !names(r.thinking, keywords) {
		return
	}
	r.score, r.source, r.weak = floor, ExactMatch, !r.sure
}

// compare orders by rank: steps raised only by their thinking last, then by descending score, then
// by number.
func (r *rankedCandidate) compare(s *rankedCandidate) int {
	if r.weak != s.weak {
		if r.weak {
			return 1
		}
		return -1
	}
	return cmp.Or(cmp.Compare(s.score, r.score), cmp.Compare(r.N, s.N))
}

// leave returns those of order to which drop gives no reason.
func leave(order []*rankedCandidate, drop func(i int, r *rankedCandidate) DropReason) []*rankedCandidate {
	kept := order[:0]
	for i, r := range order {
		if r.reason = drop(i, r); r.reason == "" {
			kept = append(kept, r)
		}
	}
	return kept
}

// firstOf drops all but the first of the steps with the same statement.
func firstOf() func(int, *rankedCandidate) DropReason {
	seen := make(map[string]bool)
	return func(_ int, r *rankedCandidate) DropReason {
		if r.key != "" && seen[r.key] {
			return NearDuplicate
		}
		seen[r.key] = true
		return ""
	}
}

// topK drops steps beyond the first k unless they are sure.
func topK(k int) func(int, *rankedCandidate) DropReason {
	return func(i int, r *rankedCandidate) DropReason {
		if i >= k && !r.sure {
			return NotInTopK
		}
		return ""
	}
}

// choice assigns every candidate to one of the lists and writes the selected ones.
func choice(all []rankedCandidate, selected []*rankedCandidate) Selection {
	out := Selection{Selected: make([]SelectedStep, 0, len(selected)), Dropped: make([]DroppedStep, 0, len(all)-len(selected))}
	for _, r := range selected {
		out.Selected = append(out.Selected, SelectedStep{Step: r.N, Score: r.score, Source: r.source, Cut: r.cut})
	}
	for i := range all {
		if r := &all[i]; r.reason != "" {
			out.Dropped = append(out.Dropped, DroppedStep{Step: r.N, Score: finite(r.score), Reason: r.reason})
		}
	}
	out.Text, out.Tokens = text(selected)
	return out
}

// finite returns v, or 0 for NaN and infinities, which JSON does not have.
func finite(v float64) float64 {
	if v-v != 0 {
		return 0
	}
	return v
}

// folded returns words in lower case, without empty ones.
func folded(words []string) []string {
	out := make([]string, 0, len(words))
	for _, w := range words {
		if w = strings.ToLower(strings.TrimSpace(w)); w != "" {
			out = append(out, w)
		}
	}
	return out
}
