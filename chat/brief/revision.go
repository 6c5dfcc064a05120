package brief

import (
	"context"
	"fmt"
	"slices"

	"quaestor/internal/postgres"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// LoadRevision reads the material for a brief of the revision of s with a number; 0 and the
// number of the present one mean s as it stands. A revision that was reopened is read as
// it stood then. NotFound when there is no such revision.
func LoadRevision(ctx context.Context, db postgres.DB, l *objectives.Library, s sessions.Session, number int, e sessions.Extent) (Material, error) {
	if number == 0 || number == s.Revision {
		return Load(ctx, db, l, s, e)
	}
	r, err := sessions.FindRevision(ctx, db, s, number)
	if err != nil {
		return Material{}, err
	}
	m := Material{Session: r.Session, Conflicts: r.Conflicts, Reopened: &r.ReopenedAt}
	if m.Definition, err = l.Definition(ctx, s.Tenant, r.Session.ObjectiveID); err != nil {
		return m, err
	}
	if m.Obligations, err = r.Obligations(ctx, db, l); err != nil {
		return m, err
	}
	m.Definition = m.Session.Speak(m.Definition, m.Obligations)
	var tasks []research.Task
	b := postgres.NewBatch(s.Tenant)
	sessions.LoadPeople(b, s.Scope(), &m.People)
	research.Load(b, s.Scope(), &tasks)
	if err := b.Send(ctx, db); err != nil {
		return m, fmt.Errorf("read the brief of revision %d of session %s: %w", number, s.ID, err)
	}
	m.People = slices.DeleteFunc(m.People, func(p sessions.Participant) bool { return p.JoinedAt.After(r.ReopenedAt) })
	if e == sessions.WithTranscript {
		if err := m.loadTalk(ctx, db); err != nil {
			return m, err
		}
	}
	return m, m.loadReports(ctx, db, tasksThen(tasks, r))
}

// loadTalk reads the latest turns of a revision.
func (m *Material) loadTalk(ctx context.Context, db postgres.DB) error {
	turns := m.Session.Turns
	list, err := sessions.Transcript(ctx, db, m.Session.Scope(), max(turns-maxTurns, 0), 2*maxTurns)
	m.Messages = slices.DeleteFunc(list, func(t sessions.Message) bool { return t.Turn > turns })
	m.Earlier = turns > maxTurns
	return err
}

// tasksThen returns the tasks that were ordered before the revision was reopened. One that
// had not ended then is shown as it was: under way, without a result.
func tasksThen(tasks []research.Task, r sessions.Revision) []research.Task {
	var out []research.Task
	for _, t := range tasks {
		if t.Turn > r.Session.Turns || t.Created.After(r.ReopenedAt) {
			continue
		}
		if t.Ended == nil || t.Ended.After(r.ReopenedAt) {
			t.Status, t.Outcome, t.Summary, t.Proposal, t.Result, t.Failure = research.Running, "", "", nil, nil, ""
		}
		out = append(out, t)
	}
	return out
}

// revisionFact names the revision that a brief is of; none for a session that was never
// reopened.
func (m *maker) revisionFact() []Fact {
	switch n := m.Session.Revision; {
	case m.Reopened != nil:
		return []Fact{{"Revision", fmt.Sprintf("%d, which is not the latest: the interview was reopened on %s", n, day(*m.Reopened))}}
	case n > 1:
		return []Fact{{"Revision", fmt.Sprint(n)}}
	}
	return nil
}
