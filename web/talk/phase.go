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

// phaseMeaning says what a phase is for.
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

// phaseFrom is the progress a phase begins at, in per cent: the first that leads
// from the opening to it.
func phaseFrom(p sessions.Phase) int {
	for n := range 101 {
		if sessions.PhaseFor(float64(n)/100, sessions.Opening) == p {
			return n
		}
	}
	return 100
}

// nextWords says when the next phase begins.
func nextWords(v ChatView) string {
	i := slices.Index(ui.Phases, v.Session.Phase) + 1
	if i == 0 || i >= len(ui.Phases) {
		return ui.Phrases().LastPhase
	}
	return strings.NewReplacer("{name}", ui.PhaseName(ui.Phases[i]), "{from}", fmt.Sprint(phaseFrom(ui.Phases[i])), "{now}", ui.Percent(v.Completeness.Progress)).Replace(ui.Phrases().NextPhase)
}

// maxFarthest bounds the names of what would take an interview furthest.
const maxFarthest = 3

// farthest names what is open and matters most; empty when nothing is open.
func (v ChatView) farthest() string {
	var open []*obligations.Obligation
	for i := range v.Obligations {
		if o := &v.Obligations[i]; !o.Resolved() {
			open = append(open, o)
		}
	}
	slices.SortStableFunc(open, func(a, b *obligations.Obligation) int { return cmp.Compare(b.Priority, a.Priority) })
	var names []string
	for _, o := range open[:min(len(open), maxFarthest)] {
		names = append(names, o.Name())
	}
	return strings.Join(names, ", ")
}
