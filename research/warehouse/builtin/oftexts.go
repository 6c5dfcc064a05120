package builtin

import (
	"fmt"

	"quaestor/internal/language"
)

// ofTexts adds what may be asked of names, of texts, and of tables of which little
// else can be asked.
func (m *mind) ofTexts(t *table) {
	n := 0
	for _, c := range t.cols {
		if !c.known || c.spoilt || c.filled == 0 || c.classes(maxClasses) {
			continue
		}
		switch {
		case c.role == label || c.role == dimension:
			if n++; n <= 3 && c.repeats() > 1 {
				m.add(m.frequent(t, c, 26))
			}
		case c.role == prose:
			if n++; n <= 3 {
				m.add(m.lengths(t, c))
			}
		}
	}
}

// frequent asks for the most frequent values.
func (m *mind) frequent(t *table, c *column, base float64) *idea {
	i := &idea{key: keyOf(frequent, t, c), kind: frequent, of: t, cols: []*column{c}, base: base}
	i.write = func() asking {
		s, src := m.inner(t, nil, nil, c)
		name := m.d.quote(c.alias)
		out := statement{list: []string{name, as("COUNT(*)", "records"), m.d.share(s.nested(m.d, "w"))}, from: s.nested(m.d, "q"), group: name, order: "COUNT(*) DESC, " + name, limit: topClasses}
		return asking{
			query:    out.write(m.d),
			thinking: fmt.Sprintf("%sThe most frequent of %s of %s in %s: whether a few stand for much, and whether a placeholder hides among them.", src.note, language.Count(c.distinct, "value"), c.say, t.say),
			purpose:  "most frequent " + c.say + " in " + t.say,
		}
	}
	return i
}

// lengths asks how long texts are.
func (m *mind) lengths(t *table, c *column) *idea {
	i := &idea{key: keyOf(look, t, c), kind: look, of: t, cols: []*column{c}, base: 14}
	i.write = func() asking {
		s, src := m.inner(t, []string{as(with(m.d.length, c.quoted), "characters")}, nil)
		out := statement{list: []string{as("COUNT(*)", "records"), as("COUNT(characters)", "with_text"), as(count("characters = 0"), "blank"), as("MIN(characters)", "shortest"), as(m.d.avg("characters", 1), "average"), as("MAX(characters)", "longest")}, from: s.nested(m.d, "q")}
		return asking{
			query:    out.write(m.d),
			thinking: fmt.Sprintf("%sHow many records of %s have a %s, how many a blank one, and how long they are.", src.note, t.say, c.say),
			purpose:  "length of " + c.say + " in " + t.say,
		}
	}
	return i
}
