package chat

import (
	"encoding/json"
	"slices"
	"strings"

	"quaestor/obligations"
	"quaestor/sessions"
)

// modelAnswer is a model's answer, as its schema says (prompts/understand.schema.json).
type modelAnswer struct {
	Intent        Intent            `json:"intent"`
	About         *string           `json:"about"`
	Findings      []modelFinding    `json:"findings"`
	Research      []modelRequest    `json:"research"`
	Proposals     []modelProposal   `json:"proposals"`
	Topic         *string           `json:"topic"`
	FollowUps     []modelFollowUp   `json:"follow_ups"`
	Relationships []modelRelation   `json:"relationships"`
	Preferences   []modelPreference `json:"preferences"`
	Style         *sessions.Style   `json:"style"`
}

type modelFinding struct {
	Key        string                  `json:"key"`
	Act        obligations.Act         `json:"act"`
	Value      json.RawMessage         `json:"value"`
	Quote      string                  `json:"quote"`
	Hedged     bool                    `json:"hedged"`
	Vague      bool                    `json:"vague"`
	Confidence float64                 `json:"confidence"`
	SkipReason *obligations.SkipReason `json:"skip_reason"`
	Premises   []string                `json:"premises"`
	Reason     string                  `json:"reason"`
}

// modelRequest is something to be looked up or, with the other fields, what is said
// of research under way.
type modelRequest struct {
	Key   *string `json:"key"`
	Query string  `json:"query"`

	Task *int   `json:"task"` // number in the data; nil for the newest
	Look string `json:"look"`
	Stop bool   `json:"stop"`
}

type modelProposal struct {
	Label    string `json:"label"`
	Question string `json:"question"`
	Quote    string `json:"quote"`
}

type modelFollowUp struct {
	Key      string  `json:"key"`
	Reason   string  `json:"reason"`
	Priority float64 `json:"priority"`
}

type modelRelation struct {
	From       string  `json:"from"`
	To         string  `json:"to"`
	Type       string  `json:"type"`
	Confidence float64 `json:"confidence"`
}

type modelPreference struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Bounds of what is taken from one answer, in runes.
const (
	maxQuoteRunes  = 2000
	maxReasonRunes = 200
	maxQueryRunes  = 200
	maxTopicRunes  = 60
	maxNameRunes   = 40
)

// interpreter turns what a model heard into an understanding.
type interpreter struct {
	scene  *Scene
	listed []*obligations.Obligation // those the model was shown: it may speak of no others
	out    Understanding
}

// interpret takes from h what a model may say about s. What it may not is left
// out without a word: one bad finding does not spoil the others.
func interpret(s *Scene, listed []*obligations.Obligation, h modelAnswer) Understanding {
	i := &interpreter{scene: s, listed: listed}
	i.out.Intent = h.Intent
	if s.Message == "" {
		h = h.ofFilesAlone()
		i.out.Intent = Attached
	}
	if h.About != nil && i.find(*h.About) != nil {
		i.out.About = *h.About
	}
	i.filledIn()
	for _, f := range h.Findings[:min(len(h.Findings), maxFindings)] {
		f.clean()
		i.finding(f)
	}
	slices.SortStableFunc(i.out.Findings, documentsLast)
	i.implied()
	i.wishes(h.Research)
	i.proposals(h.Proposals)
	i.remember(h)
	return i.out
}

// clean brings the texts of f within bounds and takes out of them what cannot be
// seen, or stored.
func (f *modelFinding) clean() {
	f.Quote = tidy(strings.Trim(f.Quote, " \t\r\n\"“”„«».…"), maxQuoteRunes)
	f.Reason = tidy(f.Reason, maxReasonRunes)
	f.Premises = f.Premises[:min(len(f.Premises), limits.Premises)]
}

// tidy returns the first n runes of s that can be seen, without white space
// around them.
func tidy(s string, n int) string {
	s = strings.TrimSpace(Visible(s))
	if r := []rune(s); len(r) > n {
		s = strings.TrimSpace(string(r[:n]))
	}
	return s
}

// find returns the listed obligation with that key, or nil.
func (i *interpreter) find(key string) *obligations.Obligation {
	at := slices.IndexFunc(i.listed, func(o *obligations.Obligation) bool { return o.Key == key })
	if at < 0 {
		return nil
	}
	return i.listed[at]
}

// asked reports whether the last question was about o.
func (i *interpreter) asked(o *obligations.Obligation) bool {
	return slices.Contains(i.scene.Asked.Keys(), o.Key)
}

// asking reports whether the last question was about o and for that purpose.
func (i *interpreter) asking(o *obligations.Obligation, purpose sessions.Purpose) bool {
	return i.asked(o) && i.scene.Asked.Purpose == purpose
}

// requests takes what the person wants looked up. Asking for research without
// saying of what means what was asked.
func (i *interpreter) wishes(list []modelRequest) {
	for _, w := range list[:min(len(list), limits.Wishes)] {
		if w.Look != "" || w.Stop {
			i.steer(w)
			continue
		}
		wish := ResearchRequest{Query: tidy(w.Query, maxQueryRunes)}
		if w.Key != nil && i.find(*w.Key) != nil {
			wish.Key = *w.Key
		}
		if wish.Query != "" || wish.Key != "" {
			i.out.Research = append(i.out.Research, wish)
		}
	}
	if i.out.Intent == AskResearch && len(i.out.Research)+len(i.out.Steering) == 0 {
		for _, o := range i.subjects() {
			i.out.Research = append(i.out.Research, ResearchRequest{Key: o.Key, Query: tidy(i.scene.Message, maxQueryRunes)})
		}
	}
}

// steer takes what the person says of research under way. A number that is none
// of those shown names nothing.
func (i *interpreter) steer(w modelRequest) {
	open := i.scene.Research.Open()
	st := ResearchSteering{Text: tidy(w.Look, maxQueryRunes), Cancel: w.Stop}
	if w.Task != nil {
		if *w.Task < 1 || *w.Task > len(open) {
			return
		}
		st.Task = open[*w.Task-1].ID
	}
	if len(open) > 0 {
		i.out.Steering = append(i.out.Steering, st)
	}
}

// proposals takes what the person wants to be asked about, in the person's words
// now; whether they say so is checked later.
func (i *interpreter) proposals(list []modelProposal) {
	for _, p := range list[:min(len(list), limits.Proposals)] {
		quote := tidy(strings.Trim(p.Quote, " \t\r\n\"“”"), maxQuoteRunes)
		question := tidy(p.Question, maxReasonRunes)
		if quote == "" || question == "" || !i.saysNow(quote) {
			continue
		}
		t := obligations.Template{Label: tidy(p.Label, maxNameRunes), Prompt: question}
		i.out.Proposals = append(i.out.Proposals, obligations.EmergentQuestion{Template: t, Evidence: obligations.Evidence{Quote: quote}})
	}
}

// remember takes what is worth remembering.
func (i *interpreter) remember(h modelAnswer) {
	s := &i.out.Signals
	s.Topic = i.topic(h.Topic)
	for _, f := range h.FollowUps[:min(len(h.FollowUps), limits.FollowUps)] {
		if i.find(f.Key) != nil {
			priority := int(min(max(f.Priority, 1), 10))
			s.FollowUps = append(s.FollowUps, sessions.FollowUp{Key: f.Key, Reason: tidy(f.Reason, maxReasonRunes), Priority: priority})
		}
	}
	for _, r := range h.Relationships[:min(len(h.Relationships), limits.Relations)] {
		if i.find(r.From) != nil && i.find(r.To) != nil && r.From != r.To {
			s.Relationships = append(s.Relationships, sessions.Relation{From: r.From, To: r.To, Type: tidy(r.Type, maxNameRunes), Confidence: obligations.Of(r.Confidence).Float()})
		}
	}
	for _, p := range h.Preferences[:min(len(h.Preferences), limits.Preferences)] {
		i.prefer(tidy(p.Name, maxNameRunes), tidy(p.Value, maxNameRunes))
	}
	if h.Style != nil {
		s.Style = *h.Style
	}
	for _, f := range i.out.Findings {
		if known := f.Act == obligations.Tell || f.Act == obligations.Correct || f.Act == obligations.Confirm; known && !f.Grade.Hedged && !f.Grade.Vague {
			s.Done = append(s.Done, f.Key)
		}
	}
}

func (i *interpreter) prefer(name, value string) {
	if name == "" || value == "" {
		return
	}
	if i.out.Signals.Preferences == nil {
		i.out.Signals.Preferences = map[string]string{}
	}
	i.out.Signals.Preferences[name] = value
}

// topic is the model's, else what the message is about.
func (i *interpreter) topic(heard *string) string {
	if heard != nil {
		if t := tidy(*heard, maxTopicRunes); t != "" {
			return t
		}
	}
	switch {
	case i.out.About != "":
		return i.out.About
	case len(i.out.Findings) > 0:
		return i.out.Findings[0].Key
	case i.scene.Asked != nil:
		return i.scene.Asked.Key
	}
	return ""
}
