package reading

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"quaestor/chat"
	"quaestor/chat/chattest"
	"quaestor/obligations"
	"quaestor/sessions"
)

func BenchmarkUnderstandLongPaste(b *testing.B) {
	s := chattest.Scene("business", strings.Repeat("We bake bread, sell 12 loaves in May and our budget is 20k for staff. ", 64<<10/70))
	for b.Loop() {
		if _, err := Understand(b.Context(), s, chattest.Listener()); err != nil {
			b.Fatal(err)
		}
	}
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
						if _, err := Understand(b.Context(), s, chattest.Listener()); err != nil {
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
	s := chattest.Scene(key, message)
	chattest.Hold(s, "budget", "20000", 2)
	if key == "resolve" {
		chattest.Hold(s, "target_market", `"the big and old hospitals of the north"`, 3)
		s.Asked = chattest.Ask(obligations.Find(s.Obligations, "target_market"), sessions.ToResolve)
		s.Asked.Values = []json.RawMessage{json.RawMessage(`"the big and old hospitals of the north"`), json.RawMessage(`"small clinics"`)}
	}
	return s
}
