package claims

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Bounds of [Extract].
const (
	MaxClaims     = 12  // claims in all
	maxASource    = 4   // claims of one source
	MaxCompared   = 200 // sentences given to similar
	minSimilar    = 0.5 // meaning alone carries a sentence from here on
	nearlyTheSame = 0.75
)

// Extract returns the sentences of the sources that answer q best, the best
// first, numbered from 1. Each verifies against its source.
//
// Sentences are ranked by their words (BM25, with headings and titles) and, when
// similar is not nil, by meaning: similar is given at most [MaxCompared] texts and
// returns the cosine of each with the question. Both orders are fused by
// reciprocal rank. What is not about q is left out, so that there may be none.
// An error is one of similar.
func Extract(q ResearchQuestion, sources []Source, similar func(texts []string) ([]float64, error)) ([]Claim, error) {
	g := &gathering{query: newQuery(q), sources: sources, by: similar != nil}
	for i := range sources {
		g.collect(i)
	}
	g.query.score(g.list, max(g.all, len(g.list)))
	g.prefilter()
	if similar != nil && len(g.list) > 0 {
		if err := g.compare(similar); err != nil {
			return nil, err
		}
	}
	fuse(g.list, g.by)
	return g.choose(), nil
}

// gathering is one extraction under way.
type gathering struct {
	query   *query
	sources []Source
	pieces  [][]piece
	list    []*candidate
	all     int // pieces looked at
	by      bool
}

// collect takes up the pieces of source i that may be about the question.
func (g *gathering) collect(i int) {
	s := g.sources[i]
	pieces := split(s.Text)
	g.pieces = append(g.pieces, pieces)
	title := g.query.hits(s.Title, nil)
	poisoned, bad := poison(s.Text, pieces)
	under := make(map[int][]uint8)
	for j, p := range pieces {
		g.all++
		if p.form == heading || p.form == head || p.form == code || p.chopped || poisoned[p.block] {
			continue
		}
		c := &candidate{source: i, piece: j, hostile: bad}
		c.hits = g.query.hits(s.Text[p.from:p.to], &c.length)
		if p.heading >= 0 && under[p.heading] == nil {
			under[p.heading] = g.query.hits(s.Text[pieces[p.heading].from:pieces[p.heading].to], nil)
		}
		var before []uint8
		if j > 0 && pieces[j-1].block == p.block && dangling(s.Text[p.from:p.to]) {
			before = g.query.hits(s.Text[pieces[j-1].from:pieces[j-1].to], nil)
		}
		g.query.weigh(c, under[p.heading], title, before)
		if c.own > 0 || g.by {
			g.list = append(g.list, c)
		}
	}
}

// poison returns the blocks that hold an order to a machine, with the one behind
// a block that ends in a colon, and whether there are any.
func poison(text string, pieces []piece) (blocks map[int]bool, found bool) {
	blocks = map[int]bool{}
	for i, p := range pieces {
		if !hostile(text[p.from:p.to]) {
			continue
		}
		blocks[p.block], found = true, true
		for _, next := range pieces[i+1:] {
			if next.block > p.block {
				if p.form == heading || strings.HasSuffix(strings.TrimRight(text[p.from:p.to], "*_ "), ":") {
					blocks[next.block] = true
				}
				break
			}
		}
	}
	return blocks, found
}

// hits counts the terms of q in text; length, when not nil, gets its words.
func (q *query) hits(text string, length *int) []uint8 {
	out := make([]uint8, len(q.terms))
	n := 0
	for _, t := range cut(text) {
		if t.class == sign {
			continue
		}
		n++
		if i := q.index[cmp.Or(t.stem, t.text)]; i > 0 && out[i-1] < 255 {
			out[i-1]++
		}
	}
	if length != nil {
		*length = n
	}
	return out
}

// aside is what a term in a heading or title counts for.
const aside = 0.6

// weigh sets how much of the question c has, itself and with its surroundings,
// and lets the surroundings count for its hits.
func (q *query) weigh(c *candidate, around ...[]uint8) {
	for i, t := range q.terms {
		beside := slices.ContainsFunc(around, func(hits []uint8) bool { return hits != nil && hits[i] > 0 })
		switch {
		case c.hits[i] > 0 && t.core:
			c.own += t.weight
			c.mass += t.weight
		case beside && t.core:
			c.mass += aside * t.weight
		}
		if beside && c.hits[i] > 0 {
			c.hits[i]++
		}
	}
}

// enough reports whether c is about q by its words: one term of weight at least
// in the sentence, and with its surroundings a good part of the question.
func (q *query) enough(c *candidate) bool {
	return c.own >= 0.5 && c.mass >= min(q.core, max(1, 0.3*q.core, min(1.5, 0.5*q.core)))
}

// prefilter keeps the best by words, as many as may be compared by meaning.
func (g *gathering) prefilter() {
	slices.SortStableFunc(g.list, func(a, b *candidate) int { return cmp.Compare(b.bm25, a.bm25) })
	if !g.by {
		g.list = slices.DeleteFunc(g.list, func(c *candidate) bool { return !g.query.enough(c) })
	}
	kept := g.list[:0]
	for _, c := range g.list {
		if len(kept) == MaxCompared {
			break
		}
		if g.fits(c) {
			kept = append(kept, c)
		}
	}
	g.list = kept
}

// fits reports whether c is no noise and within what the person steers to.
func (g *gathering) fits(c *candidate) bool {
	s := &g.sources[c.source]
	p := g.pieces[c.source][c.piece]
	text := g.plain(c)
	if navigates(s.Text[p.from:p.to]) || noise(text, p.form, g.query.about) {
		return false
	}
	if g.query.only == nil && g.query.not == nil && g.query.since == 0 {
		return true
	}
	own, around := run(text), run(s.Title+" . "+s.URL)
	if p.heading >= 0 {
		around += run(s.Text[g.pieces[c.source][p.heading].from:g.pieces[c.source][p.heading].to])
	}
	for _, alternatives := range g.query.only {
		if !mentions(own, alternatives) && !mentions(around, alternatives) {
			return false
		}
	}
	return !mentions(own, g.query.not) && !mentions(run(s.Title), g.query.not) && g.recent(text, s.Published)
}

// plain is the piece of c as people read it; the cells of a row are parted by
// commas.
func (g *gathering) plain(c *candidate) string {
	p := g.pieces[c.source][c.piece]
	text := plainText(g.sources[c.source].Text[p.from:p.to])
	if p.form == row {
		return strings.Join(cellsOf(text), ", ")
	}
	return text
}

// recent reports whether nothing shows text to be older than the person wants.
func (g *gathering) recent(text, published string) bool {
	if g.query.since == 0 {
		return true
	}
	newest := 0
	for _, d := range read(text).dates {
		newest = max(newest, lastYear(d.when))
	}
	newest = cmp.Or(newest, year(clip(published, 4)))
	return newest == 0 || newest >= g.query.since
}

// compare sets the similarity of each candidate and drops those that neither
// words nor meaning carry.
func (g *gathering) compare(similar func([]string) ([]float64, error)) error {
	texts := make([]string, len(g.list))
	for i, c := range g.list {
		texts[i] = g.plain(c)
	}
	cosines, err := similar(texts)
	if err != nil {
		return fmt.Errorf("compare %d sentences: %w", len(texts), err)
	}
	if len(cosines) != len(texts) {
		return fmt.Errorf("compare %d sentences: got %d similarities", len(texts), len(cosines))
	}
	for i, c := range g.list {
		if !math.IsNaN(cosines[i]) {
			c.similar = max(-1, min(1, cosines[i]))
		}
	}
	g.list = slices.DeleteFunc(g.list, func(c *candidate) bool { return !g.query.enough(c) && c.similar < minSimilar })
	return nil
}

// choose makes claims of the candidates and returns the best of them.
func (g *gathering) choose() []Claim {
	for _, c := range g.list {
		g.grade(c)
	}
	slices.SortStableFunc(g.list, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(b.rank, a.rank), cmp.Compare(a.source, b.source), cmp.Compare(a.piece, b.piece))
	})
	var chosen []*candidate
	count := map[int]int{}
	for _, c := range g.list {
		if len(chosen) == MaxClaims || count[c.source] == maxASource {
			if len(chosen) < MaxClaims {
				continue
			}
			break
		}
		if !g.word(c) || g.repeats(c, chosen) {
			continue
		}
		chosen = append(chosen, c)
		count[c.source]++
	}
	out := make([]Claim, len(chosen))
	for i, c := range chosen {
		out[i] = c.claim
		out[i].N, out[i].Rank, out[i].By = i+1, c.rank, "extract"
	}
	return out
}

// grade sets the rank of c: how much of the question it has, how it stands
// among the others, whether it has what the answer needs.
func (g *gathering) grade(c *candidate) {
	c.passage = read(g.plain(c))
	coverage := 0.0
	if g.query.core > 0 {
		coverage = min(1, c.mass/g.query.core)
	}
	rank := 0.5*max(coverage, c.similar) + 0.4*c.fused
	if g.query.fits(c.passage) {
		rank += 0.1
	} else if g.query.widget != nil {
		rank *= 0.8
	}
	if c.hostile {
		rank /= 2
	}
	c.rank = math.Round(max(0, min(1, rank))*1000) / 1000
}

// word makes the claim of c and verifies it; false when there is none.
func (g *gathering) word(c *candidate) bool {
	s := g.sources[c.source]
	pieces := g.pieces[c.source]
	p := pieces[c.piece]
	from, text := p.from, g.plain(c)
	switch {
	case p.form == row:
		from, text = g.rowText(c)
	case dangling(text):
		if c.piece == 0 || pieces[c.piece-1].block != p.block || pieces[c.piece-1].chopped || noise(plainText(s.Text[pieces[c.piece-1].from:pieces[c.piece-1].to]), p.form, g.query.about) {
			return false
		}
		from = pieces[c.piece-1].from
		text = plainText(s.Text[from:pieces[c.piece-1].to]) + " " + text
	}
	m := &meter{text: s.Text}
	claim := Claim{Source: s.N, Text: text, Quote: s.Text[from:p.to], Span: m.span(from, p.to)}
	var err error
	c.claim, err = Verify(claim, s)
	return err == nil
}

// rowText words a row of a table with the names of its columns, quoted from
// its head on where that is short enough.
func (g *gathering) rowText(c *candidate) (from int, worded string) {
	s := g.sources[c.source].Text
	pieces := g.pieces[c.source]
	p := pieces[c.piece]
	cells := cellsOf(plainText(s[p.from:p.to]))
	worded = strings.Join(cells, ", ")
	if p.head < 0 || p.to-pieces[p.head].from > MaxQuote {
		return p.from, worded
	}
	names := cellsOf(plainText(s[pieces[p.head].from:pieces[p.head].to]))
	if len(names) != len(cells) {
		return p.from, worded
	}
	parts := make([]string, len(cells))
	for i, cell := range cells {
		parts[i] = names[i] + ": " + cell
	}
	return pieces[p.head].from, strings.Join(parts, ", ")
}

func cellsOf(row string) []string {
	var out []string
	for cell := range strings.SplitSeq(strings.Trim(strings.TrimSpace(row), "|"), "|") {
		out = append(out, strings.TrimSpace(cell))
	}
	return out
}

// repeats reports whether one of chosen says nearly what c says or quotes the
// same sentence, and counts the agreement of another source.
func (g *gathering) repeats(c *candidate, chosen []*candidate) bool {
	for _, o := range chosen {
		if x, y := c.claim.Span, o.claim.Span; c.source == o.source && x.Start < y.End && y.Start < x.End {
			if x.Start <= y.Start && x.End >= y.End { // what was chosen, and more
				o.claim = c.claim
			}
			return true
		}
		if !alike(c.passage, o.passage) {
			continue
		}
		if c.source != o.source {
			o.claim.Agree++
		}
		return true
	}
	return false
}

// alike reports whether a and b say nearly the same: most words in common, the
// same figures and dates, the same polarity.
func alike(a, b *passage) bool {
	x, y := wordSet(a), wordSet(b)
	n := shared(x, y)
	if float64(n) < nearlyTheSame*float64(len(x)+len(y)-n) || a.denials != b.denials || len(a.figures) != len(b.figures) || len(a.dates) != len(b.dates) {
		return false
	}
	for i := range a.figures {
		if f, g := &a.figures[i], &b.figures[i]; !sameValue(f, g) || f.Unit != g.Unit || f.When != g.When || f.bound != g.bound || f.move != g.move {
			return false
		}
	}
	return slices.EqualFunc(a.dates, b.dates, func(d, e date) bool { return d.when == e.when }) && slices.Equal(a.literals, b.literals) && !opposed(a, b)
}

func wordSet(p *passage) map[string]bool {
	out := map[string]bool{}
	for _, w := range p.words() {
		out[w] = true
	}
	return out
}
