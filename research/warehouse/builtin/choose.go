package builtin

import (
	"math"
	"slices"
	"strings"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
)

// area is a part of the subject.
type area struct {
	name  string
	words []string // of its keywords and its name, in lower case
	share float64  // of the steps that it should get, of 1
	used  int
}

// areasOf returns the areas of a brief. One of a lower priority gets a smaller
// share.
func areasOf(list []warehouse.Area) []area {
	out := make([]area, 0, len(list))
	sum := 0.0
	for _, a := range list {
		words := wordsOf(a.Name + " " + strings.Join(a.Keywords, " "))
		words = slices.DeleteFunc(words, func(w string) bool { return len(w) < 3 || emptyWords[w] })
		share := 1 / float64(max(a.Priority, 1)+1)
		out, sum = append(out, area{name: a.Name, words: words, share: share}), sum+share
	}
	for i := range out {
		out[i].share /= sum
	}
	return out
}

// emptyWords tell no area from another.
var emptyWords = setOf(`and the for with per over rate rates time data value values number count total change changes analysis health use usage quality performance id day by of in on`)

// alike says whether two words are forms of one: order and orders, cancel and
// cancellation.
func alike(a, b string) bool {
	if a == b {
		return true
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	return len(a) >= 4 && strings.HasPrefix(b, a) && (len(b)-len(a) <= 3 || len(a) >= 6)
}

// areasOf returns the areas that an idea belongs to by the words of its columns, or
// else of its table.
func (m *mind) areasOf(i *idea) []int {
	var out []int
	for n := range m.areas {
		if m.areas[n].names(i.of.words) || slices.ContainsFunc(i.cols, func(c *column) bool { return m.areas[n].names(c.words) }) {
			out = append(out, n)
		}
	}
	return out
}

// names says whether an area has one of words.
func (a *area) names(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		return slices.ContainsFunc(a.words, func(k string) bool { return alike(k, w) })
	})
}

// need is how much an idea gives to the areas that got too little, from -0.1 to
// 0.4.
func (m *mind) need(i *idea) float64 {
	if len(m.areas) == 0 {
		return 0
	}
	best := -0.1
	for _, n := range i.areas {
		a := &m.areas[n]
		want := a.share * float64(m.queries+1)
		best = max(best, 0.1+min(max((want-float64(a.used))/max(want, 1), 0), 1)*0.3)
	}
	return best
}

// score is how much a table promises by what the catalog says of it.
func (m *mind) score(x *catalog.Index, i int) float64 {
	c := x.Table(i)
	score := 6.0
	if !unknownRows(c) {
		score = 2 * math.Log10(float64(c.Rows)+1)
	}
	score += 0.7 * float64(min(len(x.Joins(i)), 4))
	words := wordsOf(c.Name)
	for n := range m.areas {
		if m.areas[n].names(words) {
			score += 3
		}
	}
	for k := range c.Columns[:min(len(c.Columns), 40)] {
		switch class := classOf(c.Columns[k].Type); class {
		case isDate, isTime:
			score += 0.5
		case isReal:
			score += 0.3
		}
	}
	if hasWord(words, leftovers) {
		score -= 8
	}
	return score
}

// leftovers are words of tables that are kept for no analysis.
var leftovers = setOf(`tmp temp log logs archive archived bkp backup bak old stg staging test migrations migration schema_version audit history_old deprecated copy`)

// worth is how much an idea promises now. What was asked much already, and what
// resembles the last question, promises less.
func (m *mind) worth(i *idea) float64 {
	w := i.base * i.of.weight * (1 + m.need(i)) / (1 + 0.07*float64(i.of.used))
	if i.kind != profiling && i.of.bare {
		w *= 0.7 // it says what other tables are about
	}
	w /= 1 + 0.05*float64(m.tried[i.kind])
	if m.tried[i.kind] == 0 {
		w *= 1.3
	}
	if m.last == nil {
		return w
	}
	if m.last.kind == i.kind && i.kind != profiling {
		w *= 0.72
	}
	if m.last.of == i.of {
		w *= 0.94
	}
	return w
}

// best returns the idea that promises most, nil when there is none. Of two that
// promise as much it is the one of the better table, and the one thought of first.
func (m *mind) best() *idea {
	var best *idea
	most := 0.0
	for _, t := range m.tables {
		if !t.looked || t.dead {
			continue
		}
		if t.stale {
			m.think(t)
		}
		for _, i := range t.ideas {
			if w := m.worth(i); w > most+1e-9 {
				best, most = i, w
			}
		}
	}
	return best
}

// fresh is what an idea has to promise for no further tables to be looked up.
func (m *mind) fresh() float64 {
	for _, t := range m.tables {
		if t.looked && !t.dead && !t.counted {
			return 0 // one thing after the other
		}
	}
	return 26
}

// wanted returns the words to search for: those of the area that has no table yet,
// in a large warehouse.
func (m *mind) wanted() string {
	if m.s.Catalog.Len() <= manyTables || m.searched >= min(maxSearch, len(m.areas)) || m.queries < 2*(m.searched+1) {
		return ""
	}
	if m.left(warehouse.SearchStep, m.s.SearchesLeft) <= 0 {
		return ""
	}
	a := &m.areas[m.searched]
	if len(a.words) == 0 {
		return a.name
	}
	return strings.Join(a.words[:min(len(a.words), 6)], " ")
}

// takeSearch moves the tables that were found to the front of those that are not
// looked up.
func (m *mind) takeSearch(step *warehouse.Step) {
	m.searched++
	refs := slices.Clone(step.Tables)
	for line := range strings.Lines(step.Answer) {
		ref, _, _ := strings.Cut(strings.TrimLeft(line, "-*0123456789. "), " |")
		refs = append(refs, strings.TrimSpace(ref))
	}
	for _, ref := range refs[:min(len(refs), warehouse.MaxSearchTopK)] {
		i, ok, _ := m.s.Catalog.Find(ref)
		if !ok || m.s.Catalog.Table(i).Rows == 0 || len(m.s.Catalog.Table(i).Columns) == 0 {
			continue
		}
		t := m.byAt[i]
		if t == nil {
			t = newTable(m.d, m.s.Catalog, i)
			t.weight = 0.8
			m.tables, m.byAt[i] = append(m.tables, t), t
		}
		if !t.looked {
			t.weight = min(t.weight+0.2, 1.4)
			t.place = -1
		}
	}
	slices.SortStableFunc(m.tables, func(a, b *table) int { return min(a.place, 0) - min(b.place, 0) })
}
