package catalog

import (
	"slices"
	"strings"
)

// Index is a catalog that can be asked. It is not changed once made, and may be
// used by many at once.
type Index struct {
	tables []Table
	byRef  map[string]int   // by folded qualified name
	byName map[string][]int // by folded bare name
	joins  [][]Join         // of each table
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
	x := &Index{tables: tables, byRef: make(map[string]int, len(tables)), byName: make(map[string][]int, len(tables))}
	for i := range tables {
		x.byRef[fold(tables[i].Ref())] = i
		name := fold(tables[i].Name)
		x.byName[name] = append(x.byName[name], i)
	}
	x.joins = x.findJoins()
	return x
}

// Len returns the number of tables.
func (x *Index) Len() int { return len(x.tables) }

// Table returns table i, in the order of qualified names.
func (x *Index) Table(i int) *Table { return &x.tables[i] }

// Find returns the table that ref names: qualified, or bare when only one has that
// name; capitals and the quotes of any dialect do not matter. Of an ambiguous name
// it returns the candidates instead.
func (x *Index) Find(ref string) (i int, ok bool, candidates []string) {
	plain := fold(unquoted(ref))
	if i, ok := x.byRef[plain]; ok {
		return i, true, nil
	}
	at := x.byName[plain]
	if at == nil { // with a database before the schema
		if dot := strings.IndexByte(plain, '.'); dot >= 0 {
			if i, ok := x.byRef[plain[dot+1:]]; ok {
				return i, true, nil
			}
		}
		return 0, false, nil
	}
	if len(at) == 1 {
		return at[0], true, nil
	}
	for _, i := range at {
		candidates = append(candidates, x.tables[i].Ref())
	}
	return 0, false, candidates
}

// unquoted returns a name without the quotes around its parts.
func unquoted(ref string) string {
	ref = strings.TrimSpace(ref)
	if !strings.ContainsAny(ref, "\"`[]") {
		return ref
	}
	return strings.NewReplacer(`"`, "", "`", "", "[", "", "]", "").Replace(ref)
}
