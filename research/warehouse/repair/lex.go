package repair

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"quaestor/research/warehouse/guard"
)

// kind is what a token is.
type kind int

const (
	word   kind = iota // a name or a keyword without quotes
	quoted             // a name in quotes
	text               // a literal
	number
	symbol
)

// token is one of a statement, with the space and the comments before it.
type token struct {
	kind kind
	pre  string
	text string
}

// is reports whether t is that keyword.
func (t token) is(keyword string) bool { return t.kind == word && strings.EqualFold(t.text, keyword) }

// isAny reports whether t is one of the keywords, which are in capitals.
func (t token) isAny(keywords ...string) bool {
	return t.kind == word && slices.Contains(keywords, strings.ToUpper(t.text))
}

// sym reports whether t is that symbol.
func (t token) sym(s string) bool { return t.kind == symbol && t.text == s }

// name returns the name that t is, without quotes; empty for what is none.
func (t token) name() string {
	switch t.kind {
	case word:
		return t.text
	case quoted:
		if len(t.text) < 2 {
			return ""
		}
		q := t.text[len(t.text)-1:]
		return strings.ReplaceAll(t.text[1:len(t.text)-1], q+q, q)
	case text, number, symbol:
	}
	return ""
}

// statement is the tokens of one, and what follows the last.
type statement struct {
	dialect guard.Dialect
	tokens  []token
	tail    string
}

// lex takes a statement apart. Nothing of it is lost: String returns it.
func lex(d guard.Dialect, sql string) *statement {
	s := &statement{dialect: d}
	for sql != "" {
		pre := spaceAt(sql)
		if pre == len(sql) {
			s.tail = sql
			break
		}
		k, n := tokenAt(d, sql[pre:])
		s.tokens = append(s.tokens, token{k, sql[:pre], sql[pre : pre+n]})
		sql = sql[pre+n:]
	}
	return s
}

func (s *statement) String() string { return join(s.tokens) + s.tail }

// join writes tokens with what is between them.
func join(tokens []token) string {
	var b strings.Builder
	for _, t := range tokens {
		b.WriteString(t.pre + t.text)
	}
	return b.String()
}

// spaceAt returns the length of the space and the comments that sql begins with.
func spaceAt(sql string) int {
	n := 0
	for n < len(sql) {
		rest := sql[n:]
		r, size := utf8.DecodeRuneInString(rest)
		switch {
		case unicode.IsSpace(r):
			n += size
		case strings.HasPrefix(rest, "--"):
			n += upTo(rest, "\n")
		case strings.HasPrefix(rest, "/*"):
			n += upTo(rest, "*/")
		default:
			return n
		}
	}
	return n
}

// upTo returns where the first end in s ends, or the length of s.
func upTo(s, end string) int {
	if at := strings.Index(s, end); at >= 0 {
		return at + len(end)
	}
	return len(s)
}

// symbols are those of more than one character, the longer ones first.
var symbols = []string{"->>", "::", "<=", ">=", "<>", "!=", "==", "||", "//", "->", "&&", "~*"}

// tokenAt returns the kind and the length of the token that s begins with.
func tokenAt(d guard.Dialect, s string) (kind, int) {
	switch c := s[0]; {
	case c == '\'':
		return text, closed(s, '\'', backslashes(d))
	case c == '"' && textsInDoubleQuotes(d):
		return text, closed(s, '"', true)
	case c == '"' || c == '`':
		return quoted, closed(s, c, false)
	case c == '[' && d == guard.SQLServer:
		return quoted, closed(s, ']', false)
	case '0' <= c && c <= '9':
		return number, numberAt(s)
	}
	if r, _ := utf8.DecodeRuneInString(s); r == '_' || r == '@' || unicode.IsLetter(r) {
		return word, wordAt(s)
	}
	for _, one := range symbols {
		if strings.HasPrefix(s, one) {
			return symbol, len(one)
		}
	}
	_, n := utf8.DecodeRuneInString(s)
	return symbol, n
}

// textsInDoubleQuotes reports whether "x" is a text and not a name.
func textsInDoubleQuotes(d guard.Dialect) bool {
	return d == guard.MySQL || d == guard.MariaDB || d == guard.BigQuery
}

func backslashes(d guard.Dialect) bool {
	return textsInDoubleQuotes(d) || d == guard.ClickHouse || d == guard.Snowflake
}

// closed returns where a literal ends whose quote is doubled to stand for itself.
func closed(s string, quote byte, escapes bool) int {
	for i := 1; i < len(s); i++ {
		switch {
		case escapes && s[i] == '\\':
			i++
		case s[i] != quote:
		case i+1 < len(s) && s[i+1] == quote:
			i++
		default:
			return i + 1
		}
	}
	return len(s)
}

func numberAt(s string) int {
	n := 0
	for n < len(s) && ('0' <= s[n] && s[n] <= '9' || s[n] == '.' || s[n] == 'e' || s[n] == 'E') {
		n++
	}
	return n
}

func wordAt(s string) int {
	for i, r := range s {
		if r != '_' && r != '$' && r != '@' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return i
		}
	}
	return len(s)
}

// closing returns the place of the bracket that closes the one at i, or the number
// of tokens.
func (s *statement) closing(i int) int {
	depth := 0
	for ; i < len(s.tokens); i++ {
		switch {
		case s.tokens[i].sym("("):
			depth++
		case s.tokens[i].sym(")"):
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(s.tokens)
}

// at returns token i, or an empty symbol beyond the ends.
func (s *statement) at(i int) token {
	if i < 0 || i >= len(s.tokens) {
		return token{kind: symbol}
	}
	return s.tokens[i]
}

// replaced returns the statement with tokens from to end written otherwise, what was
// before them kept.
func (s *statement) replaced(from, end int, by string) string {
	return join(s.tokens[:from]) + s.at(from).pre + by + join(s.tokens[end:]) + s.tail
}

// source returns the text of tokens from to end, without what is before the first.
func (s *statement) source(from, end int) string {
	if from >= end {
		return ""
	}
	return s.tokens[from].text + join(s.tokens[from+1:end])
}
