package data

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/connections"
	"quaestor/research/warehouse/projects"
	"quaestor/research/warehouse/schema"
	"quaestor/web"
	"quaestor/web/ui"
)

// WarehouseView is what [Warehouse] shows: a connected warehouse, or a new one, whose
// ID is empty.
type WarehouseView struct {
	Nav     ui.Nav
	Notice  string // what the last form did; may be empty
	Failure string // why the last form failed; may be empty
	Form    ui.FormView

	connections.Warehouse
	Make   MakeView       // the zero value while the make is to be chosen
	Makes  []MakeView     // to choose from, for a new warehouse
	Limits []ui.FormField // of statements
	Grant  string         // SQL that the administrator of the warehouse runs; may be empty

	Index      IndexView
	Statements []connections.AuditEntry // latest first
	Projects   []projects.Project       // that explore it
}

// MakeView is a make of warehouse for people.
type MakeView struct {
	Kind       warehouse.Kind
	Name       string
	About      string // a sentence
	Secret     string // what its secret is called; empty if it takes none
	LongSecret bool   // the secret may have several lines, such as a key file
	Fields     []warehouse.Field
}

// IndexView is what is known of the tables of a warehouse.
type IndexView struct {
	Tables, Columns int
	Running         bool          // a refresh is running or queued
	Last            schema.Drift  // the latest refresh; its At is zero if there was none
	Changes         []driftChange // that Last found
	Search          string        // what the reader searched for; empty for nothing
	Hits            []TableHit    // that the search found, or the first tables
	More            int           // tables beyond Hits, without a search
	Filtered        int           // tables that the filter is on
	Closed          []string      // tables that nothing ties to the filter
}

// TableHit is a table in the list.
type TableHit struct {
	*catalog.Table
	JoinsTo []string // tables that its keys lead to
	Because string   // what matched the search; empty without one
	Access  connections.TableAccess
}

// accessWords tells how the table may be read; empty without a filter.
func (h TableHit) accessWords() string {
	switch h.Access.Access {
	case connections.Filtered:
		return "only the customer's rows, through " + h.Access.Path
	case connections.Opened:
		return "all rows: it is opened below"
	case connections.Closed:
		return "closed: nothing ties it to the customer"
	case connections.Whole:
	}
	return ""
}

// fillAccess counts how tables may be read.
func (v *IndexView) fillAccess(list []connections.TableAccess) {
	for _, a := range list {
		switch a.Access {
		case connections.Filtered:
			v.Filtered++
		case connections.Closed:
			v.Closed = append(v.Closed, a.Ref)
		case connections.Whole, connections.Opened:
		}
	}
}

// maxClosed is how many closed tables a sentence names.
const maxClosed = 20

// closedWords names the tables that are closed; empty for none.
func (v IndexView) closedWords() string {
	if len(v.Closed) == 0 {
		return ""
	}
	out := "Closed, because no column and no foreign key ties them to the customer: " + strings.Join(v.Closed[:min(len(v.Closed), maxClosed)], ", ")
	if more := len(v.Closed) - maxClosed; more > 0 {
		out += " and " + ui.Count(more, "more table")
	}
	return out + ". Those that hold nothing of anybody, such as a calendar, can be opened."
}

// size tells how large the table is.
func (h TableHit) size() string {
	out := ui.Count(len(h.Columns), "column")
	if h.Rows >= 0 { // negative when the warehouse does not tell
		out += ", " + roughly(h.Rows) + " rows"
	}
	return out
}

// roughly writes a number in at most two digits before its unit: numbers of rows are
// estimates anyway.
func roughly(n int64) string {
	for _, unit := range []struct {
		from  int64
		scale float64
		word  string
	}{{1e9, 1e9, "billion"}, {1e6, 1e6, "million"}, {1e4, 1e3, "thousand"}} {
		if n >= unit.from {
			return strings.TrimSuffix(strconv.FormatFloat(float64(n)/unit.scale, 'f', 1, 64), ".0") + " " + unit.word
		}
	}
	return strconv.FormatInt(n, 10)
}

// title is the heading of the page.
func (v WarehouseView) title() string {
	if v.ID == "" {
		return "Connect a warehouse"
	}
	return v.Name
}

// action is the address that the form is sent to.
func (v WarehouseView) action() string { return strings.TrimSuffix(warehousePath(v.ID), "/") }

// option returns the value of a setting. A new warehouse shows the defaults; in an
// existing one an empty setting was left empty.
func (v WarehouseView) option(f warehouse.Field) string {
	if have := v.Options[f.Name]; have != "" || v.ID != "" {
		return have
	}
	return f.Default
}

// optionField is the field of the form for a setting of the make.
func (v WarehouseView) optionField(f warehouse.Field) ui.FormField {
	return ui.FormField{Form: "warehouse", Name: "options." + f.Name, Label: f.Label, Hint: f.Help, Value: v.option(f), Longest: 2000, Needed: f.Required, ID: "option-" + f.Name,
		Focus: v.Form.First("warehouse", "options."+f.Name, v.order())}
}

// optionChoices are the values that a setting may have.
func optionChoices(f warehouse.Field) []ui.Choice {
	return web.Map(f.Choices, func(c string) ui.Choice { return ui.Choice{Value: c, Name: c} })
}

// order lists the fields of the form as they are shown, to find the first at fault.
func (v WarehouseView) order() []string {
	options := web.Map(v.Make.Fields, func(f warehouse.Field) string { return "options." + f.Name })
	limits := web.Map(v.Limits, func(f ui.FormField) string { return f.Name })
	return slices.Concat([]string{"name"}, options, []string{"secret", "schemas", "filter", "open"}, limits)
}

// secretHint tells what happens to the secret that is typed.
func (v WarehouseView) secretHint() string {
	if v.HasSecret {
		return "One is kept, sealed. Leave this empty to keep it; it has to be given again when anything of the address changes."
	}
	return "Kept sealed, and never shown again."
}

// summary tells how much is known of the tables.
func (v IndexView) summary() string {
	if v.Last.At.IsZero() {
		return "Nothing is known of its tables yet."
	}
	out := ui.Count(v.Tables, "table") + " with " + ui.Count(v.Columns, "column")
	if v.Last.Failed > 0 {
		out += fmt.Sprintf("; %d could not be read", v.Last.Failed)
	}
	out += "."
	for _, f := range v.Last.Detail.Failed[:min(len(v.Last.Detail.Failed), 3)] {
		out += " " + f.Table + ": " + f.Why
	}
	return out
}

// tableCount tells how many tables a test could read; empty for none.
func tableCount(t *connections.Test) string {
	switch {
	case t.Tables == 0:
		return ""
	case t.MoreTables:
		return "more than " + ui.Count(t.Tables, "table")
	}
	return ui.Count(t.Tables, "table")
}

// secondsOf writes a number of milliseconds, as the audit and tests store durations.
func secondsOf(milliseconds float64) string {
	return ui.Seconds(time.Duration(milliseconds * float64(time.Millisecond)))
}
