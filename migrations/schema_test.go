package migrations_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quaestor/internal/postgres"
	"quaestor/internal/postgres/postgrestest"
)

// shared are the tables without a tenant, and why.
var shared = map[string]string{
	"tenants":          "is the list of them",
	"instances":        "servers work for every tenant",
	"goose_db_version": "which migrations were applied",
}

// owned are the tables with a tenant.
const owned = `SELECT c.relname FROM pg_class AS c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
	AND EXISTS (SELECT FROM pg_attribute AS a WHERE a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped) ORDER BY 1`

func TestEveryTableBelongsToATenantOrIsListed(t *testing.T) {
	t.Parallel()

	db := schema(t)
	all := column[string](t, db, `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'm', 'f')`)
	tenants := column[string](t, db, owned)

	if len(tenants) < 13 {
		t.Errorf("%d tables have a tenant, want at least 13: %v", len(tenants), tenants)
	}
	for _, table := range all {
		if _, listed := shared[table]; listed == slices.Contains(tenants, table) {
			t.Errorf("table %s: listed as shared %t, has a tenant %t", table, listed, !listed)
		}
	}
	for table := range shared {
		if !slices.Contains(all, table) {
			t.Errorf("table %s is listed as shared and is not there", table)
		}
	}
}

// flaws are queries that name what breaks a law of the schema.
var flaws = []struct{ name, query string }{
	{"row-level security is on and forced wherever there is a tenant", `SELECT relname FROM pg_class AS c
		WHERE relname = ANY ($1) AND relnamespace = 'public'::regnamespace AND NOT (relrowsecurity AND relforcerowsecurity)`},
	{"a policy compares the tenant for reading and writing", `SELECT o FROM unnest($1::text[]) AS o
		WHERE NOT EXISTS (SELECT FROM pg_policies WHERE tablename = o AND cmd = 'ALL' AND permissive = 'PERMISSIVE'
			AND qual = '(tenant_id = current_tenant())' AND with_check = qual)`},
	{"a second policy opens nothing but tokens to their bearer", `SELECT tablename || '.' || policyname FROM pg_policies
		WHERE tablename = ANY ($1) AND policyname <> 'tenant' AND permissive = 'PERMISSIVE' AND NOT (tablename = 'api_tokens' AND policyname = 'bearer' AND cmd = 'SELECT')`},
	{"the tenant is never null", `SELECT attrelid::regclass::text FROM pg_attribute
		WHERE attrelid::regclass::text = ANY ($1) AND attname = 'tenant_id' AND NOT attnotnull`},
	{"there is a primary key", `SELECT o FROM unnest($1::text[]) AS o
		WHERE NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = o::regclass AND contype = 'p')`},
	{"the tenant leads every key", `SELECT conname::text FROM pg_constraint AS k
		JOIN pg_attribute AS a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1]
		WHERE k.conrelid::regclass::text = ANY ($1) AND contype IN ('p', 'u', 'f') AND attname <> 'tenant_id'
			AND conname <> 'api_tokens_hash_key'`}, // a token says its tenant, not the other way round
	{"the tenant leads every index", `SELECT i.indexrelid::regclass::text FROM pg_index AS i
		JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
		JOIN pg_class AS c ON c.oid = i.indexrelid JOIN pg_am ON pg_am.oid = c.relam AND amname = 'btree'
		WHERE i.indrelid::regclass::text = ANY ($1) AND attname <> 'tenant_id' AND i.indexrelid::regclass::text <> 'api_tokens_hash_key'`},
	{"a foreign key takes the tenant along", `SELECT conname::text FROM pg_constraint AS k
		JOIN pg_attribute AS a ON a.attrelid = k.confrelid AND a.attnum = k.confkey[1]
		WHERE k.conrelid::regclass::text = ANY ($1) AND contype = 'f'
			AND attname <> CASE WHEN k.confrelid = 'tenants'::regclass THEN 'id' ELSE 'tenant_id' END`},
	{"every table has a comment", `SELECT relname FROM pg_class AS c
		WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> 'goose_db_version' AND cardinality($1::text[]) > 0
			AND coalesce(obj_description(oid, 'pg_class'), '') = ''`},
	{"the application owns nothing", `SELECT relname FROM pg_class WHERE relowner = 'quaestor_app'::regrole AND cardinality($1::text[]) > 0
		UNION ALL SELECT proname FROM pg_proc WHERE proowner = 'quaestor_app'::regrole
		UNION ALL SELECT nspname FROM pg_namespace WHERE nspowner = 'quaestor_app'::regrole`},
	{"the application cannot empty a table or point at it", `SELECT relname FROM pg_class
		WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND cardinality($1::text[]) > 0
			AND has_table_privilege('quaestor_app', oid, 'TRUNCATE, REFERENCES, TRIGGER')`},
	{"views and functions do not step around the policies", `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'v' AND cardinality($1::text[]) > 0
			AND NOT coalesce('security_invoker=true' = ANY (reloptions), false)
		UNION ALL SELECT p.proname FROM pg_proc AS p WHERE p.pronamespace = 'public'::regnamespace AND p.prosecdef`},
}

func TestSchemaKeepsTenantsApart(t *testing.T) {
	t.Parallel()

	db := schema(t)
	tables := column[string](t, db, owned)
	for _, tt := range flaws {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			if broken := column[string](t, db, tt.query, tables); len(broken) > 0 {
				t.Errorf("not so for %v", broken)
			}
		})
	}
}

func TestApplicationRoleIsNobodySpecial(t *testing.T) {
	t.Parallel()

	special := column[bool](t, schema(t), `SELECT rolsuper OR rolbypassrls OR rolcreatedb OR rolcreaterole OR rolcanlogin OR rolreplication
		OR EXISTS (SELECT FROM pg_auth_members WHERE member = pg_roles.oid) FROM pg_roles WHERE rolname = $1`, postgres.AppRole)
	if diff := cmp.Diff([]bool{false}, special); diff != "" {
		t.Errorf("%s has powers, or is not there (-want +got):\n%s", postgres.AppRole, diff)
	}
}

func TestApplicationCannotChangeTheSchema(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct{ name, in string }{
		{"table", `CREATE TABLE mine (id integer)`},
		{"table of the queue", `CREATE TABLE river.mine (id integer)`},
		{"schema", `CREATE SCHEMA mine`},
		{"function", `CREATE FUNCTION current_tenant(x integer) RETURNS uuid LANGUAGE sql AS 'SELECT NULL::uuid'`},
		{"policy", `CREATE POLICY all_of_it ON messages USING (true)`},
		{"security off", `ALTER TABLE messages DISABLE ROW LEVEL SECURITY`},
		{"column", `ALTER TABLE messages ADD COLUMN more text`},
		{"drop", `DROP TABLE messages`},
		{"truncate", `TRUNCATE obligation_trail`},
		{"own", `CALL own('tenants', 'DELETE')`},
		{"role", `CREATE ROLE other SUPERUSER`},
		{"bypass", `ALTER ROLE quaestor_app BYPASSRLS`},
		{"files", `COPY tenants TO '/tmp/tenants'`},
		{"programs", `COPY tenants FROM PROGRAM 'true'`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			_, err := postgrestest.Tx(t).Exec(t.Context(), tt.in)
			if code := postgres.Code(err); code != "42501" {
				t.Errorf("%s = %v, want 42501 (insufficient privilege)", tt.in, err)
			}
		})
	}
}

// verbs are what the application may do with a table, of the four there are.
const verbs = `SELECT concat_ws(' ', CASE WHEN has_table_privilege('quaestor_app', $1, 'SELECT') THEN 'SELECT' END,
	CASE WHEN has_table_privilege('quaestor_app', $1, 'INSERT') OR has_any_column_privilege('quaestor_app', $1, 'INSERT') THEN 'INSERT' END,
	CASE WHEN has_table_privilege('quaestor_app', $1, 'UPDATE') OR has_any_column_privilege('quaestor_app', $1, 'UPDATE') THEN 'UPDATE' END,
	CASE WHEN has_table_privilege('quaestor_app', $1, 'DELETE') THEN 'DELETE' END)`

func TestHistoryIsAppendOnly(t *testing.T) {
	t.Parallel()

	db := schema(t)
	for _, tt := range []struct{ name, want string }{
		{"obligation_trail", "SELECT INSERT"},
		{"obligation_events", "SELECT INSERT"}, // the same, one row an event
		{"messages", "SELECT INSERT"},
		{"message_interruptions", "SELECT INSERT"},
		{"call_tickets", "SELECT INSERT DELETE"}, // using one deletes it
		{"discovery_session_summaries", "SELECT INSERT"},
		{"session_events", "SELECT INSERT DELETE"}, // pieces of a reply go when it is whole
		{"turns", "SELECT INSERT UPDATE"},
		{"api_tokens", "SELECT INSERT UPDATE"},
		{"discovery_objectives", "SELECT INSERT UPDATE"},
		{"objective_releases", "SELECT INSERT"},
		{"goose_db_version", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			if diff := cmp.Diff([]string{tt.want}, column[string](t, db, verbs, tt.name)); diff != "" {
				t.Errorf("the application's verbs (-want +got):\n%s", diff)
			}
		})
	}
}
