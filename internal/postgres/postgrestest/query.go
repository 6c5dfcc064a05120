package postgrestest

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"quaestor/internal/postgres"
)

// Rows queues SQL that no generated function runs, such as a look at a table or a
// plan. Its rows are read into the fields of R in column order and given to each.
func Rows[R any](b *postgres.Batch, each func(*R) error, sql string, args ...any) {
	postgres.Many(b, func(ctx context.Context, db postgres.DBTX, args []any) ([]*R, error) {
		rows, err := db.Query(ctx, sql, args...)
		if err != nil {
			return nil, err
		}
		return pgx.CollectRows(rows, pgx.RowToAddrOfStructByPos[R])
	}, args, each)
}

// Statement returns the SQL and the arguments of the generated query that run calls,
// to have it explained.
func Statement(run func(db postgres.DBTX)) (sql string, args []any) {
	var s statement
	run(&s)
	return s.sql, s.args
}

// statement takes down what is run on it, and fails it.
type statement struct {
	sql  string
	args []any
}

var errNotRun = errors.New("the statement was only taken down")

func (s *statement) Exec(_ context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	s.sql, s.args = sql, args
	return pgconn.CommandTag{}, errNotRun
}

func (s *statement) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	_, err := s.Exec(ctx, sql, args...)
	return nil, err
}

func (s *statement) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	_, _ = s.Exec(ctx, sql, args...)
	return s
}

// Scan fails: there is no row.
func (s *statement) Scan(...any) error { return errNotRun }
