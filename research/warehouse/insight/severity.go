package insight

import (
	"math"
)

// rate sets how severe a change is: by how much of the whole is at stake, and how large it is.
func (s *source) rate(out *Insight, k *candidate) {
	of := k.cube.all
	if k.cell != nil {
		of = k.cell
	}
	a, an, ad := k.sum(of, k.in)
	b, bn, bd := k.sum(of, k.before)
	wa, wn, wd := k.sum(k.cube.all, k.before)
	risk := 0.0
	switch m := k.v.m.kind; {
	case m == counted || m == summed:
		if wa > 0 && bd > 0 && ad > 0 && wd > 0 {
			risk = math.Abs(a/ad-b/bd) / (wa / wd)
		}
	case m.isShare():
		if wn > 0 {
			risk = math.Abs(k.size) * max(bn/wn, an/max(wn/max(wd, 1)*max(ad, 1), 1))
		}
	default:
		if wn > 0 {
			risk = min(math.Abs(k.size), 1) * bn / wn
		}
	}
	out.Risk = min(risk, 1)
	big := math.Abs(k.size)
	if k.v.m.kind.isShare() && bn > 0 { // against what it was, or was not
		big /= max(min(b/bn, 1-b/bn), 0.05)
	}
	switch {
	case out.Risk >= 0.10 && big >= 0.2:
		out.Severity = Critical
	case out.Risk >= 0.01, big >= 0.3 && out.Risk >= 0.002:
		out.Severity = High
	case out.Risk >= 0.001, big >= 0.15 && out.Risk >= 0.0005:
		out.Severity = Medium
	default:
		out.Severity = Low
	}
	out.Confidence = confidence(k.q, min(an, bn))
	if len(k.segment()) == 0 && s.from.After(k.in.From.AddDate(-1, 0, 0)) && !k.v.m.kind.isShare() {
		if out.Severity.rank() < Medium.rank() {
			out.Severity = Medium
		}
		out.Confidence = min(out.Confidence, 0.6)
		out.Text += " There are no records of a year earlier, so that a season cannot be ruled out."
	}
	if len(k.segment()) > 0 && s.from.After(k.in.From.AddDate(-1, 0, 0)) && !k.v.m.kind.isShare() {
		out.Confidence = min(out.Confidence, 0.75)
		out.Text += " There are no records of a year earlier, so that a season of these alone cannot be ruled out."
	}
	if k.in.days() < 14 && out.Severity == Critical {
		out.Severity = High
	}
}

// confidence is how sure an effect is, by its false discovery rate and the records it rests on.
func confidence(q, n float64) float64 {
	c := 0.80
	switch {
	case q < 1e-8:
		c = 0.95
	case q < 1e-4:
		c = 0.90
	}
	if n < 100 {
		c -= 0.15
	}
	return c
}

// affected counts the records that a change is about.
func (s *source) affected(out *Insight, k *candidate) {
	seg, m := k.segment(), k.v.m
	in := k.in
	if of := k.cell; of != nil {
		if n, _, _ := k.sum(of, k.in); n == 0 && m.kind == counted {
			in = k.before // nothing is left of it
		}
	}
	where := seg.sql() + " AND " + s.within(in)
	fields := seg.fields()
	if m.kind.isShare() && k.size > 0 {
		where += " AND " + m.is
		fields = append(fields, m.col)
	}
	s.count(out, fields, where)
}

// count sets the statement that counts the affected records, and the one that counts them anew.
func (s *source) count(out *Insight, fields []*field, where string) {
	from := "\nFROM " + s.tables(fields...) + "\nWHERE " + where
	out.AffectedSQL = "SELECT COUNT(*) AS value" + from
	out.Review.SQL = s.grouped("SUM(n)", "COUNT(*) AS n", fields, where)
}
