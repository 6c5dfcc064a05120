package model

import (
	"cmp"
	"encoding/json"
	"time"

	"quaestor/chat"
	"quaestor/internal/language"
	"quaestor/internal/language/messages"
	"quaestor/obligations"
	"quaestor/sessions"
)

// promptData is the state of an interview as prompts/data.tmpl shows it to the
// model. The types below are the JSON in it.
type promptData struct {
	Limits      promptLimits
	Interview   interviewData
	Obligations []obligationData // the ones to read the message for; none in a reply
	Total       int              // obligations of the session
	Summary     string
	Memory      *memoryData
	Transcript  []messageData
	Research    []lookupData  // in progress
	Files       []passageData // given with the message
	Asked       *questionData
	Said        string    // what has been said of the reply
	Plan        *planData // nil unless a reply is wanted
}

// interviewData is what the interview is about and how far it is.
type interviewData struct {
	Name     string         `json:"name"`
	Purpose  string         `json:"purpose,omitempty"`
	Language string         `json:"language"` // in English
	Phase    sessions.Phase `json:"phase"`
	Goal     string         `json:"goal,omitempty"`
	Turn     int            `json:"turn"`
	Today    string         `json:"today"`
	Speaker  string         `json:"speaker,omitempty"` // label of the person speaking now, when there are several
}

// obligationData is an obligation with what is needed to recognise an answer to it.
type obligationData struct {
	Key     string             `json:"key"`
	Label   string             `json:"label"`
	Ask     string             `json:"ask"`
	Widget  obligations.Widget `json:"widget"`
	Unit    string             `json:"unit,omitempty"`
	Min     *float64           `json:"min,omitempty"`
	Max     *float64           `json:"max,omitempty"`
	Integer bool               `json:"whole_number,omitempty"`
	Choices []choiceData       `json:"choices,omitempty"`
	Other   bool               `json:"other_answers_allowed,omitempty"`
	Status  obligations.Status `json:"status"`
	Value   any                `json:"value,omitempty"`

	Conclude bool `json:"conclude,omitempty"` // it is to be concluded from others where that can be done
}

// lookupData is a research task in progress.
type lookupData struct {
	Task  int    `json:"task"` // number by which the model names it, from 1
	About string `json:"about"`
}

// choiceData is a choice. The model answers with its value and talks about its label.
type choiceData struct {
	Value string `json:"value"`
	Label string `json:"label"`
}

// memoryData is what is remembered beside the values.
type memoryData struct {
	Topics      []string             `json:"topics,omitempty"`
	FollowUps   []followUpData       `json:"to_come_back_to,omitempty"`
	Relations   []relationData       `json:"what_bears_on_what,omitempty"`
	Preferences sessions.Preferences `json:"preferences,omitempty"`
	Style       sessions.Style       `json:"style,omitempty"`
}

// followUpData is an obligation to come back to.
type followUpData struct {
	Key    string `json:"key"`
	Reason string `json:"reason"`
}

// relationData is a relation between two obligations.
type relationData struct {
	From string `json:"from"`
	To   string `json:"to"`
	Type string `json:"type,omitempty"`
}

// messageData is a message of the transcript.
type messageData struct {
	Turn int              `json:"turn"`
	From sessions.Speaker `json:"from"`
	By   string           `json:"by,omitempty"` // label of the person, when there are several
	Text string           `json:"text"`
	Cut  string           `json:"interrupted,omitempty"` // that the person broke into this spoken reply; empty when they did not
}

// brokenInto tells a model of a reply that the person interrupted.
const brokenInto = "the person broke in and heard only this much"

// questionData is a question: the one asked last, or the one to ask.
type questionData struct {
	Purpose  sessions.Purpose  `json:"purpose"`
	Key      string            `json:"key,omitempty"`
	Label    string            `json:"label,omitempty"`
	Prompt   string            `json:"prompt"`
	Choices  []string          `json:"choices,omitempty"`
	Unit     string            `json:"unit,omitempty"`
	Examples []string          `json:"examples,omitempty"`
	Proposal any               `json:"proposal,omitempty"`
	Values   []any             `json:"values,omitempty"`
	Source   string            `json:"source,omitempty"`   // where a proposed value was found
	Quote    string            `json:"quote,omitempty"`    // the words it was found in
	From     []string          `json:"from,omitempty"`     // the answers a proposed value was concluded from
	InFile   bool              `json:"-"`                  // the source is a file the person gave
	Probe    obligations.Probe `json:"probe,omitempty"`    // how a probe goes deeper
	Strategy string            `json:"strategy,omitempty"` // how to go deeper where answers stay thin
	ReadBack []string          `json:"readBack,omitempty"` // names of the values that are read back
	Fields   []questionData    `json:"fields,omitempty"`
}

// newPromptData returns what both prompts of a turn show of s, in the given phase.
func newPromptData(s *chat.Scene, phase sessions.Phase) *promptData {
	d := &promptData{
		Limits: limits,
		Interview: interviewData{Name: s.Objective.DisplayName, Purpose: chat.Clip(s.Objective.Description, limits.LabelRunes), Phase: phase,
			Language: language.EnglishName(cmp.Or(s.Session.Language, s.Objective.OwnLanguage())),
			Goal:     chat.Clip(phase.In(s.Objective.Phases).Goal, limits.LabelRunes), Turn: s.Turn, Today: s.Now.Format(time.DateOnly), Speaker: speakers(s)[s.Person]},
		Summary: chat.Clip(s.Summary, limits.SummaryRunes), Memory: newMemoryData(s.Memory), Transcript: lastMessages(s), Asked: newQuestionData(s, s.Asked),
	}
	for n, f := range s.Research.Open() {
		d.Research = append(d.Research, lookupData{Task: n + 1, About: lookupTopic(s.Obligations, f.Key, f.Query)})
	}
	return d
}

// lastMessages returns the latest messages that the summary does not cover, each
// clipped: the latest to MessageRunes, those before them to OlderRunes.
func lastMessages(s *chat.Scene) []messageData {
	list := s.Transcript
	for len(list) > 0 && list[0].Turn <= s.Folded {
		list = list[1:]
	}
	list = list[max(0, len(list)-limits.Messages):]
	var out []messageData
	labels := speakers(s)
	for i, m := range list {
		most := limits.MessageRunes
		if i < len(list)-limits.Recent {
			most = limits.OlderRunes
		}
		shown := messageData{Turn: m.Turn, From: m.Role, By: labels[m.User], Text: chat.Clip(m.Content, most)}
		if m.Interrupted {
			shown.Cut = brokenInto
		}
		out = append(out, shown)
	}
	return out
}

// addObligations shows the listed obligations, out of total.
func (d *promptData) addObligations(listed []*obligations.Obligation, total int) {
	d.Total = total
	for _, o := range listed {
		shown := obligationData{Key: o.Key, Label: o.Name(), Ask: chat.Clip(o.Prompt, limits.LabelRunes), Widget: o.Widget, Unit: o.Unit, Min: o.Min, Max: o.Max, Integer: o.Integer,
			Other: o.AllowOther, Status: o.Status, Value: shortValue(o.Held()), Conclude: o.Collection == obligations.Inferred && o.Value == nil}
		for _, c := range o.Choices[:min(len(o.Choices), limits.Choices)] {
			shown.Choices = append(shown.Choices, choiceData{Value: c.Value, Label: chat.Clip(c.Label, limits.LabelRunes)})
		}
		d.Obligations = append(d.Obligations, shown)
	}
}

// shortValue returns a value as it is or, when it is long, the beginning of it as
// text.
func shortValue(v json.RawMessage) any {
	switch {
	case v == nil:
		return nil
	case len(v) <= limits.ValueRunes:
		return v
	}
	return chat.Clip(plainText(v), limits.ValueRunes)
}

// newMemoryData returns what is remembered, or nil when that is nothing.
func newMemoryData(m sessions.Memory) *memoryData {
	d := memoryData{Style: m.Style, Preferences: m.Preferences}
	for _, t := range m.RecentTopics[max(0, len(m.RecentTopics)-limits.Notes):] {
		d.Topics = append(d.Topics, chat.Clip(t, limits.ValueRunes))
	}
	for _, f := range m.FollowUps[:min(len(m.FollowUps), limits.Notes)] {
		d.FollowUps = append(d.FollowUps, followUpData{Key: f.Key, Reason: chat.Clip(f.Reason, limits.ValueRunes)})
	}
	for _, r := range m.Relationships[:min(len(m.Relationships), limits.Notes)] {
		d.Relations = append(d.Relations, relationData{From: r.From, To: r.To, Type: chat.Clip(r.Type, limits.ValueRunes)})
	}
	if d.Style == "" && len(d.Preferences)+len(d.Topics)+len(d.FollowUps)+len(d.Relations) == 0 {
		return nil
	}
	return &d
}

// premisesInWords names what a value was concluded from, each with its value.
func premisesInWords(list []obligations.Obligation, keys []string) []string {
	var out []string
	for _, key := range keys[:min(len(keys), limits.Premises)] {
		if o := obligations.Find(list, key); o != nil {
			out = append(out, o.Name()+": "+shortWords(o))
		}
	}
	return out
}

// newQuestionData returns q for a prompt, or nil when there is none.
func newQuestionData(s *chat.Scene, q *sessions.Question) *questionData {
	if q == nil {
		return nil
	}
	d := &questionData{Purpose: q.Purpose, Key: q.Key, Label: q.Label, Prompt: chat.Clip(q.Prompt, limits.MessageRunes), Unit: q.Unit, Proposal: shortValue(q.Proposal), Probe: q.Probe}
	o := obligations.Find(s.Obligations, q.Key)
	if o != nil && q.Proposal != nil {
		d.Proposal = chat.Clip(sessions.DisplayIn(chat.MessagesOf(s), o.Template, q.Proposal), limits.ValueRunes)
		if e := chat.ProposedBy(o); e != nil {
			d.Source, d.Quote, d.InFile = chat.SourceOf(messages.In(messages.Default), *e), chat.Quotable(e.Quote, chat.MaxQuoted), e.File != ""
		}
		if e := chat.ConcludedFrom(o); e != nil {
			d.From = premisesInWords(s.Obligations, e.Premises)
		}
	}
	for _, key := range q.About {
		if o := obligations.Find(s.Obligations, key); o != nil {
			d.ReadBack = append(d.ReadBack, o.Name())
		}
	}
	for _, v := range q.Values {
		d.Values = append(d.Values, shortValue(v))
	}
	for _, c := range q.Choices[:min(len(q.Choices), limits.Choices)] {
		d.Choices = append(d.Choices, chat.Clip(c.Label, limits.LabelRunes))
	}
	for _, e := range q.Examples[:min(len(q.Examples), limits.Notes)] {
		d.Examples = append(d.Examples, chat.Clip(e, limits.ValueRunes))
	}
	if o != nil {
		d.Strategy = chat.Clip(o.FollowUpStrategy, limits.LabelRunes)
	}
	for i := range q.Fields {
		d.Fields = append(d.Fields, *newQuestionData(s, &q.Fields[i]))
	}
	return d
}
