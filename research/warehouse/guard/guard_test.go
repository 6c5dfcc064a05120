package guard

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
)

// policy is that of the corpora: a shop of many tenants, and tables with odd names.
var policy = Policy{
	Dialect: PostgreSQL,
	Relations: []Relation{
		{Schema: "sales", Name: "orders", Columns: []string{"id", "tenant", "customer_id", "total", "status", "placed_at", "details"}},
		{Schema: "sales", Name: "customers", Columns: []string{"id", "tenant", "country"}},
		{Schema: "sales", Name: "order_items", Columns: []string{"id", "tenant", "order_id", "product_id", "quantity", "unit_price", "discount"}},
		{Schema: "sales", Name: "products", Columns: []string{"id", "sku", "name", "category", "price", "tags", "attrs", "created_at"}},
		{Schema: "sales", Name: "events", Columns: []string{"id", "tenant", "user_id", "name", "occurred_at", "properties", "session_id"}},
		{Schema: "sales", Name: "sessions", Columns: []string{"id", "tenant", "user_id", "started_at", "ended_at", "device", "ip"}},
		{Schema: "sales", Name: "users", Columns: []string{"id", "tenant", "email", "full_name", "plan", "signed_up", "manager_id", "active"}},
		{Schema: "sales", Name: "subscriptions", Columns: []string{"id", "tenant", "user_id", "plan", "mrr", "started_on", "ended_on"}},
		{Schema: "sales", Name: "payments", Columns: []string{"id", "tenant", "order_id", "amount", "method", "paid_at", "refunded"}},
		{Schema: "sales", Name: "employees", Columns: []string{"id", "tenant", "name", "department", "salary", "manager_id", "hired_on"}},
		{Schema: "sales", Name: "categories", Columns: []string{"id", "parent_id", "name"}},
		{Schema: "sales", Name: "calendar", Columns: []string{"day", "holiday"}},
		{Schema: "public", Name: "WebTraffic", Columns: []string{"Page URL", "Visits", "tenant", "visitedAt"}},
		{Schema: "public", Name: "Odd Table", Columns: []string{"a b", "select"}},
	},
	Schemas: []string{"sales", "public"},
	Filter:  Filter{Column: "tenant", Value: "o'hara"},
}

func newGuard(t testing.TB, p Policy) *Guard {
	t.Helper()
	g, err := New(p)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// corpus returns the statements of a file.
func corpus(t testing.TB, name string) []string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, p := range strings.Split(string(data), "\n\n") {
		lines := strings.Split(strings.TrimSpace(p), "\n")
		for len(lines) > 1 && strings.HasPrefix(lines[0], "-- ") {
			lines = lines[1:]
		}
		if s := strings.Join(lines, "\n"); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// corpora are the dialects that have a corpus of their own here.
var corpora = []Dialect{PostgreSQL, MySQL, BigQuery, Snowflake, SQLServer, ClickHouse}

// policyOf is the policy of the corpora for a dialect.
func policyOf(d Dialect) Policy {
	p := policy
	p.Dialect = d
	return p
}

// kin are dialects with the grammar of another: what is hostile there is hostile
// here.
var kin = map[Dialect]Dialect{Redshift: PostgreSQL, MariaDB: MySQL}

func TestRefused(t *testing.T) {
	t.Parallel()

	for _, d := range append([]Dialect{Redshift, MariaDB}, corpora...) {
		g, of := newGuard(t, policyOf(d)), d
		if kin[d] != "" {
			of = kin[d]
		}
		for _, sql := range corpus(t, string(of)+"_refused.sql") {
			got, err := g.Check(sql)
			var r *Refusal
			if !errors.As(err, &r) || r.What == "" {
				t.Errorf("%s: %s\nmay run as %s (%v)", d, sql, got.SQL, err)
			}
		}
	}
}

func TestAccepted(t *testing.T) {
	t.Parallel()

	for _, d := range corpora {
		g := newGuard(t, policyOf(d))
		for _, sql := range corpus(t, string(d)+"_accepted.sql") {
			if _, err := g.Check(sql); err != nil {
				t.Errorf("%s: %s\nis refused: %v", d, sql, err)
			}
		}
	}
}

func TestFilter(t *testing.T) {
	t.Parallel()

	g := newGuard(t, policy)
	for sql, want := range map[string]string{
		"SELECT total FROM Orders o":                         `SELECT total FROM (SELECT * FROM sales.orders orders WHERE orders.tenant = 'o''hara') o`,
		"SELECT sales.orders.total FROM sales.orders":        `SELECT orders.total FROM (SELECT * FROM sales.orders orders WHERE orders.tenant = 'o''hara') orders`,
		"WITH orders AS (SELECT * FROM orders) TABLE orders": `WITH orders AS (SELECT * FROM (SELECT * FROM sales.orders orders WHERE orders.tenant = 'o''hara') orders) SELECT * FROM orders`,
		`SELECT count(*) FROM "Odd Table"`:                   `SELECT pg_catalog.count(*) FROM public."Odd Table" "Odd Table"`,
	} {
		got, err := g.Check(sql)
		if err != nil || got.SQL != want {
			t.Errorf("%s\nbecomes %s (%v)\nwant    %s", sql, got.SQL, err, want)
		}
	}
}

// What is read is one tenant's, in every dialect, whatever the table is called.
func TestFilterOfDialects(t *testing.T) {
	t.Parallel()

	for d, want := range map[Dialect]string{
		MySQL: "SELECT `o`.`total` FROM (SELECT * FROM `sales`.`orders` AS `orders` WHERE `orders`.`tenant` = 'o''hara' AND " +
			"CAST(CONVERT(`orders`.`tenant` USING 'utf8mb4') AS BINARY) = CAST('o''hara' AS BINARY)) AS `o`",
		BigQuery:  "SELECT o.total FROM (SELECT * FROM `sales.orders` AS `orders` WHERE `orders`.`tenant` = 'o\\'hara') AS `o`",
		Snowflake: `SELECT o.total FROM (SELECT * FROM "sales"."orders" AS "orders" WHERE "orders"."tenant" = 'o''hara') AS "O"`,
		SQLServer: "SELECT o.total FROM (SELECT * FROM [sales].[orders] AS [orders] WHERE [orders].[tenant] = N'o''hara' AND " +
			"CAST(CAST([orders].[tenant] AS nvarchar(4000)) AS varbinary(8000)) = CAST(N'o''hara' AS varbinary(8000))) AS [o]",
		ClickHouse: "SELECT o.total FROM (SELECT * FROM `sales`.`orders` AS `orders` WHERE `orders`.`tenant` = 'o''hara') AS `o`",
	} {
		got, err := newGuard(t, policyOf(d)).Check("SELECT o.total FROM Orders o -- all")
		if err != nil || got.SQL != want || len(got.Filtered) != 1 {
			t.Errorf("%s: it becomes %s (%v)\nwant %s", d, got.SQL, err, want)
		}
	}
}

// A name that WITH gives is printed as one that no table has: a server that does not
// see it where it is used finds nothing.
func TestNamesOfWith(t *testing.T) {
	t.Parallel()

	for d, want := range map[Dialect]string{
		MySQL:      "WITH `quaestor_with_1` AS (SELECT 1 AS `a`) SELECT * FROM `quaestor_with_1` AS `salaries`",
		ClickHouse: "WITH `quaestor_with_1` AS (SELECT 1 AS `a`) SELECT * FROM `quaestor_with_1` AS `salaries`",
		Snowflake:  `WITH "quaestor_with_1" AS (SELECT 1 AS "A") SELECT * FROM "quaestor_with_1" AS "SALARIES"`,
		SQLServer:  "WITH [quaestor_with_1] AS (SELECT 1 AS [a]) SELECT * FROM [quaestor_with_1] AS [salaries]",
	} {
		got, err := newGuard(t, policyOf(d)).Check("WITH Salaries AS (SELECT 1 AS a) SELECT * FROM salaries")
		if err != nil || got.SQL != want {
			t.Errorf("%s: it becomes %s (%v)\nwant %s", d, got.SQL, err, want)
		}
	}
}

// What newer servers run than the one of the tests is read and printed all the same.
func TestAcceptedOfNewerServers(t *testing.T) {
	t.Parallel()

	for d, name := range map[Dialect]string{PostgreSQL: "postgresql_newer.sql", MySQL: "mysql_newer.sql"} {
		for _, sql := range corpus(t, name) {
			if _, err := newGuard(t, policyOf(d)).Check(sql); err != nil {
				t.Errorf("%s: %s\nis refused: %v", d, sql, err)
			}
			stays(t, d, sql)
		}
	}
}

// Redshift and MariaDB have functions of their own, and not those of the other.
func TestFunctionsOfDialects(t *testing.T) {
	t.Parallel()

	for sql, want := range map[string]map[Dialect]bool{
		"SELECT LISTAGG(status, ',') WITHIN GROUP (ORDER BY status), DATEADD(day, 1, placed_at), NVL(total, 0) FROM orders": {Redshift: true, PostgreSQL: false},
		"SELECT JSON_COMPACT(details) FROM orders":              {MariaDB: true, MySQL: false},
		"SELECT REGEXP_LIKE(status, 'a') FROM orders":           {MySQL: true, MariaDB: false},
		"SELECT pg_sleep(1) FROM orders":                        {Redshift: false, PostgreSQL: false},
		"SELECT SLEEP(1) FROM orders":                           {MySQL: false, MariaDB: false},
		"SELECT count(*), upper(status) FROM orders GROUP BY 2": {Redshift: true, PostgreSQL: true, MySQL: true, MariaDB: true},
	} {
		for d, passes := range want {
			if got, err := newGuard(t, policyOf(d)).Check(sql); (err == nil) != passes {
				t.Errorf("%s: %s becomes %s (%v)", d, sql, got.SQL, err)
			}
		}
	}
}

func TestText(t *testing.T) {
	t.Parallel()

	for sql, rule := range map[string]Rule{
		"": RuleText, "  \n": RuleText, "SELECT 1\x00": RuleText, "SELECT '\xff'": RuleText, "SELECT\u200b1": RuleText, "SELECT 1 \U000e0041": RuleText,
		"SELECT '" + strings.Repeat("a", maxSQL) + "'": RuleSize,
		"SELECT '\u200b', '/*! */', '--+ x'":           "", "SELECT $a$/*! */$a$": "", "SELECT 1 /* plain /* nested */ */ -- end": "",
	} {
		r := checkText(sql, &pgLexicon)
		if r == nil && rule != "" || r != nil && r.Rule != rule {
			t.Errorf("%.60q is refused with %v, want %q", sql, r, rule)
		}
	}
}

func TestDeepStatements(t *testing.T) {
	t.Parallel()

	g := newGuard(t, policy)
	for _, sql := range []string{
		"SELECT " + strings.Repeat("(", 5000) + "1" + strings.Repeat(")", 5000),
		"SELECT " + strings.Repeat("-", 300) + "1",
		"SELECT 1" + strings.Repeat(" + 1", 15_000),
		strings.Repeat("SELECT * FROM (", 300) + "SELECT 1" + strings.Repeat(") x", 300),
		"SELECT " + strings.Repeat("NOT ", 3000) + "true",
	} {
		if got, err := g.Check(sql); err == nil && len(got.SQL) > 2*maxSQL {
			t.Errorf("%.40s… passes as %d bytes", sql, len(got.SQL))
		}
	}
}

// The columns that a statement names are told as it writes them, without the words that only look
// like columns.
func TestColumnsOfAStatement(t *testing.T) {
	t.Parallel()

	for d, sql := range map[Dialect]string{
		PostgreSQL: `SELECT sum(total), max(orders.status), date_trunc('day', placed_at) FROM sales.orders WHERE evil > current_date AND total > 1`,
		Redshift:   `SELECT sum(total), max(orders.status), date_trunc('day', placed_at) FROM sales.orders WHERE evil > 2 AND total > 1`,
		MySQL:      "SELECT sum(total), max(orders.status), extract(year from placed_at) FROM sales.orders WHERE evil > NULL AND total > 1",
		BigQuery:   "SELECT sum(total), max(orders.status), date_trunc(placed_at, MONTH) FROM sales.orders WHERE evil > CURRENT_DATE AND total > 1",
		Snowflake:  `SELECT sum(total), max(orders.status), datediff(day, placed_at, placed_at) FROM sales.orders WHERE evil IS NOT NULL AND total > 1`,
		SQLServer:  `SELECT sum(total), max(orders.status), datepart(weekday, placed_at) FROM sales.orders WHERE evil > 2 AND total > 1`,
		ClickHouse: "SELECT sum(total), max(orders.status), toStartOfMonth(placed_at) FROM sales.orders WHERE evil > NULL AND total > 1",
	} {
		p := policyOf(d)
		p.Filter = Filter{}
		got, err := newGuard(t, p).Check(sql)
		want := []Column{{"", "total"}, {"orders", "status"}, {"", "placed_at"}, {"", "evil"}}
		if err != nil || !slices.Equal(got.Columns, want) {
			t.Errorf("%s: %v (%v), want %v", d, got.Columns, err, want)
		}
	}
}
