package wire

import (
	"slices"
	"strings"
)

// BeyondReading returns what one line of SHOW GRANTS allows beyond the harmless privileges in
// readers, which are in capitals: one clause for each privilege, and one for a role, whose
// privileges are unknown. An unknown privilege counts as one beyond reading.
func BeyondReading(line string, readers []string) []string {
	rest, ok := strings.CutPrefix(line, "GRANT ")
	if !ok {
		return nil // REVOKE and the like only restrict
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

// bare removes the quotes of MySQL's names, for people to read.
func bare(name string) string { return strings.ReplaceAll(name, "`", "") }

// outerCommas splits s at the commas outside parentheses.
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

// Why sorts clauses, removes duplicates and returns at most 50 of them, as many as a person
// reads.
func Why(clauses []string) []string {
	slices.Sort(clauses)
	clauses = slices.Compact(clauses)
	return clauses[:min(len(clauses), 50)]
}
