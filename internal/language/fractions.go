package language

import (
	"strconv"
	"strings"
)

// Fraction returns the part of a whole that words say as one: "a tenth", "two thirds", "three in
// ten", "nine out of ten", "ein Zehntel". It lies between 0 and 1.
func (r *Reader) Fraction(words []Word) (float64, bool) {
	p := r.phrase(words)
	for i := range words {
		above, to := 1.0, i+1
		switch v, n, ok := p.number(i); {
		case ok:
			above, to = v, n
		case p.has("article", i) == 0:
			continue
		}
		if below, ok := p.below(to); ok && above > 0 && above < below {
			return above / below, true
		}
		of := max(p.has("outof", to), 0)
		if below, _, ok := p.number(to + of); ok && of > 0 && above > 0 && above < below && p.has("unit", to+of+1)+p.has("period", to+of+1)+p.has("currency", to+of+1) == 0 {
			return above / below, true
		}
	}
	return 0, false
}

// below returns the number that word i divides by: 10 of "tenth", "tenths", "Zehntel".
func (p *phrase) below(i int) (float64, bool) {
	w := p.at(i)
	for _, tail := range []string{"stel", "tel"} {
		if root, ok := strings.CutSuffix(w, tail); ok && root != "" {
			for _, kind := range []string{"digit", "tens"} {
				for _, l := range p.lexicons {
					if v, ok := l.Value(kind, root); ok {
						n, err := strconv.ParseFloat(v, 64)
						return n, err == nil && n > 1
					}
				}
			}
		}
	}
	for _, root := range []string{w, strings.TrimSuffix(w, "s")} {
		for _, l := range p.lexicons {
			if v, ok := l.Value("half", root); ok && v < "1" {
				n, err := strconv.ParseFloat(v, 64)
				return 1 / n, err == nil && n > 0
			}
			if v, ok := l.Value("ordinal", root); ok {
				n, err := strconv.ParseFloat(v, 64)
				return n, err == nil && n > 2
			}
		}
	}
	return 0, false
}
