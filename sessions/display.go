package sessions

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"quaestor/internal/language/messages"
	"quaestor/obligations"
)

// Display words the value v of t for people, in English: see [DisplayIn].
func Display(t *obligations.Template, v json.RawMessage) string {
	return DisplayIn(messages.In(messages.Default), t, v)
}

// DisplayIn words the value v of t for people in a language: a choice by its label, a date
// as "31 March 2026", a number with its unit, a list with commas. A nil v gives an empty
// text; a value that is not JSON is returned as it is.
func DisplayIn(l *messages.Language, t *obligations.Template, v json.RawMessage) string {
	if len(v) == 0 {
		return ""
	}
	var x any
	if err := json.Unmarshal(v, &x); err != nil {
		return string(v)
	}
	return display(l, t, x)
}

// display words a decoded value.
func display(l *messages.Language, t *obligations.Template, x any) string {
	switch x := x.(type) {
	case nil:
		return ""
	case bool:
		return l.Text(map[bool]string{true: "yes", false: "no"}[x], nil)
	case float64:
		return withUnit(l, l.Number(x), x, t.Unit)
	case string:
		return displayText(l, t, x)
	case []any:
		parts := make([]string, len(x))
		for i := range x {
			parts[i] = display(l, t, x[i])
		}
		return strings.Join(parts, ", ")
	case map[string]any:
		return displayObject(l, t, x)
	}
	return fmt.Sprint(x)
}

// Sureness words how sure a confidence in that band is, in the language of a BCP 47 tag:
// "sure", "fairly sure", "not sure yet" or "a guess". Those who answer read these words and
// no figure.
func Sureness(tag string, b obligations.Band) string {
	l := messages.In(tag)
	switch b {
	case obligations.VeryHigh:
		return l.Text("sure.very-high", nil)
	case obligations.High:
		return l.Text("sure.high", nil)
	case obligations.Medium:
		return l.Text("sure.medium", nil)
	case obligations.Low:
		return l.Text("sure.low", nil)
	}
	return ""
}

// displayText words a text: the label of a choice, or a date.
func displayText(l *messages.Language, t *obligations.Template, s string) string {
	if c := t.Pick(s); c != nil && c.Label != "" {
		return c.Label
	}
	if t.Widget == obligations.Date {
		return l.Date(s)
	}
	return s
}

// displayObject words a range, or any other object member by member.
func displayObject(l *messages.Language, t *obligations.Template, x map[string]any) string {
	low, hasLow := x["min"].(float64)
	high, hasHigh := x["max"].(float64)
	if hasLow && hasHigh && len(x) == 2 {
		words := l.Text("range", messages.Args{"min": messages.Text(l.Number(low)), "max": messages.Text(l.Number(high))})
		return withUnit(l, words, high, t.Unit)
	}
	keys := make([]string, 0, len(x))
	for k := range x {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for i, k := range keys {
		keys[i] = k + ": " + display(l, t, x[k])
	}
	return strings.Join(keys, "; ")
}

// withUnit adds the unit to a number, of which there are n. "money" is no word for people:
// its currency is part of what they say.
func withUnit(l *messages.Language, number string, n float64, unit string) string {
	if unit == "" || unit == "money" {
		return number
	}
	return l.Text("amount.unit", messages.Args{"amount": messages.Text(number), "unit": messages.Text(l.Unit(n, unit))})
}
