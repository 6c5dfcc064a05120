package research

import (
	"cmp"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"time"

	"quaestor/obligations"
	"quaestor/research"
	"quaestor/web/tasks"
	"quaestor/web/ui"
)

// ReportView is what [Report] and [ReportFile] show: a task with everything it found.
type ReportView struct {
	Report     research.Report
	Base       string                  // address of the report's page, without a slash at the end; empty in a file
	Interview  string                  // name of the interview's objective; empty without an interview
	About      *obligations.Obligation // the obligation the task is about; nil for none
	Texts      map[int]string          // texts of the sources that are quoted, by number
	Statements []StatementView         // what the figures of warehouses rest on
	Runs       bool                    // the reader may see runs
	Acts       bool                    // the reader may cancel the task and say where to look
	Nav        ui.Nav
}

// SourceView is what [Source] shows: what was read in one source.
type SourceView struct {
	Document research.Document
	Claims   []research.Claim // the claims that quote it
	Base     string           // address of the report's page
	Page     int              // of the text, from 1; out of range, the nearest is shown
	Nav      ui.Nav
}

// Value returns what the task proposes as people read it; empty when it proposes nothing.
func (v ReportView) Value() string {
	p := v.Report.Task.Proposal
	if p == nil {
		return ""
	}
	t := &obligations.Template{} // without the obligation, the value is worded by its JSON type
	if v.About != nil {
		t = v.About.Template
	}
	return ui.DisplayValue(t, p.Value)
}

// source returns the source of that number; one without an address when there is none.
func (v ReportView) source(n int) research.Source {
	if i := slices.IndexFunc(v.Report.Sources, func(s research.Source) bool { return s.N == n }); i >= 0 {
		return v.Report.Sources[i]
	}
	return research.Source{N: n}
}

// maxContradictions bounds the contradictions shown side by side, so that a report in which
// everything disagrees can still be read. Each claim names the others it is against.
const maxContradictions = 10

// contradictions returns pairs of claims that cannot both be true, each pair once. A claim
// that is against one that does not exist is paired with an empty claim.
func (v ReportView) contradictions() [][2]research.Claim {
	var out [][2]research.Claim
	for _, c := range v.Report.Claims {
		for _, n := range c.Against {
			if n <= c.N || len(out) == maxContradictions {
				continue
			}
			other := research.Claim{N: n}
			if i := slices.IndexFunc(v.Report.Claims, func(c research.Claim) bool { return c.N == n }); i >= 0 {
				other = v.Report.Claims[i]
			}
			out = append(out, [2]research.Claim{c, other})
		}
	}
	return out
}

// maxClaims bounds the claims a report shows at once; the others unfold. Claims come the
// best first, so the folded ones matter least.
const maxClaims = 12

// ReportFacts tell about a report in lines: why and when it was asked for, and how much was
// found.
func ReportFacts(v ReportView) []ui.Fact {
	t, about := v.Report.Task, ""
	if v.About != nil {
		about = v.About.Name()
	}
	out := known(ui.Fact{Name: "To find out", Value: about}, ui.Fact{Name: "Asked because", Value: whyWords(t)}, ui.Fact{Name: "Kind", Value: kindWords(t.Order.Kind)},
		ui.Fact{Name: "Asked on", Value: ui.When(t.Created)}, ui.Fact{Name: "State", Value: tasks.State(t)}, ui.Fact{Name: "Asked by", Value: t.User}, ui.Fact{Name: "Ended on", Value: when(t.Ended)})
	for _, s := range t.Steering {
		name := "Told where to look"
		if s.Disputes {
			name = "Disputed"
		}
		out = append(out, ui.Fact{Name: name, Value: s.Text})
	}
	return append(out, ui.Fact{Name: "Found", Value: tasks.CountWords(len(tasks.SourcesOf(v.Report, true)), len(v.Report.Claims))})
}

// known returns the facts that have a value.
func known(facts ...ui.Fact) []ui.Fact {
	return slices.DeleteFunc(facts, func(f ui.Fact) bool { return f.Value == "" })
}

// SourceFacts tell about a source beside its name and address. Of a source that was not
// read they tell why.
func SourceFacts(s research.Source) []ui.Fact {
	if s.State != research.SourceRead { // nothing else is known of it
		return known(ui.Fact{Name: "Not read", Value: sourceWords(s)})
	}
	length := ""
	if s.Truncated {
		length = "only its beginning was read"
	}
	return known(ui.Fact{Name: "Read", Value: when(s.ReadAt)}, ui.Fact{Name: "Published", Value: s.Published}, ui.Fact{Name: "Length", Value: length}, ui.Fact{Name: "SHA-256", Value: s.SHA256})
}

// outLink returns the address of a source, and whether a page may link to it: it must be on
// the web, and must not pretend to be elsewhere with a user name such as
// https://bank.example@evil.example/.
func outLink(s research.Source) (string, bool) {
	href, ok := ui.WebLink(tasks.SourceAddress(s))
	if u, err := url.Parse(href); !ok || err != nil || u.User != nil || ui.Visible(href) != href {
		return "", false
	}
	return href, true
}

// shortHash returns the beginning of a hash: 48 bits tell the sources of a report apart.
func shortHash(sha string) string { return sha[:min(len(sha), 12)] }

// SearchWords tell what came of a search.
func SearchWords(s research.Search) string {
	switch {
	case s.Failure != "":
		return "no answer: " + s.Failure
	case len(s.Hits) == 0:
		return "nothing found"
	}
	return ui.Many(len(s.Hits), "page named", "pages named")
}

// FigureWords list the numbers of a claim with their dates, from their JSON; empty when
// there are none.
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

// whyWords tell why t was asked for.
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
	case research.Collection:
		return "this interview has it looked up before anybody is asked"
	}
	return string(t.Order.Trigger)
}

// kindWords name a kind of research, in the words of the API.
func kindWords(k research.Kind) string { return strings.ReplaceAll(string(k), "_", " ") }

// sourceWords tell why a source was not read; empty when it was.
func sourceWords(s research.Source) string {
	switch s.State {
	case research.SourceRead:
		return ""
	case research.SourceQueued: // the task may have ended first
		return "was not needed, or its turn has not come"
	case research.SourceReading:
		return "is being read"
	case research.SourceInterrupted:
		return "the reading was interrupted"
	case research.SourceFailed:
		return cmp.Or(s.Reason, "could not be read")
	}
	return string(s.State)
}

// taskStep is a step of a task.
type taskStep struct {
	Step research.TaskStep
	Name string // in the imperative, as in a list of things to do
}

// taskSteps are the steps of a task in their order, with their names for people.
var taskSteps = []taskStep{
	{research.Planning, "Plan what to ask"},
	{research.Searching, "Search"},
	{research.Reading, "Read"},
	{research.Claiming, "Collect what bears on it"},
	{research.Verifying, "Check every quote"},
	{research.Proposing, "Sum up"},
}

// stepState returns how far t is with the step at a place in taskSteps: a word for the
// stylesheet, and one for people. A task's own step is the last one it finished.
func stepState(at int, t research.Task) (class, words string) {
	done := slices.IndexFunc(taskSteps, func(s taskStep) bool { return s.Step == t.Step })
	switch {
	case at <= done:
		return "done", "done"
	case at == done+1 && t.Status == research.Running:
		return "current", "now"
	}
	return "ahead", "not yet"
}

// sourceLine tells about a claim's source on one line.
func sourceLine(s research.Source) string {
	out := ""
	for _, part := range known(ui.Fact{Value: tasks.SourceHost(s)}, ui.Fact{Name: "published ", Value: s.Published}, ui.Fact{Name: "read ", Value: when(s.ReadAt)}, ui.Fact{Name: "SHA-256 ", Value: shortHash(s.SHA256)}) {
		out += " · " + part.Name + ui.Visible(part.Value)
	}
	return out
}

// when returns a moment in words; empty for none.
func when(at *time.Time) string {
	if at == nil {
		return ""
	}
	return ui.When(*at)
}

// ResearchView is what [Research] shows: a page of the questions a person has had looked
// up.
type ResearchView struct {
	Nav     ui.Nav
	Tasks   []research.Task // newest first
	Asks    bool            // the reader may ask
	Request string          // a new UUID, by which a form that is sent twice asks once
	Older   string          // cursor of the next page; empty for none
	Later   bool            // this is not the first page

	Sourceless bool // no source is connected that could be searched
}

// askedPath returns the address of the list after a cursor.
func askedPath(cursor string) string { return "/research?" + url.Values{"cursor": {cursor}}.Encode() }

// pending reports whether any of the tasks is still open.
func (v ResearchView) pending() bool {
	return slices.ContainsFunc(v.Tasks, func(t research.Task) bool { return t.Open() })
}

// taskChip returns the class that colours how a task stands; a cancelled one has none.
func taskChip(t research.Task) string {
	return map[string]string{"found": "is-known", "running": "is-now", "pending": "is-later", "no_evidence": "is-part", "contradicting": "is-warn", "failed": "is-warn"}[tasks.Standing(t)]
}
