package insight

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
)

// checks are the queries that look for trivial explanations of a change. Each returns one number.
func (s *source) checks(k *candidate) []Refutation {
	m, seg := k.v.m, k.segment()
	g, now, was := seg.sql(), s.within(k.in), s.within(k.before)
	fields := seg.fields()
	if m.col != nil {
		fields = append(fields, m.col)
	}
	var out []Refutation
	add := func(name string, breaks float64, broken, held, expr string, span Period) {
		out = append(out, Refutation{name, "SELECT " + expr + " AS value\nFROM " + s.tables(fields...) + "\nWHERE " + s.within(span), breaks, broken, held})
	}
	both := Period{k.before.From, k.in.To}
	day := s.f.sql.Truncate("day", s.clock.x)
	if m.kind == counted || m.kind == summed {
		if len(seg) == 0 && k.size < 0 {
			add("missing data", 0.2, "Many days of the period have no records at all.", "The days of the period have records.",
				point(1)+" - COUNT(DISTINCT CASE WHEN "+now+" THEN "+day+" END) / "+point(k.in.days()), both)
		} else if len(seg) > 0 {
			rest := "CASE WHEN " + g + " THEN 1 ELSE 0 END = 0"
			add("missing data", 0.5, "All other records are as many fewer: data may be missing, or the whole has changed.", "Other records did not change as much.",
				ratioOf(m.in(rest+" AND "+now, k.in.days()), m.in(rest+" AND "+was, k.before.days()), m.in(g+" AND "+now, k.in.days()), m.in(g+" AND "+was, k.before.days())), both)
		}
	}
	if m.kind == average || m.kind == summed {
		add("one record", 0.5, "One record makes up most of the sum.", "No record makes up much of the sum.",
			"COALESCE(MAX(CASE WHEN "+g+" AND "+now+" THEN ABS("+m.value+") END) / NULLIF(SUM(CASE WHEN "+g+" AND "+now+" THEN ABS("+m.value+") ELSE 0 END), 0), 0)", both)
		add("values that are missing", 0.2, "The share of missing values changed.", "As many values are there as before.",
			"ABS(COALESCE(COUNT(CASE WHEN "+g+" AND "+now+" THEN "+m.col.x+" END) * 1.0 / NULLIF("+sumIf(g+" AND "+now)+", 0), 0) - COALESCE(COUNT(CASE WHEN "+g+" AND "+was+" THEN "+m.col.x+" END) * 1.0 / NULLIF("+sumIf(g+" AND "+was)+", 0), 0))", both)
	}
	add("few records", 1, "There are too few records before and in the period.", "There are enough records.",
		"CASE WHEN "+sumIf(g+" AND "+now)+" + "+sumIf(g+" AND "+was)+" < "+fmt.Sprint(2*leastWindow)+" THEN 1 ELSE 0 END", both)
	last := func(p Period) Period { return Period{p.From.AddDate(-1, 0, 0), p.To.AddDate(-1, 0, 0)} }
	if before := last(k.before); !before.From.Before(s.from) && k.in.days() < 350 {
		add("season", 0.5, "The same happened a year earlier.", "A year earlier it did not happen.",
			ratioOf(m.in(g+" AND "+s.within(last(k.in)), k.in.days()), m.in(g+" AND "+s.within(before), k.before.days()), m.in(g+" AND "+now, k.in.days()), m.in(g+" AND "+was, k.before.days())),
			Period{before.From, k.in.To})
	}
	return out
}

// ratioOf is how large the relative change from b to a is, as a part of that from d to c; 0 if it
// has another sign.
func ratioOf(a, b, c, d string) string {
	return "COALESCE(((" + a + ") / NULLIF(" + b + ", 0) - 1.0) / NULLIF((" + c + ") / NULLIF(" + d + ", 0) - 1.0, 0), 0)"
}

// Check counts the affected records of an insight anew, computes the figures of its sentences anew by other statements, as
// far as they have one, and tries its trivial explanations. It
// never changes what the insight says; see [Review]. The error is that of ctx.
func Check(ctx context.Context, i *Insight, ask Asker) (Review, error) {
	out := Review{Claimed: i.Affected, SQL: i.Review.SQL}
	one := func(name, sql string) (float64, error) {
		r, err := ask(ctx, name, sql)
		if err != nil {
			return 0, err
		}
		if r == nil || r.Rows != 1 || len(r.Columns) != 1 {
			return 0, fmt.Errorf("the answer is not one number")
		}
		v, ok := rows{r}.numberOK(0, 0)
		if !ok {
			return 0, nil // a sum over nothing
		}
		return v, nil
	}
	n, err := one("the affected records of "+i.ID+", counted by month", out.SQL)
	switch {
	case ctx.Err() != nil:
		return out, ctx.Err()
	case err != nil:
		out.Status, out.Reason = Failed, "It could not be counted anew: "+short(err)+"."
		return out, nil
	}
	out.Verified = int64(math.Round(n))
	out.Status, out.Reason = compare(out.Claimed, out.Verified)
	if err := out.recount(ctx, i, one); err != nil || out.Status == Failed {
		return out, err
	}
	for _, c := range i.Refutations {
		v, err := one(c.Name, c.SQL)
		switch {
		case ctx.Err() != nil:
			return out, ctx.Err()
		case err != nil:
			out.Tried = append(out.Tried, Explanation{c.Name, false, "It could not be asked: " + short(err) + ".", c.SQL})
			continue
		}
		e := Explanation{Name: c.Name, Holds: v >= c.Breaks, Note: c.Held, SQL: c.SQL}
		if e.Holds {
			e.Note = c.Broken
			out.Status, out.Reason = Rejected, "It has a trivial explanation. "+c.Broken
		}
		out.Tried = append(out.Tried, e)
	}
	if i.Q > 0 {
		out.Tried = append(out.Tried, Explanation{Name: "chance, given how much was tested", Holds: i.Q > maxRate, Note: "It is a discovery even at a small rate of false ones."})
	}
	return out, nil
}

// The bounds within which a figure that is computed anew is the same, and within which it is still told: what is asked in
// between may have changed the data a little.
const (
	sameWithin = 0.01 // relative
	nearWithin = 0.2
	samePoints = 0.05 // of a share, in percentage points
	nearPoints = 1.0
)

// recount computes the figures of the sentences anew, and lowers the status to what comes of them. The error is that of
// ctx.
func (r *Review) recount(ctx context.Context, i *Insight, one func(name, sql string) (float64, error)) error {
	if r.Status == Rejected {
		return nil
	}
	told := placeholdersOf(i.Headline + i.Text)
	for _, f := range i.Figures {
		if f.Recount == "" || !slices.Contains(told, f.ID) && f.ID != "now" && f.ID != "was" {
			continue
		}
		v, err := one(f.Name+", computed anew", f.Recount)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			r.Status, r.Reason = Failed, "Its figures could not be computed anew: "+short(err)+"."
			return nil
		}
		r.settle(f, v, f.Recount)
	}
	now, isNow := r.counted("now")
	was, isWas := r.counted("was")
	for _, f := range i.Figures {
		if f.ID == "change" && isNow && isWas && (f.Unit == Points || was != 0) {
			v := math.Abs(now - was)
			if f.Unit != Points {
				v = 100 * v / math.Abs(was)
			}
			r.settle(f, v, "")
		}
	}
	if r.Status == Confirmed && i.Recomputed(*r) {
		r.Reason += " The figures of the sentence were computed anew by other statements, and are the same."
	}
	return nil
}

// settle notes what a figure came to when it was computed anew.
func (r *Review) settle(f Figure, v float64, sql string) {
	r.Figures = append(r.Figures, Recounted{f.ID, f.Value, v, sql})
	apart := math.Abs(v - f.Value)
	within := func(relative, points float64) bool {
		return apart <= relative*math.Abs(f.Value)+1e-9 || (f.Unit == Percent || f.Unit == Points) && apart <= points
	}
	again := f
	again.Value = v
	switch {
	case within(sameWithin, samePoints):
	case within(nearWithin, nearPoints):
		if r.Status == Confirmed {
			r.Status, r.Reason = Adjusted, "Another statement computes "+again.String()+" for “"+f.Name+"”, which is given as "+f.String()+"."
		}
	default:
		r.Status, r.Reason = Rejected, "Another statement computes "+again.String()+" for “"+f.Name+"”, and not "+f.String()+"."
	}
}

// counted returns what a figure came to when it was computed anew.
func (r *Review) counted(id string) (float64, bool) {
	for _, f := range r.Figures {
		if f.ID == id {
			return f.Counted, true
		}
	}
	return 0, false
}

// Recomputed reports whether a check computed what the headline says anew: all of its figures, or, if it has none, those
// that the direction it tells is seen in. That a difference is within each stratum is not computed anew.
func (i *Insight) Recomputed(r Review) bool {
	some := i.Kind == TrendBreak && len(r.Figures) > 0
	for _, f := range i.Figures {
		if strings.Contains(i.Headline, "{{"+f.ID+"}}") {
			if _, ok := r.counted(f.ID); !ok {
				return false
			}
			some = true
		}
	}
	return some
}

// compare compares a count with the one that was claimed: within 20 % it is confirmed.
func compare(claimed, verified int64) (Status, string) {
	ratio := float64(verified) / math.Max(float64(claimed), 1)
	switch {
	case verified == 0:
		return Rejected, "No record was found when they were counted anew."
	case verified == claimed:
		return Confirmed, "The records were counted anew by another query, with the same result."
	case ratio >= 0.8 && ratio <= 1.2:
		return Confirmed, "The records were counted anew by another query, with the same result within a fifth."
	default:
		return Adjusted, "Another query counts another number of records."
	}
}

// Recompute asks for a figure again.
func Recompute(ctx context.Context, f Figure, ask Asker) (float64, error) {
	r, err := ask(ctx, f.Name, f.SQL)
	if err != nil {
		return 0, err
	}
	if r == nil || r.Rows != 1 || len(r.Columns) != 1 {
		return 0, fmt.Errorf("figure %s: the answer is not one number", f.ID)
	}
	v, ok := rows{r}.numberOK(0, 0)
	if !ok {
		return 0, fmt.Errorf("figure %s: the answer is no number", f.ID)
	}
	return v, nil
}
