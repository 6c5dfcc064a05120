package insight

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"quaestor/research/warehouse/builtin"
	"quaestor/research/warehouse/catalog"
)

// Findings is what a search of one table came to.
type Findings struct {
	Table    string    `json:"table"`
	Insights []Insight `json:"insights,omitempty"` // most severe first
	Tests    int       `json:"tests"`              // how many effects were tested
	Sampled  int       `json:"sampled,omitempty"`  // effects were looked for in one of so many records; 0 for all
	Left     []string  `json:"left,omitempty"`     // what was left out by plan and why, in sentences
	Missed   []string  `json:"missed,omitempty"`   // what could not be read and why, in sentences
}

// Bounds of the pairs of dimensions of one fact that are looked at together.
const (
	pairDims   = 8
	maxPairs   = 28
	fewPairs   = 12
	manyRows   = 20_000_000 // beyond which there are only few pairs
	pairValues = 40         // of a dimension
	maxFailed  = 4          // cubes that fail before no more are asked for
)

// Find looks for effects in a table. A table that is small, or without anything to compare, has
// none. The error is why the table could not be read at all.
func (f *Finder) Find(ctx context.Context, ref string) (Findings, error) {
	out := Findings{Table: ref}
	i, ok, _ := f.catalog.Find(ref)
	if !ok {
		return out, fmt.Errorf("there is no table %s", ref)
	}
	s, err := f.source(ctx, i)
	if err != nil || s == nil {
		return out, err
	}
	found, tests, err := s.find(ctx)
	if err != nil {
		return out, err
	}
	for k := range found {
		if err := f.count(ctx, &found[k]); err != nil {
			return out, err
		}
	}
	found = slices.DeleteFunc(found, func(i Insight) bool {
		return i.Affected <= 0 || i.Affected < i.least || len(i.Unknown(i.Headline+i.Text)) > 0
	})
	sortInsights(found)
	out.Insights, out.Tests, out.Sampled, out.Left, out.Missed = found, tests, s.oneOf, s.left, s.missed
	return out, nil
}

// sortInsights sorts by severity, then by strength.
func sortInsights(all []Insight) {
	slices.SortStableFunc(all, func(a, b Insight) int {
		return cmp.Or(cmp.Compare(a.Severity.rank(), b.Severity.rank()), cmp.Compare(weight(b), weight(a)), cmp.Compare(a.Key, b.Key))
	})
}

// weight orders insights of one severity.
func weight(i Insight) float64 { return i.Confidence * math.Log1p(i.Strength) * (0.2 + i.Risk) }

// count counts the affected records of an insight.
func (f *Finder) count(ctx context.Context, i *Insight) error {
	r, err := f.query(ctx, "the records that an insight is about", i.AffectedSQL)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err == nil && r.Rows == 1 {
		i.Affected = int64(r.number(0, 0))
	}
	return nil
}

// find looks for all kinds of effects.
func (s *source) find(ctx context.Context) ([]Insight, int, error) {
	s.most = map[*column]float64{}
	out, err := s.outliers(ctx)
	if err != nil {
		return nil, 0, err
	}
	if err := s.addMeasures(ctx); err != nil { // without the outliers
		return nil, 0, err
	}
	cubes, err := s.cubes(ctx)
	if err != nil {
		return nil, 0, err
	}
	if s.clock != nil && cubes[0].grain == s.grain {
		s.volume = cubes[0].all.n
	}
	tests, compared := 0, 0
	var changes []*candidate
	var reversed []reversal
	var apart []apartFrom
	for n, c := range cubes {
		if s.clock != nil {
			found, t := s.search(c, n == 0)
			changes, tests = append(changes, found...), tests+t
		}
		switch len(c.dims) {
		case 1:
			found, t := s.differences(c)
			apart, tests = append(apart, found...), tests+t
		case 2:
			found, t := s.reversals(c)
			reversed, compared = append(reversed, found...), compared+t
		}
	}
	for _, d := range s.calendar() {
		if c, err := s.cube(ctx, d); err == nil {
			found, t := s.differences(c)
			apart, tests = append(apart, found...), tests+t
		} else if ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
	}
	told, err := s.tellChanges(ctx, changes, cubes, tests)
	if err != nil {
		return nil, 0, err
	}
	out = append(out, told...)
	apart = slices.DeleteFunc(apart, func(a apartFrom) bool {
		return slices.ContainsFunc(told, func(i Insight) bool { // what changed differs for that reason
			return i.Measure == a.v.m.say && slices.Contains(i.Segment, segment{{a.c.dims[0], a.cell.values[0]}}.conditions()[0])
		})
	})
	reversed = sureReversals(reversed, compared*s.f.spread)
	told, err = s.tellRest(ctx, cubes, reversed, apart, tests)
	return append(out, told...), tests + compared, err
}

// cubes asks for a cube of each dimension and of pairs of them. The first has all records. A cube
// that fails is left out. One statement is asked for several pairs as far as its result stays small, for
// each reads all records.
func (s *source) cubes(ctx context.Context) ([]*cube, error) {
	failed := 0
	pairs := s.pairs()
	if s.heavy() {
		s.thinOut()
	}
	first, err := s.cube(ctx)
	if ctx.Err() == nil && tooSlow(err) && s.thinOut() {
		first, err = s.cube(ctx)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("the measures of %s could not be read: %s", s.fact.ref, short(err))
	}
	out := []*cube{first}
	answers, err := s.answers(ctx, pairs)
	if err != nil {
		return nil, err
	}
	add := func(dims ...*dim) error {
		if c := s.known(answers, dims); c != nil {
			out = append(out, c)
			return nil
		}
		if failed >= maxFailed {
			return nil
		}
		c, err := s.cube(ctx, dims...)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			failed++
			names := ""
			for _, d := range dims {
				names += " by " + d.name()
			}
			s.missed = append(s.missed, fmt.Sprintf("%s%s could not be read: %s.", s.fact.ref, names, short(err)))
			return nil
		}
		out = append(out, c)
		return nil
	}
	for _, d := range s.dims {
		if err := add(d); err != nil {
			return nil, err
		}
	}
	failed = min(failed, maxFailed-1)
	for _, p := range pairs {
		if err := add(p[0], p[1]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// answers asks for several dimensions at once, so that each of the pairs is in one of the answers. When one fails, the
// rest is left to be asked for pair by pair, as are pairs that would need longer periods. The error is that of ctx.
func (s *source) answers(ctx context.Context, pairs [][2]*dim) ([]*answer, error) {
	sizes := make([]int, len(s.dims))
	for i, d := range s.dims {
		sizes[i] = d.size() + 2 // and those without a value; see [source.ask]
	}
	wanted := make([][2]int, len(pairs))
	for i, p := range pairs {
		wanted[i] = [2]int{slices.Index(s.dims, p[0]), slices.Index(s.dims, p[1])}
	}
	periods := 1
	if s.clock != nil {
		periods = len(periodsOf(s.grain, s.from, s.to))
	}
	var out []*answer
	for _, set := range together(sizes, wanted, togetherCells/max(periods, 1)) {
		dims := make([]*dim, len(set))
		for i, k := range set {
			dims[i] = s.dims[k]
		}
		a, err := s.ask(ctx, dims)
		if ctx.Err() == nil && tooSlow(err) && s.thinOut() {
			a, err = s.ask(ctx, dims)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil { // most likely it took too long, and the others would too
			break
		}
		if a.grain == s.grain {
			out = append(out, a)
		}
	}
	return out, nil
}

// togetherCells bounds the rows of a result that several cubes are made of. It stays below [maxCells] for its width.
const togetherCells = 12_000

// known is the cube of some dimensions, if an answer has them; nil else.
func (s *source) known(answers []*answer, dims []*dim) *cube {
	for _, a := range answers {
		if !slices.ContainsFunc(dims, func(d *dim) bool { return !slices.Contains(a.dims, d) }) {
			return s.cubeOf(a, dims...)
		}
	}
	return nil
}

// together puts dimensions of some sizes into sets of three or more, so that the pairs that are wanted are each within a
// set whose product is at most most. Pairs that no set of three can have stay out. It takes the first pair that is
// left, and adds what has the most other pairs with it.
func together(sizes []int, wanted [][2]int, most int) [][]int {
	left := slices.Clone(wanted)
	var out [][]int
	for len(left) > 0 {
		set := []int{left[0][0], left[0][1]}
		within := func(p [2]int) bool { return slices.Contains(set, p[0]) && slices.Contains(set, p[1]) }
		for {
			product := 1
			for _, k := range set {
				product *= sizes[k]
			}
			best, gain := -1, 0
			for k := range sizes {
				if slices.Contains(set, k) || product*sizes[k] > most {
					continue
				}
				n := 0
				for _, p := range left {
					if p[0] == k && slices.Contains(set, p[1]) || p[1] == k && slices.Contains(set, p[0]) {
						n++
					}
				}
				if n > gain {
					best, gain = k, n
				}
			}
			if best < 0 {
				break
			}
			set = append(set, best)
		}
		if len(set) > 2 {
			out = append(out, set)
		}
		left = slices.DeleteFunc(left, within)
	}
	return out
}

// pairs are the pairs of dimensions that are looked at together, those of fewest values first.
func (s *source) pairs() [][2]*dim {
	var dims []*dim
	for _, d := range s.dims {
		if (!d.outcome || d.role == builtin.Flag) && d.values <= pairValues && len(dims) < pairDims {
			dims = append(dims, d)
		}
	}
	var out [][2]*dim
	for i, a := range dims {
		for _, b := range dims[i+1:] {
			out = append(out, [2]*dim{a, b})
		}
	}
	slices.SortStableFunc(out, func(a, b [2]*dim) int { return cmp.Compare(a[0].values*a[1].values, b[0].values*b[1].values) })
	most := maxPairs
	if s.fact.rows > manyRows {
		most = fewPairs
	}
	return out[:min(len(out), most)]
}

// tellChanges words the changes that are significant and that no stronger one explains.
func (s *source) tellChanges(ctx context.Context, changes []*candidate, cubes []*cube, tests int) ([]Insight, error) {
	distinct, err := s.distinct(ctx, s.significant(changes, tests))
	if err != nil {
		return nil, err
	}
	var out []Insight
	for _, k := range distinct {
		if ok, err := s.steady(ctx, k); err != nil {
			return nil, err
		} else if !ok {
			continue
		}
		i, err := s.tell(ctx, k, cubes)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			s.missed = append(s.missed, fmt.Sprintf("A change of %s could not be read in full: %s.", k.v.m.say, short(err)))
			continue
		}
		if i != nil && !slices.ContainsFunc(out, func(o Insight) bool { return o.Key == i.Key }) {
			out = append(out, *i)
		}
	}
	if s.clock == nil {
		return out, nil
	}
	back, err := s.retention(ctx)
	for _, i := range back {
		out = append(out, *i)
	}
	return out, err
}

// maxReversals bounds the reversals of one table that are told.
const maxReversals = 2

// tellRest words reversals, differences and concentrations.
func (s *source) tellRest(ctx context.Context, cubes []*cube, reversed []reversal, all []apartFrom, tests int) ([]Insight, error) {
	var out []Insight
	add := func(i *Insight, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			s.missed = append(s.missed, "A difference could not be read in full: "+short(err)+".")
		} else if i != nil {
			out = append(out, *i)
		}
		return nil
	}
	slices.SortStableFunc(reversed, func(a, b reversal) int { return cmp.Compare(math.Abs(b.z), math.Abs(a.z)) })
	told := map[string]int{}
	for _, r := range reversed {
		if id := r.v.m.key + r.by.column.name; len(told) >= maxReversals || told[id] > 0 {
			continue
		}
		if ok, err := s.reversedEach(ctx, r); err != nil {
			return nil, err
		} else if !ok {
			continue
		}
		told[r.v.m.key+r.by.column.name]++
		if err := add(s.tellReversal(ctx, r, r.q)); err != nil {
			return nil, err
		}
	}
	p := make([]float64, len(all))
	for i := range all {
		p[i] = all[i].p
	}
	for i, q := range discoveryRates(p, tests*s.f.spread) {
		all[i].p = q
	}
	all = slices.DeleteFunc(all, func(a apartFrom) bool { return a.p > maxRate })
	for _, a := range strongest(all, reversed) {
		if ok, err := s.apartEach(ctx, a); err != nil {
			return nil, err
		} else if !ok {
			continue
		}
		if err := add(s.tellApart(ctx, a, a.p)); err != nil {
			return nil, err
		}
	}
	for _, c := range cubes {
		if err := add(s.concentration(ctx, c)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Worth reports whether a table may hold effects, by what the catalog says alone: it is not known
// to be small, and has a time, or something to compare and something to compare it by.
func Worth(x *catalog.Index, i int) bool {
	t := x.Table(i)
	if t.Rows >= 0 && t.Rows < leastRows {
		return false
	}
	groups, measured := false, false
	for _, c := range t.Columns {
		switch builtin.RoleOf(c.Name, c.Type, c.Key, false, t.Name) {
		case builtin.Moment, builtin.Coded:
			return true
		case builtin.Dimension, builtin.Code, builtin.Label:
			groups = true
		case builtin.Amount, builtin.Level, builtin.Ratio:
			measured = true
		case builtin.Flag:
			groups, measured = true, true
		}
	}
	for _, j := range x.Joins(i) { // lines of an order have its time
		if to, ok, _ := x.Find(j.Table); ok && measured {
			for _, c := range x.Table(to).Columns {
				if builtin.Dated(c.Type) {
					return true
				}
			}
		}
	}
	return groups && measured
}
