package digest

import (
	"crypto/sha256"
	"regexp"
	"strings"
)

// Mask replaces what identifies people by pseudonyms. Within a run a value has the same
// pseudonym wherever it occurs, so that joins remain visible.
type Mask struct {
	// Key is the run's secret. Without one, anybody who knows a value can compute its
	// pseudonym.
	Key []byte
}

// Pseudonym returns a pseudonym for v: a tilde and 35 bits of a keyed hash, at most 8
// characters and at most as many bytes as v.
func (m Mask) Pseudonym(v string) string {
	return string(m.appendPseudonym(nil, []byte(v)))
}

// appendPseudonym writes the pseudonym of v.
func (m Mask) appendPseudonym(b, v []byte) []byte {
	var room [256]byte
	inner := sha256.Sum256(append(append(room[:0], m.Key...), v...))
	sum := sha256.Sum256(append(append(room[:0], m.Key...), inner[:]...)) // hashing twice prevents length extension
	name := [8]byte{'~'}
	for i := range name[1:] {
		name[1+i] = pseudonymLetters[sum[i]%32]
	}
	return append(b, name[:min(len(name), len(v))]...)
}

// pseudonymLetters are 32 characters that are easily told apart.
const pseudonymLetters = "abcdefghijkmnpqrstuvwxyz23456789"

// The patterns of e-mail addresses, card numbers and telephone numbers within texts.
var (
	emailForm = regexp.MustCompile(`[\p{L}\p{N}._%+'-]+@[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+`)
	cardForm  = regexp.MustCompile(`\b\d(?:[ -]?\d){12,18}\b`)
	phoneForm = regexp.MustCompile(`(?:\+|\b00|\(\d|\b0)[\d ()./-]{6,18}\d`)
)

// patterns returns v with e-mail addresses, card numbers and telephone numbers replaced by
// pseudonyms.
func (m Mask) patterns(v string) string {
	if strings.IndexByte(v, '@') > 0 {
		v = emailForm.ReplaceAllStringFunc(v, m.Pseudonym)
	}
	if n := countDigits(v); n >= phoneDigits {
		if n >= cardDigits {
			v = cardForm.ReplaceAllStringFunc(v, m.card)
		}
		v = phoneForm.ReplaceAllStringFunc(v, m.phone)
	}
	return v
}

// phoneDigits and cardDigits are the least numbers of digits in a telephone number and in a
// card number.
const (
	phoneDigits = 8
	cardDigits  = 13
)

// countDigits returns the number of digits in v.
func countDigits(v string) int {
	n := 0
	for i := range len(v) {
		if '0' <= v[i] && v[i] <= '9' {
			n++
		}
	}
	return n
}

// card returns the pseudonym of v if its check digit is that of a card number (Luhn, ISO/IEC
// 7812-1), and otherwise v.
func (m Mask) card(v string) string {
	sum, n := 0, 0
	for i := len(v) - 1; i >= 0; i-- {
		if v[i] < '0' || v[i] > '9' {
			continue
		}
		d := int(v[i] - '0')
		if n%2 == 1 {
			d = d*2%10 + d*2/10
		}
		sum, n = sum+d, n+1
	}
	if sum%10 != 0 {
		return v
	}
	return m.Pseudonym(v)
}

// phone returns the pseudonym of v if it has as many digits as a telephone number, 8 to 15
// (ITU-T E.164), and is not a date; otherwise it returns v.
func (m Mask) phone(v string) string {
	n := 0
	for i := range len(v) {
		n += digits(v[i:min(i+1, len(v))])
	}
	if n < phoneDigits || n > 15 || dateForm.MatchString(v) {
		return v
	}
	return m.Pseudonym(v)
}

// dateForm matches dates written with digits, in any order of year, month and day.
var dateForm = regexp.MustCompile(`^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}`)

// personal matches names of columns whose numbers identify people.
var personal = regexp.MustCompile(`(?i)(^|_)(user|customer|client|member|patient|employee|staff|player|account|person|subscriber|guest|contact|visitor|passenger|driver|student|owner|buyer|seller)s?_?(id|no|nr|num|number|key|code)$`)

// personalWords matches names of columns that hold names, numbers or addresses of people.
var personalWords = regexp.MustCompile(`(?i)(^|_)(ssn|iban|passport|tax_?id|national_?id|phone|mobile|telephone|card_?(no|number))($|_)`)

// hides reports whether the values of a column are shown as pseudonyms. They are if the column
// has more than TopValueCardinality distinct values and holds strings, or numbers whose
// column name refers to people. Fewer distinct values are categories.
func hides(c *Column, s *ColumnSummary) bool {
	if s.Distinct <= TopValueCardinality {
		return false
	}
	switch s.Kind {
	case String:
		return true
	case Number:
		return personal.MatchString(c.Name) || personalWords.MatchString(c.Name)
	default:
		return false
	}
}
