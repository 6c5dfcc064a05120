package guard

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// kind is the kind of a token.
type kind int

// The kinds of tokens.
const (
	end kind = iota
	word
	quoted // a name in quotes
	text   // a literal in quotes
	number
	mark // an operator or a bracket
	comment
	space
	stray // a quote that is not closed
)

// token is a piece of a statement. Its zero value is the end of the statement. Concatenating raw
// over all tokens gives back the statement.
type token struct {
	kind kind
	raw  string // as it is written
	name string // of a quoted name, without its quotes
}

// spelled returns a name without the quotes that it may have.
func (t token) spelled() string {
	if t.kind == quoted {
		return t.name
	}
	return t.raw
}

// lexicon describes how a dialect writes its tokens. If it ended a literal or comment elsewhere
// than the server does, text could hide from the guard, so each field follows the documentation
// of the dialect and what is doubtful is refused by the caller. It is not modified.
type lexicon struct {
	lines     []string       // what begins a comment that ends with the line
	dashSpace bool           // -- begins a comment only before white space, or a hint before +
	nested    bool           // comments can be nested
	names     string         // the opening quotes of names, of " ` [
	texts     string         // the opening quotes of literals, of ' "
	escapes   string         // the quotes within which a backslash escapes
	doubled   string         // the quotes that are escaped by doubling
	triple    bool           // three quotes begin a literal, too
	prefixes  []string       // letters that change the literal they are attached to
	dollars   bool           // $$ … $$ is a literal
	tags      bool           // $tag$ … $tag$ is a literal
	letters   bool           // unquoted names may have letters beyond ASCII
	numbers   *regexp.Regexp // how numbers are written; nil where a grammar decides
	marks     []string       // operators of more than one character, the longest first
}

// The lexicons of the dialects with a complete grammar. They serve the check of the text
// only.
var (
	pgLexicon    = lexicon{lines: []string{"--"}, nested: true, names: `"`, texts: "'", doubled: `'"`, prefixes: []string{"e"}, dollars: true, tags: true, letters: true}
	mysqlLexicon = lexicon{lines: []string{"--", "#"}, dashSpace: true, names: "`", texts: `'"`, escapes: `'"`, doubled: "'\"`", letters: true}
)

// How numbers are written: digits with a point and an exponent, and in some dialects
// hexadecimal digits or underscores. Letters that touch a number belong to its token, so
// that 1UNION is not a number and is refused wherever a server would split it.
var (
	decimals    = regexp.MustCompile(`^([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?$`)
	hexadecimal = regexp.MustCompile(decimals.String() + `|^0[xX][0-9a-fA-F]+$`)
	underscores = regexp.MustCompile(hexadecimal.String() + `|^[0-9]+(_[0-9]+)+$`) // of ClickHouse
)

// next returns the first token of s, which must not be empty. The token is never empty. A
// character that begins nothing else is a mark by itself.
func (l *lexicon) next(s string) token {
	if n := l.commentEnd(s); n > 0 {
		return token{kind: comment, raw: s[:n]}
	}
	if t := l.quote(s); t.kind != end {
		return t
	}
	if l.dollars && s[0] == '$' {
		if tag := dollarTag(s); tag == "$$" || tag != "" && l.tags {
			return dollarText(s, tag)
		}
	}
	r, n := utf8.DecodeRuneInString(s)
	switch {
	case strings.IndexByte(" \t\r\n", s[0]) >= 0:
		return token{kind: space, raw: s[:n]}
	case '0' <= r && r <= '9', r == '.' && len(s) > 1 && '0' <= s[1] && s[1] <= '9':
		return token{kind: number, raw: s[:numberEnd(s)]}
	case l.letter(r):
		n = strings.IndexFunc(s, func(r rune) bool { return !l.letter(r) && (r < '0' || r > '9') && r != '$' })
		if n < 0 {
			n = len(s)
		}
		return token{kind: word, raw: s[:n]}
	}
	for _, m := range l.marks {
		if strings.HasPrefix(s, m) {
			return token{kind: mark, raw: m}
		}
	}
	return token{kind: mark, raw: s[:n]}
}

// letter reports whether an unquoted name may begin with r.
func (l *lexicon) letter(r rune) bool {
	if r < utf8.RuneSelf {
		return r == '_' || 'a' <= r|0x20 && r|0x20 <= 'z'
	}
	return l.letters && plainLetter(r)
}

// plainLetter reports whether r is a letter beyond ASCII that every server accepts as one:
// visible, and not a compatibility form of another character. Letters beyond the Basic
// Multilingual Plane do not count, because MySQL refuses them in names.
func plainLetter(r rune) bool {
	switch {
	case !unicode.IsLetter(r):
		return false
	case r == 0x115f, r == 0x1160, r == 0x3164, r == 0xffa0: // Hangul fillers, which are blank
		return false
	case r >= 0xf900 && r <= 0xfaff, r >= 0xfb00 && r <= 0xfdff, r >= 0xfe70 && r <= 0xffef: // compatibility and full-width forms
		return false
	default:
		return r <= 0xffff
	}
}

// commentEnd returns where the comment that s begins with ends; 0 if s begins with none. A
// comment that is not closed ends with s.
func (l *lexicon) commentEnd(s string) int {
	for _, begin := range l.lines {
		if strings.HasPrefix(s, begin) && !(begin == "--" && l.dashSpace && len(s) > 2 && s[2] > ' ' && s[2] != '+') {
			if n := strings.IndexAny(s, "\r\n"); n >= 0 {
				return n + 1
			}
			return len(s)
		}
	}
	switch {
	case !strings.HasPrefix(s, "/*"):
		return 0
	case l.nested:
		return nestedEnd(s)
	}
	if n := strings.Index(s[2:], "*/"); n >= 0 {
		return n + 4
	}
	return len(s)
}

// nestedEnd returns where a nested comment ends. One that is not closed ends with s.
func nestedEnd(s string) int {
	depth := 0
	for i := 0; i+1 < len(s); i++ {
		switch s[i : i+2] {
		case "/*":
			depth++
			i++
		case "*/":
			depth--
			i++
			if depth == 0 {
				return i + 1
			}
		}
	}
	return len(s)
}

// quote returns the quoted name or literal that s begins with; its kind is end if there is none.
// One that is not closed is a stray token that reaches to the end of s.
func (l *lexicon) quote(s string) token {
	for _, p := range l.prefixes {
		if len(s) > len(p) && strings.EqualFold(s[:len(p)], p) && strings.IndexByte(l.texts, s[len(p)]) >= 0 {
			escapes := l.escapes
			if p == "e" {
				escapes = "'"
			}
			t := l.literal(s[len(p):], escapes)
			t.raw = s[:len(p)+len(t.raw)]
			return t
		}
	}
	switch {
	case strings.IndexByte(l.texts, s[0]) >= 0:
		return l.literal(s, l.escapes)
	case strings.IndexByte(l.names, s[0]) >= 0:
		return l.quotedName(s)
	}
	return token{}
}

// literal returns the literal that s begins with.
func (l *lexicon) literal(s, escapes string) token {
	closing, doubled := s[:1], strings.Contains(l.doubled, s[:1])
	if l.triple && strings.HasPrefix(s[1:], closing+closing) {
		closing, doubled = s[:3], false
	}
	n := quoteEnd(s, closing, doubled, strings.Contains(escapes, s[:1]))
	if n == 0 {
		return token{kind: stray, raw: s}
	}
	return token{kind: text, raw: s[:n]}
}

// quotedName returns the quoted name that s begins with.
func (l *lexicon) quotedName(s string) token {
	closing := s[:1]
	if closing == "[" {
		closing = "]"
	}
	n := quoteEnd(s, closing, strings.Contains(l.doubled, closing), strings.Contains(l.escapes, closing))
	if n == 0 {
		return token{kind: stray, raw: s}
	}
	name := s[1 : n-1]
	if strings.Contains(l.doubled, closing) {
		name = strings.ReplaceAll(name, closing+closing, closing)
	}
	return token{kind: quoted, raw: s[:n], name: name}
}

// quoteEnd returns where the quoted text that s begins with ends; 0 if it is not closed. doubled
// means that two closing quotes stand for one, and escaped that a backslash protects the
// character after it.
func quoteEnd(s, closing string, doubled, escaped bool) int {
	for i := len(closing); i < len(s); i++ {
		switch {
		case escaped && s[i] == '\\':
			i++
		case !strings.HasPrefix(s[i:], closing):
		case doubled && strings.HasPrefix(s[i+len(closing):], closing):
			i += 2*len(closing) - 1
		default:
			return i + len(closing)
		}
	}
	return 0
}

// numberEnd returns where a number ends, including letters and digits that touch it.
func numberEnd(s string) int {
	for i := range len(s) {
		c := s[i]
		sign := (c == '+' || c == '-') && i > 0 && (s[i-1] == 'e' || s[i-1] == 'E') && !strings.HasPrefix(s, "0x") && !strings.HasPrefix(s, "0X")
		if c != '.' && c != '_' && !sign && !('0' <= c && c <= '9') && !('a' <= c|0x20 && c|0x20 <= 'z') {
			return i
		}
	}
	return len(s)
}

// dollarTag returns the $tag$ that s begins with; empty if there is none. A tag is written like a
// name of PostgreSQL, and may be empty.
func dollarTag(s string) string {
	end := strings.IndexByte(s[1:], '$')
	if end < 0 {
		return ""
	}
	for i, r := range s[1 : 1+end] {
		if !(r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r >= utf8.RuneSelf || i > 0 && '0' <= r && r <= '9') {
			return ""
		}
	}
	return s[:end+2]
}

// dollarText returns the literal that s begins with, between two tags.
func dollarText(s, tag string) token {
	n := strings.Index(s[len(tag):], tag)
	if n < 0 {
		return token{kind: stray, raw: s}
	}
	return token{kind: text, raw: s[:2*len(tag)+n]}
}
