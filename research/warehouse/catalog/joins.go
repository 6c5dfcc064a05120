package catalog

import (
	"slices"
	"strings"
	"unicode"
)

// Join is a way from one table to another.
type Join struct {
	Columns  []string
	Table    string // qualified
	To       []string
	Declared bool // by the warehouse, and not suggested by names
}

// Joins returns those of table i: first the declared, then the suggested, each
// other table once, in the order of its columns.
func (x *Index) Joins(i int) []Join { return x.joins[i] }

// findJoins works the joins of all tables out: what is declared, and for each
// column named after another table, such as customer_id, the key of that table when
// its type is of the same family. Of several tables of a name, one in the same
// schema is meant; if there is none, nobody is.
func (x *Index) findJoins() [][]Join {
	out := make([][]Join, len(x.tables))
	named := x.byThing()
	for i := range x.tables {
		t := &x.tables[i]
		for _, f := range t.Foreign {
			out[i] = append(out[i], Join{Columns: f.Columns, Table: f.Table, To: f.To, Declared: true})
		}
		for c := range t.Columns {
			if j, ok := x.suggested(named, i, &t.Columns[c]); ok && !leadsTo(out[i], j.Table) {
				out[i] = append(out[i], j)
			}
		}
	}
	return out
}

// leadsTo says whether one of joins leads to a table.
func leadsTo(joins []Join, table string) bool {
	return slices.ContainsFunc(joins, func(j Join) bool { return fold(j.Table) == fold(table) })
}

// byThing returns the tables by what one of their rows is: customers and
// dim_customer by customer.
func (x *Index) byThing() map[string][]int {
	out := make(map[string][]int, len(x.tables))
	for i := range x.tables {
		name := thing(x.tables[i].Name)
		out[name] = append(out[name], i)
	}
	return out
}

// suggested returns the join that the name of a column of table i suggests.
func (x *Index) suggested(named map[string][]int, i int, c *Column) (Join, bool) {
	of := reference(c.Name)
	if of == "" {
		return Join{}, false
	}
	target, ok := x.nearest(named[Singular(of)], i)
	if !ok {
		return Join{}, false
	}
	key := x.tables[target].keyFor(of)
	if key == nil || family(key.Type) != family(c.Type) {
		return Join{}, false
	}
	return Join{Columns: []string{c.Name}, Table: x.tables[target].Ref(), To: []string{key.Name}}, true
}

// nearest returns the only one of the tables at, or the only one in the schema of
// table i; never i itself.
func (x *Index) nearest(at []int, i int) (int, bool) {
	found, near, n, same := 0, 0, 0, 0
	for _, k := range at {
		if k == i {
			continue
		}
		found, n = k, n+1
		if x.tables[k].Schema == x.tables[i].Schema {
			near, same = k, same+1
		}
	}
	if same == 1 {
		return near, true
	}
	return found, n == 1 && same == 0
}

// keyFor returns the column of t that tells its rows apart: its primary key, or
// else id, or what refers to it elsewhere.
func (t *Table) keyFor(of string) *Column {
	var key *Column
	keys := 0
	for i := range t.Columns {
		if t.Columns[i].Key {
			key, keys = &t.Columns[i], keys+1
		}
	}
	if keys == 1 {
		return key
	}
	for i := range t.Columns {
		if name := fold(t.Columns[i].Name); name == "id" || Singular(reference(name)) == Singular(of) {
			return &t.Columns[i]
		}
	}
	return nil
}

// reference returns what a column refers to by its name: customer of customer_id,
// customerId, CUSTOMER_ID, id_customer and customer_key; nothing of others.
func reference(column string) string {
	name := snake(column)
	for _, end := range []string{"_id", "_key", "_sk", "_fk", "_uuid", "_code", "_no"} {
		if of, ok := strings.CutSuffix(name, end); ok && of != "" {
			return of
		}
	}
	for _, begin := range []string{"id_", "fk_"} {
		if of, ok := strings.CutPrefix(name, begin); ok {
			return of
		}
	}
	return ""
}

// snake returns a name in lower case, its words parted by underscores.
func snake(name string) string {
	if !strings.ContainsFunc(name, unicode.IsUpper) {
		return name
	}
	var out strings.Builder
	before := '_'
	for _, r := range name {
		if unicode.IsUpper(r) && (unicode.IsLower(before) || unicode.IsDigit(before)) {
			out.WriteByte('_')
		}
		out.WriteRune(unicode.ToLower(r))
		before = r
	}
	return out.String()
}

// thing returns what a row of the table called name is.
func thing(name string) string {
	name = snake(name)
	for _, begin := range []string{"dim_", "fact_", "fct_", "stg_", "tbl_", "t_", "d_", "f_"} {
		if rest, ok := strings.CutPrefix(name, begin); ok && rest != "" {
			name = rest
			break
		}
	}
	return Singular(name)
}

// Singular returns an English noun that ends a name in the singular, roughly:
// categories, boxes, orders.
func Singular(name string) string {
	switch {
	case strings.HasSuffix(name, "ies") && len(name) > 4:
		return name[:len(name)-3] + "y"
	case strings.HasSuffix(name, "sses"), strings.HasSuffix(name, "xes"), strings.HasSuffix(name, "ches"), strings.HasSuffix(name, "shes"):
		return name[:len(name)-2]
	case strings.HasSuffix(name, "s") && !strings.HasSuffix(name, "ss") && !strings.HasSuffix(name, "us") && len(name) > 2:
		return name[:len(name)-1]
	default:
		return name
	}
}

// family returns what types have in common that may be compared: whole numbers and
// decimals, texts, and others each by itself.
func family(typ string) string {
	t := fold(typ)
	switch {
	case strings.Contains(t, "int") && !strings.Contains(t, "interval"), strings.Contains(t, "numeric"), strings.Contains(t, "number"), strings.Contains(t, "decimal"), strings.Contains(t, "serial"):
		return "number"
	case strings.Contains(t, "char"), strings.Contains(t, "text"), strings.Contains(t, "string"):
		return "text"
	}
	if end := strings.IndexAny(t, "( "); end > 0 {
		t = t[:end]
	}
	return t
}
