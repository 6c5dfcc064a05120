-- One statement a paragraph. None of them may run.
-- Writing and defining.
INSERT INTO orders VALUES (1)

UPDATE orders SET total = 0

DELETE FROM orders

MERGE INTO orders o USING customers c ON o.customer_id = c.id WHEN MATCHED THEN DELETE

TRUNCATE orders

DROP TABLE orders

CREATE TABLE x AS SELECT 1

SELECT * INTO x FROM orders

CREATE VIEW v AS SELECT 1

ALTER TABLE orders ADD x int

GRANT ALL ON orders TO public

COPY orders TO STDOUT

COPY (SELECT 1) TO PROGRAM 'id'

WITH x AS (DELETE FROM orders RETURNING *) SELECT * FROM x

WITH x AS (INSERT INTO orders VALUES (1) RETURNING *) SELECT * FROM x

WITH x AS (UPDATE orders SET total = 0 RETURNING 1) SELECT count(*) FROM x

SELECT * FROM (WITH x AS (DELETE FROM orders RETURNING *) SELECT * FROM x) y

SELECT (WITH x AS (DELETE FROM orders RETURNING 1) SELECT count(*) FROM x)

-- Sessions and transactions.
BEGIN

COMMIT

COMMIT; CREATE TABLE x (a int)

SELECT 1; DROP TABLE orders

SET TRANSACTION READ WRITE

SET statement_timeout = 0

RESET ALL

SHOW ALL

DO $$ BEGIN PERFORM 1; END $$

NOTIFY x

LISTEN x

PREPARE p AS DELETE FROM orders

EXECUTE p

DECLARE c CURSOR FOR SELECT 1

LOCK TABLE orders

VACUUM

EXPLAIN SELECT 1

EXPLAIN ANALYZE DELETE FROM orders

CALL x()

LOAD 'x'

CHECKPOINT

DISCARD ALL

-- Locks.
SELECT * FROM orders FOR UPDATE

SELECT * FROM (SELECT * FROM orders FOR SHARE) x

-- Functions, wherever they stand.
SELECT pg_sleep(10)

SELECT 1 FROM pg_sleep(10)

SELECT * FROM orders WHERE pg_sleep(1) IS NULL

SELECT * FROM orders ORDER BY pg_sleep(1)

SELECT count(*) FILTER (WHERE pg_sleep(1) IS NULL) FROM orders

SELECT sum(total) OVER (ORDER BY pg_sleep(1)) FROM orders

SELECT sum(total) OVER w FROM orders WINDOW w AS (PARTITION BY pg_sleep(1))

SELECT array_agg(total ORDER BY pg_sleep(1)) FROM orders

SELECT 1 LIMIT (SELECT pg_sleep(1)::text::int)

SELECT CASE WHEN true THEN pg_sleep(1) END

SELECT (ARRAY[pg_sleep(1)])[1]

SELECT ROW(pg_sleep(1))

SELECT * FROM ROWS FROM (pg_sleep(1))

SELECT * FROM orders JOIN customers ON pg_sleep(1) IS NULL

SELECT * FROM orders, LATERAL pg_sleep(1)

VALUES (pg_sleep(1))

SELECT 1 GROUP BY pg_sleep(1)

SELECT 1 HAVING pg_sleep(1) IS NULL

SELECT DISTINCT ON (pg_sleep(1)) 1

SELECT U&"\0070g_sleep"(1)

SELECT "pg_sleep"(1)

SELECT pg_catalog.pg_sleep(1)

SELECT PG_SLEEP(1)

SELECT pg_/**/sleep(1) FROM pg_sleep (1)

SELECT lo_create(0)

SELECT lo_import('/etc/passwd')

SELECT lo_export(1, '/tmp/x')

SELECT pg_read_file('/etc/passwd')

SELECT pg_read_binary_file('/etc/passwd')

SELECT pg_ls_dir('/')

SELECT * FROM pg_ls_waldir()

SELECT pg_stat_file('/etc/passwd')

SELECT pg_notify('x', 'y')

SELECT pg_advisory_lock(1)

SELECT pg_try_advisory_lock(1)

SELECT set_config('statement_timeout', '0', false)

SELECT current_setting('data_directory')

SELECT query_to_xml('DELETE FROM orders', true, true, '')

SELECT table_to_xml('orders', true, true, '')

SELECT database_to_xml(true, true, '')

SELECT cursor_to_xml('c', 1, true, true, '')

SELECT pg_logical_emit_message(false, 'a', 'b')

SELECT dblink_exec('x', 'DELETE FROM orders')

SELECT * FROM dblink('x', 'SELECT 1') AS t(a int)

SELECT pg_terminate_backend(1)

SELECT pg_cancel_backend(1)

SELECT pg_reload_conf()

SELECT pg_switch_wal()

SELECT pg_create_restore_point('x')

SELECT pg_export_snapshot()

SELECT txid_current()

SELECT pg_current_xact_id()

SELECT nextval('s')

SELECT setval('s', 1)

SELECT currval('s')

SELECT repeat('a', 2000000000)

SELECT lpad('a', 2000000000)

SELECT rpad('a', 1 + 2000000000)

SELECT 'a'::char(10000000)

SELECT format('%1000000000s', 'a')

SELECT version()

SELECT current_user

SELECT session_user

SELECT user

SELECT current_schema

SELECT current_catalog

SELECT current_role

SELECT inet_server_addr()

SELECT has_table_privilege('orders', 'SELECT')

SELECT pg_get_viewdef('x')

SELECT obj_description(1)

SELECT to_regclass('orders')

SELECT hypopg_create_index('x')

SELECT xpath('/x', '<x/>')

SELECT xmlelement(name a)

SELECT xmlparse(document '<a/>')

SELECT public.count(1)

SELECT evil.sum(total) FROM orders

SELECT pg_relation_size('orders')

SELECT pg_backend_pid()

SELECT pg_stat_reset()

SELECT convert_from(pg_read_binary_file('/etc/passwd'), 'UTF8')

-- Relations.
SELECT * FROM pg_shadow

SELECT * FROM pg_catalog.pg_authid

SELECT * FROM information_schema.tables

SELECT * FROM secret.salaries

SELECT * FROM other.sales.orders

SELECT * FROM salaries

SELECT * FROM orders WHERE id IN (SELECT usesysid FROM pg_user)

SELECT EXISTS (SELECT 1 FROM pg_stat_activity)

WITH orders AS (SELECT * FROM pg_shadow) SELECT * FROM orders

WITH x AS (SELECT 1) SELECT * FROM y

TABLE pg_shadow

SELECT a.b.c.d FROM orders a

SELECT * FROM orders UNION SELECT * FROM pg_shadow

-- Types and operators.
SELECT 'orders'::regclass

SELECT 'pg_sleep'::regproc

SELECT 1::oid

SELECT 'x'::xml

SELECT '1'::public.evil

SELECT 1 OPERATOR(evil.+) 2

SELECT 1 === 2

SELECT total ORDER BY total USING OPERATOR(evil.<)

SELECT * FROM json_to_recordset('[]') AS x(a regclass)

SELECT * FROM json_to_recordset('[]') AS x(a evil.typ)

SELECT 'a' COLLATE evil.x

-- Parameters, and what no query needs.
SELECT $1

SELECT * FROM orders WHERE CURRENT OF c

SELECT * FROM XMLTABLE('/x' PASSING '<x/>' COLUMNS a int)

-- Comments that servers execute, hints, and what cannot be seen.
SELECT 1 /*! INTO OUTFILE '/tmp/x' */

SELECT 1 /*M!100000 INTO OUTFILE '/tmp/x' */

SELECT /*+ SeqScan(orders) */ 1

SELECT 1 --+ hint

-- What cannot be parsed.
SELEC 1

SELECT FROM WHERE

'

SELECT format('%99999999s', 'a')

SELECT format('%*s', 100000000, 'a')

SELECT format('%-*2$s', 'a', 100000000)

SELECT format(status, 'a') FROM orders

SELECT repeat(repeat('a', 1000), 1000)

SELECT repeat(status, 10) FROM orders

SELECT pg_sleep(1) FROM orders o

SELECT pg_catalog.pg_sleep(1) FROM orders o

SELECT "pg_sleep"(1) FROM orders o

SELECT U&"\0070g_sleep"(1) FROM orders o

SELECT pg_sleep_for('1s') FROM orders o

SELECT pg_sleep_until(now()) FROM orders o

SELECT pg_read_file('/etc/passwd') FROM orders o

SELECT pg_read_binary_file('/etc/passwd') FROM orders o

SELECT pg_ls_dir('.') FROM orders o

SELECT pg_ls_logdir() FROM orders o

SELECT pg_stat_file('x') FROM orders o

SELECT lo_import('/etc/passwd') FROM orders o

SELECT lo_export(1, '/tmp/x') FROM orders o

SELECT lo_create(0) FROM orders o

SELECT lo_creat(-1) FROM orders o

SELECT lo_unlink(1) FROM orders o

SELECT lo_from_bytea(0, 'x') FROM orders o

SELECT lo_get(1) FROM orders o

SELECT lo_put(1, 0, 'x') FROM orders o

SELECT loread(1, 1) FROM orders o

SELECT set_config('statement_timeout', '0', false) FROM orders o

SELECT current_setting('data_directory') FROM orders o

SELECT pg_notify('a', 'b') FROM orders o

SELECT pg_advisory_lock(1) FROM orders o

SELECT pg_try_advisory_xact_lock(1) FROM orders o

SELECT nextval('s') FROM orders o

SELECT setval('s', 1) FROM orders o

SELECT currval('s') FROM orders o

SELECT lastval() FROM orders o

SELECT timeofday() FROM orders o

SELECT txid_current() FROM orders o

SELECT pg_current_xact_id() FROM orders o

SELECT pg_backend_pid() FROM orders o

SELECT pg_terminate_backend(1) FROM orders o

SELECT pg_cancel_backend(1) FROM orders o

SELECT pg_reload_conf() FROM orders o

SELECT pg_rotate_logfile() FROM orders o

SELECT pg_switch_wal() FROM orders o

SELECT pg_create_restore_point('x') FROM orders o

SELECT pg_logical_emit_message(true, 'a', 'b') FROM orders o

SELECT pg_export_snapshot() FROM orders o

SELECT query_to_xml('select 1', true, true, '') FROM orders o

SELECT query_to_json('select 1') FROM orders o

SELECT table_to_xml('orders', true, true, '') FROM orders o

SELECT schema_to_xml('public', true, true, '') FROM orders o

SELECT database_to_xml(true, true, '') FROM orders o

SELECT cursor_to_xml('c', 1, true, true, '') FROM orders o

SELECT xpath('/a', '<a/>') FROM orders o

SELECT xmlparse(document '<a/>') FROM orders o

SELECT XMLELEMENT(NAME a) FROM orders o

SELECT xmlserialize(content '<a/>'::xml as text) FROM orders o

SELECT ts_stat('select 1') FROM orders o

SELECT ts_rewrite('a'::tsquery, 'SELECT 1') FROM orders o

SELECT dblink('host=x', 'select 1') FROM orders o

SELECT dblink_exec('host=x', 'drop table x') FROM orders o

SELECT plpgsql_call_handler() FROM orders o

SELECT pg_get_viewdef('x'::regclass) FROM orders o

SELECT pg_get_functiondef(1) FROM orders o

SELECT pg_relation_size('orders') FROM orders o

SELECT pg_total_relation_size('orders'::regclass) FROM orders o

SELECT pg_database_size('x') FROM orders o

SELECT pg_size_pretty(pg_database_size(current_database())) FROM orders o

SELECT has_table_privilege('x', 'select') FROM orders o

SELECT obj_description(1) FROM orders o

SELECT col_description(1, 1) FROM orders o

SELECT pg_table_is_visible(1) FROM orders o

SELECT to_regclass('pg_authid') FROM orders o

SELECT 'pg_authid'::regclass FROM orders o

SELECT 1::regproc FROM orders o

SELECT 'x'::regrole FROM orders o

SELECT 1::oid::regclass::text FROM orders o

SELECT CAST('pg_shadow' AS regclass) FROM orders o

SELECT current_user FROM orders o

SELECT session_user FROM orders o

SELECT user FROM orders o

SELECT current_role FROM orders o

SELECT current_catalog FROM orders o

SELECT current_schema FROM orders o

SELECT current_schema() FROM orders o

SELECT current_schemas(true) FROM orders o

SELECT current_database() FROM orders o

SELECT version() FROM orders o

SELECT inet_server_addr() FROM orders o

SELECT inet_client_addr() FROM orders o

SELECT pg_postmaster_start_time() FROM orders o

SELECT pg_conf_load_time() FROM orders o

SELECT pg_is_in_recovery() FROM orders o

SELECT pg_stat_get_activity(1) FROM orders o

SELECT pg_stat_reset() FROM orders o

SELECT pg_stat_clear_snapshot() FROM orders o

SELECT pg_show_all_settings() FROM orders o

SELECT pg_hba_file_rules() FROM orders o

SELECT repeat('a', 2000000000) FROM orders o

SELECT repeat(o.status, 100) FROM orders o

SELECT repeat('a', o.id::int) FROM orders o

SELECT lpad('a', 2000000000, 'b') FROM orders o

SELECT rpad('a', 100000000) FROM orders o

SELECT format('%1000000000s', 'a') FROM orders o

SELECT format('%*s', 1000000000, 'a') FROM orders o

SELECT format(o.status, 1) FROM orders o

SELECT 'a'::char(10000000) FROM orders o

SELECT 'a'::bpchar(10485760) FROM orders o

SELECT '1'::bit(80000000) FROM orders o

SELECT sales.my_function(1) FROM orders o

SELECT public.count(*) FROM orders o

SELECT sales.sum(o.total) FROM orders o

SELECT o.total OPERATOR(public.+) 1 FROM orders o

SELECT o.total OPERATOR(sales.=) 1 FROM orders o

SELECT o.total <-->  1 FROM orders o

SELECT 'x'::sales.mytype FROM orders o

SELECT 'x'::public.evil FROM orders o

SELECT '1'::"char"::xml FROM orders o

SELECT '<a/>'::xml FROM orders o

SELECT 'orders'::regtype FROM orders o

SELECT 1::xid FROM orders o

SELECT '0/0'::pg_lsn FROM orders o

SELECT o.status COLLATE sales.evil FROM orders o

SELECT o.xmin FROM orders o

SELECT o.ctid FROM orders o

SELECT o.tableoid FROM orders o

SELECT o.tableoid::regclass FROM orders o

SELECT array_fill(1, ARRAY[100000000]) FROM orders o

SELECT pg_input_is_valid('x', 'int') FROM orders o

SELECT pg_input_error_info('x', 'int') FROM orders o

SELECT json_populate_record(null::pg_catalog.pg_authid, '{}') FROM orders o

SELECT jsonb_populate_recordset(null::pg_authid, '[]') FROM orders o

SELECT pg_column_size(o) FROM orders o

SELECT binary_upgrade_set_next_pg_type_oid(1) FROM orders o

SELECT brin_summarize_new_values('x') FROM orders o

SELECT gin_clean_pending_list('x') FROM orders o

SELECT pg_replication_origin_create('x') FROM orders o

SELECT pg_create_physical_replication_slot('x') FROM orders o

SELECT pg_drop_replication_slot('x') FROM orders o

SELECT pg_logical_slot_get_changes('x', null, null) FROM orders o

SELECT pg_copy_logical_replication_slot('a','b') FROM orders o

SELECT pg_promote() FROM orders o

SELECT pg_log_backend_memory_contexts(1) FROM orders o

SELECT pg_collation_actual_version(1) FROM orders o

SELECT pg_import_system_collations('pg_catalog') FROM orders o

SELECT pg_stop_backup() FROM orders o

SELECT pg_walfile_name('0/0') FROM orders o

SELECT hypopg_create_index('x') FROM orders o

SELECT pg_control_system() FROM orders o

SELECT uuid_generate_v4() FROM orders o

SELECT crypt('a', gen_salt('bf', 31)) FROM orders o

SELECT pgp_sym_decrypt('a', 'b') FROM orders o

SELECT http_get('http://x') FROM orders o

SELECT aws_s3.query_export_to_s3('select 1', 'b') FROM orders o

SELECT amvalidate(1) FROM orders o

SELECT fmgr_c_validator(1) FROM orders o

SELECT pg_get_keywords() FROM orders o

SELECT pg_prepared_statement() FROM orders o

SELECT acldefault('r', 1) FROM orders o

SELECT aclexplode(null) FROM orders o

SELECT row_security_active('x') FROM orders o

SELECT pg_safe_snapshot_blocking_pids(1) FROM orders o

SELECT pg_blocking_pids(1) FROM orders o

SELECT pg_lock_status() FROM orders o

SELECT pg_partition_tree('x') FROM orders o

SELECT has_schema_privilege('x', 'usage') FROM orders o

SELECT $1 FROM orders o

SELECT :x FROM orders o

SELECT (SELECT 1 INTO x) FROM orders o

SELECT (SELECT usename FROM pg_user LIMIT 1) FROM orders o

SELECT (SELECT count(*) FROM pg_catalog.pg_authid) FROM orders o

SELECT EXISTS (SELECT 1 FROM information_schema.tables) FROM orders o

SELECT ARRAY(SELECT rolpassword FROM pg_authid) FROM orders o

SELECT (TABLE pg_shadow) FROM orders o

SELECT o.id IN (SELECT oid FROM pg_class) FROM orders o

DELETE FROM orders USING customers WHERE true RETURNING *

INSERT INTO orders (id) VALUES (1)

INSERT INTO orders SELECT * FROM orders

INSERT INTO orders (id) VALUES (1) ON CONFLICT DO NOTHING

MERGE INTO orders o USING customers c ON o.id = c.id WHEN MATCHED THEN DELETE

TRUNCATE TABLE orders RESTART IDENTITY CASCADE

DROP SCHEMA sales CASCADE

DROP DATABASE x

CREATE TABLE x (a int)

CREATE TABLE x AS SELECT * FROM orders

CREATE TEMP TABLE x AS SELECT 1

CREATE UNLOGGED TABLE x AS TABLE orders

CREATE MATERIALIZED VIEW v AS SELECT 1

CREATE INDEX ON orders (id)

CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'select 1'

CREATE OR REPLACE FUNCTION f() RETURNS int AS $$ BEGIN RETURN 1; END $$ LANGUAGE plpgsql

CREATE EXTENSION dblink

CREATE ROLE x SUPERUSER

CREATE USER x PASSWORD 'y'

CREATE TRIGGER t BEFORE INSERT ON orders EXECUTE FUNCTION f()

CREATE RULE r AS ON SELECT TO orders DO INSTEAD NOTHING

CREATE SERVER s FOREIGN DATA WRAPPER postgres_fdw

CREATE EVENT TRIGGER t ON ddl_command_start EXECUTE FUNCTION f()

ALTER TABLE orders ADD COLUMN x int

ALTER TABLE orders DISABLE ROW LEVEL SECURITY

ALTER ROLE CURRENT_USER SUPERUSER

ALTER SYSTEM SET log_statement = 'none'

ALTER DATABASE x SET y = 1

ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO PUBLIC

GRANT ALL ON orders TO PUBLIC

GRANT pg_read_server_files TO x

REVOKE ALL ON orders FROM x

COPY orders TO '/tmp/x'

COPY orders FROM '/tmp/x'

COPY (SELECT * FROM orders) TO STDOUT

COPY orders FROM PROGRAM 'id'

SET LOCAL work_mem = '10GB'

SET SESSION AUTHORIZATION postgres

SET ROLE postgres

SET search_path = x

RESET ROLE

SHOW data_directory

START TRANSACTION READ WRITE

ROLLBACK

SAVEPOINT x

PREPARE TRANSACTION 'x'

COMMIT; DROP TABLE orders

SELECT 1; SELECT 2

SELECT 1;; DELETE FROM orders;

; DELETE FROM orders

EXPLAIN (ANALYZE, COSTS) INSERT INTO orders VALUES (1)

PREPARE p AS SELECT 1

DEALLOCATE ALL

DECLARE c CURSOR WITH HOLD FOR SELECT 1

FETCH ALL FROM c

MOVE 1 FROM c

CLOSE ALL

DO LANGUAGE plpgsql 'BEGIN NULL; END'

CALL p()

NOTIFY x, 'y'

UNLISTEN *

LOAD 'x.so'

VACUUM FULL orders

ANALYZE orders

CLUSTER orders

REINDEX TABLE orders

REFRESH MATERIALIZED VIEW v

COMMENT ON TABLE orders IS 'x'

SECURITY LABEL ON TABLE orders IS 'x'

IMPORT FOREIGN SCHEMA x FROM SERVER y INTO z

REASSIGN OWNED BY x TO y

DROP OWNED BY x

SELECT * INTO TEMP x FROM orders

SELECT id INTO UNLOGGED x FROM orders

WITH a AS (SELECT 1) SELECT * INTO x FROM a

SELECT * FROM orders FOR NO KEY UPDATE

SELECT * FROM orders FOR SHARE

SELECT * FROM orders FOR KEY SHARE SKIP LOCKED

SELECT * FROM (SELECT * FROM orders FOR UPDATE NOWAIT) x

SELECT * FROM orders o, customers c FOR UPDATE OF o

WITH x AS (UPDATE orders SET total = 0 RETURNING *) SELECT 1

WITH x AS (INSERT INTO orders (id) VALUES (1) RETURNING id) SELECT * FROM x

WITH x AS (SELECT 1) DELETE FROM orders

WITH x AS (SELECT 1), y AS (MERGE INTO orders USING x ON true WHEN MATCHED THEN DELETE) SELECT 1

WITH x AS MATERIALIZED (DELETE FROM orders RETURNING id) SELECT 1

SELECT * FROM (WITH x AS (DELETE FROM orders RETURNING *) SELECT * FROM x) q

SELECT (WITH x AS (DELETE FROM orders RETURNING id) SELECT id FROM x)

SELECT * FROM pg_user

SELECT * FROM pg_authid

SELECT * FROM pg_catalog.pg_class

SELECT * FROM pg_stat_activity

SELECT * FROM pg_settings

SELECT * FROM pg_hba_file_rules

SELECT * FROM pg_file_settings

SELECT * FROM pg_largeobject

SELECT * FROM pg_stats

SELECT * FROM "pg_catalog"."pg_stats"

SELECT * FROM pg_toast.pg_toast_1

SELECT * FROM pg_temp.x

SELECT * FROM INFORMATION_SCHEMA.COLUMNS

SELECT * FROM "information_schema"."columns"

SELECT * FROM otherdb.sales.orders

SELECT * FROM postgres.pg_catalog.pg_authid

SELECT * FROM secret.orders

SELECT * FROM unknown_table

SELECT * FROM public.orders

SELECT * FROM pg_catalog.orders

SELECT * FROM pg_ls_dir('/')

SELECT * FROM pg_read_file('/etc/passwd')

SELECT * FROM pg_catalog.pg_read_file('/etc/passwd') AS f

SELECT * FROM ROWS FROM (pg_read_file('/etc/passwd'), generate_series(1, 2)) x

SELECT * FROM orders o LEFT JOIN LATERAL pg_sleep(o.id) s ON true

SELECT * FROM dblink('x', 'y') AS t(a int)

SELECT * FROM query_to_xml('delete from orders', true, true, '')

SELECT * FROM XMLTABLE('/a' PASSING '<a/>' COLUMNS b text)

SELECT * FROM current_user

SELECT * FROM current_database()

SELECT * FROM session_user

SELECT * FROM json_populate_recordset(null::pg_authid, '[]')

SELECT * FROM jsonb_to_recordset('[]') AS x(a pg_authid)

SELECT * FROM jsonb_to_recordset('[]') AS x(a regclass)

SELECT * FROM generate_series(1, (SELECT pg_sleep(1)::text::int))

SELECT * FROM txid_current()

SELECT * FROM nextval('x')

SELECT * FROM orders TABLESAMPLE evil(10)

SELECT * FROM orders TABLESAMPLE BERNOULLI (pg_sleep(1)::text::int)

SELECT * FROM orders TABLESAMPLE SYSTEM (pg_sleep(1) * 100)

SELECT * FROM orders TABLESAMPLE BERNOULLI (10) REPEATABLE (nextval('x'))

SELECT * FROM pg_class TABLESAMPLE BERNOULLI (10)

SELECT * FROM orders GROUP BY pg_sleep(1)

SELECT count(*) FROM orders HAVING pg_sleep(1) IS NULL

SELECT * FROM orders LIMIT (SELECT 1 FROM pg_sleep(1))

SELECT * FROM orders OFFSET nextval('x')

SELECT * FROM orders FETCH FIRST (nextval('x')) ROWS ONLY

SELECT sum(total) OVER (PARTITION BY pg_sleep(1)) FROM orders

SELECT sum(total) OVER w FROM orders WINDOW w AS (ORDER BY nextval('x'))

SELECT sum(total) OVER (ORDER BY id ROWS BETWEEN nextval('x') PRECEDING AND CURRENT ROW) FROM orders

SELECT string_agg(status, ',' ORDER BY pg_sleep(1)) FROM orders

SELECT percentile_cont(nextval('x')) WITHIN GROUP (ORDER BY total) FROM orders

SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY pg_sleep(1)) FROM orders

SELECT DISTINCT ON (pg_sleep(1)) id FROM orders

SELECT o.id FROM orders o JOIN customers c ON pg_sleep(1) IS NULL

VALUES (1), (nextval('x'))

SELECT CASE WHEN pg_sleep(1) IS NULL THEN 1 END

SELECT CASE pg_sleep(1) WHEN NULL THEN 1 ELSE lo_create(0)::int END

SELECT ARRAY[pg_sleep(1)]

SELECT (ARRAY[1])[nextval('x')]

SELECT coalesce(pg_sleep(1)::text, 'x'), greatest(nextval('x'), 1)

SELECT 1 WHERE 1 = ANY (ARRAY[nextval('x')])

SELECT 1 WHERE pg_sleep(1) IS NOT DISTINCT FROM NULL

SELECT JSON_OBJECT('a': pg_sleep(1))

SELECT JSON_ARRAYAGG(pg_sleep(1))

SELECT JSON_VALUE(details, '$.a' DEFAULT nextval('x') ON EMPTY) FROM orders

SELECT JSON_VALUE(details, '$.a' RETURNING regclass) FROM orders

SELECT JSON_QUERY(details, '$.a' PASSING nextval('x') AS y) FROM orders

SELECT JSON_ARRAY(SELECT rolpassword FROM pg_authid)

SELECT JSON_SERIALIZE(query_to_xml('select 1', true, true, '')::text)

SELECT JSON(pg_read_file('x'))

SELECT JSON_SCALAR(nextval('x'))

SELECT * FROM JSON_TABLE(pg_read_file('x')::jsonb, '$' COLUMNS (a int PATH '$.a')) t

SELECT * FROM JSON_TABLE('[]'::jsonb, '$' COLUMNS (a int PATH '$.a' DEFAULT nextval('x') ON EMPTY)) t

SELECT * FROM JSON_TABLE('[]'::jsonb, '$' COLUMNS (a regclass PATH '$.a')) t

SELECT "pg_sleep"(1), "PG_SLEEP"(1)

SELECT pg_sleep/**/(1)

SELECT pg_sleep(1) -- '

SELECT /*! pg_sleep(1) */ 1

SELECT /*+ SeqScan(o) */ * FROM orders o

SELECT 1 /*M! x */

SELECT 'a' "b" FROM orders; SELECT $$x$$; DROP TABLE y

SELECT $a$ $a$; DELETE FROM orders; --$a$

SELECT E'\'; DELETE FROM orders; --'; DROP TABLE orders; --'

WITH pg_authid AS (SELECT 1) SELECT * FROM pg_catalog.pg_authid

WITH a AS (SELECT * FROM pg_authid) SELECT * FROM a

WITH x AS (SELECT 1) SELECT * FROM x, y

WITH y AS (SELECT * FROM x), x AS (SELECT 1) SELECT * FROM y

SELECT * FROM (WITH hidden AS (SELECT 1) SELECT * FROM hidden) a, hidden

SELECT (SELECT 1 FROM q) FROM (WITH q AS (SELECT 1) SELECT * FROM q) z

SELECT * FROM ONLY pg_class

SELECT * FROM pg_class *

TABLE pg_authid

TABLE information_schema.tables

SELECT 1 UNION SELECT usesysid FROM pg_user

SELECT 1 UNION ALL (SELECT 2 INTO x)

SELECT orders.* FROM orders, pg_database

SELECT o.id::regclass FROM orders o

ALTER TABLE orders OWNER TO x

SELECT pg_catalog.set_config('role', 'postgres', true)

SELECT * FROM set_config('x', 'y', true)

SELECT lo_get(oid) FROM pg_largeobject_metadata

SELECT * FROM pg_logical_slot_peek_changes('x', NULL, NULL)

SELECT * FROM crosstab('select 1') AS ct(a int)

SELECT * FROM pg_get_keywords()

SELECT * FROM pg_options_to_table('{}')

SELECT * FROM ts_parse('default', 'x'), ts_stat('select pg_sleep(1)')

SELECT * FROM xpath_table('a','b','c','d','e') AS t(a int)

SELECT * FROM json_to_recordset(query_to_json('x')) AS x(a int)

SELECT 1 FROM orders WHERE status = 'a' OR pg_sleep(5) IS NOT NULL

GRANT SELECT ON ALL TABLES IN SCHEMA sales TO PUBLIC

SELECT 1 AS "a"; INSERT INTO orders VALUES (1)

CREATE TABLE IF NOT EXISTS x (LIKE orders)

CREATE PUBLICATION p FOR ALL TABLES

CREATE SUBSCRIPTION s CONNECTION 'x' PUBLICATION p

ALTER SUBSCRIPTION s REFRESH PUBLICATION

CREATE AGGREGATE a (int) (sfunc = f, stype = int)

CREATE OPERATOR === (FUNCTION = f, LEFTARG = int, RIGHTARG = int)

CREATE CAST (int AS text) WITH INOUT

CREATE DOMAIN d AS int CHECK (f(value))

CREATE SEQUENCE s

CREATE TYPE t AS (a int)

CREATE POLICY p ON orders USING (true)

CREATE STATISTICS s ON a, b FROM orders

CREATE TABLESPACE t LOCATION '/x'

CREATE LANGUAGE plpython3u

CREATE ACCESS METHOD m TYPE TABLE HANDLER h

CREATE COLLATION c FROM "C"

CREATE CONVERSION c FOR 'UTF8' TO 'LATIN1' FROM f

SELECT * FROM generate_series(1, 1000000000000)

SELECT * FROM generate_series(1, 1000000 * 1000000) g

SELECT * FROM generate_series(1, 10 ^ 12)

SELECT * FROM generate_series(1, '1000000000000'::bigint)

SELECT * FROM generate_series(1::bigint, 1e12::bigint)

SELECT * FROM generate_series(-1000000000000, 1)

SELECT * FROM generate_series(1, 1 << 40)

SELECT * FROM generate_series(1, power(10, 12)::bigint)

SELECT generate_series(1, 99999999999)

SELECT * FROM orders TABLESAMPLE BERNOULLI (10) REPEATABLE (pg_sleep(1))

SELECT * FROM orders TABLESAMPLE public.bernoulli (10)

SELECT (o).ctid FROM orders o

SELECT (p).tableoid::regclass FROM products p

SELECT JSON_VALUE(details, '$.a' PASSING pg_sleep(1) AS x) FROM orders

SELECT JSON_OBJECT('a': (SELECT rolpassword FROM pg_authid))

SELECT JSON_OBJECTAGG('a': nextval('x')) FROM orders

SELECT JSON_ARRAYAGG(id ORDER BY pg_sleep(1)) FROM orders

SELECT JSON_ARRAYAGG(id) FILTER (WHERE pg_sleep(1) IS NULL) FROM orders

SELECT JSON_ARRAYAGG(id) OVER (ORDER BY pg_sleep(1)) FROM orders

SELECT pg_read_file('x') IS JSON

SELECT JSON_EXISTS(pg_read_file('x')::jsonb, '$')

SELECT JSON_QUERY(details, '$.a' ERROR ON ERROR) FROM pg_class

SELECT JSON_ARRAY(pg_read_file('x') FORMAT JSON)

SELECT JSON_OBJECT('a': 1 RETURNING regclass)

WITH RECURSIVE t AS (SELECT 1 AS id UNION ALL SELECT id FROM t) CYCLE id SET c TO nextval('x') DEFAULT 0 USING p SELECT * FROM t

WITH RECURSIVE t AS (SELECT 1 AS id UNION ALL SELECT id FROM t) CYCLE id SET c TO 1 DEFAULT pg_sleep(1) USING p SELECT * FROM t

SELECT 1 UNION ALL SELECT pay FROM hidden.salaries

SELECT 1 DROP TABLE orders

SELECT 1 EXEC xp_cmdshell 'dir'

SELECT total FROM orders

SELECT total， id FROM orders

SELECT １

SELECT total FROM orders WHERE status = ‘paid’

SELECT ｓum(total) FROM orders

SELECT　total FROM orders

SELECT total​FROM orders

SELECT total FROM orders； DROP TABLE orders

SELECT 1 ᅟ FROM orders

SELECT 1FROM orders

SELECT 1FROM orders

SELECT 1FROM orders

SELECT ١

SELECT á FROM orders

-- A name that is no column may call a function on the row.
SELECT o.evil FROM orders o

SELECT (o).evil FROM orders o

SELECT orders.evil FROM orders

SELECT sales.orders.evil FROM sales.orders

SELECT s.evil FROM (SELECT id FROM orders) s

SELECT s.row_to_json FROM (SELECT id FROM orders) s

WITH w AS (SELECT id FROM orders) SELECT w.evil FROM w

WITH RECURSIVE w AS (SELECT 1 AS n UNION ALL SELECT w.evil FROM w WHERE n < 3) SELECT n FROM w

SELECT v.evil FROM (VALUES (1)) v

SELECT v.column1 FROM (VALUES (1)) v(a)

SELECT j.evil FROM (orders o JOIN customers c ON c.id = o.customer_id) j

SELECT o.id FROM orders o JOIN customers c ON c.id = o.evil

SELECT id FROM orders o ORDER BY o.evil

SELECT evil.evil FROM unnest(ARRAY[1]) evil

SELECT evil.evil FROM jsonb_each('{}') evil

SELECT evil.evil FROM jsonb_array_elements('[]') evil

SELECT g.evil FROM generate_series(1, 3) g

SELECT (SELECT o.evil) FROM orders o

SELECT o.id FROM orders o, LATERAL (SELECT o.evil) l

SELECT o.id FROM orders o, customers x, (SELECT 1 FROM products p WHERE p.evil = 1) s

SELECT (SELECT max(p.id) FROM products p, (SELECT o.sku) s) FROM orders o, products x

SELECT (array_agg(o))[1].evil FROM orders o

SELECT (SELECT o FROM orders o LIMIT 1).evil

SELECT (row_to_json(o)).evil FROM orders o

SELECT (jsonb_each(details)).evil FROM orders

SELECT (s.o).evil FROM (SELECT o FROM orders o) s

SELECT count(*) FROM orders o GROUP BY o.evil

SELECT x.evil FROM orders o JOIN customers c USING (id) AS x

SELECT xmltable.* FROM orders, XMLTABLE('/a' PASSING details COLUMNS b text)

SELECT crosstab('select 1')

SELECT similarity(status, 'paid') FROM orders

SELECT MERGE_ACTION()

SELECT current_timestamp, localtimestamp, timeofday()

SELECT * FROM JSON_TABLE(pg_read_file('/etc/passwd')::jsonb, '$' COLUMNS (a text PATH '$'))

SELECT * FROM JSON_TABLE('[1]', '$' COLUMNS (a text PATH '$' DEFAULT pg_read_file('x') ON EMPTY))

SELECT * FROM JSON_TABLE('[1]', '$' COLUMNS (a regclass PATH '$'))

SELECT * FROM JSON_TABLE('[1]', '$' COLUMNS (NESTED PATH '$' COLUMNS (a regrole PATH '$')))

SELECT * FROM JSON_TABLE('[1]', '$' PASSING pg_sleep(1) AS x COLUMNS (a text PATH '$'))

SELECT * FROM JSON_TABLE((SELECT rolname FROM pg_authid)::jsonb, '$' COLUMNS (a text PATH '$'))

SELECT jt.ctid FROM JSON_TABLE('[1]', '$' COLUMNS (a text PATH '$')) jt

SELECT setseed(pg_sleep(1))

SELECT random(1, pg_sleep(1)) FROM orders

SELECT public.random() FROM orders

SELECT '\'; DROP TABLE orders; --'

SELECT 1 /* /* */ x */ ; DROP TABLE orders

SELECT $a$ ' $a$; DROP TABLE orders; --'

SELECT q'[it's]' FROM orders

SELECT $a$ x $b$ ; DROP TABLE orders -- $a$ ; DROP TABLE orders

SELECT e'\\'; DROP TABLE orders --'

SELECT "a""; DROP TABLE orders --

SELECT 1 -- x
; DROP TABLE orders

SELECT U&'\0027' ; DROP TABLE orders

SELECT 'a' '\'; DROP TABLE orders --'
