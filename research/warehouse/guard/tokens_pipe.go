package guard

// pipeRefusals are the operators of BigQuery's pipe syntax that write, call what is not on the
// lists, or do more than queries need, and what to write in their place.
var pipeRefusals = map[string]string{
	"CALL":            "call functions in FROM or in expressions",
	"CREATE":          "leave it out: nothing is stored",
	"INSERT":          "leave it out: nothing is stored",
	"EXPORT":          "leave it out: nothing is stored",
	"TEE":             "write one query",
	"FORK":            "write one query",
	"IF":              "write one query",
	"ASSERT":          "filter with WHERE",
	"LOG":             "leave it out",
	"DESCRIBE":        "use the catalog",
	"STATIC_DESCRIBE": "use the catalog",
	"MATCH_RECOGNIZE": "use window functions",
	"RECURSIVE":       "use WITH RECURSIVE",
	"WITH":            "put WITH before the query",
}

// pipe parses one operator of BigQuery's pipe syntax, which changes the rows that come before
// it. Tables are named in FROM, JOIN and set operators alone, which are parsed as they are
// elsewhere, so that nothing else is read.
func (c *tokenCheck) pipe(names *scope) {
	switch {
	case c.at("SELECT"):
		c.selects(names)
	case c.accept("EXTEND"), c.accept("WINDOW"):
		c.commaSeparated(func() { c.expr(names); c.alias() })
	case c.accept("AGGREGATE"):
		c.pipeAggregate(names)
	case c.accept("SET"):
		c.commaSeparated(func() { c.quotedLabel(); c.expect("="); c.expr(names) })
	case c.accept("DROP"):
		c.commaSeparated(c.quotedLabel)
	case c.accept("RENAME"):
		c.commaSeparated(func() { c.quotedLabel(); c.accept("AS"); c.quotedLabel() })
	case c.accept("AS"):
		c.quotedLabel()
	case c.accept("WHERE"):
		c.expr(names)
	case c.accept("DISTINCT"):
	case c.at("ORDER"), c.at("LIMIT"):
		c.tail(names)
	case c.atAny(setOperators):
		c.emit()
		c.acceptAny(setWords)
		c.accept("BY", "NAME")
		c.commaSeparated(func() { c.inParens(func() { c.query(names) }) })
	case c.at("TABLESAMPLE"):
		c.put(c.sampleClause())
	case c.at("PIVOT", "("), c.at("UNPIVOT"):
		c.pivot(names)
	default:
		if !c.join(names) {
			c.pipeRefused()
		}
	}
}

// pipeAggregate parses the aggregates and groups of AGGREGATE, each possibly with a name and an
// order.
func (c *tokenCheck) pipeAggregate(names *scope) {
	item := func() {
		c.expr(names)
		c.alias()
		c.acceptAny(orderWords)
		if c.accept("NULLS") && !c.accept("FIRST") && !c.accept("LAST") {
			c.unexpected()
		}
	}
	if !c.at("GROUP") {
		c.commaSeparated(item)
	}
	if c.accept("GROUP", "BY") || c.accept("GROUP", "AND", "ORDER", "BY") {
		c.commaSeparated(item)
	}
}

// pipeRefused refuses an operator by its name.
func (c *tokenCheck) pipeRefused() {
	if remedy := pipeRefusals[c.peekUpper()]; remedy != "" {
		c.refuse(RuleStatement, "|> "+c.peekUpper()+" is not possible here", remedy)
		return
	}
	c.unexpected()
}
