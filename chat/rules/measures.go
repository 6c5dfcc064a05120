package rules

import (
	"math"
	"strings"
)

// spans are the lengths of time units in days. Months and years convert between
// themselves exactly, see [convert].
var spans = map[string]float64{
	"minute": 1.0 / 24 / 60, "hour": 1.0 / 24, "day": 1, "week": 7, "fortnight": 14, "month": 30, "quarter": 90, "year": 365,
}

// exact are the conversions that calendars fix better than days do.
var exact = map[[2]string]float64{
	{"year", "month"}: 12, {"year", "week"}: 52, {"year", "quarter"}: 4, {"quarter", "month"}: 3, {"month", "quarter"}: 1.0 / 3,
	{"month", "year"}: 1.0 / 12, {"quarter", "year"}: 0.25, {"week", "year"}: 1.0 / 52, {"week", "month"}: 12.0 / 52, {"month", "week"}: 52.0 / 12,
	{"fortnight", "month"}: 24.0 / 52, {"fortnight", "year"}: 1.0 / 26,
}

// unitOf returns the unit a template's unit text names: a time unit, "money",
// "percent", or "" for what only counts things.
func unitOf(text string) string {
	text = strings.ToLower(strings.TrimSpace(text))
	switch {
	case strings.Contains(text, "%"):
		return "percent"
	case text == "money" || text == "currency":
		return "money"
	case text == "minutes" || text == "min":
		return "minute"
	}
	return unitWords[text]
}

// convert brings v from one unit to another of the same kind; exactly tells
// whether the figure is the person's own. ok is false when the two cannot be
// compared.
func convert(v float64, from, to string) (out float64, exactly, ok bool) {
	switch {
	case from == "" || from == to:
		return v, true, true
	case spans[from] == 0 || spans[to] == 0:
		return v, true, false
	}
	factor, fixed := exact[[2]string{from, to}]
	if !fixed {
		factor = spans[from] / spans[to]
	}
	out = v * factor
	if whole := math.Round(out); math.Abs(out-whole) < 1e-9 {
		return whole, true, true
	}
	return math.Round(out*10) / 10, false, true
}
