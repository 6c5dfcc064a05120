package obligations

import "encoding/json"

// ConflictKind says what kind of values cannot both hold.
type ConflictKind string

// The kinds of conflict (DESIGN 5.8).
const (
	Changed          ConflictKind = "changed"    // the same key got another value
	Constraint       ConflictKind = "constraint" // two keys that cannot both hold
	AgainstDocument  ConflictKind = "document"   // person against document
	AgainstResearch  ConflictKind = "research"   // person against research
	BetweenPersons   ConflictKind = "person"     // one person against another, or a reviewer
	ConflictOpen                  = "open"
	ConflictResolved              = "resolved"
)

// Conflict records values that cannot all hold, each with its evidence.
type Conflict struct {
	ID         string       `json:"id"`
	Kind       ConflictKind `json:"kind"`
	Keys       []string     `json:"keys"`
	Sides      []Side       `json:"sides"`
	Status     string       `json:"status"` // open or resolved
	Detected   int          `json:"detectedTurn"`
	Raised     int          `json:"raisedTurn"` // turn it was raised in conversation; 0 if not yet
	Resolution string       `json:"resolution,omitempty"`
}

// Side is one of the values of a conflict.
type Side struct {
	Key      string          `json:"key"`
	Value    json.RawMessage `json:"value"`
	Evidence []Evidence      `json:"evidence"`
	Kept     bool            `json:"kept"` // whether it is the value held now
}

// clash records that f says otherwise than what o holds. It resolves nothing.
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
	case decided(o) || f.Evidence.Kind == Reviewer, held.By != "" && f.Evidence.By != "" && held.By != f.Evidence.By:
		return BetweenPersons
	}
	return Changed
}
