package builtin

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"quaestor/internal/language"
)

// fact is something that a digest says, in a clause.
type fact struct {
	weight float64 // how striking it is
	text   string
	of     *table
	kind   kind
}

// note keeps a fact about what was asked last. One that rests on a part of its table
// says so.
func (m *mind) note(weight float64, text string) {
	if part := m.last.part(); part != "" && !strings.Contains(text, part) {
		text += ", in " + part
	}
	m.found = append(m.found, fact{weight: weight * (0.5 + m.last.of.weight/2), text: text, of: m.last.of, kind: m.last.kind})
}

// striking returns the texts of the n facts that strike most, of different kinds
// as far as there are.
func (m *mind) striking(n int) []string {
	all := slices.Clone(m.found)
	slices.SortStableFunc(all, func(a, b fact) int { return cmp.Compare(b.weight, a.weight) })
	var out []string
	taken := map[kind]bool{}
	for _, again := range []bool{false, true} {
		for _, f := range all {
			if len(out) < n && taken[f.kind] == again && !slices.Contains(out, f.text) {
				taken[f.kind] = true
				out = append(out, f.text)
			}
		}
	}
	return out
}

// summary says what was looked at, and what strikes most.
func (m *mind) summary() string {
	if m.s.Catalog == nil || m.s.Catalog.Len() == 0 {
		return "The warehouse holds no tables that can be read, so there was nothing to look at."
	}
	if len(m.tables) == 0 {
		return fmt.Sprintf("The warehouse holds %s, but none of them has any records, so there was nothing to look at.", language.Count(int64(m.s.Catalog.Len()), "table"))
	}
	if m.broken >= maxBroken {
		return "The warehouse could not be reached any more. " + m.looked()
	}
	out := m.looked()
	if facts := m.striking(3); len(facts) > 0 {
		out += " What stands out: " + strings.Join(facts, "; ") + "."
	}
	return out
}

// looked says what was looked at.
func (m *mind) looked() string {
	var names []string
	for _, t := range m.tables {
		if t.used > 0 {
			names = append(names, t.say)
		}
	}
	if len(names) == 0 {
		return "No table could be read."
	}
	const most = 8
	if rest := len(names) - most; rest > 0 {
		names = append(names[:most], language.Count(int64(rest), "more table"))
		if rest == 1 {
			names[most] = "one more table"
		}
	}
	var text string
	if m.answered != 1 {
		text = fmt.Sprintf("%s questions about %s were answered", language.Thousands(int64(m.answered)), language.And(names))
	} else {
		text = "1 question about " + language.And(names) + " was answered"
	}
	if bad := m.queries - m.answered; bad > 0 {
		text += fmt.Sprintf(", %s not", language.Thousands(int64(bad)))
	}
	return text + "." + m.kindsLooked()
}

// kindsLooked names what was looked into.
func (m *mind) kindsLooked() string {
	said := []struct {
		kinds []kind
		words string
	}{
		{[]kind{volume, jumps, gaps, figuresOver}, "development over time"}, {[]kind{season, years}, "seasons"}, {[]kind{segment, tail, cross, named}, "shares and differences between groups"},
		{[]kind{mover, follow}, "what changed most"}, {[]kind{spread, histogram, outliers}, "how figures are spread"}, {[]kind{relation}, "how figures go together"},
		{[]kind{cohort, habit, newcomers}, "who comes back"}, {[]kind{funnel, mix, elapsed}, "states and how long they take"}, {[]kind{repeats, missing, orphans}, "duplicates and gaps in the data"},
	}
	var out []string
	for _, s := range said {
		if slices.ContainsFunc(s.kinds, func(k kind) bool { return m.worked[k] }) {
			out = append(out, s.words)
		}
	}
	if len(out) == 0 {
		return ""
	}
	return " Looked into: " + language.And(out) + "."
}
