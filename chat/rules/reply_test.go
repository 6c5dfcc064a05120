package rules

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"quaestor/chat"
	"quaestor/chat/chattest"
	"quaestor/chat/field"
	"quaestor/internal/language/messages"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
)

// planOf decides a turn in which message answers what s asks, and asks for next
// after it.
func planOf(t testing.TB, s *chat.Scene, next string) *chat.Plan {
	t.Helper()
	u := understand(t, s)
	p := &chat.Plan{Understanding: u, Changes: obligations.Apply(s.Obligations, u.Findings, s.Turn), Phase: sessions.Exploration, PhaseBefore: sessions.Exploration}
	p.List = obligations.Merge(s.Obligations, p.Changes)
	p.Completeness = s.Objective.Completion.Score(p.List)
	p.Research = research.Due(dueOf(p))
	if o := obligations.Find(p.List, next); o != nil {
		p.Question = chattest.Ask(o, sessions.ToAsk)
	}
	return p
}

// dueOf is what a plan says of research to order.
func dueOf(p *chat.Plan) research.TurnFindings {
	turn := research.TurnFindings{List: p.List, Changes: p.Changes}
	for _, f := range p.Understanding.Findings {
		if f.Act == obligations.Unsure {
			turn.Unsure = append(turn.Unsure, f.Key)
		}
	}
	for _, w := range p.Understanding.Research {
		turn.Requests = append(turn.Requests, research.Request(w))
	}
	return turn
}

func reply(t testing.TB, s *chat.Scene, p *chat.Plan) string {
	t.Helper()
	var b strings.Builder
	if _, err := New(chattest.Listener()).Reply(context.Background(), s, p, func(text string) error { b.WriteString(text); return nil }); err != nil {
		t.Fatalf("Reply fails: %v", err)
	}
	return b.String()
}

// checkReply verifies what every reply keeps to.
func checkReply(t testing.TB, p *chat.Plan, text string) {
	t.Helper()
	marks := 0
	if p.Question != nil && p.Ends == "" {
		marks = max(1, len(p.Question.Fields))
	}
	if strings.Count(text, "?") > marks {
		t.Errorf("more than %d question marks in %q", marks, text)
	}
	if strings.ContainsAny(text, "!") || strings.TrimSpace(text) == "" || strings.Contains(text, "%!") || strings.Contains(text, "  ") {
		t.Errorf("the reply %q is empty, loud or malformed", text)
	}
	if q := p.Question; q != nil && p.Ends == "" && q.Purpose == sessions.ToAsk && !strings.HasSuffix(text, q.Prompt) && !strings.Contains(text, q.Prompt+" For example: ") {
		t.Errorf("the reply %q does not end with the question %q", text, q.Prompt)
	}
}

func TestReplies(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 1)

	tests := []struct {
		asked, message, next string
		want                 []string
	}{
		{"target_market", "small clinics, budget is 20k", "launch", []string{"budget: 20,000"}},
		{"team_size", "12", "launch", []string{"12 people, then."}},
		{"budget", "about $20k", "launch", []string{"About $20,000, then."}},
		{"launch", "next March", "budget", []string{"March 2027, then."}},
		{"channels", "online and e-mail", "budget", []string{"Online and E-mail, then."}},
		{"business", "stuff", "business", []string{"more detail"}},
		{"launch", "03/04/2027", "launch", []string{"3 April 2027, then.", "you meant 4 March 2027"}},
		{"business", "why?", "business", []string{"It helps to choose the right questions."}},
		{"budget", "why?", "budget", []string{"part of the whole picture"}},
		{"business", "for example?", "business", []string{"“A bakery with two shops”"}},
		{"company_size", "what are my options?", "company_size", []string{"- Small business\n- Mid-market\n- Enterprise"}},
		{"business", "repeat that", "business", []string{"again"}},
		{"business", "how far are we", "business", []string{"only just begun", "About eight more minutes; still to come: business"}},
		{"business", "what have you got so far", "business", []string{"nothing noted"}},
		{"competitors", "look it up", "budget", []string{"“Competitors”", "meanwhile, let's go on"}},
		{"budget", "skip", "launch", []string{"leave it out"}},
		{"budget", "n/a", "launch", []string{"doesn't apply"}},
		{"budget", "later", "launch", []string{"come back to it"}},
		{"competitors", "no idea", "budget", []string{"looked up"}},
		{"budget", "no idea", "launch", []string{"don't have to know"}},
		{"business", "thanks", "business", []string{"You're welcome."}},
		{"business", "hello", "business", []string{"Hello."}},
		{"business", "tell me a joke", "business", []string{"can't quite follow"}},
		{"business", "asdfgh", "business", []string{"another way"}},
		{"business", "are you a robot?", "business", []string{"a program"}},
	}
	for _, test := range tests {
		s := chattest.Scene(test.asked, test.message)
		p := planOf(m, s, test.next)
		got := reply(m, s, p)
		checkReply(t, p, got)
		for _, want := range test.want {
			if !strings.Contains(got, want) {
				m.Errorf("asked %s, %q is answered %q, want %q in it", test.asked, test.message, got, want)
			}
		}
	}
}

// What was said for another length of time than was asked is said to be worked out.
func TestReplyToRates(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 1)

	for _, test := range []struct{ key, in, want string }{
		{"annual_revenue", "about 800 euros a month", "About 9,600 euros, then. I worked that out from “800 euros a month” for a whole year, so it's only rough."},
		{"annual_revenue", "about 9600 euros a year", "About 9,600 euros, then."},
		{"time_available", "20 hours a month", "for a whole week"},
		{"annual_revenue", "800 last month", "I need that as a figure for a whole year; a rough one is fine."},
	} {
		s := chattest.SceneIn(chattest.Shipped(m, "business_profile"), test.key, test.in)
		if got := reply(m, s, planOf(m, s, "industry")); !strings.Contains(got, test.want) {
			m.Errorf("asked %s, %q is answered %q, want %q in it", test.key, test.in, got, test.want)
		}
	}
}

func TestReplyToCorrection(t *testing.T) {
	t.Parallel()

	s := chattest.Scene("business", "change the budget to 30k")
	chattest.Hold(s, "budget", "20000", 2)
	p := planOf(t, s, "business")
	if got := reply(t, s, p); !strings.Contains(got, "budget: 30,000, not 20,000.") {
		t.Errorf("a correction is answered %q", got)
	}
	s = chattest.Scene("business", "the budget is wrong")
	chattest.Hold(s, "budget", "20000", 2)
	if got := reply(t, s, planOf(t, s, "budget")); !strings.Contains(got, "“20,000” is out again") {
		t.Errorf("a denial is answered %q", got)
	}
}

func TestReplyPurposes(t *testing.T) {
	t.Parallel()

	setup := func(purpose sessions.Purpose) (*chat.Scene, *chat.Plan, *sessions.Question) {
		s := chattest.Scene("business", "We bake bread")
		chattest.Hold(s, "team_size", "20", 2)
		p := planOf(t, s, "team_size")
		p.Question.Purpose = purpose
		return s, p, p.Question
	}

	s, p, q := setup(sessions.ToConfirm)
	q.Proposal = json.RawMessage("20")
	got := reply(t, s, p)
	checkReply(t, p, got)
	if !strings.HasSuffix(got, "One thing to check – team size: 20 people. Is that right?") {
		t.Errorf("to confirm: %q", got)
	}
	q.Prompt = "I have 20 for the team. Right?"
	if got := reply(t, s, p); !strings.HasSuffix(got, q.Prompt) {
		t.Errorf("to confirm, worded by others: %q", got)
	}

	s, p, q = setup(sessions.ToResolve)
	q.Values = []json.RawMessage{json.RawMessage("20"), json.RawMessage("12")}
	got = reply(t, s, p)
	checkReply(t, p, got)
	if !strings.HasSuffix(got, "I have two answers here – team size: 20 people and 12 people. Which one is right?") {
		t.Errorf("to resolve: %q", got)
	}

	s.Asked, p.Changes, p.Understanding = q, nil, chat.Understanding{Intent: chat.Unclear}
	if got = reply(t, s, p); !strings.HasPrefix(got, "Sorry, I can't tell from that which of the two it is. I have two answers") {
		t.Errorf("to resolve, after a yes: %q", got)
	}
	p.Question = chattest.Ask(obligations.Find(s.Obligations, "launch"), sessions.ToAsk)
	if got = reply(t, s, p); !strings.Contains(got, "so I'll leave it open for now.") {
		t.Errorf("asked something else after a yes to two values: %q", got)
	}

	s, p, _ = setup(sessions.ToFinish)
	p.Question = &sessions.Question{Purpose: sessions.ToFinish, Prompt: "Shall I close it here?"}
	got = reply(t, s, p)
	checkReply(t, p, got)
	for _, want := range []string{"- **Team size**: 20 people", "- **Business**: We bake bread", "Still open: ", "Shall I close it here?"} {
		if !strings.Contains(got, want) {
			t.Errorf("to finish: %q, want %q in it", got, want)
		}
	}

	s, p, _ = setup(sessions.ToForm)
	p.Question = &sessions.Question{Purpose: sessions.ToForm, Prompt: "A few short ones together."}
	for _, key := range []string{"company_size", "budget", "launch"} {
		p.Question.Fields = append(p.Question.Fields, *chattest.Ask(obligations.Find(s.Obligations, key), sessions.ToAsk))
	}
	got = reply(t, s, p)
	checkReply(t, p, got)
	if !strings.Contains(got, "- How large is your company?\n- What is your budget?\n- When do you want to launch?") {
		t.Errorf("to form: %q", got)
	}
}

func TestReplyOpensAndEnds(t *testing.T) {
	t.Parallel()

	s := chattest.Scene("", "")
	p := &chat.Plan{Understanding: chat.Understanding{Intent: chat.Opened}, List: s.Obligations, Question: chattest.Ask(&s.Obligations[0], sessions.ToAsk), Phase: sessions.Opening, PhaseBefore: sessions.Opening}
	if got, want := reply(t, s, p), "Hello. I would like to learn about your business. We will go through business, sales and project.\n\nWhat does your business do?"; got != want {
		t.Errorf("opening %q, want %q", got, want)
	}
	p.Returning = true
	if got := reply(t, s, p); !strings.HasPrefix(got, "Welcome back.") && !strings.HasPrefix(got, "Good to have you back.") {
		t.Errorf("returning %q", got)
	}
	for _, end := range []sessions.StopReason{sessions.EndCompleted, sessions.EndLeft, sessions.EndRefused, sessions.EndHandedOver, sessions.EndBudget, sessions.EndError} {
		p := &chat.Plan{List: s.Obligations, Ends: end, Understanding: chat.Understanding{Intent: chat.Leave}}
		got := reply(t, s, p)
		checkReply(t, p, got)
		leaves := end == sessions.EndLeft || end == sessions.EndRefused // who leaves is not told what they owe
		if strings.Contains(got, "Still open: ") == leaves {
			t.Errorf("ending as %s: %q", end, got)
		}
	}
	p = &chat.Plan{List: s.Obligations, Question: chattest.Ask(&s.Obligations[0], sessions.ToAsk)}
	if got := reply(t, s, p); !strings.HasPrefix(got, messages.In("en").Text("noted.bare", nil)) {
		t.Errorf("with nothing understood yet: %q", got)
	}
}

func TestReplyEntersPhaseOnce(t *testing.T) {
	t.Parallel()

	s := chattest.Scene("team_size", "12")
	s.Objective.Phases.Validation.Entry = "Let us check what I noted."
	p := planOf(t, s, "budget")
	p.PhaseBefore, p.Phase = sessions.Exploration, sessions.Validation
	if got := reply(t, s, p); strings.Count(got, "Let us check what I noted.") != 1 {
		t.Errorf("entering a phase: %q", got)
	}
	p.PhaseBefore = sessions.Closing
	if got := reply(t, s, p); strings.Contains(got, "Let us check") {
		t.Errorf("stepping back is announced: %q", got)
	}
}

func TestReplyStops(t *testing.T) {
	t.Parallel()

	s := chattest.Scene("team_size", "12")
	p := planOf(t, s, "budget")
	stop := errors.New("stop")
	if _, err := New(chattest.Listener()).Reply(context.Background(), s, p, func(string) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("Reply gives %v, want the error of say", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := New(chattest.Listener()).Reply(ctx, s, p, func(string) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("Reply gives %v, want the end of its context", err)
	}
}

func TestUnclearEscalates(t *testing.T) {
	t.Parallel()

	seen := map[string]bool{}
	for attempt := 2; attempt <= 3; attempt++ {
		s := chattest.Scene("business", "asdfgh")
		p := planOf(t, s, "business")
		o := obligations.Find(p.List, "business")
		o.Attempts = attempt - 1
		p.Question.Attempt = attempt
		p.Question.Complete(obligations.TemplateOf(p.List))
		got := reply(t, s, p)
		checkReply(t, p, got)
		seen[got] = true
		if attempt == 3 && (!strings.Contains(got, "For example") || saysOneOf("en", "may-defer", got)) {
			t.Errorf("the last attempt has no example, or offers a way out to who did not hesitate: %q", got)
		}
	}
	if len(seen) != 2 {
		t.Errorf("re-asks do not escalate: %v", seen)
	}
}

// "The sprayed is no", "the tried so far is x": a name is no part of a sentence.
func TestNamesStandBeforeAColon(t *testing.T) {
	t.Parallel()

	for label, want := range map[string]string{"The idea": "the idea: x", "Sprayed?": "sprayed: x", "Tried so far": "tried so far: x", "VAT number": "VAT number: x"} {
		if got := (&writer{l: messages.In("en")}).noteOf(&obligations.Obligation{Template: &obligations.Template{Key: "x", Label: label}}, "x"); got != want {
			t.Errorf("noteOf(%q) = %q, want %q", label, got, want)
		}
	}
}

// "That is everything I need. Still open: …" contradicted itself, and "Names and contact
// details and Health information" was one thing or two.
func TestEndsAndListsArePlain(t *testing.T) {
	t.Parallel()

	d := chattest.Shipped(t, "project_discovery")
	s := chattest.SceneIn(d, "data_kinds", "")
	o := obligations.Find(s.Obligations, "data_kinds")
	if got := field.InEnglish(o.Template, []byte(`["contact_details","health"]`)); got != "Names and contact details; Health information" {
		t.Errorf("shows %q", got)
	}
	if got := field.InEnglish(o.Template, []byte(`["health","children"]`)); got != "Health information and Information about children" {
		t.Errorf("shows %q", got)
	}
	p := &chat.Plan{Ends: sessions.EndCompleted, List: s.Obligations, Understanding: chat.Understanding{Intent: chat.Agree}}
	if got := reply(t, s, p); !strings.Contains(got, "Still open") || strings.Contains(got, "everything") || strings.Contains(got, "completes it") {
		t.Errorf("says %q", got)
	}
}

// How far an interview is, is said as people say it, and not counted.
func TestProgressIsSaidInWords(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		c    obligations.Completeness
		want string
	}{
		{obligations.Completeness{Total: 21}, "We've only just begun."},
		{obligations.Completeness{Total: 21, Satisfied: 10, Progress: 0.5}, "We're about halfway through."},
		{obligations.Completeness{Total: 4, Satisfied: 4, Progress: 1}, "We're through with everything."},
	} {
		w := newWriter(&chat.Scene{}, &chat.Plan{Completeness: tt.c})
		w.progress()
		if got := strings.Join(w.pieces, ""); got != tt.want {
			t.Errorf("progress() = %q, want %q", got, tt.want)
		}
	}
}

// "Then let's keep to what matters most. Sorry, I can't quite follow you there." is two answers
// to one remark.
func TestHurryIsAnsweredOnce(t *testing.T) {
	t.Parallel()

	for _, intent := range []chat.Intent{chat.SmallTalk, chat.OffTopic} {
		s := chattest.Scene("business", "Another form. I have two minutes.")
		p := &chat.Plan{List: s.Obligations, Question: chattest.Ask(&s.Obligations[0], sessions.ToAsk), Digression: true,
			Understanding: chat.Understanding{Intent: intent, Signals: sessions.Signals{Course: sessions.Course{Hurry: 5}}}}
		if got := reply(t, s, p); !strings.HasSuffix(got, "three short questions. "+p.Question.Prompt) {
			t.Errorf("%s: %q", intent, got)
		}
	}
}

// Nobody hears the same words again and again.
func TestWordingsTakeTurns(t *testing.T) {
	t.Parallel()

	s := chattest.Scene("business", "hm")
	seen := map[string]bool{}
	for turn := range 4 {
		w := newWriter(s, &chat.Plan{List: s.Obligations})
		said := w.worded("noted.bare", nil)
		if seen[said] {
			t.Errorf("turn %d says %q again", turn, said)
		}
		seen[said] = true
		s.Transcript = append(s.Transcript, sessions.Message{Turn: turn, Role: sessions.FromAssistant, Content: said + " And now?"})
	}
}

// What may be two days is read back, and not known before that is agreed to.
func TestAmbiguousDatesAreReadBack(t *testing.T) {
	t.Parallel()

	for in, other := range map[string]string{"05/06": "6 May 2027", "the 3rd": "3 October 2026", "next Friday": "14 August 2026", "by 4/5/27": "5 April 2027", "Wednesday": "12 August 2026"} {
		s := chattest.SceneIn(chattest.Shipped(t, "project_discovery"), "timeline", in)
		u := understand(t, s)
		if len(u.Findings) != 1 || u.Findings[0].Grade.Fit == nil || *u.Findings[0].Grade.Fit > 60 {
			t.Errorf("Understand(%q) finds %s for sure", in, chattest.Brief(u.Findings))
			continue
		}
		if said := reply(t, s, planOf(t, s, "budget")); !strings.Contains(said, "you meant "+other) {
			t.Errorf("%q is answered %q, want %s as well", in, said, other)
		}
	}
}

// What is read back is only "that" while the person has just said it: a yes must not be given to
// other words.
func TestOnlyWhatWasJustSaidIsNotQuoted(t *testing.T) {
	t.Parallel()

	for turn, want := range map[int]string{5: "what your business does", 4: "everything we ever wanted"} {
		s := chattest.Scene("business", "hm")
		o := obligations.Find(s.Obligations, "business")
		chattest.Hold(s, "business", `"everything we ever wanted has to go through the head office eventually"`, turn)
		s.Asked = chattest.Ask(o, sessions.ToConfirm)
		w := newWriter(s, &chat.Plan{List: s.Obligations})
		if got := w.confirmation(s.Asked); !strings.Contains(got, want) || strings.Contains(got, "…") == (turn == s.Turn) {
			t.Errorf("said in turn %d of %d, it asks %q, want %q in it", turn, s.Turn, got, want)
		}
	}
}
