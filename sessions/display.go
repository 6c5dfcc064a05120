package sessions

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"quaestor/obligations"
)

// Display words the value v of t for people: a choice by its label, a date as "31 March
// 2026", a number with its unit, a list with commas. A nil v gives an empty text; a
// value that is not JSON is returned as it is.
func Display(t *obligations.Template, v json.RawMessage) string {
	if len(v) == 0 {
		return ""
	}
	var x any
	if err := json.Unmarshal(v, &x); err != nil {
		return string(v)
	}
	return display(t, x)
}

// display words a decoded value.
func display(t *obligations.Template, x any) string {
	switch x := x.(type) {
	case nil:
		return ""
	case bool:
		return map[bool]string{true: "Yes", false: "No"}[x]
	case float64:
		return withUnit(Thousands(x), x == 1, t.Unit)
	case string:
		return displayText(t, x)
	case []any:
		parts := make([]string, len(x))
		for i := range x {
			parts[i] = display(t, x[i])
		}
		return strings.Join(parts, ", ")
	case map[string]any:
		return displayObject(t, x)
	}
	return fmt.Sprint(x)
}

// displayText words a text: the label of a choice, or a date.
func displayText(t *obligations.Template, s string) string {
	if c := t.Pick(s); c != nil && c.Label != "" {
		return c.Label
	}
	if t.Widget == obligations.Date {
		return dateWords(s)
	}
	return s
}

// displayObject words a range, or any other object member by member.
func displayObject(t *obligations.Template, x map[string]any) string {
	low, hasLow := x["min"].(float64)
	high, hasHigh := x["max"].(float64)
	if hasLow && hasHigh && len(x) == 2 {
		return withUnit(Thousands(low)+" to "+Thousands(high), false, t.Unit)
	}
	keys := make([]string, 0, len(x))
	for k := range x {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for i, k := range keys {
		keys[i] = k + ": " + display(t, x[k])
	}
	return strings.Join(keys, "; ")
}

// dateWords turns 2026-03-31 and 2026-03 into words; other text stays.
func dateWords(s string) string {
	for _, form := range []struct{ in, out string }{{"2006-01-02", "2 January 2006"}, {"2006-01", "January 2006"}} {
		if at, err := time.Parse(form.in, s); err == nil {
			return at.Format(form.out)
		}
	}
	return s
}

// Thousands writes x with commas between thousands.
func Thousands(x float64) string {
	whole, fraction, _ := strings.Cut(strconv.FormatFloat(x, 'f', -1, 64), ".")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "-", whole[1:]
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if fraction != "" {
		whole += "." + fraction
	}
	return sign + whole
}

// withUnit adds the unit to a number. "money" is no word for people: its
// currency is part of what they say.
func withUnit(number string, one bool, unit string) string {
	switch {
	case unit == "" || unit == "money":
		return number
	case one && unit == "people":
		return number + " person"
	case one:
		return number + " " + strings.TrimSuffix(unit, "s")
	}
	return number + " " + unit
}
