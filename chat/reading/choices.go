package reading

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"quaestor/chat/field"
	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
	"quaestor/sessions"
)

// chosen reads which of t's choices marked words, or a whole segment, pick.
func (h *heard) chosen(t *obligations.Template, kind listening.Type, list []listening.Span, seg *listening.Segment) valueRead {
	if kind == listening.YesNo {
		return h.yesOrNo(t, list, seg)
	}
	if v := h.oftenChosen(t, seg.From, seg.To); v.value != nil {
		return v
	}
	if v := h.byPlace(t, seg); v.value != nil {
		return v
	}
	if v := h.itemsInOwnWords(t, seg); v.value != nil {
		return v
	}
	if t.Widget == obligations.MultiSelect && (hasAnswer(seg) || seg.Act == listening.Answer && seg.Sure >= surelyTalk) {
		if v := field.Pick(t, h.choicesSaid(t, seg.From, seg.To), 1); v != nil {
			return valueRead{value: field.WithoutNone(t, v), from: seg.From, to: seg.To, sure: saidInFull, spanned: true}
		}
	}
	if t.Widget == obligations.MultiSelect && len(list) > 1 {
		return h.severalChosen(t, list, seg)
	}
	whole := valueRead{from: seg.From, to: seg.To, sure: 0.6}
	tries := []valueRead{whole}
	if len(list) > 0 {
		tries = []valueRead{{from: list[0].From, to: list[len(list)-1].To, sure: list[0].Sure}, whole}
	}
	for i, v := range tries {
		v.value, v.hedged = h.choiceIn(t, v.from, v.to)
		if v.value == nil && (len(list) > 0) == (i == 0) {
			if v.value = h.meant(t, v.from, v.to, seg); v.value != nil {
				v.sure = leastSure
			}
		}
		if v.value != nil {
			v.spanned = i == 0 && len(list) > 0
			return v
		}
	}
	return h.inOwnWords(t, seg)
}

// itemsInOwnWords reads a list of short items of which some are none of t's choices: those are kept as
// they are said, as [heard.inOwnWords] does.
func (h *heard) itemsInOwnWords(t *obligations.Template, seg *listening.Segment) valueRead {
	if t.Widget != obligations.MultiSelect || !h.takesOwnWords(t, seg) {
		return valueRead{}
	}
	v := h.statement(t, seg.From, seg.To)
	items := field.Items(field.Text(v.value))
	if len(items) < 2 {
		return valueRead{}
	}
	var picked []string
	for _, item := range items {
		words := language.Words(item)
		if len(words) > longestOwnItem {
			return valueRead{}
		}
		said := []string{item}
		if c := field.Texts(field.Pick(t, field.ChoicesIn(t, words), field.PartSaid)); len(c) > 0 {
			said = c
		}
		for _, x := range said {
			if !slices.Contains(picked, x) {
				picked = append(picked, x)
			}
		}
	}
	v.value, v.sure = field.Encode(picked), wholeAnswer
	return v
}

// inOwnWords reads an answer that is none of t's choices in the words of the person, where t takes
// that and the choices were shown: whoever answers something else then means something else.
func (h *heard) inOwnWords(t *obligations.Template, seg *listening.Segment) valueRead {
	if !h.takesOwnWords(t, seg) {
		return valueRead{}
	}
	v := h.statement(t, seg.From, seg.To)
	if v.value != nil && t.Widget == obligations.MultiSelect {
		v.value = field.Encode(field.Items(field.Text(v.value)))
	}
	v.sure = wholeAnswer
	return v
}

// takesOwnWords reports whether a segment answers t, whose choices were shown, with whatever it says;
// never without an encoder, by which alone it is told that it answers.
func (h *heard) takesOwnWords(t *obligations.Template, seg *listening.Segment) bool {
	q := h.scene.Asked
	return t.AllowOther && h.asked != nil && q != nil && h.listener.Encoded() && q.Key == t.Key && q.Purpose == sessions.ToAsk && q.Attempt > 1 && seg.Act == listening.Answer && h.fitted(h.asked, seg.From, seg.To, otherAnswers).Asked >= leastFit
}

// longestOwnItem bounds, in words, an item in own words: what is longer is a clause.
const longestOwnItem = 5

// wholeAnswer is how sure an answer is of which all words are the value.
const wholeAnswer = 0.5

// mostOfPlace bounds, in words, what names a choice by its place.
const mostOfPlace = 4

// byPlace reads a choice that is named by its place, "the second one", or all of them.
func (h *heard) byPlace(t *obligations.Template, seg *listening.Segment) valueRead {
	words := h.within(seg.From, seg.To)
	if h.asked == nil || h.asked.Key != t.Key || h.spelled(seg.From, seg.To) > mostOfPlace {
		return valueRead{}
	}
	v := valueRead{from: seg.From, to: seg.To, sure: 1, spanned: true}
	for i := words.from; i < words.to; i++ {
		w := h.folded()[i]
		if t.Widget == obligations.MultiSelect && language.IsWord("everyone", w) {
			var all []string
			for _, c := range t.Choices {
				all = append(all, c.Value)
			}
			v.value = field.WithoutNone(t, field.Encode(all))
			return v
		}
		for _, l := range language.All() {
			place, ok := l.Value("ordinal", w)
			n, err := strconv.Atoi(place)
			if digits, e := strconv.Atoi(w); e == nil && field.TakesNoFigure(t) {
				n, ok, err = digits, true, nil
			}
			if language.IsWord("last", w) {
				n, ok, err = len(t.Choices), true, nil
			}
			if !ok || err != nil || n < 1 || n > len(t.Choices) || i+1 < words.to && h.spelled(h.words[i+1].From, seg.To) > 1 {
				continue
			}
			if v.value = field.Encode(t.Choices[n-1].Value); t.Widget == obligations.MultiSelect {
				v.value = field.Encode([]string{t.Choices[n-1].Value})
			}
			return v
		}
	}
	return valueRead{}
}

// severalChosen reads a choice of each marked stretch.
func (h *heard) severalChosen(t *obligations.Template, list []listening.Span, seg *listening.Segment) valueRead {
	v := valueRead{from: list[0].From, to: list[len(list)-1].To, sure: 1, spanned: true}
	var picked []string
	for _, s := range list {
		one, hedged := h.choiceIn(t, s.From, s.To)
		if one == nil {
			one = h.meant(t, s.From, s.To, &listening.Segment{Act: seg.Act, From: s.From, To: s.To})
			v.sure = min(v.sure, leastSure)
		}
		v.hedged = v.hedged || hedged
		v.sure = min(v.sure, s.Sure)
		for _, x := range field.Texts(one) {
			if !slices.Contains(picked, x) {
				picked = append(picked, x)
			}
		}
	}
	if len(picked) == 0 {
		return h.chosen(t, listening.Choice, nil, seg)
	}
	v.value = field.Encode(picked)
	return v
}

// saidInFull is how sure choices are whose words are said.
const saidInFull = 0.9

// leastSure is how sure a choice is that was not said but meant.
const leastSure = 0.2

// choiceIn returns the choice, or choices, of t that are said between two bytes: by their
// words, else by what English says for them, else by forms of their words or by what it means.
func (h *heard) choiceIn(t *obligations.Template, from, to int) (value json.RawMessage, hedged bool) {
	said := h.choicesSaid(t, from, to)
	if v := field.Pick(t, said, 1); v != nil {
		return v, h.hedged(h.within(from, to))
	}
	if v := field.Pick(t, said, field.PartSaid); v != nil {
		return v, false
	}
	return h.byMeaning(t, from, to, sameMeaning), false
}

// choicesSaid returns how much of each choice is said between two bytes.
func (h *heard) choicesSaid(t *obligations.Template, from, to int) []field.SaidChoice {
	return field.ChoicesIn(t, h.wordsBetween(from, to))
}

// yesOrNo reads a yes or a no: what denies makes a no; what neither says is what the
// model takes it for.
func (h *heard) yesOrNo(t *obligations.Template, list []listening.Span, seg *listening.Segment) valueRead {
	v := valueRead{from: seg.From, to: seg.To, sure: 0.6}
	if len(list) > 0 {
		v = valueRead{from: list[0].From, to: list[len(list)-1].To, sure: list[0].Sure, spanned: true}
	}
	if v.value = h.plainYesOrNo(t, v.from, v.to); v.value != nil {
		return v
	}
	if len(list) == 0 {
		return valueRead{}
	}
	for _, s := range list {
		if s.Type == listening.YesNo {
			v.value = field.YesNoChoice(t, s.Yes > 0.5)
			v.sure *= 2*max(s.Yes, 1-s.Yes) - 1
			return v
		}
	}
	v.value = h.plainYesOrNo(t, seg.From, seg.To)
	return v
}

// plainYesOrNo reads the words that say yes or no; nil when there is none.
func (h *heard) plainYesOrNo(t *obligations.Template, from, to int) json.RawMessage {
	yes, no := false, false
	for _, w := range h.wordsBetween(from, to) {
		f := language.Fold(w.Text)
		no = no || language.IsWord("no", f) || strings.HasSuffix(f, "n't")
		yes = yes || language.IsWord("yes", f)
	}
	switch {
	case no:
		return field.YesNoChoice(t, false)
	case yes:
		return field.YesNoChoice(t, true)
	}
	return nil
}

// meant returns the choice that is likeliest meant by the words between two bytes, which
// say none, where it is likely enough to be read back.
func (h *heard) meant(t *obligations.Template, from, to int, seg *listening.Segment) json.RawMessage {
	text := h.said.Text[from:to]
	if len(t.Choices) < 2 || h.language() == "en" && !h.listener.Encoded() || h.speaksOfMoney(text) {
		return nil
	}
	if slices.ContainsFunc(h.choicesSaid(t, from, to), func(s field.SaidChoice) bool { return s.Negated }) {
		return nil // "not the big ones" leaves several
	}
	options := make([][]string, len(t.Choices))
	for i, c := range t.Choices {
		options[i] = append([]string{withoutDenied(c.Label)}, c.Synonyms...)
	}
	best, at := 0.0, ""
	for i, p := range h.rate(text, h.said.Text[seg.From:seg.To], options) {
		if p > best && !h.rejectsChoice(t, t.Choices[i].Value) {
			best, at = p, t.Choices[i].Value
		}
	}
	least := leastUnasked
	if h.asked != nil && h.asked.Key == t.Key {
		least = leastMeant
		if h.scene.Asked != nil && (h.scene.Asked.Attempt > 1 || h.purpose() == sessions.ToConfirm) {
			least = leastAgain
		}
		if !h.listener.Encoded() {
			least = leastUnheard
		}
	}
	switch {
	case best < least:
		return nil
	case t.Widget == obligations.MultiSelect:
		return field.Encode([]string{at})
	}
	return field.Encode(at)
}

// withoutDenied leaves out of an option what it says that it is not: who says "movable" does not mean
// "fixed, it cannot be moved".
func withoutDenied(label string) string {
	u := cut(label)
	clause := 0
	for i, w := range u.words {
		switch {
		case isMark(w.Text, ",;:"):
			clause = i
		case clause > 0 && (language.IsWord("not", u.folded()[i]) || language.IsWord("deny", u.folded()[i])):
			return label[:u.words[clause].From]
		}
	}
	return label
}

// rejectsChoice reports whether a choice of t was just read back, in an answer that says another
// in words of its own.
func (h *heard) rejectsChoice(t *obligations.Template, choice string) bool {
	return h.purpose() == sessions.ToConfirm && h.asked != nil && h.asked.Key == t.Key && slices.Contains(field.Texts(h.proposal()), choice)
}

// From where a choice that is not said is read back: where it is likelier than most others, as
// training/choices.py printed, for a wrong one costs a "no", and none the same question again;
// sooner when it was asked for before, since whoever did not name one when asked with the choices
// will hardly do so the next time; and later when something else was asked, for then the words may
// choose nothing. Without the encoder it has to be right more often than not.
const (
	leastMeant   = 0.3
	leastAgain   = 0.2
	leastUnasked = 0.7
	leastUnheard = 0.45
)

// Bounds of cosines between words and a choice, chosen by hand: from where they mean the
// same, and how far the next choice must be.
const (
	sameMeaning = 0.52
	clearly     = 0.07
)

// speaksOfMoney reports whether words name a sum: "5 grand tops for a new website" chooses
// nothing.
func (h *heard) speaksOfMoney(text string) bool {
	return slices.ContainsFunc(h.values.Figures(language.Words(text)), func(f language.Figure) bool { return f.Low >= 1000 || f.Currency != "" })
}

// byMeaning picks the choice that is nearest in meaning, where one clearly is.
func (h *heard) byMeaning(t *obligations.Template, from, to int, least float64) json.RawMessage {
	text := h.said.Text[from:to]
	if h.speaksOfMoney(text) {
		return nil
	}
	best, second, at := 0.0, 0.0, ""
	for _, c := range t.Choices {
		s := h.similar(text, c.Label)
		if s > best {
			best, second, at = s, best, c.Value
		} else {
			second = max(second, s)
		}
	}
	if best < least || best-second < clearly {
		return nil
	}
	if t.Widget == obligations.MultiSelect {
		return field.Encode([]string{at})
	}
	return field.Encode(at)
}
