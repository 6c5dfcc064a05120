package insight

import (
	"context"
	"fmt"
	"strings"
	"time"

	"quaestor/research/warehouse/builtin"
	"quaestor/research/warehouse/guard"
)

// Gauge measures the main figure of an insight over another time than that of the insight. Its
// statements have placeholders: {{from}} and {{until}} for days as the warehouse writes them, the latter
// of which does not belong to the time any more, and {{days}} for the number of days between them.
type Gauge struct {
	Last  string `json:"last"`  // the time of the last record since {{from}}
	Value string `json:"value"` // the figure between {{from}} and {{until}}
}

// Marks that stand for the placeholders while a statement is written: days that no data have, and a
// number of days that no time has.
var (
	gaugeFrom  = time.Date(1004, 2, 29, 0, 0, 0, 0, time.UTC)
	gaugeUntil = time.Date(1008, 2, 29, 0, 0, 0, 0, time.UTC)
)

const gaugeDays = 98765432.5

// gauge returns how the measure of a segment is measured later; nil for a measure that looks at a time
// of its own.
func (s *source) gauge(m *measure, seg segment, per span) *Gauge {
	if s.clock == nil || m.kind == dated {
		return nil
	}
	fields := seg.fields()
	if m.col != nil {
		fields = append(fields, m.col)
	}
	span := s.within(Period{gaugeFrom, gaugeUntil})
	marks := strings.NewReplacer(s.f.sql.Day(gaugeFrom), "{{from}}", s.f.sql.Day(gaugeUntil), "{{until}}", point(gaugeDays), "{{days}}")
	return &Gauge{
		Last:  marks.Replace("SELECT MAX(" + s.clock.x + ") AS " + FigureColumn + "\nFROM " + s.tables() + "\nWHERE " + s.f.sql.Since(s.clock.x, gaugeFrom)),
		Value: marks.Replace("SELECT " + per.scale(m.in(seg.sql()+" AND "+span, gaugeDays)) + " AS " + FigureColumn + "\nFROM " + s.tables(fields...) + "\nWHERE " + span),
	}
}

// Measured is a figure as it was measured since a day.
type Measured struct {
	SQL   string
	Value float64
	Since time.Time // zero if it was measured over all records
	OK    bool      // there is a value: there are records since
}

// Measure measures the main figure of an insight since a day: over the days up to the last record. An
// insight that is about no time is measured over all records. ok is false for an insight that cannot be
// measured later.
func Measure(ctx context.Context, i *Insight, since time.Time, d guard.Dialect, ask Asker) (m Measured, ok bool, err error) {
	main, has := i.Main()
	if i.Gauge == nil {
		if !has || !i.Period.IsZero() {
			return Measured{}, false, nil
		}
		v, err := Recompute(ctx, main, ask)
		return Measured{SQL: main.SQL, Value: v, OK: err == nil}, true, err
	}
	from := dayOf(since)
	m = Measured{Since: from, SQL: i.Gauge.fill(i.Gauge.Last, d, from, from)}
	r, err := ask(ctx, "the last record since a recommendation is done", m.SQL)
	if err != nil {
		return m, true, err
	}
	if r == nil || r.Rows != 1 {
		return m, true, fmt.Errorf("the last record since %s: the answer is not one time", from.Format(time.DateOnly))
	}
	last, some := rows{r}.time(0, 0)
	if !some || last.Before(from) {
		return m, true, nil
	}
	m.SQL = i.Gauge.fill(i.Gauge.Value, d, from, dayOf(last).AddDate(0, 0, 1))
	if r, err = ask(ctx, main.Name, m.SQL); err != nil {
		return m, true, err
	}
	if r != nil && r.Rows == 1 {
		m.Value, m.OK = rows{r}.numberOK(0, 0)
	}
	return m, true, nil
}

// fill writes a statement for the days from one day until another.
func (g *Gauge) fill(sql string, d guard.Dialect, from, until time.Time) string {
	p := builtin.PiecesOf(d)
	return strings.NewReplacer("{{from}}", p.Day(from), "{{until}}", p.Day(until), "{{days}}", point(Period{from, until}.days())).Replace(sql)
}
