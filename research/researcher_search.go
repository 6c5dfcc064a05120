package research

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/research/claims"
	"quaestor/research/internal/dbsqlc"
	"quaestor/research/search"
)

// The limits of a task's searches and of what is kept of them.
const (
	maxQueries    = 4
	hitsPerSearch = 10
	maxSources    = 24 // kept of all searches of a plan
	fusion        = 60 // of reciprocal rank fusion; Cormack, Clarke and Büttcher 2009
)

// byRules marks work done by the built-in rules that a model might have done.
const byRules = "rules"

// plan decides on the queries.
func (w *taskRun) plan(ctx context.Context) error {
	made := Plan{Revision: w.task.Revision, Queries: claims.Plan(w.question), By: byRules}
	if w.modelled() {
		if q, err := w.modelPlan(ctx); err == nil && len(q) > 0 {
			made.Queries, made.By = q, w.modelName()
		} else if err = w.degrade(ctx, err); err != nil {
			return err
		}
	}
	made.Queries = slices.DeleteFunc(made.Queries, OwnData)
	made.Queries = made.Queries[:min(len(made.Queries), maxQueries)]
	w.task.Plan = made
	return w.commit(ctx, Planning, "Working out what to ask", func(b *postgres.Batch) error {
		if w.task.Revision == 0 {
			return nil
		}
		t := w.task // claims made for the question before are made again
		_ = queries.ClaimsClear(ctx, b, &dbsqlc.ClaimsClearParams{TenantID: t.Scope.Tenant, TaskID: t.ID})
		_ = queries.SourceUndraft(ctx, b, &dbsqlc.SourceUndraftParams{TenantID: t.Scope.Tenant, TaskID: t.ID})
		return nil
	})
}

// search sends each query to each engine that has not answered it yet, and keeps
// the pages that rank best over all answers.
func (w *taskRun) search(ctx context.Context) error {
	done, err := w.searches(ctx)
	if err != nil {
		return err
	}
	var failed []failedSearch
	for n, query := range w.task.Plan.Queries {
		for _, e := range w.Engines {
			if slices.ContainsFunc(done, func(s answeredSearch) bool { return s.n == n+1 && s.engine == e.Name() }) {
				continue
			}
			hits, err := w.ask(ctx, n+1, query, e)
			var miss failedSearch
			switch {
			case errors.As(err, &miss):
				failed = append(failed, miss)
			case err != nil:
				return err
			default:
				done = append(done, answeredSearch{n + 1, e.Name(), hits})
			}
		}
	}
	if err := worth(done, failed); err != nil {
		return err
	}
	return w.commit(ctx, Searching, fmt.Sprintf("%d pages may know", len(fuse(done))), func(b *postgres.Batch) error {
		w.noteMissed(ctx, b, failed)
		for _, s := range fuse(done) {
			_ = queries.SourceInsert(ctx, b, &dbsqlc.SourceInsertParams{TenantID: w.task.Scope.Tenant, TaskID: w.task.ID, Revision: int32(w.task.Revision),
				Url: s.hit.URL, Title: s.hit.Title, Snippet: s.hit.Snippet, Rank: s.rank})
		}
		return nil
	})
}

// answeredSearch is a query that an engine answered.
type answeredSearch struct {
	n      int
	engine string
	hits   []search.Hit
}

// failedSearch is the error of a query that an engine did not answer.
type failedSearch struct {
	n             int
	query, engine string
	err           error
}

// Error returns the engine's error, which names the engine.
func (m failedSearch) Error() string { return m.err.Error() }

// Unwrap returns the engine's error.
func (m failedSearch) Unwrap() error { return m.err }

// worth returns nil when there is something to go on with: an answer, or nothing
// that failed. Otherwise it returns the error to report, preferring a temporary
// one, since then trying again later may help.
func worth(done []answeredSearch, failed []failedSearch) error {
	if len(done) > 0 || len(failed) == 0 {
		return nil
	}
	for _, m := range failed {
		var e *search.Error
		if errors.As(m.err, &e) && e.Retryable() {
			return m.err
		}
	}
	return failed[0].err
}

// searches returns the answers already stored for the current plan.
func (w *taskRun) searches(ctx context.Context) ([]answeredSearch, error) {
	var out []answeredSearch
	b := postgres.NewBatch(w.task.Scope.Tenant)
	postgres.Many(b, queries.SearchList, &dbsqlc.SearchListParams{TenantID: w.task.Scope.Tenant, TaskID: w.task.ID}, func(r *dbsqlc.ResearchSearch) error {
		if int(r.Revision) != w.task.Revision || r.Failure != nil {
			return nil
		}
		s := answeredSearch{n: int(r.N), engine: r.Engine}
		out = append(out, s)
		return json.Unmarshal(r.Hits, &out[len(out)-1].hits)
	})
	err := b.Send(ctx, w.Editor.Pool)
	return out, err
}

// ask sends a query to one engine and stores its answer. If the engine fails, the
// error is a failedSearch.
func (w *taskRun) ask(ctx context.Context, n int, query string, e search.Engine) ([]search.Hit, error) {
	if err := refuseOwnData("query", query); err != nil { // planned before this check existed
		return nil, failedSearch{n, query, e.Name(), err}
	}
	hits, err := e.Search(ctx, search.Query{Tenant: w.task.Scope.Tenant, Words: query, Max: hitsPerSearch})
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, failedSearch{n, query, e.Name(), err}
	}
	hits = slices.DeleteFunc(hits, func(h search.Hit) bool { return utf8.RuneCountInString(h.URL) > maxURLRunes })
	body, err := json.Marshal(append([]search.Hit{}, hits...))
	if err != nil {
		return nil, err
	}
	return hits, w.commit(ctx, "", fmt.Sprintf("Searching for “%s”", query), func(b *postgres.Batch) error {
		return queries.SearchInsert(ctx, b, &dbsqlc.SearchInsertParams{TenantID: w.task.Scope.Tenant, TaskID: w.task.ID, Revision: int32(w.task.Revision),
			N: int32(n), Query: query, Engine: e.Name(), Hits: body})
	})
}

// maxURLRunes is the longest address that is kept, in characters.
const maxURLRunes = 2000

// noteMissed queues the queries that were not answered, for the report.
func (w *taskRun) noteMissed(ctx context.Context, b *postgres.Batch, failed []failedSearch) {
	for _, m := range failed {
		why := sentence(m.err)
		_ = queries.SearchInsert(ctx, b, &dbsqlc.SearchInsertParams{TenantID: w.task.Scope.Tenant, TaskID: w.task.ID, Revision: int32(w.task.Revision),
			N: int32(m.n), Query: m.query, Engine: m.engine, Hits: []byte("[]"), Failure: &why})
	}
}

// rankedPage is a page with its combined rank.
type rankedPage struct {
	hit  search.Hit
	rank float64
}

// fuse merges the results of several searches by reciprocal rank fusion, best
// first, at most maxSources of them.
func fuse(done []answeredSearch) []rankedPage {
	var out []rankedPage
	for _, s := range done {
		for i, h := range s.hits {
			at := slices.IndexFunc(out, func(r rankedPage) bool { return r.hit.URL == h.URL })
			if at < 0 {
				at = len(out)
				out = append(out, rankedPage{hit: h})
			}
			out[at].rank += 1 / float64(fusion+i+1)
		}
	}
	slices.SortStableFunc(out, func(a, b rankedPage) int {
		switch {
		case a.rank > b.rank:
			return -1
		case a.rank < b.rank:
			return 1
		}
		return 0
	})
	return out[:min(len(out), maxSources)]
}

// retryAfter returns how long a failed service asked to be left alone, and whether
// trying again can help at all.
func retryAfter(err error) (time.Duration, bool) {
	var e *search.Error
	if errors.As(err, &e) {
		return e.RetryAfter, e.Retryable()
	}
	var f *fault.Error
	return 0, !errors.As(err, &f)
}
