package talk_test

import (
	"encoding/json"
	"testing"

	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web/talk"
	"quaestor/web/webtest"
)

// An offer is a value that no person gave. What is being asked about is not offered too.
func TestOffersWaitForAYes(t *testing.T) {
	t.Parallel()

	found := obligations.Evidence{Kind: obligations.ResearchEvidence, Quote: "nine", Source: "https://example.org/a", Task: "t-1", Claim: 1}
	said := obligations.Evidence{Kind: obligations.Stated, By: "ann", Quote: "nine"}
	tests := []struct {
		name   string
		change func(*obligations.Obligation, *talk.ChatView)
		want   int
	}{
		{"found by research", func(*obligations.Obligation, *talk.ChatView) {}, 1},
		{"a person stands behind it", func(o *obligations.Obligation, _ *talk.ChatView) { o.Evidence = append(o.Evidence, said) }, 0},
		{"settled", func(o *obligations.Obligation, _ *talk.ChatView) { o.Status = obligations.Satisfied }, 0},
		{"left out", func(o *obligations.Obligation, _ *talk.ChatView) { o.Status = obligations.Skipped }, 0},
		{"with a reviewer", func(o *obligations.Obligation, _ *talk.ChatView) {
			o.Negotiation = &obligations.Negotiation{Status: obligations.NegotiationEscalated}
		}, 0},
		{"asked about", func(o *obligations.Obligation, v *talk.ChatView) {
			v.Question = &sessions.Question{Purpose: sessions.ToConfirm, Key: o.Key, Prompt: "?", Proposal: o.Value}
		}, 0},
		{"a conflict is open over it", func(o *obligations.Obligation, v *talk.ChatView) {
			v.Conflicts = []obligations.Conflict{{Keys: []string{o.Key}}}
		}, 0},
		{"the interview is closed", func(_ *obligations.Obligation, v *talk.ChatView) { v.Session.Status = sessions.Completed }, 0},
	}
	for _, test := range tests {
		v := webtest.Sample(t)
		o := &v.Obligations[2]
		o.Status, o.Value, o.Evidence, v.Question = obligations.Partial, json.RawMessage(`"Nine"`), []obligations.Evidence{found}, nil
		test.change(o, &v)

		p := webtest.Render(t, talk.Chat(v))
		got := 0
		for _, n := range p.Every() {
			if webtest.Attr(n, "data-testid") == "offer" {
				got++
			}
		}
		if got != test.want {
			t.Errorf("%s: %d offers, want %d", test.name, got, test.want)
		}
	}
}

// A question that was settled outside the conversation is not asked any more.
func TestSettledQuestionIsNotAsked(t *testing.T) {
	t.Parallel()

	v := webtest.Sample(t)
	v.Question = &sessions.Question{Purpose: sessions.ToConfirm, Key: "team_size", Label: "Team", Prompt: "?", Proposal: json.RawMessage(`9`)}

	card := webtest.Render(t, talk.Chat(v)).Test("question")

	if got := webtest.Attr(card, "data-purpose"); got != "settled" {
		t.Errorf("the card is for %q, want settled: the team's size is known", got)
	}
}
