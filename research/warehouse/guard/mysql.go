package guard

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/pingcap/tidb/pkg/parser"
	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/format"
	"github.com/pingcap/tidb/pkg/parser/model"
	_ "github.com/pingcap/tidb/pkg/parser/test_driver" // the values of literals
)

// mysqlParsers are parsers, each of which handles one statement at a time.
var mysqlParsers = sync.Pool{New: func() any { return parser.New() }}

// mysqlFlags print a tree so that a statement means the same whatever the server's settings
// for backslashes and double quotes.
const mysqlFlags = format.RestoreStringSingleQuotes | format.RestoreStringEscapeBackslash | format.RestoreKeyWordUppercase | format.RestoreNameBackQuotes |
	format.RestoreSpacesAroundBinaryOperation | format.RestoreStringWithoutDefaultCharset

// checkMySQL checks a statement with the grammar of MySQL 8, for MariaDB with MariaDB's
// functions. The printed statement must be parsed and printed as the same again. The comparison
// catches whatever TiDB's parser and printer would not agree about.
func (g *Guard) checkMySQL(sql string) (Statement, error) {
	c := &mysqlCheck{guard: g, functions: mysqlFunctions[g.dialect]}
	tree := c.parse(sql)
	c.root(tree)
	printed := c.print(tree)
	if c.fault != nil {
		return Statement{}, c.fault
	}
	if c.print(c.parse(printed)) != printed || c.fault != nil {
		return Statement{}, &Refusal{RuleNode, "the statement cannot be written again", "write it in a simpler way"}
	}
	return Statement{SQL: printed, Tables: c.tables, Filtered: c.held, Columns: c.columns}, nil
}

// mysqlCheck walks one tree. The first refusal ends the walk. It changes the tree on the way.
type mysqlCheck struct {
	walk
	guard     *Guard
	functions map[string]bool
}

// parse returns the only statement of sql.
func (c *mysqlCheck) parse(sql string) ast.StmtNode {
	p := mysqlParsers.Get().(*parser.Parser)
	defer mysqlParsers.Put(p)
	list, _, err := p.ParseSQL(sql, parser.CharsetConnection("utf8mb4"))
	switch {
	case err != nil:
		if c.fault == nil {
			c.fault = mysqlLexicon.unparsed(sql, err.Error())
		}
	case len(list) != 1:
		c.refuse(RuleStatement, "there is more than one statement", "write one SELECT")
	default:
		list[0].Accept(mysqlNames{})
		return list[0]
	}
	return nil
}

// print returns the statement of a tree.
func (c *mysqlCheck) print(tree ast.StmtNode) string {
	if tree == nil || c.fault != nil {
		return ""
	}
	var b strings.Builder
	if err := tree.Restore(format.NewRestoreCtx(mysqlFlags, &b)); err != nil {
		c.refuse(RuleNode, "the statement cannot be written again: "+firstLine(err.Error()), "write it in a simpler way")
	}
	return b.String()
}

// root checks that the statement is a query.
func (c *mysqlCheck) root(tree ast.StmtNode) {
	switch q := tree.(type) {
	case nil:
	case *ast.SelectStmt, *ast.SetOprStmt:
		c.query(q, nil)
	default:
		c.refuse(RuleStatement, "the statement is no query", "write one SELECT, or WITH … SELECT")
	}
}

// query checks a SELECT, TABLE or VALUES, or a set operation.
func (c *mysqlCheck) query(n ast.Node, names *scope) {
	if !c.enter() {
		return
	}
	defer c.leave()
	switch q := n.(type) {
	case *ast.SelectStmt:
		c.selects(q, names)
	case *ast.SetOprStmt:
		names = c.with(q.With, names)
		c.query(q.SelectList, names)
		c.order(q.OrderBy, names)
		c.limit(q.Limit, names)
	case *ast.SetOprSelectList:
		names = c.with(q.With, names)
		for _, part := range q.Selects {
			c.query(part, names)
		}
		c.order(q.OrderBy, names)
		c.limit(q.Limit, names)
	case *ast.SubqueryExpr:
		c.query(q.Query, names)
	default:
		c.refuse(RuleStatement, fmt.Sprintf("a part of the statement is no query but %T", n), "write SELECT in it")
	}
}

// selects checks one SELECT.
func (c *mysqlCheck) selects(q *ast.SelectStmt, names *scope) {
	c.options(q)
	names = c.with(q.With, names)
	if q.From != nil && q.From.TableRefs != nil {
		c.join(q.From.TableRefs, names)
	}
	if q.Kind == ast.SelectStmtKindTable {
		q.Kind, q.SelectStmtOpts, q.Fields = ast.SelectStmtKindSelect, &ast.SelectStmtOpts{SQLCache: true}, star()
	}
	if q.Fields != nil {
		for _, f := range q.Fields.Fields {
			c.field(f, names)
		}
	}
	for _, row := range q.Lists {
		c.expr(row, names)
	}
	c.expr(q.Where, names)
	if q.GroupBy != nil {
		c.items(q.GroupBy.Items, names)
	}
	if q.Having != nil {
		c.expr(q.Having.Expr, names)
	}
	for i := range q.WindowSpecs {
		c.window(&q.WindowSpecs[i], names)
	}
	c.order(q.OrderBy, names)
	c.limit(q.Limit, names)
}

// options refuses INTO, locks, hints and other options of a SELECT. Hints may change limits of
// the session, and optimiser options the load on the server.
func (c *mysqlCheck) options(q *ast.SelectStmt) {
	switch {
	case q.SelectIntoOpt != nil:
		c.refuse(RuleStatement, "SELECT INTO writes", "leave INTO out")
	case q.LockInfo != nil:
		c.refuse(RuleStatement, "FOR UPDATE and the like lock rows", "leave it out")
	case len(q.TableHints) > 0:
		c.refuse(RuleText, "the statement holds a hint", "leave it out")
	}
	if q.SelectStmtOpts != nil {
		q.SelectStmtOpts.SQLCache = true // SQL_NO_CACHE has no effect any more
	}
	if o := q.SelectStmtOpts; o != nil && (o.Priority != 0 || o.SQLBufferResult || o.CalcFoundRows || len(o.TableHints) > 0 || o.SQLSmallResult || o.SQLBigResult || o.StraightJoin) {
		c.refuse(RuleNode, "the SELECT has an option that changes how it runs", "leave it out")
	}
}

// star is the select list of a bare *.
func star() *ast.FieldList {
	return &ast.FieldList{Fields: []*ast.SelectField{{WildCard: &ast.WildCardField{}}}}
}

// with checks the queries of a WITH and returns names extended by theirs. All of them are renamed
// before any is checked. Without RECURSIVE a query sees only those before it.
func (c *mysqlCheck) with(w *ast.WithClause, names *scope) *scope {
	if w == nil {
		return names
	}
	own, all := &scope{above: names}, &scope{above: names}
	for _, cte := range w.CTEs {
		given := cte.Name.O
		cte.Name = model.NewCIStr(c.withName())
		all.add(given, cte.Name.O)
	}
	for i, cte := range w.CTEs {
		if w.IsRecursive {
			own = all
		}
		c.query(cte.Query, own)
		own = &scope{names: all.names[i : i+1], printed: all.printed[i : i+1], above: own}
	}
	return own
}

// field checks one column of a SELECT.
func (c *mysqlCheck) field(f *ast.SelectField, names *scope) {
	if f.WildCard != nil {
		f.WildCard.Schema = model.NewCIStr("")
	}
	c.expr(f.Expr, names)
}

// join checks the tables in FROM. They are printed with aliases, and a join of one table is
// replaced by that table.
func (c *mysqlCheck) join(j *ast.Join, names *scope) {
	if !c.enter() {
		return
	}
	defer c.leave()
	if j.StraightJoin {
		c.refuse(RuleNode, "STRAIGHT_JOIN is a hint", "write JOIN")
	}
	j.Left, j.Right = c.side(j.Left, names), c.side(j.Right, names)
	if j.On != nil {
		c.expr(j.On.Expr, names)
	}
	for _, col := range j.Using {
		c.column(col)
	}
}

// side checks one side of a join and returns what replaces it. nil stays nil.
func (c *mysqlCheck) side(n ast.ResultSetNode, names *scope) ast.ResultSetNode {
	switch v := n.(type) {
	case nil:
	case *ast.Join:
		c.join(v, names)
		if v.Right == nil {
			return v.Left
		}
	case *ast.TableSource:
		c.source(v, names)
	default:
		c.refuse(RuleNode, fmt.Sprintf("FROM holds %T, which is not possible here", n), "name tables, or queries in parentheses")
	}
	return n
}

// source checks a table or a query in FROM.
func (c *mysqlCheck) source(s *ast.TableSource, names *scope) {
	switch v := s.Source.(type) {
	case *ast.TableName:
		c.relation(s, v, names)
	case *ast.SelectStmt, *ast.SetOprStmt:
		c.query(v, names)
	case *ast.Join:
		c.join(v, names)
	default:
		c.refuse(RuleNode, fmt.Sprintf("FROM holds %T, which is not possible here", s.Source), "name tables, or queries in parentheses")
	}
}

// relation checks a table in FROM, qualifies its name, and puts the filter around it if it has
// the filter's column. A query of WITH is printed under its new name, with the written one as its
// alias.
func (c *mysqlCheck) relation(s *ast.TableSource, v *ast.TableName, names *scope) {
	if len(v.IndexHints) > 0 || v.AsOf != nil || v.TableSample != nil || len(v.PartitionNames) > 0 {
		c.refuse(RuleNode, "a table is named with a hint, a partition or a time", "name the table only")
		return
	}
	if v.Schema.O == "" {
		if name, ok := names.find(v.Name.O); ok {
			if s.AsName.O == "" && name != v.Name.O {
				s.AsName = v.Name
			}
			v.Name = model.NewCIStr(name)
			return
		}
	}
	r := c.guard.find(v.Schema.O, v.Name.O)
	if r == nil {
		c.refuseUnknown(c.guard, v.Schema.O, v.Name.O)
		return
	}
	if s.AsName.O == "" {
		s.AsName = v.Name
	}
	v.Schema, v.Name = model.NewCIStr(r.Schema), model.NewCIStr(r.Name)
	c.read(r)
	if r.filtered {
		s.Source = c.hold(v, r)
	}
}

// hold returns the query for one tenant's rows of v. MySQL compares texts regardless of case
// and accents, so the bytes are compared as well.
func (c *mysqlCheck) hold(v *ast.TableName, r *relation) ast.ResultSetNode {
	w := tieWriter{guard: c.guard, quote: mysqlName, relation: func(r *relation) string { return quotedParts(r, mysqlName) }, compare: mysqlCompare, read: c.read}
	tree, _ := c.parse("SELECT * FROM t WHERE " + w.condition(r, r.Name)).(*ast.SelectStmt)
	if tree == nil {
		c.refuse(RuleRelation, "the filter of the table cannot be written", "ask an administrator to correct the filter")
		return v
	}
	source := tree.From.TableRefs.Left.(*ast.TableSource)
	source.Source, source.AsName = v, v.Name
	return tree
}

// mysqlCompare returns the comparison of a column with a text, byte for byte.
func mysqlCompare(column, value string) string {
	value = mysqlText(value)
	return column + " = " + value + " AND CAST(CONVERT(" + column + " USING utf8mb4) AS BINARY) = CAST(" + value + " AS BINARY)"
}

// mysqlName quotes a name.
func mysqlName(s string) string { return "`" + strings.ReplaceAll(s, "`", "``") + "`" }

// mysqlText returns s as a literal.
func mysqlText(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", "''").Replace(s) + "'"
}

// items checks the expressions of GROUP BY or ORDER BY.
func (c *mysqlCheck) items(list []*ast.ByItem, names *scope) {
	for _, item := range list {
		c.expr(item.Expr, names)
	}
}

// order checks an ORDER BY, which may be nil.
func (c *mysqlCheck) order(o *ast.OrderByClause, names *scope) {
	if o != nil {
		c.items(o.Items, names)
	}
}

// limit checks a LIMIT, which may be nil.
func (c *mysqlCheck) limit(l *ast.Limit, names *scope) {
	if l != nil {
		c.expr(l.Count, names)
		c.expr(l.Offset, names)
	}
}

// window checks a window specification.
func (c *mysqlCheck) window(w *ast.WindowSpec, names *scope) {
	if w.PartitionBy != nil {
		c.items(w.PartitionBy.Items, names)
	}
	c.order(w.OrderBy, names)
	if w.Frame != nil {
		c.expr(w.Frame.Extent.Start.Expr, names)
		c.expr(w.Frame.Extent.End.Expr, names)
	}
}

// column drops the schema from the name of a column, because tables are printed with aliases.
func (c *mysqlCheck) column(v *ast.ColumnName) {
	v.Schema = model.NewCIStr("")
	if v.Table.O == "" {
		c.columns.refer(v.Name.O)
	} else {
		c.columns.refer(v.Table.O, v.Name.O)
	}
}

// mysqlCharsets are the character sets that a literal may have.
var mysqlCharsets = []string{"", "utf8mb4", "utf8", "utf8mb3", "ascii", "latin1", "binary"}

// mysqlCharset reports whether text may be converted to a character set.
func mysqlCharset(name string) bool { return slices.Contains(mysqlCharsets, strings.ToLower(name)) }
