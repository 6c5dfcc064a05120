package guard

import (
	"regexp"

	pg "github.com/pganalyze/pg_query_go/v6"
)

// json checks the standard's constructors and queries of JSON, which have syntax of their
// own, and reports whether n is one. JSON_TABLE stands in FROM; see [pgCheck.jsonTable].
func (c *pgCheck) json(n *pg.Node, names *pgNames) bool {
	switch v := n.Node.(type) {
	case *pg.Node_JsonObjectConstructor:
		c.exprs(v.JsonObjectConstructor.Exprs, names)
		c.jsonType(v.JsonObjectConstructor.Output)
	case *pg.Node_JsonArrayConstructor:
		c.exprs(v.JsonArrayConstructor.Exprs, names)
		c.jsonType(v.JsonArrayConstructor.Output)
	case *pg.Node_JsonObjectAgg:
		c.jsonPair(v.JsonObjectAgg.Arg, names)
		c.jsonAggregate(v.JsonObjectAgg.Constructor, names)
	case *pg.Node_JsonArrayAgg:
		c.jsonValue(v.JsonArrayAgg.Arg, names)
		c.jsonAggregate(v.JsonArrayAgg.Constructor, names)
	case *pg.Node_JsonFuncExpr:
		c.jsonQuery(v.JsonFuncExpr, names)
	case *pg.Node_JsonIsPredicate:
		c.expr(v.JsonIsPredicate.Expr, names)
	case *pg.Node_JsonKeyValue:
		c.jsonPair(v.JsonKeyValue, names)
	case *pg.Node_JsonValueExpr:
		c.jsonValue(v.JsonValueExpr, names)
	case *pg.Node_JsonArgument:
		c.jsonArgument(v.JsonArgument, names)
	default:
		return false
	}
	return true
}

// jsonQuery checks JSON_VALUE, JSON_QUERY and JSON_EXISTS.
func (c *pgCheck) jsonQuery(f *pg.JsonFuncExpr, names *pgNames) {
	c.jsonValue(f.ContextItem, names)
	c.expr(f.Pathspec, names)
	c.exprs(f.Passing, names)
	c.jsonType(f.Output)
	c.jsonBehavior(f.OnEmpty, names)
	c.jsonBehavior(f.OnError, names)
}

// jsonTable checks JSON_TABLE, which sees the items of FROM before it, and returns its columns.
// Its paths are literals and read the document alone.
func (c *pgCheck) jsonTable(t *pg.JsonTable, names *pgNames) *pgTable {
	if c.guard.dialect != PostgreSQL {
		c.refuse(RuleNode, "JSON_TABLE is not possible here", constructs["JSON_TABLE"])
		return nil
	}
	c.jsonValue(t.ContextItem, names)
	c.jsonPath(t.Pathspec)
	c.exprs(t.Passing, names)
	c.jsonBehavior(t.OnError, names)
	return renamed(t.Alias, "json_table", c.jsonColumns(t.Columns, names))
}

// jsonColumns checks the columns of JSON_TABLE and returns their names, with those of nested
// paths.
func (c *pgCheck) jsonColumns(list []*pg.Node, names *pgNames) (out []string) {
	if !c.enter() {
		return nil
	}
	defer c.leave()
	for _, n := range list {
		column := n.GetJsonTableColumn()
		if column == nil {
			c.refuse(RuleNode, "JSON_TABLE has a column that cannot be read", "write a name, a type and PATH")
			return out
		}
		if column.TypeName != nil {
			c.typeName(column.TypeName)
		}
		c.jsonPath(column.Pathspec)
		c.jsonBehavior(column.OnEmpty, names)
		c.jsonBehavior(column.OnError, names)
		if column.Name != "" {
			out = append(out, column.Name)
		}
		out = append(out, c.jsonColumns(column.Columns, names)...)
	}
	return out
}

// jsonPath checks a path of JSON_TABLE, which may be absent.
func (c *pgCheck) jsonPath(p *pg.JsonTablePathSpec) {
	if p == nil {
		return
	}
	if p.String_.GetAConst().GetSval() == nil {
		c.refuse(RuleNode, "a path of JSON_TABLE is no text", "write it out, such as '$.items[*]'")
	}
	if p.Name != "" && !plainName.MatchString(p.Name) {
		c.refuse(RuleNode, "a path of JSON_TABLE has a name that is not possible here", "use small letters only, or leave AS out")
	}
}

// jsonBehavior checks what stands for what is missing or wrong; nil means the default.
func (c *pgCheck) jsonBehavior(b *pg.JsonBehavior, names *pgNames) {
	if b != nil {
		c.expr(b.Expr, names)
	}
}

// jsonAggregate checks the clauses of an aggregate that makes a document.
func (c *pgCheck) jsonAggregate(a *pg.JsonAggConstructor, names *pgNames) {
	if a == nil {
		return
	}
	c.jsonType(a.Output)
	c.expr(a.AggFilter, names)
	c.exprs(a.AggOrder, names)
	c.window(a.Over, names)
}

// jsonPair checks a key and its value in a JSON constructor.
func (c *pgCheck) jsonPair(p *pg.JsonKeyValue, names *pgNames) {
	c.expr(p.GetKey(), names)
	c.jsonValue(p.GetValue(), names)
}

// jsonValue checks a value with its FORMAT clause.
func (c *pgCheck) jsonValue(v *pg.JsonValueExpr, names *pgNames) {
	c.expr(v.GetRawExpr(), names)
	c.expr(v.GetFormattedExpr(), names)
}

// plainName matches a name that is printed the same with quotes and without.
var plainName = regexp.MustCompile(`^[a-z_][a-z0-9_]*$`)

// jsonArgument checks a variable of a path.
func (c *pgCheck) jsonArgument(a *pg.JsonArgument, names *pgNames) {
	if !plainName.MatchString(a.Name) {
		c.refuse(RuleNode, "a variable of a path has a name that is not possible here", "use small letters only")
	}
	c.jsonValue(a.Val, names)
}

// jsonType checks the RETURNING type; nil means the default.
func (c *pgCheck) jsonType(o *pg.JsonOutput) {
	if o != nil {
		c.typeName(o.TypeName)
	}
}
