package field

import (
	"encoding/json"
	"slices"
	"strings"

	"quaestor/obligations"
)

// Texts returns the texts of a list, or the one text; nothing for no value.
func Texts(v json.RawMessage) []string {
	var list []string
	if v != nil && json.Unmarshal(v, &list) != nil {
		list = []string{Text(v)}
	}
	return list
}

// OfChoices reports whether v is made of t's choices only; true where t is for no choice.
func OfChoices(t *obligations.Template, v json.RawMessage) bool {
	switch t.Widget {
	case obligations.ChoiceOne:
		return t.Pick(Text(v)) != nil
	case obligations.MultiSelect:
		var values []string
		return json.Unmarshal(v, &values) == nil && !slices.ContainsFunc(values, func(s string) bool { return t.Pick(s) == nil })
	case obligations.Text, obligations.Date, obligations.Number:
	}
	return true
}

// Upper returns a value as a number, of a range its upper bound; false where it is neither.
func Upper(v json.RawMessage) (float64, bool) {
	var n float64
	if json.Unmarshal(v, &n) == nil {
		return n, true
	}
	var within obligations.Range
	if json.Unmarshal(v, &within) == nil && within.Max > 0 {
		return within.Max, true
	}
	return 0, false
}

// Text is the string in v, or "".
func Text(v json.RawMessage) string {
	var s string
	if json.Unmarshal(v, &s) != nil {
		return ""
	}
	return s
}

// Encode writes v as JSON, without the escapes meant for HTML.
func Encode(v any) json.RawMessage {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return nil
	}
	return json.RawMessage(strings.TrimRight(b.String(), "\n"))
}
