package insight_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"quaestor/internal/postgres/postgrestest"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/digest"
	"quaestor/research/warehouse/guard"
	"quaestor/research/warehouse/insight"
)

func init() { engines["postgres"] = postgres }

// postgres loads a warehouse into PostgreSQL, which is asked only what passes the guard.
func postgres(t *testing.T, g grown) (guard.Dialect, insight.Asker) {
	t.Helper()
	pool := postgrestest.Superuser(t, postgrestest.DB(t))
	if _, err := pool.Exec(t.Context(), "CREATE SCHEMA w"); err != nil {
		t.Fatal(err)
	}
	policy := guard.Policy{Dialect: guard.PostgreSQL}
	for _, table := range g.tables {
		var columns, names []string
		for _, c := range table.columns {
			columns, names = append(columns, fmt.Sprintf(`%q %s`, c.Name, c.Type)), append(names, c.Name)
		}
		if _, err := pool.Exec(t.Context(), fmt.Sprintf(`CREATE TABLE w.%q (%s)`, table.name, strings.Join(columns, ", "))); err != nil {
			t.Fatal(err)
		}
		if _, err := pool.CopyFrom(t.Context(), pgx.Identifier{"w", table.name}, names, pgx.CopyFromRows(table.rows)); err != nil {
			t.Fatal(err)
		}
		policy.Relations = append(policy.Relations, guard.Relation{Schema: "w", Name: table.name, Columns: names})
	}
	if _, err := pool.Exec(t.Context(), "ANALYZE"); err != nil {
		t.Fatal(err)
	}
	check, err := guard.New(policy)
	if err != nil {
		t.Fatal(err)
	}
	return guard.PostgreSQL, func(ctx context.Context, _, query string) (*warehouse.Result, error) {
		s, err := check.Check(query)
		if err != nil {
			return nil, fmt.Errorf("%w in\n%s", err, query)
		}
		rows, err := pool.Query(ctx, s.SQL)
		if err != nil {
			return nil, fmt.Errorf("%w in\n%s", err, query)
		}
		defer rows.Close()
		var names []string
		for _, f := range rows.FieldDescriptions() {
			names = append(names, f.Name)
		}
		var cells [][]any
		for rows.Next() {
			values, err := rows.Values()
			if err != nil {
				return nil, err
			}
			for i, v := range values {
				values[i] = plain(v)
			}
			cells = append(cells, values)
		}
		if err := rows.Err(); err != nil {
			return nil, fmt.Errorf("%w in\n%s", err, query)
		}
		return &warehouse.Result{Columns: digest.FromRows(names, cells), Rows: len(cells)}, nil
	}
}

// plain returns a number of PostgreSQL as one of Go.
func plain(v any) any {
	if n, ok := v.(pgtype.Numeric); ok {
		f, err := n.Float64Value()
		if err != nil || !f.Valid {
			return nil
		}
		return f.Float64
	}
	return v
}
