package model

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quaestor/chat"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

func TestSpeakersHaveLabelsWhenThereAreSeveral(t *testing.T) {
	t.Parallel()

	said := func(turn int, user string) sessions.Message {
		return sessions.Message{Turn: turn, Role: sessions.FromUser, User: user, Content: "So."}
	}
	by := func(turn int, user string) obligations.Obligation {
		return obligations.Obligation{Template: &obligations.Template{Key: "a"}, Evidence: []obligations.Evidence{{Kind: obligations.Stated, By: user, Turn: turn}}}
	}
	for _, tt := range []struct {
		name string
		in   chat.Scene
		want map[string]string
	}{
		{"one", chat.Scene{Person: "ada", Turn: 3, Transcript: []sessions.Message{said(1, "ada")}}, nil},
		{"a guest now", chat.Scene{Person: "bo", Turn: 3, Transcript: []sessions.Message{said(1, "ada")}}, map[string]string{"ada": "Person A", "bo": "Person B"}},
		{"who began comes first", chat.Scene{Person: "bo", Turn: 9, Transcript: []sessions.Message{said(7, "cy"), said(8, "ada")}},
			map[string]string{"ada": "Person A", "cy": "Person B", "bo": "Person C"}},
		{"who spoke before the window", chat.Scene{Person: "bo", Turn: 9, Transcript: []sessions.Message{said(8, "cy")}, Obligations: []obligations.Obligation{by(2, "bo")}},
			map[string]string{"bo": "Person A", "cy": "Person B"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			tt.in.Session.User = "ada"
			if diff := cmp.Diff(tt.want, speakers(&tt.in)); diff != "" {
				t.Errorf("speakers (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPromptNamesSpeakersByLabelOnly(t *testing.T) {
	t.Parallel()

	s := &chat.Scene{Objective: &objectives.Definition{DisplayName: "Shop"}, Person: "bo@example.org", Turn: 2, Message: "No, blue.",
		Session: sessions.Session{User: "ada@example.org", Phase: sessions.Opening}, Transcript: []sessions.Message{{Turn: 1, Role: sessions.FromUser, User: "ada@example.org", Content: "Red."}}}
	alone := *s
	alone.Person = s.Session.User

	prompt, single := promptText(s), promptText(&alone)

	for _, want := range []string{`"by":"Person A"`, `"speaker":"Person B"`} {
		if !strings.Contains(prompt, want) || strings.Contains(single, want) {
			t.Errorf("%s must be told when there are two, and not when there is one:\n%s", want, prompt)
		}
	}
	if strings.Contains(prompt, "example.org") {
		t.Errorf("the prompt holds an id:\n%s", prompt)
	}
}

func promptText(s *chat.Scene) string {
	var b strings.Builder
	for _, m := range understandMessages(s, nil) {
		b.WriteString(m.Content + "\n")
	}
	return b.String()
}
