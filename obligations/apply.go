package obligations

import (
	"reflect"
	"slices"
)

// Change is what happens to one obligation: its state before and after, and the
// audit events that lead from one to the other.
type Change struct {
	Before, After Obligation
	Events        []Event
	Conflict      *Conflict // two values that cannot both hold; nil if there is none
}

// Apply returns what the findings of one turn change, in the order in which the
// obligations were first touched. It does not modify its arguments. Findings about
// unknown keys, with values of the wrong shape or with values without evidence
// change nothing. A finding that is inferred from others is applied after them,
// whatever their order in the list. In the end the rules of inferred obligations are
// applied to what is known by then, see [InferenceRule].
func Apply(list []Obligation, findings []Finding, turn int) []Change {
	a := newApplier(list, turn)
	var early []Finding // inferred from a finding that comes later in the list
	for _, f := range findings {
		if a.held(f.Evidence.Premises) {
			a.applyFinding(f)
		} else {
			early = append(early, f)
		}
	}
	for _, f := range early {
		a.applyFinding(f)
	}
	a.rollUp()
	a.infer()
	a.unlock()
	return a.changes(list)
}

// applier collects changes to a copy of the obligations.
type applier struct {
	list     []Obligation
	turn     int
	order    []string // keys in the order they were touched
	source   map[string]string
	reason   map[string]string
	conflict map[string]*Conflict
}

func newApplier(list []Obligation, turn int) *applier {
	return &applier{list: slices.Clone(list), turn: turn, source: map[string]string{}, reason: map[string]string{}, conflict: map[string]*Conflict{}}
}

// applyFinding applies one finding, to the obligation that f.Key was merged into if it was.
func (a *applier) applyFinding(f Finding) {
	f.Key = currentKey(a.list, f.Key)
	if o := Find(a.list, f.Key); o != nil {
		a.note(f)
		a.apply(o, f)
	}
}

// held reports whether all these obligations now hold a value that is more than a hint.
func (a *applier) held(keys []string) bool {
	for _, key := range keys {
		if o := Find(a.list, key); o == nil || o.Value == nil || o.Hinted() {
			return false
		}
	}
	return true
}

// note records that f touches its obligation; the last source and reason win.
func (a *applier) note(f Finding) {
	if !slices.Contains(a.order, f.Key) {
		a.order = append(a.order, f.Key)
	}
	if f.Source != "" {
		a.source[f.Key] = f.Source
	}
	if f.Reason != "" {
		a.reason[f.Key] = f.Reason
	}
}

func (a *applier) apply(o *Obligation, f Finding) {
	f.Grade.Kind = f.Evidence.Kind
	f.Grade = f.Grade.flagged(f.Evidence.Flag)
	if f.Act == Add {
		a.elaborate(o, f)
		return
	}
	valued := f.Act == Tell || f.Act == Correct || f.Act == Confirm || f.Act == Submit || f.Act == Settle
	if valued && (f.Grade.Unfound || f.Evidence.Unfounded()) {
		a.hint(o, f)
		return
	}
	if valued && o.Hinted() && f.Value != nil && !SameValue(o.Value, f.Value) && a.usable(o, f) {
		a.retract(o, InProgress) // a hint is nobody's word, so this is no contradiction
		a.reopenDerived(o.Key)
	}
	if valued && a.doubts(o, f) || a.merged(o, f) {
		return
	}
	switch f.Act {
	case Tell:
		a.tell(o, f)
	case Correct:
		a.correct(o, f)
	case Deny:
		a.deny(o, f)
	case Confirm:
		a.confirm(o, f)
	case Add: // done above
	case Unsure, Defer:
		a.deferred(o)
	case Skip:
		a.skip(o, f)
	case Asked:
		a.asked(o)
	case Unheard:
		a.unheard(o)
	case Reopen:
		a.reopen(o, f)
	case Submit:
		a.submit(o, f)
	case Settle:
		a.settle(o, f)
	}
}

// tell weighs a value against the one held: it is new, it agrees, it is too weak to
// replace the old one, or it replaces it, which is a conflict unless the old answer
// was vague.
func (a *applier) tell(o *Obligation, f Finding) {
	if !a.usable(o, f) {
		return
	}
	switch {
	case o.Value == nil:
		a.first(o, f)
	case SameValue(o.Value, f.Value):
		a.agree(o, f)
	case o.concluded() && f.Evidence.Kind == InferredEvidence: // of two conclusions that of the objective's rule stays
	case weaker(o, f):
		a.clash(o, f, "the earlier value is better founded and was kept")
	case refinesVague(o, f): // the same person made it more precise
		a.replace(o, f, "the earlier answer was too general")
	case o.concludedOnly() && !proposes(f.Evidence.Kind): // nobody had said or read it
		a.replace(o, f, "the person gave another value than was concluded")
	case onlyResearched(o) && !proposes(f.Evidence.Kind): // nobody had said it: reviewers see it, but it is not asked about
		a.clash(o, f, "the person's word was taken over what was found")
		a.conflict[o.Key].Status = ConflictResolved
		a.replace(o, f, "the person gave another value than was proposed")
	default:
		a.clash(o, f, "the later value was taken")
		a.replace(o, f, "a later statement differs")
	}
}

// onlyResearched reports whether the value held was proposed by research and nobody has
// confirmed it.
func onlyResearched(o *Obligation) bool {
	return o.Value != nil && !slices.ContainsFunc(o.Evidence, func(e Evidence) bool { return e.Kind != ResearchEvidence })
}

// refinesVague reports whether o holds only a vague answer of the person who now gives f.
// Being more precise contradicts nothing.
func refinesVague(o *Obligation, f Finding) bool {
	if len(o.Evidence) == 0 || proposes(f.Evidence.Kind) {
		return false
	}
	last := o.Evidence[len(o.Evidence)-1]
	return last.Grade != nil && last.Grade.Vague && last.By == f.Evidence.By
}

// usable reports whether f brings a value that may be stored: it has the right
// shape and evidence, and the person has not rejected it before unless they say it
// themselves now, and not in passing: that is how it came to be noted wrongly. A proposal never brings back a skipped obligation.
func (a *applier) usable(o *Obligation, f Finding) bool {
	if !a.admissible(o, f) || proposes(f.Evidence.Kind) && o.Status == Skipped {
		return false
	}
	own := slices.Contains([]EvidenceKind{Stated, WidgetInput, Reviewer}, f.Evidence.Kind)
	return own && !f.Grade.Loose || !o.Negotiation.Rejected(f.Value, f.Evidence)
}

// admissible reports whether f's value has the right shape and valid evidence and,
// if it was inferred, whether all its premises are held now. An inferred value
// without premises could never be retracted with them.
func (a *applier) admissible(o *Obligation, f Finding) bool {
	if f.Value == nil || !f.Evidence.Kind.Valid() || o.Check(f.Value) != nil {
		return false
	}
	return a.held(f.Evidence.Premises) && !slices.Contains(f.Evidence.Premises, o.Key)
}

// doubts handles a value that its words support only weakly, and reports whether it did:
// against another value that is well founded it is a question of which holds, and never
// replaces it.
func (a *applier) doubts(o *Obligation, f Finding) bool {
	if f.Evidence.Flag != FlagDoubtful || o.Value == nil || f.Value == nil || SameValue(o.Value, f.Value) || !founded(o) {
		return false
	}
	if a.usable(o, f) {
		a.clash(o, f, "the earlier value is better founded and was kept")
	}
	return true
}

// hint stores a value whose words were not said or do not support it as something to ask
// about. It fills an empty obligation or replaces another hint; it never replaces a real
// value, opens a conflict or touches a dispute.
func (a *applier) hint(o *Obligation, f Finding) {
	free := o.Value == nil || o.Hinted() && !SameValue(o.Value, f.Value)
	if !free || o.Status == Skipped || o.Status == Deferred || o.Negotiation.Open() || !a.admissible(o, f) || o.Negotiation.Rejected(f.Value, f.Evidence) {
		return
	}
	a.set(o, f, []Evidence{f.Evidence})
}

// first gives o its first value. If a dispute had left o without one, what a person
// says now ends it.
func (a *applier) first(o *Obligation, f Finding) {
	a.set(o, f, []Evidence{f.Evidence})
	a.conclude(o, f)
}

// conclude moves an open dispute on after o got a value. A reviewer's value ends
// it, and so does the person's own unless a reviewer has to decide; a proposal
// leaves it open.
func (a *applier) conclude(o *Obligation, f Finding) {
	n := o.Negotiation
	if !n.Open() {
		return
	}
	s := Settlement{Turn: a.turn, Value: o.Value, By: f.Evidence.By}
	switch f.Evidence.Kind {
	case Reviewer:
		s.Reviewer = true
		n, _ = ResolveNegotiation(n, s) // cannot fail: the dispute is open
	case Accepted:
		n, _ = n.accept(s)
	case Stated, WidgetInput, Document:
		s.By = ""
		n, _ = n.modify(s)
	case InferredEvidence, ResearchEvidence:
	}
	o.Negotiation = n
}

// proposes reports whether evidence of kind k only proposes a value, which a person
// has to confirm: inference and research.
func proposes(k EvidenceKind) bool { return k == InferredEvidence || k == ResearchEvidence }

// weaker reports whether f is too weak to replace the value held: a passing remark
// or an inference with a lower confidence, or anything from a document, research or
// inference against a person's word.
func weaker(o *Obligation, f Finding) bool {
	if (proposes(f.Evidence.Kind) || f.Evidence.Kind == Document) && o.given() {
		return true
	}
	if f.Evidence.Flag == FlagDoubtful && founded(o) {
		return true
	}
	lesser := f.Grade.Loose || proposes(f.Evidence.Kind)
	return (lesser && f.Grade.Confidence() < o.Confidence) || (o.Decided() && f.Evidence.Kind != Reviewer)
}

// given reports whether the value held is a person's own word.
func (o *Obligation) given() bool {
	return slices.ContainsFunc(o.Evidence, func(e Evidence) bool {
		return !proposes(e.Kind) && e.Kind != Document && e.Flag == ""
	})
}

// Decided reports whether a reviewer settled the value held. Only a reviewer may
// change it then.
func (o *Obligation) Decided() bool {
	return slices.ContainsFunc(o.Evidence, func(e Evidence) bool { return e.Kind == Reviewer })
}

// set stores f's value; the last element of evidence is replaced by f's own.
func (a *applier) set(o *Obligation, f Finding, evidence []Evidence) {
	grade := f.Grade
	f.Evidence.Grade = &grade
	f.Evidence.Turn = a.turn
	evidence[len(evidence)-1] = f.Evidence
	o.Value, o.Evidence, o.Confidence, o.SkipReason = f.Value, evidence, grade.Confidence(), ""
	a.rate(o)
}

// rate derives o's status from its value: satisfied if its condition holds on sound
// evidence that a person or document provides, in progress if the confidence is in
// the lowest band, and partial otherwise.
func (a *applier) rate(o *Obligation) {
	switch {
	case satisfies(o) && founded(o):
		if o.Status != Satisfied {
			o.SatisfiedTurn = a.turn
		}
		o.Status = Satisfied
		return
	case o.Confidence <= maxLow:
		o.Status = InProgress
	default:
		o.Status = Partial
	}
	o.SatisfiedTurn = 0
}

// founded reports whether o has sound evidence from a person or a document that is
// not itself part of an open dispute.
func founded(o *Obligation) bool {
	return slices.ContainsFunc(o.Evidence, func(e Evidence) bool {
		return e.Sound() && !proposes(e.Kind) && (e.Grade == nil || !e.Grade.Disputed)
	})
}

// agree adds evidence for the value held. It never lowers the confidence. A value
// that was skipped or deferred counts again once it is repeated, even in the same
// words.
func (a *applier) agree(o *Obligation, f Finding) {
	again := slices.ContainsFunc(o.Evidence, func(e Evidence) bool {
		return e.Kind == f.Evidence.Kind && e.Message == f.Evidence.Message && e.Quote == f.Evidence.Quote && e.Flag == f.Evidence.Flag
	})
	if again && o.SkipReason == "" {
		return
	}
	if !again {
		grade := f.Grade
		grade.Agreement = o.reasons()
		f.Evidence.Grade, f.Evidence.Turn = &grade, a.turn
		o.Evidence = keepEvidence(append(slices.Clone(o.Evidence), f.Evidence))
		o.Confidence = max(o.Confidence, grade.Confidence())
	}
	o.SkipReason = ""
	a.rate(o)
	if !proposes(f.Evidence.Kind) {
		a.conclude(o, f)
	}
}

// reasons returns how many pieces of evidence count as agreement. What follows from a rule
// does not: it says once more what its premises say.
func (o *Obligation) reasons() int {
	n := 0
	for _, e := range o.Evidence {
		if e.Because == "" {
			n++
		}
	}
	return n
}

// replace exchanges the value held for f's and records it as one round of
// negotiation.
func (a *applier) replace(o *Obligation, f Finding, why string) {
	if f.Reason != "" {
		why = f.Reason
	}
	n, err := o.Negotiation.revise(a.rejection(o, o.Value, why), Settlement{Turn: a.turn, Value: f.Value, Reviewer: f.Evidence.Kind == Reviewer, By: a.by(f)})
	if err == nil {
		o.Negotiation = n
	}
	o.SatisfiedTurn = 0
	o.Status = Partial // so that rate sets SatisfiedTurn to this turn if the new value satisfies
	a.set(o, f, []Evidence{f.Evidence})
	a.reopenDerived(o.Key)
}

// by returns the reviewer's name if f is a reviewer's; other speakers are named in
// their evidence.
func (a *applier) by(f Finding) string {
	if f.Evidence.Kind == Reviewer {
		return f.Evidence.By
	}
	return ""
}

// correct replaces the value held, unless a reviewer decided it.
func (a *applier) correct(o *Obligation, f Finding) {
	if !a.usable(o, f) {
		return
	}
	switch {
	case o.Value == nil:
		a.first(o, f)
	case SameValue(o.Value, f.Value):
		a.agree(o, f)
	case o.Decided() && f.Evidence.Kind != Reviewer:
		a.clash(o, f, "a reviewer had decided the earlier value")
	default:
		a.replace(o, f, "the person corrected it")
	}
}

// submit holds the value that the person insists on in a dispute, in doubt until the
// dispute ends. Against a reviewer's decision it is only recorded, for the reviewer.
func (a *applier) submit(o *Obligation, f Finding) {
	if !a.admissible(o, f) || proposes(f.Evidence.Kind) {
		return
	}
	n, err := SubmitUserValue(o.Negotiation, a.turn, f.Value)
	if err != nil {
		return
	}
	o.Negotiation = n
	if f.Grade.Disputed = true; !o.Decided() {
		a.hold(o, f)
	}
}

// settle ends a dispute with f's value, whether the person's or a reviewer's.
func (a *applier) settle(o *Obligation, f Finding) {
	if !a.admissible(o, f) || proposes(f.Evidence.Kind) {
		return
	}
	reviewer := f.Evidence.Kind == Reviewer
	n, err := ResolveNegotiation(o.Negotiation, Settlement{Turn: a.turn, Value: f.Value, Resolution: f.How, Reviewer: reviewer, By: f.Evidence.By})
	if err != nil || o.Decided() && !reviewer {
		return
	}
	a.hold(o, f)
	o.Negotiation = n
}

// hold stores f's value whatever o held before.
func (a *applier) hold(o *Obligation, f Finding) {
	same := SameValue(o.Value, f.Value)
	if !same {
		o.Status, o.SatisfiedTurn = Partial, 0 // as in replace
	}
	a.set(o, f, []Evidence{f.Evidence})
	if !same {
		a.reopenDerived(o.Key)
	}
}

// confirm handles assent to the value held or proposed. Research and inference
// cannot assent, so theirs is handled as one more proposal.
func (a *applier) confirm(o *Obligation, f Finding) {
	if f.Value == nil {
		f.Value = o.Value
	}
	if !a.admissible(o, f) {
		return
	}
	switch {
	case proposes(f.Evidence.Kind):
		a.tell(o, f)
		return
	case o.Value == nil:
		a.set(o, f, []Evidence{f.Evidence})
	case SameValue(o.Value, f.Value):
		a.agree(o, f)
	case weaker(o, f):
		a.clash(o, f, "the earlier value is better founded and was kept")
		return
	default:
		a.replace(o, f, "the person confirmed another value")
	}
	if n, err := o.Negotiation.accept(Settlement{Turn: a.turn, Value: o.Value}); err == nil {
		o.Negotiation = n
	}
}

// deferred puts o and its dispute off; what is resolved stays resolved.
func (a *applier) deferred(o *Obligation) {
	if o.Resolved() {
		return
	}
	o.Status = Deferred
	if n, err := o.Negotiation.step(StepDefer); err == nil {
		o.Negotiation = n
	}
}

// skip leaves o out. What does not apply, or may be anything, has no value any more; a
// person who declines to say more keeps what was said before.
func (a *applier) skip(o *Obligation, f Finding) {
	if !f.Skip.Known() || o.Decided() && f.Source != SourceReviewer {
		return
	}
	if f.Skip != Declined && o.Value != nil {
		a.retract(o, Pending)
		a.reopenDerived(o.Key)
	}
	o.Status, o.SkipReason, o.SatisfiedTurn = Skipped, f.Skip, 0
}

// asked counts an attempt and takes up a deferred dispute again.
func (a *applier) asked(o *Obligation) {
	o.Attempts++
	o.LastTurn = a.turn
	if o.Status == Pending || o.Status == Deferred {
		o.Status = InProgress
	}
	if n, err := o.Negotiation.step(StepResume); err == nil {
		o.Negotiation = n
	}
}

// unheard takes back an attempt that did not reach the person.
func (a *applier) unheard(o *Obligation) {
	o.Attempts = max(0, o.Attempts-1)
	if o.Attempts == 0 && o.Value == nil && o.Status == InProgress {
		o.Status = Pending
	}
}

// unlock updates Unlocked on all obligations.
func (a *applier) unlock() {
	for i := range a.list {
		o := &a.list[i]
		if ready := Ready(a.list, o); ready != o.Unlocked {
			o.Unlocked = ready
			a.note(Finding{Key: o.Key})
		}
	}
}

// changes compares the copy with the list it was made from.
func (a *applier) changes(before []Obligation) []Change {
	var out []Change
	for _, key := range a.order {
		old, now := Find(before, key), Find(a.list, key)
		conflict := a.conflict[key]
		if conflict == nil && reflect.DeepEqual(old, now) {
			continue
		}
		c := Change{Before: *old, After: *now, Conflict: conflict}
		c.Events = diff(*old, *now, a.turn, a.source[key], a.reason[key])
		if out == nil {
			out = make([]Change, 0, len(a.order)) // a Change is large; growing would copy it
		}
		out = append(out, c)
	}
	return out
}

// Merge returns a copy of list with the changes made.
func Merge(list []Obligation, changes []Change) []Obligation {
	out := slices.Clone(list)
	for _, c := range changes {
		if o := Find(out, c.After.Key); o != nil {
			*o = c.After
		}
	}
	return out
}
