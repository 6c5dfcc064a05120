package projects

import "quaestor/research/warehouse/guard"

// dialectNotes tell analysts what they most often get wrong in a dialect.
var dialectNotes = map[guard.Dialect]string{
	guard.PostgreSQL: `Dates: date_trunc('month', t), extract(hour FROM t), t + interval '1 day', a::date - b::date is a number of days. Share: count(*) FILTER (WHERE ...)::numeric / nullif(count(*), 0).
Percentile: percentile_cont(0.9) WITHIN GROUP (ORDER BY x). round(x, 2) needs numeric, not double precision. Integer division cuts: cast one side to numeric. Names with capitals need double quotes. An alias of the SELECT stands in GROUP BY and ORDER BY, not in WHERE or HAVING.`,
	guard.Redshift: `Like PostgreSQL 8 with additions: date_trunc('month', t), datediff(day, a, b), dateadd(day, 1, t). No FILTER: use sum(CASE WHEN ... THEN 1 ELSE 0 END). Percentile: percentile_cont(0.9) WITHIN GROUP (ORDER BY x), or approximate percentile_disc.
Integer division cuts: cast one side to numeric. Names are folded to small letters. Rows are stored by columns: name the columns you need.`,
	guard.MySQL: `Dates: DATE_FORMAT(t, '%Y-%m-01'), HOUR(t), TIMESTAMPDIFF(MINUTE, a, b), DATE_ADD(t, INTERVAL 1 DAY). No FILTER and no percentile functions: SUM(condition) counts, and ranks come from ROW_NUMBER() OVER (ORDER BY x).
Names in backticks, texts in single quotes. No FULL JOIN. || is not concatenation: CONCAT. Every column of the SELECT that is not aggregated stands in GROUP BY.`,
	guard.MariaDB: `Dates: DATE_FORMAT(t, '%Y-%m-01'), HOUR(t), TIMESTAMPDIFF(MINUTE, a, b), DATE_ADD(t, INTERVAL 1 DAY). No FILTER: SUM(condition) counts. PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY x) OVER (PARTITION BY ...) is a window function only.
Names in backticks, texts in single quotes. No FULL JOIN. || is not concatenation: CONCAT. Every column of the SELECT that is not aggregated stands in GROUP BY.`,
	guard.DuckDB: `Close to PostgreSQL: date_trunc('month', t), date_diff('minute', a, b), extract(hour FROM t), count(*) FILTER (WHERE ...). quantile_cont(x, 0.9) and median(x) are aggregates. / of integers gives a fraction, // cuts. strftime(t, '%Y-%m').
An alias of the SELECT may stand in GROUP BY, HAVING and WHERE. try_cast(x AS DATE) gives NULL for what does not convert. Reading files or other databases is not possible: only the tables of the catalog.`,
	guard.ClickHouse: `Dates: toStartOfMonth(t), toHour(t), dateDiff('minute', a, b), t + INTERVAL 1 DAY. countIf(condition), sumIf(x, condition), quantile(0.9)(x), uniq(x) is approximate and uniqExact(x) is not. Names and functions keep their capitals.
A JOIN fills what is missing with zeros and empty texts rather than NULL unless the column is Nullable. Integer division gives a fraction; intDiv cuts. Put a condition on the date column of large tables.`,
	guard.SQLServer: `T-SQL: SELECT TOP (20), no LIMIT; ORDER BY ... OFFSET 0 ROWS FETCH NEXT 20 ROWS ONLY. DATEPART(hour, t), DATEDIFF(minute, a, b), DATEFROMPARTS(YEAR(t), MONTH(t), 1). No boolean values: CASE WHEN ... THEN 1 ELSE 0 END.
PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY x) OVER (PARTITION BY ...) is a window function only. Names in [brackets]. Integer division cuts: multiply by 1.0. An alias of the SELECT stands in ORDER BY only. ORDER BY in a subquery needs TOP.`,
	guard.BigQuery: "Standard SQL: names in backticks (`dataset.table`). DATE_TRUNC(d, MONTH) for dates and TIMESTAMP_TRUNC(t, MONTH) for timestamps, DATE_DIFF(a, b, DAY), EXTRACT(HOUR FROM t), COUNTIF(condition), SAFE_DIVIDE(a, b), APPROX_QUANTILES(x, 100)[OFFSET(90)].\n" +
		"QUALIFY filters windows. Cost is by columns and partitions read: name the columns, put a condition on the partition column, never SELECT *; LIMIT saves nothing. Nested columns need UNNEST.",
	guard.Snowflake: `DATE_TRUNC('month', t), DATEDIFF('minute', a, b), DATEADD('day', 1, t), COUNT_IF(condition), DIV0NULL(a, b), PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY x), QUALIFY filters windows. Names without quotes are folded to capitals; names with small letters need double quotes.
JSON: column:path::type. ILIKE ignores capitals. APPROX_COUNT_DISTINCT for very large counts.`,
}
