package guard

import (
	"strconv"
	"strings"
)

var (
	sampleWords  = upper("tablesample sample")
	sampleKinds  = upper("system bernoulli row block")
	sampleUnits  = upper("percent rows")
	sampleSeeds  = upper("repeatable seed")
	maxRecursion = 32_767 // the most that SQL Server takes; none at all is 0
)

// sampled goes over what says that a part of a table is read, and returns it. All of
// it is numbers that are written out.
func (c *tokenCheck) sampled() string {
	if c.reading.values {
		return c.share()
	}
	if !c.atAny(sampleWords) {
		return ""
	}
	out := []string{c.word()}
	if c.atAny(sampleKinds) {
		out = append(out, c.word())
	}
	out = append(out, c.numbered(sampleUnits))
	if c.atAny(sampleSeeds) {
		out = append(out, c.word(), c.numbered(nil))
	}
	return strings.Join(out, " ")
}

// share goes over SAMPLE of ClickHouse, and returns it.
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

// word returns the next token in capitals, and goes on.
func (c *tokenCheck) word() string {
	t := c.peek(0)
	c.skip()
	return strings.ToUpper(t.raw)
}

// fraction returns a number, or one divided by another, and goes on.
func (c *tokenCheck) fraction() string {
	out := c.word()
	if c.at("/") && c.peek(1).kind == number {
		out += " " + c.word() + " " + c.word()
	}
	return out
}

// numbered returns a number in parentheses, which one of units may follow, and goes
// on.
func (c *tokenCheck) numbered(units map[string]bool) string {
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

// recursion reads how often a query of WITH may read itself in SQL Server, for which
// there is no other way.
func (c *tokenCheck) recursion() {
	if !c.reading.apply || !c.at("OPTION", "(", "MAXRECURSION") || !c.peek(3).atMost(maxRecursion) || c.peek(3).atMost(0) || !c.peek(4).is(")") {
		return
	}
	for range 5 {
		c.take()
	}
}

// moderate reports whether t is a number from a thousandth to a million, or 0.
func (t token) moderate() bool {
	f, err := strconv.ParseFloat(t.raw, 64)
	return err == nil && (f == 0 || f >= 0.001 && f <= maxRows)
}

// shortSeries reports whether no number over a million is written in the arguments in
// the parentheses n places ahead. What is counted from the data is not known here.
func (c *tokenCheck) shortSeries(n int) bool {
	for to := c.closing(n); n < to; n++ {
		if t := c.peek(n); t.kind == number && !t.moderate() || t.is("*") && c.peek(n-1).kind == number && c.peek(n+1).kind == number {
			return false
		}
	}
	return true
}
