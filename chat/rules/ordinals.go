package rules

import (
	"math"
	"strings"

	"quaestor/obligations"
)

// ordinals name a place in a list, from 1; the last is -1.
var ordinals = map[string]int{
	"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "fifth": 5, "5th": 5, "sixth": 6, "6th": 6,
	"seventh": 7, "7th": 7, "eighth": 8, "8th": 8, "ninth": 9, "9th": 9, "tenth": 10, "10th": 10, "last": -1, "former": 1, "latter": -1,
}

// place reads an ordinal, a figure or a letter at word i as a place among n
// choices, from 0; -1 when it is none.
func (u *utterance) place(i, n int) int {
	w := u.at(i)
	p := ordinals[w]
	switch {
	case p == -1:
		return n - 1
	case p == 0 && isDigit(w) && len(w) < 3:
		p = number(w)
	case p == 0 && len(w) == 1 && w[0] >= 'a' && w[0] <= 'z':
		p = int(w[0]-'a') + 1
	case p == 0 && i > 0 && (u.at(i-1) == "number" || u.at(i-1) == "option" || u.at(i-1) == "choice"):
		p = int(units[w])
	}
	if p < 1 || p > n {
		return -1
	}
	return p - 1
}

// places reads words from to (excluded) as nothing but places in a list.
func (u *utterance) places(from, to, n int) []int {
	var out []int
	letters := u.letters(from, to)
	for i := from; i < to; i++ {
		w := u.at(i)
		lone := to-from == 1 || isLetterMark(u, i) || letters && w == "a"
		if chaff[w] && !(lone && len(w) == 1) {
			continue
		}
		for _, figure := range strings.Split(w, ",") { // "1,3" is one word
			p := u.place(i, n)
			if figure != w {
				p = number(figure) - 1
			}
			if p < 0 || p >= n {
				return nil
			}
			out = append(out, p)
		}
	}
	return out
}

// letters reports whether words from to (excluded) hold list letters, so that
// "a" is one too.
func (u *utterance) letters(from, to int) bool {
	for i := from; i < to; i++ {
		if w := u.at(i); len(w) == 1 && w[0] >= 'b' && w[0] <= 'z' && w != "i" && w != "s" {
			return true
		}
	}
	return false
}

// isLetterMark reports whether the letter at word i is set like a list mark:
// "a)", "(b)", "option a".
func isLetterMark(u *utterance, i int) bool {
	gap := u.gap(i + 1)
	return len(gap) > 0 && gap[0] == ')' || u.at(i-1) == "option" || u.at(i-1) == "choice"
}

// pointed reads "the second one", "2", "b)", "the last" as a choice of t.
func (u *utterance) pointed(t *obligations.Template, from, to int) reading {
	if to-from > 6 || u.bySize(t, from, to) >= 0 {
		return reading{}
	}
	places := u.places(from, to, len(t.Choices))
	if len(places) != 1 {
		return reading{}
	}
	return reading{value: encode(t.Choices[places[0]].Value), from: from, to: to, hedged: u.hedged(from, to)}
}

// bySize finds the choice whose label spans the one number said: "20" for
// "11–50 people". It returns -1 when the labels are no ranges.
func (u *utterance) bySize(t *obligations.Template, from, to int) int {
	said := u.quantities(from, to)
	if len(said) != 1 || u.content(from, to) > 4 {
		return -1
	}
	found := -1
	for i, c := range t.Choices {
		lo, hi, ok := labelRange(c.Label)
		if !ok || said[0].lo < lo || said[0].hi > hi {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = i
	}
	return found
}

// labelRange reads the numbers a label spans: "1–10", "more than 250", "under
// 10k", "500+".
func labelRange(label string) (lo, hi float64, ok bool) {
	l := listen(label)
	q := l.quantities(0, len(l.words))
	if len(q) != 1 {
		return 0, 0, false
	}
	switch {
	case q[0].lo != q[0].hi:
		return q[0].lo, q[0].hi, true
	case q[0].bound == '<':
		return 0, math.Nextafter(q[0].hi, 0), true
	case q[0].bound == '>':
		return q[0].lo, math.Inf(1), true
	}
	return q[0].lo, q[0].hi, l.at(0) == "just" || l.at(0) == "only" || len(l.words) <= 2
}
