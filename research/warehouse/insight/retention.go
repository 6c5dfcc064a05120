package insight

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"quaestor/internal/language"
	"quaestor/research/warehouse/builtin"
)

// spans are the days within which somebody may come back, with their words.
var spans = []struct {
	days int
	said string
}{{30, "thirty days"}, {60, "sixty days"}, {90, "ninety days"}}

// retention looks for changes of how many come back after their first record.
func (s *source) retention(ctx context.Context) ([]*Insight, error) {
	if s.clock == nil || s.clock.leg >= 0 || s.thin != "" { // somebody who comes back does so in all records
		return nil, nil
	}
	if s.grain == "day" { // on a day too few come for the first time
		s = s.byWeek()
	}
	var out []*Insight
	for _, e := range s.entities() {
		found, err := s.retentionOf(ctx, e)
		if err != nil {
			return nil, err
		}
		if found != nil {
			out = append(out, found)
		}
	}
	return out, nil
}

// byWeek is a source of days as one of the whole weeks among them.
func (s *source) byWeek() *source {
	out := *s
	out.grain, out.from, out.to, out.volume = "week", wholeFrom("week", s.from), startOf("week", s.to), nil
	skip := int(Period{s.from, out.from}.days())
	for day := skip; day+daysOfWeek <= len(s.volume); day += daysOfWeek {
		out.volume = append(out.volume, total(s.volume[day:day+daysOfWeek]))
	}
	return &out
}

// comers are words for those who come back, beside those of builtin. Others are found by what they do;
// the words only decide who is looked at first, and how it is said.
var comers = []string{"company", "companie", "organization", "organisation", "workspace", "household", "team", "kunde", "kunden", "nutzer", "abonnent", "shopper", "lead", "borrower", "donor", "rider", "shipper", "citizen", "mitglied", "mitglieder", "patienten"}

// The bounds of what may come back.
const (
	maxEntities  = 2    // of a table that are followed
	leastReturns = 0.03 // of all who come: fewer, or all but as few, are no habit
)

// entity is a column whose values may come back.
type entity struct {
	*field
	say    string // its values in the plural
	person bool   // one says "who" of them
}

// entities are the columns whose values may come back, at most two: identifiers that many records share, those of
// people first, then those that refer to a table. Whether they do come and come back is seen in their records.
func (s *source) entities() []entity {
	var out []entity
	refers := map[*column]bool{}
	for _, c := range s.fact.cols {
		if c.role != builtin.Identifier || c.key || c.spoilt || c.values < 50 || c.filled < 0.3*float64(s.fact.rows) {
			continue
		}
		e := entity{field: s.field(-1, c)}
		size := int64(0)
		for _, l := range s.legs {
			if strings.HasSuffix(l.on, " = "+e.x) {
				e.say, size = l.t.say, l.t.rows
			}
		}
		if size > 0 && float64(s.fact.rows) < 1.2*float64(size) || size == 0 && float64(c.values) >= 0.999*float64(min(s.fact.rows, sampledRows)) {
			continue // each comes once
		}
		words := strings.Fields(strings.ToLower(c.say + " " + e.say))
		e.person = builtin.Person(c.say+" "+e.say) || slices.ContainsFunc(words, func(w string) bool { return slices.Contains(comers, strings.TrimSuffix(w, "s")) })
		if refers[c] = size > 0; !refers[c] {
			e.say = builtin.Things(c.name)
		}
		out = append(out, e)
	}
	rank := func(e entity) int {
		switch {
		case e.person:
			return 0
		case refers[e.column]:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(out, func(a, b entity) int { return rank(a) - rank(b) })
	return out[:min(len(out), maxEntities)]
}

// returning says of the values of an entity that they come back within a span.
func (s *source) returning(e entity, span string) string {
	if e.person {
		return e.say + " who come back within " + span
	}
	return e.say + " with more " + s.fact.noun + " within " + span + " of the first"
}

// returned says of new values of an entity that they came back within a span.
func (s *source) returned(e entity, span string) string {
	if e.person {
		return "came back within " + span
	}
	return "had more " + s.fact.noun + " within " + span + " of the first"
}

// habit reports whether the values of an entity come at all times and now and then come back: a shop that was there
// from the first day on, or an order of a single record, has no habit.
func habit(n, back []float64) bool {
	came := 0
	for _, v := range n {
		if v > 0 {
			came++
		}
	}
	share := total(back) / max(total(n), 1)
	return came*3 >= len(n)*2 && share >= leastReturns && share <= 1-leastReturns
}

// firsts is the table of everybody's first and second coming, where the second is at least a day
// later.
func (s *source) firsts(e entity) string {
	x := s.clock.at("t0.")
	first := "SELECT " + e.x + " AS who, MIN(" + x + ") AS first_at FROM " + s.fact.quoted + " AS t0 WHERE " + e.x + " IS NOT NULL GROUP BY " + e.x
	return "(SELECT f.who AS who, f.first_at AS first_at, MIN(CASE WHEN " + s.f.sql.Days("f.first_at", x) + " >= 1 THEN " + s.f.sql.Days("f.first_at", x) + " END) AS after_days" +
		"\n      FROM " + s.fact.quoted + " AS t0 JOIN (" + first + ") AS f ON f.who = " + e.x + "\n      GROUP BY f.who, f.first_at) AS visits"
}

// retentionOf looks for the strongest change of how many of one kind come back.
func (s *source) retentionOf(ctx context.Context, e entity) (*Insight, error) {
	start := s.f.sql.Truncate(s.grain, "visits.first_at")
	list := []string{start + " AS p", "COUNT(*) AS n"}
	for i, span := range spans {
		list = append(list, fmt.Sprintf("SUM(CASE WHEN visits.after_days <= %d THEN 1 ELSE 0 END) AS a%d", span.days, i))
	}
	r, err := s.f.query(ctx, "how many "+e.say+" come back after their first of "+s.fact.noun, "SELECT "+strings.Join(list, ", ")+"\nFROM "+s.firsts(e)+"\nGROUP BY "+start)
	if ctx.Err() != nil || err != nil {
		return nil, ctx.Err()
	}
	periods := periodsOf(s.grain, s.from, s.to)
	at := map[int64]int{}
	for i, p := range periods {
		at[p.Unix()] = i
	}
	n, back := make([]float64, len(periods)), make([][]float64, len(spans))
	for i := range back {
		back[i] = make([]float64, len(periods))
	}
	for row := range r.Rows {
		t, ok := r.time(row, 0)
		if p := dayOf(t).Unix(); ok && has(at, p) {
			n[at[p]] = r.number(row, 1)
			for i := range spans {
				back[i][at[p]] = r.number(row, 2+i)
			}
		}
	}
	skip := len(periods) / 10 // those who came before the data begin look as if they were new
	var best *window
	var of, until int
	for i, span := range spans {
		end := len(periods)
		for end > 0 && nextOf(s.grain, periods[end-1]).AddDate(0, 0, span.days).After(s.to) {
			end--
		}
		if end-skip < leastPeriods || !habit(n[skip:end], back[i][skip:end]) {
			continue
		}
		l := &line{y: make([]float64, end-skip), w: make([]float64, end-skip), share: true}
		for p := range l.y {
			if l.w[p] = n[p+skip]; l.w[p] > 0 {
				l.y[p] = back[i][p+skip] / l.w[p]
			}
		}
		p := total(back[i][skip:end]) / max(total(n[skip:end]), 1)
		l.noise = max(p*(1-p), 1e-6)
		w, ok := l.search(false)
		w.p = min(1, w.p*float64(len(spans)*s.f.spread*2))
		if !ok || w.p > maxRate || best != nil && w.p >= best.p || !l.sudden(w) {
			continue
		}
		w.from, w.to = w.from+skip, w.to+skip
		if wholeLine(n[:end], back[i][:end]).foreseen(w) || s.byVolume(w, skip, end, n, back[i], span.days) {
			continue
		}
		best, of, until = &w, i, end
	}
	if best == nil {
		return nil, nil
	}
	return s.tellRetention(ctx, e, *best, of, periods, n, back[of], until)
}

// sudden reports whether the level changes beyond a trend: those who come early in the data come
// more often than those who are first seen later, which alone makes a slow decline.
func (l *line) sudden(w window) bool {
	sloped := *l
	sloped.trend = true
	b := sloped.base()
	if b == nil {
		return false
	}
	d, red := b.pulse(w.from, w.to)
	v := max((b.rss-red)/float64(len(l.y)-3), l.noise)
	return d*w.effect > 0 && math.Sqrt(red/v) >= 2.5
}

// wholeLine is the series of shares from the first period on.
func wholeLine(n, back []float64) *line {
	l := &line{y: make([]float64, len(n)), w: n}
	for p := range n {
		if n[p] > 0 {
			l.y[p] = back[p] / n[p]
		}
	}
	return l
}

// foreseen reports whether the trend before a window, drawn on to its middle, is already half of
// its change.
func (l *line) foreseen(w window) bool {
	before := line{y: l.y[:w.from], w: l.w[:w.from], trend: true}
	b := before.base()
	if b == nil {
		return true
	}
	slope, mean := before.slope()
	in := line{y: l.y[w.from:w.to], w: l.w[w.from:w.to]}
	_, level := in.slope()
	ahead := slope * (float64(w.from+w.to)/2 - float64(w.from)/2)
	return ahead*(level-mean) > 0 && math.Abs(ahead) >= 0.5*math.Abs(level-mean)
}

// slope returns the weighted slope per period and the mean.
func (l *line) slope() (slope, mean float64) {
	var w, t, y, tt, ty float64
	for i := range l.y {
		x := float64(i)
		w, t, y = w+l.w[i], t+l.w[i]*x, y+l.w[i]*l.y[i]
		tt, ty = tt+l.w[i]*x*x, ty+l.w[i]*x*l.y[i]
	}
	if w == 0 {
		return 0, 0
	}
	if own := tt - t*t/w; own > 0 {
		slope = (ty - t*y/w) / own
	}
	return slope, y / w
}

// byVolume reports whether a change of those who come back is no larger than that of the records
// there are at all: if records were spread among all at random, more of them would bring more back.
func (s *source) byVolume(w window, skip, end int, n, back []float64, days int) bool {
	if len(s.volume) < end {
		return false
	}
	width := max(1, int(math.Round(float64(days)/(Period{s.from, nextOf(s.grain, s.from)}).days())))
	var entered, returned, volume, weight [2]float64
	for p := skip; p < end; p++ {
		in := 0
		if p >= w.from && p < w.to {
			in = 1
		}
		entered[in], returned[in] = entered[in]+n[p], returned[in]+back[p]
		to := min(p+width, len(s.volume))
		volume[in] += n[p] * total(s.volume[p:to]) / float64(to-p)
		weight[in] += n[p]
	}
	hazard := func(i int) float64 { return -math.Log(1 - min(returned[i]/max(entered[i], 1), 0.999)) }
	if entered[0] == 0 || entered[1] == 0 || hazard(0) == 0 || hazard(1) == 0 || volume[0] == 0 || volume[1] == 0 {
		return true
	}
	raw := math.Log(hazard(1) / hazard(0))
	adjusted := raw - math.Log(volume[1]/weight[1]/(volume[0]/weight[0]))
	return adjusted*raw <= 0 || math.Abs(adjusted) < 0.3*math.Abs(raw)
}

// tellRetention words a change of retention.
func (s *source) tellRetention(ctx context.Context, e entity, w window, of int, periods []time.Time, n, back []float64, until int) (*Insight, error) {
	end := s.to
	if w.to < len(periods) {
		end = periods[w.to]
	}
	if w.to >= until {
		end = nextOf(s.grain, periods[until-1])
	}
	in := Period{periods[w.from], end}
	k := Period{s.from, in.From}
	if in.From.Sub(s.from) > 200*24*time.Hour {
		k.From = in.From.AddDate(0, 0, -182)
	}
	who, span := e.say, spans[of]
	sql := func(p Period, x string) string {
		return "SELECT " + x + " AS value\nFROM " + s.firsts(e) + "\nWHERE " + s.f.sql.Since("visits.first_at", p.From) + " AND " + s.f.sql.Before("visits.first_at", p.To)
	}
	rate := fmt.Sprintf("100.0 * SUM(CASE WHEN visits.after_days <= %d THEN 1 ELSE 0 END) / COUNT(*)", span.days)
	figures := []Figure{{ID: "now", Name: s.returning(e, span.said) + ", in the period", Unit: Percent, SQL: sql(in, rate)}, {ID: "was", Name: "the same, before", Unit: Percent, SQL: sql(k, rate)},
		{ID: "new", Name: who + " who first came in the period", Unit: Records, SQL: sql(in, "COUNT(*)")}}
	for i, p := range []Period{in, k} {
		month := s.f.sql.Truncate("month", "visits.first_at")
		figures[i].Recount = "SELECT 100.0 * SUM(a) / NULLIF(SUM(n), 0) AS value\nFROM (SELECT " + month + fmt.Sprintf(" AS g, COUNT(*) AS n, SUM(CASE WHEN visits.after_days <= %d THEN 1 ELSE 0 END) AS a FROM ", span.days) + s.firsts(e) + " WHERE " + s.f.sql.Since("visits.first_at", p.From) + " AND " + s.f.sql.Before("visits.first_at", p.To) + " GROUP BY " + month + ") AS counted"
	}
	for i := range figures {
		r, err := s.f.query(ctx, figures[i].Name, figures[i].SQL)
		if err != nil {
			return nil, err
		}
		if r.Rows != 1 {
			return nil, nil
		}
		figures[i].Value = r.number(0, 0)
	}
	d := figures[0].Value - figures[1].Value
	if figures[2].Value < 100 || total(n[:w.from]) < 100 {
		return nil, nil
	}
	if d*w.effect <= 0 || math.Abs(d) < 3 || math.Abs(d) < 0.15*min(figures[1].Value, 100-figures[1].Value) {
		return nil, nil
	}
	out := &Insight{Kind: Retention, Table: s.fact.ref, Measure: "share of " + s.returning(e, span.said), Period: in, Before: k, Figures: figures, Q: w.p, Strength: math.Abs(w.t), Effect: d / 100, Risk: min(math.Abs(d)/100, 1), Confidence: confidence(w.p, figures[2].Value),
		Key: key(string(Retention), s.fact.ref, e.name, nil), Severity: Medium}
	if math.Abs(d) >= 0.2*figures[1].Value {
		out.Severity = High
	}
	if math.Abs(d) >= 0.5*figures[1].Value {
		out.Severity = Critical
	}
	out.Headline = "From {{from}} to {{until}}, {{now}} of new " + who + " " + s.returned(e, span.said)
	if w.to >= until {
		out.Headline = "Since {{from}}, {{now}} of new " + who + " have " + strings.Replace(s.returned(e, span.said), "came", "come", 1)
	}
	out.Headline += ", " + moved(d) + " {{was}}"
	out.Text = "{{new}} " + who + " came for the first time then. They are compared with those who first came from {{before_from}} to {{before_until}}. Those who came too late for " + span.said + " to have passed are left out, and what counts are records at least a day later."
	out.Indicators = []string{"cohorts by their first of " + s.fact.noun}
	out.AffectedSQL = figures[2].SQL
	from := s.firsts(e)
	group := s.f.sql.Truncate("month", "visits.first_at")
	out.Review.SQL = "SELECT SUM(n) AS value\nFROM (SELECT " + group + " AS g, COUNT(*) AS n FROM " + from + " WHERE " + s.f.sql.Since("visits.first_at", in.From) + " AND " + s.f.sql.Before("visits.first_at", in.To) + " GROUP BY " + group + ") AS counted"
	out.Chart = Series{Name: language.UpperFirst(out.Measure), Unit: Percent}
	for p := range until {
		if n[p] > 0 {
			out.Chart.Points = append(out.Chart.Points, Point{At: periods[p], Value: 100 * back[p] / n[p]})
		}
	}
	return out, nil
}
