package guard

import (
	"strconv"
	"strings"
)

var (
	// The words of the clauses that sample a table, over all dialects; a server refuses those of
	// others.
	sampleWords  = upper("tablesample sample")
	sampleKinds  = upper("system bernoulli row block")
	sampleUnits  = upper("percent rows")
	sampleSeeds  = upper("repeatable seed")
	maxRecursion = 32_767 // SQL Server's own maximum; 0 would mean no limit
)

// sampleClause skips the clause that samples a table and returns it. It may hold literal numbers
// only.
func (c *tokenCheck) sampleClause() string {
	if c.dialect.values {
		return c.share()
	}
	if !c.atAny(sampleWords) {
		return ""
	}
	out := []string{c.word()}
	if c.atAny(sampleKinds) {
		out = append(out, c.word())
	}
	out = append(out, c.numberInParens(sampleUnits))
	if c.atAny(sampleSeeds) {
		out = append(out, c.word(), c.numberInParens(nil))
	}
	return strings.Join(out, " ")
}

// share skips ClickHouse's SAMPLE clause and returns it. It is empty if none comes next: SAMPLE
// may also be a name.
func (c *tokenCheck) share() string {
	if !c.at("SAMPLE") || c.peek(1).kind != number {
		return ""
	}
	out := c.word() + " " + c.fraction()
	if c.at("OFFSET") && c.peek(1).kind == number {
		out += " " + c.word() + " " + c.fraction()
	}
	return out
}

// word returns the next token in upper case and advances.
func (c *tokenCheck) word() string {
	t := c.peek(0)
	c.skip()
	return strings.ToUpper(t.raw)
}

// fraction returns a number, or a quotient of two, and advances. ClickHouse samples a share such
// as 1/10, or a number of rows.
func (c *tokenCheck) fraction() string {
	out := c.word()
	if c.at("/") && c.peek(1).kind == number {
		out += " " + c.word() + " " + c.word()
	}
	return out
}

// numberInParens returns a number in parentheses, possibly with a unit, and advances.
func (c *tokenCheck) numberInParens(units map[string]bool) string {
	if !c.at("(") || c.peek(1).kind != number {
		c.unexpected()
		return ""
	}
	c.skip()
	out := "(" + c.word()
	if c.atAny(units) {
		out += " " + c.word()
	}
	if !c.at(")") {
		c.unexpected()
	}
	c.skip()
	return out + ")"
}

// recursion parses OPTION (MAXRECURSION n), the only way to set that limit in SQL Server.
func (c *tokenCheck) recursion() {
	if !c.dialect.apply || !c.at("OPTION", "(", "MAXRECURSION") || !c.peek(3).atMost(maxRecursion) || c.peek(3).atMost(0) || !c.peek(4).is(")") {
		return
	}
	for range 5 {
		c.emit()
	}
}

// moderate reports whether t is 0, or a number from a thousandth to a million.
func (t token) moderate() bool {
	f, err := strconv.ParseFloat(t.raw, 64)
	return err == nil && (f == 0 || f >= 0.001 && f <= maxRows)
}

// shortSeries reports whether the arguments in the parentheses n places ahead contain no
// number above a million. Counts that come from the data are unknown here.
func (c *tokenCheck) shortSeries(n int) bool {
	for to := c.closing(n); n < to; n++ {
		if t := c.peek(n); t.kind == number && !t.moderate() || t.is("*") && c.peek(n-1).kind == number && c.peek(n+1).kind == number {
			return false
		}
	}
	return true
}
