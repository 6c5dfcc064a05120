package repair

import (
	"slices"
	"strconv"
	"strings"
)

// itoa formats n in decimal.
func itoa(n int) string { return strconv.Itoa(n) }

// guardDivisions wraps divisors in NULLIF, unless they are numbers. A division by zero then gives
// NULL instead of failing.
func guardDivisions(p *failedStatement) string {
	sql := p.sql
	for i := len(p.tokens) - 1; i > 0; i-- { // from the end, so that earlier indexes stay valid
		if t := p.tokens[i]; !t.sym("/") && !t.sym("%") && !t.sym("//") {
			continue
		}
		end := p.operand(i + 1)
		if end <= i+1 || p.at(i+1).is("NULLIF") || end == i+2 && p.at(i+1).kind == number {
			continue
		}
		s := lex(p.dialect, sql)
		sql = s.replaced(i+1, end, "NULLIF("+strings.TrimSpace(s.source(i+1, end))+", 0)")
		p.statement = lex(p.dialect, sql)
	}
	return sql
}

// operand returns the end of the operand at i: a name, a call or a parenthesized expression, with
// any casts after it. If there is none, it returns i, or the place after a sign.
func (s *statement) operand(i int) int {
	if s.at(i).sym("-") || s.at(i).sym("+") {
		i++
	}
	switch t := s.at(i); {
	case t.sym("("):
		i = s.closing(i) + 1
	case t.is("CASE"):
		return s.caseEnd(i)
	case t.name() != "":
		i++
		for s.at(i).sym(".") {
			i += 2
		}
		if s.at(i).sym("(") {
			i = s.closing(i) + 1
		}
	case t.kind == number:
		i++
	default:
		return i
	}
	if s.at(i).is("FILTER") && s.at(i+1).sym("(") || s.at(i).is("OVER") && s.at(i+1).sym("(") {
		i = s.closing(i+1) + 1
	}
	for s.at(i).sym("::") {
		i += 2
		if s.at(i).sym("(") {
			i = s.closing(i) + 1
		}
	}
	return min(i, len(s.tokens))
}

// caseEnd returns the end of the CASE at i. Nested CASEs are counted. One that is not closed
// reaches to the end.
func (s *statement) caseEnd(i int) int {
	depth := 0
	for ; i < len(s.tokens); i++ {
		switch {
		case s.tokens[i].is("CASE"):
			depth++
		case s.tokens[i].is("END"):
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return i
}

// roundNumeric casts the argument of ROUND to numeric: PostgreSQL cannot round a double to a
// number of digits. It acts only if the message is about round(, since the class covers other
// faults too.
func roundNumeric(p *failedStatement) string {
	if !postgres(p.dialect) || !strings.Contains(strings.ToLower(p.fault.Message), "round(") {
		return p.sql
	}
	out := slices.Clone(p.tokens)
	for i, t := range p.tokens {
		if !t.is("ROUND") || !p.at(i+1).sym("(") {
			continue
		}
		args := p.items(span{i + 2, p.closing(i + 1)})
		if len(args) != 2 || p.at(args[0].end-1).is("numeric") {
			continue
		}
		first, last := args[0].from, args[0].end-1
		out[first].text = "(" + out[first].text
		out[last].text += ")::numeric"
	}
	return join(out) + p.tail
}
