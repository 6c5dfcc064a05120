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
		if bad := textFault(t); bad != "" {
			return &Refusal{RuleText, bad, "write it without"}
		}
		i += len(t.raw)
	}
	return nil
}

// textFault says what is wrong with a token, whatever stands beside it.
func textFault(t token) string {
	switch t.kind {
	case comment:
		return commentFault(t.raw)
	case word, mark, space, number:
		if strings.ContainsFunc(t.raw, invisible) {
			return "the statement holds invisible characters"
		}
	case stray:
		return "a quote is not closed"
	case end, quoted, text:
	}
	return ""
}

// commentFault says what is wrong with a comment: that servers of MySQL, MariaDB
// or TiDB execute it, or that it is a hint. Wherever in it such a thing begins, a
// server that closes comments elsewhere may see it.
func commentFault(s string) string {
	if strings.HasPrefix(s, "--+") || strings.Contains(s, "/*!") || strings.Contains(s, "/*+") || strings.Contains(s, "/*M!") || strings.Contains(s, "/*T!") || strings.Contains(s, "/*T[") {
		return "the statement holds a comment that is executed, or a hint"
	}
	return ""
}

// invisible says whether r is seen by machines only.
func invisible(r rune) bool {
	return r == 0xad || r == 0x34f || r == 0x61c || r == 0x180e || r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2060 && r <= 0x206f ||
		r == 0xfeff || r >= 0xfe00 && r <= 0xfe0f || r >= 0xfff9 && r <= 0xfffb || r >= 0xe0000 && r <= 0xe01ef || r < ' ' && r != '\t' && r != '\n' && r != '\r' && r != '\f'
}
