package guard

import (
	"cmp"
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"quaestor/internal/language"
)

// maxNodes and maxDepth bound a statement, far above what an analyst writes. The depth also
// bounds the recursion of the walk.
const (
	maxNodes = 20_000
	maxDepth = 150
)

// checkPostgres checks a statement with the grammar of PostgreSQL 17, for Redshift with its
// additional functions. What is sent is printed from the checked tree by PostgreSQL's own
// deparser.
func (g *Guard) checkPostgres(sql string) (Statement, error) {
	tree, err := pg.Parse(sql)
	if err != nil {
		return Statement{}, g.lexicon.unparsed(sql, err.Error())
	}
	if len(tree.Stmts) != 1 {
		return Statement{}, &Refusal{RuleStatement, "there is more than one statement", "write one SELECT"}
	}
	query := tree.Stmts[0].GetStmt().GetSelectStmt()
	if query == nil {
		return Statement{}, &Refusal{RuleStatement, "the statement is no query", "write one SELECT, or WITH … SELECT"}
	}
	c := &pgCheck{guard: g, grows: map[*pg.SelectStmt]*pgTable{}}
	if c.query(query, nil); c.fault != nil {
		return Statement{}, c.fault
	}
	printed, err := pg.Deparse(tree)
	if err != nil {
		return Statement{}, &Refusal{RuleNode, "the statement cannot be written again: " + firstLine(err.Error()), "write it in a simpler way"}
	}
	return Statement{SQL: printed, Tables: c.tables, Filtered: c.held, Columns: c.columns}, nil
}

// firstLine returns at most 200 characters of the first line of s.
func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return language.Clip(s, 200)
}

// pgCheck walks one tree and changes it on the way: relations are qualified and filtered,
// functions are qualified. The first refusal ends the walk.
type pgCheck struct {
	walk
	guard *Guard
	grows map[*pg.SelectStmt]*pgTable // recursive queries; their columns are known once the first part was checked
}

// query checks a SELECT, a VALUES, or a set operation, and returns the names of its columns. The
// names are what references to the query are checked against; an empty name is one that we do not
// know.
func (c *pgCheck) query(q *pg.SelectStmt, names *pgNames) []string {
	if q == nil || !c.enter() {
		return nil
	}
	defer c.leave()
	switch {
	case q.IntoClause != nil:
		c.refuse(RuleStatement, "SELECT INTO makes a table", "leave INTO out")
	case len(q.LockingClause) > 0:
		c.refuse(RuleStatement, "FOR UPDATE and the like lock rows", "leave it out")
	}
	around := c.with(q.WithClause, names)
	first := c.query(q.Larg, around)
	if self := c.grows[q]; self != nil && len(self.columns) == 0 {
		self.columns = first
	}
	c.query(q.Rarg, around)
	names = &pgNames{above: around}
	for _, n := range q.FromClause {
		names.tables = append(names.tables, c.from(n, around, names.tables)...)
	}
	c.targets(q.TargetList, names)
	c.exprs(q.DistinctClause, names)
	c.expr(q.WhereClause, names)
	c.exprs(q.GroupClause, names)
	c.expr(q.HavingClause, names)
	c.exprs(q.WindowClause, names)
	c.exprs(q.ValuesLists, names)
	c.exprs(q.SortClause, names)
	c.expr(q.LimitOffset, names)
	c.expr(q.LimitCount, names)
	if q.Larg != nil {
		return first
	}
	return outputs(q, names)
}

// targets checks the selected columns, where o.* means the columns of o.
func (c *pgCheck) targets(list []*pg.Node, names *pgNames) {
	for _, n := range list {
		if star := n.GetResTarget().GetVal().GetColumnRef(); star != nil && star.Fields[len(star.Fields)-1].GetAStar() != nil {
			c.shorten(star)
			continue
		}
		c.expr(n, names)
	}
}

// with checks the queries of a WITH and returns names extended by theirs. Without RECURSIVE a
// query sees only those before it, and its own name refers to a table.
func (c *pgCheck) with(w *pg.WithClause, names *pgNames) *pgNames {
	if w == nil {
		return names
	}
	own := &pgNames{above: names}
	var all []*pgTable
	for _, n := range w.Ctes {
		cte := n.GetCommonTableExpr()
		all = append(all, &pgTable{name: cte.GetCtename(), columns: namesOf(cte.GetAliascolnames())})
	}
	if w.Recursive {
		own.queries = all
	}
	for i, n := range w.Ctes {
		cte := n.GetCommonTableExpr()
		q := cte.GetCtequery().GetSelectStmt()
		if q == nil {
			c.refuse(RuleStatement, "a part of WITH is no query", "write SELECT in it")
			return own
		}
		if cycle := cte.CycleClause; cycle != nil {
			c.exprs([]*pg.Node{cycle.CycleMarkValue, cycle.CycleMarkDefault}, names)
		}
		if w.Recursive {
			c.grows[q] = all[i]
		}
		columns := c.query(q, own)
		if len(all[i].columns) == 0 {
			all[i].columns = columns
		}
		all[i].columns = append(slices.Clone(all[i].columns), cte.GetSearchClause().GetSearchSeqColumn(), cte.GetCycleClause().GetCycleMarkColumn(), cte.GetCycleClause().GetCyclePathColumn())
		if !w.Recursive {
			own = &pgNames{queries: all[i : i+1], above: own}
		}
	}
	return own
}

// namesOf returns the strings of a list; nil for an empty one.
func namesOf(list []*pg.Node) []string {
	if len(list) == 0 {
		return nil
	}
	return strs(list)
}

// from checks an item of FROM and returns its tables. It can refer to what is around the query
// and, if lateral, to the other items. Whatever else the grammar allows there, such as XMLTABLE,
// is refused.
func (c *pgCheck) from(n *pg.Node, around *pgNames, others []*pgTable) []*pgTable {
	if n == nil || !c.enter() {
		return nil
	}
	defer c.leave()
	var t *pgTable
	switch v := n.Node.(type) {
	case *pg.Node_RangeVar:
		t = c.relation(n, v.RangeVar, around)
	case *pg.Node_JoinExpr:
		return c.join(v.JoinExpr, around, others)
	case *pg.Node_RangeSubselect:
		t = c.fromQuery(v.RangeSubselect, around, others)
	case *pg.Node_RangeFunction:
		c.rangeFunction(v.RangeFunction, around.beside(others))
		t = functionTable(v.RangeFunction)
	case *pg.Node_JsonTable:
		t = c.jsonTable(v.JsonTable, around.beside(others))
	case *pg.Node_RangeTableSample:
		t = c.sample(n, v.RangeTableSample, around)
	default:
		what := kindOf(n)
		if what == "RangeTableFunc" {
			what = "XMLTABLE"
		}
		c.refuse(RuleNode, "FROM holds "+what+", which is not possible here", cmp.Or(constructs[what], "name tables, or queries in parentheses"))
	}
	if t == nil {
		return nil
	}
	return []*pgTable{t}
}

// join checks two items of FROM and the condition that joins them. The right side sees the left
// one, as LATERAL allows. An alias of the whole join hides the tables in it.
func (c *pgCheck) join(j *pg.JoinExpr, around *pgNames, others []*pgTable) []*pgTable {
	left := c.from(j.Larg, around, others)
	right := c.from(j.Rarg, around, slices.Concat(others, left))
	both := slices.Concat(left, right)
	c.expr(j.Quals, around.beside(both))
	if j.Alias != nil {
		return []*pgTable{renamed(j.Alias, "", joined(both))}
	}
	if j.JoinUsingAlias != nil {
		both = append(both, &pgTable{name: j.JoinUsingAlias.Aliasname, columns: namesOf(j.UsingClause)})
	}
	return both
}

// fromQuery checks a query in FROM. It sees the items before it only if it is LATERAL.
func (c *pgCheck) fromQuery(s *pg.RangeSubselect, around *pgNames, others []*pgTable) *pgTable {
	q := s.GetSubquery().GetSelectStmt()
	if q == nil {
		c.refuse(RuleStatement, "a part of FROM is no query", "write SELECT in it")
	}
	if s.Lateral {
		around = around.beside(others)
	}
	return renamed(s.Alias, "", c.query(q, around))
}

// rangeFunction checks functions in FROM and the types of their columns. Column definitions may
// hold names and types only.
func (c *pgCheck) rangeFunction(f *pg.RangeFunction, names *pgNames) {
	for _, item := range f.Functions {
		parts := item.GetList().GetItems()
		if len(parts) == 0 {
			c.refuse(RuleNode, "FROM holds a function that cannot be read", "name tables")
			return
		}
		c.expr(parts[0], names)
		if f := parts[0].GetFuncCall(); f != nil && len(f.Args) > 1 && strs(f.Funcname)[len(f.Funcname)-1] == "unnest" {
			f.Funcname = f.Funcname[len(f.Funcname)-1:] // unnest of several arrays is syntax and does not work with a qualified name
		}
		for _, rest := range parts[1:] {
			if rest == nil || rest.Node == nil {
				continue
			}
			for _, col := range rest.GetList().GetItems() {
				c.columnType(col)
			}
		}
	}
	for _, col := range f.Coldeflist {
		c.columnType(col)
	}
}

// columnType checks the column definition of a function in FROM.
func (c *pgCheck) columnType(n *pg.Node) {
	def := n.GetColumnDef()
	if def == nil || def.RawDefault != nil || len(def.Constraints) > 0 {
		c.refuse(RuleNode, "a column is defined in a way that is not possible here", "give a name and a type")
		return
	}
	c.typeName(def.TypeName)
}

// relation checks a name in FROM and returns what it refers to. A query of WITH hides a table of
// the same name, as it does in the server.
func (c *pgCheck) relation(n *pg.Node, v *pg.RangeVar, names *pgNames) *pgTable {
	if v.Catalogname == "" && v.Schemaname == "" {
		if q := names.query(v.Relname); q != nil {
			return renamed(v.Alias, v.Relname, q.columns)
		}
	}
	return c.table(n, v)
}

// table qualifies the name of a relation and puts the filter around it if it has the filter's
// column. It returns nil for an unknown relation.
func (c *pgCheck) table(n *pg.Node, v *pg.RangeVar) *pgTable {
	r := c.resolve(v)
	if r == nil {
		return nil
	}
	t := renamed(v.Alias, v.Relname, r.Columns)
	if r.filtered {
		hold(n, v, c.tied(r))
	}
	return t
}

// resolve returns the relation that v names, and qualifies the name; nil if it is unknown. A
// relation without an alias gets its name as one.
func (c *pgCheck) resolve(v *pg.RangeVar) *relation {
	if v.Catalogname != "" {
		c.refuse(RuleRelation, "there is only one database", "leave "+v.Catalogname+" out")
		return nil
	}
	r := c.guard.find(v.Schemaname, v.Relname)
	if r == nil {
		c.refuseUnknown(c.guard, v.Schemaname, v.Relname)
		return nil
	}
	if v.Alias == nil {
		v.Alias = &pg.Alias{Aliasname: v.Relname} // columns may be qualified by the name as it was written
	}
	v.Schemaname, v.Relname = r.Schema, r.Name
	c.read(r)
	return r
}

// tied returns the condition for one tenant's rows of r. Its columns are qualified, so that
// they cannot be another table's.
func (c *pgCheck) tied(r *relation) *pg.Node {
	if r.tie.Column != "" {
		return pg.MakeAExprNode(pg.A_Expr_Kind_AEXPR_OP, []*pg.Node{pg.MakeStrNode("=")},
			pg.MakeColumnRefNode([]*pg.Node{pg.MakeStrNode(r.Name), pg.MakeStrNode(r.tie.Column)}, 0), pg.MakeAConstStrNode(c.guard.filter.Value, 0), 0)
	}
	w := tieWriter{guard: c.guard, quote: doubleQuotes, relation: func(r *relation) string { return quotedParts(r, doubleQuotes) }, read: c.read, compare: pgCompare}
	tree, err := pg.Parse("SELECT WHERE " + w.condition(r, r.Name))
	if err != nil || len(tree.Stmts) != 1 {
		c.refuse(RuleRelation, "the filter of the table cannot be written", "ask an administrator to correct the filter")
		return nil
	}
	return tree.Stmts[0].GetStmt().GetSelectStmt().GetWhereClause()
}

// pgCompare returns the comparison of a column with a text. The literal is one whose backslashes
// mean the same whatever the server's settings.
func pgCompare(column, value string) string {
	return column + " = E'" + strings.NewReplacer(`\`, `\\`, "'", "''").Replace(value) + "'"
}

// hold replaces table v at n, which may be a sample of it, by the query for the rows that meet a
// condition.
func hold(n *pg.Node, v *pg.RangeVar, where *pg.Node) {
	alias := v.Alias
	v.Alias = &pg.Alias{Aliasname: v.Relname}
	star := pg.MakeResTargetNodeWithVal(pg.MakeColumnRefNode([]*pg.Node{pg.MakeAStarNode()}, 0), 0)
	q := &pg.SelectStmt{TargetList: []*pg.Node{star}, FromClause: []*pg.Node{{Node: n.Node}}, WhereClause: where,
		LimitOption: pg.LimitOption_LIMIT_OPTION_DEFAULT, Op: pg.SetOperation_SETOP_NONE}
	n.Node = &pg.Node_RangeSubselect{RangeSubselect: &pg.RangeSubselect{Subquery: &pg.Node{Node: &pg.Node_SelectStmt{SelectStmt: q}}, Alias: alias}}
}
