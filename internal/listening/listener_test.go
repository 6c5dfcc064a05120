package listening_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quaestor/internal/listening"
)

func TestMessagesAreDivided(t *testing.T) {
	t.Parallel()

	l := listening.New(nil)
	for _, x := range []struct {
		asked          listening.Type
		question, text string
		want           []listening.Act
		answers        string
	}{
		{listening.Count, "How many guests do you expect?", "about 120", []listening.Act{listening.Answer}, "about 120"},
		{listening.Count, "How many guests do you expect?", "why do you want to know that?", []listening.Act{listening.Question}, ""},
		{listening.Person, "Who should we call?", "I'd rather not say, sorry.", []listening.Act{listening.Skip}, ""},
		{listening.Place, "In welcher Stadt wohnen Sie?", "in Graz", []listening.Act{listening.Answer}, "Graz"},
		{listening.Confirmation, "So that is twelve people, is that right?", "yes that's right", []listening.Act{listening.Confirm}, ""},
		{listening.Date, "When was it?", "", nil, ""},
		{listening.Text, "What is this project about?", "A booking system for our three practices <b>now</b>", []listening.Act{listening.Answer}, "A booking system for our three practices <b>now"},
	} {
		h, err := l.Hear(t.Context(), x.asked, x.question, x.text)
		if err != nil {
			t.Fatal(err)
		}
		var acts []listening.Act
		answers := ""
		for _, s := range h.Segments {
			acts = append(acts, s.Act)
			for _, v := range s.Values {
				if v.Answers {
					answers = x.text[v.From:v.To]
				}
			}
		}
		if len(acts) != len(x.want) || len(acts) > 0 && acts[0] != x.want[0] || (answers == "") != (x.answers == "") || !strings.Contains(x.answers, answers) {
			t.Errorf("%q: %v, answers %q; want %v, %q", x.text, acts, answers, x.want, x.answers)
		}
	}
}

// TestSegmentsCoverTheMessage holds for anything that may be sent.
func TestSegmentsCoverTheMessage(t *testing.T) {
	t.Parallel()

	l := listening.New(nil)
	for _, text := range []string{"\xff\xfe", "a", strings.Repeat("twelve, ", 3000), "😴😴", "  x  ", strings.Repeat("ü", 5000), "[a|b] || answer: c"} {
		h, err := l.Hear(t.Context(), listening.Text, "What do you do?", text)
		if err != nil {
			t.Fatal(err)
		}
		at := 0
		for _, s := range h.Segments {
			if s.From < at || s.To <= s.From || s.To > len(text) || strings.TrimSpace(text[at:s.From]) != "" {
				t.Errorf("%.20q: a segment from %d to %d after %d", text, s.From, s.To, at)
			}
			at = s.To
			for _, v := range s.Values {
				if v.From < s.From || v.To > s.To || v.To <= v.From {
					t.Errorf("%.20q: a value outside of its segment", text)
				}
			}
		}
		if strings.TrimSpace(text[at:]) != "" {
			t.Errorf("%.20q: %d bytes belong to no segment", text, len(text)-at)
		}
	}
}

// TestHeldOutTextsAreNotTrainedOn compares messages of five words and more.
func TestHeldOutTextsAreNotTrainedOn(t *testing.T) {
	t.Parallel()

	trained := map[string]string{}
	for _, held := range []bool{false, true} {
		for _, pattern := range []string{"utterances", "dialogs"} {
			files, err := filepath.Glob(pattern + "/*/*.txt")
			if err != nil || len(files) < 20 {
				t.Fatal(len(files), err)
			}
			for _, name := range files {
				if strings.Contains(name, "heldout") != held {
					continue
				}
				for _, text := range textsOf(t, name) {
					text = strings.ToLower(text)
					if len(strings.Fields(text)) < 5 {
						continue
					}
					if other, ok := trained[text]; held && ok {
						t.Errorf("%s: %q stands in %s, too", name, text, other)
					}
					if !held {
						trained[text] = name
					}
				}
			}
		}
	}
}

// textsOf returns the messages of a file of either kind.
func textsOf(t *testing.T, name string) []string {
	t.Helper()
	body, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasPrefix(name, "utterances") {
		texts, _, err := listening.ParseUtterances(string(body))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return texts
	}
	d, err := listening.ParseDialog(string(body))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	var out []string
	for _, talk := range d.Talks {
		for _, s := range talk.Said {
			out = append(out, s.Text)
		}
	}
	return out
}

func BenchmarkHear(b *testing.B) {
	l := listening.New(nil)
	for b.Loop() {
		if _, err := l.Hear(b.Context(), listening.Count, "How many guests do you expect?", "Well, we rather thought of a hundred and twenty or so, but do you have room for more?"); err != nil {
			b.Fatal(err)
		}
	}
}
