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
			w.say("file.long", with{"file": words(chat.FileLabel(f.Name))})
		}
		w.sayReadIn(f.ID, f.Name, mine)
	}
}

func (w *writer) sayReadIn(id, name string, read []obligations.Change) {
	file := words(chat.FileLabel(name))
	if len(read) == 0 {
		switch {
		case !w.speaksOf(id):
			w.say("file.nothing", with{"file": file})
		case w.plan.Conflict == nil:
			w.say("file.known", with{"file": file})
		}
		return
	}
	w.say("file.read", with{"file": file, "what": w.notesOf(read, maxRead)})
	if slices.ContainsFunc(read, func(c obligations.Change) bool { return c.After.Status != obligations.Satisfied }) {
		w.say("file.unsure", nil)
	}
}

// speaksOf reports whether something was made of a file that is not a new value:
// it agrees with what is known, or contradicts it.
func (w *writer) speaksOf(id string) bool {
	return slices.ContainsFunc(w.plan.Understanding.Findings, func(f obligations.Finding) bool { return f.Evidence.File == id })
}
