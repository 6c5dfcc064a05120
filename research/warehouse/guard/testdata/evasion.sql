-- One statement a paragraph, of any dialect. They try to read the rows of another
-- tenant; what passes must not.
SELECT max(total) FROM orders

SELECT max(total) FROM sales.orders WHERE tenant = 'other' OR true

SELECT * FROM ORDERS

SELECT * FROM Sales.Orders

SELECT * FROM "orders"

SELECT * FROM "sales"."orders"

WITH orders AS (SELECT * FROM orders) SELECT * FROM orders

WITH orders AS (SELECT * FROM sales.orders) SELECT * FROM sales.orders

WITH Orders AS (SELECT 1 AS id) SELECT * FROM ORDERS

WITH "ORDERS" AS (SELECT 1 AS id) SELECT * FROM orders

WITH RECURSIVE orders AS (SELECT 1 AS id UNION SELECT id FROM sales.orders) SELECT * FROM orders

WITH RECURSIVE x AS (SELECT * FROM orders), orders AS (SELECT 1 AS id) SELECT * FROM x

WITH x AS (SELECT * FROM orders), orders AS (SELECT 1 AS id) SELECT * FROM x

WITH orders AS (SELECT 1 AS id) SELECT * FROM (WITH x AS (SELECT * FROM orders) SELECT * FROM x) y, orders

WITH orders AS (WITH orders AS (SELECT * FROM orders) SELECT * FROM orders) SELECT * FROM orders

SELECT * FROM (WITH orders AS (SELECT 1 AS a) SELECT * FROM orders) a, orders b

SELECT * FROM (WITH q AS (SELECT 1 AS a) SELECT * FROM q) a, orders q

SELECT tenant FROM (SELECT 'o''hara' AS tenant, total FROM orders) x

SELECT o.total FROM orders o, (SELECT 'o''hara' AS tenant) t

SELECT * FROM orders NATURAL JOIN customers

SELECT * FROM customers c JOIN orders o USING (tenant)

SELECT * FROM orders o LEFT JOIN customers c ON c.tenant <> o.tenant

SELECT * FROM orders o RIGHT JOIN customers c ON false

SELECT * FROM orders o FULL JOIN customers c ON false

SELECT * FROM customers c LEFT JOIN orders o ON true

SELECT * FROM orders AS o(id, tenant, a, total)

SELECT * FROM orders AS o(tenant, id)

SELECT * FROM orders AS tenant

SELECT tenant FROM orders AS tenant

SELECT orders FROM orders

SELECT o FROM orders o

SELECT (o).total FROM orders o

SELECT o.* FROM orders o

SELECT orders.* FROM orders

SELECT sales.orders.* FROM sales.orders

SELECT sales.orders.total FROM sales.orders

SELECT row(o.*) FROM orders o

SELECT to_json(o) FROM orders o

SELECT row_to_json(o) FROM orders o

SELECT json_agg(o) FROM orders o

SELECT array_agg(o) FROM orders o

SELECT total FROM orders GROUP BY total HAVING true

SELECT total FROM orders WHERE false OR true

SELECT total FROM orders WHERE 1 = 1 OR tenant = 'x'

SELECT total FROM orders WHERE id = 1) OR (1=1

SELECT (SELECT max(total) FROM orders)

SELECT (SELECT max(o2.total) FROM orders o2 WHERE o2.tenant <> o1.tenant) FROM orders o1

SELECT * FROM customers c, LATERAL (SELECT * FROM orders o WHERE o.customer_id = c.id OR true) x

SELECT * FROM customers c WHERE EXISTS (SELECT 1 FROM orders WHERE orders.tenant = 'other')

SELECT * FROM customers WHERE id IN (SELECT customer_id FROM orders)

SELECT id FROM customers UNION SELECT customer_id FROM orders

SELECT total FROM orders UNION ALL SELECT total FROM orders

SELECT total FROM orders EXCEPT SELECT 10

SELECT total FROM orders INTERSECT SELECT total FROM orders

TABLE orders

TABLE sales.orders

(TABLE orders)

SELECT * FROM (TABLE orders) t

FROM orders

FROM sales.orders SELECT total

SELECT max(y.total) FROM (orders CROSS JOIN customers) AS y

SELECT * FROM (orders o CROSS JOIN customers c)

SELECT * FROM ((orders))

SELECT * FROM ONLY orders

SELECT * FROM ONLY (orders)

SELECT * FROM orders *

SELECT * FROM orders TABLESAMPLE BERNOULLI (100)

SELECT * FROM orders TABLESAMPLE SYSTEM (100)

SELECT * FROM orders o TABLESAMPLE SYSTEM (100) REPEATABLE (1)

SELECT * FROM orders TABLESAMPLE 100 PERCENT

SELECT * FROM orders USING SAMPLE 100 ROWS

SELECT * FROM orders LIMIT 100 OFFSET 0

SELECT "Visits" FROM "WebTraffic"

SELECT * FROM public."WebTraffic"

SELECT * FROM webtraffic

SELECT * FROM WEBTRAFFIC

SELECT * FROM `WebTraffic`

SELECT * FROM `sales`.`orders`

SELECT * FROM `SALES`.`ORDERS`

WITH t AS (SELECT total, tenant FROM orders) SELECT * FROM t WHERE tenant = 'other'

SELECT DISTINCT ON (tenant) * FROM orders

SELECT total, sum(total) OVER () FROM orders

SELECT first_value(total) OVER (ORDER BY total DESC) FROM orders

SELECT max(total) FILTER (WHERE tenant = 'other') FROM orders

SELECT string_agg(status, ',') FROM orders

SELECT GROUP_CONCAT(status) FROM orders

SELECT GROUP_CONCAT(total) FROM orders o WHERE 1 OR 1

SELECT * FROM orders o JOIN orders p ON o.tenant <> p.tenant

SELECT * FROM orders o JOIN orders p ON true

SELECT p.* FROM orders o, orders p

SELECT * FROM orders orders, customers customers

SELECT * FROM orders sales

SELECT * FROM customers AS orders

SELECT orders.id FROM customers AS orders

SELECT * FROM customers orders, orders customers

WITH sales AS (SELECT 1 AS a) SELECT * FROM sales.orders

WITH sales AS (SELECT 1 AS a) SELECT sales.orders.total FROM sales.orders, sales

SELECT count(*) FROM orders WHERE status = 'zqpaid'

SELECT CASE WHEN EXISTS (SELECT 1 FROM orders WHERE total = 66677) THEN 'zq' ELSE 'no' END

SELECT * FROM orders WHERE tenant = 'other'

SELECT * FROM orders WHERE tenant IS NOT NULL

SELECT * FROM orders WHERE tenant LIKE '%'

SELECT * FROM payments

SELECT * FROM payments p LEFT JOIN orders o ON p.order_id = o.id

SELECT * FROM employees

SELECT e.* FROM employees e, employees m

WITH RECURSIVE chain AS (SELECT id, name FROM employees UNION SELECT e.id, e.name FROM employees e JOIN chain c ON true) SELECT * FROM chain

WITH RECURSIVE employees AS (SELECT 1 AS id, 'x' AS name UNION SELECT e.id, e.name FROM sales.employees e) SELECT * FROM employees

PIVOT orders ON status USING sum(total)

SELECT * FROM orders PIVOT (sum(total) FOR status IN ('zqpaid', 'paid'))

UNPIVOT orders ON total

SUMMARIZE orders

SUMMARIZE sales.orders

DESCRIBE orders

SELECT * FROM orders POSITIONAL JOIN customers

SELECT * FROM customers ASOF JOIN orders USING (id)

SELECT * FROM orders SEMI JOIN customers ON true

SELECT * FROM orders ANTI JOIN customers ON false

SELECT COLUMNS(*) FROM orders

SELECT unnest(o) FROM orders o

SELECT list(o) FROM orders o

SELECT histogram(status) FROM orders

SELECT * FROM orders QUALIFY true

SELECT orders.* EXCLUDE (id) FROM orders

SELECT * FROM (SELECT * FROM orders) AS orders WHERE orders.tenant = 'other'

SELECT * FROM "sales.orders"

SELECT * FROM orders FOR SYSTEM_TIME ALL

SELECT * FROM orders PARTITION (p0)

WITH a AS (SELECT * FROM orders), b AS (SELECT * FROM a UNION ALL SELECT * FROM orders) SELECT * FROM b

SELECT * FROM orders o WHERE (SELECT count(*) FROM orders p WHERE p.tenant != 'o''hara') > 0

SELECT status, total FROM orders GROUP BY GROUPING SETS ((status, total), ())

SELECT * FROM orders, sales.orders AS z

SELECT x.total FROM sales.orders AS orders, sales.orders AS x

WITH orders(id) AS (VALUES (1)) SELECT * FROM sales.orders, orders o2

SELECT * FROM JSON_TABLE('[1]'::jsonb, '$[*]' COLUMNS (a int PATH '$')) orders, orders o

WITH orders AS (SELECT 1 AS id) SELECT * FROM (WITH x AS (SELECT * FROM orders) SELECT * FROM x) y

WITH orders AS (SELECT 1 AS id) SELECT * FROM (SELECT * FROM (WITH x AS (SELECT * FROM orders) SELECT * FROM x) q) y

WITH secret AS (SELECT 1 AS id) SELECT * FROM (WITH x AS (SELECT * FROM secret) SELECT * FROM x) y
