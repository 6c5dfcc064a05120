package chat_test

import (
	"encoding/json"
	"testing"

	"quaestor/internal/llm/llmtest"
	"quaestor/obligations"
	"quaestor/sessions"
)

// With one call a turn, the model meets the message, then says what it means; the question
// is the server's.
func TestOneCallATurn(t *testing.T) {
	t.Parallel()

	meaning := func(v map[string]any) string {
		out, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	const form = "\n\nA few short ones together.\n\n- How many people work there?\n- When did it open?\n- Where do people buy?\n\nYou can answer in one message, or fill in the fields."
	sold := `{"intent":"answer","findings":[{"key":"business","value":"bread","quote":"We sell bread"}]}`
	for _, tt := range []struct {
		name, answer, want string
		degraded, value    string
	}{
		{"as asked", "Bread, always a good start.\n=====\n" + sold, "Bread, always a good start." + form, "", `"bread"`},
		{"whole schema", "Bread.\n=====\n" + meaning(bread()), "Bread." + form, "", `"bread"`},
		{"without the mark", "Bread.\n" + sold, "Bread." + form, "", `"bread"`},
		{"fenced", "Bread.\n```json\n" + sold + "\n```", "Bread." + form, "", `"bread"`},
		{"asks all the same", "Bread. And who buys it?\n=====\n" + sold, "Bread." + form, "", `"bread"`},
		{"no meaning", "Bread, always a good start.", "Bread, always a good start.\n\nWhat does your shop sell?", "bad_json", ""},
		{"half a meaning", "Bread.\n=====\n" + sold[:40], "Bread.\n\nWhat does your shop sell?", "bad_json", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			srv := llmtest.New(t)
			srv.OnReply(llmtest.Reply{Text: tt.answer})
			d := newHarness(t, setup{model: srv, modelCalls: 1, atOnce: true})

			events := d.take(d.input("We sell bread"))

			m := payload[sessions.MessageEvent](t, events, sessions.KindMessage)
			if m.Content != tt.want && tt.degraded == "" || m.Degraded != tt.degraded || !m.Complete {
				t.Errorf("the reply is %q (degraded %q), want %q (%q)", m.Content, m.Degraded, tt.want, tt.degraded)
			}
			if o := obligations.Find(d.list(), "business"); tt.value != "" && string(o.Value) != tt.value {
				t.Errorf("the business is %s, want %s", o.Value, tt.value)
			}
			if n := len(srv.Requests()); n != 1 {
				t.Errorf("the model was asked %d times, want once", n)
			}
		})
	}
}
