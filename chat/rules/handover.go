package rules

import (
	"path"
	"slices"
	"strings"
)

// handovers are words that speak of a file that comes along.
var handovers = set("file files document documents attached attachment attachments attach doc docs docx pdf csv txt spreadsheet upload uploaded enclosed")

// handingOver open a message that only hands something over.
var handingOver = phrases("here is", "here are", "here you are", "here you go", "this is", "these are", "please see", "see", "please find", "please read", "read", "have a look", "take a look", "look at", "i have put", "it is all in", "as discussed")

// maxHandover is how many words hand a file over at most.
const maxHandover = 16

// handsOver reports whether the message does no more than hand over the files that
// come with it: nothing, "here is our plan", "it is all in the attached file". Its
// words are no answer to what was asked.
func (r *reader) handsOver() bool {
	u := r.u
	switch {
	case len(r.scene.Files) == 0:
		return false
	case len(u.words) == 0:
		return strings.TrimSpace(u.raw) == ""
	case len(u.words) > maxHandover, slices.ContainsFunc(u.words, func(w word) bool { return isDigit(w.text) }):
		return false
	}
	if slices.ContainsFunc(u.words, func(w word) bool { return handovers[w.text] }) {
		return true
	}
	return u.starts(0, len(u.words), handingOver) > 0 && r.namesFile()
}

// namesFile reports whether the message has a word of a file's name in it, or says
// nothing that could be an answer.
func (r *reader) namesFile() bool {
	for _, f := range r.scene.Files {
		for _, w := range cut(strings.TrimSuffix(f.Name, path.Ext(f.Name))) {
			if len(w) > 3 && slices.ContainsFunc(r.u.words, func(x word) bool { return x.text == w }) {
				return true
			}
		}
	}
	return len(r.u.words) <= 4
}
