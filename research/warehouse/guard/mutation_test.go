package guard

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// mutations is how often each hostile statement is changed.
const mutations = 20

// A hostile statement stays refused however its capitals, spaces, comments, letters
// and quotes are changed, and wherever it is put.
func TestMutationsStayRefused(t *testing.T) {
	t.Parallel()

	for _, d := range corpora {
		g := newGuard(t, policyOf(d))
		for i, sql := range corpus(t, string(d)+"_refused.sql") {
			random := rand.New(rand.NewPCG(uint64(i), 1))
			for range mutations {
				m := mutant{g.lexicon, d, random}.change(sql)
				if got, err := g.Check(m); err == nil {
					t.Errorf("%s: %q\nfrom %q\nmay run as %s", d, m, sql, got.SQL)
				}
			}
		}
	}
}

// mutant changes statements of a dialect.
type mutant struct {
	lexicon *lexicon
	dialect Dialect
	random  *rand.Rand
}

// change returns a statement changed in one to three ways.
func (m mutant) change(sql string) string {
	ways := []func(string) string{m.capitals, m.spaces, m.letters, m.quotes, m.nest}
	for range 1 + m.random.IntN(3) {
		sql = ways[m.random.IntN(len(ways))](sql)
	}
	return sql
}

// each returns sql with every token replaced by what f returns for it.
func (m mutant) each(sql string, f func(before, t token, after string) string) string {
	var out strings.Builder
	var before token
	for i := 0; i < len(sql); {
		t := m.lexicon.next(sql[i:])
		i += len(t.raw)
		out.WriteString(f(before, t, sql[i:]))
		if t.kind != space && t.kind != comment {
			before = t
		}
	}
	return out.String()
}

func (m mutant) capitals(sql string) string {
	return m.each(sql, func(_, t token, _ string) string {
		if t.kind != word {
			return t.raw
		}
		return strings.Map(func(r rune) rune {
			if m.random.IntN(2) == 0 {
				return []rune(strings.ToUpper(string(r)))[0]
			}
			return []rune(strings.ToLower(string(r)))[0]
		}, t.raw)
	})
}

// spaces puts other white space, and comments, where white space is.
func (m mutant) spaces(sql string) string {
	kinds := []string{"  ", "\n", "\t", " /* x */ ", "/**/ ", " -- x\n", "\r\n", " /* ' */ "}
	return m.each(sql, func(_, t token, _ string) string {
		if t.kind != space {
			return t.raw
		}
		return kinds[m.random.IntN(len(kinds))]
	})
}

var alike = strings.NewReplacer("a", "а", "e", "е", "o", "о", "c", "с", "p", "р", "x", "х", "s", "ѕ", "i", "і", "l", "ⅼ", "E", "Е", "A", "А", "O", "О", "S", "Ѕ")

// letters puts letters of other alphabets into the names of functions.
func (m mutant) letters(sql string) string {
	return m.each(sql, func(_, t token, after string) string {
		if t.kind != word || !strings.HasPrefix(strings.TrimSpace(after), "(") || m.random.IntN(2) == 0 {
			return t.raw
		}
		return alike.Replace(t.raw)
	})
}

// quotes puts the names of functions in quotes; those of types are left, for there
// they mean another type.
func (m mutant) quotes(sql string) string {
	return m.each(sql, func(before, t token, after string) string {
		if t.kind != word || !strings.HasPrefix(after, "(") || before.is(":") || before.is("::") || before.isWord("AS") {
			return t.raw
		}
		switch m.dialect {
		case PostgreSQL:
			return doubleQuotes(strings.ToLower(t.raw))
		case Snowflake:
			return doubleQuotes(strings.ToUpper(t.raw))
		case SQLServer:
			return brackets(t.raw)
		default:
			return "`" + t.raw + "`"
		}
	})
}

// nest puts a statement into another. A word alone is left: in another statement
// it is the name of a column.
func (m mutant) nest(sql string) string {
	if !strings.ContainsAny(strings.TrimSpace(sql), " (") {
		return sql
	}
	return fmt.Sprintf([]string{
		"SELECT * FROM (%s\n) q", "WITH q AS (%s\n) SELECT * FROM q", "SELECT 1 FROM orders WHERE EXISTS (%s\n)", "SELECT (%s\n) AS q", "SELECT 1 UNION ALL (%s\n)",
		"SELECT * FROM orders WHERE id IN (%s\n)", "SELECT 1 UNION ALL %s", "(%s\n)", "%s;", "SELECT CASE WHEN 1 = 1 THEN (%s\n) END FROM orders",
	}[m.random.IntN(10)], sql)
}
