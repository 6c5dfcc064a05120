package review

import (
	"strings"

	"quaestor/sessions"
	"quaestor/web/ui"
)

// ReviewListView is what [ReviewList] shows: a page of a tenant's sessions.
type ReviewListView struct {
	Nav      ui.Nav
	Filter   ReviewFilter
	Contexts []ReviewContext        // to choose from, and to name the rows by
	Rows     []sessions.ReviewRow   // in the filter's order
	Tallies  sessions.ReviewTallies // of all sessions, whatever the filter
	Count    int                    // sessions that meet the filter, as far as they are counted
	More     bool                   // there are more of them than Count
	Partial  bool                   // the search found as much as it shows at most
	Failure  string                 // why the search could not be done; empty when it could
	Refused  string                 // why nothing was exported; empty when nothing was asked for
	Format   sessions.Format        // that was asked for
	Bound    int                    // sessions that one export holds at most
	Later    bool                   // this is not the first page
	Older    string                 // cursor of the next page; empty on the last
}

// ReviewContext is an objective's context and its name.
type ReviewContext struct{ Type, Name string }

// nameOf names a context.
func (v ReviewListView) nameOf(contextType string) string {
	for _, c := range v.Contexts {
		if c.Type == contextType {
			return c.Name
		}
	}
	return strings.ReplaceAll(contextType, "_", " ")
}

// tally is one of the counts above the list, which is a filter of its own.
type tally struct {
	Name   string
	N      int
	Filter ReviewFilter
}

func (v ReviewListView) tallies() []tally {
	t := v.Tallies
	return []tally{{"All", t.Active + t.Completed, ReviewFilter{}}, {"Open", t.Active, ReviewFilter{Status: sessions.Active}},
		{"Completed", t.Completed, ReviewFilter{Status: sessions.Completed}}, {"Open conflicts", t.Conflicts, ReviewFilter{}.needing(sessions.NeedConflict)},
		{"Research waiting", t.Research, ReviewFilter{}.needing(sessions.NeedResearch)}, {"Open comments", t.Comments, ReviewFilter{}.needing(sessions.NeedComment)}}
}

// exportFound names the export of all that the filter finds, as far as one export
// goes.
func (v ReviewListView) exportFound() string {
	if v.More || v.Count > v.Bound {
		return "Export the first " + ui.Thousands(float64(v.Bound)) + " of the list"
	}
	return "Export all found (" + ui.Thousands(float64(v.Count)) + ")"
}

// found says how many sessions there are under the filter.
func (v ReviewListView) found() string {
	n := ui.Thousands(float64(v.Count))
	switch {
	case v.More:
		return "More than " + n + " interviews"
	case v.Count == 1:
		return "1 interview"
	}
	return n + " interviews"
}

// statusName is the name of a session's status for people.
func statusName(s sessions.Status) string {
	switch s {
	case sessions.Active:
		return "Open"
	case sessions.Completed:
		return "Completed"
	}
	return string(s)
}

// needNames name what may wait in a session, for one and for several.
var needNames = map[sessions.ReviewNeed][2]string{
	sessions.NeedConflict: {"open conflict", "open conflicts"},
	sessions.NeedDispute:  {"value in dispute", "values in dispute"},
	sessions.NeedUnsure:   {"unsure value", "unsure values"},
	sessions.NeedResearch: {"research waiting", "research waiting"},
	sessions.NeedComment:  {"open comment", "open comments"},
}

// needName names a need as the choice of a filter.
func needName(n sessions.ReviewNeed) string {
	name := needNames[n][1]
	return strings.ToUpper(name[:1]) + name[1:]
}

// orderName names an order of the list.
func orderName(o sessions.ReviewOrder) string {
	switch o {
	case sessions.NewestFirst:
		return "Newest first"
	case sessions.LatestFirst:
		return "Latest activity first"
	case sessions.UnresolvedFirst:
		return "Least resolved first"
	case sessions.UncertainFirst:
		return "Least certain first"
	}
	return string(o)
}

// rowFlags says what waits for a decision in a session.
func rowFlags(r sessions.ReviewRow) []string {
	var out []string
	for _, need := range sessions.Needs() {
		if n := r.Waiting[need]; n > 0 {
			name := needNames[need][min(n, 2)-1]
			out = append(out, ui.Thousands(float64(n))+" "+name)
		}
	}
	return out
}

// formatName says what an export in a format is.
func formatName(f sessions.Format) string {
	switch f {
	case sessions.Markdown:
		return "Briefs (ZIP of Markdown)"
	case sessions.DOCX:
		return "Briefs (ZIP of Word)"
	case sessions.PDF:
		return "Briefs (ZIP of PDF)"
	case sessions.JSON:
		return "Data (ZIP of JSON)"
	case sessions.CSV:
		return "One table (CSV)"
	}
	return string(f)
}

// ReviewFormats are the formats that many sessions are exported in.
func ReviewFormats() []sessions.Format {
	return []sessions.Format{sessions.Markdown, sessions.DOCX, sessions.PDF, sessions.JSON, sessions.CSV}
}
