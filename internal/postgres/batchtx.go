package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
)

// Tx returns the batch as a transaction, for libraries that write through one alone and
// can do without what their statements return. Statements are queued with the others: a
// query gives no rows, an Exec an empty tag, and what goes wrong is [Batch.Send]'s to
// say. Whatever has to be answered before that fails: a row, another transaction, a
// copy. Commit and Rollback fail too, for Send is the commit.
func (b *Batch) Tx() pgx.Tx { return batchTx{b} }

type batchTx struct{ *Batch }

func (t batchTx) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	_, err := t.Exec(ctx, sql, args...)
	return noRows{}, err
}

func (batchTx) Begin(context.Context) (pgx.Tx, error)                  { return nil, errQueued }
func (batchTx) Commit(context.Context) error                           { return errQueued }
func (batchTx) Rollback(context.Context) error                         { return errQueued }
func (batchTx) SendBatch(context.Context, *pgx.Batch) pgx.BatchResults { return noResults{} }
func (batchTx) LargeObjects() pgx.LargeObjects                         { return pgx.LargeObjects{} }
func (batchTx) Conn() *pgx.Conn                                        { return nil }
func (batchTx) CopyFrom(context.Context, pgx.Identifier, []string, pgx.CopyFromSource) (int64, error) {
	return 0, errQueued
}

func (batchTx) Prepare(context.Context, string, string) (*pgconn.StatementDescription, error) {
	return nil, errQueued
}

// noRows is what a queued query gives: nothing, and nothing went wrong so far.
type noRows struct{}

func (noRows) Close()                                       {}
func (noRows) Err() error                                   { return nil }
func (noRows) CommandTag() pgconn.CommandTag                { return pgconn.CommandTag{} }
func (noRows) FieldDescriptions() []pgconn.FieldDescription { return nil }
func (noRows) Next() bool                                   { return false }
func (noRows) Scan(...any) error                            { return errQueued }
func (noRows) Values() ([]any, error)                       { return nil, errQueued }
func (noRows) RawValues() [][]byte                          { return nil }
func (noRows) Conn() *pgx.Conn                              { return nil }
func (noRows) TypeMap() *pgtype.Map                         { return nil }

// noResults is what a batch within a batch gives: it is not sent.
type noResults struct{}

func (noResults) Exec() (pgconn.CommandTag, error) { return pgconn.CommandTag{}, errQueued }
func (noResults) Query() (pgx.Rows, error)         { return nil, errQueued }
func (noResults) QueryRow() pgx.Row                { return noRow{} }
func (noResults) Close() error                     { return errQueued }
func (noResults) Tx() pgx.Tx                       { return nil }
