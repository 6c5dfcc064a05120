package field

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"quaestor/internal/language/messages"
	"quaestor/obligations"
	"quaestor/sessions"
)

// english is the language in which values are compared with what was said, and named in
// queries: the message of a widget and the words of a search are in it.
var english = sync.OnceValue(func() *messages.Language { return messages.In("en") })

// InEnglish is [InWords] in English, without a currency.
func InEnglish(t *obligations.Template, v json.RawMessage) string {
	return InWords(english(), sessions.Currency{}, t, v)
}

// InWords words a value of t for people: labels of choices, thousands in groups, dates in
// words, amounts in the currency c.
func InWords(l *messages.Language, c sessions.Currency, t *obligations.Template, v json.RawMessage) string {
	switch t.Widget {
	case obligations.Number:
		return showNumber(l, c, t, v)
	case obligations.Date:
		return l.Date(Text(v))
	case obligations.MultiSelect:
		return showChoices(l, t, v)
	case obligations.ChoiceOne:
		return labelOf(t, Text(v))
	case obligations.Text:
		return Text(v)
	}
	return string(v)
}

// showChoices lists choices; those that are lists themselves are parted by semicolons.
func showChoices(l *messages.Language, t *obligations.Template, v json.RawMessage) string {
	var values []string
	if json.Unmarshal(v, &values) != nil {
		return ""
	}
	for i, s := range values {
		values[i] = labelOf(t, s)
	}
	and := strings.TrimPrefix(l.And([]string{"", ""}), ",")
	if slices.ContainsFunc(values, func(v string) bool { return strings.Contains(v, and) }) {
		return strings.Join(values, "; ")
	}
	return l.And(values)
}

func labelOf(t *obligations.Template, value string) string {
	if c := t.Pick(value); c != nil {
		return c.Label
	}
	return value
}

// showNumber words a number or a range.
func showNumber(l *messages.Language, c sessions.Currency, t *obligations.Template, v json.RawMessage) string {
	var n float64
	if json.Unmarshal(v, &n) == nil {
		return c.Amount(l, withUnit(l, t, showFigure(l, n), n))
	}
	var r obligations.Range
	if json.Unmarshal(v, &r) != nil {
		return ""
	}
	if r.Min == least(t) && r.Max > 0 {
		return c.UpTo(l, withUnit(l, t, showFigure(l, r.Max), r.Max))
	}
	between := l.Text("range", messages.Args{"min": messages.Figure(r.Min), "max": messages.Figure(r.Max)})
	return c.Amount(l, withUnit(l, t, between, r.Max))
}

// withUnit adds the unit of t to a number, of which there are n.
func withUnit(l *messages.Language, t *obligations.Template, number string, n float64) string {
	switch unit := Unit(t); {
	case unit == "money", t.Unit == "":
		return number
	case unit == "percent":
		return l.Text("amount.percent", messages.Args{"amount": messages.Text(number)})
	}
	return l.Text("amount.unit", messages.Args{"amount": messages.Text(number), "unit": messages.Text(l.Unit(n, t.Unit))})
}

// showFigure writes a number with its thousands in groups: 1,234.5.
func showFigure(l *messages.Language, n float64) string {
	return l.Text("figure", messages.Args{"n": messages.Figure(n)})
}

// Clip returns the first n runes of s, with … when there are more, and without white space before it.
func Clip(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return strings.TrimSpace(string(r[:n])) + "…"
	}
	return s
}
