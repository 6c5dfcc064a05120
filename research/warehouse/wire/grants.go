package wire

import (
	"slices"
	"strings"
)

// BeyondReading returns what one line of SHOW GRANTS allows beyond the privileges
// that change nothing, which are given in capitals: a clause for each privilege, and
// one for a role, of which it is not known what it may.
func BeyondReading(line string, readers []string) []string {
	rest, ok := strings.CutPrefix(line, "GRANT ")
	if !ok {
		return nil // REVOKE and the like only take away
	}
	privileges, target, ok := strings.Cut(rest, " ON ")
	if !ok {
		role, _, _ := strings.Cut(rest, " TO ")
		return []string{"do what the role " + bare(role) + " may"}
	}
	target, _, _ = strings.Cut(target, " TO ")
	var out []string
	for _, p := range outerCommas(privileges) {
		name, _, _ := strings.Cut(p, "(") // of columns
		if name = strings.TrimSpace(name); !slices.Contains(readers, strings.ToUpper(name)) {
			out = append(out, strings.ToLower(name)+" on "+bare(target))
		}
	}
	if strings.Contains(rest, "WITH GRANT OPTION") {
		out = append(out, "give its rights on "+bare(target)+" to others")
	}
	return out
}

func bare(name string) string { return strings.ReplaceAll(name, "`", "") }

// outerCommas splits at commas outside of parentheses.
func outerCommas(s string) []string {
	var out []string
	depth, from := 0, 0
	for i, c := range s {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth == 0:
			out = append(out, strings.TrimSpace(s[from:i]))
			from = i + 1
		}
	}
	return append(out, strings.TrimSpace(s[from:]))
}

// Why returns clauses in order, each once, as many as a person reads.
func Why(clauses []string) []string {
	slices.Sort(clauses)
	clauses = slices.Compact(clauses)
	return clauses[:min(len(clauses), 50)]
}
