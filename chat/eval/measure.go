package eval

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// Result is the measurement of one interview. Lists are in the order of turns; nil and
// empty mean the same.
type Result struct {
	Context     string  `json:"contextType"`
	Persona     string  `json:"persona"`
	Kind        Kind    `json:"kind"`
	Interviewer string  `json:"interviewer"`
	Stop        string  `json:"stopReason"` // empty when the budget was used up first
	Turns       int     `json:"turns"`      // including the opening
	Budget      int     `json:"budgetTurns"`
	InBudget    bool    `json:"inBudget"`            // ended within the budget
	Stray       bool    `json:"strayStop,omitempty"` // ended because the person left, which no persona does
	Degraded    int     `json:"degraded,omitempty"`  // turns that the rules answered instead of a model
	Gold        int     `json:"gold"`                // values that the person has
	Held        int     `json:"held"`                // of these, the ones stored at the end, right or wrong
	Accuracy    float64 `json:"accuracy"`            // mean score of the stored ones against gold; 0 without any
	Coverage    float64 `json:"coverage"`            // Held ÷ Gold
	CoverageAt5 float64 `json:"coverageAt5"`         // coverage after 5 answers, or at the end when there are fewer

	CoverageAt10    float64 `json:"coverageAt10"`    // the same after 10
	CategoryChanges int     `json:"categoryChanges"` // questions about another category than the one before

	Values         []Value               `json:"values,omitempty"`
	FalseFills     []Breach              `json:"falseFills,omitempty"`
	Reasks         []Breach              `json:"reasks,omitempty"`
	Dependencies   []Breach              `json:"dependencyViolations,omitempty"`
	Unfounded      []Breach              `json:"unfoundedValues,omitempty"`
	Replay         []Breach              `json:"replayDifferences,omitempty"`
	Corrections    []CorrectionResult    `json:"corrections,omitempty"`
	Contradictions []ContradictionResult `json:"contradictions,omitempty"`
	Outcomes       []Outcome             `json:"outcomes,omitempty"` // first values against gold, for calibration
}

// Value is the value of an obligation at the end, compared with gold.
type Value struct {
	Key   string          `json:"key"`
	Held  json.RawMessage `json:"held,omitempty"`
	Gold  json.RawMessage `json:"gold,omitempty"`
	Score float64         `json:"score"`
}

// Breach is something that should not have happened.
type Breach struct {
	Turn int             `json:"turn"`
	Key  string          `json:"key,omitempty"`
	What string          `json:"what"`
	Said string          `json:"said,omitempty"` // what the person said in that turn
	Got  json.RawMessage `json:"got,omitempty"`  // the value at fault
}

// CorrectionResult is what became of a correction.
type CorrectionResult struct {
	Turn      int    `json:"turn"`
	Key       string `json:"key"`
	Revisions int    `json:"revisions"` // changes of the value from then on; 1 is right
	Honoured  bool   `json:"honoured"`  // exactly one, and gold is held at the end
	Said      string `json:"said"`
}

// ContradictionResult is what became of a contradiction.
type ContradictionResult struct {
	Turn    int    `json:"turn"`
	Key     string `json:"key"`
	Noticed bool   `json:"noticed"` // a conflict was recorded for it
	Asked   bool   `json:"asked"`   // the person was asked which value holds, and answered
	Settled bool   `json:"settled"` // gold is held at the end
}

// Why a value is a false fill: stored although the person did not give it.
const (
	fillNoGold   = "the person holds no value for it"
	fillChitChat = "it rests on a line that answers nothing"
	fillStranger = "the person never said this value"
	putAside     = "a line that answers nothing put it off or left it out"
)

// measurer measures one transcript.
type measurer struct {
	persona  *Persona
	template func(key string) *obligations.Template // nil for an unknown key
	t        *Transcript
	out      Result
	trail    []obligations.Event
	states   [][]obligations.Obligation // after each turn, replayed from the trail
	filled   map[string]bool            // false fills that are noted, by key and value
}

// Measure measures an interview by its audit trail and by what was said. It relies neither
// on the stored state, which it compares with the replayed trail, nor on the spans of
// evidence, which it compares with what was said. It fails when the trail cannot be
// replayed.
func Measure(p *Persona, d *objectives.Definition, t *Transcript) (Result, error) {
	m := measurer{persona: p, template: d.Template, t: t, filled: map[string]bool{}}
	m.out = Result{Context: p.Context, Persona: p.Name, Kind: p.Kind, Stop: t.Stop, Turns: len(t.Exchanges), Budget: t.Budget.Turns}
	m.out.Stray = t.Stop == string(sessions.EndLeft)
	m.out.InBudget = t.Stop != "" && m.out.Turns <= m.out.Budget
	for i := range t.Exchanges {
		if err := m.exchange(d, i); err != nil {
			return m.out, fmt.Errorf("measure %s/%s: %w", p.Context, p.Name, err)
		}
	}
	m.values()
	m.course()
	m.changes()
	m.out.Outcomes = m.outcomes()
	return m.out, nil
}

// exchange measures what turn i did.
func (m *measurer) exchange(d *objectives.Definition, i int) error {
	h := &m.t.Exchanges[i].Response
	m.trail = append(m.trail, h.Audit...)
	state, err := obligations.Replay(d.Obligations, m.trail)
	if err != nil {
		return err
	}
	m.states = append(m.states, state)
	m.out.Interviewer = h.Interviewer
	if h.Degraded != "" {
		m.out.Degraded++
	}
	m.replayed(i)
	m.asked(i)
	m.stored(i)
	return nil
}

// breach returns a breach in turn i.
func (m *measurer) breach(i int, key, what string) Breach {
	return Breach{Turn: m.t.Exchanges[i].Response.Turn, Key: key, What: what, Said: m.t.Exchanges[i].Line.Message}
}

// replayed compares the replayed state with the stored one.
func (m *measurer) replayed(i int) {
	stored := m.t.Exchanges[i].Response.List
	for _, o := range m.states[i] {
		s := obligations.Find(stored, o.Key)
		if s == nil || !sameState(o, *s) {
			m.out.Replay = append(m.out.Replay, m.breach(i, o.Key, "the replayed trail differs from what is stored"))
		}
	}
	if len(stored) != len(m.states[i]) {
		m.out.Replay = append(m.out.Replay, m.breach(i, "", "the trail and the store hold different obligations"))
	}
}

// sameState reports whether two obligations are in the same state.
func sameState(a, b obligations.Obligation) bool {
	return a.Status == b.Status && a.Confidence == b.Confidence && a.Attempts == b.Attempts && a.LastTurn == b.LastTurn &&
		a.SatisfiedTurn == b.SatisfiedTurn && a.SkipReason == b.SkipReason && a.Unlocked == b.Unlocked &&
		obligations.SameValue(a.Value, b.Value) && len(a.Evidence) == len(b.Evidence) && (len(a.Evidence) == 0 || sameJSON(a.Evidence, b.Evidence)) &&
		sameJSON(a.Negotiation, b.Negotiation)
}

// sameJSON compares the encodings of a and b, in which the order of fields does not count.
func sameJSON(a, b any) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	var u, v any
	return errX == nil && errY == nil && json.Unmarshal(x, &u) == nil && json.Unmarshal(y, &v) == nil && reflect.DeepEqual(u, v)
}

// asked checks what turn i asked: nothing that is satisfied, and nothing whose dependencies
// are open. Which of two values holds may be asked at any time, and so may more about a value.
func (m *measurer) asked(i int) {
	q := m.t.Exchanges[i].Response.Question
	if q == nil || q.Purpose == sessions.ToResolve || q.Purpose == sessions.ToProbe {
		return
	}
	for _, key := range q.Keys() {
		o := obligations.Find(m.states[i], key)
		if o == nil {
			continue
		}
		if o.Status == obligations.Satisfied {
			m.out.Reasks = append(m.out.Reasks, m.breach(i, key, fmt.Sprintf("asked (%s) though satisfied: %s", q.Purpose, q.Prompt)))
		}
		for _, dep := range o.Dependencies {
			if other := obligations.Find(m.states[i], dep); other != nil && !other.Bears() {
				m.out.Dependencies = append(m.out.Dependencies, m.breach(i, key, fmt.Sprintf("asked (%s) while %s is %s", q.Purpose, dep, other.Status)))
			}
		}
	}
}

// stored checks the values that turn i stored.
func (m *measurer) stored(i int) {
	for _, e := range m.t.Exchanges[i].Response.Audit {
		if st := e.Meta.Set.Status; m.t.Exchanges[i].Line.idle() && st != nil && (*st == obligations.Skipped || *st == obligations.Deferred) {
			m.out.FalseFills = append(m.out.FalseFills, m.breach(i, e.Key, putAside))
		}
		if e.Meta.Set.Value == nil {
			continue
		}
		if why := m.unfounded(i, e); why != "" {
			b := m.breach(i, e.Key, why)
			b.Got = e.Meta.Set.Value
			m.out.Unfounded = append(m.out.Unfounded, b)
		}
		m.fill(i, e)
	}
}

// fill notes a value that the person did not give, each once.
func (m *measurer) fill(i int, e obligations.Event) {
	place := e.Key + " " + string(e.Meta.Set.Value)
	what := m.falseFill(e)
	if what == "" || m.filled[place] {
		return
	}
	m.filled[place] = true
	b := m.breach(i, e.Key, what)
	b.Got = e.Meta.Set.Value
	m.out.FalseFills = append(m.out.FalseFills, b)
}

// concluded reports whether the value of e only follows from a rule of the objective.
func concluded(e obligations.Event) bool {
	list := e.Meta.Set.Evidence
	return len(list) > 0 && !slices.ContainsFunc(list, func(ev obligations.Evidence) bool { return ev.Because == "" })
}

// falseFill returns why a stored value is a false fill, or "" when it is none.
func (m *measurer) falseFill(e obligations.Event) string {
	sayings := m.persona.sayings(e.Key)
	switch t := m.template(e.Key); {
	case concluded(e): // a proposal, which the person has yet to confirm
		return ""
	case m.chitChat(e):
		return fillChitChat
	case len(sayings) == 0 || t == nil:
		return fillNoGold
	case !m.persona.holds(t, e.Meta.Set.Value):
		return fillStranger
	}
	return ""
}

// chitChat reports whether a value rests on a line that answers nothing.
func (m *measurer) chitChat(e obligations.Event) bool {
	return slices.ContainsFunc(e.Meta.Set.Evidence, func(ev obligations.Evidence) bool {
		x := m.spoken(ev.Message)
		return x != nil && x.Line.idle()
	})
}

// spoken returns the exchange in which the person's message has that id, or nil.
func (m *measurer) spoken(id string) *Exchange {
	for i := range m.t.Exchanges {
		if x := &m.t.Exchanges[i]; x.Line.Message != "" && sessions.MessageID(x.Response.Turn, sessions.FromUser) == id {
			return x
		}
	}
	return nil
}

// final returns the state after the last turn.
func (m *measurer) final() []obligations.Obligation {
	if len(m.states) == 0 {
		return nil
	}
	return m.states[len(m.states)-1]
}

// values compares the values at the end with gold, in the order of the objective.
func (m *measurer) values() {
	var sum float64
	for _, o := range m.final() {
		f := m.persona.fact(o.Key)
		if f == nil || f.Gold == nil {
			if o.Value != nil {
				m.out.Values = append(m.out.Values, Value{Key: o.Key, Held: o.Value})
			}
			continue
		}
		v := Value{Key: o.Key, Held: o.Value, Gold: f.Gold, Score: score(o.Widget, o.Value, f.Gold)}
		m.out.Gold++
		if o.Value != nil {
			m.out.Held++
			sum += v.Score
		}
		m.out.Values = append(m.out.Values, v)
	}
	if m.out.Held > 0 {
		m.out.Accuracy = sum / float64(m.out.Held)
	}
	if m.out.Gold > 0 {
		m.out.Coverage = float64(m.out.Held) / float64(m.out.Gold)
	}
}

// course measures the way through the objective: how much is held early, and how often
// the subject changes. A question about several obligations is of the first one's category.
func (m *measurer) course() {
	m.out.CoverageAt5, m.out.CoverageAt10 = m.coverageAfter(5), m.coverageAfter(10)
	last, begun := "", false
	for _, x := range m.t.Exchanges {
		keys := x.Response.Question.Keys()
		if len(keys) == 0 {
			continue
		}
		t := m.template(keys[0])
		if t == nil {
			continue
		}
		if begun && t.Category != last {
			m.out.CategoryChanges++
		}
		last, begun = t.Category, true
	}
}

// coverageAfter returns the coverage after that many answers.
func (m *measurer) coverageAfter(answers int) float64 {
	if len(m.states) == 0 {
		return 0
	}
	var gold, held float64
	for _, o := range m.states[min(answers, len(m.states)-1)] { // the first state is that of the opening
		if f := m.persona.fact(o.Key); f != nil && f.Gold != nil {
			gold++
			if o.Value != nil {
				held++
			}
		}
	}
	return ratio(held, gold)
}

// rightScore is the least score of a value that counts as right. For texts that is half of
// the words in common, as for a person who agrees.
const rightScore = agrees

// changes measures what became of corrections and contradictions.
func (m *measurer) changes() {
	for i, x := range m.t.Exchanges {
		if key := x.Line.Corrects; key != "" {
			r := CorrectionResult{Turn: x.Response.Turn, Key: key, Revisions: m.revisions(key, i), Said: x.Line.Message}
			r.Honoured = r.Revisions == 1 && m.right(key)
			m.out.Corrections = append(m.out.Corrections, r)
		}
		for _, key := range x.Line.Contradictions {
			m.out.Contradictions = append(m.out.Contradictions, ContradictionResult{Turn: x.Response.Turn, Key: key, Noticed: m.noticed(key, i), Asked: m.settling(key, i), Settled: m.right(key)})
		}
	}
}

// revisions counts how often the value of key changed from turn i on. A value that was
// first withdrawn and then replaced changed once.
func (m *measurer) revisions(key string, i int) int {
	var held json.RawMessage
	n := 0
	for turn, state := range m.states {
		o := obligations.Find(state, key)
		if o == nil || o.Value == nil {
			continue
		}
		if turn >= i && held != nil && !obligations.SameValue(held, o.Value) {
			n++
		}
		held = o.Value
	}
	return n
}

// right reports whether the value of key is right at the end.
func (m *measurer) right(key string) bool {
	o, f := obligations.Find(m.final(), key), m.persona.fact(key)
	return o != nil && f != nil && score(o.Widget, o.Value, f.Gold) >= rightScore
}

// noticed reports whether a conflict about key was recorded from turn i on.
func (m *measurer) noticed(key string, i int) bool {
	return slices.ContainsFunc(m.t.Exchanges[i:], func(x Exchange) bool {
		return slices.ContainsFunc(x.Response.Conflicts, func(c obligations.Conflict) bool { return slices.Contains(c.Keys, key) })
	})
}

// settling reports whether the person was asked from turn i on which value of key holds,
// and had a turn to answer.
func (m *measurer) settling(key string, i int) bool {
	return slices.ContainsFunc(m.t.Exchanges[i:len(m.t.Exchanges)-1], func(x Exchange) bool {
		q := x.Response.Question
		return q != nil && q.Purpose == sessions.ToResolve && q.Key == key
	})
}
