package repair

import (
	"strings"
	"unicode"

	"quaestor/research/warehouse/catalog"
)

// span is a range of tokens, end excluded.
type span struct{ from, end int }

// has reports whether token i is in the span.
func (p span) has(i int) bool { return p.from <= i && i < p.end }

// block is one SELECT of a statement with its clauses. A missing clause has the zero span.
type block struct {
	at, end                                    int // index of SELECT, and of the token after the last
	list, from, where, group, having, ordering span
}

// blocks returns the SELECTs of a statement in order of appearance. SELECTs in parentheses and
// those of set operations are blocks of their own.
func (s *statement) blocks() []block {
	var out []block
	for i, t := range s.tokens {
		if t.is("SELECT") {
			out = append(out, s.block(i))
		}
	}
	return out
}

// block finds the clauses of the SELECT at i. Parentheses are skipped, so that the clauses of
// inner queries are not mistaken for its own.
func (s *statement) block(i int) block {
	b := block{at: i, end: len(s.tokens)}
	open := &b.list
	open.from = i + 1
	for j := i + 1; j < len(s.tokens); j++ {
		t := s.tokens[j]
		switch {
		case t.sym("("):
			j = s.closing(j)
			continue
		case t.sym(")"), t.sym(";"), t.isAny("UNION", "INTERSECT", "EXCEPT"):
			open.end, b.end = j, j
			return b
		}
		if next, skip := b.clause(t, s.at(j+1)); next != nil {
			open.end = j
			open = next
			j += skip
			open.from = j + 1
		}
	}
	open.end = min(b.end, len(s.tokens))
	return b
}

// clause returns the clause that begins with t, and how many more tokens its keyword has.
// Whatever follows ORDER BY counts as part of it.
func (b *block) clause(t, next token) (*span, int) {
	if b.ordering.from > 0 {
		return nil, 0
	}
	switch strings.ToUpper(t.text) {
	case "FROM":
		if b.from.from == 0 {
			return &b.from, 0
		}
	case "WHERE":
		return &b.where, 0
	case "HAVING":
		return &b.having, 0
	case "GROUP":
		if next.is("BY") {
			return &b.group, 1
		}
	case "ORDER":
		if next.is("BY") {
			return &b.ordering, 1
		}
	case "LIMIT", "OFFSET", "FETCH", "WINDOW", "QUALIFY":
		if t.kind == word && b.from.from > 0 {
			return &b.ordering, 0
		}
	}
	return nil, 0
}

// items splits a list at its commas. Commas in parentheses do not count. An empty list has no
// items.
func (s *statement) items(list span) []span {
	var out []span
	from := list.from
	for i := list.from; i < list.end; i++ {
		switch {
		case s.tokens[i].sym("("):
			i = s.closing(i)
		case s.tokens[i].sym(","):
			out = append(out, span{from, i})
			from = i + 1
		}
	}
	if from < list.end {
		out = append(out, span{from, list.end})
	}
	return out
}

// alias returns the alias of an item in a SELECT list, and the end of the expression it names;
// empty if there is none. Without AS, a name counts as an alias only behind something that ends
// an expression.
func (s *statement) alias(item span) (string, int) {
	last := item.end - 1
	if last <= item.from || s.tokens[last].name() == "" {
		return "", item.end
	}
	before := s.tokens[last-1]
	switch {
	case before.is("AS"):
		return s.tokens[last].name(), last - 1
	case before.sym(")") || before.kind == number || before.kind == text || before.is("END"):
		return s.tokens[last].name(), last
	case before.kind == word && !keyword(before.text) || before.kind == quoted:
		return s.tokens[last].name(), last
	}
	return "", item.end
}

// relation is a table that a statement reads, or a name that it gives to a query.
type relation struct {
	span         // the name, without the alias
	ref   string // the name as it is looked up in the catalog
	alias string // what qualifies its columns; the unqualified name if there is no alias
	given bool   // the alias is written out
	table *catalog.Table
	query bool // defined by WITH, not in the catalog
}

// relations returns the relations in the FROM clauses of a statement. x resolves the names; one
// that it does not know has a nil table. Subqueries and functions in FROM are not relations.
func (s *statement) relations(x *catalog.Index) []relation {
	named := s.withNames()
	var out []relation
	for _, b := range s.blocks() {
		for i := b.from.from; i > 0 && i < b.from.end; i++ {
			if s.tokens[i].sym("(") {
				i = s.closing(i)
				continue
			}
			begins := i == b.from.from || s.at(i-1).sym(",") || s.at(i-1).is("JOIN")
			if r, ok := s.relation(i, b.from.end); begins && ok {
				r.query = named[strings.ToLower(r.ref)]
				if at, found, _ := x.Find(r.ref); found && !r.query {
					r.table = x.Table(at)
				}
				out = append(out, r)
				i = r.end - 1
			}
		}
	}
	return out
}

// relation parses the name at i with its alias. A function call is not a relation. Its parts are
// joined with points and without quotes, as [catalog.Index.Find] takes them.
func (s *statement) relation(i, end int) (relation, bool) {
	r := relation{span: span{i, i}}
	var parts []string
	for i < end && s.tokens[i].name() != "" {
		parts = append(parts, s.tokens[i].name())
		i++
		if !s.at(i).sym(".") {
			break
		}
		i++
	}
	if len(parts) == 0 || s.at(i).sym("(") {
		return r, false
	}
	r.end, r.ref, r.alias = i, strings.Join(parts, "."), parts[len(parts)-1]
	if s.at(i).is("AS") {
		i++
	}
	if t := s.at(i); i < end && t.name() != "" && !(t.kind == word && keyword(t.text)) {
		r.alias, r.given = t.name(), true
	}
	return r, true
}

// withNames returns the names that WITH defines, folded.
func (s *statement) withNames() map[string]bool {
	out := map[string]bool{}
	for i, t := range s.tokens {
		if t.name() == "" || !(s.at(i-1).is("WITH") || s.at(i-1).is("RECURSIVE") || s.at(i-1).sym(",")) {
			continue
		}
		j := i + 1
		if s.at(j).sym("(") {
			j = s.closing(j) + 1
		}
		if s.at(j).is("AS") && (s.at(j+1).sym("(") || s.at(j+1).isAny("MATERIALIZED", "NOT")) {
			out[strings.ToLower(t.name())] = true
		}
	}
	return out
}

// outputs returns the names that the SELECTs of a statement give to their columns, folded.
func (s *statement) outputs() map[string]bool {
	out := map[string]bool{}
	for _, b := range s.blocks() {
		for _, item := range s.items(b.list) {
			if name, _ := s.alias(item); name != "" {
				out[strings.ToLower(name)] = true
			}
		}
	}
	return out
}

// aggregates reports whether name is an aggregate function. The list covers what analysts write
// in any of the dialects; an unknown aggregate is taken for an ordinary function.
func aggregates(name string) bool {
	switch strings.ToUpper(name) {
	case "COUNT", "SUM", "AVG", "MIN", "MAX", "STDDEV", "STDDEV_SAMP", "STDDEV_POP", "VARIANCE", "VAR_SAMP", "VAR_POP", "MEDIAN", "PERCENTILE_CONT", "PERCENTILE_DISC",
		"STRING_AGG", "GROUP_CONCAT", "ARRAY_AGG", "BOOL_OR", "BOOL_AND", "COUNT_IF", "COUNTIF", "QUANTILE_CONT", "QUANTILE", "ANY_VALUE", "MODE", "CORR", "APPROX_COUNT_DISTINCT", "LISTAGG", "JSON_AGG", "EVERY":
		return true
	}
	return false
}

// aggregated reports whether p contains an aggregate, and whether it contains a window function.
// An aggregate with OVER counts as a window function only, because it does not group rows.
func (s *statement) aggregated(p span) (aggregate, window bool) {
	for i := p.from; i < p.end; i++ {
		t := s.tokens[i]
		if t.is("OVER") {
			window = true
		}
		if t.kind == word && s.at(i+1).sym("(") && aggregates(t.text) {
			end := s.closing(i + 1)
			if !s.at(end + 1).is("OVER") {
				aggregate = true
			}
		}
	}
	return aggregate, window
}

// simple reports whether a name needs no quotes, apart from its case.
func simple(name string) bool {
	for i, r := range name {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) || r > unicode.MaxASCII {
			return false
		}
	}
	return name != ""
}
