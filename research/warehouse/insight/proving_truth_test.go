package insight_test

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"quaestor/research/warehouse/insight"
)

// recompute computes the figures of an insight by SQL of the test's own, which knows the world and
// not how the insight was found, and returns how many there are, how many of them it can compute,
// and how many of these are not as they are said.
func (w *provingWorld) recompute(t *testing.T, i insight.Insight, ask insight.Asker) (stated, recomputed, untrue int) {
	t.Helper()
	values := map[string]float64{}
	for _, f := range i.Figures {
		values[f.ID] = f.Value
	}
	wrong := func(format string, args ...any) {
		untrue++
		t.Errorf("%s: %s", story(i), fmt.Sprintf(format, args...))
	}
	for _, f := range i.Figures {
		stated++
		sql := w.own(i, f)
		if sql == "" {
			if f.ID != "change" && os.Getenv("INSIGHT_TELL") != "" {
				t.Logf("        not recomputed: %s %s %q %q = %v %s", i.Kind, f.ID, i.Measure, f.Name, f.Value, f.Unit)
			}
			continue
		}
		r, err := ask(t.Context(), "own", sql)
		if err != nil {
			t.Errorf("%s: %v", sql, err)
			continue
		}
		recomputed++
		if v, ok := number(r); !ok || math.Abs(v-f.Value) > 1e-6*math.Max(1, math.Abs(v)) {
			wrong("%s is %v by %s", f.Name, v, sql)
		}
	}
	now, was := values["now"], values["was"]
	if title := i.Title(); now != was && was != 0 && i.Kind != insight.TrendBreak && i.Kind != insight.Difference && (lower.MatchString(title) != (now < was) || higher.MatchString(title) != (now > was)) {
		wrong("it went from %v to %v", was, now)
	}
	if change, ok := values["change"]; ok {
		recomputed++
		want := math.Abs(now/was-1) * 100
		if i.Kind == insight.NullSpike || i.Kind == insight.DateRate {
			want = math.Abs(now - was) // in points
		}
		if math.Abs(want-math.Abs(change)) > 1e-6*math.Max(1, want) {
			wrong("the change from %v to %v is not %v", was, now, change)
		}
	}
	return stated, recomputed, untrue
}

// amountSaid is what findings call the amount, whose unit they tell apart.
func (w *provingWorld) amountSaid() string { return strings.TrimSuffix(spoken(w.t.amount), " eur") }

// lower and higher are the words of a headline that say which way something went.
var (
	lower  = regexp.MustCompile(`\b(fallen|fewer|lower|down from)\b`)
	higher = regexp.MustCompile(`\b(risen|more|higher|up from)\b`)
)

// from is the tables of a statement: what happened, and to whom.
func (w *provingWorld) from() string {
	return fmt.Sprintf(`w.%q AS e JOIN w.%q AS o ON o.%q = e.%q`, w.t.events, w.t.owners, w.t.owner, w.t.ref)
}

// where is the condition of the records of an insight's segment in a period.
func (w *provingWorld) where(i insight.Insight, p insight.Period) string {
	terms := []string{"TRUE"}
	for _, c := range i.Segment {
		alias := "e"
		if c.Column == w.t.region || c.Column == w.t.kind {
			alias = "o"
		}
		terms = append(terms, fmt.Sprintf(`CAST(%s.%q AS text) = '%s'`, alias, c.Column, strings.ReplaceAll(c.Value, "'", "''")))
	}
	if !p.IsZero() {
		terms = append(terms, within(w.t.at, p))
	}
	return strings.Join(terms, " AND ")
}

func within(column string, p insight.Period) string {
	return fmt.Sprintf(`e.%q >= timestamp '%s' AND e.%[1]q < timestamp '%[3]s'`, column, p.From.Format(time.DateTime), p.To.Format(time.DateTime))
}

func daysOf(p insight.Period) float64 { return p.To.Sub(p.From).Hours() / 24 }

// own is a statement that computes a figure; empty for one that the test cannot tell from its name.
func (w *provingWorld) own(i insight.Insight, f insight.Figure) string {
	if i.Table != w.table {
		return ""
	}
	p, rest := i.Period, false
	id := f.ID
	if strings.HasSuffix(id, "was") {
		p = i.Before
	}
	if strings.HasPrefix(id, "rest_") {
		id, rest = strings.TrimPrefix(id, "rest_"), true
	}
	whole := insight.Insight{Table: i.Table}
	times, often := map[insight.Unit]float64{insight.PerDay: 1, insight.PerWeek: 7, insight.PerMonth: 30}[f.Unit]
	count := fmt.Sprintf(`SELECT %.1f * count(*) / %.1f FROM %s WHERE %s`, times, daysOf(p), w.from(), w.where(i, p))
	name := strings.ToLower(f.Name)
	switch {
	case rest && often && strings.HasPrefix(name, w.t.events+" of all others"):
		return fmt.Sprintf(`SELECT %.1f * (count(*) FILTER (WHERE NOT (%s))) / %.1f FROM %s WHERE %s`, times, w.where(i, insight.Period{}), daysOf(p), w.from(), w.where(whole, p))
	case (id == "now" || id == "was") && often && i.Kind != insight.TrendBreak && strings.HasPrefix(name, w.t.events):
		return count
	case id == "share_now" || id == "share_was":
		return fmt.Sprintf(`SELECT 100.0 * (count(*) FILTER (WHERE %s)) / count(*) FROM %s WHERE %s`, w.where(i, insight.Period{}), w.from(), w.where(whole, p))
	case (id == "sum_now" || id == "sum_was") && strings.HasPrefix(strings.TrimPrefix(name, "total "), strings.TrimPrefix(w.amountSaid(), "total ")+" a day"):
		return fmt.Sprintf(`SELECT CAST(sum(e.%q) AS double precision) / %.1f FROM %s WHERE %s`, w.t.amount, daysOf(p), w.from(), w.where(i, p))
	case rest && strings.Contains(name, " without "+spoken(w.t.note)):
		return fmt.Sprintf(`SELECT 100.0 * (count(*) - count(e.%q)) / count(*) FROM %s WHERE %s AND NOT (%s)`, w.t.note, w.from(), w.where(whole, p), w.where(i, insight.Period{}))
	case rest:
		return ""
	case i.Kind == insight.NullSpike && (id == "now" || id == "was") && strings.Contains(name, " without "+spoken(w.t.note)):
		return fmt.Sprintf(`SELECT 100.0 * (count(*) - count(e.%q)) / count(*) FROM %s WHERE %s`, w.t.note, w.from(), w.where(i, p))
	case i.Kind == insight.Outlier && strings.Contains(name, w.amountSaid()) || i.Kind == insight.Outlier && strings.Contains(strings.ToLower(i.Measure), w.amountSaid()):
		return w.ownOutlier(id)
	case i.Kind == insight.TrendBreak && f.Unit == insight.PerDay && len(i.Segment) == 0 && strings.HasPrefix(name, w.t.events):
		return w.ownTrend(i, id)
	case i.Kind == insight.Retention:
		return w.ownRetention(i, id, name, p)
	case i.Kind == insight.Difference && len(i.Segment) == 1 && strings.Contains(name, "are "+spoken(w.t.flag)) && (id == "now" || id == "rest"):
		not := map[string]string{"now": "", "rest": "NOT "}[id]
		return fmt.Sprintf(`SELECT 100.0 * count(*) FILTER (WHERE e.%q) / count(*) FROM %s WHERE %s(%s)`, w.t.flag, w.from(), not, w.where(i, insight.Period{}))
	case i.Kind == insight.Simpson && (id == "all_a" || id == "all_b") && strings.Contains(name, "are "+spoken(w.t.flag)):
		_, quoted, _ := strings.Cut(f.Name, "“")
		value, _, _ := strings.Cut(quoted, "”")
		for _, column := range []string{w.t.first, w.t.second, w.t.third} {
			if strings.Contains(f.Name, " "+spoken(column)+" “") {
				return fmt.Sprintf(`SELECT 100.0 * count(*) FILTER (WHERE e.%q) / count(*) FROM %s WHERE e.%q = '%s'`, w.t.flag, w.from(), column, value)
			}
		}
	}
	return ""
}

// ownTrend computes the volume around a break: in the four weeks before it and in the last four.
func (w *provingWorld) ownTrend(i insight.Insight, id string) string {
	end, ok := map[string]time.Time{"was": i.Period.From, "now": i.Period.To}[id]
	if !ok || i.Period.From.Sub(w.begin) < 92*24*time.Hour { // less than four weeks are told of
		return ""
	}
	p := insight.Period{From: end.AddDate(0, 0, -28), To: end}
	return fmt.Sprintf(`SELECT count(*) / 28.0 FROM %s WHERE %s`, w.from(), w.where(i, p))
}

// ownOutlier computes the figures of the record with the highest amount.
func (w *provingWorld) ownOutlier(id string) string {
	amount, events := fmt.Sprintf("CAST(%q AS double precision)", w.t.amount), fmt.Sprintf("w.%q", w.t.events)
	switch id {
	case "value":
		return fmt.Sprintf(`SELECT max(%s) FROM %s`, amount, events)
	case "share":
		return fmt.Sprintf(`SELECT 100 * max(%s) / sum(%[1]s) FROM %s`, amount, events)
	case "average":
		return fmt.Sprintf(`SELECT avg(%s) FROM %s`, amount, events)
	case "average_without":
		return fmt.Sprintf(`SELECT (sum(%s) - max(%[1]s)) / (count(*) - 1) FROM %s`, amount, events)
	case "month":
		return fmt.Sprintf(`SELECT 100 * max(a) / sum(a) FROM (SELECT %s AS a, date_trunc('month', %q) AS m FROM %s) AS e
			WHERE m = (SELECT date_trunc('month', %[2]q) FROM %[3]s ORDER BY %[4]q DESC LIMIT 1)`, amount, w.t.at, events, w.t.amount)
	}
	return ""
}

// ownRetention computes how many came back within the days that are said.
func (w *provingWorld) ownRetention(i insight.Insight, id, name string, p insight.Period) string {
	within := map[string]int{"thirty": 30, "sixty": 60, "ninety": 90}
	days := 0
	for word, n := range within {
		if strings.Contains(i.Title(), word+" days") {
			days = n
		}
	}
	who := fmt.Sprintf(`(SELECT %q AS who, CAST(%q AS date) AS day, min(CAST(%[2]q AS date)) OVER (PARTITION BY %[1]q) AS first FROM w.%[3]q) AS v`, w.t.ref, w.t.at, w.t.events)
	from := fmt.Sprintf(`first >= date '%s' AND first < date '%s'`, p.From.Format(time.DateOnly), p.To.Format(time.DateOnly))
	switch {
	case days == 0 || len(i.Segment) > 0:
	case id == "new":
		return fmt.Sprintf(`SELECT count(DISTINCT who) FROM %s WHERE %s`, who, from)
	case id == "now" || id == "was":
		return fmt.Sprintf(`SELECT 100.0 * count(DISTINCT who) FILTER (WHERE day > first AND day <= first + %d) / count(DISTINCT who) FROM %s WHERE %s`, days, who, from)
	}
	return ""
}
