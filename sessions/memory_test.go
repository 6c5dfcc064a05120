package sessions_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
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

			if diff := gocmp.Diff(want, held.Note(tt.in)); diff != "" {
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

// anyText draws what may come of a model or a person: short, endless, empty,
// hostile.
func anyText(t *rapid.T, label string) string {
	return rapid.SampledFrom([]string{"", "a", "b", "market", strings.Repeat("语", 400), strings.Repeat("<\"\\>", 400), "a\x00b", "\xff\xfe", "two\nlines\u2028more"}).Draw(t, label)
}

func anySignals(t *rapid.T) sessions.Signals {
	s := sessions.Signals{Topic: anyText(t, "topic"), Style: sessions.Style(anyText(t, "style")), Preferences: map[string]string{}}
	for range rapid.IntRange(0, 4).Draw(t, "notes") {
		n := rapid.IntRange(0, 200).Draw(t, "number")
		s.FollowUps = append(s.FollowUps, sessions.FollowUp{Key: anyText(t, "key") + fmt.Sprint(n), Reason: anyText(t, "reason"), Priority: rapid.Int().Draw(t, "priority"), Turn: rapid.Int().Draw(t, "turn")})
		s.Relationships = append(s.Relationships, sessions.Relation{From: anyText(t, "from"), To: anyText(t, "to") + fmt.Sprint(n), Type: anyText(t, "type"),
			Confidence: rapid.OneOf(rapid.Float64(), rapid.Just(math.NaN()), rapid.Just(math.Inf(-1))).Draw(t, "confidence")})
		s.Preferences[anyText(t, "name")+fmt.Sprint(n)] = anyText(t, "preference")
		s.Done = append(s.Done, anyText(t, "done")+fmt.Sprint(n))
	}
	return s
}

// Any sequence of signals leaves a memory within its bounds that PostgreSQL takes,
// and that an edit of nothing leaves as it is.
func TestMemoryStaysInBounds(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		var m sessions.Memory
		for range rapid.IntRange(1, 60).Draw(t, "turns") {
			m = m.Note(anySignals(t))
			checkMemory(t, m)
		}
	})
}

func checkMemory(t *rapid.T, m sessions.Memory) {
	body, err := json.Marshal(m)
	if err != nil || len(body) > 16<<10 || strings.Contains(string(body), `\u0000`) {
		t.Fatalf("a memory of %d bytes, %v: %.200s", len(body), err, body)
	}
	if len(m.RecentTopics) > 5 || len(m.FollowUps) > 20 || len(m.Relationships) > 50 || len(m.Preferences) > 20 {
		t.Fatalf("%d topics, %d follow-ups, %d relations, %d preferences", len(m.RecentTopics), len(m.FollowUps), len(m.Relationships), len(m.Preferences))
	}
	if !slices.IsSortedFunc(m.FollowUps, func(a, b sessions.FollowUp) int { return b.Priority - a.Priority }) {
		t.Fatalf("follow-ups are out of order: %+v", m.FollowUps)
	}
	if !slices.IsSortedFunc(m.Relationships, func(a, b sessions.Relation) int { return cmp.Compare(b.Confidence, a.Confidence) }) {
		t.Fatalf("relations are out of order: %+v", m.Relationships)
	}
	for _, f := range m.FollowUps {
		if f.Key == "" || f.Priority < 1 || f.Priority > 10 || f.Turn < 0 || len([]rune(f.Reason)) > 300 {
			t.Fatalf("follow-up %+v", f)
		}
	}
	for _, r := range m.Relationships {
		if r.From == "" || r.To == "" || r.From == r.To || r.Confidence < 0 || r.Confidence > 1 || math.IsNaN(r.Confidence) {
			t.Fatalf("relation %+v", r)
		}
	}
	if same, err := m.Patch([]byte(`{}`), func(string) bool { return false }); err != nil || m.Changes(same) != nil {
		t.Fatalf("an empty patch changes %v, %v", m.Changes(same), err)
	}
}
