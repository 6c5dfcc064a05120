package objectives

import (
	"strings"

	"quaestor/internal/language"
	"quaestor/obligations"
)

// formats are the formats of JSON Schema that say what a text is.
var formats = map[string]string{"email": "email", "idn-email": "email", "uri": "url", "url": "url", "iri": "url", "uri-reference": "url", "hostname": "url",
	"time": "time", "duration": "duration", "phone": "phone", "tel": "phone", "uuid": "identifier"}

// namedKinds tell what a property holds by the last words of its name or title, English
// and German, folded.
var namedKinds = []struct{ words, kind string }{
	{"e-mail email mail emailaddress mailadresse", "email"},
	{"phone telephone mobile tel telefon handy telefonnummer phonenumber rueckrufnummer", "phone"},
	{"website url homepage webseite link", "url"},
	{"address street adresse anschrift strasse", "address"},
	{"city town village country location place venue region county state destination origin birthplace ort stadt land dorf gemeinde standort wohnort zielort", "place"},
	{"company organisation organization employer supplier vendor insurer agency school clinic hospital firma arbeitgeber lieferant versicherung schule klinik verein behoerde", "organisation"},
	{"name contact owner manager author doctor teacher guest customer client patient applicant sender recipient ansprechpartner inhaber inhaberin arzt lehrer kunde kundin patient absender empfaenger vorname nachname", "person"},
	{"reference code id identifier plate vin iban isbn barcode ref kennzeichen kennung aktenzeichen kundennummer rechnungsnummer policennummer", "identifier"},
	{"reason description notes note comment comments remarks story summary goal purpose motivation background details problem grund beschreibung bemerkung bemerkungen anliegen ziel zweck", "text"},
	{"time uhrzeit", "time"},
	{"duration dauer", "duration"},
	{"items list requirements allergies symptoms liste symptome allergien", "list"},
	{"model make product brand item vehicle device instrument modell marke produkt geraet fahrzeug", "product"},
}

// valueType returns what kind of value a property of a schema has: as it says, by its
// format, else by its widget and name; empty where nothing tells.
func valueType(raw map[string]any, t *obligations.Template, property string) string {
	if kind, _ := raw["x-value-type"].(string); kind != "" {
		return kind
	}
	format, _ := raw["format"].(string)
	if kind := formats[strings.ToLower(format)]; kind != "" && t.Widget == obligations.Text {
		return kind
	}
	switch t.Widget {
	case obligations.Date:
		return "date"
	case obligations.ChoiceOne:
		if len(t.Choices) == 2 && t.Choices[0].Value == "true" {
			return "yesno"
		}
		return "choice"
	case obligations.MultiSelect:
		return "choice"
	case obligations.Number:
		return figureType(t, property)
	case obligations.Text:
	}
	return kindByName(property + " " + t.Label)
}

// figureType returns what kind of figure a property is.
func figureType(t *obligations.Template, property string) string {
	words := " " + strings.Join(wordsOfName(property+" "+t.Label), " ") + " "
	for _, k := range []struct{ words, kind string }{
		{"price cost budget amount fee salary rent revenue income deposit preis kosten budget betrag miete umsatz gehalt kaution lohn", "amount"},
		{"percent percentage share rate prozent anteil quote", "percentage"},
		{"weight height length width depth distance area temperature size gewicht groesse hoehe laenge breite tiefe entfernung flaeche temperatur", "measure"},
	} {
		for w := range strings.FieldsSeq(k.words) {
			if strings.Contains(words, " "+w+" ") {
				return k.kind
			}
		}
	}
	switch language.Fold(t.Unit) {
	case "money":
		return "amount"
	case "percent", "%":
		return "percentage"
	}
	return "count"
}

// kindByName returns the kind whose word a name ends with, or has.
func kindByName(name string) string {
	words := wordsOfName(name)
	for i := len(words) - 1; i >= 0; i-- {
		for _, k := range namedKinds {
			for w := range strings.FieldsSeq(k.words) {
				if words[i] == w {
					return k.kind
				}
			}
		}
	}
	return ""
}

// wordsOfName returns the words of a name such as "contactEmail" or "contact_email",
// folded.
func wordsOfName(name string) []string {
	var b strings.Builder
	lower := false
	for _, r := range name {
		upper := r >= 'A' && r <= 'Z'
		if upper && lower {
			b.WriteByte(' ')
		}
		lower = !upper
		if r == '_' || r == '-' || r == '.' {
			r = ' '
		}
		b.WriteRune(r)
	}
	var out []string
	for _, w := range language.Words(b.String()) {
		out = append(out, language.Fold(w.Text))
	}
	return out
}
