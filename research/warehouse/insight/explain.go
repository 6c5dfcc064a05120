package insight

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// The bounds of what is told of one table.
const (
	maxChanges   = 10 // changes that become insights
	maxExplained = 60 // candidates that are asked whether a stronger one explains them
)

// distinct returns the candidates that no stronger one explains. A candidate is explained if
// little of its effect is left without the records of the stronger ones.
func (s *source) distinct(ctx context.Context, all []*candidate) ([]*candidate, error) {
	var out []*candidate
	asked := 0
	for _, k := range all {
		if len(out) == maxChanges {
			break
		}
		var near []*candidate
		covered := false
		for _, o := range out {
			if echoes(o, k) {
				covered = true
				break
			}
			if k.segment().within(o.segment()) && sameSubject(k, o) && (overlap(k.in, o.in) || touch(k.in, o.in) || k.win.kink || o.win.kink) {
				covered = true
				break
			}
			if bears(o, k) {
				near = append(near, o)
			}
		}
		if covered {
			continue
		}
		if known := k.resolved(near); len(known) > 0 {
			if !k.withoutCells(known) {
				continue
			}
			if len(known) == len(near) {
				near = nil
			}
		}
		if len(near) > 0 {
			if asked++; asked > maxExplained {
				break
			}
			left, err := s.without(ctx, k, near)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if err != nil || !left {
				continue
			}
		}
		if o := s.mirrored(out, k); o != nil {
			if o.mirror == nil {
				o.mirror = k
			}
			continue
		}
		out = append(out, k)
	}
	return out, nil
}

// mirrored returns the stronger change of which k is the other side; nil if there is none.
func (s *source) mirrored(of []*candidate, k *candidate) *candidate {
	for _, o := range of {
		if s.mirrors(o, k) {
			return o
		}
	}
	return nil
}

// mirrors reports whether k is the other side of o: records that went from one value of a column to another.
func (s *source) mirrors(o, k *candidate) bool {
	if o.v.m.kind != counted || k.v.m.kind != counted || o.win.kink || k.win.kink || o.size*k.size >= 0 || !touch(o.in, k.in) {
		return false
	}
	a, b := o.segment(), k.segment()
	if len(a) != 1 || len(b) != 1 || a[0].d.column != b[0].d.column || a[0].d.leg != b[0].d.leg {
		return false
	}
	moved := func(c *candidate) float64 {
		now, _, days := c.sum(c.cell, c.in)
		was, _, before := c.sum(c.cell, c.before)
		return math.Abs(now/max(days, 1) - was/max(before, 1))
	}
	return moved(k) > 0.3*moved(o) && moved(o) > 0.3*moved(k)
}

// echoes reports whether k only says that the values of a column are fewer while o says that they are missing.
func echoes(o, k *candidate) bool {
	if o.v.m.kind != missing || o.size <= 0 || !overlap(k.in, o.in) || k.v.m.kind != counted && k.v.m.kind != share || k.v.m.kind == counted && k.size > 0 {
		return false
	}
	if k.v.m.of != nil && k.v.m.of.column == o.v.m.col.column {
		return true
	}
	return slices.ContainsFunc(k.segment(), func(p part) bool { return p.d.column == o.v.m.col.column })
}

// resolved returns those whose segments consist of whole cells of the cube of k.
func (k *candidate) resolved(others []*candidate) []*candidate {
	var out []*candidate
	for _, o := range others {
		of := o.segment()
		if len(of) > 0 && !slices.ContainsFunc(of, func(p part) bool { return k.place(p.d) < 0 }) {
			out = append(out, o)
		}
	}
	return out
}

// place is where a dimension stands in the cube of k; -1 if it does not.
func (k *candidate) place(d *dim) int {
	return slices.IndexFunc(k.cube.dims, func(o *dim) bool { return o.column == d.column && o.sqlText == d.sqlText })
}

// withoutCells is [source.without] for others whose records are whole cells of the cube of k.
func (k *candidate) withoutCells(others []*candidate) bool {
	others = others[:min(len(others), maxStrata)]
	strata := make([]stratum, 1<<len(others))
	add := func(c *cell, at, s int, sign float64) {
		for w, in := range []Period{k.before, k.in} {
			a, b, _ := k.sum(c, in)
			strata[at].num[s][w], strata[at].den[s][w] = strata[at].num[s][w]+sign*a, strata[at].den[s][w]+sign*b
		}
	}
	rest := 0
	if k.cell == nil {
		rest = 1
	}
	add(k.cube.all, 0, rest, 1)
	for _, c := range k.cube.cells {
		at := 0
		for bit, o := range others {
			if !slices.ContainsFunc(o.segment(), func(p part) bool { return c.values[k.place(p.d)].sql != p.v.sql }) {
				at |= 1 << bit
			}
		}
		s := rest
		if c == k.cell {
			s = 1
		}
		if at > 0 || c == k.cell {
			add(c, 0, rest, -1)
			add(c, at, s, 1)
		}
	}
	return k.remains(strata)
}

// bears reports whether a stronger change o may be what makes k look like one: a change of how many
// records there are changes all shares of them, and the mix behind averages; other changes bear on
// measures of the same column.
func bears(o, k *candidate) bool {
	m := o.v.m.kind
	return len(o.segment()) > 0 && (m == counted || m == summed || sameSubject(o, k))
}

// touch reports whether one period ends where the other begins, or they begin or end together:
// what was higher until a day is what is lower since.
func touch(a, b Period) bool {
	const near = 21 * 24 * time.Hour
	for _, x := range []time.Time{a.From, a.To} {
		for _, y := range []time.Time{b.From, b.To} {
			if x.Sub(y).Abs() <= near {
				return true
			}
		}
	}
	return false
}

// overlap reports whether two periods have a good part in common.
func overlap(a, b Period) bool {
	from, to := a.From, a.To
	if b.From.After(from) {
		from = b.From
	}
	if b.To.Before(to) {
		to = b.To
	}
	return Period{from, to}.days() > 0.2*min(a.days(), b.days())
}

// sameSubject reports whether two changes may be one: of the same measure, or of a count and what
// is summed over the records that are counted.
func sameSubject(a, b *candidate) bool {
	if a.v.m.key == b.v.m.key {
		return true
	}
	volume := func(m *measure) bool { return m.kind == counted || m.kind == summed }
	if volume(a.v.m) && volume(b.v.m) {
		return true
	}
	if a.v.m.kind == summed || b.v.m.kind == summed || a.v.m.kind == average && b.v.m.kind == average {
		return a.v.m.col != nil && b.v.m.col != nil && a.v.m.col.column == b.v.m.col.column
	}
	return a.v.m.of != nil && b.v.m.of != nil && a.v.m.of.column == b.v.m.of.column // shares of one outcome
}

// maxStrata bounds the stronger changes that one query looks past.
const maxStrata = 4

// without reports whether at least half of the effect of k is left when records of stronger
// changes are compared among themselves only.
func (s *source) without(ctx context.Context, k *candidate, others []*candidate) (bool, error) {
	fields := k.segment().fields()
	others = others[:min(len(others), maxStrata)]
	stratumOf := "" // which of the others a record belongs to, one bit for each
	for i, o := range others {
		fields = append(fields, o.segment().fields()...)
		stratumOf += fmt.Sprintf(" + CASE WHEN %s THEN %d ELSE 0 END", o.segment().sql(), 1<<i)
	}
	stratumOf = strings.TrimPrefix(stratumOf, " + ")
	m := k.v.m
	list := []string{"COUNT(*)"}
	if m.kind != counted {
		list = append(list, m.num)
		if m.den != "" {
			list = append(list, m.den)
		}
	}
	seg := "CASE WHEN " + k.segment().sql() + " THEN 1 ELSE 0 END"
	in := "CASE WHEN " + s.within(k.in) + " THEN 1 ELSE 0 END"
	sql := "SELECT " + seg + " AS in_segment, " + in + " AS in_period, " + stratumOf + " AS in_stronger"
	for i, x := range list {
		sql += fmt.Sprintf(", %s AS a%d", x, i)
	}
	if m.col != nil {
		fields = append(fields, m.col)
	}
	sql += "\nFROM " + s.tables(fields...) + "\nWHERE " + s.seen(s.within(Period{minTime(k.before.From, k.in.From), k.in.To})) + "\nGROUP BY " + s.f.sql.Group("in_segment", seg) + ", " + s.f.sql.Group("in_period", in) + ", " + s.f.sql.Group("in_stronger", stratumOf)
	r, err := s.f.query(ctx, "whether "+m.say+k.segment().said()+" changed apart from stronger changes", sql)
	if err != nil {
		return false, err
	}
	strata := make([]stratum, 1<<len(others))
	for row := range r.Rows {
		a, w, g := int(r.number(row, 0)), int(r.number(row, 1)), int(r.number(row, 2))
		n := r.number(row, 3)
		num, den := n, n
		switch {
		case m.kind == counted:
		case m.den == "" || m.den == "COUNT(*)":
			num = r.number(row, 4)
		default:
			num, den = r.number(row, 4), r.number(row, 5)
		}
		strata[g].num[a][w], strata[g].den[a][w] = num, den
	}
	return k.remains(strata), nil
}

// stratum is what a measure is made of outside and inside of a segment, before and in a period.
type stratum struct{ num, den [2][2]float64 }

// remains pools the effect over strata, each with the inverse of its variance, and compares it
// with that of k. Of all records together only those of the first stratum count, which no stronger
// change concerns.
func (k *candidate) remains(strata []stratum) bool {
	one := len(k.segment()) == 0
	if one {
		strata = strata[:1]
	}
	var sum, weight float64
	for _, g := range strata {
		if d, noise, ok := k.effect(g, one); ok {
			sum, weight = sum+d/noise, weight+1/noise
		}
	}
	if weight == 0 {
		return false
	}
	d := sum / weight
	was, least := k.size, leastChange*0.7
	switch m := k.v.m.kind; {
	case m == counted || m == summed:
		was = math.Log(max(1+k.size, 0.02))
	case m.isShare():
		least = leastPoints * 0.7
	}
	return d*was > 0 && math.Abs(d) >= 0.5*math.Abs(was) && math.Abs(d) >= least && math.Abs(d) >= 4/math.Sqrt(weight)
}

// effect is the effect in one stratum, with its variance; false if there are too few records.
func (k *candidate) effect(g stratum, one bool) (d, noise float64, ok bool) {
	days := [2]float64{k.before.days(), k.in.days()}
	m := k.v.m.kind
	variation := k.v.variation(k)
	level := func(s, w int) float64 {
		n := g.den[s][w]
		switch {
		case m == counted || m == summed:
			noise += variation / (n + 0.5)
			return math.Log((g.num[s][w] + 0.5) / days[w])
		case n == 0:
			return math.NaN()
		case m.isShare():
			p := min(max(g.num[s][w]/n, 0.002), 0.998)
			noise += p * (1 - p) / n
		default:
			noise += variation / n
		}
		return g.num[s][w] / n
	}
	if g.den[1][0]+g.den[1][1] < leastWindow/3 || !one && g.den[0][0]+g.den[0][1] < leastWindow/3 {
		return 0, 0, false
	}
	was := level(1, 0)
	d = level(1, 1) - was
	if m == average {
		d /= math.Abs(was)
	}
	if !one {
		other := level(0, 0)
		change := level(0, 1) - other
		if m == average && k.v.logs() { // by percent, as in the search
			change /= math.Abs(other)
		} else if m == average {
			change /= math.Abs(was)
		}
		d -= change
	}
	return d, noise, isFinite(d) && noise > 0
}

// variation is the least variance of the logarithm of a count or a sum, times its records.
func (v view) variation(k *candidate) float64 {
	of := k.cube.all
	if k.cell != nil {
		of = k.cell
	}
	num, den, square := v.whole(of)
	if den <= 0 || num == 0 {
		return 1
	}
	return v.noise(num, den, square)
}

func minTime(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
