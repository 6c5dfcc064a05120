package rules

import (
	"slices"
	"strings"

	"quaestor/internal/language/messages"
	"quaestor/obligations"
)

// choiceForm is one way to say a choice.
type choiceForm struct {
	choice int
	words  []string
	stems  []string
	weak   bool // one common word such as "no" or "other": only counts on its own
}

// hit is a choice named in an utterance.
type hit struct {
	choice   int
	from, to int // words, to excluded
	negated  bool
	mainly   bool // "mostly", "mainly": the one of several that counts
	weak     bool
}

var weakWords = set("yes no none other others all any both neither either maybe one a an the we us it in on of")

// forms lists the ways to say t's choices: labels, their parts, values and
// synonyms.
func forms(t *obligations.Template) []choiceForm {
	var out []choiceForm
	for i, c := range t.Choices {
		texts := append([]string{c.Label, strings.ReplaceAll(c.Value, "_", " ")}, c.Synonyms...)
		texts = append(texts, labelParts(c.Label)...)
		for _, text := range texts {
			out = addForm(out, i, cut(text))
			if joined := strings.ReplaceAll(text, "-", ""); joined != text {
				out = addForm(out, i, cut(joined))
			}
		}
		for _, period := range paidBy(c.Label) {
			out = addPeriod(out, i, period)
		}
	}
	return out
}

func addForm(list []choiceForm, choice int, words []string) []choiceForm {
	if len(words) == 0 || slices.ContainsFunc(list, func(f choiceForm) bool { return f.choice == choice && slices.Equal(f.words, words) }) {
		return list
	}
	return append(list, choiceForm{choice, words, stems(words), len(words) == 1 && (weakWords[words[0]] || len([]rune(words[0])) < 2)})
}

// paidBy returns the periods of a label such as "By the hour or day". On its own such a
// word says little: "every day", "within 30 days".
func paidBy(label string) []string {
	words := cut(label)
	if len(words) == 0 || words[0] != "by" {
		return nil
	}
	return slices.DeleteFunc(words, func(w string) bool { return periodWords[w] == "" })
}

// addPeriod makes of a period what people say who are paid by it. The bare word counts
// on its own only.
func addPeriod(list []choiceForm, choice int, period string) []choiceForm {
	list = slices.DeleteFunc(list, func(f choiceForm) bool { return f.choice == choice && len(f.words) == 1 && f.words[0] == period })
	for _, before := range []string{"by the", "by", "per"} {
		list = addForm(list, choice, append(cut(before), period))
	}
	return append(list, choiceForm{choice, []string{period}, []string{stem(period)}, true})
}

// labelParts cuts a label such as "Retail / e-commerce (shops)" into what people
// say of it.
func labelParts(label string) []string {
	main, _, bracket := strings.Cut(label, "(")
	var out []string
	if bracket {
		out = append(out, main)
	}
	for _, sep := range []string{"/", " or ", ":", " – ", " - ", ","} {
		if parts := strings.Split(main, sep); len(parts) > 1 {
			out = append(out, parts...)
		}
	}
	return out
}

// hits returns the choices of t named among words from to (excluded), longest
// names first, none overlapping. Slips of the fingers count only when fuzzy.
func (u *utterance) hits(list []choiceForm, from, to int, fuzzy bool) []hit {
	var out []hit
	for i := from; i < to; {
		best := hit{to: i}
		for _, f := range list {
			if i+len(f.words) <= to && len(f.words) > best.to-i && (u.like(i, f.stems) || fuzzy && u.nearly(i, f.words)) {
				best = hit{choice: f.choice, from: i, to: i + len(f.words), weak: f.weak}
			}
		}
		if best.to == i {
			i++
			continue
		}
		best.negated, best.mainly = u.negatedAt(best.from, from), u.mainlyAt(best.from, from)
		out = append(out, best)
		i = best.to
	}
	return out
}

// like reports whether the words at i have these stems.
func (u *utterance) like(i int, stems []string) bool {
	for j, s := range stems {
		if u.words[i+j].stem != s {
			return false
		}
	}
	return true
}

// nearly reports whether the words at i are these but for slips.
func (u *utterance) nearly(i int, words []string) bool {
	for j, w := range words {
		if !near(u.words[i+j].text, w) {
			return false
		}
	}
	return true
}

var (
	negations   = set("not no never except without neither nor excluding exclude besides isnt minus")
	instead     = map[string]string{"rather": "than", "instead": "of"} // without the word behind, they lead to what holds
	mainlyWords = set("mostly mainly primarily especially chiefly predominantly principally largely first main primary")
)

// negatedAt reports whether a negation stands within four words before word i,
// not before word from and not beyond a comma or "but".
func (u *utterance) negatedAt(i, from int) bool {
	for j := i - 1; j >= from && j >= i-4; j-- {
		if breaks(u.gap(j+1), commaSigns) || breaks(u.gap(j+1), sentenceSigns) || u.at(j) == "but" || u.at(j) == "only" {
			return false
		}
		if then := instead[u.at(j)]; then != "" {
			return u.at(j+1) == then
		}
		if negations[u.at(j)] {
			return !u.allBut(j, from)
		}
	}
	return false
}

// allBut reports whether the exception at word j is one from nothing: "nothing except a
// survey" is a survey.
func (u *utterance) allBut(j, from int) bool {
	for i := j - 1; exceptions[u.at(j)] && i >= max(from, j-4); i-- {
		if noneWords[u.at(i)] || u.at(i) == "not" {
			return true
		}
	}
	return false
}

var exceptions = set("except without besides excluding")

func (u *utterance) mainlyAt(i, from int) bool {
	return (i-1 >= from && mainlyWords[u.at(i-1)]) || (i-2 >= from && mainlyWords[u.at(i-2)])
}

// maxFuzzyWords bounds what is searched letter by letter.
const maxFuzzyWords = 8

// named returns the hits that count: exact ones, else near ones in a short
// answer. Weak words count only when they are all that is said.
func (u *utterance) named(t *obligations.Template, from, to int) []hit {
	list := forms(t)
	out := u.strong(u.hits(list, from, to, false), from, to)
	if len(out) == 0 && to-from <= maxFuzzyWords {
		out = u.strong(u.hits(list, from, to, true), from, to)
	}
	return out
}

func (u *utterance) strong(list []hit, from, to int) []hit {
	matter := u.content(from, to) // once: counting for each hit takes time squared
	return slices.DeleteFunc(list, func(h hit) bool { return h.weak && matter > h.to-h.from && !u.priced(h) })
}

// priced reports whether h is the period of an amount: "300 a day", "£30 per hour".
func (u *utterance) priced(h hit) bool {
	amount := u.at(h.from - 2)
	if unitWords[amount] == "money" {
		amount = u.at(h.from - 3)
	}
	article := u.at(h.from-1) == "a" || u.at(h.from-1) == "an" || u.at(h.from-1) == "per"
	return article && periodWords[u.at(h.from)] != "" && (isDigit(amount) || units[amount] > 0 || scales[amount] > 0)
}

// chaff are the words around a choice that say nothing more.
var chaff = set(`the a an one ones option options choice choices number nr no i we would say think guess it is that our us my me go with for to of them these
	please just only probably maybe mostly mainly definitely certainly and or with like prefer take pick choose am are be will ok okay well so um uh hmm s answer both all
	fits best describes closest yes yeah sure they`)

// content counts the words from to (excluded) that are not chaff.
func (u *utterance) content(from, to int) int {
	n := 0
	for i := from; i < to; i++ {
		if !chaff[u.at(i)] || weakWords[u.at(i)] && to-from == 1 {
			n++
		}
	}
	return n
}

// readChoice reads one of t's choices.
func (u *utterance) readChoice(t *obligations.Template, from, to int) reading {
	if r := u.pointed(t, from, to); r.found() {
		return r
	}
	hits := u.named(t, from, to)
	if len(hits) == 0 {
		if i := u.bySize(t, from, to); i >= 0 {
			return u.chosen(t, hit{choice: i, from: from, to: to}, from, to)
		}
		if i := u.byRest(t, from, to); i >= 0 {
			return u.chosen(t, hit{choice: i, from: from, to: to}, from, to)
		}
		return u.otherChoice(t, from, to)
	}
	return u.pickOne(t, hits, from, to)
}

// pickOne chooses among several choices named for a question that takes one.
func (u *utterance) pickOne(t *obligations.Template, hits []hit, from, to int) reading {
	wanted := distinct(slices.DeleteFunc(slices.Clone(hits), func(h hit) bool { return h.negated }))
	denied := distinct(slices.DeleteFunc(slices.Clone(hits), func(h hit) bool { return !h.negated }))
	if mainly := slices.DeleteFunc(slices.Clone(wanted), func(h hit) bool { return !h.mainly }); len(mainly) == 1 {
		wanted = mainly
	}
	switch {
	case len(wanted) == 1:
		return u.chosen(t, wanted[0], from, to)
	case len(wanted) > 1:
		return reading{from: wanted[0].from, to: wanted[len(wanted)-1].to, remedy: messages.Message{Key: "remedy.one", Args: with{"choices": messages.Or(labelsOf(t, wanted))}}}
	case len(denied) == len(t.Choices)-1:
		for i := range t.Choices {
			if !slices.ContainsFunc(denied, func(h hit) bool { return h.choice == i }) {
				return u.chosen(t, hit{choice: i, from: from, to: to}, from, to)
			}
		}
	}
	return reading{from: from, to: to, remedy: messages.Message{Key: "remedy.others", Args: with{"choices": messages.Or(otherLabels(t, denied))}}}
}

func (u *utterance) chosen(t *obligations.Template, h hit, from, to int) reading {
	return reading{value: encode(t.Choices[h.choice].Value), from: h.from, to: h.to, hedged: u.hedged(from, to)}
}

// distinct keeps the first hit of each choice.
func distinct(list []hit) []hit {
	var out []hit
	for _, h := range list {
		if !slices.ContainsFunc(out, func(o hit) bool { return o.choice == h.choice }) {
			out = append(out, h)
		}
	}
	return out
}

// otherChoice keeps words outside the choices where t allows it, and says what
// it takes where it does not.
func (u *utterance) otherChoice(t *obligations.Template, from, to int) reading {
	switch {
	case u.content(from, to) == 0:
		return reading{}
	case !t.AllowOther || len(t.Choices) == 0:
		return reading{}
	}
	r := u.readText(t, from, to)
	if r.vague || r.to-r.from > maxOtherWords || u.measured(from, to) {
		return reading{}
	}
	return r
}

// measured reports whether words from to (excluded) are a figure or a date and no more:
// no choice of somebody's own.
func (u *utterance) measured(from, to int) bool {
	all := u.quantities(from, to)
	if len(all) == 0 {
		return false
	}
	for i := from; i < to; i++ {
		if n := u.starts(i, to, everyYear); n > 0 {
			i += n - 1
			continue
		}
		w := u.at(i)
		part := slices.ContainsFunc(all, func(q quantity) bool { return q.from <= i && i < q.to })
		if !part && !chaff[w] && !connecting[w] && !numberHedges[w] && monthNames[w] == 0 {
			return false
		}
	}
	return true
}

// maxOtherWords bounds an answer kept beside the choices.
const maxOtherWords = 12

// byRest finds the one choice whose label holds every word that matters in a
// short answer: "the small ones" for "Small businesses".
func (u *utterance) byRest(t *obligations.Template, from, to int) int {
	found := -1
	if u.content(from, to) == 0 || to-from > 8 {
		return found
	}
	for i, c := range t.Choices {
		words := cut(c.Label)
		for j := from; j < to; j++ {
			if !chaff[u.at(j)] && !slices.ContainsFunc(words, func(w string) bool { return len(w) > 2 && stem(w) == stem(u.at(j)) }) {
				words = nil
				break
			}
		}
		if words == nil {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = i
	}
	return found
}
