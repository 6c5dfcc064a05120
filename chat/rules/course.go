package rules

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"quaestor/chat"
	"quaestor/internal/language/messages"
	"quaestor/obligations"
	"quaestor/sessions"
)

// parts says what the interview goes through, where it has several parts.
func (w *writer) parts() {
	parts := chat.AgendaOf(w.plan.List, nil).Ahead()
	if len(parts) < 2 || chat.Short(w.plan.List) {
		return
	}
	for i, p := range parts {
		parts[i] = w.listed(p)
	}
	w.say("greeting.parts", with{"parts": messages.And(parts)})
}

// part says that another part of the interview begins, where the question is the first of it and
// another part was talked about before.
func (w *writer) part() {
	q := w.plan.Question
	if q == nil || chat.Short(w.plan.List) || w.plan.Digression || w.brief() || w.scene.Memory.Course.Hurry > 0 || q.Purpose != sessions.ToAsk && q.Purpose != sessions.ToForm {
		return
	}
	first, before := w.find(q.Keys()[0]), w.find(w.lastKey())
	if first == nil || before == nil || first.Category == "" || before.Category == first.Category || w.plan.Understanding.First != "" {
		return
	}
	begun := slices.ContainsFunc(w.plan.List, func(o obligations.Obligation) bool { return o.Category == first.Category && o.Attempts > 0 })
	if begun {
		return
	}
	w.block = w.block || len(w.pieces) > 0
	w.say("part", with{"part": words(w.listed(first.Category))})
}

// lastKey is the key of what was asked last; "" for nothing.
func (w *writer) lastKey() string {
	if keys := w.scene.Asked.Keys(); len(keys) > 0 {
		return keys[0]
	}
	return ""
}

// soFar says in a line what was understood when the first part ends.
func (w *writer) soFar() {
	if chat.Short(w.plan.List) || w.plan.PhaseBefore != sessions.Opening || w.brief() || w.scene.Memory.Course.Hurry > 0 {
		return
	}
	said := w.gists(w.justSaid)
	if len(said) > 0 {
		w.say("so-far", with{"what": messages.And(said)})
	}
}

// gists returns the short words for the first values that are settled and can stand in a line,
// without those of keys that are left out.
func (w *writer) gists(leftOut func(key string) bool) []string {
	var out []string
	for _, o := range inSummary(w.plan.List) {
		g := w.gist(o)
		if !plainThing(g) || o.Status != obligations.Satisfied || leftOut(o.Key) {
			continue
		}
		if first, _ := utf8.DecodeRuneInString(g); unicode.IsUpper(first) { // a sentence, or its beginning
			g = w.quoted(g)
		}
		if out = append(out, g); len(out) == maxSoFar {
			break
		}
	}
	return out
}

// maxSoFar is how many values one line names.
const maxSoFar = 3

// plainThing reports whether a gist can stand in a list: it is no list itself.
func plainThing(g string) bool {
	return g != "" && !strings.ContainsAny(g, ",;") && !strings.Contains(g, " and ") && !strings.Contains(g, " und ")
}

// justSaid reports whether the message told key, which the reply says back anyway.
func (w *writer) justSaid(key string) bool {
	return slices.ContainsFunc(w.plan.Changes, func(c obligations.Change) bool { return c.After.Key == key })
}

// readBack lists the values of a question whether they are right.
func (w *writer) readBack(q *sessions.Question) {
	var lines []string
	for _, key := range q.About {
		if o := w.find(key); o != nil && o.Value != nil {
			lines = append(lines, "- "+w.l.Text("held", with{"label": words("**" + plainLine(o.Name()) + "**"), "value": words(plainLine(w.shortly(o)))}))
		}
	}
	if len(lines) > 0 {
		w.say("approve.lead", nil)
		w.paragraph(strings.Join(lines, "\n"))
	}
}

// course answers what was said to a question about the course of the interview, and who has
// little time. It reports whether that was the matter of the message.
func (w *writer) course() bool {
	u, asked := &w.plan.Understanding, w.scene.Asked
	switch {
	case u.Signals.Course.Hurry > 0:
		w.say("hurry", nil)
		return u.Intent == chat.SmallTalk
	case asked == nil:
		return false
	case asked.Purpose == sessions.ToApprove && u.Intent == chat.Agree:
		w.say("approve.thanks", nil)
		return true
	case asked.Purpose == sessions.ToWiden && u.Intent == chat.Answer && len(u.Proposals) > 0:
		w.say("widen.thanks", nil)
		return true
	case asked.Purpose == sessions.ToWiden && u.Intent == chat.Answer && len(w.plan.Changes) == 0:
		w.say("widen.none", nil)
		return true
	}
	return false
}

// learnt says at the end what counts most of what was learnt, in a line, and what happens next.
func (w *writer) learnt() {
	if chat.Short(w.plan.List) {
		return
	}
	said := w.gists(func(string) bool { return false })
	if len(said) > 0 {
		w.say("end.learnt", with{"what": messages.And(said)})
	}
}
