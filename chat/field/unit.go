package field

import (
	"cmp"
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
)

// Unit returns the unit that t asks for: a unit of time or a measure as [language.Convert] knows it,
// "money", "percent", or "" for what only counts things.
func Unit(t *obligations.Template) string {
	text := language.Fold(strings.TrimSpace(t.Unit))
	switch {
	case strings.Contains(text, "%"), text == "percent":
		return "percent"
	case text == "money", text == "currency", language.IsWord("currency", text):
		return "money"
	}
	for _, kind := range []string{"period", "unit"} {
		for _, l := range language.All() {
			if unit, ok := l.Value(kind, text); ok {
				return unit
			}
		}
	}
	return ""
}

// otherMeasure reports whether a figure measures a length, weight, area or volume and t asks for money,
// a share, or a count of something.
func otherMeasure(t *obligations.Template, f *language.Figure) bool {
	return t.Unit != "" && language.IsMeasure(f.Unit) && !language.IsMeasure(Unit(t)) && !(Unit(t) == "money" && f.Unit == "m")
}

// least is the least that t takes, the lower end of "up to": 0 where it sets none.
func least(t *obligations.Template) float64 {
	if t.Min != nil {
		return *t.Min
	}
	return 0
}

// aWeek is how often a period comes in a week. How many days somebody means who says
// "a day" is not known: from the working days to all of them.
var aWeek = map[string][2]float64{
	"day": {5, 7}, language.EveryDay: {7, 7}, language.EveryWorkday: {5, 5}, "week": {1, 1}, "fortnight": {0.5, 0.5}, "month": {12.0 / 52, 12.0 / 52}, "quarter": {4.0 / 52, 4.0 / 52}, "year": {1.0 / 52, 1.0 / 52},
}

// OfPeriod brings a figure that is said of a period to the one that t asks for: "500 a week" to a
// month. A day comes five to seven times a week, so low and high may differ. same tells that nothing
// had to be reckoned; ok is false when nobody can tell, as with shares, which do not add up.
func OfPeriod(t *obligations.Template, f *language.Figure) (low, high float64, same, ok bool) {
	asked := Period(t)
	from, to := aWeek[f.Period], aWeek[asked]
	switch {
	case f.Period == "", asked == "", f.Times == 0 && (f.Period == asked || asked == "day" && (f.Period == language.EveryDay || f.Period == language.EveryWorkday)):
		return f.Low, f.High, true, true
	case from[0] == 0, to[0] == 0, Unit(t) == "percent": // growth does not add up
		return 0, 0, false, false
	}
	times := cmp.Or(f.Times, 1)
	return Rounded(f.Low * times * from[0] / to[1]), Rounded(f.High * times * from[1] / to[0]), false, true
}

// Rounded keeps no digits that a rough figure does not have: none behind the point from 100 on, else two.
func Rounded(v float64) float64 {
	if math.Abs(v) >= 100 {
		return math.Round(v)
	}
	return math.Round(v*100) / 100
}

// Period returns the period that t asks a figure for: "week" of "How many hours a week",
// "year" of "in a year". It is empty where t asks for none.
func Period(t *obligations.Template) string {
	for _, text := range []string{t.Prompt, t.Name()} {
		words := strings.Fields(language.PlainWords(text))
		for i, w := range words {
			for _, l := range language.All() {
				p, ok := l.Value("period", w)
				per := i > 0 && (language.IsWord("per", words[i-1]) || language.IsWord("article", words[i-1])) || i > 1 && language.IsWord("per", words[i-2]+"_"+words[i-1])
				if ok && (per || strings.HasSuffix(w, "ly") || strings.HasSuffix(w, "lich") || strings.HasPrefix(w, "jaehr")) {
					return p
				}
			}
		}
	}
	return ""
}

// Share returns what share a folded word means, in percent: "half", "a third", and where little else is
// said ("short") all and nothing.
func Share(folded string, short bool) (float64, bool) {
	for _, l := range language.All() {
		if s, ok := l.Value("half", folded); ok {
			part, err := strconv.ParseFloat(s, 64)
			return math.Round(100 * part), err == nil && part < 1
		}
		if s, ok := l.Value("whole", folded); ok && short {
			percent, err := strconv.ParseFloat(s, 64)
			return percent, err == nil
		}
	}
	return 0, false
}

// Figure returns a figure as a value of t, in its unit and of its period: a number, or a range where it
// has two ends; nil when it cannot be one, or t does not take it.
func Figure(t *obligations.Template, f *language.Figure) json.RawMessage {
	unit := Unit(t)
	if f.Ordinal || f.Percent && unit != "percent" || f.Currency != "" && unit != "money" || otherMeasure(t, f) {
		return nil
	}
	if language.IsTime(unit) && f.Unit == "" && f.Period != "" && f.Period != Period(t) { // "25 a year" is no time
		return nil
	}
	spoken, same := *f, true
	if low, high, own, ok := OfPeriod(t, f); ok {
		spoken.Low, spoken.High, same = low, high, own
	}
	f = &spoken
	factor, ok := language.Convert(f.Unit, t.Unit)
	if unit == "money" && f.Unit == "m" { // "1.5m" of money
		factor, ok = 1e6, true
	}
	if !ok || unit == "" && f.Currency == "" && language.IsTime(f.Unit) && Kind(t) != listening.Duration || unit == "money" && language.IsTime(f.Unit) {
		return nil
	}
	low, high := tidyNumber(f.Low*factor), tidyNumber(f.High*factor)
	if f.Most && low == high && (t.Min == nil || *t.Min <= 0) {
		low = 0
	}
	if factor != 1 && math.Abs(low) >= 1 && same { // months have no exact days
		low, high = math.Round(10*low)/10, math.Round(10*high)/10
	}
	v := Encode(obligations.Range{Min: low, Max: high})
	if low == high {
		v = Encode(low)
	}
	if t.Check(v) != nil {
		return nil
	}
	return v
}

func tidyNumber(v float64) float64 { return math.Round(v*1e6) / 1e6 }
