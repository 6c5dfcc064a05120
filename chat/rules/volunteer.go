package rules

import (
	"slices"
	"strings"

	"quaestor/chat"
	"quaestor/obligations"
	"quaestor/sessions"
)

// claim is a value for an obligation that was not asked, read in passing.
type claim struct {
	o        *obligations.Obligation
	got      reading
	from, to int  // words it takes, cue included, to excluded
	void     bool // tells of what is no more: its words are taken, and nothing is noted
	label    bool // announced by the name that people are shown
	named    bool // announced by the obligation's own name: "our target market is …"
}

// scan looks for claims in the content of one message.
type scan struct {
	r          *reader
	content    []clause
	quantities []quantity
	moments    []moment
	claims     []claim
}

// claims reads values for obligations that were not asked: a cue with a value of
// the right type beside it, or a choice named without doubt. Dependencies say
// what may be asked when; what a person says before its time is taken.
func (r *reader) claims(content []clause) []claim {
	if len(content) == 0 {
		return nil
	}
	s := scan{r: r, content: content}
	end := content[len(content)-1].to
	s.moments = r.u.moments(content[0].from, end, r.scene.Now)
	s.quantities = r.u.quantities(content[0].from, end)
	s.numbers()
	s.owned()
	s.dates()
	s.telling()
	s.choices()
	s.texts()
	return s.claims
}

// wants reports whether o may be claimed: it is not what was asked.
func (s *scan) wants(o *obligations.Obligation) bool {
	if s.r.purpose() == sessions.ToForm {
		return true
	}
	return s.r.asked == nil || o.Key != s.r.asked.Key
}

// cuesIn returns the announcements of what may be claimed within words from to
// (excluded).
func (s *scan) cuesIn(from, to int) []cueHit {
	return slices.DeleteFunc(s.r.cueHitsIn(from, to), func(h cueHit) bool { return !s.wants(h.o) })
}

// clauseOf returns the content clause that holds word i, or nil.
func (s *scan) clauseOf(i int) *clause {
	at, ok := slices.BinarySearchFunc(s.content, i, func(c clause, i int) int {
		switch {
		case i < c.from:
			return 1
		case i >= c.to:
			return -1
		}
		return 0
	})
	if !ok {
		return nil
	}
	return &s.content[at]
}

// named reports whether a cue of clause c is put as its subject: "our budget is",
// "the target market will be". What is said so is a plain statement.
func (s *scan) named(h cueHit, c *clause) bool {
	_, linked := s.r.u.skipLink(h.to, c.to)
	linked = linked || linkVerbs[s.r.u.at(h.to-1)]
	possessive := func(word string) bool { return word == "my" || word == "our" || word == "the" }
	return linked && (h.label || possessive(s.r.u.at(h.from-1)) || possessive(s.r.u.at(h.from)))
}

func (s *scan) claimed(o *obligations.Obligation) bool {
	return slices.ContainsFunc(s.claims, func(c claim) bool { return c.o.Key == o.Key })
}

// add keeps the first claim for an obligation, unless its words are taken.
func (s *scan) add(c claim) {
	if s.claimed(c.o) || c.got.value == nil {
		return
	}
	s.claims = append(s.claims, c)
}

// others are third parties: what is said of them is not said of the person, and
// what is sold or served is not what they have.
var others = set(`they their them he she customers customer clients client users user competitors competitor rivals suppliers supplier partners partner who whose
	companies visitors buyers sell selling sells serve serving target targeting help helping reach reaching aimed`)

// ours reports whether the words of c before word i speak of the person.
func (s *scan) ours(c *clause, i int) bool {
	for j := c.from; j < i; j++ {
		if others[s.r.u.at(j)] {
			return false
		}
	}
	return true
}

// speakers open a clause in which the person speaks of themselves.
var speakers = set("we i our my us there")

var bridges = set("with in by within for of about around a an the have has at on and roughly maybe probably some just only currently now total aim aiming plan planning hope hoping want to also plus")

// spoken reports whether a claim that starts at word i of c stands on its own:
// the person speaks of themselves, or the clause opens with it. Else, in answer
// to an open question, it is part of the answer ("small bakeries with 12
// staff").
func (s *scan) spoken(c *clause, i int) bool {
	if s.r.asked == nil || s.r.asked.Widget != obligations.Text || s.r.purpose() != sessions.ToAsk {
		return true
	}
	body := s.r.u.body(*c)
	if speakers[s.r.u.at(body.from)] {
		return true
	}
	for j := body.from; j < i; j++ {
		if !bridges[s.r.u.at(j)] {
			return false
		}
	}
	return true
}

// reach is how far a cue may stand from its value, in words.
const (
	reachBefore = 5 // "budget for this is about 20k"
	reachAfter  = 2 // "12 full-time staff"
)

// numbers gives each quantity to the cue nearest to it.
func (s *scan) numbers() {
	for _, q := range s.quantities {
		c := s.clauseOf(q.from)
		if c == nil || q.to > c.to {
			continue
		}
		best, distance, tied := cueHit{}, reachBefore+2, false
		for _, h := range s.cuesIn(c.from, c.to) {
			if h.o.Widget != obligations.Number || !s.fits(q, h.o) {
				continue
			}
			d := apart(h, q.from, q.to)
			if d < 0 || d > distance || s.partOf(h, q) || s.ofTheTrade(h) || h.from < q.to && h.to > q.from && !s.given(c, q) {
				continue
			}
			tied = d == distance && best.o != nil && best.o.Key != h.o.Key
			best, distance = h, d
		}
		if best.o == nil || tied || !s.ours(c, min(q.from, best.from)) || !s.spoken(c, min(q.from, best.from)) {
			continue
		}
		got := s.r.u.headcount(best.o.Template, c.from, c.to)
		to := s.through(q, max(q.to, best.to), c.to)
		if !got.found() {
			sum, last := s.withShares(best.o, q)
			if last.from > q.from { // and who has it
				to = min(last.said()+2, s.clauseOf(last.from).to)
			}
			got = s.r.u.measure(best.o.Template, sum)
		}
		s.add(claim{o: best.o, got: got, from: min(q.from, best.from), to: to, void: s.bygone(best.o, c), named: s.named(best, c)})
	}
}

// losses say that time or money goes, rather than that somebody has it to give.
var losses = stemSet("cost lose lost waste save take takes taking took")

// given reports whether a figure that is its own cue ("8 hours a week") is one the
// person has to give: nothing or the person stands before it, and no loss beside it.
func (s *scan) given(c *clause, q quantity) bool {
	u := s.r.u
	body := u.body(*c)
	bare := true
	for i := body.from; i < c.to; i++ {
		if losses[u.words[i].stem] {
			return false
		}
		bare = bare && (i >= q.from || bridges[u.at(i)] || numberHedges[u.at(i)])
	}
	if next := u.at(q.said() + 1); u.at(q.said()) == "of" && !owners[next] && next != "free" && next != "spare" { // "of paperwork"
		return false
	}
	return bare || speakers[u.at(body.from)] && u.at(body.from) != "there"
}

// partOf reports whether a cue such as "of us" belongs to a noun between it and q that
// is not counted: "20 miles of us".
func (s *scan) partOf(h cueHit, q quantity) bool {
	return s.r.u.at(h.from) == "of" && h.from > q.to && stem(q.noun) != stem(strings.ToLower(h.o.Unit))
}

// withShares adds to q what the same sentence says of others' shares of it, and returns the
// last figure of them too: "6 hours a week me and 3 my friend".
func (s *scan) withShares(o *obligations.Obligation, q quantity) (sum, last quantity) {
	list := []quantity{q}
	first, _ := slices.BinarySearchFunc(s.quantities, q.to, func(x quantity, to int) int { return x.from - to })
	for _, next := range s.quantities[first:min(first+maxSummed, len(s.quantities))] {
		if last := list[len(list)-1]; next.from-last.to > maxShare || !s.fits(next, o) || s.clauseOf(next.from) == nil || s.r.u.ended(last.to, next.from) {
			break
		}
		list = append(list, next)
	}
	if len(list) < 2 || len(list) > maxSummed || !s.r.u.together(list) || !s.r.u.ofSeveral(list) {
		return q, q
	}
	return sumOf(list), list[len(list)-1]
}

// maxShare bounds, in words, what stands between two shares.
const maxShare = 6

// ofTheTrade reports whether a cue such as "of us" tells of all who do the same, rather than
// of those who work together: "there are three of us doing this in the valley". Who is asked
// for others in the trade speaks of those.
func (s *scan) ofTheTrade(h cueHit) bool {
	u := s.r.u
	if u.at(h.to-1) != "us" {
		return false
	}
	rivals := s.r.asked != nil && announcedBy(s.r.asked.Template, stem("competitors"))
	return rivals || u.starts(h.to, len(u.words), sameTrade) > 0
}

// sameTrade is what all in a trade do, and where.
var sameTrade = phrases("doing this", "doing it", "doing that", "doing the same", "who do", "that do", "offering", "who offer", "that offer", "selling", "who sell", "in the region", "in the area", "in the valley", "in the county",
	"in the country", "in the city", "in the town", "in town", "in this town", "in this area", "in this region", "in the market", "in the trade", "around here", "round here", "nearby", "within", "competing")

// fits reports whether q can be a value of o by its unit and is no date.
func (s *scan) fits(q quantity, o *obligations.Obligation) bool {
	unit := unitOf(o.Unit)
	switch {
	case q.year && (o.Min == nil || *o.Min < 1000):
		return false
	case q.unit != "" && q.unit != unit && (spans[q.unit] == 0 || spans[unit] == 0):
		return false
	case q.unit == "" && unit == "percent":
		return false
	case spans[unit] > 0 && partsOfTime[q.noun], fillsPeriod(q, o.Template):
		return false
	}
	return spans[unit] > 0 || !s.dated(q)
}

// dated reports whether q is part of a date.
func (s *scan) dated(q quantity) bool {
	_, ok := dateWith(s.moments, q)
	return ok
}

// apart counts the words between a cue and a value at words from to (excluded),
// a cue before it one more; -1 when they are too far apart.
func apart(h cueHit, from, to int) int {
	switch {
	case h.from >= to && h.from-to <= reachAfter:
		return h.from - to
	case h.to <= from && from-h.to <= reachBefore:
		return from - h.to + 1
	case h.from < to && h.to > from:
		return 0
	}
	return -1
}

// dates gives each date to the cue nearest to it in its clause.
func (s *scan) dates() {
	for _, m := range s.moments {
		c := s.clauseOf(m.from)
		if c == nil {
			continue
		}
		best, distance := cueHit{}, 9
		for _, h := range s.cuesIn(c.from, max(c.to, m.to)) {
			d := max(m.from-h.to, h.from-m.to)
			if h.o.Widget == obligations.Date && d < distance && d >= 0 {
				best, distance = h, d
			}
		}
		if best.o == nil || !s.ours(c, min(m.from, best.from)) || !s.spoken(c, min(m.from, best.from)) {
			continue
		}
		got := s.r.u.date(best.o.Template, m, s.r.scene.Now, s.r.u.hedged(c.from, c.to))
		s.add(claim{o: best.o, got: got, from: min(m.from, best.from), to: max(m.to, best.to), named: s.named(best, c)})
	}
}

// choices takes choices named beside a cue, or without doubt.
func (s *scan) choices() {
	for i := range s.r.scene.Obligations {
		o := &s.r.scene.Obligations[i]
		if len(o.Choices) == 0 || !s.wants(o) {
			continue
		}
		list := forms(o.Template)
		for j := range s.content {
			s.choicesIn(o, list, &s.content[j])
		}
	}
}

// choicesIn takes the choices of o named in clause c.
func (s *scan) choicesIn(o *obligations.Obligation, list []choiceForm, c *clause) {
	u := s.r.u
	hits := slices.DeleteFunc(u.hits(list, c.from, c.to, false), func(h hit) bool { return h.weak || h.negated })
	if len(hits) == 0 {
		return
	}
	cues := s.cuesIn(c.from, c.to)
	at := slices.IndexFunc(cues, func(h cueHit) bool {
		return h.o.Key == o.Key && !slices.ContainsFunc(hits, func(x hit) bool { return x.from < h.to && h.from < x.to })
	})
	if at < 0 {
		hits = slices.DeleteFunc(hits, func(h hit) bool { return !s.plain(o, c, h) })
	}
	if o.Widget == obligations.MultiSelect {
		hits = u.withoutNone(o.Template, hits)
	}
	hits = distinct(hits)
	if len(hits) == 0 || !s.ours(c, hits[0].from) || !s.spoken(c, hits[0].from) {
		return
	}
	from, to := hits[0].from, hits[len(hits)-1].to
	if at >= 0 {
		from, to = min(from, cues[at].from), max(to, cues[at].to)
	}
	var got reading
	if o.Widget == obligations.MultiSelect {
		got = u.several(picked(o.Template, hits), hits, c.from, c.to)
	} else {
		got = u.pickOne(o.Template, hits, c.from, c.to)
	}
	s.add(claim{o: o, got: got, from: from, to: to, named: at >= 0 && s.named(cues[at], c)})
}

func picked(t *obligations.Template, hits []hit) []string {
	var out []string
	for _, h := range hits {
		out = append(out, t.Choices[h.choice].Value)
	}
	return out
}

// plain reports whether a choice needs no cue: said by the person of themselves,
// in two words or more, and no choice of anything else.
func (s *scan) plain(o *obligations.Obligation, c *clause, h hit) bool {
	u := s.r.u
	body := u.body(*c)
	if heldValue(o) != nil || h.to-h.from < 2 || !speakers[u.at(body.from)] || u.at(body.from) == "there" {
		return false
	}
	for i := range s.r.scene.Obligations {
		other := &s.r.scene.Obligations[i]
		if other.Key == o.Key || len(other.Choices) == 0 {
			continue
		}
		if len(u.hits(forms(other.Template), h.from, h.to, false)) > 0 {
			return false
		}
	}
	return true
}

// noteClaims adds the claims as loose findings, as plain ones for what was named
// and for the fields of a form that was asked. Of what is held already only a different value is news.
func (r *reader) noteClaims(claims []claim) {
	for _, c := range claims {
		if c.void || c.o.Closed() && r.u.at(c.got.from-1) == "not" { // "the budget is not 85 thousand"
			continue
		}
		if r.denied(c.o.Key) {
			r.out.Findings = slices.DeleteFunc(r.out.Findings, func(f obligations.Finding) bool { return f.Key == c.o.Key })
		} else if r.told(c.o.Key) || r.retracts(c) {
			continue
		}
		act, reason := obligations.Tell, ""
		if r.corrects(c) {
			if r.purpose() == sessions.ToFinish {
				r.out.Intent, r.out.About = chat.Correction, c.o.Key
			}
			act, reason = obligations.Correct, "the person said it is different now"
		}
		if !r.tell(c.o.Key, c.got, act, reason) {
			continue
		}
		if act == obligations.Tell && !c.named && !slices.Contains(r.scene.Asked.Keys(), c.o.Key) {
			r.loosen()
		}
	}
}

// takesBack reports whether the message takes back what was answered last, and that is
// of o: "I didn't mean that as an answer. The users are …".
func (r *reader) takesBack(o *obligations.Obligation) bool {
	last := r.answeredLast()
	return r.lead().scratch && len(last) > 0 && last[0] == o
}
