package bigquery

import (
	"context"
	"errors"
	"slices"
	"time"

	"cloud.google.com/go/bigquery"
	"google.golang.org/api/iterator"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/guard"
	"quaestor/research/warehouse/wire"
)

const (
	// The limits of l bound a statement; these bound what we add to it.
	patience  = 500 * time.Millisecond // in addition to a statement's time limit
	leaveTime = time.Second            // for cancelling a job
	pageSize  = 10_000                 // rows of a response
)

// Query implements [warehouse.Conn]. The bytes of the dry run are checked against l.Scanned
// before the statement runs; they are the Scanned of the result. Of l, Memory has no effect.
func (c *conn) Query(ctx context.Context, s guard.Statement, l warehouse.Limits) (*warehouse.Result, error) {
	l = l.OrDefault()
	ownCtx, cancel := context.WithTimeout(ctx, l.Time+patience)
	defer cancel()
	scanned, err := c.dry(ownCtx, s.SQL, l)
	if err != nil {
		return nil, c.fault(ctx, err)
	}
	out, err := c.run(ownCtx, s.SQL, l)
	if err != nil {
		return nil, c.fault(ctx, err)
	}
	out.Scanned = scanned
	return out, nil
}

// dry checks a statement in a dry run: its type, the tables it reads and the bytes it would scan,
// which it returns. It never runs the statement and costs nothing. Every refusal is a
// [*warehouse.QueryError].
func (c *conn) dry(ctx context.Context, sql string, l warehouse.Limits) (int64, error) {
	q := c.api.Query(sql)
	q.DryRun = true
	job, err := q.Run(ctx)
	if err != nil {
		return 0, err
	}
	status := job.LastStatus()
	if status == nil || status.Statistics == nil {
		return 0, errors.New("a dry run without statistics")
	}
	if err := status.Err(); err != nil {
		return 0, err
	}
	details, _ := status.Statistics.Details.(*bigquery.QueryStatistics)
	if details == nil || details.StatementType != "SELECT" {
		return 0, wire.NoRows()
	}
	if err := c.within(details.ReferencedTables); err != nil {
		return 0, err
	}
	scanned := status.Statistics.TotalBytesProcessed
	return scanned, wire.CheckScan(scanned, l)
}

// within refuses tables of other projects and datasets.
func (c *conn) within(tables []*bigquery.Table) error {
	for _, t := range tables {
		if t.ProjectID != c.project || len(c.datasets) > 0 && !slices.Contains(c.datasets, t.DatasetID) {
			return warehouse.NewQueryError(warehouse.Forbidden, "it reads "+t.DatasetID+"."+t.TableID+", which is not of this warehouse", t.TableID, nil)
		}
	}
	return nil
}

// run executes a statement and reads its result. A job that fails or takes too long is cancelled.
// The service enforces both limits by itself, too: it bills at most l.Scanned bytes and stops the
// job after l.Time. The label marks our jobs in the project's history.
func (c *conn) run(ctx context.Context, sql string, l warehouse.Limits) (*warehouse.Result, error) {
	q := c.api.Query(sql)
	q.MaxBytesBilled, q.JobTimeout, q.Labels = l.Scanned, l.Time, map[string]string{"by": "quaestor"}
	began := time.Now()
	job, err := q.Run(ctx)
	if err != nil {
		return nil, err
	}
	out, err := read(ctx, job, wire.NewResultBuilder(l, began))
	if err != nil {
		stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaveTime)
		defer cancel()
		_ = job.Cancel(stop) // cancelling a finished job does no harm
	}
	return out, err
}

// read reads rows to the end, or until r has no more room.
func read(ctx context.Context, job *bigquery.Job, r *wire.ResultBuilder) (*warehouse.Result, error) {
	rows, err := job.Read(ctx)
	if err != nil {
		return nil, err
	}
	rows.PageInfo().MaxSize = pageSize
	return collect(rows, r)
}

// collect reads the rows of a result or a table to the end, or until r has no more room. The
// schema is known once the first row was asked for.
func collect(rows *bigquery.RowIterator, r *wire.ResultBuilder) (*warehouse.Result, error) {
	var row []bigquery.Value
	for {
		err := rows.Next(&row)
		if r.Columns == nil {
			for _, f := range rows.Schema {
				r.Columns = append(r.Columns, wire.NewColumn(f.Name, formOf(f)))
			}
		}
		if errors.Is(err, iterator.Done) || err == nil && !r.Room(sizeOf(row)) {
			return r.Result(), nil
		}
		if err != nil {
			return nil, err
		}
		for i, v := range row {
			put(r.Columns[i], rows.Schema[i], v)
		}
	}
}

// Sample reads at most n rows of a table directly, because a query would scan the whole table.
// The rows come in no particular order. A view cannot be read so, which is an error.
func (c *conn) Sample(ctx context.Context, t catalog.Table, n int) (*warehouse.Result, error) {
	rows := c.api.DatasetInProject(c.project, t.Schema).Table(t.Name).Read(ctx)
	rows.PageInfo().MaxSize = n
	out, err := collect(rows, wire.NewResultBuilder(warehouse.Limits{Rows: n}.OrDefault(), time.Now()))
	if err != nil {
		return nil, c.fault(ctx, err)
	}
	return out, nil
}
