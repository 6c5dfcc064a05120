package model_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quaestor/chat"
	"quaestor/internal/llm"
	"quaestor/internal/llm/llmtest"
	"quaestor/obligations"
	"quaestor/sessions"
)

// gist is what matters of a finding.
type gist struct {
	Key   string
	Act   obligations.Act
	Value string
	Kind  obligations.EvidenceKind
	Quote string
	Flag  string
	Skip  obligations.SkipReason
}

func gists(list []obligations.Finding) []gist {
	var out []gist
	for _, f := range list {
		out = append(out, gist{f.Key, f.Act, string(f.Value), f.Evidence.Kind, f.Evidence.Quote, f.Evidence.Flag, f.Skip})
	}
	return out
}

func TestModelReadsEveryAct(t *testing.T) {
	t.Parallel()

	stated, accepted, inferred := obligations.Stated, obligations.Accepted, obligations.InferredEvidence
	cases := []struct {
		name    string
		message string
		prepare func(*chat.Scene)
		answer  doc
		want    []gist
	}{
		{"tell", "We are 12 and sell online.", nil,
			reading("answer", said("team_size", "tell", 12, "12"), said("channels", "tell", []string{"online"}, "sell online")),
			[]gist{{Key: "team_size", Act: "tell", Value: "12", Kind: stated, Quote: "12"}, {Key: "channels", Act: "tell", Value: `["online"]`, Kind: stated, Quote: "sell online"}}},
		{"correct", "No, actually there are 15 of us.", func(s *chat.Scene) { hold(s, "team_size", "12", obligations.Satisfied) },
			reading("correction", said("team_size", "correct", 15, "there are 15 of us")),
			[]gist{{Key: "team_size", Act: "correct", Value: "15", Kind: stated, Quote: "there are 15 of us"}}},
		{"deny and tell make one correction", "Not 12. 15.", func(s *chat.Scene) { hold(s, "team_size", "12", obligations.Satisfied) },
			reading("correction", said("team_size", "deny", nil, "Not 12"), said("team_size", "tell", 15, "15")),
			[]gist{{Key: "team_size", Act: "correct", Value: "15", Kind: stated, Quote: "15"}}},
		{"the last word counts", "12, no wait, 14", nil,
			reading("answer", said("team_size", "tell", 12, "12"), said("team_size", "tell", 14, "14")),
			[]gist{{Key: "team_size", Act: "tell", Value: "14", Kind: stated, Quote: "14"}}},
		{"deny", "That is wrong.", func(s *chat.Scene) { hold(s, "team_size", "12", obligations.Satisfied) },
			reading("disagree", said("team_size", "deny", nil, "That is wrong")),
			[]gist{{Key: "team_size", Act: "deny"}}},
		{"confirm a proposal", "Yes, that's right", proposeTeam,
			reading("agree", said("team_size", "confirm", nil, "Yes")),
			[]gist{{Key: "team_size", Act: "confirm", Value: "12", Kind: accepted, Quote: "Yes"}}},
		{"telling the proposal is assent", "Yes, 12", proposeTeam,
			reading("agree", said("team_size", "tell", 12, "Yes, 12")),
			[]gist{{Key: "team_size", Act: "confirm", Value: "12", Kind: accepted, Quote: "Yes, 12"}}},
		{"assent with another value", "Yes, or rather 13", proposeTeam,
			reading("agree", said("team_size", "confirm", 13, "rather 13")),
			[]gist{{Key: "team_size", Act: "correct", Value: "13", Kind: stated, Quote: "rather 13"}}},
		{"confirm what the person names", "The team size is still right.", func(s *chat.Scene) {
			hold(s, "team_size", "12", obligations.Partial)
			ask(s, "segment", sessions.ToAsk)
		},
			reading("answer", said("team_size", "confirm", nil, "The team size is still right")),
			[]gist{{Key: "team_size", Act: "confirm", Value: "12", Kind: stated, Quote: "The team size is still right", Flag: obligations.FlagDoubtful}}},
		{"unsure", "No idea", nil, reading("dont_know", said("team_size", "unsure", nil, "No idea")), []gist{{Key: "team_size", Act: "unsure"}}},
		{"defer", "Later please", nil, reading("later", said("team_size", "defer", nil, "Later")), []gist{{Key: "team_size", Act: "defer"}}},
		{"skip", "That does not apply", nil, reading("skip", said("team_size", "skip", nil, "does not apply", doc{"skip_reason": "not_applicable"})),
			[]gist{{Key: "team_size", Act: "skip", Skip: obligations.NotApplicable}}},
		{"skip without a reason", "I'd rather not", nil, reading("skip", said("team_size", "skip", nil, "rather not")), []gist{{Key: "team_size", Act: "skip", Skip: obligations.Declined}}},
		{"infer", "Restaurants only.", func(s *chat.Scene) { hold(s, "overview", `"Cheese for restaurants"`, obligations.Satisfied) },
			reading("answer", said("segment", "tell", "Restaurants", "", doc{"premises": []string{"overview", "overview", "nothing"}})),
			[]gist{{Key: "segment", Act: "tell", Value: `"Restaurants"`, Kind: inferred}}},
		{"a value from an older message", "Hm.", nil, reading("unclear", said("overview", "tell", "Handmade cheese", "handmade cheese")),
			[]gist{{Key: "overview", Act: "tell", Value: `"Handmade cheese"`, Kind: stated, Quote: "handmade cheese"}}},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()

			s := shopScene(tc.message)
			if tc.prepare != nil {
				tc.prepare(s)
			}

			u := understood(t, s, tc.answer)
			if diff := cmp.Diff(tc.want, gists(u.Findings)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			if string(u.Intent) != tc.answer["intent"] || u.Usage.Calls != 1 || u.Usage.PromptTokens == 0 {
				t.Errorf("Intent = %q, Usage = %+v, want %v and one call counted", u.Intent, u.Usage, tc.answer["intent"])
			}
		})
	}
}

func proposeTeam(s *chat.Scene) {
	hold(s, "team_size", "12", obligations.Partial)
	ask(s, "team_size", sessions.ToConfirm)
	s.Transcript[2].Content = "I understood twelve. Is it 12 people?"
}

func TestModelKeepsWhatEvidenceNeeds(t *testing.T) {
	t.Parallel()

	s := shopScene("Yes, I think so")
	proposeTeam(s)

	u := understood(t, s, reading("agree", said("team_size", "confirm", nil, "yes, i think", doc{"hedged": true, "confidence": 0.5})))
	if len(u.Findings) != 1 {
		t.Fatalf("findings = %+v, want one", u.Findings)
	}
	f := u.Findings[0]
	want := obligations.Evidence{Kind: obligations.Accepted, By: "u1", Message: "3-user", Quote: "Yes, I think", Span: &obligations.Span{Start: 0, End: 12},
		Proposal: &obligations.Proposal{Message: "2-assistant", Span: &obligations.Span{Start: 21, End: 37}, Value: json.RawMessage("12")}}
	if diff := cmp.Diff(want, f.Evidence); diff != "" {
		t.Errorf("evidence (-want +got):\n%s", diff)
	}
	if !f.Grade.Hedged || f.Grade.Model == nil || *f.Grade.Model != 50 {
		t.Errorf("grade = %+v, want hedged with the model's own 0.50", f.Grade)
	}
	if words, ok := f.Evidence.Proposal.Span.Slice(s.Transcript[2].Content); !ok || words != "Is it 12 people?" {
		t.Errorf("proposal span holds %q, want the question", words)
	}
}

func TestModelActsOnTheIntentAlone(t *testing.T) {
	t.Parallel()

	cases := []struct {
		intent  string
		prepare func(*chat.Scene)
		want    []gist
	}{
		{"skip", nil, []gist{{Key: "team_size", Act: "skip", Skip: obligations.Declined}}},
		{"later", nil, []gist{{Key: "team_size", Act: "defer"}}},
		{"dont_know", nil, []gist{{Key: "team_size", Act: "unsure"}}},
		{"agree", proposeTeam, []gist{{Key: "team_size", Act: "confirm", Value: "12", Kind: obligations.Accepted, Quote: "so it is"}}},
		{"disagree", proposeTeam, []gist{{Key: "team_size", Act: "deny", Value: "12"}}},
		{"agree", nil, nil},
		{"small_talk", nil, nil},
	}
	for _, tc := range cases {
		t.Run(tc.intent, func(t *testing.T) {
			t.Parallel()

			s := shopScene("so it is")
			if tc.prepare != nil {
				tc.prepare(s)
			}
			if diff := cmp.Diff(tc.want, gists(understood(t, s, reading(tc.intent)).Findings)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestModelTakesEitherSideOfAConflict(t *testing.T) {
	t.Parallel()

	cases := []struct {
		name, message, quote string
		value                int
		want                 gist
	}{
		{"pointed at", "the second one", "the second one", 15, gist{Key: "team_size", Act: "correct", Value: "15", Kind: obligations.Accepted, Quote: "the second one"}},
		{"named", "it is 15 people", "15 people", 15, gist{Key: "team_size", Act: "correct", Value: "15", Kind: obligations.Stated, Quote: "15 people"}},
		{"the one held", "the first", "the first", 12, gist{Key: "team_size", Act: "confirm", Value: "12", Kind: obligations.Accepted, Quote: "the first"}},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()

			s := shopScene(tc.message)
			hold(s, "team_size", "12", obligations.Partial)
			ask(s, "team_size", sessions.ToResolve)
			s.Asked.Values = []json.RawMessage{json.RawMessage("12"), json.RawMessage("15")}

			u := understood(t, s, reading("answer", said("team_size", "tell", tc.value, tc.quote)))
			if diff := cmp.Diff([]gist{tc.want}, gists(u.Findings)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestModelRefusesWithARemedy(t *testing.T) {
	t.Parallel()

	cases := []struct {
		name  string
		key   string
		asked string
		value any
		want  []chat.InvalidAnswer
	}{
		{"out of bounds", "team_size", "team_size", 900, []chat.InvalidAnswer{{Key: "team_size", Text: "about so", Remedy: "It should be a figure from 1 to 500."}}},
		{"not a number", "team_size", "team_size", "many", []chat.InvalidAnswer{{Key: "team_size", Text: "about so", Remedy: "It should be a figure from 1 to 500."}}},
		{"no choice", "pricing", "pricing", "by mood", []chat.InvalidAnswer{{Key: "pricing", Text: "about so", Remedy: "Please pick what's closest: Costs plus a margin or In line with competitors."}}},
		{"no date", "opening", "opening", "03/04/2026", []chat.InvalidAnswer{{Key: "opening", Text: "about so", Remedy: "A day, a month or a year is enough, such as 31 March 2027 or March 2027."}}},
		{"in passing", "pricing", "team_size", "by mood", nil},
		{"nothing given", "team_size", "team_size", nil, nil},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()

			s := shopScene("about so")
			ask(s, tc.asked, sessions.ToAsk)

			u := understood(t, s, reading("answer", said(tc.key, "tell", tc.value, "about so")))
			if diff := cmp.Diff(tc.want, u.Refused); diff != "" || len(u.Findings) > 0 {
				t.Errorf("Refused (-want +got):\n%s\nfindings = %+v, want none", diff, u.Findings)
			}
		})
	}
}

func TestModelTakesWidgetsAsTyped(t *testing.T) {
	t.Parallel()

	s := shopScene("Here you are, and we might be 13")
	s.Answers = map[string]json.RawMessage{"team_size": json.RawMessage("12"), "pricing": json.RawMessage(`"no such"`), "stranger": json.RawMessage("1")}

	u := understood(t, s, reading("answer", said("team_size", "tell", 13, "13")))
	if diff := cmp.Diff([]gist{{Key: "team_size", Act: "tell", Value: "12", Kind: obligations.WidgetInput}}, gists(u.Findings)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	if len(u.Refused) != 1 || u.Refused[0].Key != "pricing" {
		t.Errorf("Refused = %+v, want pricing's alone", u.Refused)
	}
}

func TestModelNotesRequestsAndSignals(t *testing.T) {
	t.Parallel()

	s := shopScene("Please look up what others pay. We are 4. Keep it short.")
	answer := reading("research", said("team_size", "tell", 4, "We are 4"))
	answer["research"] = []doc{{"key": "pricing", "query": "cheese prices"}, {"key": "nowhere", "query": "rents\x00\u200b nearby"}, {"key": nil, "query": " "}, {"key": "overview", "query": "fourth"}}
	answer["topic"] = "prices of others"
	answer["follow_ups"] = []doc{{"key": "segment", "reason": "named no group", "priority": 99}, {"key": "nowhere", "reason": "x", "priority": 1}}
	answer["relationships"] = []doc{{"from": "pricing", "to": "segment", "type": "depends on", "confidence": 7}, {"from": "pricing", "to": "pricing", "type": "x", "confidence": 1}}
	answer["preferences"] = []doc{{"name": "brevity", "value": "true"}, {"name": "", "value": "x"}}
	answer["style"] = "casual"

	u := understood(t, s, answer)
	if diff := cmp.Diff([]chat.ResearchRequest{{Key: "pricing", Query: "cheese prices"}, {Query: "rents nearby"}}, u.Research); diff != "" {
		t.Errorf("Research (-want +got):\n%s", diff)
	}
	want := sessions.Signals{Topic: "prices of others", Done: []string{"team_size"}, Style: sessions.Casual, Preferences: map[string]string{"brevity": "true"},
		FollowUps:     []sessions.FollowUp{{Key: "segment", Reason: "named no group", Priority: 10}},
		Relationships: []sessions.Relation{{From: "pricing", To: "segment", Type: "depends on", Confidence: 1}}}
	if diff := cmp.Diff(want, u.Signals); diff != "" {
		t.Errorf("Signals (-want +got):\n%s", diff)
	}

	bare := understood(t, shopScene("Can you find that out?"), reading("research"))
	if diff := cmp.Diff([]chat.ResearchRequest{{Key: "team_size", Query: "Can you find that out?"}}, bare.Research); diff != "" {
		t.Errorf("Research of a bare request (-want +got):\n%s", diff)
	}
}

func TestModelFailuresKeepTheirClass(t *testing.T) {
	t.Parallel()

	sound := reading("answer")
	cases := []struct {
		name  string
		reply llmtest.Reply
		want  llm.Class
	}{
		{"wrong types", llmtest.Reply{JSON: sound, Fault: llmtest.WrongTypes}, llm.BadJSON},
		{"wrong keys", llmtest.Reply{JSON: sound, Fault: llmtest.WrongKeys}, llm.BadJSON},
		{"prose", llmtest.Reply{Text: "I cannot."}, llm.BadJSON},
		{"unknown intent", llmtest.Reply{JSON: reading("opened")}, llm.BadJSON},
		{"unknown act", llmtest.Reply{JSON: reading("answer", said("team_size", "reopen", nil, "x"))}, llm.BadJSON},
		{"empty", llmtest.Reply{Fault: llmtest.EmptyChoices}, llm.Empty},
		{"refusal", llmtest.Reply{Fault: llmtest.Refusal}, llm.Refused},
		{"429", llmtest.Status(429, time.Hour), llm.Limited},
		{"500", llmtest.Status(500, 0), llm.Upstream},
		{"half an answer", llmtest.Reply{JSON: sound, Fault: llmtest.CleanCloseMidStream}, llm.Truncated},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()

			m, srv := modelSetup(t)
			srv.OnUnderstand(tc.reply)

			u, err := m.Understand(bounded(t), shopScene("12"))
			var e *llm.Error
			if !errors.As(err, &e) || e.Class != tc.want {
				t.Fatalf("Understand = %v, want an *llm.Error of class %s", err, tc.want)
			}
			if len(u.Findings) > 0 || strings.Contains(err.Error(), "cheese") {
				t.Errorf("findings = %+v with %q, want none and nothing of the talk", u.Findings, err)
			}
		})
	}
}

func TestModelReadsAWrappedAnswer(t *testing.T) {
	t.Parallel()

	for _, fault := range []llmtest.Fault{llmtest.ThinkBlock, llmtest.Prose, llmtest.Fenced, llmtest.TwoObjects} {
		t.Run(string(fault), func(t *testing.T) {
			t.Parallel()

			m, srv := modelSetup(t)
			srv.OnUnderstand(llmtest.Reply{JSON: reading("answer", said("team_size", "tell", "12", "12")), Fault: fault})

			u, err := m.Understand(bounded(t), shopScene("12"))
			if err != nil || len(u.Findings) != 1 || string(u.Findings[0].Value) != "12" {
				t.Errorf("Understand = %+v, %v, want the 12", u.Findings, err)
			}
		})
	}
}
