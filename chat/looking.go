package chat

import (
	"regexp"
	"slices"
	"strings"

	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
)

// ResearchSteering is something the person says of research that is under way.
type ResearchSteering struct {
	Task   string // id; empty means the newest that is open
	Text   string // where to look, such as "Germany only"; empty to cancel
	Cancel bool   // it is not wanted any more
}

// SteeredTask is a [ResearchSteering] with the task it is about.
type SteeredTask struct {
	Task   research.TaskSummary // as it was before
	Text   string
	Cancel bool
}

// maxSteered bounds what one message may say of research under way.
const maxSteered = research.MaxOpen

// steered finds the tasks that steering is about. Without an open one there is
// nothing to steer, and what a task is told after it was cancelled is not told.
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

// agenda works out the research a turn calls for, after what the person cancelled
// in it.
func agenda(s *Scene, u Understanding, after []obligations.Obligation, changes []obligations.Change, past research.History) research.Agenda {
	t := research.TurnFindings{List: after, Changes: changes, Past: slices.Clone(past), Context: s.Objective.DisplayName, Said: s.Message}
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
			t.Wishes = append(t.Wishes, research.Request(w))
		}
	}
	return research.Due(t)
}

// ownDataWishes makes requests of what asks for the person's own data in other ways, so
// that it is declined with what helps: research that is to go on there, and a request
// that was not understood as one.
func ownDataWishes(s *Scene, u Understanding) Understanding {
	u.Research, u.Steering = slices.Clone(u.Research), slices.Clone(u.Steering)
	for _, st := range u.Steering {
		if research.OwnData(st.Text) {
			u.Research = append(u.Research, ResearchRequest{Query: st.Text})
		}
	}
	u.Steering = slices.DeleteFunc(u.Steering, func(st ResearchSteering) bool { return research.OwnData(st.Text) })
	request, asks := research.OwnDataRequest(s.Message)
	if asks && orders.MatchString(request) { // what is asked of the interviewer is no answer
		had := len(u.Findings)
		u.Findings = slices.DeleteFunc(slices.Clone(u.Findings), func(f obligations.Finding) bool { return overlaps(f.Evidence.Quote, request) })
		if len(u.Findings) == 0 && had > 0 {
			u.Intent = Unclear
		}
	}
	if asks && len(u.Research) == 0 && (u.Intent == OffTopic || u.Intent == Unclear) {
		u.Intent, u.Research = AskResearch, []ResearchRequest{{Query: request}}
	}
	return u
}

// orders begin with what the interviewer is to do.
var orders = regexp.MustCompile(`(?i)^\W*(?:(?:please|can|could|would|will|you|just|maybe|then|well|so|ok|okay|hm+|and|but|better|bitte|kannst|könntest|können|sie|du|mal)\W+)*(?:look|check|find|search|query|pull|dig|google|verify|see|get|ask|read|research|schau|sieh|such|prüf|frag|recherchier)`)

// overlaps reports whether a quote and a request share their words.
func overlaps(quote, request string) bool {
	quote, request = strings.TrimSpace(quote), strings.TrimSpace(request)
	return quote != "" && (strings.Contains(quote, request) || strings.Contains(request, quote))
}

// AsksAfterResearch reports whether the message asks what came of research: it is
// about research, and has nothing looked up, steered or told.
func (u *Understanding) AsksAfterResearch() bool {
	return u.Intent == AskResearch && len(u.Research)+len(u.Steering)+len(u.Findings) == 0
}

// maxNews bounds the research told of in one turn.
const maxNews = 2

// news picks what the person is told of research that is over: not while
// something else has to be settled first, and not to somebody who leaves.
func (d *decision) news() []research.TaskSummary {
	p := d.plan
	if p.Conflict != nil || p.Digression && !p.Understanding.AsksAfterResearch() || p.Ends == sessions.EndLeft || slices.Contains(digressions, p.Understanding.Intent) ||
		p.Question != nil && p.Question.Purpose == sessions.ToResolve {
		return nil
	}
	list := d.scene.Research.News()
	return list[:min(len(list), maxNews)]
}

// Ending is what came of research, as people are told it.
type Ending string

// The endings.
const (
	FoundSomething Ending = "found"
	FoundNothing   Ending = "found nothing to rely on"
	Disagreement   Ending = "sources disagree"
	WentWrong      Ending = "could not be looked up"
)

// EndingOf returns what came of a task that is over.
func EndingOf(f research.TaskSummary) Ending {
	switch {
	case f.Status == research.Failed:
		return WentWrong
	case f.Outcome == research.Contradicting:
		return Disagreement
	case f.Outcome == research.Found:
		return FoundSomething
	}
	return FoundNothing
}

// Asks reports whether the plan's question tells the news itself: it puts the value
// that the task proposes before the person, with its source.
func (p *Plan) Asks(f research.TaskSummary) bool {
	q := p.Question
	if q == nil || q.Purpose != sessions.ToConfirm || q.Key != f.Key || EndingOf(f) != FoundSomething {
		return false
	}
	o := obligations.Find(p.List, q.Key)
	return o != nil && proposedBy(o) != nil
}

// proposedBy returns the source of the value that research, or a file the person
// gave, proposes for o; nil when what o holds, if anything, is not such a proposal.
func proposedBy(o *obligations.Obligation) *obligations.Evidence {
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

// OnlyLookedUp reports whether the value o holds, if any, is research's proposal
// and nobody's word.
func OnlyLookedUp(o *obligations.Obligation) bool { return proposedBy(o) != nil }

// Bounds of what is quoted in a question, in runes.
const (
	maxCited  = 200
	maxOffer  = 120
	maxSource = 80
)

// offer words the question whether what a source says shall be put down.
func offer(o *obligations.Obligation, e *obligations.Evidence) string {
	value, quote := quotable(spoken(o.Template, o.Value), maxOffer), quotable(e.Quote, maxCited)
	what := "“" + value + "”"
	if strings.Contains(quote, value) && len(value)*2 > len(quote) { // said just before
		what = "that"
	}
	return SourceOf(*e) + " I read: “" + quote + "”. Shall I put down " + what + " for “" + o.Name() + "”?"
}

// SourceOf says where what e quotes was read: "In plan.docx", or as [SourceName]
// does.
func SourceOf(e obligations.Evidence) string {
	if e.Kind == obligations.Document && e.File != "" {
		return "In " + FileLabel(e.Source)
	}
	return SourceName(e.Source)
}

// FileLabel is the name of a file within a sentence, without signs that Markdown
// or a question would make something of.
func FileLabel(name string) string {
	name = strings.Map(func(r rune) rune {
		if strings.ContainsRune("?!？！؟*`<>#|[]\\“”\"", r) || r < ' ' {
			return -1
		}
		return r
	}, Visible(name))
	return clipped(strings.Join(strings.Fields(name), " "), maxSource)
}

// SourceName says where something was read: "On example.org", "In one of your
// documents".
func SourceName(address string) string {
	if strings.HasPrefix(address, "document:") {
		return "In one of your documents"
	}
	return "On " + quotable(research.Source{URL: address}.Name(), maxSource)
}

// quotable makes one line of what a source says, without signs that would end the
// quotation, ask for something or be taken for Markdown.
func quotable(s string, most int) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune("?!？！؟*_`<>#|[]“”\"", r):
			return -1
		case r < ' ':
			return ' '
		}
		return r
	}, Visible(s))
	return strings.TrimRight(clipped(strings.Join(strings.Fields(s), " "), most), ".,;: ")
}
