package rules

import (
	"strings"
	"testing"

	"quaestor/chat/chattest"
	"quaestor/obligations"
)

// Fair questions about the interview have an answer.
func TestFairQuestionsAreAnswered(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 1)

	for in, want := range map[string]string{
		"can I download this?":                                "PDF",
		"what happens next?":                                  "brief",
		"who gets to see my answers?":                         "reviewers",
		"is this confidential?":                               "reviewers",
		"do you mean the end customers or the shops?":         "which you mean",
		"you choose":                                          "can't choose",
		"go back to the last question":                        "We bake bread",
		"give me a minute":                                    "our time",
		"this is bullshit":                                    "skip",
		"what was the business I gave you?":                   "We bake bread",
		"Are you recording this? who gets to see my answers?": "reviewers",
		"mostly dentists, small ones. Actually first, who are you? are you a bot?": "program",
		"Mostly dentists. Who can see this?":                                       "reviewers",
	} {
		s := chattest.Scene("target_market", in)
		chattest.Hold(s, "business", `"We bake bread"`, 4)
		p := planOf(m, s, "target_market")
		if got := reply(m, s, p); !strings.Contains(got, want) || strings.Contains(got, "beyond") || strings.Contains(got, "outside") {
			m.Errorf("%q is answered %q, want %q in it", in, got, want)
		}
	}
}

// At the end, a question about the interview brought the whole summary again.
func TestSummaryIsSaidOnce(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 0)

	k := newTalk(t, *chattest.Shipped(m, "idea_discovery"))
	p := k.turn("")
	for p.Question.Purpose != "finish" {
		p = k.turn(cooperate(k, p.Question))
	}
	k.turn("can I download this?")
	if got := k.last(); strings.Contains(got, "Here is what I have noted") || !strings.Contains(got, "PDF") {
		m.Errorf("answered %q, want no summary", got)
	}
}

// After one "can you give an example?" every question came with examples, before it.
func TestExamplesAreGivenWhenAskedFor(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 2)

	k := newTalk(m, *chattest.Shipped(m, "idea_discovery"))
	p := k.turn("")
	k.turn("can you give an example?")
	if got := k.last(); !strings.Contains(got, "For example") {
		m.Errorf("asked for an example, answered %q", got)
	}
	for range 3 {
		p = k.turn(cooperate(k, p.Question))
		if got := k.last(); strings.Contains(got, "For example") {
			m.Errorf("an example unasked: %q", got)
		}
	}
	k.turn("I like examples")
	for p = k.turn(cooperate(k, p.Question)); p.Question.Widget != obligations.Text; {
		p = k.turn(cooperate(k, p.Question))
	}
	if got := k.last(); !strings.Contains(got, p.Question.Prompt+" For example: ") {
		m.Errorf("no example after the question for who likes them: %q", got)
	}
}

// "Welcome back. … Hello." greeted twice.
func TestWhoComesBackIsGreetedOnce(t *testing.T) {
	t.Parallel()

	for _, in := range []string{"hello again", "Hi", "I'm back", "good morning", "I'm back, sorry about yesterday"} {
		s := chattest.Scene("business", in)
		p := planOf(t, s, "business")
		p.Returning = true
		if got := reply(t, s, p); strings.Contains(got, "Hello") || strings.Count(got, "back") > 1 {
			t.Errorf("%q is greeted %q", in, got)
		}
	}
}
