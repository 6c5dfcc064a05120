package talk

import (
	"fmt"
	"net/url"
	"slices"

	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/web/tasks"
	"quaestor/web/ui"
)

// decidable reports whether the reader may accept or reject what t proposes: it
// is what an obligation holds that is neither settled nor in dispute.
func (v ChatView) decidable(t research.Task) bool {
	if t.Proposal == nil || t.Status != research.Completed || !v.talks() || v.closed() {
		return false
	}
	o := obligations.Find(v.Obligations, t.Proposal.Key)
	if o == nil || ui.DisputeWords(o.Negotiation) != "" {
		return false
	}
	return o.Status != obligations.Satisfied && o.Status != obligations.Skipped && obligations.SameValue(o.Value, t.Proposal.Value)
}

// taken reports whether what t proposes is what is known now.
func (v ChatView) taken(t research.Task) bool {
	if t.Proposal == nil {
		return false
	}
	o := obligations.Find(v.Obligations, t.Proposal.Key)
	return o != nil && o.Status == obligations.Satisfied && obligations.SameValue(o.Value, t.Proposal.Value)
}

// proposed words what t proposes; empty for nothing.
func (v ChatView) proposed(t research.Task) string {
	if t.Proposal == nil {
		return ""
	}
	return ui.DisplayValue(v.templateOf(t.Proposal.Key), t.Proposal.Value)
}

func (v ChatView) templateOf(key string) *obligations.Template {
	if o := obligations.Find(v.Obligations, key); o != nil {
		return o.Template
	}
	return &obligations.Template{}
}

// steers reports whether the reader may cancel t and say where to look.
func (v ChatView) steers(t research.Task) bool { return t.Open() && v.talks() }

// asks reports whether the reader may have something looked up here.
func (v ChatView) asks() bool { return v.talks() && v.Session.Status != sessions.Completed }

// read returns the sources of t that were read and are quoted, the best first,
// as far as the view knows them.
func (v ChatView) read(t research.Task) []research.Source {
	r := v.Reports[t.ID]
	return slices.DeleteFunc(tasks.SourcesOf(r, true), func(s research.Source) bool { return tasks.ClaimsOf(r, s.N) == 0 })
}

// counted says how much was read and found for t; empty when the view does not
// know.
func (v ChatView) counted(t research.Task) string {
	r, known := v.Reports[t.ID]
	if !known {
		return ""
	}
	return tasks.CountWords(len(tasks.SourcesOf(r, true)), len(r.Claims))
}

// claimPath is where the report of research shows the claim that e rests on.
func claimPath(session string, e obligations.Evidence) string {
	return fmt.Sprintf("/s/%s/research/%s#claim-%d", url.PathEscape(session), url.PathEscape(e.Task), e.Claim)
}
