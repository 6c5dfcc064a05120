package runs

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/research/warehouse/runs/internal/dbsqlc"
)

// queries are the generated queries of this package.
var queries = dbsqlc.New()

// Commands carries out what people ask of runs: to create, pause, resume, cancel and
// delete them. Each method is one transaction.
type Commands struct {
	Pool  *pgxpool.Pool
	Queue *river.Client[pgx.Tx]
	Hub   *Hub
}

// Create makes a run and queues it. Repeating a request makes none and returns the
// existing run in its current state; made tells which. If the request id was used
// for another order, it is Unprocessable; an unknown project is NotFound.
func (o Commands) Create(ctx context.Context, tenant string, w Order) (r Run, made bool, err error) {
	if w, err = w.tidy(); err != nil {
		return Run{}, false, err
	}
	id, err := o.before(ctx, tenant, &w)
	if err != nil {
		return Run{}, false, err
	}
	if id == "" {
		id, made, err = o.insert(ctx, tenant, &w)
	}
	if err != nil {
		return Run{}, false, err
	}
	if r, err = Find(ctx, o.Pool, tenant, id); err == nil && made {
		o.Hub.publish(id, 1)
	}
	return r, made, err
}

// before returns the id of the run created by an earlier request with the same id,
// or "" for none.
func (o Commands) before(ctx context.Context, tenant string, w *Order) (string, error) {
	if w.Request == "" {
		return "", nil
	}
	var was *dbsqlc.RunByRequestRow // nil if there is none
	b := postgres.NewBatch(tenant)
	postgres.One(b, queries.RunByRequest, &dbsqlc.RunByRequestParams{TenantID: tenant, CreatedBy: w.By, RequestID: &w.Request}, func(r *dbsqlc.RunByRequestRow) error { was = r; return nil })
	if err := b.Send(ctx, o.Pool); err != nil || was == nil {
		return "", err
	}
	if !bytes.Equal(was.RequestHash, w.hash()) {
		return "", fault.New(fault.Unprocessable, "this request id was used for another run").At("Idempotency-Key").Coded("idempotency_mismatch")
	}
	return was.ID, nil
}

// insert stores a run with its job and its first event. made is false if the same
// request was executed concurrently and has made it.
func (o Commands) insert(ctx context.Context, tenant string, w *Order) (id string, made bool, err error) {
	err = postgres.InTx(ctx, o.Pool, tenant, func(tx pgx.Tx) error {
		id, err = w.begin(ctx, tx, o.Queue, tenant)
		return err
	})
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		if id, err = o.before(ctx, tenant, w); id == "" && err == nil {
			err = o.noRunOf(ctx, tenant, w)
		}
		return id, false, err
	case err != nil:
		return "", false, fmt.Errorf("make a run of project %s: %w", w.Project, notProject(err))
	}
	return id, true, nil
}

// noRunOf returns why an order made no run: its project does not exist, or does not explore the
// warehouse.
func (o Commands) noRunOf(ctx context.Context, tenant string, w *Order) error {
	found := false
	b := postgres.NewBatch(tenant)
	if w.Warehouse != "" {
		postgres.One(b, queries.ProjectExplores, &dbsqlc.ProjectExploresParams{WarehouseID: w.Warehouse, TenantID: tenant, ProjectID: w.Project}, func(bool) error { found = true; return nil })
	}
	if err := b.Send(ctx, o.Pool); err != nil {
		return notProject(err)
	}
	if found {
		return fault.New(fault.Unprocessable, "the project does not explore this warehouse; add it to the project first").At("warehouseId")
	}
	return fault.New(fault.NotFound, "there is no such project").At("projectId").Coded("project_not_found")
}

// notProject turns the error of a malformed project id into NotFound.
func notProject(err error) error {
	if postgres.Code(err) == "22P02" {
		return fault.New(fault.NotFound, "there is no such project").At("projectId").Coded("project_not_found")
	}
	return err
}

// begin stores a run with its job and its first event. The error is pgx.ErrNoRows if it made none.
func (o *Order) begin(ctx context.Context, tx pgx.Tx, q *river.Client[pgx.Tx], tenant string) (string, error) {
	id, err := o.insert(ctx, tx, tenant)
	if err != nil {
		return "", err
	}
	if err := enqueue(ctx, tx, q, tenant, id); err != nil {
		return "", err
	}
	_, err = appendEvents(ctx, tx, tenant, id, 0, StatusEvent{as: EventQueued, Status: Pending, By: o.By})
	return id, err
}

// insert stores the row of a run. It returns no id if the project does not exist or
// if the request was executed before.
func (o *Order) insert(ctx context.Context, tx pgx.Tx, tenant string) (string, error) {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // never fails
	areas := o.Areas
	if areas == nil {
		areas = []string{}
	}
	id, err := queries.RunInsert(ctx, tx, &dbsqlc.RunInsertParams{Scope: string(o.coverage()), Areas: areas, MaskKey: key, MaxSteps: int32(o.MaxSteps), MinSteps: int32(o.MinSteps),
		BudgetUsd: orNone(o.Budget.USD), BudgetTokens: orNone(o.Budget.Tokens), BudgetBytes: orNone(o.Budget.Bytes), BudgetSeconds: orNone(int64(o.Budget.Time.Seconds())), WarehouseID: orNone(o.Warehouse), CreatedBy: o.By,
		RequestID: postgres.OrNull(o.Request), RequestHash: o.hash(), TenantID: tenant, ProjectID: o.Project})
	return id, err
}

// enqueue inserts the job of a run.
func enqueue(ctx context.Context, tx pgx.Tx, q *river.Client[pgx.Tx], tenant, id string) error {
	if _, err := q.InsertTx(ctx, tx, RunArgs{tenant, id}, nil); err != nil {
		return fmt.Errorf("enqueue run %s: %w", id, err)
	}
	return nil
}

// appendEvents appends events to a locked run and returns the number of the last one.
func appendEvents(ctx context.Context, tx pgx.Tx, tenant, id string, last int64, payloads ...Payload) (int64, error) {
	b := postgres.NewBatch(tenant)
	last, err := queueEvents(b, id, last, payloads)
	if err != nil {
		return 0, err
	}
	_ = queries.RunTold(ctx, b, &dbsqlc.RunToldParams{LastSeq: last, TenantID: tenant, ID: id})
	err = b.Send(ctx, tx)
	return last, err
}
