package reading

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quaestor/chat"
	"quaestor/chat/chattest"
	"quaestor/sessions"
)

func TestReadStyle(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 1)

	like := func(pairs ...string) map[string]string {
		out := map[string]string{}
		for i := 0; i < len(pairs); i += 2 {
			out[pairs[i]] = pairs[i+1]
		}
		return out
	}
	short, long := like(chat.Brevity, "true"), like(chat.Brevity, "false")
	examples, none := like(chat.PrefersExamples, "true"), like(chat.PrefersExamples, "false")
	plain, expert := like(chat.TechnicalDepth, "low"), like(chat.TechnicalDepth, "high")
	for _, tt := range []struct {
		message string
		style   sessions.Style
		want    map[string]string
	}{
		{"Keep it short, please.", "", short},
		{"Could you please keep it brief from now on?", "", short},
		{"We sell bread. And can you get to the point", "", short},
		{"That's too long", "", short},
		{"your questions are too long!", "", short},
		{"We bake bread and please be quick", "", short},
		{"sorry, I don't have much time today", "", short},
		{"No need to be brief", "", long},
		{"Could you give me more detail?", "", long},
		{"Can you give me an example?", "", nil}, // one, and not for good
		{"Please always give me an example", "", examples},
		{"I prefer examples", "", examples},
		{"No more examples, thanks", "", none},
		{"I don’t need examples", "", none},
		{"I'm not technical", "", plain},
		{"Could you explain it in plain words?", "", plain},
		{"Feel free to get technical", "", expert},
		{"Keep it short, and no jargon please", "", like(chat.Brevity, "true", chat.TechnicalDepth, "low")},
		{"Please be more formal", sessions.Formal, nil},
		{"lol you can be casual", sessions.Casual, nil},
		{"hey, keep it professional", sessions.Formal, nil},
		{"yeah gonna open in May", sessions.Casual, nil},
		{"Dear Sir, kindly note that we sell bread. Regards", sessions.Formal, nil},
		{"Hi, kindly keep it short", "", nil}, // two tones, and no wish of its own

		{"", "", nil},
		{"We sell bread to cafés in the north.", "", nil},
		{"Our customers say the checkout takes too long", "", nil},
		{"The queue is too long", "", nil},
		{"People want short answers from their doctor", "", nil},
		{"We keep our menu short and our customers like examples of what we bake on a Sunday morning", "", nil},
		{"For example, bread", "", nil},
		{"technical", "", nil},
		{strings.Repeat("keep it short ", 1000), "", nil},
		{strings.Repeat("语", 5000) + "!", "", nil},
	} {
		style, got := readStyle(tt.message)
		if diff := cmp.Diff(tt.want, got); diff != "" || style != tt.style {
			m.Errorf("readStyle(%.60q) = %q, %v, want %q, %v", tt.message, style, got, tt.style, tt.want)
		}
	}
}
