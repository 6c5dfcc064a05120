package guard

import "strings"

// CheckFragment refuses a text that is no part of a statement by itself: one that closes a
// bracket it did not open, leaves one open, or has a comment or a semicolon. Such a text could
// end what it is put into. What else stands in it is checked with the whole statement.
func CheckFragment(d Dialect, sql string) error {
	l := lexiconOf(d)
	if r := checkText(sql, l); r != nil {
		return r
	}
	var open []byte
	for i := 0; i < len(sql); {
		t := l.next(sql[i:])
		i += len(t.raw)
		switch {
		case t.kind == comment:
			return &Refusal{RuleText, "there is a comment in it", "write it without"}
		case t.kind != mark:
		case t.raw == ";":
			return &Refusal{RuleSyntax, "there is a semicolon in it", "write one expression"}
		case t.raw == "(" || t.raw == "[" || t.raw == "{":
			open = append(open, closingOf[t.raw[0]])
		case t.raw == ")" || t.raw == "]" || t.raw == "}":
			if len(open) == 0 || open[len(open)-1] != t.raw[0] {
				return &Refusal{RuleSyntax, "it closes a bracket that it does not open", "write one expression"}
			}
			open = open[:len(open)-1]
		case t.raw == "," && len(open) == 0:
			return &Refusal{RuleSyntax, "there are several expressions in it", "write one expression"}
		}
	}
	if len(open) > 0 {
		return &Refusal{RuleSyntax, "a bracket in it is not closed", "write one expression"}
	}
	return nil
}

var closingOf = map[byte]byte{'(': ')', '[': ']', '{': '}'}

// lexiconOf returns how a dialect writes its tokens: as [New] has it.
func lexiconOf(d Dialect) *lexicon {
	switch d {
	case MySQL, MariaDB:
		return &mysqlLexicon
	case BigQuery, Snowflake, SQLServer, ClickHouse:
		return &tokenDialects[d].lexicon
	case PostgreSQL, Redshift, DuckDB:
	}
	return &pgLexicon
}

// QuoteTable returns the qualified name of a table as a statement has it.
func QuoteTable(d Dialect, schema, name string) string {
	r := &relation{Relation: Relation{Schema: schema, Name: name}}
	switch d {
	case MySQL, MariaDB:
		return quotedParts(r, QuoterOf(d))
	case BigQuery, Snowflake, SQLServer, ClickHouse:
		if schema == "" {
			return QuoterOf(d)(name)
		}
		return tokenDialects[d].relation(r)
	case PostgreSQL, Redshift, DuckDB:
	}
	return quotedParts(r, doubleQuotes)
}

// QuoterOf returns what quotes a name of a dialect, such as that of a column.
func QuoterOf(d Dialect) func(name string) string {
	switch d {
	case MySQL, MariaDB:
		return func(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }
	case BigQuery, Snowflake, SQLServer, ClickHouse:
		return tokenDialects[d].quote
	case PostgreSQL, Redshift, DuckDB:
	}
	return doubleQuotes
}
