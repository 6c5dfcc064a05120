package question

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"quaestor/internal/language"
	"quaestor/research/warehouse/builtin"
)

// period reads the dates of the question as one span of time.
func (r *reader) period() *Unclear {
	var at []int
	for i := range r.tokens {
		if r.tokens[i].date != nil {
			at = append(at, i)
		}
	}
	switch len(at) {
	case 0:
		return nil
	case 1:
		t := &r.tokens[at[0]]
		if u := r.vague(at[0]); u != nil {
			return u
		}
		p := dateSpan(t.date)
		p.Yearless = t.yearless
		switch {
		case r.before(at[0], since):
			p.To = time.Time{}
		case r.before(at[0], after):
			p.From, p.To = p.To, time.Time{}
		case r.before(at[0], before):
			p.From, p.To = time.Time{}, p.From
		case r.before(at[0], until):
			p.From = time.Time{}
		}
		r.out.Period = p
	case 2:
		if !r.before(at[0], between, from, since) || !r.rangeBetween(at[0], at[1]) {
			return &Unclear{Why: TooMuch, Word: r.tokens[at[1]].text}
		}
		for k, i := range at {
			if part := r.tokens[i].part; part != "" && part != []sign{since, until}[k] {
				return &Unclear{Why: Vague, Word: r.tokens[i].text}
			}
		}
		first, last := dateSpan(r.tokens[at[0]].date), dateSpan(r.tokens[at[1]].date)
		if r.tokens[at[0]].yearless && !r.tokens[at[1]].yearless {
			first = first.in(last.From)
		}
		for last.From.Before(first.From) && r.tokens[at[0]].yearless {
			first = first.in(last.From)
		}
		if last.To.Before(first.From) {
			return &Unclear{Why: Vague, Word: r.tokens[at[0]].text}
		}
		r.out.Period = Period{From: first.From, To: last.To, Yearless: r.tokens[at[0]].yearless && r.tokens[at[1]].yearless}
	default:
		return &Unclear{Why: TooMuch, Word: r.tokens[at[2]].text}
	}
	return r.clock("")
}

// vague refuses the date of token i if nobody says which days it has: "the end of October". What is
// since its beginning or until its end is clear.
func (r *reader) vague(i int) *Unclear {
	t := &r.tokens[i]
	if t.part == "" || t.part == since && r.before(i, since, before) || t.part == until && r.before(i, until, after) {
		return nil
	}
	return &Unclear{Why: Vague, Word: t.text}
}

// rangeBetween reports whether nothing but "and" or "to" stands between two tokens.
func (r *reader) rangeBetween(i, k int) bool {
	for i++; i < k; i++ {
		if !r.tokens[i].is(also, to, until, skip) {
			return false
		}
	}
	return true
}

// dateSpan returns the span of a date, which may be several months.
func dateSpan(d *language.DateValue) Period {
	p := spanOf(d.ISO)
	if last := cmp.Or(d.Through, d.End); last != "" {
		p.To = spanOf(last).To
	}
	return p
}

// spanOf returns the span of a day, a month, a year, or of two days with a slash between.
func spanOf(iso string) Period {
	if first, last, ok := strings.Cut(iso, "/"); ok {
		from, _ := time.Parse(time.DateOnly, first)
		to, _ := time.Parse(time.DateOnly, last)
		return Period{From: from, To: to}
	}
	for layout, add := range map[string][3]int{"2006": {1, 0, 0}, "2006-01": {0, 1, 0}, time.DateOnly: {0, 0, 1}} {
		if from, err := time.Parse(layout, iso); err == nil {
			return Period{From: from, To: from.AddDate(add[0], add[1], add[2])}
		}
	}
	return Period{}
}

// clock chooses the column of times. One that the question names is taken over it later.
func (r *reader) clock(span string) *Unclear {
	if r.out.Clock != nil {
		return nil
	}
	if r.out.Clock = r.out.metric.clock(r.out.scope); r.out.Clock != nil {
		return nil
	}
	var list []*field
	for i := range r.out.scope.fields {
		f := &r.out.scope.fields[i]
		if f.join < 0 && (f.use == builtin.UseTime || f.use == builtin.UseCoded && (builtin.IsNumber(f.column.Type) || builtin.IsText(f.column.Type))) {
			list = append(list, f)
		}
	}
	if len(list) == 0 {
		word := span
		if word == "" {
			word = r.out.Period.text()
		}
		return &Unclear{Why: NoTime, Word: language.Short(word), Closest: []string{r.out.scope.table.Ref()}}
	}
	slices.SortStableFunc(list, func(a, b *field) int { return clockRank(a) - clockRank(b) })
	r.out.Clock = list[0]
	return nil
}

// clockRank orders the times of a table: first those at which its rows came about, last those of what
// became of them; real times before coded ones.
func clockRank(f *field) int {
	rank := 10
	if f.use == builtin.UseCoded {
		rank += 5
	}
	switch {
	case builtin.LaterTime(f.words):
		rank += 3
	case builtin.OwnTime(f.words):
		rank -= 3
	}
	if len(f.words) == 1 {
		rank--
	}
	return rank
}
