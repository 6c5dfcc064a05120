package chat

import (
	"slices"
	"strings"

	"quaestor/internal/language"
	"quaestor/obligations"
	"quaestor/sessions"
)

// How near a question must be to a wording of what it is to ask for. The share of common
// words was looked at for the wordings of the shipped objectives in both languages: two
// wordings of one obligation share a fifth of their words and more, those of different
// ones rarely. The cosine is that of the shipped encoder, for which paraphrases of a question lie
// above 0.5 and questions about other things of the same objective mostly below.
const (
	nearWords   = 0.2
	nearMeaning = 0.5
)

// asksFor reports whether a question asks for what the plan asks: it is near to a wording
// of that, and nearer than to anything else that could be asked. A question in a language
// that none of the wordings has cannot be compared, and passes.
func asksFor(s *Scene, p *Plan, question string, similar Similarity) bool {
	q := p.Question
	if q.Purpose != sessions.ToAsk && q.Purpose != sessions.ToForm && q.Purpose != sessions.ToProbe {
		return true // values or the end are put to the person, in whatever words
	}
	wanted := q.Keys()
	if !comparable(s, p, wanted, question) {
		return true
	}
	m := nearness{scene: s, question: question, stems: stemsOf(question), similar: similar}
	own, other := 0.0, 0.0
	for i := range p.List {
		o := &p.List[i]
		if slices.Contains(wanted, o.Key) {
			own = max(own, m.of(o, q))
		} else {
			other = max(other, m.of(o, nil))
		}
	}
	if q.Purpose == sessions.ToProbe {
		return other == 0 // it may go deeper in any words, but asks for nothing else
	}
	return own > 0 && own >= other
}

// comparable reports whether a question is in the language of the wordings it is compared
// with, as far as that can be told.
func comparable(s *Scene, p *Plan, wanted []string, question string) bool {
	var wordings []string
	for _, key := range wanted {
		if o := obligations.Find(p.List, key); o != nil {
			wordings = append(wordings, o.Prompt)
		}
	}
	in, of := tongueIn(question), tongueIn(strings.Join(wordings, "\n"))
	if of == "" {
		of = LanguageOf(s)
	}
	return in == "" || in == of
}

// nearness measures how near a question is to obligations.
type nearness struct {
	scene    *Scene
	question string
	stems    []string
	similar  Similarity
}

// of returns how near the question is to o, 0 to 1 and a bit: the best of its wordings, as
// a share of what counts as near; 0 when none is near. q is the plan's question for o, if any.
func (m *nearness) of(o *obligations.Obligation, q *sessions.Question) float64 {
	best := 0.0
	for _, w := range m.wordings(o, q) {
		best = max(best, common(m.stems, stemsOf(w))/nearWords)
		if m.similar != nil {
			best = max(best, m.similar(m.question, w)/nearMeaning)
		}
	}
	if best < 1 {
		return 0
	}
	return best
}

// wordings returns how an obligation may be asked for.
func (m *nearness) wordings(o *obligations.Obligation, q *sessions.Question) []string {
	out := append([]string{o.Prompt, o.Name()}, m.scene.Objective.Pools[o.PoolID]...)
	if q != nil && q.Key == o.Key {
		out = append(out, q.Prompt)
	}
	return out
}

// common returns the share of all their stems that two texts have in common (the Jaccard
// index).
func common(a, b []string) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	n := 0
	for _, w := range a {
		if slices.Contains(b, w) {
			n++
		}
	}
	return float64(n) / float64(len(a)+len(b)-n)
}

// stemLetters is how much of a word counts: "customers" and "customer", "verkaufen" and
// "verkauft" are then the same.
const stemLetters = 5

// stemsOf returns the beginnings of the words of a text that have a topic, each once.
func stemsOf(text string) []string {
	var out []string
	for _, w := range language.Words(text) {
		folded := language.Fold(w.Text)
		if r := []rune(folded); len(r) > stemLetters {
			folded = string(r[:stemLetters])
		}
		if wordRune([]rune(w.Text)[0]) && !language.IsWord("topicless", w.Text) && !slices.Contains(out, folded) {
			out = append(out, folded)
		}
	}
	return out
}
