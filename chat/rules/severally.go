package rules

import (
	"slices"

	"quaestor/obligations"
	"quaestor/sessions"
)

// corrigenda returns the stretches of the message that are read as corrections: the
// first sentence, and where the summary was just shown every one, cut where each opens
// with a name of its own.
func (r *reader) corrigenda() []clause {
	first, last := r.firstSentence()
	if r.purpose() != sessions.ToFinish {
		return r.severally(first, last)
	}
	var sentences, out []clause
	for _, p := range r.parts {
		n := len(sentences)
		switch {
		case n > 0 && (!r.endsSentence(sentences[n-1]) || r.u.starts(p.from, p.to, goOn) > 0):
			sentences[n-1].to = p.to
		case p.marked && p.ends && !p.mark.scratch: // "No." before what is wrong
		default:
			sentences = append(sentences, p.clause)
		}
	}
	for _, s := range sentences {
		for _, c := range r.severally(s.from, s.to) {
			out = append(out, r.u.ordered(c)...)
		}
	}
	return out
}

// orders are verbs that change a line of what was summed up.
var orders = set("add remove delete drop change update")

// ordered cuts c before each "and add", "and change" and the like.
func (u *utterance) ordered(c clause) []clause {
	var out []clause
	for i := c.from + 1; i+2 < c.to; i++ {
		if (u.at(i) == "and" || u.at(i) == "then") && orders[u.at(i+1)] {
			out = append(out, clause{from: c.from, to: i})
			c.from = i + 1
		}
	}
	return append(out, c)
}

// endsSentence reports whether c ends where a sentence does.
func (r *reader) endsSentence(c clause) bool {
	return c.to == len(r.u.words) || breaks(r.u.gap(c.to), sentenceSigns)
}

// severally cuts words from to (excluded) where another thing is corrected by its name:
// "the budget should be 30k, and the team is 6 people". Only what follows a correction
// is cut off; to somebody who has the summary before them, every line is named alike.
func (r *reader) severally(from, to int) []clause {
	out := []clause{{from: from, to: to}}
	if to-from > maxCorrection {
		return out
	}
	for _, c := range r.u.clauses() {
		last := &out[len(out)-1]
		if c.from <= last.from || c.from >= to {
			continue
		}
		ch, corrects := r.change(last.from, c.from)
		corrects = corrects && (ch.about != nil || ch.from < ch.to)
		if corrects && r.corrigendum(c.from, to, r.opensChange(last.from, c.from)) {
			last.to = c.from
			out = append(out, clause{from: c.from, to: to})
		}
	}
	return out
}

// corrigendum reports whether words from to (excluded) open with the name of something
// held and say of it what is right, or that it is wrong. After "change …", a name and
// "to" are enough.
func (r *reader) corrigendum(from, to int, changing bool) bool {
	h, ok := r.opensWith(from, to)
	if !ok || h.to >= to {
		return false
	}
	if r.u.starts(h.to, to, shouldWords)+r.u.starts(h.to, to, wrongWords) > 0 || changing && r.u.at(h.to) == "to" {
		return true
	}
	_, linked := r.u.skipLink(h.to, to)
	return linked && (r.purpose() == sessions.ToFinish || r.byLabel(h))
}

// named reports whether c says by its name what it corrects, or orders it. A sentence that is
// not the first has to, for "actually" and "sorry" stand in many.
func (r *reader) named(c clause) bool {
	if r.purpose() == sessions.ToFinish && orders[r.u.at(r.skip(c.from, c.to, changeLeads))] {
		return true
	}
	ch, ok := r.change(c.from, c.to)
	return ok && ch.about != nil
}

// opensChange reports whether words from to (excluded) are "change the …".
func (r *reader) opensChange(from, to int) bool {
	return changeVerbs[r.u.at(r.skip(from, to, changeLeads))]
}

// andTo reads "… and the budget to 30k" after "change the team to 6".
func (r *reader) andTo(from, to int) (change, bool) {
	h, ok := r.opensWith(from, to)
	if !ok || h.o.Value == nil || r.u.at(h.to) != "to" || h.to+1 >= to || !r.opensChange(0, from) {
		return change{}, false
	}
	return change{about: h.o, from: h.to + 1, to: to, strong: true}, true
}

// isNow reads "the team is 6 people" where every line was just shown.
func (r *reader) isNow(from, to int) (change, bool) {
	if r.purpose() != sessions.ToFinish {
		return change{}, false
	}
	from = r.skip(from, to, idleOpeners, actuallyOpeners, noOpeners, thinkLeads)
	h, ok := r.opensWith(from, to)
	if !ok || h.o.Value == nil {
		return change{}, false
	}
	next, linked := r.u.skipLink(h.to, to)
	ch := change{about: h.o, from: next, to: to, strong: true}
	got := r.readNew(ch, h.o)
	if !linked || !r.byLabel(h) && !(h.o.Closed() && ofChoices(h.o.Template, got.value)) || got.value == nil || obligations.SameValue(got.value, h.o.Value) || !h.o.Closed() && r.u.counts(next, to) {
		return change{}, false
	}
	return ch, true
}

// byLabel reports whether h is the name that the summary shows, and not just words that
// go with it: "our customers are annoyed" is no word about the target market.
func (r *reader) byLabel(h cueHit) bool {
	if h.label {
		return true
	}
	shown := stems(cut(h.o.Name()))
	for i := h.from; i < h.to; i++ {
		if w := r.u.words[i]; !linkVerbs[w.text] && !owners[w.text] && !slices.Contains(shown, w.stem) {
			return false
		}
	}
	return true
}
