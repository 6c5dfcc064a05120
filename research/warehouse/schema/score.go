package schema

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"quaestor/internal/language"
)

// What a match counts by the place where the word occurs. The order matters more than the values:
// names before comments, tables before columns, and a schema's name least.
const (
	inName          = 1.0
	inColumn        = 0.8
	inComment       = 0.75
	inColumnComment = 0.65
	inSchema        = 0.3
	wholeName       = 0.1 // in addition, if every word of the name was asked for
	maxReached      = 400 // tables that are compared
)

// reason is why a table was found.
type reason struct {
	words   []string // words of the query that are in its name or comment
	columns []string // names of columns that words matched
	column  string   // a column that is near in meaning
	meaning bool     // the table itself is near in meaning
}

// with combines both reasons.
func (r reason) with(o reason) reason {
	r.words, r.columns = append(r.words, o.words...), append(r.columns, o.columns...)
	if o.column != "" {
		r.column = o.column
	}
	r.meaning = r.meaning || o.meaning
	return r
}

// String returns the reason as a clause.
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

// match is how well a table matches each term of a question, and through which column.
type match struct {
	best   [maxTerms]float64 // best match in its name, comment, schema or a column
	column [maxTerms]int32   // 1 + the index of the column with the best match; 0 if it is not in a column
	whole  float64           // share of the words in its name that were asked for
}

// byWords ranks tables by how much of the question their own words and columns match; rare words
// count more. It also returns the matches.
func (s *Snapshot) byWords(q question, f searchHits) ([]rankedTable, map[int32]*match) {
	matches := map[int32]*match{}
	for _, id := range f.tables {
		if i, ok := s.byID[id]; ok {
			matches[i] = s.own(q, i)
		}
	}
	for _, everywhere := range []bool{false, true} { // columns that most tables have come last, when there is room
		for _, id := range f.columns {
			if s.common(len(s.with[id])) == everywhere {
				s.through(q, s.with[id], matches)
			}
		}
	}
	weights := s.weights(q, matches)
	out := make([]rankedTable, 0, len(matches))
	for i, m := range matches {
		if score := m.score(weights); score > 0 {
			out = append(out, rankedTable{i, score + wholeName*m.whole + prior(s.Tables[i].Rows), reason{}})
		}
	}
	order(out)
	return out[:min(len(out), maxFound)], matches
}

// own returns how the words of a table itself match a question.
func (s *Snapshot) own(q question, i int32) *match {
	t, m := &s.Tables[i], &match{}
	if name := wordsOf(t.Name); len(name) > 0 {
		m.whole = float64(m.add(q, name, inName)) / float64(len(name))
	}
	m.add(q, wordsOf(language.Clip(t.Comment, maxContent)), inComment)
	m.add(q, wordsOf(t.Schema), inSchema)
	return m
}

// add records how words in a place of that weight match a question, and returns how many do.
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

// through adds to matches how a column matches a question, for all tables that have it. Beyond
// maxReached no further tables are added.
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

// throughReached adds how a column matches a question, for those tables only that are in matches. It
// searches for them among spots, which are in the order of tables and may be very many.
func throughReached(alone *match, spots []spot, matches map[int32]*match) {
	for i, m := range matches {
		if k, ok := slices.BinarySearchFunc(spots, i, func(at spot, i int32) int { return cmp.Compare(at.table, i) }); ok {
			m.through(alone, spots[k].column)
		}
	}
}

// through records the match of a column of the table.
func (m *match) through(alone *match, column int32) {
	for k, met := range alone.best {
		if met > m.best[k] {
			m.best[k], m.column[k] = met, column+1
		}
	}
}

// weights returns what each term counts, 1 in total: inverse document frequency over the tables
// (Spärck Jones, 1972), so that rare words count more.
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

// score returns how much of the question is matched, 0 to 1.
func (m *match) score(weights []float64) float64 {
	sum := 0.0
	for k, w := range weights {
		sum += w * m.best[k]
	}
	return sum
}

// because returns why a table matches a question.
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
