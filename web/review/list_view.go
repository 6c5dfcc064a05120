package review

import (
	"strings"

	"quaestor/sessions"
	"quaestor/web/ui"
)

// listView is what [listPage] shows: a page of a tenant's sessions under a filter.
type listView struct {
	Nav      ui.Nav
	Filter   listFilter
	Contexts []objectiveName        // to choose from, and to name the rows by
	Rows     []sessions.ReviewRow   // in the filter's order
	Tallies  sessions.ReviewTallies // of all sessions, whatever the filter
	Count    int                    // sessions that meet the filter; counting stops at a bound
	More     bool                   // more sessions than Count meet it
	Partial  bool                   // the search may have found more than it returns
	Failure  string                 // why the search failed; empty when it did not
	Refusal  string                 // why an export was refused; empty for none
	Format   sessions.Format        // of the export that was refused
	Later    bool                   // this is not the first page
	Older    string                 // cursor of the next page; empty on the last
}

// objectiveName is the context of an objective, and the name people know it by.
type objectiveName struct{ Type, Name string }

// nameOf names a context; one without an active objective by its own words.
func (v listView) nameOf(contextType string) string {
	for _, c := range v.Contexts {
		if c.Type == contextType {
			return c.Name
		}
	}
	return strings.ReplaceAll(contextType, "_", " ")
}

// tally is one of the counts above the list; it leads to the sessions it counts.
type tally struct {
	Name   string
	N      int
	Filter listFilter
}

// tallies count all sessions of the tenant, whatever the filter, so that they stay the same
// while the reader follows them.
func (v listView) tallies() []tally {
	t := v.Tallies
	return []tally{{"All", t.Active + t.Completed, listFilter{}}, {"Open", t.Active, listFilter{Status: sessions.Active}},
		{"Completed", t.Completed, listFilter{Status: sessions.Completed}},
		{"Ask for a person", t.Handovers, listFilter{}.needing(sessions.NeedHandover)}, {"Open conflicts", t.Conflicts, listFilter{}.needing(sessions.NeedConflict)},
		{"Research waiting", t.Research, listFilter{}.needing(sessions.NeedResearch)}, {"Open comments", t.Comments, listFilter{}.needing(sessions.NeedComment)}}
}

// exportLabel labels the export of all sessions that the filter finds.
func (v listView) exportLabel() string {
	if v.More || v.Count > maxExported {
		return "Export the first " + ui.Thousands(maxExported) + " of the list"
	}
	return "Export all found (" + ui.Thousands(float64(v.Count)) + ")"
}

// countWords tell how many sessions the filter finds.
func (v listView) countWords() string {
	if v.More {
		return "More than " + ui.Count(v.Count, "interview")
	}
	return ui.Count(v.Count, "interview")
}

// statusNames name the states of a session.
var statusNames = map[sessions.Status]string{sessions.Active: "Open", sessions.Completed: "Completed"}

// needNames name what may need attention in a session, in the singular and the plural.
var needNames = map[sessions.ReviewNeed][2]string{
	sessions.NeedHandover: {"asks for a person", "ask for a person"},
	sessions.NeedConflict: {"open conflict", "open conflicts"},
	sessions.NeedDispute:  {"value in dispute", "values in dispute"},
	sessions.NeedUnsure:   {"unsure value", "unsure values"},
	sessions.NeedResearch: {"research waiting", "research waiting"},
	sessions.NeedComment:  {"open comment", "open comments"},
}

// needName names a need among the choices of the filter.
func needName(n sessions.ReviewNeed) string {
	return ui.Capital(needNames[n][1])
}

// orderNames name the orders of the list.
var orderNames = map[sessions.ReviewOrder]string{sessions.NewestFirst: "Newest first", sessions.LatestFirst: "Latest activity first",
	sessions.UnresolvedFirst: "Least resolved first", sessions.UncertainFirst: "Least certain first"}

// rowFlags are the needs of a session, counted.
func rowFlags(r sessions.ReviewRow) []string {
	var out []string
	for _, need := range sessions.Needs() {
		n := r.Waiting[need]
		switch {
		case n > 0 && need == sessions.NeedHandover:
			out = append(out, ui.Capital(needNames[need][0]))
		case n > 0:
			out = append(out, ui.Thousands(float64(n))+" "+needNames[need][min(n, 2)-1])
		}
	}
	return out
}

// exportFormat is a format of an export, and its name for people.
type exportFormat struct {
	Format sessions.Format
	Name   string
}

// exportFormats are the formats in which many sessions are exported, those for people
// first.
var exportFormats = []exportFormat{{sessions.Markdown, "Briefs (ZIP of Markdown)"}, {sessions.DOCX, "Briefs (ZIP of Word)"}, {sessions.PDF, "Briefs (ZIP of PDF)"},
	{sessions.JSON, "Data (ZIP of JSON)"}, {sessions.CSV, "One table (CSV)"}}
