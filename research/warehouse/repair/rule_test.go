package repair_test

import (
	"testing"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/guard"
	"quaestor/research/warehouse/repair"
)

// shop is what the statements below are about.
func shop() *catalog.Index {
	columns := func(pairs ...string) (out []catalog.Column) {
		for i := 0; i < len(pairs); i += 2 {
			out = append(out, catalog.Column{Name: pairs[i], Type: pairs[i+1]})
		}
		return out
	}
	return catalog.NewIndex([]catalog.Table{
		{Schema: "sales", Name: "orders", Columns: columns("order_id", "bigint", "customer_id", "bigint", "ordered_at", "timestamp", "shipped_at", "timestamp", "amount", "numeric", "discount", "numeric", "status", "text", "order", "integer", "quantity", "integer")},
		{Schema: "sales", Name: "customers", Columns: columns("customer_id", "bigint", "country", "text", "signup_date", "date", "CustomerName", "text", "group", "text")},
		{Schema: "sales", Name: "OrderItems", Columns: columns("order_id", "bigint", "sku", "text", "unitPrice", "numeric")},
		{Schema: "ops", Name: "flights", Columns: columns("origin", "text", "destination", "text", "delay", "integer", "distance", "integer", "date", "timestamp")},
		{Schema: "ops", Name: "user", Columns: columns("id", "bigint", "name", "text")},
		{Schema: "a", Name: "events", Columns: columns("id", "bigint")},
		{Schema: "b", Name: "events", Columns: columns("id", "bigint")},
	})
}

const (
	pg, my, duck, ms, bq, snow, red = guard.PostgreSQL, guard.MySQL, guard.DuckDB, guard.SQLServer, guard.BigQuery, guard.Snowflake, guard.Redshift

	syntax, column, table, function = warehouse.SyntaxError, warehouse.UnknownColumn, warehouse.UnknownTable, warehouse.UnknownFunction
)

// ailments are broken statements and what rules make of them; an empty want is one
// that no rule may touch.
var ailments = []struct {
	name    string
	dialect guard.Dialect
	class   warehouse.ErrorClass
	at      string // the name that the warehouse finds at fault
	sql     string
	want    string
}{
	{"fence", pg, syntax, "", "```sql\nSELECT 1\n```", "SELECT 1"},
	{"fence that does not end", duck, syntax, "", "Here it is:\n```\nSELECT 1", "SELECT 1"},
	{"semicolon", pg, warehouse.Forbidden, "", "SELECT count(*) FROM sales.orders;", "SELECT count(*) FROM sales.orders"},
	{"two semicolons", my, syntax, "", "SELECT 1 ; ;", "SELECT 1"},
	{"label", pg, syntax, "", "SQL: SELECT 1", "SELECT 1"},
	{"bent single quotes", pg, syntax, "", "SELECT count(*) FROM sales.orders WHERE status = ‘paid’", "SELECT count(*) FROM sales.orders WHERE status = 'paid'"},
	{"bent sign", duck, syntax, "", "SELECT * FROM sales.orders WHERE amount ≥ 5", "SELECT * FROM sales.orders WHERE amount >= 5"},
	{"bent quotes inside of a text stay", pg, syntax, "", "SELECT 'it’s'", ""},
	{"entities", my, syntax, "", "SELECT 1 FROM sales.orders WHERE amount &gt; 5", "SELECT 1 FROM sales.orders WHERE amount > 5"},
	{"no-break space", pg, syntax, "", "SELECT\u00a01", "SELECT 1"},
	{"comma before FROM", pg, syntax, "", "SELECT status, amount, FROM sales.orders", "SELECT status, amount FROM sales.orders"},
	{"comma before bracket", my, syntax, "", "SELECT coalesce(status, ) FROM sales.orders", "SELECT coalesce(status ) FROM sales.orders"},
	{"backticks", pg, syntax, "", "SELECT `status` FROM sales.`orders`", `SELECT "status" FROM sales."orders"`},
	{"double quotes of names", my, syntax, "", `SELECT "status" FROM "sales"."orders"`, "SELECT `status` FROM `sales`.`orders`"},
	{"brackets", pg, syntax, "", "SELECT [status] FROM [sales].[orders]", `SELECT "status" FROM "sales"."orders"`},
	{"brackets of an array stay", duck, syntax, "", "SELECT [1, 2], list[status] FROM sales.orders", ""},
	{"equals twice", pg, syntax, "", "SELECT 1 FROM sales.orders WHERE amount == 5", "SELECT 1 FROM sales.orders WHERE amount = 5"},
	{"whole division of DuckDB", pg, syntax, "", "SELECT amount // 2 FROM sales.orders", "SELECT amount / 2 FROM sales.orders"},
	{"whole division of DuckDB", my, syntax, "", "SELECT quantity // 2 FROM sales.orders", "SELECT quantity DIV 2 FROM sales.orders"},
	{"ILIKE", my, syntax, "", "SELECT 1 FROM sales.customers WHERE country ILIKE '%an%'", "SELECT 1 FROM sales.customers WHERE country LIKE '%an%'"},
	{"RLIKE", pg, syntax, "", "SELECT 1 FROM sales.customers WHERE country RLIKE 'an'", "SELECT 1 FROM sales.customers WHERE country ~* 'an'"},
	{"NULLS LAST", my, syntax, "", "SELECT status FROM sales.orders ORDER BY amount DESC NULLS LAST", "SELECT status FROM sales.orders ORDER BY amount DESC"},
	{"MINUS", pg, syntax, "", "SELECT 1 MINUS SELECT 2", "SELECT 1 EXCEPT SELECT 2"},
	{"TOP", pg, syntax, "", "SELECT TOP 5 status FROM sales.orders ORDER BY amount", "SELECT status FROM sales.orders ORDER BY amount LIMIT 5"},
	{"TOP in a query inside", duck, syntax, "", "SELECT * FROM (SELECT TOP (3) status FROM sales.orders) x", "SELECT * FROM (SELECT status FROM sales.orders LIMIT 3) x"},
	{"LIMIT", ms, syntax, "", "SELECT DISTINCT status FROM sales.orders ORDER BY status LIMIT 7", "SELECT DISTINCT TOP (7) status FROM sales.orders ORDER BY status"},
	{"LIMIT with two numbers", pg, syntax, "", "SELECT status FROM sales.orders LIMIT 10, 5", "SELECT status FROM sales.orders LIMIT 5 OFFSET 10"},
	{"FETCH FIRST", my, syntax, "", "SELECT status FROM sales.orders FETCH FIRST 5 ROWS ONLY", "SELECT status FROM sales.orders LIMIT 5"},
	{"interval without quotes", pg, syntax, "", "SELECT now() - INTERVAL 7 DAY", "SELECT now() - INTERVAL '7 day'"},
	{"interval with quotes", my, syntax, "", "SELECT now() - INTERVAL '7 days'", "SELECT now() - INTERVAL 7 DAY"},
	{"FILTER", my, syntax, "", "SELECT count(*) FILTER (WHERE status = 'paid') FROM sales.orders", "SELECT count(CASE WHEN status = 'paid' THEN 1 END) FROM sales.orders"},
	{"FILTER of a sum", red, syntax, "", "SELECT sum(amount) FILTER (WHERE status = 'paid') FROM sales.orders", "SELECT sum(CASE WHEN status = 'paid' THEN amount END) FROM sales.orders"},
	{"cast", my, syntax, "", "SELECT sum(amount)::numeric, o.ordered_at::date FROM sales.orders o", "SELECT CAST(sum(amount) AS DECIMAL(38, 10)), CAST(o.ordered_at AS date) FROM sales.orders o"},
	{"cast", bq, syntax, "", "SELECT order_id::text FROM sales.orders", "SELECT CAST(order_id AS STRING) FROM sales.orders"},

	{"date_trunc", my, function, "date_trunc", "SELECT date_trunc('month', ordered_at) m FROM sales.orders", "SELECT DATE_FORMAT(ordered_at, '%Y-%m-01') m FROM sales.orders"},
	{"date_trunc of BigQuery", pg, function, "date_trunc", "SELECT DATE_TRUNC(ordered_at, MONTH) FROM sales.orders", "SELECT date_trunc('month', ordered_at) FROM sales.orders"},
	{"date_trunc without quotes", duck, column, "month", "SELECT date_trunc(month, ordered_at) FROM sales.orders", "SELECT date_trunc('month', ordered_at) FROM sales.orders"},
	{"DATE_FORMAT", pg, function, "date_format", "SELECT DATE_FORMAT(ordered_at, '%Y-%m-%d %H:%i') FROM sales.orders", "SELECT to_char(ordered_at, 'YYYY-MM-DD HH24:MI') FROM sales.orders"},
	{"DATE_FORMAT", duck, function, "date_format", "SELECT DATE_FORMAT(ordered_at, '%Y-%m %i') FROM sales.orders", "SELECT strftime(ordered_at, '%Y-%m %M') FROM sales.orders"},
	{"strftime", pg, function, "strftime", "SELECT strftime('%Y-%m', ordered_at) FROM sales.orders", "SELECT to_char(ordered_at, 'YYYY-MM') FROM sales.orders"},
	{"to_char", my, function, "to_char", "SELECT to_char(ordered_at, 'YYYY-MM') FROM sales.orders", "SELECT DATE_FORMAT(ordered_at, '%Y-%m') FROM sales.orders"},
	{"DATEDIFF of three", pg, function, "datediff", "SELECT avg(DATEDIFF(day, ordered_at, shipped_at)) FROM sales.orders", "SELECT avg(((shipped_at)::date - (ordered_at)::date)) FROM sales.orders"},
	{"DATEDIFF of two", pg, function, "datediff", "SELECT DATEDIFF(shipped_at, ordered_at) FROM sales.orders", "SELECT ((shipped_at)::date - (ordered_at)::date) FROM sales.orders"},
	{"DATEDIFF of three", duck, function, "datediff", "SELECT DATEDIFF(hour, ordered_at, shipped_at) FROM sales.orders", "SELECT date_diff('hour', ordered_at, shipped_at) FROM sales.orders"},
	{"date_diff", my, function, "date_diff", "SELECT date_diff('minute', ordered_at, shipped_at) FROM sales.orders", "SELECT TIMESTAMPDIFF(minute, ordered_at, shipped_at) FROM sales.orders"},
	{"DATEADD", my, function, "dateadd", "SELECT DATEADD(day, 7, ordered_at) FROM sales.orders", "SELECT DATE_ADD(ordered_at, INTERVAL 7 day) FROM sales.orders"},
	{"DATE_SUB", pg, function, "date_sub", "SELECT DATE_SUB(now(), INTERVAL 1 DAY)", "SELECT (now() - INTERVAL '1 day')"},
	{"nested calls", pg, function, "ifnull", "SELECT IFNULL(YEAR(ordered_at), 0) FROM sales.orders", "SELECT coalesce(extract(year FROM ordered_at), 0) FROM sales.orders"},
	{"IF", pg, function, "if", "SELECT sum(IF(status = 'paid', amount, 0)) FROM sales.orders", "SELECT sum(CASE WHEN status = 'paid' THEN amount ELSE 0 END) FROM sales.orders"},
	{"COUNTIF", pg, function, "countif", "SELECT COUNTIF(status = 'paid') FROM sales.orders", "SELECT count(*) FILTER (WHERE status = 'paid') FROM sales.orders"},
	{"COUNTIF", my, function, "countif", "SELECT COUNTIF(status = 'paid') FROM sales.orders", "SELECT SUM(CASE WHEN status = 'paid' THEN 1 ELSE 0 END) FROM sales.orders"},
	{"SAFE_DIVIDE", duck, function, "safe_divide", "SELECT SAFE_DIVIDE(sum(amount), count(*)) FROM sales.orders", "SELECT ((sum(amount)) / nullif(count(*), 0)) FROM sales.orders"},
	{"median", pg, function, "median", "SELECT median(amount) FROM sales.orders", "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY amount) FROM sales.orders"},
	{"GROUP_CONCAT", pg, function, "group_concat", "SELECT GROUP_CONCAT(status) FROM sales.orders", "SELECT string_agg((status)::text, ',') FROM sales.orders"},
	{"string_agg", my, function, "string_agg", "SELECT string_agg(status, ', ') FROM sales.orders", "SELECT GROUP_CONCAT(status SEPARATOR ', ') FROM sales.orders"},
	{"what Redshift knows", red, function, "ifnull", "SELECT IFNULL(DATEDIFF(day, ordered_at, GETDATE()), 0) FROM sales.orders", "SELECT coalesce(DATEDIFF(day, ordered_at, GETDATE()), 0) FROM sales.orders"},
	{"GETDATE", duck, function, "getdate", "SELECT GETDATE()", "SELECT now()"},
	{"NOW", ms, function, "now", "SELECT DATEDIFF(day, ordered_at, NOW()) FROM sales.orders", "SELECT DATEDIFF(day, ordered_at, GETDATE()) FROM sales.orders"},
	{"round", pg, function, "round", "SELECT round(avg(amount) / 2.5, 2) FROM sales.orders", "SELECT round((avg(amount) / 2.5)::numeric, 2) FROM sales.orders"},

	{"reserved column", pg, syntax, "order", "SELECT order, count(*) FROM sales.orders GROUP BY order", `SELECT "order", count(*) FROM sales.orders GROUP BY "order"`},
	{"reserved column of an alias", my, syntax, "", "SELECT c.group, count(*) FROM sales.customers c GROUP BY c.group ORDER BY 2", "SELECT c.`group`, count(*) FROM sales.customers c GROUP BY c.`group` ORDER BY 2"},
	{"reserved table", pg, syntax, "user", "SELECT name FROM ops.user", `SELECT name FROM ops."user"`},
	{"reserved alias", my, syntax, "rank", "SELECT status, count(*) AS rank FROM sales.orders GROUP BY status ORDER BY rank", "SELECT status, count(*) AS `rank` FROM sales.orders GROUP BY status ORDER BY `rank`"},

	{"schema left out", pg, table, "orders", "SELECT count(*) FROM orders o JOIN customers c ON c.customer_id = o.customer_id", "SELECT count(*) FROM sales.orders o JOIN sales.customers c ON c.customer_id = o.customer_id"},
	{"another schema", duck, table, "public.flights", "SELECT count(*) FROM public.flights", "SELECT count(*) FROM ops.flights"},
	{"table in another number", my, table, "order", "SELECT count(*) FROM sales.order_", "SELECT count(*) FROM sales.orders"},
	{"table misspelt", pg, table, "costumers", "SELECT costumers.country FROM sales.costumers", "SELECT costumers.country FROM sales.customers AS costumers"},
	{"table with capitals", pg, table, "sales.orderitems", "SELECT sku FROM sales.orderitems", `SELECT sku FROM sales."OrderItems"`},
	{"table of two schemas", pg, table, "events", "SELECT count(*) FROM events", ""},
	{"table that is like none", pg, table, "invoices", "SELECT count(*) FROM sales.invoices", ""},
	{"part of WITH", pg, table, "missing", "WITH orders AS (SELECT 1) SELECT * FROM orders, missing_thing", ""},

	{"column misspelt", pg, column, "amuont", "SELECT sum(amuont) FROM sales.orders", "SELECT sum(amount) FROM sales.orders"},
	{"two columns misspelt", duck, column, "amuont", "SELECT staus, sum(amuont) FROM sales.orders GROUP BY staus", "SELECT status, sum(amount) FROM sales.orders GROUP BY status"},
	{"underscore forgotten", my, column, "customerid", "SELECT count(DISTINCT o.customerid) FROM sales.orders o", "SELECT count(DISTINCT o.customer_id) FROM sales.orders o"},
	{"capitals need quotes", pg, column, "customername", "SELECT CustomerName FROM sales.customers", `SELECT "CustomerName" FROM sales.customers`},
	{"capitals need none", duck, column, "x", "SELECT customername FROM sales.customers", ""},
	{"capitals of Snowflake", snow, column, "STATUS", "SELECT status FROM sales.orders", `SELECT "status" FROM sales.orders`},
	{"column like two", pg, column, "ordered", "SELECT signup FROM sales.customers", ""},
	{"column like none", pg, column, "price", "SELECT price FROM sales.orders", ""},
	{"column of a query inside", pg, column, "totl", "SELECT totl FROM (SELECT sum(amount) AS total FROM sales.orders) x", ""},
	{"text in double quotes", pg, column, "paid", `SELECT count(*) FROM sales.orders WHERE status = "paid"`, "SELECT count(*) FROM sales.orders WHERE status = 'paid'"},
	{"texts in double quotes", duck, column, "paid", `SELECT 1 FROM sales.orders WHERE status IN ("paid", "sent")`, "SELECT 1 FROM sales.orders WHERE status IN ('paid', 'sent')"},
	{"table in the place of its alias", pg, table, "orders", "SELECT orders.amount FROM sales.orders o", "SELECT o.amount FROM sales.orders o"},
	{"column of the other table", pg, column, "o.country", "SELECT o.country, count(*) FROM sales.orders o JOIN sales.customers c ON c.customer_id = o.customer_id GROUP BY o.country", "SELECT c.country, count(*) FROM sales.orders o JOIN sales.customers c ON c.customer_id = o.customer_id GROUP BY c.country"},
	{"alias in WHERE", pg, column, "total", "SELECT amount * quantity AS total FROM sales.orders WHERE total > 5", "SELECT amount * quantity AS total FROM sales.orders WHERE (amount * quantity) > 5"},
	{"alias in HAVING", pg, column, "n", "SELECT status, count(*) AS n FROM sales.orders GROUP BY status HAVING n > 5", "SELECT status, count(*) AS n FROM sales.orders GROUP BY status HAVING (count(*)) > 5"},
	{"ambiguous key", pg, warehouse.AmbiguousColumn, "customer_id", "SELECT customer_id, count(*) FROM sales.orders o JOIN sales.customers c ON o.customer_id = c.customer_id GROUP BY customer_id", "SELECT o.customer_id, count(*) FROM sales.orders o JOIN sales.customers c ON o.customer_id = c.customer_id GROUP BY o.customer_id"},
	{"ambiguous, not joined by it", pg, warehouse.AmbiguousColumn, "id", "SELECT id FROM a.events x, b.events y", ""},

	{"aggregate in WHERE", pg, warehouse.GroupingError, "", "SELECT status FROM sales.orders WHERE amount > 1 AND count(*) > 5 GROUP BY status ORDER BY 1", "SELECT status FROM sales.orders WHERE amount > 1 GROUP BY status HAVING count(*) > 5 ORDER BY 1"},
	{"column not grouped", pg, warehouse.GroupingError, "status", "SELECT status, country, sum(amount) FROM sales.orders o JOIN sales.customers c USING (customer_id) GROUP BY country", "SELECT status, country, sum(amount) FROM sales.orders o JOIN sales.customers c USING (customer_id) GROUP BY country, status"},
	{"nothing grouped", my, warehouse.GroupingError, "status", "SELECT status, count(*) FROM sales.orders WHERE amount > 1 ORDER BY 2", "SELECT status, count(*) FROM sales.orders WHERE amount > 1 GROUP BY status ORDER BY 2"},
	{"expression not grouped", duck, warehouse.GroupingError, "ordered_at", "SELECT date_trunc('month', ordered_at) AS m, count(*) FROM sales.orders", "SELECT date_trunc('month', ordered_at) AS m, count(*) FROM sales.orders GROUP BY date_trunc('month', ordered_at)"},
	{"grouped by number", my, warehouse.GroupingError, "", "SELECT status, quantity, count(*) FROM sales.orders GROUP BY 1", "SELECT status, quantity, count(*) FROM sales.orders GROUP BY 1, quantity"},

	{"division", pg, warehouse.DivisionByZero, "", "SELECT sum(amount) / count(discount) FROM sales.orders", "SELECT sum(amount) / NULLIF(count(discount), 0) FROM sales.orders"},
	{"divisions", my, warehouse.DivisionByZero, "", "SELECT amount / (quantity - 1) / 100, o.amount % o.quantity FROM sales.orders o", "SELECT amount / NULLIF((quantity - 1), 0) / 100, o.amount % NULLIF(o.quantity, 0) FROM sales.orders o"},
	{"division in a division", duck, warehouse.DivisionByZero, "", "SELECT 1 / (amount / quantity)", "SELECT 1 / NULLIF((amount / NULLIF(quantity, 0)), 0)"},
	{"division that is guarded", pg, warehouse.DivisionByZero, "", "SELECT amount / nullif(quantity, 0) FROM sales.orders", ""},
	{"cast behind what is divided by", pg, warehouse.DivisionByZero, "", "SELECT amount / quantity::numeric(10, 2) * 3 FROM sales.orders", "SELECT amount / NULLIF(quantity::numeric(10, 2), 0) * 3 FROM sales.orders"},
	{"nothing that rules know", pg, syntax, "", "SELECT sum(amount FROM sales.orders", ""},
}

func TestRulesRepair(t *testing.T) {
	t.Parallel()

	if len(ailments) < 60 {
		t.Errorf("%d broken statements, want at least 60", len(ailments))
	}
	x := shop()
	for _, tt := range ailments {
		t.Run(string(tt.dialect)+" "+tt.name, func(t *testing.T) {
			t.Parallel()

			message := "something about " + tt.at
			if tt.at == "round" {
				message = "function round(double precision, integer) does not exist"
			}
			got, rule, ok := repair.Locally(tt.dialect, x, &warehouse.QueryError{Class: tt.class, Message: message, Name: tt.at}, tt.sql)
			if ok != (tt.want != "") || got != tt.want {
				t.Errorf("by rule %q\n  of   %s\n  got  %s\n  want %s", rule, tt.sql, got, tt.want)
			}
		})
	}
}

// What already runs is left as it is by every rule that fits any statement.
func TestRulesLeaveSoundStatementsAlone(t *testing.T) {
	t.Parallel()

	x := shop()
	for _, tt := range []struct {
		dialect guard.Dialect
		sql     string
	}{
		{pg, `SELECT date_trunc('month', o.ordered_at) AS m, count(*) FILTER (WHERE o.status = 'paid') AS paid, round(sum(o.amount)::numeric, 2) FROM sales.orders o WHERE o.ordered_at >= now() - interval '1 year' GROUP BY 1 ORDER BY 1 DESC NULLS LAST LIMIT 10`},
		{my, "SELECT DATE_FORMAT(o.ordered_at, '%Y-%m-01') AS m, COUNT(*) FROM sales.orders o WHERE o.status LIKE 'p%' AND o.ordered_at > NOW() - INTERVAL 1 DAY GROUP BY m LIMIT 5, 10"},
		{duck, `SELECT strftime(ordered_at, '%Y') y, quantile_cont(amount, 0.9), amount // 2 FROM sales.orders GROUP BY ALL`},
		{ms, "SELECT TOP (5) [status], COUNT(*) AS n FROM sales.orders GROUP BY [status] ORDER BY n DESC"},
	} {
		for _, class := range []warehouse.ErrorClass{warehouse.UnknownFunction, warehouse.UnknownTable, warehouse.UnknownColumn, warehouse.TypeMismatch, warehouse.OtherError} {
			if got, rule, ok := repair.Locally(tt.dialect, x, &warehouse.QueryError{Class: class}, tt.sql); ok {
				t.Errorf("%s, %s: rule %q makes %s of %s", tt.dialect, class, rule, got, tt.sql)
			}
		}
	}
}

func FuzzRules(f *testing.F) {
	for _, a := range ailments {
		f.Add(a.sql, a.at)
	}
	x := shop()
	classes := []warehouse.ErrorClass{syntax, column, table, function, warehouse.AmbiguousColumn, warehouse.GroupingError, warehouse.DivisionByZero, warehouse.OtherError}
	f.Fuzz(func(t *testing.T, sql, name string) {
		if len(sql) > 2000 {
			return
		}
		for _, d := range repair.Dialects {
			if got := repair.Relex(d, sql); got != sql {
				t.Fatalf("%s: %q became %q", d, sql, got)
			}
			for _, class := range classes {
				repair.Locally(d, x, &warehouse.QueryError{Class: class, Name: name, Message: name}, sql)
			}
		}
	})
}
