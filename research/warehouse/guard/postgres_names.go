package guard

import (
	"slices"
	"strconv"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
)

// Where PostgreSQL finds no column evil in orders, o.evil and (o).evil call the
// function evil with the whole row. So the walk knows which columns every name in
// FROM has, looks names up as the server does, and refuses what is no column, and
// fields of expressions.

// pgNames are what a query, or a part of FROM, can name; above is what the query
// around it can.
type pgNames struct {
	queries []*pgTable // of WITH
	tables  []*pgTable // of FROM, by their aliases
	above   *pgNames
}

// pgTable is something in FROM with the names of its columns in their order.
type pgTable struct {
	name    string
	columns []string
	value   bool // it is a value by itself, as unnest(tags) AS tag is
}

// query returns the query of WITH that a bare name means, or nil.
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

// called returns the tables that an alias means: those of the innermost query that
// has one of that name.
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

// beside returns what a part of FROM can name that sees the parts before it.
func (n *pgNames) beside(tables []*pgTable) *pgNames {
	return &pgNames{tables: tables, above: n}
}

// qualified checks that every table that alias means has the column.
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

// remedy tells which columns there are.
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

// wholeRow returns the alias whose row n is, or an empty string.
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

// documentRows are the functions that make rows of a document, with their columns.
var documentRows = words("json_each jsonb_each json_each_text jsonb_each_text")

// indirection checks what is taken out of a value: elements of an array, and fields
// of a document's rows or of a row in FROM. A field of any other value might be a
// function.
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

// functionTable returns what a function in FROM is called and which columns it has,
// as far as they are certain.
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
		t.value = true // of arrays of rows it has columns of its own
	default:
		t.columns, t.value = []string{t.name}, true
	}
	if f.Ordinality {
		t.columns = append(t.columns, "ordinality")
	}
	return t
}

// renamed returns what an alias makes of a table: with names of columns, these alone.
func renamed(alias *pg.Alias, name string, columns []string) *pgTable {
	if alias != nil {
		name = alias.Aliasname
		if len(alias.Colnames) > 0 {
			columns = strs(alias.Colnames)
		}
	}
	return &pgTable{name: name, columns: columns}
}

// joined returns the columns of tables, one after the other.
func joined(tables []*pgTable) []string {
	var out []string
	for _, t := range tables {
		out = append(out, t.columns...)
	}
	return out
}

// outputs returns the names of the columns of a SELECT or a VALUES whose FROM is of
// names. What the server names by itself and we cannot tell has none.
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

// columnName returns what PostgreSQL calls an expression without AS, and how sure it
// is of it: 2 for a name, 1 for a type or CASE, 0 for none. See FigureColname in its
// source.
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
