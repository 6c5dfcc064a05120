package repair

import (
	"slices"
	"strings"

	"quaestor/research/warehouse/guard"
)

// rewrite rewrites a call with the given arguments, which are SQL as it was written. It returns
// false if it cannot, for example for another number of arguments; the call then stays as it is.
type rewrite func(args []string) (string, bool)

// maxCalls bounds how many calls of a statement are rewritten, in case a rule never settles.
const maxCalls = 100

// rightFunctions rewrites calls of other dialects' functions as the dialect's own, inner calls
// first.
func rightFunctions(p *failedStatement) string {
	known := rewrites(p.dialect)
	s := p.statement
	for range maxCalls {
		next, changed := rewriteOne(s, known)
		if !changed {
			break
		}
		s = lex(p.dialect, next)
	}
	return s.String()
}

// rewriteOne rewrites the last call that can be rewritten: an inner call comes after the name of
// the outer one. A call that rewrites to itself counts as unchanged, so that the loop of the
// caller ends. Qualified names are methods or functions of a schema and are left alone.
func rewriteOne(s *statement, known map[string]rewrite) (string, bool) {
	for i, t := range slices.Backward(s.tokens) {
		if t.kind != word || s.at(i-1).sym(".") {
			continue
		}
		f := known[strings.ToLower(t.text)]
		if f == nil || !s.at(i+1).sym("(") {
			continue
		}
		end := s.closing(i + 1)
		if end >= len(s.tokens) {
			continue
		}
		var args []string
		for _, a := range s.items(span{i + 2, end}) {
			args = append(args, s.source(a.from, a.end))
		}
		by, ok := f(args)
		if ok && !strings.EqualFold(squash(by), squash(s.source(i, end+1))) {
			return s.replaced(i, end+1, by), true
		}
	}
	return "", false
}

// rewrites returns the rewrites of calls that a dialect does not know, by lower-case name. It is
// nil for a dialect without any.
func rewrites(d guard.Dialect) map[string]rewrite {
	switch d {
	case guard.PostgreSQL:
		return postgresRewrites
	case guard.Redshift:
		return redshiftRewrites
	case guard.DuckDB:
		return duckRewrites
	case guard.MySQL, guard.MariaDB:
		return mysqlRewrites
	case guard.SQLServer:
		return serverRewrites
	case guard.BigQuery:
		return bigqueryRewrites
	case guard.Snowflake, guard.ClickHouse:
		return map[string]rewrite{"ifnull": as("coalesce", 2), "nvl": as("coalesce", 2), "getdate": fixed("now()"), "len": as("length", 1)}
	}
	return nil
}

// as calls another function with the same n arguments; n is 0 for any number.
func as(name string, n int) rewrite {
	return func(args []string) (string, bool) {
		return name + "(" + strings.Join(args, ", ") + ")", n == 0 || len(args) == n
	}
}

// fixed replaces a call without arguments by text.
func fixed(text string) rewrite {
	return func(args []string) (string, bool) { return text, len(args) == 0 }
}

// form inserts the n arguments into text at $1, $2 and so on. Parameters that text does not
// mention are dropped, so text must use each that has an effect.
func form(n int, text string) rewrite {
	return func(args []string) (string, bool) {
		if len(args) != n {
			return "", false
		}
		var pairs []string
		for i, a := range args {
			pairs = append(pairs, "$"+itoa(i+1), a)
		}
		return strings.NewReplacer(pairs...).Replace(text), true
	}
}

// either uses the first of ways that applies. It lets one name stand for functions of several
// dialects that differ in the number or the order of their arguments.
func either(ways ...rewrite) rewrite {
	return func(args []string) (string, bool) {
		for _, f := range ways {
			if out, ok := f(args); ok {
				return out, true
			}
		}
		return "", false
	}
}

// unit returns the unit of time that an argument names, in lower case: month, 'month', "month".
// The abbreviations are those of SQL Server's DATEPART. It returns false for anything that is no
// unit, such as a column, which must not be rewritten.
func unit(arg string) (string, bool) {
	u := strings.ToLower(strings.Trim(arg, `'"`))
	switch u {
	case "dd", "d":
		u = "day"
	case "mm":
		u = "month"
	case "yy", "yyyy":
		u = "year"
	case "hh":
		u = "hour"
	case "mi", "n":
		u = "minute"
	}
	u = strings.TrimSuffix(u, "s")
	return u, isUnit(u)
}

// units rewrites a call whose first of n arguments is a unit, for which $u stands; $1 and so on
// are the other arguments. ways are templates by unit, with "" for all other units. A unit
// without a template of its own, and no template for "", makes the rewrite fail rather than
// guess.
func units(n int, ways map[string]string) rewrite {
	return func(args []string) (string, bool) {
		if len(args) != n {
			return "", false
		}
		u, ok := unit(args[0])
		if !ok {
			return "", false
		}
		text, own := ways[u]
		if !own {
			text, own = ways[""]
		}
		if !own {
			return "", false
		}
		out, ok := form(n-1, strings.ReplaceAll(text, "$u", u))(args[1:])
		return out, ok
	}
}

// lastFirst moves the last argument to the front, for dialects that name the unit last.
func lastFirst(f rewrite) rewrite {
	return func(args []string) (string, bool) {
		if len(args) < 2 {
			return "", false
		}
		return f(append([]string{args[len(args)-1]}, args[:len(args)-1]...))
	}
}

// moved rewrites the addition of an INTERVAL to a date, or its subtraction. The rule for
// intervals adapts the interval to the dialect afterwards. A second argument that is not an
// INTERVAL is left to the model: it may count days.
func moved(sign string) rewrite {
	return func(args []string) (string, bool) {
		if len(args) != 2 || !strings.HasPrefix(strings.ToUpper(args[1]), "INTERVAL") {
			return "", false
		}
		s := lex(guard.PostgreSQL, args[1])
		interval := rightIntervals(&failedStatement{dialect: guard.PostgreSQL, sql: args[1], statement: s})
		return "(" + args[0] + " " + sign + " " + interval + ")", true
	}
}

// formatted rewrites a call with a value and a date format, which must be a literal. Values and
// formats may come in either order, as the literal is recognised by its quote. A format that is
// computed cannot be translated.
func formatted(name string, from, to layout, formatFirst bool) rewrite {
	return func(args []string) (string, bool) {
		if len(args) != 2 {
			return "", false
		}
		value, f := args[0], args[1]
		if strings.HasPrefix(value, "'") && !strings.HasPrefix(f, "'") {
			value, f = f, value
		}
		if len(f) < 2 || f[0] != '\'' {
			return "", false
		}
		f = "'" + translate(f[1:len(f)-1], from, to) + "'"
		if formatFirst {
			value, f = f, value
		}
		return name + "(" + value + ", " + f + ")", true
	}
}
