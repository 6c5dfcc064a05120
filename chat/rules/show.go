package rules

import (
	"encoding/json"
	"strings"
	"unicode"

	"quaestor/chat/field"
	"quaestor/obligations"
	"quaestor/sessions"
)

// shown words what o holds, with the currency the person named.
func (w *writer) shown(o *obligations.Obligation) string { return w.shownAs(o, o.Value) }

// shownAs words v as a value of o.
func (w *writer) shownAs(o *obligations.Obligation, v json.RawMessage) string {
	return field.InWords(w.l, sessions.CurrencyOf(o), o.Template, v)
}

// quoted shortens a value for a sentence of ours: one line, no signs that would
// read as ours, in quotation marks when it is more than a few words.
func (w *writer) quoted(s string) string {
	s = plainLine(s)
	if len(strings.Fields(s)) > maxChoiceWords {
		return w.l.Quoted(s)
	}
	return s
}

// quotedAs is quoted for a value of o in words: of free text, all that is several words and no
// figure is in quotation marks, as it may begin like any sentence.
func (w *writer) quotedAs(o *obligations.Obligation, s string) string {
	s = plainLine(s)
	if (o.Widget == obligations.Text || o.Widget == obligations.ChoiceOne) && strings.Contains(s, " ") && !strings.ContainsFunc(s, unicode.IsDigit) {
		return w.l.Quoted(s)
	}
	return w.quoted(s)
}

// maxShown bounds a value within a sentence, in runes.
const maxShown = 140

// plainLine makes one line of s without question and exclamation marks and
// without marks that Markdown would take for its own.
func plainLine(s string) string { return line(s, maxShown) }

// line is plainLine for up to n runes.
func line(s string, n int) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune("?!？！*_`<>#|[]", r):
			return -1
		case unicode.IsSpace(r):
			return ' '
		}
		return r
	}, s)
	return field.Clip(strings.Join(strings.Fields(s), " "), n)
}
