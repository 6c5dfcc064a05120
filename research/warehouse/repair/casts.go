package repair

import (
	"slices"
	"strings"

	"quaestor/research/warehouse/guard"
)

// rightCasts rewrites x::type as CAST(x AS type) for dialects without ::.
func rightCasts(p *failedStatement) string {
	if !mysql(p.dialect) && p.dialect != guard.SQLServer && p.dialect != guard.BigQuery {
		return p.sql
	}
	s := p.statement
	for range maxCalls {
		at := slices.IndexFunc(s.tokens, func(t token) bool { return t.sym("::") })
		if at < 1 {
			break
		}
		from, end := s.operandBefore(at), at+2
		if s.at(end).sym("(") {
			end = s.closing(end) + 1
		}
		by := "CAST(" + s.source(from, at) + " AS " + castType(p.dialect, s.source(at+1, min(end, len(s.tokens)))) + ")"
		s = lex(p.dialect, s.replaced(from, min(end, len(s.tokens)), by))
	}
	return s.String()
}

// operandBefore returns where the operand that ends before i begins. It is a name with its
// qualifiers, or parentheses with the name of the function before them.
func (s *statement) operandBefore(i int) int {
	i--
	if s.at(i).sym(")") {
		depth := 0
		for ; i > 0; i-- {
			if s.tokens[i].sym(")") {
				depth++
			}
			if s.tokens[i].sym("(") {
				if depth--; depth == 0 {
					break
				}
			}
		}
		if t := s.at(i - 1); t.kind == word && !keyword(t.text) {
			i--
		}
	}
	for i >= 2 && s.at(i-1).sym(".") {
		i -= 2
	}
	return max(i, 0)
}

// castType translates the name of a PostgreSQL type for CAST in the dialect. Unknown names are
// returned unchanged, in their own case. numeric gets a scale because DECIMAL without one drops
// all decimals in MySQL and SQL Server.
func castType(d guard.Dialect, name string) string {
	low := strings.ToLower(name)
	names := map[string]string{"text": "CHAR", "varchar": "CHAR", "int": "SIGNED", "integer": "SIGNED", "bigint": "SIGNED", "numeric": "DECIMAL(38, 10)", "decimal": "DECIMAL(38, 10)", "timestamp": "DATETIME", "float": "DOUBLE", "double": "DOUBLE"}
	switch d {
	case guard.SQLServer:
		names = map[string]string{"text": "nvarchar(max)", "numeric": "decimal(38, 10)", "timestamp": "datetime2", "boolean": "bit", "double": "float"}
	case guard.BigQuery:
		names = map[string]string{"text": "STRING", "varchar": "STRING", "int": "INT64", "integer": "INT64", "bigint": "INT64", "float": "FLOAT64", "double": "FLOAT64", "numeric": "NUMERIC"}
	}
	if own, ok := names[low]; ok {
		return own
	}
	return name
}

// filterAsCase rewrites an aggregate with FILTER as an aggregate of CASE for dialects without
// FILTER.
func filterAsCase(p *failedStatement) string {
	if p.dialect == guard.PostgreSQL || p.dialect == guard.DuckDB || p.dialect == guard.ClickHouse {
		return p.sql
	}
	s := p.statement
	for range maxCalls {
		next, ok := oneFilterAsCase(s)
		if !ok {
			break
		}
		s = lex(p.dialect, next)
	}
	return s.String()
}

// oneFilterAsCase rewrites the first aggregate with FILTER, and reports whether there was one.
// CASE without ELSE gives NULL, which aggregates skip as FILTER skips rows. count(*) becomes a
// count of ones.
func oneFilterAsCase(s *statement) (string, bool) {
	for i, t := range s.tokens {
		if t.kind != word || !s.at(i+1).sym("(") {
			continue
		}
		end := s.closing(i + 1)
		if !s.at(end+1).is("FILTER") || !s.at(end+2).sym("(") || !s.at(end+3).is("WHERE") {
			continue
		}
		last := s.closing(end + 2)
		condition, arg := s.source(end+4, last), s.source(i+2, end)
		value := arg
		distinct := ""
		if rest, ok := cutFold(arg, "DISTINCT "); ok {
			distinct, value = "DISTINCT ", rest
		}
		if value == "*" {
			value = "1"
		}
		return s.replaced(i, min(last+1, len(s.tokens)), t.text+"("+distinct+"CASE WHEN "+condition+" THEN "+value+" END)"), true
	}
	return "", false
}

// cutFold removes a prefix, in any case.
func cutFold(s, prefix string) (string, bool) {
	if len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix) {
		return s[len(prefix):], true
	}
	return s, false
}
