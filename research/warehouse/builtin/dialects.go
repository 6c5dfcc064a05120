package builtin

import (
	"strings"
)

// standard is what several dialects share with PostgreSQL.
func standard() dialect {
	return dialect{
		open: `"`, shut: `"`, escape: doubled(`"`),
		float: "%s", divided: "%s", number: "%s", length: "LENGTH(%s)",
		asText: "CAST(%s AS varchar)", asDate: "CAST(%s AS date)", day: "DATE '%s'", comparable: "%s",
		deviation: "STDDEV_SAMP(%s)", absolute: "ABS(%s)", truth: true, windows: true,
		truncate: func(g grain, x string) string {
			if g == hourly {
				return "date_trunc('hour', " + x + ")"
			}
			return "CAST(date_trunc('" + string(g) + "', " + x + ") AS date)"
		},
		extract: func(p part, x string) string { return "EXTRACT(" + strings.ToUpper(string(p)) + " FROM " + x + ")" },
	}
}

func postgresql() *dialect {
	d := standard()
	d.number, d.asText = "CAST(%s AS numeric)", "CAST(%s AS text)"
	d.epoch = "(TIMESTAMP '1970-01-01' + %s * INTERVAL '1 second')"
	d.days = "EXTRACT(EPOCH FROM CAST(%[2]s AS timestamp) - CAST(%[1]s AS timestamp)) / 86400.0"
	d.quantile = "percentile_cont(%[2]s) WITHIN GROUP (ORDER BY %[1]s)"
	plain := d.extract
	d.extract = func(p part, x string) string {
		if p == weekdayOf { // Redshift knows no ISODOW
			return "(CAST(EXTRACT(DOW FROM " + x + ") AS integer) + 6) % 7 + 1"
		}
		return "CAST(" + plain(p, x) + " AS integer)"
	}
	return &d
}

func duckdb() *dialect {
	d := standard()
	d.epoch = "make_timestamp(CAST(%s AS BIGINT) * 1000000)"
	d.days = "date_diff('second', CAST(%[1]s AS TIMESTAMP), CAST(%[2]s AS TIMESTAMP)) / 86400.0"
	d.quantile = "quantile_cont(%[1]s, %[2]s)"
	plain := d.extract
	d.extract = func(p part, x string) string {
		if p == weekdayOf {
			return "EXTRACT(ISODOW FROM " + x + ")"
		}
		return plain(p, x)
	}
	return &d
}

func snowflake() *dialect {
	d := standard()
	d.epoch = "TO_TIMESTAMP(%s)"
	d.days = "DATEDIFF('second', %[1]s, %[2]s) / 86400.0"
	d.quantile = "PERCENTILE_CONT(%[2]s) WITHIN GROUP (ORDER BY %[1]s)"
	plain := d.extract
	d.extract = func(p part, x string) string {
		if p == weekdayOf {
			return "DAYOFWEEKISO(" + x + ")"
		}
		return plain(p, x)
	}
	return &d
}

func mysql() *dialect {
	d := standard()
	d.aliases = true
	d.open, d.shut, d.escape = "`", "`", doubled("`")
	d.length, d.asText = "CHAR_LENGTH(%s)", "CAST(%s AS char)"
	d.epoch = "FROM_UNIXTIME(%s)"
	d.days = "TIMESTAMPDIFF(SECOND, %[1]s, %[2]s) / 86400.0"
	d.truncate = func(g grain, x string) string {
		switch g {
		case hourly:
			return "CAST(DATE_FORMAT(" + x + ", '%Y-%m-%d %H:00:00') AS datetime)"
		case daily:
			return "CAST(" + x + " AS date)"
		case weekly:
			return "DATE_SUB(CAST(" + x + " AS date), INTERVAL WEEKDAY(" + x + ") DAY)"
		case monthly:
			return "CAST(DATE_FORMAT(" + x + ", '%Y-%m-01') AS date)"
		default:
			return "CAST(DATE_FORMAT(" + x + ", '%Y-01-01') AS date)"
		}
	}
	d.extract = func(p part, x string) string {
		if p == weekdayOf {
			return "WEEKDAY(" + x + ") + 1"
		}
		return strings.ToUpper(string(p)) + "(" + x + ")"
	}
	return &d
}

// clickhouse is written without window functions, which came late to it.
func clickhouse() *dialect {
	d := standard()
	d.windows = false
	d.open, d.shut, d.escape = "`", "`", slashed
	d.float, d.number, d.length = "toFloat64(%s)", "%s", "lengthUTF8(%s)"
	d.divided = "toFloat64(%s)" // decimals and floats do not go together in some versions
	d.asText, d.asDate, d.day, d.epoch = "toString(%s)", "toDate(%s)", "toDate('%s')", "toDateTime(%s)"
	d.comparable = "toDate(%s)" // a time and a date are compared by their numbers in some versions
	d.days = "dateDiff('second', toDateTime(%[1]s), toDateTime(%[2]s)) / 86400.0"
	d.quantile, d.deviation, d.absolute = "quantile(%[2]s)(toFloat64(%[1]s))", "stddevSamp(toFloat64(%s))", "abs(%s)"
	starts := map[grain]string{hourly: "toStartOfHour(toDateTime(", daily: "(toDate(", weekly: "toMonday(toDate(", monthly: "toStartOfMonth(toDate(", yearly: "toStartOfYear(toDate("}
	d.truncate = func(g grain, x string) string { return starts[g] + x + "))" }
	parts := map[part]string{yearOf: "toYear(", monthOf: "toMonth(", weekdayOf: "toDayOfWeek(", hourOf: "toHour("}
	d.extract = func(p part, x string) string { return parts[p] + x + ")" }
	return &d
}

func sqlserver() *dialect {
	d := standard()
	d.open, d.shut, d.escape = "[", "]", doubled("]")
	d.float, d.length, d.asText = "CAST(%s AS float)", "LEN(%s)", "CAST(%s AS nvarchar(4000))"
	d.day, d.epoch = "CAST('%s' AS date)", "DATEADD(second, %s, CAST('1970-01-01' AS datetime2))"
	d.days = "DATEDIFF_BIG(second, %[1]s, %[2]s) / 86400.0"
	d.deviation, d.top, d.truth = "STDEV(%s)", true, false
	d.truncate = func(g grain, x string) string {
		if g == weekly { // day 0 was a Monday
			return "DATEADD(day, -(DATEDIFF(day, 0, " + x + ") % 7), CAST(" + x + " AS date))"
		}
		return "DATEADD(" + string(g) + ", DATEDIFF(" + string(g) + ", 0, " + x + "), 0)"
	}
	d.extract = func(p part, x string) string {
		if p == weekdayOf {
			return "DATEDIFF(day, 0, " + x + ") % 7 + 1"
		}
		return "DATEPART(" + string(p) + ", " + x + ")"
	}
	return &d
}

func bigquery() *dialect {
	d := standard()
	d.open, d.shut, d.escape = "`", "`", slashed
	d.asText, d.day, d.epoch = "CAST(%s AS STRING)", "TIMESTAMP '%s'", "TIMESTAMP_SECONDS(CAST(%s AS INT64))"
	d.comparable = "CAST(%s AS TIMESTAMP)"
	d.days = "TIMESTAMP_DIFF(CAST(%[2]s AS TIMESTAMP), CAST(%[1]s AS TIMESTAMP), SECOND) / 86400.0"
	d.quantile = "APPROX_QUANTILES(%[1]s, 100)[OFFSET(CAST(100 * %[2]s AS INT64))]"
	d.truncate = func(g grain, x string) string {
		unit := strings.ToUpper(string(g))
		if g == weekly {
			unit = "ISOWEEK"
		}
		return "TIMESTAMP_TRUNC(CAST(" + x + " AS TIMESTAMP), " + unit + ")"
	}
	d.extract = func(p part, x string) string {
		x = "CAST(" + x + " AS TIMESTAMP)"
		if p == weekdayOf {
			return "MOD(EXTRACT(DAYOFWEEK FROM " + x + ") + 5, 7) + 1"
		}
		return "EXTRACT(" + strings.ToUpper(string(p)) + " FROM " + x + ")"
	}
	return &d
}
