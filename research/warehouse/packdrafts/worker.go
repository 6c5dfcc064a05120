package packdrafts

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"quaestor/internal/fault"
	"quaestor/internal/llm"
	"quaestor/internal/postgres"
	"quaestor/research/reader"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/packdrafts/internal/dbsqlc"
)

// Args is the job that drafts. It holds ids only, because the tables of the queue are not separated
// by tenant.
type Args struct {
	Tenant string `json:"tenant"`
	Draft  string `json:"draft"`
}

// draftTime bounds one job: every page and every section have bounds of their own.
const draftTime = 14 * time.Minute

// Kind implements [river.JobArgs].
func (Args) Kind() string { return "pack_draft" }

// InsertOpts sets the number of attempts. Two jobs for one draft do no harm: what one has stored the
// other finds done.
func (Args) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: Lane, MaxAttempts: 5} }

// Lane is the queue of these jobs. The pages that they read may answer as slowly as whoever wrote them
// likes, which must not keep the jobs of others waiting.
const Lane = "packs"

// LaneConfig configures the lane for an instance that drafts so many packs at a time.
func LaneConfig(workers int) river.QueueConfig { return river.QueueConfig{MaxWorkers: workers} }

// enqueue queues the job in the transaction that stores what is to be drafted.
func enqueue(ctx context.Context, tx pgx.Tx, q *Queue, tenant, id string) error {
	if _, err := q.InsertTx(ctx, tx, Args{tenant, id}, nil); err != nil {
		return fmt.Errorf("queue the drafting of a pack: %w", err)
	}
	return nil
}

// Workers registers the store's workers.
func (s *Store) Workers(w *river.Workers) error {
	return errors.Join(river.AddWorkerSafely(w, &worker{store: s}), river.AddWorkerSafely(w, &rescuer{store: s}))
}

type worker struct {
	river.WorkerDefaults[Args]
	store *Store
}

// Timeout implements [river.Worker].
func (*worker) Timeout(*river.Job[Args]) time.Duration { return draftTime }

// Work implements [river.Worker]. A draft that was deleted ends the job; one that cannot go on is
// stored with the reason.
func (w *worker) Work(ctx context.Context, job *river.Job[Args]) error {
	err := w.store.Work(ctx, job.Args.Tenant, job.Args.Draft)
	var f *fault.Error
	switch {
	case err == nil, fault.Is(err, fault.NotFound):
		return nil
	case errors.As(err, &f) && f.Kind != fault.Unavailable && f.Kind != fault.Internal:
		return w.store.setState(ctx, job.Args.Tenant, job.Args.Draft, Failed, f.Message)
	}
	return err
}

// Work reads what waits of a draft's sources and drafts what waits of its sections, and stores each
// by itself. It may be repeated: what is done is not done again.
func (s *Store) Work(ctx context.Context, tenant, id string) error {
	d, err := s.Find(ctx, tenant, id)
	if err != nil || d.State != Drafting {
		return err
	}
	if err := s.read(ctx, tenant, &d); err != nil {
		return err
	}
	m, err := s.material(ctx, tenant, d)
	if err != nil {
		return err
	}
	var model *llm.Client
	if s.Model != nil {
		model = s.Model(ctx, tenant)
	}
	if len(d.Sections) == 0 {
		if err := s.plan(ctx, tenant, id, model, m); err != nil {
			return err
		}
		if d, err = s.Find(ctx, tenant, id); err != nil {
			return err
		}
	}
	for _, one := range d.Sections {
		if one.State == Waiting {
			if err := s.draft(ctx, tenant, id, model, m, one); err != nil {
				return err
			}
		}
	}
	return s.finish(ctx, tenant, id)
}

// readTime is how long the pages of a draft may take if nothing else is set.
const readTime = 3 * time.Minute

// read reads the pages of a draft. One that cannot be read is stored with the reason, and so are those
// that the time does not suffice for.
func (s *Store) read(ctx context.Context, tenant string, d *Draft) error {
	reading, cancel := context.WithTimeout(ctx, cmp.Or(s.ReadTime, readTime))
	defer cancel()
	for i := range d.Sources {
		one := &d.Sources[i]
		if one.State != "waiting" {
			continue
		}
		page, err := s.Read(reading, one.Name)
		var known *reader.Error
		switch {
		case err == nil:
			one.State, one.Text = "read", storable(page.Text)
		case ctx.Err() != nil:
			return ctx.Err()
		case reading.Err() != nil:
			one.State, one.Why = "failed", "The pages take too long to answer, all together."
		case errors.As(err, &known):
			one.State, one.Why = "failed", clippedTo(known.Error(), 1000)
		default:
			one.State, one.Why = "failed", "It could not be read."
		}
		err = s.in(ctx, tenant, func(tx pgx.Tx) error {
			return errors.Join(queries.SourceRead(ctx, tx, &dbsqlc.SourceReadParams{TenantID: tenant, DraftID: d.ID, Place: int32(i), Content: one.Text, State: one.State, Why: one.Why}), touch(ctx, tx, tenant, d.ID))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// material returns what a draft is made from: the tables in its slice, and what could be read.
func (s *Store) material(ctx context.Context, tenant string, d Draft) (Material, error) {
	m := Material{Name: d.Name}
	for _, one := range d.Sources {
		if one.State == "read" {
			m.Sources = append(m.Sources, one)
		}
	}
	tables, err := s.Tables(ctx, tenant, d.Warehouse)
	if err != nil {
		return m, err
	}
	m.Tables = sliced(tables, d.Slice)
	if len(m.Tables) == 0 {
		return m, fault.New(fault.Unprocessable, "none of its tables is in the slice; name schemas or tables of the warehouse's page").At("slice")
	}
	metrics, err := s.Metrics(ctx, tenant, d.Warehouse)
	for _, one := range metrics {
		if slices.ContainsFunc(m.Tables, func(t catalog.Table) bool { return t.Ref() == one.Table }) {
			m.Metrics = append(m.Metrics, one)
		}
	}
	return m, err
}

// sliced returns the tables of a slice, which names schemas and qualified tables; all if it is empty.
func sliced(tables []catalog.Table, slice []string) []catalog.Table {
	if len(slice) == 0 {
		return tables
	}
	var out []catalog.Table
	for _, t := range tables {
		if slices.Contains(slice, t.Schema) || slices.Contains(slice, t.Ref()) {
			out = append(out, t)
		}
	}
	return out
}

// plan stores the sections of a draft, all of them waiting.
func (s *Store) plan(ctx context.Context, tenant, id string, model *llm.Client, m Material) error {
	areas := planned(m)
	if model != nil {
		list, err := modelled(ctx, model, m)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			areas = list
		}
	}
	all := slices.Concat([]Section{{Key: About}, {Key: Context}, {Key: Exploration}}, areas, []Section{{Key: Recommendations}, {Key: Profile}})
	return s.in(ctx, tenant, func(tx pgx.Tx) error {
		for i, one := range all {
			content, err := json.Marshal(one.Content)
			if err != nil {
				return err
			}
			if err := queries.SectionInsert(ctx, tx, &dbsqlc.SectionInsertParams{TenantID: tenant, DraftID: id, Key: one.Key, Place: int32(i), Content: content}); err != nil {
				return err
			}
		}
		return nil
	})
}

// draft drafts a section and stores it, unless somebody changed it meanwhile. Where the model fails,
// or what it wrote may not be used, a section that was written before stays, and rules write any
// other. Without a model, rules write it from the start; they cannot follow feedback.
func (s *Store) draft(ctx context.Context, tenant, id string, model *llm.Client, m Material, one Section) error {
	c, by := Content{}, ""
	if model != nil {
		written, err := written(ctx, model, m, one)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			c, by = written, "model "+model.Model()
		}
	}
	switch {
	case by != "":
	case model != nil && one.By != "":
		c, by = one.Content, one.By
	default:
		c, by = drafted(m, one), "rules"
	}
	content, err := json.Marshal(c)
	if err != nil {
		return err
	}
	return s.in(ctx, tenant, func(tx pgx.Tx) error {
		_, err := queries.SectionDrafted(ctx, tx, &dbsqlc.SectionDraftedParams{TenantID: tenant, DraftID: id, Key: one.Key, Version: int32(one.Version), Content: content, MadeBy: clippedTo(by, 300)})
		return errors.Join(err, touch(ctx, tx, tenant, id))
	})
}

// touch records that a draft goes on.
func touch(ctx context.Context, tx pgx.Tx, tenant, id string) error {
	return queries.DraftTouch(ctx, tx, &dbsqlc.DraftTouchParams{TenantID: tenant, ID: id})
}

// finish opens a draft unless a section waits again.
func (s *Store) finish(ctx context.Context, tenant, id string) error {
	return s.in(ctx, tenant, func(tx pgx.Tx) error {
		if _, err := queries.DraftLock(ctx, tx, &dbsqlc.DraftLockParams{TenantID: tenant, ID: id}); err != nil {
			return err
		}
		d, err := find(ctx, tx, tenant, id)
		if err != nil || d.State != Drafting || slices.ContainsFunc(d.Sections, func(o Section) bool { return o.State == Waiting }) {
			return err // the job of what waits again opens it
		}
		return queries.DraftSetState(ctx, tx, &dbsqlc.DraftSetStateParams{TenantID: tenant, ID: id, State: string(Open)})
	})
}

// setState stores the state of a draft and why it failed.
func (s *Store) setState(ctx context.Context, tenant, id string, state State, failure string) error {
	return s.in(ctx, tenant, func(tx pgx.Tx) error {
		return queries.DraftSetState(ctx, tx, &dbsqlc.DraftSetStateParams{TenantID: tenant, ID: id, State: string(state), Failure: clippedTo(failure, 1000)})
	})
}

// in runs f in a transaction of the tenant.
func (s *Store) in(ctx context.Context, tenant string, f func(pgx.Tx) error) error {
	return worded(postgres.InTx(ctx, s.Pool, tenant, f), "draft a pack")
}
