package insight

import (
	"math"
	"strconv"
	"strings"
	"time"

	"quaestor/internal/language"
)

// Title returns the headline with its figures.
func (i *Insight) Title() string { return i.Fill(i.Headline) }

// Prose returns the text with its figures.
func (i *Insight) Prose() string { return i.Fill(i.Text) }

// Fill puts figures and days into the placeholders of a text. A placeholder that names neither
// stays as it is; see [Insight.Unknown].
func (i *Insight) Fill(text string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "{{")
		b.WriteString(before)
		name, after, closed := strings.Cut(rest, "}}")
		if !ok || !closed {
			if ok {
				b.WriteString("{{" + rest)
			}
			return b.String()
		}
		if v, known := i.placeholder(name); known {
			b.WriteString(v)
		} else {
			b.WriteString("{{" + name + "}}")
		}
		text = after
	}
}

// Unknown returns the placeholders of a text that name no figure and no day of the insight.
func (i *Insight) Unknown(text string) []string {
	var out []string
	for {
		_, rest, ok := strings.Cut(text, "{{")
		name, after, closed := strings.Cut(rest, "}}")
		if !ok || !closed {
			return out
		}
		if _, known := i.placeholder(name); !known {
			out = append(out, name)
		}
		text = after
	}
}

// placeholder returns what stands for a name.
func (i *Insight) placeholder(name string) (string, bool) {
	days := map[string]time.Time{"from": i.Period.From, "to": i.Period.To, "until": i.Period.To.AddDate(0, 0, -1), "before_from": i.Before.From, "before_until": i.Before.To.AddDate(0, 0, -1),
		"onset_from": i.Onset.From, "onset_until": i.Onset.To.AddDate(0, 0, -1)}
	if name == "month_name" && !i.Period.IsZero() {
		return i.Period.From.Format("January 2006"), true
	}
	if t, ok := days[name]; ok && t.Year() > 1 {
		return t.Format("2 January 2006"), true
	}
	for _, f := range i.Figures {
		if f.ID == name {
			return f.String(), true
		}
	}
	return "", false
}

// String writes a figure as people read it.
func (f Figure) String() string {
	switch f.Unit {
	case Records:
		return language.Thousands(int64(math.Round(f.Value)))
	case Percent:
		return number(f.Value, 1) + " %"
	case Points:
		return number(f.Value, 1) + " percentage points"
	}
	if f.Of == "" {
		return number(f.Value, 2)
	}
	return number(f.Value, 2) + " " + f.Of
}

// number writes a number with at most so many digits behind the point, fewer for large ones, and
// three significant ones for small ones.
func number(v float64, digits int) string {
	switch a := math.Abs(v); {
	case a >= 1000:
		digits = 0
	case a >= 100:
		digits = min(digits, 1)
	case a > 0 && a < 0.1:
		digits = decimals(v)
	}
	scale := math.Pow(10, float64(digits))
	v = math.Round(v*scale) / scale
	whole, rest, _ := strings.Cut(strconv.FormatFloat(math.Abs(v), 'f', digits, 64), ".")
	n, err := strconv.ParseInt(whole, 10, 64)
	if err != nil {
		return strconv.FormatFloat(v, 'g', 6, 64)
	}
	out := language.Thousands(n)
	if rest = strings.TrimRight(rest, "0"); rest != "" {
		out += "." + rest
	}
	if v < 0 {
		out = "-" + out
	}
	return out
}
