package brief

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"quaestor/obligations"
	"quaestor/sessions"
)

// names gives the people of a session names that reveal no more than a reader needs: a
// guest without the letters that tell guests apart, a mail address by the part before the
// @, an id by a number. No two people share a name.
type names struct {
	byID map[string]string // names that were given, by id
	used map[string]bool   // names that were given
	ids  int               // number of people whose id is no name
}

// newNames names the participants in the order in which they joined. Others are named when
// they first come up.
func newNames(s sessions.Session, people []sessions.Participant) *names {
	n := &names{byID: map[string]string{}, used: map[string]bool{}}
	n.of(s.User)
	for _, p := range people {
		n.of(p.User)
	}
	return n
}

// of returns the name of a person, and "" for "".
func (n *names) of(id string) string {
	if id == "" {
		return ""
	}
	if name, ok := n.byID[id]; ok {
		return name
	}
	base := n.base(id)
	name := base
	for i := 2; n.used[name]; i++ {
		name = fmt.Sprintf("%s (%d)", base, i)
	}
	n.byID[id], n.used[name] = name, true
	return name
}

// guestMark matches the names of guests, who have letters behind their names that tell
// them apart.
var guestMark = regexp.MustCompile(`^(.*) \(guest [a-z0-9]{4,}\)$|^(Guest) [a-z0-9]{4,}$`)

// maxName bounds a name, in characters. Longer ones break the layout of tables.
const maxName = 80

// base returns the name of a person before it is made unique.
func (n *names) base(id string) string {
	name := line(id)
	if m := guestMark.FindStringSubmatch(name); m != nil && m[1] != "" {
		return clip(m[1], maxName) + " (guest)"
	} else if m != nil {
		return m[2]
	}
	if before, _, ok := strings.Cut(name, "@"); ok && before != "" {
		name = before
	}
	if isName(name) {
		return clip(name, maxName)
	}
	n.ids++
	return fmt.Sprintf("Person %d", n.ids)
}

// hexID matches ids such as UUIDs, some of which have enough letters to pass for a name.
var hexID = regexp.MustCompile(`^[0-9a-fA-F-]{16,}$`)

// isName reports whether people would take s for a name rather than an id: it has letters,
// at least as many as digits, and few digits unless it consists of several words.
func isName(s string) bool {
	letters, figures := 0, 0
	for _, r := range s {
		switch {
		case unicode.IsLetter(r):
			letters++
		case unicode.IsDigit(r):
			figures++
		}
	}
	return letters > 0 && figures <= letters && !hexID.MatchString(s) && (figures < 4 || strings.Contains(s, " "))
}

// Anonymous returns a copy of m in which the evidence names people and sources as a brief
// does, for data that is given to strangers.
func (m Material) Anonymous() Material {
	n := newNames(m.Session, m.People)
	list := make([]obligations.Obligation, len(m.Obligations))
	for i, o := range m.Obligations {
		o.Evidence = n.rename(o.Evidence)
		list[i] = o
	}
	m.Obligations = list
	return m
}

// rename returns a copy of evidence with names of people and sources for readers.
func (n *names) rename(list []obligations.Evidence) []obligations.Evidence {
	out := make([]obligations.Evidence, len(list))
	for i, e := range list {
		e.By = n.of(e.By)
		if e.Source != "" {
			e.Source = sourceWords(e.Source)
		}
		out[i] = e
	}
	return out
}
