package brief

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"quaestor/internal/language"
	"quaestor/obligations"
	"quaestor/sessions"
)

// names calls the people of a session by names that say no more than a reader
// needs: a guest without the letters that set guests apart, an address of mail by
// what stands before the @, an id by a number. Two never share a name.
type names struct {
	byID map[string]string
	used map[string]bool
	ids  int // people whose id is no name
}

// newNames names those who take part in the order they came; others get theirs
// when they are first asked for.
func newNames(s sessions.Session, people []sessions.Participant) *names {
	n := &names{byID: map[string]string{}, used: map[string]bool{}}
	n.of(s.User)
	for _, p := range people {
		n.of(p.User)
	}
	return n
}

// of returns the name of a person; empty for nobody.
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

var guestMark = regexp.MustCompile(`^(.*) \(guest [a-z0-9]{4,}\)$|^(Guest) [a-z0-9]{4,}$`)

// maxName bounds what somebody is called, in characters.
const maxName = 80

func (n *names) base(id string) string {
	name := line(id)
	if m := guestMark.FindStringSubmatch(name); m != nil && m[1] != "" {
		return language.Clip(m[1], maxName) + " (guest)"
	} else if m != nil {
		return m[2]
	}
	if before, _, ok := strings.Cut(name, "@"); ok && before != "" {
		name = before
	}
	if isName(name) {
		return language.Clip(name, maxName)
	}
	n.ids++
	return fmt.Sprintf("Person %d", n.ids)
}

var hexID = regexp.MustCompile(`^[0-9a-fA-F-]{16,}$`)

// isName reports whether people would take s for a name: letters, and not those
// of an id.
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

// Anonymous returns m with the people of its evidence called as a brief calls
// them, and sources named as in one, for data that is given to strangers. It
// leaves m as it is.
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
