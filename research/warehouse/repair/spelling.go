package repair

import (
	"html"
	"regexp"
	"slices"
	"strings"

	"quaestor/research/warehouse/guard"
)

// fenced is what stands between fences of markdown.
var fenced = regexp.MustCompile("(?s)```[a-zA-Z]*[ \t]*\r?\n?(.*?)(?:```|$)")

// stripFence leaves the statement of a reply that has it in a fence.
func stripFence(p *patient) string {
	if m := fenced.FindStringSubmatch(p.sql); m != nil && strings.TrimSpace(m[1]) != "" {
		return strings.TrimSpace(m[1])
	}
	return p.sql
}

// bent are characters that editors put in the place of plain ones.
var bent = strings.NewReplacer("\u2018", "'", "\u2019", "'", "\u201a", "'", "\u201c", `"`, "\u201d", `"`, "\u201e", `"`, "\u00a0", " ", "\u2013", "-", "\u2212", "-", "\u200b", "", "\ufeff", "", "\u2264", "<=", "\u2265", ">=", "\u2260", "<>")

// plainCharacters unbends quotes, spaces and signs outside of texts, and &lt; and
// its like.
func plainCharacters(p *patient) string {
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

// stripEnd leaves out what is behind the last token that belongs to a query, and a
// label before it.
func stripEnd(p *patient) string {
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

// dropCommas leaves out commas with nothing behind them.
func dropCommas(p *patient) string {
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

// rightQuotes puts names into the quotes of the dialect: `x` and [x] where they are
// others', and "x" where that is a text but the catalog has such a name.
func rightQuotes(p *patient) string {
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

// bracketed is a name in brackets where a name may stand.
var bracketed = regexp.MustCompile(`(^|[\s,(.=<>+*/-])\[([A-Za-z_][A-Za-z0-9_ ]*)\]`)

// bracketNames writes [x] as the dialect would, where brackets are no quotes.
func bracketNames(p *patient, sql string) string {
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

// knownNames are the names of the tables that a statement names and of their
// columns and schemas, as they are written, and folded.
func (p *patient) knownNames() map[string]bool {
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

// mentions reports whether a name stands in a statement, whatever its capitals.
func mentions(sql, name string) bool {
	return name != "" && strings.Contains(strings.ToLower(sql), strings.ToLower(name))
}

// rightOperators writes operators that the dialect does not know as those it does.
func rightOperators(p *patient) string {
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
			out[i].text = "LIKE" // of MySQL and T-SQL it ignores capitals by itself
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

func mysql(d guard.Dialect) bool { return d == guard.MySQL || d == guard.MariaDB }

func postgres(d guard.Dialect) bool { return d == guard.PostgreSQL || d == guard.Redshift }
