package schema

import (
	"time"

	"quaestor/research/warehouse/catalog"
)

// maxDetail is how many tables of each sort a drift names.
const maxDetail = 100

// Drift says what a warehouse holds now that it did not hold, or held otherwise,
// when it was last looked into. The counts are of all tables; of each sort the
// first 100 are named, by their qualified names.
type Drift struct {
	At      time.Time     `json:"at"`
	Took    time.Duration `json:"took"`
	Tables  int           `json:"tables"`  // there are
	Added   int           `json:"added"`   // tables
	Removed int           `json:"removed"` // tables
	Changed int           `json:"changed"` // tables whose columns, keys or comment are others
	Counted int           `json:"counted"` // tables with a tenth more or fewer rows
	Failed  int           `json:"failed"`  // tables that cannot be described or sampled
	Why     string        `json:"why"`     // it ended early; empty when all was seen
	Detail  Detail        `json:"detail"`
}

// None reports whether everything is as it was.
func (d *Drift) None() bool { return d.Added == 0 && d.Removed == 0 && d.Changed == 0 }

// Detail names tables.
type Detail struct {
	Added   []string  `json:"added,omitempty"`
	Removed []string  `json:"removed,omitempty"`
	Changed []Change  `json:"changed,omitempty"`
	Renamed []Rename  `json:"renamed,omitempty"` // of the added and removed, those that are one table by all but the name
	Failed  []Failure `json:"failed,omitempty"`
}

// Change is what changed of a table. A column with another name is one removed and
// one added. All are empty when only its comment, its keys or the order of its
// columns changed.
type Change struct {
	Table   string   `json:"table"`
	Added   []string `json:"added,omitempty"`
	Removed []string `json:"removed,omitempty"`
	Retyped []Retype `json:"retyped,omitempty"`
}

// Retype is a column of another type.
type Retype struct {
	Column string `json:"column"`
	From   string `json:"from"`
	To     string `json:"to"`
}

// Rename is a table that has another name.
type Rename struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// Failure is a table that cannot be described or sampled.
type Failure struct {
	Table string `json:"table"`
	Why   string `json:"why"`
}

// first adds v to a list that names the first only.
func first[T any](list []T, v T) []T {
	if len(list) >= maxDetail {
		return list
	}
	return append(list, v)
}

// changeOf returns what changed of a table from its columns before to those now.
func changeOf(table string, before, now []catalog.Column) Change {
	out := Change{Table: table}
	was := make(map[string]string, len(before))
	for i := range before {
		was[before[i].Name] = before[i].Type
	}
	for i := range now {
		typ, ok := was[now[i].Name]
		switch {
		case !ok:
			out.Added = first(out.Added, now[i].Name)
		case typ != now[i].Type:
			out.Retyped = first(out.Retyped, Retype{now[i].Name, typ, now[i].Type})
		}
		delete(was, now[i].Name)
	}
	for i := range before {
		if _, gone := was[before[i].Name]; gone {
			out.Removed = first(out.Removed, before[i].Name)
		}
	}
	return out
}

// renames pairs tables added and removed whose content is the same and no other's.
func renames(added, removed map[string][]string) []Rename {
	var out []Rename
	for hash, to := range added {
		if from := removed[hash]; len(from) == 1 && len(to) == 1 {
			out = append(out, Rename{from[0], to[0]})
		}
	}
	return out
}
