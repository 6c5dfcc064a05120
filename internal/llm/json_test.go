package llm_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quaestor/internal/fault"
	"quaestor/internal/llm"
	"quaestor/internal/llm/llmtest"
)

const countSchemaText = `{
	"type": "object",
	"properties": {
		"count": {"type": "integer", "minimum": 0, "maximum": 10},
		"note": {"type": "string"}
	},
	"required": ["count"],
	"additionalProperties": false
}`

type countAnswer struct {
	Count int    `json:"count"`
	Note  string `json:"note"`
}

func countSchema(t *testing.T) llm.Schema {
	t.Helper()
	s, err := llm.NewSchema("count", []byte(countSchemaText))
	if err != nil {
		t.Fatalf("NewSchema: %v", err)
	}
	return s
}

func TestJSONReadsAnyWording(t *testing.T) {
	t.Parallel()

	sound := map[string]any{"count": 3, "note": "people {all} of them"}
	want := countAnswer{Count: 3, Note: "people {all} of them"}
	cases := []struct {
		name  string
		reply llmtest.Reply
		want  countAnswer
	}{
		{"plain", llmtest.Reply{JSON: sound}, want},
		{"prose", llmtest.Reply{JSON: sound, Fault: llmtest.Prose}, want},
		{"fenced", llmtest.Reply{JSON: sound, Fault: llmtest.Fenced}, want},
		{"think block", llmtest.Reply{JSON: sound, Fault: llmtest.ThinkBlock}, want},
		{"two objects", llmtest.Reply{JSON: sound, Fault: llmtest.TwoObjects}, want},
		{"slow drip", llmtest.Reply{JSON: sound, Fault: llmtest.SlowDrip}, want},
		{"second object satisfies", llmtest.Reply{Text: `{"plan": "count them"} {"count": 3}`}, countAnswer{Count: 3}},
		{"stray brace", llmtest.Reply{Text: `Use { here: {"count": 3}`}, countAnswer{Count: 3}},
		{"trailing comma and single quotes", llmtest.Reply{Text: `Well: {'count': 3, 'note': 'ok',}`}, countAnswer{Count: 3, Note: "ok"}},
		{"no closing brace", llmtest.Reply{Text: `{"count": 3, "note": "ok"`}, countAnswer{Count: 3, Note: "ok"}},
		{"thoughts opened in the prompt", llmtest.Reply{Text: `maybe {"count": 9}? no.</think>{"count": 3}`}, countAnswer{Count: 3}},
		{"cut elsewhere", llmtest.Reply{Text: `{"count": 3} and more te`, FinishReason: "length"}, countAnswer{Count: 3}},
		{"bad utf8", llmtest.Reply{Text: `{"count": 3}`, Fault: llmtest.BadUTF8}, countAnswer{Count: 3}},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()

			c, srv := setup(t, nil)
			srv.OnUnderstand(tc.reply)
			var got countAnswer

			reply, err := c.JSON(background(t), ask("hi"), countSchema(t), &got)
			if err != nil {
				t.Fatalf("JSON: %v", err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("answer (-want +got):\n%s", diff)
			}
			if reply.Attempts != 1 || !strings.HasPrefix(reply.Text, "{") {
				t.Errorf("Attempts = %d, Text = %q, want 1 and the object", reply.Attempts, reply.Text)
			}
		})
	}
}

func TestJSONAsksOnceForARepair(t *testing.T) {
	t.Parallel()

	good := llmtest.Reply{JSON: map[string]any{"count": 3}}
	cases := []struct {
		name  string
		first llmtest.Reply
		told  []string
	}{
		{"every fault is named", llmtest.Reply{JSON: map[string]any{"count": 70, "note": 1, "more": true}}, []string{"/count", "/note", "more", "maximum"}},
		{"wrong keys", llmtest.Reply{JSON: map[string]any{"count": 3}, Fault: llmtest.WrongKeys}, []string{"count", "x_count"}},
		{"wrong types", llmtest.Reply{JSON: map[string]any{"count": 3}, Fault: llmtest.WrongTypes}, []string{"/count", "integer"}},
		{"no object", llmtest.Reply{Text: "I would rather not say."}, []string{"no JSON object"}},
		{"cut at the limit", llmtest.Reply{Text: `{"count": 3, "note": "half of wh`, FinishReason: "length"}, []string{"cut off"}},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()

			c, srv := setup(t, nil)
			srv.OnUnderstand(tc.first, good)
			var got countAnswer

			reply, err := c.JSON(background(t), ask("hi"), countSchema(t), &got)
			if err != nil || got.Count != 3 || reply.Attempts != 2 {
				t.Fatalf("JSON = %+v in %d attempts, %v, want 3 in 2", got, reply.Attempts, err)
			}
			second := srv.Requests()[1]
			for _, word := range tc.told {
				if !strings.Contains(second.LastUser(), word) {
					t.Errorf("repair prompt lacks %q:\n%s", word, second.LastUser())
				}
			}
			if n := len(second.Messages); n != 4 || second.Messages[1].Content != "hi" || second.Messages[2].Role != "assistant" {
				t.Errorf("repair request has messages %+v, want the first two kept, the answer and the complaint", second.Messages)
			}
		})
	}
}

func TestJSONFaults(t *testing.T) {
	t.Parallel()

	good := map[string]any{"count": 3}
	cases := []struct {
		name     string
		reply    llmtest.Reply
		want     llm.Class
		reason   string
		attempts int
	}{
		{"wrong for good", llmtest.Reply{JSON: map[string]any{"count": 70}}, llm.BadJSON, "schema", 2},
		{"prose for good", llmtest.Reply{Text: "no."}, llm.BadJSON, "schema", 2},
		{"clean close", llmtest.Reply{JSON: good, Fault: llmtest.CleanCloseMidStream}, llm.Truncated, "body cut", 3},
		{"html", llmtest.Reply{Fault: llmtest.HTML200}, llm.NotJSON, "content type", 2},
		{"empty choices", llmtest.Reply{Fault: llmtest.EmptyChoices}, llm.Empty, "", 2},
		{"no text", llmtest.Reply{}, llm.Empty, "no text", 2},
		{"tool call", llmtest.Reply{Fault: llmtest.ToolCall}, llm.Empty, "tool call", 2},
		{"refusal", llmtest.Reply{Fault: llmtest.Refusal}, llm.Refused, "refusal", 1},
		{"reset", llmtest.Reply{JSON: good, Fault: llmtest.ResetMidStream}, llm.Broken, "connection reset", 3},
		{"error in a 200", llmtest.Reply{Fault: llmtest.ErrorEvent}, llm.Broken, "error event", 3},
		{"bad body", llmtest.Reply{JSON: good, Fault: llmtest.BadChunk}, llm.NotJSON, "body", 2},
		{"huge line", llmtest.Reply{Fault: llmtest.HugeLine}, llm.TooLarge, "", 1},
		{"endless", llmtest.Reply{Fault: llmtest.EndlessText}, llm.TooLarge, "", 1},
		{"stall before", llmtest.Reply{Fault: llmtest.StallBeforeFirst}, llm.Timeout, llm.ReasonFirstToken, 1},
		{"stall mid", llmtest.Reply{JSON: good, Fault: llmtest.StallMid}, llm.Timeout, llm.ReasonIdle, 1},
		{"429", llmtest.Status(429, 0), llm.Limited, "", 3},
		{"429, come back in an hour", llmtest.Status(429, time.Hour), llm.Limited, "", 1},
		{"500", llmtest.Status(500, 0), llm.Upstream, "", 3},
		{"401", llmtest.Status(401, 0), llm.Refused, "", 1},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()

			c, srv := setup(t, func(o *llm.Options) {
				if tc.want == llm.Timeout { // the others must fail for what they are, however slow the machine is
					o.FirstToken, o.Idle = time.Second, 200*time.Millisecond
				}
			})
			srv.OnUnderstand(tc.reply)
			var got countAnswer

			_, err := c.JSON(background(t), ask("hi"), countSchema(t), &got)
			e := failure(t, err, tc.want)
			if e.Reason != tc.reason || e.Attempts != tc.attempts || len(srv.Requests()) != tc.attempts {
				t.Errorf("error = %+v after %d requests, want reason %q and %d attempts", e, len(srv.Requests()), tc.reason, tc.attempts)
			}
		})
	}
}

func TestJSONStepsDownTheLadder(t *testing.T) {
	t.Parallel()

	cases := []struct {
		name   string
		status int
		knows  string // the best format the server knows
		want   []string
	}{
		{"knows schemas", 400, "json_schema", []string{"json_schema", "json_schema"}},
		{"knows objects, 400", 400, "json_object", []string{"json_schema", "json_object", "json_object"}},
		{"knows objects, 422", 422, "json_object", []string{"json_schema", "json_object", "json_object"}},
		{"knows nothing, 404", 404, "", []string{"json_schema", "json_object", "", ""}},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()

			c, srv := setup(t, nil)
			srv.Handle(func(r llmtest.Request) llmtest.Reply {
				if r.ResponseFormat != "" && r.ResponseFormat != tc.knows {
					return llmtest.Reply{Status: tc.status, ErrorText: "'response_format' of this type is not supported"}
				}
				return llmtest.Reply{JSON: map[string]any{"count": 3}}
			})

			for range 2 {
				var got countAnswer
				if reply, err := c.JSON(background(t), ask("hi"), countSchema(t), &got); err != nil || got.Count != 3 || reply.Attempts != 1 {
					t.Fatalf("JSON = %+v in %d attempts, %v, want 3 in 1", got, reply.Attempts, err)
				}
			}
			var formats []string
			for _, r := range srv.Requests() {
				formats = append(formats, r.ResponseFormat)
				inPrompt := strings.Contains(r.System(), `"maximum":10`)
				if inPrompt != (r.ResponseFormat != "json_schema") || !r.Structured() {
					t.Errorf("format %q: schema in the prompt %t, structured %t", r.ResponseFormat, inPrompt, r.Structured())
				}
			}
			if diff := cmp.Diff(tc.want, formats); diff != "" {
				t.Errorf("formats asked (-want +got):\n%s", diff)
			}
		})
	}
}

func TestJSONDoesNotTouchTheCallersMessages(t *testing.T) {
	t.Parallel()

	c, srv := setup(t, nil)
	srv.Enqueue(llmtest.Reply{Status: 400, ErrorText: "response_format"}, llmtest.Reply{Text: "no"})
	srv.OnUnderstand(llmtest.Reply{JSON: map[string]any{"count": 1}})
	r := ask("hi")
	before := fmt.Sprint(r.Messages)
	var got countAnswer

	if _, err := c.JSON(background(t), r, countSchema(t), &got); err != nil {
		t.Fatalf("JSON: %v", err)
	}
	if after := fmt.Sprint(r.Messages); after != before {
		t.Errorf("messages = %s, want %s", after, before)
	}
}

func TestNewSchemaChecksItsInput(t *testing.T) {
	t.Parallel()

	cases := []struct {
		name, schema, in string
		ok               bool
	}{
		{"sound", countSchemaText, "count", true},
		{"bad name", countSchemaText, "a b", false},
		{"no name", countSchemaText, "", false},
		{"no JSON", `{`, "x", false},
		{"bad type", `{"type": "nothing"}`, "x", false},
		{"file reference", `{"$ref": "file:///etc/passwd"}`, "x", false},
		{"remote reference", `{"$ref": "http://127.0.0.1:1/x"}`, "x", false},
	}
	for _, tc := range cases {
		_, err := llm.NewSchema(tc.in, []byte(tc.schema))
		if (err == nil) != tc.ok || err != nil && !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: NewSchema = %v, want ok %t or an invalid fault", tc.name, err, tc.ok)
		}
	}
}
