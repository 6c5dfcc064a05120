package talk

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web"
	"quaestor/web/ui"
)

// byCategory groups the obligations that the panel lists by category.
func byCategory(list []obligations.Obligation) []ui.Group[string, *obligations.Obligation] {
	pointers := make([]*obligations.Obligation, len(list))
	for i := range list {
		pointers[i] = &list[i]
	}
	return ui.GroupBy(pointers, func(o *obligations.Obligation) string { return cmp.Or(o.Category, ui.NoCategory) })
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

// phaseMeanings tell what happens in a phase, as the rest of a sentence that begins with
// its name.
var phaseMeanings = map[sessions.Phase]string{
	sessions.Opening:     "we get to know what this is about.",
	sessions.Exploration: "most of the questions are asked now.",
	sessions.Validation:  "what was understood is checked, and gaps are filled.",
	sessions.Closing:     "everything is summed up, and you say whether it is complete.",
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

// sureScale names how sure an answer can be, from the least on.
func sureScale() string {
	w := make([]string, 0, 4)
	for _, c := range []float64{0, 0.5, 0.8, 1} { // one of each band
		w = append(w, ui.SureWords(obligations.Of(c)))
	}
	return strings.Join(w[:3], ", ") + " or " + w[3]
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
	return strings.Join(web.Map(open[:min(len(open), maxFurthest)], (*obligations.Obligation).Name), ", ")
}

// peopleTitle is the heading over the people of an interview. others are those beside
// the owner; a person alone is not counted.
func peopleTitle(others []sessions.Participant) string {
	if len(others) == 0 {
		return "People in this interview"
	}
	return fmt.Sprintf("People in this interview: %d", len(others)+1)
}
