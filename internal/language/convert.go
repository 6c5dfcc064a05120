package language

import "strings"

// What units are in parts of a common one: hours, metres, kilograms, square metres, litres.
var conversions = []map[string]float64{
	{"second": 1.0 / 3600, "minute": 1.0 / 60, "hour": 1, "day": 24, "week": 168, "fortnight": 336, "month": 730.5, "quarter": 2191.5, "year": 8766, "decade": 87660},
	{"mm": 0.001, "cm": 0.01, "m": 1, "km": 1000, "in": 0.0254, "ft": 0.3048, "yd": 0.9144, "mi": 1609.344},
	{"g": 0.001, "kg": 1, "t": 1000, "lb": 0.45359237, "oz": 0.028349523, "st": 6.35029318},
	{"m²": 1, "ft²": 0.09290304, "ac": 4046.8564224, "ha": 10000, "km²": 1e6},
	{"ml": 0.001, "l": 1, "hl": 100, "gal": 4.54609, "pt": 0.56826125},
}

// Convert returns by what a figure in one unit is multiplied to be in another, and
// whether it can be. Where one of them is missing or unknown they are taken to be the
// same.
func Convert(from, to string) (factor float64, ok bool) {
	to = strings.TrimSuffix(to, "s")
	if from == "" || to == "" || strings.EqualFold(from, to) {
		return 1, true
	}
	for _, table := range conversions {
		a, known := table[from]
		b, wanted := table[to]
		switch {
		case known && wanted:
			return a / b, true
		case wanted || known && inAnyTable(to):
			return 0, false
		}
	}
	return 1, true
}

// IsMeasure reports whether unit is one of length, weight, area or volume.
func IsMeasure(unit string) bool {
	for _, table := range conversions[1:] {
		if _, ok := table[strings.TrimSuffix(unit, "s")]; ok {
			return true
		}
	}
	return false
}

// IsTime reports whether unit is one of time, such as "month".
func IsTime(unit string) bool {
	_, ok := conversions[0][strings.TrimSuffix(unit, "s")]
	return ok
}

func inAnyTable(unit string) bool {
	for _, table := range conversions {
		if _, ok := table[unit]; ok {
			return true
		}
	}
	return false
}
