package sessions

import (
	"encoding/json"
	"reflect"
	"slices"
)

// Memory is what the interviewer keeps in mind between turns (seed 003 "Working
// Memory"). It is bounded: see [Note].
type Memory struct {
	RecentTopics  []string          `json:"recentTopics"`          // the last 5, newest last
	FollowUps     []FollowUp        `json:"pendingFollowUps"`      // the most important first
	Relationships []Relation        `json:"inferredRelationships"` // strongest first
	Preferences   map[string]string `json:"userPreferences"`
	Style         Style             `json:"conversationStyle"`
}

// MarshalJSON writes what is empty as empty lists, never as null.
func (m Memory) MarshalJSON() ([]byte, error) {
	type plain Memory
	if m.RecentTopics == nil {
		m.RecentTopics = []string{}
	}
	if m.FollowUps == nil {
		m.FollowUps = []FollowUp{}
	}
	if m.Relationships == nil {
		m.Relationships = []Relation{}
	}
	if m.Preferences == nil {
		m.Preferences = map[string]string{}
	}
	return json.Marshal(plain(m))
}

// FollowUp is a question to come back to.
type FollowUp struct {
	Key      string `json:"obligationKey"`
	Reason   string `json:"reason"`
	Priority int    `json:"priority"`                // 1–10
	Turn     int    `json:"scheduledTurn,omitempty"` // not before this turn; 0 means any
}

// Relation says that one obligation bears on another.
type Relation struct {
	From       string  `json:"from"`
	To         string  `json:"to"`
	Type       string  `json:"type"`
	Confidence float64 `json:"confidence"` // 0–1
}

// Style is the tone the person uses.
type Style string

// The styles.
const (
	Formal Style = "formal"
	Casual Style = "casual"
)

// Bounds of a memory.
const (
	maxTopics      = 5
	maxFollowUps   = 20
	maxRelations   = 50
	maxPreferences = 20
	maxNoteRunes   = 300
)

// Signals are what one turn adds to the memory.
type Signals struct {
	Topic         string            // obligation key or a few words; empty for none
	FollowUps     []FollowUp        // things to come back to
	Done          []string          // keys whose follow-ups are settled
	Relationships []Relation        // connections noticed
	Preferences   map[string]string // what the person likes, such as prefers_examples
	Style         Style             // empty when the turn shows none
}

// Note returns m with what a turn added, within its bounds. It leaves m as it
// was.
func (m Memory) Note(s Signals) Memory {
	m.RecentTopics = noteTopic(m.RecentTopics, s.Topic)
	m.FollowUps = noteFollowUps(m.FollowUps, s)
	m.Relationships = noteRelations(m.Relationships, s.Relationships)
	m.Preferences = notePreferences(m.Preferences, s.Preferences)
	if s.Style == Formal || s.Style == Casual {
		m.Style = s.Style
	}
	return m
}

// Differs reports whether other holds anything but other recent topics, which
// change with every turn.
func (m Memory) Differs(other Memory) bool {
	m.RecentTopics, other.RecentTopics = nil, nil
	return !reflect.DeepEqual(m, other)
}

func noteTopic(topics []string, topic string) []string {
	out := slices.Clone(topics)
	if topic = shorten(topic); topic != "" && (len(out) == 0 || out[len(out)-1] != topic) {
		out = append(out, topic)
	}
	return out[max(0, len(out)-maxTopics):]
}

func noteFollowUps(list []FollowUp, s Signals) []FollowUp {
	out := slices.DeleteFunc(slices.Clone(list), func(f FollowUp) bool { return slices.Contains(s.Done, f.Key) })
	for _, f := range s.FollowUps {
		f.Reason, f.Priority = shorten(f.Reason), min(max(f.Priority, 1), 10)
		out = slices.DeleteFunc(out, func(old FollowUp) bool { return old.Key == f.Key })
		out = append(out, f)
	}
	slices.SortStableFunc(out, func(a, b FollowUp) int { return b.Priority - a.Priority })
	return out[:min(len(out), maxFollowUps)]
}

func noteRelations(list, add []Relation) []Relation {
	out := slices.Clone(list)
	for _, r := range add {
		r.Type, r.Confidence = shorten(r.Type), min(max(r.Confidence, 0), 1)
		out = slices.DeleteFunc(out, func(old Relation) bool { return old.From == r.From && old.To == r.To && old.Type == r.Type })
		out = append(out, r)
	}
	slices.SortStableFunc(out, func(a, b Relation) int {
		switch {
		case a.Confidence > b.Confidence:
			return -1
		case a.Confidence < b.Confidence:
			return 1
		}
		return 0
	})
	return out[:min(len(out), maxRelations)]
}

func notePreferences(held, add map[string]string) map[string]string {
	if len(add) == 0 {
		return held
	}
	out := make(map[string]string, len(held)+len(add))
	for k, v := range held {
		out[k] = v
	}
	for k, v := range add {
		if _, known := out[k]; known || len(out) < maxPreferences {
			out[shorten(k)] = shorten(v)
		}
	}
	return out
}

func shorten(s string) string {
	if r := []rune(s); len(r) > maxNoteRunes {
		return string(r[:maxNoteRunes])
	}
	return s
}
