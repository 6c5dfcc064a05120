package rules

import (
	"slices"

	"quaestor/chat"
	"quaestor/obligations"
)

// maxRead bounds the values named of one file.
const maxRead = 6

// sayRead names what was read in each file that came with the message, and says
// of those in which nothing was found that they were read.
func (w *writer) sayRead(read []obligations.Change) {
	for _, f := range w.scene.Files {
		mine := slices.DeleteFunc(slices.Clone(read), func(c obligations.Change) bool { return w.scene.ReadIn(&c.After) != f.Name })
		if f.Truncated {
			w.say("%s is long, so I read its beginning only.", chat.FileLabel(f.Name))
		}
		w.sayReadIn(f.ID, f.Name, mine)
	}
}

func (w *writer) sayReadIn(id, name string, read []obligations.Change) {
	name = chat.FileLabel(name)
	if len(read) == 0 {
		switch {
		case !w.speaksOf(id):
			w.say("I have read %s and found nothing there that I have to ask about.", name)
		case w.plan.Conflict == nil:
			w.say("I have read %s; what it says for my questions I knew already.", name)
		}
		return
	}
	var names []string
	for _, c := range read[:min(len(read), maxRead)] {
		names = append(names, inPassing(&c.After))
	}
	if more := len(read) - len(names); more > 0 {
		names = append(names, count(more)+" more")
	}
	w.say("In %s I read %s.", name, list(names, "and"))
	if slices.ContainsFunc(read, func(c obligations.Change) bool { return c.After.Status != obligations.Satisfied }) {
		w.say("What is not plain there I will check with you.")
	}
}

// speaksOf reports whether something was made of a file that is not a new value:
// it agrees with what is known, or contradicts it.
func (w *writer) speaksOf(id string) bool {
	return slices.ContainsFunc(w.plan.Understanding.Findings, func(f obligations.Finding) bool { return f.Evidence.File == id })
}
