package guard

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// DuckDB is the dialect that DuckDB itself parses and prints; see [Parser].
const DuckDB Dialect = "duckdb"

// Parser is DuckDB's own parser. It is safe for concurrent use.
type Parser interface {
	// Parse returns the tree of a statement as json_serialize_sql does. For a statement
	// that cannot be parsed the tree says so; an error means that it was not parsed at all.
	Parse(sql string) (tree []byte, err error)
	// Print returns the statement of a tree, as json_deserialize_sql does.
	Print(tree []byte) (string, error)
}

// duckNode is an object in the tree. Its keys are those of json_serialize_sql; numbers are
// json.Number.
type duckNode = map[string]any

// checkDuckDB checks a statement with DuckDB's grammar. The printed statement is parsed and
// checked again: it must read the same tables.
func (g *Guard) checkDuckDB(sql string, p Parser) (Statement, error) {
	tree, err := p.Parse(sql)
	if err != nil {
		return Statement{}, fmt.Errorf("parse a statement: %w", err)
	}
	c := &duckCheck{guard: g, hold: true}
	doc, refusal := c.document(tree)
	if refusal != nil {
		return Statement{}, refusal
	}
	checked, err := json.Marshal(doc)
	if err != nil {
		return Statement{}, fmt.Errorf("write a tree: %w", err)
	}
	printed, err := p.Print(checked)
	if err != nil {
		return Statement{}, &Refusal{RuleNode, "the statement cannot be written again: " + firstLine(err.Error()), "write it in a simpler way"}
	}
	if tree, err = p.Parse(printed); err != nil {
		return Statement{}, fmt.Errorf("parse a statement: %w", err)
	}
	reading := *g
	reading.again = true
	again := &duckCheck{guard: &reading}
	if _, refusal := again.document(tree); refusal != nil || !slices.Equal(slices.Sorted(slices.Values(c.tables)), slices.Sorted(slices.Values(again.tables))) {
		return Statement{}, &Refusal{RuleNode, "the statement means something else when it is written again", "write it in a simpler way"}
	}
	return Statement{SQL: printed, Tables: c.tables, Filtered: c.held, Columns: c.columns}, nil
}

// duckCheck walks one tree. The first refusal ends the walk.
type duckCheck struct {
	guard     *Guard
	hold      bool // put the filter around tables; false for the second check
	fault     *Refusal
	nodes     int
	depth     int
	tables    []string
	held      []string
	columns   columns
	named     map[string]bool // columns and aliases that the statement defines, in lower case
	qualified map[string]bool // "schema\x00table" of the tables in FROM without an alias
}

// document checks the whole tree and returns it with the filters put in. A tree that tells of an
// error, or holds parameters, is refused.
func (c *duckCheck) document(tree []byte) (duckNode, *Refusal) {
	var doc duckNode
	d := json.NewDecoder(bytes.NewReader(tree))
	d.UseNumber()
	if err := d.Decode(&doc); err != nil {
		return nil, &Refusal{RuleSyntax, "the statement cannot be read", "write it in a simpler way"}
	}
	if failed, _ := doc["error"].(bool); failed {
		return nil, duckRefusal(doc)
	}
	list, _ := doc["statements"].([]any)
	if len(list) != 1 || !onlyKeys(doc, "error statements") {
		return nil, &Refusal{RuleStatement, "there is not exactly one statement", "write one SELECT"}
	}
	statement, _ := list[0].(duckNode)
	if params, _ := statement["named_param_map"].([]any); len(params) > 0 {
		return nil, &Refusal{RuleNode, "parameters are not possible here", "write the values"}
	}
	c.named, c.qualified = map[string]bool{}, map[string]bool{}
	c.aliases(doc)
	c.statement(statement, nil)
	return doc, c.fault
}

// duckRefusal returns the refusal for a statement without a tree.
func duckRefusal(doc duckNode) *Refusal {
	message, _ := doc["error_message"].(string)
	if kind, _ := doc["error_type"].(string); kind == "not implemented" {
		return &Refusal{RuleStatement, "the statement is no query, or one that cannot be checked: " + firstLine(message), "write one SELECT, or WITH … SELECT"}
	}
	return &Refusal{RuleSyntax, "the statement cannot be parsed: " + firstLine(message), "fix its syntax"}
}

// aliases collects the names that the statement defines. They are collected without regard to
// scope, which only widens what may be called a column instead of a fact about the session.
func (c *duckCheck) aliases(v any) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			c.aliases(item)
		}
	case duckNode:
		if alias, ok := v["alias"].(string); ok {
			c.named[lowASCII(alias)] = true
		}
		for _, key := range []string{"column_name_alias", "aliases"} {
			for _, name := range texts(v[key]) {
				c.named[lowASCII(name)] = true
			}
		}
		for _, item := range v {
			c.aliases(item)
		}
	}
}

// refuse keeps the first refusal.
func (c *duckCheck) refuse(rule Rule, what, remedy string) {
	if c.fault == nil {
		c.fault = &Refusal{rule, what, remedy}
	}
}

// enter counts a node and reports whether to descend into it.
func (c *duckCheck) enter() bool {
	c.nodes++
	if c.depth++; c.depth > maxDepth || c.nodes > maxNodes {
		c.refuse(RuleSize, "the statement is too deep or too large", "write a simpler one")
	}
	return c.fault == nil
}

// leave ends what enter began.
func (c *duckCheck) leave() { c.depth-- }

// keys refuses a node that has any keys besides the known ones, and reports whether the walk goes
// on. A key that DuckDB adds in a later version is thereby refused until it is known here.
func (c *duckCheck) keys(n duckNode, known string) bool {
	if n == nil || !onlyKeys(n, known) {
		c.refuse(RuleNode, "the statement holds "+duckKind(n)+" of a kind that is not possible here", "write it in a simpler way")
		return false
	}
	return c.fault == nil
}

// onlyKeys reports whether every non-empty key of n is among the words of known. known is
// separated by spaces.
func onlyKeys(n duckNode, known string) bool {
	list := strings.Fields(known)
	for key, v := range n {
		if !nothing(v) && !slices.Contains(list, key) {
			return false
		}
	}
	return true
}

// nothing reports whether the value of a key is empty. Such keys are written for parts that a
// statement does not have. Numbers are never empty.
func nothing(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return v == ""
	case bool:
		return !v
	case []any:
		return len(v) == 0
	}
	return false
}

// duckKind returns a name for the kind of n, for messages.
func duckKind(n duckNode) string {
	for _, key := range []string{"type", "class"} {
		if kind, _ := n[key].(string); kind != "" {
			return strings.ToLower(strings.ReplaceAll(firstLine(kind), "_", " "))
		}
	}
	return "a part"
}

// texts returns the strings of a list. Anything else in it becomes NUL, which no list has.
func texts(v any) []string {
	list, _ := v.([]any)
	out := make([]string, 0, len(list))
	for _, item := range list {
		s, ok := item.(string)
		if !ok {
			s = "\x00"
		}
		out = append(out, s)
	}
	return out
}

// lowASCII folds s as DuckDB does when it compares names: ASCII letters only.
func lowASCII(s string) string {
	b := []byte(s)
	for i, r := range b {
		if 'A' <= r && r <= 'Z' {
			b[i] = r + 'a' - 'A'
		}
	}
	return string(b)
}
