package rules

import (
	"slices"
	"strings"

	"quaestor/chat"
	"quaestor/internal/language/messages"
	"quaestor/obligations"
	"quaestor/sessions"
)

// writer words one reply. What it says is in the files of package messages.
type writer struct {
	scene  *chat.Scene
	plan   *chat.Plan
	l      *messages.Language
	pieces []string
	block  bool  // the last piece was a block of its own
	bare   []int // the pieces that say no more than that something was heard

	entered bool // the sentence of a phase is said
	atLoss  bool // a question was left without an answer
}

func newWriter(s *chat.Scene, p *chat.Plan) *writer {
	return &writer{scene: s, plan: p, l: chat.MessagesOf(s)}
}

// with and words are the placeholders of a message and the texts put in place of them.
type (
	with  = messages.Args
	words = messages.Text
)

// say adds a message, as it is worded.
func (w *writer) say(key string, args with) {
	if bareWords[key] {
		w.bare = append(w.bare, len(w.pieces))
	}
	w.tell(w.worded(key, args))
}

// bareWords are the messages that say no more than that something was heard.
var bareWords = map[string]bool{"noted.bare": true, "confirmed": true, "agreed": true, "disagreed": true, "small-talk.else": true}

// dropBare takes out of the reply so far what says no more than that something was heard, where
// something else says more; of several such words the first stays.
func (w *writer) dropBare() {
	keep := -1
	if len(w.bare) == len(w.pieces) && len(w.bare) > 0 {
		keep = w.bare[0]
	}
	var pieces []string
	for i, p := range w.pieces {
		if i == keep || !slices.Contains(w.bare, i) {
			pieces = append(pieces, p)
		}
	}
	if len(pieces) > 0 {
		pieces[0] = strings.TrimLeft(pieces[0], " \n")
	}
	w.pieces, w.bare = pieces, nil
}

// sayOnce adds a message that need not be heard twice in a session.
func (w *writer) sayOnce(key string) {
	for _, c := range w.l.Wordings(key, nil, w.manner()) {
		if w.heardAt(c) > 0 {
			return
		}
	}
	w.say(key, nil)
}

// worded returns a message in the first wording that the person has not heard, or in the one
// they have not heard for longest.
func (w *writer) worded(key string, args with) string {
	list := w.l.Wordings(key, args, w.manner())
	if len(list) == 0 {
		return key
	}
	best := list[0]
	for _, c := range list[1:] {
		if w.heardAt(c) < w.heardAt(best) {
			best = c
		}
	}
	return best.Text
}

func (w *writer) manner() messages.Manner {
	return messages.Manner{Turn: w.scene.Turn, Formal: w.scene.Memory.Style == sessions.Formal}
}

// heardAt returns when the person heard a wording last: 0 for never, and more the later it
// was. A reply that would begin with the same word as the one before sounds like the same.
func (w *writer) heardAt(c messages.Wording) int {
	t := w.scene.Transcript
	if slices.ContainsFunc(w.pieces, c.SaidIn) {
		return len(t) + 1
	}
	for i, m := range slices.Backward(t) {
		if m.Role != sessions.FromAssistant {
			continue
		}
		if c.SaidIn(m.Content) {
			return i + 1
		}
	}
	if last := w.scene.LastReply(); last != nil && len(w.pieces) == 0 && firstWord(last.Content) == firstWord(c.Text) {
		return 1
	}
	return 0
}

func firstWord(text string) string {
	first, _, _ := strings.Cut(text, " ")
	return first
}

// tell adds a sentence of somebody else's: of the objective, or a remedy.
func (w *writer) tell(sentence string) {
	w.put(sentence, " ")
	w.block = false
}

// paragraph adds text as a paragraph of its own, word for word.
func (w *writer) paragraph(text string) {
	w.put(text, "\n\n")
	w.block = true
}

func (w *writer) put(text, gap string) {
	switch {
	case text == "":
		return
	case len(w.pieces) == 0:
		gap = ""
	case w.block:
		gap = "\n\n"
	}
	w.pieces = append(w.pieces, gap+text)
}

// brief reports whether the person likes short replies, or needs them.
func (w *writer) brief() bool { return w.hurried() || chat.Weary(w.scene) }

// hurried reports whether the person likes short replies, or has little time.
func (w *writer) hurried() bool {
	return chat.StyleOf(w.scene.Memory).Brief || w.scene.Memory.Course.Hurry > 0 || w.plan.Understanding.Signals.Course.Hurry > 0
}

// likesExamples reports whether the person said that they like examples.
func (w *writer) likesExamples() bool {
	return chat.StyleOf(w.scene.Memory).Examples || w.plan.Understanding.Signals.Preferences[chat.PrefersExamples] == "true"
}

// find returns the obligation as the turn leaves it, or nil.
func (w *writer) find(key string) *obligations.Obligation {
	return obligations.Find(w.plan.List, key)
}

// A field's name is a name and no words of a sentence: nobody knows what article it takes, or
// whether it is a thing at all ("Sprayed", "Who decides"). So it stands in quotation marks, or
// before a colon.

// named is the name of t within a sentence.
func (w *writer) named(t *obligations.Template) words { return words(w.l.Quoted(t.Name())) }

// nameOf is the name of t before a colon, or in a list.
func (w *writer) nameOf(t *obligations.Template) words {
	return words(w.l.Name(strings.TrimRight(t.Name(), " ?")))
}

// noteOf is a value of o as a note: "target market: small clinics".
func (w *writer) noteOf(o *obligations.Obligation, value string) string {
	return w.l.Text("note", with{"label": w.nameOf(o.Template), "value": words(value)})
}
