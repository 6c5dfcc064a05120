package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"quaestor/chat"
	"quaestor/internal/fault"
	"quaestor/internal/language"
	"quaestor/research"
	"quaestor/research/warehouse/connections"
	"quaestor/research/warehouse/digest"
	"quaestor/research/warehouse/inquiry"
	"quaestor/research/warehouse/insight"
	"quaestor/research/warehouse/projects"
	dataquestion "quaestor/research/warehouse/question"
	"quaestor/research/warehouse/runs"
)

// bridged is how an interview reaches warehouses: single questions, and whole runs.
type bridged struct {
	explorer *explorer
	queue    func() *research.Queue // built after the researcher
}

// discoverySteps is how many steps a run takes that an interview asked for: the usual effort of
// the pages.
const discoverySteps = 40

// discoveries returns what starts and follows the runs of discoveries.
func (b *bridged) discoveries() *research.Discoveries {
	return &research.Discoveries{Start: b.start, Look: b.look, Cancel: b.cancel}
}

// commands changes runs.
func (b *bridged) commands() runs.Commands {
	return runs.Commands{Pool: b.explorer.projects.Pool, Queue: b.queue(), Hub: b.explorer.hub}
}

// start starts the run of a task, once: the task's id is the id of the request.
func (b *bridged) start(ctx context.Context, t research.Task) (string, error) {
	project, err := b.project(ctx, t)
	if err != nil {
		return "", err
	}
	r, _, err := b.commands().Create(ctx, t.Scope.Tenant, runs.Order{Project: project, MaxSteps: discoverySteps, By: t.User, Request: t.ID})
	return r.ID, err
}

// project returns the project that a task explores: the one it names, else one of its warehouse,
// else a new one with the default pack.
func (b *bridged) project(ctx context.Context, t research.Task) (string, error) {
	if t.Project != "" {
		return t.Project, nil
	}
	w, err := b.explorer.warehouses.Choose(ctx, t.Scope.Tenant, dataquestion.Asked{Text: dataquestion.Text{Words: t.Order.Query, Language: "en", Now: t.Created}, Warehouse: t.Warehouse, Session: t.Scope.Session, Who: t.Asker})
	if err != nil {
		return "", told(err)
	}
	list, err := b.explorer.projects.List(ctx, t.Scope.Tenant, projects.Cursor{}, mostProjects)
	if err != nil {
		return "", err
	}
	mine := slices.IndexFunc(list, func(p projects.Project) bool {
		return p.Interview != "" && p.Interview == t.Scope.Session || names(t.Order.Query, p.Name)
	})
	if mine >= 0 && slices.Contains(list[mine].Warehouses(), w.ID) {
		return list[mine].ID, nil
	}
	for _, p := range list {
		if p.Warehouse == w.ID {
			return p.ID, nil
		}
	}
	return b.newProject(ctx, t, w)
}

// names reports whether a text has a name in it, as whole words.
func names(text, name string) bool {
	plain := func(s string) string {
		return " " + strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), " ") + " "
	}
	return strings.TrimSpace(plain(name)) != "" && strings.Contains(plain(text), plain(name))
}

// told turns the reason why no warehouse can be asked into a fault, whose message is told.
func told(err error) error {
	var m *dataquestion.Missing
	if errors.As(err, &m) {
		return fault.New(fault.Unprocessable, "%s", research.DataAccess{Why: m}.Declined("en"))
	}
	return err
}

// newProject makes a project for a warehouse that has none.
func (b *bridged) newProject(ctx context.Context, t research.Task, w connections.Warehouse) (string, error) {
	p, err := b.explorer.projects.Create(ctx, t.Scope.Tenant, t.User, projects.Spec{Name: language.Clip(fmt.Sprintf("Exploration of %s", w.Name), 100), Warehouse: w.ID}, "")
	return p.ID, err
}

// look returns how far a run is, and what it found once it is over.
func (b *bridged) look(ctx context.Context, tenant, id string) (research.Progress, error) {
	r, err := runs.Find(ctx, b.explorer.projects.Pool, tenant, id)
	if err != nil {
		return research.Progress{}, err
	}
	p := research.Progress{Over: r.Status.Over(), Doing: doing(r), Steps: r.Counters.Steps, Warehouse: r.Warehouse}
	if project, err := b.explorer.projects.Find(ctx, tenant, r.Project); err == nil {
		p.Name = project.Name
	}
	switch r.Status {
	case runs.Failed:
		p.Failure = "the run failed: " + r.Failure
	case runs.Cancelled:
		p.Failure = "the run was cancelled"
	case runs.Completed:
		p.Found, err = b.found(ctx, r)
		if err == nil {
			p.Missing, err = b.missing(ctx, r)
		}
	}
	return p, err
}

// missing returns the tables that a run could not search.
func (b *bridged) missing(ctx context.Context, r runs.Run) ([]string, error) {
	_, left, err := runs.SearchedTables(ctx, b.explorer.projects.Pool, r.Tenant, r.ID)
	if err != nil || !runs.Lacks(left) {
		return nil, err
	}
	out := make([]string, len(left))
	for i, u := range left {
		out[i] = u.Table
	}
	return out, nil
}

// found returns the findings of a run that stood up to their check, the most important first, each
// with the statement and the cell of the figure that its headline tells.
func (b *bridged) found(ctx context.Context, r runs.Run) ([]research.RunFinding, error) {
	list, err := runs.Insights(ctx, b.explorer.projects.Pool, r.Tenant, runs.Selection{Run: r.ID})
	if err != nil || r.Warehouse == "" {
		return nil, err
	}
	w, errWarehouse := b.explorer.store.Find(ctx, r.Tenant, r.Warehouse)
	p, errProject := b.explorer.projects.Find(ctx, r.Tenant, r.Project)
	if err := cmp.Or(errWarehouse, errProject); err != nil {
		return nil, err
	}
	var out []research.RunFinding
	for _, i := range list {
		proof, ok := i.Proof()
		if !i.Survives || !ok {
			continue
		}
		row := make(digest.Row, len(proof.Figures))
		for k, f := range proof.Figures {
			row[k] = json.RawMessage(strconv.FormatFloat(f.Value, 'f', -1, 64))
		}
		record := dataquestion.Record{Warehouse: w.ID, Name: w.Name, Sentence: i.Title + ".", SQL: proof.SQL, Sent: proof.SQL, Cell: dataquestion.Cell{Row: 1, Column: insight.FigureColumn}, Figure: proof.Figures[0].Value, Exact: string(row[0]),
			Table: i.Table, Columns: proof.Columns, Rows: []digest.Row{row}, By: "rules", At: i.At, Measure: i.Now(), Filter: inquiry.Filter(p.Filter)}
		if record.Measure != "" && proof.Figures[0].ID != "now" { // the headline tells how it changed, and another column how it is
			record.Now = &dataquestion.Cell{Row: 1, Column: insight.ProofColumn("now")}
			if !slices.Contains(proof.Columns, record.Now.Column) {
				record.Measure, record.Now = "", nil
			}
		}
		out = append(out, research.RunFinding{Ref: i.ID, Record: record})
	}
	return out, nil
}

// doing words what a run does.
func doing(r runs.Run) string {
	switch r.Status {
	case runs.Paused:
		return "The run is paused"
	case runs.Pending:
		return "The run waits for its turn"
	case runs.Interrupted:
		return "The run was interrupted and goes on by itself"
	}
	return "The run explores the data"
}

// beginning returns what begins an interview with an engine.
func beginning(e *chat.Engine) func(ctx context.Context, tenant, user, contextType string) (string, error) {
	return func(ctx context.Context, tenant, user, contextType string) (string, error) {
		s, err := e.Create(ctx, tenant, user, contextType)
		return s.ID, err
	}
}

// cancel cancels a run; one that is over stays as it is.
func (b *bridged) cancel(ctx context.Context, tenant, id string) error {
	_, err := b.commands().Cancel(ctx, tenant, id, "")
	if fault.Is(err, fault.Conflict) || fault.Is(err, fault.NotFound) {
		return nil
	}
	return err
}
