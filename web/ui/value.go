package ui

import (
	"encoding/json"
	"strconv"

	"quaestor/internal/language"
	"quaestor/internal/language/messages"
	"quaestor/obligations"
	"quaestor/sessions"
)

// DisplayValue words the value v of t for people: a choice by its label, a date
// as "31 March 2026", a number with its unit, a list with commas. A nil v gives
// an empty text. values.js does the same; testdata/values.json holds both to it.
func DisplayValue(t *obligations.Template, v json.RawMessage) string {
	return sessions.Display(t, v)
}

// HeldValue words what o holds, an amount of money in the currency the person named.
// values.js does the same; testdata/held.json holds both to it.
func HeldValue(o *obligations.Obligation) string { return sessions.Shown(o) }

// ValueIn is [DisplayValue] in the language of a BCP 47 tag.
func ValueIn(tag string, t *obligations.Template, v json.RawMessage) string {
	return sessions.DisplayIn(messages.In(tag), t, v)
}

// HeldIn is [HeldValue] in the language of a BCP 47 tag.
func HeldIn(tag string, o *obligations.Obligation) string {
	return sessions.ShownIn(messages.In(tag), o)
}

// NumberIn writes x as the language of a BCP 47 tag does.
func NumberIn(tag string, x float64) string { return messages.In(tag).Number(x) }

// UnitIn is what stands behind a number's input in the language of a BCP 47 tag.
func UnitIn(tag, unit string) string {
	if words := UnitWords(unit); words != "" {
		return messages.In(tag).Unit(several, words)
	}
	return ""
}

// several is any number of which units have their plural.
const several = 5

// Thousands writes x with commas between thousands.
func Thousands(x float64) string { return language.Thousands(x) }

// TemplateOf returns what q says about the obligation it asks for.
func TemplateOf(q *sessions.Question) *obligations.Template {
	return &obligations.Template{Key: q.Key, Label: q.Label, Prompt: q.Prompt, Widget: q.Widget, Choices: q.Choices,
		AllowOther: q.Other, Unit: q.Unit, Min: q.Min, Max: q.Max, Integer: q.Integer}
}

// Percent is x of 1 as whole hundredths.
func Percent(x float64) string { return strconv.Itoa(int(obligations.Of(x))) }
