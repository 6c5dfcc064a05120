package talk

import (
	"context"
	"net/http"
	"slices"

	"quaestor/research"
	"quaestor/sessions"
	"quaestor/web"
	"quaestor/web/tasks"
)

// taskCard draws the card of one task, which scripts put in place of the one on the page.
func (s *Handlers) taskCard(w http.ResponseWriter, r *http.Request, session sessions.Session) error {
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
	if _, known := v.Reports[t.ID]; !known { // a task that began after the page was read, or an old one
		if v.Reports[t.ID], err = research.LoadReport(r.Context(), s.Pool, t.Scope.Tenant, t.ID); err != nil {
			return err
		}
	}
	return web.Render(w, r, task(t, v))
}

// maxReports bounds the tasks whose sources and claims an interview's page shows. Each
// costs two round trips to read; of older tasks the page shows the outcome only.
const maxReports = 6

// reports reads the reports of the latest tasks of list that have begun, by task id.
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
