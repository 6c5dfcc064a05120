package rules

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"quaestor/chat"
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
		u, err := New(hearing()).Understand(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		checkSound(t, s, u)
		list := obligations.Apply(s.Obligations, u.Findings, s.Turn)
		p := &chat.Plan{Understanding: u, Changes: list, List: obligations.Merge(s.Obligations, list), Question: s.Asked}
		var b strings.Builder
		if _, err := New(hearing()).Reply(context.Background(), s, p, func(text string) error { b.WriteString(text); return nil }); err != nil {
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
	s := sceneOf(key, message)
	hold(s, "budget", "20000", 2)
	hold(s, "channels", `["web"]`, 3)
	if mode >= 64 {
		hold(s, "target_market", `"enterprise businesses"`, 4)
		hold(s, "team_size", "20", 4)
	}
	if o := obligations.Find(s.Obligations, key); o != nil && o.Value != nil {
		s.Asked = ask(o, sessions.ToConfirm)
		if mode >= 128 {
			s.Asked = ask(o, sessions.ToResolve)
			s.Asked.Values = []rawJSON{o.Value, o.Value}
		}
	}
	if key == "" && mode >= 128 {
		s.Asked = &sessions.Question{Purpose: sessions.ToForm, Fields: []sessions.Question{*ask(&s.Obligations[2], sessions.ToAsk), *ask(&s.Obligations[4], sessions.ToAsk)}}
	}
	return s
}

// longPieces are repeated into what a person, or someone hostile, may paste, in
// answer to each of the questions named.
var longPieces = []struct{ piece, asked string }{
	{"We bake bread, sell 12 loaves in May and our budget is 20k for staff. ", "business none"},
	{"12 staff budget 20k launch May enterprise ", "channels none"},
	{"a, 1, b, ", "channels business"},
	{"x", "business"},
	{"   ", "business"},
	{"\n", "team_size"},
	{"1", "team_size"},
	{"?!", "launch"},
	{"not ", "launch online resolve"},
	{"not but no actually ", "team_size business"},
	{"no ", "online channels resolve"},
	{"yes ", "online resolve"},
	{"is ", "business"},
	{"and ", "channels"},
	{"but ", "business"},
	{"the ", "launch"},
	{"maybe ", "launch business"},
	{", ", "channels"},
	{"123 456 ", "team_size"},
	{"1 2 3 4 5 6 7 8 9 10 ", "team_size channels"},
	{"the budget is ", "business resolve"},
	{"budget 5 ", "business none"},
	{"1/2/2027 ", "team_size budget"},
	{"50% 2019 no 50% ", "team_size growth"},
	{"12 two two 12 ", "budget"},
	{"web, a, ", "channels"},
	{"we compete with a, ", "business none"},
	{"between 5 and ", "team_size"},
	{"in the next ", "launch"},
	{"first ", "channels resolve"},
}

// manySentences are more than anybody says.
const manySentences = 80

// longest is the longest message that the server takes.
const longest = 64 << 10

// TestLongMessages reads messages that say the same again and again: what is found in
// them is sound. How long the longest take is measured by BenchmarkLongMessages.
func TestLongMessages(t *testing.T) {
	t.Parallel()

	for _, opening := range []string{"", strings.Repeat("We bake. ", manySentences)} {
		for _, test := range longPieces {
			for _, key := range strings.Fields(test.asked) {
				understand(t, longScene(key, longMessage(opening, test.piece, longest/4)))
			}
		}
	}
}

// BenchmarkLongMessages reads 16 KiB and 64 KiB of each piece. The time grows with the
// length: four times as much text takes about four times as long, and not sixteen.
func BenchmarkLongMessages(b *testing.B) {
	for _, test := range longPieces {
		for _, key := range strings.Fields(test.asked) {
			for _, size := range []int{longest / 4, longest} {
				s := longScene(key, longMessage("", test.piece, size))
				b.Run(fmt.Sprintf("%q/%s/%dKiB", test.piece, key, size>>10), func(b *testing.B) {
					for b.Loop() {
						if _, err := New(hearing()).Understand(b.Context(), s); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}

// longMessage is a piece said again and again after an opening, size bytes in all.
func longMessage(opening, piece string, size int) string {
	return opening + strings.Repeat(piece, (size-len(opening))/len(piece))
}

// longScene is a scene in which the obligation of a key was asked, or a conflict over
// one is to be resolved, and message is what came.
func longScene(key, message string) *chat.Scene {
	s := sceneOf(key, message)
	hold(s, "budget", "20000", 2)
	if key == "resolve" {
		hold(s, "target_market", `"the big and old hospitals of the north"`, 3)
		s.Asked = ask(obligations.Find(s.Obligations, "target_market"), sessions.ToResolve)
		s.Asked.Values = []rawJSON{rawJSON(`"the big and old hospitals of the north"`), rawJSON(`"small clinics"`)}
	}
	return s
}
