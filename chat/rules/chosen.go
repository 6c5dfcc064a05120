package rules

import (
	"encoding/json"
	"slices"
	"strings"

	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
)

// chosen reads which of t's choices marked words, or a whole segment, pick.
func (h *heard) chosen(t *obligations.Template, kind listening.Type, list []listening.Span, seg *listening.Segment) valueRead {
	type stretch struct {
		from, to int
		sure     float64
		marked   bool
	}
	var tries []stretch
	if len(list) > 0 {
		tries = append(tries, stretch{list[0].From, list[len(list)-1].To, list[0].Sure, list[0].Type == listening.YesNo})
	}
	tries = append(tries, stretch{seg.From, seg.To, 0.6, false})
	for _, s := range tries {
		v := valueRead{from: s.from, to: s.to, sure: s.sure}
		a, b := h.wordsOf(s.from, s.to)
		if b > a && h.language() == "en" {
			if got := h.u.read(t, a, b, h.scene.Now); got.value != nil && ofChoices(t, got.value) {
				v.value, v.hedged = got.value, got.hedged
				return v
			}
		}
		if kind == listening.YesNo {
			if v.value = h.yesOrNo(t, s.from, s.to); v.value != nil {
				return v
			}
			if s.marked && s.sure > 0.5 { // "we do have one"
				v.value = yesNoChoiceAny(t, true)
				return v
			}
			continue
		}
		if v.value = h.bySimilarWords(t, s.from, s.to); v.value != nil {
			return v
		}
	}
	return valueRead{}
}

// yesNoChoiceAny returns the choice of t that says yes, or no, in any language we have.
func yesNoChoiceAny(t *obligations.Template, yes bool) json.RawMessage {
	kind := map[bool]string{true: "yes", false: "no"}[yes]
	for _, c := range t.Choices {
		words := language.Words(c.Label)
		if len(words) == 0 {
			continue
		}
		first := language.Fold(words[0].Text)
		for _, l := range language.Lexicons() {
			if l.Has(kind, first) {
				return encode(c.Value)
			}
		}
	}
	return nil
}

// yesOrNo reads a yes or a no: what denies makes a no, all else that was marked as the
// words that decide is a yes.
func (h *heard) yesOrNo(t *obligations.Template, from, to int) json.RawMessage {
	yes, no := false, false
	words := h.wordsBetween(from, to)
	for _, w := range words {
		f := language.Fold(w.Text)
		for _, l := range language.Lexicons() {
			no = no || l.Has("no", f) || strings.HasSuffix(f, "n't")
			yes = yes || l.Has("yes", f)
		}
	}
	switch {
	case no:
		return yesNoChoiceAny(t, false)
	case yes:
		return yesNoChoiceAny(t, true)
	}
	return nil
}

// bySimilarWords picks the choices whose words are said between two bytes, forms of the
// same words included: what is said as a whole goes before what is said in part.
func (h *heard) bySimilarWords(t *obligations.Template, from, to int) json.RawMessage {
	var folded []string
	for _, w := range h.wordsBetween(from, to) {
		folded = append(folded, language.Fold(w.Text))
	}
	scores := make([]float64, len(t.Choices))
	best, second, at := 0.0, 0.0, -1
	for i := range t.Choices {
		scores[i] = saidOf(&t.Choices[i], folded)
		if scores[i] > best {
			best, second, at = scores[i], best, i
		} else {
			second = max(second, scores[i])
		}
	}
	switch {
	case best < partSaid:
		return h.byMeaning(t, from, to)
	case t.Widget == obligations.MultiSelect:
		var picked []string
		for i, s := range scores {
			if s >= partSaid && (s >= 1 || s == best) {
				picked = append(picked, t.Choices[i].Value)
			}
		}
		return encode(picked)
	case best == second:
		return nil
	}
	return encode(t.Choices[at].Value)
}

// partSaid is how much of a choice must be said to pick it: half of its words.
const partSaid = 0.5

// saidOf returns how much of a choice is said in folded words: 1 and more for the whole of
// its label or a synonym, less for the part of its words that say something.
func saidOf(c *obligations.Choice, folded []string) float64 {
	best := 0.0
	joined := " " + strings.Join(folded, " ") + " "
	for _, form := range append([]string{c.Label}, c.Synonyms...) {
		words := joinFolded(form)
		if words == "" {
			continue
		}
		if strings.Contains(joined, " "+words+" ") {
			best = max(best, 1+0.1*float64(strings.Count(words, " ")+1))
			continue
		}
		said, all := 0.0, 0.0
		for stem := range listening.Stems(form) {
			all++
			if slices.ContainsFunc(folded, func(w string) bool { return language.Head(w, 5) == stem || listening.Alike(w, stem) }) {
				said++
			}
		}
		if all > 0 {
			best = max(best, said/all)
		}
	}
	return best
}

// Two bounds of cosines between words and a choice, chosen by hand: from where they mean
// the same, and how far the next choice must be.
const (
	sameMeaning = 0.52
	clearly     = 0.07
)

// byMeaning picks the choice that is nearest in meaning, where one clearly is.
func (h *heard) byMeaning(t *obligations.Template, from, to int) json.RawMessage {
	if h.language() != "en" {
		return nil
	}
	text := h.said.Text[from:to]
	best, second, pick := 0.0, 0.0, ""
	for _, c := range t.Choices {
		s := h.similar(text, c.Label)
		if s > best {
			best, second, pick = s, best, c.Value
		} else {
			second = max(second, s)
		}
	}
	if best < sameMeaning || best-second < clearly {
		return nil
	}
	if t.Widget == obligations.MultiSelect {
		return encode([]string{pick})
	}
	return encode(pick)
}
