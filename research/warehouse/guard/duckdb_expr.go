package guard

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// duckKeys are the keys that every expression may have besides those of its class.
const duckKeys = "class type alias query_location "

// duckParts lists, by class, the other keys of an expression: plain values, those that hold
// one expression, and those that hold a list. A class that is neither here nor in
// [duckCheck.special] is refused.
var duckParts = map[string]struct{ plain, one, many string }{
	"BETWEEN":              {"", "input lower upper", ""},
	"CASE":                 {"", "else_expr", "case_checks"},
	"COLLATE":              {"collation", "child", ""},
	"COMPARISON":           {"", "left right", ""},
	"CONJUNCTION":          {"", "", "children"},
	"LAMBDA":               {"syntax_type", "lhs expr", ""},
	"POSITIONAL_REFERENCE": {"index", "", ""},
}

// duckOperators are the allowed types of expressions of class OPERATOR.
var duckOperators = words(`COMPARE_IN COMPARE_NOT_IN OPERATOR_NOT OPERATOR_IS_NULL OPERATOR_IS_NOT_NULL OPERATOR_COALESCE OPERATOR_NULLIF OPERATOR_TRY OPERATOR_UNPACK
	ARRAY_EXTRACT ARRAY_SLICE ARRAY_CONSTRUCTOR STRUCT_EXTRACT GROUPING_FUNCTION`)

// exprs checks a list of expressions.
func (c *duckCheck) exprs(v any, names *duckNames) {
	list, _ := v.([]any)
	for _, item := range list {
		c.expr(item, names)
	}
}

// expr checks one expression, or nil. The branches of a CASE come as objects without a class.
func (c *duckCheck) expr(v any, names *duckNames) {
	if v == nil || !c.enter() {
		return
	}
	defer c.leave()
	n, _ := v.(duckNode)
	class, _ := n["class"].(string)
	if c.special(class, n, names) {
		return
	}
	parts, ok := duckParts[class]
	if !ok {
		if w, isCheck := n["when_expr"]; isCheck && onlyKeys(n, "when_expr then_expr") {
			c.expr(w, names)
			c.expr(n["then_expr"], names)
			return
		}
		c.refuse(RuleNode, "the statement holds "+duckKind(n)+", which is not possible here", "write it in a simpler way")
		return
	}
	if !c.keys(n, duckKeys+parts.plain+" "+parts.one+" "+parts.many) {
		return
	}
	for _, key := range strings.Fields(parts.one) {
		c.expr(n[key], names)
	}
	for _, key := range strings.Fields(parts.many) {
		c.exprs(n[key], names)
	}
}

// special checks the classes that need more than a check of their parts, and reports whether
// class is one of them.
func (c *duckCheck) special(class string, n duckNode, names *duckNames) bool {
	switch class {
	case "CONSTANT":
		if c.keys(n, duckKeys+"value") {
			value, _ := n["value"].(duckNode)
			c.value(value)
		}
	case "COLUMN_REF":
		c.column(n)
	case "STAR":
		c.star(n, names)
	case "FUNCTION":
		c.function(n, names)
	case "WINDOW":
		c.window(n, names)
	case "OPERATOR":
		kind, _ := n["type"].(string)
		if !duckOperators[kind] {
			c.refuse(RuleOperator, "the operator "+duckKind(n)+" is not possible here", "use plain ones")
		}
		if c.keys(n, duckKeys+"children") {
			c.exprs(n["children"], names)
		}
	case "CAST":
		if c.keys(n, duckKeys+"child cast_type try_cast") {
			c.typeOf(n["cast_type"])
			c.expr(n["child"], names)
		}
	case "SUBQUERY":
		if c.keys(n, duckKeys+"subquery subquery_type child comparison_type") {
			inner, _ := n["subquery"].(duckNode)
			c.expr(n["child"], names)
			c.statement(inner, names)
		}
	default:
		return false
	}
	return true
}

// value checks a constant: its type must be known, and it must not hold another node.
func (c *duckCheck) value(n duckNode) {
	if !c.keys(n, "type is_null value") {
		return
	}
	c.typeOf(n["type"])
	switch v := n["value"].(type) {
	case nil, string, bool, json.Number:
	case duckNode:
		if !onlyKeys(v, "upper lower months days micros children base64") {
			c.refuse(RuleNode, "the statement holds a value of a kind that is not possible here", "write it in a simpler way")
		}
	default:
		c.refuse(RuleNode, "the statement holds a value of a kind that is not possible here", "write it in a simpler way")
	}
}

// duckTypes are the allowed types of values; duckNamed are those that are written by name.
var (
	duckTypes = words(`NULL BOOLEAN TINYINT SMALLINT INTEGER BIGINT HUGEINT UTINYINT USMALLINT UINTEGER UBIGINT UHUGEINT FLOAT DOUBLE DECIMAL VARCHAR CHAR BLOB BIT UUID
		DATE TIME TIMESTAMP TIMESTAMP_S TIMESTAMP_MS TIMESTAMP_NS INTERVAL LIST ARRAY STRUCT MAP UNION STRING_LITERAL INTEGER_LITERAL BIGNUM SQLNULL UNKNOWN VARIANT`)
	duckNamed = words("json enum varint bignum list struct map decimal numeric varchar array")
)

// typeOf checks a type. Types with a time zone are judged like those without.
func (c *duckCheck) typeOf(v any) {
	n, _ := v.(duckNode)
	if !c.enter() || !c.keys(n, "id type_info") {
		return
	}
	defer c.leave()
	id, _ := n["id"].(string)
	info, _ := n["type_info"].(duckNode)
	switch {
	case id == "UNBOUND":
		c.namedType(info)
	case !duckTypes[strings.TrimSuffix(id, " WITH TIME ZONE")]:
		c.refuse(RuleType, "the type "+firstLine(id)+" is not possible here", "use a plain type of the language")
	case info != nil:
		c.typeInfo(info)
	}
}

// namedType checks a type that is written by name.
func (c *duckCheck) namedType(info duckNode) {
	name, _ := info["name"].(string)
	if !duckNamed[strings.ToLower(name)] || !onlyKeys(info, "type name user_type_modifiers") {
		c.refuse(RuleType, "the type "+firstLine(name)+" is not possible here", "use a plain type of the language")
	}
	list, _ := info["user_type_modifiers"].([]any)
	for _, item := range list {
		value, _ := item.(duckNode)
		c.value(value)
	}
}

// typeInfo checks the details of a type.
func (c *duckCheck) typeInfo(info duckNode) {
	if !c.keys(info, "type width scale child_type child_types size alias values") {
		return
	}
	if info["child_type"] != nil {
		c.typeOf(info["child_type"])
	}
	list, _ := info["child_types"].([]any)
	for _, item := range list {
		child, _ := item.(duckNode)
		if c.keys(child, "first second") {
			c.typeOf(child["second"])
		}
	}
	if size, _ := info["size"].(json.Number); size != "" && !c.small(size, maxPadding) {
		c.refuse(RuleType, "an array type is too large", "write a smaller one")
	}
}

// small reports whether a number is between -most and most.
func (c *duckCheck) small(n json.Number, most float64) bool {
	f, err := strconv.ParseFloat(string(n), 64)
	return err == nil && f <= most && f >= -most
}

// duckSession are names that DuckDB resolves to facts about the session if no column has the
// name.
var duckSession = words("current_catalog current_database current_role current_schema current_user session_user user current_query")

// column checks a reference to a column. The schema of a table that now has an alias is
// removed from it.
func (c *duckCheck) column(n duckNode) {
	if !c.keys(n, duckKeys+"column_names") {
		return
	}
	names := texts(n["column_names"])
	if len(names) == 0 || slices.Contains(names, "\x00") {
		c.refuse(RuleNode, "a column has no name", "name it")
		return
	}
	if len(names) == 1 && duckSession[lowASCII(names[0])] && !c.known(names[0]) {
		c.refuse(RuleFunction, "the function "+names[0]+" is not possible here", "leave it out")
		return
	}
	if len(names) > 2 && c.qualified[lowASCII(names[0]+"\x00"+names[1])] {
		list, _ := n["column_names"].([]any)
		n["column_names"] = list[1:]
		names = names[1:]
	}
	c.columns.refer(names[:min(len(names), 2)]...) // what follows are fields within fields
}

// known reports whether name is a column of a table of the policy, or defined in the
// statement.
func (c *duckCheck) known(name string) bool {
	if c.named[lowASCII(name)] {
		return true
	}
	for _, r := range c.guard.relations {
		if spelled(r.Columns, name) != "" {
			return true
		}
	}
	return false
}

// star checks *, or COLUMNS.
func (c *duckCheck) star(n duckNode, names *duckNames) {
	if !c.keys(n, duckKeys+"relation_name exclude_list qualified_exclude_list replace_list rename_list columns expr unpacked") {
		return
	}
	c.expr(n["expr"], names)
	list, _ := n["replace_list"].([]any)
	for _, item := range list {
		pair, _ := item.(duckNode)
		if c.keys(pair, "key value") {
			c.expr(pair["value"], names)
		}
	}
}

// function checks a function call.
func (c *duckCheck) function(n duckNode, names *duckNames) {
	if !c.keys(n, duckKeys+"function_name schema children filter order_bys distinct is_operator") {
		return
	}
	c.call(n)
	c.exprs(n["children"], names)
	c.expr(n["filter"], names)
	if n["order_bys"] != nil {
		c.modifiers([]any{n["order_bys"]}, names)
	}
}

// window checks a call over a window.
func (c *duckCheck) window(n duckNode, names *duckNames) {
	if !c.keys(n, duckKeys+"function_name schema children partitions orders start end start_expr end_expr offset_expr default_expr ignore_nulls filter_expr exclude_clause distinct arg_orders") {
		return
	}
	c.call(n)
	c.exprs(n["children"], names)
	c.exprs(n["partitions"], names)
	c.orders(n["orders"], names)
	c.orders(n["arg_orders"], names)
	for _, key := range []string{"start_expr", "end_expr", "offset_expr", "default_expr", "filter_expr"} {
		c.expr(n[key], names)
	}
}

// call checks the name of a function, and those arguments that determine how much it
// produces or which other function it calls.
func (c *duckCheck) call(n duckNode) {
	written, _ := n["function_name"].(string)
	name := strings.ToLower(written)
	schema, _ := n["schema"].(string)
	args, _ := n["children"].([]any)
	switch {
	case schema != "" && schema != "main":
		c.refuse(RuleFunction, "functions of a schema are not possible here: "+firstLine(dotted(schema, written)), "use those of the language")
	case padFunctions[name]:
		c.pads(name, args)
	case name == "bar":
		c.bar(args)
	case name == "range" || name == "generate_series":
		c.series(name, args)
	case name == "format" || name == "printf":
		c.pattern(name, args)
	case duckAggregates[name]:
		c.aggregate(name, args)
	case !duckFunctions[name]:
		c.refuse(RuleFunction, "the function "+firstLine(written)+" is not possible here", remedyOf(written))
	}
}

// duckConstant returns the text of a number or string constant; ok is false for anything else.
// Its type is not looked at.
func duckConstant(v any) (string, bool) {
	n, _ := v.(duckNode)
	value, _ := n["value"].(duckNode)
	if n["class"] != "CONSTANT" || value == nil {
		return "", false
	}
	switch v := value["value"].(type) {
	case string:
		return v, true
	case json.Number:
		return string(v), true
	}
	return "", false
}

// pads checks the length to which a text is padded.
func (c *duckCheck) pads(name string, args []any) {
	if len(args) >= 2 {
		if n, ok := duckConstant(args[1]); ok && c.small(json.Number(n), maxPadding) {
			return
		}
	}
	c.refuse(RuleFunction, fmt.Sprintf("%s is possible up to %d characters, written as a number", name, maxPadding), "write the number")
}

// bar checks the width of a bar, which is 80 by default.
func (c *duckCheck) bar(args []any) {
	if len(args) > 3 {
		c.pads("bar", args[2:])
	}
}

// maxSeries is the largest number that a series may be written with. DuckDB runs in our own
// child process, whose memory is limited, so it is larger than for the servers.
const maxSeries = 1e8

// series checks the numbers written in range or generate_series.
func (c *duckCheck) series(name string, args []any) {
	for _, a := range args {
		n, _ := a.(duckNode)
		value, _ := n["value"].(duckNode)
		if big, _ := value["value"].(duckNode); big != nil && big["upper"] != nil {
			c.refuse(RuleFunction, name+" is too long", "write smaller numbers")
		}
		if number, ok := value["value"].(json.Number); ok && !c.small(number, maxSeries) {
			c.refuse(RuleFunction, name+" is too long", "write smaller numbers")
		}
	}
}

// wide matches a width of more than three digits, or one given as an argument.
var wide = regexp.MustCompile(`\d{4}|\*|\{[^}]*\{`)

// pattern checks the pattern of format and printf.
func (c *duckCheck) pattern(name string, args []any) {
	if len(args) > 0 {
		if p, ok := duckConstant(args[0]); ok && !wide.MatchString(p) {
			return
		}
	}
	c.refuse(RuleFunction, name+" is possible with a pattern written as a text, up to 999 wide", "write the pattern")
}

// aggregate checks the function that is called by name.
func (c *duckCheck) aggregate(name string, args []any) {
	if len(args) >= 2 {
		if inner, ok := duckConstant(args[1]); ok && duckFunctions[strings.ToLower(inner)] {
			return
		}
	}
	c.refuse(RuleFunction, name+" is possible with the name of an aggregate function written as a text", "write the name")
}
