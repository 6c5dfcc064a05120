-- One statement a paragraph. All of them are what analysts write.
SELECT 1

SELECT * FROM orders

SELECT * FROM sales.orders LIMIT 10

SELECT sales.orders.total FROM sales.orders

SELECT o.id, c.country FROM orders o JOIN customers c ON c.id = o.customer_id

SELECT o.*, c.* FROM orders AS o LEFT JOIN customers AS c ON o.customer_id = c.id WHERE c.id IS NULL

SELECT country, count(*) AS n FROM customers GROUP BY country ORDER BY n DESC, 1 LIMIT 20

SELECT count(DISTINCT customer_id) FROM orders WHERE status IN ('paid', 'sent') AND total BETWEEN 10 AND 100

SELECT status, sum(total), avg(total)::numeric(10,2), min(total), max(total) FROM orders GROUP BY 1 HAVING sum(total) > 0

SELECT date_trunc('month', placed_at) AS month, sum(total) FROM orders GROUP BY 1 ORDER BY 1

SELECT extract(dow FROM placed_at), extract(hour FROM placed_at), count(*) FROM orders GROUP BY 1, 2

SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY total) FROM orders

SELECT percentile_disc(ARRAY[0.25, 0.5, 0.75]) WITHIN GROUP (ORDER BY total) FROM orders

SELECT count(*) FILTER (WHERE status = 'paid') * 100.0 / nullif(count(*), 0) FROM orders

SELECT id, row_number() OVER (PARTITION BY customer_id ORDER BY placed_at DESC) FROM orders

SELECT id, total, lag(total) OVER w, sum(total) OVER w FROM orders WINDOW w AS (PARTITION BY customer_id ORDER BY placed_at ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)

SELECT id, avg(total) OVER (ORDER BY placed_at RANGE BETWEEN INTERVAL '7 days' PRECEDING AND CURRENT ROW) FROM orders

SELECT ntile(4) OVER (ORDER BY total), dense_rank() OVER (ORDER BY total) FROM orders

WITH firsts AS (SELECT customer_id, min(placed_at) AS first FROM orders GROUP BY 1) SELECT date_trunc('week', first), count(*) FROM firsts GROUP BY 1

WITH a AS (SELECT 1 AS x), b AS (SELECT x + 1 AS y FROM a) SELECT * FROM a, b

WITH orders AS (SELECT * FROM orders WHERE total > 0) SELECT count(*) FROM orders

WITH RECURSIVE days(d) AS (SELECT date '2026-01-01' UNION ALL SELECT d + 1 FROM days WHERE d < date '2026-01-31') SELECT d, count(o.id) FROM days LEFT JOIN orders o ON o.placed_at::date = d GROUP BY d ORDER BY d

SELECT g::date, count(o.id) FROM generate_series(date '2026-01-01', date '2026-01-07', interval '1 day') g LEFT JOIN orders o ON o.placed_at::date = g::date GROUP BY 1

SELECT customer_id FROM orders EXCEPT SELECT id FROM customers

(SELECT id FROM orders) UNION ALL (SELECT id FROM customers) ORDER BY 1 LIMIT 5

SELECT * FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id)

SELECT * FROM customers WHERE id NOT IN (SELECT customer_id FROM orders WHERE customer_id IS NOT NULL)

SELECT * FROM orders WHERE total > (SELECT avg(total) FROM orders)

SELECT * FROM orders WHERE total >= ALL (SELECT total FROM orders)

SELECT c.id, x.n FROM customers c CROSS JOIN LATERAL (SELECT count(*) AS n FROM orders o WHERE o.customer_id = c.id) x

SELECT CASE WHEN total < 10 THEN 'small' WHEN total < 100 THEN 'middle' ELSE 'large' END AS size, count(*) FROM orders GROUP BY 1

SELECT width_bucket(total, 0, 1000, 10) AS bucket, count(*) FROM orders GROUP BY 1 ORDER BY 1

SELECT coalesce(status, 'none'), greatest(total, 0), least(total, 100) FROM orders

SELECT upper(trim(both ' ' FROM country)), substring(country FROM 1 FOR 1), position('e' IN country), overlay(country PLACING 'x' FROM 1) FROM customers

SELECT * FROM customers WHERE country ILIKE 'd%' OR country ~ '^[A-Z]{2}$' OR country SIMILAR TO '(DE|AT)'

SELECT * FROM customers WHERE country LIKE 'a!%' ESCAPE '!'

SELECT split_part('a@b', '@', 2), regexp_replace('a1', '[0-9]', '', 'g'), left('abc', 2), concat_ws('-', 'a', 'b')

SELECT to_char(placed_at, 'YYYY-MM'), age(now(), placed_at), placed_at AT TIME ZONE 'UTC' FROM orders

SELECT now() - interval '30 days', current_date - 7, current_timestamp, localtime

SELECT * FROM orders WHERE placed_at >= now() - interval '90' day

SELECT details ->> 'colour', details -> 'size', details #>> '{a,b}', details @> '{"a": 1}', details ? 'a' FROM orders

SELECT e.key, count(*) FROM orders o, jsonb_each_text(o.details) e GROUP BY 1

SELECT x.a, x.b FROM jsonb_to_recordset('[{"a": 1, "b": "x"}]') AS x(a int, b text)

SELECT jsonb_array_elements_text('["a"]'), jsonb_typeof('1'), jsonb_build_object('a', 1)

SELECT unnest(ARRAY[1, 2, 3]), array_length(ARRAY[1], 1), (ARRAY[1, 2])[1:2], 1 = ANY (ARRAY[1, 2])

SELECT string_agg(DISTINCT status, ', ' ORDER BY status), array_agg(id), bool_or(total > 5) FROM orders

SELECT country, grouping(country), count(*) FROM customers GROUP BY ROLLUP (country)

SELECT status, customer_id, count(*) FROM orders GROUP BY GROUPING SETS ((status), (customer_id), ())

SELECT status, customer_id, count(*) FROM orders GROUP BY CUBE (status, customer_id)

SELECT corr(total, id), covar_pop(total, id), regr_slope(total, id), stddev(total), var_samp(total), mode() WITHIN GROUP (ORDER BY status) FROM orders

SELECT round(total::numeric, 2), ceil(total), floor(total), abs(total), sqrt(total), power(total, 2), ln(total + 1), mod(id, 2) FROM orders

SELECT DISTINCT ON (customer_id) customer_id, placed_at FROM orders ORDER BY customer_id, placed_at DESC

SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS v(n, s)

VALUES (1), (2)

TABLE orders

SELECT (o).total, o FROM orders o

SELECT * FROM orders o JOIN customers c USING (tenant)

SELECT * FROM orders NATURAL JOIN customers

SELECT * FROM orders FULL OUTER JOIN customers ON orders.customer_id = customers.id

SELECT * FROM ONLY orders

SELECT "Odd Table"."a b" FROM "Odd Table"

SELECT "a b" FROM public."Odd Table" WHERE "select" = 1

SELECT total IS DISTINCT FROM 5, status IS NULL, (total > 1) IS TRUE, NOT (total > 1) FROM orders

SELECT (placed_at, placed_at + interval '1 hour') OVERLAPS (now(), now()) FROM orders

SELECT lpad(id::text, 8, '0'), md5(status), length(status), reverse(status), to_hex(255), ascii('a'), chr(65) FROM orders

SELECT 'it''s', E'a\nb', $$dollar$$, U&'\0041', B'101', X'1F', 1e3, .5, -7, 0x1F

SELECT count(*) -- how many
FROM orders /* all of them */

SELECT id FROM orders ORDER BY total DESC NULLS LAST OFFSET 5 ROWS FETCH FIRST 10 ROWS WITH TIES

SELECT date_part('epoch', placed_at), make_date(2026, 1, 1), date_bin('15 minutes', placed_at, '2026-01-01') FROM orders

SELECT cast(total AS integer), total::float8, '2026-01-01'::date, CAST('1' AS bigint), timestamp '2026-01-01 10:00' FROM orders

SELECT row_to_json(o), to_jsonb(o.total) FROM orders o

SELECT status, json_agg(o) FROM orders o GROUP BY status

SELECT first_value(total) OVER (PARTITION BY customer_id ORDER BY placed_at), nth_value(total, 2) OVER (ORDER BY id), cume_dist() OVER (ORDER BY total) FROM orders

WITH cohort AS (SELECT customer_id, date_trunc('month', min(placed_at)) AS month FROM orders GROUP BY 1),
activity AS (SELECT o.customer_id, date_trunc('month', o.placed_at) AS month FROM orders o GROUP BY 1, 2)
SELECT c.month, extract(year FROM age(a.month, c.month)) * 12 + extract(month FROM age(a.month, c.month)) AS later, count(DISTINCT a.customer_id)
FROM cohort c JOIN activity a USING (customer_id) GROUP BY 1, 2 ORDER BY 1, 2

SELECT * FROM (SELECT *, rank() OVER (PARTITION BY status ORDER BY total DESC) AS r FROM orders) t WHERE r <= 3

SELECT s.status, coalesce(t.n, 0) FROM (SELECT DISTINCT status FROM orders) s LEFT JOIN (SELECT status, count(*) AS n FROM orders WHERE total > 10 GROUP BY status) t ON s.status = t.status

SELECT count(*) FROM orders WHERE status = 'paid' AND (total > 10 OR total < 2) AND NOT status <> 'sent'
