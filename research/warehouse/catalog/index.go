package catalog

import (
	"cmp"
	"slices"
	"strings"
	"sync"
)

// Index is a searchable catalog. It is immutable and safe for concurrent use.
type Index struct {
	tables  []Table
	joins   []Join // of all tables, in order
	joined  []int  // the end of each table's joins
	own     texts  // each table's name and comment
	columns texts  // names and comments of columns, without duplicates
	in      []int32
	until   []int  // the end of each table's entries in in, which are indexes of columns
	text    string // all lines
	lines   []line
	names   func() *names
}

// names index the tables by name.
type names struct {
	byRef  map[string]int   // by folded qualified name; the first, if there are several
	twins  map[string][]int // by folded qualified name, tables that differ only in case
	byName map[string][]int // by folded unqualified name
}

// NewIndex returns the index of tables, sorted by qualified name. The slice belongs to the index
// from then on.
func NewIndex(tables []Table) *Index {
	sortTables(tables)
	x := &Index{tables: tables}
	x.findJoins(x.readColumns())
	x.writeLines()
	for i := range tables {
		x.own.add(tables[i].Name, tables[i].Comment)
	}
	x.own.count()
	x.columns.count()
	x.names = sync.OnceValue(x.nameTables) // not needed for rendering
	return x
}

// sortTables sorts by schema and name. A table is a large struct, so each is moved only once.
func sortTables(tables []Table) {
	type key struct {
		schema, name string
		at           int
	}
	keys := make([]key, len(tables))
	for i := range tables {
		keys[i] = key{tables[i].Schema, tables[i].Name, i}
	}
	slices.SortFunc(keys, func(a, b key) int {
		return cmp.Or(strings.Compare(a.schema, b.schema), strings.Compare(a.name, b.name), a.at-b.at)
	})
	for i := range keys { // follow each cycle of the permutation
		if keys[i].at == i {
			continue
		}
		first, to := tables[i], i
		for keys[to].at != i {
			from := keys[to].at
			tables[to], keys[to].at = tables[from], to
			to = from
		}
		tables[to], keys[to].at = first, to
	}
}

// nameTables indexes the names of all tables.
func (x *Index) nameTables() *names {
	n := &names{byRef: make(map[string]int, len(x.tables)), twins: map[string][]int{}, byName: make(map[string][]int, len(x.tables))}
	for i := range x.tables {
		n.addRef(fold(x.tables[i].Ref()), i)
		name := fold(x.tables[i].Name)
		n.byName[name] = append(n.byName[name], i)
	}
	return n
}

// addRef indexes the qualified name of table i.
func (n *names) addRef(ref string, i int) {
	before, ok := n.byRef[ref]
	switch {
	case !ok:
		n.byRef[ref] = i
	case n.twins[ref] == nil:
		n.twins[ref] = []int{before, i}
	default:
		n.twins[ref] = append(n.twins[ref], i)
	}
}

// Len returns the number of tables.
func (x *Index) Len() int { return len(x.tables) }

// Table returns table i, in the order of qualified names.
func (x *Index) Table(i int) *Table { return &x.tables[i] }

// Find returns the table that ref names. The name may be qualified, or unqualified if it is
// unique. Case and the quotes of any dialect are ignored unless they distinguish two tables; a
// database before the schema is ignored too. For an ambiguous name it returns the candidates.
func (x *Index) Find(ref string) (i int, ok bool, candidates []string) {
	names := x.names()
	for _, name := range spellings(ref) {
		low := fold(name)
		at := names.twins[low]
		if i, ok := names.byRef[low]; ok && at == nil {
			return i, true, nil
		}
		if at == nil {
			at = names.byName[low]
		}
		if len(at) > 0 {
			return x.only(at, name)
		}
	}
	return 0, false, nil
}

// only returns the single table of at, or the one that is spelt exactly like name; otherwise all
// of them are candidates.
func (x *Index) only(at []int, name string) (i int, ok bool, candidates []string) {
	if len(at) == 1 {
		return at[0], true, nil
	}
	n := 0
	for _, k := range at {
		t := &x.tables[k]
		if t.Name == name || t.Ref() == name {
			i, n = k, n+1
		}
		candidates = append(candidates, t.Ref())
	}
	if n == 1 {
		return i, true, nil
	}
	return 0, false, candidates
}
