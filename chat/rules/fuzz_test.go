package rules

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"quaestor/chat"
	"quaestor/chat/chattest"
	"quaestor/obligations"
	"quaestor/sessions"
)

// FuzzUnderstand holds for any message, whatever was asked: no panic, values
// that pass their template, spans that give their quotes, and a reply with at
// most the question's own question mark.
func FuzzUnderstand(f *testing.F) {
	for i, in := range []string{
		"We're a bakery in Leeds with 12 staff, budget about 20k, launching in May", "no, actually small businesses, not enterprise", "12-", "between 5 and", "$", "03/04/2027", "end of", "1e999", "9999999999999999999999k", "q2",
		"everything except", "a)", "\xff\xfe12\xff", "歯科医", "أطباء ١٢", "🙂 12 🙂", "I said 20 but", "change the budget to", "not", "in 99999999 years", "don’t", "half a", "1.2.3.4", "31.02.2027", "the first", "yes\x00no", "\u2028", "<b>12</b>", "%s %d", "and and and", "12,,,13", "…", "i'", "''''",
		"0 a", "an hour every other", "twice a", "5 in", "on", "two part plus", "March or", "between March and", "sorry, long", "nothing but", "20/",
	} {
		f.Add(in, uint8(i))
	}
	f.Fuzz(func(t *testing.T, message string, mode uint8) {
		s := fuzzScene(message, mode)
		u, err := New(chattest.Listener()).Understand(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		chattest.CheckSound(t, s, u)
		list := obligations.Apply(s.Obligations, u.Findings, s.Turn)
		p := &chat.Plan{Understanding: u, Changes: list, List: obligations.Merge(s.Obligations, list), Question: s.Asked}
		var b strings.Builder
		if _, err := New(chattest.Listener()).Reply(context.Background(), s, p, func(text string) error { b.WriteString(text); return nil }); err != nil {
			t.Fatal(err)
		}
		if strings.Count(b.String(), "?") > 1 {
			t.Errorf("more than one question mark: %q", b.String())
		}
	})
}

// fuzzScene is a scene in one of many states.
func fuzzScene(message string, mode uint8) *chat.Scene {
	keys := []string{"business", "target_market", "company_size", "channels", "team_size", "budget", "runway", "launch", "founded", "competitors", "online", "growth", ""}
	key := keys[int(mode)%len(keys)]
	s := chattest.Scene(key, message)
	chattest.Hold(s, "budget", "20000", 2)
	chattest.Hold(s, "channels", `["web"]`, 3)
	if mode >= 64 {
		chattest.Hold(s, "target_market", `"enterprise businesses"`, 4)
		chattest.Hold(s, "team_size", "20", 4)
	}
	if o := obligations.Find(s.Obligations, key); o != nil && o.Value != nil {
		s.Asked = chattest.Ask(o, sessions.ToConfirm)
		if mode >= 128 {
			s.Asked = chattest.Ask(o, sessions.ToResolve)
			s.Asked.Values = []json.RawMessage{o.Value, o.Value}
		}
	}
	if key == "" && mode >= 128 {
		s.Asked = &sessions.Question{Purpose: sessions.ToForm, Fields: []sessions.Question{*chattest.Ask(&s.Obligations[2], sessions.ToAsk), *chattest.Ask(&s.Obligations[4], sessions.ToAsk)}}
	}
	return s
}
