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

SELECT RAND()

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

SELECT * FROM orders TABLESAMPLE SYSTEM (10 PERCENT)

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

SELECT GENERATE_UUID()

SELECT NET.FETCH('http://x')

SELECT KEYS.NEW_KEYSET('AES')

SELECT ERROR('x')

SELECT @@project_id

SELECT @param

SELECT * FROM orders |> WHERE total > 1

FROM orders |> SELECT *

FROM orders SELECT *

EXPORT DATA OPTIONS (uri = 'gs://x/*') AS SELECT * FROM orders

LOAD DATA INTO x FROM FILES (uris = ['gs://x'])

CREATE TEMP FUNCTION f() AS (1); SELECT f()

ASSERT 1 = 1

CREATE MODEL m AS SELECT 1

SELECT * FROM orders o, o.items

SELECT 'it''s' FROM orders; DROP TABLE x


