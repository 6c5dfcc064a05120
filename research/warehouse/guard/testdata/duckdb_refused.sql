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

SELECT setseed(0.5)

SELECT random()

SELECT uuid()

SELECT gen_random_uuid()

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
