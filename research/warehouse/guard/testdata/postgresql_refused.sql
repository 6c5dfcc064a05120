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

SELECT random()

SELECT gen_random_uuid()

SELECT clock_timestamp()

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

SELECT * FROM orders TABLESAMPLE system (10)

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

SELECT * FROM JSON_TABLE('[]', '$[*]' COLUMNS (a int PATH '$'))

WITH RECURSIVE t(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM t) SEARCH DEPTH FIRST BY a SET o SELECT * FROM t

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
