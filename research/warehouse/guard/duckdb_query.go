package guard

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// duckNames are the names that a WITH defines, and those around it.
type duckNames struct {
	names []string
	above *duckNames
}

// has reports whether a name without a schema is one of them.
func (s *duckNames) has(name string) bool {
	for ; s != nil; s = s.above {
		if slices.Contains(s.names, lowASCII(name)) {
			return true
		}
	}
	return false
}

// statement checks the object that holds a query.
func (c *duckCheck) statement(n duckNode, names *duckNames) {
	if c.keys(n, "node") {
		query, _ := n["node"].(duckNode)
		c.query(query, names)
	}
}

// query checks a SELECT, a set operation, or a recursive part of WITH. names are those of WITH
// that it sees; nil means none.
func (c *duckCheck) query(n duckNode, names *duckNames) {
	if !c.enter() {
		return
	}
	defer c.leave()
	switch kind, _ := n["type"].(string); kind {
	case "SELECT_NODE":
		c.selectNode(n, names)
	case "SET_OPERATION_NODE":
		if c.keys(n, "type modifiers cte_map setop_type setop_all left right children") {
			names = c.with(n["cte_map"], names)
			c.queries(names, n["left"], n["right"])
			list, _ := n["children"].([]any)
			c.queries(names, list...)
			c.modifiers(n["modifiers"], names)
		}
	case "RECURSIVE_CTE_NODE":
		if c.keys(n, "type modifiers cte_map cte_name union_all left right aliases key_targets") {
			names = c.with(n["cte_map"], names)
			c.queries(names, n["left"])
			name, _ := n["cte_name"].(string)
			c.queries(&duckNames{[]string{lowASCII(name)}, names}, n["right"])
			c.exprs(n["key_targets"], names)
			c.modifiers(n["modifiers"], names)
		}
	default:
		c.refuse(RuleNode, "the statement holds "+duckKind(n)+", which is not possible here", "write SELECT")
	}
}

// queries checks queries; nil is skipped.
func (c *duckCheck) queries(names *duckNames, list ...any) {
	for _, v := range list {
		if n, ok := v.(duckNode); ok || v != nil {
			c.query(n, names)
		}
	}
}

// selectNode checks one SELECT.
func (c *duckCheck) selectNode(n duckNode, names *duckNames) {
	if !c.keys(n, "type modifiers cte_map select_list from_table where_clause group_expressions group_sets aggregate_handling having sample qualify") {
		return
	}
	names = c.with(n["cte_map"], names)
	c.from(n["from_table"], names)
	c.exprs(n["select_list"], names)
	c.exprs(n["group_expressions"], names)
	for _, key := range []string{"where_clause", "having", "qualify"} {
		c.expr(n[key], names)
	}
	c.sample(n["sample"])
	c.modifiers(n["modifiers"], names)
}

// with checks the queries of a WITH and returns names extended by theirs. A query sees those
// before it; a recursive one sees itself only in its recursive part.
func (c *duckCheck) with(v any, names *duckNames) *duckNames {
	if v == nil {
		return names
	}
	n, _ := v.(duckNode)
	if !c.keys(n, "map") {
		return names
	}
	list, _ := n["map"].([]any)
	for _, item := range list {
		entry, _ := item.(duckNode)
		cte, _ := entry["value"].(duckNode)
		if !c.keys(entry, "key value") || !c.keys(cte, "aliases query materialized key_targets") {
			return names
		}
		inner, _ := cte["query"].(duckNode)
		c.statement(inner, names)
		c.exprs(cte["key_targets"], names)
		key, _ := entry["key"].(string)
		names = &duckNames{[]string{lowASCII(key)}, names}
	}
	return names
}

// modifiers checks ORDER BY, LIMIT and DISTINCT.
func (c *duckCheck) modifiers(v any, names *duckNames) {
	list, _ := v.([]any)
	for _, item := range list {
		n, _ := item.(duckNode)
		if !c.keys(n, "type orders limit offset distinct_on_targets") {
			return
		}
		switch n["type"] {
		case "ORDER_MODIFIER", "LIMIT_MODIFIER", "LIMIT_PERCENT_MODIFIER", "DISTINCT_MODIFIER":
		default:
			c.refuse(RuleNode, "the statement holds "+duckKind(n)+", which is not possible here", "leave it out")
		}
		c.orders(n["orders"], names)
		c.expr(n["limit"], names)
		c.expr(n["offset"], names)
		c.exprs(n["distinct_on_targets"], names)
	}
}

// orders checks ORDER BY expressions.
func (c *duckCheck) orders(v any, names *duckNames) {
	list, _ := v.([]any)
	for _, item := range list {
		n, _ := item.(duckNode)
		if c.keys(n, "type null_order expression") {
			c.expr(n["expression"], names)
		}
	}
}

// sample checks TABLESAMPLE, which may hold constants only.
func (c *duckCheck) sample(v any) {
	if v == nil {
		return
	}
	n, _ := v.(duckNode)
	if c.keys(n, "sample_size is_percentage method seed") {
		size, _ := n["sample_size"].(duckNode)
		c.value(size)
	}
}

// from checks one item of FROM.
func (c *duckCheck) from(v any, names *duckNames) {
	n, ok := v.(duckNode)
	if !ok && v == nil || !c.enter() {
		return
	}
	defer c.leave()
	c.sample(n["sample"])
	switch n["type"] {
	case "EMPTY":
		c.keys(n, "type alias sample query_location")
	case "BASE_TABLE":
		c.relation(n, names)
	case "SUBQUERY":
		if c.keys(n, "type alias sample query_location subquery column_name_alias") {
			inner, _ := n["subquery"].(duckNode)
			c.statement(inner, names)
		}
	case "JOIN":
		if c.keys(n, "type alias sample query_location left right condition join_type ref_type using_columns delim_flipped is_implicit") {
			c.from(n["left"], names)
			c.from(n["right"], names)
			c.expr(n["condition"], names)
		}
	case "EXPRESSION_LIST":
		if c.keys(n, "type alias sample query_location values expected_names expected_types column_name_alias") {
			c.rows(n["values"], names)
		}
	case "TABLE_FUNCTION":
		c.tableFunction(n, names)
	case "PIVOT":
		c.pivot(n, names)
	case "SHOW_REF":
		c.show(n, names)
	default:
		c.refuse(RuleNode, "FROM holds "+duckKind(n)+", which is not possible here", "name tables, or queries in parentheses")
	}
}

// rows checks the rows of VALUES.
func (c *duckCheck) rows(v any, names *duckNames) {
	list, _ := v.([]any)
	for _, row := range list {
		c.exprs(row, names)
	}
}

// show checks DESCRIBE and SUMMARIZE of a query. SHOW of the catalog itself is refused.
func (c *duckCheck) show(n duckNode, names *duckNames) {
	if n["query"] == nil || n["show_type"] != "SUMMARY" && n["show_type"] != "DESCRIBE" {
		c.refuse(RuleStatement, "SHOW is not possible here", "the catalog has the tables and columns")
		return
	}
	if c.keys(n, "type alias sample query_location query show_type column_name_alias") {
		c.queries(names, n["query"])
	}
}

// duckTables are the functions allowed in FROM.
var duckTables = words("range generate_series unnest")

// tableFunction checks a function in FROM. Those that read files or settings are not among them.
func (c *duckCheck) tableFunction(n duckNode, names *duckNames) {
	if !c.keys(n, "type alias sample query_location function column_name_alias with_ordinality") {
		return
	}
	call, _ := n["function"].(duckNode)
	name, _ := call["function_name"].(string)
	if !duckTables[strings.ToLower(name)] {
		c.refuse(RuleFunction, "the function "+firstLine(name)+" is not possible in FROM", "name tables of the catalog")
		return
	}
	c.expr(call, names)
}

// pivot checks PIVOT or UNPIVOT in FROM.
func (c *duckCheck) pivot(n duckNode, names *duckNames) {
	if !c.keys(n, "type alias sample query_location source aggregates unpivot_names pivots groups column_name_alias include_nulls") {
		return
	}
	c.from(n["source"], names)
	c.exprs(n["aggregates"], names)
	list, _ := n["pivots"].([]any)
	for _, item := range list {
		p, _ := item.(duckNode)
		if !c.keys(p, "pivot_expressions unpivot_names entries") {
			return
		}
		c.exprs(p["pivot_expressions"], names)
		entries, _ := p["entries"].([]any)
		for _, e := range entries {
			entry, _ := e.(duckNode)
			if !c.keys(entry, "values star_expr alias") {
				return
			}
			c.expr(entry["star_expr"], names)
			values, _ := entry["values"].([]any)
			for _, v := range values {
				value, _ := v.(duckNode)
				c.value(value)
			}
		}
	}
}

// relation checks a table in FROM, qualifies its name, and puts the filter around it if it
// has the filter's column.
func (c *duckCheck) relation(n duckNode, names *duckNames) {
	schema, _ := n["schema_name"].(string)
	name, _ := n["table_name"].(string)
	if !nothing(n["catalog_name"]) {
		c.refuse(RuleRelation, "there is only one database", "write schema and table")
		return
	}
	if !c.keys(n, "type alias sample query_location schema_name table_name column_name_alias") || schema == "" && names.has(name) {
		return
	}
	r := c.guard.find(schema, name)
	if r == nil {
		no := c.guard.unknown(schema, name)
		c.refuse(no.Rule, no.What, no.Remedy)
		return
	}
	if nothing(n["alias"]) {
		n["alias"] = name // columns may be qualified by the name as it was written
		c.qualified[lowASCII(r.Schema+"\x00"+r.Name)] = true
	}
	n["schema_name"], n["table_name"] = r.Schema, r.Name
	c.read(r)
	if r.filtered && c.hold {
		holdDuck(n, r, c.condition(r))
	}
}

// read records a relation, once.
func (c *duckCheck) read(r *relation) {
	ref := dotted(r.Schema, r.Name)
	if !slices.Contains(c.tables, ref) {
		c.tables = append(c.tables, ref)
	}
	if r.filtered && c.hold && !slices.Contains(c.held, ref) {
		c.held = append(c.held, ref)
	}
}

// condition returns the condition for one tenant's rows of r, as a tree. The one that follows
// foreign keys is parsed by DuckDB.
func (c *duckCheck) condition(r *relation) any {
	if r.tie.Column != "" {
		return duckEqual(r.tie.Column, c.guard.filter.Value)
	}
	w := tieWriter{guard: c.guard, quote: doubleQuotes, relation: func(r *relation) string { return quotedParts(r, doubleQuotes) }, read: c.read,
		compare: func(column, value string) string { return column + " = '" + strings.ReplaceAll(value, "'", "''") + "'" }}
	tree, err := c.guard.parser.Parse("SELECT 1 WHERE " + w.condition(r, r.Name))
	var doc struct {
		Statements []struct {
			Node duckNode `json:"node"`
		} `json:"statements"`
	}
	if err == nil {
		d := json.NewDecoder(bytes.NewReader(tree))
		d.UseNumber()
		err = d.Decode(&doc)
	}
	if err != nil || len(doc.Statements) != 1 || nothing(doc.Statements[0].Node["where_clause"]) {
		c.refuse(RuleRelation, "the filter of the table cannot be written", "ask an administrator to correct the filter")
		return nil
	}
	return doc.Statements[0].Node["where_clause"]
}

// duckEqual returns the tree that compares a column with a text.
func duckEqual(column, value string) duckNode {
	where, left, right := duckExpression("COMPARISON", "COMPARE_EQUAL"), duckExpression("COLUMN_REF", "COLUMN_REF"), duckExpression("CONSTANT", "VALUE_CONSTANT")
	left["column_names"] = []any{column}
	right["value"] = duckNode{"type": duckNode{"id": "VARCHAR", "type_info": nil}, "is_null": false, "value": value}
	where["left"], where["right"] = left, right
	return where
}

// duckExpression returns the beginning of an expression's tree.
func duckExpression(class, kind string) duckNode {
	return duckNode{"class": class, "type": kind, "alias": ""}
}

// holdDuck replaces table n by the query for one tenant's rows of it. The node keeps its alias,
// so that references to it stay valid. The tree is built as DuckDB serialises it.
func holdDuck(n duckNode, r *relation, where any) {
	table := duckNode{"type": "BASE_TABLE", "alias": "", "schema_name": r.Schema, "table_name": r.Name, "column_name_alias": []any{}, "catalog_name": ""}
	star := duckExpression("STAR", "STAR")
	for _, key := range []string{"exclude_list", "replace_list", "qualified_exclude_list", "rename_list"} {
		star[key] = []any{}
	}
	star["relation_name"], star["columns"] = "", false
	query := duckNode{"type": "SELECT_NODE", "modifiers": []any{}, "cte_map": duckNode{"map": []any{}}, "select_list": []any{star}, "from_table": table, "where_clause": where,
		"group_expressions": []any{}, "group_sets": []any{}, "aggregate_handling": "STANDARD_HANDLING"}
	for _, key := range []string{"schema_name", "table_name", "catalog_name", "at_clause"} {
		delete(n, key)
	}
	n["type"], n["subquery"] = "SUBQUERY", duckNode{"node": query, "named_param_map": []any{}}
}
