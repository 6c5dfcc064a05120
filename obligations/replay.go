package obligations

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
)

// EventType is what an audit event records.
type EventType string

// The types.
const (
	Created            EventType = "created"
	StatusChanged      EventType = "status_changed"
	ConfidenceUpdated  EventType = "confidence_updated"
	ValueExtracted     EventType = "value_extracted"
	Negotiated         EventType = "negotiation"
	DependencyResolved EventType = "dependency_resolved"
	Merged             EventType = "merged"
	Split              EventType = "split"
)

// Event is one entry of the audit trail.
type Event struct {
	Key           string
	Type          EventType
	OldStatus     Status // empty before creation
	NewStatus     Status
	OldConfidence Confidence
	NewConfidence Confidence
	Source        string
	Meta          Meta
	Turn          int
}

// Meta is what an event sets, and why.
type Meta struct {
	Set      Patch      `json:"set"`
	Reason   string     `json:"reason,omitempty"`
	Evidence []Evidence `json:"evidence,omitempty"` // created: the words the obligation was derived from
}

// Patch holds the fields that an event sets; nil fields stay as they are.
type Patch struct {
	Status        *Status         `json:"status,omitempty"`
	Confidence    *Confidence     `json:"confidence,omitempty"`
	Value         json.RawMessage `json:"value,omitempty"`
	Evidence      []Evidence      `json:"evidence,omitempty"`
	Cleared       bool            `json:"cleared,omitempty"` // value and evidence were removed
	Attempts      *int            `json:"attempts,omitempty"`
	LastTurn      *int            `json:"lastAttemptTurn,omitempty"`
	SatisfiedTurn *int            `json:"satisfiedAtTurn,omitempty"`
	Negotiation   *Negotiation    `json:"negotiation,omitempty"`
	SkipReason    *SkipReason     `json:"skipReason,omitempty"`
	Unlocked      *bool           `json:"dependenciesResolved,omitempty"`
	MergedInto    *string         `json:"mergedInto,omitempty"` // merged
	SplitInto     []string        `json:"splitInto,omitempty"`  // split
	Stands        []Contribution  `json:"stands,omitempty"`     // each person's latest answer
	Position      *int            `json:"position,omitempty"`   // created
	Origin        *Origin         `json:"origin,omitempty"`     // created, or decided by a reviewer
	Template      *Template       `json:"template,omitempty"`   // created, if no objective defines it
}

// diff returns the events that lead from old to now: one for all fields that differ,
// typed after the most significant of them, and one for a negotiation that moved on.
func diff(old, now Obligation, turn int, source, reason string) []Event {
	if source == "" {
		source = "conversation"
	}
	e := Event{Key: now.Key, OldStatus: old.Status, NewStatus: now.Status, OldConfidence: old.Confidence, NewConfidence: now.Confidence,
		Source: source, Turn: turn, Meta: Meta{Reason: reason}}
	var out []Event
	if e.Type = e.Meta.Set.between(old, now); e.Type != "" {
		out = append(out, e)
	}
	if now.Negotiation != nil && !reflect.DeepEqual(old.Negotiation, now.Negotiation) {
		e.Type, e.OldStatus, e.OldConfidence = Negotiated, now.Status, now.Confidence
		e.Meta.Set = Patch{Negotiation: now.Negotiation}
		out = append(out, e)
	}
	return out
}

// between sets every field in which now differs from old, except the negotiation, and
// returns the type of the most significant change; empty if nothing changed.
func (p *Patch) between(old, now Obligation) EventType {
	var t EventType
	if set(&p.Unlocked, old.Unlocked, now.Unlocked) {
		t = DependencyResolved
	}
	if set(&p.Confidence, old.Confidence, now.Confidence) {
		t = ConfidenceUpdated
	}
	if p.standing(old, now) {
		t = StatusChanged
	}
	if !SameValue(old.Value, now.Value) || !reflect.DeepEqual(old.Evidence, now.Evidence) {
		p.Value, p.Evidence, p.Cleared = now.Value, now.Evidence, now.Value == nil
		t = ValueExtracted
	}
	if !reflect.DeepEqual(old.Stands, now.Stands) {
		p.Stands, t = now.Stands, ValueExtracted
	}
	if set(&p.MergedInto, old.MergedInto, now.MergedInto) {
		t = Merged
	}
	if !slices.Equal(old.SplitInto, now.SplitInto) {
		p.SplitInto, t = now.SplitInto, Split
	}
	return t
}

func (p *Patch) standing(old, now Obligation) bool {
	changed := set(&p.Status, old.Status, now.Status)
	changed = set(&p.Attempts, old.Attempts, now.Attempts) || changed
	changed = set(&p.LastTurn, old.LastTurn, now.LastTurn) || changed
	changed = set(&p.SatisfiedTurn, old.SatisfiedTurn, now.SatisfiedTurn) || changed
	return set(&p.SkipReason, old.SkipReason, now.SkipReason) || changed
}

func set[T comparable](field **T, old, now T) bool {
	if old == now {
		return false
	}
	*field = &now
	return true
}

// Birth returns the event that creates o; its source is the origin of o's definition.
func Birth(o Obligation, turn int) Event {
	e := Event{Key: o.Key, Type: Created, NewStatus: o.Status, NewConfidence: o.Confidence, Source: o.Origin.Source, Turn: turn}
	e.Meta.Set = Patch{Status: &o.Status, Unlocked: &o.Unlocked, Position: &o.Position, Origin: &o.Origin}
	if o.Origin.Layer == SessionOnly {
		e.Meta.Set.Template = o.Template
	}
	return e
}

// Replay rebuilds the obligations from their audit trail, in order of position. Their
// templates come from the objective, or from the first event if no objective defines
// them. An event about an obligation that was never created, or a key without a
// template, is an error: the trail is incomplete.
func Replay(templates []Template, events []Event) ([]Obligation, error) {
	var list []Obligation
	for i, e := range events {
		if e.Type == Created {
			o, err := created(templates, e)
			if err != nil {
				return nil, fmt.Errorf("event %d: %w", i, err)
			}
			list = append(list, o)
			continue
		}
		o := Find(list, e.Key)
		if o == nil {
			return nil, fmt.Errorf("event %d: %s of %q before it was created", i, e.Type, e.Key)
		}
		e.Meta.Set.apply(o)
	}
	slices.SortStableFunc(list, func(a, b Obligation) int { return a.Position - b.Position })
	return list, nil
}

func created(templates []Template, e Event) (Obligation, error) {
	var o Obligation
	switch {
	case e.Meta.Set.Template != nil:
		o.Template = e.Meta.Set.Template
	default:
		i := slices.IndexFunc(templates, func(t Template) bool { return t.Key == e.Key })
		if i < 0 {
			return o, fmt.Errorf("no template for %q", e.Key)
		}
		o.Template = &templates[i]
	}
	o.Status = Pending
	e.Meta.Set.apply(&o)
	return o, nil
}

func (p Patch) apply(o *Obligation) {
	if p.Cleared {
		o.Value, o.Evidence = nil, nil
	}
	if p.Value != nil {
		o.Value = p.Value
	}
	if p.Evidence != nil {
		o.Evidence = p.Evidence
	}
	if p.Stands != nil {
		o.Stands = p.Stands
	}
	if p.Negotiation != nil {
		o.Negotiation = p.Negotiation
	}
	assign(&o.Status, p.Status)
	assign(&o.Confidence, p.Confidence)
	assign(&o.Attempts, p.Attempts)
	assign(&o.LastTurn, p.LastTurn)
	assign(&o.SatisfiedTurn, p.SatisfiedTurn)
	assign(&o.SkipReason, p.SkipReason)
	assign(&o.Unlocked, p.Unlocked)
	assign(&o.Position, p.Position)
	assign(&o.Origin, p.Origin)
	assign(&o.MergedInto, p.MergedInto)
	if p.SplitInto != nil {
		o.SplitInto = p.SplitInto
	}
}

func assign[T any](field *T, v *T) {
	if v != nil {
		*field = *v
	}
}

// Fresh returns the obligations that a session starts with: all pending, and those
// without dependencies unlocked.
func Fresh(templates []Template, origin Origin) []Obligation {
	list := make([]Obligation, len(templates))
	for i := range templates {
		list[i] = Obligation{Template: &templates[i], Status: Pending, Position: i, Origin: origin}
	}
	for i := range list {
		list[i].Unlocked = Ready(list, &list[i])
	}
	return list
}
