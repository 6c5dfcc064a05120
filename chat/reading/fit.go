package reading

import (
	"math"
	"regexp"
	"slices"
	"strings"

	"quaestor/chat"
	"quaestor/chat/field"
	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
)

// openTexts are the types whose words may answer any question: whether they answer the one that
// was asked is told by what they mean alone.
var openTexts = map[listening.Type]bool{listening.Text: true, listening.List: true, listening.Product: true}

// fitted returns how well words of the message fit the question for o, which is believed beforehand
// to be answered by them with that likelihood.
func (h *heard) fitted(o *obligations.Obligation, from, to int, believed float64) listening.Fit {
	at := slices.IndexFunc(h.scene.Obligations, func(x obligations.Obligation) bool { return x.Key == o.Key })
	return h.odds(from, to, at, believed)
}

// How likely it is beforehand that words answer what was asked, that they are of a field that they
// name, and of one that they were taken to be of though it was not asked for.
const (
	askedAnswers = 0.85
	namedAnswers = 0.9
	otherAnswers = 0.5

	unheardAnswers = 0.8 // the same without an encoder, when fewer words tell what they fit
)

// unaskedAnswers is how likely it is beforehand that words are of a field that was not asked for.
func (h *heard) unaskedAnswers() float64 {
	if h.listener.Encoded() {
		return otherAnswers
	}
	return unheardAnswers
}

// isOpen reports whether any words may be an answer to the question for t.
func isOpen(t *obligations.Template) bool {
	return t.Widget == obligations.Text && openTexts[field.Kind(t)]
}

// thatFits returns what of a segment answers the open question that was asked: the sentences before
// and behind it that answer another are noted for that one.
func (h *heard) thatFits(seg *listening.Segment) *listening.Segment {
	if !isOpen(h.asked.Template) {
		return seg
	}
	var list []wordRange
	for _, s := range h.sentences() {
		if h.words[s.from].From >= seg.From && h.words[s.to-1].To <= seg.To {
			list = append(list, s)
		}
	}
	if len(list) < 2 {
		return seg
	}
	told := slices.ContainsFunc(list, func(s wordRange) bool { return h.spelled(h.words[s.from].From, h.words[s.to-1].To) >= leastSentence })
	first, last := len(list), -1
	for i, s := range list {
		if told && h.leadsUp(s) {
			continue
		}
		if h.fitted(h.asked, h.words[s.from].From, h.words[s.to-1].To, askedAnswers).Asked >= hardlyFits {
			first, last = min(first, i), i
		}
	}
	if last < 0 || first == 0 && last == len(list)-1 {
		return seg
	}
	for i, s := range list {
		if i >= first && i <= last || told && h.leadsUp(s) {
			continue
		}
		other := seg.Part(h.words[s.from].From, h.words[s.to-1].To)
		h.answersAnother(valueRead{from: other.From, to: other.To}, &other)
	}
	from, to := seg.From, seg.To
	if first > 0 {
		from = h.words[list[first].from].From
	}
	if last < len(list)-1 {
		to = h.words[list[last].to-1].To
	}
	rest := seg.Part(from, to)
	return &rest
}

// leadsUp reports whether a sentence is one word that tells nothing: "Ohh.", or "Achieve?".
func (h *heard) leadsUp(s wordRange) bool {
	word := h.folded()[s.from]
	return h.spelled(h.words[s.from].From, h.words[s.to-1].To) <= 1 && (h.asksIn(s) || h.words[s.to-1].Text == "?" || language.IsWord("opener", word) || interjection.MatchString(word))
}

var interjection = regexp.MustCompile(`^(?:[aeou]+h+|h+[mu]+|p+f+|[aeou]+)$`)

// leastSentence is how many words a sentence has that tells what a word beside it only leads up to.
const leastSentence = 4

// answersAnother reports whether words answer another question than the open one that was asked.
// They are noted for it, in doubt, where it is open, too; what was asked is asked again.
func (h *heard) answersAnother(v valueRead, seg *listening.Segment) bool {
	if h.namesBesides(v, seg) {
		h.elsewhere = true
		return true
	}
	if !isOpen(h.asked.Template) {
		return false
	}
	f := h.fitted(h.asked, v.from, v.to, askedAnswers)
	unfit := f.Asked < hardlyFits
	h.elsewhere = h.elsewhere || unfit
	if f.Other < 0 || f.Sure < surelyOther {
		return unfit
	}
	o := &h.scene.Obligations[f.Other]
	if !isOpen(o.Template) || o.Value != nil || o.Resolved() || h.told(o.Key) {
		return unfit
	}
	as := h.valueIn(o.Template, seg, true)
	if as.value == nil {
		return unfit
	}
	as.loose = true
	return h.note(o.Key, as, obligations.Tell, min(max(leastHeld, obligations.Of(f.Sure)), mostDoubtful)) || unfit
}

// namesBesides reports whether items that would answer stand in a sentence that answers nothing like
// it: "Lidl gets an invoice every month", asked for competitors.
func (h *heard) namesBesides(v valueRead, seg *listening.Segment) bool {
	return field.Kind(h.asked.Template) == listening.List && h.listener.Encoded() && h.spelled(seg.From, seg.To) >= h.spelled(v.from, v.to)+fewWords && h.fitted(h.asked, seg.From, seg.To, otherAnswers).Asked < hardlyFits
}

// dropUnfit leaves a text that is read back as it is where a message says neither yes nor no to it, and
// what it tells does not surely fit: it speaks of something else. What answers the question better than
// what is held takes its place.
func (h *heard) dropUnfit() {
	if len(h.scene.Obligations) < 2 { // all words fit the only question
		return
	}
	if !isOpen(h.asked.Template) || h.speaksOf(h.all(), "yes", "no", "not", "contrast", "amend", "wrongly") {
		return
	}
	h.out.Findings = slices.DeleteFunc(h.out.Findings, func(f obligations.Finding) bool {
		at := strings.Index(h.raw, f.Evidence.Quote)
		return f.Key == h.asked.Key && f.Act == obligations.Correct && f.Evidence.Quote != "" && at >= 0 && !h.answersBetter(at, at+len(f.Evidence.Quote))
	})
	if len(h.out.Refused) == 0 && !slices.ContainsFunc(h.out.Findings, func(f obligations.Finding) bool { return !f.Grade.Loose || f.Key == h.asked.Key }) {
		h.toldAfterAll()
	}
}

// toldAfterAll takes what is said instead of a yes for the answer, if it is told and answers better
// than what is held. Its words are then no names that were told in passing.
func (h *heard) toldAfterAll() {
	if !h.listener.Encoded() || h.count() < leastTold || strings.Contains(h.raw, "?") || slices.ContainsFunc(h.said.Segments, func(s listening.Segment) bool {
		_, set := h.phraseAt(&s)
		return set || answersNothing[s.Act] && s.Act != listening.Correction && s.Sure >= surelyTalk
	}) {
		return
	}
	anew := h.as(h.asked, 0)
	for i := range anew.said.Segments {
		seg := &anew.said.Segments[i]
		if answersNothing[seg.Act] {
			continue
		}
		if v := anew.valueIn(h.asked.Template, seg, true); v.value != nil && h.answersBetter(v.from, v.to) {
			h.out.Findings = slices.DeleteFunc(h.out.Findings, func(f obligations.Finding) bool {
				o := h.find(f.Key)
				return o != nil && !o.Closed() && strings.Contains(h.raw[v.from:v.to], f.Evidence.Quote)
			})
			h.note(h.asked.Key, v, obligations.Correct, fitOf(seg.Sure, v.sure))
			return
		}
	}
}

// answersBetter reports whether words answer the open question that was asked, and better than the text
// that is held and read back. Without an encoder too few words tell that.
func (h *heard) answersBetter(from, to int) bool {
	told := h.fitted(h.asked, from, to, h.unaskedAnswers()).Asked
	if !h.listener.Encoded() {
		return told >= leastFit
	}
	held := h.oddsOf(field.Text(h.proposal()), slices.IndexFunc(h.scene.Obligations, func(x obligations.Obligation) bool { return x.Key == h.asked.Key }), otherAnswers).Asked
	return told >= leastFit && logOdds(told)-logOdds(held) >= clearlyBetter
}

// logOdds returns the logarithm of the odds of a likelihood, which is finite for 0 and 1, too.
func logOdds(p float64) float64 {
	p = min(max(p, 1e-6), 1-1e-6)
	return math.Log(p / (1 - p))
}

// saidElsewhere says of a message that tells nothing that is wanted, but something, that it was
// heard: what was asked is asked again.
func (h *heard) saidElsewhere() {
	if !h.elsewhere || len(h.out.Findings)+len(h.out.Refused) > 0 || h.out.Intent != chat.Unclear && h.out.Intent != chat.Answer && h.out.Intent != "" {
		return
	}
	h.out.Intent = chat.OffTopic
	h.out.Beside = append(h.out.Beside, chat.Remark{Intent: chat.OffTopic, Act: "elsewhere", Text: h.said.Text})
}

// noteFitting adds a finding about key if its words answer the question for it. What was asked for
// and fits another question better is held in doubt; what was not asked for has to fit.
func (h *heard) noteFitting(key string, v valueRead, act obligations.Act, fit obligations.Confidence) bool {
	o := h.find(key)
	if o == nil || v.value == nil || v.to <= v.from {
		return false
	}
	if isOpen(o.Template) && h.exclaims(v.from, v.to) {
		return false
	}
	if len(o.Choices) > 0 { // its options tell
		return h.note(key, v, act, fit)
	}
	if !h.isAsked(key) {
		least := leastFit
		if o.Closed() && act == obligations.Tell && h.listener.Encoded() && field.CuedBy(o.Template, listening.Stems(h.sentenceAround(v.from)), h.figureNames()) < 1 {
			least = surelyFits // a figure may be of anything
		}
		return h.fitted(o, v.from, v.to, h.unaskedAnswers()).Asked >= least && h.note(key, v, act, fit)
	}
	if f := h.fitted(o, v.from, v.to, askedAnswers); f.Asked < leastFit && (isOpen(o.Template) || f.Asked < leastClosed) {
		if fit == 0 {
			fit = reliability[field.Kind(o.Template)]
		}
		fit = min(fit, max(leastHeld, obligations.Of(f.Asked)), mostDoubtful)
	}
	return h.note(key, v, act, fit)
}

// exclaims reports whether words are a cry and nothing else: "what a day".
func (h *heard) exclaims(from, to int) bool {
	words := h.wordsBetween(from, to)
	return len(words) > 1 && len(words) <= longestCry && language.IsWord("asks", language.Fold(words[0].Text)) && language.IsWord("article", language.Fold(words[1].Text))
}

// longestCry is how many words and marks a cry has at most.
const longestCry = 6

// sentenceAround returns the sentence that byte at is in.
func (h *heard) sentenceAround(at int) string {
	for _, s := range h.sentences() {
		if h.words[s.from].From <= at && at < h.words[s.to-1].To {
			return h.text(s)
		}
	}
	return h.raw
}

// isAsked reports whether key was asked for, alone or in a form.
func (h *heard) isAsked(key string) bool {
	return h.asking() && (h.asked != nil && h.asked.Key == key || slices.Contains(h.scene.Asked.Keys(), key))
}

// How likely words must be to answer the question that they are read for, not to be doubted; and
// another question, for them to be noted there.
const (
	leastFit    = 0.5
	surelyFits  = 0.75 // where no word names it
	hardlyFits  = 0.15 // they are not even held in doubt
	surelyOther = 0.6
	leastClosed = 0.2 // of what is a figure, a date or a choice, and by that of its kind
)

// By how much the log odds of what is said must be above those of what is held and read back, to take its
// place; and how many words that has at least.
const (
	clearlyBetter = 0.3
	leastTold     = 4
)
