package runs

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"quaestor/internal/language"
	"quaestor/internal/postgres"
	"quaestor/research/warehouse/insight"
	"quaestor/research/warehouse/runs/internal/dbsqlc"
)

// Entry is what became of an insight from run to run of a project.
type Entry struct {
	Subject  string           `json:"subject"` // kind, table, measure and segment
	Title    string           `json:"name"`    // as it was last found
	Standing insight.Standing `json:"standing"`
	Effect   float64          `json:"effect"`
	Seen     int              `json:"seen"` // runs in which it was found
	First    string           `json:"firstRunId"`
	Last     string           `json:"lastRunId"` // in which it was found
	Ref      string           `json:"insightId"` // of it in that run
	Changed  time.Time        `json:"changedAt"`
}

// maxLedger bounds the entries that are read.
const maxLedger = 1000

// Ledger returns what became of the insights of a project, those that changed last first.
func Ledger(ctx context.Context, db postgres.DB, tenant, project string) ([]Entry, error) {
	out, err := postgres.List(ctx, db, tenant, queries.LedgerList, &dbsqlc.LedgerListParams{TenantID: tenant, ProjectID: project, Most: maxLedger}, func(r *dbsqlc.LedgerListRow) (Entry, error) {
		return Entry{r.Subject, r.Title, insight.Standing(r.Standing), r.Effect, int(r.Seen), r.FirstRunID, r.LastRunID, r.LastRef, r.ChangedAt}, nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the ledger of project %s: %w", project, notProject(err))
	}
	return out, nil
}

// outcomes is what a run came to, against the ledger.
type outcomes struct {
	areas    []Area
	insights []Insight
	resolved []Entry // that are not found any more
	alerts   []alert // for those who watch findings
}

// ledger compares the insights of the run with those of earlier runs.
func (w *work) ledger(ctx context.Context) (*outcomes, error) {
	o := &outcomes{}
	var err error
	if o.areas, err = Areas(ctx, w.Pool, w.run.Tenant, w.run.ID); err != nil {
		return nil, err
	}
	if o.insights, err = Insights(ctx, w.Pool, w.run.Tenant, Selection{Run: w.run.ID}); err != nil {
		return nil, err
	}
	known, err := Ledger(ctx, w.Pool, w.run.Tenant, w.run.Project)
	if err != nil {
		return nil, err
	}
	searched, err := scans(ctx, w.Pool, w.run.Tenant, w.run.ID)
	if err != nil {
		return nil, err
	}
	watched, err := Watches(ctx, w.Pool, w.run.Tenant, w.run.Project)
	if err != nil {
		return nil, err
	}
	before := map[string]Entry{}
	known = slices.DeleteFunc(known, func(e Entry) bool { return placeOf(e.Subject) != w.run.place() }) // other warehouses may have tables of the same names
	for _, e := range known {
		before[e.Subject] = e
	}
	found := map[string]bool{}
	for k := range o.insights {
		i := &o.insights[k]
		if !i.Survives {
			continue
		}
		found[w.run.subject(&i.Insight)] = true
		i.Standing = insight.New
		if e, ok := before[w.run.subject(&i.Insight)]; ok && e.Standing != insight.Resolved {
			i.Standing = insight.Stand(e.Effect, i.Effect)
		}
	}
	for _, e := range known {
		if s, ok := searched[insight.TableOf(e.Subject)]; ok && s.err == "" && !found[e.Subject] && e.Standing != insight.Resolved {
			o.resolved = append(o.resolved, e)
		}
	}
	kept := slices.DeleteFunc(slices.Clone(o.insights), func(i Insight) bool { return !i.Survives })
	o.alerts = alertsOf(w.run.ID, watched, known, o.resolved, kept)
	return o, nil
}

// beside stands before the id of a warehouse in a subject.
const beside = "|@"

// subject is what an insight is about, as it is stored. The warehouse is part of it if it is not the
// default one of the project.
func (r *Run) subject(i *insight.Insight) string { return cut(clean(i.Key), 4000) + r.place() }

// place is the end of the subjects of the run: empty for the default warehouse of its project.
func (r *Run) place() string {
	if !r.Beside {
		return ""
	}
	return beside + r.Warehouse
}

// placeOf returns the end of a subject that tells the warehouse; empty for the default one.
func placeOf(subject string) string {
	i := len(subject) - len(beside) - len("00000000-0000-4000-8000-000000000000")
	if i >= 0 && strings.HasPrefix(subject[i:], beside) {
		return subject[i:]
	}
	return ""
}

// save queues the standings, and the ledger as it is after the run.
func (o *outcomes) save(ctx context.Context, b *postgres.Batch, r *Run) error {
	put := func(subject, title string, s insight.Standing, effect float64, ref string) error {
		return queries.LedgerSave(ctx, b, &dbsqlc.LedgerSaveParams{TenantID: r.Tenant, ProjectID: r.Project, Subject: subject, Title: title, Standing: string(s), Effect: effect, RunID: r.ID, LastRef: ref})
	}
	for k := range o.insights {
		i := &o.insights[k]
		if i.Standing == "" {
			continue
		}
		if err := queries.InsightStanding(ctx, b, &dbsqlc.InsightStandingParams{Standing: postgres.OrNull(string(i.Standing)), TenantID: r.Tenant, RunID: r.ID, Ref: i.ID}); err != nil {
			return err
		}
		if err := put(r.subject(&i.Insight), cut(clean(i.Title), 2000), i.Standing, i.Effect, i.ID); err != nil {
			return err
		}
	}
	for _, e := range o.resolved {
		if err := put(e.Subject, e.Title, insight.Resolved, e.Effect, e.Ref); err != nil {
			return err
		}
	}
	for k := range o.alerts {
		if err := o.alerts[k].save(ctx, b, r); err != nil {
			return err
		}
	}
	return nil
}

// told returns the events of what those who watch findings are told.
func (o *outcomes) told() []Payload {
	out := make([]Payload, len(o.alerts))
	for k := range o.alerts {
		out[k] = o.alerts[k].AlertEvent
	}
	return out
}

// summary says in a few sentences what was found; empty when there was nothing to search.
func (o *outcomes) summary() string {
	var kept []Insight
	rejected, unchecked := 0, 0
	for _, i := range o.insights {
		switch {
		case i.Survives:
			kept = append(kept, i)
		case i.Review.Status == insight.Rejected:
			rejected++
		case i.Review.Status == insight.Failed:
			unchecked++
		}
	}
	if len(o.insights) == 0 {
		return ""
	}
	out := language.Count(len(kept), "finding") + " stood up to a check"
	if rejected > 0 {
		out += fmt.Sprintf("; %d did not", rejected)
	}
	if unchecked > 0 {
		out += fmt.Sprintf("; %d could not be checked", unchecked)
	}
	out += "."
	for _, i := range kept[:min(len(kept), 5)] {
		out += " " + asText.Replace(i.Title) + "."
	}
	if n := len(o.resolved); n > 0 {
		out += " " + language.Count(n, "earlier finding") + " can no longer be seen."
	}
	return out
}

// asText keeps the summary, which is Markdown, from reading marks in values of the data.
var asText = strings.NewReplacer(`\`, `\\`, "<", `\<`, "[", `\[`, "]", `\]`, "*", `\*`, "_", `\_`, "`", "\\`")

// worst lowers the outcome of a run by what became of its areas. None is left if all of them failed, or all of those
// that have findings.
func worst(o Outcome, areas []Area, found []Insight) Outcome {
	failed, telling, told := 0, 0, 0
	for _, a := range areas {
		has := slices.ContainsFunc(found, func(i Insight) bool { return i.Area == a.ID })
		if has {
			telling++
		}
		if a.Status == AreaFailed {
			failed++
			if has {
				told++
			}
		}
	}
	switch {
	case failed > 0 && (failed == len(areas) || telling > 0 && told == telling) && o == FullOutcome: // one that stopped early has at least its steps
		return NoOutcome
	case failed > 0 && o == FullOutcome:
		return PartialOutcome
	}
	return o
}
