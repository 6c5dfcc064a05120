package metrics

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/research/warehouse/metrics/internal/dbsqlc"
)

// Example is a question about a warehouse with a query that somebody has verified.
type Example struct {
	ID, Question, SQL, VerifiedBy string
	VerifiedAt                    time.Time
}

// Bounds of examples.
const (
	MaxExamples = 200
	maxQuestion = 500 // characters
)

// Examples returns the verified questions of a warehouse, the latest first, at most
// [MaxExamples].
func (s Store) Examples(ctx context.Context, tenant, warehouse string) (out []Example, err error) {
	err = postgres.InTx(ctx, s.Pool, tenant, func(tx pgx.Tx) error {
		rows, err := queries.ExampleList(ctx, tx, &dbsqlc.ExampleListParams{TenantID: tenant, WarehouseID: warehouse, Most: MaxExamples})
		for _, r := range rows {
			out = append(out, toExample(r))
		}
		return err
	})
	return out, worded(err, "list examples")
}

func toExample(r *dbsqlc.WarehouseExample) Example {
	return Example{r.ID, r.Question, r.Query, r.VerifiedBy, r.VerifiedAt}
}

// Verify stores a query as the answer to a question, in the place of an earlier one. It is
// Unprocessable if the guard of the warehouse would not let it run.
func (s Store) Verify(ctx context.Context, tenant, warehouse, by, question, sql string) (Example, error) {
	question, sql = strings.TrimSpace(question), strings.TrimSpace(sql)
	c, err := s.checker(ctx, tenant, warehouse)
	if err != nil {
		return Example{}, err
	}
	defer func() { _ = c.Close() }() // nothing was sent through it
	if err := c.checkExample(question, sql); err != nil {
		return Example{}, err
	}
	var out Example
	err = postgres.InTx(ctx, s.Pool, tenant, func(tx pgx.Tx) error {
		out, err = verify(ctx, tx, tenant, warehouse, by, question, sql)
		return err
	})
	return out, worded(err, "verify a query")
}

// checkExample returns what is wrong with a question and its query.
func (c *checker) checkExample(question, sql string) error {
	if n := utf8.RuneCountInString(question); n == 0 || n > maxQuestion {
		return wrong("question", "has 1 to %d characters, not %d", maxQuestion, n)
	}
	return c.refusal("sql", sql)
}

// verify stores an example that was checked.
func verify(ctx context.Context, tx pgx.Tx, tenant, warehouse, by, question, sql string) (Example, error) {
	row, err := queries.ExamplePut(ctx, tx, &dbsqlc.ExamplePutParams{TenantID: tenant, WarehouseID: warehouse, Question: question, Query: sql, By: by})
	if err != nil {
		return Example{}, err
	}
	all, err := queries.ExampleList(ctx, tx, &dbsqlc.ExampleListParams{TenantID: tenant, WarehouseID: warehouse, Most: MaxExamples + 1})
	if len(all) > MaxExamples {
		return Example{}, fault.New(fault.Conflict, "a warehouse has at most %d verified questions; delete some first", MaxExamples).Coded("too_many_examples")
	}
	return toExample(row), err
}

// Unverify deletes a verified question.
func (s Store) Unverify(ctx context.Context, tenant, warehouse, id string) error {
	err := postgres.InTx(ctx, s.Pool, tenant, func(tx pgx.Tx) error {
		_, err := queries.ExampleDelete(ctx, tx, &dbsqlc.ExampleDeleteParams{TenantID: tenant, WarehouseID: warehouse, ID: id})
		return err
	})
	return worded(err, "delete an example")
}
