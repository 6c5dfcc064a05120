package repair

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"quaestor/research/warehouse/guard"
)

// kind is the kind of a token. It is coarser than in package guard: a repair may misread a
// statement, because the guard checks what comes out.
type kind int

const (
	word   kind = iota // an unquoted name or a keyword
	quoted             // a name in quotes
	text               // a string literal
	number
	symbol
)

// token is a token with the white space and comments before it, so that joining all tokens gives
// back the statement byte for byte.
type token struct {
	kind kind
	pre  string // white space and comments; often empty
	text string // as it was written, with its quotes
}

// is reports whether t is that keyword.
func (t token) is(keyword string) bool { return t.kind == word && strings.EqualFold(t.text, keyword) }

// isAny reports whether t is one of the keywords, which must be in upper case.
func (t token) isAny(keywords ...string) bool {
	return t.kind == word && slices.Contains(keywords, strings.ToUpper(t.text))
}

// sym reports whether t is that symbol.
func (t token) sym(s string) bool { return t.kind == symbol && t.text == s }

// name returns the name that t is, without quotes; empty if it is not a name. Doubled quotes are
// undone. A literal is never a name.
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

// statement is the tokens of a statement and what follows the last one.
type statement struct {
	dialect guard.Dialect
	tokens  []token
	tail    string // white space and comments after the last token
}

// lex splits a statement into tokens without losing anything: String returns it unchanged.
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

// String returns the statement as text.
func (s *statement) String() string { return join(s.tokens) + s.tail }

// join concatenates tokens with what precedes each.
func join(tokens []token) string {
	var b strings.Builder
	for _, t := range tokens {
		b.WriteString(t.pre + t.text)
	}
	return b.String()
}

// spaceAt returns the length of the white space and comments that sql begins with. A comment that
// is not closed reaches to the end.
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

// upTo returns the end of the first occurrence of end in s, or the length of s.
func upTo(s, end string) int {
	if at := strings.Index(s, end); at >= 0 {
		return at + len(end)
	}
	return len(s)
}

// symbols are the symbols of more than one character, longer ones first.
var symbols = []string{"->>", "::", "<=", ">=", "<>", "!=", "==", "||", "//", "->", "&&", "~*"}

// tokenAt returns the kind and length of the token that s begins with. The length is at least 1,
// so that lexing always ends, even for invalid UTF-8.
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

// textsInDoubleQuotes reports whether "x" is a string in the dialect, and not a name.
func textsInDoubleQuotes(d guard.Dialect) bool {
	return d == guard.MySQL || d == guard.MariaDB || d == guard.BigQuery
}

// backslashes reports whether a backslash escapes in the dialect's strings.
func backslashes(d guard.Dialect) bool {
	return textsInDoubleQuotes(d) || d == guard.ClickHouse || d == guard.Snowflake
}

// closed returns the end of the quoted text that s begins with. A doubled quote stands for one. A
// quote that is not closed reaches to the end of s.
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

// numberAt returns the length of the number s begins with. It is generous: 1.2.3 counts as one
// number. The server refuses it.
func numberAt(s string) int {
	n := 0
	for n < len(s) && ('0' <= s[n] && s[n] <= '9' || s[n] == '.' || s[n] == 'e' || s[n] == 'E') {
		n++
	}
	return n
}

// wordAt returns the length of the word s begins with.
func wordAt(s string) int {
	for i, r := range s {
		if r != '_' && r != '$' && r != '@' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return i
		}
	}
	return len(s)
}

// closing returns the index of the parenthesis that closes the one at i, or the number of
// tokens.
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

// at returns token i, or an empty symbol if there is none. Rules look at neighbours without
// checking bounds.
func (s *statement) at(i int) token {
	if i < 0 || i >= len(s.tokens) {
		return token{kind: symbol}
	}
	return s.tokens[i]
}

// replaced returns the statement with tokens [from, end) replaced by text; what precedes them is
// kept.
func (s *statement) replaced(from, end int, by string) string {
	return join(s.tokens[:from]) + s.at(from).pre + by + join(s.tokens[end:]) + s.tail
}

// source returns the text of tokens [from, end), without what precedes the first.
func (s *statement) source(from, end int) string {
	if from >= end {
		return ""
	}
	return s.tokens[from].text + join(s.tokens[from+1:end])
}
