// Package tasks puts research tasks on the wire and into words. It serves the features that
// show tasks, the interview's page and the pages of research: features do not use each
// other, and web/ui knows no research. It reads nothing and changes nothing.
package tasks

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"quaestor/internal/fault"
	"quaestor/research"
	"quaestor/web/ui"
)

// ErrNoTask refuses a task that does not exist. It is the same for one that the actor may
// not see, so that a refusal tells nothing.
func ErrNoTask() error {
	return fault.New(fault.NotFound, "there is no such research task").Coded("research_task_not_found")
}

// ClaimsOf counts the claims of a report that quote a source.
func ClaimsOf(r research.Report, source int) int {
	n := 0
	for _, c := range r.Claims {
		if c.Source == source {
			n++
		}
	}
	return n
}

// SourcesOf returns the sources of a report that were read or, when read is false, the
// others, in the order of the report.
func SourcesOf(r research.Report, read bool) []research.Source {
	return slices.DeleteFunc(slices.Clone(r.Sources), func(s research.Source) bool { return (s.State == research.SourceRead) != read })
}

// SourceAddress returns where a source was read: behind redirects, if there were any.
func SourceAddress(s research.Source) string {
	return cmp.Or(s.Final, s.URL)
}

// SourceName returns the title of a source, or else its host, without characters that
// deceive.
func SourceName(s research.Source) string {
	if title := strings.Join(strings.Fields(ui.Visible(s.Title)), " "); title != "" {
		return ui.Clip(title, ui.MaxName)
	}
	return SourceHost(s)
}

// SourceHost returns the server of a source; of a document, its address.
func SourceHost(s research.Source) string {
	address := SourceAddress(s)
	if _, ok := research.WarehouseOf(address); ok {
		return "your data"
	}
	if _, ok := research.RunOf(address); ok {
		return "a run over your data"
	}
	if u, err := url.Parse(address); err == nil && u.Hostname() != "" {
		return ui.Clip(ui.Visible(u.Hostname()), 100)
	}
	return ui.Clip(ui.Visible(address), 100)
}

// AskedFor returns what a task was asked to find out. What the interview added to help the
// search is left out.
func AskedFor(query string) string {
	asked, _, _ := strings.Cut(query, " Context: ")
	return ui.Visible(asked)
}

// Standing returns how t stands, as a key of the Research words of [ui.Phrases]: its outcome
// once it has one, its status before.
func Standing(t research.Task) string {
	if t.Status == research.Completed && t.Outcome != "" {
		return string(t.Outcome)
	}
	return string(t.Status)
}

// State tells in words how t stands.
func State(t research.Task) string { return ui.Phrases().Research[Standing(t)] }

// OutcomeWords tell what came of t, or what it waits for. They are empty when its summary
// tells that, or while there is nothing to tell.
func OutcomeWords(t research.Task) string {
	switch {
	case t.Status == research.Failed:
		return t.Failure
	case t.Outcome == research.NoEvidence && t.Summary != "":
		return "" // the summary says so already
	case t.Status == research.Completed:
		return ui.Phrases().Outcome[string(t.Outcome)]
	case t.Open() && t.Note == research.NoSources:
		return t.Note + ". Whoever runs this server can put documents into the folder “documents” of its data folder, or name a search engine; the question is worked on then, without being asked again."
	case t.Open():
		return t.Note
	}
	return ""
}

// CountWords tell how much was read and found.
func CountWords(sources, claims int) string {
	return ui.Many(sources, "source read", "sources read") + ", " + ui.Many(claims, "claim", "claims")
}

// Path returns the address of a task's page: below its session when it has one, where the
// session's guests may read it.
func Path(t research.Task) string {
	if t.Scope.Session == "" {
		return "/research/" + t.ID
	}
	return "/s/" + t.Scope.Session + "/research/" + t.ID
}

// SourcePath returns the address of a source's text below base, the page of its report: the
// page on which offset lies, in UTF-16 units, and there the mark of a claim; 0 for none.
func SourcePath(base string, source, offset, claim int) string {
	path := fmt.Sprintf("%s/sources/%d", base, source)
	if page := offset/ui.PageUnits + 1; page > 1 {
		path += fmt.Sprintf("?page=%d", page)
	}
	if claim > 0 {
		path += fmt.Sprintf("#claim-%d", claim)
	}
	return path
}

// lastPart returns the last part of an address; of a task's, its id.
func lastPart(base string) string { return base[strings.LastIndexByte(base, '/')+1:] }
