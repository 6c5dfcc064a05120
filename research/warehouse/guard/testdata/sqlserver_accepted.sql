-- One statement a paragraph. All of them are what analysts write.
SELECT 1

SELECT * FROM orders

SELECT o.id, c.country FROM sales.orders o JOIN sales.customers c ON c.id = o.customer_id

SELECT o.*, c.country FROM orders AS o LEFT JOIN customers AS c ON o.customer_id = c.id WHERE c.id IS NULL

SELECT country, COUNT(*) AS n FROM customers GROUP BY country ORDER BY n DESC, 1

SELECT COUNT(DISTINCT customer_id) FROM orders WHERE status IN ('paid', 'sent') AND total BETWEEN 10 AND 100

SELECT status, SUM(total), AVG(total), MIN(total), MAX(total) FROM orders GROUP BY status HAVING SUM(total) > 0

SELECT SUM(CASE WHEN status = 'paid' THEN total ELSE 0 END) * 100.0 / NULLIF(SUM(total), 0) AS share FROM orders

SELECT id, ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY placed_at DESC) AS rn FROM orders

SELECT id, SUM(total) OVER (PARTITION BY customer_id ORDER BY placed_at ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) running FROM orders

SELECT id, AVG(total) OVER (ORDER BY placed_at ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) FROM orders

SELECT LAG(total, 1) OVER (PARTITION BY customer_id ORDER BY placed_at), LEAD(total) OVER (ORDER BY id) FROM orders

SELECT NTILE(4) OVER (ORDER BY total), DENSE_RANK() OVER (ORDER BY total), RANK() OVER (ORDER BY total) FROM orders

WITH firsts AS (SELECT customer_id, MIN(placed_at) AS first_at FROM orders GROUP BY customer_id) SELECT COUNT(*) FROM firsts

WITH a AS (SELECT 1 AS x), b AS (SELECT x + 1 AS y FROM a) SELECT * FROM a, b

WITH orders AS (SELECT * FROM orders WHERE total > 0) SELECT COUNT(*) FROM orders

SELECT customer_id FROM orders UNION ALL SELECT id FROM customers

(SELECT customer_id FROM orders) UNION ALL (SELECT id FROM customers)

SELECT * FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id)

SELECT * FROM customers WHERE id NOT IN (SELECT customer_id FROM orders WHERE customer_id IS NOT NULL)

SELECT * FROM orders WHERE total > (SELECT AVG(total) FROM orders)

SELECT c.id, (SELECT COUNT(*) FROM orders o WHERE o.customer_id = c.id) AS n FROM customers c

SELECT CASE WHEN total < 10 THEN 'small' WHEN total < 100 THEN 'middle' ELSE 'large' END AS size, COUNT(*) FROM orders GROUP BY CASE WHEN total < 10 THEN 'small' WHEN total < 100 THEN 'middle' ELSE 'large' END

SELECT CASE status WHEN 'paid' THEN 1 ELSE 0 END FROM orders

SELECT COALESCE(status, 'none'), UPPER(status), LOWER(status), LEFT(status, 2), RIGHT(status, 2), REPLACE(status, 'a', 'b'), CONCAT(status, '-', status) FROM orders

SELECT CAST(total AS DECIMAL(10, 2)), CAST(id AS FLOAT), CAST(placed_at AS DATE) FROM orders

SELECT ROUND(total, 2), FLOOR(total), ABS(total), SQRT(total), POWER(total, 2), -total, total * 2 + 1, id % 2 FROM orders

SELECT * FROM (SELECT o.*, RANK() OVER (PARTITION BY status ORDER BY total DESC) AS r FROM orders o) t WHERE r <= 3

SELECT s.status, COALESCE(t.n, 0) FROM (SELECT DISTINCT status FROM orders) s LEFT JOIN (SELECT status, COUNT(*) AS n FROM orders WHERE total > 10 GROUP BY status) t ON s.status = t.status

SELECT * FROM orders o CROSS JOIN customers c

SELECT * FROM orders o FULL OUTER JOIN customers c ON o.customer_id = c.id

SELECT * FROM orders o, customers c WHERE o.customer_id = c.id

SELECT * FROM (orders o JOIN customers c ON o.customer_id = c.id) LEFT JOIN orders p ON p.id = o.id

SELECT COUNT(*) /* all of them */ FROM orders -- the end

SELECT * FROM orders WHERE status = 'paid' AND (total > 10 OR total < 2) AND NOT status <> 'sent' AND status LIKE 'p%' AND status NOT LIKE '%x'

SELECT DISTINCT status FROM orders ORDER BY status

SELECT status, COUNT(*) AS n FROM orders GROUP BY ROLLUP (status)

SELECT total AS "Total" FROM orders

SELECT orders.total FROM orders WHERE orders.id = 1

SELECT STDEV(total), COUNT(total) FROM orders

WITH cohort AS (SELECT customer_id, MIN(placed_at) AS first_at FROM orders GROUP BY customer_id), later AS (SELECT o.customer_id, COUNT(*) AS n FROM orders o JOIN cohort c ON c.customer_id = o.customer_id AND o.placed_at > c.first_at GROUP BY o.customer_id) SELECT COUNT(l.customer_id) * 1.0 / COUNT(*) AS retained FROM cohort c LEFT JOIN later l ON l.customer_id = c.customer_id

SELECT ((SELECT 1)), (1 + 2) * 3, (SELECT MAX(total) FROM orders) - (SELECT MIN(total) FROM orders)

SELECT 'it''s', 1e3, .5, NULL, -7

SELECT Größe FROM (SELECT 1 AS Größe) t

SELECT 1;

SELECT TOP 10 * FROM orders ORDER BY total DESC

SELECT TOP (10) PERCENT WITH TIES * FROM orders ORDER BY total DESC

SELECT [total], [o].[status] FROM [sales].[orders] AS [o]

SELECT "total" FROM "sales"."orders"

SELECT [a b], [select] FROM [public].[Odd Table]

SELECT DATEPART(year, placed_at), DATEDIFF(day, placed_at, GETDATE()), DATEADD(month, -1, GETDATE()), DATENAME(weekday, placed_at), YEAR(placed_at), MONTH(placed_at), EOMONTH(placed_at) FROM orders

SELECT DATEFROMPARTS(YEAR(placed_at), MONTH(placed_at), 1) AS month, SUM(total) FROM orders GROUP BY DATEFROMPARTS(YEAR(placed_at), MONTH(placed_at), 1)

SELECT FORMAT(placed_at, 'yyyy-MM'), CONVERT(varchar(10), placed_at, 120), CONVERT(date, placed_at), TRY_CONVERT(int, status), TRY_CAST(status AS int), DATETRUNC(month, placed_at) FROM orders

SELECT ISNULL(status, 'none'), IIF(total > 1, 'a', 'b'), CHOOSE(1, 'a', 'b'), LEN(status), CHARINDEX('a', status), STUFF(status, 1, 1, 'x'), PATINDEX('%a%', status), status + N'-x' FROM orders

SELECT STRING_AGG(status, ', ') WITHIN GROUP (ORDER BY status) FROM orders

SELECT DISTINCT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY total) OVER (PARTITION BY status) FROM orders

SELECT * FROM orders ORDER BY id OFFSET 10 ROWS FETCH NEXT 5 ROWS ONLY

SELECT c.id, x.n FROM customers c CROSS APPLY (SELECT COUNT(*) AS n FROM orders o WHERE o.customer_id = c.id) x

SELECT c.id, x.total FROM customers c OUTER APPLY (SELECT TOP 1 total FROM orders o WHERE o.customer_id = c.id ORDER BY placed_at DESC) AS x

SELECT s.value FROM orders o CROSS APPLY STRING_SPLIT(o.status, ',') s

SELECT j.a, j.b FROM orders o CROSS APPLY OPENJSON(o.details) WITH (a int '$.a', b nvarchar(100) '$.b.c') AS j

SELECT JSON_VALUE(details, '$.a'), JSON_QUERY(details, '$.b'), ISJSON(details) FROM orders

SELECT * FROM (SELECT status, total FROM orders) AS s PIVOT (SUM(total) FOR status IN ([paid], [sent])) AS p

SELECT id, k, v FROM (SELECT id, total, customer_id FROM orders) s UNPIVOT (v FOR k IN (total, customer_id)) AS u

SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS v (n, s)

WITH seq AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM seq WHERE n < 100) SELECT n FROM seq

WITH days (d) AS (SELECT CAST('2026-01-01' AS date) UNION ALL SELECT DATEADD(day, 1, d) FROM days WHERE d < '2026-01-31') SELECT d, COUNT(o.id) FROM days LEFT JOIN orders o ON CAST(o.placed_at AS date) = d GROUP BY d

SELECT status, COUNT(*) FROM orders GROUP BY status WITH ROLLUP

SELECT status, customer_id, COUNT(*), GROUPING(status) FROM orders GROUP BY GROUPING SETS ((status), (customer_id), ())

SELECT status, COUNT(*) FROM orders GROUP BY CUBE (status, customer_id)

SELECT customer_id FROM orders EXCEPT SELECT id FROM customers

SELECT customer_id FROM orders INTERSECT SELECT id FROM customers

SELECT * FROM orders WITH (NOLOCK) WHERE total > 1

SELECT o.id FROM orders o WITH (NOLOCK) JOIN customers AS c WITH (NOLOCK) ON c.id = o.customer_id

SELECT month_total = SUM(total), status FROM orders GROUP BY status

SELECT COUNT_BIG(*), STDEV(total), VAR(total), CHECKSUM_AGG(1), APPROX_COUNT_DISTINCT(customer_id) FROM orders

SELECT * FROM orders WHERE total >= ALL (SELECT total FROM orders) OR total = ANY (SELECT id FROM customers)

SELECT * FROM orders WHERE status LIKE '[a-c]%' OR status LIKE 'a!%' ESCAPE '!'

SELECT status COLLATE Latin1_General_CI_AS, COUNT(*) FROM orders GROUP BY status COLLATE Latin1_General_CI_AS

SELECT placed_at AT TIME ZONE 'UTC' AT TIME ZONE 'W. Europe Standard Time' FROM orders

SELECT id, SUM(total) OVER (ORDER BY placed_at ROWS UNBOUNDED PRECEDING) FROM orders

SELECT FIRST_VALUE(total) OVER (PARTITION BY customer_id ORDER BY placed_at), LAST_VALUE(total) OVER (PARTITION BY customer_id ORDER BY placed_at ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) FROM orders

SELECT CUME_DIST() OVER (ORDER BY total), PERCENT_RANK() OVER (ORDER BY total) FROM orders

SELECT N'ünïcode', 0x41, 1.5E3, 'it''s'

SELECT value FROM GENERATE_SERIES(1, 100)

SELECT CAST(total AS numeric(18, 4)), CAST(placed_at AS datetime2(0)), CAST(id AS nvarchar(max)), CAST(total AS money) FROM orders

SELECT SQUARE(2), CEILING(1.5), LOG(10, 2), ATN2(1, 2), id & 1, id | 2, id ^ 3, ~id FROM orders

SELECT ABS(CHECKSUM(status)) % 10, HASHBYTES('SHA2_256', status) FROM orders

SELECT TRIM(status), LTRIM(status), REVERSE(status), UPPER(status), CONCAT_WS(',', status, id), TRANSLATE(status, 'abc', 'xyz'), QUOTENAME(status) FROM orders

SELECT * FROM orders WHERE placed_at >= DATEADD(DAY, DATEDIFF(DAY, 0, GETDATE()) - 30, 0)

SELECT SYSDATETIME(), GETUTCDATE(), CURRENT_TIMESTAMP, SWITCHOFFSET(SYSDATETIMEOFFSET(), '+02:00')


SELECT TOP 5 status, COUNT(*) AS cnt FROM sales.orders WITH (NOLOCK) GROUP BY status ORDER BY cnt DESC

SELECT CAST(placed_at AS DATE) AS [Date], SUM(total) AS [Total Sales] FROM [sales].[orders] GROUP BY CAST(placed_at AS DATE)

SELECT 'Name' = status, total AS 'Total' FROM orders

SELECT CONVERT(CHAR(7), placed_at, 126), CONVERT(DECIMAL(10, 2), total), TRY_PARSE('1' AS int), PARSE('2026' AS int) FROM orders

SELECT DATEPART(ISO_WEEK, placed_at), DATEDIFF_BIG(SECOND, placed_at, SYSUTCDATETIME()), DATEADD(DAY, 1 - DATEPART(WEEKDAY, placed_at), CAST(placed_at AS DATE)) FROM orders

SELECT SUM(CASE WHEN YEAR(placed_at) = 2026 THEN total END) AS y26, COUNT(*) OVER () FROM orders GROUP BY total

WITH c AS (SELECT *, ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY placed_at DESC) AS rn FROM orders) SELECT * FROM c WHERE rn = 1

SELECT id, LAG(total, 1, 0) OVER (ORDER BY placed_at) AS prev, total - LAG(total, 1, 0) OVER (ORDER BY placed_at) AS diff FROM orders

SELECT status, customer_id, SUM(total) FROM orders GROUP BY ROLLUP(status, customer_id)

SELECT PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY total) OVER () FROM orders

SELECT NULLIF(COUNT(*), 0), ISNULL(MAX(total), 0), COALESCE(status, '-'), LEN(status) - LEN(REPLACE(status, 'a', '')) FROM orders GROUP BY status

SELECT o.id FROM orders o LEFT OUTER JOIN customers c ON o.customer_id = c.id WHERE c.id IS NULL ORDER BY o.id OFFSET 0 ROWS FETCH FIRST 10 ROWS ONLY

SELECT IIF(total > 10, 'big', 'small') AS size, COUNT(*) AS n FROM orders GROUP BY IIF(total > 10, 'big', 'small') HAVING COUNT(*) >= 1

SELECT FORMAT(total, 'N2'), FORMAT(placed_at, 'd', 'de-de'), RIGHT('000' + CAST(id AS VARCHAR(3)), 3), SUBSTRING(status, 1, 3) FROM orders

SELECT * FROM orders WHERE placed_at >= '20260101' AND placed_at < DATEADD(MONTH, 1, '20260101') AND status COLLATE Latin1_General_BIN = 'x'

SELECT p.* FROM (SELECT customer_id, status, total FROM orders) src PIVOT (SUM(total) FOR status IN ([paid], [sent])) p

SELECT (SELECT TOP 1 status FROM orders o2 WHERE o2.customer_id = c.id ORDER BY placed_at DESC) AS latest FROM customers c

SELECT VAR(total), STDEVP(total), AVG(CAST(total AS FLOAT)), MAX(LEN(status)) FROM orders

SELECT REPLICATE('0', 3), SPACE(2), CHAR(65), NCHAR(8364), ASCII('a'), UNICODE(N'€')

SELECT EOMONTH(GETDATE(), -1), DATEFROMPARTS(2026, 1, 1), TIMEFROMPARTS(1, 2, 3, 0, 0), ISDATE('x'), DATENAME(MONTH, placed_at) FROM orders

SELECT JSON_VALUE(details, '$.x') AS x, COUNT(*) FROM orders WHERE ISJSON(details) = 1 GROUP BY JSON_VALUE(details, '$.x')

SELECT SUM(total) OVER (PARTITION BY customer_id ORDER BY placed_at ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) FROM orders;


SELECT * FROM orders TABLESAMPLE SYSTEM (10 PERCENT)

SELECT * FROM orders (NOLOCK)

SELECT COUNT(*) FROM orders o

SELECT COUNT(DISTINCT o.customer_id) FROM orders o

SELECT COUNT_BIG(*) FROM orders o

SELECT SUM(CASE WHEN o.status = 'paid' THEN o.total ELSE 0 END) FROM orders o

SELECT APPROX_COUNT_DISTINCT(o.id) FROM orders o

SELECT SUM(IIF(o.status = 'paid', 1, 0)) * 1.0 / COUNT(*) FROM orders o

SELECT DATEPART(year, o.placed_at) FROM orders o

SELECT DATENAME(month, o.placed_at) FROM orders o

SELECT YEAR(o.placed_at) FROM orders o

SELECT MONTH(o.placed_at) FROM orders o

SELECT DAY(o.placed_at) FROM orders o

SELECT EOMONTH(o.placed_at) FROM orders o

SELECT EOMONTH(o.placed_at, -1) FROM orders o

SELECT DATETRUNC(month, o.placed_at) FROM orders o

SELECT DATEFROMPARTS(2024, 1, 1) FROM orders o

SELECT DATEPART(weekday, o.placed_at) FROM orders o

SELECT DATEPART(ISO_WEEK, o.placed_at) FROM orders o

SELECT DATEADD(day, -30, GETDATE()) FROM orders o

SELECT DATEADD(MONTH, DATEDIFF(MONTH, 0, o.placed_at), 0) FROM orders o

SELECT DATEDIFF(day, o.placed_at, SYSDATETIME()) FROM orders o

SELECT DATEDIFF_BIG(second, o.placed_at, GETUTCDATE()) FROM orders o

SELECT SYSUTCDATETIME() FROM orders o

SELECT CURRENT_TIMESTAMP FROM orders o

SELECT ISDATE('2024-01-01') FROM orders o

SELECT DATE_BUCKET(week, 1, o.placed_at) FROM orders o

SELECT CAST(o.placed_at AS DATE) FROM orders o

SELECT CAST(o.total AS DECIMAL(10, 2)) FROM orders o

SELECT CAST(o.id AS NVARCHAR(20)) FROM orders o

SELECT CONVERT(VARCHAR(10), o.placed_at, 120) FROM orders o

SELECT CONVERT(date, o.placed_at) FROM orders o

SELECT TRY_CAST(o.status AS INT) FROM orders o

SELECT TRY_CONVERT(INT, o.status) FROM orders o

SELECT PARSE('1' AS INT) FROM orders o

SELECT TRY_PARSE('1' AS INT USING 'en-US') FROM orders o

SELECT FORMAT(o.placed_at, 'yyyy-MM') FROM orders o

SELECT FORMAT(o.total, 'N2') FROM orders o

SELECT CAST(o.total AS float) FROM orders o

SELECT CAST(o.status AS varchar(max)) FROM orders o

SELECT CAST(o.placed_at AS datetime2(0)) FROM orders o

SELECT o.placed_at AT TIME ZONE 'UTC' AT TIME ZONE 'Central European Standard Time' FROM orders o

SELECT SWITCHOFFSET(o.placed_at, '+02:00') FROM orders o

SELECT TODATETIMEOFFSET(o.placed_at, '+00:00') FROM orders o

SELECT ISNULL(o.status, 'x') FROM orders o

SELECT COALESCE(o.status, 'x') FROM orders o

SELECT NULLIF(o.total, 0) FROM orders o

SELECT IIF(o.total > 1, 'a', 'b') FROM orders o

SELECT CHOOSE(1, 'a', 'b') FROM orders o

SELECT CASE o.status WHEN 'a' THEN 1 ELSE 0 END FROM orders o

SELECT GREATEST(1, 2) FROM orders o

SELECT LEAST(1, 2) FROM orders o

SELECT CONCAT(o.status, '-', o.id) FROM orders o

SELECT CONCAT_WS(',', 'a', 'b') FROM orders o

SELECT o.status + '-' + CAST(o.id AS varchar) FROM orders o

SELECT LEFT(o.status, 2) FROM orders o

SELECT RIGHT(o.status, 2) FROM orders o

SELECT SUBSTRING(o.status, 1, 2) FROM orders o

SELECT LEN(o.status) FROM orders o

SELECT DATALENGTH(o.status) FROM orders o

SELECT UPPER(o.status) FROM orders o

SELECT LOWER(o.status) FROM orders o

SELECT LTRIM(RTRIM(o.status)) FROM orders o

SELECT TRIM(o.status) FROM orders o

SELECT REPLACE(o.status, 'a', 'b') FROM orders o

SELECT CHARINDEX('a', o.status) FROM orders o

SELECT PATINDEX('%[0-9]%', o.status) FROM orders o

SELECT STUFF(o.status, 1, 1, 'x') FROM orders o

SELECT REVERSE(o.status) FROM orders o

SELECT REPLICATE('0', 5) FROM orders o

SELECT STR(1.5, 5, 2) FROM orders o

SELECT TRANSLATE('abc', 'ab', 'xy') FROM orders o

SELECT QUOTENAME('a') FROM orders o

SELECT ASCII('a') FROM orders o

SELECT CHAR(65) FROM orders o

SELECT UNICODE('a') FROM orders o

SELECT NCHAR(65) FROM orders o

SELECT SPACE(2) FROM orders o

SELECT SOUNDEX('a') FROM orders o

SELECT DIFFERENCE('a', 'b') FROM orders o

SELECT o.status LIKE 'p%', o.status NOT LIKE '[a-c]%', o.status IN ('a', 'b'), o.id BETWEEN 1 AND 2, o.status IS NOT NULL, EXISTS (SELECT 1 FROM customers)

SELECT STRING_AGG(o.status, ', ') WITHIN GROUP (ORDER BY o.status) FROM orders o

SELECT STDEV(o.total) FROM orders o

SELECT STDEVP(o.total) FROM orders o

SELECT VAR(o.total) FROM orders o

SELECT MIN(o.total) FROM orders o

SELECT MAX(o.total) FROM orders o

SELECT AVG(o.total) FROM orders o

SELECT CHECKSUM_AGG(CAST(o.id AS int)) FROM orders o

SELECT ROW_NUMBER() OVER (PARTITION BY o.customer_id ORDER BY o.placed_at DESC) FROM orders o

SELECT LAG(o.total, 1, 0) OVER (ORDER BY o.id) FROM orders o

SELECT SUM(o.total) OVER (ORDER BY o.placed_at ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM orders o

SELECT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY o.total) OVER (PARTITION BY o.status) FROM orders o

SELECT FIRST_VALUE(o.total) OVER (ORDER BY o.id) FROM orders o

SELECT NTILE(4) OVER (ORDER BY o.total) FROM orders o

SELECT PERCENT_RANK() OVER (ORDER BY o.total) FROM orders o

SELECT SUM(o.total) OVER (PARTITION BY o.status) FROM orders o

SELECT COUNT(*) OVER () FROM orders o

SELECT JSON_VALUE(o.details, '$.a') FROM orders o

SELECT JSON_QUERY(o.details, '$.items') FROM orders o

SELECT ISJSON(o.details) FROM orders o

SELECT HASHBYTES('SHA2_256', o.status) FROM orders o

SELECT CHECKSUM(o.id) FROM orders o

SELECT ABS(o.total) FROM orders o

SELECT ROUND(o.total, 2) FROM orders o

SELECT CEILING(o.total) FROM orders o

SELECT FLOOR(o.total) FROM orders o

SELECT POWER(2, 3) FROM orders o

SELECT SQRT(4) FROM orders o

SELECT LOG(10) FROM orders o

SELECT LOG10(10) FROM orders o

SELECT EXP(1) FROM orders o

SELECT SIGN(o.total) FROM orders o

SELECT PI() FROM orders o

SELECT o.id % 2 FROM orders o

SELECT SQUARE(2) FROM orders o

SELECT o.total AS [Total (EUR)] FROM orders o

SELECT o.status AS 'label' FROM orders o

SELECT [amount] = o.total FROM orders o

SELECT N'uni' FROM orders o

SELECT 1e3 FROM orders o

SELECT 0x1F FROM orders o

SELECT NULL FROM orders o

SELECT -1 FROM orders o

SELECT o.status COLLATE Latin1_General_CI_AS FROM orders o

SELECT ISNUMERIC(o.status) FROM orders o

SELECT DAY(GETDATE()) FROM orders o

SELECT DATEDIFF(year, o.placed_at, GETDATE()) FROM orders o

SELECT TOP 10 * FROM sales.orders ORDER BY total DESC;

SELECT TOP (10) PERCENT * FROM orders ORDER BY total

SELECT TOP 5 WITH TIES status, total FROM orders ORDER BY total DESC

SELECT [orders].[id] FROM [sales].[orders]

SELECT "id" FROM "sales"."orders"

SELECT o.id FROM sales.orders AS o WITH (NOLOCK)

SELECT o.id FROM sales.orders o (NOLOCK)

SELECT * FROM orders ORDER BY total DESC OFFSET 10 ROWS FETCH NEXT 5 ROWS ONLY

SELECT * FROM orders o CROSS APPLY (SELECT TOP 1 * FROM payments p WHERE p.order_id = o.id ORDER BY p.paid_at DESC) x

SELECT * FROM orders o OUTER APPLY (SELECT TOP 1 p.amount FROM payments p WHERE p.order_id = o.id ORDER BY p.paid_at DESC) x

SELECT j.[key], j.value FROM orders o CROSS APPLY OPENJSON(o.details) j

SELECT j.sku FROM orders o CROSS APPLY OPENJSON(o.details, '$.items') WITH (sku nvarchar(20) '$.sku', qty int '$.qty') j

SELECT v.n FROM (VALUES (1), (2)) AS v(n)

SELECT o.id, x.doubled FROM orders o CROSS APPLY (VALUES (o.total * 2)) AS x(doubled)

SELECT * FROM (SELECT status, total FROM orders) s PIVOT (SUM(total) FOR status IN ([paid], [sent])) p

SELECT id, k, v FROM (SELECT id, total, customer_id FROM orders) s UNPIVOT (v FOR k IN (total, customer_id)) u

WITH m AS (SELECT DATEFROMPARTS(YEAR(placed_at), MONTH(placed_at), 1) AS m, SUM(total) AS rev FROM orders GROUP BY DATEFROMPARTS(YEAR(placed_at), MONTH(placed_at), 1)) SELECT m, rev, rev - LAG(rev) OVER (ORDER BY m) AS diff FROM m ORDER BY m

WITH n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 10) SELECT i FROM n

;WITH a AS (SELECT 1 AS x) SELECT x FROM a

WITH n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 365) SELECT i FROM n OPTION (MAXRECURSION 366)

SELECT status, SUM(total) FROM orders GROUP BY ROLLUP (status)

SELECT status, SUM(total) FROM orders GROUP BY status WITH ROLLUP

SELECT status, customer_id, SUM(total), GROUPING(status), GROUPING_ID(status, customer_id) FROM orders GROUP BY CUBE (status, customer_id)

SELECT status, SUM(total) FROM orders GROUP BY GROUPING SETS ((status), ())

SELECT id FROM orders UNION ALL SELECT order_id FROM payments

SELECT id FROM orders EXCEPT SELECT order_id FROM payments

SELECT id FROM orders INTERSECT SELECT order_id FROM payments

SELECT o.id, c.country FROM orders o INNER JOIN customers c ON c.id = o.customer_id LEFT JOIN payments p ON p.order_id = o.id

SELECT * FROM orders o FULL OUTER JOIN payments p ON p.order_id = o.id WHERE o.id IS NULL

SELECT e.name, m.name AS manager FROM employees e LEFT JOIN employees m ON m.id = e.manager_id

SELECT DISTINCT status FROM orders

SELECT status, COUNT(*) AS n FROM orders GROUP BY status HAVING COUNT(*) > 1 ORDER BY n DESC

SELECT [Page URL], SUM([Visits]) AS v FROM [public].[WebTraffic] GROUP BY [Page URL]

SELECT * FROM orders WHERE placed_at >= '2024-01-01' AND placed_at < DATEADD(year, 1, '2024-01-01') -- c

SELECT * FROM orders WHERE total > ALL (SELECT amount FROM payments)

SELECT * FROM orders WHERE total >= ANY (SELECT amount FROM payments)

SELECT TOP 100 PERCENT * FROM orders

SELECT sales.orders.id FROM sales.orders

SELECT value FROM GENERATE_SERIES(1, 10)

SELECT MAX(CASE WHEN method = 'card' THEN amount END) AS card FROM payments GROUP BY order_id

SELECT * FROM orders TABLESAMPLE (10 PERCENT)

SELECT TOP 10 * FROM orders ORDER BY NEWID()

SELECT RAND(42), RAND() FROM orders

SELECT TOP (10) PERCENT WITH TIES * FROM orders ORDER BY total

SELECT * FROM orders TABLESAMPLE SYSTEM (10 PERCENT) REPEATABLE (42)

SELECT p.* FROM (SELECT status, total FROM orders) s PIVOT (SUM(total) FOR status IN ([paid], [open])) AS p

SELECT k, v FROM orders UNPIVOT (v FOR k IN (total, id)) AS u

SELECT j.* FROM orders o CROSS APPLY OPENJSON(o.details, '$.items') WITH (sku nvarchar(20) '$.sku', qty int '$.qty') j

SELECT DATEADD(day, -7, GETDATE()), DATEDIFF(day, placed_at, GETDATE()), DATEPART(month, placed_at), EOMONTH(placed_at), FORMAT(placed_at, 'yyyy-MM'), DATETRUNC(month, placed_at) FROM orders

SELECT IIF(total > 1, 1, 0), ISNULL(status, ''), COALESCE(status, ''), CHOOSE(1, 'a'), TRY_CAST(status AS int), TRY_CONVERT(int, status) FROM orders

SELECT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY total) OVER (PARTITION BY status) FROM orders

SELECT id FROM orders ORDER BY id OFFSET 10 ROWS FETCH NEXT 10 ROWS ONLY

SELECT [id], "total", N'ä''s' FROM [sales].[orders]

SELECT APPROX_COUNT_DISTINCT(id), STDEV(total), VAR(total), COUNT_BIG(*), CHECKSUM_AGG(1) FROM orders

SELECT * FROM orders o OUTER APPLY (SELECT TOP 1 * FROM orders x WHERE x.customer_id = o.customer_id ORDER BY placed_at DESC) l

SELECT value FROM STRING_SPLIT('a,b', ',')

SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS v(n, l)

SELECT CONVERT(varchar(10), placed_at, 120), CONCAT_WS('-', status, id), REPLACE(status, 'a', 'b'), CHARINDEX('a', status), PATINDEX('%a%', status), STUFF(status, 1, 1, 'x'), LEFT(status, 1) FROM orders

SELECT LAG(total) OVER (ORDER BY placed_at), SUM(total) OVER (ORDER BY placed_at ROWS UNBOUNDED PRECEDING) FROM orders

SELECT GREATEST(1, 2), LEAST(1, 2), DATE_BUCKET(week, 1, placed_at) FROM orders

SELECT placed_at AT TIME ZONE 'UTC' FROM orders

SELECT * FROM orders OPTION (MAXRECURSION 100)

SELECT total, status = CASE WHEN total > 1 THEN 'a' END FROM orders

SELECT 'a' + status, CAST(total AS decimal(10,2)), SWITCHOFFSET(placed_at, '+01:00') FROM orders

SELECT CHECKSUM(id), HASHBYTES('MD5', status), BINARY_CHECKSUM(*) FROM orders

SELECT FIRST_VALUE(total) IGNORE NULLS OVER (ORDER BY placed_at) FROM orders

SELECT SYSDATETIME(), GETUTCDATE(), CURRENT_TIMESTAMP, YEAR(placed_at), DATENAME(weekday, placed_at), ISDATE(status) FROM orders
