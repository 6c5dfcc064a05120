package reading

import (
	"encoding/json"
	"slices"
	"strings"

	"quaestor/chat"
	"quaestor/chat/field"
	"quaestor/internal/language"
	"quaestor/obligations"
	"quaestor/sessions"
)

// revised reads sentences that change or take back what is held, as they say in so many words:
// "make it 15", "the budget is wrong, it should be 30k", "Korrektur: 14 Leute". What is meant is the
// obligation that the sentence names, whose unit it says, or that was answered last. It reports
// whether there was one.
func (h *heard) revised() bool {
	found := false
	for _, s := range h.sentences() {
		from, to := h.bytes(s)
		if s.len() > longestReplaced || h.asks(s) || h.isSettled(from, to) || !h.revises(s) {
			continue
		}
		h.settled = append(h.settled, byteRange{from, to})
		found = true
	}
	if found {
		h.hearBeside()
	}
	return found
}

// revises reads one such sentence.
func (h *heard) revises(s wordRange) bool {
	c := h.courteous(s)
	lead := h.entry("revising", c.from, c.to)
	led := lead > 0 || h.speaksOf(wordRange{s.from, c.from}, "revising")
	n, named := h.mentioned(c, isHeld)
	wrong := h.speaksOf(c, "wrongly")
	if !led && !(named && (wrong || h.speaksOf(c, "ought"))) {
		return false
	}
	rest := wordRange{c.from + lead, c.to}
	if named {
		rest.from = max(rest.from, n.to)
	}
	for rest.len() > 0 && (isMark(h.words[rest.from].Text, ",:;-–—") || h.leads(rest) > 0 || h.idle(rest.from) || language.IsWord("wrongly", h.folded()[rest.from]) || language.IsWord("rangeto", h.folded()[rest.from])) {
		rest.from += max(1, h.leads(rest))
	}
	for _, o := range h.meantBy(n.o, rest) {
		if v := h.newValue(o, rest); v.value != nil && !h.told(o.Key) {
			act := obligations.Correct
			if obligations.SameValue(v.value, o.Value) {
				act = obligations.Confirm
			}
			return h.note(o.Key, v, act, 0)
		}
	}
	if !named || rest.len() > 0 && !wrong || n.o.Value == nil || h.told(n.o.Key) || n.from-(c.from+lead) > mostBeforeName && !wrong {
		return false
	}
	h.out.Intent, h.out.About = chat.Disagree, n.o.Key
	h.deny(n.o)
	return true
}

// contradictsLast takes what follows a "no" at the beginning of a message for what was told last,
// where nothing that was asked can be denied and the words fit that better: "no, it's repairs and
// second-hand bikes".
func (h *heard) contradictsLast() bool {
	if !h.listener.Encoded() || h.asked == nil || h.purpose() != sessions.ToAsk || !isOpen(h.asked.Template) || h.asked.Value != nil || !h.deniesAt(0) || h.spelled(0, len(h.raw)) < leastContradicts || h.puts() {
		return false
	}
	var last *obligations.Obligation
	for i := range h.scene.Obligations {
		if o := &h.scene.Obligations[i]; o.Founded() && isOpen(o.Template) && lastTurn(o) == h.scene.Turn-1 {
			if last != nil {
				return false
			}
			last = o
		}
	}
	if last == nil {
		return false
	}
	v := h.statement(last.Template, h.words[1].From, len(h.raw))
	if v.value == nil || obligations.SameValue(v.value, last.Value) {
		return false
	}
	asked, said := h.fitted(h.asked, v.from, v.to, otherAnswers).Asked, h.fitted(last, v.from, v.to, otherAnswers).Asked
	if asked >= surelyFits || said < min(leastFit, asked) {
		return false
	}
	h.out.Intent = chat.Correction
	return h.note(last.Key, v, obligations.Correct, mostDoubtful)
}

// leastContradicts is how many words say at least what holds in place of what was told.
const leastContradicts = 4

// mostBeforeName is how many words stand at most between "hang on" and the name of what is taken back: in a
// longer sentence the name is only part of what is told.
const mostBeforeName = 4

// leads returns how many words at the beginning of a stretch lead to a new value.
func (h *heard) leads(rest wordRange) int {
	return max(h.entry("ought", rest.from, rest.to), h.entry("leadto", rest.from, rest.to))
}

func isHeld(o *obligations.Obligation) bool { return o.Value != nil }

// meantBy returns the obligations that a new value may be of: the one that is named, else those
// whose unit is said, else what was answered last, where that is a figure, a date or a choice.
func (h *heard) meantBy(named *obligations.Obligation, rest wordRange) []*obligations.Obligation {
	if named != nil {
		return []*obligations.Obligation{named}
	}
	var out []*obligations.Obligation
	if rest.len() == 0 {
		return nil
	}
	figures := h.values.Figures(h.words[rest.from:rest.to])
	for i := range h.scene.Obligations {
		o := &h.scene.Obligations[i]
		if o.Value == nil || o.Widget != obligations.Number || len(figures) != 1 {
			continue
		}
		at := wordRange{rest.from + figures[0].From, rest.from + figures[0].To}
		if h.hasUnit(o, &figures[0], at, rest) || figures[0].Currency != "" && o.Unit == "money" {
			out = append(out, o)
		}
	}
	if len(out) > 1 {
		return nil // it cannot be told which
	}
	if last := h.answeredLast(); len(out) == 0 && len(last) > 0 && last[0].Closed() && (len(figures) == 0 || figures[0].To-figures[0].From+h.besides(rest, &figures[0]) <= fewWords+1) {
		out = append(out, last[0])
	}
	return out
}

// besides counts the words of a stretch that say something and are not of a figure.
func (u *utterance) besides(rest wordRange, f *language.Figure) int {
	n := 0
	for i := rest.from; i < rest.to; i++ {
		if (i < rest.from+f.From || i >= rest.from+f.To) && language.IsSaid(u.words[i].Text) && !language.IsWord("loose", u.folded()[i]) {
			n++
		}
	}
	return n
}

// newValue reads the rest of a sentence that changes o as its value.
func (h *heard) newValue(o *obligations.Obligation, rest wordRange) valueRead {
	if rest.len() == 0 {
		return valueRead{}
	}
	from, to := h.bytes(rest)
	v := h.plain(o.Template, from, to)
	if v.value == nil || v.vague || o.Widget == obligations.Number && len(h.values.Figures(h.words[rest.from:rest.to])) == 0 {
		return valueRead{}
	}
	var r obligations.Range
	if json.Unmarshal(v.value, &r) == nil && r.Max > 0 && slices.ContainsFunc(h.folded()[max(0, rest.from-1):rest.to], func(w string) bool { return strings.HasPrefix(w, "from") || w == "von" }) {
		v.value, v.hedged = field.Encode(r.Max), false // "from 20k to 30k"
	}
	return v
}
