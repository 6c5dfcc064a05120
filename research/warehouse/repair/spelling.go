package repair

import (
	"html"
	"regexp"
	"slices"
	"strings"

	"quaestor/research/warehouse/guard"
)

// fenced matches the content of a markdown code fence.
var fenced = regexp.MustCompile("(?s)```[a-zA-Z]*[ \t]*\r?\n?(.*?)(?:```|$)")

// stripFence extracts the statement from a code fence. The first fence counts here; of a model's
// reply to a repair, the last one does.
func stripFence(p *failedStatement) string {
	if m := fenced.FindStringSubmatch(p.sql); m != nil && strings.TrimSpace(m[1]) != "" {
		return strings.TrimSpace(m[1])
	}
	return p.sql
}

// bent replaces characters that editors substitute for plain ones.
var bent = strings.NewReplacer("\u2018", "'", "\u2019", "'", "\u201a", "'", "\u201c", `"`, "\u201d", `"`, "\u201e", `"`, "\u00a0", " ", "\u2013", "-", "\u2212", "-", "\u200b", "", "\ufeff", "", "\u2264", "<=", "\u2265", ">=", "\u2260", "<>")

// plainCharacters replaces typographic quotes, spaces and signs outside literals, and HTML
// entities such as &lt;. Literals are left as they are, since a typographic quote may be data.
func plainCharacters(p *failedStatement) string {
	var b strings.Builder
	for _, t := range p.tokens {
		b.WriteString(bent.Replace(t.pre))
		if t.kind == text || t.kind == quoted {
			b.WriteString(t.text)
			continue
		}
		b.WriteString(bent.Replace(t.text))
	}
	out := b.String() + bent.Replace(p.tail)
	for _, entity := range []string{"&lt;", "&gt;", "&amp;", "&quot;", "&#39;"} {
		out = strings.ReplaceAll(out, entity, html.UnescapeString(entity))
	}
	return out
}

// stripEnd removes semicolons at the end and a label such as "SQL:" at the beginning.
func stripEnd(p *failedStatement) string {
	end := len(p.tokens)
	for end > 0 && p.tokens[end-1].sym(";") {
		end--
	}
	begin := 0
	if p.at(0).isAny("SQL", "QUERY") && p.at(1).sym(":") {
		begin = 2
	}
	if end == len(p.tokens) && begin == 0 {
		return p.sql
	}
	return strings.TrimSpace(join(p.tokens[begin:end]))
}

// dropCommas removes commas that nothing follows.
func dropCommas(p *failedStatement) string {
	var out []token
	for i, t := range p.tokens {
		next := p.at(i + 1)
		if t.sym(",") && (next.sym(")") || next.sym(",") || next.isAny("FROM", "WHERE", "GROUP", "ORDER", "HAVING", "LIMIT", "SELECT", "UNION") || i+1 == len(p.tokens)) {
			continue
		}
		out = append(out, t)
	}
	return join(out) + p.tail
}

// rightQuotes changes the quotes of names to the dialect's: `x` and [x] where they are another
// dialect's, and "x" where that is a string although the catalog has such a name. ClickHouse
// accepts both kinds of quotes, and DuckDB accepts double quotes.
func rightQuotes(p *failedStatement) string {
	out := slices.Clone(p.tokens)
	known := p.knownNames()
	for i, t := range out {
		switch own := inQuotes(p.dialect, t.name()); {
		case t.kind == quoted && t.text[0] != own[0]:
			if p.dialect == guard.ClickHouse || p.dialect == guard.DuckDB && t.text[0] == '"' {
				continue
			}
			out[i].text = own
		case t.kind == text && t.text[0] == '"':
			if inner := strings.Trim(t.text, `"`); known[inner] {
				out[i].text = inQuotes(p.dialect, inner)
			}
		}
	}
	return bracketNames(p, join(out)+p.tail)
}

// bracketed matches a name in brackets where a name may occur.
var bracketed = regexp.MustCompile(`(^|[\s,(.=<>+*/-])\[([A-Za-z_][A-Za-z0-9_ ]*)\]`)

// bracketNames rewrites [x] in the dialect's quotes if brackets are not quotes in it. Only names
// of the catalog are rewritten, because brackets are arrays in other dialects.
func bracketNames(p *failedStatement, sql string) string {
	if p.dialect == guard.SQLServer || !strings.Contains(sql, "[") {
		return sql
	}
	known := p.knownNames()
	return bracketed.ReplaceAllStringFunc(sql, func(m string) string {
		at := strings.IndexByte(m, '[')
		if name := m[at+1 : len(m)-1]; known[name] || known[strings.ToLower(name)] {
			return m[:at] + inQuotes(p.dialect, name)
		}
		return m
	})
}

// knownNames returns the names of the tables that the statement mentions, and of their columns
// and schemas, both as they are spelt and folded. Tables that it does not mention are skipped, so
// that a column of an unrelated table does not count.
func (p *failedStatement) knownNames() map[string]bool {
	out := map[string]bool{}
	add := func(name string) { out[name], out[strings.ToLower(name)] = true, true }
	for i := range p.catalog.Len() {
		t := p.catalog.Table(i)
		if !mentions(p.sql, t.Name) {
			continue
		}
		add(t.Schema)
		add(t.Name)
		for _, c := range t.Columns {
			add(c.Name)
		}
	}
	return out
}

// mentions reports whether name occurs in sql, in any case.
func mentions(sql, name string) bool {
	return name != "" && strings.Contains(strings.ToLower(sql), strings.ToLower(name))
}

// rightOperators replaces operators that the dialect does not have.
func rightOperators(p *failedStatement) string {
	out := slices.Clone(p.tokens)
	for i, t := range out {
		switch {
		case t.sym("=="):
			out[i].text = "="
		case t.sym("&&") && p.dialect != guard.PostgreSQL:
			out[i].text = "AND"
		case t.sym("//") && p.dialect != guard.DuckDB, t.is("DIV") && !mysql(p.dialect) && p.at(i-1).kind != symbol && !p.at(i+1).sym("("):
			out[i].text = "/"
			if mysql(p.dialect) {
				out[i].text = "DIV"
			}
		case t.is("ILIKE") && (mysql(p.dialect) || p.dialect == guard.SQLServer || p.dialect == guard.BigQuery):
			out[i].text = "LIKE" // in MySQL and T-SQL it ignores case anyway
		case t.is("RLIKE") && (p.dialect == guard.PostgreSQL || p.dialect == guard.Redshift), t.is("REGEXP") && p.dialect == guard.PostgreSQL:
			out[i].text = "~*"
		case t.sym("~*") && mysql(p.dialect):
			out[i].text = "REGEXP"
		case t.is("MINUS") && p.at(i+1).is("SELECT"):
			out[i].text = "EXCEPT"
		case t.is("NULLS") && mysql(p.dialect) && p.at(i+1).isAny("FIRST", "LAST"):
			out[i], out[i+1] = token{kind: symbol}, token{kind: symbol}
		}
	}
	return join(out) + p.tail
}

// mysql reports whether a dialect is of the MySQL family.
func mysql(d guard.Dialect) bool { return d == guard.MySQL || d == guard.MariaDB }

// postgres reports whether a dialect is of the PostgreSQL family.
func postgres(d guard.Dialect) bool { return d == guard.PostgreSQL || d == guard.Redshift }
