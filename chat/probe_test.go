package chat_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"quaestor/chat"
	"quaestor/internal/llm/llmtest"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// deep is an objective whose first obligation wants a story.
var deep = strings.Replace(small, `"widgetType":"text","priority":9`, `"widgetType":"text","depth":"story","probe":"When did you last sell out?","priority":9`, 1)

// A thin answer to what should go deeper is followed by one more question, and what is said
// then is added to the value. Nothing is lost by saying no more.
func TestThinAnswerIsProbed(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name, message, value string
		read                 map[string]any
		evidence             int
	}{
		{"more is told", "Last Saturday, by ten", `"bread; last Saturday, by ten"`, reading("answer", map[string]any{"key": "business", "value": "last Saturday, by ten", "quote": "Last Saturday, by ten"}), 2},
		{"that is all", "That's all", `"bread"`, reading("finish"), 1},
		{"nobody knows", "No idea", `"bread"`, reading("dont_know", map[string]any{"key": "business", "act": "unsure", "quote": "No idea"}), 1},
		{"skipped", "Skip that", `"bread"`, reading("skip", map[string]any{"key": "business", "act": "skip", "quote": "Skip that"}), 1},
		{"something else", "It opened in 2019", `"bread"`, reading("answer", map[string]any{"key": "founded", "value": "2019", "quote": "in 2019"}), 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			model := llmtest.New(t)
			model.OnUnderstand(llmtest.Reply{JSON: bread()}, llmtest.Reply{JSON: tt.read})
			model.OnReply(llmtest.Reply{Text: "Hello. What does your shop sell?"}, llmtest.Reply{Text: "Bread. When did you last sell out?"}, llmtest.Reply{Text: "I see."})
			d := newHarness(t, setup{model: model, objective: deep})
			d.take(d.input(""))
			asked := payload[sessions.QuestionEvent](t, d.take(d.input("We sell bread")), sessions.KindQuestion)
			if asked.Purpose != sessions.ToProbe || asked.Key != "business" || asked.Prompt != "When did you last sell out?" {
				t.Fatalf("after a thin answer %+v is asked", asked.Question)
			}

			events := d.take(d.input(tt.message))

			o := obligations.Find(d.list(), "business")
			if string(o.Value) != tt.value || len(o.Evidence) != tt.evidence || o.Status != obligations.Satisfied || o.Attempts != 1 {
				t.Errorf("business is %s %s with %d pieces of evidence after %d attempts, want %s with %d", o.Status, o.Value, len(o.Evidence), o.Attempts, tt.value, tt.evidence)
			}
			if q := payload[sessions.QuestionEvent](t, events, sessions.KindQuestion); q.Purpose == sessions.ToProbe {
				t.Error("more is asked twice in a row")
			}
		})
	}
}

// curt is an interviewer that takes every message for a short answer to what was asked.
type curt struct{}

func (curt) Name() string { return "curt" }

func (curt) Understand(_ context.Context, s *chat.Scene) (chat.Understanding, error) {
	out := chat.Understanding{Intent: chat.Answer}
	for _, key := range s.Asked.Keys() {
		value, _ := json.Marshal(s.Message)
		e := obligations.Evidence{Kind: obligations.Stated, Message: s.MessageID(), Quote: s.Message}
		out.Findings = append(out.Findings, obligations.Finding{Key: key, Act: obligations.Tell, Value: value, Evidence: e, Grade: obligations.Grade{Kind: e.Kind}, Source: "conversation"})
	}
	return out, nil
}

func (curt) Reply(_ context.Context, _ *chat.Scene, _ *chat.Plan, say func(string) error) (chat.Usage, error) {
	return chat.Usage{}, say("I see.")
}

// Whatever people say: never twice in a row, never twice about one value, and within the
// budget.
func TestProbesStayWithinTheirBudget(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		def := &objectives.Definition{ContextType: "deep", Version: "1.0.0", DisplayName: "Deep", Description: "d"}
		n := rapid.IntRange(2, 40).Draw(t, "obligations")
		for i := range n {
			key := fmt.Sprintf("k%d", i)
			depth := rapid.SampledFrom([]obligations.Depth{obligations.FactDepth, obligations.ReasonDepth, obligations.StoryDepth}).Draw(t, "depth")
			def.Obligations = append(def.Obligations, obligations.Template{Key: key, FieldPath: key, Prompt: "What is " + key + "?", Widget: obligations.Text, Depth: depth, Priority: 5})
		}
		def.Completion = obligations.Criteria{MinSatisfied: n}
		h := chat.NewRehearsal(def, curt{}, curt{})
		probed, before := map[string]bool{}, false
		at := time.Date(2026, 11, 24, 10, 0, 0, 0, time.UTC)
		turn, err := h.Say(t.Context(), chat.RehearsalInput{Person: "p", At: at})
		for i := 0; err == nil && turn.Ends == "" && turn.Question != nil && i < 2*n; i++ {
			q := turn.Question
			probing := q.Purpose == sessions.ToProbe
			if probing && (before || probed[q.Key]) {
				t.Fatalf("turn %d probes %s: in a row %v, before %v", i, q.Key, before, probed[q.Key])
			}
			if before = probing; probing {
				probed[q.Key] = true
			}
			message := rapid.SampledFrom([]string{"yes", "bread", "a lot", "because rent rose", "that is all there is to say of it, believe me"}).Draw(t, "message")
			turn, err = h.Say(t.Context(), chat.RehearsalInput{Person: "p", Message: fmt.Sprintf("%s %d", message, i), At: at.Add(time.Duration(i) * time.Minute)})
		}
		if err != nil {
			t.Fatal(err)
		}
		if most := min(max(n/5, 2), 6); len(probed) > most {
			t.Fatalf("%d probes in a session of %d obligations, want at most %d", len(probed), n, most)
		}
	})
}
