package guard

import "strings"

// setOperators put queries together.
var setOperators = upper("union intersect except minus")

// beginsQuery reports whether a query begins n places ahead, or one in parentheses.
func (c *tokenCheck) beginsQuery(n int) bool {
	t := c.peek(n)
	switch {
	case t.isWord("SELECT"), t.isWord("WITH"):
		return true
	case t.is("(") && c.beginsQuery(n+1):
		after := c.peek(c.closing(n) + 1)
		return after.is(")") || after.kind == end || after.kind == word && (setOperators[strings.ToUpper(after.raw)] || after.isWord("ORDER") || after.isWord("LIMIT"))
	}
	return false
}

// closing returns how far ahead the parenthesis closes that opens n places ahead;
// the end for one that does not, or where none opens.
func (c *tokenCheck) closing(n int) int {
	if to := c.closers[c.place+n]; to > 0 {
		return to - c.place
	}
	return len(c.tokens) - c.place
}

// query reads a SELECT, or several of them put together.
func (c *tokenCheck) query(names *scope) {
	if !c.enter() {
		return
	}
	defer c.leave()
	names = c.with(names)
	c.term(names)
	for c.atAny(setOperators) {
		c.take()
		c.acceptAny(setWords)
		c.term(names)
	}
}

var setWords = upper("all distinct")

// term reads one SELECT and how its rows are ordered.
func (c *tokenCheck) term(names *scope) {
	if c.at("(") {
		c.inParens(func() { c.query(names) })
	} else {
		c.selects(names)
	}
	c.tail(names)
}

// with reads the queries of a WITH, and returns the names with theirs.
func (c *tokenCheck) with(names *scope) *scope {
	if !c.accept("WITH") {
		return names
	}
	recursive := c.accept("RECURSIVE")
	own := &scope{above: names}
	c.listed(func() {
		name, printed := c.named(own)
		if printed == "" {
			return
		}
		inner := own
		if recursive || c.reading.recursive && c.guard.find("", name) == nil {
			inner = &scope{above: own}
			inner.add(name, printed)
		}
		c.inParens(func() { c.query(inner) })
		own.add(name, printed)
	})
	return own
}

// named reads the name that WITH gives, up to its query, and returns what it is
// called when it is printed, too. In ClickHouse a value may stand there: then it
// reads that, and returns nothing.
func (c *tokenCheck) named(names *scope) (name, printed string) {
	at := 1
	if c.peek(1).is("(") {
		at = c.closing(1) + 1
	}
	if c.reading.values && !(c.peek(at).isWord("AS") && c.peek(at+1).is("(")) {
		c.expr(names)
		return c.alias(), ""
	}
	name, printed = c.label(), c.withName()
	c.shadow(name)
	c.put(c.reading.quote(printed))
	c.columnList()
	c.expect("AS")
	return name, printed
}

// columnList reads names in parentheses, if they come next.
func (c *tokenCheck) columnList() {
	if c.at("(") {
		c.inParens(func() { c.listed(c.labelled) })
	}
}

// selects reads one SELECT, up to how its rows are ordered.
func (c *tokenCheck) selects(names *scope) {
	c.expect("SELECT")
	c.quantity(names)
	c.listed(func() { c.item(names) })
	if c.accept("FROM") {
		c.from(names)
	}
	for c.fault == nil && c.clause(names) {
	}
}

// quantity reads how many rows are selected, and as what.
func (c *tokenCheck) quantity(names *scope) {
	if c.accept("DISTINCT") {
		if c.reading.distinctOn && c.accept("ON") {
			c.inParens(func() { c.exprs(names) })
		}
	} else {
		c.accept("ALL")
	}
	if c.reading.top && c.accept("TOP") {
		if c.at("(") {
			c.inParens(func() { c.expr(names) })
		} else if c.peek(0).kind == number {
			c.take()
		} else {
			c.unexpected()
		}
		c.accept("PERCENT")
		c.accept("WITH", "TIES")
	}
	if c.reading.structs && c.at("AS") {
		if !c.accept("AS", "STRUCT") && !c.accept("AS", "VALUE") {
			c.unexpected()
		}
	}
}

// item reads one column of a SELECT.
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

// starWords reads what is left out of all columns, or put in.
func (c *tokenCheck) starWords(names *scope) {
	for c.fault == nil {
		switch {
		case c.at("EXCEPT", "(") && !c.beginsQuery(2), c.at("EXCLUDE", "("):
			c.take()
			c.columnList()
		case c.accept("EXCLUDE"), c.reading.values && c.accept("EXCEPT"):
			c.labelled()
		case c.at("REPLACE", "("), c.at("RENAME", "("):
			c.take()
			c.inParens(func() { c.listed(func() { c.expr(names); c.alias() }) })
		case c.reading.starLike && c.accept("ILIKE"):
			c.expr(names)
		default:
			return
		}
	}
}

// clause reads one of the clauses after FROM, if it comes next.
func (c *tokenCheck) clause(names *scope) bool {
	switch {
	case c.reading.values && c.at("PREWHERE"):
		c.prewhere(names)
	case c.accept("WHERE"), c.accept("HAVING"), c.reading.qualify && c.accept("QUALIFY"):
		c.expr(names)
	case c.accept("GROUP", "BY"):
		c.groups(names)
	case c.accept("WINDOW"):
		c.listed(func() {
			c.labelled()
			c.expect("AS")
			c.inParens(func() { c.window(names) })
		})
	default:
		return false
	}
	return true
}

// prewhere reads PREWHERE, and a WHERE after it, as one WHERE: where the filter
// stands around the table there can be no PREWHERE.
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

// groups reads what rows are grouped by.
func (c *tokenCheck) groups(names *scope) {
	if !c.accept("ALL") {
		c.listed(func() { c.group(names) })
	}
	for c.accept("WITH", "ROLLUP") || c.accept("WITH", "CUBE") || c.reading.values && c.accept("WITH", "TOTALS") {
	}
}

func (c *tokenCheck) group(names *scope) {
	if c.accept("GROUPING", "SETS") {
		c.inParens(func() { c.listed(func() { c.group(names) }) })
		return
	}
	c.expr(names)
}

// tail reads how rows are ordered, and how many are taken.
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

var rowWords, fetchWords = upper("row rows"), upper("first next")

// limit reads the numbers of a LIMIT, and in ClickHouse of what it is one for each.
func (c *tokenCheck) limit(names *scope) {
	c.exprs(names)
	if c.accept("OFFSET") {
		c.expr(names)
	}
	if c.reading.values {
		c.accept("WITH", "TIES")
		if c.accept("BY") {
			c.exprs(names)
		}
	}
}

// order reads what rows are ordered by.
func (c *tokenCheck) order(names *scope) {
	if c.accept("ALL") {
		c.acceptAny(orderWords)
		return
	}
	c.listed(func() {
		c.expr(names)
		c.acceptAny(orderWords)
		if c.accept("NULLS") && !c.accept("FIRST") && !c.accept("LAST") {
			c.unexpected()
		}
		if c.reading.values && c.accept("WITH", "FILL") {
			for c.accept("FROM") || c.accept("TO") || c.accept("STEP") {
				c.expr(names)
			}
		}
	})
}

var orderWords = upper("asc desc ascending descending")

// window reads how rows are seen by a function.
func (c *tokenCheck) window(names *scope) {
	if t := c.peek(0); t.kind == quoted || t.kind == word && !windowWords[strings.ToUpper(t.raw)] {
		c.labelled()
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

var windowWords = upper("partition order rows range groups")

// bound reads one end of a frame.
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
