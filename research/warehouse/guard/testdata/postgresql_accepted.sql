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


SELECT * FROM orders TABLESAMPLE system (10)

WITH RECURSIVE t(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM t WHERE a < 5) SEARCH DEPTH FIRST BY a SET o SELECT * FROM t

SELECT count(*) FROM orders o

SELECT COUNT(DISTINCT o.customer_id) FROM orders o

SELECT sum(o.total) FILTER (WHERE o.status = 'paid') FROM orders o

SELECT round(avg(o.total)::numeric, 2) FROM orders o

SELECT date_trunc('month', o.placed_at) FROM orders o

SELECT date_trunc('week', o.placed_at AT TIME ZONE 'UTC' AT TIME ZONE 'Europe/Berlin')::date FROM orders o

SELECT date_trunc('day', o.placed_at, 'America/New_York') FROM orders o

SELECT extract(epoch FROM (now() - o.placed_at)) / 86400 FROM orders o

SELECT EXTRACT(isodow FROM o.placed_at) FROM orders o

SELECT date_part('quarter', o.placed_at) FROM orders o

SELECT to_char(o.placed_at, 'YYYY-MM') FROM orders o

SELECT to_char(o.total, 'FM999,999,990.00') FROM orders o

SELECT age(now(), o.placed_at) FROM orders o

SELECT o.placed_at - INTERVAL '7 days' FROM orders o

SELECT o.placed_at + interval '1' day FROM orders o

SELECT o.placed_at + make_interval(days => 30) FROM orders o

SELECT CURRENT_DATE - 30 FROM orders o

SELECT current_timestamp(0) FROM orders o

SELECT LOCALTIMESTAMP FROM orders o

SELECT now()::date - o.placed_at::date FROM orders o

SELECT DATE '2024-01-01' + 7 FROM orders o

SELECT timestamp '2024-01-01 00:00:00' FROM orders o

SELECT TIMESTAMP WITH TIME ZONE '2024-01-01 00:00:00+00' FROM orders o

SELECT (date '2024-01-31' + interval '1 month')::date FROM orders o

SELECT date_bin('15 minutes', o.placed_at, timestamptz '2001-01-01') FROM orders o

SELECT to_timestamp(1700000000) FROM orders o

SELECT to_date('2024-05', 'YYYY-MM') FROM orders o

SELECT make_date(2024, 1, 1) FROM orders o

SELECT justify_days(interval '65 days') FROM orders o

SELECT (o.placed_at, interval '1 day') OVERLAPS (now(), now() + interval '1 day') FROM orders o

SELECT isfinite(o.placed_at) FROM orders o

SELECT timezone('UTC', o.placed_at) FROM orders o

SELECT CASE WHEN o.total > 100 THEN 'high' WHEN o.total > 10 THEN 'mid' ELSE 'low' END FROM orders o

SELECT CASE o.status WHEN 'paid' THEN 1 ELSE 0 END FROM orders o

SELECT coalesce(o.status, 'unknown', '') FROM orders o

SELECT NULLIF(o.total, 0) FROM orders o

SELECT GREATEST(o.total, 0) FROM orders o

SELECT LEAST(o.total, 100) FROM orders o

SELECT o.details->'a'->>'b' FROM orders o

SELECT o.details #>> '{a,b}' FROM orders o

SELECT o.details @> '{"a": 1}'::jsonb FROM orders o

SELECT o.details ? 'a' FROM orders o

SELECT o.details ?| array['a','b'] FROM orders o

SELECT jsonb_path_query_first(o.details, '$.a.b') FROM orders o

SELECT jsonb_path_exists(o.details, '$.items[*] ? (@.price > $min)', '{"min": 10}') FROM orders o

SELECT o.details @? '$.a' FROM orders o

SELECT o.details @@ '$.a == 1' FROM orders o

SELECT jsonb_typeof(o.details->'a') FROM orders o

SELECT jsonb_array_length(o.details->'items') FROM orders o

SELECT (o.details->>'n')::int FROM orders o

SELECT (o.details->'a'->>'n')::numeric(10,2) FROM orders o

SELECT o.details['a']['b'] FROM orders o

SELECT jsonb_build_object('id', o.id, 'total', o.total) FROM orders o

SELECT to_jsonb(o.details) FROM orders o

SELECT jsonb_set(o.details, '{a}', '1') FROM orders o

SELECT jsonb_strip_nulls(o.details) FROM orders o

SELECT o.details - 'a' FROM orders o

SELECT o.details || '{"x": 1}'::jsonb FROM orders o

SELECT cast(o.id as text) FROM orders o

SELECT CAST(o.total AS double precision) FROM orders o

SELECT o.total::float8 FROM orders o

SELECT o.id::varchar(20) FROM orders o

SELECT o.status::char(3) FROM orders o

SELECT '123'::bigint FROM orders o

SELECT 'true'::boolean FROM orders o

SELECT '{1,2,3}'::int[] FROM orders o

SELECT ARRAY[1,2,3]::numeric[] FROM orders o

SELECT o.status::name FROM orders o

SELECT '10.0.0.1'::inet FROM orders o

SELECT '00000000-0000-0000-0000-000000000000'::uuid FROM orders o

SELECT '12:30'::time FROM orders o

SELECT B'101'::bit(3) FROM orders o

SELECT upper(o.status) || ' ' || lower(o.status) FROM orders o

SELECT concat_ws('-', o.id, o.status) FROM orders o

SELECT substring(o.status FROM 1 FOR 3) FROM orders o

SELECT substring(o.status from '[a-z]+') FROM orders o

SELECT SUBSTRING(o.status, 2) FROM orders o

SELECT substr(o.status, 1, 2) FROM orders o

SELECT trim(both ' ' from o.status) FROM orders o

SELECT TRIM(o.status) FROM orders o

SELECT trim(LEADING '0' FROM o.status) FROM orders o

SELECT ltrim(o.status, 'p') FROM orders o

SELECT rtrim(o.status) FROM orders o

SELECT btrim(o.status) FROM orders o

SELECT left(o.status, 2) || right(o.status, 2) FROM orders o

SELECT position('a' in o.status) FROM orders o

SELECT strpos(o.status, 'a') FROM orders o

SELECT overlay(o.status placing 'xx' from 2 for 2) FROM orders o

SELECT split_part(o.status, '@', 2) FROM orders o

SELECT regexp_replace(o.status, '\s+', ' ', 'g') FROM orders o

SELECT regexp_match(o.status, '(\d+)') FROM orders o

SELECT (regexp_match(o.status, '(\d+)'))[1] FROM orders o

SELECT regexp_split_to_array(o.status, ',') FROM orders o

SELECT o.status ~* '^pa' AND o.status !~ 'x$' FROM orders o

SELECT o.status LIKE 'p%' OR o.status ILIKE '%A%' OR o.status NOT LIKE '_x' FROM orders o

SELECT o.status LIKE '10\%' ESCAPE '\' FROM orders o

SELECT o.status SIMILAR TO '(paid|sent)%' FROM orders o

SELECT initcap(replace(o.status, '_', ' ')) FROM orders o

SELECT translate(o.status, 'abc', 'xyz') FROM orders o

SELECT reverse(o.status) FROM orders o

SELECT lpad(o.id::text, 8, '0') FROM orders o

SELECT rpad(o.status, 10) FROM orders o

SELECT repeat('*', 5) FROM orders o

SELECT length(o.status) FROM orders o

SELECT char_length(o.status) FROM orders o

SELECT octet_length(o.status) FROM orders o

SELECT md5(o.status) FROM orders o

SELECT encode(sha256(o.status::bytea), 'hex') FROM orders o

SELECT ascii('a') FROM orders o

SELECT chr(65) FROM orders o

SELECT format('%s (%s)', o.status, o.id) FROM orders o

SELECT quote_literal(o.status) FROM orders o

SELECT E'tab\t' || o.status FROM orders o

SELECT $$it's$$ || o.status FROM orders o

SELECT U&'\0041' FROM orders o

SELECT ceil(o.total) FROM orders o

SELECT floor(o.total) FROM orders o

SELECT trunc(o.total, 1) FROM orders o

SELECT sign(o.total) FROM orders o

SELECT abs(o.total) FROM orders o

SELECT o.id % 2 = 0 FROM orders o

SELECT mod(o.id, 2) FROM orders o

SELECT power(o.total, 2) FROM orders o

SELECT sqrt(abs(o.total)) FROM orders o

SELECT ln(o.total + 1) FROM orders o

SELECT log(10, 100) FROM orders o

SELECT exp(1) FROM orders o

SELECT pi() FROM orders o

SELECT o.total ^ 2 FROM orders o

SELECT |/ 25.0 FROM orders o

SELECT width_bucket(o.total, 0, 1000, 10) FROM orders o

SELECT width_bucket(o.total, ARRAY[0, 10, 100]) FROM orders o

SELECT random_normal IS NULL FROM (SELECT 1 AS random_normal) z, orders o

SELECT o.id BETWEEN 1 AND 10 AND o.total NOT BETWEEN SYMMETRIC 5 AND 1 FROM orders o

SELECT o.status IN ('paid', 'sent') FROM orders o

SELECT o.status = ANY (ARRAY['paid','sent']) FROM orders o

SELECT o.status = ANY ('{paid,sent}'::text[]) FROM orders o

SELECT o.id <> ALL (ARRAY[1,2]) FROM orders o

SELECT o.total IS DISTINCT FROM 10 FROM orders o

SELECT o.status IS NOT NULL AND (o.total > 5) IS TRUE FROM orders o

SELECT NOT (o.status = 'paid') FROM orders o

SELECT (o.id, o.total) = (1, 10) FROM orders o

SELECT (o.id, o.customer_id) IN ((1,1),(2,2)) FROM orders o

SELECT row(o.id, o.total) < row(5, 5) FROM orders o

SELECT exists (select 1 from customers c where c.id = o.customer_id) FROM orders o

SELECT (select country from customers c where c.id = o.customer_id limit 1) FROM orders o

SELECT o.customer_id IN (SELECT id FROM customers WHERE country = 'DE') FROM orders o

SELECT o.customer_id NOT IN (SELECT id FROM customers) FROM orders o

SELECT o.total > ALL (SELECT 5) FROM orders o

SELECT o.total >= SOME (SELECT 5) FROM orders o

SELECT ARRAY(SELECT c.id FROM customers c ORDER BY 1) FROM orders o

SELECT row_number() over (partition by o.customer_id order by o.placed_at desc) FROM orders o

SELECT rank() over w, dense_rank() over w from orders o window w as (partition by o.status order by o.total desc nulls last)

SELECT SUM(o.total) OVER (ORDER BY o.placed_at ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM orders o

SELECT avg(o.total) OVER (ORDER BY o.placed_at ROWS 6 PRECEDING) FROM orders o

SELECT sum(o.total) OVER (ORDER BY o.placed_at RANGE BETWEEN INTERVAL '7 days' PRECEDING AND CURRENT ROW) FROM orders o

SELECT count(*) OVER (ORDER BY o.total GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE CURRENT ROW) FROM orders o

SELECT count(*) over () FROM orders o

SELECT lag(o.total, 1, 0::numeric) over (order by o.id) FROM orders o

SELECT LEAD(o.total) OVER (PARTITION BY o.status ORDER BY o.id) FROM orders o

SELECT first_value(o.total) over (order by o.id) FROM orders o

SELECT last_value(o.total) over (order by o.id rows between unbounded preceding and unbounded following) FROM orders o

SELECT nth_value(o.total, 2) over (order by o.id) FROM orders o

SELECT ntile(4) over (order by o.total) FROM orders o

SELECT percent_rank() over (order by o.total) FROM orders o

SELECT cume_dist() over (order by o.total) FROM orders o

SELECT sum(sum(o.total)) over (order by date_trunc('day', max(o.placed_at))) FROM orders o

SELECT o.total - lag(o.total) over w as diff from orders o window w as (order by o.placed_at)

SELECT percentile_cont(0.5) within group (order by o.total) FROM orders o

SELECT percentile_disc(array[0.25, 0.5, 0.75]) WITHIN GROUP (ORDER BY o.total) FROM orders o

SELECT mode() within group (order by o.status) FROM orders o

SELECT string_agg(DISTINCT o.status, ', ' ORDER BY o.status) FROM orders o

SELECT array_agg(o.id ORDER BY o.total DESC) FROM orders o

SELECT (array_agg(o.id ORDER BY o.placed_at))[1] FROM orders o

SELECT json_agg(json_build_object('id', o.id)) FROM orders o

SELECT jsonb_object_agg(o.id, o.total) FROM orders o

SELECT bool_or(o.total > 5) FROM orders o

SELECT bool_and(o.total > 5) FROM orders o

SELECT every(o.total > 5) FROM orders o

SELECT stddev_pop(o.total) FROM orders o

SELECT variance(o.total) FROM orders o

SELECT corr(o.total, o.id) FROM orders o

SELECT covar_samp(o.total, o.id) FROM orders o

SELECT regr_slope(o.total, o.id) FROM orders o

SELECT bit_or(o.id::int) FROM orders o

SELECT array_to_string(array_agg(o.status), ',') FROM orders o

SELECT array_length(array[1,2], 1) FROM orders o

SELECT cardinality(array[1,2]) FROM orders o

SELECT 'a' = ANY(string_to_array('a,b', ',')) FROM orders o

SELECT array_position(array['a','b'], 'b') FROM orders o

SELECT array[1,2] && array[2,3] FROM orders o

SELECT array[1,2] @> array[1] FROM orders o

SELECT unnest(array[1,2,3]) FROM orders o

SELECT generate_series(1, 3) FROM orders o

SELECT int4range(1, 10) @> 5 FROM orders o

SELECT daterange('2024-01-01', '2024-02-01', '[)') && daterange('2024-01-15', '2024-03-01') FROM orders o

SELECT tstzrange(o.placed_at, now()) IS NULL FROM orders o

SELECT to_tsvector('english', o.status) @@ plainto_tsquery('english', 'paid') FROM orders o

SELECT ts_rank(to_tsvector(o.status), to_tsquery('paid')) FROM orders o

SELECT o.status COLLATE "C" < 'x' FROM orders o

SELECT num_nulls(o.total, o.status) FROM orders o

SELECT pg_typeof(o.total) FROM orders o

SELECT set_bit IS NULL from (values (1)) v(set_bit)

SELECT percentile_cont(0.9) within group (order by extract(epoch from o.placed_at)) filter (where o.total > 0) FROM orders o

SELECT round((100.0 * count(*) filter (where o.status = 'paid') / nullif(count(*), 0))::numeric, 1) FROM orders o

SELECT 100.0 * count(*) / sum(count(*)) over () FROM orders o

SELECT inet '10.1.2.3' << inet '10.0.0.0/8' FROM orders o

SELECT 1e3 FROM orders o

SELECT .5 FROM orders o

SELECT 0x1F FROM orders o

SELECT 1_000 FROM orders o

SELECT -1 FROM orders o

SELECT +1 FROM orders o

SELECT true AND false OR unknown FROM (SELECT NULL::bool AS unknown) n

SELECT (o).total FROM orders o

SELECT o.* FROM orders o

SELECT o.total AS "Total (€)" FROM orders o

SELECT o.total total_amount FROM orders o

SELECT o.status AS "user" FROM orders o

SELECT gcd(12, 18) FROM orders o

SELECT lcm(2, 3) FROM orders o

SELECT factorial(5) FROM orders o

SELECT div(7, 2) FROM orders o

SELECT cbrt(27) FROM orders o

SELECT degrees(1) FROM orders o

SELECT atan2(1, 1) FROM orders o

SELECT nullif(trim(o.status), '')::text FROM orders o

SELECT json_extract_path_text('{"a":1}'::json, 'a') FROM orders o

SELECT make_timestamp(2024, 1, 1, 0, 0, 0) FROM orders o

SELECT to_char(o.placed_at, 'Day') || to_char(o.placed_at, 'IYYY-"W"IW') FROM orders o

SELECT date_part('year', age(o.placed_at)) FROM orders o

SELECT o.placed_at::date::text FROM orders o

SELECT o.placed_at >= date_trunc('month', current_date) - interval '1 month' and o.placed_at < date_trunc('month', current_date) FROM orders o

SELECT extract(day from date_trunc('month', o.placed_at) + interval '1 month - 1 day') FROM orders o

SELECT (extract(year from o.placed_at) || '-01-01')::date FROM orders o

SELECT interval '1 year 2 months 3 days' FROM orders o

SELECT interval '01:30:00' FROM orders o

SELECT INTERVAL '90' MINUTE FROM orders o

SELECT interval '1-2' year to month FROM orders o

SELECT '1 day'::interval * 3 FROM orders o

SELECT to_number('12,454.8-', '99G999D9S') FROM orders o

SELECT sum(case when o.status='paid' then 1 else 0 end)::float / count(*) FROM orders o

SELECT max(o.placed_at)::date FROM orders o

SELECT min(o.placed_at) FROM orders o

SELECT json_array_elements_text('["a"]') FROM orders o

SELECT normalize('a', NFC) IS NORMALIZED FROM orders o

SELECT regexp_count(o.status, 'a') FROM orders o

SELECT regexp_substr(o.status, 'a+') FROM orders o

SELECT regexp_like(o.status, '^p') FROM orders o

SELECT jsonb_agg(o.details) -> 0 FROM orders o

SELECT cast(null as text) FROM orders o

SELECT cast('a' as varchar) FROM orders o

SELECT null::int FROM orders o

SELECT o.id::int::bool FROM orders o

SELECT o.total::money FROM orders o

SELECT o.total::real FROM orders o

SELECT o.total::smallint FROM orders o

SELECT o.total::dec(5,1) FROM orders o

SELECT extract('month' from o.placed_at) FROM orders o

SELECT percentile_cont(0.5) within group (order by o.total desc) FROM orders o

SELECT grouping(o.status), o.status, count(*) from orders o group by rollup(o.status)

SELECT hashtext(o.status) % 10 FROM orders o

SELECT current_date FROM orders o

SELECT date_trunc('hour', o.placed_at) + (extract(minute from o.placed_at)::int / 15) * interval '15 min' FROM orders o

SELECT btrim(to_char(o.total, '999D99')) FROM orders o

SELECT setseed IS NULL FROM (SELECT 1 setseed) q

select * from sales.orders limit 10;

SELECT * FROM "sales"."orders" LIMIT 100

SELECT "orders"."id", "orders"."total" FROM "sales"."orders" WHERE "orders"."status" = 'paid' ORDER BY "orders"."total" DESC LIMIT 5

SELECT date_trunc('month', placed_at) AS month, SUM(total) AS revenue FROM orders GROUP BY 1 ORDER BY 1;

/* Metabase:: userID: 1 queryType: native */ SELECT count(*) AS "count" FROM "sales"."orders" "source"

SELECT "source"."status" AS "status", COUNT(*) AS "count" FROM (SELECT "sales"."orders"."id" AS "id", "sales"."orders"."status" AS "status" FROM "sales"."orders") AS "source" GROUP BY "source"."status" ORDER BY "source"."status" ASC

SELECT CAST(DATE_TRUNC('month', "sales"."orders"."placed_at") AS date) AS "placed_at", SUM("sales"."orders"."total") AS "sum" FROM "sales"."orders" WHERE ("sales"."orders"."placed_at" >= DATE_TRUNC('month', (NOW() + INTERVAL '-12 month'))) AND ("sales"."orders"."placed_at" < DATE_TRUNC('month', NOW())) GROUP BY CAST(DATE_TRUNC('month', "sales"."orders"."placed_at") AS date) ORDER BY CAST(DATE_TRUNC('month', "sales"."orders"."placed_at") AS date) ASC

SELECT (TO_CHAR(DATE_TRUNC('month', orders.placed_at), 'YYYY-MM')) AS "orders.placed_month", COALESCE(SUM(orders.total), 0) AS "orders.total" FROM sales.orders AS orders LEFT JOIN sales.customers AS customers ON orders.customer_id = customers.id WHERE ((( orders.placed_at ) >= ((SELECT (DATE_TRUNC('month', DATE_TRUNC('day', CURRENT_TIMESTAMP)) + (-5 || ' month')::INTERVAL))))) GROUP BY (DATE_TRUNC('month', orders.placed_at)) ORDER BY 1 DESC FETCH NEXT 500 ROWS ONLY

with source as (select * from sales.orders), renamed as (select id as order_id, customer_id, total as amount, status from source) select * from renamed

with orders as (select * from sales.orders), customers as (select * from sales.customers), final as (select c.id, count(o.id) as n from customers c left join orders o on o.customer_id = c.id group by 1) select * from final

SELECT DATE_TRUNC('day', placed_at) AS __timestamp, status AS status, sum(total) AS "SUM(total)" FROM sales.orders JOIN (SELECT status AS status__, sum(total) AS mme_inner__ FROM sales.orders GROUP BY status ORDER BY mme_inner__ DESC LIMIT 10) AS series_limit ON status = status__ GROUP BY DATE_TRUNC('day', placed_at), status LIMIT 10000

SELECT c.country, COUNT(DISTINCT o.id) AS orders, SUM(oi.quantity * oi.unit_price * (1 - oi.discount)) AS net FROM customers c JOIN orders o ON o.customer_id = c.id JOIN order_items oi ON oi.order_id = o.id GROUP BY c.country HAVING SUM(oi.quantity) > 0 ORDER BY net DESC NULLS LAST

SELECT * FROM orders o JOIN payments p USING (tenant)

SELECT a.id, b.id FROM orders a, orders b WHERE a.customer_id = b.customer_id AND a.id < b.id

SELECT DISTINCT ON (customer_id) customer_id, placed_at, total FROM orders ORDER BY customer_id, placed_at DESC

SELECT status, country, SUM(total) FROM orders JOIN customers c ON c.id = customer_id GROUP BY GROUPING SETS ((status, country), (status), ())

SELECT status, date_trunc('month', placed_at), SUM(total) FROM orders GROUP BY ROLLUP (1, 2)

SELECT status, customer_id, count(*) FROM orders GROUP BY CUBE (status, customer_id), GROUPING SETS ((), (status))

SELECT * FROM orders o LEFT JOIN LATERAL (SELECT p.* FROM payments p WHERE p.order_id = o.id ORDER BY p.paid_at DESC LIMIT 1) last_payment ON true

SELECT o.id, t.key, t.value FROM orders o CROSS JOIN LATERAL jsonb_each(o.details) AS t(key, value)

SELECT o.id, x.sku, x.qty FROM orders o, jsonb_to_recordset(o.details->'items') AS x(sku text, qty int)

SELECT p.name, tag FROM products p, unnest(p.tags) AS tag

SELECT p.name, t.tag, t.ord FROM products p CROSS JOIN LATERAL unnest(p.tags) WITH ORDINALITY AS t(tag, ord)

WITH RECURSIVE tree AS (SELECT id, parent_id, name, 1 AS depth FROM categories WHERE parent_id IS NULL UNION ALL SELECT c.id, c.parent_id, c.name, t.depth + 1 FROM categories c JOIN tree t ON c.parent_id = t.id WHERE t.depth < 10) SELECT * FROM tree

WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 12) SELECT i FROM n

WITH RECURSIVE chain AS (SELECT id, manager_id, name, ARRAY[id] AS path FROM employees WHERE manager_id IS NULL UNION SELECT e.id, e.manager_id, e.name, path || e.id FROM employees e INNER JOIN chain ON chain.id = e.manager_id WHERE NOT e.id = ANY(path)) SELECT name, array_length(path, 1) FROM chain

WITH RECURSIVE t AS (SELECT id, parent_id FROM categories WHERE parent_id IS NULL UNION ALL SELECT c.id, c.parent_id FROM categories c JOIN t ON t.id = c.parent_id) SEARCH DEPTH FIRST BY id SET ord SELECT * FROM t ORDER BY ord

WITH RECURSIVE t AS (SELECT id, parent_id FROM categories WHERE parent_id IS NULL UNION ALL SELECT c.id, c.parent_id FROM categories c JOIN t ON t.id = c.parent_id) CYCLE id SET is_cycle USING path SELECT * FROM t

SELECT d::date AS day, COALESCE(SUM(o.total), 0) AS revenue FROM generate_series('2024-01-01'::date, '2024-12-31'::date, '1 day') AS d LEFT JOIN orders o ON o.placed_at::date = d::date GROUP BY d ORDER BY d

SELECT g.month, count(o.id) FROM generate_series(date_trunc('year', now()), now(), interval '1 month') AS g(month) LEFT JOIN orders o ON date_trunc('month', o.placed_at) = g.month GROUP BY g.month

WITH cohort AS (SELECT user_id, MIN(date_trunc('month', occurred_at)) AS cohort_month FROM events GROUP BY user_id), activity AS (SELECT e.user_id, c.cohort_month, (EXTRACT(YEAR FROM e.occurred_at) - EXTRACT(YEAR FROM c.cohort_month)) * 12 + EXTRACT(MONTH FROM e.occurred_at) - EXTRACT(MONTH FROM c.cohort_month) AS month_number FROM events e JOIN cohort c USING (user_id)) SELECT cohort_month, month_number, COUNT(DISTINCT user_id) FROM activity GROUP BY 1, 2 ORDER BY 1, 2

WITH steps AS (SELECT user_id, MIN(occurred_at) FILTER (WHERE name = 'view') AS viewed, MIN(occurred_at) FILTER (WHERE name = 'cart') AS carted, MIN(occurred_at) FILTER (WHERE name = 'buy') AS bought FROM events GROUP BY user_id) SELECT COUNT(viewed), COUNT(*) FILTER (WHERE carted > viewed), COUNT(*) FILTER (WHERE bought > carted) FROM steps

WITH marked AS (SELECT *, CASE WHEN occurred_at - LAG(occurred_at) OVER (PARTITION BY user_id ORDER BY occurred_at) > INTERVAL '30 minutes' THEN 1 ELSE 0 END AS new_session FROM events) SELECT user_id, SUM(new_session) OVER (PARTITION BY user_id ORDER BY occurred_at) AS session_no FROM marked

SELECT user_id, MIN(day), MAX(day), COUNT(*) FROM (SELECT user_id, occurred_at::date AS day, occurred_at::date - (ROW_NUMBER() OVER (PARTITION BY user_id ORDER BY occurred_at::date))::int AS grp FROM events) islands GROUP BY user_id, grp HAVING COUNT(*) >= 3

SELECT id FROM orders UNION SELECT order_id FROM payments

(SELECT id FROM orders ORDER BY total DESC LIMIT 5) UNION ALL (SELECT id FROM orders ORDER BY total LIMIT 5)

SELECT id FROM customers EXCEPT ALL SELECT customer_id FROM orders ORDER BY 1 LIMIT 10

SELECT v.label, COUNT(o.id) FROM (VALUES ('low', 0, 100), ('high', 100, 1000000)) AS v(label, lo, hi) LEFT JOIN orders o ON o.total >= v.lo AND o.total < v.hi GROUP BY v.label

VALUES (1, 'a'), (2, 'b')

SELECT * FROM orders OFFSET 5 ROWS FETCH FIRST 10 ROWS ONLY

SELECT * FROM orders ORDER BY total DESC FETCH FIRST 3 ROWS WITH TIES

SELECT * FROM orders TABLESAMPLE BERNOULLI (10)

SELECT count(*) FROM orders TABLESAMPLE SYSTEM (1) REPEATABLE (42)

SELECT * FROM products p TABLESAMPLE BERNOULLI (5) WHERE p.price > 1

SELECT "Page URL", "Visits" FROM "WebTraffic" ORDER BY "Visits" DESC

SELECT w."Page URL", sum(w."Visits") FROM public."WebTraffic" AS w GROUP BY w."Page URL"

SELECT "a b", "select" FROM "Odd Table"

SELECT u.full_name, m.full_name AS manager FROM users u LEFT JOIN users m ON m.id = u.manager_id

SELECT department, name, salary, rank() OVER (PARTITION BY department ORDER BY salary DESC) FROM employees

SELECT * FROM (SELECT e.*, ROW_NUMBER() OVER (PARTITION BY department ORDER BY salary DESC) AS rn FROM employees e) t WHERE rn <= 3

SELECT name FROM employees e WHERE salary > (SELECT AVG(salary) FROM employees WHERE department = e.department)

SELECT p.category, SUM(oi.quantity) FROM order_items oi INNER JOIN products p ON p.id = oi.product_id WHERE p.category IS NOT NULL GROUP BY p.category ORDER BY 2 DESC, 1 ASC

SELECT date_trunc('month', d)::date AS month, SUM(s.mrr) FROM subscriptions s CROSS JOIN LATERAL generate_series(s.started_on, COALESCE(s.ended_on, CURRENT_DATE), '1 month') d GROUP BY 1

SELECT m.day, COUNT(*) FILTER (WHERE s.started_on <= m.day AND (s.ended_on IS NULL OR s.ended_on > m.day)) FROM calendar m, subscriptions s GROUP BY m.day

SELECT o.* FROM orders AS o WHERE o.id IN (SELECT oi.order_id FROM order_items AS oi GROUP BY oi.order_id HAVING COUNT(*) > 3)

SELECT * FROM orders WHERE placed_at >= '2024-01-01' AND placed_at < '2024-01-01'::date + INTERVAL '1 MONTH' AND status != 'cancelled' AND status <> 'void'

SELECT COUNT(*), COUNT(status), COUNT(DISTINCT (customer_id, status)) FROM orders

SELECT ALL status FROM orders

SELECT status FROM orders GROUP BY status HAVING COUNT(*) > 1 AND AVG(total) > 10

SELECT EXTRACT(HOUR FROM occurred_at) AS hour, COUNT(*) FROM events GROUP BY hour ORDER BY hour

SELECT properties->>'browser' AS browser, COUNT(*) FROM events WHERE properties ? 'browser' GROUP BY 1 ORDER BY 2 DESC LIMIT 20

SELECT key, COUNT(*) FROM events, LATERAL jsonb_object_keys(properties) AS key GROUP BY key

SELECT device, PERCENTILE_CONT(0.95) WITHIN GROUP (ORDER BY EXTRACT(EPOCH FROM ended_at - started_at)) AS p95 FROM sessions GROUP BY device

SELECT device, avg(ended_at - started_at) FROM sessions GROUP BY device

SELECT host(ip), masklen(ip), COUNT(*) FROM sessions GROUP BY 1, 2

SELECT x.n FROM generate_series(1, 10) AS x(n)

SELECT n, n * n FROM generate_series(0, 100, 10) n

SELECT * FROM ROWS FROM (generate_series(1, 3), unnest(ARRAY['a','b','c'])) AS t(a, b)

SELECT * FROM unnest(ARRAY[1,2], ARRAY['a','b']) AS t(id, label)

SELECT * FROM orders o FULL OUTER JOIN payments p ON p.order_id = o.id WHERE o.id IS NULL OR p.id IS NULL

SELECT * FROM orders CROSS JOIN calendar

SELECT * FROM (orders o JOIN customers c ON c.id = o.customer_id) LEFT JOIN payments p ON p.order_id = o.id

SELECT * FROM orders o JOIN (payments p JOIN customers c ON true) ON p.order_id = o.id

SELECT t.* FROM (SELECT 1 AS a, 2 AS b) AS t

SELECT 1 AS one, 'two' AS two, NULL AS three, TRUE

SELECT now()

SELECT CURRENT_DATE, CURRENT_TIMESTAMP, LOCALTIME

WITH a AS MATERIALIZED (SELECT * FROM orders), b AS NOT MATERIALIZED (SELECT * FROM a) SELECT count(*) FROM b

WITH totals(customer, amount) AS (SELECT customer_id, SUM(total) FROM orders GROUP BY customer_id) SELECT customer, amount, NTILE(10) OVER (ORDER BY amount DESC) AS decile FROM totals

WITH t AS (SELECT 1 AS x), u AS (SELECT x + 1 AS y FROM t) SELECT (SELECT y FROM u) AS y, * FROM t

SELECT c.id FROM customers c WHERE NOT EXISTS (SELECT FROM orders o WHERE o.customer_id = c.id)

SELECT SUM(total) / COUNT(DISTINCT customer_id)::numeric AS arpu FROM orders WHERE placed_at > now() - '30 days'::interval

SELECT customer_id, array_agg(DISTINCT status ORDER BY status) FROM orders GROUP BY customer_id

SELECT json_build_object('rows', json_agg(t)) FROM (SELECT id, total FROM orders LIMIT 5) t

SELECT row_to_json(t) FROM (SELECT id FROM orders) t

SELECT jsonb_pretty(jsonb_agg(to_jsonb(o))) FROM orders o

SELECT max(CASE WHEN name = 'a' THEN 1 END) AS a, max(CASE WHEN name = 'b' THEN 1 END) AS b FROM events GROUP BY user_id

SELECT percentile_cont(ARRAY[0.5, 0.9, 0.99]) WITHIN GROUP (ORDER BY total) FROM orders

SELECT o.status, o.total, SUM(o.total) OVER w AS running, AVG(o.total) OVER (w ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) FROM orders o WINDOW w AS (PARTITION BY o.status ORDER BY o.placed_at)

SELECT date '2024-01-01' + s.i AS day FROM generate_series(0, 30) AS s(i)

SELECT plan, COUNT(*) AS users, ROUND(100.0 * COUNT(*) / SUM(COUNT(*)) OVER (), 2) AS pct FROM users WHERE active GROUP BY plan

SELECT plan, COUNT(*) FROM users WHERE active IS TRUE AND email LIKE '%@example.com' AND signed_up BETWEEN DATE '2023-01-01' AND DATE '2023-12-31' GROUP BY plan

SELECT lower(split_part(email, '@', 2)) AS domain, count(*) FROM users GROUP BY lower(split_part(email, '@', 2))

SELECT "O"."id" AS "Order ID", "O"."total" AS "Total" FROM "sales"."orders" AS "O"

SELECT sales.orders.id, orders.total FROM sales.orders

SELECT o.id FROM ONLY orders o

SELECT o.id FROM orders o WHERE (o.total > 10 AND (o.status = 'a' OR o.status = 'b')) OR NOT o.total = 5

SELECT p.method, SUM(p.amount) FILTER (WHERE NOT p.refunded) AS net, SUM(p.amount) FILTER (WHERE p.refunded) AS refunds FROM payments p GROUP BY p.method

SELECT a.month, a.rev, b.rev AS prev, (a.rev - b.rev) / NULLIF(b.rev, 0) AS growth FROM (SELECT date_trunc('month', placed_at) AS month, SUM(total) AS rev FROM orders GROUP BY 1) a LEFT JOIN (SELECT date_trunc('month', placed_at) AS month, SUM(total) AS rev FROM orders GROUP BY 1) b ON b.month = a.month - INTERVAL '1 month'

SELECT category, name, price FROM products WHERE attrs @> '{"color": "red"}' AND tags && ARRAY['sale'] ORDER BY price DESC NULLS LAST, name COLLATE "C"

SELECT generate_subscripts(tags, 1), name FROM products

SELECT name FROM products WHERE 'sale' = ANY (tags)

SELECT name, tags[1], tags[2:3] FROM products

SELECT (attrs->>'weight')::numeric AS w FROM products WHERE attrs->>'weight' ~ '^[0-9.]+$'

SELECT count(*) n, 'x'::text AS "label" FROM orders GROUP BY ()

SELECT DISTINCT status, count(*) OVER (PARTITION BY status) FROM orders ORDER BY 2 DESC

SELECT user_id, name, occurred_at, lead(occurred_at) OVER (PARTITION BY user_id ORDER BY occurred_at) - occurred_at AS gap FROM events

SELECT corr(p.amount, o.total) FROM payments p JOIN orders o ON o.id = p.order_id

SELECT to_char(day, 'Dy') AS dow, holiday FROM calendar WHERE day >= CURRENT_DATE - INTERVAL '1 year'

SELECT * FROM orders WHERE (customer_id, placed_at) IN (SELECT customer_id, MAX(placed_at) FROM orders GROUP BY customer_id)

SELECT * FROM orders ORDER BY CASE status WHEN 'paid' THEN 1 ELSE 2 END, total USING >

SELECT w.day, w.n FROM (SELECT o.placed_at::date AS day, count(*) AS n FROM orders o GROUP BY 1) w WHERE w.n > 3

WITH RECURSIVE up AS (SELECT id, parent_id, 1 AS depth FROM categories WHERE parent_id IS NULL UNION ALL SELECT c.id, c.parent_id, up.depth + 1 FROM categories c JOIN up ON up.id = c.parent_id) SELECT up.depth, count(up.id) FROM up GROUP BY up.depth

SELECT p.id, t.tag FROM products p, unnest(p.tags) AS t(tag)

SELECT e.key, e.value FROM orders o, jsonb_each_text(o.details) e

SELECT (jsonb_each(details)).key FROM orders

SELECT d.d::date, s.n FROM generate_series(date '2026-01-01', date '2026-01-31', interval '1 day') d LEFT JOIN LATERAL (SELECT count(*) AS n FROM orders o WHERE o.placed_at::date = d.d) s ON true

SELECT v.country, v.rate FROM (VALUES ('PT', 0.23), ('DE', 0.19)) AS v(country, rate)

SELECT j.total, j.country FROM (orders o JOIN customers c USING (tenant)) AS j

SELECT o.id FROM orders o WHERE o.total > (SELECT avg(i.total) FROM orders i WHERE i.customer_id = o.customer_id)

SELECT x.id FROM orders o JOIN customers c USING (id) AS x

SELECT s.coalesce, s.max, s.total FROM (SELECT coalesce(status, '-'), max(total), total::numeric FROM orders GROUP BY 1, 3) s

SELECT * FROM orders TABLESAMPLE BERNOULLI (10) REPEATABLE (42)

SELECT date_trunc('month', placed_at), count(*) FILTER (WHERE status = 'paid') FROM orders GROUP BY 1

SELECT DISTINCT ON (customer_id) * FROM orders ORDER BY customer_id, placed_at DESC

SELECT d::date FROM generate_series('2026-01-01'::date, '2026-12-31', '1 day') AS d

SELECT array_agg(DISTINCT status ORDER BY status) FROM orders

SELECT status, sum(total) FROM orders GROUP BY ROLLUP (status)

SELECT status, sum(total) FROM orders GROUP BY GROUPING SETS ((status), ())

SELECT current_date - placed_at::date FROM orders

SELECT details->>'a', details #>> '{a,b}', details @> '{"a":1}' FROM orders

SELECT * FROM ROWS FROM (generate_series(1, 3), unnest(ARRAY['a','b'])) AS t(a, b)

SELECT string_agg(status, ', ' ORDER BY status) FROM orders

WITH t AS MATERIALIZED (SELECT * FROM orders) SELECT * FROM t

SELECT * FROM orders ORDER BY total DESC FETCH FIRST 5 ROWS WITH TIES

SELECT make_date(2026, 1, 1), age(now(), placed_at), extract(dow from placed_at), to_char(placed_at, 'YYYY-MM') FROM orders

SELECT regexp_replace(status, '[^a-z]', '', 'g'), split_part(status, '-', 1), status ~* '^pa', status SIMILAR TO 'p%' FROM orders

SELECT ntile(4) OVER w, lag(total) OVER w FROM orders WINDOW w AS (PARTITION BY customer_id ORDER BY placed_at)

SELECT sum(total) OVER (ORDER BY placed_at RANGE BETWEEN '7 days' PRECEDING AND CURRENT ROW) FROM orders

SELECT * FROM orders WHERE (status, total) IN (('paid', 1), ('sent', 2))

SELECT corr(total, id), regr_slope(total, id), stddev(total), mode() WITHIN GROUP (ORDER BY status) FROM orders

SELECT width_bucket(total, 0, 100, 10), count(*) FROM orders GROUP BY 1

SELECT to_jsonb(o) - 'id' FROM orders o

SELECT date_part('epoch', placed_at) FROM orders

SELECT placed_at AT TIME ZONE 'Europe/Berlin' FROM orders

SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS v(n, l)

SELECT bool_or(status = 'paid'), every(total > 0) FROM orders

SELECT U&'d\0061t\+000061'

SELECT $$a$$ || $t$b$t$

SELECT E'a\nb'

SELECT hashtext(status) % 10 FROM orders

SELECT greatest(1, 2), least(1, 2), nullif(1, 2), coalesce(null, 1)

SELECT md5(id::text) FROM orders

SELECT lpad(status, 10, ' '), repeat('=', 10) FROM orders

SELECT ts_rank(to_tsvector(status), plainto_tsquery('paid')) FROM orders

SELECT log(2, 8), round(total::numeric, 2), total::money FROM orders

SELECT inet '10.0.0.1' << inet '10.0.0.0/8'

SELECT jsonb_path_query(details::jsonb, '$.a[*] ? (@ > 1)') FROM orders

SELECT pg_typeof(total), pg_size_pretty(10::bigint) FROM orders
