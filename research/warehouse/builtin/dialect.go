package builtin

import (
	"fmt"
	"strconv"
	"strings"

	"quaestor/research/warehouse/guard"
)

// grain is how coarse a span of time is cut.
type grain string

// The grains.
const (
	hourly  grain = "hour"
	daily   grain = "day"
	weekly  grain = "week"
	monthly grain = "month"
	yearly  grain = "year"
)

// part is a place within a cycle of time.
type part string

// The parts. A weekday is 1 to 7 from Monday, an hour 0 to 23.
const (
	yearOf    part = "year"
	monthOf   part = "month"
	weekdayOf part = "weekday"
	hourOf    part = "hour"
)

// dialect is how the pieces of a statement are written. Arguments are expressions
// of the dialect, already quoted.
type dialect struct {
	open, shut string // around names
	escape     func(string) string
	divided    string // what a constant with a fraction may divide, with %s
	float      string // cast to a number with a fraction, with %s; AVG of whole numbers needs one in some
	number     string // cast to what ROUND takes, with %s
	length     string // characters of a text, with %s
	asText     string // cast to text, with %s
	asDate     string // cast of an ISO text to a date, with %s
	day        string // a date as a constant, with %s for YYYY-MM-DD
	comparable string // a time as it is compared with such a constant, with %s
	epoch      string // seconds since 1970 as a time, with %s
	days       string // days from one time to another with a fraction, with %[1]s and %[2]s
	truncate   func(g grain, x string) string
	extract    func(p part, x string) string
	quantile   string // of a column, with %[1]s and the share as %[2]s; empty where there is none
	deviation  string // standard deviation, with %s
	absolute   string // a number without its sign, with %s
	windows    bool   // window functions can be counted on
	truth      bool   // a truth value is a condition by itself
	top        bool   // TOP and FETCH in the place of LIMIT
	aliases    bool   // GROUP BY knows the names of the list, and does not know every expression of it again
}

// dialectOf returns the pieces of a dialect. One that is not known is written as
// PostgreSQL's.
func dialectOf(name guard.Dialect) *dialect {
	switch name {
	case guard.DuckDB:
		return duckdb()
	case guard.MySQL, guard.MariaDB:
		return mysql()
	case guard.ClickHouse:
		return clickhouse()
	case guard.SQLServer:
		return sqlserver()
	case guard.BigQuery:
		return bigquery()
	case guard.Snowflake:
		return snowflake()
	default: // PostgreSQL and Redshift
		return postgresql()
	}
}

// quote returns a name as it stands in a statement.
func (d *dialect) quote(name string) string { return d.open + d.escape(name) + d.shut }

// doubled returns what writes a quote within quotes twice.
func doubled(q string) func(string) string {
	return func(s string) string { return strings.ReplaceAll(s, q, q+q) }
}

// slashed writes a quote within quotes with a backslash.
func slashed(s string) string { return slashes.Replace(s) }

var slashes = strings.NewReplacer(`\`, `\\`, "`", "\\`")

// text returns a text as a constant. It is false for one that the dialects write
// each in their own way.
func text(s string) (string, bool) {
	if strings.ContainsAny(s, "\\\x00\n\r") {
		return "", false
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'", true
}

// avg is the mean of x.
func (d *dialect) avg(x string, digits int) string {
	return d.round("AVG("+fmt.Sprintf(d.float, x)+")", digits)
}

// round is x with so many digits behind the point.
func (d *dialect) round(x string, digits int) string {
	return "ROUND(" + fmt.Sprintf(d.number, x) + ", " + strconv.Itoa(digits) + ")"
}

// percentile is the value below which the share p of x lies.
func (d *dialect) percentile(x string, p string, digits int) string {
	return d.round(fmt.Sprintf(d.quantile, x, p), digits)
}

// percent is how many of 100 of whole part is.
func (d *dialect) percent(part, whole string) string {
	return d.round("100.0 * "+part+" / NULLIF("+whole+", 0)", 2)
}

// inAll is what the groups of a query have together, of which each has once: over
// says so for a query with window functions, once and from for one without.
func (d *dialect) inAll(over, once, from string) string {
	if d.windows {
		return over + " OVER ()"
	}
	return "(SELECT " + once + " FROM " + from + ")"
}

// share is how many of 100 of the records of a grouped query each group has.
func (d *dialect) share(from string) string {
	return as(d.percent("COUNT(*)", d.inAll("SUM(COUNT(*))", "COUNT(*)", from)), "share_pct")
}

// count is how many rows meet a condition.
func count(condition string) string {
	return "SUM(CASE WHEN " + condition + " THEN 1 ELSE 0 END)"
}

// limit ends a statement that is ordered.
func (d *dialect) limit(n int) string {
	if d.top {
		return "OFFSET 0 ROWS FETCH NEXT " + strconv.Itoa(n) + " ROWS ONLY"
	}
	return "LIMIT " + strconv.Itoa(n)
}

// some is a query for n rows of a table, no matter which.
func (d *dialect) some(list, table string, n int) string {
	if d.top {
		return "SELECT TOP (" + strconv.Itoa(n) + ") " + list + " FROM " + table
	}
	return "SELECT " + list + " FROM " + table + " LIMIT " + strconv.Itoa(n)
}

// bucket is the start of the bucket of a width in which x lies.
func (d *dialect) bucket(x, width string) string {
	return "FLOOR(" + fmt.Sprintf(d.divided, x) + " / " + width + ") * " + width
}

// withBoth writes two expressions into a pattern.
func withBoth(pattern, a, b string) string { return fmt.Sprintf(pattern, a, b) }
