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

SELECT STDDEV(total), CORR(total, id), COUNT(total) FROM orders

WITH cohort AS (SELECT customer_id, MIN(placed_at) AS first_at FROM orders GROUP BY customer_id), later AS (SELECT o.customer_id, COUNT(*) AS n FROM orders o JOIN cohort c ON c.customer_id = o.customer_id AND o.placed_at > c.first_at GROUP BY o.customer_id) SELECT COUNT(l.customer_id) * 1.0 / COUNT(*) AS retained FROM cohort c LEFT JOIN later l ON l.customer_id = c.customer_id

SELECT ((SELECT 1)), (1 + 2) * 3, (SELECT MAX(total) FROM orders) - (SELECT MIN(total) FROM orders)

SELECT 'it''s', 1e3, .5, NULL, -7

SELECT Größe FROM (SELECT 1 AS Größe) t

SELECT 1;

SELECT * FROM SALES.ORDERS LIMIT 10

SELECT "tenant" FROM "sales"."orders"

SELECT * EXCLUDE (tenant) FROM orders

SELECT * EXCLUDE tenant RENAME (total AS amount) FROM orders

SELECT * ILIKE '%id%' FROM orders

SELECT TOP 10 * FROM orders ORDER BY total DESC

SELECT DATE_TRUNC('month', placed_at) AS month, SUM(total) FROM orders GROUP BY 1 ORDER BY 1

SELECT DATEADD(day, -30, CURRENT_DATE), DATEDIFF('day', placed_at, CURRENT_TIMESTAMP()), LAST_DAY(placed_at), DAYNAME(placed_at), MONTHNAME(placed_at) FROM orders

SELECT EXTRACT(year FROM placed_at), DATE_PART(epoch_second, placed_at), YEAR(placed_at), HOUR(placed_at), WEEKISO(placed_at) FROM orders

SELECT details:colour::string, details:a.b[0]::int, details['x']::float FROM orders

SELECT o.details:a:b, TRY_PARSE_JSON('{}'):x FROM orders o

SELECT f.value:name::varchar FROM orders o, LATERAL FLATTEN(input => o.details:items) f

SELECT f.index, f.value FROM orders, TABLE(FLATTEN(input => details, path => 'items', outer => TRUE)) f

SELECT s.value FROM TABLE(SPLIT_TO_TABLE('a,b', ',')) s

SELECT DATEADD(day, SEQ4_N, '2026-01-01') FROM (SELECT 1 AS SEQ4_N) t

SELECT ROW_NUMBER() OVER (ORDER BY 1) FROM TABLE(GENERATOR(ROWCOUNT => 365))

SELECT id FROM orders QUALIFY ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY placed_at DESC) = 1

SELECT COUNT_IF(status = 'paid'), IFF(COUNT(*) > 1, 'a', 'b'), NVL(SUM(total), 0), ZEROIFNULL(SUM(total)), DIV0(SUM(total), COUNT(*)) FROM orders

SELECT LISTAGG(DISTINCT status, ', ') WITHIN GROUP (ORDER BY status) FROM orders

SELECT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY total), MEDIAN(total), MODE(status), APPROX_PERCENTILE(total, 0.9) FROM orders

SELECT ARRAY_AGG(status) WITHIN GROUP (ORDER BY placed_at), OBJECT_AGG(status, total), OBJECT_CONSTRUCT('a', 1), ARRAY_SIZE(ARRAY_CONSTRUCT(1, 2)) FROM orders

SELECT total::number(10, 2), placed_at::date, '1'::int, TRY_CAST(status AS INTEGER), TO_VARCHAR(placed_at, 'YYYY-MM'), TO_DATE('2026-01-01'), TO_NUMBER('1') FROM orders

SELECT * FROM orders WHERE status ILIKE 'p%' OR status RLIKE '^p' OR status LIKE ANY ('a%', 'b%') OR REGEXP_LIKE(status, 'x')

SELECT SPLIT_PART(status, '-', 1), REGEXP_REPLACE(status, '[0-9]', ''), CHARINDEX('a', status), CONTAINS(status, 'a'), STARTSWITH(status, 'p'), LPAD(status, 10, '0'), status || '-x' FROM orders

SELECT * FROM orders PIVOT (SUM(total) FOR status IN ('paid', 'sent')) AS p

SELECT * FROM orders UNPIVOT (v FOR k IN (total, id))

SELECT DECODE(status, 'a', 1, 0), GREATEST(1, 2), LEAST(1, 2), WIDTH_BUCKET(total, 0, 100, 10), CEIL(total), LN(2), SQUARE(2), MOD(5, 2) FROM orders

SELECT SUM(total) OVER (PARTITION BY status ORDER BY placed_at RANGE BETWEEN INTERVAL '7 days' PRECEDING AND CURRENT ROW) FROM orders

SELECT RATIO_TO_REPORT(total) OVER (PARTITION BY status), LAG(total) IGNORE NULLS OVER (ORDER BY id) FROM orders

SELECT $$dollar 'text'$$, 'back\\slash', 'it\'s'

SELECT CONVERT_TIMEZONE('UTC', 'Europe/Berlin', placed_at), TO_TIMESTAMP_NTZ(1), TIME_SLICE(placed_at, 15, 'MINUTE') FROM orders

WITH RECURSIVE seq AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM seq WHERE n < 10) SELECT n FROM seq

SELECT customer_id FROM orders MINUS SELECT id FROM customers

SELECT status, COUNT(*) FROM orders GROUP BY GROUPING SETS ((status), ())

SELECT COUNT(*) FROM orders GROUP BY ALL

SELECT * FROM VALUES (1, 'a'), (2, 'b') AS v (n, s)

SELECT * FROM (VALUES (1), (2)) v

SELECT total // comment

SELECT MAX_BY(status, total), MIN_BY(status, total), ANY_VALUE(status), HASH(status), BOOLOR_AGG(total > 1) FROM orders

SELECT o.id, p.id FROM orders o ASOF JOIN orders p MATCH_CONDITION (o.placed_at >= p.placed_at) ON o.customer_id = p.customer_id

SELECT FILTER([1, 2, 3], x -> x > 1), TRANSFORM([1], x -> x * 2)

SELECT * FROM orders WHERE status IS DISTINCT FROM 'x' ORDER BY total NULLS LAST LIMIT 10 OFFSET 5

SELECT * FROM orders o JOIN customers c USING (tenant)

SELECT CONDITIONAL_TRUE_EVENT(total > 1) OVER (ORDER BY placed_at) FROM orders

SELECT "a b", "select" FROM public."Odd Table"

SELECT * FROM orders WHERE placed_at >= DATEADD('month', -1, DATE_TRUNC('month', CURRENT_DATE())) AND placed_at < DATE '2026-02-01'


SELECT DATE_TRUNC(month, placed_at), COUNT(*) FROM orders GROUP BY ALL ORDER BY 1

SELECT DATEDIFF(day, MIN(placed_at), MAX(placed_at)), placed_at::date - 1, placed_at + INTERVAL '1 day' FROM orders

SELECT v.value:id::int AS id, v.value:name::string FROM orders o, LATERAL FLATTEN(input => PARSE_JSON(o.details), outer => true) v WHERE v.index = 0

SELECT ARRAY_AGG(DISTINCT status), LISTAGG(status, ',') FROM orders

SELECT SUM(IFF(status = 'paid', total, 0)), COUNT(DISTINCT CASE WHEN status = 'paid' THEN customer_id END) FROM orders

SELECT APPROX_COUNT_DISTINCT(customer_id), HLL(customer_id), KURTOSIS(total), SKEW(total) FROM orders

SELECT customer_id, FIRST_VALUE(status) OVER (PARTITION BY customer_id ORDER BY placed_at), NTILE(10) OVER (ORDER BY total) FROM orders

SELECT OBJECT_KEYS(details), TYPEOF(details:a), details:"my key"::string, details:items[0].price::number(10,2) FROM orders

SELECT TO_CHAR(placed_at, 'YYYY-MM-DD'), TO_DATE(placed_at), YEAR(placed_at) * 100 + MONTH(placed_at) FROM orders

SELECT * FROM orders WHERE placed_at BETWEEN '2026-01-01' AND CURRENT_DATE - 1 AND status IN (SELECT country FROM customers)

SELECT status, SUM(total) AS t FROM orders GROUP BY status HAVING t > 1 QUALIFY RANK() OVER (ORDER BY t DESC) <= 5

SELECT a.* FROM orders a INNER JOIN customers b ON a.customer_id = b.id AND b.country = 'DE' LEFT JOIN customers c USING (id)

WITH RECURSIVE d (day) AS (SELECT '2026-01-01'::date UNION ALL SELECT DATEADD(day, 1, day) FROM d WHERE day < '2026-01-31') SELECT * FROM d

SELECT SEQ4(), ROW_NUMBER() OVER (ORDER BY SEQ4()) FROM TABLE(GENERATOR(ROWCOUNT => 10))

SELECT COALESCE(TRY_TO_NUMBER(status), 0), TRY_TO_DATE(status), NULLIFZERO(total), NVL2(status, 1, 0), EQUAL_NULL(1, 1) FROM orders

SELECT SPLIT(status, '-')[0]::string, ARRAY_CONTAINS('a'::variant, SPLIT(status, ',')), STRTOK(status, '-', 1), REGEXP_SUBSTR(status, '[0-9]+') FROM orders

SELECT MONTHS_BETWEEN(CURRENT_DATE, placed_at), ADD_MONTHS(placed_at, 1), NEXT_DAY(placed_at, 'mo'), DAYOFWEEKISO(placed_at) FROM orders

SELECT COUNT(*) FROM orders WHERE status <> 'x' AND total::float > 1.5 AND NOT (id IS NULL)

SELECT PERCENTILE_DISC(0.9) WITHIN GROUP (ORDER BY total) OVER (PARTITION BY status) FROM orders

SELECT "TOTAL" AS "My Total", 'x' AS y FROM ORDERS AS "o"

