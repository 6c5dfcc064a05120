-- One statement a paragraph. All of them are what analysts write.
SELECT 1

SELECT * FROM flights LIMIT 10

FROM flights LIMIT 5

FROM main.airports SELECT state, count(*) GROUP BY state

TABLE airports

SELECT main.flights.delay FROM main.flights LIMIT 1

SELECT count(*) FROM flights

SELECT COUNT(*) AS n, COUNT(delay) AS known, COUNT(DISTINCT origin) AS origins FROM Flights

SELECT origin, count(*) AS n FROM flights GROUP BY origin ORDER BY n DESC, origin LIMIT 20

SELECT origin, destination, avg(delay) AS mean, median(delay), stddev(delay) FROM flights GROUP BY ALL ORDER BY ALL LIMIT 50

SELECT date_trunc('month', date) AS month, count(*) FROM flights GROUP BY 1 ORDER BY 1

SELECT strftime(date, '%Y-%m') AS month, sum(distance) FROM flights GROUP BY month ORDER BY month

SELECT extract(dow FROM date) AS weekday, extract('hour' FROM date) AS hour, count(*) FROM flights GROUP BY 1, 2 ORDER BY 1, 2

SELECT dayname(date), avg(delay) FROM flights GROUP BY 1

SELECT year(date), month(date), hour(date), dayofweek(date), quarter(date), week(date) FROM flights LIMIT 1

SELECT count(*) FILTER (WHERE delay > 15) * 100.0 / nullif(count(*), 0) AS late_share FROM flights

SELECT sum(CASE WHEN delay > 15 THEN 1 ELSE 0 END) / count(*)::DOUBLE AS late_share FROM flights

SELECT quantile_cont(delay, 0.5), quantile_cont(delay, [0.25, 0.5, 0.75]), quantile_disc(delay, 0.9) FROM flights

SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY delay) FROM flights

SELECT percentile_disc(0.95) WITHIN GROUP (ORDER BY delay DESC) FROM flights

SELECT mode(origin), approx_count_distinct(origin), approx_quantile(delay, 0.5), min(date), max(date) FROM flights

SELECT arg_max(destination, delay), arg_min(origin, delay), max_by(origin, delay), min_by(origin, delay), any_value(origin), first(origin), last(origin) FROM flights

SELECT corr(delay, distance), covar_pop(delay, distance), regr_slope(delay, distance), regr_r2(delay, distance), regr_intercept(delay, distance) FROM flights

SELECT skewness(delay), kurtosis(delay), mad(delay), entropy(origin), var_samp(delay), stddev_pop(delay) FROM flights

SELECT histogram(delay // 60) FROM flights

SELECT f.origin, a.city, a.state, count(*) FROM flights f JOIN airports a ON f.origin = a.iata GROUP BY 1, 2, 3 ORDER BY 4 DESC LIMIT 10

SELECT a.state, b.state, count(*) FROM flights f JOIN airports a ON a.iata = f.origin JOIN airports b ON b.iata = f.destination WHERE a.state <> b.state GROUP BY 1, 2

SELECT o.id, c.country FROM orders o LEFT JOIN customers c ON c.id = o.customer_id WHERE c.id IS NULL

SELECT * FROM orders o RIGHT JOIN customers c ON c.id = o.customer_id

SELECT * FROM orders FULL OUTER JOIN customers USING (id)

SELECT count(*) FROM customers CROSS JOIN airports

SELECT * FROM customers NATURAL JOIN (SELECT id FROM customers) x

SELECT * FROM customers SEMI JOIN orders ON customers.id = orders.customer_id

SELECT * FROM customers ANTI JOIN orders ON customers.id = orders.customer_id

SELECT f.date, w.weather FROM flights f ASOF JOIN seattle_weather w ON f.date >= w.date LIMIT 5

SELECT c.country, o.total FROM customers c, LATERAL (SELECT total FROM orders WHERE customer_id = c.id ORDER BY total DESC LIMIT 1) o

SELECT * FROM customers c LEFT JOIN LATERAL (SELECT max(total) AS most FROM orders o WHERE o.customer_id = c.id) x ON true

SELECT id, row_number() OVER (PARTITION BY customer_id ORDER BY placed_at DESC) AS n FROM orders QUALIFY n = 1

SELECT origin, delay, rank() OVER (ORDER BY delay DESC), dense_rank() OVER (ORDER BY delay), percent_rank() OVER (ORDER BY delay), cume_dist() OVER (ORDER BY delay), ntile(4) OVER (ORDER BY delay) FROM flights LIMIT 10

SELECT day, n, n - lag(n) OVER (ORDER BY day) AS change, lead(n, 1, 0) OVER (ORDER BY day) FROM (SELECT date::DATE AS day, count(*) AS n FROM flights GROUP BY 1)

SELECT date, precipitation, avg(precipitation) OVER (ORDER BY date ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) AS week FROM seattle_weather

SELECT date, sum(precipitation) OVER (ORDER BY date RANGE BETWEEN INTERVAL 7 DAYS PRECEDING AND CURRENT ROW) FROM seattle_weather

SELECT date, sum(precipitation) OVER w, first_value(temp_max) OVER w, last_value(temp_min IGNORE NULLS) OVER w FROM seattle_weather WINDOW w AS (PARTITION BY weather ORDER BY date ROWS UNBOUNDED PRECEDING)

SELECT weather, sum(count(*)) OVER (ORDER BY count(*) DESC) / sum(count(*)) OVER () AS running FROM seattle_weather GROUP BY weather

SELECT date, avg(temp_max) OVER (ORDER BY date ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE CURRENT ROW) FROM seattle_weather

SELECT nth_value(temp_max, 2) OVER (ORDER BY date GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM seattle_weather

WITH late AS (SELECT * FROM flights WHERE delay > 60) SELECT origin, count(*) FROM late GROUP BY origin

WITH a AS (SELECT origin AS iata, count(*) AS n FROM flights GROUP BY 1), b AS (SELECT destination AS iata, count(*) AS n FROM flights GROUP BY 1) SELECT iata, a.n AS departures, b.n AS arrivals FROM a FULL JOIN b USING (iata) ORDER BY 2 DESC NULLS LAST

WITH flights AS (SELECT * FROM flights WHERE delay IS NOT NULL) SELECT count(*) FROM flights

WITH x(a, b) AS (SELECT origin, delay FROM flights) SELECT a, max(b) FROM x GROUP BY a

WITH x AS MATERIALIZED (SELECT origin FROM flights), y AS NOT MATERIALIZED (SELECT * FROM x) SELECT count(*) FROM y

WITH RECURSIVE days(d) AS (SELECT DATE '2012-01-01' UNION ALL SELECT CAST(d + INTERVAL 1 DAY AS DATE) FROM days WHERE d < DATE '2012-01-31') SELECT d, precipitation FROM days LEFT JOIN seattle_weather w ON w.date = d

WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 10) SELECT sum(i) FROM n

WITH firsts AS (SELECT customer_id, min(date_trunc('month', placed_at)) AS cohort FROM orders GROUP BY 1), activity AS (SELECT o.customer_id, f.cohort, date_diff('month', f.cohort, date_trunc('month', o.placed_at)) AS age FROM orders o JOIN firsts f USING (customer_id)) SELECT cohort, age, count(DISTINCT customer_id) AS customers FROM activity GROUP BY 1, 2 ORDER BY 1, 2

WITH totals AS (SELECT customer_id, sum(total) AS spent FROM orders GROUP BY 1), ranked AS (SELECT *, sum(spent) OVER (ORDER BY spent DESC) / sum(spent) OVER () AS share FROM totals) SELECT count(*) FILTER (WHERE share <= 0.8) FROM ranked

SELECT width, count(*) FROM (SELECT floor(delay / 15) * 15 AS width FROM flights) GROUP BY width ORDER BY width

SELECT * FROM (SELECT origin, count(*) AS n FROM flights GROUP BY 1) AS t(airport, departures) WHERE departures > 1

SELECT origin FROM flights WHERE delay > (SELECT avg(delay) FROM flights) LIMIT 3

SELECT name FROM airports a WHERE EXISTS (SELECT 1 FROM flights f WHERE f.origin = a.iata) AND NOT EXISTS (SELECT 1 FROM flights f WHERE f.destination = a.iata)

SELECT * FROM airports WHERE iata IN (SELECT origin FROM flights) AND state NOT IN ('AK', 'HI')

SELECT * FROM airports WHERE iata = ANY (SELECT origin FROM flights) OR latitude > ALL (SELECT latitude FROM airports WHERE state = 'WA')

SELECT (SELECT count(*) FROM flights) AS f, (SELECT count(*) FROM airports) AS a

SELECT origin FROM flights UNION SELECT destination FROM flights

SELECT origin FROM flights UNION ALL SELECT destination FROM flights ORDER BY 1 LIMIT 5

SELECT origin FROM flights EXCEPT SELECT destination FROM flights

SELECT origin FROM flights INTERSECT SELECT destination FROM flights

SELECT iata, name FROM airports UNION ALL BY NAME SELECT name, iata FROM airports

(SELECT 'a' AS part, count(*) AS n FROM flights) UNION ALL (SELECT 'b', count(*) FROM airports) UNION ALL SELECT 'c', count(*) FROM birdstrikes

VALUES (1, 'a'), (2, 'b')

SELECT * FROM (VALUES (1, 'low'), (2, 'high')) AS v(level, label)

SELECT DISTINCT weather FROM seattle_weather

SELECT DISTINCT ON (weather) weather, date, temp_max FROM seattle_weather ORDER BY weather, temp_max DESC

SELECT state, country, count(*), grouping(state, country) FROM airports GROUP BY ROLLUP (state, country)

SELECT weather, month(date), count(*) FROM seattle_weather GROUP BY CUBE (weather, month(date))

SELECT weather, month(date), count(*) FROM seattle_weather GROUP BY GROUPING SETS ((weather), (month(date)), ())

SELECT weather, avg(temp_max) FROM seattle_weather GROUP BY weather HAVING avg(temp_max) > 10

SELECT "Airport Name", "Cost Total $" FROM birdstrikes WHERE "Cost Total $" > 0 ORDER BY "Cost Total $" DESC LIMIT 10

SELECT "Wildlife Species" AS species, count(*) AS strikes, sum("Cost Repair") AS repair FROM birdstrikes GROUP BY species ORDER BY strikes DESC LIMIT 15

SELECT b."Origin State", date_part('year', b."Flight Date") AS y, count(*) FROM birdstrikes AS b GROUP BY ALL

SELECT "Time of day", "Wildlife Size", avg("Speed IAS in knots") FROM birdstrikes GROUP BY 1, 2

SELECT count(*) FROM "Odd Table" WHERE "select" > 1 AND "a b" IS NOT NULL

SELECT "🙂", "o""clock" FROM "Odd Table"

SELECT * EXCLUDE (latitude, longitude) FROM airports LIMIT 3

SELECT * REPLACE (round(latitude, 1) AS latitude) FROM airports LIMIT 3

SELECT * RENAME (iata AS code) FROM airports LIMIT 3

SELECT a.* FROM airports AS a LIMIT 1

SELECT COLUMNS('temp_.*') FROM seattle_weather LIMIT 3

SELECT min(COLUMNS(* EXCLUDE (weather))) FROM seattle_weather

SELECT COLUMNS(c -> c LIKE 'temp%') FROM seattle_weather LIMIT 2

SELECT count(*) FROM flights WHERE date BETWEEN '2001-01-01' AND '2001-01-31'

SELECT count(*) FROM flights WHERE date >= DATE '2001-01-01' AND date < TIMESTAMP '2001-02-01 00:00:00'

SELECT count(*) FROM flights WHERE date > (SELECT max(date) FROM flights) - INTERVAL '7 days'

SELECT date + INTERVAL 1 MONTH, date - INTERVAL (2) HOUR, date::DATE + 3 FROM flights LIMIT 1

SELECT date_diff('day', min(date), max(date)), datediff('hour', min(date), max(date)), age(max(date), min(date)) FROM flights

SELECT time_bucket(INTERVAL '15 minutes', date) AS slot, count(*) FROM flights GROUP BY slot ORDER BY slot LIMIT 5

SELECT epoch(date), epoch_ms(date), to_timestamp(1000000), make_date(2001, 1, 2), make_timestamp(2001, 1, 2, 3, 4, 5.5) FROM flights LIMIT 1

SELECT last_day(date), date_part('isodow', date), monthname(date), strptime('2001-01-02', '%Y-%m-%d'), try_strptime('x', '%Y') FROM flights LIMIT 1

SELECT date AT TIME ZONE 'UTC' AT TIME ZONE 'America/New_York' FROM flights LIMIT 1

SELECT now() > TIMESTAMPTZ '2001-01-01', current_date > DATE '2001-01-01', today() > DATE '2001-01-01', current_timestamp IS NOT NULL

SELECT upper(name), lower(city), length(name), trim(name), left(name, 3), right(name, 2), substring(name, 1, 4), substr(name, 2), replace(name, 'a', 'b'), reverse(name) FROM airports LIMIT 2

SELECT name || ' (' || iata || ')', concat(city, ', ', state), concat_ws('-', iata, state), split_part(name, ' ', 1), string_split(name, ' '), lpad(iata, 5, '0'), rpad(iata, 5, ' ') FROM airports LIMIT 2

SELECT name FROM airports WHERE name LIKE '%Field%' OR name ILIKE '%munic%' OR name NOT LIKE 'A%' OR name SIMILAR TO '.*x' OR name ~ '^B' OR starts_with(name, 'C') OR contains(name, 'd') OR name GLOB 'E*'

SELECT regexp_extract(name, '(\w+) Field', 1), regexp_replace(name, '[aeiou]', '', 'g'), regexp_matches(name, 'x'), regexp_extract_all(name, '\w'), regexp_split_to_array(name, ' ') FROM airports LIMIT 2

SELECT position('e' IN name), strpos(name, 'a'), instr(name, 'b'), substring(name FROM 2 FOR 3), trim(BOTH ' ' FROM name), ascii('a'), chr(65), initial FROM (SELECT name, left(name, 1) AS initial FROM airports) LIMIT 2

SELECT string_agg(DISTINCT state, ', ' ORDER BY state) FROM airports

SELECT state, list(iata ORDER BY iata), array_agg(iata), group_concat(iata, ';') FROM airports GROUP BY state

SELECT abs(-1), ceil(1.2), floor(1.8), round(1.234, 2), trunc(1.9), sqrt(2), power(2, 3), ln(2), log10(100), exp(1), mod(7, 3), 7 % 3, 7 // 2, 2 ** 3, greatest(1, 2), least(1, 2), sign(-3), pi(), isnan(1.0), 5 & 3, 5 | 3, 1 << 2

SELECT coalesce(delay, 0), ifnull(delay, 0), nullif(delay, 0), CASE WHEN delay > 0 THEN 'late' WHEN delay = 0 THEN 'on time' ELSE 'early' END, CASE origin WHEN 'SEA' THEN 1 ELSE 2 END, if(delay > 0, 1, 0) FROM flights LIMIT 3

SELECT CAST(delay AS VARCHAR), delay::DECIMAL(10, 2), TRY_CAST(origin AS INTEGER), CAST('2001-01-01' AS DATE), '1'::BIGINT, '[1, 2]'::INTEGER[], 1::BOOLEAN, delay::TEXT FROM flights LIMIT 3

SELECT delay IS DISTINCT FROM distance, delay IS NULL, delay IS NOT NULL, NOT (delay > 1), delay BETWEEN 1 AND 5, (delay, distance) = (1, 2), -delay, delay <> 3, delay != 4 FROM flights LIMIT 2

SELECT true AND NOT false OR NULL, 1.5e3, 0.1, 100_000, 12345678901234567890, 'it''s', $$dollar$$, E'tab\t'

SELECT tags[1], tags[1:2], len(tags), list_contains(tags, 'x'), array_length(tags), list_sort(tags), list_distinct(tags), list_aggregate([1, 2], 'sum'), list_has_any(tags, ['x']), array_to_string(tags, ',') FROM orders

SELECT id, unnest(tags) AS tag FROM orders

SELECT tag, count(*) FROM orders, unnest(tags) AS t(tag) GROUP BY tag

SELECT list_transform([1, 2, 3], x -> x * 2), list_filter([1, 2, 3], x -> x > 1), [x * 2 FOR x IN [1, 2, 3] IF x > 1], list_reduce([1, 2, 3], (a, b) -> a + b), list_transform([1], lambda y: y + 1)

SELECT details->>'$.name', details->'items', json_extract(details, '$.a'), json_extract_string(details, '$.b'), (details->>'n')::INTEGER, json_array_length(details->'items'), json_type(details), json_keys(details), json_valid('{}') FROM orders

SELECT {'a': 1, 'b': 'x'}, struct_pack(a := 1), row(1, 2), {'a': 1}.a, map {'k': 1}, map(['a'], [1])['a'], map_keys(map {'k': 1}), struct_extract({'a': 1}, 'a')

SELECT i, i * i FROM range(10) AS r(i)

SELECT d::DATE AS day, coalesce(n, 0) FROM generate_series(TIMESTAMP '2012-01-01', TIMESTAMP '2012-01-10', INTERVAL 1 DAY) AS g(d) LEFT JOIN (SELECT date, count(*) AS n FROM seattle_weather GROUP BY 1) w ON w.date = d::DATE ORDER BY 1

SELECT unnest(range(3)), unnest(generate_series(1, 3))

SELECT * FROM (PIVOT seattle_weather ON weather IN ('sun', 'rain') USING count(*) GROUP BY date) LIMIT 3

SELECT * FROM seattle_weather PIVOT (avg(temp_max) FOR weather IN ('sun', 'rain')) LIMIT 3

SELECT * FROM seattle_weather UNPIVOT (value FOR measure IN (temp_max, temp_min)) LIMIT 5

UNPIVOT seattle_weather ON temp_max, temp_min INTO NAME measure VALUE value

SELECT * FROM flights USING SAMPLE 10 ROWS

SELECT * FROM flights TABLESAMPLE 10 PERCENT (bernoulli)

SELECT * FROM flights TABLESAMPLE reservoir(20 ROWS) REPEATABLE (42)

SELECT * FROM flights ORDER BY delay DESC NULLS LAST, origin ASC NULLS FIRST LIMIT 10 OFFSET 5

SELECT * FROM flights LIMIT 10%

SELECT * FROM airports ORDER BY name COLLATE NOCASE LIMIT 2

SUMMARIZE flights

SUMMARIZE SELECT delay, distance FROM flights

DESCRIBE flights

SELECT count(*) AS rows, count(*) - count(delay) AS missing, sum(CASE WHEN delay IS NULL THEN 1 ELSE 0 END) FROM flights

SELECT origin, count(*) AS n, count(*) * 100.0 / sum(count(*)) OVER () AS pct FROM flights GROUP BY origin ORDER BY pct DESC

SELECT delay, count(*) FROM flights GROUP BY delay HAVING count(*) > 1 ORDER BY 2 DESC LIMIT 10

SELECT iata, count(*) FROM airports GROUP BY iata HAVING count(*) > 1

WITH s AS (SELECT avg(delay) AS m, stddev(delay) AS s FROM flights) SELECT count(*) FROM flights, s WHERE abs(delay - s.m) > 3 * s.s

WITH monthly AS (SELECT date_trunc('month', date) AS m, count(*) AS n FROM flights GROUP BY 1) SELECT m, n, lag(n) OVER (ORDER BY m) AS before, round(100.0 * (n - lag(n) OVER (ORDER BY m)) / lag(n) OVER (ORDER BY m), 1) AS growth FROM monthly ORDER BY m

SELECT f.origin, w.weather, avg(f.delay) FROM flights f JOIN seattle_weather w ON CAST(f.date AS DATE) = w.date + INTERVAL 0 DAY WHERE f.origin = 'SEA' GROUP BY 1, 2

SELECT t.status, t.n FROM (SELECT status, count(*) AS n FROM orders GROUP BY status) t ORDER BY t.n DESC

SELECT status, sum(total)::DECIMAL(18, 2) AS revenue, avg(total), min(placed_at)::DATE FROM orders WHERE status IN ('paid', 'sent') GROUP BY status

SELECT printf('%.2f', avg(total)), format('{:,}', 1234567), format('{} of {}', 1, 2) FROM orders

SELECT md5('x'), sha256('x'), hash(1), typeof(1), bit_count(3), hex('a'), base64('a'::BLOB)

SELECT o.* FROM orders o WHERE o.customer_id IN (SELECT c.id FROM customers c WHERE c.country = 'DE')

SELECT sum(total) FROM sales.orders

SELECT sales.orders.total, sales.orders.id FROM sales.orders

SELECT a.name AS "user", "user" FROM airports a LIMIT 1

-- a comment
SELECT /* another */ count(*) -- and one more
FROM flights;

SELECT count(*) FROM orders o

SELECT count() FROM orders o

SELECT COUNT(DISTINCT o.customer_id) FROM orders o

SELECT sum(o.total) FILTER (WHERE o.status = 'paid') FROM orders o

SELECT sum(o.total) FILTER (o.status = 'paid') FROM orders o

SELECT count_if(o.total > 5) FROM orders o

SELECT round(avg(o.total), 2) FROM orders o

SELECT median(o.total), mode(o.status), quantile_cont(o.total, 0.5), quantile_cont(o.total, [0.25, 0.5]), approx_quantile(o.total, 0.9), mad(o.total) FROM orders o

SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY o.total) FROM orders o

SELECT approx_count_distinct(o.customer_id) FROM orders o

SELECT arg_max(o.status, o.total), max_by(o.status, o.total), min_by(o.status, o.total), arg_min(o.id, o.total, 2), max(o.total, 3) FROM orders o

SELECT any_value(o.status), first(o.status ORDER BY o.placed_at), last(o.status) FROM orders o

SELECT list(o.id ORDER BY o.total DESC), array_agg(DISTINCT o.status) FROM orders o

SELECT string_agg(o.status, ', ' ORDER BY o.status), group_concat(o.status), listagg(o.status, ',') FROM orders o

SELECT histogram(o.status) FROM orders o

SELECT bool_or(o.total > 5), bool_and(o.total > 5), product(o.total), skewness(o.total), kurtosis(o.total), entropy(o.status), corr(o.total, o.id), covar_pop(o.total, o.id), regr_slope(o.total, o.id), stddev(o.total), var_samp(o.total) FROM orders o

SELECT date_trunc('month', o.placed_at) FROM orders o

SELECT date_part('year', o.placed_at), extract(month FROM o.placed_at), year(o.placed_at), month(o.placed_at), dayname(o.placed_at), monthname(o.placed_at), dayofweek(o.placed_at), isodow(o.placed_at), week(o.placed_at), quarter(o.placed_at) FROM orders o

SELECT date_diff('day', o.placed_at, now()::timestamp), datediff('month', o.placed_at, current_date), date_sub('day', o.placed_at, now()::timestamp) FROM orders o

SELECT strftime(o.placed_at, '%Y-%m'), strptime('2024-01-01', '%Y-%m-%d'), try_strptime('x', '%Y') FROM orders o

SELECT o.placed_at + INTERVAL 1 MONTH, o.placed_at - INTERVAL '7 days', o.placed_at + INTERVAL (o.id) DAY, o.placed_at + to_days(3) FROM orders o

SELECT o.placed_at::date, CAST(o.placed_at AS DATE), TRY_CAST(o.status AS INTEGER), o.total::DOUBLE, o.total::INT, o.total::DECIMAL(10,1), o.id::VARCHAR, o.total::BIGINT::TEXT FROM orders o

SELECT current_date, current_timestamp, now(), today(), current_date - 30, current_date - INTERVAL 1 YEAR FROM orders o

SELECT age(o.placed_at), epoch(o.placed_at), epoch_ms(o.placed_at), to_timestamp(1700000000), make_date(2024, 1, 1), make_timestamp(2024, 1, 1, 0, 0, 0), last_day(o.placed_at) FROM orders o

SELECT time_bucket(INTERVAL '15 minutes', o.placed_at) FROM orders o

SELECT o.placed_at AT TIME ZONE 'UTC' AT TIME ZONE 'Europe/Berlin' FROM orders o

SELECT DATE '2024-01-01', TIMESTAMP '2024-01-01 00:00:00', TIMESTAMPTZ '2024-01-01 00:00:00+00', TIME '10:00:00', INTERVAL '1' YEAR FROM orders o

SELECT CASE WHEN o.total > 100 THEN 'high' WHEN o.total > 10 THEN 'mid' ELSE 'low' END FROM orders o

SELECT CASE o.status WHEN 'paid' THEN 1 ELSE 0 END FROM orders o

SELECT coalesce(o.status, 'x'), ifnull(o.status, 'x'), nullif(o.total, 0), if(o.total > 1, 'a', 'b'), greatest(1, 2), least(1, 2) FROM orders o

SELECT o.details->'$.a', o.details->>'$.a', o.details->>'a', json_extract(o.details, '$.a'), json_extract_string(o.details, '$.a'), o.details.a FROM orders o

SELECT (o.details->>'n')::INT, json_value(o.details, '$.n'), json_exists(o.details, '$.n'), json_contains(o.details, '1') FROM orders o

SELECT upper(o.status) || ' ' || lower(o.status), concat(o.status, 1), concat_ws('-', o.id, o.status), o.status[1], o.status[1:2], o.status[-1] FROM orders o

SELECT substring(o.status FROM 1 FOR 3), substr(o.status, 2), substring(o.status, 1, 2), left(o.status, 1), right(o.status, 1), length(o.status), strlen(o.status) FROM orders o

SELECT trim(o.status), trim(both 'x' from o.status), ltrim(o.status), rtrim(o.status, 'd'), replace(o.status, 'a', 'b'), reverse(o.status), lpad(o.id::text, 5, '0'), rpad(o.status, 5, ' ') FROM orders o

SELECT split_part(o.status, '@', 1), string_split(o.status, ','), str_split(o.status, ','), regexp_replace(o.status, 'a', 'b', 'g'), regexp_extract(o.status, '(a)', 1), regexp_matches(o.status, '^p'), regexp_full_match(o.status, 'p.*'), regexp_extract_all(o.status, '.'), regexp_split_to_array(o.status, ',') FROM orders o

SELECT o.status LIKE 'p%', o.status ILIKE '%A%', o.status NOT LIKE 'x', o.status SIMILAR TO 'p.*', o.status ~ 'p.*', o.status GLOB 'p*', o.status LIKE '10\%' ESCAPE '\', starts_with(o.status, 'p'), ends_with(o.status, 'd'), contains(o.status, 'a'), prefix(o.status, 'p'), position('a' in o.status), strpos(o.status, 'a'), instr(o.status, 'a') FROM orders o

SELECT levenshtein(o.status, 'paid'), jaro_winkler_similarity(o.status, 'paid'), md5(o.status), sha256(o.status), hash(o.status), ascii('a'), chr(65), format('{} x {}', o.id, o.status), printf('%d-%s', o.id, o.status), initcap IS NULL FROM (SELECT 1 AS initcap) z, orders o

SELECT ceil(o.total), floor(o.total), round(o.total, 1), trunc(o.total), abs(o.total), sign(o.total), mod(o.id, 2), o.id % 2, o.id // 2, o.total / 3, pow(2, 3), 2 ** 3, 2 ^ 3, sqrt(9), ln(2), log(100), log10(100), log2(8), exp(1), pi(), cbrt(27), gcd(4, 6), factorial(5), isnan(1.0::double) FROM orders o

SELECT o.id & 1, o.id | 1, xor(o.id, 1), o.id << 1, ~o.id FROM orders o

SELECT o.id BETWEEN 1 AND 10, o.status IN ('a', 'b'), o.status NOT IN ('c'), o.id IS DISTINCT FROM 1, o.status IS NULL, o.status NOTNULL, o.status ISNULL, NOT (o.id = 1), o.id == 1, o.id <> 2, o.id != 3 FROM orders o

SELECT o.id = ANY ([1, 2]), o.id = ANY (SELECT 1), o.total > ALL (SELECT 1), EXISTS (SELECT 1 FROM customers c WHERE c.id = o.customer_id), (SELECT country FROM customers c WHERE c.id = o.customer_id LIMIT 1), o.id IN (SELECT id FROM customers), (o.id, o.customer_id) IN (SELECT 1, 1) FROM orders o

SELECT row_number() OVER (PARTITION BY o.customer_id ORDER BY o.placed_at DESC), rank() OVER (ORDER BY o.total DESC NULLS LAST), dense_rank() OVER (ORDER BY o.total), ntile(4) OVER (ORDER BY o.total), percent_rank() OVER (ORDER BY o.total), cume_dist() OVER (ORDER BY o.total) FROM orders o

SELECT sum(o.total) OVER (ORDER BY o.placed_at ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW), avg(o.total) OVER (ORDER BY o.id ROWS 2 PRECEDING), sum(o.total) OVER (ORDER BY o.placed_at RANGE BETWEEN INTERVAL 7 DAYS PRECEDING AND CURRENT ROW), sum(o.total) OVER (ORDER BY o.id GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE CURRENT ROW), count(*) OVER () FROM orders o

SELECT lag(o.total) OVER (ORDER BY o.id), lag(o.total, 1, 0) OVER (ORDER BY o.id), lead(o.total IGNORE NULLS) OVER (ORDER BY o.id), first_value(o.total IGNORE NULLS) OVER (ORDER BY o.id), last_value(o.total) OVER (ORDER BY o.id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING), nth_value(o.total, 2) OVER (ORDER BY o.id) FROM orders o

SELECT sum(o.total) OVER w, avg(o.total) OVER w FROM orders o WINDOW w AS (PARTITION BY o.status ORDER BY o.id)

SELECT [1, 2, 3], [1,2][1], list_value(1, 2), {'a': 1, 'b': 'x'}, {'a': 1}.a, struct_pack(a := 1), row(1, 2), map {'a': 1}, map(['a'], [1])['a'], (1, 'x') FROM orders o

SELECT list_sum([1, 2]), list_avg([1, 2]), list_sort([2, 1]), list_distinct([1, 1]), list_contains([1], 1), array_length([1, 2]), len([1]), unnest([1, 2]), list_transform([1, 2], lambda x : x + 1), list_filter([1, 2], x -> x > 1), [x * 2 for x in [1, 2] if x > 1], list_aggregate([1, 2], 'sum'), array_to_string([1, 2], ','), list_reduce([1, 2], lambda a, b : a + b), flatten([[1], [2]]), list_slice([1, 2, 3], 1, 2), [1, 2, 3][1:2] FROM orders o

SELECT range(5), generate_series(1, 5), range(0, 10, 2) FROM orders o

SELECT o.total AS "Total (€)", o.status AS status_label, o.id "Order ID" FROM orders o

SELECT * FROM orders o

SELECT o.* FROM orders o

SELECT * EXCLUDE (details) FROM orders

SELECT * EXCLUDE details, total * 2 AS t2 FROM orders

SELECT * REPLACE (round(total) AS total) FROM orders

SELECT * RENAME (total AS amount) FROM orders

SELECT COLUMNS('^t.*') FROM orders

SELECT COLUMNS(c -> c LIKE '%id') FROM orders

SELECT min(COLUMNS(*)) FROM orders

SELECT pg_typeof(o.total), typeof(o.total) FROM orders o

SELECT o.status COLLATE NOCASE = 'PAID' FROM orders o

SELECT 1_000, 1e3, .5, -1, TRUE, NULL, 'it''s', E'a
b', $$dollar$$ FROM orders o

SELECT o.placed_at::DATE = '2024-01-01' FROM orders o

SELECT strftime(date_trunc('week', o.placed_at), '%G-W%V') FROM orders o

SELECT bar(1, 0, 10, 10) FROM orders o

SELECT uuid_extract_timestamp IS NULL FROM (SELECT 1 uuid_extract_timestamp) q

SELECT o.total::HUGEINT, o.total::UBIGINT, o.total::TINYINT, o.total::REAL, [1]::DOUBLE[], '[1]'::JSON, '{"a": 1}'::STRUCT(a INTEGER), '1'::UUID IS NULL FROM orders o WHERE false

SELECT * FROM orders

FROM orders

FROM orders LIMIT 5

FROM orders SELECT status, count(*) GROUP BY ALL ORDER BY ALL

select * from sales.orders limit 10;

SELECT * FROM "sales"."orders" LIMIT 100

/* bi */ SELECT "orders"."id" FROM "sales"."orders" WHERE "orders"."status" = 'paid'

SELECT status, sum(total) AS revenue FROM orders GROUP BY ALL ORDER BY revenue DESC LIMIT 10

SELECT status, customer_id, sum(total) FROM orders GROUP BY CUBE (status, customer_id)

SELECT status, customer_id, sum(total), grouping(status) FROM orders GROUP BY ROLLUP (status, customer_id)

SELECT status, sum(total) FROM orders GROUP BY GROUPING SETS ((status), ())

SELECT * FROM orders QUALIFY row_number() OVER (PARTITION BY customer_id ORDER BY placed_at DESC) = 1

SELECT *, rank() OVER (ORDER BY total) AS r FROM orders QUALIFY r <= 3

SELECT DISTINCT ON (customer_id) * FROM orders ORDER BY customer_id, placed_at DESC

SELECT * FROM orders USING SAMPLE 10%

SELECT * FROM orders TABLESAMPLE reservoir(20%)

SELECT * FROM orders TABLESAMPLE BERNOULLI (10 PERCENT) REPEATABLE (42)

SELECT * FROM orders USING SAMPLE 5 ROWS

SELECT * FROM (PIVOT orders ON status IN ('paid', 'sent') USING sum(total) GROUP BY customer_id)

SELECT * FROM orders PIVOT (sum(total) FOR status IN ('paid', 'sent'))

UNPIVOT (SELECT id, total, customer_id FROM orders) ON total, customer_id INTO NAME metric VALUE v

SELECT * FROM (SELECT id, total FROM orders) UNPIVOT (v FOR k IN (total))

SUMMARIZE orders

SUMMARIZE SELECT * FROM orders

DESCRIBE orders

DESCRIBE SELECT * FROM orders

WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12) SELECT i FROM n

SELECT d::date AS day, coalesce(sum(o.total), 0) FROM generate_series(DATE '2024-01-01', DATE '2024-12-31', INTERVAL 1 DAY) AS t(d) LEFT JOIN orders o ON o.placed_at::date = d::date GROUP BY d

SELECT unnest(generate_series(DATE '2024-01-01', DATE '2024-02-01', INTERVAL 1 DAY)) AS day

SELECT * FROM range(10) t(i)

SELECT range AS i FROM range(3)

SELECT * FROM orders SEMI JOIN customers ON orders.customer_id = customers.id

SELECT * FROM orders NATURAL JOIN customers

SELECT * FROM orders o, LATERAL (SELECT o.total * 2 AS t2)

SELECT * FROM orders POSITIONAL JOIN customers

SELECT a.id, b.id FROM orders a JOIN orders b ON a.customer_id = b.customer_id AND a.id < b.id

SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS v(id, label)

TABLE orders

SELECT 1

WITH m AS (SELECT date_trunc('month', placed_at) AS m, sum(total) AS rev FROM orders GROUP BY 1) SELECT m, rev, rev / lag(rev) OVER (ORDER BY m) - 1 AS growth FROM m

WITH a AS MATERIALIZED (SELECT * FROM orders), b AS NOT MATERIALIZED (SELECT * FROM a) SELECT count(*) FROM b

SELECT "a b", "select" FROM "Odd Table"

SELECT sales.orders.id, orders.total FROM sales.orders

SELECT O.ID FROM ORDERS AS O

SELECT o.status AS s, count(*) AS n FROM orders o WHERE s = 'paid' GROUP BY s HAVING n > 0

SELECT * FROM orders ORDER BY total DESC LIMIT 10 OFFSET 5

SELECT * FROM orders LIMIT 10%

SELECT * FROM orders ORDER BY 1, 2 DESC NULLS FIRST

SELECT count(*) FROM orders WHERE placed_at >= current_date - INTERVAL 30 DAY AND placed_at < current_date

SELECT {'n': count(*), 'sum': sum(total)} AS s FROM orders

SELECT * FROM orders WHERE (customer_id, placed_at) IN (SELECT customer_id, max(placed_at) FROM orders GROUP BY customer_id)

SELECT SUM(total) FILTER (status = 'paid') / COUNT(*) FROM orders

SELECT o FROM orders o LIMIT 1

SELECT struct_extract(o, 'total') FROM orders o

SELECT id, sum(total) OVER (ORDER BY id) FROM orders ORDER BY ALL DESC

SELECT #1, #2 FROM orders

SELECT * FROM orders ORDER BY random() LIMIT 10

SELECT setseed(0.5)

SELECT * FROM orders USING SAMPLE 10 PERCENT (bernoulli, 42)
