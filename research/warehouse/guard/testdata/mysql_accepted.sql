-- One statement a paragraph. All of them are what analysts write.
SELECT 1

SELECT * FROM orders

SELECT * FROM sales.orders LIMIT 10

SELECT sales.orders.total, orders.status FROM sales.orders

SELECT o.*, c.country FROM orders AS o LEFT JOIN customers AS c ON o.customer_id = c.id WHERE c.id IS NULL

SELECT country, COUNT(*) AS n FROM customers GROUP BY country ORDER BY n DESC, 1 LIMIT 20

SELECT COUNT(DISTINCT customer_id) FROM orders WHERE status IN ('paid', 'sent') AND total BETWEEN 10 AND 100

SELECT COUNT(DISTINCT customer_id, status) FROM orders

SELECT status, SUM(total), AVG(total), MIN(total), MAX(total) FROM orders GROUP BY 1 HAVING SUM(total) > 0

SELECT DATE_FORMAT(placed_at, '%Y-%m') AS month, SUM(total) FROM orders GROUP BY month ORDER BY month

SELECT YEAR(placed_at), QUARTER(placed_at), MONTH(placed_at), DAYOFWEEK(placed_at), HOUR(placed_at), COUNT(*) FROM orders GROUP BY 1, 2, 3, 4, 5

SELECT EXTRACT(YEAR_MONTH FROM placed_at) AS ym, COUNT(*) FROM orders GROUP BY ym

SELECT SUM(status = 'paid') / COUNT(*) AS share, SUM(CASE WHEN status = 'sent' THEN total ELSE 0 END) FROM orders

SELECT SUM(IF(status = 'paid', total, 0)) AS paid, IFNULL(SUM(total), 0), NULLIF(COUNT(*), 0) FROM orders

SELECT id, ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY placed_at DESC) AS rn FROM orders

SELECT id, total, LAG(total) OVER w, LEAD(total, 2, 0) OVER w, SUM(total) OVER w FROM orders WINDOW w AS (PARTITION BY customer_id ORDER BY placed_at)

SELECT id, SUM(total) OVER (PARTITION BY customer_id ORDER BY placed_at ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM orders

SELECT id, AVG(total) OVER (ORDER BY placed_at ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) AS moving FROM orders

SELECT id, AVG(total) OVER (ORDER BY placed_at RANGE BETWEEN INTERVAL 7 DAY PRECEDING AND CURRENT ROW) AS week FROM orders

SELECT NTILE(4) OVER (ORDER BY total), DENSE_RANK() OVER (ORDER BY total), RANK() OVER (ORDER BY total), PERCENT_RANK() OVER (ORDER BY total), CUME_DIST() OVER (ORDER BY total) FROM orders

SELECT FIRST_VALUE(total) OVER (PARTITION BY customer_id ORDER BY placed_at), LAST_VALUE(total) OVER (PARTITION BY customer_id ORDER BY placed_at), NTH_VALUE(total, 2) OVER (PARTITION BY customer_id ORDER BY placed_at) FROM orders

WITH firsts AS (SELECT customer_id, MIN(placed_at) AS first FROM orders GROUP BY customer_id) SELECT DATE(first), COUNT(*) FROM firsts GROUP BY 1

WITH a AS (SELECT 1 AS x), b AS (SELECT x + 1 AS y FROM a) SELECT * FROM a, b

WITH a (n) AS (SELECT 1) SELECT a.n FROM a JOIN a AS b ON a.n = b.n

WITH orders AS (SELECT * FROM orders WHERE total > 0) SELECT COUNT(*) FROM orders

WITH RECURSIVE days AS (SELECT DATE('2026-01-01') AS d UNION ALL SELECT d + INTERVAL 1 DAY FROM days WHERE d < '2026-01-31') SELECT d, COUNT(o.id) FROM days LEFT JOIN orders o ON DATE(o.placed_at) = d GROUP BY d ORDER BY d

WITH RECURSIVE seq (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM seq WHERE n < 100) SELECT n FROM seq

SELECT customer_id FROM orders UNION SELECT id FROM customers ORDER BY 1 LIMIT 5

(SELECT id FROM orders ORDER BY id LIMIT 3) UNION ALL (SELECT id FROM customers ORDER BY id LIMIT 3)

SELECT customer_id FROM orders EXCEPT SELECT id FROM customers

SELECT customer_id FROM orders INTERSECT SELECT id FROM customers

SELECT * FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id)

SELECT * FROM customers c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id)

SELECT * FROM customers WHERE id NOT IN (SELECT customer_id FROM orders WHERE customer_id IS NOT NULL)

SELECT * FROM orders WHERE total > (SELECT AVG(total) FROM orders)

SELECT * FROM orders WHERE total >= ALL (SELECT total FROM orders) OR total = ANY (SELECT id FROM customers)

SELECT * FROM orders WHERE (customer_id, status) IN (SELECT id, country FROM customers)

SELECT status, COUNT(*) FROM orders GROUP BY status WITH ROLLUP

SELECT COALESCE(status, 'all'), SUM(total), GROUPING(status) FROM orders GROUP BY status WITH ROLLUP

SELECT GROUP_CONCAT(DISTINCT status ORDER BY status DESC SEPARATOR ', ') FROM orders

SELECT JSON_EXTRACT(details, '$.colour'), details->'$.size', details->>'$.a.b' FROM orders

SELECT JSON_UNQUOTE(JSON_EXTRACT(details, '$.a')), JSON_KEYS(details), JSON_LENGTH(details), JSON_TYPE(details), JSON_CONTAINS(details, '1', '$.a') FROM orders

SELECT JSON_OBJECT('n', COUNT(*), 's', SUM(total)), JSON_ARRAY(1, 'a', NULL) FROM orders

SELECT customer_id, JSON_ARRAYAGG(status), JSON_OBJECTAGG(id, total) FROM orders GROUP BY customer_id

SELECT * FROM orders WHERE placed_at >= NOW() - INTERVAL 30 DAY

SELECT * FROM orders WHERE placed_at >= DATE_SUB(CURDATE(), INTERVAL 1 MONTH) AND placed_at < DATE_ADD(CURRENT_DATE, INTERVAL '1' WEEK)

SELECT DATEDIFF(NOW(), placed_at), TIMESTAMPDIFF(HOUR, placed_at, NOW()), TIMESTAMPADD(MINUTE, 5, placed_at), LAST_DAY(placed_at), WEEK(placed_at, 3), YEARWEEK(placed_at) FROM orders

SELECT STR_TO_DATE('01,5,2026', '%d,%m,%Y'), UNIX_TIMESTAMP(placed_at), FROM_UNIXTIME(0), MAKEDATE(2026, 1), DATE '2026-01-01', TIMESTAMP '2026-01-01 10:00:00' FROM orders

SELECT CONVERT_TZ(placed_at, '+00:00', '+02:00'), DAYNAME(placed_at), MONTHNAME(placed_at), WEEKDAY(placed_at), TIME(placed_at) FROM orders

SELECT CAST(total AS SIGNED), CAST(total AS DECIMAL(10, 2)), CAST(placed_at AS DATE), CAST(id AS CHAR), CONVERT(total, UNSIGNED), CONVERT(status USING utf8mb4), CAST('1' AS DOUBLE) FROM orders

SELECT UPPER(TRIM(country)), TRIM(LEADING '0' FROM country), SUBSTRING(country, 1, 1), SUBSTRING(country FROM 2 FOR 1), LEFT(country, 1), RIGHT(country, 1), LENGTH(country), CHAR_LENGTH(country) FROM customers

SELECT CONCAT(country, '-', id), CONCAT_WS(',', country, id), REPLACE(country, 'a', 'b'), LPAD(id, 8, '0'), RPAD(country, 4, ' '), LOCATE('e', country), INSTR(country, 'e'), POSITION('e' IN country), REVERSE(country) FROM customers

SELECT SUBSTRING_INDEX('a@b.c', '@', -1), LOWER('A'), HEX('a'), MD5('a'), FIELD(status, 'a', 'b'), FIND_IN_SET('a', 'a,b'), ELT(1, 'a', 'b'), FORMAT(total, 2) FROM orders

SELECT * FROM customers WHERE country LIKE 'd%' OR country REGEXP '^[A-Z]{2}$' OR country RLIKE 'a|b' OR country NOT LIKE '%x%'

SELECT * FROM customers WHERE country LIKE 'a!%' ESCAPE '!'

SELECT ROUND(total, 2), CEIL(total), FLOOR(total), ABS(total), SQRT(total), POW(total, 2), LN(total + 1), LOG10(total), MOD(id, 2), id % 2, id DIV 2, TRUNCATE(total, 1), SIGN(total), GREATEST(total, 0), LEAST(total, 9) FROM orders

SELECT STDDEV(total), STDDEV_SAMP(total), VAR_POP(total), VARIANCE(total), BIT_OR(id) FROM orders

SELECT CASE WHEN total < 10 THEN 'small' WHEN total < 100 THEN 'middle' ELSE 'large' END AS size, COUNT(*) FROM orders GROUP BY size

SELECT CASE status WHEN 'paid' THEN 1 ELSE 0 END FROM orders

SELECT FLOOR(total / 10) * 10 AS bucket, COUNT(*) FROM orders GROUP BY bucket ORDER BY bucket

SELECT * FROM (SELECT *, RANK() OVER (PARTITION BY status ORDER BY total DESC) AS r FROM orders) t WHERE r <= 3

SELECT s.status, COALESCE(t.n, 0) FROM (SELECT DISTINCT status FROM orders) s LEFT JOIN (SELECT status, COUNT(*) AS n FROM orders WHERE total > 10 GROUP BY status) t ON s.status = t.status

SELECT * FROM orders o JOIN customers c USING (tenant)

SELECT * FROM orders NATURAL JOIN customers

SELECT * FROM orders o CROSS JOIN customers c

SELECT * FROM orders o RIGHT JOIN customers c ON o.customer_id = c.id

SELECT * FROM orders o, customers c WHERE o.customer_id = c.id

SELECT * FROM orders a, orders b, customers c WHERE a.id = b.id AND b.customer_id = c.id

SELECT * FROM (orders o JOIN customers c ON o.customer_id = c.id) LEFT JOIN orders p ON p.id = o.id

SELECT * FROM orders o INNER JOIN (customers c INNER JOIN orders p ON p.customer_id = c.id) ON o.id = p.id

SELECT `a b`, `select` FROM `Odd Table` WHERE `select` = 1

SELECT `Odd Table`.`a b` FROM public.`Odd Table`

SELECT status IS NULL, total IS NOT NULL, (total > 1) IS TRUE, NOT (total > 1), total <=> NULL, !id FROM orders

SELECT COUNT(*) -- how many

SELECT COUNT(*) # how many

SELECT /* plain */ COUNT(*) FROM orders /* all of them */

SELECT 'it''s', "double", 'a\nb', 'back\\slash', _utf8mb4'x', X'41', 0x41, b'101', 1e3, .5, -7, TRUE, FALSE, NULL

SELECT "it's", 'say "hi"', 'ünïcode 日本'

SELECT total + 1, total - - 1, -total * 2, total / 3, ~id, id | 1, id & 1, id ^ 1, id << 1, id >> 1, id XOR 1 FROM orders

SELECT * FROM orders WHERE status = 'paid' AND (total > 10 OR total < 2) AND NOT status <> 'sent' AND status != 'x'

SELECT status COLLATE utf8mb4_bin, COUNT(*) FROM orders GROUP BY 1

SELECT * FROM orders ORDER BY status ASC, total DESC LIMIT 5, 10

SELECT * FROM orders ORDER BY total IS NULL, total LIMIT 10 OFFSET 20

SELECT DISTINCT status FROM orders

SELECT ALL status FROM orders

TABLE orders

TABLE orders ORDER BY id LIMIT 3

VALUES ROW(1, 'a'), ROW(2, 'b')

SELECT * FROM (VALUES ROW(1, 'a'), ROW(2, 'b')) AS v

SELECT 1 FROM DUAL WHERE 1 = 1

SELECT * FROM orders WHERE placed_at BETWEEN '2026-01-01' AND '2026-01-31 23:59:59' AND MONTH(placed_at) IN (1, 2, 3)

SELECT REGEXP_REPLACE(status, '[0-9]', ''), REGEXP_SUBSTR(status, '[a-z]+'), REGEXP_INSTR(status, 'a'), REGEXP_LIKE(status, '^p') FROM orders

SELECT ANY_VALUE(status), customer_id FROM orders GROUP BY customer_id

SELECT CRC32(status), SHA2(status, 256), SHA1('a'), INET_NTOA(1), UNHEX('41'), TO_BASE64('a'), BIN(5), OCT(8), CONV('a', 16, 10) FROM orders

WITH cohort AS (SELECT customer_id, DATE_FORMAT(MIN(placed_at), '%Y-%m-01') AS month FROM orders GROUP BY customer_id), activity AS (SELECT customer_id, DATE_FORMAT(placed_at, '%Y-%m-01') AS month FROM orders GROUP BY 1, 2) SELECT c.month, TIMESTAMPDIFF(MONTH, c.month, a.month) AS later, COUNT(DISTINCT a.customer_id) FROM cohort c JOIN activity a USING (customer_id) GROUP BY 1, 2 ORDER BY 1, 2

SELECT COUNT(DISTINCT CASE WHEN DATEDIFF(b.placed_at, a.placed_at) BETWEEN 1 AND 7 THEN a.customer_id END) / COUNT(DISTINCT a.customer_id) FROM orders a LEFT JOIN orders b ON a.customer_id = b.customer_id

SELECT c.country, (SELECT COUNT(*) FROM orders o WHERE o.customer_id = c.id) AS n FROM customers c ORDER BY n DESC

SELECT x.country, x.n FROM (SELECT country, COUNT(*) AS n FROM customers GROUP BY country) AS x WHERE x.n > 1

SELECT c.id, x.n FROM customers c, LATERAL (SELECT COUNT(*) AS n FROM orders o WHERE o.customer_id = c.id) AS x

SELECT MATCH (status) AGAINST ('paid' IN BOOLEAN MODE) FROM orders

SELECT INTERVAL(23, 1, 15, 17, 30, 44, 200), STRCMP('a', 'b'), ISNULL(status) FROM orders

SELECT sum(total) over (partition by status) / sum(total) over () AS share FROM orders

SELECT COUNT(*) AS `count`, SUM(total) AS `sum total` FROM orders

SELECT ((SELECT 1)), (1 + 2) * 3, (SELECT MAX(total) FROM orders) - (SELECT MIN(total) FROM orders)

SELECT JSON_VALUE(details, '$.a') FROM orders

SELECT SPACE(3), TIME_TO_SEC('01:00:00'), SEC_TO_TIME(3600), PERIOD_DIFF(202601, 202501), TO_DAYS(placed_at) FROM orders

SELECT * FROM Orders WHERE Orders.id = 1

SELECT CURRENT_TIMESTAMP, CURRENT_TIMESTAMP(), UTC_TIMESTAMP(), LOCALTIME, CURTIME()

SELECT 1;


SELECT DISTINCTROW status FROM orders

SELECT * FROM orders WHERE BINARY status = 'Paid'

SELECT ADDDATE(placed_at, 1), ADDDATE(placed_at, INTERVAL 1 QUARTER), SUBDATE(placed_at, 7), placed_at - INTERVAL 1 DAY, INTERVAL 1 DAY + placed_at FROM orders

SELECT CAST(id AS CHAR(10)), CAST(placed_at AS DATETIME(3)), CAST(id AS CHAR CHARACTER SET utf8mb4), CAST(details AS JSON), CAST(total AS UNSIGNED INTEGER), CAST(placed_at AS TIME), CAST(placed_at AS YEAR) FROM orders

SELECT * FROM orders WHERE status LIKE CONCAT('%', 'pa', '%') OR status <=> 'x' OR ISNULL(status)

SELECT COUNT(*) OVER () AS total_rows, o.* FROM orders o LIMIT 3

SELECT status, COUNT(*) c FROM orders GROUP BY status WITH ROLLUP HAVING c > 1 ORDER BY c

SELECT FIRST_VALUE(total) OVER (PARTITION BY customer_id ORDER BY placed_at ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM orders

SELECT a.status FROM orders a UNION DISTINCT SELECT country FROM customers

SELECT * FROM orders ORDER BY FIELD(status, 'new', 'paid', 'sent'), id DESC

SELECT TIMESTAMP(placed_at), TIMESTAMP('2026-01-01', '10:00:00'), MICROSECOND(placed_at), DATE(placed_at) = CURDATE() FROM orders

SELECT placed_at + INTERVAL '1:30' HOUR_MINUTE, DATE_ADD(placed_at, INTERVAL -1 MONTH) FROM orders

SELECT AVG(total) FROM orders WHERE placed_at >= DATE_FORMAT(NOW(), '%Y-%m-01') AND WEEKDAY(placed_at) < 5

SELECT o.id FROM orders o JOIN customers c ON (c.id = o.customer_id AND c.country IN ('DE', 'AT')) WHERE o.total > 0 AND o.placed_at IS NOT NULL GROUP BY o.id HAVING COUNT(*) = 1

SELECT x.d, SUM(x.n) OVER (ORDER BY x.d) FROM (SELECT DATE(placed_at) d, COUNT(*) n FROM orders GROUP BY d) x

SELECT JSON_SEARCH(details, 'one', 'a'), JSON_CONTAINS_PATH(details, 'one', '$.a'), 1 MEMBER OF (details), JSON_OVERLAPS(details, '[1]'), JSON_PRETTY(details), JSON_DEPTH(details), JSON_VALID('1') FROM orders

SELECT JSON_SET(details, '$.a', 1), JSON_REMOVE(details, '$.a'), JSON_MERGE_PATCH(details, '{}') FROM orders

SELECT details->>'$.items[0].name' AS item, COUNT(*) FROM orders WHERE details->'$.a' IS NOT NULL GROUP BY item

SELECT MAX(CASE WHEN rn = 1 THEN total END) FROM (SELECT total, ROW_NUMBER() OVER (ORDER BY total) rn FROM orders) t

SELECT AVG(total) AS median FROM (SELECT total, ROW_NUMBER() OVER (ORDER BY total) AS rn, COUNT(*) OVER () AS n FROM orders) t WHERE rn IN (FLOOR((n + 1) / 2), CEIL((n + 1) / 2))

SELECT IF(a.n > 0, ROUND(b.n / a.n * 100, 2), NULL) FROM (SELECT COUNT(*) n FROM orders) a, (SELECT COUNT(*) n FROM orders WHERE status = 'paid') b

SELECT DATE_FORMAT(placed_at, '%x-W%v') AS w, COUNT(DISTINCT customer_id) FROM orders GROUP BY 1 ORDER BY 1 DESC LIMIT 12

SELECT TIMESTAMPDIFF(SECOND, MIN(placed_at), MAX(placed_at)) / 3600.0, TIMEDIFF(MAX(placed_at), MIN(placed_at)) FROM orders

SELECT 1 AS `order`, 'x' 'y', "a" AS "b"

SELECT N'abc', _binary'x', DATE'2026-01-01', {d '2026-01-01'}

SELECT NOW(3), CURRENT_TIMESTAMP(6), UTC_DATE(), LOCALTIMESTAMP()

WITH RECURSIVE t AS (SELECT MIN(DATE(placed_at)) AS d FROM orders UNION ALL SELECT DATE_ADD(d, INTERVAL 1 DAY) FROM t WHERE d < (SELECT MAX(DATE(placed_at)) FROM orders)) SELECT * FROM t

SELECT GROUP_CONCAT(CONCAT(status, ':', total) ORDER BY total DESC, id SEPARATOR '; ') FROM orders

SELECT c.* , o.total FROM customers c LEFT JOIN (SELECT customer_id, SUM(total) total FROM orders GROUP BY customer_id) o ON o.customer_id = c.id

SELECT * FROM orders WHERE YEAR(placed_at) = YEAR(CURDATE()) - 1 AND total MOD 2 = 0 AND total DIV 10 > 1

SELECT NOT EXISTS (SELECT 1 FROM orders), NOT 1 IN (1, 2), 1 IS NOT TRUE, NULL IS UNKNOWN

SELECT COALESCE(SUM(total), 0) total FROM orders o WHERE o.placed_at BETWEEN CURDATE() - INTERVAL 7 DAY AND CURDATE()

SELECT * FROM (SELECT 1 a UNION ALL SELECT 2 UNION ALL SELECT 3) nums CROSS JOIN customers

SELECT PERCENT_RANK() OVER w AS p, CUME_DIST() OVER w FROM orders WINDOW w AS (ORDER BY total)

SELECT SUBSTRING(status, -3), SUBSTR(status FROM 2), MID(status, 1, 2), QUOTE(status), UCASE(status), LCASE(status), CHARACTER_LENGTH(status), BIT_LENGTH('a') FROM orders

SELECT ROUND(total), TRUNCATE(total, 0), FORMAT(total, 2, 'de_DE'), RADIANS(1), ATAN2(1, 2), ATAN(1, 2), LOG(2, 8), LOG2(8), PI(), EXP(1) FROM orders

