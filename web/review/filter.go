package review

import (
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"quaestor/sessions"
	"quaestor/web/ui"
)

// ReviewFilter says which sessions are wanted, and in which order; the zero value
// wants all, newest first. Two that want the same are equal.
type ReviewFilter struct {
	Words   string // to search for
	Context string
	Status  sessions.Status
	Phase   sessions.Phase
	Person  string // who began it or takes part
	Since   string // day it was begun on or after, as 2026-03-31; empty for any
	Until   string // day it was begun on or before
	Order   sessions.ReviewOrder
	Needs   [needKinds]bool // with one of these at least, in the order of [sessions.Needs]; none for all
}

const needKinds = 5

// maxFilterRunes bounds each word of a filter; longer ones are cut.
const maxFilterRunes = 200

// ReadReviewFilter reads a filter from an address or a form. What is no status,
// phase, day, order or need is left out.
func ReadReviewFilter(q url.Values) ReviewFilter {
	f := ReviewFilter{Words: filterText(q, "q"), Context: filterText(q, "context"), Person: filterText(q, "person"), Since: filterDay(q, "since"), Until: filterDay(q, "until"),
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

func filterText(q url.Values, name string) string {
	s := strings.TrimSpace(q.Get(name))
	if utf8.RuneCountInString(s) > maxFilterRunes {
		return string([]rune(s)[:maxFilterRunes])
	}
	return s
}

func filterDay(q url.Values, name string) string {
	if _, err := time.Parse(time.DateOnly, q.Get(name)); err != nil {
		return ""
	}
	return q.Get(name)
}

// Wanted is f for a search that found these sessions; nil where nothing was
// searched for. Days are those of UTC.
func (f ReviewFilter) Wanted(found []string) sessions.ReviewFilter {
	out := sessions.ReviewFilter{Context: f.Context, Status: f.Status, Phase: f.Phase, Person: f.Person, Among: found}
	out.Since, _ = time.Parse(time.DateOnly, f.Since) // a day or empty, which is any time
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

// needing is f with a need more.
func (f ReviewFilter) needing(n sessions.ReviewNeed) ReviewFilter {
	f.Needs[slices.Index(sessions.Needs(), n)] = true
	return f
}

// needs reports whether f asks for a need.
func (f ReviewFilter) needs(n sessions.ReviewNeed) bool {
	return f.Needs[slices.Index(sessions.Needs(), n)]
}

// fields are what f is written as, in forms and addresses.
func (f ReviewFilter) fields() []ui.Fact {
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

// Path is the address of the list under f, at a cursor; empty for the first page.
func (f ReviewFilter) Path(cursor string) string {
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
