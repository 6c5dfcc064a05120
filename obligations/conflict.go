package obligations

import (
	"encoding/json"
	"slices"
)

// ConflictKind is what stands against what in a conflict.
type ConflictKind string

// The kinds of conflict.
const (
	Changed          ConflictKind = "changed"    // the same key got another value
	Constrained      ConflictKind = "constraint" // values of several keys that cannot all hold, see [Constraint]
	AgainstDocument  ConflictKind = "document"   // a person against a document
	AgainstResearch  ConflictKind = "research"   // a person against research
	BetweenPersons   ConflictKind = "person"     // one person against another, or against a reviewer
	ConflictOpen                  = "open"
	ConflictResolved              = "resolved"
)

// Conflict records values that cannot all hold, each with its evidence.
type Conflict struct {
	ID         string       `json:"id"`
	Kind       ConflictKind `json:"kind"`
	Keys       []string     `json:"keys"` // the first is the one to ask about
	Sides      []Side       `json:"sides"`
	Status     string       `json:"status"` // open or resolved
	Detected   int          `json:"detectedTurn"`
	Raised     int          `json:"raisedTurn"`           // turn it was raised in conversation; 0 if not yet
	Constraint string       `json:"constraint,omitempty"` // name of the violated constraint
	Message    string       `json:"message,omitempty"`    // the constraint's message to the person
	Resolution string       `json:"resolution,omitempty"`
	ResolvedBy string       `json:"resolvedBy,omitempty"` // the reviewer who ended it; empty if the conversation or a changed value did
}

// Side is one of the values in a conflict.
type Side struct {
	Key      string          `json:"key"`
	Value    json.RawMessage `json:"value"`
	Evidence []Evidence      `json:"evidence"`
	Kept     bool            `json:"kept"` // whether it is the value held now
}

// Values returns the values that key has in the conflict, in the order of the
// sides. A person who is asked about key can choose among them.
func (c *Conflict) Values(key string) []json.RawMessage {
	var out []json.RawMessage
	for _, s := range c.Sides {
		if s.Key == key && s.Value != nil {
			out = append(out, s.Value)
		}
	}
	return out
}

// same reports whether c and d are about the same values of the same constraint.
func (c *Conflict) same(d *Conflict) bool {
	if c.Kind != Constrained || d.Kind != Constrained || c.Constraint != d.Constraint || len(c.Sides) != len(d.Sides) {
		return false
	}
	for _, s := range c.Sides {
		if !slices.ContainsFunc(d.Sides, func(t Side) bool { return s.Key == t.Key && SameValue(s.Value, t.Value) }) {
			return false
		}
	}
	return true
}

// stands reports whether list still holds the values of all sides.
func (c *Conflict) stands(list []Obligation) bool {
	return !slices.ContainsFunc(c.Sides, func(s Side) bool {
		o := Find(list, s.Key)
		return o == nil || o.Value == nil || !SameValue(o.Value, s.Value)
	})
}

// clash records a conflict between f and the value o holds. It resolves nothing.
func (a *applier) clash(o *Obligation, f Finding, note string) {
	f.Evidence.Turn = a.turn
	kept := weaker(o, f)
	a.conflict[o.Key] = &Conflict{
		Kind: conflictKind(o, f), Keys: []string{o.Key}, Status: ConflictOpen, Detected: a.turn, Resolution: note,
		Sides: []Side{
			{Key: o.Key, Value: o.Value, Evidence: o.Evidence, Kept: kept},
			{Key: o.Key, Value: f.Value, Evidence: []Evidence{f.Evidence}, Kept: !kept},
		},
	}
}

func conflictKind(o *Obligation, f Finding) ConflictKind {
	held := Evidence{}
	if len(o.Evidence) > 0 {
		held = o.Evidence[len(o.Evidence)-1]
	}
	switch {
	case held.Kind == Document || f.Evidence.Kind == Document:
		return AgainstDocument
	case held.Kind == ResearchEvidence || f.Evidence.Kind == ResearchEvidence:
		return AgainstResearch
	case o.Decided() || f.Evidence.Kind == Reviewer, held.By != "" && f.Evidence.By != "" && held.By != f.Evidence.By:
		return BetweenPersons
	}
	return Changed
}
