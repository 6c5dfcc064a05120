package messages

import (
	"fmt"
	"strings"
)

// settings are how a language writes what is no sentence. A file sets each in a line
// that begins with @ and the name given here.
type settings struct {
	decimal      string   // @decimal: the sign before decimals
	group        string   // @group: the sign between thousands; "space" is a narrow space that does not break
	months       []string // @months: twelve names, as they stand in a date
	weekdays     []string // @weekdays: seven names, from Monday
	hours        []string // @hours: the word behind an hour of 24, or the two behind one of 12, before noon and after
	counts       []string // @counts: zero, one, two … in letters
	pluralEnding string   // @plural-ending: what nouns lose when there is one; left out where endings differ

	// SmallNames is whether the name of a field begins with a small letter where it does not
	// begin a sentence: "target market". @small-names yes
	SmallNames bool

	formal *strings.Replacer // @formal: as it is spoken = as it is written formally, one a line
}

// parsing are the settings that take several lines.
type parsing struct{ formal []string }

// set takes one setting.
func (l *Language) set(p *parsing, name, value string) error {
	words := strings.Fields(value)
	switch name {
	case "decimal":
		l.decimal = value
	case "group":
		l.group = strings.Replace(value, "space", "\u202f", 1)
	case "months":
		if l.months = words; len(words) != 12 {
			return fmt.Errorf("@months has %d names, not twelve", len(words))
		}
	case "weekdays":
		if l.weekdays = words; len(words) != 7 {
			return fmt.Errorf("@weekdays has %d names, not seven", len(words))
		}
	case "hours":
		if l.hours = words; len(words) != 1 && len(words) != 2 {
			return fmt.Errorf("@hours has %d words, not one or two", len(words))
		}
	case "counts":
		l.counts = words
	case "plural-ending":
		l.pluralEnding = value
	case "small-names":
		l.SmallNames = value == "yes"
	case "formal":
		from, to, ok := strings.Cut(value, " = ")
		if !ok {
			return fmt.Errorf("@%s wants two texts with = between them, not %q", name, value)
		}
		p.formal = append(p.formal, from+" ", to+" ")
	default:
		return fmt.Errorf("there is no setting @%s", name)
	}
	return nil
}

// complete returns an error for a setting that every language needs and l lacks.
func (l *Language) complete() error {
	for name, missing := range map[string]bool{"decimal": l.decimal == "", "group": l.group == "", "months": l.months == nil, "weekdays": l.weekdays == nil, "hours": l.hours == nil, "counts": l.counts == nil} {
		if missing {
			return fmt.Errorf("@%s is missing", name)
		}
	}
	return nil
}
