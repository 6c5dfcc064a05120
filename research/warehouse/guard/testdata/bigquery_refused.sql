-- One statement a paragraph. None of them may run.
INSERT INTO orders VALUES (1)

UPDATE orders SET total = 0

DELETE FROM orders

MERGE INTO orders o USING customers c ON o.customer_id = c.id WHEN MATCHED THEN DELETE

TRUNCATE TABLE orders

DROP TABLE orders

CREATE TABLE x AS SELECT 1

CREATE VIEW v AS SELECT 1

ALTER TABLE orders ADD x INT

GRANT SELECT ON orders TO public

REVOKE SELECT ON orders FROM public

CALL p()

EXPLAIN SELECT 1

DESCRIBE orders

SHOW TABLES

USE other

SET x = 1

BEGIN TRANSACTION

COMMIT

SELECT 1; DROP TABLE orders

SELECT 1; SELECT 2

SELECT 1 SELECT 2

SELECT 1 DELETE FROM orders

SELECT 1 DROP TABLE orders

SELECT * FROM orders DROP TABLE orders

SELECT * INTO x FROM orders

SELECT * FROM orders INTO x

SELECT * FROM orders FOR UPDATE

WITH x AS (DELETE FROM orders RETURNING *) SELECT * FROM x

WITH x AS (INSERT INTO orders VALUES (1)) SELECT * FROM x

WITH x AS (SELECT 1) DELETE FROM orders

WITH x AS (SELECT 1) INSERT INTO orders SELECT * FROM x

SELECT * FROM (DELETE FROM orders RETURNING *) x

SELECT (DELETE FROM orders)

SELECT * FROM salaries

SELECT * FROM secret.salaries

SELECT * FROM a.b.c.d

SELECT * FROM orders, salaries

SELECT * FROM orders JOIN salaries ON 1 = 1

SELECT * FROM orders LEFT JOIN (SELECT * FROM salaries) s ON 1 = 1

SELECT * FROM (orders CROSS JOIN salaries)

SELECT * FROM ((salaries))

SELECT * FROM orders WHERE id IN (SELECT id FROM salaries)

SELECT EXISTS (SELECT 1 FROM salaries)

SELECT (SELECT MAX(x) FROM salaries)

SELECT CASE WHEN 1 = 1 THEN (SELECT MAX(x) FROM salaries) END

SELECT * FROM orders UNION ALL SELECT * FROM salaries

SELECT * FROM orders ORDER BY (SELECT x FROM salaries)

SELECT * FROM orders GROUP BY (SELECT x FROM salaries)

SELECT * FROM orders o JOIN customers c ON c.id = (SELECT x FROM salaries)

WITH orders AS (SELECT * FROM salaries) SELECT * FROM orders

WITH x AS (SELECT 1 AS a) SELECT * FROM y

SELECT * FROM information_schema.tables

SELECT * FROM INFORMATION_SCHEMA.COLUMNS

SELECT pg_sleep(10)

SELECT sleep(10)

SELECT evil(total) FROM orders

SELECT sales.evil(total) FROM orders

SELECT * FROM orders WHERE evil(total) = 1

SELECT * FROM orders ORDER BY evil(total)

SELECT SUM(evil(total)) FROM orders

SELECT SUM(total) OVER (ORDER BY evil(total)) FROM orders

SELECT CASE WHEN evil(1) THEN 1 END

SELECT * FROM evil(1)

SELECT * FROM orders CROSS JOIN evil(1)

SELECT CAST(1 AS evil)

SELECT CURRENT_USER

SELECT SESSION_USER

SELECT @x

SELECT @@version

SELECT ?

SELECT $1

SELECT ${x}

SELECT {x}

SELECT 1 /*! INTO OUTFILE '/tmp/x' */

SELECT /*+ hint */ 1

SELECT 1 /* a /* b */ c */

SELECT 1 /* open

SELECT 'open

SELECT (1

SELECT 1)

SELECT FROM WHERE

SELEC 1

'

SELECT ev‌il(1)

SELECT * FROM orders x y z

SELECT 1 2

SELECT * FROM 'file.csv'

SELECT * FROM '/etc/passwd'

SELECT * FROM read_csv('/etc/passwd')

SELECT * FROM url('http://x')

SELECT REPEAT('a', 1000000000)

EXECUTE IMMEDIATE 'DROP TABLE orders'

DECLARE x INT

COPY orders TO 'x'

SELECT * FROM `other-project.sales.orders`

SELECT * FROM other-project.sales.orders

SELECT * FROM `sales.INFORMATION_SCHEMA.TABLES`

SELECT * FROM sales.INFORMATION_SCHEMA.COLUMNS

SELECT * FROM `region-us`.INFORMATION_SCHEMA.JOBS

SELECT * FROM sales.__TABLES__

SELECT * FROM `sales.events_*`

SELECT * FROM EXTERNAL_QUERY('conn', 'SELECT 1')

SELECT * FROM ML.PREDICT(MODEL sales.m, (SELECT 1))

SELECT * FROM ML.GENERATE_TEXT(MODEL sales.m, TABLE orders)

SELECT ML.TRANSLATE('x')

SELECT * FROM VECTOR_SEARCH(TABLE orders, 'x', TABLE customers)

SELECT * FROM APPENDS(TABLE sales.orders)

SELECT SESSION_USER()

SELECT NET.FETCH('http://x')

SELECT KEYS.NEW_KEYSET('AES')

SELECT ERROR('x')

SELECT @@project_id

SELECT @param

FROM orders SELECT *

EXPORT DATA OPTIONS (uri = 'gs://x/*') AS SELECT * FROM orders

LOAD DATA INTO x FROM FILES (uris = ['gs://x'])

CREATE TEMP FUNCTION f() AS (1); SELECT f()

ASSERT 1 = 1

CREATE MODEL m AS SELECT 1

SELECT * FROM orders o, o.items

SELECT 'it''s' FROM orders; DROP TABLE x

SELECT SESSION_USER() FROM orders o

SELECT @param FROM orders o

SELECT @@session_id FROM orders o

SELECT @@project_id FROM orders o

SELECT ? FROM orders o

SELECT EXTERNAL_OBJECT_TRANSFORM('x') FROM orders o

SELECT KEYS.NEW_KEYSET('AEAD_AES_GCM_256') FROM orders o

SELECT AEAD.ENCRYPT(a, b, c) FROM orders o

SELECT ML.PREDICT(1) FROM orders o

SELECT AI.GENERATE('x') FROM orders o

SELECT VECTOR_SEARCH('a') FROM orders o

SELECT sales.my_udf(1) FROM orders o

SELECT `sales.my_udf`(1) FROM orders o

SELECT `RAND`() FROM orders o

SELECT REPEAT('a', 1000000000) FROM orders o

SELECT GENERATE_ARRAY(1, 1000000000000) FROM orders o

SELECT LPAD('a', 1000000000) FROM orders o

SELECT ERROR('x') FROM orders o

SELECT (SELECT 1 FROM INFORMATION_SCHEMA.TABLES) FROM orders o

SELECT (SELECT AS STRUCT SESSION_USER()) FROM orders o

SELECT ARRAY(SELECT SESSION_USER()) FROM orders o

SELECT STRUCT(SESSION_USER() AS x) FROM orders o

SELECT [SESSION_USER()] FROM orders o

SELECT STRUCT<a FLOAT64>(SESSION_USER()) FROM orders o

DELETE FROM orders WHERE true

UPDATE orders SET total = 0 WHERE true

INSERT INTO orders (id) VALUES (1)

INSERT orders (id) SELECT 1

MERGE orders USING customers ON true WHEN MATCHED THEN DELETE

CREATE OR REPLACE VIEW v AS SELECT 1

CREATE TEMP FUNCTION f(x INT64) AS (x)

CREATE TEMP FUNCTION f() RETURNS INT64 LANGUAGE js AS 'return 1'; SELECT f()

CREATE MODEL m OPTIONS (model_type='x') AS SELECT 1

CREATE EXTERNAL TABLE x OPTIONS (uris=['gs://x'])

ALTER TABLE orders ADD COLUMN x INT64

GRANT `roles/x` ON TABLE orders TO 'user:x'

EXPORT DATA OPTIONS (uri='gs://x/*') AS SELECT * FROM orders

LOAD DATA INTO x FROM FILES (uris=['gs://x'])

EXECUTE IMMEDIATE 'SELECT 1'

DECLARE x INT64; SELECT x

DECLARE x INT64 DEFAULT 1

BEGIN SELECT 1; END

COMMIT TRANSACTION

IF true THEN SELECT 1; END IF

LOOP SELECT 1; END LOOP

WHILE true DO SELECT 1; END WHILE

FOR r IN (SELECT 1) DO SELECT 1; END FOR

RAISE USING MESSAGE = 'x'

ASSERT true AS 'x'

SELECT * FROM INFORMATION_SCHEMA.TABLES

SELECT * FROM sales.INFORMATION_SCHEMA.TABLES

SELECT * FROM `sales.INFORMATION_SCHEMA.COLUMNS`

SELECT * FROM region-us.INFORMATION_SCHEMA.JOBS_BY_PROJECT

SELECT * FROM bigquery-public-data.samples.wikipedia

SELECT * FROM `bigquery-public-data.samples.*`

SELECT * FROM `sales.ord*`

SELECT * FROM unknown

SELECT * FROM secret.orders

SELECT * FROM EXTERNAL_QUERY('x', 'select 1')

SELECT * FROM ML.PREDICT(MODEL m, TABLE orders)

SELECT * FROM AI.FORECAST(TABLE orders)

SELECT * FROM APPENDS(TABLE orders, NULL, NULL)

SELECT * FROM CHANGES(TABLE orders, NULL, NULL)

SELECT * FROM VECTOR_SEARCH(TABLE orders, 'a', TABLE customers)

SELECT * FROM SEARCH(orders, 'x')

SELECT * FROM sales.my_tvf(1)

SELECT * FROM `sales.my_tvf`(1)

SELECT * FROM my_tvf()

SELECT * FROM GAP_FILL(TABLE orders)

SELECT * FROM orders, INFORMATION_SCHEMA.TABLES

SELECT * FROM orders JOIN `other.x` ON true

SELECT * FROM (SELECT * FROM `other.x`)

SELECT * FROM (orders JOIN other.x ON true)

SELECT 1 UNION ALL SELECT x FROM other.t

WITH a AS (SELECT * FROM other.t) SELECT * FROM a

WITH a AS (SELECT 1) SELECT * FROM a, b

WITH a AS (DELETE FROM orders) SELECT 1

SELECT * FROM orders WHERE id IN (SELECT id FROM other.t)

SELECT * FROM UNNEST((SELECT ARRAY_AGG(x) FROM other.t))

SELECT * FROM orders ORDER BY SESSION_USER()

SELECT * FROM orders QUALIFY SESSION_USER() > 1

SELECT * FROM orders FOR SYSTEM_TIME AS OF (SELECT MAX(x) FROM other.t)

SELECT * FROM orders WHERE id = @x

SELECT * FROM orders LIMIT @x

SELECT /*+ x */ 1

SELECT 1 /*! x */

SELECT * FROM orders |> EXTEND SESSION_USER() AS x

SELECT * FROM orders OPTIONS (x = 1)

SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon=1) 1

SELECT WITH ANONYMIZATION 1

SELECT * FROM orders PIVOT (SUM(SESSION_USER()) FOR status IN ('a'))

SELECT * FROM TABLE_DATE_RANGE([x.y], 1, 2)

SELECT * FROM [project:dataset.table]

#legacySQL
SELECT * FROM [a:b.c]

SELECT "a\"; DROP TABLE x; --"; DROP TABLE y

SELECT 'a' 'b' FROM other.t

SELECT r'\'; DROP TABLE x; --'; DROP TABLE y

SELECT '''x'''; DROP TABLE y

SELECT * FROM `orders`.`x`

SELECT * FROM `sales`.`orders`.`x`

SELECT * FROM ``

SELECT * FROM `sales.orders\`, other.t`

GRAPH_TABLE (x MATCH (a) RETURN a)

SELECT * FROM GRAPH_TABLE(g MATCH (a) RETURN a.x)

SELECT * FROM orders MATCH_RECOGNIZE (ORDER BY id MEASURES SESSION_USER() AS x PATTERN (a) DEFINE a AS true)

SELECT Größe FROM (SELECT 1 AS Größe) t

SELECT 1 UNION ALL SELECT pay FROM hidden.salaries

SELECT 1 DROP TABLE orders

SELECT 1 EXEC xp_cmdshell 'dir'

SELECT 1UNION ALL SELECT pay FROM hidden.salaries

SELECT 1e5UNION ALL SELECT 2

SELECT 0x1gUNION SELECT 2

SELECT 1DROP TABLE orders

SELECT 1.5FROM orders

SELECT 1.2.3

SELECT 0x

SELECT 1e

SELECT 1e+

SELECT 1_

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

FROM orders |> CALL f()

SELECT ML.PREDICT(1)

SELECT EXTERNAL_QUERY('c', 'SELECT 1')

FROM secrets |> SELECT *

FROM orders |> JOIN secrets ON TRUE

FROM orders |> UNION ALL (FROM secrets)

FROM orders |> INSERT INTO orders

FROM orders |> EXPORT DATA OPTIONS (uri = 'gs://x')

FROM orders |> CREATE TABLE x

FROM orders |> TEE (INSERT INTO x)

FROM orders |> FORK (SELECT 1), (SELECT 2)

FROM orders |> IF TRUE THEN (|> SELECT 1) END

FROM orders |> EXTEND EXTERNAL_QUERY('c', 'SELECT 1') AS x

FROM orders |> WHERE id IN (SELECT id FROM secrets)

FROM orders |> WHERE id IN (FROM secrets |> SELECT id)

FROM orders |> AGGREGATE SUM(total), SESSION_USER() GROUP BY id

FROM orders |> SET total = SESSION_USER()

FROM orders |> PIVOT(SUM(SESSION_USER()) FOR status IN ('a'))

FROM orders |> ; DROP TABLE orders

FROM orders |> WHERE TRUE; DROP TABLE orders

FROM orders |>

|> WHERE TRUE

FROM orders |> DROP TABLE orders

FROM orders |> LIMIT (SELECT COUNT(*) FROM secrets)

FROM ML.PREDICT(MODEL m, TABLE orders)

FROM `region-us`.INFORMATION_SCHEMA.JOBS |> SELECT *

FROM orders |> SELECT * FROM secrets

FROM orders |> ASSERT FALSE

WITH a AS (FROM secrets) SELECT * FROM a

FROM orders |> ORDER BY SESSION_USER()

FROM orders |> RENAME id AS (SELECT 1)

FROM orders |> AS (SELECT 1)

FROM orders |> TABLESAMPLE SYSTEM (RAND() PERCENT)

SELECT r'\\'; DROP TABLE orders; --'

SELECT '''a'''; DROP TABLE orders

SELECT ''''''; DROP TABLE orders

SELECT '\'' ; DROP TABLE orders

SELECT 1 # x
; DROP TABLE orders

SELECT `a\`; DROP TABLE orders -- `; DROP TABLE orders

SELECT /* /* */ 1; DROP TABLE orders -- */

SELECT q'[it's]' FROM orders

SELECT $$a$$ FROM orders

SELECT """a""""; DROP TABLE orders
