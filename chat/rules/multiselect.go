package rules

import (
	"slices"
	"strings"

	"quaestor/internal/language/messages"
	"quaestor/obligations"
)

var (
	allPhrases = phrases("all", "all of them", "all of these", "all of the above", "everything", "every one of them", "every one", "the lot",
		"any of them", "any of these", "both", "both of them", "all three", "all four", "all five", "they all", "all options")
	exceptPhrases = phrases("except", "except for", "but not", "apart from", "besides", "other than", "excluding", "without", "but")
	noneWords     = set("none neither nothing")
	noneRest      = set("none neither nothing of the these them above all at really i think we that those")
)

// readChoices reads several of t's choices.
func (u *utterance) readChoices(t *obligations.Template, from, to int) reading {
	if r := u.everything(t, from, to); r.found() {
		return r
	}
	if places := u.upTo(from, to); len(places) > 0 {
		return u.chosenAll(t, places, from, to)
	}
	if places := u.places(from, to, len(t.Choices)); len(places) > 0 && u.bySize(t, from, to) < 0 {
		return u.chosenAll(t, places, from, to)
	}
	var picked []int
	said := u.named(t, from, to)
	hits := u.withoutNone(t, said)
	for _, h := range hits {
		if !h.negated {
			picked = append(picked, h.choice)
		}
	}
	values := valuesOf(t, picked)
	if t.AllowOther {
		values = append(values, u.others(t, said, from, to)...)
	}
	if len(values) == 0 {
		if len(hits) > 0 {
			return reading{from: from, to: to, remedy: messages.Message{Key: "remedy.which", Args: with{"choices": messages.Or(otherLabels(t, hits))}}}
		}
		return reading{}
	}
	return u.several(values, hits, from, to)
}

func (u *utterance) several(values []string, hits []hit, from, to int) reading {
	r := reading{value: encode(unique(values)), from: from, to: to, hedged: u.hedged(from, to)}
	if len(hits) == len(values) {
		r.from, r.to = hits[0].from, hits[len(hits)-1].to
	}
	return r
}

// everything reads "all of them" and "everything except X".
func (u *utterance) everything(t *obligations.Template, from, to int) reading {
	for from < to && (u.at(from) == "well" || u.at(from) == "we" || u.at(from) == "pretty" || u.at(from) == "much") {
		from++
	}
	n := u.starts(from, to, allPhrases)
	if n == 0 {
		return reading{}
	}
	var all []int
	for i := range t.Choices {
		if !saysNone(t, i) {
			all = append(all, i)
		}
	}
	if from+n == to || u.content(from+n, to) == 0 {
		return u.chosenAll(t, all, from, to)
	}
	k := u.starts(from+n, to, exceptPhrases)
	if k == 0 {
		return reading{}
	}
	left := u.named(t, from+n+k, to)
	if len(left) == 0 {
		return reading{}
	}
	all = slices.DeleteFunc(all, func(i int) bool { return slices.ContainsFunc(left, func(h hit) bool { return h.choice == i }) })
	return u.chosenAll(t, all, from, to)
}

// upTo reads "the first two" as places 0 and 1.
func (u *utterance) upTo(from, to int) []int {
	for i := from; i+1 < to && to-from <= 6; i++ {
		n := max(int(units[u.at(i+1)]), number(u.at(i+1)))
		if u.at(i) != "first" || n < 2 {
			continue
		}
		var out []int
		for p := range min(n, 100) {
			out = append(out, p)
		}
		return out
	}
	return nil
}

func (u *utterance) chosenAll(t *obligations.Template, places []int, from, to int) reading {
	values := unique(valuesOf(t, places))
	if len(values) == 0 {
		return reading{}
	}
	return reading{value: encode(values), from: from, to: to, hedged: u.hedged(from, to)}
}

func valuesOf(t *obligations.Template, places []int) []string {
	var out []string
	for _, p := range places {
		if p >= 0 && p < len(t.Choices) {
			out = append(out, t.Choices[p].Value)
		}
	}
	return out
}

func unique(list []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, s := range list {
		if !seen[s] {
			out, seen[s] = append(out, s), true
		}
	}
	return out
}

// maxItems bounds the items of a list that are kept in the person's own words.
const maxItems = 100

// maxItemWords bounds an item that is kept in the person's own words.
const maxItemWords = 8

// others returns the items of a list that are no choice of t, as they were said.
func (u *utterance) others(t *obligations.Template, hits []hit, from, to int) []string {
	var out []string
	items := u.items(from, to)
	for _, c := range items[:min(len(items), maxItems)] {
		c.from = u.pastHaving(c)
		if meets(hits, c) || c.len() > maxItemWords || u.measured(c.from, c.to) || len(hits) > 0 && u.aside(c) || u.content(c.from, c.to) == 0 || u.noneOf(c.from, c.to) {
			continue
		}
		if _, intent := u.intent(c.from, c.to); intent || u.starts(c.from, c.to, excuses) == c.len() {
			continue
		}
		c.from = u.pastPrompt(t, c)
		c = u.trimmed(c)
		if r := u.readText(t, c.from, c.to); r.value != nil && !r.vague {
			out = append(out, text(r.value))
		}
	}
	return out
}

// itemLeads and itemTails say when or how much of an item of a list: "now Instagram",
// "flyers too".
var (
	itemLeads = set(`now then also later first lately recently currently increasingly sometimes occasionally often usually mostly mainly partly soon still even just only some via through
		next finally lastly plus and`)
	itemTails = phrases("now", "later", "too", "also", "as well", "currently", "lately", "recently", "sometimes", "occasionally", "at the moment", "these days", "for now", "so far", "at first", "first",
		"again", "of course", "and so on", "etc", "soon", "already", "now and then", "every now and then", "from time to time")
)

// pastHaving returns the word after "we have" or "we also have" that item c of a list, which
// "also" parts from what stands before it, may open with.
func (u *utterance) pastHaving(c clause) int {
	at := c.from
	if u.at(at) == "we" || u.at(at) == "i" {
		at++
	} else if u.at(at-1) != "also" || u.at(at-2) != "we" && u.at(at-2) != "i" {
		return c.from
	}
	if w := u.at(at); at+1 < c.to && (w == "have" || w == "use" || w == "run" || w == "send") {
		return at + 1
	}
	return c.from
}

// trimmed returns item c of a list without what says when or how much of it. Nothing may be
// left.
func (u *utterance) trimmed(c clause) clause {
	for c.from < c.to && itemLeads[u.at(c.from)] && strings.TrimSpace(u.gap(c.from+1)) == "" {
		c.from++
	}
	for n := u.ends(c.from, c.to, itemTails); n > 0; n = u.ends(c.from, c.to, itemTails) {
		c.to -= n
	}
	return c
}

// asideWords make of an item beside choices a remark rather than a choice of its own:
// "as you can hear", "people are generous in spring".
var asideWords = set("is are was were am has have had can could will would as because so since though although while if you")

func (u *utterance) aside(c clause) bool {
	if noneWords[u.at(c.from)] { // "nothing scandalous"
		return true
	}
	tells := speakers[u.at(c.from)] || thirdPersons[u.at(c.from)]
	for i := c.from; i < c.to; i++ {
		if asideWords[u.at(i)] || tells && i > c.from+1 && verbs[u.at(i)] { // "my son does that"
			return true
		}
	}
	return false
}

// thirdPersons open what is told of others.
var thirdPersons = set("he she they somebody someone")

// meets reports whether one of hits, which are in order, shares words with c.
func meets(hits []hit, c clause) bool {
	i, _ := slices.BinarySearchFunc(hits, c.from, func(h hit, from int) int { return h.to - from - 1 })
	return i < len(hits) && hits[i].from < c.to
}

// items cuts a list at commas, "and", "&" and new lines, but not within a figure.
func (u *utterance) items(from, to int) []clause {
	var out []clause
	start := from
	for i := from; i <= to; i++ {
		cutHere := i == to || i > start && (u.parted(i) || breaks(u.gap(i), "&/+") && !(isDigit(u.at(i-1)) && isDigit(u.at(i))))
		joins := i < to && (u.at(i) == "and" || u.at(i) == "or" || u.at(i) == "plus" || u.at(i) == "also") && !u.ranges(i, to)
		if (cutHere || joins) && i > start {
			out = append(out, clause{from: start, to: i})
			start = i
		}
		if joins {
			start = i + 1
		}
	}
	return out
}

// ranges reports whether word i joins the ends of a range: "between 20 and 30
// thousand", "between March and May", "10 or 15", "March or April".
func (u *utterance) ranges(i, to int) bool {
	if u.at(i) == "and" {
		return u.before(i, "between")
	}
	_, high := u.numeralAt(i+1, to)
	last := u.at(i - 1)
	figures := high && (isDigit(last) || units[last] > 0 || scales[last] > 0)
	return u.at(i) == "or" && (figures || monthNames[last] != 0 && monthNames[u.at(i+1)] != 0)
}

// noneOf reports whether words from to (excluded) say "none of these" and no
// more.
func (u *utterance) noneOf(from, to int) bool {
	none := false
	for i := from; i < to; i++ {
		if !noneRest[u.at(i)] {
			return false
		}
		none = none || noneWords[u.at(i)]
	}
	return none
}
