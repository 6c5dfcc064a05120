package web

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"quaestor/chat"
	"quaestor/internal/fault"
)

// refusedWell fails when err is not a fault that says what is wrong.
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
		body, err := readJSON[turnBody](raw)
		if err != nil {
			refusedWell(t, err)
			return
		}
		if !utf8.ValidString(body.Message) {
			t.Errorf("readJSON(%q) let invalid UTF-8 through", raw)
		}
		again, err := json.Marshal(body)
		if err != nil {
			t.Fatalf("readJSON(%q) gave what cannot be written: %v", raw, err)
		}
		if other, err := readJSON[turnBody](again); err != nil || other.Message != body.Message {
			t.Errorf("readJSON(%q) = %v, %v after writing it down", again, other, err)
		}
	})
}

func FuzzParseFrame(f *testing.F) {
	for _, seed := range []string{`{"type":"message","message":"hi"}`, `{"type":"stop","turn":3}`, `{"turn":1e99}`, `{"type":5}`, `{`, "\x00"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if _, err := readJSON[frame](raw); err != nil {
			refusedWell(t, err)
		}
	})
}

func FuzzParseCursor(f *testing.F) {
	for _, seed := range []string{"", "0", "17", "-1", "+1", "1e3", "99999999999999999999", " 1", "٣", "0x1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, given string) {
		after, err := parseCursor("after", given)
		if err != nil {
			refusedWell(t, err)
			return
		}
		if back, err := strconv.ParseInt("0"+strings.TrimPrefix(given, "-"), 10, 64); after < 0 || err != nil || back != after {
			t.Errorf("parseCursor(%q) = %d", given, after)
		}
	})
}

func FuzzParsePlace(f *testing.F) {
	f.Add(formatPlace(time.UnixMicro(1_700_000_000_000_000), "0b9f4c3e-0000-4000-8000-000000000000"))
	f.Add("")
	f.Add("!!!")
	f.Add("YWJj")
	f.Fuzz(func(t *testing.T, cursor string) {
		at, id, err := parsePlace(cursor)
		if err != nil {
			refusedWell(t, err)
			return
		}
		if cursor == "" {
			return
		}
		if again, same, err := parsePlace(formatPlace(at, id)); err != nil || !again.Equal(at) || same != id {
			t.Errorf("parsePlace(%q) = %v %q, and back %v %q %v", cursor, at, id, again, same, err)
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
