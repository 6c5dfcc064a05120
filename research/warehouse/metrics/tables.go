package metrics

import (
	"cmp"
	"slices"
	"strings"

	"quaestor/internal/language"
	"quaestor/research/warehouse/catalog"
)

// tables are the tables of a warehouse by the names that people and documents use for them.
type tables struct {
	list   []catalog.Table
	byName map[string][]string // qualified names, by every end of them in lower case
}

func tablesOf(list []catalog.Table) *tables {
	out := &tables{list, map[string][]string{}}
	for i := range list {
		parts := strings.Split(strings.ToLower(list[i].Ref()), ".")
		for from := range parts {
			name := strings.Join(parts[from:], ".")
			out.byName[name] = append(out.byName[name], list[i].Ref())
		}
	}
	return out
}

// resolve returns the qualified name of the table that is meant: the only one whose name ends so.
// Quotes around the parts of a name, and what stands before all names of the catalog, such as a
// database, do not matter.
func (t *tables) resolve(name string) (string, error) {
	parts := strings.Split(strings.NewReplacer(`"`, "", "`", "", "[", "", "]", "").Replace(name), ".")
	for from := range parts {
		switch found := t.byName[strings.ToLower(strings.Join(parts[from:], "."))]; {
		case len(found) == 1:
			return found[0], nil
		case len(found) > 1:
			return "", wrong("table", "%q may be %s; write which", name, language.And(found[:min(len(found), 5)]))
		case from == len(parts)-2:
			return "", wrong("table", "the warehouse has no table %q%s", name, t.hint(parts[len(parts)-1]))
		}
	}
	return "", wrong("table", "the warehouse has no table %q%s", name, t.hint(name))
}

// named returns the table of a qualified name; nil for none.
func (t *tables) named(ref string) *catalog.Table {
	if i := slices.IndexFunc(t.list, func(o catalog.Table) bool { return o.Ref() == ref }); i >= 0 {
		return &t.list[i]
	}
	return nil
}

// hint names tables that may have been meant.
func (t *tables) hint(name string) string {
	var near []string
	low := strings.ToLower(name)
	for i := range t.list {
		if own := strings.ToLower(t.list[i].Name); low != "" && (strings.Contains(own, low) || strings.Contains(low, own)) {
			near = append(near, t.list[i].Ref())
		}
	}
	if len(near) == 0 {
		return "; have its tables read again if it is new"
	}
	slices.SortFunc(near, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	return "; perhaps " + language.And(near[:min(len(near), 3)])
}
