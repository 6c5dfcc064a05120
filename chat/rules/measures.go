package rules

import (
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
