package rules

import (
	"cmp"
	"math"
	"strings"

	"quaestor/internal/language"
	"quaestor/obligations"
)

// unitOf returns the unit a template's unit text names: a unit of time, "money", "percent", or ""
// for what only counts things.
func unitOf(text string) string {
	text = language.Fold(strings.TrimSpace(text))
	switch {
	case strings.Contains(text, "%"), text == "percent":
		return "percent"
	case text == "money", text == "currency", isOne("currency", text):
		return "money"
	}
	for _, kind := range []string{"period", "unit"} {
		for _, l := range language.Lexicons() {
			if unit, ok := l.Value(kind, text); ok {
				return unit
			}
		}
	}
	return ""
}

// least is the lower end of "up to".
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

// over brings a figure that is said of a period to the one that t asks for: "500 a week" to a
// month. same tells whether the figure is the person's own; ok is false when nobody can tell.
func over(t *obligations.Template, f *language.Figure) (low, high float64, same, ok bool) {
	asked := periodOf(t)
	from, to := aWeek[f.Period], aWeek[asked]
	switch {
	case f.Period == "", asked == "", f.Times == 0 && (f.Period == asked || asked == "day" && (f.Period == language.EveryDay || f.Period == language.EveryWorkday)):
		return f.Low, f.High, true, true
	case from[0] == 0, to[0] == 0, unitOf(t.Unit) == "percent": // growth does not add up
		return 0, 0, false, false
	}
	times := cmp.Or(f.Times, 1)
	return rounded(f.Low * times * from[0] / to[1]), rounded(f.High * times * from[1] / to[0]), false, true
}

// rounded keeps no digits that a rough figure does not have.
func rounded(v float64) float64 {
	if math.Abs(v) >= 100 {
		return math.Round(v)
	}
	return math.Round(v*100) / 100
}

// periodOf returns the period that t asks a figure for: "week" of "How many hours a week",
// "year" of "in a year". It is empty where t asks for none.
func periodOf(t *obligations.Template) string {
	for _, text := range []string{t.Prompt, t.Name()} {
		words := strings.Fields(plainWords(text))
		for i, w := range words {
			for _, l := range language.Lexicons() {
				p, ok := l.Value("period", w)
				per := i > 0 && (isOne("per", words[i-1]) || isOne("article", words[i-1])) || i > 1 && isOne("per", words[i-2]+"_"+words[i-1])
				if ok && (per || strings.HasSuffix(w, "ly") || strings.HasSuffix(w, "lich") || strings.HasPrefix(w, "jaehr")) {
					return p
				}
			}
		}
	}
	return ""
}

// wholePeriods are the messages for a period as a whole, "a whole week".
var wholePeriods = map[string]string{
	"day": "period.whole.day", "week": "period.whole.week", "fortnight": "period.whole.fortnight", "month": "period.whole.month", "quarter": "period.whole.quarter", "year": "period.whole.year",
}
