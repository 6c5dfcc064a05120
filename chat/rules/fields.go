package rules

import (
	"encoding/json"
	"slices"
	"strings"

	"quaestor/chat"
	"quaestor/obligations"
)

// misplaced reports whether what was read from a piece of an answer is more likely
// meant for another field of the form: a year as a number of people, "4 people" as an
// amount of money, "on tablets" as a kind of data in the person's own words.
func (r *reader) misplaced(p clause, o *obligations.Obligation, got reading, fields []*obligations.Obligation) bool {
	if r.yearOnly(o, got) || r.countsOther(p, o, fields) || o.Widget == obligations.Date && r.u.compares(p) {
		return true
	}
	if _, wants := r.u.intent(p.from, p.to); wants || asideOpeners[r.u.at(p.from)] && !ofChoices(o.Template, got.value) { // "no idea" is no zero, "skip that" no choice
		return true
	}
	return !ofChoices(o.Template, got.value) && slices.ContainsFunc(fields, func(f *obligations.Obligation) bool {
		return f != o && len(f.Choices) > 0 && len(r.u.chosenIn(f.Template, p)) > 0
	})
}

// compares reports whether p sets a time against another: "this year a bit more".
func (u *utterance) compares(p clause) bool {
	for i := p.from; i < p.to; i++ {
		if comparatives[u.at(i)] {
			return true
		}
	}
	return false
}

var comparatives = set("more less fewer better worse slower quieter busier")

// asideOpeners begin what leaves a field out.
var asideOpeners = set("skip pass leave ignore")

// yearOnly reports whether a number was read from what is more likely a year.
func (r *reader) yearOnly(o *obligations.Obligation, got reading) bool {
	return o.Widget == obligations.Number && got.to-got.from == 1 && calendarYear(r.u.at(got.from)) && (o.Min == nil || *o.Min < 1000)
}

// countsOther reports whether a figure of p counts what another field asks for: "4
// people" and "six including me" are no amounts of money, "5k a week" is no number of
// people.
func (r *reader) countsOther(p clause, o *obligations.Obligation, fields []*obligations.Obligation) bool {
	if o.Widget != obligations.Number {
		return false
	}
	other := func(asks func(f *obligations.Obligation) bool) bool {
		return !asks(o) && slices.ContainsFunc(fields, asks)
	}
	ofPeople := other(func(f *obligations.Obligation) bool {
		return strings.EqualFold(f.Unit, "people") && (r.u.countsSelf(p) || r.u.headcount(f.Template, p.from, p.to).found())
	})
	if ofPeople {
		return true
	}
	return slices.ContainsFunc(r.u.quantities(p.from, p.to), func(q quantity) bool { return r.u.figureOfOther(q, o, other) })
}

// figureOfOther reports whether q is more likely a figure for another field than for o,
// where other tells whether there is one of that kind and o is not.
func (u *utterance) figureOfOther(q quantity, o *obligations.Obligation, other func(func(*obligations.Obligation) bool) bool) bool {
	noun, unit := stem(q.noun), unitOf(o.Unit)
	if spans[q.unit] > 0 && unit == "money" {
		return other(func(f *obligations.Obligation) bool { return spans[unitOf(f.Unit)] > 0 })
	}
	number := func(f *obligations.Obligation) bool { return f.Widget == obligations.Number }
	switch {
	case noun != "" && other(func(f *obligations.Obligation) bool { return stem(strings.ToLower(f.Unit)) == noun }):
		return true
	case unit == "money" && u.countsThings(q):
		return other(func(f *obligations.Obligation) bool { return number(f) && unitOf(f.Unit) == "" })
	case spans[unit] > 0 && q.unit == "" && q.rate.period != "" && q.rate.period != periodOf(o.Template): // "500 a month"
		return other(func(f *obligations.Obligation) bool { return unitOf(f.Unit) == "money" })
	case spans[unit] > 0 && u.scaledFigure(q):
		return other(func(f *obligations.Obligation) bool { return unitOf(f.Unit) == "money" })
	}
	return unit == "" && q.rate.period != "" && other(func(f *obligations.Obligation) bool { return number(f) && periodOf(f.Template) != "" })
}

// countsSelf reports whether p counts the person with others: "six including me", "4
// full time and 2 part time".
func (u *utterance) countsSelf(p clause) bool {
	for i := p.from; i+1 < p.to; i++ {
		including := u.at(i) == "including" || u.at(i) == "counting" || u.at(i) == "of"
		if including && (u.at(i+1) == "me" || u.at(i+1) == "myself" || u.at(i+1) == "us") {
			return true
		}
	}
	return u.kindsOf(p.from, p.to)
}

// countsThings reports whether q is a small figure of some things, which is no amount
// of money: "two developers".
func (u *utterance) countsThings(q quantity) bool {
	return q.unit == "" && !u.scaledFigure(q) && len(q.noun) > 3 && strings.HasSuffix(q.noun, "s") && q.hi < 1000
}

// scaledFigure reports whether q is said in thousands or more, as money is: "3k".
func (u *utterance) scaledFigure(q quantity) bool {
	last := u.at(q.to - 1)
	return q.unit == "" && q.lo >= 1000 && (scales[last] >= 1000 || isDigit(last) && scales[strings.TrimLeft(last, "0123456789.,")] >= 1000)
}

// ofChoices reports whether v is made of t's choices only, where it has any: what
// fits no field is not forced into one that takes other answers.
func ofChoices(t *obligations.Template, v json.RawMessage) bool {
	switch t.Widget {
	case obligations.ChoiceOne:
		return t.Pick(text(v)) != nil
	case obligations.MultiSelect:
		var values []string
		return json.Unmarshal(v, &values) == nil && !slices.ContainsFunc(values, func(s string) bool { return t.Pick(s) == nil })
	case obligations.Text, obligations.Date, obligations.Number:
	}
	return true
}

// placeAll gives the pieces of an answer to the fields they fit: a stretch with one
// figure as a whole, else its segments, else their items. What two fields could hold
// is looked at again once others are filled.
func (r *reader) placeAll(regions []clause, fields []*obligations.Obligation) {
	var pieces []clause
	for _, c := range regions {
		if len(pieces) >= maxItems {
			break
		}
		if len(r.figureEnds(c)) != 1 || !r.place(c, fields) {
			pieces = append(pieces, r.placeSegments(c, fields)...)
		}
	}
	for before := 0; len(pieces) != before; {
		before = len(pieces)
		pieces = slices.DeleteFunc(pieces, func(p clause) bool { return r.place(p, fields) })
	}
	for _, p := range pieces {
		r.refuseIn(p, fields)
	}
}

// refuseIn notes that p cannot be taken as it is for the only open field that it can be
// meant for: "two evenings a week".
func (r *reader) refuseIn(p clause, fields []*obligations.Obligation) {
	var only *obligations.Obligation
	var why reading
	for _, o := range fields {
		got := r.u.read(o.Template, p.from, p.to, r.scene.Now)
		if o.Widget != obligations.Number || r.told(o.Key) || got.remedy.Key == "" || got.remedy.Key == chat.NumberRemedy(o.Template).Key {
			continue
		}
		if only != nil {
			return
		}
		only, why = o, got
	}
	if only != nil && len(r.out.Refused) == 0 {
		r.refuse(only.Key, why)
	}
}

// placeSegments gives the segments of c to the fields they fit, and returns the items
// of the others, no more than anybody gives who answers a form.
func (r *reader) placeSegments(c clause, fields []*obligations.Obligation) []clause {
	var items []clause
	segments := r.u.segments(c.from, c.to)
	for _, s := range segments[:min(len(segments), maxItems)] {
		if !r.several(s) && r.place(s, fields) {
			continue
		}
		all := r.u.items(s.from, s.to)
		items = append(items, r.figured(all[:min(len(all), maxItems)])...)
	}
	return items[:min(len(items), maxItems)]
}

// figured cuts items with several figures and dates after each of them: "20k by May
// with 3 people".
func (r *reader) figured(items []clause) []clause {
	var out []clause
	for _, c := range items {
		ends := r.figureEnds(c)
		for _, end := range ends[:max(len(ends)-1, 0)] {
			if ranging[r.u.at(end)] {
				continue
			}
			out = append(out, clause{from: c.from, to: end})
			c.from = end
		}
		out = append(out, c)
	}
	return out
}

// ranging words go on with the figure or date before them: "March to May".
var ranging = set("and or to till until")

// figureEnds returns the words after the figures and dates of c and what they count, in
// order.
func (r *reader) figureEnds(c clause) []int {
	dates := r.u.moments(c.from, c.to, r.scene.Now)
	var out []int
	for _, m := range dates {
		out = append(out, m.to)
	}
	for _, q := range r.u.quantities(c.from, c.to) {
		if _, ok := dateWith(dates, q); ok { // "2015"
			continue
		}
		end := q.said()
		if q.noun != "" && !connecting[q.noun] && end == q.to {
			end++
		}
		out = append(out, end)
	}
	slices.Sort(out)
	return out
}

// several reports whether c has figures for several fields.
func (r *reader) several(c clause) bool {
	return len(r.figureEnds(c)) > 1 && !r.u.kindsOf(c.from, c.to) && !r.addsUp(c) && len(r.shares(c)) == 0
}

// addsUp reports whether all figures of c belong to one field, which they are added up for.
func (r *reader) addsUp(c clause) bool {
	all := r.u.quantities(c.from, c.to)
	return slices.ContainsFunc(r.formFields(), func(o *obligations.Obligation) bool {
		if o.Widget != obligations.Number || len(r.u.fitting(o.Template, all)) != len(all) {
			return false
		}
		_, ok := r.u.total(o.Template, all, c.from, c.to)
		return ok
	})
}

// place gives a piece to the only open field that can read it, or to those fields whose
// choices it names, and reports whether there was one.
func (r *reader) place(p clause, fields []*obligations.Obligation) bool {
	shares := r.shares(p)
	var only *obligations.Obligation
	for _, o := range fields {
		if o.Widget == obligations.Text || r.told(o.Key) || slices.ContainsFunc(shares, func(s choiceShare) bool { return s.o == o }) {
			continue
		}
		got := r.u.read(o.Template, p.from, p.to, r.scene.Now)
		if got.value == nil || !ofChoices(o.Template, got.value) || r.misplaced(p, o, got, r.formFields()) || r.smallChange(p, o) {
			continue
		}
		if only != nil || len(shares) > 0 {
			return false
		}
		only = o
	}
	if only != nil {
		return r.tell(only.Key, r.u.read(only.Template, p.from, p.to, r.scene.Now), obligations.Tell, "")
	}
	return r.takeShares(p, shares, fields)
}

// leastMoney is the smallest bare figure that is taken for an amount of money beside fields
// for other numbers.
const leastMoney = 100

// smallChange reports whether p has but a small bare figure, which is more likely left over
// from another field for a number than an amount of money for o.
func (r *reader) smallChange(p clause, o *obligations.Obligation) bool {
	if unitOf(o.Unit) != "money" || slices.ContainsFunc(r.u.quantities(p.from, p.to), func(q quantity) bool { return q.unit == "money" || q.hi >= leastMoney }) {
		return false
	}
	return slices.ContainsFunc(r.formFields(), func(f *obligations.Obligation) bool {
		return f.Widget == obligations.Number && unitOf(f.Unit) != "money"
	})
}

// choiceShare is what a piece of an answer names of the choices of a field.
type choiceShare struct {
	o    *obligations.Obligation
	hits []hit
}

// shares returns what p names of the choices of the form's fields. Words that several
// have go to the longest choice: "phone numbers" are no phone.
func (r *reader) shares(p clause) []choiceShare {
	var all []choiceShare
	for _, o := range r.formFields() {
		if hits := r.u.chosenIn(o.Template, p); len(hits) > 0 {
			all = append(all, choiceShare{o, hits})
		}
	}
	out := make([]choiceShare, len(all))
	for i, s := range all {
		out[i] = choiceShare{s.o, slices.DeleteFunc(slices.Clone(s.hits), func(h hit) bool { return outdone(h, i, all) })}
	}
	return slices.DeleteFunc(out, func(s choiceShare) bool { return len(s.hits) == 0 })
}

// outdone reports whether another of all than the one at place i has a choice as long
// as h or longer on words of h.
func outdone(h hit, i int, all []choiceShare) bool {
	for j, s := range all {
		if j != i && slices.ContainsFunc(s.hits, func(x hit) bool { return x.from < h.to && h.from < x.to && x.to-x.from >= h.to-h.from }) {
			return true
		}
	}
	return false
}

// takeShares gives each open field its share of p. Choices on top of those a field
// holds from this message are added to them.
func (r *reader) takeShares(p clause, shares []choiceShare, fields []*obligations.Obligation) bool {
	took := false
	for _, s := range shares {
		if !slices.Contains(fields, s.o) { // announced, and read with that
			continue
		}
		got := r.u.read(s.o.Template, p.from, p.to, r.scene.Now)
		if len(shares) > 1 {
			got = r.u.ofHits(s.o.Template, s.hits, p)
		}
		switch {
		case got.value == nil || !ofChoices(s.o.Template, got.value):
		case !r.told(s.o.Key):
			took = r.tell(s.o.Key, got, obligations.Tell, "") || took
		case s.o.Widget == obligations.MultiSelect:
			took = r.addChoices(s.o, got) || took
		}
	}
	return took
}

// ofHits reads the choices named by hits of p.
func (u *utterance) ofHits(t *obligations.Template, hits []hit, p clause) reading {
	if t.Widget == obligations.MultiSelect {
		return u.several(picked(t, hits), hits, p.from, p.to)
	}
	return u.pickOne(t, hits, p.from, p.to)
}

// chosenIn returns the choices of t that p names, other than to deny them.
func (u *utterance) chosenIn(t *obligations.Template, p clause) []hit {
	if len(t.Choices) == 0 {
		return nil
	}
	return slices.DeleteFunc(u.named(t, p.from, p.to), func(h hit) bool { return h.negated })
}

// formFields returns all fields of the form.
func (r *reader) formFields() []*obligations.Obligation {
	var out []*obligations.Obligation
	for _, key := range r.scene.Asked.Keys() {
		if o := r.find(key); o != nil {
			out = append(out, o)
		}
	}
	return out
}

// addChoices adds what was read to the choices this message has named for o.
func (r *reader) addChoices(o *obligations.Obligation, got reading) bool {
	at := slices.IndexFunc(r.out.Findings, func(f obligations.Finding) bool { return f.Key == o.Key })
	f := &r.out.Findings[at]
	var held, more []string
	if json.Unmarshal(f.Value, &held) != nil || json.Unmarshal(got.value, &more) != nil {
		return false
	}
	start, end := r.u.extent(got.from, got.to)
	if at := strings.Index(r.u.raw, f.Evidence.Quote); at >= 0 { // from the first of them to the last
		start, end = min(start, at), max(end, at+len(f.Evidence.Quote))
	}
	if e, ok := r.quote(start, end); ok {
		f.Evidence = e
	}
	f.Value = encode(unique(append(held, more...)))
	f.Grade.Hedged = f.Grade.Hedged || got.hedged
	return true
}
