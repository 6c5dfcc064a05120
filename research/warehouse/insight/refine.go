package insight

import (
	"context"
	"fmt"
	"time"
)

// refine finds the day at which a change began, and that at which it ended, near the start of the
// periods that were compared.
func (s *source) refine(ctx context.Context, k *candidate) error {
	if k.cube.grain == "day" || k.win.kink {
		return nil
	}
	width := 9
	if k.cube.grain == "month" {
		width = 40
	}
	from, err := s.edge(ctx, k, k.in.From, width, 1)
	if err != nil {
		return err
	}
	to := k.in.To
	if to.Before(s.to.AddDate(0, 0, -width)) {
		if to, err = s.edge(ctx, k, k.in.To, width, -1); err != nil {
			return err
		}
	}
	if to.Sub(from) < 24*time.Hour {
		return nil
	}
	was := k.before
	k.in = Period{from, to}
	k.before = before(k.in, s.from)
	if k.before.days() < 7 {
		k.before = was
	}
	return nil
}

// edge returns the day near at that divides the days around it best: the least squares estimate
// of a break (Bai 1997, Review of Economics and Statistics 79:551). sign is 1 for the beginning
// of a change and -1 for its end.
func (s *source) edge(ctx context.Context, k *candidate, at time.Time, width int, sign float64) (time.Time, error) {
	span := Period{at.AddDate(0, 0, -width), at.AddDate(0, 0, width)}
	if span.From.Before(s.from) || span.To.After(s.to) {
		return at, nil
	}
	m := k.v.m
	day := s.f.sql.Truncate("day", s.clock.x)
	seg := "CASE WHEN " + k.segment().sql() + " THEN 1 ELSE 0 END"
	list := []string{"COUNT(*)"}
	if m.kind != counted {
		list = append(list, m.num)
		if m.den != "" {
			list = append(list, m.den)
		}
	}
	fields := k.segment().fields()
	if m.col != nil {
		fields = append(fields, m.col)
	}
	sql := "SELECT " + day + " AS day_of, " + seg + " AS in_segment"
	for i, x := range list {
		sql += fmt.Sprintf(", %s AS a%d", x, i)
	}
	r, err := s.f.query(ctx, "the day at which "+m.say+k.segment().said()+" changed", sql+"\nFROM "+s.tables(fields...)+"\nWHERE "+s.seen(s.within(span))+"\nGROUP BY "+s.f.sql.Group("day_of", day)+", "+s.f.sql.Group("in_segment", seg))
	if ctx.Err() != nil || err != nil {
		return at, ctx.Err()
	}
	n := 2 * width
	y, w := make([]float64, n), make([]float64, n)
	for row := range r.Rows {
		t, ok := r.time(row, 0)
		i := int(dayOf(t).Sub(span.From).Hours() / 24)
		if !ok || i < 0 || i >= n || r.number(row, 1) != 1 {
			continue
		}
		switch count := r.number(row, 2); {
		case m.kind == counted:
			y[i], w[i] = count, 1
		case m.kind == summed:
			y[i], w[i] = r.number(row, 3), 1
		case m.den == "" || m.den == "COUNT(*)":
			y[i], w[i] = r.number(row, 3)/max(count, 1), count
		case r.number(row, 4) > 0:
			y[i], w[i] = r.number(row, 3)/r.number(row, 4), r.number(row, 4)
		}
	}
	if m.kind == counted || m.kind == summed {
		for i := range w {
			w[i] = 1 // a day without records counts as none
		}
	}
	if i := split(y, w, sign*k.win.effect); i > 0 {
		return span.From.AddDate(0, 0, i), nil
	}
	return at, nil
}

// split returns where the values differ most before and after, in the given direction; 0 for
// nowhere.
func split(y, w []float64, direction float64) int {
	var best float64
	at := 0
	for i := 2; i <= len(y)-2; i++ {
		var a, aw, b, bw float64
		for j := range y {
			if j < i {
				a, aw = a+w[j]*y[j], aw+w[j]
			} else {
				b, bw = b+w[j]*y[j], bw+w[j]
			}
		}
		if aw == 0 || bw == 0 {
			continue
		}
		d := b/bw - a/aw
		if gain := d * d * aw * bw / (aw + bw); d*direction > 0 && gain > best {
			best, at = gain, i
		}
	}
	return at
}
