package catalog

import (
	"cmp"
	"slices"
	"strings"
	"sync"
)

// Index is a catalog that can be asked. It is not changed once made, and may be
// used by many at once.
type Index struct {
	tables  []Table
	joins   []Join // of all tables, in their order
	joined  []int  // where those of each table end in joins
	own     texts  // of each table its name and comment
	columns texts  // names and comments of columns, each once
	in      []int32
	until   []int  // where those of each table end in in, which holds places in columns
	text    string // all lines
	lines   []line
	names   func() *names
}

// names are tables by how they are called.
type names struct {
	byRef  map[string]int   // by folded qualified name; of several, the first
	twins  map[string][]int // by folded qualified name, those that differ in capitals only
	byName map[string][]int // by folded bare name
}

// NewIndex returns the index of tables, sorted by their qualified names. It takes
// the slice over.
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
	x.names = sync.OnceValue(x.nameTables) // rendering needs none
	return x
}

// sortTables sorts by schema and name. A table is large, so it is moved once.
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
	for i := range keys { // each round of places that change hands
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

// nameTables notes the names of all tables.
func (x *Index) nameTables() *names {
	n := &names{byRef: make(map[string]int, len(x.tables)), twins: map[string][]int{}, byName: make(map[string][]int, len(x.tables))}
	for i := range x.tables {
		n.addRef(fold(x.tables[i].Ref()), i)
		name := fold(x.tables[i].Name)
		n.byName[name] = append(n.byName[name], i)
	}
	return n
}

// addRef notes the qualified name of table i.
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

// Find returns the table that ref names: qualified, or bare when only one has that
// name; capitals and the quotes of any dialect do not matter unless they tell two
// tables apart, and a database before the schema does not either. Of an ambiguous
// name it returns the candidates instead.
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

// only returns the one of at, or the one whose name is written as it is given, or
// all of them as candidates.
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
