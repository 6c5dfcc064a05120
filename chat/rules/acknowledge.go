package rules

import (
	"slices"
	"strings"

	"quaestor/chat"
	"quaestor/internal/language"
	"quaestor/internal/language/messages"
	"quaestor/obligations"
	"quaestor/sessions"
)

// tidings sorts what a turn changed by what is said of it.
type tidings struct {
	fresh, extra, changed, confirmed, denied, skipped, deferred, kept []obligations.Change

	read []obligations.Change // in files that came with the message
}

// acknowledge says what was understood, and reports whether there was anything
// to say.
func (w *writer) acknowledge() bool {
	before := len(w.pieces)
	t := w.sort()
	for _, c := range t.changed {
		w.sayChanged(c)
	}
	w.sayFresh(t)
	w.sayRead(t.read)
	for _, c := range t.confirmed {
		w.say("confirmed", with{"label": w.named(c.After.Template)})
	}
	for _, c := range t.denied {
		w.say("denied", with{"value": messages.Quote(w.shortly(&c.Before)), "label": w.named(c.Before.Template)})
	}
	w.sayKept(t.kept)
	w.sayPutAside(t)
	w.sayUnsure()
	return len(w.pieces) > before
}

// sort files each change once.
func (w *writer) sort() tidings {
	var t tidings
	for _, c := range w.plan.Changes {
		was, is := c.Before.Value, c.After.Value
		if c.Before.Hinted() {
			was = nil // nobody had said it
		}
		if c.After.Hinted() {
			is = nil
		}
		if chat.ConcludedFrom(&c.After) != nil || is == nil && chat.ConcludedFrom(&c.Before) != nil && !w.saidOf(c.After.Key, obligations.Deny) {
			continue // what follows from the answers is put to the person, or was not yet
		}
		switch {
		case c.Elaborated() != "", w.confirmsNow(c.After.Key): // what was added needs no reading back, and what is asked about is said there
		case c.After.Status == obligations.Skipped && c.Before.Status != obligations.Skipped:
			t.skipped = append(t.skipped, c)
		case c.After.Status == obligations.Deferred && c.Before.Status != obligations.Deferred:
			t.deferred = append(t.deferred, c)
		case c.Conflict != nil && obligations.SameValue(was, is):
			t.kept = append(t.kept, c)
		case was == nil && is != nil && w.scene.ReadIn(&c.After) != "":
			t.read = append(t.read, c)
		case was == nil && is != nil && w.wasAsked(c.After.Key):
			t.fresh = append(t.fresh, c)
		case was != nil && is != nil && !obligations.SameValue(was, is) && c.Before.Vague() && w.wasAsked(c.After.Key) && !w.raises(c.After.Key): // said more precisely
			t.fresh = append(t.fresh, c)
		case was == nil && is != nil:
			t.extra = append(t.extra, c)
		case was != nil && is == nil && w.saidOf(c.After.Key, obligations.Deny):
			t.denied = append(t.denied, c)
		case was != nil && is != nil && !obligations.SameValue(was, is) && w.raises(c.After.Key): // asked about, so not settled
		case was != nil && is != nil && !obligations.SameValue(was, is):
			t.changed = append(t.changed, c)
		case w.saidOf(c.After.Key, obligations.Confirm):
			t.confirmed = append(t.confirmed, c)
		}
	}
	return t
}

// confirmsNow reports whether the reply asks whether the value of key is right.
func (w *writer) confirmsNow(key string) bool {
	q := w.plan.Question
	return q != nil && q.Purpose == sessions.ToConfirm && q.Key == key
}

// raises reports whether the reply asks which of two values of key holds.
func (w *writer) raises(key string) bool {
	c := w.plan.Conflict
	return c != nil && c.Kind != obligations.Constrained && slices.Contains(c.Keys, key)
}

// wasAsked reports whether key was asked; who begins by telling answers what a conversation would
// begin by asking.
func (w *writer) wasAsked(key string) bool {
	if w.scene.Asked == nil && w.scene.Turn <= 1 {
		first := opening(w.scene.Obligations)
		return first != nil && first.Key == key
	}
	return slices.Contains(w.scene.Asked.Keys(), key)
}

// saidOf reports whether the message did act to key.
func (w *writer) saidOf(key string, act obligations.Act) bool {
	return slices.ContainsFunc(w.plan.Understanding.Findings, func(f obligations.Finding) bool { return f.Key == key && f.Act == act })
}

// maxNamed bounds the values named in one reply.
const maxNamed = 3

// sayFresh names the new values: the answers first, then what came on top.
func (w *writer) sayFresh(t tidings) {
	first, then := t.fresh, t.extra
	if len(first) == 0 {
		first, then = then, nil
	}
	if len(first) == 0 {
		return
	}
	if w.saidBack(first) {
		w.sayDoubt(first)
		w.sayExtra(then)
		return
	}
	shownFirst := first[:min(len(first), maxNamed)]
	statements := make([]string, len(shownFirst))
	for i, c := range shownFirst {
		statements[i] = w.stateAs(&c.After, w.shortly(&c.After))
	}
	what := words(w.l.Also(statements))
	if more := len(first) - len(shownFirst); more > 0 {
		what = words(w.l.Text("list.also-more", with{"list": what, "n": messages.Count(more)}))
	}
	w.say("noted", with{"what": what})
	w.sayDoubt(first)
	w.sayExtra(then)
}

// sayExtra names what was volunteered beside the answer.
func (w *writer) sayExtra(extra []obligations.Change) {
	if len(extra) == 0 {
		return
	}
	w.say("noted.extra", with{"what": w.valuesOf(extra, maxNamed)})
}

// valuesOf lists the new values of changes with their names, up to so many, and counts the
// rest.
func (w *writer) valuesOf(changes []obligations.Change, most int) messages.And {
	var out messages.And
	for _, c := range changes[:min(len(changes), most)] {
		out = append(out, w.inPassing(&c.After))
	}
	if more := len(changes) - len(out); more > 0 {
		out = append(out, w.l.Text("list.more", with{"n": messages.Count(more)}))
	}
	return out
}

// inPassing names a value with its obligation, unless it says by itself what it
// is: "12 people".
func (w *writer) inPassing(o *obligations.Obligation) string {
	value := plainLine(clip(w.shortly(o), maxStated))
	if strings.Contains(strings.ToLower(value), strings.ToLower(o.Name())) {
		return value
	}
	return w.l.Text("in-passing", with{"label": w.named(o.Template), "value": words(value)})
}

// sayDoubt says how an unsure or general answer was put down.
func (w *writer) sayDoubt(list []obligations.Change) {
	if w.sayConverted(list) {
		return
	}
	for _, c := range list {
		e := c.After.Evidence
		if len(e) == 0 || e[len(e)-1].Grade == nil {
			continue
		}
		switch g := e[len(e)-1].Grade; {
		case g.Vague:
			w.say("doubt.vague", nil)
			return
		case g.Hedged && c.After.Widget == obligations.Number:
			w.say("doubt.rough", nil)
			return
		case g.Hedged:
			w.say("doubt.unsure", nil)
			return
		}
	}
}

// sayConverted says what a figure was worked out for that was said for another length
// of time, and reports whether there was one.
func (w *writer) sayConverted(list []obligations.Change) bool {
	for i := range list {
		o := &list[i].After
		if o.Widget != obligations.Number || len(o.Evidence) == 0 || !w.wasConverted(o) {
			continue
		}
		period := messages.Message{Key: wholePeriods[periodOf(o.Template)]}
		if len(list) > 1 {
			w.say("doubt.converted-label", with{"label": w.named(o.Template), "period": period})
		} else {
			w.say("doubt.converted", with{"period": period})
		}
		return true
	}
	return false
}

// wasConverted reports whether the latest quote of o gives its figure for another length
// of time than is asked.
func (w *writer) wasConverted(o *obligations.Obligation) bool {
	quote := o.Evidence[len(o.Evidence)-1].Quote
	return slices.ContainsFunc(language.NewReader(w.l.Tag()).Figures(language.Words(quote)), func(f language.Figure) bool {
		_, _, same, ok := over(o.Template, &f)
		return ok && !same
	})
}

func (w *writer) sayChanged(c obligations.Change) {
	is, was := words(w.brieflySaid(&c.After, c.After.Value)), words(w.brieflySaid(&c.Before, c.Before.Value))
	if chat.ProposedBy(&c.Before) != nil { // it was proposed, and never held by anybody
		w.say("changed.proposal", with{"label": w.named(c.After.Template), "value": is})
		w.sayDoubt([]obligations.Change{c})
		return
	}
	if chat.ConcludedFrom(&c.Before) != nil {
		w.say("changed.conclusion", with{"label": w.named(c.After.Template), "value": is})
		w.sayDoubt([]obligations.Change{c})
		return
	}
	w.say("changed", with{"label": w.named(c.After.Template), "value": is, "before": was})
	w.sayDoubt([]obligations.Change{c})
}

// sayKept explains that a passing remark did not replace what is held. A
// conflict raised at once says it itself.
func (w *writer) sayKept(kept []obligations.Change) {
	for _, c := range kept {
		if c.Conflict != nil && c.Conflict.Kind == obligations.AgainstDocument {
			continue // it is raised by itself, each in its turn
		}
		if w.plan.Conflict == nil || !slices.Contains(w.plan.Conflict.Keys, c.After.Key) {
			w.say("kept", with{"label": w.named(c.After.Template), "value": words(w.brieflySaid(&c.After, c.After.Value))})
		}
	}
}

// offersToFinishWithout reports whether the plan asks whether to finish without what
// is required.
func (w *writer) offersToFinishWithout() bool {
	return w.plan.Question != nil && len(w.plan.Question.Missing) > 0
}

func (w *writer) sayPutAside(t tidings) {
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
	if len(t.deferred) > 0 && w.onlyOne(t.deferred) {
		w.say("deferred.only", nil)
		return
	}
	if len(t.deferred) > 0 && w.plan.Understanding.Intent != chat.DontKnow { // sayUnsure has words of its own
		w.say("deferred", nil)
	}
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
	w.say("unsure", nil)
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
			w.leftOpen([]string{r.Key})
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
