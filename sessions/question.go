package sessions

import (
	"cmp"
	"encoding/json"
	"slices"

	"quaestor/obligations"
	"quaestor/sessions/objectives"
)

// Purpose is what a question is for.
type Purpose string

// The purposes.
const (
	ToAsk     Purpose = "ask"      // learn a value
	ToForm    Purpose = "form"     // learn several closed values at once
	ToConfirm Purpose = "confirm"  // confirm a value that is not certain enough
	ToProbe   Purpose = "probe"    // learn more about a value that is held
	ToResolve Purpose = "conflict" // choose between two values
	ToApprove Purpose = "approve"  // hear whether what was learnt so far is right
	ToWiden   Purpose = "widen"    // learn what nobody asked for
	ToFinish  Purpose = "finish"   // accept the summary and finish
)

// Labels of the buttons of a question to finish with [Question.Missing] obligations.
const (
	FinishWithout = "Finish without it"
	AnswerNow     = "Answer it now"
)

// Question is what the person is being asked: the payload of the event "question", and
// what the session stores until it is answered.
type Question struct {
	Purpose Purpose            `json:"purpose"`
	Key     string             `json:"key,omitempty"`   // obligation asked; empty for form and finish
	Label   string             `json:"label,omitempty"` // its name in two or three words
	Prompt  string             `json:"prompt"`
	Widget  obligations.Widget `json:"widgetType,omitempty"`
	// ValueType is what kind of thing the value is, see [obligations.ValueTypes]; empty when the objective does not say.
	ValueType string               `json:"valueType,omitempty"`
	Choices   []obligations.Choice `json:"choices,omitempty"`
	Other     bool                 `json:"allowOther,omitempty"`
	Unit      string               `json:"unit,omitempty"`
	Min       *float64             `json:"min,omitempty"`
	Max       *float64             `json:"max,omitempty"`
	Integer   bool                 `json:"integer,omitempty"` // a number without fractions
	Examples  []string             `json:"examples,omitempty"`
	Why       string               `json:"why,omitempty"`
	Attempt   int                  `json:"attempt,omitempty"`  // 1 for the first time
	Probe     obligations.Probe    `json:"probe,omitempty"`    // probe: the way it goes deeper
	MayDefer  bool                 `json:"mayDefer,omitempty"` // asked for the last time: it may be put off
	Proposal  json.RawMessage      `json:"proposal,omitempty"` // confirm: the value to agree to
	Values    []json.RawMessage    `json:"values,omitempty"`   // conflict: the values to choose from
	Fields    []Question           `json:"fields,omitempty"`   // form: the questions in it
	Resume    *Question            `json:"resume,omitempty"`   // conflict: the question it interrupted, which is asked again afterwards
	Missing   []string             `json:"missing,omitempty"`  // finish: required keys that the person declined to answer
	ReadBack  bool                 `json:"readBack,omitempty"` // confirm: the value was said aloud, and is read back because it may have been heard wrongly
	Pause     bool                 `json:"pause,omitempty"`    // finish: the person has little time; a yes pauses the interview
	About     []string             `json:"about,omitempty"`    // approve: keys of the values that are read back

	// ChosenBecause is why this is asked now; nil in a question that was stored.
	ChosenBecause *obligations.Rationale `json:"chosenBecause,omitempty"`
}

// Keys returns the obligations the question is about; none for a nil question.
func (q *Question) Keys() []string {
	if q == nil {
		return nil
	}
	if len(q.Fields) == 0 {
		if q.Key == "" {
			return nil
		}
		return []string{q.Key}
	}
	keys := make([]string, len(q.Fields))
	for i, f := range q.Fields {
		keys[i] = f.Key
	}
	return keys
}

// compact returns what is stored of a question. Everything else comes from the
// templates, and [Question.Complete] restores it.
func (q *Question) compact() *Question {
	if q == nil {
		return nil
	}
	c := &Question{Purpose: q.Purpose, Key: q.Key, Prompt: q.Prompt, Attempt: q.Attempt, Proposal: q.Proposal, Values: q.Values, Missing: q.Missing, Probe: q.Probe, Pause: q.Pause, About: q.About, ReadBack: q.ReadBack}
	if q.Key == "" {
		c.Label = q.Label
	}
	for i := range q.Fields {
		c.Fields = append(c.Fields, *q.Fields[i].compact())
	}
	c.Resume = q.Resume.compact()
	return c
}

// Parked returns q as it is stored while a conflict is resolved. It drops what q itself
// had interrupted, since at most one question waits. Nil stays nil.
func (q *Question) Parked() *Question {
	c := q.compact()
	if c != nil {
		c.Resume = nil
	}
	return c
}

// ExamplesFrom is the attempt from which a question comes with examples; a question
// whose last attempt is earlier has them then. The second attempt changes the wording,
// and the last one offers to put the question off.
const ExamplesFrom = 3

// escalate adds what the attempt calls for: examples, and the offer to put the question
// off.
func (q *Question) escalate(t *obligations.Template) {
	limit := t.MaxAttempts
	limit = cmp.Or(limit, obligations.DefaultMaxAttempts)
	q.MayDefer = q.Attempt > 1 && q.Attempt >= limit
	if q.Attempt >= ExamplesFrom || q.MayDefer {
		q.Examples = t.Examples
	}
}

// Complete fills in what the templates define of a question and its fields. A question
// without a template stays as it is.
func (q *Question) Complete(template func(key string) *obligations.Template) {
	if q == nil {
		return
	}
	for i := range q.Fields {
		q.Fields[i].Complete(template)
	}
	q.Resume.Complete(template)
	t := template(q.Key)
	if q.Key == "" || t == nil {
		return
	}
	q.Label, q.Widget, q.Choices, q.Other = t.Name(), t.Widget, shown(t.Choices), t.AllowOther
	q.ValueType, q.Unit, q.Min, q.Max, q.Integer, q.Why = t.ValueType, t.Unit, t.Min, t.Max, t.Integer, t.Why
	q.escalate(t)
}

// Translate puts into the words of spoken what the question asks in the words of own: two
// languages of one objective. A question in words of its own stays as it is.
func (q *Question) Translate(own, spoken *objectives.Definition) {
	if q == nil || own == spoken {
		return
	}
	for i := range q.Fields {
		q.Fields[i].Translate(own, spoken)
	}
	q.Resume.Translate(own, spoken)
	t := own.Template(q.Key)
	if t == nil || q.Purpose != ToAsk || q.Prompt != t.Prompt && !slices.Contains(own.Pools[t.PoolID], q.Prompt) {
		return
	}
	q.Prompt = spoken.Wording(spoken.Template(q.Key), q.Attempt-1)
}

// shown returns choices without their synonyms, which only help to read answers.
func shown(list []obligations.Choice) []obligations.Choice {
	var out []obligations.Choice
	for _, c := range list {
		out = append(out, obligations.Choice{Value: c.Value, Label: c.Label})
	}
	return out
}
