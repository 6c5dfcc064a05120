-- One statement a paragraph. None of them may run.
-- Writing and defining.
INSERT INTO flights VALUES (1)

INSERT INTO flights SELECT * FROM flights

INSERT OR REPLACE INTO airports VALUES ('x')

UPDATE flights SET delay = 0

DELETE FROM flights

TRUNCATE flights

MERGE INTO airports a USING airports b ON a.iata = b.iata WHEN MATCHED THEN DELETE

DROP TABLE flights

DROP SCHEMA main CASCADE

CREATE TABLE x AS SELECT 1

CREATE OR REPLACE TABLE flights AS SELECT 1

CREATE TEMP TABLE x AS SELECT 1

CREATE VIEW v AS SELECT 1

CREATE TEMP VIEW flights AS SELECT 1

CREATE MACRO f(x) AS x

CREATE FUNCTION f(x) AS TABLE SELECT 1

CREATE TYPE t AS ENUM ('a')

CREATE SEQUENCE s

CREATE SCHEMA s

CREATE INDEX i ON flights (delay)

CREATE SECRET s (TYPE S3)

CREATE PERSISTENT SECRET s (TYPE S3)

ALTER TABLE flights ADD COLUMN x INTEGER

COMMENT ON TABLE flights IS 'x'

VACUUM

VACUUM ANALYZE

ANALYZE

CHECKPOINT

FORCE CHECKPOINT

WITH x AS (DELETE FROM flights RETURNING *) SELECT * FROM x

WITH x AS (INSERT INTO flights VALUES (1) RETURNING *) SELECT * FROM x

SELECT * INTO x FROM flights

-- Sessions, settings, files, extensions.
BEGIN

COMMIT

ROLLBACK

BEGIN TRANSACTION READ WRITE

SELECT 1; SELECT 2

SELECT 1; DROP TABLE flights

SELECT 1; ; DELETE FROM flights

DROP TABLE flights; SELECT 1

SET memory_limit = '100GB'

SET enable_external_access = true

SET GLOBAL threads = 64

RESET memory_limit

SET VARIABLE x = 1

RESET VARIABLE x

PRAGMA database_list

PRAGMA version

PRAGMA table_info('flights')

PRAGMA threads = 64

PRAGMA enable_profiling

CALL pragma_version()

CALL duckdb_settings()

CALL enable_logging(storage = 'file')

INSTALL httpfs

LOAD httpfs

INSTALL 'x.duckdb_extension'

FORCE INSTALL json FROM community

UPDATE EXTENSIONS

ATTACH 'other.db'

ATTACH 'other.db' AS o (READ_ONLY)

ATTACH ':memory:' AS m

DETACH lake

USE main

EXPORT DATABASE 'x'

IMPORT DATABASE 'x'

COPY flights TO 'x.csv'

COPY (SELECT 1) TO '/tmp/x.parquet' (FORMAT parquet)

COPY flights FROM '/etc/passwd'

COPY FROM DATABASE a TO b

PREPARE p AS DELETE FROM flights

PREPARE p AS SELECT 1

EXECUTE p

DEALLOCATE p

EXPLAIN SELECT 1

EXPLAIN ANALYZE SELECT * FROM flights

SHOW TABLES

SHOW ALL TABLES

SHOW DATABASES

SHOW memory_limit

DESCRIBE

SELECT * FROM (SHOW TABLES)

SELECT * FROM (DESCRIBE duckdb_settings)

SUMMARIZE 'x.csv'

DESCRIBE SELECT * FROM read_csv('x')

-- Files and addresses as tables.
SELECT * FROM '/etc/passwd'

SELECT * FROM 'x.csv'

FROM 'x.parquet'

FROM "x.parquet"

SELECT * FROM "/etc/passwd"

SELECT * FROM '*.csv'

SELECT * FROM 'https://example.com/x.parquet'

SELECT * FROM 's3://bucket/x.parquet'

SELECT * FROM read_csv('x.csv')

SELECT * FROM read_csv_auto('x.csv')

SELECT * FROM READ_CSV('x.csv')

SELECT * FROM "read_csv"('x.csv')

SELECT * FROM main.read_csv('x.csv')

SELECT * FROM system.main.read_csv('x.csv')

SELECT * FROM read_parquet(['a', 'b'])

SELECT * FROM parquet_scan('x')

SELECT * FROM parquet_metadata('x')

SELECT * FROM parquet_schema('x')

SELECT * FROM parquet_file_metadata('x')

SELECT * FROM parquet_kv_metadata('x')

SELECT * FROM parquet_bloom_probe('x', 'a', 1)

SELECT * FROM read_json('x')

SELECT * FROM read_json_auto('x')

SELECT * FROM read_ndjson('x')

SELECT * FROM read_json_objects('x')

SELECT * FROM read_text('/etc/passwd')

SELECT * FROM "read_text"('/etc/passwd')

SELECT * FROM read_blob('/etc/passwd')

SELECT * FROM read_duckdb('x')

SELECT * FROM glob('/etc/*')

SELECT * FROM sniff_csv('x')

SELECT * FROM read_xlsx('x')

SELECT * FROM st_read('x')

SELECT * FROM iceberg_scan('x')

SELECT * FROM delta_scan('x')

SELECT * FROM sqlite_scan('x', 't')

SELECT * FROM postgres_scan('x', 'y', 'z')

SELECT * FROM postgres_query('x', 'y')

SELECT * FROM mysql_query('x', 'y')

SELECT * FROM http_get('https://example.com')

SELECT * FROM flights, read_text('/etc/passwd')

SELECT * FROM flights JOIN read_csv('x') r ON true

SELECT * FROM flights WHERE origin IN (SELECT content FROM read_text('/etc/passwd'))

SELECT (SELECT content FROM read_text('/etc/passwd'))

SELECT (FROM 'x.csv')

WITH x AS (FROM read_text('/etc/passwd')) FROM x

WITH x AS (SELECT 1) SELECT * FROM y

WITH RECURSIVE x AS (SELECT 1 UNION ALL SELECT * FROM read_csv('x')) FROM x

SELECT * FROM flights UNION ALL FROM 'x.csv'

SELECT * FROM flights ORDER BY (SELECT content FROM read_text('x'))

SELECT * FROM flights LIMIT (SELECT count(*) FROM read_text('x'))

SELECT * FROM flights LIMIT 1 OFFSET (SELECT count(*) FROM 'x.csv')

SELECT DISTINCT ON ((SELECT content FROM read_text('x'))) 1 FROM flights

SELECT count(*) FILTER (WHERE EXISTS (FROM read_text('x'))) FROM flights

SELECT sum(delay) OVER (PARTITION BY (SELECT content FROM read_text('x'))) FROM flights

SELECT sum(delay) OVER (ORDER BY date ROWS BETWEEN (SELECT count(*) FROM 'x.csv') PRECEDING AND CURRENT ROW) FROM flights

SELECT list(delay ORDER BY (SELECT content FROM read_text('x'))) FROM flights

SELECT CASE WHEN EXISTS (FROM 'x.csv') THEN 1 END

SELECT list_transform([1], x -> (SELECT content FROM read_text('y')))

SELECT * REPLACE ((SELECT content FROM read_text('x')) AS delay) FROM flights

SELECT 1 FROM flights GROUP BY (SELECT content FROM read_text('x'))

SELECT 1 FROM flights QUALIFY (SELECT count(*) FROM read_text('x')) > 0

SELECT * FROM (VALUES ((SELECT content FROM read_text('x')))) v

SELECT * FROM unnest((SELECT list(content) FROM read_text('x')))

SELECT * FROM range((SELECT count(*) FROM 'x.csv'))

PIVOT flights ON origin USING sum(delay)

SELECT * FROM (PIVOT 'x.csv' ON a IN ('b') USING count(*))

UNPIVOT 'x.csv' ON a INTO NAME n VALUE v

-- SQL in texts.
SELECT * FROM query('SELECT 1')

SELECT * FROM query_table('flights')

SELECT * FROM query_table(['flights'])

SELECT * FROM json_execute_serialized_sql('{}')

SELECT json_serialize_sql('SELECT 1')

SELECT json_deserialize_sql('{}')

SELECT json_serialize_plan('SELECT 1')

SELECT * FROM sql_auto_complete('SEL')

-- The catalog, settings, variables, the session.
SELECT * FROM information_schema.tables

SELECT * FROM information_schema.columns

SELECT * FROM pg_catalog.pg_class

SELECT * FROM pg_class

SELECT * FROM sqlite_master

SELECT * FROM duckdb_tables

SELECT * FROM duckdb_tables()

SELECT * FROM duckdb_columns()

SELECT * FROM duckdb_settings()

SELECT * FROM duckdb_secrets()

SELECT * FROM duckdb_databases()

SELECT * FROM duckdb_functions()

SELECT * FROM duckdb_extensions()

SELECT * FROM duckdb_memory()

SELECT * FROM duckdb_logs

SELECT * FROM pragma_database_list

SELECT * FROM pragma_table_info('flights')

SELECT * FROM pragma_version()

SELECT * FROM which_secret('x', 's3')

SELECT * FROM pg_timezone_names()

SELECT * FROM seq_scan('flights')

SELECT * FROM test_all_types()

SELECT * FROM summary((SELECT 1))

SELECT * FROM checkpoint()

SELECT * FROM force_checkpoint()

SELECT * FROM enable_logging()

SELECT * FROM truncate_duckdb_logs()

SELECT * FROM arrow_scan(1, 2, 3)

SELECT * FROM repeat('x', 10)

SELECT current_setting('memory_limit')

SELECT getvariable('x')

SELECT getenv('HOME')

SELECT current_user

SELECT current_database()

SELECT current_schema()

SELECT current_schemas(true)

SELECT current_query()

SELECT session_user

SELECT version()

SELECT txid_current()

SELECT nextval('s')

SELECT currval('s')

SELECT write_log('x')

SELECT sleep_ms(10000)

SELECT pg_sleep(10)

SELECT error('x')

SELECT stats(delay) FROM flights

SELECT in_search_path('x', 'y')

SELECT pg_get_viewdef(1)

SELECT has_table_privilege('flights', 'select')

SELECT inet_server_addr()

SELECT get_block_size('lake')

SELECT col_description(1, 2)

SELECT nextval('s') OVER ()

-- Much of little.
SELECT repeat('a', 2000000000)

SELECT lpad('a', 2000000000, 'b')

SELECT rpad('a', delay, 'b') FROM flights

SELECT list_resize([1], 2000000000)

SELECT array_resize([1], 2000000000, 0)

SELECT bar(1, 0, 1, 1000000)

SELECT range(1000000000000)

SELECT * FROM range(1000000000000)

SELECT * FROM generate_series(1, 99999999999999)

SELECT format('{:2000000000}', 'x')

SELECT printf('%2000000000d', 1)

SELECT printf('%*d', 2000000000, 1)

SELECT format(origin, 1) FROM flights

SELECT [1]::INTEGER[100000]

SELECT create_sort_key(1, 'ASC')

-- Functions by another name or way.
SELECT main.read_text('x')

SELECT system.main.version()

SELECT pg_catalog.current_setting('x')

SELECT list_aggregate(['x'], 'read_text')

SELECT list_aggregate(['x'], origin) FROM flights

SELECT my_macro(1)

SELECT main.my_macro(1)

SELECT * FROM my_table_macro(1)

SELECT x.y.z(1)

-- Parameters and other things.
SELECT ?

SELECT $1

SELECT $name

SELECT * FROM flights AT (VERSION => 1)

SELECT * FROM lake.main.flights

SELECT * FROM memory.main.flights

SELECT * FROM temp.flights

SELECT * FROM other.flights

SELECT * FROM nowhere

SELECT 'x'::no_such_type

SELECT 'x'::regclass

SELECT 'x'::other.t

SELECT * FROM

SELEC 1

not a statement

SELECT 1 FROM flights WHERE

-- Text that has no place.
SELECT /*! 1 */ 2

SELECT /*+ hint */ 2

SELECT​1

SELECT 1 /* unclosed

SELECT uuidv7() FROM orders o

SELECT nextval('s') FROM orders o

SELECT currval('s') FROM orders o

SELECT getvariable('x') FROM orders o

SELECT getenv('HOME') FROM orders o

SELECT current_setting('threads') FROM orders o

SELECT current_user FROM orders o

SELECT current_user() FROM orders o

SELECT session_user FROM orders o

SELECT current_database() FROM orders o

SELECT current_schema() FROM orders o

SELECT current_schemas(true) FROM orders o

SELECT current_catalog() FROM orders o

SELECT current_query() FROM orders o

SELECT version() FROM orders o

SELECT txid_current() FROM orders o

SELECT pg_backend_pid() FROM orders o

SELECT query('select 1') FROM orders o

SELECT sql_auto_complete('x') FROM orders o

SELECT json_serialize_sql('select 1') FROM orders o

SELECT json_deserialize_sql('{}') FROM orders o

SELECT json_execute_serialized_sql('{}') FROM orders o

SELECT write_log('x') FROM orders o

SELECT parse_duckdb_log_message('a','b') FROM orders o

SELECT add_parquet_key('a', 'b') FROM orders o

SELECT in_search_path('a', 'b') FROM orders o

SELECT has_table_privilege('x', 'select') FROM orders o

SELECT pg_get_viewdef(1) FROM orders o

SELECT obj_description(1) FROM orders o

SELECT repeat('a', 1000000000) FROM orders o

SELECT repeat(o.status, 1000000) FROM orders o

SELECT lpad('a', 1000000000, 'b') FROM orders o

SELECT rpad('a', 1000000000, 'b') FROM orders o

SELECT list_resize([1], 1000000000, 0) FROM orders o

SELECT array_resize([1], 1000000000) FROM orders o

SELECT bar(1, 0, 10, 1000000000) FROM orders o

SELECT range(1000000000000) FROM orders o

SELECT generate_series(1, 1000000000000) FROM orders o

SELECT my_macro(1) FROM orders o

SELECT main.my_macro(1) FROM orders o

SELECT list_aggregate([1], 'my_agg') FROM orders o

SELECT list_aggregate(['x'], o.status) FROM orders o

SELECT read_text('/etc/passwd') FROM orders o

SELECT read_blob('/etc/passwd') FROM orders o

SELECT "read_text"('/etc/passwd') FROM orders o

SELECT getbit('a', 1) FROM orders o

SELECT stats(o.id) FROM orders o

SELECT error('x') FROM orders o

SELECT sleep_ms(1) FROM orders o

SELECT checkpoint() FROM orders o

SELECT force_checkpoint() FROM orders o

SELECT pragma_version() FROM orders o

SELECT http_get('x') FROM orders o

SELECT st_read('x') FROM orders o

SELECT fts_main_orders.match_bm25('a', 'b') FROM orders o

SELECT 'orders'::regclass FROM orders o

SELECT 'x'::mytype FROM orders o

SELECT printf('%1000000000d', 1) FROM orders o

SELECT format('{:1000000000}', 1) FROM orders o

SELECT (SELECT content FROM read_text('/etc/passwd')) FROM orders o

SELECT (SELECT count(*) FROM duckdb_settings()) FROM orders o

SELECT EXISTS (SELECT 1 FROM information_schema.tables) FROM orders o

SELECT (FROM 'x.csv' LIMIT 1) FROM orders o

SELECT $1 FROM orders o

SELECT $name FROM orders o

SELECT ? FROM orders o

INSERT INTO orders VALUES (1)

INSERT INTO orders BY NAME SELECT 1 AS id

INSERT OR REPLACE INTO orders VALUES (1)

UPDATE orders SET total = 0

DELETE FROM orders

DELETE FROM orders USING customers WHERE true

MERGE INTO orders USING customers ON true WHEN MATCHED THEN DELETE

TRUNCATE orders

DROP TABLE orders

DROP SCHEMA sales CASCADE

CREATE TABLE x (a INT)

CREATE OR REPLACE TABLE x AS SELECT 1

CREATE TEMP TABLE x AS FROM orders

CREATE MACRO m(x) AS x

CREATE MACRO m(x) AS TABLE SELECT 1

CREATE FUNCTION m(x) AS x

CREATE INDEX i ON orders (id)

CREATE SCHEMA x

ALTER TABLE orders ADD COLUMN x INT

COPY orders TO '/tmp/x.csv'

COPY orders FROM '/tmp/x.csv'

EXPORT DATABASE '/tmp/x'

IMPORT DATABASE '/tmp/x'

ATTACH '/tmp/x.db'

ATTACH 'host=x' AS pg (TYPE postgres)

DETACH x

USE x

USE memory

FORCE INSTALL httpfs FROM 'http://x'

SET threads = 1

SET GLOBAL memory_limit = '1TB'

SET SESSION schema = 'x'

RESET threads

PRAGMA table_info('orders')

PRAGMA show_tables

SHOW x

EXPLAIN ANALYZE SELECT 1

EXPLAIN ANALYZE DELETE FROM orders

EXECUTE p(1)

BEGIN TRANSACTION

SELECT 1; DROP TABLE orders

COMMENT ON TABLE orders IS 'x'

DESCRIBE 'x.csv'

DESCRIBE pg_class

SUMMARIZE duckdb_settings()

SUMMARIZE information_schema.tables

SELECT * FROM '/etc/passwd'

SELECT * FROM "x.csv"

SELECT * FROM "http://x/y.parquet"

FROM 's3://bucket/*.parquet'

FROM read_csv('x.csv')

SELECT * FROM READ_CSV ('x.csv')

SELECT * FROM read_blob('/etc/*')

SELECT * FROM glob('/*')

SELECT * FROM sqlite_scan('a', 'b')

SELECT * FROM postgres_scan('a', 'b', 'c')

SELECT * FROM postgres_query('a', 'b')

SELECT * FROM mysql_query('a', 'b')

SELECT * FROM query('SELECT 1')

SELECT * FROM query_table('orders')

SELECT * FROM json_execute_serialized_sql('x')

SELECT * FROM from_substrait('x')

SELECT * FROM pandas_scan(1)

SELECT * FROM seq_scan('orders')

SELECT * FROM table_info

SELECT * FROM pragma_table_info('orders')

SELECT * FROM pragma_storage_info('orders')

SELECT * FROM pragma_database_size()

SELECT * FROM pragma_show('orders')

SELECT * FROM test_vector_types(1)

SELECT * FROM summary(orders)

SELECT * FROM repeat('a', 1000000000)

SELECT * FROM repeat_row('a', num_rows=1000000000)

SELECT * FROM generate_series(1, (SELECT getenv('HOME')))

SELECT * FROM information_schema.tables

SELECT * FROM duckdb_columns

SELECT * FROM system.information_schema.tables

SELECT * FROM temp.x

SELECT * FROM otherdb.sales.orders

SELECT * FROM secret.orders

SELECT * FROM unknown

SELECT * FROM main.orders

SELECT * FROM orders AT (VERSION => 1)

SELECT * FROM orders, read_csv('x')

SELECT * FROM orders JOIN 'x.csv' ON true

SELECT * FROM (FROM 'x.csv')

SELECT * FROM orders UNION ALL FROM 'x.csv'

WITH x AS (FROM 'x.csv') FROM x

WITH x AS (SELECT * FROM read_text('a')) SELECT * FROM x

WITH x AS (INSERT INTO orders VALUES (1) RETURNING *) SELECT * FROM x

WITH x AS (SELECT 1) DELETE FROM orders

PIVOT 'x.csv' ON a USING sum(b)

PIVOT read_csv('x') ON a USING sum(b)

PIVOT orders ON status USING sum(getenv('HOME'))

PIVOT orders ON getenv('x') USING sum(total)

UNPIVOT 'x.csv' ON a

SELECT * FROM orders PIVOT (sum(getenv('HOME')) FOR status IN ('paid'))

SELECT * FROM orders PIVOT (sum(total) FOR status IN (SELECT content FROM read_text('x')))

SELECT * FROM orders ORDER BY getenv('HOME')

SELECT * FROM orders GROUP BY getenv('HOME')

SELECT * FROM orders QUALIFY getenv('HOME') > 1

SELECT count(*) FROM orders HAVING getenv('HOME') > 1

SELECT * FROM orders LIMIT (SELECT getenv('HOME') * 10)

SELECT * FROM orders LIMIT getvariable('x')

SELECT sum(total) FILTER (getenv('HOME') > 0.5) FROM orders

SELECT sum(total) OVER (ORDER BY getenv('HOME')) FROM orders

SELECT sum(total) OVER (PARTITION BY getenv('x')) FROM orders

SELECT sum(total) OVER w FROM orders WINDOW w AS (ORDER BY getenv('HOME'))

SELECT lag(total, 1, getenv('HOME')) OVER (ORDER BY id) FROM orders

SELECT list(id ORDER BY getenv('HOME')) FROM orders

SELECT DISTINCT ON (getenv('HOME')) * FROM orders

SELECT * REPLACE (getenv('HOME') AS total) FROM orders

SELECT COLUMNS(c -> getenv(c) IS NULL) FROM orders

SELECT list_transform([1], x -> getenv('HOME'))

SELECT list_transform([1], lambda x : getenv('x'))

SELECT [getenv('HOME') for x in [1]]

SELECT list_filter([1], x -> getenv('HOME') > 0.5)

SELECT {'a': getenv('x')}

SELECT map {'a': getenv('HOME')}

SELECT [getenv('x')]

SELECT (getenv('x')).a

SELECT getenv('x')[1]

SELECT CASE WHEN getenv('HOME') > 1 THEN 1 END

SELECT getenv('HOME')::INT

SELECT TRY(getenv('x'))

SELECT TRY_CAST(getenv('x') AS INT)

SELECT INTERVAL (getenv('HOME')) DAY

SELECT o.getenv() FROM orders o

SELECT 'x'.getenv()

SELECT 'HOME'.getenv()

SELECT 'SELECT 1'.json_serialize_sql()

SELECT o.id.random() FROM orders o

SELECT unnest(getenv('x'))

SELECT unnest((SELECT list(content) FROM read_text('x')))

VALUES (getenv('HOME'))

FROM (VALUES (getenv('x')))

SELECT * FROM orders o JOIN customers c ON getenv('HOME') > 1

SELECT * FROM orders o, LATERAL (SELECT getenv('x'))

SELECT 1 WHERE getenv('HOME') > 1

SELECT /*+ x */ 1

SELECT 1 /*! x */

.shell id

%sql select 1

SELECT * FROM orders FOR UPDATE

SELECT * INTO x FROM orders

SELECT * FROM sales.orders_secret

SELECT system.main.getenv('x')

SELECT main.getenv('x')

SELECT * FROM TABLE(read_csv('x'))

SELECT * FROM unnest(getenv('x'))

SELECT * FROM generate_series(1, 1000000000000) t(i)

SELECT * FROM orders TABLESAMPLE (getvariable('x') PERCENT)

SELECT count(*) FROM orders LIMIT getenv('HOME')

SELECT max(COLUMNS(* EXCLUDE (id))) FROM read_csv('x')

SELECT sum(total) FROM orders AT (TIMESTAMP => now())

SELECT o.id::regclass::text FROM orders o

SELECT concat(current_setting('secret_directory'))

SELECT $a$ ' $a$; DROP TABLE orders

SELECT '\'; DROP TABLE orders; --'

SELECT e'\\'; DROP TABLE orders --'

FROM '/etc/passwd'

SELECT q'[it''s]' FROM orders

COPY orders TO 'x.csv'

ATTACH 'x.db'
