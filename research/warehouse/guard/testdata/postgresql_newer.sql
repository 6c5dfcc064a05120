-- One statement a paragraph. Ordinary ones that PostgreSQL runs since 16 or 17.
SELECT any_value(o.status) FROM orders o

SELECT JSON_OBJECT('a': 1, 'b': o.total) FROM orders o

SELECT JSON_VALUE(o.details, '$.a') FROM orders o

SELECT JSON_QUERY(o.details, '$.a' WITH WRAPPER) FROM orders o

SELECT JSON_EXISTS(o.details, '$.a') FROM orders o

SELECT JSON_ARRAY(1, 2) FROM orders o

SELECT JSON_OBJECTAGG(o.id: o.total) FROM orders o

SELECT JSON_ARRAYAGG(o.id ORDER BY o.id) FROM orders o

SELECT o.details IS JSON OBJECT FROM orders o

SELECT JSON_QUERY(details, '$.items' RETURNING jsonb) FROM orders

SELECT JSON_VALUE(details, '$.n' RETURNING int DEFAULT 0 ON EMPTY) FROM orders

SELECT JSON_EXISTS(details, '$.items[*] ? (@ > $least)' PASSING 3 AS least) FROM orders

SELECT status, JSON_ARRAYAGG(total ORDER BY placed_at) FILTER (WHERE total > 5) FROM orders GROUP BY status

SELECT jt.* FROM orders, JSON_TABLE(details, '$.items[*]' COLUMNS (sku text PATH '$.sku', qty int PATH '$.qty')) AS jt

SELECT jt.* FROM orders o CROSS JOIN LATERAL JSON_TABLE(o.details::jsonb, '$' COLUMNS (n FOR ORDINALITY, a text PATH '$.a' DEFAULT 'x' ON EMPTY, NESTED PATH '$.b[*]' COLUMNS (c int PATH '$.c'))) jt

SELECT random(1, 10) FROM orders

SELECT any_value(status) FROM orders
