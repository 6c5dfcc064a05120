package obligations

import (
	"cmp"
	"encoding/json"
	"math"
	"time"

	"quaestor/internal/language"
)

// Details is what the words of a number or a date say beside it: "about 450 euros a month"
// is 450, approximate, in EUR, for each month. The zero value says nothing.
type Details struct {
	Currency    string `json:"currency,omitempty" doc:"ISO 4217, such as EUR"`
	Period      string `json:"period,omitempty" doc:"of a rate: what it is for, such as month"`
	Unit        string `json:"unit,omitempty" doc:"of the value, such as people or km; absent for money"`
	Approximate bool   `json:"approximate,omitempty" doc:"it was said to be about that"`
	Least       bool   `json:"least,omitempty" doc:"at least that"`
	Most        bool   `json:"most,omitempty" doc:"at most that"`
}

// orNil returns d, or nil when it says nothing.
func (d Details) orNil() *Details {
	if d == (Details{}) {
		return nil
	}
	return &d
}

// Details returns what was said of the value of o, by the latest evidence that tells, and
// its unit. It returns nil when there is nothing to tell.
func (o *Obligation) Details() *Details {
	var d Details
	for i := len(o.Evidence) - 1; i >= 0; i-- {
		if told := o.Evidence[i].Details; told != nil {
			d = *told
			break
		}
	}
	if o.Value != nil && o.Widget == Number && !o.money() {
		d.Unit = cmp.Or(o.Unit, d.Unit)
	}
	return d.orNil()
}

// money reports whether the value is an amount in a currency.
func (t *Template) money() bool { return t.Unit == "money" || t.Unit == "currency" }

// ReadDetails reads what text says of the value v of t, which was read at that place in it;
// the words around the place count ("about", "at least"). It returns nil when the text says
// nothing. Relative dates count from now.
func ReadDetails(t *Template, v json.RawMessage, text string, at Span, now time.Time) *Details {
	quote, ok := at.Slice(text)
	if !ok || t.Widget != Number && t.Widget != Date {
		return nil
	}
	before, _ := Span{0, at.Start}.Slice(text) // nothing at the beginning
	s := passage{words: language.Words(text), from: len(before), to: len(before) + len(quote)}
	if t.Widget == Date {
		return s.date(v, now)
	}
	return s.number(t, v)
}

// passage is a text, and the bytes of it in which a value was read.
type passage struct {
	words    []language.Word
	from, to int
}

// within reports whether some of the words from first to last, excluded, are in the quote.
func (s passage) within(first, last int) bool {
	return s.words[first].From < s.to && s.words[last-1].To > s.from
}

// date reports of a date whether it was said to be about then.
func (s passage) date(v json.RawMessage, now time.Time) *Details {
	want, err := decode[string](v)
	if err != nil {
		return nil
	}
	reader := language.NewReader()
	for _, way := range []language.Direction{language.Ahead, language.Behind} {
		for _, d := range reader.Dates(s.words, now, way) {
			if s.within(d.From, d.To) && d.Covers(want) {
				return Details{Approximate: d.Approximate}.orNil()
			}
		}
	}
	return nil
}

// number returns what is said of a number by the figure that is the value; of a value that
// was worked out from the only figure of the quote, no more than its currency. Languages differ in what
// "1.500" is, so each has a try.
func (s passage) number(t *Template, v json.RawMessage) *Details {
	low, high, ok := ends(t, v)
	if !ok {
		return nil
	}
	var others []language.Figure
	for i, tag := range language.Languages() {
		for _, f := range language.NewReader(tag).Figures(s.words) {
			factor, fits := language.Convert(f.Unit, t.Unit)
			switch {
			case !s.within(f.From, f.To):
			case fits && near(f.Low*factor, low) && near(f.High*factor, high):
				return detailsOf(t, f).orNil()
			case i == 0:
				others = append(others, f)
			}
		}
	}
	if len(others) != 1 {
		return nil
	}
	return Details{Currency: others[0].Currency}.orNil()
}

// near reports whether two numbers are the same but for rounding.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-6*max(1, math.Abs(b)) }

// detailsOf returns what a figure says of a value of t, whose own unit the value has by now.
func detailsOf(t *Template, f language.Figure) Details {
	d := Details{Currency: f.Currency, Period: f.Period, Approximate: f.Approximate, Least: f.Least, Most: f.Most}
	if t.Unit == "" {
		if d.Unit = f.Unit; f.Percent {
			d.Unit = "percent"
		}
	}
	return d
}
