package brief

import (
	"cmp"
	"encoding/json"
	"slices"

	"quaestor/internal/language"
	"quaestor/obligations"
	"quaestor/sessions"
)

// disputed lists the values that somebody disputes, and those that do not agree.
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

// dispute tells the two sides of a value that was rejected.
func (m *maker) dispute(o *obligations.Obligation) Dispute {
	d := Dispute{Name: line(o.Name()), Why: disputeWords(o.Negotiation.Standing())}
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

// conflict tells values that cannot all hold.
func (m *maker) conflict(c *obligations.Conflict) Dispute {
	keys := slices.Compact(slices.Clone(c.Keys))
	d := Dispute{Name: cmp.Or(language.And(m.namesOf(keys)), "Two answers"), Why: conflictWords(c)}
	for _, s := range c.Sides {
		d.Sides = append(d.Sides, m.side(s, len(keys) > 1))
	}
	return d
}

func (m *maker) side(s obligations.Side, named bool) Side {
	o := obligations.Find(m.Obligations, s.Key)
	t := &obligations.Template{Key: s.Key}
	if o != nil {
		t = o.Template
	}
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

// conflictWords says what does not agree with what.
func conflictWords(c *obligations.Conflict) string {
	switch c.Kind {
	case obligations.Changed:
		return "The answer has changed, and which one holds is open."
	case obligations.Constrained:
		if c.Message != "" {
			return clean(c.Message)
		}
		return "These values cannot all hold."
	case obligations.AgainstDocument:
		return "What was said differs from what a document says."
	case obligations.AgainstResearch:
		return "What was said differs from what research found."
	case obligations.BetweenPersons:
		return "Two people say different things."
	}
	return "These answers do not agree."
}
