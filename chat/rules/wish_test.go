package rules

import (
	"strings"
	"testing"

	"quaestor/chat"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions/objectives"
)

// trade is a small objective whose first question anything may answer.
func trade() *objectives.Definition {
	industry := obligations.Template{Key: "industry", Label: "Industry", Prompt: "What industry is your business in?", Widget: obligations.Text, Priority: 10, Category: "Business"}
	return &objectives.Definition{ContextType: "test", Obligations: append([]obligations.Template{industry}, templates()...)}
}

// However a wish for research is worded, it is no answer. A query of "" is not
// looked at.
func TestWishesAreNoAnswers(t *testing.T) {
	t.Parallel()
	m := measured(t, 10)

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
		u := understand(m, sceneIn(trade(), "industry", tt.in))
		if u.Intent != chat.AskResearch || len(u.Research) != 1 || len(u.Findings) > 0 {
			m.Errorf("%q: %s, wishes %v, findings %s; want one wish", tt.in, u.Intent, u.Research, brief(u.Findings))
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
	m := measured(t, 3)

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
		u := understand(m, sceneIn(trade(), "industry", in))
		if u.Intent != chat.Answer || len(u.Research) > 0 || len(u.Findings) == 0 || u.Findings[0].Key != "industry" {
			m.Errorf("%q: %s, wishes %v, findings %s; want an answer", in, u.Intent, u.Research, brief(u.Findings))
		}
	}
}

// Who asks what came of research is told how it stands, open and ended.
func TestResearchIsAskedAfter(t *testing.T) {
	t.Parallel()
	m := measured(t, 3)

	past := []research.TaskSummary{
		{ID: "a", Key: "competitors", Status: research.Completed, Outcome: research.Found, Summary: "Three chains share the trade (bakers.example.org).", Told: 3},
		{ID: "b", Query: "who makes ovens", Status: research.Running},
		{ID: "c", Query: "rents in Leeds", Status: research.Cancelled},
	}
	for _, in := range []string{"what became of your research?", "What did you find?", "any news on that research?", "Have you found anything yet?", "What is the status of the research?", "How is the research going?"} {
		s := sceneIn(trade(), "industry", in)
		underway(s, past...)
		u := understand(m, s)
		if !u.AsksAfterResearch() {
			m.Errorf("%q: %s, wishes %v, steering %v, findings %s", in, u.Intent, u.Research, u.Steering, brief(u.Findings))
			continue
		}
		text := said(m, s, func(p *chat.Plan) { p.Understanding = u })
		for _, want := range []string{"Three chains share the trade (bakers.example.org).", "“who makes ovens” yet; it's still being looked up"} {
			if !strings.Contains(text, want) {
				m.Errorf("%q: %q lacks %q", in, text, want)
			}
		}
		if strings.Contains(text, "rents") {
			m.Errorf("%q tells of what was cancelled: %q", in, text)
		}
	}

	named := sceneIn(trade(), "industry", "what did you find about our competitors?")
	underway(named, past...)
	if text := said(m, named, func(*chat.Plan) {}); !strings.Contains(text, "Three chains") || strings.Contains(text, "ovens") {
		m.Errorf("asked after the competitors: %q", text)
	}
	if text := said(m, sceneIn(trade(), "industry", "what did you find?"), func(*chat.Plan) {}); !strings.Contains(text, "I haven't looked anything up so far.") {
		m.Errorf("without research: %q", text)
	}
}

// A yes to something that nobody proposed is no value.
func TestNothingProposedNothingPutDown(t *testing.T) {
	t.Parallel()
	m := measured(t, 1)

	for _, in := range []string{"yes, put that down", "Yes please put it down", "put that down", "ok, note that down please", "Write it down."} {
		if u := understand(m, sceneIn(trade(), "industry", in)); len(u.Findings) > 0 || u.Intent != chat.Agree {
			m.Errorf("%q: %s, findings %s; want no value", in, u.Intent, brief(u.Findings))
		}
	}
}
