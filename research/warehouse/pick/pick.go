package pick

import (
	"cmp"
	"slices"
	"strings"

	"quaestor/research/warehouse"
)

// The options' defaults.
const (
	AnalysisAreaTopK                 = 24
	AnalysisAreaMinScore             = 0.30
	ExactMatchFloor                  = 0.55
	AnalysisQueryResultsBudgetTokens = 200_000
)

// Options say how many steps are selected. A zero means the default.
type Options struct {
	TopK            int     // best ones, beside those whose text names a keyword
	MinScore        float64 // below which a step is dropped
	ExactMatchFloor float64 // the score to which one is lifted that names a keyword
	Budget          int     // tokens of all that is written
}

func (o Options) orDefault() Options {
	o.TopK = cmp.Or(max(o.TopK, 0), AnalysisAreaTopK)
	o.MinScore = cmp.Or(o.MinScore, AnalysisAreaMinScore)
	o.ExactMatchFloor = cmp.Or(o.ExactMatchFloor, ExactMatchFloor)
	o.Budget = cmp.Or(max(o.Budget, 0), AnalysisQueryResultsBudgetTokens)
	return o
}

// Source is why a step was selected.
type Source string

// The sources.
const (
	Vector     Source = "vector"
	ExactMatch Source = "exact_match" // it was lifted, since it names a keyword
	Lexical    Source = "lexical"     // there are no vectors; it has words of the area
)

// Reason is why a step was dropped.
type Reason string

// The reasons.
const (
	BelowMinScore Reason = "below_min_score"
	NotInTopK     Reason = "not_in_top_k"
	OverBudget    Reason = "over_budget"
	NearDuplicate Reason = "near_duplicate" // a better one has the same statement
	ErrorStep     Reason = "error_step"     // it has no result
)

// Selected is a step that is written.
type Selected struct {
	Step   int     `json:"step"`
	Score  float64 `json:"score"`
	Source Source  `json:"source"`
	Cut    bool    `json:"cut,omitempty"` // not all of its digest is written
}

// Dropped is a step that is not.
type Dropped struct {
	Step   int     `json:"step"`
	Score  float64 `json:"score"`
	Reason Reason  `json:"reason"`
}

// Choice is what was made of the candidates: each is in one of the lists.
type Choice struct {
	Selected []Selected // the best first
	Dropped  []Dropped  // in the order of the candidates
	Text     string     // a JSON array of the steps selected, for {{QUERY_RESULTS}}
	Tokens   int        // of Text, or one or two more
}

// ranked is a candidate with its rank.
type ranked struct {
	*Candidate
	score  float64
	source Source
	sure   bool // its text names a keyword, so that no number of others ranks it out
	weak   bool // only its thinking does
	cut    bool
	entry  entry
	reason Reason // why it is dropped; empty while it is not
}

// Pick chooses from candidates, whose numbers differ, those that tell of an area. What it writes takes at
// most the budget. Candidates are read only.
func Pick(candidates []Candidate, a warehouse.Area, o Options) Choice {
	o = o.orDefault()
	all := rank(candidates, a, o)
	order := make([]*ranked, 0, len(all))
	for i := range all {
		if all[i].reason == "" {
			order = append(order, &all[i])
		}
	}
	slices.SortStableFunc(order, (*ranked).compare)
	order = leave(order, firstOf())
	order = leave(order, topK(o.TopK))
	return choice(all, fit(order, o.Budget))
}

// rank scores every candidate, and drops those without a result or below the least
// score.
func rank(candidates []Candidate, a warehouse.Area, o Options) []ranked {
	keywords := folded(a.Keywords)
	var words []string // of the area, when they rank alone
	if !slices.ContainsFunc(candidates, func(c Candidate) bool { return c.Score > 0 }) {
		words = wordsOf(Query(a))
	}
	out := make([]ranked, len(candidates))
	for i := range candidates {
		r := &out[i]
		*r = ranked{Candidate: &candidates[i], score: candidates[i].Score, source: Vector, entry: candidates[i].entry}
		if words != nil {
			r.score, r.source = lexical(r.text, words, o), Lexical
		}
		if r.digest == nil {
			r.reason = ErrorStep
			continue
		}
		r.lift(keywords, o.ExactMatchFloor)
		if !(r.score >= o.MinScore) { // NaN too
			r.reason = BelowMinScore
		}
	}
	return out
}

// lift raises the score of a step that names a keyword.
func (r *ranked) lift(keywords []string, floor float64) {
	r.sure = names(r.text, keywords)
	if r.score >= floor || !r.sure && !names(r.thinking, keywords) {
		return
	}
	r.score, r.source, r.weak = floor, ExactMatch, !r.sure
}

// compare orders by rank: what only its thinking lifted last, then the highest
// score first, then the earliest.
func (r *ranked) compare(s *ranked) int {
	if r.weak != s.weak {
		if r.weak {
			return 1
		}
		return -1
	}
	return cmp.Or(cmp.Compare(s.score, r.score), cmp.Compare(r.N, s.N))
}

// leave returns those of order for which drop gives no reason.
func leave(order []*ranked, drop func(i int, r *ranked) Reason) []*ranked {
	kept := order[:0]
	for i, r := range order {
		if r.reason = drop(i, r); r.reason == "" {
			kept = append(kept, r)
		}
	}
	return kept
}

// firstOf drops all but the first of those that have one statement.
func firstOf() func(int, *ranked) Reason {
	seen := make(map[string]bool)
	return func(_ int, r *ranked) Reason {
		if r.key != "" && seen[r.key] {
			return NearDuplicate
		}
		seen[r.key] = true
		return ""
	}
}

// topK drops those beyond the first k that are not sure.
func topK(k int) func(int, *ranked) Reason {
	return func(i int, r *ranked) Reason {
		if i >= k && !r.sure {
			return NotInTopK
		}
		return ""
	}
}

// choice puts every candidate into one of the lists, and writes those selected.
func choice(all []ranked, selected []*ranked) Choice {
	out := Choice{Selected: make([]Selected, 0, len(selected)), Dropped: make([]Dropped, 0, len(all)-len(selected))}
	for _, r := range selected {
		out.Selected = append(out.Selected, Selected{Step: r.N, Score: r.score, Source: r.source, Cut: r.cut})
	}
	for i := range all {
		if r := &all[i]; r.reason != "" {
			out.Dropped = append(out.Dropped, Dropped{Step: r.N, Score: finite(r.score), Reason: r.reason})
		}
	}
	out.Text, out.Tokens = text(selected)
	return out
}

// finite returns v, or 0 for what is no number.
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
