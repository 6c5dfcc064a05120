package rules

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

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
	if v := h.byPlace(t, seg); v.value != nil {
		return v
	}
	if t.Widget == obligations.MultiSelect && (h.starred(seg) || seg.Act == listening.Answer && seg.Sure >= surelyTalk) {
		if v := pick(t, h.choicesSaid(t, seg.From, seg.To), 1); v != nil {
			return valueRead{value: withoutNone(t, v), from: seg.From, to: seg.To, sure: saidInFull, spanned: true}
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
	return valueRead{}
}

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
		if t.Widget == obligations.MultiSelect && isOne("everyone", w) {
			var all []string
			for _, c := range t.Choices {
				all = append(all, c.Value)
			}
			v.value = withoutNone(t, encode(all))
			return v
		}
		for _, l := range language.All() {
			place, ok := l.Value("ordinal", w)
			n, err := strconv.Atoi(place)
			if digits, e := strconv.Atoi(w); e == nil && takesNoFigure(t) {
				n, ok, err = digits, true, nil
			}
			if isOne("last", w) {
				n, ok, err = len(t.Choices), true, nil
			}
			if !ok || err != nil || n < 1 || n > len(t.Choices) || i+1 < words.to && h.spelled(h.words[i+1].From, seg.To) > 1 {
				continue
			}
			if v.value = encode(t.Choices[n-1].Value); t.Widget == obligations.MultiSelect {
				v.value = encode([]string{t.Choices[n-1].Value})
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
		for _, x := range textsOf(one) {
			if !slices.Contains(picked, x) {
				picked = append(picked, x)
			}
		}
	}
	if len(picked) == 0 {
		return h.chosen(t, listening.Choice, nil, seg)
	}
	v.value = encode(picked)
	return v
}

// textsOf returns the texts of a list, or the one text.
func textsOf(v json.RawMessage) []string {
	var list []string
	if v != nil && json.Unmarshal(v, &list) != nil {
		list = []string{text(v)}
	}
	return list
}

// withoutNone returns several choices without one that says that there is none: "nothing
// formal, but I talked to my neighbours".
func withoutNone(t *obligations.Template, v json.RawMessage) json.RawMessage {
	list := textsOf(v)
	rest := slices.DeleteFunc(slices.Clone(list), func(value string) bool {
		c := t.Pick(value)
		first, _, _ := strings.Cut(joinFolded(c.Label), " ")
		return isOne("nought", first) || isOne("deny", first)
	})
	if len(rest) == 0 || len(rest) == len(list) {
		return v
	}
	return encode(rest)
}

// saidInFull is how sure choices are whose words are said.
const saidInFull = 0.9

// leastSure is how sure a choice is that was not said but meant.
const leastSure = 0.2

// choiceIn returns the choice, or choices, of t that are said between two bytes: by their
// words, else by what English says for them, else by forms of their words or by what it means.
func (h *heard) choiceIn(t *obligations.Template, from, to int) (value json.RawMessage, hedged bool) {
	said := h.choicesSaid(t, from, to)
	if v := pick(t, said, 1); v != nil {
		return v, h.hedged(h.within(from, to))
	}
	if v := pick(t, said, partSaid); v != nil {
		return v, false
	}
	return h.byMeaning(t, from, to, sameMeaning), false
}

// saidChoice is how much of a choice is said.
type saidChoice struct {
	choice  int
	score   float64
	negated bool
}

// choicesSaid returns how much of each choice is said between two bytes.
func (h *heard) choicesSaid(t *obligations.Template, from, to int) []saidChoice {
	var folded []string
	for _, w := range h.wordsBetween(from, to) {
		folded = append(folded, language.Fold(w.Text))
	}
	var out []saidChoice
	for i := range t.Choices {
		score, at := saidAt(&t.Choices[i], folded)
		out = append(out, saidChoice{i, score, score > 0 && denied(folded, at)})
	}
	return out
}

// denied reports whether a denial right before word i takes it back: "not Saturdays".
func denied(folded []string, i int) bool {
	for k := i - 1; k >= max(0, i-denies); k-- {
		switch w := folded[k]; {
		case strings.ContainsAny(w, ",.;:!?"), isOne("contrast", w):
			return false
		case isOne("deny", w), strings.HasSuffix(w, "n't"), k+1 < i && isOne("deny", w+"_"+folded[k+1]):
			return true
		}
	}
	return false
}

// denies is how many words before another may take it back.
const denies = 3

// pick returns the choices of which at least that much is said: for a single choice the
// one of which most is; nil when there is none, or two are said as much.
func pick(t *obligations.Template, said []saidChoice, least float64) json.RawMessage {
	best, second, at := 0.0, 0.0, -1
	for _, s := range said {
		switch {
		case s.negated || s.score < least:
		case s.score > best:
			best, second, at = s.score, best, s.choice
		default:
			second = max(second, s.score)
		}
	}
	switch {
	case at < 0:
		return nil
	case t.Widget == obligations.MultiSelect:
		if best < 1 && best == second {
			return nil // parts of several: none is meant more than another
		}
		var picked []string
		for _, s := range said {
			if !s.negated && s.score >= least && (s.score >= 1 || s.score == best) {
				picked = append(picked, t.Choices[s.choice].Value)
			}
		}
		return encode(picked)
	case best == second:
		return nil
	}
	return encode(t.Choices[at].Value)
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
		for _, l := range language.All() {
			if l.Has(kind, first) {
				return encode(c.Value)
			}
		}
	}
	return nil
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
			v.value = yesNoChoiceAny(t, s.Yes > 0.5)
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
		no = no || isOne("no", f) || strings.HasSuffix(f, "n't")
		yes = yes || isOne("yes", f)
	}
	switch {
	case no:
		return yesNoChoiceAny(t, false)
	case yes:
		return yesNoChoiceAny(t, true)
	}
	return nil
}

// partSaid is how much of a choice must be said to pick it: half of its words.
const partSaid = 0.5

// saidOf returns how much of a choice is said in folded words: 1 and more for the whole of
// its label or a synonym, less for the part of its words that say something.
func saidOf(c *obligations.Choice, folded []string) float64 {
	score, _ := saidAt(c, folded)
	return score
}

// saidAt returns the same, and the word where that begins.
func saidAt(c *obligations.Choice, folded []string) (float64, int) {
	best, at := 0.0, 0
	better := func(score float64, i int) {
		if score > best {
			best, at = score, i
		}
	}
	joined := " " + strings.Join(folded, " ") + " "
	for _, form := range append([]string{c.Label}, c.Synonyms...) {
		words := joinFolded(form)
		if words == "" {
			continue
		}
		if i := strings.Index(joined, " "+words+" "); i >= 0 {
			better(1+0.1*float64(strings.Count(words, " ")+1), strings.Count(joined[:i+1], " ")-1)
			continue
		}
		said, all, first := 0.0, 0.0, len(folded)
		for stem := range listening.Stems(form) {
			all++
			if i := slices.IndexFunc(folded, func(w string) bool { return language.Head(w, 5) == stem || listening.Alike(w, stem) }); i >= 0 {
				said++
				first = min(first, i)
			}
		}
		if all > 0 {
			better(said/all, first)
		}
	}
	return best, at
}

// meant returns the choice that is likeliest meant by the words between two bytes, which
// say none, where it is likely enough to be read back.
func (h *heard) meant(t *obligations.Template, from, to int, seg *listening.Segment) json.RawMessage {
	text := h.said.Text[from:to]
	if len(t.Choices) < 2 || h.language() == "en" && !h.listener.Encoded() || h.speaksOfMoney(text) {
		return nil
	}
	if slices.ContainsFunc(h.choicesSaid(t, from, to), func(s saidChoice) bool { return s.negated }) {
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
	}
	if h.scene.Asked != nil && (h.scene.Asked.Attempt > 1 || h.purpose() == sessions.ToConfirm) && h.asked != nil && h.asked.Key == t.Key && h.language() == "en" { // which the text encoder knows
		least = leastAgain
	}
	switch {
	case best < least:
		return nil
	case t.Widget == obligations.MultiSelect:
		return encode([]string{at})
	}
	return encode(at)
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
		case clause > 0 && (isOne("not", u.folded()[i]) || isOne("deny", u.folded()[i])):
			return label[:u.words[clause].From]
		}
	}
	return label
}

// rejectsChoice reports whether a choice of t was just read back, in an answer that says another
// in words of its own.
func (h *heard) rejectsChoice(t *obligations.Template, choice string) bool {
	return h.purpose() == sessions.ToConfirm && h.asked != nil && h.asked.Key == t.Key && slices.Contains(textsOf(h.proposal()), choice)
}

// From where a choice that is not said is read back: when it is right more often than not,
// as training/choices.py printed; sooner when it was asked for before, since whoever did not
// name one when asked with the choices will hardly do so the next time; and later when
// something else was asked, for then the words may choose nothing.
const (
	leastMeant   = 0.45
	leastAgain   = 0.3
	leastUnasked = 0.7
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
		return encode([]string{at})
	}
	return encode(at)
}
