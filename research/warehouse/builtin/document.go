package builtin

import (
	"strings"

	"quaestor/research/warehouse/guard"
)

// Document reports whether a type is that of documents with keys, such as JSON.
func Document(typ string) bool {
	t := strings.ToLower(strings.TrimSpace(typ))
	t = strings.TrimSuffix(strings.TrimPrefix(t, "nullable("), ")")
	return t == "json" || t == "jsonb" || t == "variant" || t == "object" || t == "super"
}

// documentWords are words of names of texts that may be documents.
var documentWords = setOf(`json payload props properties property attributes attribute attrs meta metadata data extra extras details detail params parameters context custom tags options
	settings info event_data daten eigenschaften attribute datos propiedades atributos donnees attributs dati proprieta dados propriedades`)

// MayBeDocument reports whether a text with a name may be a document.
func MayBeDocument(name string) bool { return hasWord(wordsOf(name), documentWords) }

// AsText is x as a text.
func (p Pieces) AsText(x string) string { return with(p.d.asText, x) }

// Key is the value at a path of keys within a document x, as a text, or as a number with a fraction; null where
// there is none. The keys must consist of letters, digits and what [PlainKey] allows.
func (p Pieces) Key(x string, path []string, number bool) string {
	dotted := "'$." + strings.Join(path, ".") + "'"
	var value, as string
	switch p.name {
	case guard.DuckDB:
		value, as = "json_extract_string("+x+", "+dotted+")", "DOUBLE"
	case guard.MySQL, guard.MariaDB:
		value, as = "JSON_VALUE("+x+", "+dotted+")", "decimal(38, 6)"
	case guard.ClickHouse:
		keys := ", '" + strings.Join(path, "', '") + "'"
		if number {
			return "CASE WHEN JSONHas(toString(" + x + ")" + keys + ") THEN JSONExtractFloat(toString(" + x + ")" + keys + ") END"
		}
		return "nullIf(JSON_VALUE(toString(" + x + "), " + dotted + "), '')"
	case guard.SQLServer:
		value, as = "JSON_VALUE("+x+", "+dotted+")", "float"
	case guard.BigQuery:
		value, as = "JSON_VALUE("+x+", "+dotted+")", "FLOAT64"
	case guard.Snowflake:
		value, as = "CAST(GET_PATH("+x+", '"+strings.Join(path, ".")+"') AS varchar)", "double"
	default:
		value, as = "CAST("+x+" AS jsonb) #>> '{"+strings.Join(path, ",")+"}'", "double precision"
	}
	if number {
		return "CAST(" + value + " AS " + as + ")"
	}
	return "(" + value + ")"
}

// PlainKey reports whether a key may stand in a path as it is: a letter or _, then letters, digits or _ of ASCII.
func PlainKey(key string) bool {
	for i, r := range key {
		letter := r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return key != "" && len(key) <= 60
}

// Instant is a column that codes times in a number or a text, as a time of the dialect: seconds, milliseconds or
// microseconds since 1970 between low and high, numbers such as 20010203 in some dialects, or ISO dates. It is false if
// it codes none. x is the column, quoted.
func (p Pieces) Instant(x, typ string, low, high float64) (string, bool) {
	k, ok := p.Clock(x, typ, low, high)
	if !ok {
		return "", false
	}
	if k.c.form != yyyymmdd {
		return k.c.instant(p.d)
	}
	switch p.name {
	case guard.PostgreSQL, guard.DuckDB:
		return "make_date(CAST(FLOOR(" + x + " / 10000) AS integer), CAST(FLOOR(" + x + " / 100) AS integer) % 100, CAST(" + x + " % 100 AS integer))", true
	case guard.MySQL, guard.MariaDB:
		return "CAST(" + x + " AS date)", true
	}
	return "", false
}

// ISODated is how many rows of a text x begin with an ISO date.
func (p Pieces) ISODated(x string) string { return count(x + " LIKE '____-__-__%'") }
