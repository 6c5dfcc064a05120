package wire

import (
	"fmt"
	"slices"
	"strings"

	"quaestor/research/warehouse"
)

// Refuse is a second check, independent of the guard: it returns an error if a statement
// does not begin like a query, or if one of the words (in capitals) occurs in it outside
// literals and comments. A word that ends in a parenthesis stands for its call. Refuse does
// not parse; it scans literals both with and without backslash escapes and refuses if either
// reading is forbidden.
func Refuse(sql string, words ...string) error {
	for _, escapes := range []bool{true, false} {
		if err := refuse(tokens(sql, escapes), words); err != nil {
			return err
		}
	}
	return nil
}

// NoRows is the refusal of a statement that the server does not answer with rows.
func NoRows() error {
	return warehouse.NewQueryError(warehouse.Forbidden, "only queries that give rows are sent", "", nil)
}

// CheckScan refuses a statement that would scan more bytes than l allows, by the estimate of the
// warehouse.
func CheckScan(bytes int64, l warehouse.Limits) error {
	if bytes <= l.Scanned {
		return nil
	}
	return warehouse.NewQueryError(warehouse.OverQuota, fmt.Sprintf("it would scan %d bytes; a query may scan %d", bytes, l.Scanned), "", nil)
}

// refuse checks one tokenization of a statement.
func refuse(list, words []string) error {
	for len(list) > 0 && list[0] == "(" {
		list = list[1:]
	}
	if len(list) == 0 || !slices.Contains([]string{"SELECT", "WITH", "VALUES", "TABLE"}, list[0]) {
		return warehouse.NewQueryError(warehouse.Forbidden, "only queries are sent", "", nil)
	}
	for i, t := range list {
		if slices.Contains(words, t) || i+1 < len(list) && list[i+1] == "(" && slices.Contains(words, t+"(") {
			return warehouse.NewQueryError(warehouse.Forbidden, "a query has no "+t, "", nil)
		}
	}
	return nil
}

// Executed stands for a comment that MySQL and MariaDB execute.
const Executed = "/*!"

// tokens returns the words of sql in capitals and its punctuation, without literals, quoted names
// and comments. A comment that is executed becomes [Executed].
func tokens(sql string, escapes bool) []string {
	var out []string
	for i := 0; i < len(sql); {
		n := token(sql[i:], escapes)
		switch t := sql[i : i+n]; {
		case strings.HasPrefix(t, "/*!"), strings.HasPrefix(t, "/*M!"), strings.HasPrefix(t, "/*T!"):
			out = append(out, Executed)
		case strings.TrimSpace(t) == "", n > 1 && strings.ContainsRune("/-#'\"`", rune(t[0])):
		default:
			out = append(out, strings.ToUpper(t))
		}
		i += n
	}
	return out
}

// token returns the length of the literal, comment, word or character that s begins with.
// Two dashes without a space after them are not a comment in every dialect.
func token(s string, escapes bool) int {
	switch c := s[0]; {
	case c == '\'' || c == '"' || c == '`':
		return quoted(s, escapes && c != '`')
	case c == '#', strings.HasPrefix(s, "-- "), strings.HasPrefix(s, "--\n"), strings.HasPrefix(s, "--\t"):
		return through(s, "\n", 1)
	case strings.HasPrefix(s, "/*"):
		return through(s, "*/", 2)
	case letter(c):
		n := 1
		for n < len(s) && letter(s[n]) {
			n++
		}
		return n
	}
	return 1
}

// letter reports whether c can be part of a name; bytes of multi-byte characters
// can.
func letter(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= 0x80
}

// quoted returns where the literal that s begins with ends. It is the length of s if the literal
// is not closed. Doubled quotes read as two literals, which makes no difference here.
func quoted(s string, escapes bool) int {
	for i := 1; i < len(s); i++ {
		switch {
		case escapes && s[i] == '\\':
			i++
		case s[i] == s[0]:
			return i + 1
		}
	}
	return len(s)
}

// through returns where end ends in s, searching from byte from on.
func through(s, end string, from int) int {
	if n := strings.Index(s[from:], end); n >= 0 {
		return from + n + len(end)
	}
	return len(s)
}
