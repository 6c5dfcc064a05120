package talk

import (
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web/ui"
)

// AnswerView is what [Answer] shows: one obligation, to be answered again where
// its value stands.
type AnswerView struct {
	Nav             ui.Nav
	Title           string // of the objective
	Session         string
	Obligation      obligations.Obligation
	Typed           url.Values // the form as it was sent, when it was refused; nil shows the value held
	Wrong           string     // why it was refused, a sentence; empty when it was not
	ClientMessageID string
}

// filling is what the fields of a question hold when they are drawn.
type filling struct {
	Picked []string // values of choices
	Input  string   // of a date, a number, a text
	Other  string   // beside a closed answer
}

// asked is the question whose answer is changed. What was noted beside the choices
// is one of them here, so that it stays until it is taken out.
func (v AnswerView) asked() *sessions.Question {
	q := askingFor(v.Obligation.Template)
	var held []string
	if q.Widget != obligations.MultiSelect || json.Unmarshal(v.Obligation.Value, &held) != nil {
		return q
	}
	q.Choices = slices.Clone(q.Choices)
	for _, s := range held {
		if v.Obligation.Pick(s) == nil {
			q.Choices = append(q.Choices, obligations.Choice{Value: s, Label: s})
		}
	}
	return q
}

func askingFor(t *obligations.Template) *sessions.Question {
	return &sessions.Question{Purpose: sessions.ToAsk, Key: t.Key, Label: t.Name(), Prompt: t.Prompt, Widget: t.Widget, Choices: t.Choices,
		Other: t.AllowOther, Unit: t.Unit, Min: t.Min, Max: t.Max, Integer: t.Integer}
}

// filling is what was typed, else the value held.
func (v AnswerView) filling() filling {
	if v.Typed != nil {
		picked := v.Typed["answer."+v.Obligation.Key]
		return filling{Picked: picked, Input: strings.Join(picked, ""), Other: v.Typed.Get("other." + v.Obligation.Key)}
	}
	return holding(v.Obligation.Template, v.Obligation.Value)
}

// holding fills the fields of t with a value it can have. A value that no field
// can show, such as a range, leaves them empty.
func holding(t *obligations.Template, value json.RawMessage) filling {
	var x any
	if json.Unmarshal(value, &x) != nil {
		return filling{}
	}
	switch x := x.(type) {
	case float64:
		return filling{Input: strconv.FormatFloat(x, 'f', -1, 64)}
	case string:
		return holdingText(t, x)
	case []any:
		var f filling
		for _, one := range x {
			s, _ := one.(string)
			f.Picked = append(f.Picked, s)
		}
		return f
	}
	return filling{}
}

func holdingText(t *obligations.Template, s string) filling {
	switch t.Widget {
	case obligations.ChoiceOne, obligations.MultiSelect:
		if t.Pick(s) == nil {
			return filling{Other: s}
		}
		return filling{Picked: []string{s}}
	case obligations.Date:
		if _, err := time.Parse(time.DateOnly, s); err != nil {
			return filling{Other: inWords(t, s)}
		}
	case obligations.Text, obligations.Number:
	}
	return filling{Input: s}
}

// inWords is a text value of t as people read it.
func inWords(t *obligations.Template, s string) string {
	raw, err := json.Marshal(s)
	if err != nil {
		return s
	}
	return ui.DisplayValue(t, raw)
}

// has reports whether a choice is picked.
func (f filling) has(value string) bool { return slices.Contains(f.Picked, value) }

// Changed reads the form of [Answer]: the words for the transcript, which begin
// with the name of o unless it is what is asked anyway, and the value. wrong says
// what would be right when the form holds no value, or the one that is held.
func Changed(o *obligations.Obligation, asked bool, form url.Values) (message string, value json.RawMessage, wrong string) {
	if o.Widget == obligations.Date {
		form = datedForm(o.Key, form)
	}
	words, answers := Posted(askingFor(o.Template), form)
	value = answers[o.Key]
	switch {
	case words == "":
		return "", nil, "Fill this in, or cancel."
	case value == nil:
		return "", nil, wantWords(o.Template)
	case obligations.SameValue(value, o.Value) && o.Status == obligations.Satisfied:
		return "", nil, "This is what is noted already."
	case asked:
		return words, value, ""
	}
	return o.Name() + ": " + words, value, ""
}

// wantWords says what the fields of t take.
func wantWords(t *obligations.Template) string {
	switch t.Widget {
	case obligations.Number:
		kind := "A number"
		if t.Integer {
			kind = "A whole number"
		}
		if bounds := boundsWords(askingFor(t)); bounds != "" {
			return kind + " is needed here: " + strings.ToLower(bounds[:1]) + bounds[1:] + "."
		}
		return kind + " is needed here."
	case obligations.Date:
		return "Give a day, or a month and a year such as March 2027, in one of the two fields."
	case obligations.ChoiceOne:
		return "One answer fits here: pick one of these, or write another."
	case obligations.MultiSelect, obligations.Text:
	}
	return "That cannot be noted here: an answer takes at most 16 KiB."
}

// dateForms are the ways to write a date in words, and what they come to.
var dateForms = []struct{ in, out string }{
	{"2 January 2006", time.DateOnly}, {"2 Jan 2006", time.DateOnly}, {"January 2, 2006", time.DateOnly}, {"Jan 2, 2006", time.DateOnly}, {"January 2006", "2006-01"}, {"Jan 2006", "2006-01"},
}

// datedForm is form with a date in words written as a value.
func datedForm(key string, form url.Values) url.Values {
	words := strings.TrimSpace(form.Get("other." + key))
	for _, f := range dateForms {
		if at, err := time.Parse(f.in, words); err == nil {
			words = at.Format(f.out)
		}
	}
	return url.Values{"answer." + key: form["answer."+key], "other." + key: {words}}
}

// answerPath is where the answer for a key is changed.
func answerPath(session, key string) string {
	return "/s/" + url.PathEscape(session) + "/answers/" + url.PathEscape(key)
}
