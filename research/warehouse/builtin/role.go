package builtin

import (
	"strings"
)

// role is what a column may be used for.
type role string

// The roles.
const (
	unused     role = "unused"     // documents, bytes, shapes: nothing is asked of them
	identifier role = "identifier" // tells rows or things apart; counted, never summed or averaged
	moment     role = "moment"     // a time
	coded      role = "coded"      // by its name a time, in a number or a text; its range says which
	calendar   role = "calendar"   // a part of the calendar: a month, a weekday, an hour
	amount     role = "amount"     // a number that may be summed
	level      role = "level"      // a number that may be averaged, not summed
	ratio      role = "ratio"      // a share or rate; averaged, not summed
	coordinate role = "coordinate"
	code       role = "code" // a number that stands for a class
	flag       role = "flag" // true or false
	label      role = "label"
	dimension  role = "dimension" // a text that puts rows into classes
	prose      role = "prose"     // a text that is read
	personal   role = "personal"  // what one calls or reaches people by; never shown
)

// metric says whether figures of a column are figures of something.
func (r role) metric() bool { return r == amount || r == level || r == ratio }

// class is a kind of type that dialects share.
type class string

// The classes.
const (
	isNumber class = "number" // whole
	isReal   class = "real"   // with a fraction
	isText   class = "text"
	isBool   class = "bool"
	isDate   class = "date"
	isTime   class = "time"
	isUUID   class = "uuid"
	isOther  class = "other"
)

// classOf returns the class of a type as a warehouse writes it.
func classOf(typ string) class {
	t := strings.ToLower(strings.TrimSpace(typ))
	for _, around := range []string{"nullable(", "lowcardinality("} {
		if inner, ok := strings.CutPrefix(t, around); ok {
			return classOf(strings.TrimSuffix(inner, ")"))
		}
	}
	name, rest := t, ""
	if at := strings.IndexAny(t, " (<["); at >= 0 {
		name, rest = t[:at], t[at:]
	}
	if strings.HasSuffix(t, "[]") || strings.HasPrefix(rest, "<") {
		return isOther
	}
	switch {
	case name == "tinyint" && strings.HasPrefix(rest, "(1)"), name == "bit" && (rest == "" || rest == "(1)"), name == "bool", name == "boolean":
		return isBool
	case name == "number" || name == "numeric" || name == "decimal" || name == "dec":
		return fraction(rest)
	case wholeTypes[name]:
		return isNumber
	case realTypes[name]:
		return isReal
	case textTypes[name]:
		return isText
	case name == "date" || name == "date32":
		return isDate
	case strings.HasPrefix(name, "timestamp"), strings.HasPrefix(name, "datetime"), name == "smalldatetime":
		return isTime
	case name == "uuid" || name == "uniqueidentifier" || name == "guid":
		return isUUID
	default:
		return isOther
	}
}

// fraction tells NUMBER(38,0) from NUMBER(10,2).
func fraction(rest string) class {
	rest, _, _ = strings.Cut(strings.TrimPrefix(rest, "("), ")")
	if _, scale, ok := strings.Cut(rest, ","); ok && strings.TrimSpace(scale) == "0" {
		return isNumber
	}
	if rest != "" && !strings.Contains(rest, ",") {
		return isNumber
	}
	return isReal
}

// roleOf returns what a column may be used for by its name and type alone. key says
// that it is the primary key, reference that it refers to another table, and table
// is the name of its own.
func roleOf(name, typ string, key, reference bool, table string) role {
	c, w := classOf(typ), wordsOf(name)
	switch {
	case c == isOther:
		return unused
	case c == isBool:
		return flag
	case c == isDate || c == isTime:
		return moment
	case key || reference || c == isUUID:
		return identifier
	case len(w) == 0:
		return plainRole(c)
	case isPersonal(w, wordsOf(table)):
		return personal
	case c == isText:
		return textRole(w)
	default:
		return numberRole(w, c)
	}
}

// plainRole is that of a column whose name says nothing.
func plainRole(c class) role {
	if c == isText {
		return dimension
	}
	return level
}

// isPersonal says whether a column holds what one calls or reaches people by.
func isPersonal(w, table []string) bool {
	last := w[len(w)-1]
	all := strings.Join(w, "_")
	switch {
	case hasWord(w, contactWords) && !hasWord(w, countWords), personNames[all]:
		return true
	case last == "name" && len(w) > 1:
		return hasWord(w, people) && !hasWord(w, thingWords)
	case all == "name" || all == "username" || all == "login":
		return hasWord(singulars(table), people)
	default:
		return false
	}
}

// singulars returns words without the s at their end.
func singulars(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = strings.TrimSuffix(w, "s")
	}
	return out
}

// textRole is that of a text.
func textRole(w []string) role {
	last := w[len(w)-1]
	switch {
	case endsInKey(w):
		return identifier
	case saysTime(w):
		return coded
	case hasWord(w, proseWords):
		return prose
	case last == "name" || last == "title" || last == "label":
		return label
	default:
		return dimension
	}
}

// numberRole is that of a number.
func numberRole(w []string, c class) role {
	first, last := w[0], w[len(w)-1]
	switch {
	case first == "is" || first == "has" || first == "flag" || last == "flag" || last == "indicator":
		return flag
	case hasWord(w, ratioWords):
		return ratio
	case coordinateWords[last] || len(w) == 1 && (last == "x" || last == "y"):
		return coordinate
	case first == "num" || first == "number" && len(w) > 2 && w[1] == "of" || first == "no" && len(w) > 1 && w[1] == "of" || first == "n" && len(w) > 1 || countWords[last]:
		return amount
	case endsInKey(w):
		return identifier
	case c == isNumber && len(w) < 3 && calendarWords[last] && !hasWord(w[:len(w)-1], durations):
		return calendar
	case c == isNumber && saysTime(w):
		return coded
	case hasWord(w, amountWords):
		return amount
	case c == isNumber && hasWord(w, codeWords):
		return code
	default:
		return level
	}
}

// saysTime says whether a name is that of a time: order_date, created_at, ts. A
// time of waiting is none.
func saysTime(w []string) bool {
	last := w[len(w)-1]
	return timeEnds[last] && (last != "time" || !hasWord(w, durations))
}

// notKeys are words that only look as if they named a key.
var notKeys = setOf("monkey donkey whiskey turkey hockey jockey lackey")

// endsInKey says whether a name is that of an identifier: order_id, invoice_no,
// id, customer_key, c_custkey, order number.
func endsInKey(w []string) bool {
	first, last := w[0], w[len(w)-1]
	switch {
	case keyEnds[last]:
		return true
	case last == "key" || last == "no" || last == "nr" || last == "ref" || last == "nummer" || last == "number":
		return len(w) > 1 || last == "number"
	case strings.HasSuffix(last, "key") && len(last) >= len("custkey"):
		return !notKeys[last]
	default:
		return len(w) > 1 && (first == "id" || first == "fk" || first == "pk")
	}
}
