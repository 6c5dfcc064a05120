package question

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"quaestor/internal/language/messages"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/metrics"
)

// A verified question is one that somebody has kept with a query that they checked. Whoever asks the
// same in other words gets that query, and is told so. Questions are the same if everything that they
// say of the data is: what is computed, of what, under which conditions, and when.

// byVerified is the author of what a verified question keeps.
const byVerified = "verified question"

// verified returns the verified question that asks the same as q; nil for none. It is pure.
func verified(q Text) *metrics.Example {
	asked := saidIn(q, q.Words, q.Language)
	if len(asked) == 0 {
		return nil
	}
	for i := range q.Verified {
		e := &q.Verified[i]
		for _, tag := range []string{q.Language, "en", "de"} { // a verified question may be in another language
			if sameSaid(asked, saidIn(q, e.Question, tag)) && !q.outdates(e) {
				return e
			}
		}
	}
	return nil
}

// said is one thing that a question says of the data.
type said struct {
	role  sign     // what it does, or the word before it that says what for: from, by, more than
	words []string // any of which names it; of a date, a number or a definition, one
}

// binding are the signs that say what the name or figure behind them is for.
var binding = []sign{groups, picks, above, atLeast, below, atMost, with, without, not, since, after, until, before, between, from, to}

// saidIn returns what a question says of the data, without words that say nothing of them.
func saidIn(q Text, request, tag string) []said {
	clause := oneWord(clauseOf(request, q.Names...))
	tokens := tokensOf(clause, tag, q.Now, metrics.Find(q.Defined, clause)...)
	var out []said
	var role sign
	for i := range tokens {
		t := &tokens[i]
		switch {
		case !t.recurring.Zero():
			out = append(out, said{words: []string{fmt.Sprint("recurring ", t.recurring)}})
		case t.is(skip, asks, also):
			continue
		case t.is(binding...):
			role = t.sign
			continue
		case t.definition != nil:
			out = append(out, said{role, []string{"metric " + t.definition.Name}})
		case t.date != nil:
			p := dateSpan(t.date)
			out = append(out, said{role, []string{"date " + p.text() + string(t.part)}})
		case t.number != nil:
			out = append(out, said{role, []string{"number " + strconv.FormatFloat(*t.number, 'f', -1, 64)}})
		case t.sign != "":
			out = append(out, said{"", []string{"sign " + string(t.sign)}})
			continue
		default:
			s := said{role: role}
			for _, w := range t.asked {
				s.words = append(s.words, catalog.Singular(w))
			}
			out = append(out, s)
		}
		role = ""
	}
	return out
}

// sameSaid reports whether two questions say the same things, in any order.
func sameSaid(one, other []said) bool {
	if len(one) != len(other) {
		return false
	}
	rest := slices.Clone(other)
	for _, s := range one {
		at := slices.IndexFunc(rest, func(o said) bool {
			return o.role == s.role && slices.ContainsFunc(o.words, func(w string) bool { return slices.Contains(s.words, w) })
		})
		if at < 0 {
			return false
		}
		rest = slices.Delete(rest, at, at+1)
	}
	return true
}

// A year in words, and a day or month as SQL writes one.
var (
	yearInWords = regexp.MustCompile(`\b(?:19|20)\d\d\b`)
	dayInSQL    = regexp.MustCompile(`['"](?:19|20)\d\d-\d\d|\b(?:19|20)\d{6}\b|\b(?:19|20)\d\d\b`)
)

// outdates reports whether a question means other days from day to day, such as "last month", and the
// query of e was written for days that do not move.
func (q Text) outdates(e *metrics.Example) bool {
	return len(datesIn(e.Question, q.Language, q.Now)) > 0 && !yearInWords.MatchString(e.Question) && dayInSQL.MatchString(e.SQL)
}

// askVerified answers by the query of a verified question. The guard sees it as every other; nothing
// in it is repaired, because nobody would have checked the repair. What gives no figure is an error.
func askVerified(ctx context.Context, g warehouse.Gateway, q Text, o Options, e *metrics.Example) (*Answer, error) {
	answer, err := g.Ask(ctx, warehouse.Query{SQL: e.SQL})
	if err != nil {
		return nil, err
	}
	d := compact(answer.Result)
	if len(d.AllRows) == 0 {
		return nil, errEmpty
	}
	at := firstNumber(d)
	if at < 0 {
		return nil, errEmpty
	}
	figure, _ := numberOf(d.AllRows[0][at])
	a := &Answer{SQL: e.SQL, Sent: answer.Sent.SQL, By: byVerified, Verified: e.ID, At: q.Now, Table: strings.Join(answer.Sent.Tables, ", "), Result: d, Figure: figure,
		Exact: strings.Trim(string(d.AllRows[0][at]), `"`), Cell: Cell{Row: 1, Column: d.Columns[at].Name}}
	a.Sentence = tellVerified(a, messages.In(q.Language), o, e, at)
	return a, nil
}

// tellVerified writes the sentence of a verified question: its figure, or, if the query gives a label for each
// figure, the first of them.
func tellVerified(a *Answer, l *messages.Language, o Options, e *metrics.Example, at int) string {
	number := func(n float64) messages.Value { return messages.Text(l.Number(Rounded(n))) }
	args := messages.Args{"warehouse": messages.Quote(o.Name), "question": messages.Quote(strings.TrimRight(e.Question, " ?.!")), "date": messages.Date(e.VerifiedAt.Format(time.DateOnly)), "figure": number(a.Figure)}
	if at == 0 {
		return l.Text("data.verified", args)
	}
	var list []string
	for _, row := range a.Result.AllRows[:min(len(a.Result.AllRows), mostGroups)] {
		if n, ok := numberOf(row[at]); ok {
			list = append(list, l.Text("data.other", messages.Args{"label": messages.Quote(labelOf(row[0])), "figure": number(n)}))
		}
	}
	args["figures"] = messages.And(list)
	return l.Text("data.verified-by", args)
}
