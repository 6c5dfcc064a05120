package guard

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxSQL is the most bytes a statement may have. Statements that analysts write have a few
// kilobytes.
const maxSQL = 64 << 10

// checkText refuses what no query needs, whatever it means: invalid UTF-8, characters outside
// quotes that servers may understand differently, and comments that some servers execute or take
// hints from. It returns nil for a text that may be parsed. It runs before any parser, so it also
// bounds what parsers have to read.
func checkText(sql string, l *lexicon) *Refusal {
	switch {
	case strings.TrimSpace(sql) == "":
		return &Refusal{RuleText, "the statement is empty", "write one SELECT"}
	case len(sql) > maxSQL:
		return &Refusal{RuleSize, "the statement is longer than 64 KiB", "write a shorter one"}
	case !utf8.ValidString(sql) || strings.IndexByte(sql, 0) >= 0:
		return &Refusal{RuleText, "the statement is not UTF-8, or holds a NUL", "write it without"}
	}
	for i := 0; i < len(sql); {
		t := l.next(sql[i:])
		if r := l.textFault(t, sql[:i]); r != nil {
			return r
		}
		i += len(t.raw)
	}
	return nil
}

// textFault returns what is wrong with token t, which follows the text before; nil if nothing is.
// What stands in quotes is data and may hold any character.
func (l *lexicon) textFault(t token, before string) *Refusal {
	switch t.kind {
	case comment:
		if bad := commentFault(t.raw); bad != "" {
			return &Refusal{RuleText, bad, "write it without"}
		}
	case word, mark, space, number:
		for i, r := range t.raw {
			if !l.plain(r) {
				return l.foreign(r, utf8.RuneCountInString(before)+utf8.RuneCountInString(t.raw[:i])+1)
			}
		}
	case stray:
		return &Refusal{RuleText, "a quote is not closed", "write it without"}
	case end, quoted, text:
	}
	return nil
}

// plain reports whether r may occur outside quotes and comments. Servers take other
// characters for a space, for part of a name, or for nothing at all, and do not agree.
func (l *lexicon) plain(r rune) bool {
	switch {
	case r < ' ':
		return r == '\t' || r == '\n' || r == '\r'
	case r < utf8.RuneSelf:
		return r != 0x7f
	default:
		return l.letters && plainLetter(r)
	}
}

// foreign refuses the character r at a place, counted from 1.
func (l *lexicon) foreign(r rune, place int) *Refusal {
	what := fmt.Sprintf("character %d, %U, is not possible outside of quotes", place, r)
	switch {
	case unicode.IsSpace(r) || unicode.Is(unicode.Z, r) || unicode.Is(unicode.C, r):
		return &Refusal{RuleText, what, "write an ordinary space, or nothing, in its place"}
	case unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r):
		return &Refusal{RuleText, what, "put the name that holds it in quotes"}
	default:
		return &Refusal{RuleText, what, "write it in ASCII, or put it in quotes"}
	}
}

// commentFault returns what is wrong with a comment: MySQL, MariaDB or TiDB would execute it,
// or it is a hint. Such a marker counts anywhere in a comment, because a server that ends
// comments elsewhere may see it.
func commentFault(s string) string {
	if strings.HasPrefix(s, "--+") || strings.Contains(s, "/*!") || strings.Contains(s, "/*+") || strings.Contains(s, "/*M!") || strings.Contains(s, "/*T!") || strings.Contains(s, "/*T[") {
		return "the statement holds a comment that is executed, or a hint"
	}
	return ""
}
