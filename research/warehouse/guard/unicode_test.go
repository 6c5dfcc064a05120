package guard

import (
	"errors"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// nine are all dialects.
var nine = []Dialect{PostgreSQL, Redshift, MySQL, MariaDB, DuckDB, BigQuery, Snowflake, SQLServer, ClickHouse}

// guardOf returns the guard of the corpora for a dialect.
func guardOf(t testing.TB, d Dialect) *Guard {
	t.Helper()
	p := policyOf(d)
	if d == DuckDB {
		p.Parser = treeParser{} // the text is checked before anything is parsed
	}
	return newGuard(t, p)
}

// strange returns characters that could stand between two tokens: all spaces,
// separators, controls and format characters, and of every other category of Unicode
// the ends of its ranges. ASCII is left out but for its controls.
func strange() []rune {
	var out []rune
	for name, table := range unicode.Categories {
		if len(name) != 2 || name == "Cs" { // surrogates are no UTF-8
			continue
		}
		all := name[0] == 'Z' || name == "Cc" || name == "Cf"
		out = append(out, ofTable(table, all)...)
	}
	return append(out, 0xff07, 0xff02, 0xff1b, 0xff0f, 0xff0a, 0x02bc, 0x2018, 0x2019, 0x201c, 0x3164, 0x115f, 0x1160, 0xffa0, 0x2800)
}

func ofTable(table *unicode.RangeTable, all bool) []rune {
	var out []rune
	add := func(lo, hi, stride rune) {
		for r := lo; r <= hi; r += stride {
			odd := r < ' ' && r != 0 && r != '\t' && r != '\n' && r != '\r' || r >= 0x7f
			if odd && (all || r == lo || r+stride > hi) {
				out = append(out, r)
			}
		}
	}
	for _, r := range table.R16 {
		add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	for i, r := range table.R32 {
		if all || i%7 == 0 {
			add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
	}
	return out
}

// split are statements by their tokens.
var split = [][]string{
	{"SELECT", "o.total", "FROM", "orders", "o", "WHERE", "o.id", "=", "1"},
	{"SELECT", "1", "UNION", "ALL", "SELECT", "pay", "FROM", "hidden.salaries"},
	{"SELECT", "1", "DROP", "TABLE", "orders"},
	{"SELECT", "1", "EXEC", "xp_cmdshell", "'dir'"},
}

// TestNoCharacterSeparatesTokens puts characters of all of Unicode's categories
// between the tokens of statements. In no dialect may one pass: but a letter that is
// a part of a name in the dialect, which is then read as every other such letter.
func TestNoCharacterSeparatesTokens(t *testing.T) {
	t.Parallel()

	chars := strange()
	if len(chars) < 1500 {
		t.Fatalf("only %d characters", len(chars))
	}
	for _, d := range nine {
		t.Run(string(d), func(t *testing.T) {
			t.Parallel()

			g := guardOf(t, d)
			for _, tokens := range split {
				for i := 1; i < len(tokens); i++ {
					before, after := strings.Join(tokens[:i], " "), strings.Join(tokens[i:], " ")
					asLetter, letterErr := g.Check(before + "é" + after)
					for _, r := range chars {
						checkStrange(t, g, before, after, r, asLetter, letterErr)
					}
				}
			}
		})
	}
}

func checkStrange(t *testing.T, g *Guard, before, after string, r rune, asLetter Statement, letterErr error) {
	t.Helper()
	sql := before + string(r) + after
	got, err := g.Check(sql)
	if g.lexicon.letters && plainLetter(r) {
		if (err == nil) != (letterErr == nil) || strings.ReplaceAll(strings.ToLower(got.SQL), string(unicode.ToLower(r)), "é") != strings.ToLower(asLetter.SQL) && !strings.ContainsRune(got.SQL, r) {
			t.Errorf("%s: %q with %U runs as %q (%v), and with another letter as %q (%v)", g.dialect, sql, r, got.SQL, err, asLetter.SQL, letterErr)
		}
		return
	}
	var refusal *Refusal
	if !errors.As(err, &refusal) || refusal.Rule != RuleText || !strings.Contains(refusal.What, "U+") || refusal.Remedy == "" {
		t.Errorf("%s: %q with %U: %q, %v; want a refusal that names it", g.dialect, sql, r, got.SQL, err)
	}
}

// TestLettersBeyondASCIIAreDecidedByTheServer: names without quotes hold them only
// where the server's own lexer takes them.
func TestLettersBeyondASCIIAreDecidedByTheServer(t *testing.T) {
	t.Parallel()

	for d, want := range map[Dialect]bool{PostgreSQL: true, Redshift: true, MySQL: true, MariaDB: true, SQLServer: true, BigQuery: false, Snowflake: false, ClickHouse: false} {
		g := newGuard(t, Policy{Dialect: d, Schemas: []string{"s"}, Relations: []Relation{{Schema: "s", Name: "größen", Columns: []string{"höhe", "id"}}}})
		if _, err := g.Check("SELECT höhe FROM größen"); (err == nil) != want {
			t.Errorf("%s without quotes: %v, want it to pass: %t", d, err, want)
		}
		quote := map[Dialect]string{MySQL: "`", MariaDB: "`", BigQuery: "`", ClickHouse: "`"}[d]
		if quote == "" {
			quote = `"`
		}
		if _, err := g.Check("SELECT " + quote + "höhe" + quote + " FROM " + quote + "größen" + quote); err != nil {
			t.Errorf("%s in quotes: %v", d, err)
		}
	}
}

// What stands in a literal is data, and may be any text.
func TestLiteralsHoldAnyText(t *testing.T) {
	t.Parallel()

	for _, d := range nine {
		if d == DuckDB { // its statements are parsed where it runs
			continue
		}
		g := guardOf(t, d)
		for _, value := range []string{"São Paulo", "10\u00a0000", "full\uff0cwidth", "Größe", "日本", "a\u200db", "\u2018x\u2019", "line\u2028end", "😀"} {
			got, err := g.Check("SELECT id FROM orders WHERE status = '" + value + "'")
			if err != nil || !strings.Contains(got.SQL, value) {
				t.Errorf("%s: %q: %q, %v", d, value, got.SQL, err)
			}
		}
	}
}

// FuzzLexicons holds that the tokens of a statement are the statement, byte for byte,
// and that what passes is ASCII or a letter wherever it is not in quotes.
func FuzzLexicons(f *testing.F) {
	for i, d := range []Dialect{BigQuery, Snowflake, SQLServer, ClickHouse} {
		seed(f, d, func(sql string) { f.Add(byte(i), sql) })
	}
	lexicons := []*lexicon{&tokenDialects[BigQuery].lexicon, &tokenDialects[Snowflake].lexicon, &tokenDialects[SQLServer].lexicon, &tokenDialects[ClickHouse].lexicon, &pgLexicon, &mysqlLexicon}
	f.Fuzz(func(t *testing.T, n byte, sql string) {
		l := lexicons[int(n)%len(lexicons)]
		passes := checkText(sql, l) == nil
		for i := 0; i < len(sql); {
			token := l.next(sql[i:])
			if token.raw == "" || !strings.HasPrefix(sql[i:], token.raw) {
				t.Fatalf("%q at %d gives the token %q", sql, i, token.raw)
			}
			i += len(token.raw)
			if !passes || token.kind == text || token.kind == quoted || token.kind == comment {
				continue
			}
			for _, r := range token.raw {
				if r >= utf8.RuneSelf && !unicode.IsLetter(r) || r < ' ' && !strings.ContainsRune("\t\r\n", r) {
					t.Fatalf("%q passes with %U", sql, r)
				}
			}
		}
	})
}
