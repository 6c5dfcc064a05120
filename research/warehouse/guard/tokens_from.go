package guard

import (
	"cmp"
	"strings"
)

// joinWords may precede JOIN.
var joinWords = upper("natural inner left right full outer cross global any all asof semi anti array paste")

// from parses the items of FROM. A comma, APPLY, PIVOT or JOIN may follow any item.
func (c *tokenCheck) from(names *scope) {
	c.source(names)
	for c.fault == nil {
		switch {
		case c.accept(","):
			c.source(names)
		case c.dialect.apply && (c.accept("CROSS", "APPLY") || c.accept("OUTER", "APPLY")):
			c.source(names)
		case c.at("PIVOT", "("), c.at("UNPIVOT"):
			c.pivot(names)
		case !c.join(names):
			return
		}
	}
}

// join parses JOIN and what is joined if they come next. It reports whether there was one.
// ClickHouse's ARRAY JOIN takes values instead of a table.
func (c *tokenCheck) join(names *scope) bool {
	n := 0
	for t := c.peek(n); t.kind == word && joinWords[strings.ToUpper(t.raw)]; t = c.peek(n) {
		n++
	}
	if !c.peek(n).isWord("JOIN") {
		return false
	}
	arrays := n > 0 && c.peek(n-1).isWord("ARRAY")
	for ; n >= 0; n-- {
		c.emit()
	}
	if arrays && c.dialect.values {
		c.commaSeparated(func() { c.expr(names); c.alias() })
		return true
	}
	c.source(names)
	if c.accept("MATCH_CONDITION") {
		c.inParens(func() { c.expr(names) })
	}
	switch {
	case c.accept("ON"):
		c.expr(names)
	case c.accept("USING"):
		if c.dialect.values && !c.at("(") {
			c.commaSeparated(c.quotedLabel)
		} else {
			c.columnList()
		}
	}
	return true
}

// source parses a table, a query, or a function in FROM. What is no query, function or list of
// rows must be a table that is known.
func (c *tokenCheck) source(names *scope) {
	if !c.enter() {
		return
	}
	defer c.leave()
	c.accept("LATERAL")
	switch t := c.peek(0); {
	case t.is("("):
		c.inParens(func() { c.derived(names) })
	case c.at("VALUES", "(") && !c.dialect.values:
		c.rows(names)
	case c.dialect.tableCalls && c.at("TABLE", "("):
		c.emit()
		c.inParens(func() { c.tableCall(names) })
	case t.kind == word && c.peek(1).is("(") && !(c.dialect.apply && c.peek(2).isWord("NOLOCK")):
		c.tableCall(names)
	default:
		c.relation(names)
		return
	}
	if c.alias() != "" {
		c.columnList()
	}
	if c.dialect.structs && c.accept("WITH", "OFFSET") {
		c.alias()
	}
}

// derived parses a query, VALUES, or joined tables in parentheses.
func (c *tokenCheck) derived(names *scope) {
	switch {
	case c.beginsQuery(0):
		c.query(names)
	case c.at("VALUES", "("):
		c.rows(names)
	default:
		c.from(names)
	}
}

// rows parses VALUES.
func (c *tokenCheck) rows(names *scope) {
	c.expect("VALUES")
	c.commaSeparated(func() { c.inParens(func() { c.exprs(names) }) })
}

// tableCall parses a function in FROM. Their names are those of the dialect's list; the rows they
// make are bounded where they are written as a number.
func (c *tokenCheck) tableCall(names *scope) {
	name := strings.ToLower(c.peek(0).raw)
	if c.peek(0).kind != word || !c.peek(1).is("(") || !c.dialect.tables[name] {
		c.refuse(RuleFunction, "FROM holds "+firstLine(name)+", which is not possible here", cmp.Or(remedies[name], "name tables, or queries in parentheses"))
		return
	}
	if rowFunctions[name] && !c.smallNumbers() {
		c.refuse(RuleFunction, name+" is possible up to a million rows, written as a number", "write the number")
	}
	c.emit()
	c.arguments(name, names)
	if name == "openjson" && c.accept("WITH") {
		c.inParens(func() { c.commaSeparated(c.jsonColumn) })
	}
}

// rowFunctions are table functions that make as many rows as they are told.
var rowFunctions = words("numbers generator zeros generate_series")

// smallNumbers reports whether the arguments that come next are only numbers of at most a
// million, with or without names.
func (c *tokenCheck) smallNumbers() bool {
	for i, to := 2, c.closing(1); i < to; i++ {
		switch t := c.peek(i); {
		case t.atMost(1_000_000):
		case t.is(","), t.is("=>"), t.isWord("rowcount"):
		default:
			return false
		}
	}
	return true
}

// jsonColumn parses a column definition of OPENJSON.
func (c *tokenCheck) jsonColumn() {
	c.quotedLabel()
	c.typeName()
	if c.peek(0).kind == text {
		c.emit()
	}
	c.accept("AS", "JSON")
}

// relation parses a table in FROM, prints its qualified name, and puts the filter around it
// if it has the filter's column.
func (c *tokenCheck) relation(names *scope) {
	parts := c.path()
	if c.fault != nil {
		return
	}
	last := parts[len(parts)-1]
	if name, ok := names.find(last); ok && len(parts) == 1 {
		c.put(c.dialect.quote(name))
		c.withAlias(last, name)
		return
	}
	r := c.guard.find(strings.Join(parts[:len(parts)-1], "."), last)
	if r == nil {
		c.refuseUnknown(c.guard, strings.Join(parts[:len(parts)-1], "."), last)
		return
	}
	c.read(r)
	c.table(r, last, names)
}

// withAlias parses the alias of a query of WITH. Without one, the alias is the name as it was
// written.
func (c *tokenCheck) withAlias(written, name string) {
	if alias := c.alias(); alias == "" && written != name {
		c.put("AS")
		c.put(c.dialect.quote(written))
	}
}

// table prints a relation with its alias, inside the filter if it has one. The sample and FINAL
// belong to the table itself and stay inside the filter. Without an alias of its own it gets its
// name as written, so that qualified columns stay valid.
func (c *tokenCheck) table(r *relation, written string, names *scope) {
	alias, final := c.tableAlias(written)
	sample := c.sampleClause()
	filtered := r.filtered && c.guard.filter.Column != ""
	inner := alias
	if filtered {
		inner = r.Name
		for _, s := range []string{"(", "SELECT", "*", "FROM"} {
			c.put(s)
		}
	}
	c.put(c.dialect.relation(r))
	c.put("AS")
	c.put(c.dialect.quote(inner))
	if final {
		c.put("FINAL")
	}
	if c.dialect.structs && c.at("FOR", "SYSTEM_TIME") {
		c.systemTime(names)
		sample += c.sampleClause()
	}
	if sample != "" {
		c.put(sample)
	}
	if filtered {
		w := tieWriter{guard: c.guard, quote: c.dialect.quote, relation: c.dialect.relation, compare: c.dialect.condition, read: c.read}
		c.put("WHERE " + w.condition(r, r.Name))
		for _, s := range []string{")", "AS", c.dialect.quote(alias)} {
			c.put(s)
		}
	}
}

// tableAlias parses the alias of a table and FINAL, without printing them.
func (c *tokenCheck) tableAlias(written string) (alias string, final bool) {
	final = c.skipFinal()
	alias = written
	if t := c.peek(0); c.at("AS") || t.kind == quoted || t.kind == word && !c.dialect.reserved[strings.ToUpper(t.raw)] {
		if c.at("AS") {
			c.skip()
		}
		alias = c.label()
	}
	if c.dialect.apply { // reads without locks anyway, by the connection's isolation level
		if c.at("WITH", "(", "NOLOCK", ")") {
			c.place += 4
		} else if c.at("(", "NOLOCK", ")") {
			c.place += 3
		}
	}
	return alias, final || c.skipFinal()
}

// skipFinal skips FINAL and reports whether it was there.
func (c *tokenCheck) skipFinal() bool {
	if !c.dialect.values || !c.at("FINAL") {
		return false
	}
	c.skip()
	return true
}

// systemTime parses the point in time as of which a table is read.
func (c *tokenCheck) systemTime(names *scope) {
	for _, w := range []string{"FOR", "SYSTEM_TIME", "AS", "OF"} {
		c.expect(w)
	}
	c.expr(names)
}

// path parses a dotted name without printing it. BigQuery allows points inside one pair of
// quotes, and dashes in the name of a project.
func (c *tokenCheck) path() []string {
	var parts []string
	for c.fault == nil {
		t := c.peek(0)
		if t.kind == quoted && c.dialect.structs {
			parts = append(parts, strings.Split(t.name, ".")...)
			c.skip()
		} else {
			parts = append(parts, c.label())
			for c.dialect.structs && c.at("-") && c.peek(1).kind == word {
				parts[len(parts)-1] += "-" + c.peek(1).raw
				c.place += 2
			}
		}
		if !c.at(".") {
			break
		}
		c.skip()
	}
	return parts
}

// pivotName parses the name of a value of PIVOT, or the value that a column of UNPIVOT stands
// for, which is a literal.
func (c *tokenCheck) pivotName() {
	if c.at("AS") && (c.peek(1).kind == text || c.peek(1).kind == number) {
		c.emit()
		c.emit()
		return
	}
	c.alias()
}

// pivot parses PIVOT or UNPIVOT.
func (c *tokenCheck) pivot(names *scope) {
	c.emit()
	c.accept("INCLUDE", "NULLS")
	c.accept("EXCLUDE", "NULLS")
	c.inParens(func() {
		c.commaSeparated(func() { c.expr(names); c.alias() })
		c.expect("FOR")
		c.quotedLabel()
		c.expect("IN")
		c.inParens(func() {
			switch {
			case c.dialect.paths && c.accept("ANY"):
				if c.accept("ORDER", "BY") {
					c.order(names)
				}
			case c.dialect.paths && c.beginsQuery(0):
				c.query(names)
			default:
				c.commaSeparated(func() { c.expr(names); c.pivotName() })
			}
		})
		if c.dialect.paths && c.accept("DEFAULT", "ON", "NULL") {
			c.inParens(func() { c.expr(names) })
		}
	})
	if c.alias() != "" {
		c.columnList()
	}
}
