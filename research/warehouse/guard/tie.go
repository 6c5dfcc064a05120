package guard

import (
	"slices"
	"strconv"
	"strings"
)

// Key is a declared foreign key of a relation.
type Key struct {
	Columns []string
	Table   string   // qualified name of the relation it refers to, as in [Statement.Tables]
	To      []string // the columns it refers to, in the order of Columns
}

// Tie says how a filter reaches a relation. The zero value means that it does not.
type Tie struct {
	// Column is the column that is compared with the filter's value; empty if there is none.
	Column string
	// Keys lead to relations that are tied by a shorter way; empty if there is a Column.
	Keys []Key
	// Path is the way in words, such as "order_id → shop.orders.customer_id"; the column's own
	// name if there is one.
	Path string
}

// Tied reports whether the filter reaches the relation.
func (t Tie) Tied() bool { return t.Column != "" || len(t.Keys) > 0 }

// Bounds of a tie. A statement that names a tied table holds one subquery for each key of the
// way, so they bound how much a statement grows.
const (
	maxTieLength = 6  // keys from a relation to the filter's column
	maxTieKeys   = 16 // keys of all ways of one relation together
)

// Ties returns how a filter reaches each of some relations, in their order. A relation is tied
//
//   - by its own column, if it has the filter's column, in any case;
//   - by the column that the filter's column of another relation refers to with a foreign key,
//     such as customers.id for a filter on orders.customer_id;
//   - else by all of its foreign keys that lead to a relation tied by the shortest way. A row
//     belongs to the tenant if each of them that is not null does, and at least one is not null.
//
// What is left is not tied. Without a filter nothing is.
func Ties(relations []Relation, f Filter) []Tie {
	out := make([]Tie, len(relations))
	if f.Column == "" {
		return out
	}
	at, many := map[string]int{}, map[string]bool{}
	for i, r := range relations {
		name := dotted(r.Schema, r.Name)
		_, many[name] = at[name]
		at[name] = i
		if own := spelled(r.Columns, f.Column); own != "" {
			out[i] = Tie{Column: own, Path: own}
		}
	}
	target := func(k Key) (int, bool) {
		i, ok := at[k.Table]
		return i, ok && !many[k.Table] && len(k.Columns) > 0 && len(k.Columns) == len(k.To) && hasAll(relations[i].Columns, k.To)
	}
	tieReferred(relations, f, out, target)
	size := make([]int, len(relations))
	for range maxTieLength {
		tieOnce(relations, out, size, target)
	}
	return out
}

// tieReferred ties the relations that the filter's column of another refers to.
func tieReferred(relations []Relation, f Filter, out []Tie, target func(Key) (int, bool)) {
	for i := range relations {
		for _, k := range relations[i].Keys {
			t, ok := target(k)
			if ok && len(k.Columns) == 1 && strings.EqualFold(k.Columns[0], f.Column) && !out[t].Tied() {
				out[t] = Tie{Column: k.To[0], Path: k.To[0]}
			}
		}
	}
}

// tieOnce ties the relations whose keys lead to one that is tied already. size counts the keys of
// all ways of a relation.
func tieOnce(relations []Relation, out []Tie, size []int, target func(Key) (int, bool)) {
	before := slices.Clone(out)
	for i, r := range relations {
		if before[i].Tied() {
			continue
		}
		t, n, words := Tie{}, 0, []string{}
		for _, k := range r.Keys {
			to, ok := target(k)
			if !ok || !before[to].Tied() || !hasAll(r.Columns, k.Columns) {
				continue
			}
			t.Keys = append(t.Keys, k)
			n += 1 + size[to]
			words = append(words, strings.Join(k.Columns, ", ")+" → "+k.Table+"."+before[to].Path)
		}
		if n > 0 && n <= maxTieKeys {
			t.Path = strings.Join(words, " and ")
			out[i], size[i] = t, n
		}
	}
}

// spelled returns name as columns spell it, or nothing. Case does not count, which errs on the
// side of the filter.
func spelled(columns []string, name string) string {
	for _, c := range columns {
		if strings.EqualFold(c, name) {
			return c
		}
	}
	return ""
}

// hasAll reports whether columns has all of names, spelt exactly so.
func hasAll(columns, names []string) bool {
	return !slices.ContainsFunc(names, func(n string) bool { return !slices.Contains(columns, n) })
}

// tieWriter writes the condition that ties a relation, in one dialect.
type tieWriter struct {
	guard    *Guard
	quote    func(name string) string
	relation func(r *relation) string          // qualified and quoted
	compare  func(column, value string) string // with the filter's value; the column is quoted
	read     func(r *relation)                 // told of every relation on the way
	aliases  int
}

// condition returns the condition for the rows of r under an alias. All its columns are qualified.
func (w *tieWriter) condition(r *relation, alias string) string {
	if r.tie.Column != "" {
		return w.compare(w.column(alias, r.tie.Column), w.guard.filter.Value)
	}
	if len(r.tie.Keys) == 1 {
		return w.exists(r.tie.Keys[0], alias)
	}
	var ours, some []string
	for _, k := range r.tie.Keys {
		var null, given []string
		for _, c := range k.Columns {
			null = append(null, w.column(alias, c)+" IS NULL")
			given = append(given, w.column(alias, c)+" IS NOT NULL")
		}
		ours = append(ours, "("+strings.Join(null, " OR ")+" OR "+w.exists(k, alias)+")")
		some = append(some, "("+strings.Join(given, " AND ")+")")
	}
	return strings.Join(ours, " AND ") + " AND (" + strings.Join(some, " OR ") + ")"
}

// exists returns the condition that the row which key k of alias refers to is the tenant's.
func (w *tieWriter) exists(k Key, alias string) string {
	to := w.guard.byName[k.Table]
	w.read(to)
	w.aliases++
	inner := "quaestor_tie_" + strconv.Itoa(w.aliases)
	var on []string
	for i := range k.Columns {
		on = append(on, w.column(inner, k.To[i])+" = "+w.column(alias, k.Columns[i]))
	}
	return "EXISTS (SELECT 1 FROM " + w.relation(to) + " AS " + w.quote(inner) + " WHERE " + strings.Join(on, " AND ") + " AND " + w.condition(to, inner) + ")"
}

// column returns a qualified, quoted column.
func (w *tieWriter) column(alias, name string) string { return w.quote(alias) + "." + w.quote(name) }
