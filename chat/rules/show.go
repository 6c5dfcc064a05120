package rules

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"quaestor/obligations"
	"quaestor/sessions"
)

// show words a value of t for people: labels of choices, thousands in groups,
// dates in words.
func show(t *obligations.Template, v json.RawMessage) string {
	switch t.Widget {
	case obligations.Number:
		return showNumber(t, v)
	case obligations.Date:
		return dateWords(text(v))
	case obligations.MultiSelect:
		var values []string
		if json.Unmarshal(v, &values) != nil {
			return ""
		}
		for i, s := range values {
			values[i] = labelOf(t, s)
		}
		if slices.ContainsFunc(values, func(v string) bool { return strings.Contains(v, " and ") }) {
			return strings.Join(values, "; ")
		}
		return list(values, "and")
	case obligations.ChoiceOne:
		return labelOf(t, text(v))
	case obligations.Text:
		return text(v)
	}
	return string(v)
}

func labelOf(t *obligations.Template, value string) string {
	if c := t.Pick(value); c != nil {
		return c.Label
	}
	return value
}

func showNumber(t *obligations.Template, v json.RawMessage) string {
	unit := ""
	switch unitOf(t.Unit) {
	case "money":
	case "percent":
		unit = "%"
	default:
		if t.Unit != "" {
			unit = " " + t.Unit
		}
	}
	var n float64
	if json.Unmarshal(v, &n) == nil {
		if n == 1 {
			unit = singular(unit)
		}
		return figure(n) + unit
	}
	var r obligations.Range
	if json.Unmarshal(v, &r) != nil {
		return ""
	}
	if r.Min == least(t) && r.Max > 0 {
		return "up to " + figure(r.Max) + unit
	}
	return figure(r.Min) + " to " + figure(r.Max) + unit
}

func singular(unit string) string {
	if unit == " people" {
		return " person"
	}
	return strings.TrimSuffix(unit, "s")
}

// figure writes a number with its thousands in groups: 1,234.5.
func figure(n float64) string {
	if math.Abs(n) >= 1e15 {
		return strconv.FormatFloat(n, 'g', 4, 64)
	}
	whole, fraction, _ := strings.Cut(strconv.FormatFloat(math.Abs(math.Round(n*100)/100), 'f', -1, 64), ".")
	var b strings.Builder
	if n < 0 {
		b.WriteByte('-')
	}
	for i, d := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	if fraction != "" {
		b.WriteString("." + fraction)
	}
	return b.String()
}

// dateWords writes a stored date in words: "31 March 2027", "March 2027",
// "2027".
func dateWords(s string) string {
	for _, layout := range [][2]string{{byDay, "2 January 2006"}, {byMonth, "January 2006"}} {
		if t, err := time.Parse(layout[0], s); err == nil {
			return t.Format(layout[1])
		}
	}
	return s
}

// shown words what o holds, with the currency the person named.
func shown(o *obligations.Obligation) string {
	return sessions.InCurrency(o, show(o.Template, o.Value))
}

// quoted shortens a value for a sentence of ours: one line, no signs that would
// read as ours, in quotation marks when it is more than a few words.
func quoted(s string) string {
	s = plainLine(s)
	if len(strings.Fields(s)) > 3 {
		return "“" + s + "”"
	}
	return s
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

// lower starts s with a small letter unless it is an abbreviation.
func lower(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	second, _ := utf8.DecodeRuneInString(s[size:])
	if unicode.IsUpper(second) || unicode.IsDigit(second) {
		return s
	}
	return string(unicode.ToLower(first)) + s[size:]
}
