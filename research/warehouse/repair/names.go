package repair

import (
	"slices"
	"strings"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
)

// quoteReserved quotes names of columns, tables and aliases that are reserved words. Only names
// after AS, names that the statement defines and names of the catalog are quoted; everything else
// is taken for the keyword it looks like.
func quoteReserved(p *failedStatement) string {
	known, own := p.knownNames(), p.outputs()
	out := slices.Clone(p.tokens)
	for i, t := range out {
		if t.kind != word || !reserved(t.text) || !p.namePlace(i) {
			continue
		}
		low := strings.ToLower(t.text)
		switch {
		case p.at(i - 1).is("AS"), own[low]:
			out[i].text = inQuotes(p.dialect, t.text)
		case known[t.text]:
			out[i].text = inQuotes(p.dialect, t.text)
		case known[low]:
			out[i].text = inQuotes(p.dialect, low)
		}
	}
	return join(out) + p.tail
}

// namePlace reports whether a name can occur at i, judging by the tokens around it. It may err
// towards false: a reserved word that is left unquoted fails again, while a quoted keyword would
// change the statement.
func (s *statement) namePlace(i int) bool {
	before, next := s.at(i-1), s.at(i+1)
	if before.sym(".") {
		return true
	}
	if next.sym("(") || next.is("BY") || next.kind == text || next.kind == number {
		return false
	}
	opens := before.isAny("SELECT", "DISTINCT", "BY", "FROM", "JOIN", "WHERE", "AND", "OR", "ON", "AS", "NOT", "HAVING", "THEN", "ELSE", "WHEN", "BETWEEN", "CASE") ||
		before.kind == symbol && before.text != ")"
	closes := i+1 >= len(s.tokens) || next.kind == symbol && !next.sym("(") ||
		next.isAny("FROM", "AS", "WHERE", "GROUP", "ORDER", "ASC", "DESC", "AND", "OR", "THEN", "END", "IS", "IN", "BETWEEN", "LIKE", "ILIKE", "NOT", "JOIN", "LEFT", "INNER", "ON", "LIMIT", "HAVING", "WHEN", "ELSE", "UNION", "NULLS") ||
		before.isAny("FROM", "JOIN") && next.name() != ""
	return opens && closes
}

// rightTables replaces names of tables by those in the catalog. A name that the statement uses to
// qualify columns stays valid, as an alias. Names that WITH defines are left alone.
func rightTables(p *failedStatement) string {
	relations := p.relations(p.catalog)
	for i := len(relations) - 1; i >= 0; i-- { // from the end, so that earlier indexes stay valid
		r := relations[i]
		if r.query {
			continue
		}
		t := r.table
		if t == nil {
			t = p.nearestTable(r.ref)
		}
		if t == nil {
			continue
		}
		want := writtenTable(p.dialect, t)
		bare := r.ref[strings.LastIndexByte(r.ref, '.')+1:]
		if !r.given && !strings.EqualFold(bare, t.Name) && p.qualifies(bare) {
			want += " AS " + written(p.dialect, bare)
		}
		if got := p.source(r.from, r.end); got == want {
			continue
		}
		p.statement = lex(p.dialect, p.replaced(r.from, r.end, want))
	}
	return p.String()
}

// qualifies reports whether name qualifies columns in the statement.
func (s *statement) qualifies(name string) bool {
	for i, t := range s.tokens {
		if strings.EqualFold(t.name(), name) && s.at(i+1).sym(".") && !s.at(i-1).isAny("FROM", "JOIN") {
			return true
		}
	}
	return false
}

// nearestTable returns the table that a name most likely means: one with the same name in another
// schema, else the nearest in its schema, else the nearest of all; nil if there is none. ref may
// be qualified with a schema. Ties count as no match.
func (p *failedStatement) nearestTable(ref string) *catalog.Table {
	schema, bare := "", ref
	if at := strings.LastIndexByte(ref, '.'); at >= 0 {
		schema, bare = ref[:at], ref[at+1:]
	}
	if i, ok, _ := p.catalog.Find(bare); ok {
		return p.catalog.Table(i)
	}
	var refs, all []string
	for i := range p.catalog.Len() {
		t := p.catalog.Table(i)
		all = append(all, t.Name)
		if strings.EqualFold(t.Schema, schema) {
			refs = append(refs, t.Name)
		}
	}
	for _, names := range [][]string{refs, all} {
		best, ok := nearest(bare, names)
		if !ok {
			continue
		}
		if schema != "" {
			if i, ok, _ := p.catalog.Find(schema + "." + best); ok {
				return p.catalog.Table(i)
			}
		}
		if i, ok, _ := p.catalog.Find(best); ok {
			return p.catalog.Table(i)
		}
	}
	return nil
}

// rightColumns replaces names of columns by those of the statement's tables, where exactly one is
// nearest. Names of the output columns are left alone, because ORDER BY and some dialects' GROUP
// BY may refer to them.
func rightColumns(p *failedStatement) string {
	relations := p.relations(p.catalog)
	own := p.outputs()
	out := slices.Clone(p.tokens)
	for i := range out {
		if !p.columnPlace(i, relations) {
			continue
		}
		name := out[i].name()
		if own[strings.ToLower(name)] && !p.at(i-1).sym(".") {
			continue
		}
		if better, ok := p.betterColumn(i, relations); ok {
			out[i].text = better
		}
	}
	return join(out) + p.tail
}

// columnPlace reports whether token i is a column, and not a function, keyword, table, type or
// alias. It decides by the neighbouring tokens alone, since there is no grammar here.
func (p *failedStatement) columnPlace(i int, relations []relation) bool {
	t, before, next := p.tokens[i], p.at(i-1), p.at(i+1)
	if t.name() == "" || t.kind == word && keyword(t.text) && !before.sym(".") {
		return false
	}
	if next.sym("(") || next.sym(".") || before.is("AS") || before.sym("::") || before.is("INTERVAL") {
		return false
	}
	if !before.sym(".") && (before.sym(")") || before.kind == number || before.kind == text || before.kind == quoted || before.is("END") || before.kind == word && !keyword(before.text)) {
		return false // an alias without AS
	}
	for _, r := range relations {
		if r.has(i) || !before.sym(".") && strings.EqualFold(t.name(), r.alias) {
			return false
		}
	}
	return true
}

// betterColumn returns the correct name of the column at i, and whether it differs. The result is
// written as the dialect needs it, quoted if necessary.
func (p *failedStatement) betterColumn(i int, relations []relation) (string, bool) {
	t := p.tokens[i]
	columns, certain := p.columnsAt(i, relations)
	if !certain && !strings.EqualFold(t.name(), lastPart(p.fault.Name)) {
		return "", false // it may belong to a subquery, unless the warehouse has named it as the fault
	}
	best, ok := nearest(t.name(), columns)
	if !ok {
		return "", false
	}
	want := written(p.dialect, best)
	if best == t.name() && (t.kind == quoted || want == t.text) {
		return "", false
	}
	if strings.EqualFold(best, t.name()) && t.kind == word && want == best {
		return "", false // differs only in case, which does not matter here
	}
	return want, true
}

// columnsAt returns the columns that the name at i may refer to, and whether that is all of them.
// A qualifier that stands for a subquery yields nil and false: its columns are not in the
// catalog.
func (p *failedStatement) columnsAt(i int, relations []relation) (columns []string, certain bool) {
	qualifier := ""
	if p.at(i - 1).sym(".") {
		qualifier = p.at(i - 2).name()
	}
	certain = !p.queriesInside(relations)
	for _, r := range relations {
		if qualifier != "" && !strings.EqualFold(r.alias, qualifier) {
			continue
		}
		if r.table == nil {
			return nil, false
		}
		for _, c := range r.table.Columns {
			columns = append(columns, c.Name)
		}
		if qualifier != "" {
			return columns, true
		}
	}
	return columns, certain
}

// queriesInside reports whether the statement reads from subqueries, whose columns are not in the
// catalog.
func (p *failedStatement) queriesInside(relations []relation) bool {
	for i, t := range p.tokens {
		if t.isAny("FROM", "JOIN") && p.at(i+1).sym("(") {
			return true
		}
	}
	return slices.ContainsFunc(relations, func(r relation) bool { return r.query })
}

// lastPart returns the last part of a dotted name, without quotes.
func lastPart(name string) string {
	name = name[strings.LastIndexByte(name, '.')+1:]
	return strings.Trim(name, "\"`[]' ")
}

// rightQualifiers replaces a table's name by its alias, and a table that does not have the column
// by the one that does.
func rightQualifiers(p *failedStatement) string {
	relations := p.relations(p.catalog)
	out := slices.Clone(p.tokens)
	for i, t := range out {
		if t.name() == "" || !p.at(i+1).sym(".") || slices.ContainsFunc(relations, func(r relation) bool { return r.has(i) }) {
			continue
		}
		if alias, ok := p.betterQualifier(t.name(), p.at(i+2).name(), relations); ok {
			out[i].text = written(p.dialect, alias)
		}
	}
	return join(out) + p.tail
}

// betterQualifier returns the alias that should qualify column, and whether it is unambiguous. A
// qualifier that is right already, or may be, returns false. A table's own name in the place of
// its alias wins over the only table that has the column.
func (p *failedStatement) betterQualifier(qualifier, column string, relations []relation) (string, bool) {
	var byTable, byColumn []string
	for _, r := range relations {
		if strings.EqualFold(r.alias, qualifier) && (r.table == nil || hasColumn(r.table, column)) {
			return "", false
		}
		if r.table == nil {
			continue
		}
		if strings.EqualFold(r.table.Name, qualifier) {
			byTable = append(byTable, r.alias)
		}
		if hasColumn(r.table, column) {
			byColumn = append(byColumn, r.alias)
		}
	}
	if len(byTable) == 1 && !strings.EqualFold(byTable[0], qualifier) {
		return byTable[0], true
	}
	if len(byColumn) == 1 {
		return byColumn[0], true
	}
	return "", false
}

// hasColumn reports whether a table has a column of that name, in any case.
func hasColumn(t *catalog.Table, name string) bool {
	return slices.ContainsFunc(t.Columns, func(c catalog.Column) bool { return strings.EqualFold(c.Name, name) })
}

// rightTexts changes double quotes to single quotes around a compared text, unless a column has
// that name. MySQL and BigQuery read double quotes as those of a text, most other dialects as
// those of a name.
func rightTexts(p *failedStatement) string {
	relations := p.relations(p.catalog)
	out := slices.Clone(p.tokens)
	for i, t := range out {
		if t.kind != quoted || t.text[0] != '"' || p.at(i-1).sym(".") || p.at(i+1).sym(".") {
			continue
		}
		before := p.at(i - 1)
		compared := before.sym("=") || before.sym("<>") || before.sym("!=") || before.sym(">") || before.sym("<") || before.isAny("LIKE", "ILIKE", "THEN", "ELSE") ||
			before.sym("(") && p.at(i-2).is("IN") || before.sym(",") && p.insideIn(i)
		if columns, _ := p.columnsAt(i, relations); compared && !slices.ContainsFunc(columns, func(c string) bool { return strings.EqualFold(c, t.name()) }) {
			out[i] = token{text, t.pre, "'" + strings.ReplaceAll(t.name(), "'", "''") + "'"}
		}
	}
	return join(out) + p.tail
}

// insideIn reports whether token i is in the list of an IN.
func (s *statement) insideIn(i int) bool {
	for ; i >= 0; i-- {
		if s.tokens[i].sym(")") {
			return false
		}
		if s.tokens[i].sym("(") {
			return s.at(i - 1).is("IN")
		}
	}
	return false
}

// qualifyJoined qualifies a column that two joined tables have, if the join equates the two. The
// two are equal wherever the join matches; the table that comes first in FROM is taken.
func qualifyJoined(p *failedStatement) string {
	name := lastPart(p.fault.Name)
	alias := ""
	for i := range p.tokens {
		if p.at(i).sym("=") && p.at(i-2).sym(".") && p.at(i+2).sym(".") && strings.EqualFold(p.at(i-1).name(), name) && strings.EqualFold(p.at(i+3).name(), name) {
			alias = p.firstOf(p.at(i-3).text, p.at(i+1).text)
		}
	}
	if alias == "" || name == "" || p.fault.Class != warehouse.AmbiguousColumn {
		return p.sql
	}
	relations := p.relations(p.catalog)
	out := slices.Clone(p.tokens)
	for i, t := range out {
		if strings.EqualFold(t.name(), name) && !p.at(i-1).sym(".") && p.columnPlace(i, relations) {
			out[i].text = alias + "." + t.text
		}
	}
	return join(out) + p.tail
}

// firstOf returns which of two aliases comes first in the statement. It returns an empty string
// if neither is in FROM.
func (s *statement) firstOf(a, b string) string {
	for _, r := range s.relations(catalog.NewIndex(nil)) {
		if strings.EqualFold(r.alias, strings.Trim(a, "\"`")) {
			return a
		}
		if strings.EqualFold(r.alias, strings.Trim(b, "\"`")) {
			return b
		}
	}
	return ""
}
