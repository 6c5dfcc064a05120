package brief

import (
	"context"
	"fmt"
	"slices"

	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// Bounds of what a brief contains, so that it stays readable: a session may order forty
// pieces of research, and talk for thousands of turns.
const (
	maxLookups = 20  // the latest pieces of research
	maxTurns   = 500 // the latest turns of the conversation
)

// Load reads the material for a brief of s. It takes one round trip, two for each piece of
// research, and one for the objective when the library does not have it yet.
func Load(ctx context.Context, db postgres.DB, l *objectives.Library, s sessions.Session, e sessions.Extent) (Material, error) {
	m := Material{Session: s}
	var err error
	if m.Definition, err = l.Definition(ctx, s.Tenant, s.ObjectiveID); err != nil {
		return m, err
	}
	var tasks []research.Task
	scope := s.Scope()
	b := postgres.NewBatch(s.Tenant)
	obligations.Load(b, scope, l.Templates(ctx, s.Tenant), &m.Obligations)
	obligations.LoadConflicts(b, scope, obligations.OpenConflicts, &m.Conflicts)
	sessions.LoadPeople(b, scope, &m.People)
	research.Load(b, scope, &tasks)
	if e == sessions.WithTranscript {
		sessions.LoadWindow(b, scope, maxTurns, &m.Messages)
	}
	if err := b.Send(ctx, db); err != nil {
		return m, fmt.Errorf("read the brief of session %s: %w", s.ID, err)
	}
	m.Definition = s.Speak(m.Definition, m.Obligations)
	m.Earlier = len(m.Messages) > 0 && m.Messages[0].Turn > 1
	return m, m.loadReports(ctx, db, tasks)
}

// loadReports reads the results of the latest tasks. A task that was cancelled before it
// began has none.
func (m *Material) loadReports(ctx context.Context, db postgres.DB, tasks []research.Task) error {
	tasks = slices.DeleteFunc(tasks, func(t research.Task) bool { return t.Status == research.Cancelled && t.Started == nil })
	if n := len(tasks) - maxLookups; n > 0 {
		m.Omitted, tasks = n, tasks[n:]
	}
	for _, t := range tasks {
		r := research.Report{Task: t}
		if t.Status == research.Completed {
			var err error
			if r, err = research.LoadReport(ctx, db, t.Scope.Tenant, t.ID); err != nil {
				return err
			}
		}
		m.Research = append(m.Research, r)
	}
	return nil
}

// Write returns m in a format: a brief as Markdown, Word or PDF, or an export of the data.
func Write(f sessions.Format, m Material) ([]byte, error) {
	switch f {
	case sessions.Markdown:
		return Markdown(Of(m)), nil
	case sessions.DOCX:
		return DOCX(Of(m))
	case sessions.PDF:
		return PDF(Of(m))
	case sessions.JSON, sessions.CSV, sessions.SchemaInstance:
		return sessions.Export(f, m.Definition, m.Obligations)
	}
	return nil, fmt.Errorf("no export format %q", f)
}
