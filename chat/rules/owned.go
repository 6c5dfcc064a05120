package rules

import (
	"slices"
	"strings"

	"quaestor/obligations"
)

// owned gives the figures that no cue announces to what the person calls theirs:
// "our revenue is 300000 euros a year", "we make 300000 euros a year".
func (s *scan) owned() {
	for _, q := range s.quantities {
		c := s.clauseOf(q.from)
		if c == nil || q.to > c.to || s.takenWithin(q.from, q.to) {
			continue
		}
		if o, to := s.workedWith(c, q); o != nil {
			s.add(claim{o: o, got: s.r.u.measure(o.Template, q), from: q.from - 1, to: to})
			continue
		}
		if o, from := s.ownName(c, q); o != nil {
			to := q.to
			if q.noun != "" && stem(q.noun) == stem(strings.ToLower(o.Unit)) { // "12 people"
				to++
			}
			s.add(claim{o: o, got: s.r.u.measure(o.Template, q), from: from, to: s.through(q, to, c.to), named: true})
		} else if o, from := s.earned(c, q); o != nil {
			s.add(claim{o: o, got: s.r.u.measure(o.Template, q), from: from, to: s.through(q, q.to, c.to)})
		} else if o, from, to := s.spendable(c, q); o != nil {
			s.add(claim{o: o, got: s.r.u.measure(o.Template, q), from: from, to: to})
		}
	}
}

// ownName returns the one obligation for a number that a clause is about by a word
// of its name, after "our" or "my": "our team is 12 people". Of what is held already
// the bare word tells: "users are about 45". A word the open question is named by too
// is a word of its answer.
func (s *scan) ownName(c *clause, q quantity) (o *obligations.Obligation, from int) {
	u := s.r.u
	body := u.body(*c)
	first, held := body.from, true
	if w := u.at(first); w == "our" || w == "my" {
		first, held = first+1, false
	}
	for i := first; i < min(first+2, q.from); i++ {
		next, linked := u.skipLink(i+1, c.to)
		if !linked || q.from-next > 1 || held && (i > first || u.content(q.to, c.to) > 0) {
			continue
		}
		return s.onlyNumber(q, func(o *obligations.Obligation) bool {
			return s.calls(o, u.at(i)) && (!held || o.Value != nil && s.namedSo(o, u.at(i)))
		}), body.from
	}
	return nil, 0
}

// namedSo reports whether word stands in o's name letter by letter: "teams" may be those
// of somebody else.
func (s *scan) namedSo(o *obligations.Obligation, word string) bool {
	return slices.Contains(cut(o.Name()+" "+strings.ReplaceAll(o.Key, "_", " ")), word)
}

// calls reports whether word names o, and not what was asked.
func (s *scan) calls(o *obligations.Obligation, word string) bool {
	if len(word) < 4 || generalWords[word] || !nameHas(o, word) {
		return false
	}
	return s.r.asked == nil || !nameHas(s.r.asked, word)
}

// earnings are verbs for what comes in.
var earnings = phrases("make", "earn", "take", "take in", "turn over", "bring in", "gross", "are making", "are earning", "are taking in")

// earned returns the one obligation for an amount a year, when a clause says what
// comes in: "we make 300000 euros a year", "we take in 25k a month".
func (s *scan) earned(c *clause, q quantity) (o *obligations.Obligation, from int) {
	u := s.r.u
	body := u.body(*c)
	if w := u.at(body.from); w != "we" && w != "i" || q.rate.to <= q.to || q.rate.to > c.to || q.noun != "" {
		return nil, 0
	}
	for i := body.from + 1; i < min(body.from+3, q.from); i++ {
		if n := u.starts(i, q.from, earnings); n > 0 && (u.leadsTo(i+n, q.from) || s.hedgesOnly(i+n, q.from)) {
			q.unit = "money"
			return s.onlyNumber(q, aYear), body.from
		}
	}
	return nil, 0
}

// leadsTo reports whether words from to (excluded) say no more than that what follows
// is rough.
func (u *utterance) leadsTo(from, to int) bool {
	for i := from; i < to; i++ {
		if !chaff[u.at(i)] && !numberHedges[u.at(i)] {
			return false
		}
	}
	return true
}

// workedWith returns the one obligation that counts people, when a sentence that tells
// what the person does ends with some: "we repair bicycles, with 6 people".
func (s *scan) workedWith(c *clause, q quantity) (o *obligations.Obligation, to int) {
	u := s.r.u
	if u.at(q.from-1) != "with" || q.noun != "people" || q.to+1 != c.to || !c.ends {
		return nil, 0
	}
	first := c.from
	for first > 0 && !breaks(u.gap(first), sentenceSigns) {
		first--
	}
	if w := u.at(first); w != "we" && w != "i" {
		return nil, 0
	}
	return s.onlyNumber(q, func(o *obligations.Obligation) bool { return strings.EqualFold(o.Unit, "people") }), c.to
}

// outlays are verbs for what money is meant for.
var outlays = set("spend invest afford")

// spendable returns the one obligation for an amount that a clause says the person has
// to spend, when its cues speak of that: "I have about five grand to spend", "we could
// invest 20k".
func (s *scan) spendable(c *clause, q quantity) (o *obligations.Obligation, from, to int) {
	u := s.r.u
	body := u.body(*c)
	if w := u.at(body.from); w != "we" && w != "i" || q.unit != "" && q.unit != "money" || q.rate.to > q.to {
		return nil, 0, 0
	}
	for i := body.from + 1; q.from <= body.from+reachBefore && i < min(c.to, q.to+3); i++ {
		before := u.at(i - 1)
		if outlays[u.at(i)] && (before == "to" || before == "can" || before == "could") {
			q.unit = "money"
			return s.onlyNumber(q, func(o *obligations.Obligation) bool {
				return unitOf(o.Unit) == "money" && announcedBy(o.Template, u.words[i].stem)
			}), body.from, max(q.to, i+1)
		}
	}
	return nil, 0, 0
}

// announcedBy reports whether a word with that stem stands in one of t's cues.
func announcedBy(t *obligations.Template, stem string) bool {
	return slices.ContainsFunc(cuesOf(t), func(c cue) bool { return slices.Contains(c.stems, stem) })
}

// aYear reports whether o asks for a figure of one year.
func aYear(o *obligations.Obligation) bool {
	for _, w := range cut(o.Name() + " " + strings.ReplaceAll(o.Key, "_", " ")) {
		if w == "yearly" || w == "annual" {
			return true
		}
	}
	return false
}

// onlyNumber returns the one obligation that q can be a value of and that is
// wanted; nil for none or several.
func (s *scan) onlyNumber(q quantity, wanted func(*obligations.Obligation) bool) *obligations.Obligation {
	var found *obligations.Obligation
	for i := range s.r.scene.Obligations {
		o := &s.r.scene.Obligations[i]
		if o.Widget != obligations.Number || !s.wants(o) || !s.fits(q, o) || !wanted(o) {
			continue
		}
		if found != nil {
			return nil
		}
		found = o
	}
	return found
}

// everyYear says of how long a figure is.
var everyYear = phrases("a year", "per year", "each year", "every year", "yearly", "annually", "per annum", "p a")

// yearly returns the word after word i and what says that a figure is a year's, not
// after to.
func (s *scan) yearly(i, to int) int { return min(i+s.r.u.starts(i, to, everyYear), to) }

// through returns the word after q, its rate and word i, not after to.
func (s *scan) through(q quantity, i, to int) int {
	return min(max(s.yearly(i, to), q.said()), to)
}
