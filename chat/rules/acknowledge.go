package rules

import (
	"slices"
	"strings"

	"quaestor/chat"
	"quaestor/obligations"
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
		w.sayOne([]string{"Good, then %s stays as it is.", "Thank you, %s is settled then.", "Right, I keep that for %s."}, named(c.After.Template))
	}
	for _, c := range t.denied {
		w.say("All right, I have taken “%s” out again for %s.", plainLine(shown(&c.Before)), named(c.Before.Template))
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
		if chat.ConcludedFrom(&c.After) != nil || is == nil && chat.ConcludedFrom(&c.Before) != nil && !w.saidOf(c.After.Key, obligations.Deny) {
			continue // what follows from the answers is put to the person, or was not yet
		}
		switch {
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
		case was != nil && is != nil && !obligations.SameValue(was, is) && general(&c.Before) && w.wasAsked(c.After.Key) && !w.raises(c.After.Key): // said more precisely
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

// general reports whether o holds a vague answer.
func general(o *obligations.Obligation) bool {
	if len(o.Evidence) == 0 {
		return false
	}
	g := o.Evidence[len(o.Evidence)-1].Grade
	return g != nil && g.Vague
}

// raises reports whether the reply asks which of two values of key holds.
func (w *writer) raises(key string) bool {
	c := w.plan.Conflict
	return c != nil && c.Kind != obligations.Constrained && slices.Contains(c.Keys, key)
}

func (w *writer) wasAsked(key string) bool { return slices.Contains(w.scene.Asked.Keys(), key) }

// saidOf reports whether the message did act to key.
func (w *writer) saidOf(key string, act obligations.Act) bool {
	return slices.ContainsFunc(w.plan.Understanding.Findings, func(f obligations.Finding) bool { return f.Key == key && f.Act == act })
}

// maxNamed bounds the values named in one reply.
const maxNamed = 3

var notedLeads = []string{"Noted: %s.", "Thank you: %s.", "Good, I have that: %s.", "Got it: %s.", "I see: %s."}

// sayFresh names the new values: the answers first, then what came on top.
func (w *writer) sayFresh(t tidings) {
	first, then := t.fresh, t.extra
	if len(first) == 0 {
		first, then = then, nil
	}
	if len(first) == 0 {
		return
	}
	shownFirst := first[:min(len(first), maxNamed)]
	statements := make([]string, len(shownFirst))
	for i, c := range shownFirst {
		statements[i] = statement(&c.After)
	}
	text := list(statements, "and")
	if len(statements) > 1 {
		text = list(statements, "and also")
	}
	if more := len(first) - len(shownFirst); more > 0 {
		text += ", and " + count(more) + " more"
	}
	w.sayOne(notedLeads, text)
	w.sayDoubt(first)
	w.sayExtra(then)
}

// sayExtra names what was volunteered beside the answer.
func (w *writer) sayExtra(extra []obligations.Change) {
	if len(extra) == 0 {
		return
	}
	var names []string
	for _, c := range extra[:min(len(extra), maxNamed)] {
		names = append(names, inPassing(&c.After))
	}
	if more := len(extra) - len(names); more > 0 {
		names = append(names, count(more)+" more")
	}
	w.sayOne([]string{"I also picked up %s.", "On the way you told me %s as well.", "I have noted %s too."}, list(names, "and"))
}

// inPassing names a value with its obligation, unless it says by itself what it
// is: "12 people".
func inPassing(o *obligations.Obligation) string {
	value := plainLine(clip(shown(o), maxStated))
	if strings.Contains(strings.ToLower(value), strings.ToLower(o.Name())) {
		return value
	}
	return named(o.Template) + " (" + value + ")"
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
			w.say("That is still rather general, so I may come back to it.")
			return
		case g.Hedged && c.After.Widget == obligations.Number:
			w.say("I have put that down as a rough figure.")
			return
		case g.Hedged:
			w.say("I have marked it as not certain yet.")
			return
		}
	}
}

// sayConverted says what a figure was worked out for that was said for another length
// of time, and reports whether there was one.
func (w *writer) sayConverted(list []obligations.Change) bool {
	for i := range list {
		o := &list[i].After
		if o.Widget != obligations.Number || len(o.Evidence) == 0 || !wasConverted(o) {
			continue
		}
		what := "it"
		if len(list) > 1 {
			what = named(o.Template)
		}
		w.say("I have worked %s out for a whole %s, so it is a rough figure.", what, periodOf(o.Template))
		return true
	}
	return false
}

// wasConverted reports whether the latest quote of o gives its figure for another length
// of time than is asked.
func wasConverted(o *obligations.Obligation) bool {
	quote := listen(o.Evidence[len(o.Evidence)-1].Quote)
	return slices.ContainsFunc(quote.quantities(0, len(quote.words)), func(q quantity) bool {
		_, same, ok := q.over(o.Template)
		return ok && !same
	})
}

func (w *writer) sayChanged(c obligations.Change) {
	is, was := quoted(shown(&c.After)), quoted(shown(&c.Before))
	if chat.ProposedBy(&c.Before) != nil { // it was proposed, and never held by anybody
		w.sayOne([]string{"Good, then %[2]s is %[1]s, not what I had found.", "I go by you: %[2]s is %[1]s."}, is, named(c.After.Template))
		w.sayDoubt([]obligations.Change{c})
		return
	}
	if chat.ConcludedFrom(&c.Before) != nil {
		w.sayOne([]string{"Good, then %[2]s is %[1]s, not what I had concluded.", "I go by you: %[2]s is %[1]s."}, is, named(c.After.Template))
		w.sayDoubt([]obligations.Change{c})
		return
	}
	w.sayOne([]string{"Changed: %s, now %s instead of %s.", "Corrected: %s, now %s instead of %s.", "I have changed that: %s, now %s instead of %s."}, named(c.After.Template), is, was)
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
			w.say("For %s I keep %s until you tell me otherwise.", named(c.After.Template), quoted(shown(&c.After)))
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
			w.say("I leave out %s, as you wish.", named(c.After.Template))
		case c.After.SkipReason == obligations.NotApplicable:
			w.sayOne([]string{"That is fine, I will leave it out since it does not apply.", "All right, then that one does not apply."})
		case w.offersToFinishWithout(): // which names it
			w.sayOne([]string{"That is fine.", "No problem.", "All right."})
		case slices.Contains(w.plan.Completeness.MissingKeys, c.After.Key):
			w.sayOne([]string{"That is fine, we go on without it. It is needed in the end, so I will mention it once more before we close.", "No problem, we leave it for now. It is needed, so I come back to it before we close."})
		default:
			w.sayOne([]string{"That is fine, I will leave it out.", "No problem, we will leave that one out.", "All right, I will not ask for it again."})
		}
	}
	if len(t.deferred) > 0 && w.onlyOne(t.deferred) {
		w.say("That is fine, but nothing else is left to ask, so here it is once more.")
		return
	}
	if len(t.deferred) > 0 && w.plan.Understanding.Intent != chat.DontKnow { // sayUnsure has words of its own
		w.sayOne([]string{"Of course, we will come back to it.", "Fine, I will ask again later.", "All right, I have set it aside for later."})
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
		w.sayOne([]string{"That is fine, not everyone has this at hand. I will have it looked up and come back with what turns up.", "No problem. I will have that looked up, and you can judge what turns up."})
		return
	}
	w.sayOne([]string{"That is fine, you do not have to know it now.", "No problem, not everything can be known at this point.", "That is all right, we can come back to it another way."})
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
		w.say("%s", r.Remedy)
	}
}

// askedInVain reports whether key was asked as often as it may be and is not asked
// again now, so that saying what would be right asks for it once more.
func (w *writer) askedInVain(key string) bool {
	o, q := w.find(key), w.plan.Question
	return o != nil && !o.Resolved() && o.Attempts >= max(o.MaxAttempts, 1) && (q == nil || !slices.Contains(q.Keys(), key))
}

var counts = []string{"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}

// count writes a small number in letters.
func count(n int) string {
	if n >= 0 && n < len(counts) {
		return counts[n]
	}
	return figure(float64(n))
}
