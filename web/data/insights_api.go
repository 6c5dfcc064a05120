package data

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"quaestor/internal/auth"
	"quaestor/research/warehouse/insight"
	"quaestor/research/warehouse/pick"
	"quaestor/research/warehouse/runs"
	"quaestor/web"
)

// insightBody is an insight in the API.
type insightBody struct {
	ID         string              `json:"id" example:"revenue-1" doc:"unique within the run"`
	RunID      string              `json:"runId"`
	ProjectID  string              `json:"projectId"`
	Area       string              `json:"analysisArea" doc:"id of the area"`
	Kind       insight.Kind        `json:"kind" enum:"drop,rise,segment_shift,trend_break,outlier_record,null_spike,date_rate,retention_change,simpson,difference,concentration"`
	Name       string              `json:"name" doc:"the headline with its figures"`
	Text       string              `json:"description" doc:"the text with its figures"`
	Template   insightTemplate     `json:"template" doc:"the same with placeholders: every number is the value of a figure"`
	Severity   insight.Severity    `json:"severity" enum:"critical,high,medium,low"`
	Affected   int64               `json:"affectedCount" doc:"records, as first counted"`
	Risk       float64             `json:"riskScore" doc:"0 to 1: how much of the whole is at stake"`
	Confidence float64             `json:"confidence" doc:"0 to 1"`
	Indicators []string            `json:"indicators" nullable:"false"`
	Table      string              `json:"table"`
	Measure    string              `json:"measure"`
	Segment    []insight.Condition `json:"targetSegment" nullable:"false"`
	Period     *spanBody           `json:"period,omitempty"`
	Before     *spanBody           `json:"comparedWith,omitempty"`
	Onset      *spanBody           `json:"onset,omitempty" doc:"the days on one of which it began, with 95 % confidence; absent if that is known to the day or not at all"`
	Figures    []insightFigure     `json:"figures" nullable:"false"`
	Steps      []int               `json:"sourceSteps" nullable:"false"`
	Review     insightValidation   `json:"validation"`
	Survives   bool                `json:"survives" doc:"it may have recommendations"`
	Standing   insight.Standing    `json:"standing,omitempty" doc:"against earlier runs: new, confirmed or changed"`
	Metric     string              `json:"metric,omitempty" doc:"name of the organisation's definition by which it is measured; absent for none"`
	Related    []string            `json:"relatedRecommendationIds" nullable:"false"`
	Chart      insight.Series      `json:"chart"`
	At         time.Time           `json:"discoveredAt"`
}

type insightTemplate struct {
	Headline string `json:"headline"`
	Text     string `json:"text"`
}

// spanBody is a span of days.
type spanBody struct {
	From string `json:"from" format:"date"`
	To   string `json:"to" format:"date" doc:"the first day that does not belong to it"`
}

type insightFigure struct {
	ID    string       `json:"id" doc:"its placeholder is {{id}}"`
	Name  string       `json:"name"`
	SQL   string       `json:"sql" doc:"returns the value in one row and one column"`
	Value float64      `json:"value"`
	Unit  insight.Unit `json:"unit" enum:"records,per_day,per_week,per_month,percent,points,number"`
	Text  string       `json:"text" doc:"as people read it"`
}

type insightValidation struct {
	Status   insight.Status        `json:"status,omitempty" doc:"confirmed, adjusted, rejected or error; absent before the check"`
	Claimed  int64                 `json:"originalCount"`
	Verified int64                 `json:"verifiedCount"`
	SQL      string                `json:"query,omitempty"`
	Reason   string                `json:"reasoning,omitempty"`
	Figures  []insight.Recounted   `json:"figures" nullable:"false" doc:"figures that were computed anew by another statement, and what they came to"`
	Tried    []insight.Explanation `json:"tried" nullable:"false" doc:"trivial explanations that were looked for"`
}

func toInsightBody(i runs.Insight) insightBody {
	return insightBody{ID: i.ID, RunID: i.Run, ProjectID: i.Project, Area: i.Area, Kind: i.Kind, Name: i.Title, Text: i.Prose, Template: insightTemplate{i.Headline, i.Text}, Severity: i.Severity,
		Affected: i.Affected, Risk: i.Risk, Confidence: i.Confidence, Indicators: listed(i.Indicators), Table: i.Table, Measure: i.Measure, Segment: listed(i.Segment), Period: toSpan(i.Period), Before: toSpan(i.Before), Onset: toSpan(i.Onset),
		Figures: web.Map(i.Figures, func(f insight.Figure) insightFigure {
			return insightFigure{f.ID, f.Name, f.SQL, f.Value, f.Unit, f.String()}
		}),
		Steps: listed(i.Steps), Review: insightValidation{i.Review.Status, i.Review.Claimed, i.Review.Verified, i.Review.SQL, i.Review.Reason, listed(i.Review.Figures), listed(i.Review.Tried)}, Survives: i.Survives, Standing: i.Standing, Metric: i.Metric,
		Related: listed(i.Recommendations), Chart: i.Chart, At: i.At}
}

func toSpan(p insight.Period) *spanBody {
	if p.IsZero() {
		return nil
	}
	return &spanBody{p.From.Format(time.DateOnly), p.To.Format(time.DateOnly)}
}

// listed returns an empty list for none.
func listed[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// recommendationBody is a recommendation in the API.
type recommendationBody struct {
	ID         string                    `json:"id" example:"r-1" doc:"unique within the run"`
	RunID      string                    `json:"runId"`
	ProjectID  string                    `json:"projectId"`
	Title      string                    `json:"title"`
	Text       string                    `json:"description"`
	Priority   int                       `json:"priority" doc:"1 to 5; 1 is first"`
	Segment    []insight.Condition       `json:"targetSegment" nullable:"false"`
	Size       int64                     `json:"segmentSize" doc:"records"`
	Impact     insight.Impact            `json:"expectedImpact"`
	Actions    []string                  `json:"actions" nullable:"false"`
	Effort     insight.Effort            `json:"effort" enum:"small,medium,large"`
	Success    []string                  `json:"successMetrics" nullable:"false"`
	Insights   []string                  `json:"relatedInsightIds" nullable:"false" doc:"insights of the run that survived their check"`
	Confidence float64                   `json:"confidence"`
	Earlier    *insight.Earlier          `json:"earlier,omitempty" doc:"the same of an earlier run, since when its insight has changed"`
	Status     runs.RecommendationStatus `json:"status" enum:"open,accepted,done,dismissed"`
	Version    int                       `json:"version" doc:"counts the changes of the status"`
	ChangedBy  string                    `json:"changedBy,omitempty"`
	ChangedAt  time.Time                 `json:"changedAt"`
	CreatedAt  time.Time                 `json:"createdAt"`
}

func toRecommendationBody(c runs.Recommendation) recommendationBody {
	return recommendationBody{c.ID, c.Run, c.Project, c.Title, c.Text, c.Priority, listed(c.Segment), c.Size, c.Impact, listed(c.Actions), c.Effort, listed(c.Success), listed(c.Insights), c.Confidence, c.Earlier, c.Status, c.Version, c.By, c.Changed, c.At}
}

// analysedArea is an area that a run analysed.
type analysedArea struct {
	ID       string              `json:"id"`
	Name     string              `json:"name"`
	Status   runs.AreaStatus     `json:"status" enum:"complete,failed"`
	Reason   string              `json:"reason,omitempty"`
	Selected []pick.SelectedStep `json:"selectedSteps" nullable:"false"`
	Dropped  []pick.DroppedStep  `json:"droppedSteps" nullable:"false"`
	Results  int                 `json:"queryResultsChars" doc:"characters of the steps' results that the model was given; 0 without a model"`
	Memory   int                 `json:"previousContextChars" doc:"characters of what it was told of earlier runs"`
}

type insightPath struct {
	ID  string `path:"id" doc:"id of the run"`
	Ref string `path:"ref" doc:"id of the insight"`
}

type figurePath struct {
	ID     string `path:"id" doc:"id of the run"`
	Ref    string `path:"ref" doc:"id of the insight"`
	Figure string `path:"figure" doc:"id of the figure"`
}

type figureAgainBody struct {
	ID    string  `json:"id"`
	Was   float64 `json:"was" doc:"as the run computed it"`
	Value float64 `json:"value" doc:"as it is now"`
	Same  bool    `json:"same"`
}

type statusChange struct {
	ID   string `path:"id" doc:"id of the run"`
	Ref  string `path:"ref" doc:"id of the recommendation"`
	Body struct {
		Status  runs.RecommendationStatus `json:"status" enum:"open,accepted,done,dismissed"`
		Version int                       `json:"version,omitempty" minimum:"0" doc:"the version that was seen; another one is refused. Any when left out"`
	}
}

type areaPath struct {
	ID   string `path:"id" doc:"id of the run"`
	Area string `path:"area" maxLength:"200" doc:"id of the area"`
}

// insightOperations registers what is found and recommended.
func (s *Handlers) insightOperations(a huma.API) {
	const run, project = "/api/v1/runs/{id}", "/api/v1/projects/{id}"
	web.Add(a, web.Get(run+"/insights", "run-insight-list", "What a run found, the most important first, with the figures and their SQL").Needing(auth.Review), s.listInsights)
	web.Add(a, web.Get(run+"/insights/{ref}", "run-insight-get", "One insight").Needing(auth.Review), s.getInsight)
	web.Add(a, web.Post(run+"/insights/{ref}/figures/{figure}", "run-insight-figure", "Compute a figure again, and tell whether it is the same").Needing(auth.Review), s.computeFigure)
	web.Add(a, web.Get(run+"/areas", "run-area-list", "The areas that a run analysed: the steps that each rests on, and those left out with the reason").Needing(auth.Review), s.listAreas)
	web.Add(a, web.Get(run+"/areas/{area}/dialog", "run-area-dialog", "What a model was told and answered when it worded the findings of an area; empty where none did").Needing(auth.Review), s.getAreaDialog)
	web.Add(a, web.Get(run+"/recommendations", "run-recommendation-list", "What a run recommends, by priority").Needing(auth.Review), s.listRunRecommendations)
	web.Add(a, web.Patch(run+"/recommendations/{ref}", "run-recommendation-patch", "Accept, finish, dismiss or reopen a recommendation").Needing(auth.Review), s.patchRecommendation)
	web.Add(a, web.Get(project+"/insights", "project-insight-list", "What the runs of a project found, the latest run first").Needing(auth.Review), s.listProjectInsights)
	web.Add(a, web.Get(project+"/recommendations", "project-recommendation-list", "What the runs of a project recommend, the latest run first").Needing(auth.Review), s.listProjectRecommendations)
	web.AddEmpty(a, web.Put(run+"/insights/{ref}/watch", "run-insight-watch", "Be told when a later run changes, resolves or reverses an insight").Needing(auth.Review), s.watchInsight)
	web.AddEmpty(a, web.Delete(run+"/insights/{ref}/watch", "run-insight-unwatch", "Be told no more").Needing(auth.Review), s.unwatchInsight)
	web.Add(a, web.Get(project+"/comparison", "project-run-compare", "What became of the findings of one run in another: new, confirmed, changed, reversed, gone").Needing(auth.Review), s.compareRuns)
	web.Add(a, web.Get(project+"/findings", "project-finding-search", "Findings and recommendations of a project's runs by words and meaning, the best first").Needing(auth.Review), s.searchFindings)
	web.Add(a, web.Post(project+"/findings/ask", "project-finding-ask", "A question answered from findings, each sentence with those that say so").Needing(auth.Review), s.askFindings)
	web.Add(a, web.Get(project+"/outcomes", "project-outcome-list", "The metrics of recommendations that are done, as later runs measured them, the latest first").Needing(auth.Review), s.listOutcomes)
	web.Add(a, web.Get("/api/v1/finding-alerts", "finding-alert-list", "What you were told of insights that you watch, the latest first").Needing(auth.Review), s.listAlerts)
	web.AddEmpty(a, web.Post("/api/v1/finding-alerts/read", "finding-alert-read", "Mark what you were told as read").Needing(auth.Review), s.readAlerts)
	web.Add(a, web.Get(project+"/insight-ledger", "project-insight-ledger", "What became of insights from run to run: new, confirmed, changed or resolved").Needing(auth.Review), s.listLedger)
}

func (s *Handlers) listInsights(ctx context.Context, in *runID) (web.Page[insightBody], error) {
	r, err := s.run(ctx, in.ID)
	if err != nil {
		return web.Page[insightBody]{}, err
	}
	list, err := runs.Insights(ctx, s.Pool, r.Tenant, runs.Selection{Run: r.ID})
	return web.Page[insightBody]{Items: web.Map(list, toInsightBody)}, err
}

func (s *Handlers) getInsight(ctx context.Context, in *insightPath) (insightBody, error) {
	i, err := runs.FindInsight(ctx, s.Pool, web.ActorFrom(ctx).Tenant, in.ID, in.Ref)
	return toInsightBody(i), err
}

func (s *Handlers) computeFigure(ctx context.Context, in *figurePath) (figureAgainBody, error) {
	r, err := s.run(ctx, in.ID)
	if err != nil {
		return figureAgainBody{}, err
	}
	i, err := runs.FindInsight(ctx, s.Pool, r.Tenant, r.ID, in.Ref)
	if err != nil {
		return figureAgainBody{}, err
	}
	f, err := s.recompute(ctx, r, i.Insight, in.Figure)
	return figureAgainBody{in.Figure, f.Figure.Value, f.Value, f.Same}, err
}

func (s *Handlers) listAreas(ctx context.Context, in *runID) (web.Page[analysedArea], error) {
	r, err := s.run(ctx, in.ID)
	if err != nil {
		return web.Page[analysedArea]{}, err
	}
	list, err := runs.Areas(ctx, s.Pool, r.Tenant, r.ID)
	return web.Page[analysedArea]{Items: web.Map(list, func(a runs.Area) analysedArea {
		return analysedArea{a.ID, a.Name, a.Status, a.Reason, listed(a.Selected), listed(a.Dropped), a.Results, a.Memory}
	})}, err
}

func (s *Handlers) getAreaDialog(ctx context.Context, in *areaPath) (runs.AreaDialog, error) {
	r, err := s.run(ctx, in.ID)
	if err != nil {
		return runs.AreaDialog{}, err
	}
	return runs.Dialog(ctx, s.Pool, r.Tenant, r.ID, in.Area)
}

func (s *Handlers) listRunRecommendations(ctx context.Context, in *runID) (web.Page[recommendationBody], error) {
	r, err := s.run(ctx, in.ID)
	if err != nil {
		return web.Page[recommendationBody]{}, err
	}
	list, err := runs.Recommendations(ctx, s.Pool, r.Tenant, runs.Selection{Run: r.ID})
	return web.Page[recommendationBody]{Items: web.Map(list, toRecommendationBody)}, err
}

func (s *Handlers) patchRecommendation(ctx context.Context, in *statusChange) (recommendationBody, error) {
	r, err := s.run(ctx, in.ID)
	if err != nil {
		return recommendationBody{}, err
	}
	c, err := s.Commands.SetStatus(ctx, r.Tenant, r.ID, in.Ref, in.Body.Status, in.Body.Version, web.ActorFrom(ctx).User)
	return toRecommendationBody(c), err
}

func (s *Handlers) listProjectInsights(ctx context.Context, in *projectID) (web.Page[insightBody], error) {
	tenant := web.ActorFrom(ctx).Tenant
	p, err := s.Projects.Find(ctx, tenant, in.ID)
	if err != nil {
		return web.Page[insightBody]{}, err
	}
	list, err := runs.Insights(ctx, s.Pool, tenant, runs.Selection{Project: p.ID})
	return web.Page[insightBody]{Items: web.Map(list, toInsightBody)}, err
}

type recommendationQuery struct {
	ID     string                    `path:"id" doc:"id of the project"`
	Status runs.RecommendationStatus `query:"status" enum:"open,accepted,done,dismissed"`
}

func (s *Handlers) listProjectRecommendations(ctx context.Context, in *recommendationQuery) (web.Page[recommendationBody], error) {
	tenant := web.ActorFrom(ctx).Tenant
	p, err := s.Projects.Find(ctx, tenant, in.ID)
	if err != nil {
		return web.Page[recommendationBody]{}, err
	}
	list, err := runs.Recommendations(ctx, s.Pool, tenant, runs.Selection{Project: p.ID, Status: in.Status})
	return web.Page[recommendationBody]{Items: web.Map(list, toRecommendationBody)}, err
}

func (s *Handlers) listLedger(ctx context.Context, in *projectID) (web.Page[runs.Entry], error) {
	tenant := web.ActorFrom(ctx).Tenant
	p, err := s.Projects.Find(ctx, tenant, in.ID)
	if err != nil {
		return web.Page[runs.Entry]{}, err
	}
	list, err := runs.Ledger(ctx, s.Pool, tenant, p.ID)
	return web.Page[runs.Entry]{Items: listed(list)}, err
}
