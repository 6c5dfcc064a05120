package guard_test

import (
	"testing"

	"quaestor/research/warehouse/guard"
)

func TestFragmentStaysOneExpression(t *testing.T) {
	t.Parallel()

	for _, c := range []struct {
		dialect guard.Dialect
		sql     string
		ok      bool
	}{
		{guard.PostgreSQL, "sum(total) FILTER (WHERE state IN ('paid', 'sent'))", true},
		{guard.PostgreSQL, "sum(total) / nullif(count(*), 0)", true},
		{guard.PostgreSQL, "coalesce(max(note), ')') || '; --'", true},
		{guard.PostgreSQL, "sum(total)) FROM orders WHERE (true", false},
		{guard.PostgreSQL, "1, 2", false},
		{guard.PostgreSQL, "sum(total", false},
		{guard.PostgreSQL, "sum(total)) --", false},
		{guard.PostgreSQL, "sum(total) -- all of it", false},
		{guard.PostgreSQL, "sum(total) /* all */", false},
		{guard.PostgreSQL, "1; DROP TABLE orders", false},
		{guard.PostgreSQL, `e'\') FROM x --'`, true},      // the quote is escaped: all of it is a text
		{guard.PostgreSQL, `'\') FROM x WHERE (1`, false}, // it is not: the text ends after the backslash
		{guard.MySQL, `'\') FROM x WHERE (1'`, true},
		{guard.MySQL, `'a' # comment`, false},
		{guard.MySQL, `a - -1`, true},
		{guard.SQLServer, "[a)] + 1", true},
		{guard.SQLServer, "a]", false},
		{guard.ClickHouse, "sumIf(total, state = 'paid')", true},
		{guard.ClickHouse, "arraySum([1, 2])", true},
		{guard.ClickHouse, "arraySum([1, 2)", false},
		{guard.BigQuery, "'''it's (''' || x", true},
		{guard.BigQuery, `r'\' || x) FROM y WHERE ('1'`, false},
		{guard.Snowflake, "$$ ) $$ || x", true},
		{guard.PostgreSQL, "$q$ ) $$ ( $q$ || x", true},
		{guard.PostgreSQL, "", false},
		{guard.PostgreSQL, "a\x00b", false},
	} {
		if err := guard.CheckFragment(c.dialect, c.sql); (err == nil) != c.ok {
			t.Errorf("CheckFragment(%s, %q) = %v, want ok %t", c.dialect, c.sql, err, c.ok)
		}
	}
}

func TestNamesAreQuoted(t *testing.T) {
	t.Parallel()

	for dialect, want := range map[guard.Dialect]string{
		guard.PostgreSQL: `"my ""shop"""."Orders"`, guard.DuckDB: `"my ""shop"""."Orders"`, guard.MySQL: "`my \"shop\"`.`Orders`", guard.SQLServer: `[my "shop"].[Orders]`,
		guard.BigQuery: "`my \"shop\".Orders`", guard.Snowflake: `"my ""shop"""."Orders"`, guard.ClickHouse: "`my \"shop\"`.`Orders`",
	} {
		if got := guard.QuoteTable(dialect, `my "shop"`, "Orders"); got != want {
			t.Errorf("%s: %s, want %s", dialect, got, want)
		}
	}
}
