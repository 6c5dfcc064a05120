package chattest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"quaestor/chat"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// Today is a Wednesday.
var Today = time.Date(2026, 8, 12, 10, 0, 0, 0, time.UTC)

// Float returns a pointer to v.
func Float(v float64) *float64 { return &v }

// Templates are a small objective with every widget.
func Templates() []obligations.Template {
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
		{Key: "team_size", Label: "Team size", Prompt: "How many people work for you?", Widget: obligations.Number, Unit: "people", Integer: true, Min: Float(0), Max: Float(100000), Priority: 7, Category: "Business", Cues: []string{"staff", "employees", "team of", "people working"}},
		{Key: "budget", Label: "Budget", Prompt: "What is your budget?", Widget: obligations.Number, Unit: "money", Min: Float(0), Priority: 8, Category: "Project", Cues: []string{"budget", "spend"}},
		{Key: "runway", Label: "Runway", Prompt: "How long will your money last?", Widget: obligations.Number, Unit: "months", Min: Float(0), Max: Float(600), Priority: 5, Category: "Project", Cues: []string{"runway"}},
		{Key: "launch", Label: "Launch", Prompt: "When do you want to launch?", Widget: obligations.Date, Priority: 8, Category: "Project", Cues: []string{"launch", "deadline", "go live"}},
		{Key: "founded", Label: "Founded", Prompt: "When was the business founded?", Widget: obligations.Date, Priority: 3, Category: "Business", Cues: []string{"founded", "started in"}},
		{Key: "competitors", Label: "Competitors", Prompt: "Do you have competitors?", Widget: obligations.Text, Priority: 6, Category: "Business", Cues: []string{"competitors are", "compete with"}, ExpertiseRequired: "market"},
		{Key: "online", Label: "Sells online", Prompt: "Do you sell online?", Widget: obligations.ChoiceOne, Priority: 4, Category: "Sales",
			Choices: []obligations.Choice{{Value: "yes", Label: "Yes"}, {Value: "no", Label: "No"}}},
		{Key: "growth", Label: "Growth", Prompt: "By how much did sales grow?", Widget: obligations.Number, Unit: "percent", Priority: 4, Category: "Sales", Cues: []string{"growth", "grew"}},
	}
}

// Scene is a scene in which key was asked and message is the answer. An empty
// key asks nothing.
func Scene(key, message string) *chat.Scene {
	d := &objectives.Definition{ContextType: "test", Obligations: Templates(), Greeting: "Hello. I would like to learn about your business."}
	return SceneIn(d, key, message)
}

// SceneIn is [Scene] in an interview by d.
func SceneIn(d *objectives.Definition, key, message string) *chat.Scene {
	s := &chat.Scene{Turn: 5, Now: Today, Person: "u1", Objective: d, Message: message}
	for i, t := range d.Obligations {
		s.Obligations = append(s.Obligations, obligations.Obligation{Template: &t, Status: obligations.Pending, Position: i, Unlocked: true})
	}
	if o := obligations.Find(s.Obligations, key); o != nil {
		s.Asked = Ask(o, sessions.ToAsk)
		s.Transcript = []sessions.Message{{Turn: 4, Role: sessions.FromAssistant, Content: "Thank you. " + o.Prompt}}
	}
	return s
}

// Ask is the first question for o, with that purpose.
func Ask(o *obligations.Obligation, purpose sessions.Purpose) *sessions.Question {
	q := &sessions.Question{Purpose: purpose, Key: o.Key, Label: o.Name(), Prompt: o.Prompt, Widget: o.Widget, Choices: o.Choices, Other: o.AllowOther, Unit: o.Unit, Attempt: 1}
	if purpose == sessions.ToConfirm {
		q.Proposal = o.Value
	}
	return q
}

// Hold gives an obligation a value said in that turn.
func Hold(s *chat.Scene, key, value string, turn int) {
	o := obligations.Find(s.Obligations, key)
	g := obligations.Grade{Kind: obligations.Stated}
	o.Value, o.Status, o.Confidence, o.SatisfiedTurn = json.RawMessage(value), obligations.Satisfied, 92, turn
	o.Evidence = []obligations.Evidence{{Kind: obligations.Stated, Turn: turn, Quote: "x", Grade: &g, Span: &obligations.Span{End: 1}}}
}

// CheckSound verifies what must hold of any understanding.
func CheckSound(t testing.TB, s *chat.Scene, u chat.Understanding) {
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

// Brief words findings as "key=value" with marks: ~ hedged, ? vague, + loose,
// ! corrected, and the act for those without a value.
func Brief(list []obligations.Finding) string {
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

// Bakery is an objective in German with every widget.
func Bakery() *objectives.Definition {
	return &objectives.Definition{ContextType: "backstube", DisplayName: "Backstube", Obligations: []obligations.Template{
		{Key: "vorhaben", Label: "Vorhaben", Prompt: "Was möchten Sie mit Ihrer Bäckerei erreichen?", Widget: obligations.Text, Priority: 10, Category: "Vorhaben", Examples: []string{"Eine zweite Filiale", "Weniger Reste am Abend"}},
		{Key: "budget", Label: "Budget", Prompt: "Wie hoch ist Ihr Budget für das Vorhaben?", Widget: obligations.Number, Unit: "money", Min: Float(0), Priority: 9, Category: "Vorhaben"},
		{Key: "start", Label: "Beginn", Prompt: "Wann soll das Vorhaben beginnen?", Widget: obligations.Date, Priority: 8, Category: "Vorhaben"},
		{Key: "leute", Label: "Mitarbeitende", Prompt: "Wie viele Menschen arbeiten in der Bäckerei?", Widget: obligations.Number, Unit: "people", Integer: true, Min: Float(0), Max: Float(500), Priority: 8, Category: "Betrieb"},
		{Key: "lage", Label: "Lage", Prompt: "Wo liegt die Bäckerei?", Widget: obligations.ChoiceOne, Priority: 7, Category: "Betrieb",
			Choices: []obligations.Choice{{Value: "stadt", Label: "In der Stadt"}, {Value: "land", Label: "Auf dem Land"}, {Value: "rand", Label: "Am Stadtrand"}}},
		{Key: "wege", Label: "Verkaufswege", Prompt: "Über welche Wege verkaufen Sie?", Widget: obligations.MultiSelect, Priority: 6, AllowOther: true, Category: "Betrieb",
			Choices: []obligations.Choice{{Value: "laden", Label: "Laden"}, {Value: "markt", Label: "Wochenmarkt"}, {Value: "netz", Label: "Internet"}}},
		{Key: "stunden", Label: "Zeit in der Backstube", Prompt: "Wie viele Stunden pro Woche stehen Sie in der Backstube?", Widget: obligations.Number, Unit: "hours", Min: Float(0), Max: Float(100), Priority: 5, Category: "Betrieb"},
	}}
}

// Shipped returns the shipped objective of a context type.
func Shipped(t testing.TB, contextType string) *objectives.Definition {
	t.Helper()
	all := objectives.Shipped()
	for i := range all {
		if all[i].ContextType == contextType {
			return &all[i]
		}
	}
	t.Fatalf("there is no shipped objective %s", contextType)
	return nil
}

// Researching gives a scene tasks of research, which run since the turn before unless they say otherwise.
func Researching(s *chat.Scene, list ...research.TaskSummary) {
	for i, f := range list {
		if f.ID == "" {
			f.ID = fmt.Sprint("t", i+1)
		}
		if f.Status == "" {
			f.Status = research.Running
		}
		if f.Turn == 0 {
			f.Turn = s.Turn - 1
		}
		s.Research = append(s.Research, f)
	}
}

// Trade is a small objective whose first question anything may answer.
func Trade() *objectives.Definition {
	industry := obligations.Template{Key: "industry", Label: "Industry", Prompt: "What industry is your business in?", Widget: obligations.Text, Priority: 10, Category: "Business"}
	return &objectives.Definition{ContextType: "test", Obligations: append([]obligations.Template{industry}, Templates()...)}
}
