package web

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"quaestor/chat"
	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
)

// taskBody is a research task on the wire.
type taskBody struct {
	ID        string            `json:"id"`
	SessionID string            `json:"sessionId,omitempty" doc:"none for a question of its own"`
	Key       string            `json:"obligationKey,omitempty" doc:"what it would answer"`
	UserID    string            `json:"userId,omitempty" doc:"who asked; none when nobody did"`
	Type      research.Kind     `json:"taskType" enum:"competitive_analysis,tech_feasibility,market_research,domain_research,integration_research"`
	Trigger   research.Trigger  `json:"trigger" enum:"user_request,low_confidence,ambiguous,expertise_required"`
	Query     string            `json:"query" example:"How large is the market for bicycle repair in Germany?"`
	Status    research.Status   `json:"status" enum:"pending,running,completed,failed,cancelled"`
	Step      research.TaskStep `json:"step,omitempty" enum:"plan,search,read,claims,verify,propose" doc:"the last one that is done"`
	Plan      *research.Plan    `json:"plan,omitempty" doc:"what it means to ask"`
	Steering  []research.Steer  `json:"steering,omitempty" doc:"where it was told to look"`
	Priority  int               `json:"priority"`
	Turn      int               `json:"turn" doc:"that asked for it; 0 outside the conversation"`
	Told      int               `json:"toldInTurn,omitempty" doc:"in which the person was told what came of it"`
	Note      string            `json:"note,omitempty" doc:"why it waits"`
	Outcome   research.Outcome  `json:"outcome,omitempty" enum:"found,contradicting,no_evidence"`
	Summary   string            `json:"summary,omitempty" doc:"what came of it, from verified claims only"`
	Proposal  *taskProposal     `json:"proposal,omitempty"`
	Result    json.RawMessage   `json:"result,omitempty"`
	Failure   string            `json:"errorMessage,omitempty"`
	Attempt   int               `json:"attempt" doc:"rises with every worker that takes it"`
	CreatedAt time.Time         `json:"createdAt"`
	StartedAt *time.Time        `json:"startedAt,omitempty"`
	EndedAt   *time.Time        `json:"completedAt,omitempty"`
}

// taskProposal is the value a task proposes for its obligation.
type taskProposal struct {
	Key    string          `json:"obligationKey"`
	Value  json.RawMessage `json:"value" doc:"its shape is that of the obligation's widget"`
	Claims []int           `json:"claims" nullable:"false" doc:"numbers of the claims it rests on"`
	By     string          `json:"by" example:"rules"`
}

func toTaskBody(t research.Task) taskBody {
	out := taskBody{ID: t.ID, SessionID: t.Scope.Session, Key: t.Order.Key, UserID: t.User, Type: t.Order.Kind, Trigger: t.Order.Trigger, Query: t.Order.Query,
		Status: t.Status, Step: t.Step, Steering: t.Steering, Priority: t.Order.Priority, Turn: t.Turn, Told: t.Told, Note: t.Note, Outcome: t.Outcome,
		Summary: t.Summary, Result: t.Result, Failure: t.Failure, Attempt: t.Attempt, CreatedAt: t.Created, StartedAt: t.Started, EndedAt: t.Ended}
	if len(t.Plan.Queries) > 0 {
		out.Plan = &t.Plan
	}
	if p := t.Proposal; p != nil {
		out.Proposal = &taskProposal{p.Key, p.Value, append([]int{}, p.Claims...), p.By}
	}
	return out
}

type taskPath struct {
	ID string `path:"id" doc:"id of the task"`
}

type taskQuery struct {
	Status string `query:"status" enum:"pending,running,completed,failed,cancelled"`
	Mine   bool   `query:"mine" doc:"only what one asked for oneself"`
	Cursor string `query:"cursor"`
	Limit  int    `query:"limit" minimum:"1" maximum:"200" default:"50"`
}

// questionBody asks for something to be looked up.
type questionBody struct {
	Request string `header:"Idempotency-Key" maxLength:"255" pattern:"^[!-~]*$" doc:"the sender's own id of the request: sent again, it returns the task it made"`
	Body    struct {
		Query     string        `json:"query,omitempty" pattern:"^[^\\x00]*$" doc:"what to find out, up to 1,000 characters; may be left out for an obligation" example:"How large is the market for bicycle repair in Germany?"`
		SessionID string        `json:"sessionId,omitempty" doc:"the interview it belongs to; none for a question of its own"`
		Key       string        `json:"obligationKey,omitempty" pattern:"^[^\\x00]*$" doc:"what it would answer" example:"market_size"`
		Type      research.Kind `json:"taskType,omitempty" enum:"competitive_analysis,tech_feasibility,market_research,domain_research,integration_research" doc:"chosen when left out"`
	}
}

// askedBody is the answer to a question: 201 with the new task, or 200 with the
// one the same request made before.
type askedBody struct {
	Status   int
	Location string `header:"Location"`
	Body     taskBody
}

type steering struct {
	ID   string `path:"id" doc:"id of the task"`
	Body struct {
		Text string `json:"text" pattern:"^[^\\x00]*$" doc:"where to look, up to 300 characters" example:"Germany only"`
	}
}

// confirmation says yes to a value, such as one that research proposed.
type confirmation struct {
	ID   string `path:"id" doc:"id of the session"`
	Key  string `path:"key"`
	Body *confirmationBody
}

type confirmationBody struct {
	Value json.RawMessage `json:"value,omitempty" doc:"the value meant: when another is held by now, the answer is 409; whichever is held when left out" example:"\"Bicycle repair\""`
	As    actingAs        `json:"as,omitempty"`
}

func (s *Server) researchRoutes(a huma.API) {
	const task = "/api/v1/research-tasks/{id}"
	add(a, route{http.MethodGet, "/api/v1/sessions/{id}/research-tasks", "session-research-list", "Research the session asked for", 0}, s.listTasks)
	add(a, route{http.MethodGet, "/api/v1/research-tasks", "research-task-list", "Research one may see, newest first", 0}, s.pageTasks)
	ask := operation(a, route{http.MethodPost, "/api/v1/research-tasks", "research-task-create", "Have something looked up", http.StatusCreated})
	ask.Errors = append(ask.Errors, http.StatusRequestEntityTooLarge)
	huma.Register(a, ask, s.askResearch)
	add(a, route{http.MethodGet, task, "research-task-get", "One research task", 0}, s.getTask)
	add(a, route{http.MethodPost, task + "/cancel", "research-task-cancel", "End a task that is still open", 0}, s.cancelTask)
	add(a, route{http.MethodPost, task + "/steer", "research-task-steer", "Tell an open task where to look", 0}, s.steerTask)
	add(a, route{http.MethodGet, task + "/sources/{n}", "research-source-get", "A source with the text that was read in it", 0}, s.getSource)
	add(a, route{http.MethodPost, "/api/v1/sessions/{id}/obligations/{key}/confirm", "obligation-confirm", "Say yes to a value that is held or proposed", 0}, s.confirmValue)
}

func (s *Server) listTasks(ctx context.Context, in *sessionPath) (page[taskBody], error) {
	found, err := s.session(ctx, in.ID)
	if err != nil {
		return page[taskBody]{}, err
	}
	list, err := research.List(ctx, s.Pool, found.Scope())
	return page[taskBody]{Items: items(list, toTaskBody)}, err
}

// maxScans bounds the pages of a tenant's tasks that are looked through for those
// a member may see; the cursor goes on after them.
const maxScans = 10

func (s *Server) pageTasks(ctx context.Context, in *taskQuery) (page[taskBody], error) {
	out := page[taskBody]{Items: []taskBody{}}
	see, err := s.sight(ctx)
	if err != nil {
		return out, err
	}
	f := research.Filter{Status: research.Status(in.Status), Max: in.Limit}
	if in.Mine {
		f.User = actorFrom(ctx).User
	}
	if f.BeforeAt, f.BeforeID, err = parsePlace(in.Cursor); err != nil {
		return out, err
	}
	for range maxScans {
		list, err := research.Page(ctx, s.Pool, actorFrom(ctx).Tenant, f)
		if err != nil {
			return out, err
		}
		for _, t := range list {
			f.BeforeAt, f.BeforeID = t.Created, t.ID
			if !see(t) {
				continue
			}
			if out.Items = append(out.Items, toTaskBody(t)); len(out.Items) == in.Limit {
				out.NextCursor = formatPlace(t.Created, t.ID)
				return out, nil
			}
		}
		if len(list) < in.Limit {
			return out, nil
		}
	}
	out.NextCursor = formatPlace(f.BeforeAt, f.BeforeID)
	return out, nil
}

// sight returns the function that tells which tasks the actor may see: all of the
// tenant for reviewers, for others their own questions and what belongs to
// sessions they take part in.
func (s *Server) sight(ctx context.Context) (func(research.Task) bool, error) {
	a := actorFrom(ctx)
	if err := need(a, auth.Read); err != nil {
		return nil, err
	}
	if a.May(auth.Review) {
		return func(research.Task) bool { return true }, nil
	}
	mine := map[string]bool{}
	p := sessions.Filter{Tenant: a.Tenant, User: a.User, Max: 200}
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

// task returns a task the actor may see: a question of their own, one of a
// session they may see, or any for reviewers. All others are not there. Of a
// session, those who only read along are refused when the request is a write.
func (s *Server) task(ctx context.Context, id string) (research.Task, error) {
	a := actorFrom(ctx)
	if err := need(a, auth.Read); err != nil {
		return research.Task{}, err
	}
	t, err := research.Find(ctx, s.Pool, a.Tenant, id)
	switch {
	case fault.Is(err, fault.NotFound):
		return t, noTask()
	case err != nil:
		return t, err
	case t.Scope.Session != "":
		_, err = s.session(ctx, t.Scope.Session)
	case t.User != a.User && !a.May(auth.Review) || a.Session != "":
		return t, noTask()
	}
	if fault.Is(err, fault.NotFound) {
		return t, noTask()
	}
	return t, err
}

// noTask is the same for a task that is not there and one that is not for the
// actor to see.
func noTask() error {
	return fault.New(fault.NotFound, "there is no such research task").Coded("research_task_not_found")
}

// changeable returns a task the actor may cancel or steer.
func (s *Server) changeable(ctx context.Context, id string) (research.Task, error) {
	t, err := s.task(ctx, id)
	if err != nil {
		return t, err
	}
	return t, need(actorFrom(ctx), auth.Talk)
}

func (s *Server) getTask(ctx context.Context, in *taskPath) (taskBody, error) {
	t, err := s.task(ctx, in.ID)
	if err != nil {
		return taskBody{}, err
	}
	return toTaskBody(t), nil
}

func (s *Server) cancelTask(ctx context.Context, in *taskPath) (taskBody, error) {
	t, err := s.changeable(ctx, in.ID)
	if err != nil {
		return taskBody{}, err
	}
	t, err = s.Office.Cancel(ctx, t.Scope.Tenant, t.ID, actorFrom(ctx).User)
	return toTaskBody(t), err
}

func (s *Server) steerTask(ctx context.Context, in *steering) (taskBody, error) {
	t, err := s.changeable(ctx, in.ID)
	if err != nil {
		return taskBody{}, err
	}
	t, err = s.Office.Steer(ctx, t.Scope.Tenant, t.ID, actorFrom(ctx).User, in.Body.Text)
	return toTaskBody(t), err
}

func (s *Server) confirmValue(ctx context.Context, in *confirmation) (obligationBody, error) {
	var b confirmationBody
	if in.Body != nil {
		b = *in.Body
	}
	return s.dispute(ctx, in.ID, b.As, func(sc obligations.Scope, p chat.Actor) (obligations.Obligation, error) {
		return s.Engine.Confirm(ctx, sc, p, in.Key, valueOf(b.Value))
	})
}

func (s *Server) askResearch(ctx context.Context, in *questionBody) (*askedBody, error) {
	t, known, err := s.lookUp(ctx, research.TaskRequest{Session: obligations.Scope{Session: in.Body.SessionID}, Request: in.Request, Key: in.Body.Key,
		Kind: in.Body.Type, Query: in.Body.Query})
	if err != nil {
		return nil, shown(ctx, err)
	}
	out := &askedBody{Status: http.StatusCreated, Location: "/api/v1/research-tasks/" + t.ID, Body: toTaskBody(t)}
	if known {
		out.Status = http.StatusOK
	}
	return out, nil
}

// lookUp asks the actor's question, and tells whether the same request had been
// made before.
func (s *Server) lookUp(ctx context.Context, q research.TaskRequest) (t research.Task, known bool, err error) {
	a := actorFrom(ctx)
	if err := need(a, auth.Talk); err != nil {
		return t, false, err
	}
	q.User, q.Session.Tenant = a.User, a.Tenant
	if q.Session.Session != "" {
		found, err := s.session(ctx, q.Session.Session)
		if err != nil {
			return t, false, err
		}
		q.Session = found.Scope()
	}
	t, made, err := s.Office.Ask(ctx, q)
	return t, !made, err
}
