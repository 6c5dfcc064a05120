package tasks

import (
	"fmt"
	"net/url"
	"strings"

	"quaestor/internal/fault"
	"quaestor/research"
	"quaestor/web/ui"
)

// ErrNoTask is the same for a task that is not there and one that is not for the
// actor to see.
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

// SourcesOf returns the sources of a report that were read, or those that were not.
func SourcesOf(r research.Report, read bool) []research.Source {
	var out []research.Source
	for _, s := range r.Sources {
		if (s.State == research.SourceRead) == read {
			out = append(out, s)
		}
	}
	return out
}

// SourceAddress is where a source was read.
func SourceAddress(s research.Source) string {
	if s.Final != "" {
		return s.Final
	}
	return s.URL
}

// SourceName is what a source is called: by its title, or else its host.
func SourceName(s research.Source) string {
	if title := strings.Join(strings.Fields(ui.Visible(s.Title)), " "); title != "" {
		return ui.Clip(title, ui.MaxName)
	}
	return SourceHost(s)
}

// SourceHost names the server of a source; of a document, its address.
func SourceHost(s research.Source) string {
	address := SourceAddress(s)
	if u, err := url.Parse(address); err == nil && u.Hostname() != "" {
		return ui.Clip(ui.Visible(u.Hostname()), 100)
	}
	return ui.Clip(ui.Visible(address), 100)
}

// AskedFor is what a task was asked to find out, without the context that was
// searched with it.
func AskedFor(query string) string {
	asked, _, _ := strings.Cut(query, " Context: ")
	return ui.Visible(asked)
}

// Standing is the key of [words.Research] for where t stands.
func Standing(t research.Task) string {
	if t.Status == research.Completed && t.Outcome != "" {
		return string(t.Outcome)
	}
	return string(t.Status)
}

// State says where t stands.
func State(t research.Task) string { return ui.Phrases().Research[Standing(t)] }

// OutcomeWords says what came of t, or what it waits for, when its summary does
// not; empty while there is nothing to say.
func OutcomeWords(t research.Task) string {
	switch {
	case t.Status == research.Failed:
		return t.Failure
	case t.Outcome == research.NoEvidence && t.Summary != "":
		return "" // that is what the summary says
	case t.Status == research.Completed:
		return ui.Phrases().Outcome[string(t.Outcome)]
	case t.Open() && t.Note == research.NoSources:
		return t.Note + ". Whoever runs this server can put documents into the folder “documents” of its data folder, or name a search engine; the question is worked on then, without being asked again."
	case t.Open():
		return t.Note
	}
	return ""
}

// CountWords says how much was read and found.
func CountWords(sources, claims int) string {
	return ui.Many(sources, "source read", "sources read") + ", " + ui.Many(claims, "claim", "claims")
}

// Path is the address of a task's page: below its session when it has one, so
// that its guests may read it.
func Path(t research.Task) string {
	if t.Scope.Session == "" {
		return "/research/" + t.ID
	}
	return "/s/" + t.Scope.Session + "/research/" + t.ID
}

// SourcePath is the address of the page of a source, at the part of its text
// where offset lies, and there at a claim; 0 for none.
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

// lastPart is the last part of an address: of a task's, its id.
func lastPart(base string) string { return base[strings.LastIndexByte(base, '/')+1:] }
