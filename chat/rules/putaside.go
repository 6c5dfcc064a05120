package rules

import (
	"slices"

	"quaestor/chat"
	"quaestor/chat/field"
	"quaestor/internal/language"
	"quaestor/internal/language/messages"
	"quaestor/obligations"
)

// offersToFinishWithout reports whether the plan asks whether to finish without what
// is required.
func (w *writer) offersToFinishWithout() bool {
	return w.plan.Question != nil && len(w.plan.Question.Missing) > 0
}

func (w *writer) sayPutAside(t sortedChanges) {
	for i, c := range t.skipped {
		switch {
		case i > 0:
		case len(t.fresh) > 0 && len(t.skipped) == 1: // one of several fields
			w.say("skipped.field", with{"label": w.named(c.After.Template)})
		case c.After.SkipReason == obligations.NotApplicable:
			w.say("skipped.not-applicable", nil)
		case c.After.SkipReason == obligations.NoPreference:
			w.say("skipped.no-preference", nil)
		case w.offersToFinishWithout(): // which names it
			w.say("skipped.ok", nil)
		case slices.Contains(w.plan.Completeness.MissingKeys, c.After.Key):
			w.say("skipped.needed", nil)
		default:
			w.say("skipped", nil)
		}
	}
	if later := w.putOff(t.deferred); len(later) > 0 {
		w.say("deferred.part", with{"what": messages.And(later)})
		return
	}
	if len(t.deferred) > 0 && w.onlyOne(t.deferred) {
		w.say("deferred.only", nil)
		return
	}
	if len(t.deferred) > 0 && w.plan.Understanding.Intent != chat.DontKnow { // sayUnsure has words of its own
		w.say("deferred", nil)
	}
}

// putOff returns the names of what is put off with a part of the interview, at most [maxNamed] of them;
// nothing where only what was asked is.
func (w *writer) putOff(deferred []obligations.Change) []string {
	if len(deferred) == 0 || len(deferred) == 1 && w.wasAsked(deferred[0].After.Key) || w.plan.Understanding.Intent != chat.Later {
		return nil
	}
	var out []string
	for _, c := range deferred[:min(len(deferred), maxNamed)] {
		out = append(out, w.l.Quoted(c.After.Name()))
	}
	if more := len(deferred) - len(out); more > 0 {
		out = append(out, w.l.Text("list.more", with{"n": messages.Count(more)}))
	}
	return out
}

// onlyOne reports whether what was put off just now is asked again at once, for
// nothing else is left.
func (w *writer) onlyOne(deferred []obligations.Change) bool {
	if w.plan.Understanding.Intent == chat.DontKnow || w.plan.Question == nil {
		return false
	}
	return slices.ContainsFunc(deferred, func(c obligations.Change) bool { return slices.Contains(w.plan.Question.Keys(), c.After.Key) })
}

// sayUnsure answers "I don't know".
func (w *writer) sayUnsure() {
	if w.plan.Understanding.Intent != chat.DontKnow {
		return
	}
	o := w.find(w.plan.Understanding.About)
	if o != nil && w.goesOut(o.Key) {
		w.say("unsure.looked-up", nil)
		return
	}
	if !w.saysUnsure() {
		w.say("skipped.ok", nil)
		return
	}
	w.say("unsure", nil)
}

// saysUnsure reports whether the message says in words of its own that somebody does not know.
func (w *writer) saysUnsure() bool {
	return slices.ContainsFunc(language.Words(field.Clip(w.scene.Message, maxManner)), func(word language.Word) bool { return language.IsWord("knowing", word.Text) })
}

// refusals says what could not be taken, and what would be right.
func (w *writer) refusals() {
	said := map[string]bool{}
	for _, r := range w.plan.Understanding.Refused {
		if said[r.Remedy] || len(said) >= maxNamed {
			continue
		}
		said[r.Remedy] = true
		if w.askedInVain(r.Key) {
			w.say("left-open", nil)
			continue
		}
		w.tell(r.Remedy)
	}
}

// askedInVain reports whether key was asked as often as it may be and is not asked
// again now, so that saying what would be right asks for it once more.
func (w *writer) askedInVain(key string) bool {
	o, q := w.find(key), w.plan.Question
	return o != nil && !o.Resolved() && o.Attempts >= max(o.MaxAttempts, 1) && (q == nil || !slices.Contains(q.Keys(), key))
}
