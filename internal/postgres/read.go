package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// DBTX is what generated code runs a statement on. Every package of generated code
// declares the same interface of its own.
type DBTX interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// Many queues a query of any number of rows. f is the generated function, such as
// queries.MessagePage, and arg its parameters; each gets the rows in order while
// [Batch.Send] runs, and the first error it returns ends the batch and is Send's.
//
// f is called twice: now, to learn its statement, and with the rows when they are
// there. It must run exactly one statement and do nothing else, as generated code
// does; otherwise Send fails without sending anything.
func Many[D DBTX, P, R any](b *Batch, f func(context.Context, D, P) ([]R, error), arg P, each func(R) error) {
	queue(b, f, arg, func(list []R, err error) error {
		for _, row := range list {
			if err == nil {
				err = each(row)
			}
		}
		return err
	})
}

// One queues a query of at most one row: found gets it, and is not called when there
// is none; nil when nobody needs it. In all else it is like [Many].
func One[D DBTX, P, R any](b *Batch, f func(context.Context, D, P) (R, error), arg P, found func(R) error) {
	queue(b, f, arg, func(row R, err error) error {
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			return nil
		case err != nil || found == nil:
			return err
		}
		return found(row)
	})
}

// List runs a query of any number of rows as a batch of its own and returns what from
// makes of each, in order.
func List[D DBTX, P, R, T any](ctx context.Context, db DB, tenant string, f func(context.Context, D, P) ([]R, error), arg P, from func(R) (T, error)) ([]T, error) {
	var out []T
	b := NewBatch(tenant)
	Many(b, f, arg, func(row R) error {
		v, err := from(row)
		out = append(out, v)
		return err
	})
	if err := b.Send(ctx, db); err != nil {
		return nil, err
	}
	return out, nil
}

// Find runs a query of at most one row as a batch of its own and returns what from
// makes of it; nil when there is none.
func Find[D DBTX, P, R, T any](ctx context.Context, db DB, tenant string, f func(context.Context, D, P) (R, error), arg P, from func(R) (T, error)) (*T, error) {
	var out *T
	b := NewBatch(tenant)
	One(b, f, arg, func(row R) error {
		v, err := from(row)
		out = &v
		return err
	})
	if err := b.Send(ctx, db); err != nil {
		return nil, err
	}
	return out, nil
}

// Found returns what was found, err if reading failed, and missing if nothing was found.
func Found[T any](out *T, err, missing error) (T, error) {
	var none T
	switch {
	case err != nil:
		return none, err
	case out == nil:
		return none, missing
	}
	return *out, nil
}

// queue queues the statement of f, and gives done what f makes of its rows.
func queue[D DBTX, P, R any](b *Batch, f func(context.Context, D, P) (R, error), arg P, done func(R, error) error) {
	call := func(db DBTX) (R, error) {
		// The assertion holds for every interface of DBTX's methods, which the
		// constraint cannot say. Neither db waits for anything, so no context ends it.
		return f(context.Background(), db.(D), arg)
	}
	var r Recorder
	if _, err := call(&r); r.statements != 1 || !errors.Is(err, errQueued) {
		b.err = errors.Join(b.err, fmt.Errorf("%T ran %d statements and returned %w, want one statement and its error", f, r.statements, err))
		return
	}
	b.pgx.Queue(r.SQL, r.Args...).Query(func(rows pgx.Rows) error { return done(call(result{rows: rows})) })
}

// errQueued answers whoever wants a result before the batch is sent.
var errQueued = errors.New("postgres: a batch is read with Many or One")

// Recorder takes down the statement that is run on it, and answers with an error.
type Recorder struct {
	SQL        string
	Args       []any
	statements int
}

func (r *Recorder) Exec(_ context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	r.statements, r.SQL, r.Args = r.statements+1, sql, args
	return pgconn.CommandTag{}, errQueued
}

func (r *Recorder) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	_, err := r.Exec(ctx, sql, args...)
	return nil, err
}

func (r *Recorder) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	_, err := r.Exec(ctx, sql, args...)
	return errorRow{err}
}

// errorRow is a row that cannot be had.
type errorRow struct{ err error }

func (r errorRow) Scan(...any) error { return r.err }

// result answers any query with the rows of a statement that was run.
type result struct{ rows pgx.Rows }

func (result) Exec(context.Context, string, ...any) (pgconn.CommandTag, error) {
	return pgconn.CommandTag{}, errQueued
}
func (r result) Query(context.Context, string, ...any) (pgx.Rows, error) { return r.rows, nil }
func (r result) QueryRow(context.Context, string, ...any) pgx.Row        { return r }

// Scan reads the first row, as pgx does for QueryRow.
func (r result) Scan(dest ...any) error {
	defer r.rows.Close()
	if !r.rows.Next() {
		if err := r.rows.Err(); err != nil {
			return err
		}
		return pgx.ErrNoRows
	}
	if err := r.rows.Scan(dest...); err != nil {
		return err
	}
	r.rows.Close()
	return r.rows.Err()
}
