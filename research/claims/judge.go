package claims

import (
	"encoding/json"
	"math"
	"strings"

	"quaestor/obligations"
)

// minAnswered is how much of a text's content words the claims must have.
const minAnswered = 0.5

// CheckAnswer judges a value that a model made of the claims it cites: it must
// pass o's own check, and every number, date, choice and proper name in it must
// be in the claims, with the same unit and polarity. The error is an
// [*Unsupported] unless the value itself is unfit.
func CheckAnswer(o *obligations.Obligation, value json.RawMessage, list []Claim) error {
	if o == nil || o.Template == nil {
		return unsupported(BadWords, "nothing was asked")
	}
	if err := o.Check(value); err != nil {
		return err
	}
	if len(list) == 0 {
		return unsupported(BadWords, "no claim is cited")
	}
	switch voices := voicesOf(list); o.Widget {
	case obligations.Number:
		return checkNumber(o.Template, value, voices)
	case obligations.Date:
		return checkDate(value, voices)
	case obligations.ChoiceOne, obligations.MultiSelect:
		return checkChoices(o.Template, value, voices)
	}
	var text string
	if err := json.Unmarshal(value, &text); err != nil {
		return unsupported(BadWords, "the value is no text")
	}
	return checkText(text, list)
}

func checkNumber(t *obligations.Template, value json.RawMessage, voices []voice) error {
	var r obligations.Range
	if err := json.Unmarshal(value, &r.Min); err == nil {
		r.Max = r.Min
	} else if err := json.Unmarshal(value, &r); err != nil {
		return unsupported(BadFigure, "the value is no number")
	}
	for _, n := range []float64{r.Min, r.Max} {
		if why := claimed(t, n, voices); why != "" {
			return unsupported(why, "no claim has the number %v like this", n)
		}
	}
	return nil
}

// claimed says why no claim has the number n as t asks for it, or "".
func claimed(t *obligations.Template, n float64, voices []voice) Reason {
	reason, units := BadFigure, templateUnits(t.Unit)
	for _, v := range voices {
		for i := range v.p.figures {
			f := &v.p.figures[i]
			factor, fit := v.p.factor(f, t.Unit, units)
			switch {
			case math.Abs(f.Value*factor-n) > 1e-9*math.Abs(n):
			case f.ordinal || f.ambiguous:
			case !fit:
				reason = BadUnit
			case f.bound != 0 || f.move < 0:
				reason = BadPolarity
			default:
				return ""
			}
		}
	}
	return reason
}

func checkDate(value json.RawMessage, voices []voice) error {
	var when string
	if err := json.Unmarshal(value, &when); err != nil {
		return unsupported(BadDate, "the value is no date")
	}
	for _, v := range voices {
		for _, d := range v.p.dates {
			if covers(d.when, when) && side(d.side) == '=' {
				return nil
			}
		}
	}
	return unsupported(BadDate, "no claim has the date %s", when)
}

func checkChoices(t *obligations.Template, value json.RawMessage, voices []voice) error {
	var list []string
	var one string
	if json.Unmarshal(value, &one) == nil {
		list = []string{one}
	} else if err := json.Unmarshal(value, &list); err != nil {
		return unsupported(BadWords, "the value is no choice")
	}
	named := map[string]bool{}
	forms := namesOf(t.Choices)
	claims := make([]Claim, len(voices))
	for i, v := range voices {
		claims[i] = *v.Claim
		for _, c := range v.p.choices(forms) {
			named[t.Choices[c].Value] = true
		}
	}
	for _, s := range list {
		if named[s] {
			continue
		}
		if t.Pick(s) != nil {
			return unsupported(BadWords, "no claim names the choice %q", s)
		}
		if err := checkText(s, claims); err != nil {
			return err
		}
	}
	return nil
}

// checkText holds text against the claims' texts and quotes together.
func checkText(text string, list []Claim) error {
	var b strings.Builder
	for _, c := range list {
		b.WriteString(c.Text)
		b.WriteString("\n\n")
		if c.Quote != c.Text {
			b.WriteString(c.Quote)
			b.WriteString("\n\n")
		}
	}
	all := b.String()
	_, err := support(read(text), read(all), Source{Text: all}, minAnswered)
	return err
}
