package research

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"time"

	"quaestor/internal/fault"
	"quaestor/internal/language"
	"quaestor/internal/language/messages"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/research/warehouse/inquiry"
	"quaestor/sessions"
)

// The kinds of research in an organisation's own data. They ask connected warehouses and
// never a search engine.
const (
	WarehouseQuestion  Kind = "warehouse_question"  // one guarded question, answered with a figure
	WarehouseDiscovery Kind = "warehouse_discovery" // a whole run
)

// Asker is as whom somebody asks a warehouse.
type Asker = inquiry.Who

// Warehouses answer questions about the warehouses that organisations have connected.
type Warehouses = inquiry.Warehouses

// OwnData reports whether research of the kind asks an organisation's own data.
func (k Kind) OwnData() bool { return k == WarehouseQuestion || k == WarehouseDiscovery }

// DataAccess says whether one's own data may be asked.
type DataAccess struct {
	Open bool
	Runs bool        // whole runs may be started, too
	Who  inquiry.Who // asks; empty for somebody who may query the warehouses anyway
	Why  *inquiry.Missing
	Of   *Warehouses // whose words say what a request names; nil if there are none

	Names []string // of the warehouses that may be asked
}

// Access returns whether somebody may ask the warehouses of a tenant. Without any it is
// closed, with the reason.
func Access(ctx context.Context, h *Warehouses, tenant string, who inquiry.Who) (DataAccess, error) {
	if h == nil {
		return DataAccess{Who: who, Why: &inquiry.Missing{Why: inquiry.NoneConnected}}, nil
	}
	var missing *inquiry.Missing
	err := h.Ready(ctx, tenant, who)
	switch {
	case err == nil:
		names, err := h.Names(ctx, tenant, who)
		return DataAccess{Open: true, Who: who, Of: h, Names: names}, err
	case errors.As(err, &missing):
		return DataAccess{Who: who, Why: missing, Of: h}, nil
	}
	return DataAccess{}, err
}

// Declined words for people why their data cannot be asked, in a language.
func (a DataAccess) Declined(tag string) string {
	if a.Why == nil {
		return language.UpperFirst(OwnDataDeclined) + "."
	}
	return a.Why.In(messages.In(tag))
}

// discoveries matches requests for a whole exploration of the data, and singles what makes one a
// single question.
var (
	discoveries = regexp.MustCompile(`(?i)\b(?:explor|analy[sz]|investigat|dig (?:in|through|around)|look for (?:patterns|insights|trends)|find (?:patterns|insights|out what)|untersuch|analysier|erkund|erforsch)`)
	singles     = regexp.MustCompile(`(?i)\b(?:how (?:many|much|often|high|long|large)|number of|average|total|wie ?viel|wie (?:hoch|oft|lang)|anzahl|durchschnitt|summe|anteil|share|percentage)`)
)

// AsksDiscovery reports whether a request for one's own data is for a whole exploration of it rather
// than for a figure.
func AsksDiscovery(said string) bool {
	return OwnData(said) && discoveries.MatchString(said) && !singles.MatchString(said)
}

// refusal is the Unprocessable fault of a question for data that cannot be asked.
func (a DataAccess) refusal(field string) error {
	return fault.New(fault.Unprocessable, "%s", language.LowerFirst(a.Declined("en"))).At(field).Coded("own_data")
}

// warehousePrefix begins the address of a source that is a warehouse; its name follows.
const warehousePrefix = "warehouse:"

// NamesNothing reports whether a request for one's own data names nothing to ask for: "look that
// up in our database".
func (a DataAccess) NamesNothing(said string) bool { return a.Of != nil && a.Of.Bare(said) }

// AsksTheSame reports whether two questions for one's own data name mostly the same things.
func (a DataAccess) AsksTheSame(said, asked string) bool {
	return a.Of != nil && a.Of.Alike(said, asked)
}

// Refined returns a question of one's own data with the rows that it counts changed: "how many orders did we have in
// May (that are paid)". Without warehouses, the change is only put behind it.
func (a DataAccess) Refined(question, change, language string, now time.Time) string {
	if a.Of == nil || a.Of.Refined == nil {
		return strings.TrimSpace(question + " " + change)
	}
	return a.Of.Refined(question, change, language, now)
}

// clause returns the question in a request for one's own data, with the warehouse that it names at its end.
func (a DataAccess) clause(request string) string {
	if a.Of == nil {
		return request
	}
	name := inquiry.Named(request, a.Names)
	if name == "" || len(a.Names) < 2 {
		return a.Of.Clause(request, a.Names...)
	}
	return strings.TrimRight(a.Of.Clause(request, name), "?.! ") + " in " + name
}

// Picks returns the question for one's own data that was not answered because it fits several warehouses, and the one of
// them that somebody now says; empty if they say none. It is a question of the latest such research in past.
func (a DataAccess) Picks(past History, said string) (task TaskSummary, warehouse string) {
	task, ok := past.Undecided()
	if !ok {
		return TaskSummary{}, ""
	}
	return task, inquiry.Chosen(said, task.Summary, a.Names)
}

// Undecided returns the latest research if it asked the person's own data and found nothing, perhaps because they have
// to say in which warehouse to look.
func (p History) Undecided() (TaskSummary, bool) {
	if len(p) == 0 {
		return TaskSummary{}, false
	}
	last := p[len(p)-1]
	return last, last.Kind == WarehouseQuestion && last.Status == Completed && last.Outcome == NoEvidence
}

// AskerOf returns as whom a person of a session asks warehouses: guests came by a link, without an
// account.
func AskerOf(ctx context.Context, db postgres.DB, s obligations.Scope, user string) (inquiry.Who, error) {
	people, err := sessions.People(ctx, db, s)
	if err != nil {
		return "", err
	}
	for _, p := range people {
		if p.User == user && p.Guest {
			return inquiry.Guests, nil
		}
	}
	return inquiry.Members, nil
}

// RecordsOf returns the answers of warehouses that a report has, by the number of their source.
func RecordsOf(ctx context.Context, db postgres.DB, r Report) (map[int]inquiry.Record, error) {
	out := map[int]inquiry.Record{}
	for _, s := range r.Sources {
		if s.MediaType != RecordType {
			continue
		}
		d, err := FindSource(ctx, db, r.Task.Scope.Tenant, r.Task.ID, s.N)
		if err != nil {
			return nil, err
		}
		if out[s.N], err = inquiry.ParseRecord(d.Bytes); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// RecordOf returns the answer of a warehouse that a report has in a source, or in its first one for
// source 0; nil for none.
func RecordOf(ctx context.Context, db postgres.DB, r Report, source int) (*inquiry.Record, error) {
	all, err := RecordsOf(ctx, db, r)
	for _, s := range r.Sources {
		if record, ok := all[s.N]; ok && (source == 0 || s.N == source) {
			return &record, err
		}
	}
	return nil, err
}

// Again sends the statement of an answer of a task once more, that of the source or the first one for
// source 0, and compares the figure. It is a Conflict if the task has none, and Unprocessable if its
// warehouse may not be asked.
func (o Commands) Again(ctx context.Context, t Task, source int, who inquiry.Who) (inquiry.Record, inquiry.Recheck, error) {
	report, err := LoadReport(ctx, o.Editor.Pool, t.Scope.Tenant, t.ID)
	if err != nil {
		return inquiry.Record{}, inquiry.Recheck{}, err
	}
	record, err := RecordOf(ctx, o.Editor.Pool, report, source)
	switch {
	case err != nil:
		return inquiry.Record{}, inquiry.Recheck{}, err
	case record == nil || o.Data == nil:
		return inquiry.Record{}, inquiry.Recheck{}, fault.New(fault.Conflict, "this research has no statement to send again").Coded("no_statement")
	}
	if err := o.Data.Allowed(ctx, t.Scope.Tenant, inquiry.Question{Warehouse: record.Warehouse, Who: who}); err != nil {
		return *record, inquiry.Recheck{}, o.asFault(err)
	}
	now, err := o.Data.Again(ctx, t.Scope.Tenant, *record)
	return *record, now, o.asFault(err)
}

// asFault words for people why a warehouse was not asked, or did not answer.
func (o Commands) asFault(err error) error {
	if err == nil {
		return nil
	}
	if said, ok := o.Data.Refused(err, messages.In("en")); ok {
		return fault.New(fault.Unprocessable, "%s", language.LowerFirst(strings.TrimSuffix(said, "."))).Coded("own_data").Because(err)
	}
	return err
}
