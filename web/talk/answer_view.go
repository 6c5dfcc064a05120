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

// AnswerView is what [Answer] shows: one obligation whose answer is changed.
type AnswerView struct {
	Nav             ui.Nav
	Title           string // of the objective
	Language        string // of the session; may be empty
	Session         string
	Obligation      obligations.Obligation
	Typed           url.Values // the refused form as it was sent; nil shows the present value
	Wrong           string     // why the form was refused, a sentence; empty when it was not
	ClientMessageID string
}

// filling is what the fields of a question hold when they are drawn.
type filling struct {
	Picked []string // values of choices
	Input  string   // of a date, a number or a text
	Other  string   // of the text beside choices or a date

	Language string // of the words around the input
}

// question returns the question that asks for the obligation alone. A held value that is
// none of the choices becomes one, so that it stays until the person takes it out.
func (v AnswerView) question() *sessions.Question {
	q := questionFor(v.Obligation.Template)
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

// questionFor returns a question for t. It is the inverse of [ui.TemplateOf].
func questionFor(t *obligations.Template) *sessions.Question {
	return &sessions.Question{Purpose: sessions.ToAsk, Key: t.Key, Label: t.Name(), Prompt: t.Prompt, Widget: t.Widget, Choices: t.Choices,
		Other: t.AllowOther, Unit: t.Unit, Min: t.Min, Max: t.Max, Integer: t.Integer}
}

// filling returns what was typed into a refused form, else the present value.
func (v AnswerView) filling() filling {
	if v.Typed != nil {
		picked := v.Typed["answer."+v.Obligation.Key]
		return filling{Picked: picked, Input: strings.Join(picked, ""), Other: v.Typed.Get("other." + v.Obligation.Key), Language: v.Language}
	}
	out := fillingOf(v.Obligation.Template, v.Obligation.Value)
	out.Language = v.Language
	return out
}

// fillingOf puts a value into the fields of t. A value that no field can hold, such as a
// range, leaves them empty.
func fillingOf(t *obligations.Template, value json.RawMessage) filling {
	var x any
	if json.Unmarshal(value, &x) != nil {
		return filling{}
	}
	switch x := x.(type) {
	case float64:
		return filling{Input: strconv.FormatFloat(x, 'f', -1, 64)}
	case string:
		return fillingOfText(t, x)
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

// fillingOfText puts the text s into the fields of t. What is none of the choices, and a
// date that is not a day, goes into the field for words.
func fillingOfText(t *obligations.Template, s string) filling {
	switch t.Widget {
	case obligations.ChoiceOne, obligations.MultiSelect:
		if t.Pick(s) == nil {
			return filling{Other: s}
		}
		return filling{Picked: []string{s}}
	case obligations.Date:
		if _, err := time.Parse(time.DateOnly, s); err != nil {
			return filling{Other: encoded(t, s).words}
		}
	case obligations.Text, obligations.Number:
	}
	return filling{Input: s}
}

// Changed reads the form of [Answer]. message is for the transcript; it begins with the
// name of o unless o is being asked anyway. When the form holds no value, or the present
// one, wrong tells what would be right and the others are empty.
func Changed(o *obligations.Obligation, asked bool, form url.Values) (message string, value json.RawMessage, wrong string) {
	if o.Widget == obligations.Date {
		form = withDate(o.Key, form)
	}
	words, answers := Posted(questionFor(o.Template), form)
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

// wantWords tells what the fields of t accept.
func wantWords(t *obligations.Template) string {
	switch t.Widget {
	case obligations.Number:
		kind := "A number"
		if t.Integer {
			kind = "A whole number"
		}
		if bounds := boundsWords(questionFor(t), ""); bounds != "" {
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

// dateForms are the ways of writing a date that the form understands in its field for
// words, with the form of the value: a day or a month. They are those in which the pages
// show dates, in British and American order.
var dateForms = []struct{ in, out string }{
	{"2 January 2006", time.DateOnly}, {"2 Jan 2006", time.DateOnly}, {"January 2, 2006", time.DateOnly}, {"Jan 2, 2006", time.DateOnly}, {"January 2006", "2006-01"}, {"Jan 2006", "2006-01"},
}

// withDate returns form with a date in words replaced by its value.
func withDate(key string, form url.Values) url.Values {
	words := strings.TrimSpace(form.Get("other." + key))
	for _, f := range dateForms {
		if at, err := time.Parse(f.in, words); err == nil {
			words = at.Format(f.out)
		}
	}
	return url.Values{"answer." + key: form["answer."+key], "other." + key: {words}}
}

// answerPath is the address of the page that changes the answer for a key.
func answerPath(session, key string) string {
	return "/s/" + url.PathEscape(session) + "/answers/" + url.PathEscape(key)
}
