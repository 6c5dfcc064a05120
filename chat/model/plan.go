package model

import (
	"cmp"
	"math"
	"slices"

	"quaestor/chat"
	"quaestor/internal/language/messages"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
)

// planData is the plan of a turn as prompts/data.tmpl shows it to the model that
// words the reply.
type planData struct {
	Intent      chat.Intent         `json:"intent,omitempty"`
	Greeting    string              `json:"greeting,omitempty"`
	Facts       *factsData          `json:"facts,omitempty"` // for what the person may ask; only while the message is not understood
	Noted       []changeData        `json:"noted,omitempty"`
	Files       []fileData          `json:"files,omitempty"` // given with the message
	CannotTake  []refusalData       `json:"cannotTake,omitempty"`
	Conflict    *conflictData       `json:"conflict,omitempty"`
	Why         string              `json:"why,omitempty"`
	Examples    []string            `json:"examples,omitempty"`
	Research    []string            `json:"research,omitempty"`
	NoSources   bool                `json:"noSources,omitempty"` // there is nothing to look it up in
	NotLookedUp []declinedData      `json:"notLookedUp,omitempty"`
	Steered     []steeredData       `json:"steered,omitempty"`
	Disputed    []disputedData      `json:"disputed,omitempty"`
	News        []newsData          `json:"news,omitempty"` // of research that is over
	Progress    string              `json:"progress,omitempty"`
	Known       []knownData         `json:"known,omitempty"`
	Remembered  []string            `json:"remembered,omitempty"` // beside the values
	Open        []string            `json:"open,omitempty"`
	Entry       string              `json:"entry,omitempty"`
	Ends        sessions.StopReason `json:"ends,omitempty"`
	Question    *questionData       `json:"question,omitempty"`

	QuestionsLeft int `json:"questionsLeft,omitempty"`
}

// Asks reports whether the plan asks anything. It is for prompts/reply.tmpl.
func (d *planData) Asks() bool { return d.Question != nil }

// declinedData is a request that is not looked up.
type declinedData struct {
	About  string `json:"about"`
	Reason string `json:"reason"`
}

// steeredData is a task in progress that was told something.
type steeredData struct {
	About string `json:"about"`
	Told  string `json:"told"`
}

// disputedData is a result that the person says is wrong.
type disputedData struct {
	About string `json:"about"`
	Said  string `json:"said"`
	Told  string `json:"told"` // what was found
}

// newsData is the result of a task that is over.
type newsData struct {
	About string              `json:"about"`
	Came  chat.ResearchResult `json:"came"`
	Says  string              `json:"says,omitempty"` // with its sources
}

// changeData is a change that the reply may mention.
type changeData struct {
	Label string `json:"label"`
	What  string `json:"what"` // noted, changed, added to, confirmed, doubtful, taken back, put off or skipped
	Was   string `json:"was,omitempty"`
	Now   string `json:"now,omitempty"`
	From  string `json:"from,omitempty"` // the file it was read in
}

// fileData is a file that came with the message.
type fileData struct {
	Name  string `json:"name"`
	Begun bool   `json:"onlyItsBeginningWasRead,omitempty"`
	Found bool   `json:"answersSomething"`
}

// refusalData is an answer that could not be the value.
type refusalData struct {
	Label  string `json:"label"`
	Gave   string `json:"gave"`
	Remedy string `json:"remedy"`
}

// conflictData is a contradiction that the reply raises.
type conflictData struct {
	Label string   `json:"label"`
	Says  []string `json:"says"`
}

// knownData is a value for a summary.
type knownData struct {
	Label    string `json:"label"`
	Value    string `json:"value"`
	Doubtful bool   `json:"doubtful,omitempty"`
}

// newPlanData returns what the reply needs of p and no more: a model that is given
// facts it does not need repeats them.
func newPlanData(s *chat.Scene, p *chat.Plan) *planData {
	d := &planData{Intent: p.Understanding.Intent, Conflict: newConflictData(p), Ends: p.Ends, Question: newQuestionData(s, p.Question), QuestionsLeft: p.Left}
	for _, f := range s.Files {
		found := slices.ContainsFunc(p.Understanding.Findings, func(g obligations.Finding) bool { return g.Evidence.File == f.ID })
		d.Files = append(d.Files, fileData{chat.Clip(f.Name, limits.LabelRunes), f.Truncated, found})
	}
	for _, r := range p.Understanding.Refused[:min(len(p.Understanding.Refused), limits.Notes)] {
		refusal := refusalData{Label: r.Key, Gave: chat.Clip(r.Text, limits.ValueRunes), Remedy: chat.Clip(r.Remedy, limits.LabelRunes)}
		if o := obligations.Find(p.List, r.Key); o != nil {
			refusal.Label = o.Name()
		}
		d.CannotTake = append(d.CannotTake, refusal)
	}
	if p.Phase != p.PhaseBefore {
		d.Entry = chat.Clip(p.Phase.In(s.Objective.Phases).Entry, limits.LabelRunes)
	}
	d.addChanges(s, p.Changes)
	d.addAnswer(s, p)
	d.addResearch(s, p)
	d.Known = known(p)
	if p.Ends != "" || p.Question != nil && p.Question.Purpose == sessions.ToFinish {
		d.Open = open(p)
	}
	if p.AcknowledgeOnly {
		d.Question = nil
	}
	return d
}

// factsData is what is true of the interview, for what the person may ask.
type factsData struct {
	You         string     `json:"you"`
	LastAsked   string     `json:"whyTheLastQuestionWasAsked,omitempty"`
	LastMeans   []string   `json:"examplesOfAnswersToIt,omitempty"`
	Progress    string     `json:"progress"`
	MinutesLeft int        `json:"minutesLeft"`
	PartsAhead  []string   `json:"partsAhead,omitempty"`
	Open        []string   `json:"stillOpen,omitempty"`
	Human       *humanData `json:"forAPersonToTalkTo,omitempty"`
	MaySkip     string     `json:"whatThePersonMayDo"`
	NothingElse string     `json:"restOfTheData"`
}

// newFactsData returns what the person may ask for in a turn whose message is not
// understood yet.
func newFactsData(s *chat.Scene, p *chat.Plan) *factsData {
	d := &factsData{You: "an interviewer that is a computer program with a language model, no human", Progress: percent(p), Open: open(p),
		MaySkip:     "skip a question, put it off, correct what was noted, ask why, stop and come back later; what is noted is kept",
		NothingElse: "what is not in the data is not known to you"}
	d.Human = newHumanData(s, p)
	agenda := chat.AgendaOf(p.List, p.Question)
	d.MinutesLeft, d.PartsAhead = agenda.Minutes, agenda.Ahead()
	if o := subject(s, &chat.Plan{List: p.List}); o != nil {
		d.LastAsked, d.LastMeans = chat.Clip(o.Why, limits.LabelRunes), o.Examples[:min(len(o.Examples), limits.Notes)]
	}
	return d
}

// percent words how far the interview is.
func percent(p *chat.Plan) string {
	return chat.InWords(math.Round(p.Completeness.Progress*100)) + " %"
}

// addAnswer adds the facts that answer the person's own question.
func (d *planData) addAnswer(s *chat.Scene, p *chat.Plan) {
	if chat.AsksForHuman(&p.Understanding) {
		d.Facts = newFactsData(s, p)
	}
	switch p.Understanding.Intent {
	case "", chat.AskMeta:
		d.Facts = newFactsData(s, p)
	case chat.Opened:
		d.Greeting = chat.Clip(s.Objective.Greeting, limits.MessageRunes)
	case chat.AskWhy:
		if o := subject(s, p); o != nil {
			d.Why = chat.Clip(o.Why, limits.LabelRunes)
		}
	case chat.AskHelp:
		if o := subject(s, p); o != nil {
			d.Examples = o.Examples[:min(len(o.Examples), limits.Notes)]
		}
	case chat.AskProgress:
		d.Progress, d.Open = percent(p), open(p)
	case chat.AskMemory:
		d.Remembered = chat.Recall(chat.MessagesOf(s), s.Memory, func(key string) string {
			if o := obligations.Find(p.List, key); o != nil {
				return o.Name()
			}
			return ""
		})
	default:
	}
}

// addResearch adds what is going to be looked up, what is not, what tasks in
// progress were told, and the news.
func (d *planData) addResearch(s *chat.Scene, p *chat.Plan) {
	for _, r := range p.Understanding.Research {
		about := lookupTopic(p.List, r.Key, r.Query)
		if i := slices.IndexFunc(p.Research.Refused, func(f research.DeclinedRequest) bool { return f.Request == research.Request(r) }); i >= 0 {
			d.addDeclined(s, p, p.Research.Refused[i], about)
			continue
		}
		d.Research = append(d.Research, about)
		if !ofOwnData(p, r) {
			d.NoSources = s.Sourceless
		}
	}
	for _, o := range p.Research.Orders {
		if o.Trigger == research.Collection {
			d.Research = append(d.Research, lookupTopic(p.List, o.Key, o.Query))
		}
	}
	for _, st := range p.Steered {
		told := chat.Clip(st.Text, limits.ValueRunes)
		if st.Cancel {
			told = "it is not wanted any more, and was stopped"
		}
		d.Steered = append(d.Steered, steeredData{lookupTopic(p.List, st.Task.Key, st.Task.Query), told})
	}
	if f := p.Understanding.Figure; f != nil {
		d.addFigure(p, f)
	}
	for _, f := range p.News {
		if !p.Asks(f) {
			d.addNews(p, f)
		}
	}
}

// addFigure adds what the person says of what their own data told: what was told is quoted again, unless it is news.
func (d *planData) addFigure(p *chat.Plan, f *chat.FigureRemark) {
	about := lookupTopic(p.List, f.Task.Key, f.Task.Query)
	switch {
	case f.Act == chat.DisputedFigure:
		d.Disputed = append(d.Disputed, disputedData{about, chat.Clip(f.Said, limits.ValueRunes), chat.Clip(chat.Visible(f.Task.Summary), limits.MessageRunes)})
	case f.Act == chat.RepeatedFigure && f.Task.Open():
		d.NotLookedUp = append(d.NotLookedUp, declinedData{about, declineReasons[research.Underway]})
	case f.Act == chat.RepeatedFigure && !slices.ContainsFunc(p.News, func(n research.TaskSummary) bool { return n.ID == f.Task.ID }):
		d.addNews(p, f.Task)
	}
}

// ofOwnData reports whether a request is asked of the person's own data.
func ofOwnData(p *chat.Plan, r chat.ResearchRequest) bool {
	return slices.ContainsFunc(p.Research.Orders, func(o research.Order) bool { return o.Kind.OwnData() && o.Key == r.Key })
}

// declineReasons words why a request is not looked up.
var declineReasons = map[research.DeclineReason]string{
	research.Underway:   "it is being looked up already",
	research.Unknowable: "no source but the person can know it",
	research.TurnFull:   "it is more than can be ordered at once; they may ask again in a moment",
	research.TooMany:    "too many things are being looked up already; one of them has to end first",
	research.UsedUp:     "the conversation has used up its research",
	research.OwnSystems: research.OwnDataDeclined,
}

// addDeclined adds a request that is not looked up. When that is because the answer
// was found before, the answer is told again instead.
func (d *planData) addDeclined(s *chat.Scene, p *chat.Plan, r research.DeclinedRequest, about string) {
	if r.Why != research.Known {
		reason := declineReasons[r.Why]
		if r.Data != nil {
			reason = r.Data.In(chat.MessagesOf(s))
		}
		d.NotLookedUp = append(d.NotLookedUp, declinedData{about, reason})
		return
	}
	same := func(f research.TaskSummary) bool { return f.ID == r.Had }
	if i := slices.IndexFunc(s.Research, same); i >= 0 && !slices.ContainsFunc(p.News, same) {
		d.addNews(p, s.Research[i])
	}
}

// addNews adds the result of a task. Only what sources say is quoted.
func (d *planData) addNews(p *chat.Plan, f research.TaskSummary) {
	n := newsData{About: lookupTopic(p.List, f.Key, f.Query), Came: chat.ResultOf(f)}
	if n.Came == chat.FoundSomething || n.Came == chat.Disagreement || f.Kind.OwnData() {
		n.Says = chat.Clip(chat.Visible(f.Summary), limits.MessageRunes)
	}
	d.News = append(d.News, n)
}

// subject returns what the person asks about: what they name, else what was asked
// last, else what is asked next; nil when none of these is an obligation.
func subject(s *chat.Scene, p *chat.Plan) *obligations.Obligation {
	keys := append([]string{p.Understanding.About}, s.Asked.Keys()...)
	for _, key := range append(keys, p.Question.Keys()...) {
		if o := obligations.Find(p.List, key); o != nil {
			return o
		}
	}
	return nil
}

// lookupTopic names what is looked up: the obligation of that key, or the query.
func lookupTopic(list []obligations.Obligation, key, query string) string {
	if o := obligations.Find(list, key); o != nil {
		return o.Name()
	}
	return chat.Clip(query, limits.ValueRunes)
}

// addChanges adds the changes that the reply may mention.
func (d *planData) addChanges(s *chat.Scene, list []obligations.Change) {
	for _, c := range list {
		what := whatChanged(c)
		if chat.ConcludedFrom(&c.After) != nil || c.After.Value == nil && chat.ConcludedFrom(&c.Before) != nil {
			what = "" // what follows from the answers is put to the person by a question
		}
		if what == "" || len(d.Noted) == limits.Obligations {
			continue
		}
		change := changeData{Label: c.After.Name(), What: what, Now: shortWords(&c.After), From: s.ReadIn(&c.After)}
		if !c.Before.Hinted() && !obligations.SameValue(c.Before.Value, c.After.Value) {
			change.Was = shortWords(&c.Before)
		}
		d.Noted = append(d.Noted, change)
	}
}

// whatChanged returns the word for a change, or "" when it does not concern the
// person. A hint that is replaced counts as nothing, since nobody had said it.
func whatChanged(c obligations.Change) string {
	before, after := &c.Before, &c.After
	if before.Hinted() {
		before = &obligations.Obligation{Template: before.Template, Status: before.Status}
	}
	same := obligations.SameValue(before.Value, after.Value)
	switch {
	case c.Elaborated() != "":
		return "added to"
	case after.Hinted():
		return "" // nobody said it, so it is not told either
	case after.Status == obligations.Skipped && before.Status != after.Status:
		return "skipped"
	case after.Status == obligations.Deferred && before.Status != after.Status:
		return "put off"
	case after.Value == nil && before.Value != nil:
		return "taken back"
	case after.Value == nil:
		return ""
	case before.Value != nil && !same:
		return "changed"
	case before.Value != nil && len(after.Evidence) > len(before.Evidence):
		return "confirmed"
	case same:
		return ""
	case after.Status == obligations.Satisfied:
		return "noted"
	}
	return "doubtful"
}

// shortWords returns the value of o in words, clipped.
func shortWords(o *obligations.Obligation) string {
	return chat.Clip(chat.ValueInWords(o.Template, o.Value), limits.ValueRunes)
}

// newConflictData words the conflict to raise, or returns nil when there is none.
func newConflictData(p *chat.Plan) *conflictData {
	if p.Conflict == nil {
		return nil
	}
	d := &conflictData{}
	for _, side := range p.Conflict.Sides[:min(len(p.Conflict.Sides), limits.Conflicts)] {
		o := obligations.Find(p.List, side.Key)
		if o == nil {
			continue
		}
		d.Label = cmp.Or(d.Label, o.Name())
		says := o.Name() + ": " + chat.ValueInWords(o.Template, side.Value)
		if len(side.Evidence) > 0 {
			switch e := side.Evidence[0]; e.Kind {
			case obligations.ResearchEvidence:
				says = "research, " + chat.SourceName(messages.In(messages.Default), e.Source) + ": " + says
			case obligations.Document:
				says = "the file " + e.Source + ": " + says
			default:
			}
		}
		d.Says = append(d.Says, chat.Clip(says, limits.ValueRunes))
	}
	return d
}

// known lists the values that are held, in the order of the objective.
func known(p *chat.Plan) []knownData {
	var out []knownData
	for i := range p.List {
		if o := &p.List[i]; o.Held() != nil && len(out) < limits.Obligations {
			out = append(out, knownData{Label: o.Name(), Value: shortWords(o), Doubtful: o.Status != obligations.Satisfied})
		}
	}
	return out
}

// open lists the names of what is still open.
func open(p *chat.Plan) []string {
	var out []string
	for _, key := range p.Completeness.OpenKeys[:min(len(p.Completeness.OpenKeys), limits.Notes)] {
		if o := obligations.Find(p.List, key); o != nil {
			out = append(out, o.Name())
		}
	}
	return out
}
