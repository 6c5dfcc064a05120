package repair

import (
	"slices"
	"strings"

	"quaestor/research/warehouse/guard"
)

// rightLimit limits the rows in the dialect's way: LIMIT or TOP. Statements that limit rows in
// the right way already are returned unchanged.
func rightLimit(p *failedStatement) string {
	if p.dialect == guard.SQLServer {
		return limitAsTop(p)
	}
	for i, t := range p.tokens {
		switch {
		case t.is("TOP") && (p.at(i-1).is("SELECT") || p.at(i-1).is("DISTINCT")):
			return topAsLimit(p, i)
		case t.is("FETCH") && p.at(i+1).isAny("FIRST", "NEXT") && p.at(i+2).kind == number && mysql(p.dialect):
			return p.replaced(i, min(i+5, len(p.tokens)), "LIMIT "+p.at(i+2).text)
		case t.is("LIMIT") && p.at(i+2).sym(",") && p.at(i+3).kind == number && !mysql(p.dialect):
			return p.replaced(i, i+4, "LIMIT "+p.at(i+3).text+" OFFSET "+p.at(i+1).text)
		}
	}
	return p.sql
}

// topAsLimit rewrites TOP as LIMIT at the end of its SELECT. Trailing semicolons stay behind it.
func topAsLimit(p *failedStatement, i int) string {
	n, end := p.at(i+1).text, i+2
	if p.at(i + 1).sym("(") {
		n, end = p.at(i+2).text, p.closing(i+1)+1
	}
	last := len(p.tokens)
	for _, b := range p.blocks() {
		if b.at < i && i < b.end {
			last = b.end
		}
	}
	for last > 0 && p.at(last-1).sym(";") {
		last--
	}
	return join(p.tokens[:i]) + join(p.tokens[end:last]) + " LIMIT " + n + join(p.tokens[last:]) + p.tail
}

// limitAsTop rewrites a LIMIT without OFFSET as TOP. With an OFFSET, SQL Server needs ORDER BY
// and FETCH, which is left to the model.
func limitAsTop(p *failedStatement) string {
	for i, t := range p.tokens {
		if !t.is("LIMIT") || p.at(i+1).kind != number || p.at(i+2).is("OFFSET") {
			continue
		}
		for _, b := range slices.Backward(p.blocks()) {
			if b.at < i && i < b.end {
				at := b.at + 1
				if p.at(at).is("DISTINCT") {
					at++
				}
				return join(p.tokens[:at]) + " TOP (" + p.at(i+1).text + ")" + join(p.tokens[at:i]) + join(p.tokens[i+2:]) + p.tail
			}
		}
	}
	return p.sql
}

// rightIntervals writes INTERVAL in the dialect's way: '1 day' or 1 DAY. Intervals with several
// units are left alone.
func rightIntervals(p *failedStatement) string {
	out := slices.Clone(p.tokens)
	for i, t := range out {
		if !t.is("INTERVAL") {
			continue
		}
		next, unit := p.at(i+1), p.at(i+2)
		plain := next.kind == text && len(next.text) > 2
		switch {
		case postgres(p.dialect) && next.kind == number && isUnit(unit.text):
			out[i+1].text, out[i+2] = "'"+next.text+" "+strings.ToLower(unit.text)+"'", token{kind: symbol}
		case mysql(p.dialect) && plain:
			n, name, ok := strings.Cut(strings.TrimSpace(next.text[1:len(next.text)-1]), " ")
			if unit := strings.TrimSuffix(strings.ToUpper(name), "S"); ok && isUnit(unit) {
				out[i+1].text = n + " " + unit
			}
		}
	}
	return join(out) + p.tail
}

// isUnit reports whether s is a unit of time, singular or plural.
func isUnit(s string) bool {
	switch strings.TrimSuffix(strings.ToUpper(s), "S") {
	case "SECOND", "MINUTE", "HOUR", "DAY", "WEEK", "MONTH", "QUARTER", "YEAR":
		return true
	}
	return false
}

// unfoldAlias replaces an alias by its expression in WHERE and HAVING, where not all dialects
// know aliases. Aggregates can move to HAVING only, and window functions to neither. If the fault
// names a column, only that alias is replaced.
func unfoldAlias(p *failedStatement) string {
	name := lastPart(p.fault.Name)
	for _, b := range p.blocks() {
		for _, item := range p.items(b.list) {
			alias, end := p.alias(item)
			if alias == "" || name != "" && !strings.EqualFold(alias, name) {
				continue
			}
			aggregate, window := p.aggregated(span{item.from, end})
			for _, where := range []span{b.having, b.where} {
				if window || aggregate && where == b.where {
					continue
				}
				if out, ok := p.unfold(where, alias, p.source(item.from, end)); ok {
					return out
				}
			}
		}
	}
	return p.sql
}

// unfold replaces a name in a clause by the expression by, and reports whether it occurred.
func (p *failedStatement) unfold(where span, name, by string) (string, bool) {
	out, found := slices.Clone(p.tokens), false
	for i := where.from; i < where.end; i++ {
		if strings.EqualFold(out[i].name(), name) && !p.at(i-1).sym(".") && !p.at(i+1).sym(".") && !p.at(i+1).sym("(") {
			out[i].text, found = "("+by+")", true
		}
	}
	return join(out) + p.tail, found
}

// moveToHaving moves conditions on aggregates from WHERE to HAVING. Only conditions joined by AND
// at the top level can be told apart; one with an OR moves as a whole.
func moveToHaving(p *failedStatement) string {
	for _, b := range p.blocks() {
		if b.where.from == 0 {
			continue
		}
		var stay, move []string
		for _, c := range p.conjuncts(b.where) {
			if aggregate, _ := p.aggregated(c); aggregate {
				move = append(move, p.source(c.from, c.end))
				continue
			}
			stay = append(stay, p.source(c.from, c.end))
		}
		if len(move) > 0 {
			return p.withHaving(b, stay, move)
		}
	}
	return p.sql
}

// withHaving writes a SELECT with the conditions stay in WHERE and move added to HAVING.
func (p *failedStatement) withHaving(b block, stay, move []string) string {
	out := join(p.tokens[:b.where.from-1])
	if len(stay) > 0 {
		out += " WHERE " + strings.Join(stay, " AND ")
	}
	having := " HAVING " + strings.Join(move, " AND ")
	if b.having.from > 0 {
		return out + join(p.tokens[b.where.end:b.having.from-1]) + having + " AND" + join(p.tokens[b.having.from:]) + p.tail
	}
	end := b.where.end
	if b.group.from > 0 {
		end = b.group.end
	}
	return out + join(p.tokens[b.where.end:end]) + having + join(p.tokens[end:]) + p.tail
}

// conjuncts splits a condition at its top-level ANDs. One with a top-level OR is not split. The
// AND of a BETWEEN does not split.
func (s *statement) conjuncts(where span) []span {
	var out []span
	from, between := where.from, false
	for i := where.from; i < where.end; i++ {
		switch t := s.tokens[i]; {
		case t.sym("("):
			i = s.closing(i)
		case t.is("OR"):
			return []span{where}
		case t.is("BETWEEN"):
			between = true
		case t.is("AND") && between:
			between = false
		case t.is("AND"):
			out = append(out, span{from, i})
			from = i + 1
		}
	}
	return append(out, span{from, where.end})
}

// completeGrouping adds everything selected without an aggregate to GROUP BY. It changes the
// first SELECT with something missing; the next attempt finds the next one.
func completeGrouping(p *failedStatement) string {
	for _, b := range p.blocks() {
		missing := p.ungrouped(b)
		if len(missing) == 0 {
			continue
		}
		list := strings.Join(missing, ", ")
		if b.group.from > 0 {
			return join(p.tokens[:b.group.end]) + ", " + list + join(p.tokens[b.group.end:]) + p.tail
		}
		end := b.from.end
		if b.where.from > 0 {
			end = b.where.end
		}
		return join(p.tokens[:end]) + " GROUP BY " + list + join(p.tokens[end:]) + p.tail
	}
	return p.sql
}

// ungrouped returns the columns that a SELECT with aggregates selects without grouping by them.
// Columns with a window function or a star are left alone. An item counts as grouped if GROUP BY
// has its expression, its alias, its unqualified name or its position. The result is nil if the
// SELECT does not aggregate at all.
func (p *failedStatement) ungrouped(b block) []string {
	var grouped []string
	for _, g := range p.items(b.group) {
		grouped = append(grouped, squash(p.source(g.from, g.end)))
	}
	any := b.group.from > 0
	var out []string
	for n, item := range p.items(b.list) {
		alias, end := p.alias(item)
		aggregate, window := p.aggregated(span{item.from, end})
		any = any || aggregate
		source := p.source(item.from, end)
		if aggregate || window || p.constant(span{item.from, end}) || strings.HasSuffix(source, "*") {
			continue
		}
		bare := source[strings.LastIndexByte(source, '.')+1:]
		for _, known := range []string{source, alias, bare, itoa(n + 1)} {
			if slices.Contains(grouped, squash(known)) && known != "" {
				source = ""
			}
		}
		if source != "" {
			out = append(out, source)
		}
	}
	if !any || b.from.from == 0 {
		return nil
	}
	return out
}

// constant reports whether an expression contains no names.
func (p *failedStatement) constant(e span) bool {
	for i := e.from; i < e.end; i++ {
		if p.tokens[i].kind == word && !keyword(p.tokens[i].text) || p.tokens[i].kind == quoted {
			return false
		}
	}
	return true
}

// squash returns an expression in the form in which expressions are compared. It ignores case and
// white space, which may equate two literals; that is harmless in a repair.
func squash(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), "")) }
