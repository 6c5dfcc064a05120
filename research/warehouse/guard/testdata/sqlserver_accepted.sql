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

