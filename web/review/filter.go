package review

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"quaestor/internal/language"
	"quaestor/sessions"
	"quaestor/web/ui"
)

// listFilter selects and orders the sessions of the list. The zero value selects all of
// them, newest first. Filters that select the same are equal, so that the page can tell
// which of its links leads to itself.
type listFilter struct {
	Words   string // that the interview contains
	Context string
	Status  sessions.Status
	Phase   sessions.Phase
	Person  string // who began it or takes part in it
	Since   string // first day it may have begun on, as 2026-03-31; empty for any
	Until   string // last day it may have begun on
	Order   sessions.ReviewOrder
	Needs   [needKinds]bool // at least one of which it has, in the order of [sessions.Needs]; none for all
}

// needKinds is the length of [sessions.Needs], which a test compares.
const needKinds = 6

// maxFilterRunes bounds each text of a filter, as the inputs do; longer ones are cut.
const maxFilterRunes = 200

// readFilter reads a filter from an address or a form. Values that are no status, phase,
// day, order or need are ignored.
func readFilter(q url.Values) listFilter {
	f := listFilter{Words: filterText(q, "q"), Context: filterText(q, "context"), Person: filterText(q, "person"), Since: filterDay(q, "since"), Until: filterDay(q, "until"),
		Status: sessions.Status(q.Get("status")), Phase: sessions.Phase(q.Get("phase")), Order: sessions.ReviewOrder(q.Get("order"))}
	if f.Status != sessions.Active && f.Status != sessions.Completed {
		f.Status = ""
	}
	if !slices.Contains(ui.Phases, f.Phase) {
		f.Phase = ""
	}
	if !slices.Contains(sessions.ReviewOrders(), f.Order) {
		f.Order = sessions.NewestFirst
	}
	for i, need := range sessions.Needs() {
		f.Needs[i] = slices.Contains(q["need"], string(need))
	}
	return f
}

// filterText returns a trimmed parameter, cut to the bound of a filter's texts.
func filterText(q url.Values, name string) string {
	return language.Head(strings.TrimSpace(q.Get(name)), maxFilterRunes)
}

// filterDay returns a parameter that is a day; empty for anything else.
func filterDay(q url.Values, name string) string {
	if _, err := time.Parse(time.DateOnly, q.Get(name)); err != nil {
		return ""
	}
	return q.Get(name)
}

// among returns the filter of [sessions.LoadReviewPage] among the sessions that a search
// has found; nil means among all. Days are those of UTC.
func (f listFilter) among(found []string) sessions.ReviewFilter {
	out := sessions.ReviewFilter{Context: f.Context, Status: f.Status, Phase: f.Phase, Person: f.Person, Among: found}
	out.Since, _ = time.Parse(time.DateOnly, f.Since) // empty is the zero time, which is any
	if until, err := time.Parse(time.DateOnly, f.Until); err == nil {
		out.Until = until.AddDate(0, 0, 1)
	}
	for i, need := range sessions.Needs() {
		if f.Needs[i] {
			out.Needs = append(out.Needs, need)
		}
	}
	return out
}

// needing returns f with one more need.
func (f listFilter) needing(n sessions.ReviewNeed) listFilter {
	f.Needs[slices.Index(sessions.Needs(), n)] = true
	return f
}

// needs reports whether f selects by a need.
func (f listFilter) needs(n sessions.ReviewNeed) bool {
	return f.Needs[slices.Index(sessions.Needs(), n)]
}

// fields are the fields of forms and parameters of addresses that [readFilter] reads f from.
func (f listFilter) fields() []ui.Fact {
	var out []ui.Fact
	for _, p := range []ui.Fact{{Name: "q", Value: f.Words}, {Name: "context", Value: f.Context}, {Name: "status", Value: string(f.Status)}, {Name: "phase", Value: string(f.Phase)}, {Name: "person", Value: f.Person},
		{Name: "since", Value: f.Since}, {Name: "until", Value: f.Until}, {Name: "order", Value: string(f.Order)}} {
		if p.Value != "" {
			out = append(out, p)
		}
	}
	for _, need := range sessions.Needs() {
		if f.needs(need) {
			out = append(out, ui.Fact{Name: "need", Value: string(need)})
		}
	}
	return out
}

// Path is the address of the list under f, at a cursor; the empty one means the first page.
func (f listFilter) Path(cursor string) string {
	q := url.Values{}
	for _, p := range f.fields() {
		q.Add(p.Name, p.Value)
	}
	if cursor != "" {
		q.Set("cursor", cursor)
	}
	if len(q) == 0 {
		return "/review"
	}
	return "/review?" + q.Encode()
}
