package guard

import (
	"strconv"
	"strings"
)

// checkTokens checks a statement of a dialect of which no full grammar is at hand.
// It reads the queries that analysts write, token by token; what it cannot read it
// refuses. What was printed must be read again as the same.
func (g *Guard) checkTokens(sql string, d *reading) (Statement, error) {
	c := g.readTokens(sql, d)
	if c.fault != nil {
		return Statement{}, c.fault
	}
	bare := *g
	bare.filter.Column = ""
	again := bare.readTokens(c.out.String(), d)
	if again.fault != nil || again.out.String() != c.out.String() || strings.Join(again.tables, " ") != strings.Join(c.tables, " ") {
		return Statement{}, &Refusal{RuleNode, "the statement cannot be written again", "write it in a simpler way"}
	}
	return Statement{SQL: c.out.String(), Tables: c.tables, Held: c.held}, nil
}

// readTokens reads one statement and prints it.
func (g *Guard) readTokens(sql string, d *reading) *tokenCheck {
	c := &tokenCheck{guard: g, reading: d, closers: map[int]int{}}
	c.lex(sql)
	c.pair()
	for c.reading.apply && c.at(";", "WITH") {
		c.skip()
	}
	if t := c.peek(0); c.fault == nil && !c.at("SELECT") && !c.at("WITH") && !t.is("(") {
		c.refuse(RuleStatement, "the statement is no query", "write one SELECT, or WITH … SELECT")
	}
	c.query(nil)
	c.recursion()
	if c.peek(0).is(";") {
		c.skip()
		if c.peek(0).kind != end {
			c.refuse(RuleStatement, "there is more than one statement", "write one SELECT")
		}
	}
	if c.peek(0).kind != end {
		c.unexpected()
	}
	return c
}

// tokenCheck reads the tokens of one statement. The first fault ends it.
type tokenCheck struct {
	notes
	guard   *Guard
	reading *reading
	tokens  []token
	closers map[int]int // where the parenthesis closes that opens at a place
	place   int
	out     strings.Builder
	last    string // what was printed last
}

// is reports whether t is a mark.
func (t token) is(m string) bool { return t.kind == mark && t.raw == m }

// isWord reports whether t is a word, in any capitals.
func (t token) isWord(w string) bool { return t.kind == word && strings.EqualFold(t.raw, w) }

// atMost reports whether t is a whole number that is not over most.
func (t token) atMost(most int) bool {
	n, err := strconv.Atoi(t.raw)
	return t.kind == number && err == nil && n <= most
}

// lex splits a statement; comments and white space are left out.
func (c *tokenCheck) lex(sql string) {
	for i := 0; i < len(sql); {
		t := c.reading.lexicon.next(sql[i:])
		i += len(t.raw)
		switch t.kind {
		case space:
		case comment:
			if body := strings.TrimPrefix(t.raw, "/*"); strings.Contains(body, "/*") || body != t.raw && !strings.HasSuffix(body, "*/") {
				c.refuse(RuleText, "a comment lies in another, or is not closed", "leave it out")
			}
		case stray:
			c.refuse(RuleSyntax, "a quote is not closed", "close it")
		case number:
			if !c.reading.lexicon.numbers.MatchString(t.raw) {
				c.refuse(RuleSyntax, firstLine(t.raw)+" is no number", "write digits, and a space before what follows")
			}
			c.tokens = append(c.tokens, t)
		case text:
			if c.ambiguous(t.raw) {
				c.refuse(RuleText, "a literal could be read in two ways", "write it without a backslash at the end of a line")
			}
			c.tokens = append(c.tokens, t)
		case word, quoted, mark, end:
			c.tokens = append(c.tokens, t)
		}
		if len(c.tokens) > maxNodes {
			c.refuse(RuleSize, "the statement is too large", "write a simpler one")
			return
		}
	}
}

// pair finds where parentheses close.
func (c *tokenCheck) pair() {
	var open []int
	for i, t := range c.tokens {
		switch {
		case t.is("("):
			open = append(open, i)
		case t.is(")") && len(open) > 0:
			c.closers[open[len(open)-1]] = i
			open = open[:len(open)-1]
		}
		if len(open) > maxDepth {
			c.refuse(RuleSize, "the statement is too deep", "write a simpler one")
			return
		}
	}
}

// ambiguous reports whether a literal of a dialect without backslashes holds one before
// the end of a line: SQL Server leaves both out.
func (c *tokenCheck) ambiguous(raw string) bool {
	return c.reading.lexicon.escapes == "" && (strings.Contains(raw, "\\\n") || strings.Contains(raw, "\\\r"))
}

// peek returns the token n places ahead.
func (c *tokenCheck) peek(n int) token {
	if c.fault != nil || c.place+n >= len(c.tokens) {
		return token{}
	}
	return c.tokens[c.place+n]
}

// at reports whether these words, or marks, come next.
func (c *tokenCheck) at(list ...string) bool {
	for i, w := range list {
		if t := c.peek(i); !t.isWord(w) && !t.is(w) {
			return false
		}
	}
	return true
}

// atAny reports whether one of these words comes next.
func (c *tokenCheck) atAny(set map[string]bool) bool {
	t := c.peek(0)
	return t.kind == word && set[strings.ToUpper(t.raw)]
}

// skip goes on without printing.
func (c *tokenCheck) skip() { c.place++ }

// take prints the next token and goes on. Words of the language are printed in
// capitals only where they were.
func (c *tokenCheck) take() {
	t := c.peek(0)
	if t.kind == quoted {
		c.put(c.reading.quote(t.name))
	} else if t.kind != end {
		c.put(t.raw)
	}
	c.skip()
}

// accept takes the words, if they come next, and reports whether they did.
func (c *tokenCheck) accept(list ...string) bool {
	if !c.at(list...) {
		return false
	}
	for range list {
		c.take()
	}
	return true
}

// acceptAny takes words as long as they are of the set.
func (c *tokenCheck) acceptAny(set map[string]bool) bool {
	took := false
	for c.atAny(set) {
		c.take()
		took = true
	}
	return took
}

// expect takes a word or a mark that must come next.
func (c *tokenCheck) expect(w string) {
	if !c.accept(w) {
		c.unexpected()
	}
}

// unexpected refuses what comes next.
func (c *tokenCheck) unexpected() {
	t := c.peek(0)
	if t.kind == end {
		c.refuse(RuleSyntax, "the statement ends too early", "mend its syntax")
		return
	}
	c.refuse(RuleSyntax, "at "+firstLine(t.raw)+" the statement cannot be read", "write a plain query; not all of the language is possible here")
}

// put prints s, with a space before it where one belongs.
func (c *tokenCheck) put(s string) {
	if c.fault != nil {
		return
	}
	if c.last != "" && !tight[c.last] && !tightBefore[s] {
		c.out.WriteByte(' ')
	}
	c.out.WriteString(s)
	c.last = s
}

// glue prints s right behind what was printed last.
func (c *tokenCheck) glue(s string) {
	if c.fault == nil {
		c.out.WriteString(s)
		c.last = s
	}
}

// tight marks are followed by no space, and tightBefore come after none.
var (
	tight       = map[string]bool{"(": true, "[": true, ".": true, "::": true, ":": true}
	tightBefore = map[string]bool{")": true, "]": true, ".": true, "::": true, ":": true, ",": true}
)

// listed reads what one reads, and more of it after commas.
func (c *tokenCheck) listed(one func()) {
	for one(); c.fault == nil && c.accept(","); {
		one()
	}
}

// inParens reads what stands in parentheses, the first of which comes next.
func (c *tokenCheck) inParens(inside func()) {
	c.expect("(")
	inside()
	c.expect(")")
}

// label returns the name that comes next, and goes on: as the server takes it.
func (c *tokenCheck) label() string {
	t := c.peek(0)
	name := t.name
	switch {
	case t.kind == quoted:
	case t.kind == word && !c.reading.reserved[strings.ToUpper(t.raw)]:
		name = t.raw
		if c.reading.upper {
			name = strings.ToUpper(name)
		}
	default:
		c.unexpected()
	}
	if name == "" {
		c.unexpected()
	}
	c.skip()
	return name
}

// labelled reads a name and prints it in quotes, so that it is nothing else.
func (c *tokenCheck) labelled() { c.put(c.reading.quote(c.label())) }

// alias reads AS and a name, or a name alone if it may stand alone, if they come
// next, and prints both. It returns the name.
func (c *tokenCheck) alias() string {
	t := c.peek(0)
	switch {
	case c.at("AS"):
		c.skip()
	case t.kind == quoted, t.kind == word && !c.reading.reserved[strings.ToUpper(t.raw)]:
	default:
		return ""
	}
	name := c.aliasName()
	c.shadow(name)
	c.put("AS")
	c.put(c.reading.quote(name))
	return name
}

// aliasName returns the name after AS, and goes on; in SQL Server it may be a literal.
func (c *tokenCheck) aliasName() string {
	t := c.peek(0)
	if !c.reading.apply || t.kind != text || t.raw[0] != '\'' || len(t.raw) < 3 {
		return c.label()
	}
	c.skip()
	return strings.ReplaceAll(t.raw[1:len(t.raw)-1], "''", "'")
}

// shadow refuses to give a value the name of the column that the filter is on: in
// ClickHouse the filter would then be on the value.
func (c *tokenCheck) shadow(name string) {
	column := strings.ToLower(c.guard.filter.Column)
	if low := strings.ToLower(name); c.reading.values && column != "" && (low == column || strings.HasSuffix(low, "."+column)) {
		c.refuse(RuleRelation, "the name "+name+" is that of the column by which rows are held", "use another name")
	}
}
