package sessions_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"quaestor/sessions"
)

func TestNote(t *testing.T) {
	t.Parallel()

	held := sessions.Memory{
		RecentTopics:  []string{"market"},
		FollowUps:     []sessions.FollowUp{{Key: "timeline", Reason: "a tight deadline", Priority: 8}},
		Relationships: []sessions.Relation{{From: "market", To: "price", Type: "influences", Confidence: 0.5}},
		Preferences:   map[string]string{"depth": "medium"},
		Style:         sessions.Casual,
	}
	for _, tt := range []struct {
		name string
		in   sessions.Signals
		want func(m *sessions.Memory)
	}{
		{"nothing", sessions.Signals{}, func(*sessions.Memory) {}},
		{"a topic", sessions.Signals{Topic: "price"}, func(m *sessions.Memory) { m.RecentTopics = []string{"market", "price"} }},
		{"the same topic", sessions.Signals{Topic: "market"}, func(*sessions.Memory) {}},
		{"a follow-up that matters more", sessions.Signals{FollowUps: []sessions.FollowUp{{Key: "team", Priority: 9}}},
			func(m *sessions.Memory) {
				m.FollowUps = []sessions.FollowUp{{Key: "team", Priority: 9}, m.FollowUps[0]}
			}},
		{"a follow-up replaced, its priority brought within bounds", sessions.Signals{FollowUps: []sessions.FollowUp{{Key: "timeline", Reason: "again", Priority: 40}}},
			func(m *sessions.Memory) {
				m.FollowUps = []sessions.FollowUp{{Key: "timeline", Reason: "again", Priority: 10}}
			}},
		{"a follow-up settled", sessions.Signals{Done: []string{"timeline"}}, func(m *sessions.Memory) { m.FollowUps = []sessions.FollowUp{} }},
		{"a relation replaced", sessions.Signals{Relationships: []sessions.Relation{{From: "market", To: "price", Type: "influences", Confidence: 1.7}}},
			func(m *sessions.Memory) {
				m.Relationships = []sessions.Relation{{From: "market", To: "price", Type: "influences", Confidence: 1}}
			}},
		{"a preference", sessions.Signals{Preferences: map[string]string{"depth": "high", "examples": "yes"}},
			func(m *sessions.Memory) { m.Preferences = map[string]string{"depth": "high", "examples": "yes"} }},
		{"a style", sessions.Signals{Style: sessions.Formal}, func(m *sessions.Memory) { m.Style = sessions.Formal }},
		{"a style that is none", sessions.Signals{Style: "shouting"}, func(*sessions.Memory) {}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			want := held
			tt.want(&want)
			before := fmt.Sprintf("%+v", held)

			if diff := cmp.Diff(want, held.Note(tt.in)); diff != "" {
				t.Errorf("Note() (-want +got):\n%s", diff)
			}
			if after := fmt.Sprintf("%+v", held); after != before {
				t.Errorf("Note() changed its receiver to %s", after)
			}
		})
	}
}

func TestEmptyMemoryHasNoNull(t *testing.T) {
	t.Parallel()

	got, err := json.Marshal(sessions.Memory{})

	want := `{"recentTopics":[],"pendingFollowUps":[],"inferredRelationships":[],"userPreferences":{},"conversationStyle":""}`
	if err != nil || string(got) != want {
		t.Errorf("Marshal() = %s, %v, want %s", got, err, want)
	}
}

func TestMemoryStaysInBounds(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		var m sessions.Memory
		long := rapid.SampledFrom([]string{"a", "b", strings.Repeat("语", 400)})
		for turn := range rapid.IntRange(1, 40).Draw(t, "turns") {
			s := sessions.Signals{Topic: long.Draw(t, "topic") + fmt.Sprint(turn%7), Preferences: map[string]string{fmt.Sprint("p", turn): long.Draw(t, "preference")}}
			for i := range 3 {
				s.FollowUps = append(s.FollowUps, sessions.FollowUp{Key: fmt.Sprint(turn, i), Reason: long.Draw(t, "reason"), Priority: rapid.IntRange(-3, 20).Draw(t, "priority")})
				s.Relationships = append(s.Relationships, sessions.Relation{From: fmt.Sprint(turn), To: fmt.Sprint(i), Confidence: rapid.Float64Range(-1, 2).Draw(t, "confidence")})
			}
			m = m.Note(s)

			if len(m.RecentTopics) > 5 || len(m.FollowUps) > 20 || len(m.Relationships) > 50 || len(m.Preferences) > 20 {
				t.Fatalf("after turn %d: %d topics, %d follow-ups, %d relations, %d preferences", turn, len(m.RecentTopics), len(m.FollowUps), len(m.Relationships), len(m.Preferences))
			}
			if !slices.IsSortedFunc(m.FollowUps, func(a, b sessions.FollowUp) int { return b.Priority - a.Priority }) {
				t.Fatalf("follow-ups are out of order: %+v", m.FollowUps)
			}
			for _, topic := range m.RecentTopics {
				if len([]rune(topic)) > 300 {
					t.Fatalf("a topic of %d characters is kept", len([]rune(topic)))
				}
			}
		}
	})
}
