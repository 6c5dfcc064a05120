package tasks

import (
	"encoding/json"
	"time"

	"quaestor/research"
)

// TaskBody is a research task on the wire, without what it found.
type TaskBody struct {
	ID        string            `json:"id"`
	SessionID string            `json:"sessionId,omitempty" doc:"none for a question of its own"`
	Key       string            `json:"obligationKey,omitempty" doc:"what it would answer"`
	UserID    string            `json:"userId,omitempty" doc:"who asked; none when nobody did"`
	Type      research.Kind     `json:"taskType" enum:"competitive_analysis,tech_feasibility,market_research,domain_research,integration_research,warehouse_question,warehouse_discovery"`
	Trigger   research.Trigger  `json:"trigger" enum:"user_request,low_confidence,ambiguous,expertise_required,collection"`
	Query     string            `json:"query" example:"How large is the market for bicycle repair in Germany?"`
	Status    research.Status   `json:"status" enum:"pending,running,completed,failed,cancelled"`
	Step      research.TaskStep `json:"step,omitempty" enum:"plan,search,read,claims,verify,propose" doc:"the last one that is done"`
	Plan      *research.Plan    `json:"plan,omitempty" doc:"what it means to ask"`
	Steering  []research.Steer  `json:"steering,omitempty" doc:"where it was told to look, and what was said against what came of it"`
	Priority  int               `json:"priority"`
	Turn      int               `json:"turn" doc:"that asked for it; 0 outside the conversation"`
	Told      int               `json:"toldInTurn,omitempty" doc:"in which the person was told what came of it"`
	Note      string            `json:"note,omitempty" doc:"why it waits"`
	Outcome   research.Outcome  `json:"outcome,omitempty" enum:"found,contradicting,no_evidence"`
	Summary   string            `json:"summary,omitempty" doc:"what came of it, from verified claims only"`
	Proposal  *taskProposal     `json:"proposal,omitempty"`
	Result    json.RawMessage   `json:"result,omitempty"`
	Failure   string            `json:"errorMessage,omitempty"`
	Warehouse string            `json:"warehouseId,omitempty" doc:"which warehouse it asks; absent if it was chosen by the question"`
	Project   string            `json:"projectId,omitempty"`
	Run       string            `json:"runId,omitempty" doc:"of a warehouse_discovery"`
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

// ToTaskBody returns a task as it is sent. A plan without queries is left out.
func ToTaskBody(t research.Task) TaskBody {
	out := TaskBody{ID: t.ID, SessionID: t.Scope.Session, Key: t.Order.Key, UserID: t.User, Type: t.Order.Kind, Trigger: t.Order.Trigger, Query: t.Order.Query,
		Status: t.Status, Step: t.Step, Steering: t.Steering, Priority: t.Order.Priority, Turn: t.Turn, Told: t.Told, Note: t.Note, Outcome: t.Outcome,
		Summary: t.Summary, Result: t.Result, Failure: t.Failure, Warehouse: t.Warehouse, Project: t.Project, Run: t.Run, Attempt: t.Attempt, CreatedAt: t.Created, StartedAt: t.Started, EndedAt: t.Ended}
	if len(t.Plan.Queries) > 0 {
		out.Plan = &t.Plan
	}
	if p := t.Proposal; p != nil {
		out.Proposal = &taskProposal{p.Key, p.Value, append([]int{}, p.Claims...), p.By}
	}
	return out
}
