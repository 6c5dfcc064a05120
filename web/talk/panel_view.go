package talk

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web/ui"
)

// category is the obligations that the panel lists under one heading.
type category struct {
	Name string
	List []*obligations.Obligation
}

// byCategory groups list by category. Categories come in the order of their first
// obligation, obligations in the order of list.
func byCategory(list []obligations.Obligation) []category {
	var out []category
	for i := range list {
		name := cmp.Or(list[i].Category, ui.NoCategory)
		n := slices.IndexFunc(out, func(c category) bool { return c.Name == name })
		if n < 0 {
			n, out = len(out), append(out, category{Name: name})
		}
		out[n].List = append(out[n].List, &list[i])
	}
	return out
}

// phaseState is "done", "current" or "ahead", for the phase p of a session that is in
// the phase now. The style sheets know these words.
func phaseState(p, now sessions.Phase) string {
	switch at := slices.Index(ui.Phases, p) - slices.Index(ui.Phases, now); {
	case at < 0:
		return "done"
	case at == 0:
		return "current"
	}
	return "ahead"
}

// phaseMeaning tells what happens in the phase p, as the rest of a sentence that begins
// with its name.
func phaseMeaning(p sessions.Phase) string {
	switch p {
	case sessions.Opening:
		return "we get to know what this is about."
	case sessions.Exploration:
		return "most of the questions are asked now."
	case sessions.Validation:
		return "what was understood is checked, and gaps are filled."
	case sessions.Closing:
		return "everything is summed up, and you say whether it is complete."
	}
	return ""
}

// phaseFrom returns the least progress, in per cent, at which a session in its opening
// moves to p. It asks [sessions.PhaseFor], so that the thresholds are stated only there.
func phaseFrom(p sessions.Phase) int {
	for n := range 101 {
		if sessions.PhaseFor(float64(n)/100, sessions.Opening) == p {
			return n
		}
	}
	return 100
}

// nextPhaseWords tells at which progress the next phase begins.
func nextPhaseWords(v ChatView) string {
	i := slices.Index(ui.Phases, v.Session.Phase) + 1
	if i == 0 || i >= len(ui.Phases) {
		return ui.Phrases().LastPhase
	}
	return strings.NewReplacer("{name}", ui.PhaseName(ui.Phases[i]), "{from}", fmt.Sprint(phaseFrom(ui.Phases[i])), "{now}", ui.Percent(v.Completeness.Progress)).Replace(ui.Phrases().NextPhase)
}

// maxFurthest bounds the names that [ChatView.furthest] lists: one line of the panel.
const maxFurthest = 3

// furthest names the open obligations of the highest priority, which would add most to
// the progress; empty when none is open.
func (v ChatView) furthest() string {
	var open []*obligations.Obligation
	for i := range v.Obligations {
		if o := &v.Obligations[i]; !o.Resolved() {
			open = append(open, o)
		}
	}
	slices.SortStableFunc(open, func(a, b *obligations.Obligation) int { return cmp.Compare(b.Priority, a.Priority) })
	var names []string
	for _, o := range open[:min(len(open), maxFurthest)] {
		names = append(names, o.Name())
	}
	return strings.Join(names, ", ")
}

// peopleTitle is the heading over the people of an interview. others are those beside
// the owner; a person alone is not counted.
func peopleTitle(others []sessions.Participant) string {
	if len(others) == 0 {
		return "People in this interview"
	}
	return fmt.Sprintf("People in this interview: %d", len(others)+1)
}
