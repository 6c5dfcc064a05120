package question

import (
	"regexp"
	"strings"

	"quaestor/internal/language"
	"quaestor/internal/language/messages"
	"quaestor/research/warehouse/builtin"
	"quaestor/research/warehouse/metrics"
)

// maxDefinition is how many characters of a definition's SQL a sentence quotes.
const maxDefinition = 160

// The SQL of definitions that is told in words: an aggregate of a column, and a column compared
// with a value. All other SQL is quoted.
var (
	columnName  = "([\"`\\[]?[A-Za-z_]\\w*[\"`\\]]?)"
	aggregates  = regexp.MustCompile(`(?i)^(sum|avg|min|max|count)\s*\(\s*(distinct\s+)?(?:(\*|1)|` + columnName + `)\s*\)$`)
	comparisons = regexp.MustCompile(`(?i)^` + columnName + `\s*(=|<>|!=|>=|<=|>|<)\s*(?:'([^']*)'|(-?\d+(?:\.\d+)?))$`)
	listed      = regexp.MustCompile(`(?i)^` + columnName + `\s+(not\s+)?in\s*\(\s*('[^']*'(?:\s*,\s*'[^']*')*)\s*\)$`)
	nulls       = regexp.MustCompile(`(?i)^` + columnName + `\s+is\s+(not\s+)?null$`)
	flags       = regexp.MustCompile(`(?i)^(not\s+)?` + columnName + `$`)
	literals    = regexp.MustCompile(`'([^']*)'`)
)

// words returns the definition of a metric in words. Only its SQL is told, never its description,
// which may say anything.
func (m *metric) words(l *messages.Language) string {
	if !m.whole() || !m.IsRatio() {
		return defineIn(l, m.Spec)
	}
	return l.Text("data.ratio", messages.Args{"numerator": messages.Text(defineIn(l, m.parts[0])), "denominator": messages.Text(defineIn(l, m.parts[1]))})
}

// defineIn words the definition of a metric that is no ratio: "the total amount of orders where
// status is not “cancelled”".
func defineIn(l *messages.Language, s metrics.Spec) string {
	words, _ := thing(s.Table[strings.LastIndexByte(s.Table, '.')+1:])
	out := aggregateIn(l, s.Expression, builtin.Spoken(strings.Join(words, " ")))
	var list []string
	for _, f := range s.Filters {
		list = append(list, conditionIn(l, f))
	}
	if len(list) > 0 {
		out += " " + l.Text("data.where", messages.Args{"conditions": messages.And(list)})
	}
	return out
}

// aggregateIn words an expression over a table.
func aggregateIn(l *messages.Language, sql, table string) string {
	args := messages.Args{"table": messages.Text(table)}
	p := aggregates.FindStringSubmatch(strings.TrimSpace(sql))
	quoted := func() string {
		return l.Text("data.expression", messages.Args{"sql": messages.Quote(language.Clip(language.OneLine(sql), maxDefinition)), "table": messages.Text(table)})
	}
	if p == nil {
		return quoted()
	}
	function, distinct, all := strings.ToLower(p[1]), p[2] != "", p[3] != ""
	if function == "count" && all && !distinct {
		return l.Text("data.count", args)
	}
	key := map[string]string{"sum": "data.sum", "avg": "data.average", "max": "data.highest", "min": "data.lowest"}[function]
	if function == "count" && distinct {
		key = "data.distinct"
	}
	if key == "" || all || distinct && function != "count" { // COUNT(x), SUM(DISTINCT x)
		return quoted()
	}
	args["column"] = messages.Text(builtin.Spoken(unquoted(p[4])))
	return l.Text(key, args)
}

// conditionIn words a filter.
func conditionIn(l *messages.Language, sql string) string {
	sql = language.OneLine(sql)
	say := func(key, column string, args messages.Args) string {
		args["column"] = messages.Text(builtin.Spoken(unquoted(column)))
		return l.Text(key, args)
	}
	if p := comparisons.FindStringSubmatch(sql); p != nil {
		key := map[string]string{"=": "data.is", "<>": "data.is-not", "!=": "data.is-not", ">": "data.above", ">=": "data.at-least", "<": "data.below", "<=": "data.at-most"}[p[2]]
		value := p[4]
		if value == "" {
			value = l.Quoted(p[3])
		}
		return say(key, p[1], messages.Args{"value": messages.Text(value)})
	}
	if p := listed.FindStringSubmatch(sql); p != nil {
		var values []string
		for _, v := range literals.FindAllStringSubmatch(p[3], -1) {
			values = append(values, l.Quoted(v[1]))
		}
		key := "data.is"
		if p[2] != "" {
			key = "data.is-not"
		}
		return say(key, p[1], messages.Args{"value": messages.Text(l.Or(values))})
	}
	if p := nulls.FindStringSubmatch(sql); p != nil {
		if p[2] != "" {
			return say("data.filled", p[1], messages.Args{})
		}
		return say("data.empty", p[1], messages.Args{})
	}
	if p := flags.FindStringSubmatch(sql); p != nil {
		if p[1] != "" {
			return say("data.untrue", p[2], messages.Args{})
		}
		return say("data.true", p[2], messages.Args{})
	}
	return l.Quoted(language.Clip(sql, maxDefinition))
}

// Parts of SQL that say the same in any spelling.
var (
	remarks    = regexp.MustCompile(`(?s)--[^\n]*|/\*.*?\*/`)
	qualifiers = regexp.MustCompile(`\b[a-z_]\w*\.`)
)

// plainSQL returns SQL without white space, comments, quotes of names and qualifiers, in lower case.
func plainSQL(sql string) string {
	sql = strings.ToLower(remarks.ReplaceAllString(sql, " "))
	sql = strings.NewReplacer("\"", "", "`", "", "[", "", "]", "", "!=", "<>").Replace(sql)
	return strings.Join(strings.Fields(qualifiers.ReplaceAllString(sql, "")), "")
}

// follows reports whether a statement has the expression and all filters of the definition, as it
// was asked to copy them.
func (m *metric) follows(sql string) bool {
	sql = plainSQL(sql)
	for _, part := range m.parts {
		for _, piece := range append([]string{part.Expression}, part.Filters...) {
			if !strings.Contains(sql, plainSQL(piece)) {
				return false
			}
		}
	}
	return m.whole()
}
