package model

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"quaestor/chat"
	"quaestor/internal/language"
	"quaestor/obligations"
	"quaestor/sessions"
)

// modelAnswer is what a model answers to understand.tmpl, in the shape of
// prompts/understand.schema.json.
type modelAnswer struct {
	Intent        chat.Intent       `json:"intent"`
	About         *string           `json:"about"`
	First         *string           `json:"first"`
	Findings      []modelFinding    `json:"findings"`
	Research      []modelRequest    `json:"research"`
	Proposals     []modelProposal   `json:"proposals"`
	Human         bool              `json:"human"`
	Topic         *string           `json:"topic"`
	FollowUps     []modelFollowUp   `json:"follow_ups"`
	Relationships []modelRelation   `json:"relationships"`
	Preferences   []modelPreference `json:"preferences"`
	Style         *sessions.Style   `json:"style"`
}

// modelFinding is what the model reads about one obligation. Its quote must be verbatim.
type modelFinding struct {
	Key        string                  `json:"key"`
	Act        obligations.Act         `json:"act"`
	Value      json.RawMessage         `json:"value"`
	Quote      string                  `json:"quote"`
	Hedged     bool                    `json:"hedged"`
	Vague      bool                    `json:"vague"`
	Confidence *float64                `json:"confidence"` // nil means that the model is sure
	SkipReason *obligations.SkipReason `json:"skip_reason"`
	Premises   []string                `json:"premises"`
	Reason     string                  `json:"reason"`
}

// modelRequest is something to look up or, when Look or Stop is set, something said
// about research in progress.
type modelRequest struct {
	Key   *string `json:"key"`
	Query string  `json:"query"`

	Task *int   `json:"task"` // number in the data, from 1; nil means the newest
	Look string `json:"look"` // where to look
	Stop bool   `json:"stop"`
}

// modelProposal is something the person wants to be asked about.
type modelProposal struct {
	Label    string `json:"label"`
	Question string `json:"question"`
	Quote    string `json:"quote"`
}

// modelFollowUp is an obligation that the interviewer should come back to.
type modelFollowUp struct {
	Key      string  `json:"key"`
	Reason   string  `json:"reason"`
	Priority float64 `json:"priority"`
}

// modelRelation is a relation that the model sees between two obligations.
type modelRelation struct {
	From       string  `json:"from"`
	To         string  `json:"to"`
	Type       string  `json:"type"`
	Confidence float64 `json:"confidence"`
}

// modelPreference is something the person likes in the conversation.
type modelPreference struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Bounds of the texts taken from an answer, in runes. A quote may be a long
// paragraph; the others are notes that people read in one line or two.
const (
	maxQuoteRunes  = 2000
	maxReasonRunes = 200
	maxQueryRunes  = 200
	maxTopicRunes  = 60
	maxNameRunes   = 40
)

// interpreter turns the answer of a model into an understanding.
type interpreter struct {
	scene  *chat.Scene               // of the turn
	listed []*obligations.Obligation // the ones the model was shown: it may refer to no others
	out    chat.Understanding        // what was interpreted so far
}

// interpret returns what of answer a model may decide about s. The rest is dropped
// silently, so that one bad finding does not spoil the others. When files came without
// a message, only findings count: files ask for nothing.
func interpret(s *chat.Scene, listed []*obligations.Obligation, answer modelAnswer) chat.Understanding {
	i := &interpreter{scene: s, listed: listed}
	if s.Message == "" {
		answer = modelAnswer{Intent: chat.Attached, Findings: answer.Findings}
	}
	i.out.Intent = answer.Intent
	if answer.About != nil && i.find(*answer.About) != nil {
		i.out.About = *answer.About
	}
	if answer.First != nil && i.find(*answer.First) != nil {
		i.out.First = *answer.First
	}
	i.addWidgets()
	for _, f := range answer.Findings[:min(len(answer.Findings), limits.Findings)] {
		f.clean()
		i.addFinding(f)
	}
	// The person's words come before their files, so that theirs is the value held where the two differ.
	slices.SortStableFunc(i.out.Findings, func(a, b obligations.Finding) int {
		switch {
		case fromFile(a) == fromFile(b):
			return 0
		case fromFile(a):
			return 1
		}
		return -1
	})
	i.addImplied()
	i.addRequests(answer.Research)
	i.addProposals(answer.Proposals)
	if answer.Human {
		i.out.Beside = append(i.out.Beside, chat.WishForHuman(tidy(i.scene.Message, maxQuoteRunes)))
	}
	i.addSignals(answer)
	return i.out
}

// addWidgets adds the widgets that the person filled in. Their values are typed, so
// the model has no say in them.
func (i *interpreter) addWidgets() {
	for at := range i.scene.Obligations {
		o := &i.scene.Obligations[at]
		v, given := i.scene.Answers[o.Key]
		if !given {
			continue
		}
		if o.Check(v) != nil {
			i.out.Refused = append(i.out.Refused, chat.InvalidAnswer{Key: o.Key, Text: tidy(plainText(v), maxReasonRunes), Remedy: i.remedy(o.Template)})
			continue
		}
		e := obligations.Evidence{Kind: obligations.WidgetInput, Message: i.scene.MessageID()}
		if span, words, ok := obligations.Locate(i.scene.Message, chat.ValueInWords(o.Template, v)); ok {
			e.Span, e.Quote = &span, words
		}
		f := obligations.Finding{Key: o.Key, Act: obligations.Tell, Value: v, Evidence: e, Grade: obligations.Grade{Kind: e.Kind}, Source: "widget"}
		if o.Value != nil && !obligations.SameValue(o.Value, v) {
			f.Act, f.Reason = obligations.Correct, "the person picked another value"
		}
		i.out.Findings = append(i.out.Findings, f)
	}
}

// remedy says what would be a right answer to t, in the language of the session.
func (i *interpreter) remedy(t *obligations.Template) string {
	return chat.RemedyOf(t).In(chat.MessagesOf(i.scene))
}

// clean fills in what a model leaves out, brings the texts of f within bounds and removes
// characters that cannot be seen or stored.
func (f *modelFinding) clean() {
	f.Act = cmp.Or(f.Act, obligations.Tell)
	f.Quote = tidy(strings.Trim(f.Quote, " \t\r\n\"“”„«».…"), maxQuoteRunes)
	f.Reason = tidy(f.Reason, maxReasonRunes)
	f.Premises = f.Premises[:min(len(f.Premises), limits.Premises)]
}

// tidy returns the first n visible runes of s, without white space around them.
func tidy(s string, n int) string {
	return strings.TrimSpace(language.Head(strings.TrimSpace(chat.Visible(s)), n))
}

// usualSure is the confidence of a finding whose reading the model does not doubt.
const usualSure = 0.95

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

// addRequests adds what the person wants looked up. A request for research that
// names no subject is about what was asked.
func (i *interpreter) addRequests(list []modelRequest) {
	for _, r := range list[:min(len(list), limits.Requests)] {
		if r.Look != "" || r.Stop {
			i.addSteering(r)
			continue
		}
		request := chat.ResearchRequest{Query: tidy(r.Query, maxQueryRunes)}
		if r.Key != nil && i.find(*r.Key) != nil {
			request.Key = *r.Key
		}
		if request.Query != "" || request.Key != "" {
			i.out.Research = append(i.out.Research, request)
		}
	}
	if i.out.Intent == chat.AskResearch && len(i.out.Research)+len(i.out.Steering) == 0 {
		for _, o := range i.subjects() {
			i.out.Research = append(i.out.Research, chat.ResearchRequest{Key: o.Key, Query: tidy(i.scene.Message, maxQueryRunes)})
		}
	}
}

// addSteering adds what the person says about research in progress. A task number
// that was not shown is ignored.
func (i *interpreter) addSteering(r modelRequest) {
	open := i.scene.Research.Open()
	st := chat.ResearchSteering{Text: tidy(r.Look, maxQueryRunes), Cancel: r.Stop}
	if r.Task != nil {
		if *r.Task < 1 || *r.Task > len(open) {
			return
		}
		st.Task = open[*r.Task-1].ID
	}
	if len(open) > 0 {
		i.out.Steering = append(i.out.Steering, st)
	}
}

// addProposals adds what the person wants to be asked about. It must be in the
// present message.
func (i *interpreter) addProposals(list []modelProposal) {
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

// addSignals adds what is worth remembering. A finding that is neither hedged nor
// vague settles the follow-ups of its obligation.
func (i *interpreter) addSignals(answer modelAnswer) {
	s := &i.out.Signals
	s.Topic = i.topic(answer.Topic)
	for _, f := range answer.FollowUps[:min(len(answer.FollowUps), limits.FollowUps)] {
		if i.find(f.Key) != nil {
			priority := int(min(max(f.Priority, 1), 10))
			s.FollowUps = append(s.FollowUps, sessions.FollowUp{Key: f.Key, Reason: tidy(f.Reason, maxReasonRunes), Priority: priority})
		}
	}
	for _, r := range answer.Relationships[:min(len(answer.Relationships), limits.Relations)] {
		if i.find(r.From) != nil && i.find(r.To) != nil && r.From != r.To {
			s.Relationships = append(s.Relationships, sessions.Relation{From: r.From, To: r.To, Type: tidy(r.Type, maxNameRunes), Confidence: obligations.Of(r.Confidence).Float()})
		}
	}
	for _, p := range answer.Preferences[:min(len(answer.Preferences), limits.Preferences)] {
		name, value := tidy(p.Name, maxNameRunes), tidy(p.Value, maxNameRunes)
		if name == "" || value == "" {
			continue
		}
		if s.Preferences == nil {
			s.Preferences = map[string]string{}
		}
		s.Preferences[name] = value
	}
	if answer.Style != nil {
		s.Style = *answer.Style
	}
	for _, f := range i.out.Findings {
		if known := f.Act == obligations.Tell || f.Act == obligations.Correct || f.Act == obligations.Confirm; known && !f.Grade.Hedged && !f.Grade.Vague {
			s.Done = append(s.Done, f.Key)
		}
	}
}

// topic returns the topic the model names, else the key the message is about.
func (i *interpreter) topic(named *string) string {
	if named != nil {
		if t := tidy(*named, maxTopicRunes); t != "" {
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
