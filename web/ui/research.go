package ui

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
)

// Fact is a name and what there is to say under it.
type Fact struct{ Name, Value string }

// moment returns the moment that the value is, if it is one as [when] writes it.
func (f Fact) moment() (time.Time, bool) {
	at, err := time.Parse(momentLayout, f.Value)
	return at, err == nil
}

// ReportView is what [Report] and [ReportFile] show: a task with what it found.
type ReportView struct {
	Report    research.Report
	Base      string                  // address of the report's page, without a slash at its end; empty in a file
	Interview string                  // name of the interview's objective; empty for a question of its own
	About     *obligations.Obligation // what the task would answer; nil for none
	Texts     map[int]string          // what was read in sources that are quoted, by number
	Acts      bool                    // the reader may cancel the task and say where to look
	Nav       Nav
}

// SourceView is what [Source] shows: what was read in one source.
type SourceView struct {
	Document research.Document
	Claims   []research.Claim // those that quote it
	Base     string           // address of the report's page
	Page     int              // which part of the text, from 1
	Nav      Nav
}

// Value words what the task proposes; empty when it proposes nothing.
func (v ReportView) Value() string {
	p := v.Report.Task.Proposal
	if p == nil {
		return ""
	}
	if v.About != nil {
		return DisplayValue(v.About.Template, p.Value)
	}
	return DisplayValue(&obligations.Template{}, p.Value)
}

// subject is what the report is about: the name of an obligation, or nothing.
func (v ReportView) subject() string {
	if v.About == nil {
		return ""
	}
	return v.About.Name()
}

// claims returns those of a source.
func (v ReportView) claims(source int) int {
	n := 0
	for _, c := range v.Report.Claims {
		if c.Source == source {
			n++
		}
	}
	return n
}

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
func (v ReportView) sources(read bool) []research.Source {
	var out []research.Source
	for _, s := range v.Report.Sources {
		if (s.State == research.SourceRead) == read {
			out = append(out, s)
		}
	}
	return out
}

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
func ReportFacts(v ReportView) []Fact {
	t := v.Report.Task
	out := []Fact{{"Asked because", whyWords(t)}, {"Kind", kindWords(t.Order.Kind)}, {"Asked on", when(t.Created)}, {"State", TaskState(t)}}
	if s := v.subject(); s != "" {
		out = slices.Insert(out, 0, Fact{"To find out", s})
	}
	if t.User != "" {
		out = append(out, Fact{"Asked by", t.User})
	}
	if t.Ended != nil {
		out = append(out, Fact{"Ended on", when(*t.Ended)})
	}
	for _, s := range t.Steering {
		out = append(out, Fact{"Told where to look", s.Text})
	}
	return append(out, Fact{"Found", countWords(len(v.sources(true)), len(v.Report.Claims))})
}

// SourceFacts are what there is to know of a source beside its name and address.
func SourceFacts(s research.Source) []Fact {
	var out []Fact
	add := func(name, value string) {
		if value != "" {
			out = append(out, Fact{name, value})
		}
	}
	if s.State != research.SourceRead {
		add("Not read", sourceWords(s))
		return out
	}
	if s.ReadAt != nil {
		add("Read", when(*s.ReadAt))
	}
	add("Published", s.Published)
	if s.Truncated {
		add("Length", "only its beginning was read")
	}
	add("SHA-256", s.SHA256)
	return out
}

// SourceAddress is where a source was read.
func SourceAddress(s research.Source) string {
	if s.Final != "" {
		return s.Final
	}
	return s.URL
}

// maxName bounds a title on a page, in characters.
const maxName = 200

// SourceName is what a source is called: by its title, or else its host.
func SourceName(s research.Source) string {
	if title := strings.Join(strings.Fields(Visible(s.Title)), " "); title != "" {
		return clip(title, maxName)
	}
	return SourceHost(s)
}

// SourceHost names the server of a source; of a document, its address.
func SourceHost(s research.Source) string {
	address := SourceAddress(s)
	if u, err := url.Parse(address); err == nil && u.Hostname() != "" {
		return clip(Visible(u.Hostname()), 100)
	}
	return clip(Visible(address), 100)
}

// outLink returns the address of a source when a page may link to it: it is on
// the web, and does not pretend to be elsewhere by a user's name.
func outLink(s research.Source) (string, bool) {
	href, ok := webLink(SourceAddress(s))
	if u, err := url.Parse(href); !ok || err != nil || u.User != nil || Visible(href) != href {
		return "", false
	}
	return href, true
}

// AskedFor is what a task was asked to find out, without the context that was
// searched with it.
func AskedFor(query string) string {
	asked, _, _ := strings.Cut(query, " Context: ")
	return Visible(asked)
}

// Visible takes away what cannot be seen in text and changes how the rest is read:
// control characters and those that turn the direction of writing.
func Visible(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case unicode.IsControl(r), r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0x200e, r == 0x200f, r == 0x61c, r == 0x200b, r == 0x2060, r == 0xfeff,
			r >= 0xe0000 && r <= 0xe007f, r == 0x2028, r == 0x2029:
			return -1
		}
		return r
	}, s)
}

func clip(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most]) + "…"
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

// taskStanding is the key of [words.Research] for where t stands.
func taskStanding(t research.Task) string {
	if t.Status == research.Completed && t.Outcome != "" {
		return string(t.Outcome)
	}
	return string(t.Status)
}

// TaskState says where t stands.
func TaskState(t research.Task) string { return phrases().Research[taskStanding(t)] }

// outcomeWords says what came of t, or what it waits for, when its summary does
// not; empty while there is nothing to say.
func outcomeWords(t research.Task) string {
	switch {
	case t.Status == research.Failed:
		return t.Failure
	case t.Outcome == research.NoEvidence && t.Summary != "":
		return "" // that is what the summary says
	case t.Status == research.Completed:
		return phrases().Outcome[string(t.Outcome)]
	case t.Open() && t.Note == research.NoSources:
		return t.Note + ". Whoever runs this server can put documents into the folder “documents” of its data folder, or name a search engine; the question is worked on then, without being asked again."
	case t.Open():
		return t.Note
	}
	return ""
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

// countWords says how much was read and found.
func countWords(sources, claims int) string {
	return many(sources, "source read", "sources read") + ", " + many(claims, "claim", "claims")
}

func many(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}

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

// TaskPath is the address of a task's page: below its session when it has one, so
// that its guests may read it.
func TaskPath(t research.Task) string {
	if t.Scope.Session == "" {
		return "/research/" + t.ID
	}
	return "/s/" + t.Scope.Session + "/research/" + t.ID
}

// sourcePath is the address of the page of a source, at the part of its text
// where offset lies, and there at a claim; 0 for none.
func sourcePath(base string, source, offset, claim int) string {
	path := fmt.Sprintf("%s/sources/%d", base, source)
	if page := offset/pageUnits + 1; page > 1 {
		path += fmt.Sprintf("?page=%d", page)
	}
	if claim > 0 {
		path += fmt.Sprintf("#claim-%d", claim)
	}
	return path
}

// decidable reports whether the reader may accept or reject what t proposes: it
// is what an obligation holds that is neither settled nor in dispute.
func (v ChatView) decidable(t research.Task) bool {
	if t.Proposal == nil || t.Status != research.Completed || !v.talks() || v.closed() {
		return false
	}
	o := obligations.Find(v.Obligations, t.Proposal.Key)
	if o == nil || disputeWords(o.Negotiation) != "" {
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
	return DisplayValue(v.templateOf(t.Proposal.Key), t.Proposal.Value)
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
	r := ReportView{Report: v.Reports[t.ID]}
	return slices.DeleteFunc(r.sources(true), func(s research.Source) bool { return r.claims(s.N) == 0 })
}

// counted says how much was read and found for t; empty when the view does not
// know.
func (v ChatView) counted(t research.Task) string {
	r, known := v.Reports[t.ID]
	if !known {
		return ""
	}
	return countWords(len(ReportView{Report: r}.sources(true)), len(r.Claims))
}

// readOn is when a source was read, as people read it.
func readOn(at *time.Time) string {
	if at == nil {
		return ""
	}
	return when(*at)
}

// lastPart is the last part of an address: of a task's, its id.
func lastPart(base string) string { return base[strings.LastIndexByte(base, '/')+1:] }

// claimPath is where the report of research shows the claim that e rests on.
func claimPath(session string, e obligations.Evidence) string {
	return fmt.Sprintf("/s/%s/research/%s#claim-%d", url.PathEscape(session), url.PathEscape(e.Task), e.Claim)
}
