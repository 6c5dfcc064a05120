package rules

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"quaestor/chat"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// today is a Wednesday.
var today = time.Date(2026, 8, 12, 10, 0, 0, 0, time.UTC)

// rawJSON is a value as it comes over the wire.
type rawJSON = json.RawMessage

func f64(v float64) *float64 { return &v }

// templates are a small objective with every widget.
func templates() []obligations.Template {
	return []obligations.Template{
		{Key: "business", Label: "Business", Prompt: "What does your business do?", Widget: obligations.Text, Priority: 10, Category: "Business",
			Cues: []string{"our business is", "we are a", "we run a"}, Why: "It helps to choose the right questions.", Examples: []string{"A bakery with two shops", "Software for dentists"}},
		{Key: "target_market", Label: "Target market", Prompt: "Who is your target market?", Widget: obligations.Text, Priority: 9, Category: "Business",
			Dependencies: []string{"business"}, Cues: []string{"we sell to", "customers are", "aimed at"}},
		{Key: "company_size", Label: "Company size", Prompt: "How large is your company?", Widget: obligations.ChoiceOne, Priority: 8, Category: "Business", Cues: []string{"company is"},
			Choices: []obligations.Choice{
				{Value: "small_business", Label: "Small business", Synonyms: []string{"SMB", "small firm", "startup"}},
				{Value: "mid_market", Label: "Mid-market", Synonyms: []string{"medium-sized", "midsize company"}},
				{Value: "enterprise", Label: "Enterprise", Synonyms: []string{"corporation", "large company"}}}},
		{Key: "channels", Label: "Sales channels", Prompt: "Where do you sell?", Widget: obligations.MultiSelect, Priority: 7, Category: "Sales", AllowOther: true, Cues: []string{"sell through", "channels"},
			Choices: []obligations.Choice{{Value: "shop", Label: "Own shop", Synonyms: []string{"store", "in store"}}, {Value: "web", Label: "Online", Synonyms: []string{"website", "web shop"}},
				{Value: "email", Label: "E-mail"}, {Value: "partners", Label: "Partners", Synonyms: []string{"resellers"}}}},
		{Key: "team_size", Label: "Team size", Prompt: "How many people work for you?", Widget: obligations.Number, Unit: "people", Integer: true, Min: f64(0), Max: f64(100000), Priority: 7, Category: "Business", Cues: []string{"staff", "employees", "team of", "people working"}},
		{Key: "budget", Label: "Budget", Prompt: "What is your budget?", Widget: obligations.Number, Unit: "money", Min: f64(0), Priority: 8, Category: "Project", Cues: []string{"budget", "spend"}},
		{Key: "runway", Label: "Runway", Prompt: "How long will your money last?", Widget: obligations.Number, Unit: "months", Min: f64(0), Max: f64(600), Priority: 5, Category: "Project", Cues: []string{"runway"}},
		{Key: "launch", Label: "Launch", Prompt: "When do you want to launch?", Widget: obligations.Date, Priority: 8, Category: "Project", Cues: []string{"launch", "deadline", "go live"}},
		{Key: "founded", Label: "Founded", Prompt: "When was the business founded?", Widget: obligations.Date, Priority: 3, Category: "Business", Cues: []string{"founded", "started in"}},
		{Key: "competitors", Label: "Competitors", Prompt: "Do you have competitors?", Widget: obligations.Text, Priority: 6, Category: "Business", Cues: []string{"competitors are", "compete with"}, ExpertiseRequired: "market"},
		{Key: "online", Label: "Sells online", Prompt: "Do you sell online?", Widget: obligations.ChoiceOne, Priority: 4, Category: "Sales",
			Choices: []obligations.Choice{{Value: "yes", Label: "Yes"}, {Value: "no", Label: "No"}}},
		{Key: "growth", Label: "Growth", Prompt: "By how much did sales grow?", Widget: obligations.Number, Unit: "percent", Priority: 4, Category: "Sales", Cues: []string{"growth", "grew"}},
	}
}

// sceneOf is a scene in which key was asked and message is the answer. An empty
// key asks nothing.
func sceneOf(key, message string) *chat.Scene {
	d := &objectives.Definition{ContextType: "test", Obligations: templates(), Greeting: "Hello. I would like to learn about your business."}
	return sceneIn(d, key, message)
}

func sceneIn(d *objectives.Definition, key, message string) *chat.Scene {
	s := &chat.Scene{Turn: 5, Now: today, Person: "u1", Objective: d, Message: message}
	for i, t := range d.Obligations {
		s.Obligations = append(s.Obligations, obligations.Obligation{Template: &t, Status: obligations.Pending, Position: i, Unlocked: true})
	}
	if o := obligations.Find(s.Obligations, key); o != nil {
		s.Asked = ask(o, sessions.ToAsk)
		s.Transcript = []sessions.Message{{Turn: 4, Role: sessions.FromAssistant, Content: "Thank you. " + o.Prompt}}
	}
	return s
}

func ask(o *obligations.Obligation, purpose sessions.Purpose) *sessions.Question {
	q := &sessions.Question{Purpose: purpose, Key: o.Key, Label: o.Name(), Prompt: o.Prompt, Widget: o.Widget, Choices: o.Choices, Other: o.AllowOther, Unit: o.Unit, Attempt: 1}
	if purpose == sessions.ToConfirm {
		q.Proposal = o.Value
	}
	return q
}

// hold gives an obligation a value said in that turn.
func hold(s *chat.Scene, key, value string, turn int) {
	o := obligations.Find(s.Obligations, key)
	g := obligations.Grade{Kind: obligations.Stated}
	o.Value, o.Status, o.Confidence, o.SatisfiedTurn = json.RawMessage(value), obligations.Satisfied, 92, turn
	o.Evidence = []obligations.Evidence{{Kind: obligations.Stated, Turn: turn, Quote: "x", Grade: &g, Span: &obligations.Span{End: 1}}}
}

func understand(t testing.TB, s *chat.Scene) chat.Understanding {
	t.Helper()
	u, err := New(hearing()).Understand(context.Background(), s)
	if err != nil {
		t.Fatalf("Understand(%q) fails: %v", s.Message, err)
	}
	checkSound(t, s, u)
	return u
}

// checkSound verifies what must hold of any understanding.
func checkSound(t testing.TB, s *chat.Scene, u chat.Understanding) {
	t.Helper()
	for _, f := range u.Findings {
		o := obligations.Find(s.Obligations, f.Key)
		if o == nil {
			t.Fatalf("%q: a finding about %q, which does not exist", s.Message, f.Key)
		}
		if f.Value != nil && o.Check(f.Value) != nil {
			t.Errorf("%q: value %s of %s does not pass: %v", s.Message, f.Value, f.Key, o.Check(f.Value))
		}
		if f.Evidence.Span == nil {
			continue
		}
		if got, ok := f.Evidence.Span.Slice(s.Message); !ok || got != f.Evidence.Quote {
			t.Errorf("%q: span %v gives %q, want the quote %q", s.Message, *f.Evidence.Span, got, f.Evidence.Quote)
		}
	}
}

// brief words findings as "key=value" with marks: ~ hedged, ? vague, + loose,
// ! corrected, and the act for those without a value.
func brief(list []obligations.Finding) string {
	var out []string
	for _, f := range list {
		s := f.Key + "=" + string(f.Value)
		switch f.Act {
		case obligations.Tell:
		case obligations.Correct:
			s += "!"
		case obligations.Confirm:
			s += " confirmed"
		default:
			s = f.Key + " " + string(f.Act)
			if f.Skip != "" {
				s += ":" + string(f.Skip)
			}
		}
		for _, m := range []struct {
			is   bool
			sign string
		}{{f.Grade.Hedged, "~"}, {f.Grade.Vague, "?"}, {f.Grade.Loose, "+"}} {
			if m.is {
				s += m.sign
			}
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}
