package runs

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/research/warehouse/insight"
	"quaestor/research/warehouse/runs/internal/dbsqlc"
)

// AlertChange is what a run made of a finding that is watched.
type AlertChange string

// The changes that those who watch a finding are told of.
const (
	AlertChanged  AlertChange = "changed"  // it is seen with another effect
	AlertResolved AlertChange = "resolved" // it is not seen any more, though its table was searched
	AlertReversed AlertChange = "reversed" // the opposite is seen
	AlertReturned AlertChange = "returned" // it was resolved, and is seen again
)

// Alert is what somebody who watches a finding was told of it.
type Alert struct {
	ID          string      `json:"id"`
	Project     string      `json:"projectId"`
	ProjectName string      `json:"projectName"`
	Run         string      `json:"runId"` // that changed it
	Change      AlertChange `json:"change" enum:"changed,resolved,reversed,returned"`
	Before      string      `json:"before" doc:"the finding as it was"`
	After       string      `json:"after,omitempty" doc:"the finding as it is now; absent when it is resolved"`
	InsightRun  string      `json:"insightRunId" doc:"run of the finding to look at"`
	Insight     string      `json:"insightId"`
	At          time.Time   `json:"at"`
	Read        *time.Time  `json:"readAt,omitempty" doc:"absent for one that is not read"`
}

// AlertPlace is where a page of alerts ends. The zero AlertPlace is before the latest one.
type AlertPlace struct {
	At time.Time // of the last alert of the page
	ID string
}

// latest is a place before all alerts, which are listed from the latest on.
var latest = AlertPlace{time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), "ffffffff-ffff-ffff-ffff-ffffffffffff"}

// Watch begins or ends that somebody is told what later runs make of an insight, and of what takes
// its place. An insight that does not exist is NotFound, and one that did not stand up to its check a
// Conflict.
func (c Commands) Watch(ctx context.Context, tenant, run, ref, user string, on bool) error {
	i, err := FindInsight(ctx, c.Pool, tenant, run, ref)
	if err != nil {
		return err
	}
	if on && !i.Survives {
		return fault.New(fault.Conflict, "only findings that stood up to their check can be watched").Coded("insight_not_checked")
	}
	b := postgres.NewBatch(tenant)
	if on {
		err = queries.WatchSet(ctx, b, &dbsqlc.WatchSetParams{TenantID: tenant, ProjectID: i.Project, Subject: i.Subject(), UserID: user})
	} else {
		err = queries.WatchUnset(ctx, b, &dbsqlc.WatchUnsetParams{TenantID: tenant, ProjectID: i.Project, Subject: i.Subject(), UserID: user})
	}
	if err == nil {
		err = b.Send(ctx, c.Pool)
	}
	if err != nil {
		return fmt.Errorf("watch insight %s of run %s: %w", ref, run, err)
	}
	return nil
}

// Watches returns who watches what in a project: users by the subject of insights, which is the
// beginning of their key.
func Watches(ctx context.Context, db postgres.DB, tenant, project string) (map[string][]string, error) {
	out := map[string][]string{}
	b := postgres.NewBatch(tenant)
	postgres.Many(b, queries.WatchList, &dbsqlc.WatchListParams{TenantID: tenant, ProjectID: project}, func(r *dbsqlc.WatchListRow) error {
		out[r.Subject] = append(out[r.Subject], r.UserID)
		return nil
	})
	if err := b.Send(ctx, db); err != nil {
		return nil, fmt.Errorf("read who watches the findings of project %s: %w", project, notProject(err))
	}
	return out, nil
}

// Subject is what an insight is about, as [Watches] names it.
func (i *Insight) Subject() string { return cmp.Or(i.subject, cut(clean(i.Key), 4000)) }

// Alerts returns at most n alerts of somebody after a place, the latest first. With unread it leaves
// out what they have read.
func Alerts(ctx context.Context, db postgres.DB, tenant, user string, unread bool, after AlertPlace, n int) ([]Alert, error) {
	if after.ID == "" {
		after = latest
	}
	var out []Alert
	b := postgres.NewBatch(tenant)
	if unread {
		postgres.Many(b, queries.AlertUnreadPage, &dbsqlc.AlertUnreadPageParams{TenantID: tenant, UserID: user, BeforeAt: after.At, BeforeID: after.ID, Most: int32(n)}, func(r *dbsqlc.AlertUnreadPageRow) error {
			out = append(out, alertFromRow((*dbsqlc.AlertPageRow)(r)))
			return nil
		})
	} else {
		postgres.Many(b, queries.AlertPage, &dbsqlc.AlertPageParams{TenantID: tenant, UserID: user, BeforeAt: after.At, BeforeID: after.ID, Most: int32(n)}, func(r *dbsqlc.AlertPageRow) error {
			out = append(out, alertFromRow(r))
			return nil
		})
	}
	if err := b.Send(ctx, db); err != nil {
		return nil, fmt.Errorf("read the alerts of %s: %w", user, err)
	}
	return out, nil
}

// alertFromRow converts a row of the table of alerts, with the name of its project.
func alertFromRow(r *dbsqlc.AlertPageRow) Alert {
	return Alert{r.ID, r.ProjectID, r.Project, r.RunID, AlertChange(r.Change), r.Before, r.After, r.InsightRun, r.InsightRef, r.At, r.ReadAt}
}

// UnreadAlerts returns how many alerts somebody has not read.
func UnreadAlerts(ctx context.Context, db postgres.DB, tenant, user string) (int, error) {
	n := 0
	b := postgres.NewBatch(tenant)
	postgres.One(b, queries.AlertCount, &dbsqlc.AlertCountParams{TenantID: tenant, UserID: user}, func(r int64) error { n = int(r); return nil })
	if err := b.Send(ctx, db); err != nil {
		return 0, fmt.Errorf("count the alerts of %s: %w", user, err)
	}
	return n, nil
}

// ReadAlerts marks an alert of somebody as read, or all of them for an empty id.
func (c Commands) ReadAlerts(ctx context.Context, tenant, user, id string) error {
	b := postgres.NewBatch(tenant)
	_, _ = queries.AlertRead(ctx, b, &dbsqlc.AlertReadParams{TenantID: tenant, UserID: user, ID: postgres.OrNull(id)})
	if err := b.Send(ctx, c.Pool); err != nil {
		return fmt.Errorf("mark alerts of %s as read: %w", user, notID(err))
	}
	return nil
}

// AlertEvent tells that a finding that somebody watches is another now: event "alert".
type AlertEvent struct {
	Change   AlertChange `json:"change"`
	Before   string      `json:"before"`
	After    string      `json:"after,omitempty"`
	Watchers int         `json:"watchers"` // who were told
}

func (AlertEvent) kind() EventKind { return EventAlert }

// alert is a change of a finding that is watched.
type alert struct {
	AlertEvent
	subject string // that is watched
	next    string // the subject that takes its place; empty if it stays the same
	run     string // of the insight to look at
	ref     string
}

// alertsOf returns what those who watch findings are told: watched are the watchers by subject, known
// the ledger before the run, found the run's insights that stood up, and resolved what it does not
// see any more.
func alertsOf(run string, watched map[string][]string, known, resolved []Entry, found []Insight) []alert {
	now, threads, gone := map[string]*Insight{}, map[string]*Insight{}, map[string]bool{}
	for k := range found {
		now[found[k].Subject()] = &found[k]
		threads[threadOf(found[k].Subject())] = &found[k]
	}
	for _, e := range resolved {
		gone[e.Subject] = true
	}
	var out []alert
	for _, e := range known {
		who := watched[e.Subject]
		if len(who) == 0 {
			continue
		}
		a := alert{AlertEvent{Before: cut(e.Title, maxAlertText), Watchers: len(who)}, e.Subject, "", run, ""}
		i := now[e.Subject]
		if i == nil && gone[e.Subject] {
			if i = threads[threadOf(e.Subject)]; i != nil {
				a.next = i.Subject()
			}
		}
		if a.Change = changeOf(&e, i, gone[e.Subject]); a.Change == "" {
			continue
		}
		if i == nil {
			a.run, a.ref = e.Last, e.Ref
		} else {
			a.ref, a.After = i.ID, cut(i.Title, maxAlertText)
		}
		out = append(out, a)
	}
	return out
}

// maxAlertText bounds the findings that an alert quotes, in bytes.
const maxAlertText = 1900

// changeOf returns what a run made of a finding; empty for nothing that is told. now is the insight
// that has its place, nil for none.
func changeOf(was *Entry, now *Insight, gone bool) AlertChange {
	switch {
	case now == nil && gone:
		return AlertResolved
	case now == nil:
		return ""
	case was.Effect*now.Effect < 0:
		return AlertReversed
	case was.Standing == insight.Resolved:
		return AlertReturned
	case was.Subject != now.Subject(), insight.Stand(was.Effect, now.Effect) == insight.Changed:
		return AlertChanged
	}
	return ""
}

// threadOf is what a subject is about apart from the kind of effect.
func threadOf(subject string) string {
	_, rest, _ := strings.Cut(subject, "|")
	return rest
}

// save queues an alert for all who watch.
func (a *alert) save(ctx context.Context, b *postgres.Batch, r *Run) error {
	err := queries.AlertInsert(ctx, b, &dbsqlc.AlertInsertParams{TenantID: r.Tenant, ProjectID: r.Project, Subject: a.subject, RunID: r.ID, Change: string(a.Change), Before: a.Before, After: a.After, InsightRun: a.run, InsightRef: a.ref})
	if err != nil || a.next == "" {
		return err
	}
	return queries.WatchMove(ctx, b, &dbsqlc.WatchMoveParams{TenantID: r.Tenant, ProjectID: r.Project, Subject: a.next, Was: a.subject})
}
