package ui

import (
	"encoding/json"
	"strconv"

	"quaestor/internal/language"
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

// Thousands writes x with commas between thousands.
func Thousands(x float64) string { return language.Thousands(x) }

// TemplateOf returns what q says about the obligation it asks for.
func TemplateOf(q *sessions.Question) *obligations.Template {
	return &obligations.Template{Key: q.Key, Label: q.Label, Prompt: q.Prompt, Widget: q.Widget, Choices: q.Choices,
		AllowOther: q.Other, Unit: q.Unit, Min: q.Min, Max: q.Max, Integer: q.Integer}
}

// Percent is x of 1 as whole hundredths.
func Percent(x float64) string { return strconv.Itoa(int(obligations.Of(x))) }
