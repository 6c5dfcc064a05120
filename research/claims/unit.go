package claims

import (
	"strings"

	"quaestor/internal/language"
)

// currencyCodes are the codes that may stand at an amount, as they are written.
var currencyCodes = table(`USD: USD US$
	EUR: EUR
	GBP: GBP
	CHF: CHF
	CAD: CAD
	AUD: AUD
	NZD: NZD
	INR: INR
	JPY: JPY
	CNY: CNY RMB
	SEK: SEK
	NOK: NOK
	DKK: DKK
	PLN: PLN
	CZK: CZK
	BRL: BRL
	SGD: SGD`)

var currencySigns = map[string]string{"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR"}

// dollars are the countries that may stand before a dollar sign or word.
var dollars = table(`USD: us american
	CAD: c ca canadian
	AUD: a au australian
	NZD: nz
	SGD: sg singapore
	HKD: hk`)

// unitWords maps the ways to write a unit to its name. The names in capitals are
// currencies.
var unitWords = table(`USD: dollar dollars bucks
	EUR: euro euros
	GBP: pounds sterling quid
	JPY: yen
	INR: rupee rupees
	CHF: francs
	%: percent pct procent prozent
	pp: pp
	bp: bps bp
	x: x times
	second: second seconds sec secs s
	minute: minute minutes min mins
	hour: hour hours hr hrs h
	day: day days d
	week: week weeks wk wks w
	month: month months mo mos
	quarter: quarters
	year: year years yr yrs y
	decade: decade decades
	ms: ms millisecond milliseconds
	km: km kms kilometre kilometres kilometer kilometers
	m: m metre metres meter meters
	cm: cm centimetre centimetres centimeter centimeters
	mm: mm millimetre millimetres millimeter millimeters
	mi: mi mile miles
	ft: ft feet foot
	km2: km2
	m2: m2 sqm
	ha: ha hectare hectares
	acre: acre acres
	kg: kg kgs kilogram kilograms kilo kilos
	g: g gram grams gramme grammes
	t: t tonne tonnes tons ton
	lb: lb lbs
	oz: oz ounce ounces
	l: l litre litres liter liters
	ml: ml
	kW: kw
	MW: mw megawatt megawatts
	GW: gw gigawatt gigawatts
	kWh: kwh
	MWh: mwh
	GWh: gwh
	TWh: twh
	W: watt watts
	V: v volt volts
	Hz: hz
	kHz: khz
	MHz: mhz
	GHz: ghz
	kB: kb kilobytes
	MB: mb megabyte megabytes
	GB: gb gigabyte gigabytes
	TB: tb terabyte terabytes
	PB: pb
	Mbps: mbps
	Gbps: gbps
	degrees: degrees degree celsius fahrenheit`)

// counted are the nouns a count is of: what makes "12 million" comparable.
var counted = byStem(`people users customers employees companies firms businesses enterprises clients subscribers members patients students doctors clinics hospitals practices dentists schools
	households residents inhabitants visitors downloads installs installations accounts orders transactions stores shops locations branches offices countries cities states regions markets plants factories sites
	vehicles cars trucks units devices machines servers stations projects deals jobs workers staff developers engineers partners suppliers vendors competitors products integrations connectors apps
	requests calls queries messages emails documents pages records rows events sessions tickets hours seats licences licenses tenants workspaces beds rooms flights passengers farms farmers restaurants
	hotels bakeries lawyers lawsuits patents publications papers reviews ratings stars points complaints cases deaths births votes shares percentages levels steps stages phases classes types kinds versions
	respondents participants startups investors funds banks insurers retailers manufacturers agencies authorities charities universities teachers drivers owners drugs trials samples cores nodes containers`)

// byStem maps the stem of each plural to it.
func byStem(s string) map[string]string {
	out := map[string]string{}
	for w := range set(s) {
		if w < out[language.Stem(w)] || out[language.Stem(w)] == "" {
			out[language.Stem(w)] = w
		}
	}
	return out
}

// perWords are adverbs and adjectives that say how often.
var perWords = table(`day: daily
	week: weekly
	month: monthly
	quarter: quarterly
	year: yearly annually p.a
	hour: hourly`)

// physical reports whether unit is measured rather than counted: a claim must
// have it to the letter.
func physical(unit string) bool {
	base, _, _ := strings.Cut(unit, "/")
	return base != "" && counted[language.Stem(base)] != base && base != "people"
}

// money reports whether unit is a currency.
func money(unit string) bool {
	base, _, _ := strings.Cut(unit, "/")
	return len(base) == 3 && base == strings.ToUpper(base) && base >= "A"
}

// unitAfter reads the unit that begins at token i, and the "per" parts behind
// it. It returns "" and i when there is none.
func (p *passage) unitAfter(i int) (unit string, next int) {
	next = i
	if p.is(i, "-") && p.glued(i) && p.glued(i+1) && p.class(i+1) == word {
		next++
	}
	if unit, next = p.baseUnit(next); unit == "" {
		return "", i
	}
	return p.rates(unit, next)
}

// baseUnit reads a unit without its rates.
func (p *passage) baseUnit(i int) (string, int) {
	switch {
	case currencySigns[p.text(i)] != "":
		return currencySigns[p.text(i)], i + 1
	case p.is(i, "%"), p.is(i, "percent") && !p.is(i+1, "points"):
		if p.is(i+1, "points") || p.is(i+1, "point") {
			return "pp", i + 2
		}
		return "%", i + 1
	case p.is(i, "per") && p.is(i+1, "cent"):
		return "%", i + 2
	case (p.is(i, "percentage") || p.is(i, "percent")) && (p.is(i+1, "points") || p.is(i+1, "point")):
		return "pp", i + 2
	case p.is(i, "basis") && p.is(i+1, "points"):
		return "bp", i + 2
	case p.is(i, "°"):
		return "degrees", i + 1
	}
	return p.wordUnit(i)
}

// wordUnit reads a unit that is a word, or the noun counted within four words.
func (p *passage) wordUnit(i int) (string, int) {
	if p.class(i) != word {
		return "", i
	}
	if code := currencyCodes[p.raw(i)]; code != "" {
		return code, i + 1
	}
	if c := dollars[p.text(i)]; c != "" && unitWords[p.text(i+1)] == "USD" {
		return c, i + 2
	}
	if u := unitWords[p.text(i)]; u != "" && !p.letterOnly(i) {
		return u, i + 1
	}
	return p.countedNoun(i)
}

// letterOnly reports whether the word at i is one letter that only means a unit
// at once after the digits: "12 s" does not.
func (p *passage) letterOnly(i int) bool {
	return len(p.text(i)) == 1 && !p.glued(i) && !strings.Contains("mgtlhkx", p.text(i)) || p.is(i, "a")
}

// countedNoun looks for what a number counts: "12 million active users".
func (p *passage) countedNoun(i int) (string, int) {
	for j := i; j < i+4 && p.class(j) == word; j++ {
		if noun := counted[p.toks[j].stem]; noun != "" && !(counted[p.stem(j+1)] != "" && j+1 < i+4) {
			return noun, j + 1
		}
		if stopwords[p.text(j)] && !(p.is(j, "of") || p.is(j, "its") || p.is(j, "the") || p.is(j, "our") || p.is(j, "new") || p.is(j, "other")) || p.axis(j).name == "direction" {
			break
		}
	}
	return "", i
}

// rates reads what a unit is for or per: "/user/month", "per user a month",
// "annually".
func (p *passage) rates(unit string, next int) (string, int) {
	for range 3 {
		j := next
		if p.is(j, "per") || p.is(j, "/") || p.is(j, "each") || p.is(j, "every") || (p.is(j, "a") || p.is(j, "an")) && timeUnits[unitWords[p.text(j+1)]] {
			j++
		} else if perWords[p.text(j)] == "" {
			break
		}
		name := p.rateName(j)
		if name == "" {
			break
		}
		unit, next = unit+"/"+name, j+1
	}
	return unit, next
}

var timeUnits = set("second minute hour day week month quarter year decade")

func (p *passage) rateName(j int) string {
	switch {
	case p.class(j) != word:
		return ""
	case perWords[p.text(j)] != "":
		return perWords[p.text(j)]
	case unitWords[p.text(j)] != "":
		return unitWords[p.text(j)]
	case p.is(j, "quarter"):
		return "quarter"
	case stopwords[p.text(j)]:
		return ""
	}
	return p.toks[j].stem
}
