package language

import (
	"testing"
	"time"
)

// A part of a whole is read however it is said; a date, a list and a count are none.
func TestFraction(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		language, said string
		want           float64 // 0 for none
	}{
		{"en", "a tenth", 0.1}, {"en", "two thirds", 2.0 / 3}, {"en", "three quarters of it", 0.75}, {"en", "one in ten", 0.1}, {"en", "nine out of ten", 0.9}, {"en", "a quarter", 0.25},
		{"en", "the tenth", 0}, {"en", "three of us", 0}, {"en", "12 in June", 0}, {"en", "ten in five", 0}, {"en", "two in 10 days", 0},
		{"de", "ein Zehntel", 0.1}, {"de", "zwei Drittel", 2.0 / 3}, {"de", "ein Viertel", 0.25}, {"de", "neun von zehn", 0.9}, {"de", "ein Zwanzigstel", 0.05},
		{"de", "drei von uns", 0}, {"de", "der Zehnte", 0},
	} {
		got, ok := NewReader(tt.language).Fraction(Words(tt.said))
		if ok != (tt.want > 0) || got < tt.want-1e-9 || got > tt.want+1e-9 {
			t.Errorf("%q is %v (%v), want %v", tt.said, got, ok, tt.want)
		}
	}
}

// Years in words and decades are dates; ages, times and sums are none.
func TestYearsInWords(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct{ language, said, want string }{
		{"en", "seventeen ninety", "1790"}, {"en", "nineteen oh five", "1905"}, {"en", "twenty ten", "2010"}, {"en", "nineteen twenty-eight", "1928"},
		{"en", "the eighties", "1980~"}, {"en", "in the 80s", "1980~"}, {"en", "eighteen-eighties", "1880~"}, {"en", "the 1880s", "1880~"}, {"en", "the twenties", "2020~"},
		{"en", "he is in his 40s", ""}, {"en", "eighty six", ""}, {"en", "fifteen twenty", ""},
		{"de", "in den achtziger Jahren", "1980~"}, {"de", "in den 80ern", "1980~"}, {"de", "der 1990er", "1990~"},
	} {
		got := ""
		for _, d := range NewReader(tt.language).Dates(Words(tt.said), time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC), Behind) {
			if got += d.ISO; d.Approximate {
				got += "~"
			}
		}
		if got != tt.want {
			t.Errorf("%q is %q, want %q", tt.said, got, tt.want)
		}
	}
}
