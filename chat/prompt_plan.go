package chat

import (
	"math"
	"slices"

	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
)

// planBrief is the plan of a turn as a model sees it.
type planBrief struct {
	Intent      Intent              `json:"intent,omitempty"`
	Greeting    string              `json:"greeting,omitempty"`
	Noted       []changeBrief       `json:"noted,omitempty"`
	Files       []fileBrief         `json:"files,omitempty"` // given with the message
	CannotTake  []refusalBrief      `json:"cannotTake,omitempty"`
	Conflict    *conflictBrief      `json:"conflict,omitempty"`
	Why         string              `json:"why,omitempty"`
	Examples    []string            `json:"examples,omitempty"`
	Research    []string            `json:"research,omitempty"`
	NoSources   bool                `json:"noSources,omitempty"` // to look it up in
	NotLookedUp []unwantedBrief     `json:"notLookedUp,omitempty"`
	Steered     []steeredBrief      `json:"steered,omitempty"`
	News        []newsBrief         `json:"news,omitempty"` // of research that is over
	Progress    string              `json:"progress,omitempty"`
	Known       []knownBrief        `json:"known,omitempty"`
	Remembered  []string            `json:"remembered,omitempty"` // beside the values
	Open        []string            `json:"open,omitempty"`
	Entry       string              `json:"entry,omitempty"`
	Ends        sessions.StopReason `json:"ends,omitempty"`
	Question    *questionBrief      `json:"question,omitempty"`

	QuestionsLeft int `json:"questionsLeft,omitempty"`
}

type unwantedBrief struct {
	About  string `json:"about"`
	Reason string `json:"reason"`
}

type steeredBrief struct {
	About string `json:"about"`
	Told  string `json:"told"`
}

type newsBrief struct {
	About string `json:"about"`
	Came  Ending `json:"came"`
	Says  string `json:"says,omitempty"` // with its sources
}

type changeBrief struct {
	Label string `json:"label"`
	What  string `json:"what"` // noted, changed, confirmed, doubtful, taken back, put off or skipped
	Was   string `json:"was,omitempty"`
	Now   string `json:"now,omitempty"`
	From  string `json:"from,omitempty"` // the file it was read in
}

type refusalBrief struct {
	Label  string `json:"label"`
	Gave   string `json:"gave"`
	Remedy string `json:"remedy"`
}

type conflictBrief struct {
	Label string   `json:"label"`
	Says  []string `json:"says"`
}

type knownBrief struct {
	Label    string `json:"label"`
	Value    string `json:"value"`
	Doubtful bool   `json:"doubtful,omitempty"`
}

// newPlanBrief returns what the reply needs of p, and no more: an answer that is
// given facts it does not need repeats them.
func newPlanBrief(s *Scene, p *Plan) *planBrief {
	b := &planBrief{Intent: p.Understanding.Intent, Noted: changeBriefs(s, p.Changes), Files: fileBriefs(s, p), CannotTake: refusalBriefs(p), Conflict: newConflictBrief(p),
		Ends: p.Ends, Question: newQuestionBrief(s, p.Question), QuestionsLeft: p.Left}
	if p.Phase != p.PhaseBefore {
		b.Entry = clipped(p.Phase.In(s.Objective.Phases).Entry, limits.LabelRunes)
	}
	b.answering(s, p)
	b.looking(s, p)
	if p.Ends != "" || p.Question != nil && p.Question.Purpose == sessions.ToFinish {
		b.Known, b.Open = known(p), open(p)
	}
	return b
}

// answering adds the facts that the person's own question wants.
func (b *planBrief) answering(s *Scene, p *Plan) {
	switch p.Understanding.Intent {
	case Opened:
		b.Greeting = clipped(s.Objective.Greeting, limits.MessageRunes)
	case AskWhy:
		if o := subject(s, p); o != nil {
			b.Why = clipped(o.Why, limits.LabelRunes)
		}
	case AskHelp:
		if o := subject(s, p); o != nil {
			b.Examples = o.Examples[:min(len(o.Examples), limits.Notes)]
		}
	case AskProgress:
		b.Progress, b.Open = percent(p.Completeness.Progress), open(p)
	case AskMemory:
		b.Known, b.Remembered = known(p), Recall(s.Memory, labelIn(p.List))
	default:
	}
}

// looking adds what is looked up, what is not, and what came of it.
func (b *planBrief) looking(s *Scene, p *Plan) {
	for _, w := range p.Understanding.Research {
		about := lookupTopic(p.List, w.Key, w.Query)
		if i := slices.IndexFunc(p.Research.Refused, func(r research.Refusal) bool { return r.Wish == research.Request(w) }); i >= 0 {
			b.unwanted(s, p, p.Research.Refused[i], about)
			continue
		}
		b.Research, b.NoSources = append(b.Research, about), s.Sourceless
	}
	for _, st := range p.Steered {
		told := clipped(st.Text, limits.ValueRunes)
		if st.Cancel {
			told = "it is not wanted any more, and was stopped"
		}
		b.Steered = append(b.Steered, steeredBrief{lookupTopic(p.List, st.Task.Key, st.Task.Query), told})
	}
	for _, f := range p.News {
		if !p.Asks(f) {
			b.tell(p, f)
		}
	}
}

// obstacles says why a request is not looked up.
var obstacles = map[research.DeclineReason]string{
	research.Underway:   "it is being looked up already",
	research.Unknowable: "no source but the person can know it",
	research.TurnFull:   "it is more than can be ordered at once; they may ask again in a moment",
	research.TooMany:    "too many things are being looked up already; one of them has to end first",
	research.UsedUp:     "the conversation has used up its research",
	research.OwnSystems: research.OwnDataDeclined,
}

// unwanted adds a request that is not looked up; what was found before is told again.
func (b *planBrief) unwanted(s *Scene, p *Plan, r research.Refusal, about string) {
	if r.Why != research.Known {
		b.NotLookedUp = append(b.NotLookedUp, unwantedBrief{about, obstacles[r.Why]})
		return
	}
	had := func(f research.TaskSummary) bool { return f.ID == r.Had }
	if i := slices.IndexFunc(s.Research, had); i >= 0 && !slices.ContainsFunc(p.News, had) {
		b.tell(p, s.Research[i])
	}
}

func (b *planBrief) tell(p *Plan, f research.TaskSummary) {
	n := newsBrief{About: lookupTopic(p.List, f.Key, f.Query), Came: EndingOf(f)}
	if n.Came == FoundSomething || n.Came == Disagreement {
		n.Says = clipped(Visible(f.Summary), limits.MessageRunes)
	}
	b.News = append(b.News, n)
}

// labelIn returns what finds the label of a key; "" for a key that is none.
func labelIn(list []obligations.Obligation) func(key string) string {
	return func(key string) string {
		if o := obligations.Find(list, key); o != nil {
			return o.Name()
		}
		return ""
	}
}

// subject is what the person asks about: what they name, else what was asked,
// else what will be.
func subject(s *Scene, p *Plan) *obligations.Obligation {
	keys := append([]string{p.Understanding.About}, s.Asked.Keys()...)
	for _, key := range append(keys, p.Question.Keys()...) {
		if o := obligations.Find(p.List, key); o != nil {
			return o
		}
	}
	return nil
}

// lookupTopic names what is looked up: an obligation, or a question.
func lookupTopic(list []obligations.Obligation, key, query string) string {
	if o := obligations.Find(list, key); o != nil {
		return o.Name()
	}
	return clipped(query, limits.ValueRunes)
}

// changeBriefs returns what the reply may say was noted.
func changeBriefs(s *Scene, list []obligations.Change) []changeBrief {
	var out []changeBrief
	for _, c := range list {
		if what := happened(c); what != "" {
			out = append(out, changeBrief{Label: c.After.Name(), What: what, Was: heldBefore(c), Now: valueBrief(&c.After), From: s.ReadIn(&c.After)})
		}
	}
	return out[:min(len(out), limits.Obligations)]
}

// happened says in a word what a change comes to; "" for what a person need not
// hear of.
func happened(c obligations.Change) string {
	before, after := &c.Before, &c.After
	if before.Hinted() { // nobody had said it
		before = &obligations.Obligation{Template: before.Template, Status: before.Status}
	}
	same := obligations.SameValue(before.Value, after.Value)
	switch {
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

func heldBefore(c obligations.Change) string {
	if c.Before.Hinted() || obligations.SameValue(c.Before.Value, c.After.Value) {
		return ""
	}
	return valueBrief(&c.Before)
}

func valueBrief(o *obligations.Obligation) string {
	return clipped(spoken(o.Template, o.Value), limits.ValueRunes)
}

func refusalBriefs(p *Plan) []refusalBrief {
	var out []refusalBrief
	for _, r := range p.Understanding.Refused[:min(len(p.Understanding.Refused), limits.Notes)] {
		b := refusalBrief{Label: r.Key, Gave: clipped(r.Text, limits.ValueRunes), Remedy: clipped(r.Remedy, limits.LabelRunes)}
		if o := obligations.Find(p.List, r.Key); o != nil {
			b.Label = o.Name()
		}
		out = append(out, b)
	}
	return out
}

// newConflictBrief words the conflict to raise; nil for none.
func newConflictBrief(p *Plan) *conflictBrief {
	if p.Conflict == nil {
		return nil
	}
	b := &conflictBrief{}
	for _, side := range p.Conflict.Sides[:min(len(p.Conflict.Sides), limits.Conflicts)] {
		o := obligations.Find(p.List, side.Key)
		if o == nil {
			continue
		}
		if b.Label == "" {
			b.Label = o.Name()
		}
		says := o.Name() + ": " + spoken(o.Template, side.Value)
		if len(side.Evidence) > 0 && side.Evidence[0].Kind == obligations.ResearchEvidence {
			says = "research, " + SourceName(side.Evidence[0].Source) + ": " + says
		}
		if len(side.Evidence) > 0 && side.Evidence[0].Kind == obligations.Document {
			says = "the file " + side.Evidence[0].Source + ": " + says
		}
		b.Says = append(b.Says, clipped(says, limits.ValueRunes))
	}
	return b
}

// known lists what is known, in the order of the objective.
func known(p *Plan) []knownBrief {
	var out []knownBrief
	for i := range p.List {
		if o := &p.List[i]; o.Value != nil && len(out) < limits.Obligations {
			out = append(out, knownBrief{Label: o.Name(), Value: valueBrief(o), Doubtful: o.Status != obligations.Satisfied})
		}
	}
	return out
}

// open lists the names of what is still open.
func open(p *Plan) []string {
	var out []string
	for _, key := range p.Completeness.OpenKeys[:min(len(p.Completeness.OpenKeys), limits.Notes)] {
		if o := obligations.Find(p.List, key); o != nil {
			out = append(out, o.Name())
		}
	}
	return out
}

// percent writes a share from 0 to 1 as people say it.
func percent(share float64) string {
	return wording(math.Round(share*100)) + " %"
}
