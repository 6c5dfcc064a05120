package research

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"quaestor/obligations"
	"quaestor/research"
	"quaestor/web/tasks"
	"quaestor/web/ui"
)

// ReportView is what [Report] and [ReportFile] show: a task with what it found.
type ReportView struct {
	Report    research.Report
	Base      string                  // address of the report's page, without a slash at its end; empty in a file
	Interview string                  // name of the interview's objective; empty for a question of its own
	About     *obligations.Obligation // what the task would answer; nil for none
	Texts     map[int]string          // what was read in sources that are quoted, by number
	Acts      bool                    // the reader may cancel the task and say where to look
	Nav       ui.Nav
}

// SourceView is what [Source] shows: what was read in one source.
type SourceView struct {
	Document research.Document
	Claims   []research.Claim // those that quote it
	Base     string           // address of the report's page
	Page     int              // which part of the text, from 1
	Nav      ui.Nav
}

// Value words what the task proposes; empty when it proposes nothing.
func (v ReportView) Value() string {
	p := v.Report.Task.Proposal
	if p == nil {
		return ""
	}
	if v.About != nil {
		return ui.DisplayValue(v.About.Template, p.Value)
	}
	return ui.DisplayValue(&obligations.Template{}, p.Value)
}

// subject is what the report is about: the name of an obligation, or nothing.
func (v ReportView) subject() string {
	if v.About == nil {
		return ""
	}
	return v.About.Name()
}

// claims counts those of a source.
func (v ReportView) claims(source int) int { return tasks.ClaimsOf(v.Report, source) }

// source returns the source of that number; the empty one when there is none.
func (v ReportView) source(n int) research.Source {
	for _, s := range v.Report.Sources {
		if s.N == n {
			return s
		}
	}
	return research.Source{N: n}
}

// claim returns the claim of that number; the empty one when there is none.
func (v ReportView) claim(n int) research.Claim {
	for _, c := range v.Report.Claims {
		if c.N == n {
			return c
		}
	}
	return research.Claim{N: n}
}

// sources returns those that were read, or those that were not.
func (v ReportView) sources(read bool) []research.Source { return tasks.SourcesOf(v.Report, read) }

// side is two claims that say different things.
type side struct{ One, Other research.Claim }

// maxSides bounds the contradictions that are shown side by side; further ones are
// named with their claims.
const maxSides = 10

// sides returns the contradictions, each once.
func (v ReportView) sides() []side {
	var out []side
	for _, c := range v.Report.Claims {
		for _, n := range c.Against {
			if n > c.N && len(out) < maxSides {
				out = append(out, side{c, v.claim(n)})
			}
		}
	}
	return out
}

// maxClaims are the claims a report shows at once; the others unfold.
const maxClaims = 12

// ReportFacts are the heads of a report: why and when, and what came of it.
func ReportFacts(v ReportView) []ui.Fact {
	t := v.Report.Task
	out := []ui.Fact{{Name: "Asked because", Value: whyWords(t)}, {Name: "Kind", Value: kindWords(t.Order.Kind)}, {Name: "Asked on", Value: ui.When(t.Created)}, {Name: "State", Value: tasks.State(t)}}
	if s := v.subject(); s != "" {
		out = slices.Insert(out, 0, ui.Fact{Name: "To find out", Value: s})
	}
	if t.User != "" {
		out = append(out, ui.Fact{Name: "Asked by", Value: t.User})
	}
	if t.Ended != nil {
		out = append(out, ui.Fact{Name: "Ended on", Value: ui.When(*t.Ended)})
	}
	for _, s := range t.Steering {
		out = append(out, ui.Fact{Name: "Told where to look", Value: s.Text})
	}
	return append(out, ui.Fact{Name: "Found", Value: tasks.CountWords(len(v.sources(true)), len(v.Report.Claims))})
}

// SourceFacts are what there is to know of a source beside its name and address.
func SourceFacts(s research.Source) []ui.Fact {
	var out []ui.Fact
	add := func(name, value string) {
		if value != "" {
			out = append(out, ui.Fact{Name: name, Value: value})
		}
	}
	if s.State != research.SourceRead {
		add("Not read", sourceWords(s))
		return out
	}
	if s.ReadAt != nil {
		add("Read", ui.When(*s.ReadAt))
	}
	add("Published", s.Published)
	if s.Truncated {
		add("Length", "only its beginning was read")
	}
	add("SHA-256", s.SHA256)
	return out
}

// outLink returns the address of a source when a page may link to it: it is on
// the web, and does not pretend to be elsewhere by a user's name.
func outLink(s research.Source) (string, bool) {
	href, ok := ui.WebLink(tasks.SourceAddress(s))
	if u, err := url.Parse(href); !ok || err != nil || u.User != nil || ui.Visible(href) != href {
		return "", false
	}
	return href, true
}

// shortHash is the beginning of a hash, enough to tell sources apart.
func shortHash(sha string) string { return sha[:min(len(sha), 12)] }

// SearchWords says what came of a search.
func SearchWords(s research.Search) string {
	switch {
	case s.Failure != "":
		return "no answer: " + s.Failure
	case len(s.Hits) == 0:
		return "nothing found"
	case len(s.Hits) == 1:
		return "1 page named"
	}
	return fmt.Sprintf("%d pages named", len(s.Hits))
}

// FigureWords lists the numbers of a claim with their dates, from their JSON.
func FigureWords(raw json.RawMessage) string {
	var list []struct {
		Words, When string
		Approximate bool
	}
	if json.Unmarshal(raw, &list) != nil {
		return ""
	}
	out := make([]string, len(list))
	for i, f := range list {
		if out[i] = f.Words; f.Approximate {
			out[i] = "about " + f.Words
		}
		if f.When != "" {
			out[i] += " (" + f.When + ")"
		}
	}
	return strings.Join(out, "; ")
}

// whyWords says why t was asked for.
func whyWords(t research.Task) string {
	switch t.Order.Trigger {
	case research.UserRequest:
		return "somebody wanted it looked up"
	case research.LowConfidence:
		return "what is known of it stayed uncertain after two questions"
	case research.Ambiguous:
		return "the answer was vague, or did not agree with another"
	case research.ExpertiseRequired:
		return "it takes an expert to know"
	}
	return string(t.Order.Trigger)
}

func kindWords(k research.Kind) string { return strings.ReplaceAll(string(k), "_", " ") }

// sourceWords says why a source was not read.
func sourceWords(s research.Source) string {
	switch s.State {
	case research.SourceRead:
		return ""
	case research.SourceQueued:
		return "was not needed, or its turn has not come"
	case research.SourceReading:
		return "is being read"
	case research.SourceInterrupted:
		return "the reading was interrupted"
	case research.SourceFailed:
		if s.Reason != "" {
			return s.Reason
		}
		return "could not be read"
	}
	return string(s.State)
}

// taskSteps are the parts of the work in their order, with their names.
var taskSteps = []struct {
	Step research.TaskStep
	Name string
}{
	{research.Planning, "Plan what to ask"},
	{research.Searching, "Search"},
	{research.Reading, "Read"},
	{research.Claiming, "Collect what bears on it"},
	{research.Verifying, "Check every quote"},
	{research.Proposing, "Sum up"},
}

// stepState is "done", "current" or "ahead" for a step of t.
func stepState(step research.TaskStep, t research.Task) string {
	done, at := -1, 0
	for i, s := range taskSteps {
		if s.Step == t.Step {
			done = i
		}
		if s.Step == step {
			at = i
		}
	}
	switch {
	case at <= done:
		return "done"
	case at == done+1 && t.Status == research.Running:
		return "current"
	}
	return "ahead"
}

// stepWords says in words what [stepState] shows.
func stepWords(state string) string {
	return map[string]string{"done": "done", "current": "now", "ahead": "not yet"}[state]
}

// readOn is when a source was read, as people read it.
func readOn(at *time.Time) string {
	if at == nil {
		return ""
	}
	return ui.When(*at)
}

// ResearchView is what [Research] shows: a page of the questions somebody had
// looked up.
type ResearchView struct {
	Nav     ui.Nav
	Tasks   []research.Task // newest first
	Asks    bool            // the reader may ask
	Request string          // a fresh UUID for the form
	Older   string          // cursor of the next page; empty for none
	Later   bool            // this is not the first page

	Sourceless bool // nothing is connected that something could be looked up in
}

// askedPath is where the list of one's questions goes on after a cursor.
func askedPath(cursor string) string { return "/research?" + url.Values{"cursor": {cursor}}.Encode() }

// pending reports whether any of the tasks goes on.
func (v ResearchView) pending() bool {
	for _, t := range v.Tasks {
		if t.Open() {
			return true
		}
	}
	return false
}
