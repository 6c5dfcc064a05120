package rules

import (
	"encoding/json"
	"slices"
	"strings"

	"quaestor/chat"
	"quaestor/chat/field"
	"quaestor/chat/reading"
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
	if len(t.confirmed) > 0 && !w.approved() {
		w.say("confirmed", nil)
	}
	for _, c := range t.denied {
		w.say("denied", with{"value": messages.Quote(w.shortly(&c.Before))})
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
		case c.Elaborated() != "" && !w.saidOf(c.After.Key, obligations.Correct), w.confirmsNow(c.After.Key): // what was added needs no reading back, and what is asked about is said there
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
		first := reading.Opening(w.scene.Obligations)
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

// sayFresh says what is new: the answer to what was asked, then what came on top.
func (w *writer) sayFresh(t tidings) {
	switch {
	case len(t.fresh) == 1 && len(w.scene.Asked.Keys()) <= 1:
		w.sayAnswer(&t.fresh[0].After)
	case len(t.fresh) > 0:
		w.say("noted.list", with{"what": w.notesOf(t.fresh, maxNamed)})
	}
	switch {
	case len(t.extra) == 0:
	case len(t.fresh) > 0:
		w.say("noted.extra", with{"what": w.notesOf(t.extra, maxNamed)})
	default:
		w.say("noted.list", with{"what": w.notesOf(t.extra, maxNamed)})
	}
	w.sayConverted(append(t.fresh, t.extra...))
	w.sayDated(append(t.fresh, t.extra...))
}

// sayAnswer says back the answer to the one thing that was asked a moment ago, and so without
// its name: a figure or a date as it was understood, a choice by its words, a short text in the
// person's own.
func (w *writer) sayAnswer(o *obligations.Obligation) {
	value := words(plainLine(w.shown(o)))
	switch {
	case len(o.Choices) > 0:
		w.sayChoice(o)
	case o.Widget == obligations.Text:
		w.sayText(o)
	case rough(o):
		w.say("noted.rough", with{"what": value})
	default:
		w.say("noted.figure", with{"what": value})
	}
}

// sayText says a free text back in a few words, every other time at most: whoever hears each
// answer again hears a parrot.
func (w *writer) sayText(o *obligations.Obligation) {
	g := words(w.gist(o))
	if o.Vague() && slices.Contains(w.plan.Question.Keys(), o.Key) {
		w.say("doubt.vague", nil)
		return
	}
	if g == "" || w.hurried() || w.saidBackLast() || len(strings.Fields(w.scene.Message)) > maxEchoed {
		w.sayTakenIn()
		return
	}
	w.say("noted.said", with{"what": g})
}

// maxEchoed is from how many words on a message is no longer told by a few of them.
const maxEchoed = 25

// saidBackLast reports whether the reply before said an answer back.
func (w *writer) saidBackLast() bool {
	last := w.scene.LastReply()
	return last != nil && slices.ContainsFunc(w.l.Wordings("noted.said", nil, w.manner()), func(c messages.Wording) bool { return c.SaidIn(last.Content) })
}

// sayTakenIn says only that an answer was heard. Who likes it short hears the next question at
// once, and so does who was met with a word already.
func (w *writer) sayTakenIn() {
	if len(w.pieces) == 0 && !w.hurried() {
		w.say("noted.bare", nil)
	}
}

// maxChoiceWords is how many words of a choice are said as if they were the person's own.
const maxChoiceWords = 3

// sayChoice says what a choice was taken for, unless it is a yes or a no, which needs no saying.
func (w *writer) sayChoice(o *obligations.Obligation) {
	shown := plainLine(w.shown(o))
	switch short := len(strings.Fields(shown)) <= maxChoiceWords; {
	case o.Widget != obligations.MultiSelect && (o.Pick(field.Text(o.Value)) == nil || field.IsYesNo(o.Template)):
		w.sayTakenIn()
	case short || w.saidInMessage(shown):
		w.say("noted.figure", with{"what": words(w.l.Name(shown))})
	default:
		w.say("noted.choice", with{"what": words(w.l.Quoted(shown))})
	}
}

func (w *writer) saidInMessage(text string) bool {
	return strings.Contains(strings.ToLower(w.scene.Message), strings.ToLower(text))
}

// rough reports whether o holds one figure that was said with doubt.
func rough(o *obligations.Obligation) bool {
	var n float64
	if o.Widget != obligations.Number || json.Unmarshal(o.Value, &n) != nil || len(o.Evidence) == 0 {
		return false
	}
	g := o.Evidence[len(o.Evidence)-1].Grade
	return g != nil && g.Hedged
}

// notesOf notes the new values of changes, up to so many, and counts the rest.
func (w *writer) notesOf(changes []obligations.Change, most int) words {
	var notes []string
	for _, c := range changes[:min(len(changes), most)] {
		value := plainLine(field.Clip(w.shortly(&c.After), maxStated))
		if len(c.After.Choices) > 0 {
			value = w.l.Name(value)
		}
		notes = append(notes, w.noteOf(&c.After, value))
	}
	list := strings.Join(notes, "; ")
	if more := len(changes) - len(notes); more > 0 {
		list = w.l.Text("noted.more", with{"list": words(list), "n": messages.Count(more)})
	}
	return words(list)
}

// maxStated bounds a value that is named in passing, in runes.
const maxStated = 90

// sayDated says that words may mean another day than was taken, or that of several months one was.
func (w *writer) sayDated(list []obligations.Change) {
	for i := range list {
		o := &list[i].After
		if o.Widget != obligations.Date || len(o.Evidence) == 0 {
			continue
		}
		quote := o.Evidence[len(o.Evidence)-1].Quote
		for _, d := range language.NewReader(w.l.Tag()).Dates(language.Words(quote), w.scene.Now, language.Ahead) {
			switch {
			case d.Other != "":
				w.say("doubt.date", with{"day": words(w.l.Date(d.Other))})
				return
			case d.Through != "" && field.Text(o.Value) == d.Through:
				w.say("doubt.period", nil)
				return
			}
		}
	}
}

// wholePeriods are the messages for a period as a whole, "a whole week".
var wholePeriods = map[string]string{
	"day": "period.whole.day", "week": "period.whole.week", "fortnight": "period.whole.fortnight", "month": "period.whole.month", "quarter": "period.whole.quarter", "year": "period.whole.year",
}

// sayConverted says what a figure was worked out for that was said for another length
// of time.
func (w *writer) sayConverted(list []obligations.Change) {
	for i := range list {
		if o := &list[i].After; o.Widget == obligations.Number && len(o.Evidence) > 0 && w.wasConverted(o) {
			said := field.Clip(o.Evidence[len(o.Evidence)-1].Quote, maxStated)
			w.say("doubt.converted", with{"said": messages.Quote(said), "period": messages.Message{Key: wholePeriods[field.Period(o.Template)]}})
			return
		}
	}
}

// wasConverted reports whether the latest quote of o gives its figure for another length
// of time than is asked.
func (w *writer) wasConverted(o *obligations.Obligation) bool {
	quote := o.Evidence[len(o.Evidence)-1].Quote
	return slices.ContainsFunc(language.NewReader(w.l.Tag()).Figures(language.Words(quote)), func(f language.Figure) bool {
		_, _, same, ok := field.OfPeriod(o.Template, &f)
		return ok && !same
	})
}

// sayChanged says what holds now. What was asked a moment ago needs no name.
func (w *writer) sayChanged(c obligations.Change) {
	args := with{"label": w.nameOf(c.After.Template), "value": words(w.brieflySaid(&c.After, c.After.Value)), "before": words(w.brieflySaid(&c.Before, c.Before.Value))}
	more, fewer := field.ItemsChanged(c)
	switch {
	case more != nil:
		w.say("changed.added", with{"label": args["label"], "value": words(plainLine(w.itemSaid(&c.After, more)))})
		return
	case fewer != nil:
		w.say("changed.taken-off", with{"label": args["label"], "value": words(plainLine(w.itemSaid(&c.Before, fewer)))})
		return
	case chat.ProposedBy(&c.Before) != nil, chat.ConcludedFrom(&c.Before) != nil: // it never was held by anybody
		w.say("changed.proposal", args)
	case w.wasAsked(c.After.Key) && len(w.scene.Asked.Keys()) == 1:
		w.say("changed", args)
	default:
		w.say("changed.named", args)
	}
	w.sayConverted([]obligations.Change{c})
	w.sayDated([]obligations.Change{c})
}

// sayKept explains that a passing remark did not replace what is held. A
// conflict raised at once says it itself.
func (w *writer) sayKept(kept []obligations.Change) {
	for _, c := range kept {
		if c.Conflict != nil && c.Conflict.Kind == obligations.AgainstDocument {
			continue // it is raised by itself, each in its turn
		}
		if w.plan.Conflict == nil || !slices.Contains(w.plan.Conflict.Keys, c.After.Key) {
			w.say("kept", with{"label": w.nameOf(c.After.Template), "value": words(w.brieflySaid(&c.After, c.After.Value))})
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
