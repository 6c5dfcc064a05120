package model

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"quaestor/chat"
	"quaestor/obligations"
)

// maxNumber is where float64 stops holding whole numbers exactly.
const maxNumber = 1 << 53

// parseNumber returns a decoded JSON value as a number or an [obligations.Range], or nil.
func parseNumber(t *obligations.Template, v any) any {
	switch v := v.(type) {
	case float64:
		if math.Abs(v) <= maxNumber {
			return v
		}
	case string:
		return parseNumberText(t, v)
	case map[string]any:
		low, lowOK := v["min"].(float64)
		high, highOK := v["max"].(float64)
		if lowOK && highOK {
			return between(low, high)
		}
	case []any:
		if len(v) == 1 {
			return parseNumber(t, v[0])
		}
	}
	return nil
}

// between returns a range, or one number when both ends are the same.
func between(low, high float64) any {
	switch {
	case math.Abs(low) > maxNumber || math.Abs(high) > maxNumber:
		return nil
	case low == high:
		return low
	}
	return obligations.Range{Min: low, Max: high}
}

// Notations of numbers, in lower case and without their unit. Thousands are separated by
// commas; a point before three digits is ambiguous.
var (
	rangePattern   = regexp.MustCompile(`^(?:between )?(.*\d.*?) ?(?:-|–|—|\.\.| to | and ) ?(.*\d.*)$`)
	numberPattern  = regexp.MustCompile(`^([+-]?)(\d{1,15}|\d{1,3}(?:,\d{3})+)(\.\d+)? ?(k|thousand|million|billion)?$`)
	unclearPattern = regexp.MustCompile(`^\d{1,3}\.\d{3}$`) // 1.200 is twelve hundred to some, and one and a fifth to others
)

// parseNumberText parses "12", "1,200", "3 to 6 months", "40%" and "€ 20k". It gives up
// at words it does not know: "2 years" is not 2 when t counts months.
func parseNumberText(t *obligations.Template, s string) any {
	s = strings.Join(strings.Fields(strings.ToLower(chat.Visible(s))), " ")
	if n, ok := number(t, s); ok {
		return n
	}
	m := rangePattern.FindStringSubmatch(s)
	if m == nil {
		return nil
	}
	low, lowOK := number(t, m[1])
	high, highOK := number(t, m[2])
	if !lowOK || !highOK {
		return nil
	}
	return between(low, high)
}

// number parses one number, which may have the unit of t.
func number(t *obligations.Template, s string) (float64, bool) {
	s = withoutUnit(t, s)
	m := numberPattern.FindStringSubmatch(s)
	if m == nil || unclearPattern.MatchString(s) {
		return 0, false
	}
	n, err := strconv.ParseFloat(m[1]+strings.ReplaceAll(m[2], ",", "")+m[3], 64)
	n *= map[string]float64{"": 1, "k": 1e3, "thousand": 1e3, "million": 1e6, "billion": 1e9}[m[4]]
	return n, err == nil && math.Abs(n) <= maxNumber
}

// withoutUnit removes the unit of t from s: the word itself, singular or plural, a
// percent sign or, for money, a currency.
func withoutUnit(t *obligations.Template, s string) string {
	var units []string
	switch unit := strings.ToLower(t.Unit); unit {
	case "":
	case "money":
		units = []string{"€", "$", "£", "¥", "eur", "usd", "gbp", "chf", "euros", "euro", "dollars", "pounds"}
	case "percent", "%":
		units = []string{"%", "percent", "per cent"}
	default:
		units = []string{unit, strings.TrimSuffix(unit, "s")}
	}
	for _, u := range units {
		if cut := strings.TrimSpace(strings.TrimPrefix(strings.TrimSuffix(s, u), u)); cut != s {
			return cut
		}
	}
	return strings.TrimSpace(s)
}
