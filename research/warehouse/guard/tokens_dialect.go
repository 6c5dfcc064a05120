package guard

import (
	"regexp"
	"strings"
)

// tokenDialect describes a dialect for which there is no complete grammar: its tokens, its lists,
// and which constructs it has. Every construct is off unless a field turns it on, so that a new
// dialect begins with standard SQL alone. It is not modified.
type tokenDialect struct {
	lexicon   lexicon
	operators map[string]bool // marks between two values
	functions map[string]bool // in lower case, possibly with a prefix such as safe.
	tables    map[string]bool // functions allowed in FROM
	types     map[string]bool // in lower case, without arguments
	reserved  map[string]bool // words that cannot be unquoted names

	quote     func(name string) string          // so that the server reads exactly this name
	relation  func(r *relation) string          // its qualified name, quoted
	condition func(column, value string) string // the filter; the column is quoted already

	upper      bool // unquoted names are folded to upper case
	recursive  bool // a query of WITH may refer to itself without RECURSIVE
	brackets   bool // [1, 2] is an array
	paths      bool // a:b is a field of a document: Snowflake
	qualify    bool // QUALIFY
	top        bool // SELECT TOP 10
	apply      bool // CROSS APPLY, CONVERT(type, value), WITH (NOLOCK): SQL Server
	structs    bool // STRUCT<…>, SELECT AS STRUCT, names with dashes: BigQuery
	pipes      bool // FROM … |> WHERE …: BigQuery
	values     bool // WITH value AS name, PREWHERE, ARRAY JOIN, LIMIT BY: ClickHouse
	distinctOn bool // DISTINCT ON
	starLike   bool // SELECT * ILIKE 'a%'
	tableCalls bool // TABLE(FLATTEN(…))
}

// upper returns the set of the words of s in upper case.
func upper(s string) map[string]bool { return words(strings.ToUpper(s)) }

// basicOperators are the operators that all these dialects have.
const basicOperators = "= <> != < > <= >= + - * / % || & | ^ "

// tokenDialects are the descriptions of the four dialects.
var tokenDialects = map[Dialect]*tokenDialect{
	BigQuery: {
		lexicon: lexicon{lines: []string{"--", "#"}, names: "`", texts: `'"`, escapes: "'\"`", triple: true, prefixes: []string{"rb", "br", "r", "b"}, numbers: hexadecimal,
			marks: []string{"<=", ">=", "<>", "!=", "||", "<<", ">>", "=>", "|>"}},
		operators: words(basicOperators + "<< >>"), functions: with(commonFunctions, bigQueryFunctions), tables: words("unnest"), types: commonTypes,
		reserved: with(commonReserved, "QUALIFY PIVOT UNPIVOT ROLLUP STRUCT GROUPING TABLESAMPLE UNNEST LATERAL MERGE NEW OF TO TREAT WITHIN"),
		quote:    backticks, relation: func(r *relation) string { return backticks(dotted(r.Schema, r.Name)) },
		condition: func(column, value string) string {
			return column + " = '" + strings.NewReplacer(`\`, `\\`, "'", `\'`, "\n", `\n`, "\r", `\r`).Replace(value) + "'"
		},
		brackets: true, qualify: true, structs: true, pipes: true,
	},
	Snowflake: {
		lexicon: lexicon{lines: []string{"--", "//"}, names: `"`, texts: "'", escapes: "'", doubled: `'"`, dollars: true, numbers: decimals,
			marks: []string{"<=", ">=", "<>", "!=", "||", "::", "=>", "->"}},
		operators: words(basicOperators + "->"), functions: with(commonFunctions, snowflakeFunctions), tables: words("flatten generator split_to_table strtok_split_to_table"), types: commonTypes,
		reserved: with(commonReserved, "QUALIFY PIVOT UNPIVOT ILIKE RLIKE REGEXP SAMPLE TABLESAMPLE ASOF MATCH_CONDITION MATCH_RECOGNIZE MINUS LATERAL SOME CONNECT START CHANGES"),
		quote:    doubleQuotes, relation: func(r *relation) string { return quotedParts(r, doubleQuotes) },
		condition: func(column, value string) string { return column + " = " + mysqlText(value) },
		upper:     true, recursive: true, brackets: true, paths: true, qualify: true, top: true, starLike: true, tableCalls: true,
	},
	SQLServer: {
		lexicon:   lexicon{lines: []string{"--"}, nested: true, names: `["`, texts: "'", doubled: `'"]`, prefixes: []string{"n"}, letters: true, numbers: hexadecimal, marks: []string{"<=", ">=", "<>", "!=", "!<", "!>"}},
		operators: words("= <> != < > <= >= + - * / % & | ^ !< !>"), functions: with(commonFunctions, sqlServerFunctions), tables: words("string_split openjson generate_series"), types: commonTypes,
		reserved: with(commonReserved, transactWords),
		quote:    brackets, relation: func(r *relation) string { return brackets(r.Schema) + "." + brackets(r.Name) },
		condition: transactCondition,
		recursive: true, top: true, apply: true,
	},
	ClickHouse: {
		lexicon: lexicon{lines: []string{"--", "#"}, names: "`\"", texts: "'", escapes: "'\"`", doubled: "'\"`", numbers: underscores,
			marks: []string{"<=>", "<=", ">=", "<>", "!=", "==", "||", "::", "->"}},
		operators: words(basicOperators + "== -> ? : <=>"), functions: with(commonFunctions, strings.ToLower(clickHouseFunctions)), tables: words("numbers zeros"), types: commonTypes,
		reserved: with(commonReserved, "ANY ASOF SEMI ANTI GLOBAL ARRAY FINAL SAMPLE PREWHERE SETTINGS FORMAT PASTE ILIKE REGEXP TOTALS STEP TABLESAMPLE QUALIFY"),
		quote:    clickHouseName, relation: func(r *relation) string { return clickHouseName(r.Schema) + "." + clickHouseName(r.Name) },
		condition: func(column, value string) string { return column + " = " + mysqlText(value) },
		brackets:  true, values: true, qualify: true, distinctOn: true,
	},
}

// backticks quotes a name for BigQuery and ClickHouse.
func backticks(name string) string {
	return "`" + strings.NewReplacer(`\`, `\\`, "`", "\\`").Replace(name) + "`"
}

// clickHouseName quotes a name. ClickHouse takes a backslash in backticks as an escape.
func clickHouseName(name string) string {
	return "`" + strings.NewReplacer(`\`, `\\`, "`", "``").Replace(name) + "`"
}

// doubleQuotes quotes a name as in standard SQL.
func doubleQuotes(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// brackets quotes a name for SQL Server.
func brackets(name string) string { return "[" + strings.ReplaceAll(name, "]", "]]") + "]" }

// quotedParts quotes the parts of a relation's name. Its schema may include a database.
func quotedParts(r *relation, quote func(string) string) string {
	var out []string
	for _, part := range append(strings.Split(r.Schema, "."), r.Name) {
		if part != "" {
			out = append(out, quote(part))
		}
	}
	return strings.Join(out, ".")
}

// guid matches the values that SQL Server rightly compares regardless of case.
var guid = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// transactCondition returns the filter for SQL Server. It compares texts regardless of case and
// trailing spaces, so the bytes are compared as well. A GUID is compared as such, which the
// server does by value.
func transactCondition(column, value string) string {
	literal := "N'" + strings.ReplaceAll(value, "'", "''") + "'"
	out := column + " = " + literal
	if guid.MatchString(value) {
		return out
	}
	return out + " AND CAST(CAST(" + column + " AS nvarchar(4000)) AS varbinary(8000)) = CAST(" + literal + " AS varbinary(8000))"
}
