package postgres_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"quaestor/internal/postgres"
	"quaestor/internal/postgres/postgrestest"
)

// What follows is as sqlc writes it: an interface of the package's own, and functions
// that run one statement.
type dbtx interface {
	Exec(context.Context, string, ...interface{}) (pgconn.CommandTag, error)
	Query(context.Context, string, ...interface{}) (pgx.Rows, error)
	QueryRow(context.Context, string, ...interface{}) pgx.Row
}

type numberParams struct{ From, To int32 }

type numberRow struct {
	N    int32
	Text *string
}

func numbers(ctx context.Context, db dbtx, arg *numberParams) ([]*numberRow, error) {
	rows, err := db.Query(ctx, `SELECT g.i, CASE WHEN g.i % 2 = 1 THEN g.i::text END FROM generate_series($1::integer, $2::integer) AS g (i) ORDER BY g.i`, arg.From, arg.To)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var items []*numberRow
	for rows.Next() {
		var i numberRow
		if err := rows.Scan(&i.N, &i.Text); err != nil {
			return nil, err
		}
		items = append(items, &i)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	return items, nil
}

func number(ctx context.Context, db dbtx, arg *numberParams) (*numberRow, error) {
	row := db.QueryRow(ctx, `SELECT g.i, g.i::text FROM generate_series($1::integer, $2::integer) AS g (i) ORDER BY g.i`, arg.From, arg.To)
	var i numberRow
	err := row.Scan(&i.N, &i.Text)
	return &i, err
}

// quotient fails when n is 0, and gives no number that fits below 0.
func quotient(ctx context.Context, db dbtx, n int32) (int32, error) {
	row := db.QueryRow(ctx, `SELECT CASE WHEN $1::integer < 0 THEN 3000000000 ELSE 12 / $1::integer END`, n)
	var out int32
	err := row.Scan(&out)
	return out, err
}

func addedMember(ctx context.Context, db dbtx, tenant string) (string, error) {
	row := db.QueryRow(ctx, addMember+` RETURNING id`, tenant, "ada")
	var id string
	err := row.Scan(&id)
	return id, err
}

// keep returns a reader of rows that appends them to list.
func keep[R any](list *[]R) func(*R) error {
	return func(r *R) error { *list = append(*list, *r); return nil }
}

func TestRowsOfABatchComeInOrderWhenItIsSent(t *testing.T) {
	t.Parallel()

	pool := lonely(t)
	tx, err := pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(t.Context()) }()
	for name, db := range map[string]postgres.DB{"a transaction": tx, "a pool": postgrestest.DB(t)} {
		var first, second, none []numberRow
		b := postgres.NewBatch("")
		postgres.Many(b, numbers, &numberParams{3, 5}, keep(&first))
		postgres.One(b, number, &numberParams{7, 9}, keep(&second)) // the first of three
		postgres.Many(b, numbers, &numberParams{2, 1}, keep(&none))
		postgres.One(b, number, &numberParams{2, 1}, keep(&none))
		if first != nil || second != nil {
			t.Errorf("%s: rows came before the batch was sent", name)
		}

		if err := b.Send(t.Context(), db); err != nil {
			t.Fatalf("%s: %v", name, err)
		}

		if diff := cmp.Diff([]numberRow{{3, new("3")}, {4, nil}, {5, new("5")}}, first); diff != "" {
			t.Errorf("%s: many rows (-want +got):\n%s", name, diff)
		}
		if diff := cmp.Diff([]numberRow{{7, new("7")}}, second); diff != "" {
			t.Errorf("%s: one row (-want +got):\n%s", name, diff)
		}
		if none != nil {
			t.Errorf("%s: %v is there, want nothing", name, none)
		}
	}
}

func TestBatchFailsWithItsQuery(t *testing.T) {
	t.Parallel()

	pool := lonely(t)
	mine := errors.New("no sense in it")
	for _, tt := range []struct {
		name    string
		queue   func(*postgres.Batch)
		code    string // of the database, if the error is its
		is      error
		members string // afterwards: a reader cannot undo what a pool has committed
	}{
		{"the statement fails", func(b *postgres.Batch) { postgres.One(b, quotient, 0, func(int32) error { return nil }) }, "22012", nil, ""},
		{"a row that nobody needs fails", func(b *postgres.Batch) { postgres.One(b, quotient, 0, nil) }, "22012", nil, ""},
		{"the row does not fit", func(b *postgres.Batch) { postgres.One(b, quotient, -1, func(int32) error { return nil }) }, "", nil, "ada"},
		{"the reader of one refuses", func(b *postgres.Batch) { postgres.One(b, quotient, 4, func(int32) error { return mine }) }, "", mine, "ada"},
		{"the reader of many refuses", func(b *postgres.Batch) {
			seen := 0
			postgres.Many(b, numbers, &numberParams{1, 3}, func(*numberRow) error {
				if seen++; seen > 1 {
					t.Error("a row was read after one was refused")
				}
				return mine
			})
		}, "", mine, "ada"},
		{"a statement before it fails", func(b *postgres.Batch) {
			_, _ = b.Exec(t.Context(), `SELECT 1/0`)
			postgres.One(b, quotient, 4, func(int32) error { t.Error("a row was read of a batch that failed"); return nil })
		}, "22012", nil, ""},
	} {
		tenant := postgrestest.Tenant(t, pool)
		b := postgres.NewBatch(tenant)
		postgres.One(b, addedMember, tenant, nil)
		tt.queue(b)

		err := b.Send(t.Context(), pool)

		if err == nil || postgres.Code(err) != tt.code || (tt.is != nil && !errors.Is(err, tt.is)) {
			t.Errorf("%s: Send = %v, want %q or %v", tt.name, err, tt.code, tt.is)
		}
		if got := members(t, pool, tenant); got != tt.members {
			t.Errorf("%s: members are %q, want %q", tt.name, got, tt.members)
		}
	}
}

// A function that is not one statement cannot be queued; such a batch is not sent at
// all.
func TestBatchTakesOneStatementAFunction(t *testing.T) {
	t.Parallel()

	pool := lonely(t)
	for name, f := range map[string]func(context.Context, dbtx, int32) (int32, error){
		"none": func(context.Context, dbtx, int32) (int32, error) { return 0, nil },
		"two": func(ctx context.Context, db dbtx, n int32) (int32, error) {
			_, _ = quotient(ctx, db, n)
			return quotient(ctx, db, n)
		},
		"one whose error it hides": func(ctx context.Context, db dbtx, n int32) (int32, error) {
			out, _ := quotient(ctx, db, n)
			return out, nil
		},
	} {
		tenant := postgrestest.Tenant(t, pool)
		b := postgres.NewBatch(tenant)
		postgres.One(b, addedMember, tenant, nil)
		postgres.One(b, f, 4, func(int32) error { return nil })

		err := b.Send(t.Context(), pool)

		if got := members(t, pool, tenant); err == nil || !strings.Contains(err.Error(), "want one statement") || got != "" {
			t.Errorf("%s: Send = %v and members are %q, want an error and none", name, err, got)
		}
	}
}
