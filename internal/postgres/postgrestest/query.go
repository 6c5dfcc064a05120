package postgrestest

import (
	"context"

	"github.com/jackc/pgx/v5"

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
	var r postgres.Recorder
	run(&r)
	return r.SQL, r.Args
}
