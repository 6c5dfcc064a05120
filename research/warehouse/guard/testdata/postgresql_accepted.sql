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

SELECT date_trunc('day', placed_at)::date AS day, count(*) AS orders, sum(total) AS revenue FROM sales.orders WHERE placed_at >= current_date - interval '30 days' GROUP BY 1 ORDER BY 1

SELECT to_char(date_trunc('month', placed_at), 'Mon YYYY') AS month, sum(total) FROM orders GROUP BY date_trunc('month', placed_at) ORDER BY date_trunc('month', placed_at)

SELECT to_char(total, 'FM999,999,990.00'), to_char(placed_at, 'Dy DD Mon YYYY HH24:MI:SS'), to_char(id, '0000') FROM orders

SELECT extract(epoch FROM (max(placed_at) - min(placed_at))) / 86400 AS days FROM orders

SELECT extract(isodow FROM placed_at) AS dow, extract(week FROM placed_at) AS week, extract(isoyear FROM placed_at) AS y, count(*) FROM orders GROUP BY dow, week, y

SELECT date_part('dow', placed_at), date_part('quarter', placed_at), count(*) FROM orders GROUP BY 1, 2

WITH monthly AS (SELECT date_trunc('month', placed_at) AS month, sum(total) AS revenue FROM orders GROUP BY 1) SELECT month, revenue, lag(revenue) OVER (ORDER BY month) AS before, round((revenue - lag(revenue) OVER (ORDER BY month)) * 100.0 / nullif(lag(revenue) OVER (ORDER BY month), 0), 2) AS growth FROM monthly

WITH first_order AS (SELECT customer_id, min(placed_at)::date AS cohort_day FROM orders GROUP BY customer_id) SELECT cohort_day, count(*) AS size FROM first_order GROUP BY cohort_day ORDER BY cohort_day

WITH cohorts AS (SELECT customer_id, date_trunc('week', min(placed_at)) AS cohort FROM orders GROUP BY 1), sizes AS (SELECT cohort, count(*) AS n FROM cohorts GROUP BY 1) SELECT c.cohort, floor(extract(epoch FROM o.placed_at - c.cohort) / 604800)::int AS week, count(DISTINCT o.customer_id)::numeric / max(s.n) AS retention FROM orders o JOIN cohorts c USING (customer_id) JOIN sizes s USING (cohort) GROUP BY 1, 2 ORDER BY 1, 2

WITH active AS (SELECT DISTINCT customer_id, placed_at::date AS day FROM orders) SELECT a.day, count(DISTINCT a.customer_id) AS dau, count(DISTINCT b.customer_id) AS back FROM active a LEFT JOIN active b ON b.customer_id = a.customer_id AND b.day = a.day + 1 GROUP BY a.day

SELECT count(DISTINCT customer_id) FILTER (WHERE status = 'new') AS step1, count(DISTINCT customer_id) FILTER (WHERE status = 'paid') AS step2, count(DISTINCT customer_id) FILTER (WHERE status = 'sent') AS step3 FROM orders

WITH steps AS (SELECT customer_id, min(placed_at) FILTER (WHERE status = 'new') AS t1, min(placed_at) FILTER (WHERE status = 'paid') AS t2 FROM orders GROUP BY 1) SELECT count(t1) AS started, count(t2) FILTER (WHERE t2 > t1) AS finished, round(100.0 * count(t2) FILTER (WHERE t2 > t1) / nullif(count(t1), 0), 1) AS rate FROM steps

WITH gaps AS (SELECT customer_id, placed_at, placed_at - lag(placed_at) OVER (PARTITION BY customer_id ORDER BY placed_at) AS gap FROM orders) SELECT customer_id, sum(CASE WHEN gap IS NULL OR gap > interval '30 minutes' THEN 1 ELSE 0 END) AS sessions FROM gaps GROUP BY customer_id

WITH d AS (SELECT customer_id, placed_at::date AS day, placed_at::date - (row_number() OVER (PARTITION BY customer_id ORDER BY placed_at::date))::int AS grp FROM orders) SELECT customer_id, min(day), max(day), count(*) AS streak FROM d GROUP BY customer_id, grp ORDER BY streak DESC LIMIT 10

SELECT customer_id, max(placed_at) AS last_order, now() - max(placed_at) AS recency, count(*) AS frequency, sum(total) AS monetary, ntile(5) OVER (ORDER BY max(placed_at)) AS r, ntile(5) OVER (ORDER BY count(*)) AS f FROM orders GROUP BY customer_id

SELECT id, total, sum(total) OVER (ORDER BY placed_at ROWS UNBOUNDED PRECEDING) AS running, sum(total) OVER () AS overall FROM orders

SELECT id, avg(total) OVER (PARTITION BY customer_id ORDER BY placed_at ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) AS ma7 FROM orders

SELECT id, max(total) OVER (ORDER BY placed_at ROWS BETWEEN 2 PRECEDING AND 2 FOLLOWING EXCLUDE CURRENT ROW) FROM orders

SELECT id, count(*) OVER (ORDER BY total GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM orders

SELECT id, last_value(total) OVER (PARTITION BY customer_id ORDER BY placed_at RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM orders

SELECT id, lead(placed_at) OVER w - placed_at AS wait, lag(total, 2, 0::numeric) OVER w FROM orders WINDOW w AS (PARTITION BY customer_id ORDER BY placed_at)

SELECT id, sum(total) OVER (w ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) FROM orders WINDOW w AS (PARTITION BY customer_id ORDER BY placed_at)

SELECT id, percent_rank() OVER (ORDER BY total), cume_dist() OVER (ORDER BY total), ntile(100) OVER (ORDER BY total) FROM orders

SELECT customer_id, total, total / sum(total) OVER (PARTITION BY customer_id) AS share FROM orders

SELECT status, count(*) AS n, round(100.0 * count(*) / sum(count(*)) OVER (), 2) AS pct FROM orders GROUP BY status

SELECT *, sum(n) OVER (ORDER BY n DESC) / sum(n) OVER () AS cumulative FROM (SELECT customer_id, sum(total) AS n FROM orders GROUP BY 1) t ORDER BY n DESC

SELECT coalesce(status, 'TOTAL') AS status, coalesce(customer_id::text, 'all') AS customer, sum(total) FROM orders GROUP BY ROLLUP (status, customer_id)

SELECT status, extract(year FROM placed_at) AS y, sum(total), grouping(status), grouping(status, extract(year FROM placed_at)) FROM orders GROUP BY CUBE (status, extract(year FROM placed_at))

SELECT status, customer_id, count(*) FROM orders GROUP BY GROUPING SETS ((status, customer_id), (status), ROLLUP (customer_id))

SELECT status, count(*) FROM orders GROUP BY DISTINCT ROLLUP (status)

SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY total) AS median, percentile_cont(ARRAY[0.25, 0.5, 0.75, 0.95]) WITHIN GROUP (ORDER BY total) FROM orders

SELECT status, percentile_disc(0.9) WITHIN GROUP (ORDER BY total DESC) FROM orders GROUP BY status

SELECT mode() WITHIN GROUP (ORDER BY status) AS commonest, rank(10) WITHIN GROUP (ORDER BY total) FROM orders

SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM placed_at)) FILTER (WHERE status = 'paid') FROM orders

SELECT stddev_pop(total), stddev_samp(total), var_pop(total), variance(total), avg(total) - 2 * stddev(total) AS low FROM orders

SELECT * FROM (SELECT o.*, (total - avg(total) OVER ()) / nullif(stddev(total) OVER (), 0) AS z FROM orders o) t WHERE abs(z) > 3

SELECT corr(total, extract(epoch FROM placed_at)), regr_slope(total, id), regr_intercept(total, id), regr_r2(total, id) FROM orders

SELECT width_bucket(total, 0, 100, 10) AS bucket, min(total), max(total), count(*) FROM orders GROUP BY bucket ORDER BY bucket

SELECT width_bucket(total, ARRAY[0, 10, 50, 100]::numeric[]), count(*) FROM orders GROUP BY 1

SELECT floor(total / 10) * 10 AS low, count(*) FROM orders GROUP BY 1 ORDER BY 1

SELECT d::date AS day, coalesce(sum(o.total), 0) AS revenue FROM generate_series('2026-01-01'::timestamptz, '2026-01-31', '1 day') AS d LEFT JOIN orders o ON o.placed_at >= d AND o.placed_at < d + interval '1 day' GROUP BY d ORDER BY d

SELECT n, n * n FROM generate_series(1, 10) AS n

SELECT s.a FROM generate_series(1, 10, 2) AS s(a)

SELECT m, to_char(make_date(2026, m, 1), 'Month') FROM generate_series(1, 12) m

SELECT x.ord, x.v FROM unnest(ARRAY['a', 'b']) WITH ORDINALITY AS x(v, ord)

SELECT * FROM unnest(ARRAY[1, 2], ARRAY['a', 'b']) AS t(n, s)

SELECT * FROM ROWS FROM (generate_series(1, 3), unnest(ARRAY['a', 'b', 'c'])) AS t(n, s)

SELECT c.id, top.total FROM customers c LEFT JOIN LATERAL (SELECT o.total FROM orders o WHERE o.customer_id = c.id ORDER BY o.placed_at DESC LIMIT 1) top ON true

SELECT c.id, s.n, s.total FROM customers c, LATERAL (SELECT count(*) AS n, sum(total) AS total FROM orders o WHERE o.customer_id = c.id) AS s

SELECT o.id, v.k, v.x FROM orders o CROSS JOIN LATERAL (VALUES ('total', o.total), ('id', o.id::numeric)) AS v(k, x)

SELECT o.id, w FROM orders o CROSS JOIN LATERAL regexp_split_to_table(o.status, '\s+') AS w

SELECT o.id, j.key, j.value FROM orders o CROSS JOIN LATERAL jsonb_each(o.details) AS j(key, value)

SELECT o.id, e.value ->> 'name', e.ordinality FROM orders o, jsonb_array_elements(CASE jsonb_typeof(o.details -> 'items') WHEN 'array' THEN o.details -> 'items' ELSE '[]'::jsonb END) WITH ORDINALITY AS e(value, ordinality)

SELECT current_date - 1, current_date - interval '1 month', date '2026-03-31' - date '2026-01-01', now() AT TIME ZONE 'Europe/Berlin', timestamp '2026-01-01' AT TIME ZONE 'UTC'

SELECT interval '1 year 2 months 3 days', interval '1' year, interval '90' minute, interval '1-2' year to month, '3 hours'::interval * 2, make_interval(days => 3), make_interval(hours => 2, mins => 30)

SELECT age(timestamp '2026-01-01', timestamp '2025-01-01'), justify_hours(interval '30 hours'), date_bin('15 minutes', now(), timestamptz '2026-01-01')

SELECT placed_at::date + 7, placed_at + 3 * interval '1 day', (placed_at AT TIME ZONE 'UTC')::date, extract(timezone FROM placed_at) FROM orders

SELECT date_trunc('month', placed_at) + interval '1 month' - interval '1 day' AS month_end FROM orders

SELECT date_trunc('day', placed_at, 'Europe/Berlin') FROM orders

SELECT to_date('2026-01-31', 'YYYY-MM-DD'), to_timestamp('2026-01-31 10', 'YYYY-MM-DD HH24'), to_timestamp(0), to_number('1,234.5', '9G999D9')

SELECT make_timestamp(2026, 1, 2, 3, 4, 5), make_time(1, 2, 3), make_timestamptz(2026, 1, 1, 0, 0, 0, 'UTC'), isfinite(date '2026-01-01')

SELECT * FROM orders WHERE placed_at BETWEEN timestamptz '2026-01-01 00:00:00+00' AND timestamptz '2026-02-01 00:00:00+00'

SELECT * FROM orders WHERE (placed_at AT TIME ZONE 'UTC')::time BETWEEN time '09:00' AND time '17:30'

SELECT * FROM orders WHERE (customer_id, status) IN (SELECT id, country FROM customers)

SELECT * FROM orders WHERE (customer_id, total) = (SELECT id, 10 FROM customers LIMIT 1)

SELECT * FROM orders WHERE status = ANY (ARRAY['paid', 'sent']) AND total <> ALL (ARRAY[1, 2])

SELECT * FROM orders WHERE status = ANY ('{paid,sent}'::text[]) AND customer_id = ANY (SELECT id FROM customers)

SELECT * FROM orders WHERE total > SOME (SELECT avg(total) FROM orders GROUP BY status)

SELECT * FROM customers c WHERE NOT EXISTS (SELECT FROM orders o WHERE o.customer_id = c.id AND o.placed_at > now() - interval '90 days')

SELECT EXISTS (SELECT 1 FROM orders WHERE total > 100) AS has_large

SELECT details -> 'a' -> 'b', details -> 0, details #> '{a,b}', details #>> ARRAY['a', 'b'], (details ->> 'n')::numeric FROM orders

SELECT details ->> 'a' AS a, count(*) FROM orders WHERE details ? 'a' AND details @> '{"a": {"b": 1}}' GROUP BY details ->> 'a'

SELECT * FROM orders WHERE details ?| ARRAY['a', 'b'] OR details ?& ARRAY['a', 'b'] OR details <@ '{"a": 1}'::jsonb

SELECT details - 'a', details #- '{a,b}', details || '{"x": 1}'::jsonb FROM orders

SELECT jsonb_path_query(details, '$.a.b'), jsonb_path_exists(details, '$.a ? (@.b > 0)'), details @@ '$.a.b > 0', details @? '$.a' FROM orders

SELECT jsonb_path_query_array(details, '$.items[*].name'), jsonb_path_query_first(details, '$.a') FROM orders

SELECT jsonb_build_object('id', id, 'total', total), jsonb_build_array(1, 'a', null), json_build_object('a', 1), jsonb_pretty(details) FROM orders

SELECT jsonb_agg(jsonb_build_object('id', id) ORDER BY placed_at DESC), jsonb_object_agg(id, total), json_object_agg(status, total) FROM orders

SELECT jsonb_object_keys(details) AS k, count(*) FROM orders GROUP BY 1

SELECT jsonb_array_length('[1, 2]'), jsonb_strip_nulls(details), jsonb_extract_path_text(details, 'a', 'b'), jsonb_set(details, '{a}', '1') FROM orders

SELECT x.* FROM jsonb_to_record('{"a": 1, "b": "x"}') AS x(a int, b text)

SELECT x.id, x.name FROM orders o, jsonb_to_recordset(coalesce(o.details -> 'none', '[]')) AS x(id int, name text)

SELECT to_json(o), row_to_json(o, true), to_jsonb(o) ->> 'status' FROM orders o

SELECT details['a']['b'] FROM orders

SELECT ARRAY(SELECT DISTINCT status FROM orders ORDER BY 1), array_agg(DISTINCT status ORDER BY status) FROM orders

SELECT array_length(ARRAY[[1, 2], [3, 4]], 2), cardinality(ARRAY[1, 2]), array_position(ARRAY['a', 'b'], 'b'), array_remove(ARRAY[1, 2], 1), array_cat(ARRAY[1], ARRAY[2]), array_append(ARRAY[1], 2), ARRAY[1] || 2

SELECT (array_agg(status ORDER BY placed_at DESC))[1] AS latest, (array_agg(id))[1:3] FROM orders GROUP BY customer_id

SELECT ARRAY[1, 2] && ARRAY[2, 3], ARRAY[1, 2] @> ARRAY[1], 1 = ANY (ARRAY[1, 2]), array_to_string(ARRAY['a', null], ',', '-'), string_to_array('a,b', ',')

SELECT unnest(string_to_array(status, ',')) AS part, count(*) FROM orders GROUP BY part

SELECT string_agg(status, ', ' ORDER BY placed_at DESC), string_agg(DISTINCT status, '|') FILTER (WHERE status IS NOT NULL) FROM orders

SELECT customer_id, string_agg(id::text || ':' || total::text, ', ' ORDER BY id) FROM orders GROUP BY customer_id HAVING count(*) > 0

WITH RECURSIVE months AS (SELECT date '2026-01-01' AS m UNION ALL SELECT (m + interval '1 month')::date FROM months WHERE m < date '2026-12-01') SELECT m, count(o.id) FROM months LEFT JOIN orders o ON date_trunc('month', o.placed_at) = m GROUP BY m ORDER BY m

WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 20) SELECT i, (SELECT count(*) FROM orders WHERE total >= i) FROM n

WITH RECURSIVE tree AS (SELECT id, customer_id, 1 AS depth, ARRAY[id] AS path FROM orders WHERE customer_id = 1 UNION SELECT o.id, o.customer_id, t.depth + 1, t.path || o.id FROM orders o JOIN tree t ON o.customer_id = t.id WHERE t.depth < 5 AND NOT o.id = ANY (t.path)) SELECT * FROM tree

WITH a AS MATERIALIZED (SELECT * FROM orders), b AS NOT MATERIALIZED (SELECT * FROM a WHERE total > 1) SELECT count(*) FROM b

WITH a AS (WITH b AS (SELECT 1 AS x) SELECT x FROM b) SELECT * FROM a

WITH a AS (SELECT 1 AS x) SELECT * FROM a WHERE x IN (WITH c AS (SELECT 1 AS y) SELECT y FROM c)

WITH t(a, b) AS (VALUES (1, 'x'), (2, 'y')) SELECT * FROM t JOIN LATERAL (SELECT t.a + 1 AS c) s ON true

SELECT sum(CASE WHEN status = 'paid' THEN total END) AS paid, sum(CASE WHEN status = 'sent' THEN total END) AS sent, sum(CASE WHEN status NOT IN ('paid', 'sent') THEN total ELSE 0 END) AS other FROM orders

SELECT customer_id, max(CASE extract(month FROM placed_at) WHEN 1 THEN total END) AS jan, max(CASE extract(month FROM placed_at) WHEN 2 THEN total END) AS feb FROM orders GROUP BY customer_id

SELECT CASE WHEN total IS NULL THEN 'none' WHEN total BETWEEN 0 AND 10 THEN '0-10' WHEN total > 10 AND total <= 100 THEN '11-100' ELSE '100+' END AS band, count(*) FROM orders GROUP BY 1 ORDER BY min(total) NULLS FIRST

SELECT DISTINCT ON (customer_id, status) customer_id, status, total FROM orders ORDER BY customer_id, status, placed_at DESC NULLS LAST

SELECT DISTINCT customer_id, status FROM orders

SELECT count(*), count(total), count(DISTINCT (customer_id, status)) FROM orders

SELECT * FROM (VALUES (1, 'one'), (2, 'two')) AS t (n, label) JOIN orders o ON o.id = t.n

SELECT o.status, m.label FROM orders o LEFT JOIN (VALUES ('paid', 'Paid'), ('sent', 'Sent')) AS m(status, label) ON m.status = o.status

VALUES (1, 'a'), (2, 'b') ORDER BY 1 DESC LIMIT 1

SELECT '42'::int, 42::text, 3.7::integer, 'true'::boolean, '2026-01-01'::date, '10:00'::time, '{1,2}'::int[], '192.168.0.1'::inet, '12.5'::numeric(6, 2), 'a'::varchar(10), '1'::bigint, 1::real, 1::double precision, 'x'::char(3), '{}'::json

SELECT cast('1' AS smallint), cast(total AS double precision), cast(placed_at AS timestamp without time zone), cast(placed_at AS timestamp with time zone), cast('a' AS character varying(5)), int '1', float8 '1.5', numeric '1.2' FROM orders

SELECT coalesce(nullif(trim(status), ''), nullif(details ->> 'status', ''), 'unknown') FROM orders

SELECT greatest(total, 10, id), least(total, 0), nullif(total, 0), total IS NOT DISTINCT FROM 1, total NOTNULL, total ISNULL FROM orders

SELECT regexp_replace(status, '[^a-z]', '', 'gi'), regexp_match(status, '(\d+)-(\d+)'), (regexp_match(status, '([a-z]+)'))[1], substring(status from '[a-z]+'), regexp_split_to_array(status, ',') FROM orders

SELECT status ~ '^p', status ~* 'P', status !~ 'x', status !~* 'X', status LIKE 'p%', status NOT ILIKE '%X%', status SIMILAR TO '(p|s)%', status NOT SIMILAR TO 'x', status LIKE ANY (ARRAY['p%', 's%']) FROM orders

SELECT regexp_matches(status, '[a-z]', 'g') FROM orders

SELECT regexp_count(status, 'a'), regexp_like(status, '^p'), regexp_instr(status, 'a'), regexp_substr(status, '[a-z]+') FROM orders

SELECT initcap(status), lower(status), upper(status), length(status), char_length(status), octet_length(status), left(status, 2), right(status, -1), btrim(status, 'x'), ltrim(status), rtrim(status), lpad(status, 10, '.'), rpad(status, 10), translate(status, 'ab', 'xy'), split_part(status, '-', -1), strpos(status, 'a'), position('a' IN status), substr(status, 1, 2), substring(status, 2), substring(status FROM 1 FOR 2), overlay(status PLACING 'x' FROM 1 FOR 1), reverse(status), concat(status, 1, null), concat_ws('-', status, id), md5(status), ascii('a'), chr(65), starts_with(status, 'p'), status || '-' || id FROM orders

SELECT trim(LEADING 'x' FROM status), trim(TRAILING FROM status), trim(BOTH 'x' FROM status), trim(status) FROM orders

SELECT abs(-1), ceil(1.2), ceiling(1.2), floor(1.7), round(1.5), round(1.234, 2), trunc(1.9), trunc(1.29, 1), sign(-2), mod(5, 2), 5 % 2, power(2, 3), 2 ^ 3, sqrt(4), |/ 4, cbrt(8), ||/ 8, exp(1), ln(2), log(100), log(2, 8), log10(100), pi(), degrees(1), radians(1), div(7, 2), gcd(4, 6), lcm(4, 6), factorial(5), @ -1

SELECT 1 & 3, 1 | 2, 1 # 3, ~1, 1 << 2, 8 >> 1, bit_and(id), bit_or(id), bit_xor(id) FROM orders

SELECT * FROM orders ORDER BY total DESC NULLS LAST, placed_at ASC NULLS FIRST LIMIT 10 OFFSET 20

SELECT * FROM orders ORDER BY 1 OFFSET 2 ROWS FETCH NEXT 3 ROWS ONLY

SELECT * FROM orders ORDER BY total FETCH FIRST ROW ONLY

SELECT * FROM orders LIMIT ALL OFFSET 0

SELECT * FROM orders ORDER BY CASE status WHEN 'new' THEN 1 WHEN 'paid' THEN 2 ELSE 3 END, lower(status) COLLATE "C"

SELECT * FROM orders ORDER BY total USING >

SELECT customer_id FROM orders INTERSECT SELECT id FROM customers

SELECT customer_id FROM orders INTERSECT ALL SELECT id FROM customers

SELECT customer_id FROM orders EXCEPT ALL SELECT id FROM customers

(SELECT customer_id FROM orders ORDER BY total DESC LIMIT 1) UNION (SELECT id FROM customers ORDER BY id LIMIT 1)

SELECT 'orders' AS what, count(*) FROM orders UNION ALL SELECT 'customers', count(*) FROM customers UNION ALL SELECT 'odd', count(*) FROM "Odd Table" ORDER BY 2 DESC

SELECT * FROM (SELECT id FROM orders UNION SELECT id FROM customers) AS u WHERE id > 0

SELECT a.x FROM (SELECT 1 AS x) a CROSS JOIN (SELECT 2 AS y) b

SELECT o.id FROM orders AS o (id, t) WHERE o.id = 1

SELECT t.a, t.b FROM (orders JOIN customers USING (tenant)) AS t (tenant, a, b)

SELECT o.id, c.country FROM orders o JOIN customers c USING (tenant) AS k WHERE k.tenant IS NOT NULL

SELECT a.id FROM orders a JOIN orders b ON a.customer_id = b.customer_id AND a.id < b.id LEFT OUTER JOIN customers c ON c.id = a.customer_id RIGHT JOIN customers d ON d.id = c.id FULL JOIN customers e ON e.id = d.id

SELECT "o"."total" AS "Total €", "o"."status" AS "order" FROM "orders" "o"

SELECT "Größe", "日本語" FROM (SELECT 1 AS "Größe", 2 AS "日本語") AS "数"

SELECT größe FROM (SELECT 1 AS größe) t

SELECT o.status AS select_status, 1 AS "from", 2 AS "where" FROM orders o

SELECT "a b" + "select" AS "sum of both" FROM "Odd Table" AS "Very Odd"

SELECT public."Odd Table"."select" FROM public."Odd Table"

SELECT count(*) AS count, sum(total) AS sum, max(placed_at) AS max FROM orders

SELECT total AS value, status AS name, id AS key, placed_at AS timestamp FROM orders

SELECT o FROM orders o WHERE o IS NOT NULL

SELECT (o).id, (o.details ->> 'a') FROM orders o

SELECT ROW(1, 'a', NULL), (1, 2) < (1, 3), ROW(id, total) IS NULL FROM orders

SELECT count(*) FILTER (WHERE total > 10 AND status IN ('paid')) OVER (PARTITION BY customer_id) FROM orders

SELECT avg(total) FILTER (WHERE placed_at > now() - interval '7 days') AS last7, avg(total) FILTER (WHERE placed_at <= now() - interval '7 days') AS before FROM orders

SELECT every(total > 0), bool_and(total > 0), bool_or(status = 'paid') FROM orders

SELECT (placed_at, placed_at + interval '1 day') OVERLAPS (timestamptz '2026-01-01', timestamptz '2026-02-01') FROM orders

SELECT tstzrange(min(placed_at), max(placed_at)), int4range(1, 10) @> 5, daterange('2026-01-01', '2026-02-01', '[)') && daterange('2026-01-15', '2026-03-01'), lower(int4range(1, 5)), upper(int4range(1, 5)) FROM orders

SELECT to_tsvector('english', status) @@ plainto_tsquery('english', 'paid'), ts_rank(to_tsvector('simple', status), to_tsquery('simple', 'paid')) FROM orders

SELECT grouping(status) AS g, status, count(*) FROM orders GROUP BY ROLLUP (status) HAVING grouping(status) = 0 OR count(*) > 1

SELECT customer_id FROM orders GROUP BY customer_id HAVING count(*) > 1 AND sum(total) > (SELECT avg(total) FROM orders) ORDER BY sum(total) DESC

SELECT status, count(*) FROM orders WHERE NOT (status IS NULL OR status = '') GROUP BY status HAVING max(placed_at) > min(placed_at) - interval '1 day'

SELECT 1 WHERE 1 = 1 AND true IS TRUE AND false IS NOT TRUE AND NULL IS UNKNOWN

SELECT NULL::int, NULL::text IS NULL, TRUE, FALSE, 'yes'::bool

SELECT total BETWEEN SYMMETRIC 10 AND 1, total NOT BETWEEN 1 AND 10 FROM orders

SELECT -total, +total, - (total), 2 * -3, 1 - -1 FROM orders

SELECT 1.5e10, 1_000_000, 0b101, 0o17, 0xFF, .5, 5.

SELECT E'tab\there', U&'d\0061t\+000061', $tag$it's$tag$, B'1010', X'FF'

SELECT localtimestamp, localtime, current_time, current_timestamp(0), now()::date, transaction_timestamp(), statement_timestamp()

SELECT date '2026-01-01' + time '10:00', timestamp '2026-01-01 10:00' - interval '1 hour', date_trunc('hour', timestamptz '2026-01-01 10:30+02')

SELECT num_nulls(status, total), num_nonnulls(status, total), array_dims(ARRAY[1]), hashtext(status), encode('abc'::bytea, 'hex') FROM orders

SELECT o.placed_at::date AS d, c.country, count(*) AS n, rank() OVER (PARTITION BY o.placed_at::date ORDER BY count(*) DESC) AS r FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY 1, 2

SELECT * FROM (SELECT status, count(*) AS n, dense_rank() OVER (ORDER BY count(*) DESC) AS r FROM orders GROUP BY status) ranked WHERE r <= 5 ORDER BY r, status

WITH base AS (SELECT customer_id, total, placed_at FROM orders WHERE total > 0), ranked AS (SELECT *, row_number() OVER (PARTITION BY customer_id ORDER BY placed_at) AS k FROM base) SELECT a.customer_id, b.placed_at - a.placed_at AS between_orders FROM ranked a JOIN ranked b ON b.customer_id = a.customer_id AND b.k = a.k + 1

WITH p AS (SELECT customer_id, sum(total) AS t FROM orders GROUP BY 1), q AS (SELECT percentile_cont(0.8) WITHIN GROUP (ORDER BY t) AS cut FROM p) SELECT count(*) FILTER (WHERE p.t >= q.cut) AS heavy, count(*) FROM p CROSS JOIN q

WITH x AS (SELECT avg(total) AS m, stddev(total) AS s FROM orders) SELECT o.id FROM orders o, x WHERE o.total > x.m + 3 * x.s

SELECT placed_at::date, sum(total), sum(sum(total)) OVER (ORDER BY placed_at::date) FROM orders GROUP BY placed_at::date

SELECT c.country, sum(o.total) AS revenue, sum(o.total) / nullif(count(DISTINCT o.customer_id), 0) AS arpu FROM customers c LEFT JOIN orders o ON o.customer_id = c.id GROUP BY c.country ORDER BY revenue DESC NULLS LAST

SELECT a.status, b.status, count(*) FROM orders a JOIN orders b ON a.customer_id = b.customer_id AND a.id <> b.id GROUP BY 1, 2

SELECT count(*) - count(status) AS missing, count(*) - count(DISTINCT id) AS doubles, min(length(status)), max(length(status)), avg(length(status))::numeric(10, 2) FROM orders

SELECT 'total' AS column_name, count(*) FILTER (WHERE total IS NULL) AS nulls, count(DISTINCT total) AS different, min(total)::text AS least, max(total)::text AS most FROM orders UNION ALL SELECT 'status', count(*) FILTER (WHERE status IS NULL), count(DISTINCT status), min(status), max(status) FROM orders

SELECT id, tenant FROM orders WHERE tenant = 'o''hara' AND id = 1

SELECT (SELECT json_agg(t) FROM (SELECT id, total FROM orders ORDER BY id LIMIT 2) t)

SELECT xs.v FROM (SELECT 1) AS q(v), LATERAL (SELECT q.v * 2) AS xs(v)

SELECT sum(total) FILTER (WHERE extract(hour FROM placed_at) BETWEEN 8 AND 17) / nullif(sum(total), 0) AS office FROM orders

SELECT trunc(total / 100) * 100 || '-' || trunc(total / 100) * 100 + 99 FROM orders

SELECT to_char(100.0 * count(*) FILTER (WHERE status = 'paid') / nullif(count(*), 0), 'FM990.0') || '%' FROM orders

SELECT date_trunc('week', placed_at)::date AS week, status, count(*) FROM orders GROUP BY 1, status ORDER BY week, count(*) DESC

SELECT avg(x) FROM (SELECT count(*) AS x FROM orders GROUP BY customer_id) AS per_customer

SELECT array_agg(x ORDER BY x) FROM (SELECT DISTINCT total AS x FROM orders LIMIT 5) t

SELECT o.* FROM orders o WHERE o.total = (SELECT max(total) FROM orders i WHERE i.customer_id = o.customer_id)

SELECT format('%s-%s', status, id) FROM orders


SELECT * FROM orders o WHERE o.placed_at >= date_trunc('month', now()) - '1 month'::interval

SELECT count(*)::float / nullif((SELECT count(*) FROM customers), 0) FROM orders

SELECT json_agg(row_to_json(t)) FROM (SELECT status, count(*) FROM orders GROUP BY 1) t

SELECT q.* FROM (SELECT unnest(ARRAY[1, 2]) AS a, unnest(ARRAY['x', 'y']) AS b) q

SELECT string_agg(format('%s:%s', status, total), ',') FROM orders

SELECT regexp_replace(status, E'\\s+', ' ', 'g') FROM orders

SELECT xs FROM jsonb_array_elements_text('["a"]'::jsonb) xs

SELECT * FROM jsonb_each_text('{"a": 1}') AS kv(k, v)

SELECT *, row_number() OVER () FROM orders

SELECT date_part('year', age(now(), min(placed_at))) FROM orders

SELECT justify_interval(max(placed_at) - min(placed_at)) FROM orders

SELECT (extract(year FROM placed_at) || '-Q' || extract(quarter FROM placed_at)) AS q FROM orders

SELECT to_char(placed_at, 'IYYY-"W"IW'), to_char(interval '1 hour', 'HH24:MI') FROM orders

SELECT least(1, 2, 3), greatest('a', 'b'), nullif('', ''), coalesce(NULL, NULL, 1)

SELECT sum(total) AS "Sum (€)", avg(total) AS "Ø" FROM orders

SELECT pg_typeof(total) FROM orders LIMIT 1

SELECT total::text::numeric::int, (total)::int4, total::decimal(12, 4), status::varchar, placed_at::timestamp(0), placed_at::timestamptz FROM orders

SELECT 'a' || 'b' || 1, 'x' LIKE 'x%' ESCAPE '\', 'a' < 'b' COLLATE "de-x-icu"

SELECT CAST(details ->> 'n' AS int), (details -> 'a')::text, details::text LIKE '%x%' FROM orders

SELECT id FROM orders WHERE id IN (1, 2, 3) OR id = ANY('{4,5}') OR (id, customer_id) IN ((1, 2), (3, 4))

SELECT * FROM customers c JOIN LATERAL (SELECT * FROM orders o WHERE o.customer_id = c.id ORDER BY total DESC LIMIT 3) top3 ON TRUE

SELECT a.*, b.* FROM orders a JOIN orders b ON b.placed_at BETWEEN a.placed_at AND a.placed_at + interval '7 days'

SELECT max(total) FILTER (WHERE rn = 1) FROM (SELECT total, row_number() OVER (PARTITION BY status ORDER BY total) rn FROM orders) z

SELECT round((sum(total) / 1000)::numeric, 1) || 'k' FROM orders

SELECT bool_or(total > 1), count(*) = 0 FROM orders HAVING count(*) > 0

SELECT DISTINCT first_value(status) OVER (PARTITION BY customer_id ORDER BY placed_at DESC) FROM orders

SELECT array_agg(DISTINCT customer_id) FILTER (WHERE total > 10), array_length(array_agg(id), 1) FROM orders

SELECT t.month, t.n, t.n - lag(t.n, 12) OVER (ORDER BY t.month) FROM (SELECT date_trunc('month', placed_at) AS month, count(*) AS n FROM orders GROUP BY 1) t

SELECT substring(status FROM '#"%#"_' FOR '#'), substring(status SIMILAR '%' ESCAPE '#') FROM orders

SELECT row_number() OVER (ORDER BY sum(total) DESC NULLS LAST), customer_id FROM orders GROUP BY customer_id

SELECT ts.day::date, (SELECT count(*) FROM orders o WHERE o.placed_at::date <= ts.day) FROM generate_series(now() - interval '6 days', now(), interval '1 day') AS ts(day)

SELECT count(*) FROM orders GROUP BY ()

SELECT json_build_object('a', (SELECT count(*) FROM orders)), '{"a":[1,2]}'::json #>> '{a,0}'

SELECT (SELECT ARRAY[1, 2])[1], (ARRAY[[1, 2], [3, 4]])[2][1], ('{a,b}'::text[])[2]

SELECT EXTRACT(DAY FROM now() - placed_at), EXTRACT(MILLISECONDS FROM placed_at), EXTRACT(DOY FROM placed_at), EXTRACT('year' FROM placed_at) FROM orders

SELECT ROW_NUMBER() OVER w, SUM(total) OVER w FROM orders WINDOW w AS (PARTITION BY status ORDER BY placed_at), v AS (w)

SELECT NULLIF(regexp_replace(status, '\D', '', 'g'), '')::int FROM orders

SELECT make_date(extract(year FROM placed_at)::int, extract(month FROM placed_at)::int, 1) FROM orders

SELECT * FROM orders AS o(a, b, c) ORDER BY a

SELECT c.country, COUNT(*) FILTER (WHERE o.id IS NULL) FROM customers c LEFT JOIN orders o ON o.customer_id = c.id AND o.placed_at > '2026-01-01' GROUP BY 1

SELECT md5(id::text), hashtext(status) % 10, sha256(status::bytea), encode(sha256('a'), 'hex') FROM orders

SELECT cube_root FROM (SELECT cbrt(27) AS cube_root) t

SELECT x, count(*) FROM (SELECT jsonb_typeof(details) AS x FROM orders) t GROUP BY x

SELECT min(placed_at) AT TIME ZONE 'UTC' AT TIME ZONE 'America/New_York', timezone('UTC', now()) FROM orders

SELECT inet '10.0.0.1' << inet '10.0.0.0/8', host(inet '10.0.0.1/24'), network('10.0.0.0/8'::cidr)

SELECT int8range(min(id), max(id)), numrange(1, 2) * numrange(1, 3), upper_inf(tsrange(NULL, NULL)) FROM orders

SELECT overlay('abc' placing 'x' from 2), quote_literal(status), to_hex(255), trim(both from status), bit_length(status) FROM orders

SELECT id FROM orders WHERE status IN ('a') IS NOT TRUE AND (total IS NULL) = false

