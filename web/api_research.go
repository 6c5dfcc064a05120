package web

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"quaestor/research"
)

// taskBody is a research task on the wire.
type taskBody struct {
	ID        string           `json:"id"`
	SessionID string           `json:"sessionId"`
	Key       string           `json:"obligationKey,omitempty"`
	Type      research.Kind    `json:"taskType"`
	Trigger   research.Trigger `json:"trigger"`
	Query     string           `json:"query"`
	Status    research.Status  `json:"status"`
	Priority  int              `json:"priority"`
	Turn      int              `json:"turn"`
	Note      string           `json:"note,omitempty"`
	Result    json.RawMessage  `json:"result,omitempty"`
	Failure   string           `json:"errorMessage,omitempty"`
	CreatedAt time.Time        `json:"createdAt"`
	StartedAt *time.Time       `json:"startedAt,omitempty"`
	EndedAt   *time.Time       `json:"completedAt,omitempty"`
}

func toTaskBody(t research.Task) taskBody {
	return taskBody{t.ID, t.Scope.Session, t.Order.Key, t.Order.Kind, t.Order.Trigger, t.Order.Query, t.Status, t.Order.Priority, t.Turn, t.Note,
		t.Result, t.Failure, t.Created, t.Started, t.Ended}
}

type taskPath struct {
	ID string `path:"id"`
}

func (s *Server) researchRoutes(a huma.API) {
	add(a, route{http.MethodGet, "/api/v1/sessions/{id}/research-tasks", "session-research-list", "Research the session asked for", 0}, s.listTasks)
	add(a, route{http.MethodGet, "/api/v1/research-tasks/{id}", "research-task-get", "One research task", 0}, s.getTask)
}

func (s *Server) listTasks(ctx context.Context, in *sessionPath) (page[taskBody], error) {
	found, err := s.session(ctx, in.ID)
	if err != nil {
		return page[taskBody]{}, err
	}
	list, err := research.List(ctx, s.Pool, found.Scope())
	return page[taskBody]{Items: items(list, toTaskBody)}, err
}

func (s *Server) getTask(ctx context.Context, in *taskPath) (taskBody, error) {
	t, err := research.Find(ctx, s.Pool, actorFrom(ctx).Tenant, in.ID)
	if err != nil {
		return taskBody{}, err
	}
	if _, err := s.session(ctx, t.Scope.Session); err != nil {
		return taskBody{}, err
	}
	return toTaskBody(t), nil
}
