package eval

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"quaestor/obligations"
	"quaestor/sessions"
)

// SimulatedPerson is a persona in an interview. They know only the questions they were asked and
// what they said themselves, so the same questions in the same order get the same lines.
// Use one for each interview.
type SimulatedPerson struct {
	persona *Persona
	told    map[string]int  // key → turn it was first told in
	said    map[string]bool // lines that are said once, by their place in the file
	offers  int             // how often the end was offered
}

// NewSimulatedPerson returns a person who has said nothing yet.
func NewSimulatedPerson(p *Persona) *SimulatedPerson {
	return &SimulatedPerson{persona: p, told: map[string]int{}, said: map[string]bool{}}
}

// LineKind is the purpose of a line.
type LineKind string

// The kinds of line.
const (
	Answering  LineKind = "answer"
	Correcting LineKind = "correction"
	Aside      LineKind = "aside"
	Wondering  LineKind = "question"
)

// Line is what a person says in one turn.
type Line struct {
	Kind           LineKind
	Message        string
	Answers        map[string]json.RawMessage // filled-in widgets, by key
	Corrects       string                     // key, for a correction
	Contradictions []string                   // keys of which another value is told than before
}

// idle reports whether the line answers nothing. Whatever is stored from it is wrong.
func (l *Line) idle() bool { return l.Kind == Aside || l.Kind == Wondering }

// Answer returns what the person says in a turn. asked is the question as they see it, or
// nil. The line answers the question and nothing else, except for lines of the persona that
// are due.
func (p *SimulatedPerson) Answer(asked *sessions.Question, turn int) Line {
	if line, ok := p.digress(asked, turn); ok {
		return line
	}
	if line, ok := p.correct(asked, turn); ok {
		return line
	}
	line := p.reply(asked, turn)
	p.add(&line, turn)
	return line
}

// digress returns the aside or question that is due, one in a turn. An offer to finish is
// answered first.
func (p *SimulatedPerson) digress(asked *sessions.Question, turn int) (Line, bool) {
	if asked == nil || asked.Purpose == sessions.ToFinish {
		return Line{}, false
	}
	for _, x := range []struct {
		kind LineKind
		list []Remark
	}{{Aside, p.persona.Asides}, {Wondering, p.persona.Questions}} {
		for i, r := range x.list {
			if p.due(r.When, turn, 1) && p.once(string(x.kind), i) {
				return Line{Kind: x.kind, Message: r.Say}, true
			}
		}
	}
	return Line{}, false
}

// due reports whether the moment of a line has come: its turn, or lag turns after its key
// was told.
func (p *SimulatedPerson) due(w When, turn, lag int) bool {
	if w.After == "" {
		return turn >= w.Turn
	}
	told, ok := p.told[w.After]
	return ok && told+lag <= turn
}

// once returns true the first time it is called for a line.
func (p *SimulatedPerson) once(list string, i int) bool {
	place := fmt.Sprintf("%s %d", list, i)
	before := p.said[place]
	p.said[place] = true
	return !before
}

// correct returns the correction that is due, or that of an answer which is put to the
// person to confirm.
func (p *SimulatedPerson) correct(asked *sessions.Question, turn int) (Line, bool) {
	for i, c := range p.persona.Corrections {
		_, told := p.told[c.Key]
		confirming := asked != nil && asked.Purpose == sessions.ToConfirm && asked.Key == c.Key
		if told && (p.due(c.When, turn, 1) || confirming) && p.once("corrections", i) {
			return Line{Kind: Correcting, Message: c.Say, Corrects: c.Key}, true
		}
	}
	return Line{}, false
}

// pending returns the correction of key that is still to come, or nil.
func (p *SimulatedPerson) pending(key string) *Correction {
	for i := range p.persona.Corrections {
		if c := &p.persona.Corrections[i]; c.Key == key && !p.said[fmt.Sprintf("corrections %d", i)] {
			return c
		}
	}
	return nil
}

// belief returns the value of key that the person gives now, or nil.
func (p *SimulatedPerson) belief(key string) json.RawMessage {
	if c := p.pending(key); c != nil {
		return c.Was
	}
	if f := p.persona.fact(key); f != nil {
		return f.Gold
	}
	return nil
}

// reply answers the question itself.
func (p *SimulatedPerson) reply(q *sessions.Question, turn int) Line {
	switch {
	case q == nil:
		return words("That is all from my side.")
	case q.Purpose == sessions.ToFinish:
		p.offers++
		return words(nth(p.persona.Replies.Finish, p.offers))
	case q.Purpose == sessions.ToForm:
		return p.form(q, turn)
	case q.Purpose == sessions.ToConfirm:
		return p.confirm(q, turn)
	case q.Purpose == sessions.ToResolve:
		return p.resolve(q, turn)
	case q.Purpose == sessions.ToApprove:
		return words("Yes, that's right")
	case q.Purpose == sessions.ToProbe, q.Purpose == sessions.ToWiden:
		return words("That's all.")
	}
	return p.field(q, turn)
}

// words returns an answer that is typed.
func words(s string) Line { return Line{Kind: Answering, Message: s} }

// nth returns the phrasing for the n-th attempt, from 1. The last one serves all further
// attempts.
func nth(list []string, n int) string { return list[min(max(n, 1), len(list))-1] }

// field answers one question.
func (p *SimulatedPerson) field(q *sessions.Question, turn int) Line {
	f := p.persona.fact(q.Key)
	if f == nil {
		return words(nth(p.persona.Replies.Unknown, q.Attempt))
	}
	if silence := p.silence(f); silence != nil {
		return words(nth(silence, q.Attempt))
	}
	p.tell(q.Key, turn)
	if f.Widget {
		return Line{Kind: Answering, Answers: map[string]json.RawMessage{q.Key: p.belief(q.Key)}}
	}
	return words(p.phrase(f, q.Attempt))
}

// silence returns the phrasings of a person who does not answer, or nil for one who does.
func (p *SimulatedPerson) silence(f *PersonaFact) []string {
	r := &p.persona.Replies
	var list []string
	switch f.As {
	case Unknown:
		list = r.Unknown
	case Declines:
		list = r.Decline
	case NotApplicable:
		list = r.NotApplicable
	case Later:
		if p.once("later "+f.Key, 0) {
			return r.Later
		}
	}
	if list != nil && len(f.Say) > 0 {
		return f.Say
	}
	return list
}

// tell notes the turn in which key was first told.
func (p *SimulatedPerson) tell(key string, turn int) {
	if _, ok := p.told[key]; !ok {
		p.told[key] = turn
	}
}

// phrase returns the phrasing of what the person takes to be true.
func (p *SimulatedPerson) phrase(f *PersonaFact, attempt int) string {
	if c := p.pending(f.Key); c != nil {
		return nth(c.First, attempt)
	}
	return nth(f.Say, attempt)
}

// form fills in what the person knows of a form and leaves the rest empty.
func (p *SimulatedPerson) form(q *sessions.Question, turn int) Line {
	out := Line{Kind: Answering, Answers: map[string]json.RawMessage{}}
	var lines []string
	for _, field := range q.Fields {
		f := p.persona.fact(field.Key)
		if f == nil || f.Gold == nil || f.As == Later {
			continue
		}
		p.tell(field.Key, turn)
		if p.persona.Forms == "widgets" || len(f.Say) == 0 {
			out.Answers[field.Key] = p.belief(field.Key)
			continue
		}
		lines = append(lines, field.Label+": "+p.phrase(f, field.Attempt))
	}
	out.Message = strings.Join(lines, "\n")
	if out.Message == "" && len(out.Answers) == 0 {
		out.Message = nth(p.persona.Replies.Unknown, q.Attempt)
	}
	return out
}

// agrees is the least score of a proposal to which the person agrees. Half of the words in
// common is about where people stop recognising their own statement.
const agrees = 0.5

// confirm agrees to a proposal that is right, and corrects one that is not.
func (p *SimulatedPerson) confirm(q *sessions.Question, turn int) Line {
	belief := p.belief(q.Key)
	if belief != nil && score(q.Widget, q.Proposal, belief) >= agrees {
		p.tell(q.Key, turn)
		return words(nth(p.persona.Replies.Confirm, q.Attempt))
	}
	f := p.persona.fact(q.Key)
	if belief == nil || len(f.Say) == 0 {
		return words("No, that is not right.")
	}
	p.tell(q.Key, turn)
	return words("No, " + decapitalised(p.phrase(f, q.Attempt)))
}

// resolve names the right one of two values that cannot both hold.
func (p *SimulatedPerson) resolve(q *sessions.Question, turn int) Line {
	belief, f := p.belief(q.Key), p.persona.fact(q.Key)
	best, most := -1, 0.0
	for i, v := range q.Values {
		if s := score(q.Widget, v, belief); s > most {
			best, most = i, s
		}
	}
	p.tell(q.Key, turn)
	switch {
	case best >= 0 && best < 2 && p.persona.Conflicts == "place":
		return words([]string{"The first one.", "The second one."}[best])
	case f != nil && len(f.Say) > 0 && belief != nil:
		return words(p.phrase(f, q.Attempt))
	}
	return words("Neither of them.")
}

// add appends to the answer the lines that are due beside it.
func (p *SimulatedPerson) add(line *Line, turn int) {
	for i, v := range p.persona.Volunteers {
		if p.due(v.When, turn, 0) && p.once("volunteers", i) {
			line.Message = joined(line.Message, v.Say)
			for _, key := range v.Keys {
				p.tell(key, turn)
			}
		}
	}
	for i, c := range p.persona.Contradictions {
		told, before := p.told[c.Key]
		if before && told < turn && p.due(c.When, turn, 0) && p.once("contradictions", i) {
			line.Message = joined(line.Message, c.Say)
			line.Contradictions = append(line.Contradictions, c.Key)
		}
	}
}

// joined appends a sentence to what was said, after a full stop if need be.
func joined(said, sentence string) string {
	if said == "" {
		return sentence
	}
	if r, _ := utf8.DecodeLastRuneInString(said); unicode.IsLetter(r) || unicode.IsDigit(r) {
		said += "."
	}
	return said + " " + sentence
}

// holds reports whether the person ever gives v as the value of t.
func (p *Persona) holds(t *obligations.Template, v json.RawMessage) bool {
	return slices.ContainsFunc(p.sayings(t.Key), func(own json.RawMessage) bool { return supported(t.Widget, v, own) })
}

// sayings returns all values that a person ever gives for key, gold first.
func (p *Persona) sayings(key string) []json.RawMessage {
	var out []json.RawMessage
	if f := p.fact(key); f != nil && f.Gold != nil {
		out = append(out, f.Gold)
	}
	for _, c := range p.Corrections {
		if c.Key == key {
			out = append(out, c.Was)
		}
	}
	for _, c := range p.Contradictions {
		if c.Key == key {
			out = append(out, c.Value)
		}
	}
	return out
}

// decapitalised returns s with a small first letter, unless that letter belongs to an
// abbreviation.
func decapitalised(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	next, _ := utf8.DecodeRuneInString(s[size:])
	if !unicode.IsUpper(r) || !unicode.IsLower(next) {
		return s
	}
	return string(unicode.ToLower(r)) + s[size:]
}
