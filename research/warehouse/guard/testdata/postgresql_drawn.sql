-- One statement a paragraph. They draw numbers, or read the clock, and give something else each time.
SELECT * FROM orders ORDER BY random() LIMIT 10

SELECT id FROM orders WHERE random() < 0.1

SELECT setseed(0.5), id FROM orders

SELECT clock_timestamp() - placed_at FROM orders

SELECT gen_random_uuid()
