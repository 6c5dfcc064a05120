package data

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"quaestor/web/ui"
)

// WarehouseView is what [Warehouse] shows: a new warehouse, or one there is.
type WarehouseView struct {
	Nav     ui.Nav
	Notice  string // what was just done; empty for nothing
	Failure string // why it could not be done
	Form    ui.FormView

	ID        string // empty for a new one
	Name      string
	Version   int
	Make      MakeView   // the zero value while a make is to be chosen
	Makes     []MakeView // to choose from, for a new one
	HasSecret bool
	Options   map[string]string
	Schemas   []string
	Filter    [2]string // column and value
	Limits    []LimitLine
	Grant     string // what its administrator runs
	Test      *TestView

	Index      IndexView
	Statements []StatementRow
	Projects   []LinkRow // that explore it
}

// MakeView is a make of warehouse.
type MakeView struct {
	Kind, Name, Says string
	Secret           string // what its secret is called; empty when it needs none
	LongSecret       bool   // it is a key file
	Fields           []MakeField
}

// MakeField is one setting of a make.
type MakeField struct {
	Name, Label, Help, Default string
	Choices                    []string
	Required                   bool
	Long                       bool // it has several lines
}

// LimitLine is a bound of statements.
type LimitLine struct {
	Name, Label, Hint, Value, Default string
}

// TestView is what came of trying a warehouse.
type TestView struct {
	At       time.Time
	Well     bool
	Says     string
	Role     string
	Server   string
	CanWrite bool
	Why      []string
	Tables   string // how many, in words
	Took     time.Duration
}

// IndexView is what is known of the tables of a warehouse.
type IndexView struct {
	Tables, Columns int
	Failed          int // tables that could not be read
	Running         bool
	At              time.Time // of the last refresh; zero for none
	Took            time.Duration
	Failure         string // of the last refresh
	Drift           []DriftRow
	Search          string // what was looked for
	Hits            []TableHit
	More            int // tables beyond those that are listed
}

// DriftRow says what changed about a table since the refresh before.
type DriftRow struct {
	Change, Table, Detail string
}

// TableHit is a table of the list.
type TableHit struct {
	Ref, Says string
	Columns   int
	Rows      int64    // below 0 when nobody knows
	Leads     []string // to these tables
	Because   string   // what matched a search
}

// size says how large a table is.
func (h TableHit) size() string {
	out := ui.Count(h.Columns, "column")
	if h.Rows >= 0 {
		out += ", " + roughly(h.Rows) + " rows"
	}
	return out
}

// roughly is a large number in a word or two.
func roughly(n int64) string {
	for _, unit := range []struct {
		of    int64
		scale float64
		word  string
	}{{1e9, 1e9, "billion"}, {1e6, 1e6, "million"}, {1e4, 1e3, "thousand"}} {
		if n >= unit.of {
			return strings.TrimSuffix(strconv.FormatFloat(float64(n)/unit.scale, 'f', 1, 64), ".0") + " " + unit.word
		}
	}
	return strconv.FormatInt(n, 10)
}

// StatementRow is a statement of the audit.
type StatementRow struct {
	At      time.Time
	Verdict string
	Rule    string
	SQL     string
	Rows    int64
	Took    time.Duration
	Run     string // path of the run; empty for none
}

// LinkRow is something one may go to.
type LinkRow struct {
	Path, Name, Says string
}

// title is what the page is called.
func (v WarehouseView) title() string {
	if v.ID == "" {
		return "Connect a warehouse"
	}
	return v.Name
}

// action is where the form is sent to.
func (v WarehouseView) action() string {
	if v.ID == "" {
		return "/data/warehouses"
	}
	return "/data/warehouses/" + v.ID
}

// option is what a setting has.
func (v WarehouseView) option(f MakeField) string {
	if have := v.Options[f.Name]; have != "" || v.ID != "" {
		return have
	}
	return f.Default
}

// order is the order of the form's fields, for the first that is at fault.
func (v WarehouseView) order() []string {
	out := []string{"name"}
	for _, f := range v.Make.Fields {
		out = append(out, "options."+f.Name)
	}
	return append(out, "secret", "schemas", "filter", "limits.rows", "limits.bytes", "limits.time", "limits.scanned", "limits.memory")
}

// schemas is the list as it is typed.
func (v WarehouseView) schemas() string { return strings.Join(v.Schemas, ", ") }

// secretHint says what happens to what is typed.
func (v WarehouseView) secretHint() string {
	if v.HasSecret {
		return "One is kept, sealed. Leave this empty to keep it; it has to be given again when anything of the address changes."
	}
	return "Kept sealed, and never shown again."
}

// counted says how much the index holds.
func (v IndexView) counted() string {
	if v.At.IsZero() {
		return "Nothing is known of its tables yet."
	}
	out := ui.Count(v.Tables, "table") + " with " + ui.Count(v.Columns, "column")
	if v.Failed > 0 {
		out += fmt.Sprintf("; %d could not be read", v.Failed)
	}
	return out + "."
}
