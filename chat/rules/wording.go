package rules

import (
	"fmt"
	"slices"
	"strings"

	"quaestor/chat"
	"quaestor/obligations"
	"quaestor/sessions"
)

// writer words one reply.
type writer struct {
	scene  *chat.Scene
	plan   *chat.Plan
	pieces []string
	block  bool // the last piece was a block of its own
}

// say adds a sentence made of template and args. In a casual conversation the
// template is contracted; args stay as they are.
func (w *writer) say(template string, args ...any) {
	if w.scene.Memory.Style == sessions.Casual {
		template = contract(template)
	}
	w.put(fmt.Sprintf(template, args...), " ")
	w.block = false
}

// sayOne says one of templates, by turn, so that turns differ and a repeated
// turn does not.
func (w *writer) sayOne(templates []string, args ...any) {
	w.say(templates[w.scene.Turn%len(templates)], args...)
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

var contractionsWanted = strings.NewReplacer("I have put ", "I've put ", "I have noted ", "I've noted ",
	"I have marked ", "I've marked ", "I have changed ", "I've changed ", "I have taken ", "I've taken ",
	"I have set ", "I've set ", "I will ", "I'll ", "do not ", "don't ", "does not ", "doesn't ",
	"did not ", "didn't ", "That is ", "That's ", "that is ", "that's ",
	"we will ", "we'll ", "cannot ", "can't ", "let us ", "let's ", "Let us ", "Let's ", "Here is ", "Here's ", "We have ", "We've ", "we have ", "we've ", "It is ", "It's ")

func contract(s string) string { return contractionsWanted.Replace(s) }

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

var pluralHeads = set("people staff customers")

// stating returns a sentence that gives a value its name: "the target market is
// clinics", or "my boss under “Who decides”" where the label is no thing.
func stating(t *obligations.Template, value string) string {
	words := bareName(t)
	if nameless(words) {
		return value + " under “" + t.Name() + "”"
	}
	verb := "is"
	if plural(words) {
		verb = "are"
	}
	return "the " + lower(strings.Join(words, " ")) + " " + verb + " " + value
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
func named(t *obligations.Template) string {
	words := bareName(t)
	if nameless(words) {
		return "“" + t.Name() + "”"
	}
	return "the " + lower(strings.Join(words, " "))
}

// maxStated bounds a value said back to the person, in runes: they know what they
// said.
const maxStated = 90

// statement says what o holds: "the target market is small clinics".
func statement(o *obligations.Obligation) string {
	value := quoted(clip(shown(o), maxStated))
	if len(o.Choices) > 0 && !strings.HasPrefix(value, "“") {
		value = lower(value)
	}
	return stating(o.Template, value)
}
