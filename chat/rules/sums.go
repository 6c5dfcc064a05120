package rules

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"quaestor/obligations"
)

// maxSummed bounds the figures that are added up; more are a table.
const maxSummed = 6

// total returns what the figures of list come to, where they belong together: the one that
// is called the total, else the sum of parts that come on top of one another ("10,000 first,
// then another 5,000"), from several people or places ("10 hours for me and 5 for my wife"),
// or of several kinds of people.
func (u *utterance) total(t *obligations.Template, list []quantity, from, to int) (quantity, bool) {
	list = prefer(list, func(q quantity) bool { return !q.year || u.ofPeople(q) })
	if len(list) < 2 || len(list) > maxSummed {
		return quantity{}, false
	}
	if q, ok := u.calledTotal(list); ok {
		return q, true
	}
	if q, ok := u.product(list); ok {
		return q, true
	}
	if !u.together(list) {
		return quantity{}, false
	}
	if parts := u.peopleIn(t, from, to); len(parts) > 0 {
		return sumOf(parts), true
	}
	if u.onTopOf(list, wholeSum(t)) || u.ofSeveral(list) {
		return sumOf(list), true
	}
	return quantity{}, false
}

// product multiplies what is said of one with how many there are: "8 grand a van times two".
func (u *utterance) product(list []quantity) (quantity, bool) {
	each, n := list[0], list[len(list)-1]
	if w := u.at(n.from - 1); len(list) != 2 || n.from-each.said() > maxShare || w != "times" && w != "x" {
		return quantity{}, false
	}
	if each.unit == "" { // "3 x 500 euros"
		each, n = n, each
	}
	if n.unit != "" || n.lo != n.hi {
		return quantity{}, false
	}
	each.lo, each.hi, each.noun = each.lo*n.lo, each.hi*n.lo, ""
	each.from, each.to = list[0].from, list[1].to
	return each, true
}

// sumOf adds list up. "10k plus 5k" is no 10k at least.
func sumOf(list []quantity) quantity {
	sum := list[len(list)-1]
	for _, q := range list[:len(list)-1] {
		sum.lo, sum.hi, sum.hedged = sum.lo+q.lo, sum.hi+q.hi, sum.hedged || q.hedged
		if q.unit != "" {
			sum.unit = q.unit
		}
		if q.rate.period != "" {
			sum.rate = q.rate
		}
		if q.bound == '<' {
			sum.bound = q.bound
		}
	}
	sum.from, sum.noun = list[0].from, ""
	return sum
}

var (
	totalLeads = phrases("so", "so that is", "so that makes", "that makes", "which makes", "makes", "making", "that is", "a total of", "total of", "in total", "altogether", "all in all", "all told", "in all", "together", "overall", "equals")
	totalTails = phrases("in total", "in all", "altogether", "all together", "together", "total", "all told", "all in all", "overall", "combined", "between us", "between the two of us", "in sum")
)

// calledTotal returns the one figure of list that is said to be what the others come to.
func (u *utterance) calledTotal(list []quantity) (quantity, bool) {
	var found []quantity
	for i, q := range list {
		if u.totals(q) || i == len(list)-1 && u.afterSo(q) {
			found = append(found, q)
		}
	}
	if len(found) != 1 {
		return quantity{}, false
	}
	return found[0], true
}

// totals reports whether words after q call it a total: "15k in total", "4 people in all".
func (u *utterance) totals(q quantity) bool {
	for i := q.said(); i < min(len(u.words), q.said()+2) && !u.parted(i); i++ {
		if u.starts(i, len(u.words), totalTails) > 0 {
			return true
		}
	}
	return false
}

// afterSo reports whether q is led to as what was said before comes to: "…, so three".
func (u *utterance) afterSo(q quantity) bool {
	at := q.first()
	for at > 0 && numberHedges[u.at(at-1)] {
		at--
	}
	return u.at(at-1) == "so" && u.parted(at-1) || u.ends(0, at, totalLeads[1:]) > 0
}

// together reports whether nothing between and around the figures of list sets one against
// another, or makes it a part of another: "5k or 10k", "10k, 5k of which".
func (u *utterance) together(list []quantity) bool {
	for i, q := range list {
		if u.at(q.said()) == "of" && portions[u.at(q.said()+1)] || q.rate.uneven {
			return false
		}
		if i == 0 {
			continue
		}
		before := list[i-1]
		if before.unit != "" && q.unit != "" && before.unit != q.unit || before.rate.period != "" && q.rate.period != "" && before.rate.period != q.rate.period {
			return false
		}
		for j := before.said(); j < q.first(); j++ {
			if contrasts[u.at(j)] && !(numberHedges[u.at(j)] && u.at(j-1) == "and") { // "12 coaches and maybe 2000 members"
				return false
			}
		}
	}
	return true
}

var (
	portions  = set("which whom them these those that it")
	contrasts = set("or not but maybe perhaps instead rather actually including sorry wait no thought wanted last ago previously was were became becomes than if otherwise of")
)

// onTopOf reports whether each figure of list but the first is said to come on top of the
// one before it: "another 5,000", "plus 5k", "5k more". In stages, "10k now and 5k later"
// is as much.
func (u *utterance) onTopOf(list []quantity, staged bool) bool {
	for i, q := range list[1:] {
		before := u.at(q.first() - 1)
		if numberHedges[before] {
			before = u.at(q.first() - 2)
		}
		adds := furthers[before] || strings.Contains(u.gap(q.first()), "+") || u.starts(q.said(), len(u.words), onTops) > 0 || q.noun != "" && u.starts(q.said()+1, len(u.words), onTops) > 0
		if !adds && !(staged && u.starts(list[i].said(), len(u.words), firstly) > 0 && (u.starts(q.said(), len(u.words), nextly) > 0 || before == "then" || before == "later")) {
			return false
		}
	}
	return true
}

var (
	furthers = set("another further additional extra plus")
	onTops   = phrases("more", "extra", "on top", "in addition", "additional")
	firstly  = phrases("first", "now", "at first", "to start", "to start with", "to begin with", "at the start", "up front", "upfront", "initially", "straight away", "this year")
	nextly   = phrases("later", "then", "after", "afterwards", "next year", "next month", "the year after", "the next year", "once")
)

// ofSeveral reports whether each figure of list is that of somebody else, or for something
// else: "I have 6 and my sister 4", "10 hours for me and 5 for my wife". Hours of nobody before
// those of others are the person's own: "6 hours, my sister 4".
func (u *utterance) ofSeveral(list []quantity) bool {
	seen := map[string]bool{}
	last := 0
	for i, q := range list {
		giver := u.giverAfter(q)
		if giver == "" {
			giver = u.giverBefore(q, last)
		}
		if giver == "" && i == 0 && spans[q.unit] > 0 && u.giverBefore(list[1], q.said()) != "" {
			giver = "i"
		}
		if giver == "" || seen[giver] {
			return false
		}
		seen[giver] = true
		last = q.said()
	}
	return true
}

// giverAfter returns who or what q is from or for, empty when it does not say.
func (u *utterance) giverAfter(q quantity) string {
	at := q.said()
	if q.noun != "" && at == q.to && !givers[q.noun] && !owners[q.noun] && q.noun != "me" && q.noun != "myself" {
		at++
	}
	w := u.at(at)
	switch {
	case u.parted(at):
		return ""
	case w == "me" || w == "myself":
		return "me"
	case at+1 >= len(u.words) || !givers[w] && w != "my" && w != "our":
		return ""
	}
	name := at + 1
	for owners[u.at(name)] && name+1 < len(u.words) {
		name++
	}
	if _, figure := u.numeralAt(name, len(u.words)); figure || u.placesTime(name) {
		return ""
	}
	return u.at(name)
}

var givers = set("from for by in at on through via with")

// placesTime reports whether word i tells of a time rather than of somebody.
func (u *utterance) placesTime(i int) bool {
	w := u.at(i)
	return periodWords[strings.TrimSuffix(w, "s")] != "" || unitWords[w] != "" || seasons[w] != 0 || monthNames[w] != 0 || nowWords[w] || calendarYear(w) || oddPeriods[w] || ordinals[w] != 0 || w == "next" || w == "last" || w == "half" || w == "future" || w == "total" || w == "cash" || w == "sure" || w == "example"
}

// giverBefore returns who is said to have q, among the words from last on: "I have",
// "my sister has", "Anna".
func (u *utterance) giverBefore(q quantity, last int) string {
	at := q.first() - 1
	for at > last && (numberHedges[u.at(at)] || having[u.at(at)]) {
		at--
	}
	if at < last {
		return ""
	}
	w := u.at(at)
	switch {
	case w == "i" || w == "me" || w == "he" || w == "she" || w == "we":
		return w
	case others[w] || at+1 < q.first() && u.parted(at+1):
		return ""
	case owners[u.at(at-1)] && at-1 >= last || u.capital(at):
		return w
	}
	return ""
}

// having stand between somebody and what they give.
var having = set("have has can could do does give gives spend spends put puts in work works manage manages get gets got will would might another only just up add adds bring brings")

// capital reports whether word i is written as a name.
func (u *utterance) capital(i int) bool {
	if i < 0 || i >= len(u.words) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(u.raw[u.words[i].start:])
	return unicode.IsUpper(r)
}

// peopleIn returns the people that words from to (excluded) count for t, each item of the
// list those of another kind or place: "2 developers and a tester", "two from IT and one from
// facilities". It returns none where an item counts nobody. Customers are no staff.
func (u *utterance) peopleIn(t *obligations.Template, from, to int) []quantity {
	if !strings.EqualFold(t.Unit, "people") {
		return nil
	}
	var out []quantity
	list := u.items(u.skipLeadIns(from, to), to)
	for i, c := range list {
		q, ok := u.oneKind(c)
		among := i > 0 && anyStaff[u.at(list[0].to-1)] && (u.parted(c.from) || u.parted(c.from-1)) // "12 staff, 4 part time"
		switch public := publics[stem(u.lastOfNoun(q))]; {
		case !ok || among && !public:
			return nil
		case !public || inName(t, "users"):
			out = append(out, q)
		}
	}
	return out
}

// oneKind returns the people that c counts, when it counts those of one kind.
func (u *utterance) oneKind(c clause) (quantity, bool) {
	if w := u.at(c.from); (w == "a" || w == "an") && c.len() < 4 && staffed[u.words[c.to-1].stem] {
		return quantity{lo: 1, hi: 1, from: c.from, to: c.from + 1, noun: u.at(c.from + 1)}, true
	}
	all := u.quantities(c.from, c.to)
	if len(all) != 1 || all[0].unit != "" || all[0].rate.period != "" {
		return quantity{}, false
	}
	return all[0], u.ofPeople(all[0]) || u.placed(all[0]) && !all[0].year
}

// lastOfNoun returns the last word of what q counts: "owners" of "3000 pet owners".
func (u *utterance) lastOfNoun(q quantity) string {
	if q.noun == "" || connecting[q.noun] {
		return ""
	}
	at := q.to
	for at+1 < len(u.words) && at+1 < q.to+3 && !u.parted(at+1) && !conjunctions[u.at(at+1)] && !connecting[u.at(at+1)] && !givers[u.at(at+1)] {
		at++
	}
	return u.at(at)
}

// placed reports whether q is followed by where those are: "two in the office", "2 from IT".
func (u *utterance) placed(q quantity) bool {
	at := q.to
	if q.noun != "" && u.at(at) == q.noun && staffed[stem(q.noun)] {
		at++
	}
	if w := u.at(at); w != "in" && w != "at" && w != "on" && w != "from" || at+1 >= len(u.words) {
		return false
	}
	if at++; u.at(at) == "the" || owners[u.at(at)] {
		at++
	}
	return at < len(u.words) && !u.placesTime(at) && !isDigit(u.at(at))
}

// publics are people somebody works for; staffed are those who work.
var (
	publics = stemSet(`customers clients owners users visitors guests patients subscribers readers followers buyers shoppers diners pupils students parents members tenants passengers residents
	households families fans attendees participants`)
	staffed = stemSet(`people persons staff employees workers colleagues full part time timers parttimers fulltime parttime permanent temporary seasonal casual freelance freelancers apprentices apprentice volunteers
	partners directors founders contractors interns trainees temps engineers technicians nurses doctors teachers drivers clerks managers consultants operators mechanics electricians plumbers inspectors
	agents cashiers cooks chefs bakers waiters carers therapists librarians officers trainers coaches developers testers designers programmers analysts architects accountants administrators admins
	secretaries receptionists assistants specialists experts helpers hands brothers sisters friends cousins sons daughters men women guys others more extra heads`)
)

// ended reports whether a sentence ends between words from and to.
func (u *utterance) ended(from, to int) bool {
	for i := from; i <= to; i++ {
		if breaks(u.gap(i), sentenceSigns) {
			return true
		}
	}
	return false
}

// goesOn reports whether words from to (excluded) go on with the figure of before: they add to
// it or say what it comes to ("then another 5,000", "so three"), or what somebody else has of
// it ("I have 6 hours, my sister 4").
func (u *utterance) goesOn(before clause, from, to int) bool {
	list := u.quantities(before.from, to)
	n := len(list)
	if n < 2 || list[n-1].from < from || list[n-2].from >= from {
		return false
	}
	q := list[n-1]
	if first := u.at(u.body(clause{from: from, to: to}).from); furthers[first] || u.at(from) == "plus" {
		return true
	}
	if k := u.starts(from, to, totalLeads); k > 0 && u.leadsTo(from+k, q.from) {
		return true
	}
	return q.unit == "" && !u.scaledFigure(q) && spans[list[n-2].unit] > 0 && u.ofSeveral(list[n-2:])
}
