package spoken

import (
	"strings"
	"unicode"
)

// kindWords are what questions for a kind are called, as beginnings of words in lower case.
var kindWords = []struct {
	kind  Kind
	words []string
}{
	{Email, []string{"email", "e-mail", "mailadress", "mail address"}},
	{Phone, []string{"phone", "telephone", "telefon", "handynummer", "mobilnummer", "rufnummer"}},
	{Identifier, []string{"postcode", "zip", "plz", "postleitzahl", "iban", "kundennummer", "vertragsnummer", "bestellnummer", "reference number", "customer number", "contract number", "order number"}},
	{Address, []string{"address", "adresse", "anschrift", "street", "straße"}},
	{Name, []string{"name", "nachname", "vorname", "surname"}},
}

// KindOf returns what a question for a text asks for, by what it is called: "Work e-mail",
// "contact_name". It is Prose for all others. A name is one of people and firms; names that
// are made up, such as of a project, are spelled as rarely as prose, and read alike.
func KindOf(called string) Kind {
	text := " " + strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' {
			return unicode.ToLower(r)
		}
		return ' '
	}, called)
	for _, k := range kindWords {
		for _, w := range k.words {
			if strings.Contains(text, " "+w) {
				return k.kind
			}
		}
	}
	return Prose
}
