package guard

import "strings"

// setOperators combine queries.
var setOperators = upper("union intersect except minus")

// beginsQuery reports whether a query, possibly in parentheses, begins n places ahead. Behind a
// query in parentheses only a set operator, ORDER BY, LIMIT or the end may follow; otherwise the
// parentheses hold a value or a join.
func (c *tokenCheck) beginsQuery(n int) bool {
	t := c.peek(n)
	switch {
	case t.isWord("SELECT"), t.isWord("WITH"), c.dialect.pipes && t.isWord("FROM"):
		return true
	case t.is("(") && c.beginsQuery(n+1):
		after := c.peek(c.closing(n) + 1)
		return after.is(")") || after.is("|>") || after.kind == end || after.kind == word && (setOperators[strings.ToUpper(after.raw)] || after.isWord("ORDER") || after.isWord("LIMIT"))
	}
	return false
}

// closing returns how far ahead the parenthesis that opens n places ahead is closed. It
// returns the end of the statement if it is not, or if none opens there.
func (c *tokenCheck) closing(n int) int {
	if to := c.closers[c.place+n]; to > 0 {
		return to - c.place
	}
	return len(c.tokens) - c.place
}

// query parses a SELECT, or several combined by set operators. names are those that it may refer
// to besides tables; nil means none.
func (c *tokenCheck) query(names *scope) {
	if !c.enter() {
		return
	}
	defer c.leave()
	names = c.with(names)
	c.term(names)
	for c.atAny(setOperators) {
		c.emit()
		c.acceptAny(setWords)
		c.term(names)
	}
	for c.dialect.pipes && c.accept("|>") {
		c.pipe(names)
	}
}

// setWords may follow UNION, INTERSECT and EXCEPT.
var setWords = upper("all distinct")

// term parses one SELECT with its ORDER BY and LIMIT.
func (c *tokenCheck) term(names *scope) {
	switch {
	case c.at("("):
		c.inParens(func() { c.query(names) })
	case c.dialect.pipes && c.accept("FROM"):
		c.from(names)
	default:
		c.selects(names)
	}
	c.tail(names)
}

// with parses the queries of a WITH and returns names extended by theirs. A query sees those
// before it, and itself if it is recursive. In dialects that are recursive without the keyword, a
// query that is named like a table still sees the table.
func (c *tokenCheck) with(names *scope) *scope {
	if !c.accept("WITH") {
		return names
	}
	recursive := c.accept("RECURSIVE")
	own := &scope{above: names}
	c.commaSeparated(func() {
		name, printed := c.named(own)
		if printed == "" {
			return
		}
		inner := own
		if recursive || c.dialect.recursive && c.guard.find("", name) == nil {
			inner = &scope{above: own}
			inner.add(name, printed)
		}
		c.inParens(func() { c.query(inner) })
		own.add(name, printed)
	})
	return own
}

// named parses the name of a query of WITH, up to AS, and returns it with the name it is
// printed under. In ClickHouse a value may come there instead; then both are empty.
func (c *tokenCheck) named(names *scope) (name, printed string) {
	at := 1
	if c.peek(1).is("(") {
		at = c.closing(1) + 1
	}
	if c.dialect.values && !(c.peek(at).isWord("AS") && c.peek(at+1).is("(")) {
		c.expr(names)
		return c.alias(), ""
	}
	name, printed = c.label(), c.withName()
	c.shadow(name)
	c.put(c.dialect.quote(printed))
	c.columnList()
	c.expect("AS")
	return name, printed
}

// columnList parses names in parentheses if they come next.
func (c *tokenCheck) columnList() {
	if c.at("(") {
		c.inParens(func() { c.commaSeparated(c.quotedLabel) })
	}
}

// selects parses one SELECT, without ORDER BY and LIMIT. The clauses after FROM are accepted in
// any order, because the server checks it and the order has no effect on what is read.
func (c *tokenCheck) selects(names *scope) {
	c.expect("SELECT")
	c.quantity(names)
	c.commaSeparated(func() { c.item(names) })
	if c.accept("FROM") {
		c.from(names)
	}
	for c.fault == nil && c.clause(names) {
	}
}

// quantity parses DISTINCT, TOP and AS STRUCT.
func (c *tokenCheck) quantity(names *scope) {
	if c.accept("DISTINCT") {
		if c.dialect.distinctOn && c.accept("ON") {
			c.inParens(func() { c.exprs(names) })
		}
	} else {
		c.accept("ALL")
	}
	if c.dialect.top && c.accept("TOP") {
		if c.at("(") {
			c.inParens(func() { c.expr(names) })
		} else if c.peek(0).kind == number {
			c.emit()
		} else {
			c.unexpected()
		}
		c.accept("PERCENT")
		c.accept("WITH", "TIES")
	}
	if c.dialect.structs && c.at("AS") {
		if !c.accept("AS", "STRUCT") && !c.accept("AS", "VALUE") {
			c.unexpected()
		}
	}
}

// item parses one column of a SELECT.
func (c *tokenCheck) item(names *scope) {
	if c.accept("*") {
		c.starWords(names)
		return
	}
	c.expr(names)
	if c.last == "*" {
		c.starWords(names)
		return
	}
	c.alias()
}

// starWords parses what excludes or replaces columns of a star.
func (c *tokenCheck) starWords(names *scope) {
	for c.fault == nil {
		switch {
		case c.at("EXCEPT", "(") && !c.beginsQuery(2), c.at("EXCLUDE", "("):
			c.emit()
			c.columnList()
		case c.accept("EXCLUDE"), c.dialect.values && c.accept("EXCEPT"):
			c.quotedLabel()
		case c.at("REPLACE", "("), c.at("RENAME", "("):
			c.emit()
			c.inParens(func() { c.commaSeparated(func() { c.expr(names); c.alias() }) })
		case c.dialect.starLike && c.accept("ILIKE"):
			c.expr(names)
		case c.dialect.values && c.at("APPLY"):
			c.applied(names)
		default:
			return
		}
	}
}

// applied parses APPLY, which calls a function, or a lambda, on each column of a star.
func (c *tokenCheck) applied(names *scope) {
	c.emit()
	if c.at("(") && c.peek(1).kind == word && (c.peek(2).is(")") || c.peek(2).is("(")) {
		c.inParens(func() { c.functionName(names) })
		return
	}
	if c.peek(0).kind == word {
		c.functionName(names)
		return
	}
	c.inParens(func() { c.expr(names) })
}

// functionName parses the name of a function that is called on something else, possibly with
// parameters.
func (c *tokenCheck) functionName(names *scope) {
	if name := strings.ToLower(c.peek(0).raw); !c.dialect.functions[name] || repeatFunctions[name] || paddingFunctions[name] || seriesFunctions[name] {
		c.refuse(RuleFunction, "the function "+firstLine(name)+" is not possible here", remedyOf(name))
		return
	}
	c.emit()
	if c.at("(") {
		c.arguments("", names)
	}
}

// clause parses one of the clauses after FROM if it comes next. It reports whether there was one.
func (c *tokenCheck) clause(names *scope) bool {
	switch {
	case c.dialect.values && c.at("PREWHERE"):
		c.prewhere(names)
	case c.accept("WHERE"), c.accept("HAVING"), c.dialect.qualify && c.accept("QUALIFY"):
		c.expr(names)
	case c.accept("GROUP", "BY"):
		c.groups(names)
	case c.accept("WINDOW"):
		c.commaSeparated(func() {
			c.quotedLabel()
			c.expect("AS")
			c.inParens(func() { c.window(names) })
		})
	default:
		return false
	}
	return true
}

// prewhere parses PREWHERE, and a WHERE after it, as one WHERE: a table wrapped in the filter
// cannot have a PREWHERE.
func (c *tokenCheck) prewhere(names *scope) {
	for i, w := range []string{"PREWHERE", "WHERE"} {
		if !c.at(w) {
			return
		}
		c.skip()
		c.put([]string{"WHERE", "AND"}[i])
		c.put("(")
		c.expr(names)
		c.put(")")
	}
}

// groups parses GROUP BY.
func (c *tokenCheck) groups(names *scope) {
	if !c.accept("ALL") {
		c.commaSeparated(func() { c.group(names) })
	}
	for c.accept("WITH", "ROLLUP") || c.accept("WITH", "CUBE") || c.dialect.values && c.accept("WITH", "TOTALS") {
	}
}

// group reads one item of a GROUP BY, which may be a set of sets.
func (c *tokenCheck) group(names *scope) {
	if c.accept("GROUPING", "SETS") {
		c.inParens(func() { c.commaSeparated(func() { c.group(names) }) })
		return
	}
	c.expr(names)
}

// tail parses ORDER BY, LIMIT, OFFSET and FETCH. They are accepted in any order and number; the
// server refuses what it does not know.
func (c *tokenCheck) tail(names *scope) {
	for c.fault == nil {
		switch {
		case c.accept("ORDER", "BY"):
			c.order(names)
		case c.accept("LIMIT"):
			c.limit(names)
		case c.accept("OFFSET"):
			c.expr(names)
			c.acceptAny(rowWords)
		case c.accept("FETCH"):
			c.acceptAny(fetchWords)
			c.expr(names)
			c.acceptAny(rowWords)
			if !c.accept("ONLY") && !c.accept("WITH", "TIES") {
				c.unexpected()
			}
		default:
			return
		}
	}
}

// The words around the number of OFFSET and FETCH.
var rowWords, fetchWords = upper("row rows"), upper("first next")

// limit parses the numbers of LIMIT, and in ClickHouse LIMIT BY. Numbers may be expressions; they
// bound rows and cannot read anything.
func (c *tokenCheck) limit(names *scope) {
	c.exprs(names)
	if c.accept("OFFSET") {
		c.expr(names)
	}
	if c.dialect.values {
		c.accept("WITH", "TIES")
		if c.accept("BY") {
			c.exprs(names)
		}
	}
}

// order parses ORDER BY expressions.
func (c *tokenCheck) order(names *scope) {
	if c.accept("ALL") {
		c.acceptAny(orderWords)
		return
	}
	c.commaSeparated(func() {
		c.expr(names)
		c.acceptAny(orderWords)
		if c.accept("NULLS") && !c.accept("FIRST") && !c.accept("LAST") {
			c.unexpected()
		}
		if c.dialect.values && c.accept("WITH", "FILL") {
			for c.accept("FROM") || c.accept("TO") || c.accept("STEP") {
				c.expr(names)
			}
		}
	})
}

// orderWords may follow an expression in ORDER BY.
var orderWords = upper("asc desc ascending descending")

// window parses a window specification.
func (c *tokenCheck) window(names *scope) {
	if t := c.peek(0); t.kind == quoted || t.kind == word && !windowWords[strings.ToUpper(t.raw)] {
		c.quotedLabel()
	}
	if c.accept("PARTITION", "BY") {
		c.exprs(names)
	}
	if c.accept("ORDER", "BY") {
		c.order(names)
	}
	if !c.accept("ROWS") && !c.accept("RANGE") && !c.accept("GROUPS") {
		return
	}
	if !c.accept("BETWEEN") {
		c.bound(names)
		return
	}
	c.bound(names)
	c.expect("AND")
	c.bound(names)
}

// windowWords begin a clause of a window, so they cannot be its name.
var windowWords = upper("partition order rows range groups")

// bound parses one end of a window frame.
func (c *tokenCheck) bound(names *scope) {
	if c.accept("CURRENT", "ROW") {
		return
	}
	if !c.accept("UNBOUNDED") {
		c.unary(names)
	}
	if !c.accept("PRECEDING") && !c.accept("FOLLOWING") {
		c.unexpected()
	}
}
