package rules

import (
	"slices"
	"strings"

	"quaestor/chat"
	"quaestor/chat/field"
	"quaestor/chat/reading"
	"quaestor/internal/language/messages"
	"quaestor/obligations"
	"quaestor/sessions"
)

// sortedChanges are the changes of a turn by what is said of them.
type sortedChanges struct {
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
func (w *writer) sort() sortedChanges {
	var t sortedChanges
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
		case was != nil && is != nil && !obligations.SameValue(was, is) && (c.Before.Vague() || w.answersAnew()) && w.wasAsked(c.After.Key) && !w.raises(c.After.Key): // said more precisely
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

// answersAnew reports whether the message answers a question, and corrects nothing.
func (w *writer) answersAnew() bool {
	return w.scene.Asked != nil && w.scene.Asked.Purpose == sessions.ToAsk && w.plan.Understanding.Intent == chat.Answer
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
func (w *writer) sayFresh(t sortedChanges) {
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
	case c.After.Widget == obligations.Text && args["value"] == args["before"]: // the gist leaves out what changed
		w.say("changed.text", with{"label": args["label"], "value": words(w.l.Quoted(plainLine(field.Clip(field.Text(c.After.Value), maxStated))))})
	case chat.ProposedBy(&c.Before) != nil, chat.ConcludedFrom(&c.Before) != nil: // it never was held by anybody
		w.say("changed.proposal", args)
	case w.wasAsked(c.After.Key) && len(w.scene.Asked.Keys()) == 1 && w.cutShort(&c.After):
		w.say("changed.this", with{"value": args["value"]})
	case w.wasAsked(c.After.Key) && len(w.scene.Asked.Keys()) == 1 && w.cutShort(&c.Before):
		w.say("noted.said", with{"what": args["value"]})
	case w.cutShort(&c.Before) || w.cutShort(&c.After):
		w.say("changed.text", with{"label": args["label"], "value": args["value"]})
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
