package rules

import (
	"slices"
	"strings"

	"quaestor/obligations"
)

// telling reads facts from an account that opens an interview, where people tell all at
// once what will be asked one by one: a figure or a date that its own unit and the
// person's own verb leave no doubt about. Cues are not needed then; what is said of
// somebody else, and figures that could mean two things, are left.
func (s *scan) telling() {
	if !s.opening() {
		return
	}
	for _, q := range s.quantities {
		if c := s.clauseOf(q.from); c != nil && q.to <= c.to && !s.takenWithin(q.from, q.to) && s.ownSentence(c.from, q.from) {
			s.figureTold(c, q)
		}
	}
	for _, m := range s.moments {
		if c := s.clauseOf(m.from); c != nil && m.to <= c.to && s.ownSentence(c.from, m.from) {
			s.dateTold(c, m)
		}
	}
	s.alone()
}

// opening reports whether a text that rests on nothing was asked: what the interview is
// about.
func (s *scan) opening() bool {
	o := s.r.asked
	return o != nil && o.Widget == obligations.Text && len(o.Dependencies) == 0 && o.Value == nil && s.spokenAtLength()
}

// spokenAtLength reports whether the message is an account rather than a phrase.
func (s *scan) spokenAtLength() bool { return len(s.r.u.words) >= 8 }

// relativeWords lead to what is said of somebody else: "firms that have been going since 1990".
var relativeWords = set("that who which whose whom where")

// ownSentence reports whether nobody else is spoken of in the sentence before word i,
// the last clause of which starts at word from.
func (s *scan) ownSentence(from, i int) bool {
	opening := s.r.u.opening(i)
	for j := max(from, opening); j < i; j++ {
		if relativeWords[s.r.u.at(j)] {
			return false
		}
	}
	for j := opening; j < i; j++ {
		switch w := s.r.u.at(j); {
		case w == "sell" || w == "selling" || w == "serve" || w == "serving": // the verb is the person's
		case others[w] || landlords[w]:
			return false
		}
	}
	return true
}

// landlords are others who have years and figures of their own.
var landlords = set("landlord building house his its neighbour neighbours city town street bank")

func (s *scan) figureTold(c *clause, q quantity) {
	u := s.r.u
	body := u.body(*c)
	switch {
	case s.weAre(c, q), s.runWith(c, q):
		s.take(peopleOfTheirs, q, q.from, min(q.to+1, c.to))
	case q.unit == "money" && s.yearly(q.to, c.to) > q.to && s.hedgesOnly(body.from, q.from) && s.yearly(q.to, c.to) == c.to && s.earningBefore(body.from):
		s.take(aYear, q, q.from, c.to)
	case s.haveForIt(body, q):
		q.unit = "money"
		s.take(announced("budget"), q, q.from, q.to)
	case s.isForPeople(body, q):
		s.take(countsUsers, q, q.from, q.to+1)
	}
}

// take claims q for the one obligation wanted.
func (s *scan) take(wanted func(*obligations.Obligation) bool, q quantity, from, to int) {
	if o := s.onlyNumber(q, wanted); o != nil {
		s.add(claim{o: o, got: s.r.u.measure(o.Template, q), from: from, to: to})
	}
}

func peopleOfTheirs(o *obligations.Obligation) bool {
	return strings.EqualFold(o.Unit, "people") && (announcedBy(o.Template, stem("employees")) || announcedBy(o.Template, stem("staff")))
}

func countsUsers(o *obligations.Obligation) bool {
	return strings.EqualFold(o.Unit, "people") && inName(o.Template, "users")
}

// announced returns whether a word announces an obligation.
func announced(word string) func(*obligations.Obligation) bool {
	return func(o *obligations.Obligation) bool { return announcedBy(o.Template, stem(word)) }
}

var headNouns = set("people persons strong heads employees staff")

// weAre reports whether c says how many the person and theirs are: "now we are 14
// people".
func (s *scan) weAre(c *clause, q quantity) bool {
	u, at := s.r.u, q.from
	for at > c.from && (numberHedges[u.at(at-1)] || u.at(at-1) == "now" || u.at(at-1) == "currently" || u.at(at-1) == "just") {
		at--
	}
	return at-2 >= c.from && u.at(at-1) == "are" && u.at(at-2) == "we" && headNouns[q.noun] && q.unit == "" && !relativeWords[u.at(q.to+1)]
}

// running are verbs for what is the person's own; ofOthers lead from it to somebody else.
var (
	running  = set("run own operate manage")
	ofOthers = set("for to of that who which")
)

// runWith reports whether c says with how many the person runs what is theirs: "we run a
// bakery in Leeds with 9 people".
func (s *scan) runWith(c *clause, q quantity) bool {
	u := s.r.u
	if u.at(q.from-1) != "with" || q.noun != "people" || q.to+1 != c.to {
		return false
	}
	body := u.body(*c)
	if w := u.at(body.from); w != "we" && w != "i" || !running[u.at(body.from+1)] {
		return false
	}
	for i := body.from + 2; i < q.from; i++ {
		if ofOthers[u.at(i)] {
			return false
		}
	}
	return true
}

// hedgesOnly reports whether words from to (excluded) only weaken what follows.
func (s *scan) hedgesOnly(from, to int) bool {
	for i := from; i < to; i++ {
		if w := s.r.u.at(i); !numberHedges[w] && !bridges[w] && !conjunctions[w] {
			return false
		}
	}
	return from <= to
}

// earningVerbs bring money in; spendingVerbs take it away.
var (
	earningVerbs  = set("sell make earn take turn bring gross do doing making selling earning turning taking sold made")
	spendingVerbs = set("spend pay cost costs lose save owe rent invest borrow spending paying losing saving loan debt")
)

// earningBefore reports whether the sentence up to word i tells of what the person
// sells or earns, and of nothing they pay.
func (s *scan) earningBefore(i int) bool {
	earns := false
	for j := s.r.u.opening(i); j < i; j++ {
		w := s.r.u.at(j)
		if spendingVerbs[w] {
			return false
		}
		earns = earns || earningVerbs[w] && (speakers[s.r.u.at(j-1)] || speakers[s.r.u.at(j-2)])
	}
	return earns
}

// haveForIt reports whether body says what money there is for what is spoken of: "we
// have got around £60k for it".
func (s *scan) haveForIt(body clause, q quantity) bool {
	u := s.r.u
	at := body.from
	if q.unit != "money" && (q.unit != "" || q.lo < 1000 || q.year) {
		return false
	}
	if w := u.at(at); w != "we" && w != "i" && w != "there" {
		return false
	}
	at++
	for at < q.from && (u.at(at) == "have" || u.at(at) == "got" || u.at(at) == "is" || u.at(at) == "would") {
		at++
	}
	end := u.starts(q.to, body.to, forIt)
	return at > body.from+1 && s.hedgesOnly(at, q.from) && end > 0 && q.to+end == body.to
}

var forIt = phrases("for it", "for this", "for that", "for the project", "for this project", "for the whole thing", "for all of it", "for the job", "to do it", "to do this", "to build it", "to get it done", "to make it")

// workers are people who use what is made for them at work, or learn or live with it.
var workers = set(`people persons users staff colleagues employees engineers technicians nurses doctors teachers students pupils members volunteers drivers clerks managers
	consultants workers operators mechanics electricians plumbers inspectors agents cashiers cooks waiters carers therapists librarians officers trainers coaches developers`)

// isForPeople reports whether body says for how many it is: "it is for about 45
// engineers".
func (s *scan) isForPeople(body clause, q quantity) bool {
	u := s.r.u
	n := u.starts(body.from, body.to, itIsFor)
	return n > 0 && q.unit == "" && workers[q.noun] && s.hedgesOnly(body.from+n, q.from)
}

var itIsFor = phrases("it is for", "this is for", "it would be for", "it will be for", "it should be for", "this would be for")

// dateTold reads since when there has been what the person does, and by when something
// has to be there.
func (s *scan) dateTold(c *clause, m moment) {
	u := s.r.u
	var wanted func(*obligations.Obligation) bool
	from := m.from
	switch {
	case m.exact && (s.since(c, m) || s.began(c, m)):
		wanted = announced("founded")
	case s.hasToBe(c, m):
		wanted = announced("ready")
	default:
		return
	}
	var found *obligations.Obligation
	for i := range s.r.scene.Obligations {
		o := &s.r.scene.Obligations[i]
		if o.Widget != obligations.Date || !s.wants(o) || !wanted(o) {
			continue
		}
		if found != nil {
			return
		}
		found = o
	}
	if found != nil {
		s.add(claim{o: found, got: u.date(found.Template, m, s.r.scene.Now, u.hedged(c.from, c.to)), from: from, to: m.to})
	}
}

var (
	goingOn = phrases("been going", "been running", "been trading", "been open", "been around", "been in business", "been at it", "been doing this", "been doing it", "been going strong",
		"in business", "in the trade", "work", "work alone", "worked", "working", "trading", "going", "running")
	founding = phrases("started", "founded", "set up", "opened", "established", "launched", "began", "started up", "started out", "started trading", "was founded", "was set up", "was established")
	founded  = set("it this that business company firm shop practice studio workshop store bakery restaurant agency school clinic farm cafe salon gym brewery garage the our my us out up trading own family")
)

// since reports whether m says since when the person does what the sentence tells:
// "I work alone, from home, since 2011", "we have been going since 2019". "The rent has
// gone up since 2020" tells of something else.
func (s *scan) since(c *clause, m moment) bool {
	u := s.r.u
	if u.at(m.from-1) != "since" {
		return false
	}
	for i := c.from; i < m.from-1; i++ {
		if n := u.starts(i, m.from-1, goingOn); n > 0 && i+n == m.from-1 {
			return true
		}
	}
	first := u.body(clause{from: s.r.u.opening(m.from), to: m.from})
	return m.from-1 == u.body(*c).from && (u.at(first.from) == "i" || u.at(first.from) == "we") && u.starts(first.from+1, m.from, goingOn) > 0
}

// began reports whether a founding verb and no other thing than the business stand
// before m: "my mother started it in 1998".
func (s *scan) began(c *clause, m moment) bool {
	u := s.r.u
	at := m.from - 1
	if u.at(at) == "back" {
		at--
	}
	if u.at(at) != "in" {
		return false
	}
	for i := max(c.from, at-5); i < at; i++ {
		n := u.starts(i, at, founding)
		if n == 0 {
			continue
		}
		for i += n; i < at && founded[u.at(i)]; i++ {
		}
		return i == at
	}
	return false
}

var (
	oughtTo   = phrases("has to be", "have to be", "must be", "needs to be", "need to be", "should be", "has got to be", "we need it", "we want it", "wants to be")
	thereThen = set("live ready done finished working running place launched out delivered complete completed available usable installed")
	untilThen = set("before by until for in")
)

// hasToBe reports whether c says that something has to be there by m: "has to be live
// before the audit in March".
func (s *scan) hasToBe(c *clause, m moment) bool {
	u := s.r.u
	ought, there := false, -1
	for i := c.from; i < m.from; i++ {
		ought = ought || u.starts(i, m.from, oughtTo) > 0
		if ought && thereThen[u.at(i)] {
			there = i
		}
	}
	return there >= 0 && m.from-there <= 6 && slices.ContainsFunc(u.words[there+1:m.from], func(w word) bool { return untilThen[w.text] })
}

var byOneself = phrases("i work alone", "i work on my own", "i work by myself", "i do it all on my own", "i do it all myself", "it is just me", "it is only me", "i am on my own", "i run it alone", "i run it on my own")

// alone reads "I work alone" as a team of one.
func (s *scan) alone() {
	for _, c := range s.content {
		body := s.r.u.body(c)
		n := s.r.u.starts(body.from, body.to, byOneself)
		if n == 0 {
			continue
		}
		q := quantity{lo: 1, hi: 1, from: body.from, to: body.from + n}
		s.take(peopleOfTheirs, q, q.from, q.to)
	}
}
