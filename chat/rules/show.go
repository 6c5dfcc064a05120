package rules

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"unicode"

	"quaestor/internal/language/messages"
	"quaestor/obligations"
	"quaestor/sessions"
)

// english is the language in which values are compared with what was said, and named in
// queries: the message of a widget and the words of a search are in it.
var english = sync.OnceValue(func() *messages.Language { return messages.In("en") })

// show words a value of t in English: see showIn.
func show(t *obligations.Template, v json.RawMessage) string {
	return showIn(english(), sessions.Currency{}, t, v)
}

// showIn words a value of t for people: labels of choices, thousands in groups, dates in
// words, amounts in the currency c.
func showIn(l *messages.Language, c sessions.Currency, t *obligations.Template, v json.RawMessage) string {
	switch t.Widget {
	case obligations.Number:
		return showNumber(l, c, t, v)
	case obligations.Date:
		return l.Date(text(v))
	case obligations.MultiSelect:
		return showChoices(l, t, v)
	case obligations.ChoiceOne:
		return labelOf(t, text(v))
	case obligations.Text:
		return text(v)
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
		return c.Amount(l, withUnit(l, t, figure(l, n), n))
	}
	var r obligations.Range
	if json.Unmarshal(v, &r) != nil {
		return ""
	}
	if r.Min == least(t) && r.Max > 0 {
		return c.UpTo(l, withUnit(l, t, figure(l, r.Max), r.Max))
	}
	between := l.Text("range", with{"min": messages.Figure(r.Min), "max": messages.Figure(r.Max)})
	return c.Amount(l, withUnit(l, t, between, r.Max))
}

// withUnit adds the unit of t to a number, of which there are n.
func withUnit(l *messages.Language, t *obligations.Template, number string, n float64) string {
	switch unit := unitOf(t.Unit); {
	case unit == "money", t.Unit == "":
		return number
	case unit == "percent":
		return l.Text("amount.percent", with{"amount": words(number)})
	}
	return l.Text("amount.unit", with{"amount": words(number), "unit": words(l.Unit(n, t.Unit))})
}

// figure writes a number with its thousands in groups: 1,234.5.
func figure(l *messages.Language, n float64) string {
	return l.Text("figure", with{"n": messages.Figure(n)})
}

// shown words what o holds, with the currency the person named.
func (w *writer) shown(o *obligations.Obligation) string { return w.shownAs(o, o.Value) }

// shownAs words v as a value of o.
func (w *writer) shownAs(o *obligations.Obligation, v json.RawMessage) string {
	return showIn(w.l, sessions.CurrencyOf(o), o.Template, v)
}

// quoted shortens a value for a sentence of ours: one line, no signs that would
// read as ours, in quotation marks when it is more than a few words.
func (w *writer) quoted(s string) string {
	s = plainLine(s)
	if len(strings.Fields(s)) > maxChoiceWords {
		return w.l.Quoted(s)
	}
	return s
}

// quotedAs is quoted for a value of o in words: of free text, all that is several words and no
// figure is in quotation marks, as it may begin like any sentence.
func (w *writer) quotedAs(o *obligations.Obligation, s string) string {
	s = plainLine(s)
	if (o.Widget == obligations.Text || o.Widget == obligations.ChoiceOne) && strings.Contains(s, " ") && !strings.ContainsFunc(s, unicode.IsDigit) {
		return w.l.Quoted(s)
	}
	return w.quoted(s)
}

// maxShown bounds a value within a sentence, in runes.
const maxShown = 140

// plainLine makes one line of s without question and exclamation marks and
// without marks that Markdown would take for its own.
func plainLine(s string) string { return line(s, maxShown) }

// line is plainLine for up to n runes.
func line(s string, n int) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune("?!？！*_`<>#|[]", r):
			return -1
		case unicode.IsSpace(r):
			return ' '
		}
		return r
	}, s)
	return clip(strings.Join(strings.Fields(s), " "), n)
}

// clip shortens s to n runes.
func clip(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return strings.TrimSpace(string(r[:n])) + "…"
	}
	return s
}
