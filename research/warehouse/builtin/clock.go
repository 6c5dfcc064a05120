package builtin

import (
	"strconv"
	"strings"
	"time"
)

// form is how a column says a time.
type form string

// The forms. A form of none is a column that is left alone.
const (
	none     form = ""
	asDay    form = "date"
	asStamp  form = "time"
	isoText  form = "text"     // 2001-02-03, with or without a time behind it
	yyyymmdd form = "yyyymmdd" // as a number
	yyyymm   form = "yyyymm"
	yearOnly form = "year"
	seconds  form = "seconds" // since 1970
	millis   form = "milliseconds"
	micros   form = "microseconds"
)

// clock reads a column as times.
type clock struct {
	x        string // the column, quoted
	form     form
	from, to time.Time // in the data
	hours    bool      // there are times of day
}

// span is how long the data run.
func (k *clock) span() time.Duration { return k.to.Sub(k.from) }

const day = 24 * time.Hour

// formOf returns the form in which whole numbers between low and high code times:
// none when the range has a place in no form, or in one that the numbers do not
// keep to at both ends.
func formOf(low, high float64) form {
	if low != float64(int64(low)) || high != float64(int64(high)) || low > high {
		return none
	}
	switch {
	case isYear(low) && isYear(high):
		return yearOnly
	case isMonth(low) && isMonth(high):
		return yyyymm
	case isDay(low) && isDay(high):
		return yyyymmdd
	}
	const since, until = 631_152_000, 4_102_444_800 // 1990 to 2100
	for scale, f := range map[float64]form{1: seconds, 1e3: millis, 1e6: micros} {
		if low >= since*scale && high <= until*scale {
			return f
		}
	}
	return none
}

func isYear(v float64) bool  { return v >= 1800 && v <= 2200 }
func isMonth(v float64) bool { n := int(v); return isYear(float64(n/100)) && n%100 >= 1 && n%100 <= 12 }
func isDay(v float64) bool   { n := int(v); return isMonth(float64(n/100)) && n%100 >= 1 && n%100 <= 31 }

// timeOf returns the time that a number of a form codes.
func timeOf(f form, v float64) time.Time {
	n := int64(v)
	switch f {
	case yearOnly:
		return time.Date(int(n), 1, 1, 0, 0, 0, 0, time.UTC)
	case yyyymm:
		return time.Date(int(n/100), time.Month(n%100), 1, 0, 0, 0, 0, time.UTC)
	case yyyymmdd:
		return time.Date(int(n/10000), time.Month(n/100%100), int(n%100), 0, 0, 0, 0, time.UTC)
	case millis:
		return time.UnixMilli(n).UTC()
	case micros:
		return time.UnixMicro(n).UTC()
	default:
		return time.Unix(n, 0).UTC()
	}
}

// instant is the column as a time of the dialect; false for a form that stays a
// number.
func (k *clock) instant(d *dialect) (string, bool) {
	switch k.form {
	case asDay, asStamp:
		return k.x, true
	case isoText:
		return "CASE WHEN " + k.x + " LIKE '____-__-__%' THEN " + with(d.asDate, "SUBSTRING("+k.x+", 1, 10)") + " END", true
	case seconds:
		return with(d.epoch, k.x), true
	case millis:
		return with(d.epoch, "("+k.x+" / 1000.0)"), true
	case micros:
		return with(d.epoch, "("+k.x+" / 1000000.0)"), true
	default:
		return "", false
	}
}

// with writes x where a pattern has %s.
func with(pattern, x string) string { return strings.ReplaceAll(pattern, "%s", x) }

// period is the start of the span of grain g in which a row lies. Of a form that
// is a number it is one too: 200102 for February 2001.
func (k *clock) period(d *dialect, g grain) string {
	if x, ok := k.instant(d); ok {
		return d.truncate(g, x)
	}
	return digitsOf(k.x, k.form, g)
}

// digitsOf returns the leading digits of a coded time that name its grain.
func digitsOf(x string, f form, g grain) string {
	cut := map[form]map[grain]string{
		yyyymmdd: {monthly: "100.0", yearly: "10000.0"},
		yyyymm:   {yearly: "100.0"},
	}[f][g]
	if cut == "" {
		return x
	}
	return "FLOOR(" + x + " / " + cut + ")"
}

// part is the place of a row within a cycle; false when the form does not say.
func (k *clock) part(d *dialect, p part) (string, bool) {
	if x, ok := k.instant(d); ok {
		if p == hourOf && !k.hours {
			return "", false
		}
		return d.extract(p, x), true
	}
	switch {
	case p == yearOf:
		return digitsOf(k.x, k.form, yearly), true
	case p == monthOf && k.form == yyyymm:
		return k.x + " - FLOOR(" + k.x + " / 100.0) * 100", true
	case p == monthOf && k.form == yyyymmdd:
		return "FLOOR(" + k.x + " / 100.0) - FLOOR(" + k.x + " / 10000.0) * 100", true
	default:
		return "", false
	}
}

// before is the condition that a row lies before a day.
func (k *clock) before(d *dialect, at time.Time) string { return k.compare(d, "<", at) }

// since is the condition that a row lies on a day or after it.
func (k *clock) since(d *dialect, at time.Time) string { return k.compare(d, ">=", at) }

func (k *clock) compare(d *dialect, op string, at time.Time) string {
	number := func(n int64) string { return k.x + " " + op + " " + strconv.FormatInt(n, 10) }
	switch k.form {
	case yearOnly:
		return number(int64(at.Year()))
	case yyyymm:
		return number(int64(at.Year()*100 + int(at.Month())))
	case yyyymmdd:
		return number(int64(at.Year()*10000 + int(at.Month())*100 + at.Day()))
	case seconds:
		return number(at.Unix())
	case millis:
		return number(at.UnixMilli())
	case micros:
		return number(at.UnixMicro())
	case isoText:
		return k.x + " " + op + " '" + at.Format(time.DateOnly) + "'"
	default:
		return with(d.comparable, k.x) + " " + op + " " + with(d.day, at.Format(time.DateOnly))
	}
}

// grain is the finest at which the data give no more than some hundred spans, as
// far as the form goes.
func (k *clock) grain() grain {
	g := fitting(k.span())
	switch {
	case k.form == yearOnly:
		return yearly
	case k.form == yyyymm && g != yearly:
		return monthly
	case k.form == yyyymmdd && g == weekly:
		return monthly
	case g == hourly && !k.hours:
		return daily
	default:
		return g
	}
}

// fitting is the grain for a span of time.
func fitting(span time.Duration) grain {
	switch {
	case span <= 4*day:
		return hourly
	case span <= 120*day:
		return daily
	case span <= 900*day:
		return weekly
	case span <= 25*365*day:
		return monthly
	default:
		return yearly
	}
}

// middle is the day that parts the data in two halves.
func (k *clock) middle() time.Time {
	return k.from.Add(k.span() / 2).Truncate(day)
}

// years is how long the data run.
func (k *clock) years() float64 { return k.span().Hours() / 24 / 365.25 }

// said names the first and the last day of the data.
func (k *clock) said() string {
	return k.from.Format(time.DateOnly) + " to " + k.to.Format(time.DateOnly)
}

// layouts are those in which digests and texts say times.
var layouts = []string{time.RFC3339Nano, time.DateOnly, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999", "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02T15:04", "2006-01-02 15:04"}

// parseTime reads an ISO time.
func parseTime(s string) (time.Time, bool) {
	for _, l := range layouts {
		if t, err := time.Parse(l, s); err == nil && t.Year() > 1 {
			return t.UTC(), true
		}
	}
	return time.Time{}, false
}

// start is the first day of the span of grain g in which t lies; t itself when
// that is an hour.
func (g grain) start(t time.Time) time.Time {
	t = t.Truncate(day)
	switch g {
	case weekly:
		return t.AddDate(0, 0, -(int(t.Weekday())+6)%7)
	case monthly:
		return time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC)
	case yearly:
		return time.Date(t.Year(), 1, 1, 0, 0, 0, 0, time.UTC)
	default:
		return t
	}
}

// next is the first day of the span behind that in which t lies.
func (g grain) next(t time.Time) time.Time {
	switch t = g.start(t); g {
	case weekly:
		return t.AddDate(0, 0, 7)
	case monthly:
		return t.AddDate(0, 1, 0)
	case yearly:
		return t.AddDate(1, 0, 0)
	default:
		return t.AddDate(0, 0, 1)
	}
}

// edges returns the days between which all spans of grain g are whole; zero for an
// end that need not be cut.
func (k *clock) edges(g grain) (from, to time.Time) {
	_, direct := k.instant(standardDialect)
	if g == hourly || !direct || k.span() < 8*spanOf(g) {
		return from, to
	}
	if k.from.Truncate(day).After(g.start(k.from)) {
		from = g.next(k.from)
	}
	if last := g.start(k.to); k.to.Before(g.next(k.to).Add(-k.ends())) {
		to = last
	}
	return from, to
}

// ends is how long before its end a span that is whole may end.
func (k *clock) ends() time.Duration {
	if k.hours {
		return day / 2
	}
	return day
}

// standardDialect is for asking whether a form can be written as a time at all.
var standardDialect = postgresql()

// trim is the condition that a row lies in a whole span, so that no first or last
// week of two days looks like a fall.
func (k *clock) trim(d *dialect, g grain) []string {
	var out []string
	from, to := k.edges(g)
	if !from.IsZero() {
		out = append(out, k.since(d, from))
	}
	if !to.IsZero() {
		out = append(out, k.before(d, to))
	}
	return out
}

// trimSaid says that spans which are not whole are left out.
func (k *clock) trimSaid(g grain) string {
	if from, to := k.edges(g); from.IsZero() && to.IsZero() {
		return ""
	}
	return " (whole " + string(g) + "s only)"
}
