package chat_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quaestor/chat"
	"quaestor/internal/fault"
)

func TestCleanRefuses(t *testing.T) {
	t.Parallel()

	answers := func(raw string) map[string]json.RawMessage {
		return map[string]json.RawMessage{"key": json.RawMessage(raw)}
	}
	many := map[string]json.RawMessage{}
	for i := range 51 {
		many["k"+strings.Repeat("x", i)] = json.RawMessage(`1`)
	}
	cases := []struct {
		name  string
		in    chat.Input
		kind  fault.Kind
		field string
	}{
		{"long message", chat.Input{ContextType: "shop", Message: strings.Repeat("x", chat.MaxMessageBytes+1)}, fault.TooLarge, "message"},
		{"bad UTF-8", chat.Input{ContextType: "shop", Message: "\xff"}, fault.Invalid, "message"},
		{"NUL", chat.Input{ContextType: "shop", Message: "a\x00"}, fault.Invalid, "message"},
		{"spaces in an id", chat.Input{ContextType: "shop", ClientMessageID: "a b"}, fault.Invalid, "clientMessageId"},
		{"long id", chat.Input{ContextType: "shop", ClientMessageID: strings.Repeat("a", 256)}, fault.Invalid, "clientMessageId"},
		{"neither session nor context", chat.Input{}, fault.Unprocessable, "contextType"},
		{"no context type", chat.Input{ContextType: "A shop"}, fault.Unprocessable, "contextType"},
		{"many answers", chat.Input{ContextType: "shop", Answers: many}, fault.Unprocessable, "answers"},
		{"no key", chat.Input{ContextType: "shop", Answers: map[string]json.RawMessage{"A key": json.RawMessage(`1`)}}, fault.Unprocessable, "answers"},
		{"NUL in a list", chat.Input{ContextType: "shop", Answers: answers(`["a","b\u0000"]`)}, fault.Invalid, "answers.key"},
		{"number beyond bounds", chat.Input{ContextType: "shop", Answers: answers(`{"min":1,"max":1e999}`)}, fault.Unprocessable, "answers.key"},
		{"deep", chat.Input{ContextType: "shop", Answers: answers(`[[[[[[1]]]]]]`)}, fault.Unprocessable, "answers.key"},
		{"object that is no range", chat.Input{ContextType: "shop", Answers: answers(`{"$where":"1"}`)}, fault.Unprocessable, "answers.key"},
		{"not JSON", chat.Input{ContextType: "shop", Answers: answers(`{`)}, fault.Invalid, "answers.key"},
	}
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			_, err := tt.in.Clean()

			f, ok := err.(*fault.Error)
			if !ok || f.Kind != tt.kind || f.Field != tt.field || f.Message == "" {
				t.Errorf("Clean = %#v, want %s at %s", err, tt.kind, tt.field)
			}
		})
	}
}

func TestCleanKeepsWhatPeopleSee(t *testing.T) {
	t.Parallel()

	in := chat.Input{ContextType: "shop", Message: "  a\u200bb\u202e\U000e0041 👩‍👧\n", Answers: map[string]json.RawMessage{
		"a": json.RawMessage(`"x\u200by"`), "b": json.RawMessage(` [ "p", "q" ] `), "c": json.RawMessage(`{"min": 1.50, "max": 2}`), "d": json.RawMessage(`12345678901234567890`)}}

	out, err := in.Clean()
	if err != nil {
		t.Fatal(err)
	}

	want := map[string]string{"a": `"xy"`, "b": `["p","q"]`, "c": `{"max":2,"min":1.50}`, "d": `12345678901234567890`}
	got := map[string]string{}
	for k, v := range out.Answers {
		got[k] = string(v)
	}
	if diff := cmp.Diff(want, got); diff != "" || out.Message != "ab 👩‍👧" {
		t.Errorf("Clean = %q, answers (-want +got):\n%s", out.Message, diff)
	}
}
