package research

import (
	"context"
	"errors"
	"strings"

	"quaestor/internal/fault"
	"quaestor/internal/language"
	"quaestor/internal/language/messages"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/research/warehouse/question"
	"quaestor/sessions"
)

// The kinds of research in an organisation's own data. They ask connected warehouses and
// never a search engine.
const (
	WarehouseQuestion  Kind = "warehouse_question"  // one guarded question, answered with a figure
	WarehouseDiscovery Kind = "warehouse_discovery" // a whole run
)

// Warehouses answer questions about the warehouses that organisations have connected.
type Warehouses = question.Warehouses

// OwnData reports whether research of the kind asks an organisation's own data.
func (k Kind) OwnData() bool { return k == WarehouseQuestion || k == WarehouseDiscovery }

// DataAccess says whether one's own data may be asked.
type DataAccess struct {
	Open bool
	Who  question.Who // asks; empty for somebody who may query the warehouses anyway
	Why  *question.Missing
}

// Access returns whether somebody may ask the warehouses of a tenant. Without any it is
// closed, with the reason.
func Access(ctx context.Context, h *question.Warehouses, tenant string, who question.Who) (DataAccess, error) {
	if h == nil {
		return DataAccess{Who: who, Why: &question.Missing{Why: question.NoneConnected}}, nil
	}
	var missing *question.Missing
	err := h.Ready(ctx, tenant, who)
	switch {
	case err == nil:
		return DataAccess{Open: true, Who: who}, nil
	case errors.As(err, &missing):
		return DataAccess{Who: who, Why: missing}, nil
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

// refusal is the Unprocessable fault of a question for data that cannot be asked.
func (a DataAccess) refusal(field string) error {
	return fault.New(fault.Unprocessable, "%s", language.LowerFirst(a.Declined("en"))).At(field).Coded("own_data")
}

// warehousePrefix begins the address of a source that is a warehouse; its name follows.
const warehousePrefix = "warehouse:"

// NamesNothing reports whether a request for one's own data names nothing to ask for: "look that
// up in our database".
func NamesNothing(said string) bool { return question.Bare(said) }

// AsksTheSame reports whether two questions for one's own data name mostly the same things.
func AsksTheSame(said, asked string) bool { return question.Alike(said, asked) }

// AskerOf returns as whom a person of a session asks warehouses: guests came by a link, without an
// account.
func AskerOf(ctx context.Context, db postgres.DB, s obligations.Scope, user string) (question.Who, error) {
	people, err := sessions.People(ctx, db, s)
	if err != nil {
		return "", err
	}
	for _, p := range people {
		if p.User == user && p.Guest {
			return question.Guests, nil
		}
	}
	return question.Members, nil
}

// RecordOf returns the answer of a warehouse that a report has; nil for none.
func RecordOf(ctx context.Context, db postgres.DB, r Report) (*question.Record, error) {
	for _, s := range r.Sources {
		if s.MediaType != RecordType {
			continue
		}
		d, err := FindSource(ctx, db, r.Task.Scope.Tenant, r.Task.ID, s.N)
		if err != nil {
			return nil, err
		}
		record, err := question.ParseRecord(d.Bytes)
		return &record, err
	}
	return nil, nil
}

// Again sends the statement of a task's answer once more and compares the figure. It is a Conflict
// if the task has none, and Unprocessable if its warehouse may not be asked.
func (o Commands) Again(ctx context.Context, t Task, who question.Who) (question.Record, question.Recheck, error) {
	report, err := LoadReport(ctx, o.Editor.Pool, t.Scope.Tenant, t.ID)
	if err != nil {
		return question.Record{}, question.Recheck{}, err
	}
	record, err := RecordOf(ctx, o.Editor.Pool, report)
	switch {
	case err != nil:
		return question.Record{}, question.Recheck{}, err
	case record == nil || o.Data == nil:
		return question.Record{}, question.Recheck{}, fault.New(fault.Conflict, "this research has no statement to send again").Coded("no_statement")
	}
	if _, err := o.Data.Choose(ctx, t.Scope.Tenant, question.Asked{Warehouse: record.Warehouse, Who: who}); err != nil {
		return *record, question.Recheck{}, asFault(err)
	}
	now, err := o.Data.Again(ctx, t.Scope.Tenant, *record)
	return *record, now, asFault(err)
}

// asFault words for people why a warehouse was not asked, or did not answer.
func asFault(err error) error {
	if err == nil {
		return nil
	}
	if said, ok := question.Refused(err, messages.In("en")); ok {
		return fault.New(fault.Unprocessable, "%s", language.LowerFirst(strings.TrimSuffix(said, "."))).Coded("own_data").Because(err)
	}
	return err
}
