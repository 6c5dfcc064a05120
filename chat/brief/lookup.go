package brief

import (
	"cmp"
	"slices"
	"strings"

	"quaestor/internal/language"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
)

// maxClaims bounds the claims shown of a piece of research. The report itself has all.
const maxClaims = 5

// lookup returns the result of a piece of research, with the sources of the claims shown.
func (m *maker) lookup(r research.Report) Lookup {
	asked, _, _ := strings.Cut(r.Task.Order.Query, " Context: ")
	out := Lookup{Question: line(asked), State: stateOf(r.Task), Summary: clean(r.Task.Summary), Proposal: m.proposal(r.Task), Refused: m.refused(&r.Task)}
	if r.Task.Status == research.Failed {
		out.Summary = clean(r.Task.Failure)
	}
	if said := r.Task.Disputed(); said != "" {
		out.Disputed = language.Clip(line(said), maxQuote)
	}
	for _, c := range r.Claims[:min(len(r.Claims), maxClaims)] {
		out.Claims = append(out.Claims, Claim{line(c.Text), language.Clip(line(c.Quote), maxQuote), c.Source})
	}
	for _, s := range r.Sources {
		if slices.ContainsFunc(out.Claims, func(c Claim) bool { return c.Source == s.N }) {
			out.Sources = append(out.Sources, fromSource(s))
		}
	}
	slices.SortFunc(out.Sources, func(a, b Source) int { return cmp.Compare(a.N, b.N) })
	return out
}

// fromSource returns a source with the address that was finally read, after redirects.
func fromSource(s research.Source) Source {
	address := cmp.Or(s.Final, s.URL)
	return Source{N: s.N, Name: cmp.Or(language.Clip(line(s.Title), 2*maxName), sourceWords(address)), Link: webLink(address), Published: line(s.Published)}
}

// proposal words the value that a task proposes, or returns "".
func (m *maker) proposal(t research.Task) string {
	if t.Proposal == nil {
		return ""
	}
	value := language.Clip(line(sessions.Display(m.template(t.Proposal.Key), t.Proposal.Value)), maxGistRunes)
	if t.Proposal.Key == "" {
		return value
	}
	return m.name(t.Proposal.Key) + ": " + value
}

// refused reports whether somebody turned down what a task proposes, or disputed it, and nothing has
// brought it back since.
func (m *maker) refused(t *research.Task) bool {
	if t.Proposal == nil {
		return false
	}
	o := obligations.Find(m.Obligations, t.Proposal.Key)
	return o != nil && (o.TurnedDown(t.Proposal.Value) || t.Disputed() != "" && !obligations.SameValue(o.Value, t.Proposal.Value))
}

// taskWords and outcomeWords describe the state of a piece of research.
var (
	taskWords = map[research.Status]string{research.Pending: "Not looked up yet", research.Running: "Being looked up now", research.Failed: "Not possible",
		research.Cancelled: "Cancelled"}
	outcomeWords = map[research.Outcome]string{research.Contradicting: "Sources disagree", research.NoEvidence: "Nothing found", research.Found: "Found"}
)

// stateOf describes how far a piece of research is, or what came of it.
func stateOf(t research.Task) string {
	return cmp.Or(taskWords[t.Status], outcomeWords[t.Outcome], "Done")
}
