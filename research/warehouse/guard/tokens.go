package guard

import (
	"slices"
	"strconv"
	"strings"
)

// checkTokens checks a statement of a dialect without a complete grammar. It parses the
// queries that analysts write, token by token, and refuses everything else. The printed
// statement must be parsed and printed as the same again.
func (g *Guard) checkTokens(sql string, d *tokenDialect) (Statement, error) {
	c := g.readTokens(sql, d)
	if c.fault != nil {
		return Statement{}, c.fault
	}
	bare := *g
	bare.filter.Column, bare.again = "", true
	again := bare.readTokens(c.out.String(), d)
	if again.fault != nil || again.out.String() != c.out.String() || !slices.Equal(slices.Sorted(slices.Values(again.tables)), slices.Sorted(slices.Values(c.tables))) {
		return Statement{}, &Refusal{RuleNode, "the statement cannot be written again", "write it in a simpler way"}
	}
	return Statement{SQL: c.out.String(), Tables: c.tables, Filtered: c.held, Columns: c.columns}, nil
}

// readTokens parses one statement and prints it. The result has a fault if the statement is
// refused; what was printed until then must not be used.
func (g *Guard) readTokens(sql string, d *tokenDialect) *tokenCheck {
	c := &tokenCheck{guard: g, dialect: d, closers: map[int]int{}}
	c.lex(sql)
	c.pair()
	for c.dialect.apply && c.at(";", "WITH") {
		c.skip()
	}
	if t := c.peek(0); c.fault == nil && !c.at("SELECT") && !c.at("WITH") && !t.is("(") && !(c.dialect.pipes && c.at("FROM")) {
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

// tokenCheck parses the tokens of one statement and prints what it accepts. The first refusal
// ends it. It belongs to one statement. After a refusal peek returns the end of the statement, so
// that all loops end.
type tokenCheck struct {
	walk
	guard   *Guard
	dialect *tokenDialect
	tokens  []token
	closers map[int]int // index of the closing parenthesis by that of the opening one
	place   int         // index of the next token
	out     strings.Builder
	last    string // what was printed last
}

// is reports whether t is the mark m.
func (t token) is(m string) bool { return t.kind == mark && t.raw == m }

// isWord reports whether t is the word w, in any case.
func (t token) isWord(w string) bool { return t.kind == word && strings.EqualFold(t.raw, w) }

// atMost reports whether t is a whole number of at most most. Fractions and exponents do not
// count as whole, whatever their value.
func (t token) atMost(most int) bool {
	n, err := strconv.Atoi(t.raw)
	return t.kind == number && err == nil && n <= most
}

// lex splits a statement into tokens without comments and white space. Comments are dropped here
// and never reach the server. A comment within another is refused, because servers disagree about
// where it ends.
func (c *tokenCheck) lex(sql string) {
	for i := 0; i < len(sql); {
		t := c.dialect.lexicon.next(sql[i:])
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
			if !c.dialect.lexicon.numbers.MatchString(t.raw) {
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

// pair matches parentheses. One that is closed without having been opened is left to the parser,
// which refuses it. Deep nesting is refused here, before anything recurses.
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

// ambiguous reports whether a literal has a backslash before a line break in a dialect
// without escapes: SQL Server drops both.
func (c *tokenCheck) ambiguous(raw string) bool {
	return c.dialect.lexicon.escapes == "" && (strings.Contains(raw, "\\\n") || strings.Contains(raw, "\\\r"))
}

// peek returns the token n places ahead; its kind is end beyond the last one.
func (c *tokenCheck) peek(n int) token {
	if c.fault != nil || c.place+n >= len(c.tokens) {
		return token{}
	}
	return c.tokens[c.place+n]
}

// peekUpper returns the next token in upper case if it is a word; empty for anything else.
func (c *tokenCheck) peekUpper() string {
	if t := c.peek(0); t.kind == word {
		return strings.ToUpper(t.raw)
	}
	return ""
}

// at reports whether these words or marks come next. Words are compared regardless of case.
func (c *tokenCheck) at(list ...string) bool {
	for i, w := range list {
		if t := c.peek(i); !t.isWord(w) && !t.is(w) {
			return false
		}
	}
	return true
}

// atAny reports whether a word of the set comes next.
func (c *tokenCheck) atAny(set map[string]bool) bool {
	t := c.peek(0)
	return t.kind == word && set[strings.ToUpper(t.raw)]
}

// skip advances without printing.
func (c *tokenCheck) skip() { c.place++ }

// emit prints the next token and advances. Words keep their case. Names in quotes are quoted
// again in the dialect's way, so that what is printed does not depend on how they were written.
func (c *tokenCheck) emit() {
	t := c.peek(0)
	if t.kind == quoted {
		c.put(c.dialect.quote(t.name))
	} else if t.kind != end {
		c.put(t.raw)
	}
	c.skip()
}

// accept takes the words if they come next, and reports whether they did. It takes all of them or
// none.
func (c *tokenCheck) accept(list ...string) bool {
	if !c.at(list...) {
		return false
	}
	for range list {
		c.emit()
	}
	return true
}

// acceptAny takes words as long as they are in the set, and reports whether there were any.
func (c *tokenCheck) acceptAny(set map[string]bool) bool {
	took := false
	for c.atAny(set) {
		c.emit()
		took = true
	}
	return took
}

// expect takes a word or mark that must come next.
func (c *tokenCheck) expect(w string) {
	if !c.accept(w) {
		c.unexpected()
	}
}

// unexpected refuses the next token. The remedy does not list what would be possible: that is
// most of the language.
func (c *tokenCheck) unexpected() {
	t := c.peek(0)
	if t.kind == end {
		c.refuse(RuleSyntax, "the statement ends too early", "fix its syntax")
		return
	}
	if w := c.peekUpper(); constructs[w] != "" {
		c.refuse(RuleSyntax, w+" is not possible here", constructs[w])
		return
	}
	if c.at("FOR", "JSON") || c.at("FOR", "XML") {
		c.refuse(RuleSyntax, "FOR "+strings.ToUpper(c.peek(1).raw)+" is not possible here", "leave it out; rows are returned as they are")
		return
	}
	c.refuse(RuleSyntax, "at "+firstLine(t.raw)+" the statement cannot be read", "write a plain query; not all of the language is possible here")
}

// put prints s, preceded by a space where one belongs.
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

// glue prints s without a space before it.
func (c *tokenCheck) glue(s string) {
	if c.fault == nil {
		c.out.WriteString(s)
		c.last = s
	}
}

// No space follows a tight mark, and none precedes a mark in tightBefore.
var (
	tight       = map[string]bool{"(": true, "[": true, ".": true, "::": true, ":": true}
	tightBefore = map[string]bool{")": true, "]": true, ".": true, "::": true, ":": true, ",": true}
)

// commaSeparated parses one or more items with commas between them. A comma that nothing follows
// is refused by the item that is missing.
func (c *tokenCheck) commaSeparated(one func()) {
	for one(); c.fault == nil && c.accept(","); {
		one()
	}
}

// inParens parses something in parentheses.
func (c *tokenCheck) inParens(inside func()) {
	c.expect("(")
	inside()
	c.expect(")")
}

// label returns the name that comes next as the server understands it, and advances. An empty
// name, or a reserved word without quotes, is refused. Where the server folds names to upper
// case, an unquoted name is returned in upper case.
func (c *tokenCheck) label() string {
	t := c.peek(0)
	name := t.name
	switch {
	case t.kind == quoted:
	case t.kind == word && !c.dialect.reserved[strings.ToUpper(t.raw)]:
		name = t.raw
		if c.dialect.upper {
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

// quotedLabel parses a name and prints it quoted, so that it cannot mean anything else.
func (c *tokenCheck) quotedLabel() { c.put(c.dialect.quote(c.label())) }

// alias parses and prints AS and a name, or a name alone where that is an alias. It returns
// the name; empty if there is none.
func (c *tokenCheck) alias() string {
	t := c.peek(0)
	switch {
	case c.at("AS"):
		c.skip()
	case t.kind == quoted, t.kind == word && !c.dialect.reserved[strings.ToUpper(t.raw)]:
	default:
		return ""
	}
	name := c.aliasName()
	c.shadow(name)
	c.put("AS")
	c.put(c.dialect.quote(name))
	return name
}

// aliasName returns the name after AS and advances. SQL Server allows a literal there.
func (c *tokenCheck) aliasName() string {
	t := c.peek(0)
	if !c.dialect.apply || t.kind != text || t.raw[0] != '\'' || len(t.raw) < 3 {
		return c.label()
	}
	c.skip()
	return strings.ReplaceAll(t.raw[1:len(t.raw)-1], "''", "'")
}

// shadow refuses to name a value like the filter's column: in ClickHouse the filter would
// then apply to that value.
func (c *tokenCheck) shadow(name string) {
	column := strings.ToLower(c.guard.filter.Column)
	if low := strings.ToLower(name); c.dialect.values && column != "" && (low == column || strings.HasSuffix(low, "."+column)) {
		c.refuse(RuleRelation, "the name "+name+" is that of the column by which rows are held", "use another name")
	}
}
