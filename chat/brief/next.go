package brief

import (
	"quaestor/internal/language"
	"quaestor/obligations"
	"quaestor/research"
)

// Bounds of the steps listed: more than eight are no help in deciding what to do next.
const (
	maxNext      = 8
	maxFollowUps = 3 // of these, from the interviewer's notes
)

// next returns what to do now: decide what is disputed, find out what is required, decide
// about research, make sure of values, and ask the rest.
func (m *maker) next() []string {
	var out []string
	for _, d := range m.disputed() {
		out = append(out, "Decide about "+d.Name+": two sides differ.")
	}
	gaps := m.open()
	out = append(out, gapSteps(gaps, true)...)
	out = append(out, m.proposals()...)
	out = append(out, m.unsure()...)
	out = append(out, gapSteps(gaps, false)...)
	for _, f := range m.Session.Memory.FollowUps[:min(len(m.Session.Memory.FollowUps), maxFollowUps)] {
		if !m.isGap(f.Key) {
			out = append(out, "Come back to "+m.name(f.Key)+": "+line(f.Reason))
		}
	}
	switch n := len(out); {
	case n == 0:
		return []string{"Nothing is left to do: everything is answered, and nothing is disputed."}
	case n > maxNext:
		return append(out[:maxNext-1:maxNext-1], "… and "+language.Count(n-maxNext+1, "further step")+"; the parts below name them.")
	}
	return out
}

// gapSteps returns a step for each gap that can be asked and is needed, or is not.
func gapSteps(gaps []Gap, needed bool) []string {
	var out []string
	for _, g := range gaps {
		switch {
		case g.Needed != needed || g.Question == "":
		case needed:
			out = append(out, "Find out "+g.Name+"; the interview needs it: "+g.Question)
		default:
			out = append(out, "Ask about "+g.Name+": "+g.Question)
		}
	}
	return out
}

// isGap reports whether key is listed as open anyway.
func (m *maker) isGap(key string) bool {
	o := obligations.Find(m.Obligations, key)
	return o != nil && o.Value == nil && o.Status != obligations.Skipped
}

// proposals returns a step for each proposal of research that nobody has decided about. What somebody
// turned down, or said to be wrong, is decided.
func (m *maker) proposals() []string {
	var out []string
	for i := range m.Research {
		t := &m.Research[i].Task
		if t.Status != research.Completed || t.Proposal == nil {
			continue
		}
		if o := obligations.Find(m.Obligations, t.Proposal.Key); o != nil && o.Status != obligations.Satisfied && !m.refused(t) {
			out = append(out, "Confirm or reject what research proposes. "+m.proposal(*t))
		}
	}
	return out
}

// unsure returns a step for each value that is known only in part.
func (m *maker) unsure() []string {
	var out []string
	for i := range m.Obligations {
		if o := &m.Obligations[i]; o.Value != nil && !o.Resolved() && !o.Negotiation.Open() {
			out = append(out, "Make sure of "+line(o.Name())+" ("+sureWords(o.Confidence)+").")
		}
	}
	return out
}
