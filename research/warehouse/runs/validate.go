package runs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"quaestor/internal/postgres"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/insight"
	"quaestor/research/warehouse/runs/internal/dbsqlc"
)

// checked is an insight with what its check came to.
type checked struct {
	id     string
	review insight.Review
}

// validate checks the insights that were not checked yet, a few at a time.
func (w *work) validate(ctx context.Context) error {
	if err := w.reopen(ctx); err != nil {
		return err
	}
	w.keepWithinBudget()
	all, err := Insights(ctx, w.Pool, w.run.Tenant, Selection{Run: w.run.ID})
	if err != nil {
		return err
	}
	var left []*insight.Insight
	for k := range all {
		if all[k].Review.Status == "" {
			left = append(left, &all[k].Insight)
		}
	}
	err = inParallel(ctx, w.atOnce(), left, func(ctx context.Context, i *insight.Insight) (checked, error) {
		unchecked := checked{i.ID, insight.Review{Status: insight.Failed, Reason: "It was not checked, because the budget of the run was used up.", Claimed: i.Affected, SQL: i.Review.SQL}}
		if w.spentUp.Load() {
			return unchecked, nil
		}
		partly := false
		review, err := insight.Check(ctx, i, func(ctx context.Context, name, sql string) (*warehouse.Result, error) {
			r, err := w.asks(ctx, name, sql)
			partly = partly || errors.Is(err, errBudget)
			return r, err
		})
		if partly && err == nil {
			return unchecked, nil
		}
		return checked{i.ID, review}, err
	}, func(c checked) error {
		body, err := json.Marshal(c.review)
		if err != nil {
			return fmt.Errorf("encode the check of %s: %w", c.id, err)
		}
		err = w.spend(ctx, Checking, func(b *postgres.Batch) error {
			return queries.InsightReview(ctx, b, &dbsqlc.InsightReviewParams{Status: postgres.OrNull(string(c.review.Status)), Survives: c.review.Survives(), Review: body, TenantID: w.run.Tenant, RunID: w.run.ID, Ref: c.id})
		})
		if err != nil {
			return err
		}
		return w.mayGoOn(ctx)
	})
	if err != nil {
		return err
	}
	return w.enter(ctx, Recommending, "", func(*postgres.Batch) error { return nil })
}

// recommend says what may be done about the insights that survived their check.
func (w *work) recommend(ctx context.Context) error {
	all, err := Insights(ctx, w.Pool, w.run.Tenant, Selection{Run: w.run.ID})
	if err != nil {
		return err
	}
	var survivors []insight.Insight
	for k := range all {
		if all[k].Survives {
			survivors = append(survivors, all[k].Insight)
		}
	}
	earlier, err := Recommendations(ctx, w.Pool, w.run.Tenant, Selection{Project: w.run.Project, Max: maxLedger})
	if err != nil {
		return err
	}
	earlier = slices.DeleteFunc(earlier, func(c Recommendation) bool { return c.Run == w.run.ID })
	list := unrepeated(insight.Recommend(survivors), survivors, earlier, w.run.subject)
	return w.enter(ctx, Saving, "", func(b *postgres.Batch) error {
		for place := range list {
			r := &list[place]
			body, err := json.Marshal(r)
			if err != nil {
				return fmt.Errorf("encode recommendation %s: %w", r.ID, err)
			}
			err = queries.RecommendationInsert(ctx, b, &dbsqlc.RecommendationInsertParams{TenantID: w.run.Tenant, RunID: w.run.ID, Ref: r.ID, ProjectID: w.run.Project, Place: int32(place + 1), Title: cut(clean(r.Title), 2000), Body: body})
			if err != nil {
				return err
			}
			for _, i := range r.Insights {
				if err := queries.RecommendationLink(ctx, b, &dbsqlc.RecommendationLinkParams{TenantID: w.run.Tenant, RunID: w.run.ID, RecommendationRef: r.ID, InsightRef: i}); err != nil {
					return err
				}
			}
		}
		return nil
	})
}
