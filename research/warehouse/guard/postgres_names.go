package guard

import (
	"slices"
	"strconv"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
)

// If orders has no column evil, PostgreSQL takes o.evil and (o).evil as calls of the function
// evil with the whole row. So the walk knows the columns of every name in FROM, resolves
// names as the server does, and refuses references to anything that is not a column, as well
// as fields of expressions.

// pgNames are the names that a query, or an item of FROM, can refer to; above are those of
// the query around it.
type pgNames struct {
	queries []*pgTable // defined by WITH
	tables  []*pgTable // in FROM, by their aliases
	above   *pgNames
}

// pgTable is an item of FROM with the names of its columns in order.
type pgTable struct {
	name    string
	columns []string
	value   bool // it is a plain value, as in unnest(tags) AS tag
}

// query returns the query of WITH that an unqualified name refers to, or nil. n may be nil. Later
// queries of one WITH come first.
func (n *pgNames) query(name string) *pgTable {
	for ; n != nil; n = n.above {
		for _, q := range slices.Backward(n.queries) {
			if q.name == name {
				return q
			}
		}
	}
	return nil
}

// called returns the tables with that alias in the innermost query that has any. There may be
// several: tables of different schemas can have the same name.
func (n *pgNames) called(alias string) []*pgTable {
	for ; n != nil; n = n.above {
		var found []*pgTable
		for _, t := range n.tables {
			if t.name == alias {
				found = append(found, t)
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// beside returns names for an item of FROM that also sees the given tables.
func (n *pgNames) beside(tables []*pgTable) *pgNames {
	return &pgNames{tables: tables, above: n}
}

// qualified checks that every table with that alias has the column. A table whose columns are not
// known has none, so that a reference to it is refused.
func (c *pgCheck) qualified(names *pgNames, alias, column string) {
	tables := names.called(alias)
	if len(tables) == 0 {
		c.refuse(RuleRelation, "there is no table "+alias+" in FROM", "name one that is there")
		return
	}
	for _, t := range tables {
		if !slices.Contains(t.columns, column) {
			c.refuse(RuleRelation, alias+" has no column "+column, t.remedy())
			return
		}
	}
}

// remedy lists the columns of t for a refusal.
func (t *pgTable) remedy() string {
	const shown = 20
	switch {
	case t.value:
		return "use " + t.name + " by itself, or name its columns: AS " + t.name + "(…)"
	case len(t.columns) == 0:
		return "name its columns with AS"
	case len(t.columns) > shown:
		return "it has " + strings.Join(t.columns[:shown], ", ") + " and others"
	}
	return "it has " + strings.Join(t.columns, ", ")
}

// wholeRow returns the alias whose whole row n is; empty if n is not a whole row.
func (c *pgCheck) wholeRow(n *pg.Node, names *pgNames) string {
	fields := n.GetColumnRef().GetFields()
	if len(fields) != 1 {
		return ""
	}
	alias := fields[0].GetString_().GetSval()
	if len(names.called(alias)) == 0 {
		return ""
	}
	return alias
}

// documentRows are the functions that turn a document into rows of key and value.
var documentRows = words("json_each jsonb_each json_each_text jsonb_each_text")

// indirection checks access to a part of a value: elements of an array, and fields of a
// document's rows or of a row in FROM. A field of any other value might be a function.
func (c *pgCheck) indirection(v *pg.A_Indirection, names *pgNames) {
	for i, n := range v.Indirection {
		field := n.GetString_()
		switch {
		case field == nil && n.GetAStar() == nil:
			c.expr(n, names)
			continue
		case i > 0:
		case v.Arg.GetFuncCall() != nil:
			parts := strs(v.Arg.GetFuncCall().Funcname)
			if documentRows[parts[len(parts)-1]] && (field == nil || field.Sval == "key" || field.Sval == "value") {
				continue
			}
		case field != nil && c.wholeRow(v.Arg, names) != "":
			c.field(n)
			c.qualified(names, c.wholeRow(v.Arg, names), field.Sval)
			continue
		}
		c.refuse(RuleNode, "a field is taken out of an expression", "write table.column")
		return
	}
	c.expr(v.Arg, names)
}

// functionTable returns the alias of a function in FROM and those of its columns that are
// certain.
func functionTable(f *pg.RangeFunction) *pgTable {
	t := &pgTable{}
	name := ""
	if len(f.Functions) == 1 {
		if parts := f.Functions[0].GetList().GetItems(); len(parts) > 0 && parts[0].GetFuncCall() != nil {
			full := strs(parts[0].GetFuncCall().Funcname)
			name = full[len(full)-1]
		}
	}
	t.name = name
	if f.Alias != nil {
		t.name = f.Alias.Aliasname
	}
	switch {
	case f.Alias != nil && len(f.Alias.Colnames) > 0:
		t.columns = strs(f.Alias.Colnames)
	case len(f.Coldeflist) > 0:
		for _, d := range f.Coldeflist {
			t.columns = append(t.columns, d.GetColumnDef().GetColname())
		}
	case documentRows[name]:
		t.columns = []string{"key", "value"}
	case strings.HasPrefix(name, "json") && strings.Contains(name, "_array_elements"):
		t.columns, t.value = []string{"value"}, true
	case name == "unnest", name == "":
		t.value = true // for arrays of rows it has columns that we do not know
	default:
		t.columns, t.value = []string{t.name}, true
	}
	if f.Ordinality {
		t.columns = append(t.columns, "ordinality")
	}
	return t
}

// renamed returns a table under its alias; column names in the alias replace its own.
func renamed(alias *pg.Alias, name string, columns []string) *pgTable {
	if alias != nil {
		name = alias.Aliasname
		if len(alias.Colnames) > 0 {
			columns = strs(alias.Colnames)
		}
	}
	return &pgTable{name: name, columns: columns}
}

// joined returns the columns of all tables, in order.
func joined(tables []*pgTable) []string {
	var out []string
	for _, t := range tables {
		out = append(out, t.columns...)
	}
	return out
}

// outputs returns the names of the columns of a SELECT or VALUES with the given FROM. A name
// that the server would choose and we do not know is empty.
func outputs(q *pg.SelectStmt, names *pgNames) []string {
	var out []string
	if len(q.ValuesLists) > 0 {
		for i := range q.ValuesLists[0].GetList().GetItems() {
			out = append(out, "column"+strconv.Itoa(i+1))
		}
		return out
	}
	for _, n := range q.TargetList {
		target := n.GetResTarget()
		fields := target.GetVal().GetColumnRef().GetFields()
		switch {
		case target == nil:
		case target.Name != "":
			out = append(out, target.Name)
		case len(fields) == 1 && fields[0].GetAStar() != nil:
			out = append(out, joined(names.tables)...)
		case len(fields) > 1 && fields[len(fields)-1].GetAStar() != nil:
			for _, t := range names.called(fields[len(fields)-2].GetString_().GetSval()) {
				out = append(out, t.columns...)
			}
		default:
			name, _ := columnName(target.Val)
			out = append(out, name)
		}
	}
	return out
}

// columnName returns the name that PostgreSQL gives an expression without AS, and how firmly:
// 2 for a name, 1 for a type or CASE, 0 for none. It follows FigureColname in
// src/backend/parser/parse_target.c.
func columnName(n *pg.Node) (name string, strength int) {
	switch v := n.GetNode().(type) {
	case *pg.Node_ColumnRef:
		return v.ColumnRef.Fields[len(v.ColumnRef.Fields)-1].GetString_().GetSval(), 2
	case *pg.Node_FuncCall:
		parts := strs(v.FuncCall.Funcname)
		return parts[len(parts)-1], 2
	case *pg.Node_AExpr:
		if v.AExpr.Kind == pg.A_Expr_Kind_AEXPR_NULLIF {
			return "nullif", 2
		}
	case *pg.Node_TypeCast:
		if name, strength := columnName(v.TypeCast.Arg); strength > 1 {
			return name, strength
		}
		if parts := strs(v.TypeCast.GetTypeName().GetNames()); v.TypeCast.TypeName != nil {
			return parts[len(parts)-1], 1
		}
	case *pg.Node_CollateClause:
		return columnName(v.CollateClause.Arg)
	case *pg.Node_CaseExpr:
		if name, strength := columnName(v.CaseExpr.Defresult); strength > 1 {
			return name, strength
		}
		return "case", 1
	case *pg.Node_CoalesceExpr:
		return "coalesce", 2
	case *pg.Node_MinMaxExpr:
		if v.MinMaxExpr.Op == pg.MinMaxOp_IS_LEAST {
			return "least", 2
		}
		return "greatest", 2
	case *pg.Node_AArrayExpr:
		return "array", 2
	case *pg.Node_SubLink:
		return sublinkName(v.SubLink)
	}
	return "", 0
}

// sublinkName returns the column name that PostgreSQL gives a subquery in a select
// list, and how strongly it prefers that name over others (as in its FigureColname).
func sublinkName(s *pg.SubLink) (string, int) {
	switch s.SubLinkType {
	case pg.SubLinkType_EXISTS_SUBLINK:
		return "exists", 2
	case pg.SubLinkType_ARRAY_SUBLINK:
		return "array", 2
	case pg.SubLinkType_EXPR_SUBLINK:
		if list := s.GetSubselect().GetSelectStmt().GetTargetList(); len(list) == 1 {
			if target := list[0].GetResTarget(); target.GetName() != "" {
				return target.GetName(), 2
			} else if name, strength := columnName(target.GetVal()); strength > 0 {
				return name, 2
			}
		}
	}
	return "", 0
}
