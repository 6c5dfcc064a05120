package builtin

import "strings"

// inFull are what short forms in names stand for.
var inFull = map[string]string{"avg": "average", "temp": "temperature", "max": "maximum", "min": "minimum", "qty": "quantity", "amt": "amount", "num": "number", "cnt": "count", "pct": "percent", "addr": "address",
	"dept": "department", "cust": "customer", "prod": "product", "desc": "description", "dest": "destination", "orig": "origin", "tx": "transaction", "txn": "transaction", "inv": "invoice", "acct": "account", "mgr": "manager"}

// behind are words that stand behind a noun in names, and in front of it in speech: repair cost of cost_repair.
var behind = setOf("cost costs price fee fees count number amount duration temperature revenue")

// ahead are words that stand behind a noun in names, and in front of it in speech: maximum temperature of temp_max.
var ahead = setOf("maximum minimum average total")

// Said returns a name as a sentence has it: words instead of short forms, in the order of speech.
func Said(name string) string {
	w := wordsOf(name)
	if len(w) == 0 {
		return strings.TrimSpace(name)
	}
	for i, x := range w {
		if long, ok := inFull[x]; ok {
			w[i] = long
		}
	}
	if last := len(w) - 1; last == 1 && (ahead[w[1]] || behind[w[0]] && !behind[w[1]] && !linking[w[1]]) {
		w[0], w[1] = w[1], w[0]
	}
	return strings.Join(w, " ")
}

// linking are words that tie a name to what is behind it, so that it keeps its order.
var linking = setOf("of in at on per by for with to from is type code id no date time name status category class group")

// Plural returns an English noun for several of what it names. One that is several already, and one in the plural of
// another language, stays as it is.
func Plural(noun string) string {
	n := len(noun)
	switch {
	case n < 3 || strings.HasSuffix(noun, "ss") || strings.HasSuffix(noun, "us"):
		return noun
	case noun[n-1] == 's', strings.HasSuffix(noun, "en"), strings.HasSuffix(noun, "people"), strings.HasSuffix(noun, "data"):
		return noun
	case noun[n-1] == 'y' && !vowels[noun[n-2:n-1]]:
		return noun[:n-1] + "ies"
	case strings.HasSuffix(noun, "x"), strings.HasSuffix(noun, "ch"), strings.HasSuffix(noun, "sh"):
		return noun + "es"
	}
	return noun + "s"
}

// units are what the last word of a name says that a number is counted in.
var units = map[string]string{"ms": "ms", "msec": "ms", "millis": "ms", "sec": "seconds", "secs": "seconds", "seconds": "seconds", "mins": "minutes", "minutes": "minutes", "hrs": "hours", "hours": "hours", "days": "days",
	"km": "km", "miles": "miles", "mm": "mm", "cm": "cm", "feet": "feet", "ft": "feet", "kg": "kg", "lbs": "lb", "kwh": "kWh", "mwh": "MWh", "mb": "MB", "gb": "GB", "bytes": "bytes", "celsius": "°C", "fahrenheit": "°F",
	"knots": "knots", "mph": "mph", "kmh": "km/h", "eur": "EUR", "usd": "USD", "gbp": "GBP", "chf": "CHF", "cents": "cents", "pct": "%", "percent": "%"}

// Measured returns the name of a column as a sentence has it, and the unit that its last word says: duration and ms
// of duration_ms. The unit is empty if the name says none.
func Measured(name string) (words, unit string) {
	w := wordsOf(name)
	if n := len(w) - 1; n > 0 && units[w[n]] != "" {
		rest := w[:n]
		if len(rest) > 1 && (rest[n-1] == "in" || rest[n-1] == "per") {
			if rest[n-1] == "per" {
				return Said(name), ""
			}
			rest = rest[:n-1]
		}
		return Said(strings.Join(rest, "_")), units[w[n]]
	}
	return Said(name), ""
}
