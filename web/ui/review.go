package ui

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"quaestor/sessions"
)

// ReviewListView is what [ReviewList] shows: a page of a tenant's sessions.
type ReviewListView struct {
	Nav      Nav
	Filter   ReviewFilter
	Contexts []ReviewContext // to choose from, and to name the rows by
	Rows     []ReviewRow     // newest first
	Tallies  ReviewTallies   // of all sessions, whatever the filter
	Count    int             // sessions that meet the filter, as far as they are counted
	More     bool            // there are more of them than Count
	Partial  bool            // the search found as much as it shows at most
	Failure  string          // why the search could not be done; empty when it could
	Later    bool            // this is not the first page
	Older    string          // cursor of the next page; empty on the last
}

// ReviewFilter says which sessions are wanted; the zero value wants all.
type ReviewFilter struct {
	Words     string // to search for
	Context   string
	Status    sessions.Status
	Phase     sessions.Phase
	Person    string // who began it or takes part
	Conflicts bool   // with open conflicts only
	Research  bool   // with research that waits only
}

// ReviewContext is an objective's context and its name.
type ReviewContext struct{ Type, Name string }

// ReviewRow is one session of the list. Its fields stand in the order of the
// columns they are read from.
type ReviewRow struct {
	ID          string
	ContextType string
	User        string
	Status      sessions.Status
	Phase       sessions.Phase
	Score       float64 // 0–1
	Progress    float64 // 0–1
	Turns       int
	CreatedAt   time.Time
	UpdatedAt   time.Time
	Conflicts   int // open ones
	Research    int // tasks that are not over, or wait for a decision
}

// ReviewTallies count a tenant's sessions by what is to be done with them, in the
// order of the columns they are read from.
type ReviewTallies struct{ Active, Completed, Conflicts, Research int }

// maxFilterRunes bounds each word of a filter; longer ones are cut.
const maxFilterRunes = 200

// ReadReviewFilter reads a filter from an address. A status or phase that is none
// is left out.
func ReadReviewFilter(q url.Values) ReviewFilter {
	f := ReviewFilter{Words: filterText(q, "q"), Context: filterText(q, "context"), Person: filterText(q, "person"),
		Status: sessions.Status(q.Get("status")), Phase: sessions.Phase(q.Get("phase")), Conflicts: q.Get("conflicts") != "", Research: q.Get("research") != ""}
	if f.Status != sessions.Active && f.Status != sessions.Completed {
		f.Status = ""
	}
	if !isPhase(f.Phase) {
		f.Phase = ""
	}
	return f
}

func filterText(q url.Values, name string) string {
	s := strings.TrimSpace(q.Get(name))
	if utf8.RuneCountInString(s) > maxFilterRunes {
		return string([]rune(s)[:maxFilterRunes])
	}
	return s
}

func isPhase(p sessions.Phase) bool {
	for _, known := range phases {
		if p == known {
			return true
		}
	}
	return false
}

// Path is the address of the list under f, at a cursor; empty for the first page.
func (f ReviewFilter) Path(cursor string) string {
	q := url.Values{}
	for _, p := range []struct{ name, value string }{{"q", f.Words}, {"context", f.Context}, {"status", string(f.Status)}, {"phase", string(f.Phase)},
		{"person", f.Person}, {"conflicts", flagValue(f.Conflicts)}, {"research", flagValue(f.Research)}, {"cursor", cursor}} {
		if p.value != "" {
			q.Set(p.name, p.value)
		}
	}
	if len(q) == 0 {
		return "/review"
	}
	return "/review?" + q.Encode()
}

func flagValue(is bool) string {
	if is {
		return "1"
	}
	return ""
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
		{"Completed", t.Completed, ReviewFilter{Status: sessions.Completed}}, {"Open conflicts", t.Conflicts, ReviewFilter{Conflicts: true}},
		{"Research waiting", t.Research, ReviewFilter{Research: true}}}
}

// found says how many sessions there are under the filter.
func (v ReviewListView) found() string {
	n := thousands(float64(v.Count))
	switch {
	case v.More:
		return "More than " + n + " interviews"
	case v.Count == 1:
		return "1 interview"
	}
	return n + " interviews"
}

// nameOf names a context.
func (v ReviewListView) nameOf(contextType string) string {
	for _, c := range v.Contexts {
		if c.Type == contextType {
			return c.Name
		}
	}
	return strings.ReplaceAll(contextType, "_", " ")
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

// rowFlags says what waits for a decision in a session.
func rowFlags(r ReviewRow) []string {
	var out []string
	if r.Conflicts > 0 {
		out = append(out, countOf(r.Conflicts, "open conflict"))
	}
	if r.Research > 0 {
		out = append(out, fmt.Sprintf("%d research waiting", r.Research))
	}
	return out
}

// countOf is a number and what is counted, which takes an s for the plural.
func countOf(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return thousands(float64(n)) + " " + noun + "s"
}

// shortID is the beginning of an id, enough to tell rows apart.
func shortID(id string) string { return id[:min(8, len(id))] }

func numeral(n int) string { return strconv.Itoa(n) }
