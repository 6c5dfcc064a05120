package catalog

import (
	"slices"
	"strings"
)

// Index is a catalog that can be asked. It is not changed once made, and may be
// used by many at once.
type Index struct {
	tables []Table
	byRef  map[string]int   // by folded qualified name; of several, the first
	twins  map[string][]int // by folded qualified name, those that differ in capitals only
	byName map[string][]int // by folded bare name
	joins  [][]Join         // of each table
	names  []byte           // and comments, of all tables and their columns, in lower case
	ends   []int            // of each table in names
}

// NewIndex returns the index of tables, sorted by their qualified names. It takes
// the slice over.
func NewIndex(tables []Table) *Index {
	slices.SortFunc(tables, func(a, b Table) int {
		if c := strings.Compare(a.Schema, b.Schema); c != 0 {
			return c
		}
		return strings.Compare(a.Name, b.Name)
	})
	x := &Index{tables: tables, byRef: make(map[string]int, len(tables)), twins: map[string][]int{}, byName: make(map[string][]int, len(tables))}
	for i := range tables {
		x.addRef(fold(tables[i].Ref()), i)
		name := fold(tables[i].Name)
		x.byName[name] = append(x.byName[name], i)
	}
	x.joins = x.findJoins()
	x.foldNames()
	return x
}

// addRef notes the qualified name of table i.
func (x *Index) addRef(ref string, i int) {
	before, ok := x.byRef[ref]
	switch {
	case !ok:
		x.byRef[ref] = i
	case x.twins[ref] == nil:
		x.twins[ref] = []int{before, i}
	default:
		x.twins[ref] = append(x.twins[ref], i)
	}
}

// foldNames writes down what words of a subject are looked for in.
func (x *Index) foldNames() {
	x.ends = make([]int, len(x.tables))
	x.names = make([]byte, 0, 200*len(x.tables))
	for i := range x.tables {
		x.names = x.tables[i].appendFolded(x.names)
		x.ends[i] = len(x.names)
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
	for _, name := range spellings(ref) {
		low := fold(name)
		at := x.twins[low]
		if i, ok := x.byRef[low]; ok && at == nil {
			return i, true, nil
		}
		if at == nil {
			at = x.byName[low]
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

// spellings returns the names that ref may be: as it stands there, without spaces
// around it, without quotes, and then without what stands before the last two of
// its parts.
func spellings(ref string) []string {
	out := []string{ref, strings.TrimSpace(ref)}
	parts := partsOf(out[1])
	if len(parts) == 0 {
		return out
	}
	out = append(out, strings.Join(parts, "."))
	for len(parts) > 2 {
		parts = parts[1:]
		out = append(out, strings.Join(parts, "."))
	}
	return out
}

// partsOf splits a name at the dots outside of quotes, and takes the quotes off.
func partsOf(ref string) []string {
	var out []string
	for ref != "" {
		part, rest := ref, ""
		if closing(ref[0]) != 0 {
			part, rest = quoted(ref)
		} else if dot := strings.IndexByte(ref, '.'); dot >= 0 {
			part, rest = ref[:dot], ref[dot:]
		}
		out = append(out, part)
		ref = strings.TrimPrefix(rest, ".")
	}
	return out
}

// closing returns the quote that ends what begins with c; 0 if c is none.
func closing(c byte) byte {
	switch c {
	case '"', '`':
		return c
	case '[':
		return ']'
	default:
		return 0
	}
}

// quoted returns the name in the quotes that ref begins with, where a quote that
// stands there twice is one of the name, and what follows them.
func quoted(ref string) (name, rest string) {
	end := closing(ref[0])
	var b strings.Builder
	for i := 1; i < len(ref); i++ {
		if ref[i] != end {
			b.WriteByte(ref[i])
			continue
		}
		if i+1 == len(ref) || ref[i+1] != end {
			return b.String(), ref[i+1:]
		}
		b.WriteByte(end)
		i++
	}
	return ref, "" // without an end it is none
}
