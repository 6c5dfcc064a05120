-- One statement a paragraph. Ordinary ones that MySQL 8 runs and MariaDB does not.
SELECT CAST(o.placed_at AS YEAR) FROM orders o

SELECT CAST('[1]' AS JSON) FROM orders o

SELECT SUM(o.total) OVER (ORDER BY o.placed_at RANGE BETWEEN INTERVAL 7 DAY PRECEDING AND CURRENT ROW) FROM orders o

SELECT LAG(o.total, 1, 0) OVER (ORDER BY o.id) FROM orders o

SELECT * FROM orders o JOIN LATERAL (SELECT p.* FROM payments p WHERE p.order_id = o.id ORDER BY p.paid_at DESC LIMIT 1) lp ON TRUE

SELECT v.column_0 FROM (VALUES ROW(1), ROW(2)) AS v

SELECT * FROM orders WHERE MATCH (status) AGAINST ('paid' IN BOOLEAN MODE)
