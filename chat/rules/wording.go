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
	block  bool // the last piece was a block of its own
}

func newWriter(s *chat.Scene, p *chat.Plan) *writer {
	return &writer{scene: s, plan: p, l: chat.MessagesOf(s)}
}

// with and words are the placeholders of a message and the texts put in place of them.
type (
	with  = messages.Args
	words = messages.Text
)

// say adds a message. Of several wordings one is taken by turns, so that turns differ and
// a repeated turn does not. In a casual conversation it is contracted; args stay as they
// are.
func (w *writer) say(key string, args with) { w.sayAs(key, w.scene.Turn, args) }

// sayAs is say with a choice of the wording. One that the person has read in the session is
// passed over while there is another: nobody says the same sentence again and again.
func (w *writer) sayAs(key string, variant int, args with) {
	word := func(turn int) string {
		return w.l.Word(key, args, messages.Manner{Turn: turn, Casual: w.scene.Memory.Style == sessions.Casual})
	}
	first := word(variant)
	for i := range maxWordings {
		if text := word(variant + i); !w.wasSaid(text) {
			w.tell(text)
			return
		}
	}
	w.tell(first)
}

// maxWordings is more than any message has.
const maxWordings = 12

// wasSaid reports whether a sentence stands in a reply of the session, or in this one.
func (w *writer) wasSaid(text string) bool {
	return slices.ContainsFunc(w.pieces, func(p string) bool { return strings.Contains(p, text) }) ||
		slices.ContainsFunc(w.scene.Transcript, func(m sessions.Message) bool {
			return m.Role == sessions.FromAssistant && strings.Contains(m.Content, text)
		})
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

// brief reports whether the person likes short replies.
func (w *writer) brief() bool { return chat.StyleOf(w.scene.Memory).Brief }

// likesExamples reports whether the person said that they like examples.
func (w *writer) likesExamples() bool {
	return chat.StyleOf(w.scene.Memory).Examples || w.plan.Understanding.Signals.Preferences[chat.PrefersExamples] == "true"
}

// find returns the obligation as the turn leaves it, or nil.
func (w *writer) find(key string) *obligations.Obligation {
	return obligations.Find(w.plan.List, key)
}

// openers that make a label no name of a thing: "Who decides", "Needed by".
var unnameable = set("what who how when where why which must left needed tried uncertain opened about with in on by for to whether can is are does do")

// clausal words make a label a clause: "People it is for".
var clausal = set("is are it does do comes would will who what how why when")

// nameless reports whether a label is no name of a thing.
func nameless(words []string) bool {
	return unnameable[strings.ToLower(words[0])] || slices.ContainsFunc(words, func(w string) bool { return clausal[strings.ToLower(w)] })
}

// bareName is t's label without its article, as words: "The idea" is named like "Idea".
func bareName(t *obligations.Template) []string {
	words := strings.Fields(t.Name())
	if w := strings.ToLower(words[0]); len(words) > 1 && (w == "the" || w == "a" || w == "an") {
		return words[1:]
	}
	return words
}

// thing returns t's label as English names a thing within a sentence, "target market".
// ok is false for labels that name none, and in languages that put them in quotation
// marks.
func (w *writer) thing(t *obligations.Template) (name []string, ok bool) {
	name = bareName(t)
	return name, w.l.Things && !nameless(name)
}

var pluralHeads = set("people staff customers")

// stating returns a sentence that gives a value its name: "the target market is
// clinics", or "my boss under “Who decides”" where the label is no thing.
func (w *writer) stating(t *obligations.Template, value string) string {
	name, ok := w.thing(t)
	switch {
	case !ok:
		return w.l.Text("stated", with{"name": words(t.Name()), "value": words(value)})
	case plural(name):
		return w.l.Text("stated.things", with{"name": words(lower(strings.Join(name, " "))), "value": words(value)})
	}
	return w.l.Text("stated.thing", with{"name": words(lower(strings.Join(name, " "))), "value": words(value)})
}

// plural reports whether a label names several things, by the word that carries
// it.
func plural(words []string) bool {
	head := strings.ToLower(words[len(words)-1])
	for i, w := range words {
		switch strings.ToLower(w) {
		case "and":
			return true
		case "of", "to", "for", "used", "in", "with", "on", "from", "so", "at", "who", "that", "per", "by":
			if i > 0 {
				head = strings.ToLower(words[i-1])
				return pluralWord(head)
			}
		}
	}
	return pluralWord(head)
}

func pluralWord(w string) bool {
	return pluralHeads[w] || (strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "is"))
}

// named is the label within a sentence: "the target market", or the label in
// quotation marks.
func (w *writer) named(t *obligations.Template) words {
	if name, ok := w.thing(t); ok {
		return words(w.l.Text("label.thing", with{"name": words(lower(strings.Join(name, " ")))}))
	}
	return words(w.l.Text("label", with{"name": words(t.Name())}))
}

// listed is a label in a list of its own: "target market".
func (w *writer) listed(label string) string {
	if w.l.Things {
		return lower(label)
	}
	return label
}

// maxStated bounds a value said back to the person, in runes: they know what they
// said.
const maxStated = 90

// statement says what o holds: "the target market is small clinics".
func (w *writer) statement(o *obligations.Obligation) string { return w.stateAs(o, w.shown(o)) }

// stateAs is statement with a value in words.
func (w *writer) stateAs(o *obligations.Obligation, shown string) string {
	value := clip(shown, maxStated)
	short := w.quoted(value)
	if !w.l.Things && o.Widget != obligations.Text { // it stands behind a colon
		short = plainLine(value)
	}
	if len(o.Choices) > 0 && short == plainLine(value) {
		short = w.listed(short)
	}
	return w.stating(o.Template, short)
}
