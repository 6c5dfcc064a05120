package pgwire

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
)

// imitation are views as Redshift has them, over the catalog of PostgreSQL.
var imitation = []string{
	"SET allow_system_table_mods = on",
	`CREATE VIEW pg_catalog.svv_tables AS SELECT table_catalog::text, table_schema::text, table_name::text, table_type::text, NULL::text AS remarks FROM information_schema.tables`,
	`CREATE VIEW pg_catalog.svv_columns AS SELECT table_schema::text, table_name::text, column_name::text, ordinal_position::int, is_nullable::text, data_type::text, col_description((quote_ident(table_schema) || '.' || quote_ident(table_name))::regclass, ordinal_position) AS remarks FROM information_schema.columns`,
	`CREATE VIEW pg_catalog.svv_table_info AS SELECT schemaname::text AS "schema", relname::text AS "table", n_live_tup::numeric AS tbl_rows FROM pg_catalog.pg_stat_user_tables`,
	"GRANT SELECT ON pg_catalog.svv_tables, pg_catalog.svv_columns, pg_catalog.svv_table_info TO PUBLIC",
}

var redshiftLake = []string{
	"CREATE SCHEMA sales", "CREATE TABLE sales.customers (id bigint PRIMARY KEY, country varchar(2) NOT NULL)", "COMMENT ON COLUMN sales.customers.country IS 'ISO 3166'",
	`CREATE TABLE sales."Odd" ("a b" int, customer bigint REFERENCES sales.customers)`,
}

var redshiftTablesWant = []catalog.Table{
	{Schema: "sales", Name: "Odd", Rows: 0, Columns: []catalog.Column{{Name: "a b", Type: "integer"}, {Name: "customer", Type: "bigint"}}, Foreign: []catalog.Foreign{{Columns: []string{"customer"}, Table: "sales.customers", To: []string{"id"}}}},
	{Schema: "sales", Name: "customers", Rows: 0, Columns: []catalog.Column{{Name: "id", Type: "bigint", NotNull: true, Key: true}, {Name: "country", Type: "character varying", NotNull: true, Comment: "ISO 3166"}}},
}

func TestRedshiftTables(t *testing.T) {
	t.Parallel()

	l := newLab(t, append(redshiftLake, imitation...)...)
	l.make = warehouse.Redshift
	c := l.open("")
	if diff := cmp.Diff(redshiftTablesWant, list(t, c, "sales")); diff != "" {
		t.Error(diff)
	}
	if got := list(t, c); len(got) < 2 || !slices.ContainsFunc(got, func(t catalog.Table) bool { return t.Ref() == "sales.Odd" }) {
		t.Errorf("%d tables without a schema", len(got))
	}
	works(t, c)
}

// Without the views the catalog of PostgreSQL is read.
func TestRedshiftFallsBack(t *testing.T) {
	t.Parallel()

	l := newLab(t, redshiftLake...)
	l.make = warehouse.Redshift
	want := slices.Clone(redshiftTablesWant)
	for i := range want {
		want[i].Rows, want[i].Columns = catalog.UnknownRows, slices.Clone(want[i].Columns)
	}
	want[1].Columns[1].Type = "character varying(2)"
	c := l.open("")
	if diff := cmp.Diff(want, list(t, c, "sales")); diff != "" {
		t.Error(diff)
	}
	works(t, c)
}

// Redshift's connection writes as little as PostgreSQL's.
func TestRedshiftReadsOnly(t *testing.T) {
	t.Parallel()

	l := newLab(t, append(redshiftLake, "INSERT INTO sales.customers VALUES (1, 'DE')")...)
	l.make = warehouse.Redshift
	c := l.open(l.role("GRANT USAGE ON SCHEMA sales TO %", "GRANT SELECT, INSERT ON sales.customers TO %"))
	for _, sql := range []string{"INSERT INTO sales.customers VALUES (2, 'FR') RETURNING id", "INSERT INTO sales.customers VALUES (2, 'FR')", "COMMIT; INSERT INTO sales.customers VALUES (2, 'FR')", "SET transaction_read_only = off", "COMMIT"} {
		failure(t, c, sql, warehouse.Limits{})
	}
	if r := query(t, c, "SELECT count(*) FROM sales.customers", warehouse.Limits{}); r.Columns[0].Ints[0] != 1 {
		t.Errorf("%d rows", r.Columns[0].Ints[0])
	}
	r, err := c.Rights(t.Context())
	if err != nil || !slices.Contains(r.Why, "insert into sales.customers") || slices.Contains(r.Why, "delete from sales.customers") {
		t.Errorf("rights are %+v, %v", r, err)
	}
	if e := failure(t, c, "SELECT pg_sleep(20)", warehouse.Limits{Time: 300 * time.Millisecond}); e.Class != warehouse.TimedOut {
		t.Errorf("a bomb: %v", e)
	}
	works(t, c)
}

// What Redshift does not have is not in what it is sent.
func TestRedshiftSetUp(t *testing.T) {
	t.Parallel()

	var sent []string
	for _, c := range setUpRedshift(warehouse.Limits{}.OrDefault(), true) {
		if len(c.args) > 0 {
			t.Errorf("%s has values", c.sql)
		}
		sent = append(sent, c.sql)
	}
	f := flavours[warehouse.Redshift]
	sent = append(sent, f.leave...)
	sent = append(append(sent, f.tables...), f.foreign, f.rights)
	if all := strings.Join(sent, "\n"); !strings.Contains(all, "statement_timeout TO 30000") {
		t.Errorf("no time is set:\n%s", all)
	}
	for _, sql := range sent {
		for _, no := range []string{"lock_timeout", "work_mem", "set_config", "LATERAL", "ORDINALITY", "unnest", "cardinality", "FILTER", "pg_partition_tree", "relispartition", "advisory", "idle_in_transaction", "has_any_column_privilege", "pg_roles", "VALUES", "string_agg"} {
			if strings.Contains(sql, no) {
				t.Errorf("%.60s has %s", sql, no)
			}
		}
	}
}
