package sessions

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"quaestor/obligations"
)

// CurrencySigns are the signs that stand before an amount of money.
const CurrencySigns = "$€£¥₹"

// currencies are the words and codes people name a currency by, as they stand behind
// an amount.
var currencies = map[string]string{
	"euro": "euros", "euros": "euros", "eur": "euros", "dollar": "dollars", "dollars": "dollars", "usd": "US dollars", "pounds": "pounds", "pound": "pounds", "gbp": "pounds",
	"quid": "pounds", "chf": "Swiss francs", "francs": "francs", "rupees": "rupees", "yen": "yen",
}

// Shown words what o holds, as [Display] does, with what was said of it: an amount of money
// in the currency the person named, and whether it is about that.
func Shown(o *obligations.Obligation) string {
	return qualified(o, InCurrency(o, Display(o.Template, o.Value)))
}

// qualified adds to the words for a value of o what was said of it: "about 450 euros a
// month".
func qualified(o *obligations.Obligation, words string) string {
	d := o.Details()
	if d == nil || words == "" {
		return words
	}
	if d.Period != "" && !strings.Contains(o.Unit, d.Period) {
		words += " " + article(d.Period) + " " + d.Period
	}
	switch {
	case d.Least:
		return "at least " + words
	case d.Most:
		return "at most " + words
	case d.Approximate:
		return "about " + words
	}
	return words
}

// article returns the indefinite article of a period.
func article(period string) string {
	if period == "hour" {
		return "an"
	}
	return "a"
}

// InCurrency adds to the words for an amount of o the currency in which the latest of
// its quotes that names one has it: "£310,000", "30,000 euros". A value that is no
// money, and one whose currency nobody named, stays as it is.
func InCurrency(o *obligations.Obligation, amount string) string {
	if amount == "" || o.Unit != "money" && o.Unit != "currency" {
		return amount
	}
	for i := len(o.Evidence) - 1; i >= 0; i-- {
		if sign, name := currencyIn(o.Evidence[i].Quote); sign != "" || name != "" {
			return withCurrency(amount, sign, name)
		}
	}
	return amount
}

// currencyIn returns the first currency sign in text, else the name of the currency
// that it names first.
func currencyIn(text string) (sign, name string) {
	if i := strings.IndexAny(text, CurrencySigns); i >= 0 {
		_, size := utf8.DecodeRuneInString(text[i:])
		return text[i : i+size], ""
	}
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if name := currencies[strings.ToLower(word)]; name != "" {
			return "", name
		}
	}
	return "", ""
}

// withCurrency puts a sign before an amount, and a name behind it. "Up to" goes behind a
// sign too.
func withCurrency(amount, sign, name string) string {
	if sign == "" {
		return amount + " " + name
	}
	if most, ok := strings.CutPrefix(amount, "up to "); ok {
		return sign + most + " at most"
	}
	return sign + amount
}
