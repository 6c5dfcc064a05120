package chat_test

import (
	"encoding/json"
	"strings"
	"testing"

	"quaestor/chat"
	"quaestor/chat/chattest"
	"quaestor/chat/rules"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/research/warehouse/inquiry"
	"quaestor/research/warehouse/question"
	"quaestor/sessions"
)

// The history of these scenes: a figure and a run, both told.
var (
	ordersTold = research.TaskSummary{ID: "q", Kind: research.WarehouseQuestion, Trigger: research.UserRequest, Query: "how many orders did we have in October 2026", Status: research.Completed, Outcome: research.Found,
		Summary: "According to Bike shop, the number of orders in October 2026 (by order date) is 758 (758 rows of orders).", Told: 4, Turn: 3, Warehouse: "w"}
	runTold = research.TaskSummary{ID: "r", Kind: research.WarehouseDiscovery, Trigger: research.UserRequest, Query: "Please explore our data", Status: research.Completed, Outcome: research.Found,
		Summary: "Refund rate with product category “lock” has risen to 18.4 % since 1 June 2026.", Told: 3, Turn: 2}
)

func figureScene(message string, past ...research.TaskSummary) *chat.Scene {
	s := chattest.Scene("business", message)
	s.Research = past
	s.Session.Language = "en"
	s.Data = research.DataAccess{Open: true, Runs: true, Of: (&question.Warehouses{}).ForInterviews()}
	return s
}

func understandScreened(t *testing.T, s *chat.Scene) chat.Understanding {
	t.Helper()
	u, err := rules.New(chattest.Listener()).Understand(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return chat.Screen(s, u, nil)
}

func replyOf(t *testing.T, s *chat.Scene, p *chat.Plan) string {
	t.Helper()
	var b strings.Builder
	if _, err := rules.New(chattest.Listener()).Reply(t.Context(), s, p, func(text string) error { b.WriteString(text); return nil }); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestAboutFigures(t *testing.T) {
	t.Parallel()

	for _, x := range []struct {
		said string
		act  chat.FigureAct
		task string
		asks string // the question that is asked again
	}{
		{"No, that figure is wrong, we had 900 orders", chat.DisputedFigure, "q", ""},
		{"That's not right.", chat.DisputedFigure, "q", ""},
		{"That can't be, it must have been more", chat.DisputedFigure, "q", ""},
		{"That is not right, the refunds of locks have not risen", chat.DisputedFigure, "r", ""},
		{"Das stimmt nicht, wir hatten 900", chat.DisputedFigure, "q", ""},
		{"Die Zahl ist falsch", chat.DisputedFigure, "q", ""},
		{"that's not right, take the orders that are paid only", chat.RefinedFigure, "q", "how many orders did we have in October 2026 (the orders that are paid)"},
		{"Look that up again for paid orders only", chat.RefinedFigure, "q", "how many orders did we have in October 2026 (for paid orders)"},
		{"No, count again without the refunded ones", chat.RefinedFigure, "q", "how many orders did we have in October 2026 (without the refunded)"},
		{"Can you look it up again in September 2026?", chat.RefinedFigure, "q", "how many orders did we have (in September 2026)"},
		{"Only count the paid ones", chat.RefinedFigure, "q", "how many orders did we have in October 2026 (the paid)"},
		{"Look that up again", chat.RefinedFigure, "q", "how many orders did we have in October 2026"},
		{"Das ist falsch, nimm nur bezahlte Bestellungen", chat.RefinedFigure, "q", "how many orders did we have in October 2026 (bezahlte Bestellungen)"},
		{"What was the number of orders again?", chat.RepeatedFigure, "q", ""},
		{"Wie war die Zahl der Orders nochmal?", chat.RepeatedFigure, "q", ""},
		{"What did the exploration of our data find?", chat.RepeatedFigure, "r", ""},
		{"What did the run find?", chat.RepeatedFigure, "r", ""},
		{"Was hat die Untersuchung unserer Daten ergeben?", chat.RepeatedFigure, "r", ""},
		{"Is it done yet?", chat.RepeatedFigure, "q", ""},
		{"Is the exploration done?", chat.RepeatedFigure, "r", ""},
		{"Ist die Auswertung schon fertig?", chat.RepeatedFigure, "r", ""},
	} {
		u := understandScreened(t, figureScene(x.said, runTold, ordersTold))
		if u.Figure == nil || u.Figure.Act != x.act || u.Figure.Task.ID != x.task {
			t.Errorf("%q: %+v, want %s of %s", x.said, u.Figure, x.act, x.task)
			continue
		}
		if len(u.Findings) > 0 {
			t.Errorf("%q is taken for an answer: %s", x.said, chattest.Brief(u.Findings))
		}
		asks := ""
		if len(u.Research) > 0 {
			asks = u.Research[0].Query
		}
		if asks != x.asks || len(u.Research) > 1 {
			t.Errorf("%q asks %q, want %q", x.said, asks, x.asks)
		}
	}
}

// What answers the question, or asks for something new, is about no figure that was told.
func TestNotAboutFigures(t *testing.T) {
	t.Parallel()

	for _, said := range []string{"We sell bikes and locks in Leeds", "We only sell bikes", "Our products are not the right ones for everybody", "How many customers do we have in our warehouse?", "Yes", "How far are we?",
		"Why do you ask?", "Wir verkaufen nur Fahrräder", "Please look up who makes ovens in Leeds", "We take only cash", "Explore our data, please", "We don't do that any more"} {
		if u := understandScreened(t, figureScene(said, runTold, ordersTold)); u.Figure != nil {
			t.Errorf("%q: %s of %s", said, u.Figure.Act, u.Figure.Task.ID)
		}
	}
	for _, said := range []string{"What did the exploration of our data find?", "Is it done yet?", "That's not right"} {
		if u := understandScreened(t, figureScene(said)); u.Figure != nil {
			t.Errorf("%q without any research: %+v", said, u.Figure)
		}
	}
}

// Asking what a run found, or whether it is done, orders nothing; nor does a second wish while one is under way.
func TestAskingAfterARunOrdersNothing(t *testing.T) {
	t.Parallel()

	running := runTold
	running.Status, running.Outcome, running.Summary, running.Told = research.Running, "", "", 0
	for _, past := range []research.TaskSummary{runTold, running} {
		for _, said := range []string{"What did the exploration of our data find?", "Is the exploration of our data done yet?", "Was hat die Untersuchung unserer Daten ergeben?"} {
			s := figureScene(said, past)
			p := chat.Decide(s, understandScreened(t, s))
			if len(p.Research.Orders) > 0 {
				t.Errorf("%q orders %+v", said, p.Research.Orders)
			}
			if text := replyOf(t, s, p); !strings.Contains(text, "18.4 %") && !strings.Contains(text, "still being looked up") {
				t.Errorf("%q is answered %q", said, text)
			}
		}
	}
	s := figureScene("Please explore our data for patterns", running)
	if p := chat.Decide(s, understandScreened(t, s)); len(p.Research.Orders) > 0 || len(p.Research.Refused) != 1 || p.Research.Refused[0].Why != research.Underway {
		t.Errorf("a second run: %+v", p.Research)
	}
}

func TestFiguresInReplies(t *testing.T) {
	t.Parallel()

	for _, x := range []struct{ said, want string }{
		{"No, that figure is wrong, we had 900 orders", "“No, that figure is wrong, we had 900 orders”. What I told you is what the query of your data gave: According to Bike shop"},
		{"What was the number of orders again?", "is 758"},
		{"That is not right, the refunds of locks have not risen", "rejected on its page"},
		{"Look that up again for paid orders only", "asking your data about “how many orders did we have in October 2026 (for paid orders)”"},
	} {
		s := figureScene(x.said, runTold, ordersTold)
		p := chat.Decide(s, understandScreened(t, s))
		if text := replyOf(t, s, p); !strings.Contains(text, x.want) || !strings.Contains(text, "What does your business do?") {
			t.Errorf("%q is answered %q, want %q and the question again", x.said, text, x.want)
		}
	}

	closed := figureScene("Look that up again for paid orders only", ordersTold)
	closed.Data = research.DataAccess{Why: &inquiry.Missing{Why: inquiry.NotForAsker, Name: "Bike shop"}}
	if text := replyOf(t, closed, chat.Decide(closed, understandScreened(t, closed))); !strings.Contains(text, "not open to questions") {
		t.Errorf("without access: %q", text)
	}
}

// The figure of the data takes the place of what the person said when they want that, and their own that of the data.
func TestFigureOfTheData(t *testing.T) {
	t.Parallel()

	task := ordersTold
	task.Key, task.Query, task.Proposed = "budget", "total budget of projects", json.RawMessage(`3100000`)
	for _, said := range []string{"No, our data says otherwise. Use the figure of the warehouse", "Nimm die Zahl aus den Daten"} {
		s := figureScene(said, task)
		chattest.Hold(s, "budget", `3500000`, 3)
		u := understandScreened(t, s)
		p := chat.Decide(s, u)
		o := obligations.Find(p.List, "budget")
		if u.Intent != chat.Correction || !obligations.SameValue(o.Value, task.Proposed) || o.Status != obligations.Satisfied {
			t.Errorf("%q: %s, the budget is %s, %s", said, u.Intent, o.Value, o.Status)
		}
		if text := replyOf(t, s, p); !strings.Contains(text, "3") {
			t.Errorf("%q is answered %q", said, text)
		}
	}

	s := figureScene("The budget figure of the warehouse is wrong", task)
	o := obligations.Find(s.Obligations, "budget")
	o.Value, o.Status, o.Confidence = task.Proposed, obligations.Partial, 50
	o.Evidence = []obligations.Evidence{{Kind: obligations.ResearchEvidence, Turn: 4, Source: "warehouse:Bike shop", Quote: task.Summary}}
	p := chat.Decide(s, understandScreened(t, s))
	if held := obligations.Find(p.List, "budget"); held.Value != nil && held.Status == obligations.Satisfied || p.Question == nil || p.Question.Key != "budget" || p.Question.Purpose != sessions.ToAsk {
		t.Errorf("after a rejection the budget is %s, %s, and %+v is asked", held.Value, held.Status, p.Question)
	}
}
