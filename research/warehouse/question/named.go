package question

import (
	"slices"
	"strings"

	"quaestor/research/warehouse/builtin"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/metrics"
)

// Words of questions may be names of columns as well: a shop's orders have a total, a survey has a
// number, a shipment a value. They are read as what they are in a sentence first, and as names only
// where that gives no answer.

// readNamed reads a question whose clause names some definitions. If it cannot be read, it tries the
// words that are also names of columns as such names, the last one first.
func readNamed(q Text, x *catalog.Index, clause string, named []metrics.Match) (*Reading, *Unclear) {
	out, u := read(q, x, clause, named, noToken)
	if u == nil || u.Metric != "" || slices.ContainsFunc(named, func(m metrics.Match) bool { return m.Kind == metrics.Metric }) {
		return out, u
	}
	tokens := tokensOf(clause, q.Language, q.Now)
	for i := len(tokens) - 1; i >= 0; i-- {
		if names := namesOf(&tokens[i], x); len(names) > 0 {
			out, other := read(q, x, clause, named, i)
			if other == nil {
				return out, nil
			}
			if u.Word == tokens[i].text {
				u = other
			}
		}
	}
	return nil, u
}

// noToken is the index of no token.
const noToken = -1

// worth are columns that say what something is worth, which "value" stands for where no column has
// that name.
var worth = []string{"value", "total", "amount"}

// namesOf returns the words by which a token with a sign may name a column of the catalog; none if
// no column is called so.
func namesOf(t *token, x *catalog.Index) []string {
	if t.sign == "" || t.definition != nil || t.date != nil {
		return nil
	}
	word := strings.TrimSuffix(strings.TrimPrefix(t.word, "the "), " of")
	if strings.Contains(word, " ") {
		return nil
	}
	asked := askedFor(word)
	if word == "value" || word == "values" {
		asked = worth
	}
	called := func(words []string) bool {
		return len(words) == 1 && slices.ContainsFunc(asked, func(a string) bool { return a == words[0] || catalog.Singular(a) == catalog.Singular(words[0]) })
	}
	if !anyColumn(x, called) {
		return nil
	}
	return asked
}

// turn makes a name of token i. Of a total that names a column, the measure remains known.
func (r *reader) turn(i int) {
	t := &r.tokens[i]
	t.asked, t.was, t.sign = namesOf(t, r.index), t.sign, ""
}

// topBy writes "top 5 customers by total" as "which top 5 customers, total": the figure stands behind
// the word by which others are divided.
func topBy(tokens []token) []token {
	first := slices.IndexFunc(tokens, func(t token) bool { return t.is(most, fewest, sign(Highest), sign(Lowest)) })
	if first < 0 || slices.ContainsFunc(tokens, func(t token) bool { return t.is(picks) }) {
		return tokens
	}
	at := first + 1
	if at < len(tokens) && tokens[at].number != nil {
		at++
	} else if !tokens[first].is(most, fewest) { // the highest total by region
		return tokens
	}
	by := at
	for by < len(tokens) && tokens[by].names() && !tokens[by].quoted {
		by++
	}
	if by == at || by+1 >= len(tokens) || !tokens[by].is(groups) && tokens[by].word != "nach" {
		return tokens
	}
	tokens[by].sign = skip
	if m := Measure(tokens[first].sign); m == Highest || m == Lowest {
		tokens[first].sign = map[Measure]sign{Highest: most, Lowest: fewest}[m]
	}
	return slices.Insert(tokens, first, token{sign: picks})
}

// rowsDivided reports whether nothing but the rows of a table is named beside what divides them:
// "orders by status".
func (r *reader) rowsDivided() bool {
	return r.out.Group != nil && r.out.Column == nil && r.named() && r.unread() == "" && !slices.ContainsFunc(r.tokens, func(t token) bool { return t.is(sign(Share)) })
}

// subjectOr returns the first word that names nothing yet, or else what the figure is asked for by:
// the measure, or the first name.
func (r *reader) subjectOr() string {
	if word := r.unread(); word != "" {
		return word
	}
	for _, wanted := range []func(t *token) bool{
		func(t *token) bool {
			return t.is(sign(Sum), sign(Average), sign(Highest), sign(Lowest), sign(Share), sign(Count))
		},
		func(t *token) bool { return t.names() },
		func(t *token) bool { return t.text != "" },
	} {
		for i := range r.tokens {
			if wanted(&r.tokens[i]) {
				return r.tokens[i].text
			}
		}
	}
	return builtin.Spoken(r.Words)
}
