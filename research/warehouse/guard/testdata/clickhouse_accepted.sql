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

SELECT toStartOfMonth(placed_at) AS month, sum(total) FROM orders GROUP BY month ORDER BY month

SELECT uniq(customer_id), uniqExact(customer_id), countIf(status = 'paid'), sumIf(total, status = 'paid'), avgIf(total, total > 1) FROM orders

SELECT quantile(0.5)(total), quantiles(0.25, 0.5, 0.75)(total), median(total), quantileExact(0.9)(total) FROM orders

SELECT argMax(status, placed_at), argMin(status, placed_at), any(status), anyLast(status), groupArray(status), groupUniqArray(10)(status) FROM orders GROUP BY customer_id

SELECT * FROM orders FINAL WHERE total > 1

SELECT * FROM orders AS o FINAL

SELECT * FROM orders PREWHERE status = 'paid' WHERE total > 1

SELECT * FROM orders ORDER BY total DESC LIMIT 3 BY customer_id

SELECT * FROM orders LIMIT 5, 10

SELECT * FROM orders ORDER BY total LIMIT 10 WITH TIES

SELECT status, count() AS n FROM orders GROUP BY status WITH TOTALS

SELECT status, count() FROM orders GROUP BY status WITH ROLLUP

SELECT arrayJoin([1, 2, 3]) AS x, x * 2

SELECT tag FROM orders ARRAY JOIN [1, 2] AS tag

SELECT id, tag FROM orders LEFT ARRAY JOIN splitByChar(',', status) AS tag

SELECT arrayMap(x -> x * 2, [1, 2]), arrayFilter(x -> x > 1, [1, 2]), arraySum([1, 2]), arrayMap((x, y) -> x + y, [1], [2])

SELECT toYear(placed_at), toMonth(placed_at), toDayOfWeek(placed_at), toHour(placed_at), toYYYYMM(placed_at), toMonday(placed_at), toStartOfWeek(placed_at, 1) FROM orders

SELECT dateDiff('day', placed_at, now()), now() - INTERVAL 30 DAY, addDays(today(), 1), toStartOfInterval(placed_at, INTERVAL 15 MINUTE), formatDateTime(placed_at, '%Y-%m') FROM orders

SELECT * FROM orders WHERE placed_at >= today() - 30 AND placed_at < toDate('2026-02-01')

SELECT toInt64(total), toString(id), toFloat64(total), toDecimal64(total, 2), CAST(total AS Float64), CAST(total, 'Float64'), total::Float64, toInt32OrZero(status), CAST(id AS Nullable(String)) FROM orders

SELECT JSONExtractString(details, 'a'), JSONExtractInt(details, 'b', 'c'), JSONHas(details, 'x'), JSONExtract(details, 'a', 'Array(String)') FROM orders

SELECT if(total > 1, 'a', 'b'), multiIf(total < 1, 'a', total < 2, 'b', 'c'), total > 1 ? 'x' : 'y', ifNull(status, ''), coalesce(status, 'x') FROM orders

SELECT windowFunnel(86400)(placed_at, status = 'new', status = 'paid') AS level, count() FROM orders GROUP BY level

SELECT retention(status = 'new', status = 'paid') FROM orders GROUP BY customer_id

SELECT * FROM orders ANY LEFT JOIN customers ON orders.customer_id = customers.id

SELECT * FROM orders AS o ASOF JOIN orders AS p ON o.customer_id = p.customer_id AND o.placed_at >= p.placed_at

SELECT * FROM orders GLOBAL ANY INNER JOIN customers USING (tenant)

SELECT * FROM orders JOIN customers USING tenant

SELECT * FROM orders LEFT SEMI JOIN customers ON orders.customer_id = customers.id

SELECT * FROM orders WHERE customer_id GLOBAL IN (SELECT id FROM customers)

SELECT * FROM orders WHERE (customer_id, status) IN ((1, 'a'), (2, 'b'))

WITH 10 AS least_total SELECT * FROM orders WHERE total > least_total

WITH (SELECT avg(total) FROM orders) AS mean SELECT * FROM orders WHERE total > mean

WITH toStartOfDay(now()) AS day, x AS (SELECT count() AS n FROM orders) SELECT day, n FROM x

SELECT number, toDate('2026-01-01') + number AS day FROM numbers(31)

SELECT d, count(o.id) FROM (SELECT toDate('2026-01-01') + number AS d FROM numbers(31)) days LEFT JOIN orders o ON toDate(o.placed_at) = d GROUP BY d

SELECT toDate(placed_at) AS d, count() FROM orders GROUP BY d ORDER BY d WITH FILL FROM toDate('2026-01-01') TO toDate('2026-02-01') STEP 1

SELECT `total`, "status" FROM `sales`.`orders`

SELECT `a b`, `select` FROM public.`Odd Table`

SELECT * EXCEPT (tenant) FROM orders

SELECT * EXCEPT tenant FROM orders

SELECT * REPLACE (total * 2 AS total) FROM orders

SELECT DISTINCT ON (customer_id) customer_id, total FROM orders ORDER BY customer_id

SELECT topK(5)(status), histogram(10)(total), corr(total, id), stddevPop(total), entropy(status) FROM orders

SELECT lower(status), upper(status), concat(status, '-x'), substring(status, 1, 2), splitByChar(',', status)[1], replaceRegexpAll(status, '[0-9]', ''), match(status, '^p'), extract(status, '(\\w+)'), position(status, 'a') FROM orders

SELECT domain('http://a.b/c'), path('http://a.b/c'), extractURLParameter('http://a?x=1', 'x')

SELECT round(total, 2), intDiv(total, 2), modulo(id, 2), greatest(1, 2), log2(8), exp(1), bar(total, 0, 100, 10) FROM orders

SELECT leadInFrame(total) OVER (PARTITION BY customer_id ORDER BY placed_at ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM orders

SELECT 'it\'s', 'a''b', 'tab\t', 0x1F, 1_000

SELECT tuple(1, 'a').1, (1, 2).2, map('a', 1)['a'], [1, 2][1]

SELECT cityHash64(status) % 10, runs FROM (SELECT status, 1 AS runs FROM orders)

SELECT count() FROM orders WHERE status ILIKE 'p%' AND status NOT ILIKE '%x'

SELECT sum(total) AS t, t / count() AS mean FROM orders

SELECT (a + b) AS c FROM (SELECT 1 AS a, 2 AS b)

SELECT groupArray(tuple(id, total)) FROM orders

SELECT total # comment


SELECT toStartOfHour(placed_at) h, count() c, uniq(customer_id) u FROM orders GROUP BY h ORDER BY h

SELECT count(), countDistinct(customer_id), sum(total) / count() FROM orders WHERE placed_at > now() - toIntervalDay(7)

SELECT status, quantilesTDigest(0.5, 0.9)(total)[1] AS p50, round(avg(total), 2) FROM orders GROUP BY status HAVING count() > 10

SELECT sumMap(map('a', 1)), maxMap(mapFromArrays(['a'], [1])), groupArray(5)(status), arraySort(groupUniqArray(status)) FROM orders

SELECT arrayStringConcat(arrayMap(x -> toString(x), [1, 2]), ','), arrayCount(x -> x > 1, [1, 2]), arrayExists(x -> x = 1, [1]) FROM orders

SELECT toDayOfWeek(placed_at) AS dow, toHour(placed_at) AS hr, count() AS c FROM orders GROUP BY dow, hr ORDER BY dow, hr LIMIT 168

SELECT * FROM orders WHERE status IN ('a', 'b') AND (total > 1) AND has(['a'], status) AND notEmpty(status) AND NOT isNull(total)

SELECT o.customer_id, c.country FROM orders o INNER JOIN customers c ON o.customer_id = c.id ORDER BY o.total DESC LIMIT 1 BY c.country LIMIT 10

SELECT sum(if(status = 'paid', total, 0)) AS paid, sum(total) FILTER (WHERE status = 'sent') FROM orders

SELECT avg(total) OVER (PARTITION BY status ORDER BY placed_at ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) FROM orders

SELECT toStartOfInterval(placed_at, toIntervalMinute(5)), date_trunc('month', placed_at), toDateTime('2026-01-01 00:00:00', 'UTC') FROM orders

SELECT sequenceMatch('(?1)(?2)')(placed_at, status = 'a', status = 'b') FROM orders GROUP BY customer_id

SELECT JSONExtractArrayRaw(details, 'x'), visitParamExtractString(details, 'y'), simpleJSONExtractInt(details, 'z') FROM orders

SELECT cutToFirstSignificantSubdomain('x'), URLHierarchy('x'), empty(''), lengthUTF8('x')

WITH t AS (SELECT customer_id, min(toDate(placed_at)) AS d0 FROM orders GROUP BY customer_id) SELECT d0, countIf(d = d0 + 1) AS r1 FROM (SELECT customer_id, toDate(placed_at) AS d FROM orders) AS a INNER JOIN t USING (customer_id) GROUP BY d0

SELECT tupleElement((1, 'a'), 1), (1, 'a').2, toTypeName(total), bitCount(5) FROM orders

SELECT argMax(total, placed_at) AS latest, max(placed_at) AS at FROM orders GROUP BY customer_id

SELECT count() FROM orders WHERE toYYYYMM(placed_at) = 202601 AND status LIKE 'p%' OR match(status, '[a-z]+')

SELECT `customer_id`, SUM(`total`) AS `t` FROM `sales`.`orders` GROUP BY `customer_id`

SELECT sum(total) AS s, s / 2 AS half, if(s > 10, 'x', 'y') FROM orders

SELECT arrayJoin(splitByChar(',', status)) AS part, count() FROM orders GROUP BY part

SELECT number % 10, count() FROM numbers(100) GROUP BY number % 10

SELECT formatDateTime(placed_at, '%Y-%m-%d'), toUnixTimestamp(placed_at), dateDiff('hour', placed_at, now()) FROM orders

SELECT stddevSamp(total), varPop(total), covarSamp(total, id), skewPop(total), simpleLinearRegression(id, total) FROM orders

