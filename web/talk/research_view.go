package talk

import (
	"fmt"
	"net/url"
	"slices"

	"quaestor/obligations"
	"quaestor/research"
	"quaestor/web/tasks"
	"quaestor/web/ui"
)

// decidable reports whether the reader may accept or reject the value that t proposes:
// the obligation holds it, and it is neither settled nor in dispute.
func (v ChatView) decidable(t research.Task) bool {
	o := v.holderOf(t)
	return o != nil && v.acts() && t.Status == research.Completed && ui.DisputeWords(o.Negotiation) == "" &&
		o.Status != obligations.Satisfied && o.Status != obligations.Skipped
}

// runPath returns the address of the run that t follows; empty for a task without one, and for a reader who may not
// open it.
func (v ChatView) runPath(t research.Task) string {
	if t.Run == "" || !slices.Contains(v.Nav.Places, ui.AtData) {
		return ""
	}
	return "/data/runs/" + url.PathEscape(t.Run)
}

// inUse reports whether the value that t proposes is the answer by now.
func (v ChatView) inUse(t research.Task) bool {
	o := v.holderOf(t)
	return o != nil && o.Status == obligations.Satisfied
}

// steered counts how often somebody told t where to look.
func steered(t research.Task) int {
	n := 0
	for _, s := range t.Steering {
		if !s.Disputes {
			n++
		}
	}
	return n
}

// turnedDown reports whether somebody turned down the value that t proposes.
func (v ChatView) turnedDown(t research.Task) bool {
	if t.Proposal == nil {
		return false
	}
	o := obligations.Find(v.Obligations, t.Proposal.Key)
	return o != nil && o.TurnedDown(t.Proposal.Value)
}

// holderOf returns the obligation that holds the value which t proposes; nil when t
// proposes none, or another value is held.
func (v ChatView) holderOf(t research.Task) *obligations.Obligation {
	if t.Proposal == nil {
		return nil
	}
	o := obligations.Find(v.Obligations, t.Proposal.Key)
	if o == nil || !obligations.SameValue(o.Value, t.Proposal.Value) {
		return nil
	}
	return o
}

// proposalOf words the value that t proposes; empty for none.
func (v ChatView) proposalOf(t research.Task) string {
	if t.Proposal == nil {
		return ""
	}
	return ui.ValueIn(v.Session.Language, v.templateOf(t.Proposal.Key), t.Proposal.Value)
}

// quotedSources returns the sources of t that claims rest on, the best first; none for a
// task whose report is not in the view.
func (v ChatView) quotedSources(t research.Task) []research.Source {
	r := v.Reports[t.ID]
	return slices.DeleteFunc(tasks.SourcesOf(r, true), func(s research.Source) bool { return tasks.ClaimsOf(r, s.N) == 0 })
}

// countWords tells how many sources were read for t and how many claims were found; empty
// for a task whose report is not in the view.
func (v ChatView) countWords(t research.Task) string {
	r, known := v.Reports[t.ID]
	if !known {
		return ""
	}
	return tasks.CountWords(len(tasks.SourcesOf(r, true)), len(r.Claims))
}

// claimPath is the address at which a report shows the claim that e rests on.
func claimPath(session string, e obligations.Evidence) string {
	return fmt.Sprintf("/s/%s/research/%s#claim-%d", url.PathEscape(session), url.PathEscape(e.Task), e.Claim)
}
