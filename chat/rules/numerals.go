package rules

import (
	"math"
	"strconv"
	"strings"
)

// numeral is a number as said, before units and ranges.
type numeral struct {
	value  float64
	next   int    // first word after it
	scaled bool   // a scale such as k or million was named
	unit   string // unit glued to it ("6mo"); empty for none
	loose  bool   // "a couple", "20ish"
	word   bool   // written in letters
}

var units = map[string]float64{
	"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
	"eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19,
	"twenty": 20, "thirty": 30, "forty": 40, "fourty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}

var scales = map[string]float64{
	"hundred": 100, "k": 1e3, "thousand": 1e3, "grand": 1e3, "m": 1e6, "mn": 1e6, "mio": 1e6, "mil": 1e6, "mm": 1e6, "million": 1e6, "millions": 1e6,
	"b": 1e9, "bn": 1e9, "billion": 1e9, "trillion": 1e12, "dozen": 12, "lakh": 1e5, "crore": 1e7,
}

// glueScales are the scales that may be glued to digits.
var glueScales = set("k m mn mio mm b bn")

// numeralAt reads the number that starts at word i, before word to.
func (u *utterance) numeralAt(i, to int) (numeral, bool) {
	w := u.at(i)
	if i >= to || w == "" {
		return numeral{}, false
	}
	var n numeral
	var ok bool
	if isDigit(w) {
		n, ok = u.digitsAt(i, to)
	} else {
		n, ok = u.spelledAt(i, to)
	}
	if !ok {
		return numeral{}, false
	}
	n = u.halves(u.scale(n, to), to)
	if strings.HasSuffix(u.signBefore(i), "-") || u.at(i-1) == "minus" {
		n.value = -n.value
	}
	return n, !math.IsInf(n.value, 0)
}

// signBefore returns the signs right before word i when they do not join it to
// the word before.
func (u *utterance) signBefore(i int) string {
	gap := u.gap(i)
	if i > 0 && !strings.ContainsAny(gap, " \t\n(") {
		return ""
	}
	return strings.TrimLeft(gap, " \t\n(:,")
}

// digitsAt reads "50", "1,200.50", "20k", "50 000".
func (u *utterance) digitsAt(i, to int) (numeral, bool) {
	text, suffix := u.at(i), ""
	if cutAt := strings.IndexFunc(text, func(r rune) bool { return (r < '0' || r > '9') && r != '.' && r != ',' }); cutAt >= 0 {
		text, suffix = text[:cutAt], text[cutAt:]
	}
	n := numeral{next: i + 1}
	for head := len(text) <= 3 && suffix == ""; head && len(text) < maxDigits && n.next < to && isThinSpace(u.gap(n.next)) && threeDigits(u.at(n.next)); n.next++ {
		text += u.at(n.next)
	}
	multiplier := 1.0
	switch {
	case suffix == "":
	case glueScales[suffix]:
		multiplier, n.scaled = scales[suffix], true
	case suffix == "ish":
		n.loose = true
	case unitWords[suffix] != "":
		n.unit = unitWords[suffix]
	default:
		return n, false
	}
	value, err := strconv.ParseFloat(plainNumber(text, n.scaled || u.scaleFollows(n.next, to)), 64)
	n.value = value * multiplier
	return n, err == nil
}

func (u *utterance) scaleFollows(i, to int) bool {
	return i < to && scales[u.at(i)] > 0 && len(u.at(i)) > 2
}

func threeDigits(text string) bool {
	return len(text) == 3 && strings.Trim(text, "0123456789") == ""
}

func isThinSpace(gap string) bool {
	return gap == " " || gap == "\u00a0" || gap == "\u202f" || gap == "\u2009"
}

// Bounds of one number, so that a page of figures is no single one.
const (
	maxDigits      = 15
	maxNumberWords = 12
)

// plainNumber turns thousands separators and decimal commas into what
// strconv.ParseFloat reads. A single separator before exactly three digits
// parts thousands, unless a scale follows ("1.250 million").
func plainNumber(text string, scaled bool) string {
	last := strings.LastIndexAny(text, ".,")
	if last < 0 {
		return text
	}
	sign := text[last : last+1]
	tail := len(text) - last - 1
	same, other := strings.Count(text, sign), strings.ContainsAny(text[:last], ".,")
	thousands := tail == 3 && !scaled && text[0] != '0'
	if same > 1 || (thousands && (same == 1 && !other)) {
		return strings.NewReplacer(".", "", ",", "").Replace(text)
	}
	return strings.NewReplacer(".", "", ",", "").Replace(text[:last]) + "." + text[last+1:]
}

// spelledAt reads a number in letters: "two hundred", "a dozen", "twenty-five",
// "half a million".
func (u *utterance) spelledAt(i, to int) (numeral, bool) {
	n := numeral{next: i, word: true}
	switch w := u.at(i); {
	case w == "half" && (u.at(i+1) == "a" || u.at(i+1) == "an") && i+2 < to:
		n.value, n.next = 0.5, i+2
		return n, scales[u.at(i+2)] > 1 || unitWords[u.at(i+2)] != ""
	case (w == "a" || w == "an") && i+1 < to:
		return u.article(i, to)
	case w == "couple" || w == "pair":
		n.value, n.next, n.loose = 2, i+1, w == "couple"
		return u.of(n, to), true
	case w == "hundred" || w == "thousand" || w == "million" || w == "dozen":
		return u.sum(n, 1, true, to)
	}
	return u.sum(n, 0, false, to)
}

// article reads "a hundred", "a couple", "a year".
func (u *utterance) article(i, to int) (numeral, bool) {
	n := numeral{value: 1, next: i + 1, word: true}
	switch w := u.at(i + 1); {
	case w == "couple" || w == "pair":
		n.value, n.next, n.loose = 2, i+2, w == "couple"
		return u.of(n, to), true
	case len(w) > 2 && scales[w] > 1, countedUnits[w]:
		return u.sum(n, 1, true, to)
	}
	return n, false
}

// of passes over the "of" of "a couple of".
func (u *utterance) of(n numeral, to int) numeral {
	if n.next < to && u.at(n.next) == "of" {
		n.next++
	}
	return n
}

// countedUnits are lengths of time that "a" makes one of.
var countedUnits = set("hour day week fortnight month quarter year")

// sum adds up units and tens to part: "twenty five", "three hundred and five".
// found says whether part holds something already.
func (u *utterance) sum(n numeral, part float64, found bool, to int) (numeral, bool) {
	total := 0.0
	i := n.next
	for to = min(to, i+maxNumberWords); i < to; i++ {
		w := u.at(i)
		if v, ok := units[w]; ok && (!found || part == 0 || int(part)%100 == 0 || (int(part)%10 == 0 && v < 10)) {
			part, found = part+v, true
			continue
		}
		scale, isScale := scales[w]
		switch {
		case isScale && found && len(w) > 2 && w != "dozen" && scale == 100:
			part *= scale
		case isScale && found && len(w) > 2 && w != "dozen":
			total, part = total+part*scale, 0
			n.scaled = true
		case w == "and" && found && i+1 < to && (scales[u.at(i-1)] > 1) && units[u.at(i+1)] > 0:
		default:
			n.value, n.next = total+part, i
			return n, found
		}
	}
	n.value, n.next = total+part, i
	return n, found
}

// scale multiplies n by the scale words after it.
func (u *utterance) scale(n numeral, to int) numeral {
	for range 2 { // "hundred thousand"
		if n.next >= to {
			break
		}
		s, ok := scales[u.at(n.next)]
		if !ok || breaks(u.gap(n.next), sentenceSigns) || breaks(u.gap(n.next), commaSigns) {
			break
		}
		n.value *= s
		n.scaled = true
		n.next++
	}
	return n
}

// halves adds "and a half", and the scale that may follow it.
func (u *utterance) halves(n numeral, to int) numeral {
	if n.next+3 <= to && u.join(n.next, n.next+3) == "and a half" {
		n.value += 0.5
		n.next += 3
		return u.scale(n, to)
	}
	return n
}
