package chat_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quaestor/chat"
	obedience "quaestor/chat/eval/scripted"
	"quaestor/chat/rules"
	"quaestor/internal/listening"
	"quaestor/internal/llm/llmtest"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// goldenDay is the day on which all golden talks begin, a Tuesday.
var goldenDay = time.Date(2026, 11, 24, 10, 0, 0, 0, time.UTC)

// Golden talks: whole conversations as a person reads them, about the included objectives,
// without the text encoder. A file of testdata/talks begins with a line such as
// "business_profile de rules" or "idea_discovery en model", and has, a paragraph each,
//
//	> text      what the person says; more lines that begin with ">" continue it
//	-- N days   so much time passes
//	-- by NAME  who speaks from now on; "person" at first
//
// With a model, lines of JSON below what the person says are its reading, see [heard].
// Everything else is Quaestor's side, which -update rewrites.
func TestGoldenTalks(t *testing.T) {
	t.Parallel()

	files, err := filepath.Glob("testdata/talks/*.txt")
	if err != nil || len(files) < 24 {
		t.Fatalf("%d golden talks, want 24: %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()

			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := transcribe(t, string(raw))
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(raw), got); diff != "" {
				t.Errorf("%s (-want +got; -update rewrites):\n%s", file, diff)
			}
		})
	}
}

// heard is how the scripted model takes a message.
type heard struct {
	Intent string  `json:"intent"` // empty means answer
	Found  [][]any `json:"found"`  // key, value and, where the value is not in the message, the quotation
	Say    string  `json:"say"`    // the reply; empty means a short one that asks what the plan asks
}

// transcribe has the conversation that text is about and returns it with Quaestor's side.
func transcribe(t *testing.T, text string) string {
	t.Helper()
	paragraphs := strings.Split(strings.TrimSpace(text), "\n\n")
	header := strings.Fields(paragraphs[0])
	if len(header) != 3 {
		t.Fatalf("%q names no objective, language and interviewer", paragraphs[0])
	}
	i := slices.IndexFunc(objectives.Shipped(), func(d objectives.Definition) bool { return d.ContextType == header[0] })
	if i < 0 {
		t.Fatalf("no objective %q", header[0])
	}
	def := objectives.Shipped()[i]
	var now heard
	reads := rules.New(listening.New(nil))
	interviewer := chat.Interviewer(reads)
	if header[2] == "model" {
		interviewer = scripted2model(t, &def, &now)
	}
	h := chat.NewRehearsal(&def, interviewer, reads)
	h.In(header[1], sessions.LanguageAsked)

	in := chat.RehearsalInput{Person: "person", At: goldenDay}
	out := []string{paragraphs[0]}
	say := func() {
		in.At = in.At.Add(time.Minute)
		turn, err := h.Say(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		if turn.Degraded != "" {
			out = append(out, "[without the model: "+turn.Degraded+"]")
		}
		if turn.Reply != "" {
			out = append(out, turn.Reply)
		}
		if turn.Ends != "" {
			out = append(out, "[ends: "+string(turn.Ends)+"]")
		}
	}
	say()
	for _, p := range paragraphs[1:] {
		direction, isDirection := strings.CutPrefix(p, "-- ")
		switch {
		case isDirection:
			out = append(out, p)
			if name, ok := strings.CutPrefix(direction, "by "); ok {
				in.Person = name
			} else if days, err := strconv.Atoi(strings.TrimSuffix(direction, " days")); err == nil {
				in.At = in.At.AddDate(0, 0, days)
			} else {
				t.Fatalf("what is %q?", p)
			}
		case strings.HasPrefix(p, ">"):
			out = append(out, p)
			in.Message, now = said(t, p)
			say()
		}
	}
	return strings.Join(out, "\n\n") + "\n"
}

// said returns what the person says in a paragraph, and how the model takes it.
func said(t *testing.T, paragraph string) (message string, now heard) {
	t.Helper()
	var lines []string
	for line := range strings.SplitSeq(paragraph, "\n") {
		if rest, ok := strings.CutPrefix(line, ">"); ok {
			lines = append(lines, strings.TrimPrefix(rest, " "))
		} else if err := json.Unmarshal([]byte(line), &now); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
	return strings.Join(lines, "\n"), now
}

// scripted2model returns the model interviewer, which takes messages as *now wants.
func scripted2model(t *testing.T, def *objectives.Definition, now *heard) chat.Interviewer {
	t.Helper()
	srv := llmtest.New(t)
	obedient := obedience.New(nil, []*objectives.Definition{def})
	srv.Handle(func(r llmtest.Request) llmtest.Reply {
		if r.Structured() {
			return llmtest.Reply{JSON: now.reading()}
		}
		if now.Say != "" {
			return llmtest.Reply{Text: now.Say}
		}
		return llmtest.Reply{Text: words(t, obedient, r.Body)}
	})
	return modelWithin(t, srv, patience, nil)
}

// reading returns what the model makes of the message.
func (h *heard) reading() map[string]any {
	intent := h.Intent
	if intent == "" {
		intent = "answer"
	}
	var list []map[string]any
	for _, f := range h.Found {
		list = append(list, map[string]any{"key": f[0], "value": f[1], "quote": fmt.Sprint(f[len(f)-1])})
	}
	return reading(intent, list...)
}

// words returns what an obedient model replies to the request, without streaming it.
func words(t *testing.T, m *obedience.Model, request []byte) string {
	t.Helper()
	var body map[string]any
	if err := json.Unmarshal(request, &body); err != nil {
		t.Error(err)
	}
	delete(body, "stream")
	raw, _ := json.Marshal(body) // what was read as JSON can be written
	w := httptest.NewRecorder()
	m.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/v1/chat/completions", bytes.NewReader(raw)))
	var answer struct {
		Choices []struct{ Message struct{ Content string } }
	}
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || len(answer.Choices) == 0 {
		t.Errorf("the scripted model answers %s", w.Body)
		return ""
	}
	return answer.Choices[0].Message.Content
}
