package schema

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"quaestor/internal/language"
)

// What a word counts by where it stands.
const (
	inName          = 1.0
	inColumn        = 0.8
	inComment       = 0.75
	inColumnComment = 0.65
	inSchema        = 0.3
	wholeName       = 0.1 // more, when every word of the name is asked for
	maxReached      = 400 // tables that are compared
)

// reason is why a table was found.
type reason struct {
	words   []string // of its name or comment, as they were asked for
	columns []string // that words found, by their names
	column  string   // whose meaning is near
	meaning bool     // its own meaning is near
}

// with returns both reasons.
func (r reason) with(o reason) reason {
	r.words, r.columns = append(r.words, o.words...), append(r.columns, o.columns...)
	if o.column != "" {
		r.column = o.column
	}
	r.meaning = r.meaning || o.meaning
	return r
}

// String says it in a clause.
func (r reason) String() string {
	var parts []string
	if len(r.words) > 0 {
		parts = append(parts, "its name or comment has "+strings.Join(r.words, ", "))
	}
	if len(r.columns) > 0 {
		parts = append(parts, "column "+strings.Join(r.columns, ", "))
	}
	if r.column != "" && !slices.Contains(r.columns, r.column) {
		parts = append(parts, "column "+r.column+" is near in meaning")
	}
	if r.meaning {
		parts = append(parts, "near in meaning")
	}
	return strings.Join(parts, "; ")
}

// match is how well each term of a question meets a table, and through which
// column.
type match struct {
	best   [maxTerms]float64 // by its name, comment or schema, or a column
	column [maxTerms]int32   // 1 + the column of best, 0 for none
	whole  float64           // share of the words of its name that are asked for
}

// byWords ranks the tables whose own words or columns meet the question, by how
// much of it they meet; rare words count more. It returns how each meets it, too.
func (s *Snapshot) byWords(q question, f found) ([]ranked, map[int32]*match) {
	matches := map[int32]*match{}
	for _, id := range f.tables {
		if i, ok := s.byID[id]; ok {
			matches[i] = s.own(q, i)
		}
	}
	for _, everywhere := range []bool{false, true} { // what stands everywhere finds only what is too little else
		for _, id := range f.columns {
			if s.common(len(s.with[id])) == everywhere {
				s.through(q, s.with[id], matches)
			}
		}
	}
	weights := s.weights(q, matches)
	out := make([]ranked, 0, len(matches))
	for i, m := range matches {
		if score := m.score(weights); score > 0 {
			out = append(out, ranked{i, score + wholeName*m.whole + prior(s.Tables[i].Rows), reason{}})
		}
	}
	order(out)
	return out[:min(len(out), maxFound)], matches
}

// own returns how a question meets the words of a table itself.
func (s *Snapshot) own(q question, i int32) *match {
	t, m := &s.Tables[i], &match{}
	if name := wordsOf(t.Name); len(name) > 0 {
		m.whole = float64(m.add(q, name, inName)) / float64(len(name))
	}
	m.add(q, wordsOf(language.Clip(t.Comment, maxContent)), inComment)
	m.add(q, wordsOf(t.Schema), inSchema)
	return m
}

// add notes how words that count so much meet a question, and returns how many do.
func (m *match) add(q question, words []string, weight float64) (n int) {
	for _, w := range words {
		met := false
		for k := range q {
			if how := q[k].meets(w); how > 0 {
				met = true
				m.best[k] = max(m.best[k], weight*how)
			}
		}
		if met {
			n++
		}
	}
	return n
}

// through adds to matches how a question meets a column, by where it stands. Beyond
// maxReached, tables that are not among them yet stay out.
func (s *Snapshot) through(q question, spots []spot, matches map[int32]*match) {
	if len(spots) == 0 {
		return
	}
	var alone match
	c := &s.Tables[spots[0].table].Columns[spots[0].column]
	alone.add(q, wordsOf(c.Name), inColumn)
	alone.add(q, wordsOf(language.Clip(c.Comment, maxContent)), inColumnComment)
	for k, at := range spots {
		m := matches[at.table]
		if m == nil {
			if len(matches) >= maxReached {
				throughReached(&alone, spots[k:], matches)
				return
			}
			m = s.own(q, at.table)
			matches[at.table] = m
		}
		m.through(&alone, at.column)
	}
}

// throughReached adds to those tables that were reached how a question meets a
// column. It looks them up among the spots, which are in the order of tables and may
// be as many as there are.
func throughReached(alone *match, spots []spot, matches map[int32]*match) {
	for i, m := range matches {
		if k, ok := slices.BinarySearchFunc(spots, i, func(at spot, i int32) int { return cmp.Compare(at.table, i) }); ok {
			m.through(alone, spots[k].column)
		}
	}
}

// through notes how a column of the table meets a question by itself.
func (m *match) through(alone *match, column int32) {
	for k, met := range alone.best {
		if met > m.best[k] {
			m.best[k], m.column[k] = met, column+1
		}
	}
}

// weights returns what each term counts, 1 in all.
func (s *Snapshot) weights(q question, matches map[int32]*match) []float64 {
	out, sum := make([]float64, len(q)), 0.0
	for k := range q {
		n := 0
		for _, m := range matches {
			if m.best[k] >= atLeast*inColumnComment {
				n++
			}
		}
		out[k] = math.Log(1 + float64(len(s.Tables))/float64(1+n))
		sum += out[k]
	}
	for k := range out {
		out[k] /= sum
	}
	return out
}

// score returns how much of the question is met, 0 to 1.
func (m *match) score(weights []float64) float64 {
	sum := 0.0
	for k, w := range weights {
		sum += w * m.best[k]
	}
	return sum
}

// because returns why a table meets a question.
func (s *Snapshot) because(q question, i int32, m *match) reason {
	var out reason
	for k := range q {
		switch {
		case m.best[k] == 0:
		case m.column[k] == 0:
			out.words = append(out.words, q[k].word)
		default:
			if name := s.Tables[i].Columns[m.column[k]-1].Name; !slices.Contains(out.columns, name) {
				out.columns = append(out.columns, name)
			}
		}
	}
	return out
}
