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

// maxClaims bounds the claims that are told of a piece of research.
const maxClaims = 5

// lookup tells what a piece of research came to, with the sources it rests on.
func (m *maker) lookup(r research.Report) Lookup {
	asked, _, _ := strings.Cut(r.Task.Order.Query, " Context: ")
	out := Lookup{Question: line(asked), State: taskWords(r.Task), Summary: clean(r.Task.Summary), Proposal: m.proposal(r.Task)}
	if r.Task.Status == research.Failed {
		out.Summary = clean(r.Task.Failure)
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

func fromSource(s research.Source) Source {
	address := cmp.Or(s.Final, s.URL)
	return Source{N: s.N, Name: cmp.Or(language.Clip(line(s.Title), 2*maxName), sourceWords(address)), Link: webLink(address), Published: line(s.Published)}
}

// proposal words what a task proposes.
func (m *maker) proposal(t research.Task) string {
	if t.Proposal == nil {
		return ""
	}
	template := &obligations.Template{Key: t.Proposal.Key}
	if o := obligations.Find(m.Obligations, t.Proposal.Key); o != nil {
		template = o.Template
	}
	value := language.Clip(line(sessions.Display(template, t.Proposal.Value)), maxGistRunes)
	if t.Proposal.Key == "" {
		return value
	}
	return m.name(t.Proposal.Key) + ": " + value
}

// taskWords says where a piece of research stands.
func taskWords(t research.Task) string {
	switch t.Status {
	case research.Pending:
		return "Not looked up yet"
	case research.Running:
		return "Being looked up now"
	case research.Failed:
		return "Not possible"
	case research.Cancelled:
		return "Cancelled"
	case research.Completed:
	}
	switch t.Outcome {
	case research.Contradicting:
		return "Sources disagree"
	case research.NoEvidence:
		return "Nothing found"
	case research.Found:
		return "Found"
	}
	return "Done"
}
