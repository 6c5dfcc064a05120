package repair

import "maps"

// The rewrites of each dialect. Only calls with exactly the same meaning are listed.

// postgresRewrites turn functions of other dialects into PostgreSQL's. Keys are lower case.
// Arguments are put in parentheses where an operator follows, because an argument may be any
// expression.
var postgresRewrites = map[string]rewrite{
	"date_format":           formatted("to_char", percentMySQL, toChar, false),
	"strftime":              formatted("to_char", percentC, toChar, false),
	"str_to_date":           formatted("to_date", percentMySQL, toChar, false),
	"ifnull":                as("coalesce", 2),
	"nvl":                   as("coalesce", 2),
	"isnull":                either(as("coalesce", 2), form(1, "($1 IS NULL)")),
	"if":                    form(3, "CASE WHEN $1 THEN $2 ELSE $3 END"),
	"iff":                   form(3, "CASE WHEN $1 THEN $2 ELSE $3 END"),
	"iif":                   form(3, "CASE WHEN $1 THEN $2 ELSE $3 END"),
	"getdate":               fixed("now()"),
	"sysdate":               fixed("now()"),
	"curdate":               fixed("current_date"),
	"today":                 fixed("current_date"),
	"year":                  form(1, "extract(year FROM $1)"),
	"month":                 form(1, "extract(month FROM $1)"),
	"day":                   form(1, "extract(day FROM $1)"),
	"hour":                  form(1, "extract(hour FROM $1)"),
	"minute":                form(1, "extract(minute FROM $1)"),
	"quarter":               form(1, "extract(quarter FROM $1)"),
	"week":                  form(1, "extract(week FROM $1)"),
	"datediff":              either(form(2, "(($1)::date - ($2)::date)"), postgresDifference),
	"timestampdiff":         postgresDifference,
	"date_diff":             either(postgresDifference, lastFirst(units(3, map[string]string{"day": "(($1)::date - ($2)::date)"}))),
	"dateadd":               units(3, map[string]string{"": "($2 + ($1) * interval '1 $u')"}),
	"date_add":              moved("+"),
	"date_sub":              moved("-"),
	"group_concat":          form(1, "string_agg(($1)::text, ',')"),
	"countif":               form(1, "count(*) FILTER (WHERE $1)"),
	"count_if":              form(1, "count(*) FILTER (WHERE $1)"),
	"sumif":                 form(2, "sum($1) FILTER (WHERE $2)"),
	"safe_divide":           form(2, "(($1)::numeric / nullif($2, 0))"),
	"div0":                  form(2, "coalesce(($1)::numeric / nullif($2, 0), 0)"),
	"median":                form(1, "percentile_cont(0.5) WITHIN GROUP (ORDER BY $1)"),
	"quantile_cont":         form(2, "percentile_cont($2) WITHIN GROUP (ORDER BY $1)"),
	"len":                   as("length", 1),
	"charindex":             form(2, "strpos($2, $1)"),
	"instr":                 form(2, "strpos($1, $2)"),
	"locate":                form(2, "strpos($2, $1)"),
	"approx_count_distinct": form(1, "count(DISTINCT $1)"),
	"uniq":                  form(1, "count(DISTINCT $1)"),
	"uniqexact":             form(1, "count(DISTINCT $1)"),
	"rand":                  fixed("random()"),
	"date_trunc":            either(units(2, map[string]string{"": "date_trunc('$u', $1)"}), lastFirst(units(2, map[string]string{"": "date_trunc('$u', $1)"}))),
	"timestamp_trunc":       lastFirst(units(2, map[string]string{"": "date_trunc('$u', $1)"})),
	"datetrunc":             units(2, map[string]string{"": "date_trunc('$u', $1)"}),
	"tostartofmonth":        form(1, "date_trunc('month', $1)"),
	"tostartofday":          form(1, "date_trunc('day', $1)"),
	"ucase":                 as("upper", 1),
	"lcase":                 as("lower", 1),
	"from_unixtime":         as("to_timestamp", 1),
}

// postgresDifference computes the number of whole units between two times. PostgreSQL has no
// function for it. Days count midnights, as DATEDIFF does; months and years count whole ones by
// age.
var postgresDifference = units(3, map[string]string{
	"day":    "(($2)::date - ($1)::date)",
	"hour":   "floor(extract(epoch FROM ($2) - ($1)) / 3600)",
	"minute": "floor(extract(epoch FROM ($2) - ($1)) / 60)",
	"second": "floor(extract(epoch FROM ($2) - ($1)))",
	"month":  "(extract(year FROM age($2, $1)) * 12 + extract(month FROM age($2, $1)))",
	"year":   "extract(year FROM age($2, $1))",
})

// redshiftRewrites are those of PostgreSQL except for functions that Redshift has.
var redshiftRewrites = without(postgresRewrites, "nvl", "getdate", "sysdate", "datediff", "dateadd", "date_diff", "date_add", "len", "charindex", "median", "date_trunc", "isnull", "strpos")

// without returns all without the given names.
func without(all map[string]rewrite, names ...string) map[string]rewrite {
	out := maps.Clone(all)
	for _, name := range names {
		delete(out, name)
	}
	return out
}

// duckRewrites turn functions of other dialects into DuckDB's. DuckDB knows many functions of
// others under their own names, so the list is shorter than PostgreSQL's.
var duckRewrites = map[string]rewrite{
	"date_format":     formatted("strftime", percentMySQL, percentC, false),
	"to_char":         formatted("strftime", toChar, percentC, false),
	"str_to_date":     formatted("strptime", percentMySQL, percentC, false),
	"to_date":         formatted("strptime", toChar, percentC, false),
	"nvl":             as("coalesce", 2),
	"isnull":          either(as("coalesce", 2), form(1, "($1 IS NULL)")),
	"iff":             form(3, "CASE WHEN $1 THEN $2 ELSE $3 END"),
	"iif":             form(3, "CASE WHEN $1 THEN $2 ELSE $3 END"),
	"getdate":         fixed("now()"),
	"sysdate":         fixed("now()"),
	"curdate":         fixed("current_date"),
	"datediff":        either(units(3, map[string]string{"": "date_diff('$u', $1, $2)"}), form(2, "date_diff('day', $2, $1)")),
	"timestampdiff":   units(3, map[string]string{"": "date_diff('$u', $1, $2)"}),
	"date_diff":       either(units(3, map[string]string{"": "date_diff('$u', $1, $2)"}), lastFirst(units(3, map[string]string{"": "date_diff('$u', $2, $1)"}))),
	"dateadd":         units(3, map[string]string{"": "($2 + ($1) * INTERVAL 1 $u)"}),
	"date_sub":        moved("-"),
	"countif":         as("count_if", 1),
	"sumif":           form(2, "sum($1) FILTER (WHERE $2)"),
	"safe_divide":     form(2, "(($1) / nullif($2, 0))"),
	"div0":            form(2, "coalesce(($1) / nullif($2, 0), 0)"),
	"charindex":       form(2, "strpos($2, $1)"),
	"locate":          form(2, "strpos($2, $1)"),
	"uniq":            form(1, "count(DISTINCT $1)"),
	"rand":            fixed("random()"),
	"date_trunc":      either(units(2, map[string]string{"": "date_trunc('$u', $1)"}), lastFirst(units(2, map[string]string{"": "date_trunc('$u', $1)"}))),
	"timestamp_trunc": lastFirst(units(2, map[string]string{"": "date_trunc('$u', $1)"})),
	"tostartofmonth":  form(1, "date_trunc('month', $1)"),
	"from_unixtime":   as("to_timestamp", 1),
}

// mysqlTruncation truncates a time to a unit in MySQL. Units that are not listed, such as
// quarters, are left to the model.
var mysqlTruncation = map[string]string{
	"year":  "DATE_FORMAT($1, '%Y-01-01')",
	"month": "DATE_FORMAT($1, '%Y-%m-01')",
	"day":   "DATE($1)",
	"week":  "DATE_SUB(DATE($1), INTERVAL WEEKDAY($1) DAY)",
	"hour":  "DATE_FORMAT($1, '%Y-%m-%d %H:00:00')",
}

// mysqlRewrites turn functions of other dialects into those of MySQL and MariaDB.
var mysqlRewrites = map[string]rewrite{
	"date_trunc":            either(units(2, mysqlTruncation), lastFirst(units(2, mysqlTruncation))),
	"timestamp_trunc":       lastFirst(units(2, mysqlTruncation)),
	"tostartofmonth":        form(1, "DATE_FORMAT($1, '%Y-%m-01')"),
	"to_char":               formatted("DATE_FORMAT", toChar, percentMySQL, false),
	"strftime":              formatted("DATE_FORMAT", percentC, percentMySQL, false),
	"to_date":               formatted("STR_TO_DATE", toChar, percentMySQL, false),
	"date_part":             units(2, map[string]string{"": "EXTRACT($u FROM $1)"}),
	"nvl":                   as("IFNULL", 2),
	"isnull":                either(as("IFNULL", 2), form(1, "($1 IS NULL)")),
	"iff":                   as("IF", 3),
	"iif":                   as("IF", 3),
	"getdate":               fixed("NOW()"),
	"today":                 fixed("CURDATE()"),
	"datediff":              units(3, map[string]string{"": "TIMESTAMPDIFF($u, $1, $2)"}),
	"date_diff":             either(units(3, map[string]string{"": "TIMESTAMPDIFF($u, $1, $2)"}), lastFirst(units(3, map[string]string{"": "TIMESTAMPDIFF($u, $2, $1)"}))),
	"dateadd":               units(3, map[string]string{"": "DATE_ADD($2, INTERVAL $1 $u)"}),
	"string_agg":            form(2, "GROUP_CONCAT($1 SEPARATOR $2)"),
	"listagg":               form(2, "GROUP_CONCAT($1 SEPARATOR $2)"),
	"countif":               form(1, "SUM(CASE WHEN $1 THEN 1 ELSE 0 END)"),
	"count_if":              form(1, "SUM(CASE WHEN $1 THEN 1 ELSE 0 END)"),
	"safe_divide":           form(2, "($1 / NULLIF($2, 0))"),
	"strpos":                form(2, "LOCATE($2, $1)"),
	"charindex":             form(2, "LOCATE($1, $2)"),
	"len":                   as("CHAR_LENGTH", 1),
	"random":                fixed("RAND()"),
	"approx_count_distinct": form(1, "COUNT(DISTINCT $1)"),
	"uniq":                  form(1, "COUNT(DISTINCT $1)"),
}

// serverRewrites turn functions of other dialects into SQL Server's.
var serverRewrites = map[string]rewrite{
	"now":           fixed("GETDATE()"),
	"curdate":       fixed("CAST(GETDATE() AS date)"),
	"length":        as("LEN", 1),
	"ifnull":        as("COALESCE", 2),
	"nvl":           as("COALESCE", 2),
	"if":            as("IIF", 3),
	"date_trunc":    units(2, map[string]string{"day": "CAST($1 AS date)", "month": "DATEFROMPARTS(YEAR($1), MONTH($1), 1)", "year": "DATEFROMPARTS(YEAR($1), 1, 1)"}),
	"timestampdiff": units(3, map[string]string{"": "DATEDIFF($u, $1, $2)"}),
	"date_diff":     units(3, map[string]string{"": "DATEDIFF($u, $1, $2)"}),
	"strpos":        form(2, "CHARINDEX($2, $1)"),
	"countif":       form(1, "SUM(CASE WHEN $1 THEN 1 ELSE 0 END)"),
	"safe_divide":   form(2, "($1 / NULLIF($2, 0))"),
	"hour":          form(1, "DATEPART(hour, $1)"),
	"substr":        as("SUBSTRING", 3),
}

// bigqueryRewrites turn functions of other dialects into BigQuery's.
var bigqueryRewrites = map[string]rewrite{
	"date_trunc":   units(2, map[string]string{"": "TIMESTAMP_TRUNC($1, $u)"}),
	"nvl":          as("IFNULL", 2),
	"isnull":       as("IFNULL", 2),
	"now":          fixed("CURRENT_TIMESTAMP()"),
	"getdate":      fixed("CURRENT_TIMESTAMP()"),
	"datediff":     units(3, map[string]string{"": "DATE_DIFF($2, $1, $u)"}),
	"len":          as("LENGTH", 1),
	"count_if":     as("COUNTIF", 1),
	"median":       form(1, "APPROX_QUANTILES($1, 2)[OFFSET(1)]"),
	"year":         form(1, "EXTRACT(YEAR FROM $1)"),
	"month":        form(1, "EXTRACT(MONTH FROM $1)"),
	"hour":         form(1, "EXTRACT(HOUR FROM $1)"),
	"group_concat": form(1, "STRING_AGG(CAST($1 AS STRING))"),
	"random":       fixed("RAND()"),
}
