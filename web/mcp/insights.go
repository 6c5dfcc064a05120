package mcp

import (
	"context"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"quaestor/internal/auth"
	"quaestor/research/warehouse/runs"
	"quaestor/web"
)

// insightList is what the analysis of a run came to.
type insightList struct {
	RunID           string               `json:"runId"`
	Insights        []insightItem        `json:"insights" jsonschema:"the most important first"`
	Recommendations []recommendationItem `json:"recommendations" jsonschema:"the most urgent first"`
	More            bool                 `json:"more" jsonschema:"there are more than are listed"`
}

type insightItem struct {
	ID         string   `json:"id"`
	Kind       string   `json:"kind"`
	Severity   string   `json:"severity"`
	Title      string   `json:"title"`
	Text       string   `json:"text"`
	Table      string   `json:"table"`
	Check      string   `json:"check,omitempty" jsonschema:"what a second count came to: confirmed, adjusted, rejected or error; absent before it was checked"`
	Survives   bool     `json:"survives" jsonschema:"no trivial explanation of it was found"`
	Standing   string   `json:"standing,omitempty" jsonschema:"against earlier runs, such as new, confirmed or changed"`
	Confidence float64  `json:"confidence" jsonschema:"0 to 1"`
	Figures    []string `json:"figures" jsonschema:"each figure with the SQL that gives it"`
}

type recommendationItem struct {
	ID     string `json:"id"`
	Title  string `json:"title"`
	Status string `json:"status" jsonschema:"open, accepted, done or dismissed"`
}

func (s *Handlers) addInsightTools(server *sdk.Server) {
	add(s, server, tool{name: "list_insights", title: "List insights of a run", needs: auth.Review,
		description: "What the analysis of a discovery run came to: effects in the data with their figures, how they were checked, and what is recommended."}, s.listInsights)
}

func (s *Handlers) listInsights(ctx context.Context, in runIDArgs) (insightList, error) {
	out := insightList{RunID: in.RunID}
	tenant := web.ActorFrom(ctx).Tenant
	r, err := runs.Find(ctx, s.Pool, tenant, in.RunID)
	if err != nil {
		return out, err
	}
	selection := runs.Selection{Run: r.ID, Max: maxRows + 1}
	insights, err := runs.Insights(ctx, s.Pool, tenant, selection)
	if err != nil {
		return out, err
	}
	recommended, err := runs.Recommendations(ctx, s.Pool, tenant, selection)
	if err != nil {
		return out, err
	}
	out.More = len(insights) > maxRows || len(recommended) > maxRows
	out.Insights = web.Map(insights[:min(len(insights), maxRows)], toInsightItem)
	out.Recommendations = web.Map(recommended[:min(len(recommended), maxRows)], func(r runs.Recommendation) recommendationItem {
		return recommendationItem{r.ID, clip(r.Title, maxText), string(r.Status)}
	})
	return out, nil
}

func toInsightItem(i runs.Insight) insightItem {
	out := insightItem{ID: i.ID, Kind: string(i.Kind), Severity: string(i.Severity), Title: clip(i.Title, maxValue), Text: clip(i.Prose, maxText), Table: i.Table,
		Check: string(i.Review.Status), Survives: i.Survives, Standing: string(i.Standing), Confidence: i.Confidence, Figures: []string{}}
	for _, f := range i.Figures[:min(len(i.Figures), 10)] {
		out.Figures = append(out.Figures, clip(fmt.Sprintf("%s: %v %s (%s)", f.Name, f.Value, f.Unit, strings.Join(strings.Fields(f.SQL), " ")), maxValue))
	}
	return out
}

func (v insightList) text() string {
	out := []string{fmt.Sprintf("%d insights of run %s:", len(v.Insights), v.RunID)}
	for _, i := range v.Insights {
		out = append(out, fmt.Sprintf("- [%s] %s %s", i.Severity, web.Sentence(i.Title), i.Text))
	}
	for _, r := range v.Recommendations {
		out = append(out, fmt.Sprintf("Recommended (%s): %s", r.Status, r.Title))
	}
	return lines(out)
}
