package brief

import (
	"cmp"
	"encoding/json"
	"slices"

	"quaestor/obligations"
	"quaestor/sessions"
)

// disputed returns the values that somebody disputes, and those that contradict each
// other.
func (m *maker) disputed() []Dispute {
	var out []Dispute
	for i := range m.Obligations {
		if o := &m.Obligations[i]; o.Negotiation.Open() {
			out = append(out, m.dispute(o))
		}
	}
	for i := range m.Conflicts {
		out = append(out, m.conflict(&m.Conflicts[i]))
	}
	return out
}

// dispute returns the two sides of a value that was rejected.
func (m *maker) dispute(o *obligations.Obligation) Dispute {
	d := Dispute{Name: line(o.Name()), Why: disputeWords[o.Negotiation.Standing()]}
	proposed, own := o.Negotiation.Last()
	for _, side := range []struct {
		value json.RawMessage
		words string
	}{{proposed, "Proposed, and rejected"}, {own, "Named instead"}} {
		if len(side.value) > 0 {
			d.Sides = append(d.Sides, Side{Value: clean(sessions.Display(o.Template, side.value)), Held: obligations.SameValue(side.value, o.Value), Words: side.words})
		}
	}
	return d
}

// conflict returns values that cannot all hold.
func (m *maker) conflict(c *obligations.Conflict) Dispute {
	keys := slices.Compact(slices.Clone(c.Keys))
	d := Dispute{Name: listed(m.namesOf(keys), "Two answers"), Why: cmp.Or(conflictWords[c.Kind], "These answers do not agree.")}
	if c.Kind == obligations.Constrained {
		d.Why = cmp.Or(clean(c.Message), d.Why)
	}
	for _, s := range c.Sides {
		d.Sides = append(d.Sides, m.side(s, len(keys) > 1))
	}
	return d
}

// side returns one side of a conflict. It has a name when the conflict is about several
// obligations.
func (m *maker) side(s obligations.Side, named bool) Side {
	t := m.template(s.Key)
	out := Side{Value: clean(sessions.Display(t, s.Value)), Held: s.Kept}
	if named {
		out.Value = m.name(s.Key) + ": " + out.Value
	}
	if n := len(s.Evidence); n > 0 {
		e := m.evidence(&obligations.Obligation{Template: t}, s.Evidence[n-1])
		out.Words = e.How
		if e.Quote != "" {
			out.Words += ": “" + e.Quote + "”"
		}
	}
	return out
}

// conflictWords explains each kind of conflict.
var conflictWords = map[obligations.ConflictKind]string{
	obligations.Changed:         "The answer has changed, and which one holds is open.",
	obligations.Constrained:     "These values cannot all hold.",
	obligations.AgainstDocument: "What was said differs from what a document says.",
	obligations.AgainstResearch: "What was said differs from what research found.",
	obligations.BetweenPersons:  "Two people say different things.",
}
