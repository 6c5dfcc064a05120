package rules

import (
	"strings"

	"quaestor/obligations"
)

// texts takes the words after a cue of an open obligation: "our competitors are
// Acme and Bolt", "we sell to dentists".
func (s *scan) texts() {
	for _, h := range s.cuesIn(0, len(s.r.u.words)) {
		c := s.clauseOf(h.from)
		if h.o.Widget != obligations.Text || c == nil || h.to > c.to || s.claimed(h.o) {
			continue
		}
		start := s.complement(h, c)
		if start < 0 || start >= c.to || !s.ours(c, h.from) || !s.spoken(c, h.from) {
			continue
		}
		end := s.extend(start, c)
		got := s.r.u.readText(h.o.Template, start, end)
		judged := s.r.u.starts(h.to, c.to, wrongWords)+s.r.u.starts(h.to-1, c.to, wrongWords) > 0
		if got.vague || got.value == nil || s.takenWithin(start, end) || s.r.u.counts(got.from, got.to) {
			continue
		}
		s.add(claim{o: h.o, got: got, from: h.from, to: end, void: judged, label: s.r.byLabel(h), named: s.named(h, c)})
	}
}

// takers are the last words of a cue that call for what follows: "sell to",
// "based in", "goal is".
var takers = set("to for in by with on at as from against called named is are a an because using use sell sells target targets want need compete like around")

// complement returns the first word of what a cue announces, or -1 when the cue
// only names it.
func (s *scan) complement(h cueHit, c *clause) int {
	u := s.r.u
	if next, ok := u.skipLink(h.to, c.to); ok {
		return next
	}
	if h.to < c.to && breaks(u.gap(h.to), ",") {
		return -1
	}
	last := u.at(h.to - 1)
	first := u.at(h.from)
	verbal := h.to-h.from > 1 && (first == "we" || first == "i") || strings.HasSuffix(last, "ing") && len(last) > 5
	if takers[last] || verbal && !h.label {
		return h.to
	}
	return -1
}

// extend lengthens a complement over the short clauses that go on with its list:
// "Acme, Bolt and Zed".
func (s *scan) extend(start int, c *clause) int {
	end := c.to
	if c.ends {
		return end
	}
	for {
		next := s.clauseOf(end)
		if next == nil || next.from != end || s.r.u.body(*next).len() > 4 || s.announces(next) {
			return end
		}
		end = next.to
		if next.ends {
			return end
		}
	}
}

// announces reports whether clause c speaks of something else: it has a cue, a
// verb of its own, a subject or a figure.
func (s *scan) announces(c *clause) bool {
	body := s.r.u.body(*c)
	if speakers[s.r.u.at(body.from)] || subjects[s.r.u.at(body.from)] && s.r.u.at(body.from) != "the" {
		return true
	}
	if len(s.r.cueHitsIn(c.from, c.to)) > 0 {
		return true
	}
	for i := c.from; i < c.to; i++ {
		if linkVerbs[s.r.u.at(i)] || verbs[s.r.u.at(i)] && s.r.u.at(body.from) == "the" || isDigit(s.r.u.at(i)) || s.r.u.at(i) == "but" {
			return true
		}
	}
	return false
}

// takenWithin reports whether the words of a complement are the value of another
// claim already.
func (s *scan) takenWithin(from, to int) bool {
	for _, c := range s.claims {
		if c.from <= from && to <= c.to {
			return true
		}
	}
	return false
}

// counts reports whether words from to (excluded) are a figure and nothing else:
// "users are about 45" says how many, and not who.
func (u *utterance) counts(from, to int) bool {
	for from < to && numberHedges[u.at(from)] {
		from++
	}
	n, ok := u.numeralAt(from, to)
	return ok && n.next == to
}
