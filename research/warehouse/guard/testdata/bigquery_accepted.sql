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

SELECT total AS `Total` FROM orders

SELECT orders.total FROM orders WHERE orders.id = 1

SELECT STDDEV(total), CORR(total, id), COUNT(total) FROM orders

WITH cohort AS (SELECT customer_id, MIN(placed_at) AS first_at FROM orders GROUP BY customer_id), later AS (SELECT o.customer_id, COUNT(*) AS n FROM orders o JOIN cohort c ON c.customer_id = o.customer_id AND o.placed_at > c.first_at GROUP BY o.customer_id) SELECT COUNT(l.customer_id) * 1.0 / COUNT(*) AS retained FROM cohort c LEFT JOIN later l ON l.customer_id = c.customer_id

SELECT ((SELECT 1)), (1 + 2) * 3, (SELECT MAX(total) FROM orders) - (SELECT MIN(total) FROM orders)

SELECT 'its', 1e3, .5, NULL, -7

SELECT `Größe` FROM (SELECT 1 AS `Größe`) t

SELECT 1;

SELECT * FROM `sales.orders`

SELECT * FROM `sales`.`orders` AS o

SELECT * EXCEPT (tenant) FROM orders

SELECT * REPLACE (total * 2 AS total) FROM orders

SELECT o.* EXCEPT (tenant, status), c.country FROM orders o JOIN customers c ON o.customer_id = c.id

SELECT COUNTIF(status = 'paid'), APPROX_COUNT_DISTINCT(customer_id), APPROX_QUANTILES(total, 100)[OFFSET(50)] FROM orders

SELECT DATE_TRUNC(DATE(placed_at), MONTH) AS month, SUM(total) FROM orders GROUP BY month ORDER BY month

SELECT TIMESTAMP_TRUNC(placed_at, WEEK(MONDAY)), COUNT(*) FROM orders GROUP BY 1

SELECT * FROM orders WHERE placed_at >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 30 DAY)

SELECT DATE_DIFF(CURRENT_DATE(), DATE(placed_at), DAY), DATE_ADD(DATE '2026-01-01', INTERVAL 1 MONTH), EXTRACT(DAYOFWEEK FROM placed_at) FROM orders

SELECT EXTRACT(HOUR FROM placed_at AT TIME ZONE 'Europe/Berlin') FROM orders

SELECT FORMAT_DATE('%Y-%m', DATE(placed_at)), PARSE_DATE('%Y%m%d', '20260101'), FORMAT('%d', 1) FROM orders

SELECT SAFE_DIVIDE(SUM(total), COUNT(*)), SAFE_CAST(status AS INT64), IFNULL(total, 0), IF(total > 1, 'a', 'b') FROM orders

SELECT JSON_VALUE(details, '$.a'), JSON_EXTRACT_SCALAR(details, '$.b'), JSON_QUERY(details, '$.c') FROM orders

SELECT item FROM orders, UNNEST([1, 2, 3]) AS item

SELECT item, pos FROM orders CROSS JOIN UNNEST(ARRAY<INT64>[1, 2]) AS item WITH OFFSET AS pos

SELECT * FROM UNNEST(GENERATE_DATE_ARRAY('2026-01-01', '2026-01-31', INTERVAL 1 DAY)) AS day

SELECT d, COUNT(o.id) FROM UNNEST(GENERATE_DATE_ARRAY(DATE '2026-01-01', DATE '2026-01-31')) d LEFT JOIN orders o ON DATE(o.placed_at) = d GROUP BY d

SELECT ARRAY_AGG(status IGNORE NULLS ORDER BY placed_at DESC LIMIT 1)[OFFSET(0)], STRING_AGG(DISTINCT status, ', ' ORDER BY status) FROM orders

SELECT ARRAY(SELECT status FROM orders ORDER BY status LIMIT 3), ARRAY_LENGTH([1, 2]), ARRAY_TO_STRING(['a'], ',')

SELECT STRUCT(1 AS a, 'x' AS b), STRUCT<a INT64, b STRING>(1, 'x'), ARRAY<STRUCT<a INT64>>[STRUCT(1)]

SELECT AS STRUCT id, total FROM orders

SELECT id, total FROM orders WHERE TRUE QUALIFY ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY placed_at DESC) = 1

SELECT id, SUM(total) OVER w FROM orders WINDOW w AS (PARTITION BY customer_id ORDER BY placed_at)

SELECT LAST_VALUE(status IGNORE NULLS) OVER (ORDER BY placed_at) FROM orders

SELECT PERCENTILE_CONT(total, 0.5) OVER () FROM orders LIMIT 1

SELECT REGEXP_CONTAINS(status, r'^p\d+'), REGEXP_EXTRACT(status, r"(\w+)"), SPLIT(status, ',')[SAFE_OFFSET(0)], STARTS_WITH(status, 'p') FROM orders

SELECT 'it\'s', "double", '''triple 'x' ''', """a "b" c""", r'\n', b'x'

SELECT customer_id FROM orders EXCEPT DISTINCT SELECT id FROM customers

SELECT customer_id FROM orders INTERSECT DISTINCT SELECT id FROM customers

SELECT * FROM orders FOR SYSTEM_TIME AS OF TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 1 HOUR) WHERE total > 1

SELECT * FROM (SELECT status, total FROM orders) PIVOT (SUM(total) FOR status IN ('paid' AS paid, 'sent' AS sent))

WITH RECURSIVE seq AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM seq WHERE n < 10) SELECT n FROM seq

SELECT GREATEST(1, 2), LEAST(1, 2), DIV(5, 2), MOD(5, 2), TRUNC(1.5), CEIL(1.2), POW(2, 3), LN(2), ANY_VALUE(status) FROM orders

SELECT MAX_BY(status, total), ARRAY_AGG(STRUCT(id, total) ORDER BY total DESC LIMIT 3) FROM orders GROUP BY customer_id

SELECT COUNT(*) FROM orders GROUP BY ALL

SELECT status, customer_id, COUNT(*) FROM orders GROUP BY GROUPING SETS ((status), (customer_id), ())

SELECT o.id FROM orders AS o WHERE o.id IN UNNEST([1, 2, 3])

SELECT TO_JSON_STRING(o) FROM orders o

SELECT * FROM orders ORDER BY total DESC NULLS LAST LIMIT 10 OFFSET 5

SELECT SUM(total) / SUM(SUM(total)) OVER () AS share, status FROM orders GROUP BY status

SELECT CURRENT_DATE, CURRENT_DATE('UTC'), DATE(placed_at, 'Europe/Berlin'), LAST_DAY(DATE(placed_at), MONTH) FROM orders

SELECT TRIM(status), LTRIM(status, 'x'), SUBSTR(status, 1, 2), LENGTH(status), LPAD(status, 10, ' '), INITCAP(status), STRPOS(status, 'a') FROM orders

SELECT LOGICAL_OR(total > 1), BIT_AND(id), CAST('2026-01-01' AS TIMESTAMP), CAST(placed_at AS STRING FORMAT 'YYYY-MM') FROM orders

SELECT `a b`, `select` FROM public.`Odd Table`

SELECT total # comment


SELECT user_pseudo_id, COUNT(*) FROM (SELECT id AS user_pseudo_id FROM orders) GROUP BY 1

SELECT (SELECT value.string_value FROM UNNEST(details.params) WHERE key = 'page') AS page FROM orders

SELECT ep.value.int_value FROM orders, UNNEST(details.event_params) AS ep WHERE ep.key = 'x'

SELECT DATE_TRUNC(CURRENT_DATE(), ISOWEEK), DATETIME_DIFF(DATETIME '2026-01-01', DATETIME '2025-01-01', HOUR)

SELECT PARSE_TIMESTAMP('%Y-%m-%d', '2026-01-01'), TIMESTAMP_MILLIS(0), UNIX_SECONDS(placed_at), FORMAT_TIMESTAMP('%H', placed_at, 'UTC') FROM orders

SELECT APPROX_TOP_COUNT(status, 5), APPROX_QUANTILES(total, 4) FROM orders

SELECT status, ARRAY_AGG(DISTINCT customer_id IGNORE NULLS) FROM orders GROUP BY status HAVING COUNT(*) > 1

WITH a AS (SELECT 1 AS x) SELECT a.x, b.* FROM a LEFT JOIN UNNEST([STRUCT(1 AS x, 'q' AS y)]) AS b USING (x)

SELECT * FROM orders WHERE _PARTITIONTIME >= TIMESTAMP '2026-01-01'

SELECT total, NTH_VALUE(total, 2) OVER (PARTITION BY status ORDER BY placed_at ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM orders

SELECT SUM(total) OVER (ORDER BY UNIX_DATE(DATE(placed_at)) RANGE BETWEEN 6 PRECEDING AND CURRENT ROW) FROM orders

SELECT CASE WHEN REGEXP_CONTAINS(LOWER(status), r'paid|sent') THEN 'ok' END FROM orders

SELECT o.details.a.b, o.details['x'] FROM orders o

SELECT ROUND(SAFE_DIVIDE(COUNTIF(status = "paid"), COUNT(*)) * 100, 2) AS pct FROM `sales.orders`

SELECT COUNT(DISTINCT IF(status = 'paid', customer_id, NULL)) FROM orders

SELECT EXTRACT(DATE FROM placed_at), EXTRACT(ISOWEEK FROM placed_at), DATE_DIFF(DATE '2026-01-01', DATE(placed_at), WEEK(MONDAY)) FROM orders

SELECT ARRAY_LENGTH(SPLIT(status, '/')), SPLIT(status, '/')[ORDINAL(1)], ARRAY_REVERSE([1, 2]), ARRAY_CONCAT([1], [2]) FROM orders

SELECT TO_JSON(STRUCT(id, total)), JSON_EXTRACT_ARRAY(details, '$.a'), details.name FROM orders

SELECT * FROM (SELECT customer_id, status, total FROM orders) PIVOT (SUM(total) AS t, COUNT(*) AS c FOR status IN ('paid', 'sent'))

SELECT * FROM orders UNPIVOT (v FOR k IN (total, id))

SELECT 1 UNION ALL (SELECT 2 UNION DISTINCT SELECT 3) ORDER BY 1

SELECT x.*, y.* FROM (SELECT 1 a) x CROSS JOIN (SELECT 2 b) y

SELECT ANY_VALUE(status HAVING MAX total) FROM orders

SELECT SUM(x) FROM UNNEST([1, 2, 3]) x WITH OFFSET o WHERE o > 0

SELECT LEAD(placed_at) OVER (PARTITION BY customer_id ORDER BY placed_at ASC) - placed_at FROM orders

SELECT CAST(NULL AS STRING), CAST(1 AS BIGNUMERIC), CAST(total AS NUMERIC), SAFE_CAST('a' AS DATE)

SELECT GENERATE_ARRAY(1, 10), MD5('a'), TO_HEX(SHA256('a')), FARM_FINGERPRINT(status) FROM orders

SELECT STDDEV_SAMP(total), VAR_POP(total), CORR(total, id), COVAR_SAMP(total, id) FROM orders

SELECT id, IFNULL(total, 0) + COALESCE(id, 1) * 2 AS v FROM orders WHERE (status = 'a' OR status = 'b') AND NOT (total > 1)


SELECT * FROM orders TABLESAMPLE SYSTEM (10 PERCENT)

SELECT COUNT(*) FROM orders o

SELECT COUNT(DISTINCT o.customer_id) FROM orders o

SELECT COUNTIF(o.status = 'paid') FROM orders o

SELECT SUM(IF(o.status = 'paid', o.total, 0)) FROM orders o

SELECT APPROX_COUNT_DISTINCT(o.customer_id) FROM orders o

SELECT DATE_TRUNC(DATE(o.placed_at), MONTH) FROM orders o

SELECT TIMESTAMP_TRUNC(o.placed_at, WEEK(MONDAY)) FROM orders o

SELECT DATETIME_TRUNC(DATETIME(o.placed_at), DAY) FROM orders o

SELECT DATE_SUB(CURRENT_DATE(), INTERVAL 30 DAY) FROM orders o

SELECT DATE_ADD(DATE '2024-01-01', INTERVAL 1 MONTH) FROM orders o

SELECT TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 7 DAY) FROM orders o

SELECT DATE_DIFF(CURRENT_DATE(), DATE(o.placed_at), DAY) FROM orders o

SELECT TIMESTAMP_DIFF(CURRENT_TIMESTAMP(), o.placed_at, HOUR) FROM orders o

SELECT EXTRACT(YEAR FROM o.placed_at) FROM orders o

SELECT EXTRACT(DAYOFWEEK FROM o.placed_at) FROM orders o

SELECT EXTRACT(DATE FROM o.placed_at AT TIME ZONE 'Europe/Berlin') FROM orders o

SELECT EXTRACT(ISOWEEK FROM o.placed_at) FROM orders o

SELECT FORMAT_DATE('%Y-%m', DATE(o.placed_at)) FROM orders o

SELECT FORMAT_TIMESTAMP('%F', o.placed_at, 'UTC') FROM orders o

SELECT PARSE_DATE('%Y%m%d', '20240101') FROM orders o

SELECT PARSE_TIMESTAMP('%F', '2024-01-01') FROM orders o

SELECT DATE(2024, 1, 1) FROM orders o

SELECT DATE(o.placed_at, 'America/New_York') FROM orders o

SELECT DATETIME(o.placed_at) FROM orders o

SELECT TIMESTAMP('2024-01-01') FROM orders o

SELECT LAST_DAY(DATE '2024-01-01') FROM orders o

SELECT UNIX_SECONDS(o.placed_at) FROM orders o

SELECT TIMESTAMP_SECONDS(1) FROM orders o

SELECT TIMESTAMP_MILLIS(1) FROM orders o

SELECT SAFE_CAST(o.status AS INT64) FROM orders o

SELECT CAST(o.total AS STRING) FROM orders o

SELECT CAST(o.total AS FLOAT64) FROM orders o

SELECT CAST(o.placed_at AS DATE) FROM orders o

SELECT CAST(o.total AS NUMERIC) FROM orders o

SELECT SAFE_DIVIDE(SUM(o.total), COUNT(*)) FROM orders o

SELECT IEEE_DIVIDE(1, 0) FROM orders o

SELECT ROUND(o.total, 2) FROM orders o

SELECT CEIL(o.total) FROM orders o

SELECT FLOOR(o.total) FROM orders o

SELECT MOD(o.id, 2) FROM orders o

SELECT ABS(o.total) FROM orders o

SELECT POW(2, 3) FROM orders o

SELECT LN(2) FROM orders o

SELECT LOG10(10) FROM orders o

SELECT GREATEST(1, 2) FROM orders o

SELECT LEAST(1, 2) FROM orders o

SELECT IFNULL(o.status, 'x') FROM orders o

SELECT COALESCE(o.status, 'x') FROM orders o

SELECT NULLIF(o.total, 0) FROM orders o

SELECT IF(o.total > 1, 1, 0) FROM orders o

SELECT CASE WHEN o.total > 1 THEN 'a' ELSE 'b' END FROM orders o

SELECT CONCAT(o.status, '-', CAST(o.id AS STRING)) FROM orders o

SELECT SUBSTR(o.status, 1, 2) FROM orders o

SELECT LOWER(o.status) FROM orders o

SELECT UPPER(o.status) FROM orders o

SELECT TRIM(o.status) FROM orders o

SELECT REPLACE(o.status, 'a', 'b') FROM orders o

SELECT STARTS_WITH(o.status, 'p') FROM orders o

SELECT ENDS_WITH(o.status, 'd') FROM orders o

SELECT LENGTH(o.status) FROM orders o

SELECT STRPOS(o.status, 'a') FROM orders o

SELECT SPLIT(o.status, ',')[OFFSET(0)] FROM orders o

SELECT SPLIT(o.status, ',')[SAFE_OFFSET(1)] FROM orders o

SELECT LEFT(o.status, 1) FROM orders o

SELECT INITCAP(o.status) FROM orders o

SELECT REVERSE(o.status) FROM orders o

SELECT LPAD(o.status, 5, '0') FROM orders o

SELECT REGEXP_CONTAINS(o.status, r'^p\w+') FROM orders o

SELECT REGEXP_EXTRACT(o.status, r'(\d+)') FROM orders o

SELECT REGEXP_REPLACE(o.status, r'\s', '') FROM orders o

SELECT REGEXP_EXTRACT_ALL(o.status, r'a') FROM orders o

SELECT JSON_VALUE(o.details, '$.a') FROM orders o

SELECT JSON_EXTRACT_SCALAR(o.details, '$.a') FROM orders o

SELECT JSON_QUERY(o.details, '$.a') FROM orders o

SELECT JSON_QUERY_ARRAY(o.details, '$.items') FROM orders o

SELECT TO_JSON_STRING(o.details) FROM orders o

SELECT JSON_EXTRACT(o.details, '$.a') FROM orders o

SELECT JSON_EXTRACT_ARRAY(o.details, '$.a') FROM orders o

SELECT PARSE_JSON('{}') FROM orders o

SELECT LAX_INT64(o.details) FROM orders o

SELECT ARRAY_AGG(o.id ORDER BY o.total DESC LIMIT 3) FROM orders o

SELECT ARRAY_AGG(DISTINCT o.status IGNORE NULLS) FROM orders o

SELECT STRING_AGG(o.status, ', ' ORDER BY o.status) FROM orders o

SELECT ANY_VALUE(o.status) FROM orders o

SELECT APPROX_QUANTILES(o.total, 100)[OFFSET(50)] FROM orders o

SELECT ARRAY_LENGTH([1, 2]) FROM orders o

SELECT ARRAY_TO_STRING(['a'], ',') FROM orders o

SELECT APPROX_TOP_COUNT(o.status, 5) FROM orders o

SELECT LOGICAL_OR(o.total > 1) FROM orders o

SELECT STDDEV(o.total) FROM orders o

SELECT CORR(o.total, o.id) FROM orders o

SELECT ROW_NUMBER() OVER (PARTITION BY o.customer_id ORDER BY o.placed_at DESC) FROM orders o

SELECT LAG(o.total) OVER (ORDER BY o.id) FROM orders o

SELECT FIRST_VALUE(o.total IGNORE NULLS) OVER (ORDER BY o.id) FROM orders o

SELECT PERCENTILE_CONT(o.total, 0.5) OVER (PARTITION BY o.status) FROM orders o

SELECT SUM(o.total) OVER (ORDER BY UNIX_DATE(DATE(o.placed_at)) RANGE BETWEEN 6 PRECEDING AND CURRENT ROW) FROM orders o

SELECT NTILE(4) OVER (ORDER BY o.total) FROM orders o

SELECT SUM(o.total) OVER w FROM orders o WINDOW w AS (PARTITION BY o.status ORDER BY o.id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)

SELECT STRUCT(o.id AS id, o.total AS total) FROM orders o

SELECT STRUCT<a INT64, b STRING>(1, 'x') FROM orders o

SELECT ARRAY<INT64>[1, 2] FROM orders o

SELECT [1, 2, 3] FROM orders o

SELECT ARRAY(SELECT id FROM customers) FROM orders o

SELECT (SELECT AS STRUCT 1 AS a) FROM orders o

SELECT GENERATE_ARRAY(1, 10) FROM orders o

SELECT GENERATE_DATE_ARRAY('2024-01-01', '2024-12-31', INTERVAL 1 MONTH) FROM orders o

SELECT o.status IN UNNEST(['a', 'b']) FROM orders o

SELECT o.id BETWEEN 1 AND 2 FROM orders o

SELECT o.status LIKE 'a%' FROM orders o

SELECT o.status IS NOT NULL FROM orders o

SELECT o.id NOT IN (1, 2) FROM orders o

SELECT EXISTS (SELECT 1 FROM customers c WHERE c.id = o.customer_id) FROM orders o

SELECT MD5(o.status) FROM orders o

SELECT TO_HEX(SHA256(o.status)) FROM orders o

SELECT FARM_FINGERPRINT(o.status) FROM orders o

SELECT FORMAT('%d-%s', o.id, o.status) FROM orders o

SELECT SAFE.SUBSTR(o.status, 1, 2) FROM orders o

SELECT NET.HOST('http://a.b') FROM orders o

SELECT NET.REG_DOMAIN('http://a.b') FROM orders o

SELECT TIMESTAMP '2024-01-01 00:00:00 UTC' FROM orders o

SELECT DATE "2024-01-01" FROM orders o

SELECT "double" FROM orders o

SELECT '''triple''' FROM orders o

SELECT r'raw\d' FROM orders o

SELECT b'bytes' FROM orders o

SELECT 1.5e3 FROM orders o

SELECT 0xFF FROM orders o

SELECT TRUE FROM orders o

SELECT NULL FROM orders o

SELECT HLL_COUNT.INIT(o.id) FROM orders o

SELECT * FROM `sales.orders` LIMIT 10

SELECT * FROM `sales`.`orders`

SELECT * FROM sales.orders AS o WHERE o.status = 'paid';

SELECT * EXCEPT (details) FROM orders

SELECT o.* EXCEPT (details), 1 AS x FROM orders o

SELECT * FROM orders QUALIFY ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY placed_at DESC) = 1

SELECT item FROM products p, UNNEST(p.tags) AS item

SELECT p.name, tag, off FROM products p CROSS JOIN UNNEST(p.tags) AS tag WITH OFFSET AS off

SELECT p.name, tag FROM products p LEFT JOIN UNNEST(tags) tag

SELECT (SELECT COUNT(*) FROM UNNEST(p.tags) t WHERE t = 'a') FROM products p

SELECT day, COUNT(o.id) FROM UNNEST(GENERATE_DATE_ARRAY(DATE '2024-01-01', CURRENT_DATE(), INTERVAL 1 DAY)) AS day LEFT JOIN orders o ON DATE(o.placed_at) = day GROUP BY day ORDER BY day

WITH m AS (SELECT DATE_TRUNC(DATE(placed_at), MONTH) AS m, SUM(total) AS rev FROM orders GROUP BY 1) SELECT m, rev, SAFE_DIVIDE(rev - LAG(rev) OVER (ORDER BY m), LAG(rev) OVER (ORDER BY m)) FROM m ORDER BY m

WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 10) SELECT i FROM n

SELECT status, COUNT(*) FROM orders GROUP BY ROLLUP(status)

SELECT status, COUNT(*) AS n FROM orders GROUP BY status HAVING n > 1 ORDER BY n DESC LIMIT 5 OFFSET 2

SELECT * FROM (SELECT status, total FROM orders) PIVOT (SUM(total) FOR status IN ('paid', 'sent'))

SELECT * FROM (SELECT status, total FROM orders) PIVOT (SUM(total) AS s, COUNT(*) AS c FOR status IN ('paid' AS p, 'sent' AS q))

SELECT * FROM (SELECT id, total, customer_id FROM orders) UNPIVOT (v FOR k IN (total, customer_id))

SELECT id FROM orders UNION ALL SELECT order_id FROM payments

SELECT id FROM orders UNION DISTINCT SELECT order_id FROM payments

SELECT id FROM orders EXCEPT DISTINCT SELECT order_id FROM payments

SELECT id FROM orders INTERSECT DISTINCT SELECT order_id FROM payments

SELECT * FROM orders o JOIN customers c ON c.id = o.customer_id LEFT JOIN payments p ON p.order_id = o.id

SELECT * FROM orders JOIN customers USING (id)

SELECT * FROM orders o INNER JOIN customers c USING (id, tenant) WHERE c.country = 'DE'

SELECT * FROM orders FOR SYSTEM_TIME AS OF TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 1 HOUR)

SELECT e.user_id, COUNT(DISTINCT e.session_id) FROM events e WHERE DATE(e.occurred_at) >= DATE_SUB(CURRENT_DATE(), INTERVAL 28 DAY) GROUP BY e.user_id

SELECT DATE_TRUNC(started_on, MONTH) AS m, SUM(mrr) AS mrr FROM subscriptions WHERE ended_on IS NULL GROUP BY ALL

SELECT plan, ROUND(100 * COUNT(*) / SUM(COUNT(*)) OVER (), 1) AS pct FROM users GROUP BY plan

SELECT department, ARRAY_AGG(STRUCT(name, salary) ORDER BY salary DESC LIMIT 3) AS top FROM employees GROUP BY department

SELECT `Page URL`, SUM(Visits) FROM `public.WebTraffic` GROUP BY `Page URL`

SELECT o.id FROM orders AS o WHERE o.total > (SELECT AVG(total) FROM orders)

SELECT * FROM orders WHERE (status = 'a' OR status = 'b') AND NOT total < 5 -- end

# c
SELECT 1

SELECT SPLIT(email, '@')[ORDINAL(2)] AS domain, COUNT(1) FROM users GROUP BY domain ORDER BY 2 DESC

SELECT key, value FROM UNNEST([STRUCT('a' AS key, 1 AS value), ('b', 2)])

SELECT DISTINCT status FROM orders ORDER BY status NULLS LAST

SELECT user_id, TIMESTAMP_DIFF(MAX(occurred_at), MIN(occurred_at), MINUTE) AS mins FROM events GROUP BY user_id

SELECT JSON_VALUE(properties, '$.browser') AS b, COUNT(*) FROM events GROUP BY b

SELECT * FROM orders ORDER BY RAND() LIMIT 10

FROM orders |> WHERE status = 'paid' |> AGGREGATE SUM(total) AS total, COUNT(*) AS n GROUP BY customer_id |> ORDER BY total DESC |> LIMIT 10

FROM orders |> SELECT id, total * 2 AS double |> EXTEND double + 1 AS more |> SET more = more * 2 |> DROP id |> RENAME more AS most

FROM orders AS o |> JOIN customers AS c ON o.customer_id = c.id |> AGGREGATE COUNT(*) GROUP BY c.country

FROM orders |> AS o |> WHERE o.total > 5 |> DISTINCT

SELECT * FROM orders |> WHERE total > 1 |> LIMIT 5 OFFSET 2

FROM orders |> AGGREGATE COUNT(*) AS n GROUP AND ORDER BY status DESC

FROM orders |> UNION ALL (SELECT * FROM orders) |> TABLESAMPLE SYSTEM (10 PERCENT)

FROM orders |> PIVOT(SUM(total) FOR status IN ('paid', 'open'))

FROM orders |> WINDOW SUM(total) OVER (ORDER BY placed_at) AS running

WITH a AS (FROM orders |> WHERE total > 1) SELECT * FROM a

SELECT * FROM (FROM orders |> WHERE total > 1)

SELECT * FROM (SELECT status, total FROM orders) PIVOT(SUM(total) FOR status IN ('paid', 'open'))

SELECT * FROM orders UNPIVOT(v FOR k IN (total, id))

SELECT * FROM (SELECT status, total FROM orders) PIVOT(SUM(total) AS t, COUNT(*) AS n FOR status IN ('paid' AS p, 'open' AS o)) AS pv

SELECT * EXCEPT (id), * REPLACE (total * 2 AS total) FROM orders

SELECT DATE_TRUNC(placed_at, MONTH), APPROX_COUNT_DISTINCT(customer_id), COUNTIF(status = 'paid'), SAFE_DIVIDE(1, 2) FROM orders GROUP BY 1

SELECT a FROM UNNEST([1, 2, 3]) AS a WITH OFFSET o

SELECT ARRAY_AGG(status IGNORE NULLS ORDER BY placed_at LIMIT 3), STRING_AGG(DISTINCT status, ', ') FROM orders

SELECT JSON_VALUE(details, '$.a'), JSON_QUERY(details, '$.b'), JSON_EXTRACT_SCALAR(details, '$.c') FROM orders

SELECT GENERATE_UUID()

SELECT d FROM UNNEST(GENERATE_DATE_ARRAY('2026-01-01', '2026-12-31', INTERVAL 1 MONTH)) AS d

SELECT r'\d+', '''a'b''', b'abc', "x\"y", 'it\'s'

SELECT id FROM orders QUALIFY ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY placed_at) = 1

SELECT STRUCT(1 AS a, 'x' AS b).a

SELECT DATE_DIFF(CURRENT_DATE(), DATE(placed_at), DAY), TIMESTAMP_TRUNC(placed_at, HOUR), FORMAT_DATE('%Y', DATE(placed_at)), EXTRACT(DAYOFWEEK FROM placed_at) FROM orders

SELECT PERCENTILE_CONT(total, 0.5) OVER () FROM orders

SELECT APPROX_QUANTILES(total, 4)[OFFSET(2)] FROM orders

SELECT status, SUM(total) FROM orders GROUP BY ROLLUP(status)

SELECT status, SUM(total) FROM orders GROUP BY GROUPING SETS ((status), ())

SELECT status, SUM(total) FROM orders GROUP BY CUBE(status)

SELECT SAFE_CAST(total AS INT64), CAST(total AS STRING FORMAT '999'), IFNULL(status, ''), IF(total > 1, 1, 0) FROM orders

SELECT REGEXP_EXTRACT(status, r'(\w+)'), REGEXP_CONTAINS(status, r'^p'), SPLIT(status, '-')[SAFE_OFFSET(0)] FROM orders

SELECT FARM_FINGERPRINT(status), TO_HEX(MD5(status)) FROM orders

SELECT id FROM orders WHERE status LIKE ANY ('a%', 'b%')

SELECT LAST_VALUE(total IGNORE NULLS) OVER (ORDER BY placed_at) FROM orders

WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t WHERE n < 10) SELECT * FROM t

SELECT CORR(total, id), STDDEV(total), VAR_SAMP(total) FROM orders

SELECT id FROM orders INTERSECT DISTINCT SELECT id FROM customers

SELECT COUNT(*) FROM orders FOR SYSTEM_TIME AS OF TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 1 HOUR)

SELECT x.a FROM UNNEST([STRUCT(1 AS a)]) x

SELECT (SELECT MAX(v) FROM UNNEST([1, 2]) v)

SELECT LOGICAL_OR(status = 'paid'), ANY_VALUE(status HAVING MAX total) FROM orders

SELECT RANGE_BUCKET(total, [0, 10]), NORMALIZE(status), INITCAP(status) FROM orders

SELECT * FROM orders CROSS JOIN UNNEST(JSON_EXTRACT_ARRAY(details, '$.a')) AS item
