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

SELECT `Größe` FROM (SELECT 1 AS `Größe`) t

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


SELECT * FROM orders SAMPLE 0.1

SELECT count() FROM orders o

SELECT count(*) FROM orders o

SELECT uniq(o.customer_id) FROM orders o

SELECT uniqExact(o.customer_id) FROM orders o

SELECT countIf(o.status = 'paid') FROM orders o

SELECT sumIf(o.total, o.status = 'paid') FROM orders o

SELECT avgIf(o.total, o.id > 1) FROM orders o

SELECT uniqIf(o.id, o.total > 1) FROM orders o

SELECT count(DISTINCT o.id) FROM orders o

SELECT toStartOfMonth(o.placed_at) FROM orders o

SELECT toStartOfWeek(o.placed_at, 1) FROM orders o

SELECT toDate(o.placed_at) FROM orders o

SELECT toStartOfInterval(o.placed_at, INTERVAL 15 minute) FROM orders o

SELECT toYYYYMM(o.placed_at) FROM orders o

SELECT toYear(o.placed_at) FROM orders o

SELECT toMonth(o.placed_at) FROM orders o

SELECT toDayOfWeek(o.placed_at) FROM orders o

SELECT toHour(o.placed_at) FROM orders o

SELECT dateDiff('day', o.placed_at, now()) FROM orders o

SELECT formatDateTime(o.placed_at, '%Y-%m') FROM orders o

SELECT date_trunc('month', o.placed_at) FROM orders o

SELECT toMonday(o.placed_at) FROM orders o

SELECT toStartOfDay(o.placed_at) FROM orders o

SELECT toStartOfHour(o.placed_at) FROM orders o

SELECT toUnixTimestamp(o.placed_at) FROM orders o

SELECT today() FROM orders o

SELECT yesterday() FROM orders o

SELECT now() FROM orders o

SELECT toISOWeek(o.placed_at) FROM orders o

SELECT o.placed_at - INTERVAL 7 DAY FROM orders o

SELECT today() - 30 FROM orders o

SELECT addMonths(o.placed_at, 1) FROM orders o

SELECT subtractDays(o.placed_at, 7) FROM orders o

SELECT toDateTime('2024-01-01 00:00:00') FROM orders o

SELECT toDateTime(o.placed_at, 'Europe/Berlin') FROM orders o

SELECT toTimeZone(o.placed_at, 'UTC') FROM orders o

SELECT parseDateTimeBestEffort('2024-01-01') FROM orders o

SELECT toDate('2024-01-01') FROM orders o

SELECT makeDate(2024, 1, 1) FROM orders o

SELECT dateAdd(DAY, 1, o.placed_at) FROM orders o

SELECT date_sub(MONTH, 1, o.placed_at) FROM orders o

SELECT toString(o.id) FROM orders o

SELECT toInt64(o.total) FROM orders o

SELECT toFloat64(o.total) FROM orders o

SELECT toDecimal64(o.total, 2) FROM orders o

SELECT CAST(o.total AS Float64) FROM orders o

SELECT CAST(o.total, 'String') FROM orders o

SELECT o.total::Float64 FROM orders o

SELECT toUInt32OrZero(o.status) FROM orders o

SELECT toInt32OrNull(o.status) FROM orders o

SELECT CAST(o.status AS Nullable(String)) FROM orders o

SELECT accurateCastOrNull(o.id, 'UInt8') FROM orders o

SELECT if(o.total > 1, 'a', 'b') FROM orders o

SELECT multiIf(o.total > 100, 'high', o.total > 10, 'mid', 'low') FROM orders o

SELECT CASE WHEN o.total > 1 THEN 1 ELSE 0 END FROM orders o

SELECT ifNull(o.status, 'x') FROM orders o

SELECT coalesce(o.status, 'x') FROM orders o

SELECT nullIf(o.total, 0) FROM orders o

SELECT o.total > 1 ? 'a' : 'b' FROM orders o

SELECT isNull(o.status) FROM orders o

SELECT assumeNotNull(o.status) FROM orders o

SELECT greatest(1, 2) FROM orders o

SELECT least(1, 2) FROM orders o

SELECT concat(o.status, '-', toString(o.id)) FROM orders o

SELECT o.status || 'x' FROM orders o

SELECT substring(o.status, 1, 2) FROM orders o

SELECT lower(o.status) FROM orders o

SELECT upper(o.status) FROM orders o

SELECT trim(o.status) FROM orders o

SELECT replaceAll(o.status, 'a', 'b') FROM orders o

SELECT replaceRegexpAll(o.status, '[0-9]', '') FROM orders o

SELECT splitByChar(',', o.status)[1] FROM orders o

SELECT splitByString('@', o.status) FROM orders o

SELECT extract(o.status, '[a-z]+') FROM orders o

SELECT extractAll(o.status, '.') FROM orders o

SELECT match(o.status, '^p') FROM orders o

SELECT position(o.status, 'a') FROM orders o

SELECT length(o.status) FROM orders o

SELECT lengthUTF8(o.status) FROM orders o

SELECT startsWith(o.status, 'p') FROM orders o

SELECT endsWith(o.status, 'd') FROM orders o

SELECT like(o.status, 'p%') FROM orders o

SELECT domain('http://a.b/c') FROM orders o

SELECT path('http://a.b/c') FROM orders o

SELECT cutQueryString('x') FROM orders o

SELECT format('{}-{}', o.status, 'a') FROM orders o

SELECT leftPad(o.status, 5, '0') FROM orders o

SELECT reverse(o.status) FROM orders o

SELECT JSONExtractString(o.details, 'a') FROM orders o

SELECT JSONExtractInt(o.details, 'a', 'b') FROM orders o

SELECT JSONExtract(o.details, 'a', 'Float64') FROM orders o

SELECT JSONHas(o.details, 'a') FROM orders o

SELECT JSONLength(o.details) FROM orders o

SELECT simpleJSONExtractString(o.details, 'a') FROM orders o

SELECT visitParamExtractString(o.details, 'a') FROM orders o

SELECT JSON_VALUE(o.details, '$.a') FROM orders o

SELECT JSONExtractArrayRaw(o.details, 'items') FROM orders o

SELECT quantile(0.5)(o.total) FROM orders o

SELECT quantiles(0.5, 0.9, 0.99)(o.total) FROM orders o

SELECT quantileExact(0.9)(o.total) FROM orders o

SELECT quantileTDigest(0.9)(o.total) FROM orders o

SELECT median(o.total) FROM orders o

SELECT topK(5)(o.status) FROM orders o

SELECT groupArray(o.id) FROM orders o

SELECT groupArray(10)(o.id) FROM orders o

SELECT groupUniqArray(o.status) FROM orders o

SELECT argMax(o.status, o.placed_at) FROM orders o

SELECT argMin(o.status, o.total) FROM orders o

SELECT any(o.status) FROM orders o

SELECT anyLast(o.status) FROM orders o

SELECT stddevPop(o.total) FROM orders o

SELECT varSamp(o.total) FROM orders o

SELECT corr(o.total, o.id) FROM orders o

SELECT sumMap(map('a', 1)) FROM orders o

SELECT groupBitOr(o.id) FROM orders o

SELECT avgWeighted(o.total, o.id) FROM orders o

SELECT quantileIf(0.5)(o.total, o.id > 1) FROM orders o

SELECT uniqHLL12(o.id) FROM orders o

SELECT uniqCombined(o.id) FROM orders o

SELECT sumOrNull(o.total) FROM orders o

SELECT maxIf(o.total, o.id > 1) FROM orders o

SELECT minIf(o.total, o.id > 1) FROM orders o

SELECT skewPop(o.total) FROM orders o

SELECT simpleLinearRegression(o.id, o.total) FROM orders o

SELECT windowFunnel(3600)(o.placed_at, o.status = 'a', o.status = 'b') FROM orders o

SELECT retention(o.status = 'a', o.status = 'b') FROM orders o

SELECT sequenceMatch('(?1)(?2)')(o.placed_at, o.status = 'a', o.status = 'b') FROM orders o

SELECT sequenceCount('(?1)(?2)')(o.placed_at, o.status = 'a', o.status = 'b') FROM orders o

SELECT arrayMap(x -> x * 2, [1, 2, 3]) FROM orders o

SELECT arrayFilter(x -> x > 1, [1, 2]) FROM orders o

SELECT arraySum([1, 2]) FROM orders o

SELECT length([1, 2]) FROM orders o

SELECT has([1, 2], 1) FROM orders o

SELECT arrayElement([1, 2], 1) FROM orders o

SELECT arrayStringConcat(['a', 'b'], ',') FROM orders o

SELECT arraySort([2, 1]) FROM orders o

SELECT arrayDistinct([1, 1]) FROM orders o

SELECT indexOf([1], 1) FROM orders o

SELECT arrayCumSum([1, 2]) FROM orders o

SELECT range(10) FROM orders o

SELECT arrayEnumerate([1, 2]) FROM orders o

SELECT arrayZip([1], [2]) FROM orders o

SELECT arrayExists(x -> x = 1, [1]) FROM orders o

SELECT arraySlice([1, 2], 1, 1) FROM orders o

SELECT empty([1]) FROM orders o

SELECT notEmpty([1]) FROM orders o

SELECT tuple(1, 'a') FROM orders o

SELECT (1, 'a').1 FROM orders o

SELECT map('a', 1)['a'] FROM orders o

SELECT arrayJoin([1, 2]) FROM orders o

SELECT arrayConcat([1], [2]) FROM orders o

SELECT arrayReverse([1]) FROM orders o

SELECT arrayUniq([1]) FROM orders o

SELECT arrayDifference([1, 2]) FROM orders o

SELECT arrayCount(x -> x > 1, [1]) FROM orders o

SELECT row_number() OVER (PARTITION BY o.customer_id ORDER BY o.placed_at DESC) FROM orders o

SELECT lagInFrame(o.total) OVER (ORDER BY o.id) FROM orders o

SELECT sum(o.total) OVER (ORDER BY o.placed_at ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) FROM orders o

SELECT rank() OVER (ORDER BY o.total) FROM orders o

SELECT first_value(o.total) OVER (ORDER BY o.id) FROM orders o

SELECT avg(o.total) OVER (PARTITION BY o.status) FROM orders o

SELECT leadInFrame(o.total, 1) OVER (ORDER BY o.id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM orders o

SELECT round(o.total, 2) FROM orders o

SELECT floor(o.total) FROM orders o

SELECT ceil(o.total) FROM orders o

SELECT abs(o.total) FROM orders o

SELECT intDiv(o.id, 2) FROM orders o

SELECT modulo(o.id, 2) FROM orders o

SELECT o.id % 2 FROM orders o

SELECT pow(2, 3) FROM orders o

SELECT sqrt(4) FROM orders o

SELECT log(10) FROM orders o

SELECT log2(8) FROM orders o

SELECT exp(1) FROM orders o

SELECT sign(o.total) FROM orders o

SELECT bitAnd(o.id, 1) FROM orders o

SELECT intDivOrZero(1, 0) FROM orders o

SELECT roundBankers(o.total) FROM orders o

SELECT cityHash64(o.status) FROM orders o

SELECT MD5(o.status) FROM orders o

SELECT hex(o.status) FROM orders o

SELECT sipHash64(o.id) FROM orders o

SELECT xxHash64(o.status) FROM orders o

SELECT IPv4NumToString(1) FROM orders o

SELECT toIPv4('1.1.1.1') FROM orders o

SELECT o.status IN ('a', 'b') FROM orders o

SELECT o.status NOT IN ('c') FROM orders o

SELECT o.status LIKE 'p%' FROM orders o

SELECT o.status ILIKE '%A%' FROM orders o

SELECT o.id BETWEEN 1 AND 2 FROM orders o

SELECT o.status IS NULL FROM orders o

SELECT NOT o.id = 1 FROM orders o

SELECT o.id == 1 FROM orders o

SELECT o.id != 2 FROM orders o

SELECT (o.id, o.customer_id) IN ((1, 1)) FROM orders o

SELECT o.customer_id GLOBAL IN (SELECT id FROM customers) FROM orders o

SELECT runningDifference(o.total) FROM orders o

SELECT neighbor(o.total, -1) FROM orders o

SELECT transform(o.status, ['a'], ['b'], 'c') FROM orders o

SELECT * FROM orders LIMIT 10

SELECT * FROM sales.orders LIMIT 10;

SELECT * FROM `sales`.`orders`

SELECT "id" FROM "sales"."orders"

SELECT status, count() AS c FROM orders GROUP BY status HAVING c > 1 ORDER BY c DESC LIMIT 10

SELECT status, count() FROM orders GROUP BY status WITH TOTALS

SELECT status, customer_id, count() FROM orders GROUP BY GROUPING SETS ((status), (customer_id))

SELECT * FROM orders ORDER BY total DESC LIMIT 2 BY customer_id

SELECT * FROM orders ORDER BY total DESC LIMIT 1 BY customer_id LIMIT 10

SELECT toDate(placed_at) AS d, count() FROM orders GROUP BY d ORDER BY d WITH FILL

SELECT toDate(placed_at) AS d, count() FROM orders GROUP BY d ORDER BY d WITH FILL FROM toDate('2024-01-01') TO toDate('2024-02-01') STEP 1

SELECT * FROM orders o ASOF JOIN payments p ON o.id = p.order_id AND o.placed_at >= p.paid_at

SELECT * FROM orders o GLOBAL ANY INNER JOIN customers c ON c.id = o.customer_id

SELECT * FROM orders LEFT JOIN customers USING id

SELECT * FROM orders INNER JOIN customers USING (id)

SELECT * FROM orders SEMI LEFT JOIN customers USING (id)

SELECT * FROM orders LEFT ANTI JOIN payments ON payments.order_id = orders.id

SELECT name, tag FROM products ARRAY JOIN tags AS tag

SELECT name, tag FROM products LEFT ARRAY JOIN tags AS tag

SELECT arrayJoin(tags) AS tag, count() FROM products GROUP BY tag

WITH (SELECT sum(total) FROM orders) AS s SELECT status, sum(total) / s FROM orders GROUP BY status

WITH 10 AS n SELECT * FROM orders LIMIT n

WITH m AS (SELECT toStartOfMonth(placed_at) AS m, sum(total) AS rev FROM orders GROUP BY m) SELECT m, rev FROM m ORDER BY m

WITH toDate('2024-01-01') AS from_day SELECT count() FROM orders WHERE toDate(placed_at) >= from_day

SELECT number FROM numbers(10)

SELECT toDate('2024-01-01') + number AS d FROM numbers(365)

SELECT id FROM orders UNION ALL SELECT order_id FROM payments

SELECT id FROM orders UNION DISTINCT SELECT order_id FROM payments

SELECT id FROM orders EXCEPT SELECT order_id FROM payments

SELECT id FROM orders INTERSECT SELECT order_id FROM payments

SELECT DISTINCT ON (customer_id) * FROM orders ORDER BY customer_id

SELECT * EXCEPT (details) FROM orders

SELECT * EXCEPT details FROM orders

SELECT o.* FROM orders AS o WHERE o.total > (SELECT avg(total) FROM orders)

SELECT count() FROM orders SAMPLE 0.1

SELECT user_id, min(occurred_at) AS f, dateDiff('day', f, max(occurred_at)) AS days FROM events GROUP BY user_id

SELECT toHour(occurred_at) AS h, uniq(user_id) FROM events WHERE occurred_at >= now() - INTERVAL 1 DAY GROUP BY h ORDER BY h

SELECT level, countIf(steps >= level) FROM (SELECT user_id, windowFunnel(86400)(occurred_at, name = 'view', name = 'buy') AS steps FROM events GROUP BY user_id) ARRAY JOIN [1, 2] AS level GROUP BY level

SELECT JSONExtractString(properties, 'browser') AS b, count() AS c FROM events GROUP BY b ORDER BY c DESC LIMIT 5

SELECT quantiles(0.5, 0.95)(dateDiff('second', started_at, ended_at)) FROM sessions

SELECT department, groupArray((name, salary)) FROM employees GROUP BY department

SELECT `Page URL`, sum(Visits) FROM public.WebTraffic GROUP BY `Page URL`

SELECT * FROM orders ORDER BY total DESC NULLS LAST LIMIT 5, 10

SELECT sum(total) OVER w FROM orders WINDOW w AS (PARTITION BY status ORDER BY id)

SELECT a.id FROM orders AS a, orders AS b WHERE a.id = b.id

SELECT 1 AS x, x + 1 AS y

SELECT * FROM orders QUALIFY row_number() OVER (PARTITION BY status ORDER BY id) = 1

SELECT * FROM orders ORDER BY rand() LIMIT 10

SELECT rand(1), rand64(), randCanonical(), randUniform(1, 2), generateUUIDv4() FROM orders

SELECT * FROM orders SAMPLE 1/10 OFFSET 1/2

SELECT toStartOfMonth(placed_at) AS m, countIf(status = 'paid'), uniq(customer_id), quantile(0.5)(total), avgIf(total, status = 'paid') FROM orders GROUP BY m ORDER BY m

SELECT quantiles(0.5, 0.9)(total), topK(10)(status), groupArray(10)(status), argMax(status, total) FROM orders

SELECT arrayJoin(splitByChar('-', status)) AS p, count() FROM orders GROUP BY p

SELECT JSONExtractString(details, 'a'), JSONExtractInt(details, 'b'), visitParamExtractString(details, 'a') FROM orders

SELECT JSON_VALUE(details, '$.a'), simpleJSONExtractString(details, 'a') FROM orders

SELECT * FROM orders LIMIT 1 BY customer_id

SELECT status, sum(total) FROM orders GROUP BY status WITH TOTALS

SELECT status, sum(total) FROM orders GROUP BY ROLLUP(status)

SELECT status, sum(total) FROM orders GROUP BY GROUPING SETS ((status), ())

SELECT dateDiff('day', placed_at, now()), toDate(placed_at), formatDateTime(placed_at, '%Y-%m'), addDays(placed_at, 1), today() - 7, toYYYYMM(placed_at) FROM orders

SELECT arrayMap(x -> x * 2, [1, 2, 3]), arrayFilter(x -> x > 1, [1, 2]), has([1], 1), length([1])

SELECT if(total > 1, 'a', 'b'), multiIf(total > 1, 'a', total > 2, 'b', 'c'), ifNull(status, '') FROM orders

SELECT id FROM orders QUALIFY row_number() OVER (PARTITION BY customer_id ORDER BY placed_at) = 1

SELECT * EXCEPT (id), COLUMNS('t.*') FROM orders

SELECT * APPLY (max) FROM orders

SELECT 'it''s', 'a\'b', "id", `total` FROM orders

SELECT toStartOfInterval(placed_at, INTERVAL 1 HOUR), placed_at + INTERVAL 1 DAY FROM orders

SELECT windowFunnel(3600)(placed_at, status = 'a', status = 'b'), retention(status = 'a', status = 'b'), sequenceMatch('(?1)(?2)')(placed_at, status = 'a', status = 'b') FROM orders

WITH (SELECT max(total) FROM orders) AS m SELECT total / m FROM orders

SELECT corr(total, id), stddevPop(total), median(total), quantileExact(0.5)(total), skewPop(total) FROM orders

SELECT m['a'], t.1, tuple(1, 2).2 FROM (SELECT map('a', 1) AS m, (1, 2) AS t)

SELECT count() FROM orders WHERE match(status, '^p') AND status ILIKE 'p%' AND status IN ('a', 'b') AND hasToken(status, 'x')

SELECT runningDifference(total), lagInFrame(total) OVER (ORDER BY placed_at), neighbor(total, 1) FROM orders

SELECT day, n FROM (SELECT toDate(placed_at) AS day, count() AS n FROM orders GROUP BY day) ORDER BY day WITH FILL STEP 1

SELECT * FROM orders FINAL

SELECT cutToFirstSignificantSubdomain('x'), domain('http://a'), extractURLParameter('x', 'a'), cityHash64(status), sipHash64(status) FROM orders

SELECT toInt32(total), toDecimal64(total, 2), CAST(total AS Int32), total::Int32, toString(total), parseDateTimeBestEffort('2026-01-01') FROM orders

SELECT o.id FROM orders o ANY LEFT JOIN customers c ON o.customer_id = c.id

SELECT bar(total, 0, 100, 10), histogram(5)(total) FROM orders

SELECT DISTINCT ON (customer_id) id FROM orders

SELECT anyLast(status), groupUniqArray(status), sumMap(map('a', 1)), exponentialMovingAverage(5)(total, id) FROM orders

SELECT count() FROM orders WHERE toDate(placed_at) BETWEEN '2026-01-01' AND '2026-02-01' AND NOT isNaN(total)

SELECT * APPLY max FROM orders

SELECT * APPLY (quantile(0.5)) FROM orders

SELECT * APPLY (x -> x + 1) FROM orders

SELECT * EXCEPT (status) APPLY (sum) FROM orders
