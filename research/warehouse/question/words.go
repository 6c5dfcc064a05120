package question

import (
	"slices"
	"strings"

	"quaestor/internal/language"
	"quaestor/research/warehouse/metrics"
)

// Measure is what is computed.
type Measure string

// The measures.
const (
	Count   Measure = "count"
	Sum     Measure = "sum"
	Average Measure = "average"
	Highest Measure = "highest"
	Lowest  Measure = "lowest"
	Share   Measure = "share"
	Defined Measure = "defined" // what the definition of a metric says
)

// sign is what a phrase of a question does, beside naming something.
type sign string

// The signs of phrases; those of measures are the measures themselves.
const (
	asks      sign = "asks"      // what is the, how high is: the measure follows from the column
	different sign = "different" // different, distinct
	groups    sign = "groups"    // by, per, for each: the next name divides the figure
	picks     sign = "picks"     // which: the next name divides the figure, and one group is asked for
	most      sign = "most"      // the most, top: the largest groups
	fewest    sign = "fewest"
	above     sign = "above" // more than
	atLeast   sign = "at least"
	below     sign = "below"
	atMost    sign = "at most"
	with      sign = "with"
	without   sign = "without"
	not       sign = "not"
	since     sign = "since"
	after     sign = "after"
	until     sign = "until"
	before    sign = "before"
	between   sign = "between"
	from      sign = "from"
	to        sign = "to"
	also      sign = "also" // and, or
	skip      sign = "skip" // says nothing of the data
	beyond    sign = "beyond"
	defined   sign = "defined" // the name of a metric or dimension
)

// phrases are the closed words of questions in English and German, as [language.Fold] writes
// them. The longest one that stands at a word counts.
var phrases = func() map[string]sign {
	out := map[string]sign{}
	for s, list := range map[sign]string{
		sign(Count):   "how many|number of|the number of|count of|count|how often|how many times|wie viele|wieviele|wie oft|anzahl|anzahl der|anzahl von|zahl der|number",
		sign(Sum):     "total|the total|sum|sum of|in total|overall|altogether|how much|summe|summe der|gesamt|gesamte|gesamter|gesamtes|insgesamt|wie viel|wieviel|total of",
		sign(Average): "average|the average|mean|avg|on average|durchschnitt|durchschnittlich|durchschnittliche|durchschnittlicher|durchschnittliches|durchschnittlichen|im durchschnitt|im schnitt|im mittel|mittlere|mittlerer|mittleres",
		sign(Highest): "maximum|max|highest|largest|biggest|longest|maximal|maximale|maximaler|hoechste|hoechster|hoechstes|groesste|groesster|groesstes|laengste|laengster|laengstes",
		sign(Lowest):  "minimum|min|lowest|smallest|shortest|minimal|minimale|minimaler|niedrigste|niedrigster|niedrigstes|kleinste|kleinster|kleinstes|kuerzeste",
		sign(Share): "share of|share|percentage of|percentage|percent of|percent|proportion of|proportion|fraction of|what share of|what percentage of|what percent of|what proportion of|what fraction of|which share of|" +
			"wie viel prozent|wie viel prozent der|prozent der|prozentsatz der|anteil der|anteil von|anteil|welcher anteil der|welcher anteil",
		asks:      "what is|what's|what was|what were|what are|how high|how high is|how high was|how long|how large|how big|wie hoch|wie lang|wie gross|was ist|was war|wie ist|wie war|what did",
		different: "different|distinct|unique|verschiedene|verschiedenen|unterschiedliche|unterschiedlichen",
		groups:    "by|per|for each|for every|each|every|broken down by|grouped by|split by|je|pro|fuer jede|fuer jeden|fuer jedes|aufgeteilt nach",
		picks:     "which|at what|on what|in what|during what|welche|welcher|welches|welchen|welchem",
		most:      "the most|most|top|die meisten|am meisten|den meisten|die groessten",
		fewest:    "the fewest|fewest|the least|least|die wenigsten|am wenigsten|den wenigsten",
		above:     "more than|over|above|greater than|longer than|higher than|larger than|exceeding|mehr als|ueber|groesser als|laenger als|hoeher als",
		atLeast:   "at least|or more|mindestens|wenigstens",
		below:     "less than|fewer than|under|below|smaller than|shorter than|lower than|weniger als|unter|kleiner als|kuerzer als",
		atMost:    "at most|or less|hoechstens|maximal bis",
		with:      "with|with a|with an|having|mit|mit einer|mit einem",
		without:   "without|without a|without any|ohne|with no|have no|had no|having no",
		not:       "not|nicht|never|weren't|wasn't|aren't|isn't|kein|keine|keinen|except|ausser|other than|no",
		since:     "since|seit|ab|starting|from the beginning of",
		after:     "after|nach dem",
		until:     "until|till|up to|bis|through",
		before:    "before|vor",
		between:   "between|zwischen",
		from:      "from|out of|von|vom|aus",
		to:        "to|nach",
		also:      "and|or|und|oder|sowie",
		skip: "a|an|the|of|in|on|at|for|is|are|was|were|be|been|do|does|did|done|have|has|had|we|us|our|ours|my|i|you|your|there|that|this|these|those|it|its|they|their|who|whose|which are|which were|that are|that were|who are|who were|" +
			"all|any|some|currently|now|right now|today|so far|ever|during|within|throughout|please|really|actually|exactly|roughly|approximately|about|get|got|happen|happened|occur|occurred|come|came|exist|recorded|records|rows|entries|make|made|" +
			"will|would|can|could|should|as|then|just|also|still|already|me|year|month of|times|in the|of the|of all|of our|of these|of those|in our|did we|do we|have we|were there|are there|is there|was there|value|values|figure|figures|" +
			"der|die|das|den|dem|des|ein|eine|einen|einem|einer|von den|von der|im|am|um|zu|zum|zur|ist|sind|war|waren|wurde|wurden|haben|hat|hatte|hatten|wir|uns|unser|unsere|unserer|unserem|unseren|unseres|es|gibt|gab|sie|ihr|ihre|mein|meine|in|an|auf|bei|fuer|alle|aller|aktuell|derzeit|heute|denn|eigentlich|genau|etwa|ungefaehr|bitte|mal|dabei|insgesamt gesehen|da|dort|davon|es gab|gibt es|gab es|so|auch|noch|schon|wir haben|wir hatten|im jahr|im jahre|in the year|in the month of|im monat|werden|worden|gewesen",
		// What one statement with one figure cannot say.
		beyond: "why|warum|wieso|trend|growth|grow|grew|wachstum|compared|compare|comparison|vergleich|verglichen|versus|vs|change|changed|correlation|correlate|forecast|predict|prognose|median|churn rate|retention|cohort|kohorte|running|cumulative|difference|unterschied",
	} {
		for phrase := range strings.SplitSeq(list, "|") {
			if other, twice := out[phrase]; twice && other != s {
				panic("question: the phrase " + phrase + " has two signs") // or the map's order would decide
			}
			out[phrase] = s
		}
	}
	return out
}()

// longestPhrase is how many words a phrase has at most.
const longestPhrase = 4

// english has what German words of business data are called in English, in which tables and
// columns mostly are named. A word may stand for several.
var english = func() map[string][]string {
	out := map[string][]string{}
	for _, line := range strings.Split(`kunde kunden kundin kundinnen=customer client
		bestellung bestellungen auftrag auftraege auftraegen order=order
		rechnung rechnungen=invoice bill
		flug fluege fluegen=flight
		verspaetung verspaetungen=delay
		verspaetet verspaetete verspaeteten late delayed overdue unpuenktlich unpuenktliche=delay late
		umsatz umsaetze umsaetzen=revenue sales turnover
		verkauf verkaeufe verkaeufen=sale
		sell sells sold selling verkaufen verkauft verkaufte=sale order
		preis preise preisen=price
		betrag betraege betraegen=amount total
		gesamtbetrag=total amount
		stadt staedte staedten ort orte=city
		land laender laendern=country
		menge mengen=quantity
		mitarbeiter mitarbeiterin mitarbeiterinnen beschaeftigte=employee
		produkt produkte produkten artikel=product article item
		lieferant lieferanten=supplier
		lieferung lieferungen=delivery shipment
		zahlung zahlungen=payment
		filiale filialen laden laeden=store branch shop
		benutzer nutzer nutzerinnen=user
		mitglied mitglieder mitgliedern=member
		abo abos abonnement abonnements=subscription
		rabatt rabatte=discount
		kosten=cost
		gewinn gewinne=profit
		entfernung entfernungen distanz strecke=distance
		herkunft abflugort start=origin
		ziel ziele zielort=destination
		flughafen flughaefen=airport
		kategorie kategorien=category
		lager bestand bestaende=stock inventory
		retoure retouren ruecksendung ruecksendungen=return
		erstattung erstattungen=refund
		gehalt gehaelter=salary
		alter=age
		bewertung bewertungen=rating review
		datum=date
		wochentag wochentage wochentagen=weekday
		stunde stunden uhrzeit=hour
		monat monate monaten=month
		jahr jahre jahren=year
		region regionen=region
		kanal kanaele=channel
		segment segmente=segment
		abteilung abteilungen=department
		temperatur temperaturen=temperature
		niederschlag regen=precipitation rain
		besuch besuche=visit session
		anruf anrufe=call
		vertrag vertraege=contract
		termin termine terminen=appointment
		arzt aerzte aerztin aerztinnen=physician doctor
		gebucht gebuchte gebuchten=booked
		schaden schaeden=damage claim
		fahrzeug fahrzeuge=vehicle
		dauer=duration
		gewicht=weight
		storniert stornierte stornierten=cancelled
		bezahlt bezahlte bezahlten=paid
		offen offene offenen=open
		aktiv aktive aktiven=active
		discounted=discount
		refunded=refund`, "\n") {
		said, named, _ := strings.Cut(strings.TrimSpace(line), "=")
		for _, w := range strings.Fields(said) {
			out[w] = append(out[w], strings.Fields(named)...)
		}
	}
	return out
}()

// states are words for something that is so when a figure is above zero: flights are late when
// their delay is.
var states = setOf(`late delayed overdue discounted refunded verspaetet verspaetete verspaeteten unpuenktlich unpuenktliche`)

// sides are the words of columns that values after "from" and "to" stand in.
var sides = map[sign][]string{
	from: {"origin", "from", "source", "departure", "start", "src"},
	to:   {"destination", "dest", "to", "target", "arrival", "end"},
}

// spans are the words of a span of time by which figures are divided.
var spans = map[string]string{"day": "day", "daily": "day", "tag": "day", "week": "week", "weekly": "week", "woche": "week", "month": "month", "monthly": "month", "monat": "month",
	"year": "year", "yearly": "year", "annually": "year", "jahr": "year",
	"weekday": byWeekday, "weekdays": byWeekday, "wochentag": byWeekday, "wochentage": byWeekday, "wochentagen": byWeekday,
	"hour": byHour, "hours": byHour, "hourly": byHour, "stunde": byHour, "uhrzeit": byHour,
	"kalendermonat": byMonth}

func setOf(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

// token is a word or phrase of a question.
type token struct {
	text     string   // as it was written
	word     string   // folded
	sign     sign     // empty for a word that has to name something
	number   *float64 // of a figure
	date     *language.DateValue
	yearless bool // of a date: a month or day without a year
	part     sign // of a date: since for its beginning, until for its end, between for its middle; which days that is nobody says
	quoted   bool // stood between quotation marks
	asked    []string
	read     bool // it names something that was found

	was sign // of a word that names a column: what it is elsewhere

	recurring Recurring // days or hours that come again; the sign is then skip

	definition *metrics.Match // of a token with the sign defined
}

// names reports whether the token has to name a table, a column or a value.
func (t *token) names() bool { return t.sign == "" && t.number == nil && t.date == nil }

// is reports whether the token has one of some signs.
func (t *token) is(signs ...sign) bool { return t.sign != "" && slices.Contains(signs, t.sign) }

// askedFor returns the words to look for in names in place of a word of a question.
func askedFor(word string) []string {
	if t := english[word]; t != nil {
		if slices.Contains(t, word) {
			return t
		}
		return append([]string{word}, t...)
	}
	return []string{word}
}
