package data

import (
	"math"
	"strings"
	"time"

	"quaestor/internal/language"
	"quaestor/research/warehouse/insight"
	"quaestor/research/warehouse/pick"
	"quaestor/research/warehouse/runs"
	"quaestor/web"
	"quaestor/web/ui"
)

// shownFindings is how many insights the page of a run shows.
const shownFindings = 7

// InsightView is an insight as pages show it.
type InsightView struct {
	runs.Insight
	Related []RecommendationView
	Again   map[string]recomputed // by figure, what computing it again gave

	Watched  bool // by the reader
	Watchers int  // all who watch it
}

// recomputed is what computing a figure again gave.
type recomputed struct {
	Same bool
	Text string
}

// figureView is a figure with what computing it again gave.
type figureView struct {
	insight.Figure
	Again string // empty if nobody asked
	Same  bool
}

func (f figureView) againClass() string {
	if f.Same {
		return "is-known"
	}
	return "is-warn"
}

// figures returns the figures of the insight.
func (i *InsightView) figures() []figureView {
	return web.Map(i.Figures, func(f insight.Figure) figureView { return figureView{f, i.Again[f.ID].Text, i.Again[f.ID].Same} })
}

// path is the address of the insight's page.
func (i *InsightView) path() string { return runPath(i.Run) + "/insights/" + i.ID }

// severityClass colours the severity.
func (i *InsightView) severityClass() string {
	switch i.Severity {
	case insight.Critical, insight.High:
		return "is-warn"
	case insight.Medium:
		return "is-now"
	default:
		return ""
	}
}

// checkWords tell what the check came to.
func (i *InsightView) checkWords() string {
	tried := 0
	for _, e := range i.Review.Tried {
		if !e.Holds {
			tried++
		}
	}
	switch i.Review.Status {
	case insight.Confirmed:
		if !i.Recomputed(i.Review) {
			return "Its records were counted by a second query" + andTried(tried)
		}
		return "Checked by a second query" + andTried(tried)
	case insight.Adjusted:
		if i.Review.Verified == i.Review.Claimed {
			return "A second query gives other figures"
		}
		return "Checked by a second query, which counts " + countWords(i.Review.Verified) + " records"
	case insight.Rejected:
		return "Did not stand up to its check"
	case insight.Failed:
		return "Could not be checked"
	default:
		return "Not checked yet"
	}
}

// andTried counts the explanations that were ruled out.
func andTried(n int) string {
	if n == 0 {
		return ""
	}
	return " and " + language.Count(n, "other explanation") + " ruled out"
}

// recounted are the figures that the check computed anew, with what they came to.
func (i *InsightView) recounted() []figureView {
	var out []figureView
	for _, r := range i.Review.Figures {
		for _, f := range i.Figures {
			if f.ID == r.ID {
				f.Value, f.SQL = r.Counted, r.SQL
				out = append(out, figureView{Figure: f, Again: f.String()})
			}
		}
	}
	return out
}

func (i *InsightView) checkClass() string {
	switch {
	case i.Survives:
		return "is-known"
	case i.Review.Status == "":
		return ""
	}
	return "is-warn"
}

func (i *InsightView) checkIcon() string {
	switch {
	case i.Survives:
		return "satisfied"
	case i.Review.Status == "":
		return "pending"
	}
	return "warning"
}

// standings tell how insights stand against earlier runs.
var standings = map[insight.Standing]string{insight.New: "New", insight.Again: "Seen again", insight.Changed: "Changed", insight.Resolved: "Resolved"}

func (i *InsightView) standingWords() string { return standings[i.Standing] }

// affectedWords count the records that the insight is about.
func (i *InsightView) affectedWords() string { return countWords(i.Affected) }

// watchWords tell who watches a finding and what that does.
func (i *InsightView) watchWords() string {
	switch others := i.Watchers - 1; {
	case !i.Watched && i.Watchers > 0:
		return "Be told when a later run changes, resolves or reverses it, as " + language.Count(i.Watchers, "person") + " is already."
	case !i.Watched:
		return "Be told when a later run changes, resolves or reverses it."
	case others > 0:
		return "You and " + language.Count(others, "other") + " are told when a later run changes, resolves or reverses it."
	}
	return "You are told when a later run changes, resolves or reverses it."
}

// fedWords tell how the steps of a run were ranked for its areas.
func fedWords(r runs.Run) string {
	c := r.Counters
	return language.Count(c.Indexed, "vector") + " of steps, " + language.Count(c.Ranked, "ranking") + " by them, " + language.Count(c.Dropped, "step") + " left out, added up over the areas."
}

// modelWords tell what the model was given for an area.
func modelWords(a runs.Area) string {
	if a.Results+a.Memory == 0 {
		return "No model was asked: the findings have the built-in words."
	}
	return "The model was given " + language.Count(a.Results, "character") + " of results and " + language.Count(a.Memory, "character") + " of what earlier runs found."
}

func countWords(n int64) string { return language.Thousands(n) }

// sureWords tell a confidence.
func sureWords(c float64) string {
	switch {
	case c >= 0.9:
		return "very sure"
	case c >= 0.75:
		return "sure"
	default:
		return "likely"
	}
}

// noActions tell why nothing is recommended.
func (i *InsightView) noActions() string {
	if i.Survives {
		return "Nothing is recommended for it: it is something to know."
	}
	return "Nothing: only findings that stand up to their check have recommendations."
}

// spanChart is a line chart with the span that an insight is about.
type spanChart struct {
	lineChart
	From, Wide string // of the span; Wide is empty if there is none
}

// line returns the chart over time; false if the insight has none.
func (i *InsightView) line() (spanChart, bool) {
	points := i.Chart.Points
	if len(points) < 3 || points[0].At.IsZero() {
		return spanChart{}, false
	}
	values := make([]float64, len(points))
	for k, p := range points {
		values[k] = p.Value
	}
	drawn, least, largest := drawLine(values)
	c := spanChart{lineChart: drawn}
	c.Name, c.First, c.Last = i.Chart.Name, date(points[0].At), date(points[len(points)-1].At)
	c.Name += map[insight.Unit]string{insight.PerDay: " a day", insight.PerWeek: " a week", insight.PerMonth: " in thirty days"}[i.Chart.Unit]
	c.Low, c.High = insight.Figure{Value: least, Unit: i.Chart.Unit, Of: i.Chart.Of}.String(), insight.Figure{Value: largest, Unit: i.Chart.Unit, Of: i.Chart.Of}.String()
	c.Text = c.said()
	if i.Period.IsZero() || i.Kind == insight.Outlier {
		return c, true
	}
	whole := points[len(points)-1].At.Sub(points[0].At).Hours()
	at := func(t time.Time) float64 { return min(max(t.Sub(points[0].At).Hours()/whole, 0), 1) * chartWide }
	from, to := at(i.Period.From), at(i.Period.To)
	c.From, c.Wide = ui.Coordinate(from), ui.Coordinate(max(to-from, 2))
	c.Text += " Marked is the time from " + date(i.Period.From) + " to " + date(i.Period.To.AddDate(0, 0, -1)) + "."
	return c, true
}

func date(t time.Time) string { return t.Format("2 January 2006") }

// barView is a bar of a chart by label.
type barView struct {
	Label, Value, Wide string
	This               bool // the insight is about it
}

// bars returns the chart by label.
func (i *InsightView) bars() []barView {
	var most float64
	for _, p := range i.Chart.Points {
		if p.Label != "" {
			most = max(most, math.Abs(p.Value))
		}
	}
	var out []barView
	for _, p := range i.Chart.Points {
		if p.Label == "" || most == 0 {
			continue
		}
		b := barView{Label: p.Label, Value: insight.Figure{Value: p.Value, Unit: i.Chart.Unit, Of: i.Chart.Of}.String(), Wide: ui.Coordinate(math.Abs(p.Value) / most * 100)}
		for _, c := range i.Segment {
			b.This = b.This || c.Label() == p.Label
		}
		out = append(out, b)
	}
	return out
}

// shownInsights returns the insights that the page of a run shows.
func (v RunView) shownInsights() []InsightView {
	return v.Insights[:min(len(v.Insights), shownFindings)]
}

// findingsFirst reports whether findings stand above the state of the run: when it is over and has
// some.
func (v RunView) findingsFirst() bool { return v.Status.Over() && len(v.Insights) > 0 }

// sourceWords tell why a step was chosen for an area.
func sourceWords(m pick.Match) string {
	return map[pick.Match]string{pick.Vector: "by its meaning", pick.ExactMatch: "because it names a keyword", pick.Lexical: "by its words"}[m]
}

// dropWords tell why a step was left out of an area.
func dropWords(r pick.DropReason) string {
	return map[pick.DropReason]string{pick.BelowMinScore: "it is about something else", pick.NotInTopK: "others fit better", pick.OverBudget: "it is too large",
		pick.NearDuplicate: "another has the same statement", pick.ErrorStep: "it has no result"}[r]
}

// RecommendationView is a recommendation as pages show it.
type RecommendationView struct {
	runs.Recommendation
	Measured []runs.Measurement // of it, the latest first
}

// anchor is its place on a page.
func (c *RecommendationView) anchor() string { return c.ID + "-" + c.Run }

// who names the records that it is about.
func (c *RecommendationView) who() string {
	if len(c.Segment) == 0 {
		return "all"
	}
	return strings.Join(web.Map(c.Segment, func(s insight.Condition) string {
		return strings.ReplaceAll(s.Column, "_", " ") + " “" + s.Value + "”"
	}), " and ")
}

// effortWords tell how much work a recommendation is.
var effortWords = map[insight.Effort]string{insight.Small: "Small: hours", insight.Some: "Medium: days", insight.Large: "Large: weeks"}

// statusWords name the statuses of recommendations, statusVerbs the buttons that set them.
var (
	statusWords = map[runs.RecommendationStatus]string{runs.OpenStatus: "Open", runs.AcceptedStatus: "Accepted", runs.DoneStatus: "Done", runs.DismissedStatus: "Dismissed"}
	statusVerbs = map[runs.RecommendationStatus]string{runs.OpenStatus: "Reopen", runs.AcceptedStatus: "Accept", runs.DoneStatus: "Done", runs.DismissedStatus: "Dismiss"}
)

// BoardView is what [Board] shows.
type BoardView struct {
	Nav             ui.Nav
	Notice, Failure string
	Project         string
	ProjectName     string
	Columns         []boardColumn
	Ledger          []runs.Entry
}

// boardColumn has the recommendations of one status.
type boardColumn struct {
	Status runs.RecommendationStatus
	List   []RecommendationView
}

// empty reports whether there are no recommendations.
func (v BoardView) empty() bool {
	for _, c := range v.Columns {
		if len(c.List) > 0 {
			return false
		}
	}
	return true
}
