package talk

import (
	"encoding/json"
	"math"
	"net/url"
	"strconv"
	"strings"

	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web/ui"
)

// Posted reads what a page's form says in answer to q: the words for the
// transcript and, for what was picked or entered into fields, the values by
// obligation key in the shapes of [obligations.Template.Check]. A value that
// does not fit is left to the words. Both are empty when nothing was filled in.
// q may be nil. answers.js does the same in the browser; testdata/answers.json
// holds both to it.
func Posted(q *sessions.Question, form url.Values) (message string, answers map[string]json.RawMessage) {
	var said []string
	if typed := ui.TypedText(form, "message"); typed != "" {
		said = append(said, typed)
	}
	for _, f := range fieldsOf(q) {
		a := readField(f, form)
		if a.words == "" {
			continue
		}
		if q.Purpose == sessions.ToForm {
			a.words = labelOf(f) + ": " + a.words
		}
		said = append(said, a.words)
		if a.value != nil {
			if answers == nil {
				answers = map[string]json.RawMessage{}
			}
			answers[f.Key] = a.value
		}
	}
	return strings.Join(said, "\n"), answers
}

// filled is what one field of a form says; value is nil when only its words can
// be used.
type filled struct {
	words string
	value json.RawMessage
}

// fieldsOf returns the questions of q that have fields.
func fieldsOf(q *sessions.Question) []*sessions.Question {
	if q == nil {
		return nil
	}
	switch q.Purpose {
	case sessions.ToAsk, sessions.ToResolve:
		return []*sessions.Question{q}
	case sessions.ToForm:
		out := make([]*sessions.Question, len(q.Fields))
		for i := range q.Fields {
			out[i] = &q.Fields[i]
		}
		return out
	case sessions.ToConfirm, sessions.ToFinish:
		return nil
	}
	return nil
}

func readField(q *sessions.Question, form url.Values) filled {
	if q.Purpose == sessions.ToResolve {
		return readSide(q, form)
	}
	t := ui.TemplateOf(q)
	picked, other := form["answer."+q.Key], ui.TypedText(form, "other."+q.Key)
	switch q.Widget {
	case obligations.MultiSelect:
		list := append(ui.NonBlank(picked), ui.NonBlank([]string{other})...)
		if len(list) == 0 {
			return filled{}
		}
		return checked(t, list)
	case obligations.Number:
		return readNumber(t, strings.Join(ui.NonBlank(picked), ""))
	case obligations.Text, obligations.ChoiceOne, obligations.Date:
		list := append(ui.NonBlank(picked), ui.NonBlank([]string{other})...)
		if len(list) == 1 {
			return checked(t, list[0])
		}
		return filled{words: displayAll(t, list)}
	}
	return filled{}
}

// readSide reads which of the values of a conflict was picked, by its place.
func readSide(q *sessions.Question, form url.Values) filled {
	i, err := strconv.Atoi(form.Get("answer." + q.Key))
	if err != nil || i < 0 || i >= len(q.Values) {
		return filled{}
	}
	f := filled{words: ui.DisplayValue(ui.TemplateOf(q), q.Values[i])}
	if q.Key != "" {
		f.value = q.Values[i]
	}
	return f
}

func readNumber(t *obligations.Template, typed string) filled {
	n, err := strconv.ParseFloat(typed, 64)
	if err != nil || math.IsInf(n, 0) || math.IsNaN(n) {
		return filled{words: typed}
	}
	return checked(t, n)
}

// checked words v, and keeps it as a value when it can be one.
func checked(t *obligations.Template, v any) filled {
	raw, err := json.Marshal(v)
	if err != nil {
		return filled{}
	}
	f := filled{words: ui.DisplayValue(t, raw)}
	if t.Check(raw) == nil {
		f.value = raw
	}
	return f
}

func displayAll(t *obligations.Template, list []string) string {
	raw, err := json.Marshal(list)
	if err != nil {
		return strings.Join(list, ", ")
	}
	return ui.DisplayValue(t, raw)
}

// labelOf names the question of a field.
func labelOf(q *sessions.Question) string {
	if q.Label != "" {
		return q.Label
	}
	return q.Prompt
}
