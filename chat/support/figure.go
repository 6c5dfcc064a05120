package support

import (
	"encoding/json"
	"math"
	"regexp"
	"strconv"
	"strings"

	"quaestor/internal/language"
	"quaestor/obligations"
)

// number holds a number or a range against the figures of the quote.
func (w *wording) number() Level {
	var r obligations.Range
	if json.Unmarshal(w.Value, &r.Min) == nil {
		r.Max = r.Min
	} else if json.Unmarshal(w.Value, &r) != nil {
		return None
	}
	list := w.figures()
	if len(list) == 0 {
		return w.countless(r)
	}
	best := None
	for _, f := range list {
		best = max(best, gives(&f, r))
	}
	if best == Full || r.Min != r.Max {
		return max(best, ends(list, r))
	}
	return max(best, w.sums(list, r.Min))
}

// figures returns the figures of the quote that the template can mean, in its unit.
func (w *wording) figures() []language.Figure {
	var out []language.Figure
	words := w.quoted()
	list := w.reader().Figures(words)
	if grouped.MatchString(w.Quote) { // twenty to some, and twenty thousand to others
		list = append(list, language.NewReader("de").Figures(words)...)
		list = append(list, language.NewReader("en").Figures(words)...)
	}
	if len(list) == 0 {
		list = w.unnumbered()
	}
	for _, f := range list {
		f.Most = f.Most || w.has("most")
		if r, ok := w.reckon(f); ok {
			out = append(out, r)
		}
	}
	return out
}

// unnumbered returns what the quote counts without a number: "about a third", "a quarter of
// a year", "a day".
func (w *wording) unnumbered() []language.Figure {
	var out []language.Figure
	for i := range w.said {
		if !w.said[i].inside {
			continue
		}
		if _, one := w.said.kind("article", i); one > 0 && i+1 < len(w.said) {
			if period, n := w.said.kind("period", i+1); n > 0 {
				out = append(out, language.Figure{Low: 1, High: 1, Unit: period})
				continue
			}
		}
		v, n := w.said[i:i+1].kind("half", 0)
		if n == 0 {
			continue
		}
		part, _ := strconv.ParseFloat(v, 64) // the lexicon has numbers there
		f := language.Figure{Low: part, High: part}
		for k := i + 1; k < len(w.said) && k <= i+maxListed && f.Unit == ""; k++ {
			f.Unit, _ = w.said.kind("period", k)
		}
		out = append(out, f)
	}
	return out
}

// grouped matches a number that is read in two ways, such as 20.000.
var grouped = regexp.MustCompile(`\b\d{1,3}[.,]\d{3}\b`)

func (w *wording) reader() *language.Reader {
	if w.german {
		return language.NewReader("de")
	}
	return language.NewReader("en")
}

// reckon converts a figure into the template's unit; ok is false when it measures
// something else.
func (w *wording) reckon(f language.Figure) (out language.Figure, ok bool) {
	unit, measure := w.unit()
	out = f
	switch {
	case f.Ordinal:
		return out, false
	case measure == "percent":
		if !f.Percent && f.Low < 1 && f.High < 1 { // "half of it"
			out.Low, out.High = f.Low*100, f.High*100
		}
		return out, f.Currency == "" && f.Unit == ""
	case f.Percent:
		return out, measure == ""
	case measure == "money":
		return out, f.Unit == "" && (unit == "" || f.Currency == "" || f.Currency == unit)
	case f.Currency != "":
		return out, measure == ""
	case measure == "period" && isPeriod(f.Unit), measure == "unit" && f.Unit != "" && !isPeriod(f.Unit):
		factor, known := language.Convert(f.Unit, unit)
		out.Low, out.High = round(f.Low*factor), round(f.High*factor)
		return out, known
	case measure == "count":
		return out, f.Unit == "" || !isPeriod(f.Unit) && len(f.Unit) > 2
	}
	return out, f.Unit == "" || measure == "" || measure != "period" && measure != "unit"
}

// round takes off what a conversion of months and years leaves behind the point.
func round(v float64) float64 { return math.Round(v*1000) / 1000 }

// unit returns the template's unit as figures have it, and what it measures: "money",
// "percent", "period", "unit", "count", or "" when it has none.
func (w *wording) unit() (unit, measure string) {
	name := language.Fold(strings.TrimSpace(w.Template.Unit))
	t := cut(name)
	switch {
	case name == "":
		return "", ""
	case name == "money":
		return "", "money"
	}
	for i := range t {
		for _, kind := range []string{"percent", "currency", "period", "unit"} {
			v, n := t.kind(kind, i)
			switch {
			case n == 0:
			case kind == "currency":
				return v, "money"
			default:
				return v, kind
			}
		}
	}
	return name, "count"
}

func isPeriod(unit string) bool {
	_, known := language.Convert(unit, "hour")
	return known && unit != ""
}

// gives returns how well a figure gives the number or range.
func gives(f *language.Figure, r obligations.Range) Level {
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-6*math.Max(1, math.Abs(b)) }
	switch {
	case near(f.Low, r.Min) && near(f.High, r.Max), f.Most && near(f.High, r.Max) && r.Min == 0:
		return Full
	case near(f.High, r.Max) && r.Min == 0 && !f.Least: // "a maximum of", in words that are not known
		return Weak
	case r.Min == r.Max && f.Low < f.High && f.Low <= r.Min && r.Min <= f.High, near(f.Low, r.Min) && f.Least && r.Max > r.Min:
		return Weak
	case f.Low == f.High && f.Approximate && r.Min < f.Low && f.Low < r.Max:
		return Weak
	case r.Min == r.Max && math.Abs(f.Low-r.Min) < 1 && f.Low != math.Trunc(f.Low): // a third: 33
		return Full
	}
	return None
}

// ends supports a range whose ends are two figures.
func ends(list []language.Figure, r obligations.Range) Level {
	low, high := false, false
	for _, f := range list {
		low, high = low || f.Low == r.Min, high || f.High == r.Max
	}
	if low && high {
		return Full
	}
	return None
}

// sums supports a number that is what the figures come to, with the people who are
// counted by name: "me and 4 others".
func (w *wording) sums(list []language.Figure, n float64) Level {
	sum := 0.0
	for _, f := range list {
		if f.Low != f.High {
			return None
		}
		sum += f.Low
	}
	if people := float64(w.people()); len(list) > 1 && n == sum || people > 0 && n == sum+people {
		return Full
	}
	return None
}

// countless supports a number for which the quote has no figure: nobody, or people
// counted by name. A quote in a language without a lexicon is believed weakly.
func (w *wording) countless(r obligations.Range) Level {
	people := float64(w.people())
	switch {
	case r.Min == r.Max && people > 0 && people == r.Min:
		return Full
	case r.Min == 0 && r.Max == 0 && w.has("nobody"):
		return Full
	case r.Min == r.Max && w.has("collective"), w.foreign():
		return Weak
	}
	return None
}

// people counts the persons that the quote names one by one.
func (w *wording) people() int {
	n := 0
	for i := range w.said {
		beside := w.said.is("alone", i-1) || w.said.is("alone", i+1)
		if w.said[i].inside && (w.said.is("person", i) || w.said.is("self", i) && beside) {
			n++
		}
	}
	return n
}

// has reports whether a word of the quote is one of a kind.
func (w *wording) has(kind string) bool {
	for i := range w.said {
		if _, n := w.said.kind(kind, i); n > 0 && w.said[i].inside {
			return true
		}
	}
	return false
}

// date holds a date against the dates of the quote. A value that is less exact than what
// was said is right, one that is more exact is not known to be.
func (w *wording) date() Level {
	var v string
	_ = json.Unmarshal(w.Value, &v) // has the shape
	best, words := None, w.quoted()
	for _, way := range []language.Direction{language.Ahead, language.Behind} {
		for _, d := range w.reader().Dates(words, w.Now, way) {
			switch {
			case strings.HasPrefix(d.ISO, v), d.Covers(v):
				return Full
			case strings.HasPrefix(v, d.ISO), d.Approximate && d.ISO[:4] == v[:4]:
				best = Weak
			}
		}
	}
	if best == None && w.foreign() {
		return Weak
	}
	return best
}

// minLink is how near a sentence and a question must be in meaning for a figure in it to
// be of that question. It is a judgement: below it, sentences of testdata/support have
// nothing to do with the question.
const minLink = 0.3

// linked lowers the support of a figure that was said in passing, in a sentence that has
// nothing to do with what the template asks.
func (w *wording) linked(l Level) Level {
	if l != Full || w.Asked || w.sharesQuestion() || w.ofThem() || w.near(w.Template.Prompt, minLink) {
		return l
	}
	return Weak
}

// ofThem reports whether a count of people is one of those the speaker belongs to: "four of
// us".
func (w *wording) ofThem() bool {
	_, people := cut(language.Fold(w.Template.Unit)).kind("people", 0)
	for i := range w.said {
		if people > 0 && w.said.is("us", i) {
			return true
		}
	}
	return false
}

// sharesQuestion reports whether what was said has a word of the question.
func (w *wording) sharesQuestion() bool {
	for i := range w.said {
		if at := &w.said[i]; at.content && !at.figure && w.asks(at) {
			return true
		}
	}
	return false
}

// asks reports whether a word is one of the question's.
func (w *wording) asks(at *word) bool {
	for i := range w.question {
		if q := &w.question[i]; q.content && alike(q, at) {
			return true
		}
	}
	return false
}

// near reports whether what was said is that near to an English text in meaning.
func (w *wording) near(other string, bound float64) bool {
	return w.Similar != nil && !w.german && w.Similar(other, w.said.String()) >= bound
}

// String returns the text as it stands, in one line.
func (t text) String() string {
	var b strings.Builder
	for i, w := range t {
		if i > 0 && w.Spaced {
			b.WriteByte(' ')
		}
		b.WriteString(w.Text)
	}
	return b.String()
}
