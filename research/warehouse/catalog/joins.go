package catalog

import (
	"slices"
	"strings"
	"unicode"
)

// Join is a relation from one table to another.
type Join struct {
	Columns  []string
	Table    string // qualified name
	To       []string
	Declared bool // by a foreign key, not merely suggested by names
}

// Joins returns the joins of table i: the declared ones first, then the suggested ones in the
// order of its columns, at most one for each other table.
func (x *Index) Joins(i int) []Join {
	from := 0
	if i > 0 {
		from = x.joined[i-1]
	}
	return x.joins[from:x.joined[i]:x.joined[i]]
}

// hint is a column whose name refers to another table.
type hint struct {
	table, column int
	text          int32 // index of its name in Index.columns
}

// readColumns indexes the names and comments of all columns. It returns what each name refers
// to, and the columns that refer to something.
func (x *Index) readColumns() (refers []string, list []hint) {
	known := map[string]int32{}
	id := func(s string) int32 {
		n, ok := known[s]
		if !ok {
			n = int32(len(refers))
			known[s], refers = n, append(refers, reference(s))
			x.columns.add(s)
		}
		return n
	}
	n := 0
	for i := range x.tables {
		n += len(x.tables[i].Columns)
	}
	x.in, x.until = make([]int32, 0, n), make([]int, len(x.tables))
	for i := range x.tables {
		columns := x.tables[i].Columns
		for c := range columns {
			name := id(columns[c].Name)
			x.in = append(x.in, name)
			if refers[name] != "" {
				list = append(list, hint{i, c, name})
			}
			if comment := columns[c].Comment; comment != "" {
				x.in = append(x.in, id(comment))
			}
		}
		x.until[i] = len(x.in)
	}
	return refers, list
}

// findJoins works out the joins of all tables: the declared ones, and for each column named after
// another table, such as customer_id, the key of that table if its type is comparable. If
// several tables have that name, the one in the same schema is meant; if there is none, the
// column suggests nothing.
func (x *Index) findJoins(refers []string, list []hint) {
	f := finder{Index: x, refers: refers, named: x.byThing(refers), refs: make([]string, len(x.tables)), names: make([]string, 0, 2*len(list))}
	x.joined, x.joins = make([]int, len(x.tables)), make([]Join, 0, len(list))
	schema := 0 // index of the first table of the current schema
	for i := range x.tables {
		if x.tables[i].Schema != x.tables[schema].Schema {
			schema = i
		}
		from := len(x.joins)
		for _, d := range x.tables[i].Foreign {
			x.joins = append(x.joins, Join{Columns: d.Columns, Table: d.Table, To: d.To, Declared: true})
		}
		for ; len(list) > 0 && list[0].table == i; list = list[1:] {
			if j, ok := f.suggested(&list[0], schema); ok && !leadsTo(x.joins[from:], j.Table) {
				x.joins = append(x.joins, j)
			}
		}
		x.joined[i] = len(x.joins)
	}
}

// leadsTo reports whether one of joins leads to table.
func leadsTo(joins []Join, table string) bool {
	return slices.ContainsFunc(joins, func(j Join) bool { return j.Table == table || fold(j.Table) == fold(table) })
}

// finder finds the joins that names suggest.
type finder struct {
	*Index
	refers []string         // what the names of columns refer to
	named  map[string][]int // indexes of tables by what one of their rows is, ascending
	refs   []string         // qualified names of tables, filled when needed
	names  []string         // backing array for the columns of joins
}

// byThing maps what columns refer to to the tables whose rows are that: customer to customers and
// dim_customer.
func (x *Index) byThing(refers []string) map[string][]int {
	out := map[string][]int{}
	for _, of := range refers {
		if of != "" {
			out[Singular(of)] = nil
		}
	}
	for i := range x.tables {
		name := thing(x.tables[i].Name)
		if at, ok := out[name]; ok {
			out[name] = append(at, i)
		}
	}
	return out
}

// suggested returns the join that a column's name suggests. schema is the index of the first
// table of its schema.
func (f *finder) suggested(h *hint, schema int) (Join, bool) {
	of := f.refers[h.text]
	target, ok := f.nearest(f.named[Singular(of)], h.table, schema)
	if !ok {
		return Join{}, false
	}
	key, c := f.tables[target].keyFor(of), &f.tables[h.table].Columns[h.column]
	if key == nil || key.Type != c.Type && family(key.Type) != family(c.Type) {
		return Join{}, false
	}
	if f.refs[target] == "" {
		f.refs[target] = f.tables[target].Ref()
	}
	f.names = append(f.names, c.Name, key.Name)
	n := len(f.names)
	return Join{Columns: f.names[n-2 : n-1 : n-1], Table: f.refs[target], To: f.names[n-1 : n : n]}, true
}

// nearest returns the only one of the tables at, or the only one in the schema of table i, which
// begins at schema. It never returns i itself.
func (x *Index) nearest(at []int, i, schema int) (int, bool) {
	n, same, near := len(at), 0, 0
	from, _ := slices.BinarySearch(at, schema)
	for _, k := range at[from:] {
		if x.tables[k].Schema != x.tables[i].Schema || same > 1 {
			break
		}
		if k == i {
			n--
			continue
		}
		near, same = k, same+1
	}
	switch {
	case same == 1:
		return near, true
	case same > 0 || n != 1:
		return 0, false
	case at[0] == i:
		return at[1], true
	default:
		return at[0], true
	}
}

// keyFor returns the column that identifies the rows of t: its primary key, else id, else the
// column that refers to of as other tables' columns do.
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

// reference returns what a column refers to by its name: customer for customer_id, customerId,
// CUSTOMER_ID, id_customer and customer_key; empty for others.
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

// snake returns a name in lower case with underscores between its words.
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

// thing returns what a row of a table is, from the table's name.
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

// Singular returns the singular of the English noun that a name ends in, by simple rules:
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

// family returns a name for types that can be compared with each other: all numbers, all texts,
// and every other type by itself.
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
