package guard

import (
	"strings"
	"testing"
)

// A refusal names what is refused, and what to write in its place: whoever wrote the statement
// writes it again from these words alone.
func TestRefusalsNameTheConstructAndTheRemedy(t *testing.T) {
	t.Parallel()

	for _, c := range []struct {
		dialect       Dialect
		sql           string
		names, remedy string
	}{
		{PostgreSQL, "SELECT pg_read_file('/etc/passwd')", "pg_read_file", "table of the catalog"},
		{PostgreSQL, "SELECT pg_sleep(5)", "pg_sleep", "waits"},
		{PostgreSQL, "SELECT nextval('orders_id_seq')", "nextval", "ROW_NUMBER"},
		{PostgreSQL, "SELECT * FROM dblink('x', 'SELECT 1') AS t(a int)", "dblink", "warehouse of its own"},
		{PostgreSQL, "SELECT current_user", "current_user", "leave it out"},
		{PostgreSQL, "SELECT crosstab('SELECT 1')", "crosstab", "SUM(CASE"},
		{PostgreSQL, "SELECT * FROM orders, XMLTABLE('/a' PASSING details COLUMNS b text)", "XMLTABLE", "columns of the tables"},
		{PostgreSQL, "SELECT * FROM orders FOR UPDATE", "FOR UPDATE", "leave it out"},
		{PostgreSQL, "SELECT * INTO x FROM orders", "INTO", "leave INTO out"},
		{PostgreSQL, "SELECT total FROM order", "", "fix its syntax"},
		{Redshift, "SELECT TOP 10 * FROM orders", "TOP", "LIMIT"},
		{Redshift, "SELECT id FROM orders QUALIFY ROW_NUMBER() OVER (ORDER BY id) = 1", "QUALIFY", "WHERE around it"},
		{Redshift, "SELECT * FROM orders PIVOT (SUM(total) FOR status IN ('a'))", "PIVOT", "SUM(CASE"},
		{Redshift, "SELECT APPROXIMATE COUNT(DISTINCT id) FROM orders", "APPROXIMATE", "COUNT(DISTINCT"},
		{Redshift, "SELECT * FROM JSON_TABLE('[]', '$' COLUMNS (a int PATH '$'))", "JSON_TABLE", "JSON_EXTRACT"},
		{MySQL, "SELECT * FROM JSON_TABLE('[]', '$' COLUMNS (a INT PATH '$')) AS j", "JSON_TABLE", "JSON_EXTRACT"},
		{MySQL, "SELECT LOAD_FILE('/etc/passwd')", "load_file", "table of the catalog"},
		{MySQL, "SELECT SLEEP(5)", "sleep", "waits"},
		{MySQL, "SELECT id FROM orders QUALIFY ROW_NUMBER() OVER (ORDER BY id) = 1", "QUALIFY", "WHERE around it"},
		{BigQuery, "SELECT EXTERNAL_QUERY('c', 'SELECT 1')", "external_query", "warehouse of its own"},
		{BigQuery, "FROM orders |> INSERT INTO orders", "INSERT", "nothing is stored"},
		{BigQuery, "FROM orders |> CALL f()", "CALL", "FROM"},
		{Snowflake, "SELECT * FROM orders MATCH_RECOGNIZE (ORDER BY id PATTERN (a) DEFINE a AS true)", "MATCH_RECOGNIZE", "window functions"},
		{Snowflake, "SELECT CURRENT_USER()", "current_user", "leave it out"},
		{SQLServer, "SELECT status FROM orders FOR JSON PATH", "FOR JSON", "rows are returned"},
		{SQLServer, "SELECT * FROM OPENROWSET('x', 'y', 'SELECT 1')", "openrowset", "table of the catalog"},
		{SQLServer, "SELECT * FROM orders OPTION (RECOMPILE)", "OPTION", "MAXRECURSION"},
		{ClickHouse, "SELECT * FROM url('http://x', CSV)", "url", "table of the catalog"},
		{ClickHouse, "SELECT * FROM remote('h', d, t)", "remote", "warehouse of its own"},
		{ClickHouse, "SELECT dictGet('d', 'a', 1)", "dictget", "join"},
		{ClickHouse, "SELECT * FROM orders SETTINGS max_threads = 1", "SETTINGS", "leave it out"},
		{ClickHouse, "SELECT * FROM orders FORMAT JSON", "FORMAT", "leave it out"},
		{ClickHouse, "SELECT * APPLY (sleep) FROM orders", "sleep", "waits"},
	} {
		_, err := newGuard(t, policyOf(c.dialect)).Check(c.sql)
		if err == nil || !strings.Contains(strings.ToLower(err.Error()), strings.ToLower(c.names)) || !strings.Contains(err.Error(), c.remedy) {
			t.Errorf("%s: %s\nis refused with %v, want %q and %q", c.dialect, c.sql, err, c.names, c.remedy)
		}
	}
}

// What draws numbers gives something else each time, so that these statements cannot be run
// beside themselves, as the other accepted ones are.
func TestNumbersMayBeDrawn(t *testing.T) {
	t.Parallel()

	for _, sql := range corpus(t, "postgresql_drawn.sql") {
		if _, err := newGuard(t, policy).Check(sql); err != nil {
			t.Errorf("%s\nis refused: %v", sql, err)
		}
		stays(t, PostgreSQL, sql)
	}
}

// The tables of pipes, and of documents, are those of the policy, and read through its filter.
func TestNewConstructsAreHeld(t *testing.T) {
	t.Parallel()

	for _, c := range []struct {
		dialect   Dialect
		sql, want string
	}{
		{BigQuery, "FROM orders |> WHERE total > 1 |> AGGREGATE SUM(total) AS t GROUP BY status", "FROM (SELECT * FROM `sales.orders` AS `orders` WHERE `orders`.`tenant` = 'o\\'hara') AS `orders` |> WHERE total > 1 |> AGGREGATE SUM(total) AS `t` GROUP BY status"},
		{BigQuery, "WITH orders AS (SELECT 1 AS id) FROM orders |> JOIN sales.orders AS o USING (id)", "WITH `quaestor_with_1` AS (SELECT 1 AS `id`) FROM `quaestor_with_1` AS `orders` |> JOIN (SELECT * FROM `sales.orders` AS `orders` WHERE `orders`.`tenant` = 'o\\'hara') AS `o` USING (`id`)"},
		{BigQuery, "FROM customers |> UNION ALL (FROM orders |> SELECT id, tenant, status)", "FROM (SELECT * FROM `sales.customers` AS `customers` WHERE `customers`.`tenant` = 'o\\'hara') AS `customers` |> UNION ALL (FROM (SELECT * FROM `sales.orders` AS `orders` WHERE `orders`.`tenant` = 'o\\'hara') AS `orders` |> SELECT id, tenant, status)"},
		{PostgreSQL, "SELECT j.a FROM orders o, JSON_TABLE(o.details, '$[*]' COLUMNS (a int PATH '$')) j", "SELECT j.a FROM (SELECT * FROM sales.orders orders WHERE orders.tenant = 'o''hara') o, JSON_TABLE(o.details , '$[*]' COLUMNS (a int PATH '$')) j"},
	} {
		got, err := newGuard(t, policyOf(c.dialect)).Check(c.sql)
		if err != nil || got.SQL != c.want {
			t.Errorf("%s: %s\nbecomes %s (%v)\nwant    %s", c.dialect, c.sql, got.SQL, err, c.want)
		}
	}
}
