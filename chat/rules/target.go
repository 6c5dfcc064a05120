package rules

import (
	"encoding/json"
	"slices"
	"strings"

	"quaestor/obligations"
	"quaestor/sessions"
)

// target finds the obligation a change of mind is about, and reads its right
// value: the one named, the one whose value was contradicted, the one the words
// announce, the one under question, or the one answered last. It returns nil when
// the words are better taken as an answer. Where the words go on with something
// else, ch ends before it.
func (r *reader) target(change *change) (*obligations.Obligation, reading) {
	if o, got := r.cued(change); o != nil {
		return o, got
	}
	ch := *change
	if ch.opposes {
		if o := r.contradicted(ch); o != nil && o.Closed() {
			return o, r.readNew(ch, o)
		}
		return nil, reading{}
	}
	if ch.about != nil {
		return ch.about, r.readNew(ch, ch.about)
	}
	if o := r.contradicted(ch); o != nil {
		return o, r.readNew(ch, o)
	}
	if o := r.retold(ch); o != nil {
		return o, r.readNew(ch, o)
	}
	if r.asked != nil && r.confirming(r.asked) && (ch.strong || ch.no || ch.rather) {
		return r.asked, r.readNew(ch, r.asked)
	}
	if !ch.strong && !ch.no && !ch.rather {
		return nil, reading{}
	}
	if o := r.byUnit(ch); o != nil {
		return o, r.readNew(ch, o)
	}
	if o := r.byChoice(ch); o != nil {
		return o, r.readNew(ch, o)
	}
	if o, got := r.opensAnother(ch); o != nil {
		return o, got
	}
	if r.fillsField(ch) {
		return nil, reading{}
	}
	for _, o := range r.answeredLast() {
		if r.purpose() == sessions.ToFinish && (ch.from >= ch.to || !ch.strong && !o.Closed()) { // of a whole summary, it could be any
			continue
		}
		got := r.readNew(ch, o)
		if ch.strong && (got.found() || ch.from >= ch.to && ch.denies) && r.strongEnough(ch, o) || r.ratherThanAnswer(ch, o, got) {
			return o, got
		}
	}
	if last := r.answeredLast(); ch.denies && len(last) > 0 && r.purpose() != sessions.ToFinish {
		return last[0], reading{}
	}
	return nil, reading{}
}

// opensAnother returns what the right words tell by its name that is not known yet:
// "no wait, the budget is 30k" where there was none.
func (r *reader) opensAnother(ch change) (*obligations.Obligation, reading) {
	if ch.from >= ch.to {
		return nil, reading{}
	}
	for _, cl := range r.claims([]clause{{from: ch.from, to: ch.to, ends: true}}) {
		if cl.o.Value == nil && cl.named && cl.from <= ch.from+1 {
			return cl.o, cl.got
		}
	}
	return nil, reading{}
}

// fillsField reports whether the right words begin with what a field of the form that
// was asked takes: "let's say 1 June".
func (r *reader) fillsField(ch change) bool {
	if r.purpose() != sessions.ToForm || ch.denies || ch.no || ch.from >= ch.to {
		return false
	}
	return slices.ContainsFunc(r.openFields(nil), func(o *obligations.Obligation) bool {
		first := r.u.items(ch.from, ch.to)[0]
		got := r.u.read(o.Template, first.from, first.to, r.scene.Now)
		return o.Value == nil && o.Widget != obligations.Text && got.value != nil && ofChoices(o.Template, got.value)
	})
}

// cued returns the one held obligation whose other value the words are, by
// its cue, and nothing else: "no, actually 14 staff".
func (r *reader) cued(ch *change) (*obligations.Obligation, reading) {
	if ch.about != nil || ch.old.len() > 0 || !ch.strong && !ch.no && !ch.rather {
		return nil, reading{}
	}
	from := min(max(ch.lead, 0), ch.from)
	to := ch.to
	for _, p := range r.parts {
		if p.from <= ch.from && ch.from < p.to {
			to = min(to, p.to)
		}
	}
	if from >= to {
		return nil, reading{}
	}
	c := clause{from: from, to: to, ends: true}
	claims := r.claims([]clause{c})
	if len(claims) != 1 {
		return r.cuedChoice(c)
	}
	cl := claims[0]
	if cl.o.Value == nil || obligations.SameValue(cl.o.Value, cl.got.value) || !r.claimed(c, claims) || !ch.strong && !cl.named && r.followsFrom(cl.o) {
		return nil, reading{}
	}
	ch.to = to
	return cl.o, cl.got
}

// followsFrom reports whether the open question builds on o: an answer to it may
// well use the words that announce o.
func (r *reader) followsFrom(o *obligations.Obligation) bool {
	return r.asked != nil && !r.asked.Closed() && o.Widget == obligations.Text && slices.Contains(r.asked.Dependencies, o.Key)
}

// cuedChoice returns the held obligation whose cue stands in c, with the other
// one of its choices that c names: "it comes up every day".
func (r *reader) cuedChoice(c clause) (*obligations.Obligation, reading) {
	h, ok := r.mentioned(c.from, c.to, func(o *obligations.Obligation) bool { return isHeld(o) && len(o.Choices) > 0 && o != r.asked })
	if !ok {
		return nil, reading{}
	}
	got := r.u.read(h.o.Template, c.from, c.to, r.scene.Now)
	if got.value == nil || !ofChoices(h.o.Template, got.value) || obligations.SameValue(got.value, h.o.Value) {
		return nil, reading{}
	}
	return h.o, got
}

// byUnit returns the one obligation held whose unit the right value names: "no
// wait, it's 14 people".
func (r *reader) byUnit(ch change) *obligations.Obligation {
	if ch.to-ch.from > 6 {
		return nil
	}
	all := r.u.quantities(ch.from, ch.to)
	if len(all) != 1 || (all[0].unit == "" && all[0].noun == "") {
		return nil
	}
	var found *obligations.Obligation
	for i := range r.scene.Obligations {
		o := &r.scene.Obligations[i]
		same := all[0].unit != "" && unitOf(o.Unit) == all[0].unit || all[0].noun != "" && stem(all[0].noun) == stem(strings.ToLower(o.Unit))
		if o.Widget != obligations.Number || o.Value == nil || !same {
			continue
		}
		if found != nil {
			return nil
		}
		found = o
	}
	return found
}

// byChoice returns the one obligation held of whose choices the right value is one it
// does not hold: "I was wrong, it should be every day". What was answered last comes
// before all others.
func (r *reader) byChoice(ch change) *obligations.Obligation {
	if !ch.strong || ch.from >= ch.to {
		return nil
	}
	last := r.answeredLast()
	var found *obligations.Obligation
	for i := range r.scene.Obligations {
		o := &r.scene.Obligations[i]
		if o.Value == nil || len(o.Choices) == 0 {
			continue
		}
		got := r.readNew(ch, o)
		if got.value == nil || !ofChoices(o.Template, got.value) || obligations.SameValue(got.value, o.Value) {
			continue
		}
		if slices.Contains(last, o) {
			return o
		}
		if found != nil {
			return nil
		}
		found = o
	}
	if len(last) > 0 && found != nil && len(last[0].Choices) == 0 && r.readNew(ch, last[0]).value != nil {
		return nil
	}
	return found
}

// readNew reads the words of the right value for o.
func (r *reader) readNew(ch change, o *obligations.Obligation) reading {
	if ch.from >= ch.to {
		return reading{}
	}
	got := r.u.read(o.Template, ch.from, r.upToOthers(ch, o), r.scene.Now)
	return r.asLarge(ch, o, got)
}

// asLarge gives a bare figure the scale of the wrong one: "I said five grand, but it
// is three".
func (r *reader) asLarge(ch change, o *obligations.Obligation, got reading) reading {
	var n float64
	if o.Widget != obligations.Number || ch.old.len() <= 0 || json.Unmarshal(got.value, &n) != nil || got.to-got.from != 1 {
		return got
	}
	old, ok := r.oldFigure(ch)
	is, plain := r.u.numeralAt(got.from, got.to)
	if !ok || !plain || is.scaled || !old.scaled {
		return got
	}
	if by := r.u.scaledBy(old, ch.old.from); n < 100 && by >= 1000 {
		got.value = encode(n * by)
	}
	return got
}

// oldFigure is the first number among the wrong words.
func (r *reader) oldFigure(ch change) (numeral, bool) {
	for i := ch.old.from; i < ch.old.to; i++ {
		if n, ok := r.u.numeralAt(i, ch.old.to); ok {
			return n, true
		}
	}
	return numeral{}, false
}

// upToOthers cuts ch's words where a later clause speaks of something else.
func (r *reader) upToOthers(ch change, o *obligations.Obligation) int {
	for _, p := range r.parts {
		if p.from <= ch.from || p.from >= ch.to {
			continue
		}
		h, ok := r.mentioned(p.from, p.to, func(x *obligations.Obligation) bool { return x.Key != o.Key })
		if ok && (h.from <= p.from+3 || h.to >= p.to-1) {
			return p.from
		}
	}
	return ch.to
}

// strongEnough keeps "make it easy to pay" from being a correction: without a
// figure, a date or a choice, such openers need a text that was answered last
// and a question that is not open.
func (r *reader) strongEnough(ch change, o *obligations.Obligation) bool {
	if o.Closed() || r.asked == nil || r.asked.Closed() || r.purpose() != sessions.ToAsk {
		return true
	}
	first := r.u.join(0, min(2, len(r.u.words)))
	return first != "make it" && first != "make that" && first != "let us" && first != "should be"
}

// contradicted returns the obligation whose value the wrong words name, the
// latest one first.
func (r *reader) contradicted(ch change) *obligations.Obligation {
	if ch.old.len() <= 0 {
		return nil
	}
	var best *obligations.Obligation
	for i := range r.scene.Obligations {
		o := &r.scene.Obligations[i]
		if o.Value == nil || !r.names(o, ch.old) || !r.readNew(ch, o).found() || !r.exchangeable(ch, o) {
			continue
		}
		if best == nil || lastTurn(o) > lastTurn(best) || lastTurn(o) == lastTurn(best) && o.Closed() && !best.Closed() { // the figure before the text it was told in
			best = o
		}
	}
	return best
}

// exchangeable reports whether the right words of ch can stand for the wrong ones in
// what o holds: all of it, or a part that they fit. A whole sentence fits no part of
// a longer text.
func (r *reader) exchangeable(ch change, o *obligations.Obligation) bool {
	held := cut(text(o.Value))
	if o.Widget != obligations.Text || 2*ch.old.len() >= len(held) {
		return true
	}
	got := r.readNew(ch, o)
	return got.value != nil && got.to-got.from <= ch.old.len()+3 && !speakers[r.u.at(got.from)] && !subjects[r.u.at(got.from)]
}

// retold returns the one text held that the right words tell again and go on from:
// "actually we fix bikes and sell second hand ones" of "we fix bikes".
func (r *reader) retold(ch change) *obligations.Obligation {
	if !ch.strong && !ch.no && !ch.rather {
		return nil
	}
	var said []string
	for i := ch.from; i < ch.to; i++ {
		if negations[r.u.at(i)] {
			return nil
		}
		said = append(said, r.u.words[i].stem)
	}
	var found *obligations.Obligation
	for i := range r.scene.Obligations {
		o := &r.scene.Obligations[i]
		if o.Widget != obligations.Text || o.Value == nil || r.confirming(o) || !tellsAll(said, text(o.Value)) {
			continue
		}
		if found != nil {
			return nil
		}
		found = o
	}
	return found
}

// tellsAll reports whether the stems said begin with all that matters of held, two
// words at least.
func tellsAll(said []string, held string) bool {
	words, matter := cut(clip(held, maxOwnBytes)), 0
	for _, w := range words {
		if chaff[w] || connecting[w] {
			continue
		}
		if matter++; !slices.Contains(said[:min(len(said), len(words)+2)], stem(w)) {
			return false
		}
	}
	return matter >= 2
}

// names reports whether the words of c say the value o holds.
func (r *reader) names(o *obligations.Obligation, c clause) bool {
	if o.Closed() {
		got := r.u.read(o.Template, c.from, c.to, r.scene.Now)
		return obligations.SameValue(got.value, o.Value) && got.value != nil
	}
	held := stems(cut(text(o.Value)))
	matter := 0
	for i := c.from; i < c.to; i++ {
		if chaff[r.u.at(i)] {
			continue
		}
		if matter++; !slices.Contains(held, r.u.words[i].stem) {
			return false
		}
	}
	return matter > 0
}

// notAnswers open an answer to an open question, not the right value of an
// earlier one: "no, we do not have any".
var notAnswers = set("we i there none nobody nothing not never no they you some any only just")

// ratherThanAnswer decides whether "no, …" or "actually …" mends the answer
// before it or answers the question now asked.
func (r *reader) ratherThanAnswer(ch change, o *obligations.Obligation, got reading) bool {
	if got.value == nil || ch.strong {
		return false
	}
	if r.asked == nil && !o.Closed() && notAnswers[r.u.at(ch.from)] { // "no no, I did not want to stop"
		return false
	}
	if r.asked == nil || r.purpose() != sessions.ToAsk || r.asked.Key == o.Key {
		return true
	}
	if ch.no && !ch.rather && (yesNoPrompt(r.asked.Prompt) || yesNoChoice(r.asked.Template, "disagree") != nil) {
		return false
	}
	size := ch.to - ch.from
	if r.asked.Closed() {
		fits := r.u.read(r.asked.Template, ch.from, ch.to, r.scene.Now).value != nil
		return !fits && (o.Closed() || size <= 12)
	}
	switch {
	case o.Closed():
		return !r.saysNone(ch) && r.u.content(ch.from, ch.to)-r.u.content(got.from, got.to) <= 1
	case ch.no && ch.rather:
		return size <= 20
	case ch.no:
		return size <= 8 && !notAnswers[r.u.at(ch.from)]
	}
	return false
}

// nones answer an open question: "no, there are none" is no figure for another.
var nones = set("none nobody nothing never nowhere")

func (r *reader) saysNone(ch change) bool {
	for i := ch.from; i < ch.to; i++ {
		if nones[r.u.at(i)] {
			return true
		}
	}
	return false
}
