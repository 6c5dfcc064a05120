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

SELECT * FROM url('http://169.254.169.254/latest', 'CSV', 'a String')

SELECT * FROM s3('https://x/y.csv', 'CSV')

SELECT * FROM s3Cluster('c', 'https://x')

SELECT * FROM remote('127.0.0.1', 'system.users')

SELECT * FROM remoteSecure('127.0.0.1', system, users)

SELECT * FROM cluster('c', system, one)

SELECT * FROM clusterAllReplicas('c', system.one)

SELECT * FROM file('/etc/passwd', 'CSV', 'a String')

SELECT file('/etc/passwd')

SELECT * FROM mysql('h', 'd', 't', 'u', 'p')

SELECT * FROM postgresql('h', 'd', 't', 'u', 'p')

SELECT * FROM mongodb('h', 'd', 't', 'u', 'p', 'x')

SELECT * FROM jdbc('x', 'y', 'z')

SELECT * FROM odbc('x', 'y', 'z')

SELECT * FROM hdfs('hdfs://x', 'CSV')

SELECT * FROM azureBlobStorage('x')

SELECT * FROM gcs('x')

SELECT * FROM iceberg('x')

SELECT * FROM deltaLake('x')

SELECT * FROM executable('x.py', 'TSV', 'a String')

SELECT * FROM input('a String')

SELECT * FROM merge('system', '.*')

SELECT * FROM view(SELECT 1)

SELECT * FROM dictionary('d')

SELECT * FROM generateRandom('a String')

SELECT * FROM sqlite('x', 'y')

SELECT * FROM redis('x', 'y', 'z')

SELECT * FROM system.users

SELECT * FROM system.query_log

SELECT * FROM numbers(1000000000000)

SELECT * FROM numbers(9999999)

SELECT * FROM numbers(toUInt64(1e12))

SELECT * FROM system.numbers

SELECT * FROM orders SETTINGS max_execution_time = 0

SELECT * FROM orders SETTINGS readonly = 0

SELECT * FROM (SELECT 1 SETTINGS max_memory_usage = 0)

SELECT * FROM orders FORMAT JSON

SELECT * FROM orders INTO OUTFILE 'x'

SELECT * FROM orders INTO OUTFILE 'x' FORMAT CSV

SELECT * FROM orders SAMPLE 0.1

SELECT sleepEachRow(1) FROM orders

SELECT throwIf(1)

SELECT getSetting('x')

SELECT getMacro('x')

SELECT hostName()

SELECT currentUser()

SELECT currentDatabase()

SELECT version()

SELECT uptime()

SELECT dictGet('d', 'a', 1)

SELECT joinGet('j', 'a', 1)

SELECT hasColumnInTable('system', 'users', 'name')

SELECT catboostEvaluate('x', 1)

SELECT filesystemAvailable()

SELECT generateUUIDv4()

SELECT rand()

SELECT randomString(1000000000)

SELECT repeat('a', 1000000000)

SELECT range(1000000000)

SELECT arrayWithConstant(1000000000, 1)

SELECT toFixedString('a', 1000000000)

SELECT CAST('a' AS FixedString(1000000000))

SELECT leftPad('a', 1000000000)

SELECT arrayReduce('sum', [1])

SELECT addressToLine(1)

SELECT demangle('x')

SELECT COLUMNS('x') APPLY(sleep) FROM orders

SELECT * APPLY(sleep) FROM orders

SELECT 1 IN system.users

SELECT 1 IN (system.users)

SELECT 1 IN ((salaries))

SELECT 1 IN (`salaries`)

SELECT 1 NOT IN (salaries)

SELECT 1 GLOBAL IN (salaries)

SELECT in(1, salaries)

SELECT {x:Int32}

SELECT {x:Identifier} FROM orders

WITH Users AS (SELECT 1) SELECT * FROM salaries

FROM salaries SELECT *

SYSTEM SHUTDOWN

KILL QUERY WHERE 1

OPTIMIZE TABLE orders

ATTACH TABLE x

DETACH TABLE orders

EXCHANGE TABLES a AND b

SELECT * FROM orders PARALLEL WITH SELECT 1

SELECT 'a\'; DROP TABLE x --

INSERT INTO FUNCTION url('http://x') SELECT * FROM orders

SELECT * FROM sales.`.inner.x`


WITH 'o''hara' AS tenant SELECT * FROM orders

WITH 'o''hara' AS `orders.tenant` SELECT * FROM orders

WITH tenant AS (SELECT 1) SELECT * FROM orders

SELECT 'x' AS tenant FROM orders

SELECT * FROM numbers(9e99)

SELECT leftPad('a', 9e9)
