package guard

import (
	"slices"
	"strconv"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
)

// sample checks TABLESAMPLE, which may hold literal numbers only, and returns the table. The
// filter goes around the sample.
func (c *pgCheck) sample(n *pg.Node, s *pg.RangeTableSample, names *pgNames) *pgTable {
	method, v := strs(s.Method), s.GetRelation().GetRangeVar()
	plain := len(method) == 1 && (method[0] == "bernoulli" || method[0] == "system") && len(s.Args) == 1
	if v == nil || !plain || !isNumber(s.Args[0]) || s.Repeatable != nil && !isNumber(s.Repeatable) {
		c.refuse(RuleNode, "TABLESAMPLE is written in a way that is not possible here", "write BERNOULLI or SYSTEM and a number")
		return nil
	}
	if v.Schemaname == "" && names.query(v.Relname) != nil {
		c.refuse(RuleRelation, "only tables can be sampled", "leave TABLESAMPLE out")
		return nil
	}
	return c.table(n, v)
}

// isNumber reports whether n is a literal number.
func isNumber(n *pg.Node) bool {
	a := n.GetAConst()
	return a.GetIval() != nil || a.GetFval() != nil
}

// maxRows is the largest number that a series of rows may be written with.
const maxRows = 1_000_000

// series checks that the literal numbers of a function do not make more than maxRows rows.
// Counts that come from the data are left to the limits of the connection.
func (c *pgCheck) series(args []*pg.Node) {
	if slices.ContainsFunc(args, func(n *pg.Node) bool { return magnitude(n, 0) > maxRows }) {
		c.refuse(RuleFunction, "generate_series makes too many rows", "write numbers up to a million")
	}
}

// growingFunctions are functions whose result is much larger than their arguments. Their
// magnitude is taken as that of the argument times maxRows, which refuses any literal above 1.
var growingFunctions = words("power pow exp factorial")

// magnitude estimates how large a value is from the numbers written in it. It is a rough estimate
// and no bound: additions and other functions count as the largest of their operands. References
// to columns count as 0, because only what is written can be judged here.
func magnitude(n *pg.Node, depth int) float64 {
	if n == nil || depth > maxDepth {
		return 0
	}
	switch v := n.Node.(type) {
	case *pg.Node_AConst:
		return constant(v.AConst)
	case *pg.Node_TypeCast:
		return magnitude(v.TypeCast.Arg, depth+1)
	case *pg.Node_FuncCall:
		most := largest(v.FuncCall.Args, depth+1)
		if name := strs(v.FuncCall.Funcname); growingFunctions[name[len(name)-1]] {
			return maxRows * most
		}
		return most
	case *pg.Node_AExpr:
		left, right := magnitude(v.AExpr.Lexpr, depth+1), magnitude(v.AExpr.Rexpr, depth+1)
		switch strs(v.AExpr.Name)[0] {
		case "*":
			return max(left, 1) * max(right, 1)
		case "^", "<<":
			return max(left, 1) * maxRows * min(max(right-1, 0), 2)
		}
		return max(left, right)
	case *pg.Node_CoalesceExpr:
		return largest(v.CoalesceExpr.Args, depth+1)
	case *pg.Node_MinMaxExpr:
		return largest(v.MinMaxExpr.Args, depth+1)
	}
	return 0
}

// largest returns the greatest magnitude in a list.
func largest(list []*pg.Node, depth int) float64 {
	most := 0.0
	for _, n := range list {
		most = max(most, magnitude(n, depth))
	}
	return most
}

// constant returns the absolute value of a literal number, which may be in quotes. A text that is
// no number counts as 0.
func constant(a *pg.A_Const) float64 {
	var f float64
	switch {
	case a.GetIval() != nil:
		f = float64(a.GetIval().Ival)
	case a.GetFval() != nil:
		f, _ = strconv.ParseFloat(strings.ReplaceAll(a.GetFval().Fval, "_", ""), 64)
	case a.GetSval() != nil:
		f, _ = strconv.ParseFloat(strings.TrimSpace(a.GetSval().Sval), 64)
	}
	return max(f, -f)
}
