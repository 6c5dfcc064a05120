package chat

import (
	"encoding/json"
	"slices"
	"sync"
	"time"

	"quaestor/obligations"
	"quaestor/sessions"
)

// briefing is the data of an interview as prompts show it.
type briefing struct {
	Interview    interviewBrief
	Obligations  []obligationBrief // those the prompt is about; none in a reply
	Shown, Total int
	Talk         string         // what was said before, see [talk]
	Files        []passageBrief // given with the message
	Asked        *questionBrief
	Plan         *planBrief // nil unless a reply is wanted
}

// text returns b as prompts/briefing.tmpl words it.
func (b *briefing) text() string {
	return written(func(p *page) {
		p.data(interviewForm, &b.Interview)
		if b.Interview.Speaker != "" {
			p.words(speakerForm, b.Interview.Speaker)
		}
		if len(b.Obligations) > 0 {
			rows(p, obligationsForm, b.Obligations, b.Shown, b.Total)
		}
		if b.Talk != "" {
			p.WriteString("\n")
			p.WriteString(b.Talk)
		}
		if len(b.Files) > 0 {
			rows(p, filesForm, b.Files)
		}
		if b.Asked != nil {
			p.data(askedForm, b.Asked)
		}
		if b.Plan != nil {
			p.data(planForm, b.Plan)
		}
	})
}

// talk is what was said before the turn.
type talk struct {
	Summary    string
	Memory     *memoryBrief
	Transcript []messageBrief
	Research   []lookupBrief // under way
}

// text returns t as prompts/talk.tmpl words it.
func (t *talk) text() string {
	return written(func(p *page) {
		if t.Summary != "" {
			p.data(summaryForm, t.Summary)
		}
		if t.Memory != nil {
			p.data(memoryForm, t.Memory)
		}
		if len(t.Transcript) > 0 {
			rows(p, transcriptForm, t.Transcript)
		}
		if len(t.Research) > 0 {
			rows(p, researchForm, t.Research)
		}
	})
}

// told is a text that is rendered once.
type told struct {
	once sync.Once
	text string // set by once
}

// talk returns what was said before the turn, as prompts show it. A scene that was
// loaded renders it once for both prompts of its turn.
func (s *Scene) talk() string {
	if s.told == nil {
		return renderTalk(s)
	}
	s.told.once.Do(func() { s.told.text = renderTalk(s) })
	return s.told.text
}

func renderTalk(s *Scene) string {
	t := &talk{Summary: clipped(s.Summary, limits.SummaryRunes), Memory: newMemoryBrief(s.Memory), Transcript: lastMessages(s)}
	for n, f := range s.Research.Open() {
		t.Research = append(t.Research, lookupBrief{Task: n + 1, About: lookupTopic(s.Obligations, f.Key, f.Query)})
	}
	return t.text()
}

type interviewBrief struct {
	Name    string         `json:"name"`
	Purpose string         `json:"purpose,omitempty"`
	Phase   sessions.Phase `json:"phase"`
	Goal    string         `json:"goal,omitempty"`
	Turn    int            `json:"turn"`
	Today   string         `json:"today"`
	Speaker string         `json:"speaker,omitempty"` // label of who speaks now, when there are several people
}

type obligationBrief struct {
	Key     string             `json:"key"`
	Label   string             `json:"label"`
	Ask     string             `json:"ask"`
	Widget  obligations.Widget `json:"widget"`
	Unit    string             `json:"unit,omitempty"`
	Min     *float64           `json:"min,omitempty"`
	Max     *float64           `json:"max,omitempty"`
	Integer bool               `json:"whole_number,omitempty"`
	Choices []choiceBrief      `json:"choices,omitempty"`
	Other   bool               `json:"other_answers_allowed,omitempty"`
	Status  obligations.Status `json:"status"`
	Value   any                `json:"value,omitempty"`
}

type lookupBrief struct {
	Task  int    `json:"task"`
	About string `json:"about"`
}

type choiceBrief struct {
	Value string `json:"value"`
	Label string `json:"label"`
}

type memoryBrief struct {
	Topics      []string             `json:"topics,omitempty"`
	FollowUps   []noteBrief          `json:"to_come_back_to,omitempty"`
	Relations   []relationBrief      `json:"what_bears_on_what,omitempty"`
	Preferences sessions.Preferences `json:"preferences,omitempty"`
	Style       sessions.Style       `json:"style,omitempty"`
}

type noteBrief struct {
	Key    string `json:"key"`
	Reason string `json:"reason"`
}

type relationBrief struct {
	From string `json:"from"`
	To   string `json:"to"`
	Type string `json:"type,omitempty"`
}

type messageBrief struct {
	Turn int              `json:"turn"`
	From sessions.Speaker `json:"from"`
	By   string           `json:"by,omitempty"` // label of the person, when there are several
	Text string           `json:"text"`
}

// questionBrief is a question as a model sees it.
type questionBrief struct {
	Purpose  sessions.Purpose `json:"purpose"`
	Key      string           `json:"key,omitempty"`
	Label    string           `json:"label,omitempty"`
	Prompt   string           `json:"prompt"`
	Choices  []string         `json:"choices,omitempty"`
	Unit     string           `json:"unit,omitempty"`
	Examples []string         `json:"examples,omitempty"`
	Proposal any              `json:"proposal,omitempty"`
	Values   []any            `json:"values,omitempty"`
	Source   string           `json:"source,omitempty"` // of a proposal that research found
	Quote    string           `json:"quote,omitempty"`  // its words
	InFile   bool             `json:"-"`                // the source is a file the person gave
	Hint     string           `json:"hint,omitempty"`   // how to go on when the answer stays thin
	Fields   []questionBrief  `json:"fields,omitempty"`
}

func newBriefing(s *Scene) *briefing {
	b := &briefing{
		Interview: interviewBrief{Name: s.Objective.DisplayName, Purpose: clipped(s.Objective.Description, limits.LabelRunes),
			Turn: s.Turn, Today: s.Now.Format(time.DateOnly), Speaker: speakers(s)[s.Person]},
		Talk:  s.talk(),
		Asked: newQuestionBrief(s, s.Asked),
	}
	b.enter(s, s.Session.Phase)
	return b
}

// enter sets the phase the interview is in.
func (b *briefing) enter(s *Scene, phase sessions.Phase) {
	b.Interview.Phase, b.Interview.Goal = phase, clipped(phase.In(s.Objective.Phases).Goal, limits.LabelRunes)
}

// list adds the obligations the prompt is about.
func (b *briefing) list(s *Scene, listed []*obligations.Obligation) {
	b.Shown, b.Total = len(listed), len(s.Obligations)
	b.Obligations = make([]obligationBrief, 0, len(listed))
	for _, o := range listed {
		b.Obligations = append(b.Obligations, obligationBrief{
			Key: o.Key, Label: o.Name(), Ask: clipped(o.Prompt, limits.LabelRunes), Widget: o.Widget, Unit: o.Unit, Min: o.Min, Max: o.Max, Integer: o.Integer,
			Choices: choiceBriefs(o.Choices), Other: o.AllowOther, Status: o.Status, Value: shown(o.Value),
		})
	}
}

func choiceBriefs(list []obligations.Choice) []choiceBrief {
	list = list[:min(len(list), limits.Choices)]
	if len(list) == 0 {
		return nil
	}
	out := make([]choiceBrief, 0, len(list))
	for _, c := range list {
		out = append(out, choiceBrief{Value: c.Value, Label: clipped(c.Label, limits.LabelRunes)})
	}
	return out
}

// shown returns a value as it is, or its beginning as text when it is long.
func shown(v json.RawMessage) any {
	switch {
	case v == nil:
		return nil
	case len(v) <= limits.ValueRunes:
		return v
	}
	return clipped(plainText(v), limits.ValueRunes)
}

// newMemoryBrief returns what is remembered, nil when that is nothing.
func newMemoryBrief(m sessions.Memory) *memoryBrief {
	b := memoryBrief{Style: m.Style, Preferences: m.Preferences}
	for _, t := range m.RecentTopics[max(0, len(m.RecentTopics)-limits.Notes):] {
		b.Topics = append(b.Topics, clipped(t, limits.ValueRunes))
	}
	for _, f := range m.FollowUps[:min(len(m.FollowUps), limits.Notes)] {
		b.FollowUps = append(b.FollowUps, noteBrief{Key: f.Key, Reason: clipped(f.Reason, limits.ValueRunes)})
	}
	for _, r := range m.Relationships[:min(len(m.Relationships), limits.Notes)] {
		b.Relations = append(b.Relations, relationBrief{From: r.From, To: r.To, Type: clipped(r.Type, limits.ValueRunes)})
	}
	if b.Style == "" && len(b.Preferences)+len(b.Topics)+len(b.FollowUps)+len(b.Relations) == 0 {
		return nil
	}
	return &b
}

// newQuestionBrief returns q for a prompt; nil when there is none.
func newQuestionBrief(s *Scene, q *sessions.Question) *questionBrief {
	if q == nil {
		return nil
	}
	b := &questionBrief{Purpose: q.Purpose, Key: q.Key, Label: q.Label, Prompt: clipped(q.Prompt, limits.MessageRunes), Unit: q.Unit, Proposal: shown(q.Proposal)}
	o := obligations.Find(s.Obligations, q.Key)
	if o != nil && q.Proposal != nil {
		b.Proposal = clipped(spoken(o.Template, q.Proposal), limits.ValueRunes)
		if e := proposedBy(o); e != nil {
			b.Source, b.Quote, b.InFile = SourceOf(*e), quotable(e.Quote, maxCited), e.File != ""
		}
	}
	for _, v := range q.Values {
		b.Values = append(b.Values, shown(v))
	}
	for _, c := range q.Choices[:min(len(q.Choices), limits.Choices)] {
		b.Choices = append(b.Choices, clipped(c.Label, limits.LabelRunes))
	}
	for _, e := range q.Examples[:min(len(q.Examples), limits.Notes)] {
		b.Examples = append(b.Examples, clipped(e, limits.ValueRunes))
	}
	if o != nil && q.Attempt > 1 {
		b.Hint = clipped(o.FollowUpStrategy, limits.LabelRunes)
	}
	for i := range q.Fields {
		b.Fields = append(b.Fields, *newQuestionBrief(s, &q.Fields[i]))
	}
	return b
}

// narrow returns the obligations a model is shown, in the order of the objective:
// all of a small objective, of a large one those that bear most on this turn.
func narrow(s *Scene) []*obligations.Obligation {
	all := make([]*obligations.Obligation, len(s.Obligations))
	for i := range s.Obligations {
		all[i] = &s.Obligations[i]
	}
	if len(all) <= limits.Obligations {
		return all
	}
	weigh := newBearing(s)
	weights := make(map[*obligations.Obligation]int, len(all))
	for _, o := range all {
		weights[o] = weigh.of(o)
	}
	place := make(map[*obligations.Obligation]int, len(all))
	for i, o := range all {
		place[o] = i
	}
	slices.SortStableFunc(all, func(a, b *obligations.Obligation) int { return weights[b] - weights[a] })
	all = all[:limits.Obligations]
	slices.SortFunc(all, func(a, b *obligations.Obligation) int { return place[a] - place[b] })
	return all
}
