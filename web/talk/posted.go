package talk

import (
	"cmp"
	"encoding/json"
	"math"
	"net/url"
	"strconv"
	"strings"

	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web/ui"
)

// Posted reads the form of a page in answer to q, which may be nil. message is the words
// for the transcript. answers holds, by obligation key, what was picked or entered into
// fields, in the shapes of [obligations.Template.Check]; a value that does not fit is in
// the words only. Both are empty when nothing was filled in.
//
// answers.js does the same in the browser; testdata/answers.json holds both to it.
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

// fieldAnswer is what a person put into one field of a form; value is nil when only the
// words can be used.
type fieldAnswer struct {
	words string
	value json.RawMessage
}

// fieldsOf returns the questions on the card for q that have fields. A card that asks for
// yes or no has buttons, whose words are the message.
func fieldsOf(q *sessions.Question) []*sessions.Question {
	if q == nil {
		return nil
	}
	var out []*sessions.Question
	switch q.Purpose {
	case sessions.ToAsk, sessions.ToResolve:
		out = append(out, q)
	case sessions.ToForm:
		for i := range q.Fields {
			out = append(out, &q.Fields[i])
		}
	case sessions.ToConfirm, sessions.ToFinish, sessions.ToProbe, sessions.ToApprove, sessions.ToWiden:
	}
	return out
}

// readField reads the field of q.
func readField(q *sessions.Question, form url.Values) fieldAnswer {
	if q.Purpose == sessions.ToResolve {
		return readSide(q, form)
	}
	t := ui.TemplateOf(q)
	list := ui.NonBlank(form["answer."+q.Key])
	switch q.Widget {
	case obligations.MultiSelect:
		if list = append(list, otherOf(q, form)...); len(list) == 0 {
			return fieldAnswer{}
		}
		return checked(t, list)
	case obligations.Number:
		typed := strings.Join(list, "")
		n, err := strconv.ParseFloat(typed, 64)
		if err != nil || math.IsInf(n, 0) || math.IsNaN(n) {
			return fieldAnswer{words: typed}
		}
		return checked(t, n)
	case obligations.Text, obligations.ChoiceOne, obligations.Date:
		if list = append(list, otherOf(q, form)...); len(list) == 1 {
			return checked(t, list[0])
		}
		return fieldAnswer{words: encoded(t, list).words} // two answers to a question that takes one
	}
	return fieldAnswer{}
}

// otherOf returns what was typed beside the choices of q, at most one text.
func otherOf(q *sessions.Question, form url.Values) []string {
	return ui.NonBlank([]string{ui.TypedText(form, "other."+q.Key)})
}

// readSide reads which value of a conflict was picked, by its position in the question.
func readSide(q *sessions.Question, form url.Values) fieldAnswer {
	i, err := strconv.Atoi(form.Get("answer." + q.Key))
	if err != nil || i < 0 || i >= len(q.Values) {
		return fieldAnswer{}
	}
	a := fieldAnswer{words: ui.DisplayValue(ui.TemplateOf(q), q.Values[i])}
	if q.Key != "" {
		a.value = q.Values[i]
	}
	return a
}

// checked returns the answer v to t, without its value when t does not accept it.
func checked(t *obligations.Template, v any) fieldAnswer {
	a := encoded(t, v)
	if t.Check(a.value) != nil {
		a.value = nil
	}
	return a
}

// encoded returns v as a value, with the words in which t shows it. v is a text, a list of
// texts or a finite number, which JSON can always hold.
func encoded(t *obligations.Template, v any) fieldAnswer {
	raw, err := json.Marshal(v)
	if err != nil {
		return fieldAnswer{}
	}
	return fieldAnswer{words: ui.DisplayValue(t, raw), value: raw}
}

// labelOf names the question of a field.
func labelOf(q *sessions.Question) string { return cmp.Or(q.Label, q.Prompt) }
