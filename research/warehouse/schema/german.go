package schema

import (
	"slices"
	"strings"

	"quaestor/research/warehouse/catalog"
)

// How well a word of a text matches a term beyond [term.meets], from 0 to 1.
const (
	inflected     = 0.95 // a German ending more or less: Kunde, Kunden
	asTranslation = 0.85 // English for German, or German for English
	endsLonger    = 0.6  // plus up to 0.3 for the share of the longer word: Ausgangsrechnung for Rechnung
	partly        = 0.8  // of what a synonym or translation counts that is only part of a word
	shortestPart  = 5    // letters of a word within another
)

// translations maps words of business to those of the other language, folded and in the singular.
// It covers what warehouses of companies are about; the encoder carries the rest, as far as it
// knows the language.
var translations = func() map[string][]string {
	out := map[string][]string{}
	for group := range strings.SplitSeq(`customer client buyer : kunde abnehmer debitor|order : auftrag bestellung|supplier vendor : lieferant kreditor|
		employee staff personnel worker : mitarbeiter personal beschaeftigte angestellte|invoice bill : rechnung faktura|salary pay wage payroll : gehalt lohn|
		purchase procurement : einkauf beschaffung bestellung|product article item goods material : artikel produkt ware erzeugnis material|stock inventory : bestand vorrat|
		warehouse : lager|shipment delivery : lieferung versand sendung|payment : zahlung zahlungseingang|reminder dunning : mahnung|vacation holiday leave : urlaub ferien|
		absence : fehlzeit abwesenheit|machine equipment : maschine anlage|device : geraet|failure error fault breakdown outage : stoerung ausfall fehler|
		complaint ticket : reklamation beschwerde|quote quotation offer : angebot|price : preis|amount : betrag summe|quantity : menge anzahl stueckzahl|count number : anzahl nummer|
		date : datum|name : bezeichnung|city town : ort stadt|country : land|street : strasse|address : adresse anschrift|region territory : gebiet bezirk|department : abteilung|
		position line item : position|contract : vertrag|account : konto|cost expense spending : kosten aufwand ausgabe|revenue turnover income sales : umsatz erloes ertrag|sales : vertrieb verkauf|
		budget plan : plan|discount rebate : rabatt nachlass|return refund : retoure ruecksendung erstattung|user : nutzer benutzer anwender|member : mitglied|
		visit appointment : besuch termin|patient : patient|doctor physician : arzt aerztin|nurse : pflegekraft schwester pfleger|drug medicine medication : medikament arznei arzneimittel|
		prescription : rezept verordnung|diagnosis : diagnose befund|laboratory lab : labor|result value : ergebnis wert befund|ward : station|bed : bett|
		insurance insurer : versicherung krankenkasse kasse|shift : schicht|vehicle car : fahrzeug auto wagen|driver : fahrer|flight : flug|airport : flughafen|
		booking reservation : buchung reservierung|school : schule|student pupil : schueler student|course class : kurs|teacher : lehrer|weight : gewicht|year : jahr|month : monat|
		day : tag|hour : stunde|week : woche|status state : zustand stand|kind type : art typ|group : gruppe|category : kategorie warengruppe|branch store shop : filiale laden markt|
		location place site : standort ort|project : projekt|task : aufgabe|message : nachricht|event : ereignis|campaign : kampagne|lead prospect : interessent|phone : telefon|
		company firm : firma unternehmen|tax : steuer|currency : waehrung|due : faellig|late delay : verspaetung verspaetet|open : offen|cancelled canceled : storniert|delivered : geliefert|
		repair maintenance : wartung instandhaltung reparatur|hired hire : eintritt|temperature : temperatur|energy power : energie strom|meter : zaehler|reading measurement : messwert ablesung|
		weather : wetter|house building : gebaeude haus|room : raum zimmer|rent : miete|tenant : mieter|member : mitglied|donation : spende|ledger : hauptbuch|booking posting : buchung`, "|") {
		english, german, _ := strings.Cut(group, " : ")
		en, de := strings.Fields(english), strings.Fields(german)
		for _, pair := range [][2][]string{{en, de}, {de, en}} {
			for _, w := range pair[0] {
				out[w] = append(out[w], pair[1]...)
			}
		}
	}
	return out
}()

// umlauts writes umlauts as German does where there are none.
var umlauts = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss")

// folded returns a word in lower case as words are compared.
func folded(word string) string {
	for i := range len(word) {
		if word[i] >= 0x80 {
			return umlauts.Replace(word)
		}
	}
	return word
}

// germanEndings are those of plurals and cases, the longest first.
var germanEndings = []string{"en", "es", "er", "n", "e", "s"}

// stems returns the forms of a folded word that may stand in a list of words: itself, its English
// singular, and without a German ending, with the e that some endings replace.
func stems(word string) []string {
	out := []string{word, catalog.Singular(word)}
	for _, end := range germanEndings {
		if s, ok := strings.CutSuffix(word, end); ok && len(s) >= 4 {
			out = append(out, s, s+"e")
		}
	}
	return out
}

// translated returns the words of the other language for a folded word.
func translated(word string) []string {
	for _, s := range stems(word) {
		if list := translations[s]; len(list) > 0 {
			return list
		}
	}
	return nil
}

// sameStem reports whether two folded words differ by a German ending only.
func sameStem(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) < 4 || len(b)-len(a) > 2 {
		return false
	}
	return slices.ContainsFunc(germanEndings, func(end string) bool { return a+end == b || strings.TrimSuffix(a, "e")+end == b })
}

// within returns how well a longer word matches one that it contains at its end or, less so, at
// its beginning; 0 if it does not. Short words are contained by chance.
func within(part, word string) float64 {
	if len(part) < shortestPart || len(word) < len(part)+3 {
		return 0
	}
	share := float64(len(part)) / float64(len(word))
	for _, form := range stems(word) {
		if strings.HasSuffix(form, part) {
			return endsLonger + 0.3*share
		}
	}
	if strings.HasPrefix(word, part) {
		return beginsLonger + 0.3*share
	}
	return 0
}

// fits returns how well a word of a text matches t, from 0 to 1: like meets, and beyond that by
// German endings and compounds, and in the other language.
func (t term) fits(word string) float64 {
	best := t.meets(word)
	if best == exactly {
		return best
	}
	asked, w := folded(t.word), folded(word)
	if asked == w || folded(t.one) == w {
		return exactly
	}
	if sameStem(asked, w) {
		best = max(best, inflected)
	}
	best = max(best, within(asked, w), within(folded(t.one), w))
	for _, other := range t.translations {
		switch {
		case slices.Contains(stems(w), other):
			best = max(best, asTranslation)
		default:
			best = max(best, partly*within(other, w))
		}
	}
	for _, other := range t.synonyms {
		best = max(best, asSynonym*within(other, w))
	}
	return best
}
