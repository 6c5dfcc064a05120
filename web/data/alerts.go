package data

import (
	"cmp"
	"context"
	"net/http"
	"slices"

	"quaestor/research/warehouse/insight"
	"quaestor/research/warehouse/runs"
	"quaestor/web"
	"quaestor/web/ui"
)

// alertsPath is the address of what somebody was told of findings they watch.
const alertsPath = "/data/alerts"

// AlertsView is what [Alerts] shows.
type AlertsView struct {
	Nav    ui.Nav
	Unread int // of all, not only of those shown
	List   []runs.Alert
	Next   string // address of the next page; empty on the last
}

// shownAlerts is how many alerts a page shows.
const shownAlerts = 50

// alertWords tell what a run made of a finding.
var alertWords = map[runs.AlertChange]string{runs.AlertChanged: "Changed", runs.AlertResolved: "Resolved", runs.AlertReversed: "Reversed", runs.AlertReturned: "Back again"}

// alertIcon is the icon of a change.
func alertIcon(c runs.AlertChange) string {
	if c == runs.AlertResolved {
		return "satisfied"
	}
	return "warning"
}

// alertsView lists what the reader was told.
func (s *Handlers) alertsView(r *http.Request) (AlertsView, error) {
	ctx, a := r.Context(), web.ActorFrom(r.Context())
	at, id, err := web.ParsePlace(r.URL.Query().Get("cursor"))
	if err != nil {
		return AlertsView{}, err
	}
	v := AlertsView{Nav: web.NavOf(ctx, ui.AtData)}
	list, errList := runs.Alerts(ctx, s.Pool, a.Tenant, a.User, false, runs.AlertPlace{At: at, ID: id}, shownAlerts+1)
	unread, errUnread := runs.UnreadAlerts(ctx, s.Pool, a.Tenant, a.User)
	if len(list) > shownAlerts {
		list = list[:shownAlerts]
		v.Next = alertsPath + "?cursor=" + placeOfAlert(list[shownAlerts-1])
	}
	v.List, v.Unread = list, unread
	return v, cmp.Or(errList, errUnread)
}

// placeOfAlert is the cursor of the page after an alert.
func placeOfAlert(a runs.Alert) string { return web.FormatPlace(a.At, a.ID) }

// submitAlertsRead marks one or all as read.
func (s *Handlers) submitAlertsRead(w http.ResponseWriter, r *http.Request) error {
	a := web.ActorFrom(r.Context())
	if err := s.Commands.ReadAlerts(r.Context(), a.Tenant, a.User, r.PostFormValue("id")); err != nil {
		return err
	}
	return web.EndForm(w, r, alertsPath)
}

// submitWatch begins or ends that the reader watches a finding.
func (s *Handlers) submitWatch(w http.ResponseWriter, r *http.Request) error {
	a, run, ref := web.ActorFrom(r.Context()), r.PathValue("id"), r.PathValue("ref")
	if err := s.Commands.Watch(r.Context(), a.Tenant, run, ref, a.User, r.PostFormValue("watch") == "yes"); err != nil {
		return err
	}
	return web.EndForm(w, r, runPath(run)+"/insights/"+ref+"#watch")
}

// watches reports whether the reader watches a finding, and how many do.
func (s *Handlers) watches(ctx context.Context, i *runs.Insight) (me bool, all int, err error) {
	a := web.ActorFrom(ctx)
	list, err := runs.Watches(ctx, s.Pool, a.Tenant, i.Project)
	who := list[i.Subject()]
	return slices.Contains(who, a.User), len(who), err
}

type alertQuery struct {
	Unread bool   `query:"unread" doc:"only those that are not read"`
	Cursor string `query:"cursor" maxLength:"200"`
	Limit  int    `query:"limit" minimum:"1" maximum:"200" default:"50"`
}

// alertPage is a page of alerts with how many are unread.
type alertPage struct {
	web.Page[runs.Alert]
	Unread int `json:"unread" doc:"how many of all are not read"`
}

func (s *Handlers) listAlerts(ctx context.Context, in *alertQuery) (alertPage, error) {
	a := web.ActorFrom(ctx)
	at, id, err := web.ParsePlace(in.Cursor)
	if err != nil {
		return alertPage{}, err
	}
	list, errList := runs.Alerts(ctx, s.Pool, a.Tenant, a.User, in.Unread, runs.AlertPlace{At: at, ID: id}, in.Limit)
	n, errCount := runs.UnreadAlerts(ctx, s.Pool, a.Tenant, a.User)
	same := func(a runs.Alert) runs.Alert { return a }
	return alertPage{pageOf(list, in.Limit, same, placeOfAlert), n}, cmp.Or(errList, errCount)
}

type alertsRead struct {
	Body struct {
		ID string `json:"id,omitempty" format:"uuid" doc:"of the alert; all when left out"`
	}
}

func (s *Handlers) readAlerts(ctx context.Context, in *alertsRead) error {
	a := web.ActorFrom(ctx)
	return s.Commands.ReadAlerts(ctx, a.Tenant, a.User, in.Body.ID)
}

func (s *Handlers) watchInsight(ctx context.Context, in *insightPath) error {
	a := web.ActorFrom(ctx)
	return s.Commands.Watch(ctx, a.Tenant, in.ID, in.Ref, a.User, true)
}

func (s *Handlers) unwatchInsight(ctx context.Context, in *insightPath) error {
	a := web.ActorFrom(ctx)
	return s.Commands.Watch(ctx, a.Tenant, in.ID, in.Ref, a.User, false)
}

func (s *Handlers) listOutcomes(ctx context.Context, in *projectID) (web.Page[runs.Measurement], error) {
	tenant := web.ActorFrom(ctx).Tenant
	p, err := s.Projects.Find(ctx, tenant, in.ID)
	if err != nil {
		return web.Page[runs.Measurement]{}, err
	}
	list, err := runs.Measurements(ctx, s.Pool, tenant, p.ID)
	return web.Page[runs.Measurement]{Items: listed(list)}, err
}

// outcomeView is the metric of a recommendation before it was done, and as it was measured since.
type outcomeView struct {
	Name   string
	Before string
	After  []measuredView // the latest first
}

type measuredView struct {
	runs.Measurement
	Value string
}

// unmeasured says why nothing was measured of a recommendation that is done; empty if it is not done, or
// something was.
func (c *RecommendationView) unmeasured() string {
	switch {
	case c.Status != runs.DoneStatus || len(c.Measured) > 0:
		return ""
	case c.Main == nil || c.Main.Gauge == nil && !c.Main.Period.IsZero():
		return "What came of it can’t be measured: its finding is about a time of its own."
	}
	return "The next run measures what came of it."
}

// outcome returns what came of a recommendation that is done; nil before later runs measured it.
func (c *RecommendationView) outcome() *outcomeView {
	if c.Main == nil || len(c.Measured) == 0 {
		return nil
	}
	main, ok := c.Main.Main()
	if !ok {
		return nil
	}
	out := &outcomeView{Name: main.Name, Before: main.String()}
	for _, m := range c.Measured {
		one := measuredView{m, "no records since it was done"}
		if m.Value != nil {
			one.Value = insight.Figure{Value: *m.Value, Unit: main.Unit, Of: main.Of}.String()
		}
		out.After = append(out.After, one)
	}
	return out
}
