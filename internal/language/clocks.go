package language

import (
	"fmt"
	"strconv"
	"strings"
)

// ClockValue is a time of day, or a range of times.
type ClockValue struct {
	From, To int    // words, To excluded
	Text     string // "HH:MM", 24 hours
	Approx   bool
}

// Clocks returns the times of day in words, in order. Hours from 1 to 5 that do not say
// which half of the day they are of are of the afternoon.
func (r *Reader) Clocks(words []Word) []ClockValue {
	p := r.phrase(words)
	return scan(len(words), p.clock, func(v ClockValue) int { return v.To })
}

// hour reads an hour of the day from word i.
func (p *phrase) hour(i int) (int, int, bool) {
	if s, n := p.value("digit", i); n > 0 {
		v, err := strconv.Atoi(s)
		return v, i + n, err == nil && (v <= 12 || v <= 24 && p.has("hourmark", i+n) > 0)
	}
	w := p.at(i)
	if w == "" || len(w) > 2 || strings.Trim(w, "0123456789") != "" {
		return 0, i, false
	}
	v, err := strconv.Atoi(w)
	return v, i + 1, err == nil && v <= 24
}

// clock reads a time of day from word i.
func (p *phrase) clock(i int) (ClockValue, bool) {
	if s, n := p.value("daypart", i); n > 0 && strings.Contains(s, ":") {
		return ClockValue{From: i, To: i + n, Text: strings.Trim(s, "~"), Approx: s[0] == '~'}, true
	}
	h, m, to, sure := p.clockFace(i)
	if to == i {
		return ClockValue{}, false
	}
	v := ClockValue{From: i, To: to}
	half, marked := p.halfOfDay(&v, i)
	if !sure && !marked && p.has("about-time", i-1) == 0 && len(p.words) > 3 {
		return ClockValue{}, false
	}
	switch {
	case half == "am" && h == 12:
		h = 0
	case (half == "pm" || half == "night" && h >= 6) && h < 12:
		h += 12
	case half == "" && !strings.HasPrefix(p.at(i), "0") && h >= 1 && h <= 5:
		h += 12
	}
	if h > 24 || m > 59 {
		return ClockValue{}, false
	}
	v.Text = fmt.Sprintf("%02d:%02d", h%24, m)
	if p.at(v.To) == "ish" {
		v.Approx = true
		v.To++
	}
	return v, true
}

// clockFace reads hours and minutes from word i, and whether they cannot be anything
// else.
func (p *phrase) clockFace(i int) (h, m, to int, sure bool) {
	if s, n := p.value("quarter", i); n > 0 || p.has("halfpast", i) > 0 {
		return p.partsOfHour(i, s, n)
	}
	w := p.at(i)
	if a, b, ok := strings.Cut(w, ":"); ok || strings.Count(w, ".") == 1 {
		if !ok {
			a, b, _ = strings.Cut(w, ".")
		}
		h, err1 := strconv.Atoi(a)
		m, err2 := strconv.Atoi(b)
		if err1 == nil && err2 == nil && h < 25 && m < 60 && len(b) == 2 {
			return h, m, i + 1, ok || p.has("hourmark", i+1) > 0
		}
		return 0, 0, i, false
	}
	if len(w) == 4 && strings.Trim(w, "0123456789") == "" && (w[0] == '0' || p.has("hourmark", i+1) > 0 || w[2:] == "00" || w[2:] == "30") { // "0730", "1900 hours"
		v, _ := strconv.Atoi(w)
		return v / 100, v % 100, i + 1, w[0] == '0' || p.has("hourmark", i+1) > 0
	}
	if minutes, after, ok := p.number(i); ok && minutes < 60 && (p.has("past", after) > 0 || p.has("minutes-to", after) > 0) { // "ten past five"
		if hour, end, ok := p.hour(after + 1); ok && p.at(after+1) != "" {
			if p.has("past", after) > 0 {
				return hour, int(minutes), end, true
			}
			return (hour + 23) % 24, 60 - int(minutes), end, true
		}
	}
	h, to, ok := p.hour(i)
	if !ok {
		return 0, 0, i, false
	}
	if p.has("before-minutes", to) > 0 { // "8 Uhr 30"
		if m, ok := strconv.Atoi(p.at(to + 1)); ok == nil && m < 60 && len(p.at(to+1)) == 2 {
			return h, m, to + 2, true
		}
	}
	if m, after, ok := p.number(to); ok && to < len(p.words) && (m == 15 || m == 30 || m == 45 || m == 20 || m == 10 || m == 40 || m == 50) && p.has("digit", i)+p.has("tens", to)+p.has("digit", to) > 1 { // "seven thirty"
		return h, int(m), after, true
	}
	return h, 0, to, p.has("hourmark", to) > 0
}

// partsOfHour reads "half past ten", "quarter to five", "halb elf", "dreiviertel elf".
func (p *phrase) partsOfHour(i int, quarter string, n int) (h, m, to int, sure bool) {
	at := i + max(n, 1)
	past, before := p.has("past", at), p.has("to", at)
	if past+before > 0 && n > 0 || past > 0 {
		hour, end, ok := p.hour(at + max(past, before))
		if !ok {
			return 0, 0, i, false
		}
		switch {
		case n == 0:
			return hour, 30, end, true
		case past > 0:
			return hour, 15, end, true
		}
		return (hour + 23) % 24, 45, end, true
	}
	hour, end, ok := p.hour(at)
	if !ok {
		return 0, 0, i, false
	}
	if p.at(i) == "half" { // "half seven" of Britain
		return hour, 30, end, true
	}
	switch {
	case n == 0: // "halb elf"
		return (hour + 23) % 24, 30, end, true
	case quarter == "dreiviertel":
		return (hour + 23) % 24, 45, end, true
	case quarter == "viertel":
		return (hour + 23) % 24, 15, end, true
	}
	return 0, 0, i, false
}

// halfOfDay reads what says of which half of the day a time is, after it or before.
func (p *phrase) halfOfDay(v *ClockValue, i int) (string, bool) {
	marked := false
	for range 2 {
		s, n := p.value("hourmark", v.To)
		if n == 0 {
			break
		}
		v.To += n
		marked = true
		switch s {
		case "am", "pm":
			if p.at(v.To) == "." && p.glued(v.To) && p.at(v.To-1) != "am" && p.at(v.To-1) != "pm" {
				v.To++
			}
			return s, true
		case "ish":
			v.Approx = true
		}
	}
	for k := v.To; k < min(v.To+4, len(p.words)); k++ {
		if s, n := p.value("daypart", k); n > 0 && !strings.Contains(s, ":") {
			return s, true
		}
		if p.at(k) == "," || p.at(k) == "." {
			break
		}
	}
	for _, k := range []int{i - 1, i - 2} {
		if s, n := p.value("daypart", k); n > 0 && !strings.Contains(s, ":") {
			return s, true
		}
	}
	return "", marked
}
