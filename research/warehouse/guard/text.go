package guard

import (
	"strings"
	"unicode/utf8"
)

// maxSQL is how long a statement may be, in bytes.
const maxSQL = 64 << 10

// checkText refuses what has no place in a query whatever it means: what is not
// UTF-8, invisible characters outside of literals, comments that some servers
// execute or take hints from. It returns nil for what may be parsed.
func checkText(sql string) *Refusal {
	switch {
	case strings.TrimSpace(sql) == "":
		return &Refusal{RuleText, "the statement is empty", "write one SELECT"}
	case len(sql) > maxSQL:
		return &Refusal{RuleSize, "the statement is longer than 64 KiB", "write a shorter one"}
	case !utf8.ValidString(sql) || strings.IndexByte(sql, 0) >= 0:
		return &Refusal{RuleText, "the statement is not UTF-8, or holds a NUL", "write it without"}
	}
	for i := 0; i < len(sql); {
		n, bad := next(sql[i:])
		if bad != "" {
			return &Refusal{RuleText, bad, "write it without"}
		}
		i += n
	}
	return nil
}

// next returns how long what s begins with is: a literal, a comment, or one
// character; and what is wrong with it.
func next(s string) (n int, bad string) {
	switch s[0] {
	case '\'', '"', '`':
		return quotedEnd(s), ""
	case '-':
		if strings.HasPrefix(s, "--") {
			return lineEnd(s), commentFault(s[2:])
		}
	case '/':
		if strings.HasPrefix(s, "/*") {
			return commentEnd(s), commentFault(s[2:])
		}
	case '$':
		if tag := dollarTag(s); tag != "" {
			return dollarEnd(s, tag), ""
		}
	}
	r, n := utf8.DecodeRuneInString(s)
	if invisible(r) {
		return n, "the statement holds invisible characters"
	}
	return n, ""
}

// commentFault says what is wrong with a comment: that servers of MySQL, MariaDB
// or TiDB execute it, or that it is a hint.
func commentFault(s string) string {
	if s != "" && (s[0] == '!' || s[0] == '+' || strings.HasPrefix(s, "M!") || strings.HasPrefix(s, "T!") || strings.HasPrefix(s, "T[")) {
		return "the statement holds a comment that is executed, or a hint"
	}
	return ""
}

// invisible says whether r is seen by machines only.
func invisible(r rune) bool {
	return r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2060 && r <= 0x2069 || r == 0xfeff || r >= 0xfe00 && r <= 0xfe0f || r >= 0xe0000 && r <= 0xe01ef
}

// quotedEnd returns where a literal ends, its quote doubled standing for itself.
// A backslash that hides a quote ends it early, which only shows more to the checks.
func quotedEnd(s string) int {
	for i := 1; i < len(s); i++ {
		if s[i] != s[0] {
			continue
		}
		if i+1 < len(s) && s[i+1] == s[0] {
			i++
			continue
		}
		return i + 1
	}
	return len(s)
}

func lineEnd(s string) int {
	if n := strings.IndexByte(s, '\n'); n >= 0 {
		return n + 1
	}
	return len(s)
}

// commentEnd returns where a comment ends, in which others may lie.
func commentEnd(s string) int {
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

// dollarTag returns $tag$ if s begins so.
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

func dollarEnd(s, tag string) int {
	if n := strings.Index(s[len(tag):], tag); n >= 0 {
		return 2*len(tag) + n
	}
	return len(s)
}
