package insight

import (
	"context"
	"fmt"
	"math"
	"strings"

	"quaestor/internal/language"
	"quaestor/research/warehouse/builtin"
)

// The bounds of outliers.
const (
	outlying    = 20   // times the 99th percentile
	leastOfAll  = 0.02 // of a sum that an outlier makes up
	leastOfTime = 0.30 // or of that of its month
	topRecords  = 6
)

// outliers looks for records whose amount is far from all others. It sets what is left out of
// sums and averages, and tells of those that are a large part of a sum.
func (s *source) outliers(ctx context.Context) ([]Insight, error) {
	var out []Insight
	for _, c := range s.fact.cols {
		if c.role != builtin.Amount && c.role != builtin.Level || c.spoilt || !c.ranged || c.high <= 0 || c.values < 12 || c.total <= 0 {
			continue
		}
		i, err := s.outlier(ctx, s.field(-1, c))
		if err != nil {
			return nil, err
		}
		if i != nil {
			out = append(out, *i)
		}
	}
	return out, nil
}

// outlier looks for outliers of one column.
func (s *source) outlier(ctx context.Context, c *field) (*Insight, error) {
	p, ok := s.f.sql.Quantile(c.x, "0.99")
	if !ok || c.high < outlying*c.total/max(c.filled, 1) {
		return nil, nil
	}
	r, err := s.f.query(ctx, "the 99th percentile of "+c.say+" of "+s.fact.noun, "SELECT "+p+" AS a0\nFROM "+s.tables(c))
	if ctx.Err() != nil || err != nil || r.Rows != 1 {
		return nil, ctx.Err()
	}
	high := r.number(0, 0)
	if high <= 0 || c.high < outlying*high {
		return nil, nil
	}
	s.most[c.column] = outlying * high
	key, known := s.identity(), s.identifying()
	list := c.x + " AS a0"
	for i, f := range known {
		list += fmt.Sprintf(", %s AS a%d", f.x, i+1)
	}
	if s.clock != nil {
		list += fmt.Sprintf(", %s AS a%d", s.clock.x, len(known)+1)
	}
	r, err = s.f.query(ctx, "the records of "+s.fact.noun+" with the highest "+c.say, "SELECT "+list+"\nFROM "+s.tables(c)+"\nWHERE "+c.x+" > "+decimal(outlying*high)+"\nORDER BY "+c.x+" DESC\n"+s.f.sql.Limit(topRecords))
	if ctx.Err() != nil || err != nil || r.Rows == 0 {
		return nil, ctx.Err()
	}
	top := r.number(0, 0)
	var in Period
	if s.clock != nil {
		if at, ok := r.time(0, len(r.Columns)-1); ok {
			month := startOf("month", at)
			in = Period{month, nextOf("month", month)}
		}
	}
	values := make([]value, len(known))
	for i := range known {
		values[i], _ = s.value(r, 0, i+1)
	}
	var record segment
	if key != nil && values[0].sql != "" {
		record = segment{{&dim{field: key, sqlText: key.x, group: key.x}, values[0]}}
	}
	out, err := s.tellOutlier(ctx, c, top, r.Rows, in, record)
	if out != nil && (key == nil || len(record) > 0) {
		out.Record = s.knownBy(known, values)
	}
	return out, err
}

// identity is the column that tells records apart; nil if there is none, or if it is personal.
func (s *source) identity() *field {
	var out *field
	for _, c := range s.fact.cols {
		if c.key && c.role == builtin.Identifier {
			if out != nil {
				return nil
			}
			out = s.field(-1, c)
		}
	}
	if out != nil {
		return out
	}
	for _, c := range s.fact.cols {
		if c.role == builtin.Identifier && float64(c.values) >= 0.999*float64(min(s.fact.rows, sampledRows)) && c.filled == float64(s.fact.rows) {
			return s.field(-1, c)
		}
	}
	return nil
}

// tellOutlier words an outlier; nil if it is a small part of every sum.
func (s *source) tellOutlier(ctx context.Context, c *field, top float64, more int, in Period, record segment) (*Insight, error) {
	x := s.f.sql.Float(c.x)
	d := &draft{s: s, fields: []*field{c}, of: c.unit}
	d.add("value", "highest "+c.say, Plain, "MAX("+c.x+")")
	d.add("share", "its share of the sum of all "+s.fact.noun, Percent, "100.0 * MAX("+x+") / SUM("+x+")")
	d.list[len(d.list)-1].recount = s.grouped("100.0 * MAX(m) / SUM(a)", "MAX("+x+") AS m, SUM("+x+") AS a", d.fields, c.x+" IS NOT NULL")
	d.add("average", "average "+c.say, Plain, "AVG("+x+")")
	d.add("average_without", "average "+c.say+" without it", Plain, "AVG(CASE WHEN "+c.x+" < "+decimal(top)+" THEN "+x+" END)")
	if !in.IsZero() {
		d.add("month", "its share of the sum of its month", Percent, "100.0 * MAX("+x+") / SUM(CASE WHEN "+s.within(in)+" THEN "+x+" ELSE 0 END)")
	}
	figures, err := d.compute(ctx, "the highest "+c.say+" of "+s.fact.noun+" against all")
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, nil
	}
	part, _ := figureOf(figures, "share")
	month, _ := figureOf(figures, "month")
	if part < 100*leastOfAll && month < 100*leastOfTime {
		return nil, nil
	}
	out := &Insight{Kind: Outlier, Table: s.fact.ref, Measure: c.say, Segment: record.conditions(), Period: in, Figures: figures, Strength: 50 + part, Effect: part / 100, Risk: min(part/100, 1), Confidence: 0.99,
		Key: key(string(Outlier), s.fact.ref, c.name, record)}
	out.Severity = High
	if part >= 30 {
		out.Severity = Critical
	}
	name := "A single record of " + s.fact.noun
	if len(record) > 0 {
		name += " (" + record[0].said() + ")"
	}
	out.Headline = name + " accounts for {{share}} of the total " + strings.TrimPrefix(c.say, "total ")
	out.Text = "Its " + c.say + " is {{value}}. The average of all " + s.fact.noun + " is {{average}} with it and {{average_without}} without it."
	if month >= 100*leastOfTime {
		out.Text += " It makes up {{month}} of the sum of {{month_name}}."
	}
	if more > 1 {
		out.Text += " A few other records are far above the rest too; this one is the highest."
	}
	out.Indicators = []string{"it is far above the 99th percentile"}
	s.count(out, []*field{c}, c.x+" >= "+decimal(top))
	out.Chart = Series{Name: language.UpperFirst(c.say), Unit: Plain, Points: []Point{{Label: "this record", Value: top}, {Label: "99 of 100 are below", Value: s.most[c.column] / outlying}}}
	return out, nil
}

// concentration tells of a dimension of which few values have most of the records.
func (s *source) concentration(ctx context.Context, c *cube) (*Insight, error) {
	if len(c.dims) != 1 || len(c.cells) < 20 {
		return nil, nil
	}
	var n []float64
	for _, cell := range c.cells {
		n = append(n, total(cell.n))
	}
	few := max(len(n)/10, 1)
	sorted := append([]float64(nil), n...)
	sortDown(sorted)
	if part := total(sorted[:few]) / total(n); part < 0.4 {
		return nil, nil
	}
	dim := c.dims[0]
	s2 := &draft{s: s, fields: []*field{dim.field}}
	inner := "SELECT " + dim.sqlText + " AS g, COUNT(*) AS n" + s2.from() + "\nWHERE " + dim.sqlText + " IS NOT NULL\nGROUP BY " + dim.sqlText
	ranked := "SELECT n, ROW_NUMBER() OVER (ORDER BY n DESC, g) AS place FROM (" + inner + ") AS groups_of"
	sql := func(x string) string { return "SELECT " + x + " AS value\nFROM (" + ranked + ") AS ranked" }
	out := &Insight{Kind: Concentrated, Table: s.fact.ref, Measure: s.fact.noun, Severity: Low, Confidence: 0.95, Key: key(string(Concentrated), s.fact.ref, dim.column.name, nil)}
	cut := fmt.Sprint(few)
	for _, x := range []Figure{
		{ID: "few", Name: "values with the most " + s.fact.noun, Unit: Records, SQL: sql("SUM(CASE WHEN place <= " + cut + " THEN 1 ELSE 0 END)")},
		{ID: "values", Name: "values of " + dim.name(), Unit: Records, SQL: sql("COUNT(*)")},
		{ID: "share", Name: "share of all " + s.fact.noun, Unit: Percent, SQL: sql("100.0 * SUM(CASE WHEN place <= " + cut + " THEN n ELSE 0 END) / SUM(n)")},
	} {
		r, err := s.f.query(ctx, x.Name, x.SQL)
		if ctx.Err() != nil || err != nil || r.Rows != 1 {
			return nil, ctx.Err()
		}
		x.Value = r.number(0, 0)
		out.Figures = append(out.Figures, x)
	}
	out.Effect, _ = figureOf(out.Figures, "share")
	out.Effect /= 100
	out.Risk = out.Effect
	out.Strength = 5 * out.Effect
	out.Headline = "{{few}} of {{values}} " + builtin.Plural(dim.name()) + " account for {{share}} of all " + s.fact.noun
	out.Text = "They are " + listed(topCells(c, few)) + ". What happens to these few weighs heavily in every total."
	s.count(out, []*field{dim.field}, dim.sqlText+" IS NOT NULL")
	for _, cell := range topCells(c, 12) {
		out.Chart.Points = append(out.Chart.Points, Point{Label: cell.values[0].text, Value: total(cell.n)})
	}
	out.Chart.Name, out.Chart.Unit = language.UpperFirst(s.fact.noun)+" by "+dim.name(), Records
	return out, nil
}

// listed names the values of cells, the first few of them.
func listed(cells []*cell) string {
	const most = 5
	var names []string
	for _, c := range cells[:min(len(cells), most)] {
		names = append(names, "“"+c.values[0].text+"”")
	}
	switch n := len(names); {
	case len(cells) > most:
		return strings.Join(names, ", ") + " and others"
	case n > 1:
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return strings.Join(names, "")
}

// isFinite reports whether v is a number.
func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
