package insight

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"quaestor/research/warehouse/builtin"
)

// identifying are the columns by which a record is known: its key, and the references that it has to other tables;
// without a key all of its amounts and levels.
func (s *source) identifying() []*field {
	var out []*field
	if key := s.identity(); key != nil {
		out = append(out, key)
		for _, e := range s.fact.joins {
			if e.from != key.column && e.from.role == builtin.Identifier && !slices.ContainsFunc(out, func(f *field) bool { return f.column == e.from }) {
				out = append(out, s.field(-1, e.from))
			}
		}
		return out
	}
	for _, c := range s.fact.cols {
		if c.role == builtin.Amount || c.role == builtin.Level {
			out = append(out, s.field(-1, c))
		}
	}
	return out
}

// knownBy is what tells a record apart from all others, given the columns of [source.identifying] and their values.
// A reference is told by the key that it refers to.
func (s *source) knownBy(fields []*field, values []value) []Condition {
	var out []Condition
	for i, f := range fields {
		if values[i].sql == "" {
			continue
		}
		c := Condition{s.fact.ref, f.name, values[i].text}
		if i > 0 {
			for _, e := range s.fact.joins {
				if e.from == f.column {
					c.Table, c.Column = s.f.catalog.Table(e.to).Ref(), e.key
				}
			}
		}
		out = append(out, c)
	}
	return out
}

// sameAmount is how far, as a ratio, an amount of a record may be from that of a record that refers to it, for both to
// be one story: a tax, a discount or a freight may be in one of them.
const sameAmount = 1.34

// sameRecord reports whether two outliers are one record: of one table with the same values, or of two tables of which
// one refers to the other, or has its key, with much the same amount.
func sameRecord(a, b *Insight) bool {
	if len(a.Record) == 0 || len(b.Record) == 0 {
		return false
	}
	if a.Table == b.Table {
		return slices.Equal(a.Record, b.Record)
	}
	ka, kb := a.Record[0], b.Record[0]
	copied := ka.Column == kb.Column && ka.Value == kb.Value
	if !copied && !slices.Contains(a.Record[1:], kb) && !slices.Contains(b.Record[1:], ka) {
		return false
	}
	va, _ := figureOf(a.Figures, "value")
	vb, _ := figureOf(b.Figures, "value")
	return va > 0 && vb > 0 && max(va/vb, vb/va) <= sameAmount
}

// mergeRecords makes one insight of those about one record that stands out in several measures, or in several tables.
// What remains is the first of them, in the order given.
func mergeRecords(all []Insight) []Insight {
	group := make([]int, len(all)) // the first insight about the same record
	for i := range all {
		group[i] = i
		for j := range i {
			if all[i].Kind != Outlier || all[j].Kind != Outlier || !sameRecord(&all[i], &all[j]) {
				continue
			}
			from, to := max(group[i], group[j]), min(group[i], group[j])
			for k := range i + 1 {
				if group[k] == from {
					group[k] = to
				}
			}
		}
	}
	var out []Insight
	for i := range all {
		if group[i] != i {
			continue
		}
		one := all[i]
		one.Figures = slices.Clone(one.Figures)
		for j, n := i+1, 2; j < len(all); j++ {
			if group[j] == i {
				one.also(&all[j], n)
				n++
			}
		}
		out = append(out, one)
	}
	return out
}

// also adds what another insight tells of the same record, as the nth measure.
func (i *Insight) also(o *Insight, n int) {
	for _, f := range o.Figures {
		f.ID = fmt.Sprintf("%s_%d", f.ID, n)
		i.Figures = append(i.Figures, f)
	}
	what := "the total " + strings.TrimPrefix(o.Measure, "total ")
	its := "Its " + o.Measure
	if o.Table != i.Table {
		of := recordsOf(builtin.Said(o.Table[strings.LastIndex(o.Table, ".")+1:]))
		what, its = what+" of "+of, "In "+of+", its "+o.Measure
		if len(o.Segment) > 0 && !slices.Contains(i.Segment, o.Segment[0]) {
			what += " (" + o.Who() + ")"
		}
	}
	i.Headline += fmt.Sprintf(" and for {{share_%d}} of %s", n, what)
	i.Text += fmt.Sprintf(" %s is {{value_%d}}; the average is {{average_%[2]d}} with it and {{average_without_%[2]d}} without it.", its, n)
	if !slices.Contains(strings.Split(i.Measure, " and "), o.Measure) {
		i.Measure += " and " + o.Measure
	}
	i.Risk, i.Strength = math.Max(i.Risk, o.Risk), math.Max(i.Strength, o.Strength)
}
