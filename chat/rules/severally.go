package rules

import (
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
	var out []clause
	for _, p := range r.parts {
		if n := len(out); p.marked && !p.mark.scratch && p.len() <= 4 {
			continue
		} else if n > 0 && (!r.endsSentence(out[n-1]) || r.u.starts(p.from, p.to, goOn) > 0) {
			out[n-1].to = p.to
		} else {
			out = append(out, p.clause)
		}
	}
	var cut []clause
	for _, c := range out {
		cut = append(cut, r.severally(c.from, c.to)...)
	}
	return cut
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
		if r.corrigendum(c.from, to, r.opensChange(last.from, c.from)) {
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
	if !ok || h.o.Value == nil || h.to >= to {
		return false
	}
	if r.u.starts(h.to, to, shouldWords)+r.u.starts(h.to, to, wrongWords) > 0 || changing && r.u.at(h.to) == "to" {
		return true
	}
	_, linked := r.u.skipLink(h.to, to)
	return linked && r.purpose() == sessions.ToFinish
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
	if !linked || next >= to || obligations.SameValue(r.readNew(change{from: next, to: to}, h.o).value, h.o.Value) {
		return change{}, false
	}
	return change{about: h.o, from: next, to: to, strong: true}, true
}
