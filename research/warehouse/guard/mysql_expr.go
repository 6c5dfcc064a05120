package guard

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/model"
	"github.com/pingcap/tidb/pkg/parser/mysql"
	"github.com/pingcap/tidb/pkg/parser/opcode"
	driver "github.com/pingcap/tidb/pkg/parser/test_driver"
)

// exprs checks expressions; nil ones are allowed.
func (c *mysqlCheck) exprs(names *scope, list ...ast.ExprNode) {
	for _, n := range list {
		c.expr(n, names)
	}
}

// expr checks an expression and refuses kinds it does not know.
func (c *mysqlCheck) expr(n ast.ExprNode, names *scope) {
	if n == nil || reflect.ValueOf(n).IsNil() || !c.enter() {
		return
	}
	defer c.leave()
	if c.leaf(n) || c.call(n, names) || c.condition(n, names) || c.subquery(n, names) {
		return
	}
	c.refuse(RuleNode, "the statement holds "+strings.TrimPrefix(fmt.Sprintf("%T", n), "*ast.")+", which is not possible here", "write it with plain expressions")
}

// leaf checks names and constants, and reports whether n is one.
func (c *mysqlCheck) leaf(n ast.ExprNode) bool {
	switch v := n.(type) {
	case *driver.ValueExpr:
		if !mysqlCharset(v.Type.GetCharset()) {
			c.refuse(RuleType, "a literal of the character set "+v.Type.GetCharset()+" is not possible here", "write it without")
		}
	case *ast.ColumnNameExpr:
		c.column(v.Name)
	case *ast.PositionExpr:
		if v.P != nil {
			c.refuse(RuleNode, "parameters are not possible here", "write the value")
		}
	case *ast.TimeUnitExpr, *ast.TrimDirectionExpr, *ast.GetFormatSelectorExpr:
	default:
		return false
	}
	return true
}

// call checks function calls and operators, and reports whether n is one.
func (c *mysqlCheck) call(n ast.ExprNode, names *scope) bool {
	switch v := n.(type) {
	case *ast.FuncCallExpr:
		c.function(v)
		c.exprs(names, v.Args...)
	case *ast.FuncCastExpr:
		c.cast(v)
		c.expr(v.Expr, names)
	case *ast.AggregateFuncExpr:
		c.named(v.F)
		c.exprs(names, v.Args...)
		c.order(v.Order, names)
	case *ast.WindowFuncExpr:
		c.named(v.Name)
		c.exprs(names, v.Args...)
		c.window(&v.Spec, names)
	case *ast.UnaryOperationExpr:
		c.operator(v.Op)
		c.expr(v.V, names)
	case *ast.BinaryOperationExpr:
		c.operator(v.Op)
		c.exprs(names, v.L, v.R)
	case *ast.SetCollationExpr:
		c.expr(v.Expr, names)
	case *ast.ParenthesesExpr:
		c.expr(v.Expr, names)
	case *ast.RowExpr:
		c.exprs(names, v.Values...)
	case *ast.MatchAgainst:
		for _, col := range v.ColumnNames {
			c.column(col)
		}
		c.expr(v.Against, names)
	default:
		return false
	}
	return true
}

// condition checks predicates and CASE, and reports whether n is one.
func (c *mysqlCheck) condition(n ast.ExprNode, names *scope) bool {
	switch v := n.(type) {
	case *ast.BetweenExpr:
		c.exprs(names, v.Expr, v.Left, v.Right)
	case *ast.CaseExpr:
		c.exprs(names, v.Value, v.ElseClause)
		for _, w := range v.WhenClauses {
			c.exprs(names, w.Expr, w.Result)
		}
	case *ast.IsNullExpr:
		c.expr(v.Expr, names)
	case *ast.IsTruthExpr:
		c.expr(v.Expr, names)
	case *ast.PatternLikeOrIlikeExpr:
		if !v.IsLike || v.Escape < ' ' || v.Escape > '~' {
			c.refuse(RuleOperator, "LIKE is written in a way that is not possible here", "write LIKE with a plain pattern")
		}
		c.exprs(names, v.Expr, v.Pattern)
	case *ast.PatternRegexpExpr:
		c.exprs(names, v.Expr, v.Pattern)
	default:
		return false
	}
	return true
}

// subquery checks expressions that contain a query, and reports whether n is one.
func (c *mysqlCheck) subquery(n ast.ExprNode, names *scope) bool {
	switch v := n.(type) {
	case *ast.SubqueryExpr:
		c.query(v.Query, names)
	case *ast.ExistsSubqueryExpr:
		c.expr(v.Sel, names)
	case *ast.CompareSubqueryExpr:
		c.operator(v.Op)
		c.exprs(names, v.L, v.R)
	case *ast.PatternInExpr:
		c.exprs(names, v.Expr, v.Sel)
		c.exprs(names, v.List...)
	default:
		return false
	}
	return true
}

// function checks a call. Its name is printed unquoted, which makes it a built-in function.
func (c *mysqlCheck) function(f *ast.FuncCallExpr) {
	name := f.FnName.L
	switch {
	case f.Schema.O != "":
		c.refuse(RuleFunction, "functions of a schema are not possible here: "+f.Schema.O+"."+name, "use those of the language")
	case padFunctions[name]:
		c.padding(name, f.Args, 1)
	case name == "space":
		c.padding(name, f.Args, 0)
	case name == "repeat":
		c.repeat(f.Args)
	case name == "convert":
		c.using(f.Args)
	case strings.HasSuffix(name, "_func"):
		c.refuse(RuleFunction, "the function "+strings.TrimSuffix(name, "_func")+" is not possible here in this way", "use another, or plain expressions")
	case name == "char", name == "insert":
	default:
		c.named(strings.TrimPrefix(name, "'tidb`.("))
	}
	f.Tp = ast.FuncCallExprTypeKeyword
}

// mysqlNames restores the names and arguments of CHAR and INSERT, which the parser rewrites.
type mysqlNames struct{}

// Enter implements [ast.Visitor].
func (mysqlNames) Enter(n ast.Node) (ast.Node, bool) {
	f, ok := n.(*ast.FuncCallExpr)
	switch {
	case ok && f.FnName.L == "insert_func":
		f.FnName = model.NewCIStr("INSERT")
	case ok && f.FnName.L == "char_func" && isNull(f.Args[len(f.Args)-1]):
		f.FnName, f.Args = model.NewCIStr("CHAR"), f.Args[:len(f.Args)-1]
	}
	return n, false
}

// Leave implements [ast.Visitor]. It never stops the walk.
func (mysqlNames) Leave(n ast.Node) (ast.Node, bool) { return n, true }

// isNull reports whether an expression is the literal NULL.
func isNull(n ast.ExprNode) bool {
	v, ok := n.(*driver.ValueExpr)
	return ok && v.Kind() == driver.KindNull
}

// using checks the character set that a text is converted to.
func (c *mysqlCheck) using(args []ast.ExprNode) {
	if v, ok := args[len(args)-1].(*driver.ValueExpr); !ok || v.Kind() != driver.KindString || !mysqlCharset(v.GetString()) {
		c.refuse(RuleType, "the character set is not possible here", "leave CONVERT out")
	}
}

// named checks the name of a function.
func (c *mysqlCheck) named(name string) {
	if !c.functions[strings.ToLower(name)] {
		c.refuse(RuleFunction, "the function "+strings.ToLower(name)+" is not possible here", remedyOf(name))
	}
}

// padding checks the length to which a text is padded; at is the index of the length. Lengths of
// other types than a literal integer are refused.
func (c *mysqlCheck) padding(name string, args []ast.ExprNode, at int) {
	if len(args) > at {
		if v, ok := args[at].(*driver.ValueExpr); ok && v.Kind() == driver.KindInt64 && v.GetInt64() <= maxPadding {
			return
		}
	}
	c.refuse(RuleFunction, fmt.Sprintf("%s is possible up to %d characters, written as a number", name, maxPadding), "write the number")
}

// repeat checks that only a short literal is repeated.
func (c *mysqlCheck) repeat(args []ast.ExprNode) {
	if v, ok := args[0].(*driver.ValueExpr); !ok || v.Kind() != driver.KindString || len(v.GetString()) > maxRepeated {
		c.refuse(RuleFunction, "repeat is possible with a short text that is written out", "write the text")
	}
	c.padding("repeat", args, 1)
}

// cast checks a type. CHAR and BINARY are bounded in length, because they may pad.
func (c *mysqlCheck) cast(v *ast.FuncCastExpr) {
	t := v.Tp
	switch t.GetType() {
	case mysql.TypeString, mysql.TypeVarString, mysql.TypeDate, mysql.TypeDatetime, mysql.TypeNewDecimal, mysql.TypeDuration, mysql.TypeLonglong, mysql.TypeJSON,
		mysql.TypeDouble, mysql.TypeFloat, mysql.TypeYear:
	default:
		c.refuse(RuleType, "a type is not possible here", "use a plain type of the language")
	}
	padded := t.GetType() == mysql.TypeString || t.GetType() == mysql.TypeVarString
	if t.IsArray() || padded && t.GetFlen() > maxPadding || !mysqlCharset(t.GetCharset()) {
		c.refuse(RuleType, "a type has a modifier that is not possible here", "write a smaller number, or none")
	}
}

// operator checks an operator.
func (c *mysqlCheck) operator(op opcode.Op) {
	if op < opcode.LogicAnd || op > opcode.NullEQ {
		c.refuse(RuleOperator, "the operator "+op.String()+" is not possible here", "use those of the language")
	}
}
