package obligations

import (
	"encoding/json"
	"slices"
)

// Scope names one tenant's session. Every function that touches rows takes one,
// so that no query can leave out whose data it reads.
type Scope struct{ Tenant, Session string }

// Obligation is one thing a session must learn, and what is known of it.
type Obligation struct {
	*Template // shared by all obligations made from it: never changed, never nil

	Status        Status          `json:"status"`
	Confidence    Confidence      `json:"confidence"`      // 0.00–1.00, hundredths
	Value         json.RawMessage `json:"value,omitempty"` // shape by widget type, see [Template.Check]; nil while nothing is known
	Evidence      []Evidence      `json:"evidence,omitempty"`
	Attempts      int             `json:"attempts"`              // turns spent asking
	LastTurn      int             `json:"lastAttemptTurn"`       // turn of the last attempt; 0 if never asked
	SatisfiedTurn int             `json:"satisfiedAtTurn"`       // turn it became satisfied; 0 while it is not
	Negotiation   *Negotiation    `json:"negotiation,omitempty"` // nil unless a value is or was disputed
	SkipReason    SkipReason      `json:"skipReason,omitempty"`  // why it was skipped; empty otherwise
	Stands        []Contribution  `json:"stands,omitempty"`      // each person's latest answer, see [Reconcile]; nil while only one person has spoken
	Unlocked      bool            `json:"dependenciesResolved"`  // everything it depends on is resolved
	MergedInto    string          `json:"mergedInto,omitempty"`  // key of the obligation it was merged into; empty if it was not
	SplitInto     []string        `json:"splitInto,omitempty"`   // keys of the obligations it was split into; nil if it was not
	Origin        Origin          `json:"-"`                     // where its definition came from
	Position      int             `json:"-"`                     // place in its objective, from 0
}

// Collection is how an obligation is meant to be learnt.
type Collection string

// The ways to learn something.
const (
	DirectQuestion Collection = "direct_question" // ask the person
	Inferred       Collection = "inferred"        // conclude it from other answers, ask only if that fails
	Research       Collection = "research"        // look it up, ask only if that fails
)

// Widget is the kind of input an answer fits.
type Widget string

// The widgets.
const (
	Text        Widget = "text"
	ChoiceOne   Widget = "choice"
	MultiSelect Widget = "multiselect"
	Date        Widget = "date"
	Number      Widget = "number"
)

// Layer is the level of an objective that defined an obligation.
type Layer string

// The layers; later ones override earlier ones.
const (
	Shipped     Layer = "shipped"
	TenantLayer Layer = "tenant"
	SessionOnly Layer = "session"
)

// Origin is where an obligation's definition came from.
type Origin struct {
	Layer  Layer
	Source string // "objective", or who proposed it
	ID     string // of the objective version; empty when there is none

	// Published is the key of the objective's obligation that asks the same in generally
	// usable words. It is set only for an emergent obligation that was approved.
	Published string `json:",omitempty"`
}

// SkipReason is why an obligation was skipped.
type SkipReason string

// The reasons for skipping.
const (
	NotApplicable SkipReason = "not_applicable"
	NoPreference  SkipReason = "no_preference" // any answer suits the person
	Declined      SkipReason = "declined"
)

// Known reports whether r is one of the reasons.
func (r SkipReason) Known() bool { return r == NotApplicable || r == NoPreference || r == Declined }

// Resolved reports whether o is settled: known, or left out.
func (o *Obligation) Resolved() bool { return o.Status == Satisfied || o.Status == Skipped }

// Bears reports whether obligations that depend on o may be asked: o is resolved, or it holds a
// value, however vague, and was asked twice, or as often as its template allows: who passes
// over a question and its read-back is not held up by them. An obligation without a value unlocks
// nothing.
func (o *Obligation) Bears() bool {
	return o.Resolved() || o.Value != nil && o.Status != Deferred && o.Attempts >= min(askedEnough, o.maxAttempts())
}

// askedEnough is how often a value is asked for before what depends on it is asked regardless.
const askedEnough = 2

// Open reports whether o still wants an answer now: it is neither resolved nor
// deferred.
func (o *Obligation) Open() bool { return !o.Resolved() && o.Status != Deferred }

// Founded reports whether o holds a value that was not skipped and whose latest
// evidence is more than a hint.
func (o *Obligation) Founded() bool {
	return o.Value != nil && o.Status != Skipped && (len(o.Evidence) == 0 || !o.Evidence[len(o.Evidence)-1].Unfounded())
}

// Hinted reports whether o's value rests only on words that were not said or do not
// support it. Such a value is something to ask about; nobody is known to have said it.
func (o *Obligation) Hinted() bool {
	return o.Value != nil && len(o.Evidence) > 0 && !slices.ContainsFunc(o.Evidence, func(e Evidence) bool { return !e.Unfounded() })
}

// Held returns the value that somebody gave or proposed; nil when there is none, or only a
// hint.
func (o *Obligation) Held() json.RawMessage {
	if o.Hinted() {
		return nil
	}
	return o.Value
}

// Find returns the obligation with that key, or nil.
func Find(list []Obligation, key string) *Obligation {
	for i := range list {
		if list[i].Key == key {
			return &list[i]
		}
	}
	return nil
}

// TemplateOf returns the lookup of a list's templates by key.
func TemplateOf(list []Obligation) func(key string) *Template {
	return func(key string) *Template {
		if o := Find(list, key); o != nil {
			return o.Template
		}
		return nil
	}
}
