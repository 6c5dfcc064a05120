package insight

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"quaestor/research/warehouse/builtin"
)

// maxMeasures bounds how many measures of one fact are looked at.
const maxMeasures = 24

// addMeasures finds what may be measured. Numbers that are none of something (ids, postal codes,
// years, coordinates) make no measures, and levels and ratios are never summed.
func (s *source) addMeasures(ctx context.Context) error {
	s.measures = []*measure{{kind: counted, key: "count", say: s.fact.noun, num: "COUNT(*)"}}
	for _, c := range s.fact.cols {
		if c.spoilt || c.filled == 0 {
			continue
		}
		x := s.field(-1, c)
		if err := s.measure(ctx, x); err != nil {
			return err
		}
		s.gaps(x)
	}
	for _, d := range s.dims {
		if d.outcome && d.role != builtin.Flag && d.leg < 0 {
			if err := s.outcomes(ctx, d); err != nil {
				return err
			}
		}
	}
	s.define()
	if len(s.measures) > maxMeasures {
		s.left = append(s.left, fmt.Sprintf("Of %d measures of %s the first %d were looked at.", len(s.measures), s.fact.ref, maxMeasures))
		s.measures = s.measures[:maxMeasures]
	}
	return nil
}

// measure adds what a column measures.
func (s *source) measure(ctx context.Context, c *field) error {
	switch c.role {
	case builtin.Amount, builtin.Level, builtin.Ratio:
		if !c.ranged || c.high <= c.low {
			return nil
		}
		if c.values == 2 && c.low == 0 && c.high == 1 {
			s.share(c, c.x+" = 1", nil, "share of "+s.fact.noun+flagged(c.say), doesFlag(c.say))
			return nil
		}
		s.numbers(c)
	case builtin.Flag:
		if c.values != 2 && !builtin.Truth(c.typ) || builtin.TextType(c.typ) {
			return nil
		}
		is := c.x + " = 1"
		if builtin.Truth(c.typ) {
			is = s.f.sql.True(c.x)
		}
		s.share(c, is, nil, "share of "+s.fact.noun+flagged(c.say), doesFlag(c.say))
	case builtin.Moment:
		if s.clock != nil && c.column != s.clock.column && c.filled < 0.995*float64(s.fact.rows) && c.filled > 0.005*float64(s.fact.rows) {
			return s.dates(ctx, c)
		}
	}
	return nil
}

// flagged says that records have a flag.
func flagged(say string) string {
	say = strings.TrimSuffix(say, " flag")
	if is, ok := strings.CutPrefix(say, "is "); ok {
		return " that are " + is
	}
	if has, ok := strings.CutPrefix(say, "has "); ok {
		return " that have " + has
	}
	return " that are " + say
}

// numbers adds the average of a number, and its sum if it is an amount.
func (s *source) numbers(c *field) {
	x := s.f.sql.Float(c.x)
	count := c.x
	if most, ok := s.most[c.column]; ok { // the outliers are told of apart
		least := "CASE WHEN " + c.x + " <= " + decimal(most) + " THEN "
		x, count = least+x+" END", least+c.x+" END"
	}
	m := measure{kind: average, key: "average:" + c.name, say: "average " + c.say, col: c, value: x, num: "SUM(" + x + ")", den: "COUNT(" + count + ")", square: "SUM((" + x + ") * (" + x + "))"}
	s.measures = append(s.measures, &m)
	if c.role == builtin.Amount && c.low >= 0 {
		m := m
		m.kind, m.key, m.say, m.den = summed, "sum:"+c.name, "total "+strings.TrimPrefix(c.say, "total "), ""
		s.measures = append(s.measures, &m)
	}
}

// decimal writes a number in full.
func decimal(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// share adds the share of records that meet a condition.
func (s *source) share(c *field, is string, of *dim, say string, verb does) {
	key := "share:" + c.name
	if of != nil {
		key += "=" + is[len(c.x):]
	}
	s.measures = append(s.measures, &measure{kind: share, key: key, say: say, col: c, of: of, is: is, does: verb, base: c.x + " IS NOT NULL", num: sumIf(is), den: "COUNT(" + c.x + ")"})
}

// sumIf counts the rows that meet a condition.
func sumIf(is string) string { return "SUM(CASE WHEN " + is + " THEN 1 ELSE 0 END)" }

// gaps adds the share of records without a value in c, if some have none.
func (s *source) gaps(c *field) {
	full := float64(s.fact.rows)
	if s.clock != nil && c.column == s.clock.column || c.filled >= full || c.filled < 0.05*full || c.role == builtin.Moment || c.role == builtin.Unused {
		return
	}
	s.measures = append(s.measures, &measure{kind: missing, key: "missing:" + c.name, say: "share of " + s.fact.noun + " without " + c.say, col: c, is: c.x + " IS NULL", does: doesMissing(c.say), num: "COUNT(*) - COUNT(" + c.x + ")", den: "COUNT(*)"})
}

// dates adds the share of records that have a date, such as that of their shipping. Records of
// late are left out, which have none yet: those within the span in which 95 of 100 have got theirs.
func (s *source) dates(ctx context.Context, c *field) error {
	until := s.to
	days := s.f.sql.Days(s.clock.x, c.x)
	if p, ok := s.f.sql.Quantile(days, "0.95"); ok {
		r, err := s.f.query(ctx, "how long it takes until "+c.say+" of "+s.fact.noun, "SELECT "+p+" AS a0\nFROM "+s.tables(c)+"\nWHERE "+c.x+" IS NOT NULL")
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil && r.Rows == 1 {
			until = s.to.AddDate(0, 0, -int(min(max(r.number(0, 0), 0), 1000))-1)
		}
	}
	if until.Sub(s.from) < 60*24*time.Hour && s.grain != "day" {
		return nil
	}
	s.measures = append(s.measures, &measure{kind: dated, key: "dated:" + c.name, say: "share of " + s.fact.noun + " with " + c.say + " filled in", col: c, is: c.x + " IS NOT NULL", does: doesDated(c.say), num: "COUNT(" + c.x + ")", den: "COUNT(*)", until: until})
	return nil
}

// outcomes adds the shares of the values of an outcome.
func (s *source) outcomes(ctx context.Context, d *dim) error {
	r, err := s.f.query(ctx, "how often each "+d.say+" of "+s.fact.noun+" occurs",
		"SELECT "+d.x+" AS a0, COUNT(*) AS a1\nFROM "+s.tables(d.field)+"\nGROUP BY "+d.x+"\nORDER BY COUNT(*) DESC\n"+s.f.sql.Limit(9))
	if ctx.Err() != nil || err != nil {
		return ctx.Err()
	}
	for i := range min(r.Rows, 8) {
		part := r.number(i, 1) / float64(max(s.fact.rows, 1))
		v, ok := s.value(r, i, 0)
		if !ok || part < 0.003 || part > 0.997 {
			continue
		}
		if r.Rows == 2 && i == 0 { // the other says the same
			continue
		}
		condition := d.name() + " “" + v.text + "”"
		s.share(d.field, d.x+" = "+v.sql, d, "share of "+s.fact.noun+" with "+condition, doesValue(condition))
	}
	return nil
}

// value is a value of a dimension.
type value struct {
	text string
	sql  string // as a constant
}

// value reads a value; false for null, and for one that cannot be written in SQL.
func (s *source) value(r rows, row, col int) (value, bool) {
	if r.null(row, col) {
		return value{}, false
	}
	v := value{text: r.text(row, col)}
	switch kindOf(&r.Columns[col]) {
	case "bool":
		v.sql = "TRUE"
		if r.number(row, col) == 0 {
			v.sql, v.text = "FALSE", "false"
		} else {
			v.text = "true"
		}
	case "number":
		n, ok := r.numberOK(row, col)
		if !ok {
			return v, false
		}
		v.sql = strconv.FormatFloat(n, 'f', -1, 64)
		v.text = v.sql
	case "text":
		if len(v.text) > 80 {
			return v, false
		}
		var ok bool
		if v.sql, ok = s.f.sql.Text(v.text); !ok {
			return v, false
		}
	default:
		return v, false
	}
	return v, true
}
