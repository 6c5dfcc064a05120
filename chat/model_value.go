package chat

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"quaestor/internal/fault"
	"quaestor/obligations"
)

// coerce brings a model's value into the shape of t's widget, where there is no
// doubt what is meant: "12" is 12, a label or synonym is its choice, "31 March
// 2026" is a date. It returns nil for what t cannot hold.
func coerce(t *obligations.Template, raw json.RawMessage) json.RawMessage {
	var v any
	if len(raw) == 0 || json.Unmarshal(raw, &v) != nil || v == nil {
		return nil
	}
	out := encode(shape(t, v))
	if out == nil || t.Check(out) != nil {
		return nil
	}
	return out
}

// shape returns v as t's widget wants it, or nil.
func shape(t *obligations.Template, v any) any {
	switch t.Widget {
	case obligations.Text:
		return orNil(wording(v))
	case obligations.ChoiceOne:
		return orNil(chosen(t, wording(v)))
	case obligations.MultiSelect:
		return several(t, v)
	case obligations.Number:
		return numeric(t, v)
	case obligations.Date:
		return orNil(dated(wording(v)))
	}
	return nil
}

func orNil(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// encode writes v as JSON; nil stays nil.
func encode(v any) json.RawMessage {
	if v == nil {
		return nil
	}
	out, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return out
}

// wording returns a scalar, or a list of texts, in words.
func wording(v any) string {
	switch v := v.(type) {
	case string:
		return strings.TrimSpace(Visible(v))
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case []any:
		parts := make([]string, 0, len(v))
		for _, item := range v {
			if s := wording(item); s != "" {
				parts = append(parts, s)
			}
		}
		return strings.Join(parts, ", ")
	case map[string]any:
		if low, high := wording(v["min"]), wording(v["max"]); low != "" && high != "" {
			return low + "–" + high
		}
	}
	return ""
}

// plainText returns a JSON value in words; empty for null and what is not JSON.
func plainText(raw json.RawMessage) string {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return ""
	}
	return wording(v)
}

// chosen returns the value of the choice that s names by value, label or
// synonym; s itself where other answers are allowed; else "".
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

// named returns the one choice that s names, or nil.
func named(t *obligations.Template, s string) *obligations.Choice {
	var found *obligations.Choice
	want := leveled(s)
	for at := range t.Choices {
		c := &t.Choices[at]
		names := append([]string{c.Value, c.Label}, c.Synonyms...)
		if want == "" || !slices.ContainsFunc(names, func(n string) bool { return leveled(n) == want }) {
			continue
		}
		if found != nil {
			return nil
		}
		found = c
	}
	return found
}

// leveled makes names comparable: lower case, single spaces, no punctuation at
// the ends, hyphens and underscores as spaces.
func leveled(s string) string {
	s = strings.NewReplacer("_", " ", "-", " ", "’", "'").Replace(strings.ToLower(s))
	return strings.Trim(strings.Join(strings.Fields(s), " "), ` .,;:!"'`)
}

// several returns the choices that v names, each once, in its order; nil when
// one of them is none.
func several(t *obligations.Template, v any) any {
	list, ok := v.([]any)
	if !ok {
		list = parts(t, wording(v))
	}
	var out []string
	for _, item := range list {
		value := chosen(t, wording(item))
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

// parts cuts "a, b and c" where every part is a choice; else s is one answer.
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

// remedy says in one sentence what would be a right answer to t, when raw is
// none.
func remedy(t *obligations.Template, raw json.RawMessage) string {
	if len(t.Choices) > 0 {
		labels := make([]string, 0, limits.Choices)
		for _, c := range t.Choices[:min(len(t.Choices), limits.Choices)] {
			labels = append(labels, c.Label)
		}
		return t.Name() + " must be one of: " + strings.Join(labels, ", ") + "."
	}
	if better := encode(shapeUnchecked(t, raw)); better != nil {
		raw = better
	}
	var why *fault.Error
	if errors.As(t.Check(raw), &why) {
		return why.Message + "."
	}
	return t.Name() + " cannot be read from that."
}

// shapeUnchecked is shape of raw before t's bounds are looked at, so that a
// remedy can name the bound.
func shapeUnchecked(t *obligations.Template, raw json.RawMessage) any {
	var v any
	if json.Unmarshal(raw, &v) != nil || v == nil {
		return nil
	}
	return shape(t, v)
}

// spoken returns a value in words: choices by their labels, numbers with their
// unit.
func spoken(t *obligations.Template, raw json.RawMessage) string {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return ""
	}
	list, many := v.([]any)
	if !many {
		list = []any{v}
	}
	words := make([]string, 0, len(list))
	for _, item := range list {
		w := wording(item)
		if c := t.Pick(w); c != nil {
			w = c.Label
		}
		words = append(words, w)
	}
	text := strings.Join(words, ", ")
	if t.Widget == obligations.Number && t.Unit != "" && text != "" {
		text += " " + t.Unit
	}
	return text
}
