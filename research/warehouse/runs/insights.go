package runs

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/research/warehouse/insight"
	"quaestor/research/warehouse/runs/internal/dbsqlc"
)

// Insight is an insight as it is stored.
type Insight struct {
	insight.Insight
	Run             string           `json:"runId"`
	Project         string           `json:"projectId"`
	Title           string           `json:"name"`               // the headline with its figures
	Prose           string           `json:"description"`        // the text with its figures
	Survives        bool             `json:"survives"`           // it may have recommendations
	Standing        insight.Standing `json:"standing,omitempty"` // against earlier runs; empty before the run is over
	Recommendations []string         `json:"relatedRecommendationIds"`
	At              time.Time        `json:"discoveredAt"`

	subject string // as it is stored
}

// Recommendation is a recommendation as it is stored.
type Recommendation struct {
	insight.Recommendation
	Run     string               `json:"runId"`
	Project string               `json:"projectId"`
	Subject string               `json:"-"` // of the insight that it mainly rests on
	Main    *insight.Insight     `json:"-"` // that insight; nil for none
	Status  RecommendationStatus `json:"status"`
	Version int                  `json:"version"` // counts the changes of the status
	By      string               `json:"changedBy,omitempty"`
	Changed time.Time            `json:"changedAt"`
	At      time.Time            `json:"createdAt"`
}

// RecommendationStatus is what people made of a recommendation.
type RecommendationStatus string

// The statuses of recommendations.
const (
	OpenStatus      RecommendationStatus = "open"
	AcceptedStatus  RecommendationStatus = "accepted"
	DoneStatus      RecommendationStatus = "done"
	DismissedStatus RecommendationStatus = "dismissed"
)

// RecommendationStatuses lists all statuses, in the order of a board.
var RecommendationStatuses = []RecommendationStatus{OpenStatus, AcceptedStatus, DoneStatus, DismissedStatus}

// saveInsight queues an insight that is not checked yet.
func saveInsight(ctx context.Context, b *postgres.Batch, r *Run, place int, i *insight.Insight) error {
	body, err := json.Marshal(i)
	if err != nil {
		return fmt.Errorf("encode insight %s: %w", i.ID, err)
	}
	return queries.InsightInsert(ctx, b, &dbsqlc.InsightInsertParams{TenantID: r.Tenant, RunID: r.ID, Ref: i.ID, ProjectID: r.Project, Place: int32(place), AreaID: i.Area, Subject: cut(clean(i.Key), 4000),
		Kind: string(i.Kind), Severity: string(i.Severity), Title: cut(clean(i.Title()), 2000), Affected: i.Affected, Body: body})
}

// Selection says which insights or recommendations are read. Empty fields select all.
type Selection struct {
	Run, Project string
	Ref          string // of one in the run
	Status       RecommendationStatus
	Max          int // zero means 200
}

func (s Selection) most() int32 {
	if s.Max == 0 {
		return 200
	}
	return int32(s.Max)
}

// Insights returns the tenant's insights that s selects: those of the latest run first, the most
// important of each first.
func Insights(ctx context.Context, db postgres.DB, tenant string, s Selection) ([]Insight, error) {
	out, err := postgres.List(ctx, db, tenant, queries.InsightList, &dbsqlc.InsightListParams{TenantID: tenant, RunID: postgres.OrNull(s.Run), ProjectID: postgres.OrNull(s.Project), Ref: postgres.OrNull(s.Ref), Most: s.most()}, func(r *dbsqlc.InsightListRow) (Insight, error) {
		i := Insight{Run: r.RunID, Project: r.ProjectID, Survives: r.Survives, Standing: insight.Standing(r.Standing), Recommendations: r.Recommendations, At: r.At, subject: r.Subject}
		if err := json.Unmarshal(r.Body, &i.Insight); err != nil {
			return i, fmt.Errorf("read insight %s: %w", r.Ref, err)
		}
		if r.Review != nil {
			if err := json.Unmarshal(r.Review, &i.Review); err != nil {
				return i, fmt.Errorf("read the check of insight %s: %w", r.Ref, err)
			}
		}
		i.Title, i.Prose = i.Insight.Title(), i.Insight.Prose()
		return i, nil
	})
	if err != nil {
		return nil, fmt.Errorf("list insights: %w", notID(err))
	}
	return out, nil
}

// FindInsight returns one insight of a run; one that does not exist is NotFound.
func FindInsight(ctx context.Context, db postgres.DB, tenant, run, ref string) (Insight, error) {
	list, err := Insights(ctx, db, tenant, Selection{Run: run, Ref: ref})
	if err == nil && len(list) == 0 {
		err = fault.New(fault.NotFound, "this run has no insight %.60q", ref).Coded("insight_not_found")
	}
	if err != nil {
		return Insight{}, err
	}
	return list[0], nil
}

// Recommendations returns the tenant's recommendations that s selects: those of the latest run
// first, by priority.
func Recommendations(ctx context.Context, db postgres.DB, tenant string, s Selection) ([]Recommendation, error) {
	out, err := postgres.List(ctx, db, tenant, queries.RecommendationList, &dbsqlc.RecommendationListParams{TenantID: tenant, RunID: postgres.OrNull(s.Run), ProjectID: postgres.OrNull(s.Project), Ref: postgres.OrNull(s.Ref), Status: postgres.OrNull(string(s.Status)), Most: s.most()},
		func(r *dbsqlc.RecommendationListRow) (Recommendation, error) {
			c := Recommendation{Run: r.RunID, Project: r.ProjectID, Status: RecommendationStatus(r.Status), Version: int(r.Version), By: r.ChangedBy, Changed: r.ChangedAt, At: r.At}
			main := ""
			if err := json.Unmarshal(r.Body, &c.Recommendation); err != nil {
				return c, err
			}
			if len(c.Insights) > 0 {
				main = c.Insights[0]
			}
			c.Insights = r.Insights // what the database enforces
			if at := slices.Index(c.Insights, main); at > 0 {
				c.Insights = slices.Insert(slices.Delete(c.Insights, at, at+1), 0, main)
			}
			if r.Main == nil {
				return c, nil
			}
			c.Subject, c.Main = r.Subject, &insight.Insight{}
			return c, json.Unmarshal(r.Main, c.Main)
		})
	if err != nil {
		return nil, fmt.Errorf("list recommendations: %w", notID(err))
	}
	return out, nil
}

// SetStatus changes the status of a recommendation, and returns it as it is then. version is the
// one that the caller has seen, 0 for any; another is a Conflict.
func (c Commands) SetStatus(ctx context.Context, tenant, run, ref string, to RecommendationStatus, version int, by string) (Recommendation, error) {
	changed := false
	b := postgres.NewBatch(tenant)
	postgres.One(b, queries.RecommendationStatus, &dbsqlc.RecommendationStatusParams{Status: string(to), ChangedBy: by, TenantID: tenant, RunID: run, Ref: ref, Version: int32(version)}, func(int32) error { changed = true; return nil })
	if err := b.Send(ctx, c.Pool); err != nil {
		return Recommendation{}, fmt.Errorf("change recommendation %s: %w", ref, notID(err))
	}
	list, err := Recommendations(ctx, c.Pool, tenant, Selection{Run: run, Ref: ref})
	switch {
	case err != nil:
		return Recommendation{}, err
	case len(list) == 0:
		return Recommendation{}, fault.New(fault.NotFound, "this run has no recommendation %.60q", ref).Coded("recommendation_not_found")
	case !changed:
		return list[0], fault.New(fault.Conflict, "somebody has changed this recommendation; look at it again").Coded("recommendation_changed")
	}
	return list[0], nil
}
