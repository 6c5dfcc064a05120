package talk

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"quaestor/chat"
	"quaestor/internal/fault"
	"quaestor/web"
)

// refusedWell fails the test when err is not a fault with a message for people.
func refusedWell(t *testing.T, err error) {
	t.Helper()
	if kind := fault.KindOf(err); kind == fault.Internal || err.Error() == "" {
		t.Errorf("refused as %s: %v", kind, err)
	}
}

func FuzzParseTurn(f *testing.F) {
	for _, seed := range []string{`{}`, `{"message":"hi","contextType":"a"}`, `{"answers":{"a":[1,{"b":null}]}}`, `{"message":"\ud800"}`, "{\"message\":\"\xff\"}", `null`, `[]`, `{}{}`, `{"message":1}`, strings.Repeat("[", 20000)} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		body, err := web.ReadJSON[TurnBody](raw)
		if err != nil {
			refusedWell(t, err)
			return
		}
		if !utf8.ValidString(body.Message) {
			t.Errorf("ReadJSON(%q) let invalid UTF-8 through", raw)
		}
		again, err := json.Marshal(body)
		if err != nil {
			t.Fatalf("ReadJSON(%q) gave what cannot be written: %v", raw, err)
		}
		if other, err := web.ReadJSON[TurnBody](again); err != nil || other.Message != body.Message {
			t.Errorf("ReadJSON(%q) = %v, %v after writing it down", again, other, err)
		}
	})
}

func FuzzParseFrame(f *testing.F) {
	for _, seed := range []string{`{"type":"message","message":"hi"}`, `{"type":"stop","turn":3}`, `{"turn":1e99}`, `{"type":5}`, `{`, "\x00"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if _, err := web.ReadJSON[frame](raw); err != nil {
			refusedWell(t, err)
		}
	})
}

func FuzzInputClean(f *testing.F) {
	f.Add("Hello", "business_profile", "id-1", []byte(`{"a":1}`))
	f.Add("a\x00b", "x", "a b", []byte(`{"a":"\u0000"}`))
	f.Add("\u202ehidden\U000e0041", "A", "\x7f", []byte(`{"A":[[[[[1]]]]]}`))
	f.Add(strings.Repeat("x", 70000), "", "", []byte(`{"a":1e999}`))
	f.Fuzz(func(t *testing.T, message, context, id string, answers []byte) {
		in := chat.Input{Message: message, ContextType: context, ClientMessageID: id}
		if json.Unmarshal(answers, &in.Answers) != nil {
			in.Answers = nil
		}
		out, err := in.Clean()
		if err != nil {
			refusedWell(t, err)
			return
		}
		if len(out.Message) > chat.MaxMessageBytes || !utf8.ValidString(out.Message) || strings.ContainsAny(out.Message, "\x00\u200b\u202e") {
			t.Errorf("Clean kept %q", out.Message)
		}
		again, err := out.Clean()
		if err != nil || again.Message != out.Message || len(again.Answers) != len(out.Answers) {
			t.Errorf("Clean is not settled: %q, then %q, %v", out.Message, again.Message, err)
		}
	})
}
