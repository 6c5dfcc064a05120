package runs

import (
	"context"
	"fmt"
	"time"

	"quaestor/internal/postgres"
	"quaestor/research/warehouse/insight"
	"quaestor/research/warehouse/runs/internal/dbsqlc"
)

// Measurement is the metric of a recommendation that is done, as a later run measured it.
type Measurement struct {
	Run            string     `json:"runId"` // of the recommendation
	Recommendation string     `json:"recommendationId"`
	By             string     `json:"measuredByRunId"`
	SQL            string     `json:"query"`
	Value          *float64   `json:"value,omitempty"` // nil when there are no records since it was done
	Since          *time.Time `json:"since,omitempty"` // nil when all records were measured
	At             time.Time  `json:"at"`
}

// Measurements returns what later runs measured of the recommendations of a project, the latest first.
func Measurements(ctx context.Context, db postgres.DB, tenant, project string) ([]Measurement, error) {
	out, err := postgres.List(ctx, db, tenant, queries.OutcomeList, &dbsqlc.OutcomeListParams{TenantID: tenant, ProjectID: project}, func(r *dbsqlc.OutcomeListRow) (Measurement, error) {
		m := Measurement{Run: r.RunID, Recommendation: r.Ref, By: r.MeasuredBy, SQL: r.Query, Since: r.Since, At: r.At}
		if r.Measured {
			m.Value = &r.Value
		}
		return m, nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the outcomes of project %s: %w", project, notProject(err))
	}
	return out, nil
}

// measure measures the metrics of the project's recommendations that are done. One that the warehouse
// does not answer is left to the next run.
func (w *work) measure(ctx context.Context) ([]Measurement, error) {
	list, err := Recommendations(ctx, w.Pool, w.run.Tenant, Selection{Project: w.run.Project, Status: DoneStatus})
	if err != nil || len(list) == 0 {
		return nil, err
	}
	if err := w.reopen(ctx); err != nil {
		return nil, err
	}
	w.keepWithinBudget()
	var out []Measurement
	for _, c := range list {
		if c.Run == w.run.ID || c.Main == nil {
			continue
		}
		m, ok, err := insight.Measure(ctx, c.Main, c.Changed, w.gateway.Dialect(), w.asks)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			w.Log.WarnContext(ctx, "measure what came of a recommendation", "tenant", w.run.Tenant, "run", c.Run, "recommendation", c.ID, "err", err)
		}
		if err != nil || !ok {
			continue
		}
		one := Measurement{Run: c.Run, Recommendation: c.ID, By: w.run.ID, SQL: m.SQL}
		if m.OK {
			one.Value = &m.Value
		}
		if !m.Since.IsZero() {
			one.Since = &m.Since
		}
		out = append(out, one)
	}
	return out, nil
}

// save queues a measurement.
func (m *Measurement) save(ctx context.Context, b *postgres.Batch) error {
	return queries.OutcomeInsert(ctx, b, &dbsqlc.OutcomeInsertParams{TenantID: b.Tenant(), RunID: m.Run, Ref: m.Recommendation, MeasuredBy: m.By, Query: m.SQL, Value: orZero(m.Value), Measured: m.Value != nil, Since: m.Since})
}

// unrepeated leaves out recommendations that an earlier run has made for the same insight with much the
// same effect, whatever people made of them. Those whose insight has changed since refer to it.
// earlier are the latest first, and subject returns what an insight is about. The rest is numbered anew.
func unrepeated(list []insight.Recommendation, survivors []insight.Insight, earlier []Recommendation, subject func(*insight.Insight) string) []insight.Recommendation {
	latest, main := map[string]*Recommendation{}, map[string]*insight.Insight{}
	for k := range earlier {
		if c := &earlier[k]; c.Main != nil && latest[c.Subject] == nil {
			latest[c.Subject] = c
		}
	}
	for k := range survivors {
		main[survivors[k].ID] = &survivors[k]
	}
	var out []insight.Recommendation
	for _, r := range list {
		i := main[r.Insights[0]]
		if was := latest[subject(i)]; was != nil {
			if insight.Stand(was.Main.Effect, i.Effect) == insight.Again {
				continue
			}
			r.Earlier = &insight.Earlier{Run: was.Run, ID: was.ID, Was: was.Main.Title()}
		}
		r.ID = fmt.Sprintf("r-%d", len(out)+1)
		out = append(out, r)
	}
	return out
}
