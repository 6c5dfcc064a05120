package schema

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"quaestor/internal/language"
)

// source is where a word of a question occurs.
type source int

// The sources.
const (
	nowhere source = iota
	inName
	inColumn
	inComment
	inColumnComment
	asValue
	inReference // the name of a column that refers to another table
	inSchema
)

// counts is what a match counts by the place where the word occurs. The order matters more than the
// values: names before comments, tables before columns, and a schema's name least. A column that
// refers to another table tells little of its own: customer_id is about customers, and its table is
// not.
var counts = [...]float64{nowhere: 0, inName: 1, inColumn: 0.8, inComment: 0.75, inColumnComment: 0.65, asValue: 0.75, inReference: 0.45, inSchema: 0.3}

// Weights of what else counts.
const (
	wholeName  = 0.1  // in addition, for the share of the words of the name that were asked for
	maxReached = 400  // tables that are compared
	nearFrom   = 0.3  // cosine similarity below which meaning says nothing; the encoder gives unrelated texts up to this
	leastScore = 0.05 // below which a table has nothing to do with the question
	nearShare  = 0.5  // what meaning counts of what words leave open
)

// meeting is the best match of one term in a table.
type meeting struct {
	how    float64 // in [0, 1]
	in     source
	column int32  // 1 + the index of the column; 0 if it is not in a column
	word   string // the word or value that was met
}

// match is how well a table matches each term of a question.
type match struct {
	best  [maxTerms]meeting
	whole float64 // share of the words in its name that were asked for
	near  float64 // how near it is in meaning, in [0, 1]
	close string  // the column that is nearest in meaning, if it is nearer than the table itself
}

// scored ranks tables by a question, best first, with the matches.
func (s *Snapshot) scored(q question, f searchHits) ([]rankedTable, map[int32]*match) {
	matches := s.byWords(q, f)
	s.byMeaning(f, matches)
	weights := s.weights(q, matches)
	out := make([]rankedTable, 0, len(matches))
	for i, m := range matches {
		if score := m.score(weights); score >= leastScore {
			out = append(out, rankedTable{i, score, score + prior(s.Tables[i].Rows)})
		}
	}
	order(out)
	return out, matches
}

// byWords returns how much of the question the words, columns and values of tables match.
func (s *Snapshot) byWords(q question, f searchHits) map[int32]*match {
	matches := map[int32]*match{}
	known := s.inVocabulary(q)
	for _, id := range f.tables {
		if i, ok := s.byID[id]; ok {
			known.tables = append(known.tables, i)
		}
	}
	for _, i := range known.tables {
		if matches[i] == nil && len(matches) < maxReached {
			matches[i] = s.own(q, i)
		}
	}
	columns := slices.Compact(slices.Sorted(slices.Values(append(known.columns, f.columns...))))
	for _, everywhere := range []bool{false, true} { // columns that most tables have come last, when there is room
		for _, id := range columns {
			if s.common(len(s.with[id])) == everywhere {
				s.through(q, s.with[id], matches)
			}
		}
	}
	for at := range known.values {
		s.value(q, at, matches)
	}
	return matches
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

// add records how words in a place match a question, and returns how many do.
func (m *match) add(q question, words []string, in source) (n int) {
	for _, w := range words {
		met := false
		for k := range q {
			if how := q[k].fits(w); how > 0 {
				met = true
				m.best[k].take(meeting{counts[in] * how, in, 0, w})
			}
		}
		if met {
			n++
		}
	}
	return n
}

// take replaces the meeting by a better one.
func (m *meeting) take(o meeting) {
	if o.how > m.how {
		*m = o
	}
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
				s.throughReached(&alone, spots[k:], matches)
				return
			}
			m = s.own(q, at.table)
			matches[at.table] = m
		}
		m.through(&alone, at.column, s.refers(at))
	}
}

// throughReached adds how a column matches a question, for those tables only that are in matches. It
// searches for them among spots, which are in the order of tables and may be very many.
func (s *Snapshot) throughReached(alone *match, spots []spot, matches map[int32]*match) {
	for i, m := range matches {
		if k, ok := slices.BinarySearchFunc(spots, i, func(at spot, i int32) int { return cmp.Compare(at.table, i) }); ok {
			m.through(alone, spots[k].column, s.refers(spots[k]))
		}
	}
}

// refers reports whether a column refers to another table, by a foreign key or by its name.
func (s *Snapshot) refers(at spot) bool {
	name := s.Tables[at.table].Columns[at.column].Name
	for _, f := range s.Tables[at.table].Foreign {
		if slices.Contains(f.Columns, name) {
			return true
		}
	}
	for _, j := range s.Index.Joins(int(at.table)) {
		if slices.Contains(j.Columns, name) {
			return true
		}
	}
	return false
}

// through records the match of a column of the table.
func (m *match) through(alone *match, column int32, refers bool) {
	for k, met := range alone.best {
		if met.how == 0 {
			continue
		}
		if refers && met.in == inColumn {
			met.how, met.in = met.how*counts[inReference]/counts[inColumn], inReference
		}
		met.column = column + 1
		m.best[k].take(met)
	}
}

// value records how a value of a column matches a question.
func (s *Snapshot) value(q question, at spot, matches map[int32]*match) {
	m := matches[at.table]
	if m == nil {
		m = s.own(q, at.table)
		matches[at.table] = m
	}
	for k := range q {
		if v, how := s.valueOf(at, q[k]); how > 0 {
			m.best[k].take(meeting{counts[asValue] * how, asValue, at.column + 1, v})
		}
	}
}

// byMeaning adds to matches how near tables and their columns are in meaning. Columns that most
// tables have do not help to find one of them.
func (s *Snapshot) byMeaning(f searchHits, matches map[int32]*match) {
	of := func(i int32) *match {
		m := matches[i]
		if m == nil {
			m = &match{}
			matches[i] = m
		}
		return m
	}
	for _, n := range f.nearTables {
		if i, ok := s.byID[n.id]; ok { // otherwise it is newer than the snapshot, or gone
			of(i).near = nearness(n.cos)
		}
	}
	for _, n := range f.nearColumns {
		near := columnWeight * nearness(n.cos)
		if near == 0 || s.common(len(s.with[n.id])) {
			continue
		}
		for _, at := range s.with[n.id] {
			if m := of(at.table); near > m.near {
				m.near, m.close = near, s.Tables[at.table].Columns[at.column].Name
			}
		}
	}
}

// nearness returns how near two texts are, from 0 to 1, by their cosine similarity.
func nearness(cos float64) float64 { return min(max((cos-nearFrom)/(1-nearFrom), 0), 1) }

// weights returns what each term counts, 1 in total: inverse document frequency over the tables
// (Spärck Jones, 1972), so that rare words count more.
func (s *Snapshot) weights(q question, matches map[int32]*match) []float64 {
	out, sum := make([]float64, len(q)), 0.0
	for k := range q {
		n := 0
		for _, m := range matches {
			if m.best[k].how >= atLeast*counts[inColumnComment] {
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

// score returns how well a table answers a question, 0 to 1: 1 if all words of the question are in
// its name and nothing else is. What words leave open counts by meaning, and half at most, so a
// table that is found by meaning alone has 0.5 or less.
func (m *match) score(weights []float64) float64 {
	words := 0.0
	for k, w := range weights {
		words += w * m.best[k].how
	}
	words = (words + wholeName*m.whole) / (1 + wholeName)
	return words + (1-words)*nearShare*m.near
}

// because returns why table i matches a question, in clauses that are true of it: where words were
// met, and by which word if it is not the one that was asked for.
func (s *Snapshot) because(q question, i int32, m *match) string {
	var places []string
	words := map[string][]string{} // by place
	for k := range q {
		b := m.best[k]
		if b.how == 0 {
			continue
		}
		column := ""
		if b.column > 0 {
			column = s.Tables[i].Columns[b.column-1].Name
		}
		at := b.in.says(column)
		if words[at] == nil {
			places = append(places, at)
		}
		if w := b.quoted(q[k].word); !slices.Contains(words[at], w) {
			words[at] = append(words[at], w)
		}
	}
	for n, at := range places {
		places[n] += " " + strings.Join(words[at], ", ")
	}
	switch {
	case m.near == 0:
	case m.close != "":
		places = append(places, "column "+m.close+" is near in meaning")
	default:
		places = append(places, "near in meaning")
	}
	return strings.Join(places, "; ")
}

// quoted returns the word that was met, and the one that was asked for if it is another.
func (b meeting) quoted(asked string) string {
	if b.word == asked || b.in == asValue || strings.HasPrefix(asked, b.word) {
		return "'" + b.word + "'"
	}
	return "'" + b.word + "' for '" + asked + "'"
}

// says returns the beginning of the clause about what was met there.
func (in source) says(column string) string {
	switch in {
	case inName:
		return "table name contains"
	case inComment:
		return "comment contains"
	case inSchema:
		return "schema name contains"
	case inColumn, inReference:
		return "column name " + column + " contains"
	case inColumnComment:
		return "comment of column " + column + " contains"
	case asValue:
		return "column " + column + " has the value"
	case nowhere:
	}
	return ""
}
