package guard

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// lexicalRules are the rules of a dialect for what is code and what is not, as its manual states
// them. They are written a second time here, apart from the lexicons and read by other code, so
// that a mistake in either shows.
type lexicalRules struct {
	line     []string          // begin a comment up to the end of the line
	dash     bool              // -- needs white space, a control character or the end after it
	nested   bool              // /* */ comments nest
	quotes   map[string]string // by the opening quote: closing quote, then d for doubled, b for backslash, 3 for triple
	prefixed map[string]string // the same, by prefix and opening quote, in small letters
	dollar   string            // "" for none, "$$", or "tag" for any tag
}

// published are the rules with where they are published.
var published = map[Dialect]lexicalRules{
	// PostgreSQL 17, 4.1 Lexical Structure, with standard_conforming_strings, its default.
	PostgreSQL: {line: []string{"--"}, nested: true, quotes: map[string]string{"'": "'d", `"`: `"d`}, prefixed: map[string]string{"e'": "'db"}, dollar: "tag"},
	// MySQL 8.4, 11.1.1 String Literals, 11.2 Schema Object Names, 11.7 Comments, with ANSI_QUOTES off.
	MySQL: {line: []string{"#", "--"}, dash: true, quotes: map[string]string{"'": "'db", `"`: `"db`, "`": "`d"}},
	// GoogleSQL, Lexical structure and syntax: raw literals keep a backslash, and it still
	// protects the quote after it.
	BigQuery: {line: []string{"--", "#"}, quotes: map[string]string{"'": "'b3", `"`: `"b3`, "`": "`b"},
		prefixed: map[string]string{"r'": "'b3", `r"`: `"b3`, "b'": "'b3", `b"`: `"b3`, "rb'": "'b3", `rb"`: `"b3`, "br'": "'b3", `br"`: `"b3`}},
	// Snowflake, String & binary data types, Identifiers, and Comments.
	Snowflake: {line: []string{"--", "//"}, quotes: map[string]string{"'": "'db", `"`: `"d`}, dollar: "$$"},
	// Transact-SQL reference: Constants, Identifiers with QUOTED_IDENTIFIER on, Comment.
	SQLServer: {line: []string{"--"}, nested: true, quotes: map[string]string{"'": "'d", `"`: `"d`, "[": "]d"}, prefixed: map[string]string{"n'": "'d"}},
	// ClickHouse, Syntax: string literals, identifiers, comments.
	ClickHouse: {line: []string{"--", "#"}, quotes: map[string]string{"'": "'db", `"`: `"db`, "`": "`db"}},
}

// regions returns a letter for each byte of a text: c for code, q for what is in quotes, m for a
// comment, x from a quote on that is not closed.
func (r lexicalRules) regions(s string) string {
	var out strings.Builder
	put := func(kind string, n int) { out.WriteString(strings.Repeat(kind, n)) }
	for i := 0; i < len(s); {
		rest := s[i:]
		kind, n := "c", 1
		switch {
		case r.comment(rest) > 0:
			kind, n = "m", r.comment(rest)
		case r.quoted(rest) != 0:
			kind, n = "q", r.quoted(rest)
		case r.dollars(rest) != 0:
			kind, n = "q", r.dollars(rest)
		case letter(s[i]):
			for n < len(rest) && (letter(rest[n]) || rest[n] == '$') {
				n++
			}
		}
		if n < 0 {
			kind, n = "x", len(rest)
		}
		put(kind, n)
		i += n
	}
	return out.String()
}

func letter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }

// comment returns how long the comment is that s begins with; 0 for none.
func (r lexicalRules) comment(s string) int {
	for _, begin := range r.line {
		if !strings.HasPrefix(s, begin) || begin == "--" && r.dash && len(s) > 2 && s[2] > ' ' {
			continue
		}
		if n := strings.IndexAny(s, "\r\n"); n >= 0 {
			return n + 1
		}
		return len(s)
	}
	if !strings.HasPrefix(s, "/*") {
		return 0
	}
	for i, open := 2, 1; i < len(s); i++ {
		switch {
		case strings.HasPrefix(s[i:], "*/"):
			if open--; open == 0 {
				return i + 2
			}
			i++
		case r.nested && strings.HasPrefix(s[i:], "/*"):
			open++
			i++
		}
	}
	return len(s)
}

// quoted returns how long the quoted text is that s begins with, with its prefix; 0 for none, -1
// if it is not closed.
func (r lexicalRules) quoted(s string) int {
	for _, length := range []int{3, 2, 1} {
		if len(s) < length {
			continue
		}
		rule, ok := r.prefixed[strings.ToLower(s[:length])]
		if length == 1 {
			rule, ok = r.quotes[s[:1]]
		}
		if ok {
			return closed(s, length, rule[:1], rule[1:])
		}
	}
	return 0
}

// closed returns where a text is closed that begins after from bytes of s; -1 if it is not.
func closed(s string, from int, quote, how string) int {
	if strings.Contains(how, "3") && strings.HasPrefix(s[from:], quote+quote) {
		from, quote = from+2, quote+quote+quote
	}
	for i := from; i < len(s); {
		switch {
		case strings.Contains(how, "b") && s[i] == '\\':
			i += 2
		case strings.Contains(how, "d") && strings.HasPrefix(s[i:], quote+quote):
			i += 2 * len(quote)
		case strings.HasPrefix(s[i:], quote):
			return i + len(quote)
		default:
			i++
		}
	}
	return -1
}

// dollars returns how long the text between dollars is that s begins with; 0 for none, -1 if it is
// not closed.
func (r lexicalRules) dollars(s string) int {
	if r.dollar == "" || s[0] != '$' {
		return 0
	}
	end := strings.IndexByte(s[1:], '$')
	if end < 0 || r.dollar == "$$" && end > 0 || strings.ContainsFunc(s[1:1+end], func(c rune) bool { return c > 'z' || !letter(byte(c)) }) {
		return 0
	}
	tag := s[:end+2]
	if n := strings.Index(s[len(tag):], tag); n >= 0 {
		return n + 2*len(tag)
	}
	return -1
}

// regionsOf returns the same as a lexicon sees it.
func (l *lexicon) regionsOf(s string) string {
	var out strings.Builder
	for i := 0; i < len(s); {
		t := l.next(s[i:])
		kind := map[kind]string{text: "q", quoted: "q", comment: "m", stray: "x"}[t.kind]
		if kind == "" {
			kind = "c"
		}
		out.WriteString(strings.Repeat(kind, len(t.raw)))
		i += len(t.raw)
	}
	return out.String()
}

// pieces are what texts are put together of: everything that begins, ends or protects something.
var pieces = strings.Fields("' '' ''' \" \"\" \"\"\" ` `` [ ] ]] $ $$ $a$ $b$ \\ \\\\ \\' -- # // /* */ /**/ e E r R b rb n N a x ( ) ; , = * / -")

// A literal or comment that the guard saw end elsewhere than the server does could hide a
// statement. What both read apart is compared byte by byte.
func TestLexersFollowThePublishedRules(t *testing.T) {
	t.Parallel()

	all := append(slices.Clone(pieces), " ", "\n", "\r\n", "\t")
	for d, rules := range published {
		l := lexiconOf(d)
		random := rand.New(rand.NewPCG(7, 7))
		for range 60_000 {
			var b strings.Builder
			for range 1 + random.IntN(12) {
				b.WriteString(all[random.IntN(len(all))])
			}
			compareLexers(t, d, l, rules, b.String())
		}
	}
}

func FuzzLexers(f *testing.F) {
	list := []Dialect{PostgreSQL, MySQL, BigQuery, Snowflake, SQLServer, ClickHouse}
	for i := range list {
		f.Add(byte(i), "SELECT 'it''s' -- x\n/* a /* b */ */ FROM $a$ ' $a$ [x]]y]")
	}
	f.Fuzz(func(t *testing.T, n byte, s string) {
		if strings.ContainsFunc(s, func(r rune) bool {
			return r > '~' || '0' <= r && r <= '9' || r == '_' || r == '.' || r == '+' || r < ' ' && r != '\n' && r != '\t'
		}) {
			return // only what the rules above speak of is compared
		}
		d := list[int(n)%len(list)]
		compareLexers(t, d, lexiconOf(d), published[d], s)
	})
}

func compareLexers(t *testing.T, d Dialect, l *lexicon, rules lexicalRules, s string) {
	t.Helper()
	if strings.Contains(strings.ReplaceAll(s, "\r\n", "\n"), "\r") {
		return // some servers end a line there
	}
	if got, want := l.regionsOf(s), rules.regions(s); got != want {
		t.Fatalf("%s: %q\nguard %s\nrules %s", d, s, got, want)
	}
}
