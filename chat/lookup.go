package chat

import (
	"slices"
	"strings"

	"quaestor/internal/language"
	"quaestor/internal/language/messages"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
)

// ResearchSteering is something the person says about research in progress.
type ResearchSteering struct {
	Task   string // id; empty means the newest open task
	Text   string // where to look, such as "Germany only"; empty to cancel
	Cancel bool   // it is no longer wanted
}

// SteeredTask is a task in progress and what it is told.
type SteeredTask struct {
	Task   research.TaskSummary // as it was before
	Text   string
	Cancel bool
}

// maxSteered bounds what one message may say about research in progress: something about
// each open task.
const maxSteered = research.MaxOpen

// steered returns the open tasks that the person steers. Whatever is said about a task
// that the same message cancelled is dropped.
func steered(past research.History, list []ResearchSteering) []SteeredTask {
	open := past.Open()
	var out []SteeredTask
	for _, st := range list[:min(len(list), maxSteered)] {
		i := slices.IndexFunc(open, func(f research.TaskSummary) bool { return f.ID == st.Task })
		if st.Task == "" {
			i = len(open) - 1
		}
		text := research.SteerText(Visible(st.Text))
		if i < 0 || text == "" && !st.Cancel {
			continue
		}
		out = append(out, SteeredTask{open[i], text, st.Cancel})
		if st.Cancel {
			open = slices.Delete(open, i, i+1)
		}
	}
	return out
}

// agenda returns the research that a turn calls for, after what the person cancelled in
// it.
func agenda(s *Scene, u Understanding, after []obligations.Obligation, changes []obligations.Change, past research.History) research.Agenda {
	t := research.TurnFindings{List: after, Changes: changes, Past: slices.Clone(past), Context: s.Objective.DisplayName, Said: s.Message, Off: s.Unresearched, Data: s.Data}
	for _, st := range steered(past, u.Steering) {
		for i := range t.Past {
			if st.Cancel && t.Past[i].ID == st.Task.ID {
				t.Past[i] = t.Past[i].Cancelled()
			}
		}
	}
	for _, f := range u.Findings {
		if f.Act == obligations.Unsure {
			t.Unsure = append(t.Unsure, f.Key)
		}
	}
	for _, w := range u.Research {
		if w.Key != "" || w.Query != "" {
			t.Requests = append(t.Requests, research.Request(w))
		}
	}
	return research.Due(t)
}

// ownDataRequests turns into research requests whatever asks for the person's own data in
// other ways, so that it is declined with advice: research that shall continue there, and
// requests that were not understood as such.
func ownDataRequests(s *Scene, u Understanding) Understanding {
	u.Research, u.Steering = slices.Clone(u.Research), slices.Clone(u.Steering)
	if task, name := s.Data.Picks(s.Research, s.Message); name != "" { // in which warehouse I shall look
		u.Intent, u.Findings, u.Steering = AskResearch, nil, nil
		u.Research = []ResearchRequest{{Key: task.Key, Query: research.InWarehouse(task.Query, name)}}
		return u
	}
	for _, st := range u.Steering {
		if research.OwnData(st.Text) {
			u.Research = append(u.Research, ResearchRequest{Query: st.Text})
		}
	}
	u.Steering = slices.DeleteFunc(u.Steering, func(st ResearchSteering) bool { return research.OwnData(st.Text) })
	request, asks := research.OwnDataRequest(s.Message)
	if asks && order.In(request) { // an order to the interviewer is no answer
		had := len(u.Findings)
		u.Findings = slices.DeleteFunc(slices.Clone(u.Findings), func(f obligations.Finding) bool { return overlaps(f.Evidence.Quote, request) })
		if len(u.Findings) == 0 && had > 0 {
			u.Intent = Unclear
		}
	}
	if asks && len(u.Research) == 0 && (len(u.Findings) == 0 && !slices.Contains(leaving, u.Intent) || u.AsksAfterResearch()) {
		u.Intent, u.Research = AskResearch, []ResearchRequest{{Query: request}}
	}
	if asks {
		u.Research = ofAsked(s, u.Research)
	}
	return u
}

// leaving are what somebody wants who is about to go: nothing is looked up then.
var leaving = []Intent{Leave, Finish, SkipThis, Later}

// ofAsked ties a request for the person's own data to the obligation that was asked for last, if
// it names nothing else ("look that up in our database") or asks for the same in other words.
func ofAsked(s *Scene, list []ResearchRequest) []ResearchRequest {
	keys := s.Asked.Keys()
	if len(list) != 1 || list[0].Key != "" || len(keys) != 1 {
		return list
	}
	o := obligations.Find(s.Obligations, keys[0])
	if o == nil || !s.Data.NamesNothing(s.Message) && !s.Data.AsksTheSame(s.Message, o.Prompt+" "+o.Name()) {
		return list
	}
	return []ResearchRequest{{Key: o.Key, Query: list[0].Query}}
}

// order is a sentence that begins with what the interviewer shall look up.
const order language.Pattern = "order"

// overlaps reports whether a quote contains a request or is contained in it.
func overlaps(quote, request string) bool {
	quote, request = strings.TrimSpace(quote), strings.TrimSpace(request)
	return quote != "" && (strings.Contains(quote, request) || strings.Contains(request, quote))
}

// AsksAfterResearch reports whether the message asks for the results of research: it is
// about research, but requests, steers and tells nothing.
func (u *Understanding) AsksAfterResearch() bool {
	return u.Intent == AskResearch && u.Figure == nil && len(u.Research)+len(u.Steering)+len(u.Findings) == 0
}

// maxNews bounds the results told in one turn. More would bury the question.
const maxNews = 2

// news returns the research results that the person is told: none while something else
// has to be settled first, and none when they leave.
func (d *decision) news() []research.TaskSummary {
	p := d.plan
	if p.Conflict != nil || p.Digression && !p.Understanding.AsksAfterResearch() && !p.Understanding.asksFor(RepeatedFigure) || p.Ends == sessions.EndLeft || slices.Contains(digressions, p.Understanding.Intent) ||
		p.Question != nil && p.Question.Purpose == sessions.ToResolve {
		return nil
	}
	list := d.scene.Research.News()
	return list[:min(len(list), maxNews)]
}

// ResearchResult is what came of a task, in the words that people are told.
type ResearchResult string

// The results.
const (
	FoundSomething ResearchResult = "found"
	FoundNothing   ResearchResult = "found nothing to rely on"
	Disagreement   ResearchResult = "sources disagree"
	NotPossible    ResearchResult = "could not be looked up"
)

// ResultOf returns what came of a task that is over.
func ResultOf(f research.TaskSummary) ResearchResult {
	switch {
	case f.Status == research.Failed:
		return NotPossible
	case f.Outcome == research.Contradicting:
		return Disagreement
	case f.Outcome == research.Found:
		return FoundSomething
	}
	return FoundNothing
}

// Asks reports whether the plan's question tells the result itself, by putting the value
// that the task proposes to the person, with its source.
func (p *Plan) Asks(f research.TaskSummary) bool {
	q := p.Question
	if q == nil || q.Purpose != sessions.ToConfirm || q.Key != f.Key || ResultOf(f) != FoundSomething {
		return false
	}
	o := obligations.Find(p.List, q.Key)
	return o != nil && ProposedBy(o) != nil
}

// ProposedBy returns the evidence of the value of o when research or a file proposes it
// and nobody has said or confirmed it. Otherwise it returns nil.
func ProposedBy(o *obligations.Obligation) *obligations.Evidence {
	if o.Value == nil || o.Status == obligations.Satisfied || len(o.Evidence) == 0 {
		return nil
	}
	for i := range o.Evidence {
		if k := o.Evidence[i].Kind; k != obligations.ResearchEvidence && k != obligations.Document {
			return nil
		}
	}
	return &o.Evidence[0]
}

// ConcludedFrom returns the evidence of the value of o when it was concluded from other
// answers and nobody has said or confirmed it. Otherwise it returns nil.
func ConcludedFrom(o *obligations.Obligation) *obligations.Evidence {
	if o.Status == obligations.Satisfied || !o.Proposed() || o.Evidence[0].Kind != obligations.InferredEvidence {
		return nil
	}
	return &o.Evidence[0]
}

// takeIt returns the question whether what was concluded from other answers is right.
func takeIt(l *messages.Language, o *obligations.Obligation) string {
	return l.Text("concluded", messages.Args{"label": messages.Text(l.Name(o.Name())), "value": messages.Quote(Quotable(sessions.DisplayIn(l, o.Template, o.Value), maxOffer))})
}

// Bounds of what is quoted in a question, in runes. Together they keep the question to
// about four lines.
const (
	MaxQuoted = 200 // words of a source
	maxOffer  = 120 // the proposed value
	maxSource = 80  // the name of the source
)

// offer returns the question whether to put down what a source says.
func offer(l *messages.Language, o *obligations.Obligation, e *obligations.Evidence) string {
	value, quote := Quotable(ValueInWords(o.Template, o.Value), maxOffer), Quotable(e.Quote, MaxQuoted)
	if name, ok := research.WarehouseOf(e.Source); ok {
		return l.Text("offer.data", messages.Args{"name": messages.Quote(Quotable(name, maxSource)), "quote": messages.Quote(quote), "value": messages.Quote(Quotable(sessions.DisplayIn(l, o.Template, o.Value), maxOffer)), "label": messages.Text(l.Name(o.Name()))})
	}
	args := messages.Args{"source": messages.Text(SourceOf(l, *e)), "quote": messages.Quote(quote), "label": messages.Quote(o.Name())}
	if strings.Contains(quote, value) && len(value)*2 > len(quote) { // the quote has just said it
		return l.Text("offer.that", args)
	}
	args["label"], args["value"] = messages.Text(l.Name(o.Name())), messages.Quote(Quotable(sessions.DisplayIn(l, o.Template, o.Value), maxOffer))
	return l.Text("offer", args)
}

// SourceOf returns where the quote of e was read: "In plan.docx", or what [SourceName]
// returns.
func SourceOf(l *messages.Language, e obligations.Evidence) string {
	if e.Kind == obligations.Document && e.File != "" {
		return l.Text("source.file", messages.Args{"file": messages.Text(FileLabel(e.Source))})
	}
	return SourceName(l, e.Source)
}

// FileLabel returns the name of a file for use in a sentence, without characters that
// have a meaning in Markdown or in a question.
func FileLabel(name string) string {
	name = strings.Map(func(r rune) rune {
		if strings.ContainsRune("?!？！؟*`<>#|[]\\“”\"", r) || r < ' ' {
			return -1
		}
		return r
	}, Visible(name))
	return Clip(strings.Join(strings.Fields(name), " "), maxSource)
}

// SourceName returns where something was read: "On example.org", "In one of your
// documents".
func SourceName(l *messages.Language, address string) string {
	if FromDocuments(address) {
		return l.Text("source.documents", nil)
	}
	if name, ok := research.WarehouseOf(address); ok {
		return l.Text("source.warehouse", messages.Args{"name": messages.Text(Quotable(name, maxSource))})
	}
	if _, ok := research.RunOf(address); ok {
		return l.Text("source.run", nil)
	}
	return l.Text("source.site", messages.Args{"site": messages.Text(SiteName(address))})
}

// FromDocuments reports whether an address is that of a document of the organisation.
func FromDocuments(address string) bool { return strings.HasPrefix(address, "document:") }

// SiteName returns the name of the site at an address, for use in a sentence.
func SiteName(address string) string {
	return Quotable(research.Source{URL: address}.Name(), maxSource)
}
