package guard

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
)

// exprs checks every element of list.
func (c *pgCheck) exprs(list []*pg.Node, names *pgNames) {
	for _, n := range list {
		c.expr(n, names)
	}
}

// expr checks an expression, or a part of a clause, and refuses kinds it does not know. A nil
// node is an absent part of a clause and is accepted.
func (c *pgCheck) expr(n *pg.Node, names *pgNames) {
	if n == nil || n.Node == nil || !c.enter() {
		return
	}
	defer c.leave()
	if c.leaf(n, names) || c.call(n, names) || c.condition(n, names) || c.clause(n, names) || c.json(n, names) {
		return
	}
	c.refuse(RuleNode, "the statement holds "+kindOf(n)+", which is not possible here", "write it with plain expressions")
}

// kindOf returns the parser's name for the kind of n.
func kindOf(n *pg.Node) string {
	return strings.TrimPrefix(fmt.Sprintf("%T", n.GetNode()), "*pg_query.Node_")
}

// leaf checks names and constants, and reports whether n is one.
func (c *pgCheck) leaf(n *pg.Node, names *pgNames) bool {
	switch v := n.Node.(type) {
	case *pg.Node_AConst, *pg.Node_AStar:
	case *pg.Node_GroupingFunc:
		c.exprs(v.GroupingFunc.Args, names)
	case *pg.Node_ColumnRef:
		c.column(v.ColumnRef, names)
	case *pg.Node_SqlvalueFunction:
		c.now(v.SqlvalueFunction)
	default:
		return false
	}
	return true
}

// column checks a reference to a column.
func (c *pgCheck) column(v *pg.ColumnRef, names *pgNames) {
	c.shorten(v)
	if c.fault != nil {
		return
	}
	last := v.Fields[len(v.Fields)-1]
	c.field(last)
	if last.GetAStar() == nil {
		c.columns.refer(strs(v.Fields)...)
	}
	if name := last.GetString_().GetSval(); len(v.Fields) > 1 && name != "" {
		c.qualified(names, v.Fields[0].GetString_().GetSval(), name)
	}
}

// shorten drops the schema from a reference to a column, because relations are printed with
// aliases. What is left has one or two parts.
func (c *pgCheck) shorten(v *pg.ColumnRef) {
	for _, f := range v.Fields {
		if f.GetString_() == nil && f.GetAStar() == nil {
			c.refuse(RuleNode, "a name of a column holds "+kindOf(f), "write names only")
			return
		}
	}
	switch len(v.Fields) {
	case 1, 2:
	case 3:
		v.Fields = v.Fields[1:]
	default:
		c.refuse(RuleRelation, "a name of a column has more than three parts", "write table.column")
	}
}

// systemColumns are the columns that every table has besides its own: they tell where rows
// are stored and which transaction wrote them.
var systemColumns = words("tableoid ctid xmin xmax cmin cmax")

// field checks the last part of a reference to a column.
func (c *pgCheck) field(n *pg.Node) {
	if name := n.GetString_().GetSval(); systemColumns[name] {
		c.refuse(RuleRelation, "the column "+name+" is the server's own", "use those of the table")
	}
}

// now checks the functions that are written without parentheses. Those that name the user, the
// database or the schema are refused.
func (c *pgCheck) now(v *pg.SQLValueFunction) {
	if op := v.Op.String(); !strings.HasPrefix(op, "SVFOP_CURRENT_TIME") && !strings.HasPrefix(op, "SVFOP_LOCALTIME") && op != "SVFOP_CURRENT_DATE" {
		c.refuse(RuleFunction, strings.ToLower(strings.TrimPrefix(op, "SVFOP_"))+" is not possible here", "leave it out")
	}
}

// call checks function calls and operators, and reports whether n is one.
func (c *pgCheck) call(n *pg.Node, names *pgNames) bool {
	switch v := n.Node.(type) {
	case *pg.Node_FuncCall:
		c.function(v.FuncCall, names)
	case *pg.Node_AExpr:
		c.operator(v.AExpr.Name, v.AExpr.Kind)
		c.expr(v.AExpr.Lexpr, names)
		c.expr(v.AExpr.Rexpr, names)
	case *pg.Node_TypeCast:
		c.typeName(v.TypeCast.TypeName)
		c.expr(v.TypeCast.Arg, names)
	case *pg.Node_CollateClause:
		c.collation(v.CollateClause)
		c.expr(v.CollateClause.Arg, names)
	case *pg.Node_CoalesceExpr:
		c.exprs(v.CoalesceExpr.Args, names)
	case *pg.Node_MinMaxExpr:
		c.exprs(v.MinMaxExpr.Args, names)
	case *pg.Node_NamedArgExpr:
		c.expr(v.NamedArgExpr.Arg, names)
	case *pg.Node_AArrayExpr:
		c.exprs(v.AArrayExpr.Elements, names)
	case *pg.Node_RowExpr:
		c.exprs(v.RowExpr.Args, names)
	case *pg.Node_AIndirection:
		c.indirection(v.AIndirection, names)
	case *pg.Node_AIndices:
		c.expr(v.AIndices.Lidx, names)
		c.expr(v.AIndices.Uidx, names)
	default:
		return false
	}
	return true
}

// condition checks predicates, CASE and subqueries, and reports whether n is one.
func (c *pgCheck) condition(n *pg.Node, names *pgNames) bool {
	switch v := n.Node.(type) {
	case *pg.Node_BoolExpr:
		c.exprs(v.BoolExpr.Args, names)
	case *pg.Node_NullTest:
		c.expr(v.NullTest.Arg, names)
	case *pg.Node_BooleanTest:
		c.expr(v.BooleanTest.Arg, names)
	case *pg.Node_CaseExpr:
		c.expr(v.CaseExpr.Arg, names)
		c.exprs(v.CaseExpr.Args, names)
		c.expr(v.CaseExpr.Defresult, names)
	case *pg.Node_CaseWhen:
		c.expr(v.CaseWhen.Expr, names)
		c.expr(v.CaseWhen.Result, names)
	case *pg.Node_SubLink:
		c.subquery(v.SubLink, names)
	default:
		return false
	}
	return true
}

// subquery checks a query within an expression. It sees the names around it.
func (c *pgCheck) subquery(s *pg.SubLink, names *pgNames) {
	q := s.GetSubselect().GetSelectStmt()
	if q == nil {
		c.refuse(RuleStatement, "what stands in parentheses is no query", "write SELECT in it")
		return
	}
	if len(s.OperName) > 0 {
		c.operator(s.OperName, pg.A_Expr_Kind_AEXPR_OP)
	}
	c.expr(s.Testexpr, names)
	c.query(q, names)
}

// clause checks parts of clauses, and reports whether n is one.
func (c *pgCheck) clause(n *pg.Node, names *pgNames) bool {
	switch v := n.Node.(type) {
	case *pg.Node_ResTarget:
		c.expr(v.ResTarget.Val, names)
		c.exprs(v.ResTarget.Indirection, names)
	case *pg.Node_SortBy:
		if len(v.SortBy.UseOp) > 0 {
			c.operator(v.SortBy.UseOp, pg.A_Expr_Kind_AEXPR_OP)
		}
		c.expr(v.SortBy.Node, names)
	case *pg.Node_WindowDef:
		c.window(v.WindowDef, names)
	case *pg.Node_GroupingSet:
		c.exprs(v.GroupingSet.Content, names)
	case *pg.Node_List:
		c.exprs(v.List.Items, names)
	default:
		return false
	}
	return true
}

// window checks a window definition, which may be nil.
func (c *pgCheck) window(w *pg.WindowDef, names *pgNames) {
	if w == nil {
		return
	}
	c.exprs(w.PartitionClause, names)
	c.exprs(w.OrderClause, names)
	c.expr(w.StartOffset, names)
	c.expr(w.EndOffset, names)
}

// function checks a call and qualifies its name, so that it cannot be a function of the same
// name in another schema. Redshift's own functions cannot be qualified; it looks for built-in
// functions first.
func (c *pgCheck) function(f *pg.FuncCall, names *pgNames) {
	parts := strs(f.Funcname)
	name := parts[len(parts)-1]
	switch {
	case len(parts) > 2, len(parts) == 2 && parts[0] != "pg_catalog":
		c.refuse(RuleFunction, "functions of a schema are not possible here: "+strings.Join(parts, "."), "use those of the language")
	case padFunctions[name]:
		c.padding(name, f.Args)
	case name == "repeat":
		c.repeat(f.Args)
	case name == "format":
		c.format(f.Args)
	case name == "generate_series":
		c.series(f.Args)
	case c.guard.dialect == Redshift && redshiftFunctions[name]:
	case !functions[name]:
		c.refuse(RuleFunction, "the function "+name+" is not possible here", remedyOf(name))
	}
	if len(parts) == 1 && c.guard.dialect == PostgreSQL {
		f.Funcname = append([]*pg.Node{pg.MakeStrNode("pg_catalog")}, f.Funcname...)
	}
	c.exprs(f.Args, names)
	c.exprs(f.AggOrder, names)
	c.expr(f.AggFilter, names)
	c.window(f.Over, names)
}

// padding checks the length to which a text is padded. Negative lengths are accepted; they give
// an empty text.
func (c *pgCheck) padding(name string, args []*pg.Node) {
	if len(args) >= 2 {
		if n := args[1].GetAConst().GetIval(); args[1].GetAConst() != nil && n != nil && n.Ival <= maxPadding {
			return
		}
	}
	c.refuse(RuleFunction, fmt.Sprintf("%s is possible up to %d characters, written as a number", name, maxPadding), "write the number")
}

// repeat checks that only a short literal is repeated.
func (c *pgCheck) repeat(args []*pg.Node) {
	if len(args) == 0 || args[0].GetAConst().GetSval() == nil || len(args[0].GetAConst().GetSval().GetSval()) > maxRepeated {
		c.refuse(RuleFunction, "repeat is possible with a short text that is written out", "write the text")
	}
	c.padding("repeat", args)
}

// formats matches format strings whose result is not much longer than their arguments.
var formats = regexp.MustCompile(`^(?s:[^%]|%([0-9]{1,2}\$)?-?[0-9]{0,2}[sIL]|%%)*$`)

// format checks the format string of format.
func (c *pgCheck) format(args []*pg.Node) {
	if len(args) == 0 || args[0].GetAConst().GetSval() == nil || !formats.MatchString(args[0].GetAConst().GetSval().GetSval()) {
		c.refuse(RuleFunction, "format is possible with a text that is written out, and widths up to 99", "use concat, or to_char")
	}
}

// operator checks the name of an operator. BETWEEN, IN, LIKE and the like count as operators too.
// An operator of pg_catalog may be qualified, one of another schema may be any function.
func (c *pgCheck) operator(name []*pg.Node, kind pg.A_Expr_Kind) {
	parts := strs(name)
	switch kind {
	case pg.A_Expr_Kind_AEXPR_BETWEEN, pg.A_Expr_Kind_AEXPR_NOT_BETWEEN, pg.A_Expr_Kind_AEXPR_BETWEEN_SYM, pg.A_Expr_Kind_AEXPR_NOT_BETWEEN_SYM:
		return
	}
	if len(parts) > 2 || len(parts) == 2 && parts[0] != "pg_catalog" || !operators[parts[len(parts)-1]] {
		c.refuse(RuleOperator, "the operator "+strings.Join(parts, ".")+" is not possible here", "use those of the language")
	}
}

// collation checks the name of a collation.
func (c *pgCheck) collation(v *pg.CollateClause) {
	if parts := strs(v.Collname); len(parts) > 2 || len(parts) == 2 && parts[0] != "pg_catalog" {
		c.refuse(RuleNode, "the collation "+strings.Join(parts, ".")+" is not possible here", "leave it out")
	}
}

// typeName checks a type. Modifiers must be literal numbers. Types that are padded to their
// length are bounded like texts.
func (c *pgCheck) typeName(t *pg.TypeName) {
	if t == nil {
		c.refuse(RuleType, "a type is missing", "name it")
		return
	}
	parts := strs(t.Names)
	if len(parts) == 0 || len(parts) > 2 || len(parts) == 2 && parts[0] != "pg_catalog" || !types[parts[len(parts)-1]] || t.PctType || t.Setof {
		c.refuse(RuleType, "the type "+strings.Join(parts, ".")+" is not possible here", "use a plain type of the language")
		return
	}
	padded := parts[len(parts)-1] == "bpchar" || parts[len(parts)-1] == "bit"
	for _, m := range append(slices.Clone(t.Typmods), t.ArrayBounds...) {
		if n := m.GetAConst().GetIval().GetIval(); m.GetAConst() == nil && m.GetInteger() == nil || padded && n > maxPadding {
			c.refuse(RuleType, "a type has a modifier that is no number, or too large", "write a smaller number")
		}
	}
}

// strs returns the strings of a name. Anything else becomes NUL, which is on no list.
func strs(list []*pg.Node) []string {
	out := make([]string, max(len(list), 1))
	for i, n := range list {
		if s := n.GetString_(); s != nil {
			out[i] = s.Sval
		} else {
			out[i] = "\x00"
		}
	}
	return out
}
