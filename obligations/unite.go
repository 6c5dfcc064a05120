package obligations

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"quaestor/internal/fault"
)

// ReviewDecision is who restructures obligations, when and why.
type ReviewDecision struct {
	Turn   int    // the session's latest turn
	Source string // "reviewer", or the automatism that decided; kept in the audit trail
	Reason string // in words; empty means the operation's own description

	// Published is the key of the objective's obligation that an approved emergent one
	// became; empty for any other decision.
	Published string
}

// reason returns r's own reason, or else the formatted one.
func (r ReviewDecision) reason(format string, args ...any) string {
	if r.Reason != "" {
		return r.Reason
	}
	return fmt.Sprintf(format, args...)
}

// Standing returns the obligation that now stands for key: the one it was merged into,
// or its own. It is nil if list has no such key.
func Standing(list []Obligation, key string) *Obligation {
	o := Find(list, key)
	for range list { // merges form no cycle, so a chain is at most as long as the list
		if o == nil || o.MergedInto == "" {
			break
		}
		o = Find(list, o.MergedInto)
	}
	return o
}

// currentKey returns the key that a finding about key now belongs to. It is empty for a split
// obligation, whose value is composed of its children's.
func currentKey(list []Obligation, key string) string {
	o := Standing(list, key)
	if o == nil || o.SplitInto != nil {
		return ""
	}
	return o.Key
}

// Unite merges one obligation into another, or into the one that stands for it. Both keys
// stay; the first points to the second and is skipped. The evidence of both is kept. If
// their values differ, the better founded one holds and the other becomes a conflict.
// Unite does not modify its arguments. It refuses a merge that would lose a value, create
// a cycle or decide an open dispute.
func Unite(list []Obligation, from, into string, r ReviewDecision) ([]Change, error) {
	a := newApplier(list, r.Turn)
	gone, kept := Find(a.list, from), Standing(a.list, into)
	if err := mayUnite(a.list, gone, kept, from, into); err != nil {
		return nil, err
	}
	old := *gone
	gone.MergedInto, gone.Status, gone.SkipReason, gone.SatisfiedTurn = kept.Key, Skipped, NotApplicable, 0
	gone.Value, gone.Evidence, gone.Confidence = nil, nil, 0
	a.note(Finding{Key: gone.Key, Source: r.Source, Reason: r.reason("merged into %s", kept.Key)})
	kept.Attempts, kept.LastTurn = max(kept.Attempts, old.Attempts), max(kept.LastTurn, old.LastTurn)
	more := slices.Clone(recastStands(old.Template, kept.Template, old.Stands))
	if more = slices.DeleteFunc(more, func(c Contribution) bool { return kept.Check(c.Value) != nil }); len(more) > 0 {
		kept.Stands = latestOfEach(slices.Concat(kept.Stands, more))
	}
	if err := a.mergeValue(kept, &old); err != nil {
		return nil, err
	}
	a.note(Finding{Key: kept.Key, Source: r.Source, Reason: r.reason("%s was merged into it", from)})
	a.rollUp()
	a.unlock()
	return asMerged(a.changes(list), kept.Key), nil
}

// asMerged types the event of the remaining obligation as a merge.
func asMerged(changes []Change, kept string) []Change {
	for i := range changes {
		if c := &changes[i]; c.After.Key == kept && len(c.Events) > 0 && c.Events[0].Type != Negotiated {
			c.Events[0].Type = Merged
		}
	}
	return changes
}

// mayUnite returns the fault that forbids merging gone into kept, or nil.
func mayUnite(list []Obligation, gone, kept *Obligation, from, into string) error {
	for i, o := range []*Obligation{gone, kept} {
		switch {
		case o == nil:
			return fault.New(fault.NotFound, "the session has no obligation %q", clip([]string{from, into}[i])).Coded("obligation_not_found")
		case o.SplitInto != nil:
			return fault.New(fault.Conflict, "%s was split; merge its parts instead", o.Key).Coded("obligation_split")
		case o.Negotiation.Open():
			return fault.New(fault.Conflict, "the value of %s is in dispute; settle that first", o.Key).Coded("obligation_disputed")
		}
	}
	switch {
	case gone.MergedInto != "":
		return fault.New(fault.Conflict, "%s was merged into %s already", gone.Key, gone.MergedInto).Coded("obligation_merged")
	case gone.Key == kept.Key:
		return fault.New(fault.Conflict, "%s cannot be merged into itself", gone.Key).Coded("obligation_merged")
	case gone.Widget != Text && kept.Widget != Text && (gone.Widget != kept.Widget || gone.Unit != kept.Unit):
		return fault.New(fault.Conflict, "%s and %s cannot hold each other's values", gone.Key, kept.Key).Coded("obligations_differ")
	}
	after := slices.Clone(list)
	Find(after, gone.Key).MergedInto = kept.Key
	return refuseCircle(after)
}

// refuseCircle refuses a structure in which obligations wait for each other.
func refuseCircle(list []Obligation) error {
	graph := make([]Template, 0, len(list))
	for i := range list {
		o := &list[i]
		t := Template{Key: o.Key}
		for _, key := range append(slices.Clone(o.Dependencies), o.SplitInto...) {
			if d := Standing(list, key); d != nil && d.Key != o.Key {
				t.Dependencies = append(t.Dependencies, d.Key)
			}
		}
		if o.MergedInto == "" {
			graph = append(graph, t)
		}
	}
	if circle := findCycle(graph); circle != nil {
		return fault.New(fault.Unprocessable, "then these would wait for each other: %s", strings.Join(circle, " → ")).Coded("dependency_circle")
	}
	return nil
}

// mergeValue gives kept the value of old, and moves the values that rest on old to it.
func (a *applier) mergeValue(kept, old *Obligation) error {
	if old.Value == nil || old.Hinted() && kept.Value != nil {
		return nil
	}
	value, why := Convert(old.Template, kept.Template, old.Value)
	if value == nil {
		return fault.New(fault.Unprocessable, "%s holds a value that %s cannot take (%s); correct it first", old.Key, kept.Key, why).Coded("value_does_not_fit")
	}
	before := *kept
	theirs, ours := apartFrom(old.Evidence, kept.Key), apartFrom(kept.Evidence, old.Key)
	switch {
	case kept.Value == nil, len(ours) == 0, kept.Hinted() && !old.Hinted():
		a.transfer(kept, old, value, theirs)
	case SameValue(kept.Value, value):
		a.transfer(kept, old, value, keepEvidence(slices.Concat(ours, theirs)))
		kept.Confidence = max(kept.Confidence, before.Confidence)
	default:
		a.resolveMerge(kept, old, value, ours, theirs)
	}
	if kept.Value != nil && kept.Status != Skipped {
		a.rate(kept)
	}
	a.carryOver(&before, kept, old, value)
	return nil
}

// transfer gives kept the value and evidence of old. If kept had been deferred or skipped,
// it counts again.
func (a *applier) transfer(kept, old *Obligation, value json.RawMessage, evidence []Evidence) {
	if len(evidence) == 0 { // old's value was inferred from kept alone
		return
	}
	kept.Value, kept.Evidence, kept.Confidence = value, evidence, max(old.Confidence, 0)
	if kept.Status == Skipped || kept.Status == Deferred {
		kept.Status, kept.SkipReason = Partial, ""
	}
}

// resolveMerge keeps the better founded of two values and records a conflict. On a tie kept's
// own value stays.
func (a *applier) resolveMerge(kept, old *Obligation, value json.RawMessage, ours, theirs []Evidence) {
	if len(theirs) == 0 {
		return
	}
	held := Side{Key: kept.Key, Value: kept.Value, Evidence: ours, Kept: true}
	other := Side{Key: kept.Key, Value: value, Evidence: theirs}
	kind := conflictKind(&Obligation{Evidence: ours}, Finding{Evidence: theirs[len(theirs)-1]})
	if better(old, kept) {
		held.Kept, other.Kept = false, true
		a.transfer(kept, old, value, theirs)
	} else {
		kept.Evidence = ours
	}
	a.conflict[kept.Key] = &Conflict{Kind: kind, Keys: []string{kept.Key}, Status: ConflictOpen, Detected: a.turn,
		Resolution: "merged with " + old.Key + ", which held otherwise; the better founded value was kept", Sides: []Side{held, other}}
}

// better reports whether o's value is better founded than p's: a reviewer's decision wins,
// then the higher confidence.
func better(o, p *Obligation) bool {
	if o.Decided() != p.Decided() {
		return o.Decided()
	}
	return o.Confidence > p.Confidence
}

// apartFrom returns the evidence that was not inferred from key.
func apartFrom(list []Evidence, key string) []Evidence {
	return slices.DeleteFunc(slices.Clone(list), func(e Evidence) bool { return slices.Contains(e.Premises, key) })
}

// carryOver updates the values inferred from the merged obligations: they now rest on
// kept if its value is the same, and are retracted if it is not.
func (a *applier) carryOver(before, kept, old *Obligation, value json.RawMessage) {
	if before.Value != nil && !SameValue(before.Value, kept.Value) {
		a.reopenDerived(kept.Key)
	}
	if !SameValue(kept.Value, value) {
		a.reopenDerived(old.Key)
		return
	}
	for i := range a.list {
		o := &a.list[i]
		if o.Key == kept.Key || !slices.ContainsFunc(o.Evidence, func(e Evidence) bool { return slices.Contains(e.Premises, old.Key) }) {
			continue
		}
		o.Evidence = slices.Clone(o.Evidence)
		for j := range o.Evidence {
			o.Evidence[j].Premises = renamed(o.Evidence[j].Premises, old.Key, kept.Key)
		}
		a.note(Finding{Key: o.Key, Source: "derived", Reason: old.Key + " was merged into " + kept.Key})
	}
}

func renamed(keys []string, from, to string) []string {
	out := slices.Clone(keys)
	for i := range out {
		if out[i] == from {
			out[i] = to
		}
	}
	return out
}
