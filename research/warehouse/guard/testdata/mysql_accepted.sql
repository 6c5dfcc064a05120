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


SELECT SQL_NO_CACHE * FROM orders

SELECT count(*) FROM orders o

SELECT COUNT(DISTINCT o.customer_id, o.status) FROM orders o

SELECT SUM(IF(o.status = 'paid', o.total, 0)) FROM orders o

SELECT ROUND(AVG(o.total), 2) FROM orders o

SELECT DATE_FORMAT(o.placed_at, '%Y-%m') FROM orders o

SELECT DATE_FORMAT(o.placed_at, '%Y-%m-01') FROM orders o

SELECT CAST(DATE_FORMAT(o.placed_at, '%Y-%m-01') AS DATE) FROM orders o

SELECT DATE(o.placed_at) FROM orders o

SELECT TIME(o.placed_at) FROM orders o

SELECT YEAR(o.placed_at) FROM orders o

SELECT MONTH(o.placed_at) FROM orders o

SELECT DAY(o.placed_at) FROM orders o

SELECT HOUR(o.placed_at) FROM orders o

SELECT MINUTE(o.placed_at) FROM orders o

SELECT SECOND(o.placed_at) FROM orders o

SELECT QUARTER(o.placed_at) FROM orders o

SELECT WEEK(o.placed_at, 3) FROM orders o

SELECT YEARWEEK(o.placed_at, 1) FROM orders o

SELECT WEEKOFYEAR(o.placed_at) FROM orders o

SELECT DAYOFWEEK(o.placed_at) FROM orders o

SELECT WEEKDAY(o.placed_at) FROM orders o

SELECT DAYNAME(o.placed_at) FROM orders o

SELECT MONTHNAME(o.placed_at) FROM orders o

SELECT DAYOFYEAR(o.placed_at) FROM orders o

SELECT LAST_DAY(o.placed_at) FROM orders o

SELECT o.placed_at - INTERVAL 7 DAY FROM orders o

SELECT o.placed_at + INTERVAL 1 MONTH FROM orders o

SELECT INTERVAL 1 DAY + o.placed_at FROM orders o

SELECT DATE_SUB(CURDATE(), INTERVAL 30 DAY) FROM orders o

SELECT DATE_ADD(o.placed_at, INTERVAL '1:30' HOUR_MINUTE) FROM orders o

SELECT DATE_ADD(o.placed_at, INTERVAL 1 QUARTER) FROM orders o

SELECT DATEDIFF(NOW(), o.placed_at) FROM orders o

SELECT TIMESTAMPDIFF(MONTH, o.placed_at, NOW()) FROM orders o

SELECT TIMESTAMPADD(DAY, 1, o.placed_at) FROM orders o

SELECT TIMEDIFF(NOW(), o.placed_at) FROM orders o

SELECT EXTRACT(YEAR FROM o.placed_at) FROM orders o

SELECT EXTRACT(YEAR_MONTH FROM o.placed_at) FROM orders o

SELECT EXTRACT(DAY_HOUR FROM o.placed_at) FROM orders o

SELECT STR_TO_DATE('01,5,2013', '%d,%m,%Y') FROM orders o

SELECT UNIX_TIMESTAMP(o.placed_at) FROM orders o

SELECT FROM_UNIXTIME(1700000000) FROM orders o

SELECT FROM_UNIXTIME(1700000000, '%Y') FROM orders o

SELECT CONVERT_TZ(o.placed_at, 'UTC', 'Europe/Berlin') FROM orders o

SELECT UTC_TIMESTAMP(), UTC_DATE(), SYSDATE IS NULL FROM (SELECT 1 AS SYSDATE) x

SELECT CURRENT_DATE FROM orders o

SELECT CURRENT_TIMESTAMP FROM orders o

SELECT CURRENT_TIME FROM orders o

SELECT LOCALTIME FROM orders o

SELECT LOCALTIMESTAMP FROM orders o

SELECT CURRENT_DATE() FROM orders o

SELECT CURRENT_TIMESTAMP(6) FROM orders o

SELECT NOW(3) FROM orders o

SELECT MAKEDATE(2024, 60) FROM orders o

SELECT MAKETIME(1, 2, 3) FROM orders o

SELECT SEC_TO_TIME(3600) FROM orders o

SELECT TIME_TO_SEC('01:00:00') FROM orders o

SELECT TO_DAYS(o.placed_at) FROM orders o

SELECT FROM_DAYS(738000) FROM orders o

SELECT TO_SECONDS(o.placed_at) FROM orders o

SELECT PERIOD_ADD(202401, 2) FROM orders o

SELECT PERIOD_DIFF(202403, 202401) FROM orders o

SELECT DATE '2024-01-01' FROM orders o

SELECT TIMESTAMP '2024-01-01 00:00:00' FROM orders o

SELECT TIME '10:00:00' FROM orders o

SELECT TIMESTAMP(o.placed_at) FROM orders o

SELECT DATE(o.placed_at) = CURDATE() - INTERVAL 1 DAY FROM orders o

SELECT GET_FORMAT(DATE, 'EUR') FROM orders o

SELECT ADDTIME(o.placed_at, '1:00:00') FROM orders o

SELECT SUBTIME(o.placed_at, '1:00') FROM orders o

SELECT ADDDATE(o.placed_at, 31) FROM orders o

SELECT SUBDATE(o.placed_at, INTERVAL 1 DAY) FROM orders o

SELECT MICROSECOND(o.placed_at) FROM orders o

SELECT CASE WHEN o.total > 100 THEN 'high' ELSE 'low' END FROM orders o

SELECT CASE o.status WHEN 'paid' THEN 1 WHEN 'sent' THEN 2 END FROM orders o

SELECT IFNULL(o.status, 'x') FROM orders o

SELECT COALESCE(o.status, 'y') FROM orders o

SELECT NULLIF(o.total, 0) FROM orders o

SELECT IF(o.total > 1, 'a', 'b') FROM orders o

SELECT ISNULL(o.status) FROM orders o

SELECT GREATEST(1, 2) FROM orders o

SELECT LEAST(1, 2) FROM orders o

SELECT INTERVAL(23, 1, 15, 17) FROM orders o

SELECT o.details->'$.a.b' FROM orders o

SELECT o.details->>'$.a.b' FROM orders o

SELECT JSON_EXTRACT(o.details, '$.a') FROM orders o

SELECT JSON_UNQUOTE(JSON_EXTRACT(o.details, '$.a.b')) FROM orders o

SELECT JSON_VALUE(o.details, '$.a') FROM orders o

SELECT JSON_CONTAINS(o.details, '1', '$.a') FROM orders o

SELECT JSON_CONTAINS_PATH(o.details, 'one', '$.a') FROM orders o

SELECT JSON_SEARCH(o.details, 'one', 'x') FROM orders o

SELECT JSON_LENGTH(o.details) FROM orders o

SELECT JSON_KEYS(o.details) FROM orders o

SELECT JSON_TYPE(o.details) FROM orders o

SELECT JSON_VALID(o.details) FROM orders o

SELECT JSON_DEPTH(o.details) FROM orders o

SELECT JSON_OBJECT('a', 1, 'b', o.total) FROM orders o

SELECT JSON_ARRAY(1, 2) FROM orders o

SELECT JSON_ARRAYAGG(o.id) FROM orders o

SELECT JSON_OBJECTAGG(o.id, o.total) FROM orders o

SELECT JSON_SET(o.details, '$.a', 1) FROM orders o

SELECT JSON_REMOVE(o.details, '$.a') FROM orders o

SELECT JSON_MERGE_PATCH(o.details, '{}') FROM orders o

SELECT 'a' MEMBER OF ('["a"]') FROM orders o

SELECT JSON_OVERLAPS('[1]', '[1,2]') FROM orders o

SELECT JSON_PRETTY(o.details) FROM orders o

SELECT CAST(o.id AS CHAR) FROM orders o

SELECT CAST(o.total AS SIGNED) FROM orders o

SELECT CAST(o.total AS UNSIGNED) FROM orders o

SELECT CAST(o.total AS DECIMAL(10,2)) FROM orders o

SELECT CAST(o.placed_at AS DATETIME) FROM orders o

SELECT CAST(o.placed_at AS TIME) FROM orders o

SELECT CAST(o.placed_at AS DATETIME(3)) FROM orders o

SELECT CAST(o.status AS CHAR(10)) FROM orders o

SELECT CAST(o.status AS BINARY) FROM orders o

SELECT CAST(o.total AS DOUBLE) FROM orders o

SELECT CAST(o.total AS FLOAT) FROM orders o

SELECT CONVERT(o.total, SIGNED) FROM orders o

SELECT CONVERT(o.status, CHAR) FROM orders o

SELECT CONVERT(o.status USING utf8mb4) FROM orders o

SELECT BINARY o.status = 'paid' FROM orders o

SELECT CONCAT(o.status, '-', o.id) FROM orders o

SELECT CONCAT_WS(',', o.id, o.status) FROM orders o

SELECT SUBSTRING(o.status, 1, 3) FROM orders o

SELECT SUBSTRING(o.status FROM 2) FROM orders o

SELECT SUBSTRING(o.status FROM 1 FOR 2) FROM orders o

SELECT SUBSTR(o.status, 2) FROM orders o

SELECT MID(o.status, 1, 2) FROM orders o

SELECT SUBSTRING_INDEX(o.status, '@', -1) FROM orders o

SELECT LEFT(o.status, 2) FROM orders o

SELECT RIGHT(o.status, 2) FROM orders o

SELECT LENGTH(o.status) FROM orders o

SELECT CHAR_LENGTH(o.status) FROM orders o

SELECT CHARACTER_LENGTH(o.status) FROM orders o

SELECT TRIM(o.status) FROM orders o

SELECT TRIM(LEADING '0' FROM o.status) FROM orders o

SELECT TRIM(BOTH 'x' FROM o.status) FROM orders o

SELECT LTRIM(o.status) FROM orders o

SELECT RTRIM(o.status) FROM orders o

SELECT UPPER(o.status) FROM orders o

SELECT LOWER(o.status) FROM orders o

SELECT UCASE(o.status) FROM orders o

SELECT LCASE(o.status) FROM orders o

SELECT REVERSE(o.status) FROM orders o

SELECT REPLACE(o.status, 'a', 'b') FROM orders o

SELECT LOCATE('a', o.status) FROM orders o

SELECT POSITION('a' IN o.status) FROM orders o

SELECT INSTR(o.status, 'a') FROM orders o

SELECT LPAD(o.id, 8, '0') FROM orders o

SELECT RPAD(o.status, 10, ' ') FROM orders o

SELECT SPACE(5) FROM orders o

SELECT REPEAT('*', 5) FROM orders o

SELECT FIELD(o.status, 'a', 'b') FROM orders o

SELECT FIND_IN_SET('a', 'a,b') FROM orders o

SELECT ELT(1, 'a', 'b') FROM orders o

SELECT FORMAT(o.total, 2) FROM orders o

SELECT FORMAT(o.total, 2, 'de_DE') FROM orders o

SELECT o.status REGEXP '^p' FROM orders o

SELECT o.status RLIKE 'd$' FROM orders o

SELECT o.status NOT REGEXP 'x' FROM orders o

SELECT REGEXP_REPLACE(o.status, '[0-9]+', '#') FROM orders o

SELECT REGEXP_SUBSTR(o.status, '[a-z]+') FROM orders o

SELECT REGEXP_INSTR(o.status, 'a') FROM orders o

SELECT REGEXP_LIKE(o.status, '^p', 'i') FROM orders o

SELECT o.status LIKE 'p%' OR o.status NOT LIKE '%x' OR o.status LIKE '10|%' ESCAPE '|' FROM orders o

SELECT MD5(o.status) FROM orders o

SELECT SHA1(o.status) FROM orders o

SELECT SHA2(o.status, 256) FROM orders o

SELECT HEX(o.status) FROM orders o

SELECT UNHEX('41') FROM orders o

SELECT CRC32(o.status) FROM orders o

SELECT TO_BASE64(o.status) FROM orders o

SELECT ASCII('a') FROM orders o

SELECT CHAR(65) FROM orders o

SELECT ORD('a') FROM orders o

SELECT BIN(5) FROM orders o

SELECT OCT(8) FROM orders o

SELECT CONV('a', 16, 10) FROM orders o

SELECT INET_NTOA(3232235777) FROM orders o

SELECT INET_ATON('192.168.1.1') FROM orders o

SELECT CEIL(o.total) FROM orders o

SELECT FLOOR(o.total) FROM orders o

SELECT ROUND(o.total) FROM orders o

SELECT TRUNCATE(o.total, 1) FROM orders o

SELECT ABS(o.total) FROM orders o

SELECT SIGN(o.total) FROM orders o

SELECT MOD(o.id, 2) FROM orders o

SELECT o.id MOD 2 FROM orders o

SELECT o.id % 2 FROM orders o

SELECT o.id DIV 2 FROM orders o

SELECT POW(2, 3) FROM orders o

SELECT POWER(2, 3) FROM orders o

SELECT SQRT(9) FROM orders o

SELECT EXP(1) FROM orders o

SELECT LN(2) FROM orders o

SELECT LOG(2) FROM orders o

SELECT LOG10(100) FROM orders o

SELECT LOG2(8) FROM orders o

SELECT LOG(2, 8) FROM orders o

SELECT PI() FROM orders o

SELECT DEGREES(1) FROM orders o

SELECT RADIANS(180) FROM orders o

SELECT o.id & 1 FROM orders o

SELECT o.id | 1 FROM orders o

SELECT o.id ^ 1 FROM orders o

SELECT ~o.id FROM orders o

SELECT o.id << 1 FROM orders o

SELECT o.id >> 1 FROM orders o

SELECT o.id BETWEEN 1 AND 10 FROM orders o

SELECT o.id NOT BETWEEN 1 AND 2 FROM orders o

SELECT o.status IN ('a', 'b') FROM orders o

SELECT o.status NOT IN ('c') FROM orders o

SELECT o.status <=> NULL FROM orders o

SELECT o.status IS NULL FROM orders o

SELECT o.status IS NOT NULL FROM orders o

SELECT o.total > 5 IS TRUE FROM orders o

SELECT (o.total > 5) IS NOT UNKNOWN FROM orders o

SELECT o.status = 'a' AND o.total > 1 OR NOT o.id = 2 XOR o.id = 3 FROM orders o

SELECT o.status = 'a' && o.total > 1 FROM orders o

SELECT !(o.id = 1) FROM orders o

SELECT (o.id, o.total) = (1, 10) FROM orders o

SELECT ROW(1,2) = ROW(1,2) FROM orders o

SELECT EXISTS (SELECT 1 FROM customers c WHERE c.id = o.customer_id) FROM orders o

SELECT (SELECT c.country FROM customers c WHERE c.id = o.customer_id LIMIT 1) FROM orders o

SELECT o.customer_id IN (SELECT id FROM customers) FROM orders o

SELECT o.total > ALL (SELECT 1) FROM orders o

SELECT o.total = ANY (SELECT 1) FROM orders o

SELECT o.total >= SOME (SELECT 1) FROM orders o

SELECT ROW_NUMBER() OVER (PARTITION BY o.customer_id ORDER BY o.placed_at DESC) FROM orders o

SELECT RANK() OVER (ORDER BY o.total DESC) FROM orders o

SELECT DENSE_RANK() OVER (ORDER BY o.total) FROM orders o

SELECT NTILE(4) OVER (ORDER BY o.total) FROM orders o

SELECT PERCENT_RANK() OVER (ORDER BY o.total) FROM orders o

SELECT CUME_DIST() OVER (ORDER BY o.total) FROM orders o

SELECT SUM(o.total) OVER (ORDER BY o.placed_at ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM orders o

SELECT AVG(o.total) OVER (ORDER BY o.placed_at ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) FROM orders o

SELECT SUM(o.total) OVER (ORDER BY o.id ROWS 3 PRECEDING) FROM orders o

SELECT COUNT(*) OVER () FROM orders o

SELECT MAX(o.total) OVER (PARTITION BY o.status) FROM orders o

SELECT LAG(o.total) OVER (ORDER BY o.id) FROM orders o

SELECT LEAD(o.total, 2) OVER (PARTITION BY o.status ORDER BY o.id) FROM orders o

SELECT FIRST_VALUE(o.total) OVER (ORDER BY o.id) FROM orders o

SELECT LAST_VALUE(o.total) OVER (ORDER BY o.id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM orders o

SELECT NTH_VALUE(o.total, 2) OVER (ORDER BY o.id) FROM orders o

SELECT SUM(o.total) OVER w, AVG(o.total) OVER (w ROWS 2 PRECEDING) FROM orders o WINDOW w AS (PARTITION BY o.status ORDER BY o.id)

SELECT SUM(SUM(o.total)) OVER (ORDER BY o.status) FROM orders o GROUP BY o.status

SELECT GROUP_CONCAT(o.status) FROM orders o

SELECT GROUP_CONCAT(DISTINCT o.status ORDER BY o.status DESC SEPARATOR '; ') FROM orders o

SELECT STD(o.total) FROM orders o

SELECT STDDEV(o.total) FROM orders o

SELECT STDDEV_SAMP(o.total) FROM orders o

SELECT VARIANCE(o.total) FROM orders o

SELECT VAR_SAMP(o.total) FROM orders o

SELECT BIT_OR(o.id) FROM orders o

SELECT BIT_AND(o.id) FROM orders o

SELECT ANY_VALUE(o.status) FROM orders o

SELECT AVG(o.status = 'paid') FROM orders o

SELECT SUM(o.status = 'paid') / COUNT(*) FROM orders o

SELECT MIN(o.placed_at) FROM orders o

SELECT MAX(DISTINCT o.total) FROM orders o

SELECT 0x41 FROM orders o

SELECT X'41' FROM orders o

SELECT b'101' FROM orders o

SELECT 1e3 FROM orders o

SELECT .5 FROM orders o

SELECT -1 FROM orders o

SELECT TRUE FROM orders o

SELECT FALSE FROM orders o

SELECT NULL FROM orders o

SELECT "double quoted" FROM orders o

SELECT N'text' FROM orders o

SELECT _utf8mb4'text' FROM orders o

SELECT 'it''s' FROM orders o

SELECT 'it\'s', "say ""hi""", 'a' 'b' FROM orders o

SELECT o.status COLLATE utf8mb4_bin = 'paid' FROM orders o

SELECT o.total AS `Total (€)` FROM orders o

SELECT o.status AS 'label' FROM orders o

SELECT o.id AS "Order ID" FROM orders o

SELECT o.total total_amount FROM orders o

SELECT o.* FROM orders o

select * from sales.orders limit 10;

SELECT * FROM `orders` LIMIT 10, 20

SELECT `orders`.`id` FROM `sales`.`orders` WHERE `orders`.`status` = 'paid' ORDER BY `orders`.`total` DESC LIMIT 5 OFFSET 10

# revenue
SELECT SUM(total) FROM orders

-- revenue
SELECT SUM(total) FROM orders; -- done

/* Metabase:: userID: 1 */ SELECT COUNT(*) AS `count` FROM `sales`.`orders`

SELECT `source`.`status` AS `status`, COUNT(*) AS `count` FROM (SELECT `sales`.`orders`.`id` AS `id`, `sales`.`orders`.`status` AS `status` FROM `sales`.`orders`) `source` GROUP BY `source`.`status` ORDER BY `source`.`status` ASC

SELECT STR_TO_DATE(CONCAT(DATE_FORMAT(`sales`.`orders`.`placed_at`, '%Y-%m'), '-01'), '%Y-%m-%d') AS `placed_at`, SUM(`sales`.`orders`.`total`) AS `sum` FROM `sales`.`orders` WHERE `sales`.`orders`.`placed_at` >= STR_TO_DATE(CONCAT(DATE_FORMAT(DATE_ADD(NOW(6), INTERVAL -12 month), '%Y-%m'), '-01'), '%Y-%m-%d') GROUP BY STR_TO_DATE(CONCAT(DATE_FORMAT(`sales`.`orders`.`placed_at`, '%Y-%m'), '-01'), '%Y-%m-%d') ORDER BY 1 ASC

SELECT (DATE_FORMAT(TIMESTAMP(CONVERT_TZ(orders.placed_at,'UTC','America/Los_Angeles')),'%Y-%m')) AS `orders.placed_month`, COALESCE(SUM(orders.total ), 0) AS `orders.total` FROM sales.orders AS orders LEFT JOIN sales.customers AS customers ON orders.customer_id = customers.id GROUP BY 1 ORDER BY DATE_FORMAT(TIMESTAMP(CONVERT_TZ(orders.placed_at,'UTC','America/Los_Angeles')),'%Y-%m') DESC LIMIT 500

SELECT DATE(`placed_at`) AS `__timestamp`, SUM(`total`) AS `SUM(total)` FROM `sales`.`orders` WHERE `placed_at` >= STR_TO_DATE('2024-01-01 00:00:00.000000', '%Y-%m-%d %H:%i:%s.%f') GROUP BY DATE(`placed_at`) ORDER BY `SUM(total)` DESC LIMIT 10000

WITH monthly AS (SELECT DATE_FORMAT(placed_at, '%Y-%m') AS m, SUM(total) AS rev FROM orders GROUP BY m) SELECT m, rev, rev - LAG(rev) OVER (ORDER BY m) AS diff FROM monthly ORDER BY m

WITH orders AS (SELECT * FROM sales.orders), c AS (SELECT * FROM customers) SELECT COUNT(*) FROM orders JOIN c ON c.id = orders.customer_id

WITH RECURSIVE d AS (SELECT DATE('2024-01-01') AS day UNION ALL SELECT day + INTERVAL 1 DAY FROM d WHERE day < '2024-01-31') SELECT d.day, COALESCE(SUM(o.total), 0) FROM d LEFT JOIN orders o ON DATE(o.placed_at) = d.day GROUP BY d.day

WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10) SELECT i FROM n

WITH RECURSIVE tree AS (SELECT id, parent_id, name, 1 AS depth FROM categories WHERE parent_id IS NULL UNION ALL SELECT c.id, c.parent_id, c.name, t.depth + 1 FROM categories c JOIN tree t ON c.parent_id = t.id WHERE t.depth < 10) SELECT * FROM tree

SELECT status, COUNT(*) AS n, SUM(total) FROM orders GROUP BY status WITH ROLLUP

SELECT status, GROUPING(status), COUNT(*) FROM orders GROUP BY status WITH ROLLUP HAVING COUNT(*) > 0

SELECT status, COUNT(*) AS n FROM orders GROUP BY status HAVING n > 1 ORDER BY n DESC, status ASC

SELECT * FROM orders o INNER JOIN customers c ON c.id = o.customer_id LEFT OUTER JOIN payments p ON p.order_id = o.id RIGHT JOIN calendar k ON k.day = DATE(o.placed_at)

SELECT * FROM orders o NATURAL LEFT JOIN customers c

SELECT * FROM orders JOIN payments USING (id)

SELECT * FROM orders o CROSS JOIN calendar

SELECT * FROM orders o, customers c WHERE c.id = o.customer_id

SELECT * FROM (orders o, customers c)

SELECT * FROM (orders o JOIN customers c ON c.id = o.customer_id) LEFT JOIN payments p ON p.order_id = o.id

SELECT a.id, b.id FROM orders a JOIN orders b ON a.customer_id = b.customer_id AND a.id < b.id

SELECT * FROM (SELECT id, ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY total DESC) AS rn FROM orders) t WHERE t.rn <= 3

SELECT id FROM orders UNION SELECT id FROM payments

(SELECT id FROM orders ORDER BY total LIMIT 5) UNION ALL (SELECT id FROM payments LIMIT 5) ORDER BY id LIMIT 3

SELECT id FROM orders EXCEPT SELECT order_id FROM payments

SELECT id FROM orders INTERSECT SELECT order_id FROM payments

SELECT id FROM orders UNION DISTINCT SELECT 1

SELECT 1 FROM DUAL

SELECT NOW(), CURDATE()

SELECT name, salary, RANK() OVER (PARTITION BY department ORDER BY salary DESC) AS r FROM employees

SELECT e.name, m.name AS manager FROM employees e LEFT JOIN employees m ON m.id = e.manager_id

SELECT name FROM employees e WHERE salary > (SELECT AVG(salary) FROM employees x WHERE x.department = e.department)

SELECT c.country, COUNT(DISTINCT o.id), SUM(oi.quantity * oi.unit_price * (1 - oi.discount)) AS net FROM customers c JOIN orders o ON o.customer_id = c.id JOIN order_items oi ON oi.order_id = o.id GROUP BY c.country HAVING SUM(oi.quantity) > 0 ORDER BY net DESC

SELECT user_id, MIN(occurred_at) AS first_seen, DATE_FORMAT(MIN(occurred_at), '%Y-%m') AS cohort FROM events GROUP BY user_id

WITH c AS (SELECT user_id, MIN(DATE(occurred_at)) AS d0 FROM events GROUP BY user_id) SELECT c.d0, TIMESTAMPDIFF(MONTH, c.d0, e.occurred_at) AS m, COUNT(DISTINCT e.user_id) FROM events e JOIN c ON c.user_id = e.user_id GROUP BY 1, 2 ORDER BY 1, 2

SELECT SUM(CASE WHEN name = 'view' THEN 1 ELSE 0 END) AS views, SUM(name = 'buy') AS buys, SUM(name = 'buy') / NULLIF(SUM(name = 'view'), 0) * 100 AS cr FROM events

SELECT HOUR(occurred_at) AS h, COUNT(*) FROM events GROUP BY h ORDER BY NULL

SELECT properties->>'$.browser' AS browser, COUNT(*) FROM events WHERE properties->>'$.browser' IS NOT NULL GROUP BY browser ORDER BY 2 DESC

SELECT AVG(TIMESTAMPDIFF(SECOND, started_at, ended_at)) FROM sessions WHERE ended_at IS NOT NULL

SELECT plan, COUNT(*), ROUND(COUNT(*) * 100.0 / SUM(COUNT(*)) OVER (), 2) AS pct FROM users WHERE active = 1 GROUP BY plan

SELECT SUBSTRING_INDEX(email, '@', -1) AS domain, COUNT(*) FROM users GROUP BY domain

SELECT `Page URL`, SUM(`Visits`) FROM `public`.`WebTraffic` GROUP BY `Page URL`

SELECT `a b`, `select` FROM `Odd Table`

SELECT O.Id, O.TOTAL FROM ORDERS AS O

SELECT sales.orders.id FROM sales.orders

SELECT * FROM orders WHERE placed_at BETWEEN '2024-01-01' AND '2024-12-31 23:59:59' AND status <> 'x' AND status != 'y'

SELECT * FROM orders ORDER BY FIELD(status, 'paid', 'sent'), total DESC

SELECT * FROM orders ORDER BY status COLLATE utf8mb4_general_ci, 2 DESC

SELECT * FROM orders ORDER BY total IS NULL, total

SELECT * FROM orders WHERE (customer_id, placed_at) IN (SELECT customer_id, MAX(placed_at) FROM orders GROUP BY customer_id)

SELECT * FROM orders WHERE NOT EXISTS (SELECT * FROM payments WHERE payments.order_id = orders.id)

SELECT o.status, p.method, COUNT(*) FROM orders o LEFT JOIN payments p ON p.order_id = o.id AND p.refunded = 0 WHERE o.total > 0 GROUP BY o.status, p.method

SELECT DATE_FORMAT(started_on, '%x-W%v') AS wk, SUM(mrr) FROM subscriptions WHERE ended_on IS NULL OR ended_on > CURDATE() GROUP BY wk

SELECT MAX(IF(method = 'card', amount, NULL)) AS card, MAX(IF(method = 'cash', amount, NULL)) AS cash FROM payments GROUP BY order_id

SELECT t.total FROM (SELECT SUM(total) AS total FROM orders) AS t

SELECT COUNT(*) FROM orders WHERE YEAR(placed_at) = YEAR(CURDATE() - INTERVAL 1 YEAR)

SELECT category, AVG(price) FROM products GROUP BY category ORDER BY AVG(price) DESC LIMIT 5

SELECT name, price, price - AVG(price) OVER (PARTITION BY category) AS diff FROM products

SELECT k.day, DAYNAME(k.day) FROM calendar k WHERE k.holiday AND k.day >= CURDATE() - INTERVAL 1 YEAR

SELECT * FROM orders ORDER BY RAND() LIMIT 10

SELECT * FROM orders ORDER BY RAND(42) LIMIT 10

SELECT id, RAND() FROM orders

SELECT DATE_FORMAT(placed_at, '%Y-%m'), COUNT(*) FROM orders GROUP BY 1

SELECT status, SUM(total) FROM orders GROUP BY status WITH ROLLUP

SELECT GROUP_CONCAT(DISTINCT status ORDER BY status SEPARATOR ', ') FROM orders

SELECT JSON_EXTRACT(details, '$.a'), details->>'$.a', details->'$.b' FROM orders

SELECT TIMESTAMPDIFF(DAY, placed_at, NOW()), DATEDIFF(NOW(), placed_at), DATE_SUB(CURDATE(), INTERVAL 7 DAY) FROM orders

SELECT ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY placed_at) FROM orders

WITH RECURSIVE d AS (SELECT DATE('2026-01-01') AS day UNION ALL SELECT day + INTERVAL 1 DAY FROM d WHERE day < '2026-01-31') SELECT * FROM d

SELECT * FROM orders WHERE status REGEXP '^pa' AND status RLIKE 'x' AND status LIKE 'a%'

SELECT IF(total > 10, 'big', 'small'), IFNULL(status, 'x') FROM orders

SELECT STR_TO_DATE('2026-01-01', '%Y-%m-%d'), YEARWEEK(placed_at), QUARTER(placed_at), LAST_DAY(placed_at) FROM orders

SELECT CAST(total AS DECIMAL(10, 2)), CONVERT(total, CHAR), CONVERT(status USING utf8mb4) FROM orders

SELECT SUBSTRING_INDEX(status, '-', 1), LPAD(status, 10, ' '), REPEAT('=', 10), TRIM(BOTH ' ' FROM status) FROM orders

SELECT * FROM orders WHERE MATCH (status) AGAINST ('paid' IN NATURAL LANGUAGE MODE)

SELECT JSON_ARRAYAGG(status), JSON_OBJECTAGG(id, status) FROM orders

SELECT PERCENT_RANK() OVER (ORDER BY total), CUME_DIST() OVER (ORDER BY total) FROM orders

SELECT * FROM orders o, LATERAL (SELECT MAX(total) m FROM orders WHERE customer_id = o.customer_id) x

SELECT 'a\'b', "c""d", 'e''f'

VALUES ROW(1, 2), ROW(3, 4)

SELECT VARIANCE(total), STDDEV_POP(total), STDDEV_SAMP(total), VAR_SAMP(total) FROM orders

SELECT ANY_VALUE(status) FROM orders

SELECT id FROM orders INTERSECT SELECT id FROM customers

SELECT id FROM orders EXCEPT SELECT id FROM customers

SELECT FROM_UNIXTIME(1), UNIX_TIMESTAMP(placed_at), CONVERT_TZ(placed_at, 'UTC', 'Europe/Berlin') FROM orders

SELECT FORMAT(total, 2), FIELD(status, 'a', 'b'), FIND_IN_SET('a', 'a,b'), ELT(1, 'a') FROM orders

SELECT 1 MEMBER OF ('[1,2]')

SELECT REGEXP_SUBSTR(status, '[a-z]+'), REGEXP_REPLACE(status, 'a', 'b'), REGEXP_LIKE(status, 'a') FROM orders

SELECT WEEKDAY(placed_at), DAYNAME(placed_at), MONTHNAME(placed_at), HOUR(placed_at), EXTRACT(YEAR_MONTH FROM placed_at) FROM orders
