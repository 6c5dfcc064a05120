package model

import (
	"encoding/json"
	"slices"
	"strings"

	"quaestor/chat"
	"quaestor/obligations"
)

// coerce brings a model's value into the shape that the widget of t wants, as long as
// the meaning is certain: "12" becomes 12, a label or synonym its choice, "31 March 2026"
// a date. It returns nil for what t cannot hold.
func coerce(t *obligations.Template, raw json.RawMessage) json.RawMessage {
	if out := shape(t, raw); out != nil && t.Check(out) == nil {
		return out
	}
	return nil
}

// shape returns a value as the widget of t wants it, or nil. Bounds are not checked.
func shape(t *obligations.Template, raw json.RawMessage) json.RawMessage {
	var v, shaped any
	if json.Unmarshal(raw, &v) != nil || v == nil {
		return nil
	}
	switch t.Widget {
	case obligations.Text:
		shaped = chat.InWords(v)
	case obligations.ChoiceOne:
		shaped = chosen(t, chat.InWords(v))
	case obligations.MultiSelect:
		shaped = several(t, v)
	case obligations.Number:
		shaped = parseNumber(t, v)
	case obligations.Date:
		shaped = parseDate(chat.InWords(v))
	}
	if shaped == nil || shaped == "" {
		return nil
	}
	out, err := json.Marshal(shaped)
	if err != nil {
		return nil
	}
	return out
}

// plainText returns a JSON value in words, and "" for null and for invalid JSON.
func plainText(raw json.RawMessage) string {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return ""
	}
	return chat.InWords(v)
}

// chosen returns the value of the choice that s names by value, label or synonym. When
// it names none, that is s itself if t allows other answers, and "" if not.
func chosen(t *obligations.Template, s string) string {
	if t.Pick(s) != nil {
		return s
	}
	if c := named(t, s); c != nil {
		return c.Value
	}
	if t.AllowOther {
		return s
	}
	return ""
}

// named returns the choice that s names, or nil when it names none or several.
func named(t *obligations.Template, s string) *obligations.Choice {
	var found *obligations.Choice
	want := folded(s)
	for at := range t.Choices {
		c := &t.Choices[at]
		names := append([]string{c.Value, c.Label}, c.Synonyms...)
		if want == "" || !slices.ContainsFunc(names, func(n string) bool { return folded(n) == want }) {
			continue
		}
		if found != nil {
			return nil
		}
		found = c
	}
	return found
}

// folded makes names comparable: lower case, single spaces, no punctuation at the
// ends, and spaces for hyphens and underscores.
func folded(s string) string {
	s = strings.NewReplacer("_", " ", "-", " ", "’", "'").Replace(strings.ToLower(s))
	return strings.Trim(strings.Join(strings.Fields(s), " "), ` .,;:!"'`)
}

// several returns the choices that v names, each once and in the order of v, or nil
// when any of them is not a choice.
func several(t *obligations.Template, v any) any {
	list, ok := v.([]any)
	if !ok {
		list = parts(t, chat.InWords(v))
	}
	var out []string
	for _, item := range list {
		value := chosen(t, chat.InWords(item))
		if value == "" {
			return nil
		}
		if !slices.Contains(out, value) {
			out = append(out, value)
		}
	}
	if out == nil {
		return nil
	}
	return out
}

// parts splits "a, b and c" when every part is a choice. Otherwise s is one answer.
func parts(t *obligations.Template, s string) []any {
	whole := []any{s}
	if named(t, s) != nil {
		return whole
	}
	var out []any
	cut := strings.NewReplacer(" and ", ",", " & ", ",", ";", ",", "/", ",").Replace(s)
	for _, p := range strings.Split(cut, ",") {
		if p = strings.TrimSpace(p); p == "" {
			continue
		}
		if named(t, p) == nil {
			return whole
		}
		out = append(out, p)
	}
	if out == nil {
		return whole
	}
	return out
}
