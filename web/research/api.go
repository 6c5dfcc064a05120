package research

import (
	"context"
	"net/http"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/web"
	"quaestor/web/tasks"
)

// taskPath names a task.
type taskPath struct {
	ID string `path:"id" doc:"id of the task"`
}

// taskQuery selects a page of tasks.
type taskQuery struct {
	Status string `query:"status" enum:"pending,running,completed,failed,cancelled"`
	Mine   bool   `query:"mine" doc:"only what one asked for oneself"`
	Cursor string `query:"cursor"`
	Limit  int    `query:"limit" minimum:"1" maximum:"200" default:"50"`
}

// questionBody is a question to look up.
type questionBody struct {
	Request string `header:"Idempotency-Key" maxLength:"255" pattern:"^[!-~]*$" doc:"the sender's own id of the request: sent again, it returns the task it made"`
	Body    struct {
		Query     string        `json:"query,omitempty" pattern:"^[^\\x00]*$" doc:"what to find out, up to 1,000 characters; may be left out for an obligation" example:"How large is the market for bicycle repair in Germany?"`
		SessionID string        `json:"sessionId,omitempty" doc:"the interview it belongs to; none for a question of its own"`
		Key       string        `json:"obligationKey,omitempty" pattern:"^[^\\x00]*$" doc:"what it would answer" example:"market_size"`
		Type      research.Kind `json:"taskType,omitempty" enum:"competitive_analysis,tech_feasibility,market_research,domain_research,integration_research,warehouse_question,warehouse_discovery" doc:"chosen when left out"`
		Warehouse string        `json:"warehouseId,omitempty" format:"uuid" doc:"which warehouse to ask; chosen by the question when left out"`
		Project   string        `json:"projectId,omitempty" format:"uuid" doc:"which project a warehouse_discovery explores; one of the warehouse when left out"`
	}
}

// askedBody is the answer to a question: 201 with the new task, or 200 with the
// one the same request made before.
type askedBody struct {
	Status   int
	Location string `header:"Location"`
	Body     tasks.TaskBody
}

// steering tells an open task where to look. Its name is published with the schema of its
// body, as those of the other requests are.
type steering struct {
	ID   string `path:"id" doc:"id of the task"`
	Body struct {
		Text string `json:"text" pattern:"^[^\\x00]*$" doc:"where to look, up to 300 characters" example:"Germany only"`
	}
}

// listTasks returns all tasks of a session, newest first.
func (s *Handlers) listTasks(ctx context.Context, in *web.SessionPath) (web.Page[tasks.TaskBody], error) {
	found, err := s.Session(ctx, in.ID)
	if err != nil {
		return web.Page[tasks.TaskBody]{}, err
	}
	list, err := research.List(ctx, s.Pool, found.Scope())
	return web.Page[tasks.TaskBody]{Items: web.Map(list, tasks.ToTaskBody)}, err
}

// maxScans bounds how many pages of a tenant's tasks are searched for the ones a member may
// see. A member of a large organisation may see none of thousands; the answer then has few
// items, or none, and a cursor that goes on behind what was searched.
const maxScans = 10

// sessionPage is how many of the actor's sessions are read at a time.
const sessionPage = 200

// pageTasks returns the tasks the actor may see, newest first.
func (s *Handlers) pageTasks(ctx context.Context, in *taskQuery) (web.Page[tasks.TaskBody], error) {
	out := web.Page[tasks.TaskBody]{Items: []tasks.TaskBody{}}
	maySee, err := s.visible(ctx)
	if err != nil {
		return out, err
	}
	f := research.Filter{Status: research.Status(in.Status), Max: in.Limit}
	if in.Mine {
		f.User = web.ActorFrom(ctx).User
	}
	if f.BeforeAt, f.BeforeID, err = web.ParsePlace(in.Cursor); err != nil {
		return out, err
	}
	for range maxScans { // what a member may not see is filtered here, so a page may need several reads
		list, err := research.Page(ctx, s.Pool, web.ActorFrom(ctx).Tenant, f)
		if err != nil {
			return out, err
		}
		for _, t := range list {
			f.BeforeAt, f.BeforeID = t.Created, t.ID
			if !maySee(t) {
				continue
			}
			if out.Items = append(out.Items, tasks.ToTaskBody(t)); len(out.Items) == in.Limit {
				out.NextCursor = web.FormatPlace(t.Created, t.ID)
				return out, nil
			}
		}
		if len(list) < in.Limit {
			return out, nil
		}
	}
	out.NextCursor = web.FormatPlace(f.BeforeAt, f.BeforeID)
	return out, nil
}

// visible returns the function that reports whether the actor may see a task. Reviewers see
// all of the tenant; others see their own questions, and the tasks of sessions they take
// part in.
func (s *Handlers) visible(ctx context.Context) (func(research.Task) bool, error) {
	a := web.ActorFrom(ctx)
	if err := web.Need(a, auth.Read); err != nil {
		return nil, err
	}
	if a.May(auth.Review) {
		return func(research.Task) bool { return true }, nil
	}
	mine := map[string]bool{}
	p := sessions.Filter{Tenant: a.Tenant, User: a.User, Max: sessionPage}
	for more := true; more; {
		list, err := sessions.List(ctx, s.Pool, p)
		if err != nil {
			return nil, err
		}
		for _, one := range list {
			mine[one.ID] = true
			p.BeforeAt, p.BeforeID = one.CreatedAt, one.ID
		}
		more = len(list) == p.Max
	}
	return func(t research.Task) bool {
		if t.Scope.Session == "" {
			return t.User == a.User
		}
		return mine[t.Scope.Session]
	}, nil
}

// task returns a task the actor may see: their own question, one of a session they may see,
// or any for reviewers. To everybody else it does not exist. A person who only reads along
// in a session is refused when the request is a write.
func (s *Handlers) task(ctx context.Context, id string) (research.Task, error) {
	a := web.ActorFrom(ctx)
	if err := web.Need(a, auth.Read); err != nil {
		return research.Task{}, err
	}
	t, err := research.Find(ctx, s.Pool, a.Tenant, id)
	switch {
	case fault.Is(err, fault.NotFound):
		return t, tasks.ErrNoTask()
	case err != nil:
		return t, err
	case t.Scope.Session != "":
		_, err = s.Session(ctx, t.Scope.Session)
	case t.User != a.User && !a.May(auth.Review) || a.Session != "":
		return t, tasks.ErrNoTask()
	}
	if fault.Is(err, fault.NotFound) {
		return t, tasks.ErrNoTask()
	}
	return t, err
}

// changeable returns a task the actor may cancel or steer.
func (s *Handlers) changeable(ctx context.Context, id string) (research.Task, error) {
	t, err := s.task(ctx, id)
	if err != nil {
		return t, err
	}
	return t, web.Need(web.ActorFrom(ctx), auth.Talk)
}

// getTask returns a task without what it found; its report has that.
func (s *Handlers) getTask(ctx context.Context, in *taskPath) (tasks.TaskBody, error) {
	t, err := s.task(ctx, in.ID)
	return tasks.ToTaskBody(t), err
}

// cancelTask ends an open task. A task that is over is a conflict.
func (s *Handlers) cancelTask(ctx context.Context, in *taskPath) (tasks.TaskBody, error) {
	t, err := s.changeable(ctx, in.ID)
	if err != nil {
		return tasks.TaskBody{}, err
	}
	t, err = s.Commands.Cancel(ctx, t.Scope.Tenant, t.ID, web.ActorFrom(ctx).User)
	return tasks.ToTaskBody(t), err
}

// steerTask tells an open task where to look. It plans and searches again, and keeps what
// it has read.
func (s *Handlers) steerTask(ctx context.Context, in *steering) (tasks.TaskBody, error) {
	t, err := s.changeable(ctx, in.ID)
	if err != nil {
		return tasks.TaskBody{}, err
	}
	t, err = s.Commands.Steer(ctx, t.Scope.Tenant, t.ID, web.ActorFrom(ctx).User, in.Body.Text)
	return tasks.ToTaskBody(t), err
}

// askResearch answers 201 with a new task, 200 with one that is known.
func (s *Handlers) askResearch(ctx context.Context, in *questionBody) (*askedBody, error) {
	t, known, err := s.ask(ctx, research.TaskRequest{Session: obligations.Scope{Session: in.Body.SessionID}, Request: in.Request, Key: in.Body.Key,
		Kind: in.Body.Type, Query: in.Body.Query, Warehouse: in.Body.Warehouse, Project: in.Body.Project})
	if err != nil {
		return nil, web.AsProblem(ctx, err)
	}
	out := &askedBody{Status: http.StatusCreated, Location: tasksPath + "/" + t.ID, Body: tasks.ToTaskBody(t)}
	if known {
		out.Status = http.StatusOK
	}
	return out, nil
}

// ask asks a question in the name of the actor. Known reports that the same request made
// the task before.
func (s *Handlers) ask(ctx context.Context, q research.TaskRequest) (t research.Task, known bool, err error) {
	a := web.ActorFrom(ctx)
	if err := web.Need(a, auth.Talk); err != nil {
		return t, false, err
	}
	if err := allowed(a, q.Kind); err != nil {
		return t, false, err
	}
	q.User, q.Session.Tenant, q.Who = a.User, a.Tenant, asker(a)
	if q.Session.Session != "" {
		found, err := s.Session(ctx, q.Session.Session)
		if err != nil {
			return t, false, err
		}
		q.Session = found.Scope()
	}
	t, made, err := s.Commands.Ask(ctx, q)
	return t, !made, err
}
