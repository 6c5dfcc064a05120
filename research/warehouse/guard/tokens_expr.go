package guard

import "strings"

// exprs reads a list of expressions, separated by commas.
func (c *tokenCheck) exprs(names *scope) { c.commaSeparated(func() { c.expr(names) }) }

// expr parses an expression: values with operators between them. Precedence does not matter,
// because the expression is printed as it was written.
func (c *tokenCheck) expr(names *scope) {
	if !c.enter() {
		return
	}
	defer c.leave()
	for c.unary(names); c.fault == nil && c.operator(names); {
	}
}

// unary parses one value with its prefixes and suffixes.
func (c *tokenCheck) unary(names *scope) {
	if !c.enter() {
		return
	}
	defer c.leave()
	for c.accept("NOT") || c.accept("-") || c.accept("+") || c.accept("~") {
	}
	c.operand(names)
	for c.fault == nil && c.suffix(names) {
	}
}

// binaryWords are the operators that are words.
var binaryWords = upper("and or xor div mod between like ilike rlike regexp escape")

// operator parses a binary operator and its second value, and reports whether there was one.
// Words that can be names elsewhere, such as MOD, count as operators only between two values.
func (c *tokenCheck) operator(names *scope) bool {
	if c.at("NOT") {
		if next := c.peek(1); !next.isWord("IN") && !(next.kind == word && binaryWords[strings.ToUpper(next.raw)]) {
			return false
		}
		c.emit()
	}
	t := c.peek(0)
	switch {
	case t.kind == mark && c.dialect.operators[t.raw], c.atAny(binaryWords):
		c.emit()
		c.compared(names)
	case c.accept("IS"):
		c.accept("NOT")
		switch {
		case c.accept("DISTINCT", "FROM"):
			c.unary(names)
		case !c.accept("NULL") && !c.accept("TRUE") && !c.accept("FALSE") && !c.accept("UNKNOWN"):
			c.unexpected()
		}
	case c.at("IN"), c.dialect.values && (c.at("GLOBAL", "IN") || c.at("GLOBAL", "NOT", "IN")):
		c.in(names)
	case c.accept("COLLATE"):
		if t := c.peek(0); t.kind != word && t.kind != quoted && t.kind != text {
			c.unexpected()
		}
		c.emit()
	case c.accept("AT", "TIME", "ZONE"):
		c.unary(names)
	default:
		return false
	}
	return true
}

// compared parses the second value of an operator, or ANY or ALL of a query's rows.
func (c *tokenCheck) compared(names *scope) {
	if (c.at("ANY") || c.at("ALL") || c.at("SOME")) && c.peek(1).is("(") {
		c.emit()
		c.inParens(func() {
			if c.beginsQuery(0) {
				c.query(names)
			} else {
				c.exprs(names)
			}
		})
		return
	}
	c.unary(names)
}

// in parses IN and its list. In ClickHouse a lone name in the list is that of a table, so it is
// refused. IN UNNEST(array) is BigQuery's.
func (c *tokenCheck) in(names *scope) {
	for c.accept("GLOBAL") || c.accept("NOT") || c.accept("IN") {
	}
	if c.at("UNNEST", "(") && c.dialect.structs {
		c.unary(names)
		return
	}
	if c.dialect.values && c.loneName() {
		c.refuse(RuleRelation, "IN holds a name alone, which may be that of a table", "write IN (SELECT … FROM …)")
	}
	c.inParens(func() {
		if c.beginsQuery(0) {
			c.query(names)
		} else {
			c.exprs(names)
		}
	})
}

// loneName reports whether the parentheses that come next hold nothing but a name.
func (c *tokenCheck) loneName() bool {
	for i, to := 0, c.closing(0); i <= to; i++ {
		if t := c.peek(i); t.kind != word && t.kind != quoted && !t.is("(") && !t.is(")") && !t.is(".") {
			return false
		}
	}
	return !c.beginsQuery(1)
}

// suffix parses what belongs to the value before it, and reports whether there was anything. A
// name with a parenthesis behind it is refused after a point: it would be a method, which is on
// no list.
func (c *tokenCheck) suffix(names *scope) bool {
	switch {
	case c.at("::"):
		c.emit()
		c.typeName()
	case c.at("["):
		c.emitTight()
		c.expr(names)
		c.expect("]")
	case c.at("."):
		c.emit()
		if t := c.peek(0); t.kind != word && t.kind != quoted && t.kind != number && !t.is("*") || c.peek(1).is("(") || c.dialect.paths && counters[strings.ToLower(t.raw+t.name)] {
			c.unexpected()
		}
		c.emit()
	case c.dialect.values && c.peek(0).kind == number && c.peek(0).raw[0] == '.':
		c.emitTight()
	case c.dialect.paths && c.at(":"):
		c.emit()
		if t := c.peek(0); t.kind != word && t.kind != quoted {
			c.unexpected()
		}
		c.emit()
	case c.accept("OVER"):
		if c.at("(") {
			c.inParens(func() { c.window(names) })
		} else {
			c.quotedLabel()
		}
	default:
		return false
	}
	return true
}

// counters are the pseudo-columns of a sequence, which advance it when they are read.
var counters = words("nextval currval")

// emitTight prints the next token without a space before it and advances.
func (c *tokenCheck) emitTight() {
	c.glue(c.peek(0).raw)
	c.skip()
}

// operand parses one value. A quoted name before a parenthesis is refused, because it would call
// a function that is not on the list.
func (c *tokenCheck) operand(names *scope) {
	t := c.peek(0)
	switch {
	case t.kind == number, t.kind == text:
		c.emit()
	case t.is("*") && c.last == "(":
		c.emit()
	case t.is("("):
		c.inParens(func() { c.grouped(names) })
	case t.is("[") && c.dialect.brackets:
		c.array(names)
	case t.kind == quoted:
		c.name()
	case t.kind != word:
		c.unexpected()
	case !c.special(names):
		c.name()
		if c.at("(") {
			c.unexpected()
		}
	}
}

// grouped parses what is between parentheses: a query, or values.
func (c *tokenCheck) grouped(names *scope) {
	switch {
	case c.at(")"):
	case c.beginsQuery(0):
		c.query(names)
	default:
		c.commaSeparated(func() { c.expr(names); c.valueAlias() })
	}
}

// valueAlias parses AS and a name, which in ClickHouse any value may have.
func (c *tokenCheck) valueAlias() {
	if c.dialect.values && c.at("AS") {
		c.alias()
	}
}

// array parses an array in brackets.
func (c *tokenCheck) array(names *scope) {
	c.emit()
	if !c.at("]") {
		c.exprs(names)
	}
	c.expect("]")
}

// special parses what begins with a keyword, and reports whether it did. A type before a literal,
// as in DATE '2024-01-01', is one of them.
func (c *tokenCheck) special(names *scope) bool {
	t := c.peek(0)
	switch low := strings.ToLower(t.raw); {
	case low == "case":
		c.cases(names)
	case low == "exists" && c.peek(1).is("("):
		c.emit()
		c.inParens(func() { c.query(names) })
	case low == "interval" && !c.peek(1).is("."):
		c.interval(names)
	case typedLiterals[low] && c.peek(1).kind == text:
		c.emit()
		c.emit()
	case c.dialect.structs && (low == "array" || low == "struct") && c.peek(1).is("<"):
		c.typeName()
		if c.at("(") {
			c.arguments(low, names)
		} else {
			c.array(names)
		}
	case c.dialect.structs && low == "array" && c.peek(1).is("["):
		c.emit()
		c.array(names)
	default:
		return c.call(names)
	}
	return true
}

// typedLiterals are types that a literal may follow.
var typedLiterals = words("date time timestamp datetime numeric bignumeric decimal bigdecimal json")

// cases parses CASE.
func (c *tokenCheck) cases(names *scope) {
	c.emit()
	if !c.at("WHEN") {
		c.expr(names)
	}
	for c.accept("WHEN") {
		c.expr(names)
		c.expect("THEN")
		c.expr(names)
	}
	if c.accept("ELSE") {
		c.expr(names)
	}
	c.expect("END")
}

// interval parses an INTERVAL.
func (c *tokenCheck) interval(names *scope) {
	c.emit()
	c.unary(names)
	c.acceptAny(timeParts)
	if c.accept("TO") && !c.acceptAny(timeParts) {
		c.unexpected()
	}
}

// timeParts are the units that functions of dates take as bare words. Elsewhere such
// a word is a column.
var timeParts = upper("year years quarter quarters month months week weeks day days hour hours minute minutes second seconds millisecond milliseconds microsecond microseconds")

// name parses the name of a column and drops its schema, because tables are printed with aliases.
// Reserved words and names that stand for the session are refused unless they are quoted.
func (c *tokenCheck) name() {
	n := 0
	for c.peek(n + 1).is(".") {
		n += 2
	}
	if n >= 4 && c.qualified() {
		c.place += 2
	}
	t := c.peek(0)
	if low := strings.ToLower(t.raw); t.kind == word && (c.dialect.reserved[strings.ToUpper(low)] || hiddenNames[low]) {
		c.refuse(RuleFunction, "at "+firstLine(t.raw)+" the statement holds a word that is not possible here", "put a name in quotes, or leave it out")
	}
	switch after := c.peek(2); {
	case t.kind == word && bareWords[strings.ToLower(t.raw)]:
	case c.peek(1).is(".") && (after.kind == word || after.kind == quoted):
		c.columns.refer(t.spelled(), after.spelled())
	default:
		c.columns.refer(t.spelled())
	}
	c.emit()
}

// bareWords are words without quotes that are values or parts of dates where a column could be.
var bareWords = words(`null true false unknown default current_date current_time current_timestamp localtime localtimestamp sysdate systimestamp
	year years yy yyyy isoyear quarter quarters qq q month months mm m week weeks wk ww isoweek iso_week weekiso yearofweek day days dd d date dayofweek dayofweekiso dow dw weekday dayofyear doy dy
	hour hours hh minute minutes mi n second seconds ss s millisecond milliseconds ms microsecond microseconds mcs nanosecond nanoseconds ns tzoffset epoch epoch_second epoch_millisecond time`)

// hiddenNames are words that stand for facts about the session or the server.
var hiddenNames = words("current_user session_user system_user user current_role current_account current_session current_warehouse current_database current_schema current_catalog current_region current_client rowguidcol identitycol")

// qualified reports whether schema and name of a relation come next. Only then is the first part
// a schema; otherwise it may be a table with a field of a document.
func (c *tokenCheck) qualified() bool {
	return c.peek(4).kind != mark && c.guard.find(c.peek(0).spelled(), c.peek(2).spelled()) != nil
}
