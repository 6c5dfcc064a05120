package repair

import (
	"strings"

	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/guard"
)

// reservedWords cannot be unquoted names in at least one dialect. Quoting a name unnecessarily
// does no harm.
var reservedWords = set(`all and any array as asc asymmetric authorization between both by case cast check collate column constraint create cross current_date
	current_time current_timestamp current_user default delete desc describe distinct do drop else end except exists false fetch for foreign from full grant group having
	ilike in index inner insert intersect interval into is join key keys lateral leading left like limit natural not null of offset on only option or order outer over
	partition placing primary range references returning right row rows select session_user set show some symmetric table then to trailing trigger true union unique update
	user using values when where window with rank groups system usage lock match read condition change database schema schemas div mod lag lead end plan qualify sample top`)

// otherWords occur in statements without being names of columns.
var otherWords = set(`year month day hour minute second week quarter epoch dow doy isodow isoyear date time timestamp timestamptz datetime integer int bigint smallint
	numeric decimal real double precision float text varchar char character boolean bool json jsonb uuid unsigned signed nulls first last filter within recursive at zone
	preceding following unbounded current rows over extract materialized escape similar ordinality separator dayofweek percent ties apply pivot unpivot exclude replace
	asof anti semi positional try_cast`)

// set returns the words of a text as a set.
func set(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

// reserved reports whether a name is a keyword, so that it must not be read as a
// column.
func reserved(name string) bool { return reservedWords[strings.ToLower(name)] }

// keyword reports whether an unquoted word cannot be the name of a column.
func keyword(name string) bool { return reserved(name) || otherWords[strings.ToLower(name)] }

// written returns a name as it must be written in a dialect, quoted if it would otherwise mean
// something else. PostgreSQL folds unquoted names to lower case and Snowflake to upper case, so
// names in another case need quotes there.
func written(d guard.Dialect, name string) string {
	plain := simple(name) && !reserved(name)
	switch d {
	case guard.PostgreSQL, guard.Redshift:
		plain = plain && name == strings.ToLower(name)
	case guard.Snowflake:
		plain = plain && name == strings.ToUpper(name)
	}
	if plain {
		return name
	}
	return inQuotes(d, name)
}

// inQuotes returns a name in the dialect's quotes.
func inQuotes(d guard.Dialect, name string) string {
	switch d {
	case guard.MySQL, guard.MariaDB, guard.BigQuery, guard.ClickHouse:
		return "`" + strings.ReplaceAll(name, "`", "``") + "`"
	case guard.SQLServer:
		return "[" + strings.ReplaceAll(name, "]", "]]") + "]"
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

// writtenTable returns the qualified name of a table as it must be written.
func writtenTable(d guard.Dialect, t *catalog.Table) string {
	if t.Schema == "" {
		return written(d, t.Name)
	}
	return written(d, t.Schema) + "." + written(d, t.Name)
}
