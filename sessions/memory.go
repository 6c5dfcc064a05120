package sessions

import (
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"reflect"
	"slices"

	"quaestor/internal/language"
)

// Memory is what the interviewer keeps in mind between turns. Its size is bounded: see
// [Memory.Note].
type Memory struct {
	RecentTopics  []string    `json:"recentTopics"`          // the last 5, newest last
	FollowUps     []FollowUp  `json:"pendingFollowUps"`      // the most important first
	Relationships []Relation  `json:"inferredRelationships"` // strongest first
	Preferences   Preferences `json:"userPreferences"`
	Style         Style       `json:"conversationStyle"`
	Probed        []string    `json:"probed,omitempty"` // keys about which more was asked, in order
	Course        Course      `json:"course,omitzero"`
}

// Course is what was done of an interview beside its questions.
type Course struct {
	Hurry    int  `json:"hurry,omitempty"`    // turn in which the person said that they have little time; 0 when they did not
	Offered  bool `json:"offered,omitempty"`  // they were offered to stop for that
	Approved bool `json:"approved,omitempty"` // what was learnt was read back before the last part
	Widened  bool `json:"widened,omitempty"`  // they were asked what nobody had asked for
}

// and returns c with what a turn did.
func (c Course) and(turn Course) Course {
	return Course{Hurry: cmp.Or(c.Hurry, turn.Hurry), Offered: c.Offered || turn.Offered, Approved: c.Approved || turn.Approved, Widened: c.Widened || turn.Widened}
}

// MarshalJSON writes empty lists as [], never as null: clients iterate over them.
func (m Memory) MarshalJSON() ([]byte, error) {
	type plain Memory
	m.RecentTopics = append([]string{}, m.RecentTopics...)
	m.FollowUps = append([]FollowUp{}, m.FollowUps...)
	m.Relationships = append([]Relation{}, m.Relationships...)
	return json.Marshal(plain(m))
}

// FollowUp is a question to return to.
type FollowUp struct {
	Key      string `json:"obligationKey"`
	Reason   string `json:"reason"`
	Priority int    `json:"priority"`                // 1–10
	Turn     int    `json:"scheduledTurn,omitempty"` // the first turn it may be asked in; 0 means any
	Promised bool   `json:"promised,omitempty"`      // the person put it off, and it returns before the session closes
}

// Relation is that one obligation bears on another.
type Relation struct {
	From       string  `json:"from"`
	To         string  `json:"to"`
	Type       string  `json:"type"`
	Confidence float64 `json:"confidence"` // 0–1
}

// Style is the person's tone; empty when they have shown none.
type Style string

// The styles.
const (
	Formal Style = "formal"
	Casual Style = "casual"
)

// Bounds of a memory, so that it fits a prompt beside the transcript. They are chosen.
const (
	maxTopics      = 5
	maxFollowUps   = 20
	maxRelations   = 50
	maxPreferences = 20
	maxProbed      = 20       // more than a session may ask
	maxNoteRunes   = 300      // of a topic, a reason, a preference's value
	maxNameRunes   = 100      // of a key, a type, a preference's name
	maxMemoryBytes = 16 << 10 // of all of it as JSON
)

// Signals are what one turn adds to the memory.
type Signals struct {
	Topic         string            // an obligation's key or a few words; empty for none
	FollowUps     []FollowUp        // questions to return to
	Done          []string          // keys whose follow-ups are no longer needed
	Relationships []Relation        // connections noticed
	Preferences   map[string]string // what the person likes, such as prefers_examples
	Style         Style             // empty when the turn shows none
	Probed        string            // key about which more is asked; empty for none
	Course        Course            // what the turn did beside its question
}

// Note returns m with what a turn added, within its bounds: the least certain, least
// urgent or oldest notes make room. m itself does not change.
func (m Memory) Note(s Signals) Memory {
	m.RecentTopics = noteTopic(m.RecentTopics, s.Topic)
	m.FollowUps = noteFollowUps(m.FollowUps, s)
	m.Relationships = noteRelations(m.Relationships, s.Relationships)
	m.Preferences = notePreferences(m.Preferences, s.Preferences)
	if s.Probed != "" && !slices.Contains(m.Probed, s.Probed) && len(m.Probed) < maxProbed {
		m.Probed = append(slices.Clone(m.Probed), s.Probed)
	}
	m.Course = m.Course.and(s.Course)
	if s.Style == Formal || s.Style == Casual {
		m.Style = s.Style
	}
	return m.fit()
}

// fit drops notes until m is at most maxMemoryBytes: each time the last of the part that
// takes the most room, or the oldest of the topics.
func (m Memory) fit() Memory {
	for m.bytes() > maxMemoryBytes {
		switch widest(m.RecentTopics, m.FollowUps, m.Relationships, m.Preferences) {
		case 0:
			m.RecentTopics = m.RecentTopics[1:]
		case 1:
			m.FollowUps = m.FollowUps[:len(m.FollowUps)-1]
		case 2:
			m.Relationships = m.Relationships[:len(m.Relationships)-1]
		default:
			m.Preferences = maps.Clone(m.Preferences)
			delete(m.Preferences, slices.Max(slices.Collect(maps.Keys(m.Preferences))))
		}
	}
	return m
}

// bytes returns the size of m as JSON.
func (m Memory) bytes() int { return jsonSize(m) }

// jsonSize returns the size of v as JSON. v holds only strings and finite numbers.
func jsonSize(v any) int {
	body, _ := json.Marshal(v) // of strings and finite numbers
	return len(body)
}

// widest returns the index of the value that is largest as JSON.
func widest(values ...any) int {
	at, most := 0, 0
	for i, v := range values {
		if n := jsonSize(v); n > most {
			at, most = i, n
		}
	}
	return at
}

// Differs reports whether other differs in anything but the recent topics, which change
// with every turn.
func (m Memory) Differs(other Memory) bool {
	m.RecentTopics, other.RecentTopics = nil, nil
	return !reflect.DeepEqual(m, other)
}

// noteTopic adds a topic unless it is the latest, and keeps the last maxTopics.
func noteTopic(topics []string, topic string) []string {
	out := slices.Clone(topics)
	if topic = language.Clip(oneLine(topic), maxNoteRunes); topic != "" && (len(out) == 0 || out[len(out)-1] != topic) {
		out = append(out, topic)
	}
	return out[max(0, len(out)-maxTopics):]
}

// noteFollowUps removes what is done and adds new follow-ups. A key has one: the newest.
func noteFollowUps(list []FollowUp, s Signals) []FollowUp {
	out := slices.DeleteFunc(slices.Clone(list), func(f FollowUp) bool { return slices.Contains(s.Done, f.Key) })
	for _, f := range s.FollowUps {
		f.Key, f.Reason = language.Clip(oneLine(f.Key), maxNameRunes), language.Clip(oneLine(f.Reason), maxNoteRunes)
		f.Priority, f.Turn = min(max(f.Priority, 1), 10), max(f.Turn, 0)
		if f.Key == "" {
			continue
		}
		out = slices.DeleteFunc(out, func(old FollowUp) bool { return old.Key == f.Key })
		out = append(out, f)
	}
	sortFollowUps(out)
	return out[:min(len(out), maxFollowUps)]
}

// sortFollowUps puts the most urgent first and keeps the order of equals.
func sortFollowUps(list []FollowUp) {
	slices.SortStableFunc(list, func(a, b FollowUp) int { return b.Priority - a.Priority })
}

// noteRelations adds relations in place of those that say the same, and keeps the most
// certain.
func noteRelations(list, add []Relation) []Relation {
	out := slices.Clone(list)
	for _, r := range add {
		r.From, r.To, r.Type = language.Clip(oneLine(r.From), maxNameRunes), language.Clip(oneLine(r.To), maxNameRunes), language.Clip(oneLine(r.Type), maxNameRunes)
		if r.Confidence = min(max(r.Confidence, 0), 1); math.IsNaN(r.Confidence) {
			r.Confidence = 0
		}
		if r.From == "" || r.To == "" || r.From == r.To {
			continue
		}
		out = slices.DeleteFunc(out, r.same)
		out = append(out, r)
	}
	sortRelations(out)
	return out[:min(len(out), maxRelations)]
}

// sortRelations puts the most certain first and keeps the order of equals.
func sortRelations(list []Relation) {
	slices.SortStableFunc(list, func(a, b Relation) int { return cmp.Compare(b.Confidence, a.Confidence) })
}

// same reports whether other relates the same obligations in the same way, whatever its
// confidence.
func (r Relation) same(other Relation) bool {
	return other.From == r.From && other.To == r.To && other.Type == r.Type
}

// notePreferences replaces known preferences and adds new ones while there is room: a
// new one never displaces an older one.
func notePreferences(held, add map[string]string) map[string]string {
	if len(add) == 0 {
		return held
	}
	out := make(map[string]string, len(held)+len(add))
	maps.Copy(out, held)
	for _, name := range slices.Sorted(maps.Keys(add)) {
		k, v := language.Clip(oneLine(name), maxNameRunes), language.Clip(oneLine(add[name]), maxNoteRunes)
		if _, known := out[k]; k != "" && (known || len(out) < maxPreferences) {
			out[k] = v
		}
	}
	return out
}
