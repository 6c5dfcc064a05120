package data

import (
	"cmp"
	"context"
	"encoding/json"
	"strconv"
	"time"

	"quaestor/internal/fault"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/projects"
	"quaestor/research/warehouse/runs"
	"quaestor/web"
)

// stepQuery asks for steps of a run.
type stepQuery struct {
	ID    string `path:"id" doc:"id of the run"`
	Since int    `query:"since" minimum:"0" doc:"only steps with higher numbers"`
	Limit int    `query:"limit" minimum:"1" maximum:"200" default:"100"`
}

// explorationStep is one step of a run.
type explorationStep struct {
	N            int                  `json:"n" doc:"from 1"`
	State        runs.StepState       `json:"state" enum:"asked,done" doc:"asked while nothing came of the analyst's reply yet"`
	Type         warehouse.StepType   `json:"stepType" enum:"query,lookup_schema,search_tables,complete,complete_rejected,insight,analysis,validation,error"`
	Thinking     string               `json:"thinking,omitempty"`
	Purpose      string               `json:"purpose,omitempty"`
	Query        string               `json:"query,omitempty" doc:"as the analyst wrote it"`
	SQL          string               `json:"sql,omitempty" doc:"as it was sent"`
	Tables       []string             `json:"tables,omitempty" doc:"that were read or looked up, qualified"`
	Search       string               `json:"search,omitempty"`
	TopK         int                  `json:"searchTopK,omitempty" doc:"how many tables were searched for"`
	Rows         int                  `json:"rows"`
	More         bool                 `json:"more,omitempty" doc:"the result was cut at a limit"`
	Scanned      int64                `json:"bytesScanned,omitempty"`
	Milliseconds float64              `json:"milliseconds" doc:"that the warehouse took"`
	Digest       json.RawMessage      `json:"digest,omitempty" doc:"what the result holds: every row, or a summary of each column"`
	Answer       string               `json:"answer,omitempty" doc:"what the analyst was told"`
	Repeats      int                  `json:"repeats,omitempty" doc:"the step that it repeats, whose answer stands"`
	Error        string               `json:"error,omitempty"`
	Class        warehouse.ErrorClass `json:"errorClass,omitempty"`
	Fixes        []explorationFix     `json:"fixes,omitempty"`
	Reply        string               `json:"reply,omitempty" doc:"the analyst's whole reply"`
	Corrections  int                  `json:"corrections,omitempty" doc:"how often the analyst was asked for a reply that can be read"`
	TokensIn     int                  `json:"tokensIn"`
	TokensOut    int                  `json:"tokensOut"`
	At           time.Time            `json:"at"`
}

// explorationFix is one attempt to repair a statement.
type explorationFix struct {
	By           string               `json:"by" doc:"local, or the model's name"`
	Rule         string               `json:"rule,omitempty"`
	Class        warehouse.ErrorClass `json:"errorClass"`
	Error        string               `json:"error"`
	From         string               `json:"from"`
	To           string               `json:"to"`
	Works        bool                 `json:"works"`
	Milliseconds float64              `json:"milliseconds"`
}

func toExplorationStep(t runs.StoredStep) explorationStep {
	out := explorationStep{N: t.N, State: t.State, Type: t.Type, Thinking: t.Thinking, Purpose: t.Purpose, Query: t.Query, SQL: t.SQL, Tables: t.Tables, Search: t.Search, TopK: t.TopK, Reply: t.Reply, Corrections: t.Corrections,
		Rows: t.Rows, More: t.More, Scanned: t.Scanned, Milliseconds: milliseconds(t.Took), Digest: t.Digest, Answer: t.Answer, Repeats: t.Repeats, Error: t.Error, Class: t.Class,
		TokensIn: t.Spent.In, TokensOut: t.Spent.Out, At: t.At}
	out.Fixes = web.Map(t.Fixes, func(f warehouse.Fix) explorationFix {
		return explorationFix{f.By, f.Rule, f.Class, f.Error, f.From, f.To, f.Works, milliseconds(f.Took)}
	})
	return out
}

// judgement is feedback that a person gives on a step.
type judgement struct {
	ID   string `path:"id" doc:"id of the run"`
	N    int    `path:"n" minimum:"1" doc:"number of the step"`
	Body struct {
		Vote    projects.Vote `json:"vote" enum:"like,dislike,none" doc:"none takes an earlier one back"`
		Comment string        `json:"comment,omitempty" pattern:"^[^\\x00]*$" doc:"up to 2,000 characters"`
	}
}

// opinionBody is feedback of one person on a part of a run.
type opinionBody struct {
	Target  projects.FeedbackTarget `json:"target" enum:"exploration_step,insight,recommendation"`
	Ref     string                  `json:"ref" doc:"the number of a step"`
	User    string                  `json:"user"`
	Vote    projects.Vote           `json:"vote" enum:"like,dislike,none"`
	Comment string                  `json:"comment,omitempty"`
	At      time.Time               `json:"at"`
}

func (s *Handlers) listSteps(ctx context.Context, in *stepQuery) (web.Page[explorationStep], error) {
	r, err := s.run(ctx, in.ID)
	if err != nil {
		return web.Page[explorationStep]{}, err
	}
	list, err := runs.Steps(ctx, s.Pool, r.Tenant, r.ID, in.Since, in.Limit)
	return web.Page[explorationStep]{Items: web.Map(list, toExplorationStep)}, err
}

func (s *Handlers) listFeedback(ctx context.Context, in *runID) (web.Page[opinionBody], error) {
	r, err := s.run(ctx, in.ID)
	if err != nil {
		return web.Page[opinionBody]{}, err
	}
	list, err := s.Projects.Feedback(ctx, r.Tenant, r.Project, r.ID)
	return web.Page[opinionBody]{Items: web.Map(list, func(f projects.Feedback) opinionBody {
		return opinionBody{f.Target, f.Ref, f.User, f.Vote, f.Comment, f.At}
	})}, err
}

// step returns step n of a run, or a NotFound.
func (s *Handlers) step(ctx context.Context, r runs.Run, n int) (runs.StoredStep, error) {
	missing := fault.New(fault.NotFound, "this run has no such step").Coded("step_not_found")
	if n < 1 || n > runs.MaxSteps {
		return runs.StoredStep{}, missing
	}
	list, err := runs.Steps(ctx, s.Pool, r.Tenant, r.ID, n-1, 1)
	if err != nil {
		return runs.StoredStep{}, err
	}
	if len(list) == 0 || list[0].N != n {
		return runs.StoredStep{}, missing
	}
	return list[0], nil
}

func (s *Handlers) judgeStep(ctx context.Context, in *judgement) error {
	return s.judge(ctx, in.ID, in.N, in.Body.Vote, in.Body.Comment)
}

// judge stores what the actor thinks of a step, with what the step was for: later runs
// read the feedback without the step.
func (s *Handlers) judge(ctx context.Context, id string, n int, vote projects.Vote, comment string) error {
	r, err := s.run(ctx, id)
	if err != nil {
		return err
	}
	step, err := s.step(ctx, r, n)
	if err != nil {
		return err
	}
	return s.Projects.Judge(ctx, r.Tenant, projects.Feedback{Project: r.Project, Run: r.ID, Target: projects.OfStep, Ref: strconv.Itoa(n), About: cmp.Or(step.Purpose, step.Thinking),
		User: web.ActorFrom(ctx).User, Vote: vote, Comment: comment})
}
