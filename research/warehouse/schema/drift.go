package schema

import (
	"time"

	"quaestor/research/warehouse/catalog"
)

// maxDetail is how many tables of each kind a drift lists.
const maxDetail = 100

// Drift is the difference between what a warehouse holds and what it held at the last refresh. The
// counts cover all tables; of each kind, the first 100 are listed by qualified name.
type Drift struct {
	At      time.Time     `json:"at"`      // when it began
	Took    time.Duration `json:"took"`    // in nanoseconds, as JSON has it
	Tables  int           `json:"tables"`  // tables there are now
	Added   int           `json:"added"`   // new tables
	Removed int           `json:"removed"` // tables that are gone
	Changed int           `json:"changed"` // tables with other columns, keys or comment
	Counted int           `json:"counted"` // tables whose row count changed by more than a tenth
	Failed  int           `json:"failed"`  // tables that cannot be described or sampled
	Why     string        `json:"why"`     // why the refresh ended early; empty if it did not
	Detail  DriftDetail   `json:"detail"`
}

// None reports whether nothing has changed.
func (d *Drift) None() bool { return d.Added == 0 && d.Removed == 0 && d.Changed == 0 }

// DriftDetail lists tables.
type DriftDetail struct {
	Added   []string      `json:"added,omitempty"`
	Removed []string      `json:"removed,omitempty"`
	Changed []TableChange `json:"changed,omitempty"` // with their columns
	Renamed []Rename      `json:"renamed,omitempty"` // pairs of added and removed tables that differ only in name
	Failed  []Failure     `json:"failed,omitempty"`  // with the reasons
}

// TableChange is how a table changed. A renamed column counts as one removed and one added. All lists are
// empty if only the comment, the keys or the order of columns changed.
type TableChange struct {
	Table   string   `json:"table"` // qualified
	Added   []string `json:"added,omitempty"`
	Removed []string `json:"removed,omitempty"`
	Retyped []Retype `json:"retyped,omitempty"` // columns whose type differs
}

// Retype is a column whose type changed.
type Retype struct {
	Column string `json:"column"`
	From   string `json:"from"`
	To     string `json:"to"`
}

// Rename is a table whose name changed. It is a guess: a table that was dropped and another that
// was made alike look the same.
type Rename struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// Failure is a table that cannot be described or sampled, with the reason.
type Failure struct {
	Table string `json:"table"`
	Why   string `json:"why"`
}

// first appends v to list unless list is full.
func first[T any](list []T, v T) []T {
	if len(list) >= maxDetail {
		return list
	}
	return append(list, v)
}

// changeOf returns how a table changed, given its columns before and now. Names are compared
// exactly.
func changeOf(table string, before, now []catalog.Column) TableChange {
	out := TableChange{Table: table}
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

// renames pairs added and removed tables by content hash, where both are the only ones with it.
func renames(added, removed map[string][]string) []Rename {
	var out []Rename
	for hash, to := range added {
		if from := removed[hash]; len(from) == 1 && len(to) == 1 {
			out = append(out, Rename{from[0], to[0]})
		}
	}
	return out
}
