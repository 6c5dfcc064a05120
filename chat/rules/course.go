package rules

import (
	"slices"
	"strings"

	"quaestor/chat"
	"quaestor/chat/field"
	"quaestor/internal/language"
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
		parts[i] = w.l.Name(p)
	}
	w.say("greeting.parts", with{"parts": messages.And(parts)})
}

// part says that another part of the interview begins, where the question is the first of it and
// another part was talked about before.
func (w *writer) part() {
	q := w.plan.Question
	if q == nil || chat.Short(w.plan.List) || w.plan.Digression || w.brief() || w.entered || q.Purpose != sessions.ToAsk && q.Purpose != sessions.ToForm {
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
	w.say("part", with{"part": w.partName(first.Category)})
}

// partName is the name of a part within a sentence: in quotation marks where it is half of a thought, such as
// "for whom it is".
func (w *writer) partName(name string) words {
	if list := language.Words(name); len(list) > 0 && slices.ContainsFunc([]string{"boundary", "whword", "whhow", "condition"}, func(kind string) bool {
		return language.IsWord(kind, list[0].Text) && !language.IsWord("definite", list[0].Text)
	}) {
		return words(w.l.Quoted(name))
	}
	return words(w.l.Name(name))
}

// lastKey is the key of what was asked last; "" for nothing.
func (w *writer) lastKey() string {
	if keys := w.scene.Asked.Keys(); len(keys) > 0 {
		return keys[0]
	}
	return ""
}

// recapped is how many values are said back in one sentence at most.
const recapped = 5

// recap says in a sentence what counts most of what is known.
func (w *writer) recap() {
	var list []*obligations.Obligation
	for _, o := range inSummary(w.plan.List) {
		if o.Status == obligations.Satisfied {
			list = append(list, o)
		}
	}
	if said := w.inShort(list, recapped); len(said) > 0 {
		w.say("recap", with{"what": messages.And(said)})
	}
}

// inShort words values for one sentence, up to so many: the person's own words, figures that
// tell by their unit what they are of, and the rest with its name.
func (w *writer) inShort(list []*obligations.Obligation, most int) []string {
	var out []string
	for _, o := range list {
		if said := w.asPart(o); said != "" && len(out) < most {
			out = append(out, said)
		}
	}
	return out
}

// asPart words a value as a part of a sentence; "" where it cannot stand in one.
func (w *writer) asPart(o *obligations.Obligation) string {
	shown := plainLine(w.shown(o))
	switch {
	case len(o.Choices) > 0 && field.IsYesNo(o.Template):
		return ""
	case len(o.Choices) > 0:
		return w.l.Name(shown)
	case o.Widget == obligations.Text:
		g := w.gist(o)
		if g == "" && len(strings.Fields(shown)) <= maxGist {
			g = shown
		}
		if g == "" {
			return w.l.Text("told-of", with{"label": w.named(o.Template)})
		}
		if strings.ContainsAny(g, ",;…") || len(strings.Fields(g)) > maxChoiceWords {
			return w.l.Quoted(g)
		}
		return g
	case o.Widget == obligations.Number && o.Unit != "" && field.Unit(o.Template) != "money":
		return shown
	}
	return w.l.Text("named-value", with{"label": w.nameOf(o.Template), "value": words(shown)})
}

// readBack says in a sentence the values of a question whether they are right.
func (w *writer) readBack(q *sessions.Question) {
	var list []*obligations.Obligation
	for _, key := range q.About {
		if o := w.find(key); o != nil && o.Value != nil {
			list = append(list, o)
		}
	}
	if said := w.inShort(list, recapped); len(said) > 0 {
		w.say("approve.lead", with{"what": messages.And(said)})
	}
}

// approved reports whether the person agreed to what was read back.
func (w *writer) approved() bool {
	return w.scene.Asked != nil && w.scene.Asked.Purpose == sessions.ToApprove && w.plan.Understanding.Intent == chat.Agree
}

// course answers what was said to a question about the course of the interview, and who has
// little time. It reports whether that was the matter of the message.
func (w *writer) course() bool {
	u, asked := &w.plan.Understanding, w.scene.Asked
	switch {
	case u.Signals.Course.Hurry > 0:
		w.say("hurry", nil)
		return u.Intent == chat.SmallTalk || u.Intent == chat.OffTopic
	case asked == nil:
		return false
	case w.approved():
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
	var texts []*obligations.Obligation
	for _, o := range inSummary(w.plan.List) {
		if w.gist(o) != "" && o.Status == obligations.Satisfied {
			texts = append(texts, o)
		}
	}
	if said := w.inShort(texts, maxNamed); len(said) > 0 {
		w.say("end.learnt", with{"what": messages.And(said)})
	}
}
