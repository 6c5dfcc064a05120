package insight

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// maxCells bounds the rows of a cube: what a warehouse returns of a result.
const maxCells = 18_000

// cube has the aggregates of all measures by period and by the values of up to two dimensions.
type cube struct {
	dims    []*dim
	grain   string
	periods []time.Time
	cells   []*cell // in the order of their first row
	all     *cell   // all records, also those without a value in a dimension
}

// cell is one segment of a cube.
type cell struct {
	values []value
	n      []float64   // records, by period
	sums   [][]float64 // by aggregate, by period
}

// aggregates are the expressions that all measures are made of, and sets where each measure finds
// its own.
func (s *source) aggregates() []string {
	var out []string
	at := func(x string) int {
		if i := slices.Index(out, x); i >= 0 {
			return i
		}
		out = append(out, x)
		return len(out) - 1
	}
	for _, m := range s.measures {
		if m.kind == counted {
			continue
		}
		for _, x := range []string{m.num, m.den, m.square} {
			if x != "" {
				at(x)
			}
		}
	}
	return out
}

// index says where the aggregates of a measure stand; -1 for none.
func index(all []string, x string) int {
	if x == "" {
		return -1
	}
	return slices.Index(all, x)
}

// answer is what a statement returns of all measures by period and by some dimensions, of which cubes are made.
type answer struct {
	dims       []*dim
	grain      string
	periods    []time.Time
	aggregates int
	rows       rows
}

// cube reads a cube. The grain is that of the source, or a longer one if there would be too many cells.
func (s *source) cube(ctx context.Context, dims ...*dim) (*cube, error) {
	a, err := s.ask(ctx, dims)
	if err != nil {
		return nil, err
	}
	return s.cubeOf(a, dims...), nil
}

// ask asks for all measures by period and dimensions.
func (s *source) ask(ctx context.Context, dims []*dim) (*answer, error) {
	cells := 1
	for _, d := range dims {
		cells *= d.size() + 2
	}
	out := &answer{dims: dims, grain: s.grain}
	if s.clock != nil {
		out.periods = periodsOf(out.grain, s.from, s.to)
		for _, longer := range grains[slices.Index(grains, out.grain)+1:] {
			if whole := periodsOf(longer, wholeFrom(longer, s.from), startOf(longer, s.to)); len(out.periods)*cells > maxCells && len(whole) >= leastPeriods {
				out.grain, out.periods = longer, whole
			}
		}
		if len(out.periods)*cells > maxCells {
			return nil, fmt.Errorf("%d periods of %d segments are too many", len(out.periods), cells)
		}
	}
	r, err := s.f.query(ctx, out.purpose(s), s.cubeSQL(out))
	if err != nil {
		return nil, err
	}
	if r.More {
		return nil, fmt.Errorf("the %s have more segments than a result may hold", s.fact.noun)
	}
	out.aggregates, out.rows = len(s.aggregates()), r
	return out, nil
}

// cubeSQL writes the statement of an answer.
func (s *source) cubeSQL(a *answer) string {
	list, group := []string{}, []string{}
	fields := []*field{}
	if s.clock != nil {
		x := s.f.sql.Truncate(a.grain, s.clock.x)
		list, group = append(list, x+" AS p"), append(group, x)
	}
	for i, d := range a.dims {
		list, group = append(list, fmt.Sprintf("%s AS d%d", d.group, i)), append(group, d.group)
		fields = append(fields, d.field)
	}
	list = append(list, "COUNT(*) AS n")
	for i, x := range s.aggregates() {
		list = append(list, fmt.Sprintf("%s AS a%d", x, i))
	}
	sql := "SELECT " + strings.Join(list, ",\n       ") + "\nFROM " + s.tables(fields...)
	if s.clock != nil {
		sql += "\nWHERE " + s.seen(s.within(Period{a.periods[0], nextOf(a.grain, a.periods[len(a.periods)-1])}))
	} else if s.thin != "" {
		sql += "\nWHERE " + s.thin
	}
	if len(group) > 0 {
		sql += "\nGROUP BY " + strings.Join(group, ", ")
	}
	return sql
}

// grains are the lengths of periods, the shortest first.
var grains = []string{"day", "week", "month"}

// wholeFrom is the first day of the first whole period from a day on.
func wholeFrom(grain string, t time.Time) time.Time {
	if start := startOf(grain, t); start.Equal(t) {
		return t
	}
	return nextOf(grain, t)
}

// purpose says what an answer is asked for.
func (a *answer) purpose(s *source) string {
	out := "all measures of " + s.fact.noun
	for i, d := range a.dims {
		out += []string{" by ", " and "}[min(i, 1)] + d.name()
	}
	if s.clock != nil {
		out += " by " + a.grain
	}
	return out
}

// periodsOf are the starts of the periods between two days.
func periodsOf(grain string, from, to time.Time) []time.Time {
	var out []time.Time
	for t := startOf(grain, from); t.Before(to); t = nextOf(grain, t) {
		out = append(out, t)
	}
	return out
}

// cubeOf returns the cube of some of the dimensions of an answer: all that is measured is added up.
func (s *source) cubeOf(a *answer, dims ...*dim) *cube {
	c, r := &cube{dims: dims, grain: a.grain, periods: a.periods}, a.rows
	periods, first := max(len(c.periods), 1), 0
	if s.clock != nil {
		first = 1
	}
	fresh := func(v []value) *cell {
		out := &cell{values: v, n: make([]float64, periods), sums: make([][]float64, a.aggregates)}
		for i := range out.sums {
			out.sums[i] = make([]float64, periods)
		}
		return out
	}
	c.all = fresh(nil)
	known := map[string]*cell{}
	at := map[int64]int{}
	for i, p := range c.periods {
		at[p.Unix()] = i
	}
	for row := range r.Rows {
		p := 0
		if s.clock != nil {
			t, ok := r.time(row, 0)
			if p, ok = at[dayOf(t).Unix()], ok && has(at, dayOf(t).Unix()); !ok {
				continue
			}
		}
		var values []value
		whole, key := true, ""
		for _, d := range dims {
			v, ok := s.value(r, row, first+slices.Index(a.dims, d))
			values, whole, key = append(values, v), whole && ok, key+v.sql+"\x00"
		}
		col := first + len(a.dims)
		into := []*cell{c.all}
		if whole && len(c.dims) > 0 {
			if known[key] == nil {
				known[key] = fresh(values)
				c.cells = append(c.cells, known[key])
			}
			into = append(into, known[key])
		}
		for _, to := range into {
			to.n[p] += r.number(row, col)
			for k := range a.aggregates {
				to.sums[k][p] += r.number(row, col+1+k)
			}
		}
	}
	slices.SortStableFunc(c.cells, func(a, b *cell) int { return strings.Compare(cellKey(a), cellKey(b)) })
	return c
}

func has(m map[int64]int, k int64) bool { _, ok := m[k]; return ok }

func cellKey(c *cell) string {
	var b strings.Builder
	for _, v := range c.values {
		b.WriteString(v.sql + "\x00")
	}
	return b.String()
}

// total is the sum of a slice.
func total(v []float64) float64 {
	var sum float64
	for _, x := range v {
		sum += x
	}
	return sum
}

// view is a measure within a cell, resolved to where its aggregates stand.
type view struct {
	m             *measure
	num, den, squ int
}

// views resolves the measures of a source.
func (s *source) views() []view {
	all := s.aggregates()
	out := make([]view, len(s.measures))
	for i, m := range s.measures {
		out[i] = view{m, index(all, m.num), index(all, m.den), index(all, m.square)}
		if m.kind == counted {
			out[i].num = -1
		}
	}
	return out
}

// parts returns what a measure is made of in period p of a cell: the numerator, and how many
// records it is of.
func (v view) parts(c *cell, p int) (num, den float64) {
	switch {
	case v.m.kind == counted:
		return c.n[p], c.n[p]
	case v.m.kind == summed:
		return c.sums[v.num][p], c.n[p]
	case v.den >= 0 && v.m.den != "COUNT(*)":
		return c.sums[v.num][p], c.sums[v.den][p]
	default:
		return c.sums[v.num][p], c.n[p]
	}
}

// whole returns what a measure is made of in all periods of a cell.
func (v view) whole(c *cell) (num, den, square float64) {
	for p := range c.n {
		a, b := v.parts(c, p)
		num, den = num+a, den+b
		if v.squ >= 0 {
			square += c.sums[v.squ][p]
		}
	}
	return num, den, square
}

// size is how many values a dimension has, roughly.
func (d *dim) size() int {
	switch d.derived {
	case "":
		return d.values
	default:
		return 24
	}
}
