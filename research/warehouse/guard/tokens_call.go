package guard

import "strings"

// call parses a function call if one comes next, and reports whether it did. Only unquoted names
// call functions. The prefixes SAFE. and NET. of BigQuery are part of the name.
func (c *tokenCheck) call(names *scope) bool {
	n := 0
	name := strings.ToLower(c.peek(0).raw)
	for c.peek(n+1).is(".") && c.peek(n+2).kind == word {
		n += 2
		name += "." + strings.ToLower(c.peek(n).raw)
	}
	if !c.peek(n + 1).is("(") {
		return false
	}
	if c.callable(name, n+1); c.fault != nil {
		return true
	}
	for ; n >= 0; n-- {
		c.emit()
	}
	c.arguments(name, names)
	if c.dialect.values && c.at("(") {
		c.arguments("", names)
	}
	c.aggregate(names)
	return true
}

// callable checks the name of a function, whose parenthesis is at places ahead, and those
// arguments that determine how much it produces. It looks at the arguments before they are
// parsed.
func (c *tokenCheck) callable(name string, at int) {
	if !c.dialect.functions[name] {
		c.refuse(RuleFunction, "the function "+firstLine(name)+" is not possible here", remedyOf(name))
	}
	if paddingFunctions[name] && !c.padded(at) {
		c.refuse(RuleFunction, name+" is possible up to 1000 characters, written as a number", "write the number")
	}
	if repeatFunctions[name] && (c.peek(at+1).kind != text || len(c.peek(at+1).raw) > maxRepeated || !c.padded(at)) {
		c.refuse(RuleFunction, name+" is possible with a short text that is written out, up to 1000 times", "write the text and the number")
	}
	if seriesFunctions[name] && !c.shortSeries(at) {
		c.refuse(RuleFunction, name+" is possible with numbers up to a million", "write smaller numbers")
	}
	if length := c.peek(at + 1); name == "space" && (!length.atMost(maxPadding) || !c.peek(at+2).is(")")) {
		c.refuse(RuleFunction, "space is possible up to 1000 characters, written as a number", "write the number")
	}
}

// padded reports whether the second argument in the parentheses n places ahead is a small number.
// An expression is not a number, however small its value.
func (c *tokenCheck) padded(n int) bool {
	depth, to := 0, c.closing(n)
	for ; n < to; n++ {
		switch t := c.peek(n); {
		case t.is("("), t.is("["):
			depth++
		case t.is(")"), t.is("]"):
			depth--
		case t.is(",") && depth == 1:
			length, after := c.peek(n+1), c.peek(n+2)
			return length.atMost(maxPadding) && (after.is(",") || after.is(")"))
		}
	}
	return false
}

// Functions whose arguments are more than values with commas between them.
var (
	paddingFunctions = words("lpad rpad leftpad rightpad")

	repeatFunctions = words("repeat replicate")
	seriesFunctions = words("generate_array range")

	casts        = words("cast try_cast safe_cast parse try_parse")
	typesFirst   = words("convert try_convert")
	fromBetween  = words("extract trim substring substr overlay position")
	trimWords    = upper("both leading trailing")
	nullWords    = [][]string{{"IGNORE", "NULLS"}, {"RESPECT", "NULLS"}}
	quantityWord = upper("distinct all")
)

// arguments parses the parenthesized arguments of a function.
func (c *tokenCheck) arguments(name string, names *scope) {
	if !c.at("(") {
		c.unexpected()
		return
	}
	c.emitTight()
	if !c.at(")") {
		c.inside(name, names)
	}
	c.expect(")")
}

// inside parses what is between the parentheses of a function.
func (c *tokenCheck) inside(name string, names *scope) {
	if c.beginsQuery(0) {
		c.query(names)
		return
	}
	c.acceptAny(quantityWord)
	if name == "trim" && c.acceptAny(trimWords) && c.accept("FROM") {
		c.expr(names)
		return
	}
	if typesFirst[name] && c.dialect.apply {
		c.typeName()
		c.expect(",")
	}
	c.commaSeparated(func() { c.argument(name, names) })
	for _, w := range nullWords {
		c.accept(w...)
	}
	if c.accept("HAVING") && (c.accept("MAX") || c.accept("MIN")) {
		c.expr(names)
	}
	if c.accept("ORDER", "BY") {
		c.order(names)
	}
	if c.accept("LIMIT") {
		c.expr(names)
	}
}

// argument parses one argument. It may have a name before =>, and the syntax that CAST, EXTRACT,
// TRIM and POSITION have of their own.
func (c *tokenCheck) argument(name string, names *scope) {
	if c.peek(0).kind == word && c.peek(1).is("=>") {
		c.emit()
		c.emit()
	}
	if c.beginsQuery(0) && !c.dialect.values {
		c.unexpected()
	}
	if name == "position" {
		c.unary(names) // the text to look for; the IN that follows is not a list membership
		for !c.at("IN") && c.fault == nil && c.operator(names) {
		}
	} else {
		c.expr(names)
	}
	if name == "position" && c.accept("IN") || fromBetween[name] && (c.accept("FROM") || c.accept("FOR")) {
		c.expr(names)
		if fromBetween[name] && c.accept("FOR") {
			c.expr(names)
		}
	}
	switch {
	case casts[name] && c.accept("AS"):
		c.typeName()
		if c.accept("FORMAT") || c.dialect.apply && c.accept("USING") {
			c.expr(names)
		}
	case name == "struct" && c.at("AS"):
		c.alias()
	default:
		c.valueAlias()
	}
}

// aggregate parses what may follow an aggregate: IGNORE NULLS, WITHIN GROUP, FILTER.
func (c *tokenCheck) aggregate(names *scope) {
	for c.fault == nil {
		switch {
		case c.accept("IGNORE", "NULLS"), c.accept("RESPECT", "NULLS"), c.accept("FROM", "FIRST"), c.accept("FROM", "LAST"):
		case c.accept("WITHIN", "GROUP"):
			c.inParens(func() {
				c.expect("ORDER")
				c.expect("BY")
				c.order(names)
			})
		case c.at("FILTER", "("):
			c.emit()
			c.inParens(func() {
				c.expect("WHERE")
				c.expr(names)
			})
		default:
			return
		}
	}
}

// typeName parses a type. Arguments are literal numbers, texts or types.
func (c *tokenCheck) typeName() {
	if !c.enter() {
		return
	}
	defer c.leave()
	t := c.peek(0)
	low := strings.ToLower(t.raw)
	if t.kind != word || !c.dialect.types[low] {
		c.refuse(RuleType, "the type "+firstLine(t.raw)+" is not possible here", "use a plain type of the language")
		return
	}
	c.emit()
	for c.accept("PRECISION") || c.accept("WITH", "TIME", "ZONE") || c.accept("WITHOUT", "TIME", "ZONE") {
	}
	if c.at("(") {
		c.emitTight()
		c.commaSeparated(func() { c.typeArgument(low) })
		c.expect(")")
	}
	if c.dialect.structs && c.at("<") {
		c.emitTight()
		c.commaSeparated(c.typeField)
		if !c.accept(">") {
			c.splitShift()
		}
	}
}

// typeArgument parses an argument of a type: a number, or another type.
func (c *tokenCheck) typeArgument(of string) {
	t := c.peek(0)
	switch {
	case t.kind == number && (of != "fixedstring" || t.atMost(maxPadding)), t.kind == text, t.isWord("max"):
		c.emit()
	default:
		c.typeName()
	}
}

// typeField parses a field of a struct type, with or without a name.
func (c *tokenCheck) typeField() {
	if next := c.peek(1); next.kind == word {
		c.quotedLabel()
	}
	c.typeName()
}

// splitShift parses the first half of a >> that closes two types at once.
func (c *tokenCheck) splitShift() {
	if !c.at(">>") {
		c.unexpected()
		return
	}
	c.put(">")
	c.tokens[c.place].raw = ">"
}
