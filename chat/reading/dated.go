package reading

import (
	"slices"

	"quaestor/chat/field"
	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
	"quaestor/sessions"
)

// dated moves what happened at some time from the open question it was said at, which asks for no time and none of
// whose words it has, to the one that asks when something was and has a cue in it: "a competitor opened on 14
// September" is no country that is sold in.
func (h *heard) dated() {
	if h.asked == nil || h.purpose() != sessions.ToAsk || field.Kind(h.asked.Template) != listening.Text || asksWhen(h.asked) || len(h.words) > longestNamed || !h.hasDate() {
		return
	}
	stems, shared := listening.Stems(h.raw), h.figureNames()
	if field.CuedBy(h.asked.Template, stems, shared) > 0 {
		return
	}
	var to *obligations.Obligation
	for i := range h.scene.Obligations {
		o := &h.scene.Obligations[i]
		if o.Key == h.asked.Key || o.Value != nil || !o.Unlocked || field.Kind(o.Template) != listening.Text || !asksWhen(o) || field.CuedBy(o.Template, stems, shared) < 1 {
			continue
		}
		if to != nil {
			return // two would take it
		}
		to = o
	}
	if to == nil || h.told(to.Key) {
		return
	}
	for i := range h.out.Findings {
		f := &h.out.Findings[i]
		if f.Key == h.asked.Key && f.Act == obligations.Tell && f.Value != nil && to.Check(f.Value) == nil {
			f.Key = to.Key
		}
	}
}

// hasDate reports whether the message names a day, a month or a year.
func (h *heard) hasDate() bool { return len(h.values.Dates(h.words, h.scene.Now, language.Behind)) > 0 }

// asksWhen reports whether the question for o asks for a time as well.
func asksWhen(o *obligations.Obligation) bool {
	words := language.Words(o.Prompt)
	return slices.ContainsFunc(words, func(w language.Word) bool { return language.IsWord("askswhen", language.Fold(w.Text)) })
}
