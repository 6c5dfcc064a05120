package model_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"quaestor/chat"
	"quaestor/internal/llm"
	"quaestor/internal/llm/llmtest"
	"quaestor/obligations"
)

// planned is the plan of a turn in which the team size was told.
func planned(s *chat.Scene) *chat.Plan {
	told := obligations.Finding{Key: "team_size", Act: obligations.Tell, Value: []byte("12"), Source: "conversation",
		Evidence: obligations.Evidence{Kind: obligations.Stated, Quote: "12"}}
	return chat.Decide(s, chat.Screen(s, chat.Understanding{Intent: chat.Answer, Findings: []obligations.Finding{told}}, nil))
}

func TestModelReplyStreams(t *testing.T) {
	t.Parallel()

	cases := []struct {
		name   string
		pieces []string
		want   string
	}{
		{"plain", []string{"Twelve, ", "noted. ", "Next?"}, "Twelve, noted. Next?"},
		{"thoughts first", []string{"<think>the plan says", " {ask}</think>\n\n", "Twelve."}, "Twelve."},
		{"thoughts in the middle", []string{"Twelve. <th", "ink>hm", "m</thi", "nk>Next?"}, "Twelve. Next?"},
		{"the other mark", []string{"One ", "<thinking>x</thinking>two"}, "One two"},
		{"each byte apart", strings.Split("A<think>b</think>C < d <th e", ""), "AC < d <th e"},
		{"two blocks in a piece", []string{"<think>a</think>B<think>c</think>D"}, "BD"},
		{"white space first", []string{"  \n", "\n", "Hello"}, "Hello"},
		{"characters nobody sees", []string{"He\u200bllo\x00", " you"}, "Hello you"},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()

			m, srv := modelSetup(t)
			srv.OnReply(llmtest.Reply{Pieces: tc.pieces})
			s := shopScene("12")
			var got strings.Builder

			usage, err := m.Reply(bounded(t), s, planned(s), func(text string) error {
				got.WriteString(text)
				return nil
			})
			if err != nil || got.String() != tc.want {
				t.Errorf("Reply said %q, %v, want %q", got.String(), err, tc.want)
			}
			if usage.Calls != 1 || usage.PromptTokens == 0 || usage.CompletionTokens == 0 {
				t.Errorf("usage = %+v, want one call and its tokens", usage)
			}
		})
	}
}

func TestModelReplyThatIsNoneFails(t *testing.T) {
	t.Parallel()

	cases := []struct {
		name  string
		reply llmtest.Reply
		class llm.Class // empty: the text is at fault
	}{
		{"nothing", llmtest.Reply{}, llm.Empty},
		{"only white space", llmtest.Reply{Text: " \n "}, llm.Empty},
		{"only what nobody sees", llmtest.Reply{Text: "\u200b"}, ""},
		{"only thoughts, late", llmtest.Reply{Pieces: []string{"\u200b", "<think>a</think>"}}, ""},
		{"thoughts that do not end", llmtest.Reply{Pieces: []string{"Well <think>", "and so on"}}, ""},
		{"cut at the limit", llmtest.Reply{Text: "Twelve, and", FinishReason: "length"}, ""},
		{"too long", llmtest.Reply{Text: strings.Repeat("and so on ", 2000)}, ""},
		{"clean close", llmtest.Reply{Text: "Twelve, and so", Fault: llmtest.CleanCloseMidStream}, llm.Truncated},
		{"reset", llmtest.Reply{Text: "Twelve, and so", Fault: llmtest.ResetMidStream}, llm.Broken},
		{"429", llmtest.Status(429, time.Hour), llm.Limited},
		{"500", llmtest.Status(500, 0), llm.Upstream},
		{"a page", llmtest.Reply{Fault: llmtest.HTML200}, llm.NotJSON},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()

			m, srv := modelSetup(t)
			srv.OnReply(tc.reply)
			s := shopScene("12")

			_, err := m.Reply(bounded(t), s, planned(s), func(string) error { return nil })
			var e *llm.Error
			if err == nil || errors.As(err, &e) != (tc.class != "") || e != nil && e.Class != tc.class {
				t.Errorf("Reply = %v, want a failure of class %q", err, tc.class)
			}
		})
	}
}

// Some servers open the thoughts in the prompt, so that a reply has the closing
// mark only. What was passed on of the first such reply is taken back by the turn;
// later replies are held until the mark.
func TestModelLearnsThatThoughtsComeFirst(t *testing.T) {
	t.Parallel()

	m, srv := modelSetup(t)
	srv.OnReply(llmtest.Reply{Pieces: []string{"The plan ", "says so.</th", "ink> Twelve."}})
	s := shopScene("12")
	reply := func() (string, error) {
		var got strings.Builder
		_, err := m.Reply(bounded(t), s, planned(s), func(text string) error {
			got.WriteString(text)
			return nil
		})
		return got.String(), err
	}

	if _, err := reply(); err == nil {
		t.Error("the first reply passed with its thoughts")
	}
	if got, err := reply(); err != nil || got != "Twelve." {
		t.Errorf("the second reply = %q, %v, want it without thoughts", got, err)
	}
}

func TestModelReplyStopsWhenNobodyListens(t *testing.T) {
	t.Parallel()

	gone := errors.New("gone")
	m, srv := modelSetup(t)
	srv.OnReply(llmtest.Reply{Text: "one two three"})
	s := shopScene("12")
	calls := 0

	_, err := m.Reply(bounded(t), s, planned(s), func(string) error {
		calls++
		return gone
	})
	if !errors.Is(err, gone) || calls != 1 {
		t.Errorf("Reply = %v after %d pieces, want the listener's error after one", err, calls)
	}
}

func TestModelIsNamed(t *testing.T) {
	t.Parallel()

	m, _ := modelSetup(t)
	if m.Name() != "model m" {
		t.Errorf("Name() = %q, want %q", m.Name(), "model m")
	}
}
