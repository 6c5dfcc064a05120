package reading

import (
	"testing"

	"quaestor/chat"
	"quaestor/chat/chattest"
)

// However a wish for research is worded, it is no answer. A query of "" is not
// looked at.
func TestWishesAreNoAnswers(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 10)

	for _, tt := range []struct{ in, key, query string }{
		{"can u check this online", "industry", ""},
		{"Check online whether restaurants buy goat cheese", "", "restaurants buy goat cheese"},
		{"Let's have that looked up", "industry", ""},
		{"I'd rather you looked it up", "industry", ""},
		{"Any chance you could investigate our competitors?", "competitors", "competitors"},
		{"Ask Google", "industry", ""},
		{"Use our documents: what do they say about prices", "", ""},
		{"Check our documents for the survey", "", "documents for the survey"},
		{"please find sources for the market size", "", "market size"},
		{"see what you can find about our competitors", "competitors", ""},
		{"I need numbers on the market, could you get some?", "", "numbers on the market"},
		{"Would you mind checking how large the market is?", "", "how large the market is"},
		{"What does the internet say about goat cheese prices?", "", ""},
		{"Is there any data on goat cheese sales?", "", "goat cheese sales"},
		{"What do our documents say about competitors?", "competitors", ""},
		{"Can you verify that the market is 312 million euros?", "", "market is 312 million euros"},
		{"How large is the market for goat cheese? Can you check that?", "", "How large is the market for goat cheese"},
		{"Could you double-check that figure online?", "industry", ""},
		{"pls check this", "industry", ""},
		{"Can we have the market size looked up?", "", ""},
		{"Have a look online", "industry", ""},
		{"run a search on goat cheese", "", ""},
	} {
		u := understand(m, chattest.SceneIn(chattest.Trade(), "industry", tt.in))
		if u.Intent != chat.AskResearch || len(u.Research) != 1 || len(u.Findings) > 0 {
			m.Errorf("%q: %s, wishes %v, findings %s; want one wish", tt.in, u.Intent, u.Research, chattest.Brief(u.Findings))
			continue
		}
		if got := u.Research[0]; got.Key != tt.key || tt.query != "" && got.Query != tt.query {
			m.Errorf("%q: wish %q %q, want %q %q", tt.in, got.Key, got.Query, tt.key, tt.query)
		}
	}
}

// Answers that speak of research, checks and sources stay answers.
func TestAnswersAreNoWishes(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 3)

	for _, in := range []string{
		"We check cheese quality",
		"Research and development services",
		"We verify identities online",
		"Market research for restaurants",
		"Search engine optimisation",
		"Check-in software for hotels",
		"We look up spare parts for garages",
		"Google advertising for small shops",
		"We find sources of funding for farmers",
		"Online verification of documents",
		"Data on goat cheese sales, sold to dairies",
		"We investigate insurance fraud",
		"Our customers ask Google before they buy cheese",
		"We scan invoices, check our documents for errors and archive them",
		"Use of satellite data in agriculture",
		"Documents and reports for the courts",
		"Fact checking for newspapers",
		"Any way you look at it, dairy",
		"Check online orders, pack and ship them",
		"Use our documents to train staff",
		"We would rather say food than dairy",
	} {
		u := understand(m, chattest.SceneIn(chattest.Trade(), "industry", in))
		if u.Intent != chat.Answer || len(u.Research) > 0 || len(u.Findings) == 0 || u.Findings[0].Key != "industry" {
			m.Errorf("%q: %s, wishes %v, findings %s; want an answer", in, u.Intent, u.Research, chattest.Brief(u.Findings))
		}
	}
}

// A yes to something that nobody proposed is no value.
func TestNothingProposedNothingPutDown(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 1)

	for _, in := range []string{"yes, put that down", "Yes please put it down", "put that down", "ok, note that down please", "Write it down."} {
		if u := understand(m, chattest.SceneIn(chattest.Trade(), "industry", in)); len(u.Findings) > 0 || u.Intent != chat.Agree {
			m.Errorf("%q: %s, findings %s; want no value", in, u.Intent, chattest.Brief(u.Findings))
		}
	}
}
