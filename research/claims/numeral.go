package claims

import (
	"math"
	"strconv"
	"strings"
)

// numeral is a number as written, before its unit.
type numeral struct {
	value     float64
	coarse    float64 // half of its last place: what rounding may have taken
	next      int     // first token after it
	scaled    bool    // a scale such as "million" was named
	ambiguous bool    // "1.234" may be more than a thousand or little more than one
}

var smallNumbers = map[string]float64{
	"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
	"eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19,
	"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}

var scales = map[string]float64{
	"hundred": 100, "thousand": 1e3, "tausend": 1e3, "million": 1e6, "millionen": 1e6, "billion": 1e9, "milliarden": 1e9, "trillion": 1e12, "lakh": 1e5, "crore": 1e7, "dozen": 12,
	"k": 1e3, "mn": 1e6, "mio": 1e6, "mln": 1e6, "bn": 1e9, "mrd": 1e9, "tn": 1e12, "trn": 1e12, "m": 1e6, "b": 1e9,
}

// numeralAt reads the number at token i.
func (p *passage) numeralAt(i int) (numeral, bool) {
	var n numeral
	var ok bool
	if p.class(i) == number {
		n, ok = parse(p.text(i))
		n.next = i + 1
	} else {
		n, ok = p.spelledAt(i)
	}
	if !ok {
		return n, false
	}
	n = p.scale(n)
	return n, !math.IsInf(n.value, 0)
}

// parse reads digits with separators. A comma before three digits parts
// thousands; a point does so only with another one like it.
func parse(text string) (numeral, bool) {
	text = strings.NewReplacer(" ", "", "\u00a0", "", "\u202f", "", "\u2009", "", "'", "").Replace(text)
	points, commas := strings.Count(text, "."), strings.Count(text, ",")
	var n numeral
	switch {
	case points > 1 && commas <= 1 && grouped(text, ".", ","):
		text = strings.Replace(strings.ReplaceAll(text, ".", ""), ",", ".", 1)
	case commas > 1 && points <= 1 && grouped(text, ",", "."):
		text = strings.ReplaceAll(text, ",", "")
	case points == 1 && commas == 1 && strings.Index(text, ",") < strings.Index(text, ".") && grouped(text, ",", "."):
		text = strings.ReplaceAll(text, ",", "")
	case points == 1 && commas == 1 && grouped(text, ".", ","):
		text = strings.Replace(strings.ReplaceAll(text, ".", ""), ",", ".", 1)
	case commas == 1 && points == 0 && grouped(text, ",", ".") && text[0] != '0':
		text = strings.ReplaceAll(text, ",", "")
	case commas == 1 && points == 0:
		text = strings.Replace(text, ",", ".", 1)
	case points == 1 && commas == 0:
		n.ambiguous = grouped(text, ".", ",") && text[0] != '0'
	case points+commas > 0:
		return n, false
	}
	var err error
	n.value, err = strconv.ParseFloat(text, 64)
	_, decimals, _ := strings.Cut(text, ".")
	n.coarse = 0.5 * math.Pow10(-len(decimals))
	return n, err == nil
}

// grouped reports whether sep parts text, up to end, into one to three digits
// and groups of three.
func grouped(text, sep, end string) bool {
	text, _, _ = strings.Cut(text, end)
	for i, g := range strings.Split(text, sep) {
		if len(g) != 3 && (i > 0 || len(g) > 3 || g == "") {
			return false
		}
	}
	return true
}

// spelledAt reads a number in letters: "two hundred and five", "a dozen".
func (p *passage) spelledAt(i int) (numeral, bool) {
	n := numeral{next: i, coarse: 0.5}
	if (p.is(i, "a") || p.is(i, "an")) && len(p.text(i+1)) > 2 && scales[p.text(i+1)] > 0 {
		n.value, n.next = 1, i+1
		return n, true
	}
	total, part, found := 0.0, 0.0, false
	for ; n.next < i+10; n.next++ {
		w := p.text(n.next)
		v, small := smallNumbers[w]
		switch {
		case small && (!found || part == 0 || int(part)%100 == 0 || int(part)%10 == 0 && v < 10):
			part, found = part+v, true
		case w == "hundred" && found && part > 0:
			part *= 100
		case found && len(w) > 3 && scales[w] >= 1e3:
			total, part, n.scaled = total+part*scales[w], 0, true
		case (w == "-" || w == "and") && found && p.continues(n.next, part):
		default:
			n.value = total + part
			return n, found && !(n.value == 1 && n.next == i+1 && !p.scaleAt(n.next) && unitWords[p.text(n.next)] == "")
		}
	}
	n.value = total + part
	return n, found
}

// continues reports whether the joint at i is within a number: "twenty-five",
// "two hundred and five".
func (p *passage) continues(i int, part float64) bool {
	v, small := smallNumbers[p.text(i+1)]
	if p.is(i, "-") {
		return small && v > 0 && v < 10 && part >= 20 && int(part)%10 == 0 && p.glued(i) && p.glued(i+1)
	}
	return small && v > 0 && scales[p.text(i-1)] >= 100
}

// scale multiplies n by the scales after it: "hundred thousand", "bn", "k".
func (p *passage) scale(n numeral) numeral {
	for range 2 {
		at := n.next
		if p.is(at, "-") && p.glued(at) && p.glued(at+1) && len(p.text(at+1)) > 2 {
			at++
		}
		if !p.scaleAt(at) {
			break
		}
		s := scales[p.text(at)]
		n.value, n.coarse, n.scaled, n.next = n.value*s, n.coarse*s, true, at+1
	}
	if n.scaled {
		n.ambiguous = false
	}
	return n
}

// scaleAt reports whether a scale stands at token i. One letter means a scale
// only where nothing else is likely: "$12m", "12k", "12M", "12m users".
func (p *passage) scaleAt(i int) bool {
	w := p.text(i)
	switch {
	case p.class(i) != word || scales[w] == 0:
		return false
	case len(w) > 1 || w == "k" && p.glued(i):
		return true
	case w == "b":
		return p.glued(i)
	case w == "m":
		amount := p.currencyBefore(i-1) != ""
		counts := p.class(i+1) == word && (counted[p.stem(i+1)] != "" || counted[p.stem(i+2)] != "" || currencyCodes[p.raw(i+1)] != "" || unitWords[p.text(i+1)] == "EUR" || unitWords[p.text(i+1)] == "USD")
		return amount || counts || p.raw(i) == "M" && p.glued(i)
	}
	return false
}

// currencyBefore returns the currency that stands before token i, or "".
func (p *passage) currencyBefore(i int) string {
	if c := currencySigns[p.text(i-1)]; c != "" {
		if d := dollars[p.text(i-2)]; d != "" && p.is(i-1, "$") && p.glued(i-1) {
			return d
		}
		return c
	}
	return currencyCodes[p.raw(i-1)]
}
