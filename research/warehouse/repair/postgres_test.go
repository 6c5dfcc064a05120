package repair_test

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"quaestor/internal/postgres/postgrestest"
	"quaestor/internal/secret"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/guard"
	"quaestor/research/warehouse/pgwire"
	"quaestor/research/warehouse/repair"
	"quaestor/research/warehouse/wire"
)

// real is a PostgreSQL behind the guard.
type real struct {
	scripted // for what is not asked
	conn     warehouse.Conn
	index    *catalog.Index
	guard    *guard.Guard
}

func (r *real) Catalog() *catalog.Index { return r.index }

func (r *real) Ask(ctx context.Context, q warehouse.Query) (warehouse.Answer, error) {
	s, err := r.guard.Check(q.SQL)
	var refusal *guard.Refusal
	if errors.As(err, &refusal) {
		class := warehouse.Forbidden
		switch refusal.Rule {
		case guard.RuleSyntax:
			class = warehouse.SyntaxError
		case guard.RuleRelation:
			class = warehouse.UnknownTable
		case guard.RuleText, guard.RuleStatement, guard.RuleFunction, guard.RuleOperator, guard.RuleType, guard.RuleNode, guard.RuleSize:
		}
		return warehouse.Answer{}, warehouse.NewQueryError(class, refusal.Error(), "", err)
	}
	result, err := r.conn.Query(ctx, s, warehouse.Limits{}.OrDefault())
	return warehouse.Answer{Result: result, Sent: s}, err
}

// openReal returns a warehouse of two tables with rows.
func openReal(t *testing.T) *real {
	t.Helper()
	at := postgrestest.URL(t)
	super, err := pgx.Connect(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = super.Close(context.Background()) })
	for _, sql := range []string{
		`CREATE SCHEMA sales`,
		`CREATE TABLE sales.orders (order_id bigint, customer_id bigint, ordered_at timestamp, shipped_at timestamp, amount double precision, quantity integer, status text, "order" integer)`,
		`CREATE TABLE sales.customers (customer_id bigint, country text, "CustomerName" text)`,
		`INSERT INTO sales.orders SELECT n, n % 7, timestamp '2026-01-01' + n * interval '1 hour', timestamp '2026-01-02' + n * interval '1 hour', n, n % 3, 'paid', n FROM generate_series(1, 500) AS n`,
		`INSERT INTO sales.customers SELECT n, 'country ' || n % 2, 'name ' || n FROM generate_series(0, 6) AS n`,
	} {
		if _, err := super.Exec(t.Context(), sql); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	u, err := url.Parse(at)
	if err != nil {
		t.Fatal(err)
	}
	connector := &pgwire.Connector{Reach: wire.Reach{Sockets: true}}
	conn, err := connector.Open(t.Context(), warehouse.Settings{Kind: warehouse.PostgreSQL, Secret: secret.New("not-asked-for"), Options: map[string]string{
		wire.Host: u.Query().Get("host"), wire.Port: u.Query().Get("port"), wire.Database: strings.TrimPrefix(u.Path, "/"), wire.User: u.User.Username()}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	r := &real{scripted: scripted{dialect: guard.PostgreSQL}, conn: conn}
	var tables []catalog.Table
	policy := guard.Policy{Dialect: guard.PostgreSQL, Schemas: []string{"sales"}}
	if err := conn.Tables(t.Context(), policy.Schemas, func(table catalog.Table) error {
		tables = append(tables, table)
		relation := guard.Relation{Schema: table.Schema, Name: table.Name}
		for _, c := range table.Columns {
			relation.Columns = append(relation.Columns, c.Name)
		}
		policy.Relations = append(policy.Relations, relation)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	r.index = catalog.NewIndex(tables)
	if r.guard, err = guard.New(policy); err != nil {
		t.Fatal(err)
	}
	return r
}

// What the rules make of broken statements runs on PostgreSQL, guard and all.
func TestRulesRepairWhatPostgreSQLRefuses(t *testing.T) {
	t.Parallel()

	src := openReal(t)
	for _, sql := range []string{
		"```sql\nSELECT count(*) FROM sales.orders;\n```",
		"SELECT `status`, count(*) FROM `sales`.`orders` GROUP BY `status`",
		"SELECT staus, sum(amuont) FROM sales.orders GROUP BY staus",
		"SELECT CustomerName FROM sales.customers",
		"SELECT country, count(*) FROM sales.customer GROUP BY country",
		"SELECT order FROM sales.orders ORDER BY order LIMIT 3",
		"SELECT TOP 5 order_id FROM sales.orders ORDER BY amount DESC",
		"SELECT DATE_FORMAT(ordered_at, '%Y-%m') AS m, COUNTIF(status = 'paid') FROM sales.orders GROUP BY 1",
		"SELECT avg(DATEDIFF(hour, ordered_at, shipped_at)) FROM sales.orders WHERE ordered_at > now() - INTERVAL 900 DAY",
		"SELECT IFNULL(median(amount), 0) FROM sales.orders",
		"SELECT amount / quantity AS each FROM sales.orders",
		"SELECT round(avg(amount), 2) FROM sales.orders",
		"SELECT status, country, count(*) FROM sales.orders o JOIN sales.customers c ON o.customer_id = c.customer_id GROUP BY country",
		"SELECT customer_id, count(*) FROM sales.orders o JOIN sales.customers c ON o.customer_id = c.customer_id GROUP BY customer_id",
		"SELECT status, count(*) AS n FROM sales.orders GROUP BY status HAVING n > 5",
		"SELECT status FROM sales.orders WHERE count(*) > 5 GROUP BY status",
		`SELECT count(*) FROM sales.orders WHERE status = "paid"`,
		"SELECT orders.amount FROM sales.orders o LIMIT 1",
		"SELECT count(*) FROM sales.orders WHERE status RLIKE 'PA'",
		"SELECT strftime('%Y-%m', ordered_at), sum(IF(status = 'paid', amount, 0)) FROM sales.orders GROUP BY 1",
	} {
		answer, fixes, err := repair.Run(t.Context(), repair.Fixer{}, src, question(sql), repair.Options{})
		if err != nil || len(fixes) == 0 || answer.Result.Rows == 0 {
			t.Errorf("%s\n  %v after %+v", sql, err, fixes)
		}
	}
}
