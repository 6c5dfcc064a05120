package claims

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"

	"quaestor/internal/language"
)

// query is a question as sentences are measured against it.
type query struct {
	terms  []term
	index  map[string]int // stem to place in terms
	about  map[string]bool
	core   float64 // weight of all core terms
	only   [][]string
	not    []string
	since  int
	widget func(*passage) bool // whether a passage has what the answer needs; nil for any text
	who    bool                // somebody is asked for, so that a figure says nothing for a passage
}

// term is a word of a question.
type term struct {
	stem   string
	weight float64
	core   bool // of the question itself, not of its context or kind
}

// generic words are in every second page: they count for less.
var generic = byWord(`market company business product service customer people user number size year price cost use need many much way time thing work make good best team tool software industry
	sector data information example type kind level currently typical average main important provide offer plan expect want know look big high low new current include support system solution organisation target`)

func byWord(s string) map[string]bool {
	out := map[string]bool{}
	for w := range set(s) {
		out[language.Stem(w)] = true
	}
	return out
}

// kindWords are what pages write that answer a kind of research.
var kindWords = map[string]string{
	"competitive_analysis": "competitor rival alternative compare pricing market share vendor",
	"market_research":      "market size growth revenue customers segment demand forecast",
	"tech_feasibility":     "feasible limit requirement performance scale support latency compatible",
	"domain_research":      "regulation rule standard law requirement compliance practice",
	"integration_research": "api integration connector webhook endpoint sync plugin sdk oauth",
}

// newQuery reads q.
func newQuery(q ResearchQuestion) *query {
	q = q.tidy()
	out := &query{index: map[string]int{}, about: map[string]bool{}, since: q.Since}
	out.add(1, true, q.Text)
	out.add(1, true, q.Terms...)
	out.add(1, true, strings.Split(strings.Join(q.Only, "|"), "|")...)
	out.add(0.4, false, q.Context)
	out.add(0.2, false, kindWords[q.Kind])
	for _, c := range q.Choices {
		out.add(0.3, false, c.Label)
	}
	for _, o := range q.Only {
		if alternatives := folds(strings.Split(o, "|")); len(alternatives) > 0 {
			out.only = append(out.only, alternatives)
		}
	}
	out.not = folds(q.Without)
	out.widget = wanted(q)
	out.who = q.Kind == "competitive_analysis" || asksWho.MatchString(q.Text)
	return out
}

// asksWho finds the questions that a name answers, rather than a number.
var asksWho = regexp.MustCompile(`(?i)^\W*(?:who|whom|whose|which)\b`)

// fits reports whether p has what the answer needs: what its widget takes, else a
// figure unless somebody is asked for.
func (q *query) fits(p *passage) bool {
	if q.widget != nil {
		return q.widget(p)
	}
	return !q.who && len(p.figures) > 0
}

// maxTerms bounds the words of a query.
const maxTerms = 60

func (q *query) add(weight float64, core bool, texts ...string) {
	for _, s := range texts {
		for _, w := range stems(clip(s, 4000)) {
			if q.index[w] > 0 || len(q.terms) >= maxTerms || core && asking[w] {
				continue
			}
			t := term{w, weight, core}
			if generic[w] {
				t.weight *= 0.5
			}
			q.terms = append(q.terms, t)
			q.index[w], q.about[w] = len(q.terms), true
			if core {
				q.core += t.weight
			}
		}
	}
}

// folds brings each text that is not empty to a run of stems between spaces.
func folds(list []string) []string {
	var out []string
	for _, s := range list {
		if f := run(s); f != "  " && f != " " {
			out = append(out, f)
		}
	}
	return out
}

// run is s as its stems between single spaces, for looking up phrases.
func run(s string) string {
	var b strings.Builder
	b.WriteByte(' ')
	for _, t := range cut(s) {
		if t.class != sign {
			b.WriteString(cmp.Or(t.stem, t.text))
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// mentions reports whether one of the phrases is in the run.
func mentions(run string, phrases []string) bool {
	return slices.ContainsFunc(phrases, func(p string) bool { return strings.Contains(run, p) })
}

// wanted returns the test for what the answer's widget needs.
func wanted(q ResearchQuestion) func(*passage) bool {
	switch q.Widget {
	case "number":
		units := templateUnits(q.Unit)
		return func(p *passage) bool {
			return slices.ContainsFunc(p.figures, func(f figure) bool {
				_, ok := p.factor(&f, q.Unit, units)
				return ok
			})
		}
	case "date":
		return func(p *passage) bool { return len(p.dates) > 0 }
	case "choice", "multiselect":
		forms := namesOf(q.Choices)
		return func(p *passage) bool { return len(p.choices(forms)) > 0 }
	}
	return nil
}

// candidate is a piece of a source on its way to a claim.
type candidate struct {
	source  int // index
	piece   int
	hits    []uint8 // how often each term stands in it
	length  int     // words
	mass    float64 // weight of the core terms in it, its heading and its title
	own     float64 // weight of the core terms in the piece itself
	bm25    float64
	similar float64
	fused   float64
	rank    float64
	claim   Claim
	passage *passage
	hostile bool
}

// The constants of BM25 and of reciprocal rank fusion.
const (
	bm25Growth = 1.2
	bm25Length = 0.4
	fusion     = 60
)

// score sets the BM25 score of each candidate; all counts the pieces that were
// looked at.
func (q *query) score(list []*candidate, all int) {
	seen := make([]int, len(q.terms))
	words := 0
	for _, c := range list {
		words += c.length
		for i, n := range c.hits {
			if n > 0 {
				seen[i]++
			}
		}
	}
	mean := float64(max(words, 1)) / float64(max(len(list), 1))
	for _, c := range list {
		for i, n := range c.hits {
			if n > 0 {
				idf := math.Log(1 + (float64(all-seen[i])+0.5)/(float64(seen[i])+0.5))
				tf := float64(n)
				c.bm25 += q.terms[i].weight * idf * tf * (bm25Growth + 1) / (tf + bm25Growth*(1-bm25Length+bm25Length*float64(c.length)/mean))
			}
		}
	}
}

// fuse sets fused from the places of the candidates in the orders by words and,
// when meaning is set, by meaning; 1 is first in both.
func fuse(list []*candidate, meaning bool) {
	orders := []func(a, b *candidate) int{func(a, b *candidate) int { return cmp.Compare(b.bm25, a.bm25) }}
	if meaning {
		orders = append(orders, func(a, b *candidate) int { return cmp.Compare(b.similar, a.similar) })
	}
	for _, order := range orders {
		sorted := slices.Clone(list)
		slices.SortStableFunc(sorted, order)
		for i, c := range sorted {
			c.fused += float64(fusion+1) / float64(fusion+1+i) / float64(len(orders))
		}
	}
}
