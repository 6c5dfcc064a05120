package talk

import (
	"context"
	"net/http"
	"slices"

	"quaestor/research"
	"quaestor/web"
	"quaestor/web/tasks"
)

// taskCard answers with the card of one task, for the page that shows it.
func (s *Handlers) taskCard(w http.ResponseWriter, r *http.Request) error {
	session, err := s.Session(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	t, err := research.Find(r.Context(), s.Pool, session.Tenant, r.PathValue("task"))
	if err == nil && t.Scope.Session != session.ID {
		err = tasks.ErrNoTask()
	}
	if err != nil {
		return err
	}
	v, err := s.chatView(r.Context(), session)
	if err != nil {
		return err
	}
	if v.Reports == nil || v.Reports[t.ID].Task.ID == "" {
		report, err := research.LoadReport(r.Context(), s.Pool, t.Scope.Tenant, t.ID)
		if err != nil {
			return err
		}
		v.Reports = map[string]research.Report{t.ID: report}
	}
	return web.Render(w, r, TaskCard(t, v))
}

// maxReports bounds the tasks whose findings a conversation's page shows: the
// latest. Of older ones it shows what came of them.
const maxReports = 6

// reports reads what was found by the latest of a session's tasks that began.
func (s *Handlers) reports(ctx context.Context, list []research.Task) (map[string]research.Report, error) {
	out := map[string]research.Report{}
	for _, t := range slices.Backward(list) {
		if t.Started == nil || len(out) == maxReports {
			continue
		}
		r, err := research.LoadReport(ctx, s.Pool, t.Scope.Tenant, t.ID)
		if err != nil {
			return nil, err
		}
		out[t.ID] = r
	}
	return out, nil
}
