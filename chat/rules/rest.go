package rules

import (
	"quaestor/chat"
)

// rest words what a reply still has to say when the message is acknowledged already: what
// came of research, what was read in files, what cannot be noted and what will be looked
// up, then the question or the farewell.
func (w *writer) rest() {
	w.news()
	w.sayRead(w.sort().read)
	w.refusals()
	w.directed()
	w.wishes()
	w.lookups()
	if !chat.IsWishForHuman(w.scene.Message) { // else it was met with the first words
		w.human()
	}
	if w.plan.Ends != "" {
		w.farewell()
		return
	}
	w.enter()
	w.ask()
}
