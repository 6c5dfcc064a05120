package data

import (
	"context"
	"time"

	"quaestor/internal/fault"
	"quaestor/internal/secret"
	"quaestor/research/warehouse/estimate"
	"quaestor/research/warehouse/projects"
	"quaestor/research/warehouse/runs"
	"quaestor/sessions/settings/models"
	"quaestor/web"
)

// scheduleBody is the schedule of a project on the wire.
type scheduleBody struct {
	Cron        string      `json:"cron" example:"0 6 * * 1" doc:"minute, hour, day of month, month, day of week; or @hourly, @daily, @weekly, @monthly, @yearly"`
	Zone        string      `json:"zone" example:"Europe/Berlin" doc:"time zone by its IANA name"`
	Paused      bool        `json:"paused"`
	WarehouseID string      `json:"warehouseId,omitempty" doc:"absent for the project's default one"`
	MaxSteps    int         `json:"maxSteps"`
	MinSteps    int         `json:"minSteps"`
	Next        []time.Time `json:"next" nullable:"false" doc:"the next three times; none while it is paused"`
	LastDue     *time.Time  `json:"lastDue,omitempty" doc:"the latest time that was due"`
	LastRunID   string      `json:"lastRunId,omitempty" doc:"the run that it began last"`
	LastNote    string      `json:"lastNote,omitempty" doc:"why the latest time that was due began no run"`
	Version     int         `json:"version" doc:"counts the changes"`
	ChangedBy   string      `json:"changedBy,omitempty"`
	ChangedAt   time.Time   `json:"changedAt"`
}

func toScheduleBody(s projects.Schedule) scheduleBody {
	out := scheduleBody{Cron: s.Cron, Zone: s.Zone, Paused: s.Paused, WarehouseID: s.Warehouse, MaxSteps: s.MaxSteps, MinSteps: s.MinSteps, Next: []time.Time{},
		LastDue: s.Due, LastRunID: s.Run, LastNote: s.Note, Version: s.Version, ChangedBy: s.ChangedBy, ChangedAt: s.ChangedAt}
	if !s.Paused {
		out.Next = append(out.Next, s.After(time.Now(), projects.ShownTimes)...)
	}
	return out
}

// scheduleChange sets the schedule of a project.
type scheduleChange struct {
	ID   string `path:"id" doc:"id of the project"`
	Body struct {
		Version     int    `json:"version,omitempty" minimum:"0" doc:"that this changes, as reading gave it; left out where there is no schedule yet"`
		Cron        string `json:"cron" minLength:"1" maxLength:"200" pattern:"^[^\\x00]*$" example:"0 6 * * 1"`
		Zone        string `json:"zone,omitempty" maxLength:"100" pattern:"^[^\\x00]*$" doc:"UTC when left out"`
		Paused      bool   `json:"paused,omitempty"`
		WarehouseID string `json:"warehouseId,omitempty" format:"uuid" doc:"one of the project's; its default one when left out"`
		MaxSteps    int    `json:"maxSteps,omitempty" minimum:"1" maximum:"1000" doc:"40 when left out"`
		MinSteps    int    `json:"minSteps,omitempty" minimum:"0" maximum:"1000"`
	}
}

func (s *Handlers) getSchedule(ctx context.Context, in *projectID) (scheduleBody, error) {
	tenant := web.ActorFrom(ctx).Tenant
	if _, err := s.Projects.Find(ctx, tenant, in.ID); err != nil {
		return scheduleBody{}, err
	}
	out, err := s.Projects.Schedule(ctx, tenant, in.ID)
	return toScheduleBody(out), err
}

func (s *Handlers) putSchedule(ctx context.Context, in *scheduleChange) (scheduleBody, error) {
	a, b := web.ActorFrom(ctx), in.Body
	out, err := s.Projects.SetSchedule(ctx, a.Tenant, in.ID, a.User, b.Version, projects.Timing{Cron: b.Cron, Zone: b.Zone, Paused: b.Paused, Warehouse: b.WarehouseID, MaxSteps: b.MaxSteps, MinSteps: b.MinSteps}, time.Now())
	return toScheduleBody(out), err
}

func (s *Handlers) deleteSchedule(ctx context.Context, in *projectID) error {
	a := web.ActorFrom(ctx)
	return s.Projects.DeleteSchedule(ctx, a.Tenant, in.ID, a.User)
}

// projectModelBody is the model that explores for a project. Its key is never shown.
type projectModelBody struct {
	ModelID string `json:"modelId,omitempty" doc:"absent for the models that the organisation uses"`
	Own     bool   `json:"own" doc:"the project has it of its own"`
	Name    string `json:"name,omitempty" doc:"as its API calls it"`
	BaseURL string `json:"baseUrl,omitempty"`
	HasKey  bool   `json:"hasKey"`
}

// projectModelChange chooses one of the organisation's models, or gives the project one of its own.
type projectModelChange struct {
	ID   string `path:"id" doc:"id of the project"`
	Body struct {
		ModelID string `json:"modelId,omitempty" format:"uuid" doc:"one of the organisation's"`
		Name    string `json:"name,omitempty" maxLength:"200" pattern:"^[^\\x00]*$" doc:"of a model of the project's own, as its API calls it"`
		BaseURL string `json:"baseUrl,omitempty" maxLength:"2000" pattern:"^[^\\x00]*$" doc:"of an OpenAI-compatible API, usually ending in /v1"`
		Key     string `json:"key,omitempty" maxLength:"4096" doc:"sealed, and never shown. Absent keeps the one there is, unless the address changes" writeOnly:"true"`
	}
}

func (s *Handlers) getProjectModel(ctx context.Context, in *projectID) (projectModelBody, error) {
	tenant := web.ActorFrom(ctx).Tenant
	p, err := s.Projects.Find(ctx, tenant, in.ID)
	if err != nil || p.Model == "" {
		return projectModelBody{}, err
	}
	m, err := s.Models.Find(ctx, tenant, p.Model)
	return projectModelBody{p.Model, m.Project != "", m.Name, m.BaseURL, m.HasKey}, err
}

// putProjectModel first stores the model and then has the project use it; a model that is stored and
// not used is replaced by the next.
func (s *Handlers) putProjectModel(ctx context.Context, in *projectModelChange) (projectModelBody, error) {
	a, b := web.ActorFrom(ctx), in.Body
	id := b.ModelID
	switch {
	case id != "" && (b.Name != "" || b.BaseURL != "" || b.Key != ""):
		return projectModelBody{}, fault.New(fault.Unprocessable, "choose a model or describe one, not both").At("modelId")
	case id != "":
		m, err := s.Models.Find(ctx, a.Tenant, id)
		if fault.Is(err, fault.NotFound) || err == nil && m.Project != "" && m.Project != in.ID {
			return projectModelBody{}, fault.New(fault.Unprocessable, "there is no such model").At("modelId")
		}
		if err != nil {
			return projectModelBody{}, err
		}
	default:
		if _, err := s.Projects.Find(ctx, a.Tenant, in.ID); err != nil {
			return projectModelBody{}, err
		}
		m, err := s.Models.PutOfProject(ctx, a.Tenant, a.User, in.ID, models.Spec{Name: b.Name, BaseURL: b.BaseURL, Key: secret.New(b.Key), Role: models.Talking})
		if err != nil {
			return projectModelBody{}, err
		}
		id = m.ID
	}
	if _, err := s.Projects.SetModel(ctx, a.Tenant, in.ID, a.User, id); err != nil {
		return projectModelBody{}, err
	}
	return s.getProjectModel(ctx, &projectID{in.ID})
}

// deleteProjectModel has a project use the organisation's models again, and forgets the one of its own.
func (s *Handlers) deleteProjectModel(ctx context.Context, in *projectID) error {
	a := web.ActorFrom(ctx)
	if _, err := s.Projects.SetModel(ctx, a.Tenant, in.ID, a.User, ""); err != nil {
		return err
	}
	m, err := s.Models.OfProject(ctx, a.Tenant, in.ID)
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	return s.Models.Delete(ctx, a.Tenant, a.User, m.ID)
}

// estimateRequest asks what a run is likely to use.
type estimateRequest struct {
	ID   string `path:"id" doc:"id of the project"`
	Body struct {
		WarehouseID string   `json:"warehouseId,omitempty" format:"uuid"`
		Areas       []string `json:"areas,omitempty"`
		MaxSteps    int      `json:"maxSteps,omitempty" minimum:"1" maximum:"1000" doc:"100 when left out"`
		MinSteps    int      `json:"minSteps,omitempty" minimum:"0" maximum:"1000"`
	}
}

// estimateBody is what a run is likely to use.
type estimateBody struct {
	Basis           string         `json:"basis" enum:"catalog,runs" doc:"what it rests on: the catalog and the settings, or earlier runs of the project"`
	Runs            int            `json:"runs" doc:"earlier runs that it rests on"`
	Phases          []estimateLine `json:"phases" nullable:"false"`
	Total           estimateLine   `json:"total"`
	Low             float64        `json:"low" doc:"of each figure the part, and"`
	High            float64        `json:"high" doc:"the multiple, between which the use of most runs lies"`
	ModelPriced     bool           `json:"modelPriced" doc:"false if no price is set for the model; usd is 0 then"`
	WarehousePriced bool           `json:"warehousePriced" doc:"false if no price is set for the warehouse; warehouseUsd is 0 then"`
}

// estimateLine is what a phase is likely to use.
type estimateLine struct {
	Phase        string  `json:"phase,omitempty" enum:"exploration,analysis,validation"`
	Statements   int     `json:"statements"`
	Rows         int64   `json:"rows" doc:"that come back"`
	BytesScanned int64   `json:"bytesScanned" doc:"0 for makes that do not report them"`
	TokensIn     int     `json:"tokensIn"`
	TokensOut    int     `json:"tokensOut"`
	Calls        int     `json:"calls" doc:"of the model"`
	USD          float64 `json:"usd" doc:"of the model"`
	WarehouseUSD float64 `json:"warehouseUsd"`
	Minutes      float64 `json:"minutes"`
}

func toEstimateLine(l estimate.Line) estimateLine {
	u := l.Use
	return estimateLine{l.Phase, u.Asked.Statements, u.Asked.Rows, u.Asked.Scanned, u.In, u.Out, u.Calls, l.USD, l.WarehouseUSD, l.Time.Minutes()}
}

func (s *Handlers) estimateRun(ctx context.Context, in *estimateRequest) (estimateBody, error) {
	b := in.Body
	e, err := s.Estimate(ctx, web.ActorFrom(ctx).Tenant, runs.Order{Project: in.ID, Warehouse: b.WarehouseID, Areas: b.Areas, MaxSteps: b.MaxSteps, MinSteps: b.MinSteps})
	if err != nil {
		return estimateBody{}, err
	}
	out := estimateBody{Basis: "catalog", Runs: e.Runs, Phases: web.Map(e.Lines, toEstimateLine), Total: toEstimateLine(e.Total), Low: e.Low, High: e.High, ModelPriced: e.ModelPriced, WarehousePriced: e.WarehousePriced}
	if e.Runs > 0 {
		out.Basis = "runs"
	}
	return out, nil
}

// monthBody is what the runs of a project that were ordered in a month have cost.
type monthBody struct {
	Month     string          `json:"month" example:"2026-01" doc:"in UTC"`
	ProjectID string          `json:"projectId"`
	Runs      int             `json:"runs"`
	Spent     explorationCost `json:"spent"`
}

type spendingQuery struct {
	Project string `query:"projectId" maxLength:"60" doc:"all projects when left out"`
}

func (s *Handlers) listMonths(ctx context.Context, in *spendingQuery) (web.Page[monthBody], error) {
	list, err := runs.Months(ctx, s.Pool, web.ActorFrom(ctx).Tenant, in.Project)
	return web.Page[monthBody]{Items: web.Map(list, func(m runs.Month) monthBody {
		return monthBody{m.Start.Format("2006-01"), m.Project, m.Runs, toExplorationCost(m.PurposeCost)}
	})}, err
}
