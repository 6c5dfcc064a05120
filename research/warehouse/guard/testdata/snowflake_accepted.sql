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

SELECT "Größe" FROM (SELECT 1 AS "Größe") t

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


SELECT * FROM orders TABLESAMPLE SYSTEM (10 PERCENT)

SELECT * FROM orders SAMPLE (10)

SELECT COUNT(*) FROM orders o

SELECT COUNT(DISTINCT o.customer_id) FROM orders o

SELECT COUNT_IF(o.status = 'paid') FROM orders o

SELECT SUM(IFF(o.status = 'paid', o.total, 0)) FROM orders o

SELECT APPROX_COUNT_DISTINCT(o.id) FROM orders o

SELECT HLL(o.id) FROM orders o

SELECT DATE_TRUNC('month', o.placed_at) FROM orders o

SELECT DATE_TRUNC(MONTH, o.placed_at) FROM orders o

SELECT TO_DATE(o.placed_at) FROM orders o

SELECT TO_CHAR(o.placed_at, 'YYYY-MM') FROM orders o

SELECT TO_VARCHAR(o.total) FROM orders o

SELECT YEAR(o.placed_at) FROM orders o

SELECT MONTH(o.placed_at) FROM orders o

SELECT DAYOFWEEK(o.placed_at) FROM orders o

SELECT WEEKOFYEAR(o.placed_at) FROM orders o

SELECT DAYNAME(o.placed_at) FROM orders o

SELECT MONTHNAME(o.placed_at) FROM orders o

SELECT LAST_DAY(o.placed_at) FROM orders o

SELECT QUARTER(o.placed_at) FROM orders o

SELECT DATEADD(day, -30, CURRENT_DATE()) FROM orders o

SELECT DATEADD('month', 1, o.placed_at) FROM orders o

SELECT DATEDIFF('day', o.placed_at, CURRENT_TIMESTAMP()) FROM orders o

SELECT DATEDIFF(month, o.placed_at, CURRENT_DATE) FROM orders o

SELECT TIMESTAMPDIFF(hour, o.placed_at, CURRENT_TIMESTAMP) FROM orders o

SELECT ADD_MONTHS(o.placed_at, 1) FROM orders o

SELECT MONTHS_BETWEEN(o.placed_at, CURRENT_DATE) FROM orders o

SELECT EXTRACT(year FROM o.placed_at) FROM orders o

SELECT DATE_PART('week', o.placed_at) FROM orders o

SELECT DATE_PART(epoch_second, o.placed_at) FROM orders o

SELECT CONVERT_TIMEZONE('UTC', 'Europe/Berlin', o.placed_at) FROM orders o

SELECT TO_TIMESTAMP_NTZ(o.placed_at) FROM orders o

SELECT TRY_TO_DATE('x') FROM orders o

SELECT TRY_TO_NUMBER('1') FROM orders o

SELECT TIME_SLICE(o.placed_at, 15, 'MINUTE') FROM orders o

SELECT o.placed_at - INTERVAL '7 days' FROM orders o

SELECT o.placed_at::DATE FROM orders o

SELECT o.total::NUMBER(10,2) FROM orders o

SELECT o.total::FLOAT FROM orders o

SELECT CAST(o.id AS VARCHAR(10)) FROM orders o

SELECT TRY_CAST(o.status AS INTEGER) FROM orders o

SELECT o.placed_at::TIMESTAMP_NTZ FROM orders o

SELECT '2024-01-01'::date FROM orders o

SELECT DATE '2024-01-01' FROM orders o

SELECT NVL(o.status, 'x') FROM orders o

SELECT NVL2(o.status, 1, 0) FROM orders o

SELECT ZEROIFNULL(o.total) FROM orders o

SELECT NULLIFZERO(o.total) FROM orders o

SELECT COALESCE(o.status, 'x') FROM orders o

SELECT DECODE(o.status, 'a', 1, 0) FROM orders o

SELECT IFF(o.total > 1, 1, 0) FROM orders o

SELECT DIV0(o.total, 0) FROM orders o

SELECT DIV0NULL(o.total, 0) FROM orders o

SELECT CASE o.status WHEN 'a' THEN 1 END FROM orders o

SELECT EQUAL_NULL(1, 2) FROM orders o

SELECT GREATEST(1, 2) FROM orders o

SELECT LEAST(1, 2) FROM orders o

SELECT o.details:a.b::string FROM orders o

SELECT o.details:items[0]:sku::varchar FROM orders o

SELECT o.details['a']['b']::int FROM orders o

SELECT GET_PATH(o.details, 'a.b') FROM orders o

SELECT PARSE_JSON('{}') FROM orders o

SELECT TRY_PARSE_JSON('{}') FROM orders o

SELECT OBJECT_CONSTRUCT('a', 1) FROM orders o

SELECT ARRAY_CONSTRUCT(1, 2) FROM orders o

SELECT ARRAY_SIZE(o.details:items) FROM orders o

SELECT TYPEOF(o.details) FROM orders o

SELECT IS_NULL_VALUE(o.details:a) FROM orders o

SELECT OBJECT_KEYS(o.details) FROM orders o

SELECT SPLIT_PART(o.status, '@', 2) FROM orders o

SELECT SPLIT(o.status, ',')[0]::string FROM orders o

SELECT CONCAT(o.status, 'a') FROM orders o

SELECT o.status || '-' || o.id FROM orders o

SELECT SUBSTR(o.status, 1, 2) FROM orders o

SELECT LEFT(o.status, 2) FROM orders o

SELECT UPPER(o.status) FROM orders o

SELECT TRIM(o.status) FROM orders o

SELECT REPLACE(o.status, 'a', 'b') FROM orders o

SELECT CONTAINS(o.status, 'a') FROM orders o

SELECT STARTSWITH(o.status, 'p') FROM orders o

SELECT ENDSWITH(o.status, 'd') FROM orders o

SELECT CHARINDEX('a', o.status) FROM orders o

SELECT POSITION('a' IN o.status) FROM orders o

SELECT LENGTH(o.status) FROM orders o

SELECT INITCAP(o.status) FROM orders o

SELECT LPAD(o.status, 5, '0') FROM orders o

SELECT REGEXP_REPLACE(o.status, '[0-9]', '') FROM orders o

SELECT REGEXP_SUBSTR(o.status, '[a-z]+') FROM orders o

SELECT REGEXP_LIKE(o.status, 'p.*') FROM orders o

SELECT REGEXP_COUNT(o.status, 'a') FROM orders o

SELECT CONCAT_WS('-', 'a', 'b') FROM orders o

SELECT o.status ILIKE '%a%' FROM orders o

SELECT o.status LIKE ANY ('a%', 'b%') FROM orders o

SELECT o.status RLIKE 'p.*' FROM orders o

SELECT o.status NOT ILIKE 'x' FROM orders o

SELECT o.status LIKE 'a^%' ESCAPE '^' FROM orders o

SELECT o.status REGEXP 'p.*' FROM orders o

SELECT o.status ILIKE ANY ('%a%') FROM orders o

SELECT LISTAGG(DISTINCT o.status, ', ') WITHIN GROUP (ORDER BY o.status) FROM orders o

SELECT ARRAY_AGG(o.id) WITHIN GROUP (ORDER BY o.total DESC) FROM orders o

SELECT OBJECT_AGG(o.status, o.total) FROM orders o

SELECT MEDIAN(o.total) FROM orders o

SELECT PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY o.total) FROM orders o

SELECT APPROX_PERCENTILE(o.total, 0.5) FROM orders o

SELECT MODE(o.status) FROM orders o

SELECT STDDEV(o.total) FROM orders o

SELECT MAX_BY(o.status, o.total) FROM orders o

SELECT ANY_VALUE(o.status) FROM orders o

SELECT BOOLOR_AGG(o.total > 1) FROM orders o

SELECT CORR(o.total, o.id) FROM orders o

SELECT ARRAY_UNIQUE_AGG(o.id) FROM orders o

SELECT SKEW(o.total) FROM orders o

SELECT ROW_NUMBER() OVER (PARTITION BY o.customer_id ORDER BY o.placed_at DESC) FROM orders o

SELECT LAG(o.total) IGNORE NULLS OVER (ORDER BY o.id) FROM orders o

SELECT FIRST_VALUE(o.total) OVER (PARTITION BY o.status ORDER BY o.id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM orders o

SELECT RATIO_TO_REPORT(o.total) OVER (PARTITION BY o.status) FROM orders o

SELECT SUM(o.total) OVER (ORDER BY o.placed_at ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) FROM orders o

SELECT CONDITIONAL_TRUE_EVENT(o.total > 1) OVER (ORDER BY o.id) FROM orders o

SELECT WIDTH_BUCKET(o.total, 0, 100, 10) FROM orders o

SELECT NTILE(4) OVER (ORDER BY o.total) FROM orders o

SELECT ROUND(o.total, 2) FROM orders o

SELECT CEIL(o.total) FROM orders o

SELECT FLOOR(o.total) FROM orders o

SELECT TRUNC(o.total, 1) FROM orders o

SELECT MOD(o.id, 2) FROM orders o

SELECT ABS(o.total) FROM orders o

SELECT POWER(2, 3) FROM orders o

SELECT SQRT(4) FROM orders o

SELECT LN(2) FROM orders o

SELECT LOG(10, 100) FROM orders o

SELECT SIGN(o.total) FROM orders o

SELECT SQUARE(2) FROM orders o

SELECT MD5(o.status) FROM orders o

SELECT SHA2(o.status) FROM orders o

SELECT HASH(o.id) FROM orders o

SELECT o.total AS "Total" FROM orders o

SELECT o.status status_label FROM orders o

SELECT $$dollar$$ FROM orders o

SELECT 1e3 FROM orders o

SELECT TRUE FROM orders o

SELECT NULL FROM orders o

SELECT IS_INTEGER(o.details:a) FROM orders o

SELECT AS_VARCHAR(o.details:a) FROM orders o

SELECT STRTOK(o.status, ',') FROM orders o

SELECT ARRAY_CONTAINS('a'::variant, o.details:tags) FROM orders o

SELECT ARRAY_TO_STRING(o.details:tags, ',') FROM orders o

SELECT * FROM sales.orders LIMIT 10;

SELECT * FROM "sales"."orders" LIMIT 10

SELECT * FROM ORDERS

SELECT "orders"."id" FROM "sales"."orders"

SELECT * EXCLUDE (details) FROM orders

SELECT * EXCLUDE details RENAME (total AS amount) FROM orders

SELECT * FROM orders QUALIFY ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY placed_at DESC) = 1

SELECT o.id, f.value:sku::string AS sku, f.index FROM orders o, LATERAL FLATTEN(input => o.details:items) f

SELECT o.id, f.value FROM orders o, LATERAL FLATTEN(o.details:items) AS f

SELECT o.id, f.key FROM orders o CROSS JOIN TABLE(FLATTEN(INPUT => o.details, OUTER => TRUE)) f

SELECT f.value FROM TABLE(FLATTEN(input => PARSE_JSON('[1,2]'))) f

SELECT DATEADD(day, SEQ4(), '2024-01-01'::date) AS d FROM TABLE(GENERATOR(ROWCOUNT => 365))

SELECT DATEADD(day, ROW_NUMBER() OVER (ORDER BY NULL) - 1, '2024-01-01') AS d FROM TABLE(GENERATOR(ROWCOUNT => 30))

SELECT s.value FROM orders o, LATERAL SPLIT_TO_TABLE(o.status, ',') s

WITH m AS (SELECT DATE_TRUNC('month', placed_at) AS m, SUM(total) AS rev FROM orders GROUP BY 1) SELECT m, rev, rev / NULLIF(LAG(rev) OVER (ORDER BY m), 0) - 1 AS growth FROM m ORDER BY m

WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 10) SELECT i FROM n

WITH RECURSIVE tree (id, parent_id, depth) AS (SELECT id, parent_id, 1 FROM categories WHERE parent_id IS NULL UNION ALL SELECT c.id, c.parent_id, t.depth + 1 FROM categories c JOIN tree t ON c.parent_id = t.id) SELECT * FROM tree

SELECT status, SUM(total) FROM orders GROUP BY ROLLUP (status)

SELECT status, customer_id, SUM(total) FROM orders GROUP BY CUBE (status, customer_id)

SELECT status, customer_id, GROUPING(status) FROM orders GROUP BY GROUPING SETS ((status), (customer_id))

SELECT status, COUNT(*) FROM orders GROUP BY ALL

SELECT * FROM (SELECT status, total FROM orders) PIVOT (SUM(total) FOR status IN ('paid', 'sent')) AS p

SELECT * FROM (SELECT id, total, customer_id FROM orders) UNPIVOT (v FOR k IN (total, customer_id))

SELECT * FROM (SELECT status, total FROM orders) PIVOT (SUM(total) FOR status IN (ANY ORDER BY status))

SELECT id FROM orders MINUS SELECT order_id FROM payments

SELECT id FROM orders UNION SELECT order_id FROM payments ORDER BY 1

SELECT id FROM orders INTERSECT SELECT order_id FROM payments

SELECT * FROM orders o JOIN customers c ON c.id = o.customer_id LEFT JOIN payments p USING (tenant)

SELECT * FROM orders o ASOF JOIN payments p MATCH_CONDITION (o.placed_at >= p.paid_at) ON o.id = p.order_id

SELECT * FROM orders NATURAL JOIN customers

SELECT * FROM orders TABLESAMPLE BERNOULLI (10)

SELECT * FROM orders SAMPLE (100 ROWS)

SELECT column1, column2 FROM VALUES (1, 'a'), (2, 'b')

SELECT v.a FROM (VALUES (1, 'a'), (2, 'b')) AS v (a, b)

SELECT * FROM orders ORDER BY total DESC NULLS LAST LIMIT 10 OFFSET 5

SELECT * FROM orders ORDER BY total DESC FETCH FIRST 10 ROWS ONLY

SELECT "Page URL", SUM("Visits") FROM "public"."WebTraffic" GROUP BY "Page URL"

SELECT COUNT(*) FROM orders WHERE placed_at >= DATEADD(month, -1, DATE_TRUNC('month', CURRENT_DATE)) AND placed_at < DATE_TRUNC('month', CURRENT_DATE)

SELECT name, salary, RANK() OVER (PARTITION BY department ORDER BY salary DESC) AS r FROM employees QUALIFY r <= 3

SELECT properties:browser::string AS b, COUNT(*) FROM events GROUP BY 1 ORDER BY 2 DESC

SELECT user_id, MIN(occurred_at) AS first_seen FROM events GROUP BY user_id HAVING COUNT(*) > 1

SELECT * FROM orders WHERE (customer_id, placed_at) IN (SELECT customer_id, MAX(placed_at) FROM orders GROUP BY customer_id)

SELECT plan, ROUND(100.0 * COUNT(*) / SUM(COUNT(*)) OVER (), 2) AS pct FROM users GROUP BY plan -- c

// c
SELECT 1

SELECT FILTER(tags, x -> x::string = 'a'), TRANSFORM(tags, x -> x || 'b') FROM products

SELECT * FROM orders ORDER BY RANDOM() LIMIT 10

SELECT * FROM orders ORDER BY RANDOM(42) LIMIT 10

SELECT UNIFORM(1, 10, RANDOM()), NORMAL(0, 1, RANDOM(3)) FROM orders

SELECT * FROM orders SAMPLE ROW (10 ROWS)

SELECT * FROM orders TABLESAMPLE BERNOULLI (10) SEED (42)

SELECT * FROM (SELECT status, total FROM orders) PIVOT(SUM(total) FOR status IN ('paid', 'open')) AS p

SELECT * FROM (SELECT status, total FROM orders) PIVOT(SUM(total) FOR status IN (ANY ORDER BY status))

SELECT * FROM (SELECT status, total FROM orders) PIVOT(SUM(total) FOR status IN (SELECT DISTINCT status FROM orders) DEFAULT ON NULL (0))

SELECT * FROM orders UNPIVOT(v FOR k IN (total, id))

SELECT * FROM orders UNPIVOT INCLUDE NULLS (v FOR k IN (total AS 'a', id))

SELECT f.value:sku::string FROM orders, LATERAL FLATTEN(input => details:items) f

SELECT details:a.b[0]::int, details['a'] FROM orders

SELECT DATE_TRUNC('month', placed_at), COUNT_IF(status = 'paid'), LISTAGG(status, ', ') WITHIN GROUP (ORDER BY status) FROM orders GROUP BY ALL

SELECT id FROM orders QUALIFY ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY placed_at) = 1

SELECT DATEDIFF('day', placed_at, CURRENT_DATE), DATEADD(month, -1, CURRENT_DATE()), TO_CHAR(placed_at, 'YYYY-MM'), LAST_DAY(placed_at) FROM orders

SELECT APPROX_COUNT_DISTINCT(id), MEDIAN(total), PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY total), APPROX_PERCENTILE(total, 0.5) FROM orders

SELECT IFF(total > 1, 1, 0), NVL(status, ''), ZEROIFNULL(total), DIV0(1, 0), DECODE(status, 'a', 1, 0) FROM orders

SELECT ARRAY_AGG(status) WITHIN GROUP (ORDER BY status), OBJECT_CONSTRUCT('a', 1), PARSE_JSON('{}'), TRY_CAST(status AS NUMBER) FROM orders

SELECT * FROM TABLE(GENERATOR(ROWCOUNT => 10))

SELECT SEQ4() FROM TABLE(GENERATOR(ROWCOUNT => 10))

SELECT 'it''s', 'a\'b', $$x'y$$

SELECT status, SUM(total) FROM orders GROUP BY ROLLUP(status)

SELECT status, SUM(total) FROM orders GROUP BY GROUPING SETS ((status), ())

SELECT * EXCLUDE (id) RENAME (total AS t) FROM orders

SELECT REGEXP_SUBSTR(status, '[a-z]+'), SPLIT_PART(status, '-', 1), status ILIKE 'p%', status RLIKE 'p.*', STARTSWITH(status, 'p') FROM orders

SELECT id FROM orders MINUS SELECT id FROM customers

SELECT CONDITIONAL_TRUE_EVENT(status = 'a') OVER (ORDER BY id), RATIO_TO_REPORT(total) OVER () FROM orders

SELECT HASH(status), MD5(status), SHA2(status), UUID_STRING() FROM orders

SELECT MAX_BY(status, total), MIN_BY(status, total), MODE(status) FROM orders

SELECT TIME_SLICE(placed_at, 7, 'DAY'), DAYNAME(placed_at), WEEKISO(placed_at) FROM orders

SELECT * FROM orders o ASOF JOIN customers c MATCH_CONDITION (o.placed_at >= c.id) ON o.customer_id = c.id

SELECT * FROM VALUES (1, 'a'), (2, 'b') AS t(n, l)

SELECT column1 FROM VALUES (1)

SELECT TOP 5 * FROM orders

SELECT ARRAY_SIZE(SPLIT(status, '-')), ARRAY_CONTAINS('a'::variant, SPLIT(status, '-')), GET_PATH(details, 'a') FROM orders

SELECT WIDTH_BUCKET(total, 0, 100, 10), SQUARE(total), BITAND(1, 2) FROM orders

SELECT TO_TIMESTAMP_NTZ(placed_at), CONVERT_TIMEZONE('UTC', 'Europe/Berlin', placed_at), DATE_PART('epoch', placed_at) FROM orders

SELECT FILTER(ARRAY_CONSTRUCT(1, 2), x -> x > 1), TRANSFORM(ARRAY_CONSTRUCT(1), x -> x + 1)
