package reading

import (
	"slices"
	"strings"
	"unicode"

	"quaestor/chat"
	"quaestor/internal/language"
	"quaestor/internal/listening"
)

// setParting takes the last clause of a message for a goodbye where a lexicon has it as one
// ("cheers then"), or where it is a greeting that people leave with as well: "Servus" opens a
// talk and ends it.
func (h *heard) setParting() {
	from, to := h.lastClause()
	if from == to || h.endsAnswer(wordRange{from, to}) {
		return
	}
	words := strings.Join(h.folded()[from:to], " ")
	stops := slices.ContainsFunc(language.Languages(), func(tag string) bool {
		act, ok := listening.ActNamed(language.Lexicons()[tag].Said(words))
		return ok && act == listening.Stop
	})
	if !stops && (!language.IsWord("parting", words) || h.scene.Turn <= 1 && from == 0) {
		return
	}
	at, end := h.words[from].From, h.words[to-1].To
	h.phrases = slices.DeleteFunc(h.phrases, func(p phraseSaid) bool { return p.from < end && at < p.to })
	h.phrases = append(h.phrases, phraseSaid{byteRange{at, end}, listening.Stop.String(), setPhrase{listening.Stop, mark{intent: chat.Leave}}})
	h.said.Set(at, end, listening.Stop)
}

// lastClause returns the words of the last clause, from the first on to the last (excluded).
func (h *heard) lastClause() (from, to int) {
	to = len(h.words)
	for to > 0 && !spelled(h.words[to-1].Text) {
		to--
	}
	for from = to; from > 0 && !strings.ContainsAny(h.words[from-1].Text, ",.;:!?\n"); from-- {
	}
	return from, to
}

// spelled reports whether a word has letters, and is no sign.
func spelled(word string) bool { return strings.ContainsFunc(word, unicode.IsLetter) }
