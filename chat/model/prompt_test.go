package model_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"quaestor/chat"
	"quaestor/chat/model"
	"quaestor/internal/llm/llmtest"
	"quaestor/obligations"
	"quaestor/sessions"
)

var updatePrompts = flag.Bool("update-prompts", false, "rewrite testdata/prompts")

// promptTurn is a turn as the prompts see it.
type promptTurn struct {
	name    string
	scene   func() *chat.Scene
	reading doc // nil: the interviewer opens
}

func TestPromptsOfEachPhase(t *testing.T) {
	t.Parallel()

	turns := []promptTurn{
		{"opening", openingScene, nil},
		{"exploration", explorationScene, reading("answer", said("team_size", "tell", 12, "about a dozen", doc{"hedged": true}), said("channels", "tell", []string{"online"}, "online"))},
		{"validation", validationScene, reading("correction", said("team_size", "correct", 15, "15 by now"))},
		{"closing", closingScene, reading("agree")},
		{"why", func() *chat.Scene { return shopScene("Why do you want to know?") }, reading("why")},
		{"refused", func() *chat.Scene { return shopScene("900 people") }, reading("answer", said("team_size", "tell", 900, "900 people"))},
	}
	for _, turn := range turns {
		t.Run(turn.name, func(t *testing.T) {
			t.Parallel()

			golden(t, turn.name, prompted(t, turn))
		})
	}
}

// prompted plays the turn and returns what the model was sent, as text.
func prompted(t *testing.T, turn promptTurn) string {
	t.Helper()
	m, srv := modelSetup(t)
	s := turn.scene()
	u := chat.Understanding{Intent: chat.Opened}
	if turn.reading != nil {
		srv.OnUnderstand(llmtest.Reply{JSON: turn.reading})
		var err error
		if u, err = m.Understand(bounded(t), s); err != nil {
			t.Fatalf("Understand: %v", err)
		}
	}
	if _, err := m.Reply(bounded(t), s, chat.Decide(s, chat.Screen(s, u, nil)), func(string) error { return nil }); err != nil {
		t.Fatalf("Reply: %v", err)
	}
	var b strings.Builder
	for _, r := range srv.Requests() {
		fmt.Fprintf(&b, "#### request %d, format %q, at most %d tokens\n\n", r.Number, r.SchemaName, r.MaxTokens)
		for _, msg := range r.Messages {
			fmt.Fprintf(&b, "## %s\n%s\n\n", msg.Role, msg.Content)
		}
	}
	return b.String()
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", "prompts", name+".txt")
	if *updatePrompts {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("prompts of %s differ; rewrite with -update-prompts if that is meant (-want +got):\n%s", name, diff)
	}
}

func openingScene() *chat.Scene {
	s := shopScene("")
	s.Turn, s.Session.Phase, s.Transcript, s.Asked = 1, sessions.Opening, nil, nil
	return s
}

func explorationScene() *chat.Scene {
	s := shopScene("Maybe about a dozen. Most of it goes online.")
	s.Session.Phase = sessions.Opening
	hold(s, "overview", `"Handmade cheese for restaurants"`, obligations.Satisfied)
	s.Memory = sessions.Memory{RecentTopics: []string{"overview"}, Style: sessions.Formal,
		FollowUps: []sessions.FollowUp{{Key: "segment", Reason: "restaurants were named, not which", Priority: 7}}}
	return s
}

func validationScene() *chat.Scene {
	s := explorationScene()
	s.Message, s.Session.Phase = "No, we are 15 by now.", sessions.Exploration
	for key, v := range map[string]string{"channels": `["online","market"]`, "pricing": `"cost_plus"`, "segment": `"Restaurants in town"`} {
		hold(s, key, v, obligations.Satisfied)
	}
	proposeTeam(s)
	return s
}

func closingScene() *chat.Scene {
	s := validationScene()
	s.Message, s.Session.Phase, s.Summary = "Yes, that is all.", sessions.Closing, "The shop was described in the first turns."
	hold(s, "team_size", `{"min":12,"max":15}`, obligations.Satisfied)
	hold(s, "opening", `"2021-05"`, obligations.Satisfied)
	s.Asked = &sessions.Question{Purpose: sessions.ToFinish, Prompt: "Shall I close it here?", Attempt: 1}
	return s
}

// The reply is told to do what the plan says, whatever the plan is.
func TestReplyIsToldWhatToDo(t *testing.T) {
	t.Parallel()

	two := []json.RawMessage{json.RawMessage("12"), json.RawMessage("15")}
	cases := []struct {
		name   string
		change func(*chat.Scene, *chat.Plan)
		want   []string
	}{
		{"understanding late", func(_ *chat.Scene, p *chat.Plan) { p.Understanding.Intent = "" }, []string{"still being worked out"}},
		{"help", func(_ *chat.Scene, p *chat.Plan) { p.Understanding.Intent = chat.AskHelp }, []string{"wants help", `"examples":["Four","Between 10 and 12"]`}},
		{"progress", func(_ *chat.Scene, p *chat.Plan) {
			p.Understanding.Intent = chat.AskProgress
			p.Completeness = obligations.Completeness{Progress: 0.424, OpenKeys: []string{"pricing"}}
		}, []string{"how far along", `"progress":"42 %"`, `"open":["Pricing"]`}},
		{"memory", func(s *chat.Scene, p *chat.Plan) {
			hold(s, "segment", `"Hotels"`, obligations.Partial)
			p.Understanding.Intent, p.List = chat.AskMemory, s.Obligations
		}, []string{"asks what is known", `{"label":"Customers","value":"Hotels","doubtful":true}`}},
		{"research", func(_ *chat.Scene, p *chat.Plan) {
			p.Understanding.Intent = chat.AskResearch
			p.Understanding.Research = []chat.ResearchRequest{{Key: "pricing", Query: "x"}, {Query: "rents"}}
		}, []string{"looked up", `"research":["Pricing","rents"]`}},
		{"conflict", func(_ *chat.Scene, p *chat.Plan) {
			p.Conflict = &obligations.Conflict{Keys: []string{"team_size"}, Sides: []obligations.Side{{Key: "team_size", Value: two[0]}, {Key: "team_size", Value: two[1]}}}
			p.Question = &sessions.Question{Purpose: sessions.ToResolve, Key: "team_size", Label: "Team size", Prompt: "?", Values: two}
		}, []string{"do not fit together", `"says":["Team size: 12 people","Team size: 15 people"]`, "asking which of plan.question.values"}},
		{"phase", func(_ *chat.Scene, p *chat.Plan) { p.PhaseBefore, p.Phase = sessions.Opening, sessions.Exploration }, []string{"say plan.entry", `"entry":"Now piece by piece."`}},
		{"left", func(_ *chat.Scene, p *chat.Plan) {
			p.Understanding.Intent, p.Question, p.Ends = chat.Leave, nil, sessions.EndLeft
			p.Completeness.OpenKeys = []string{"opening"}
		}, []string{"The conversation ends here", `"ends":"left"`, `"open":["Opening date"]`, "gone on with"}},
		{"completed", func(_ *chat.Scene, p *chat.Plan) { p.Question, p.Ends = nil, sessions.EndCompleted }, []string{"Sum up plan.known", `"ends":"completed"`}},
		{"returning", func(_ *chat.Scene, p *chat.Plan) { p.Returning = true }, []string{"comes back after a pause"}},
		{"spoken", func(s *chat.Scene, _ *chat.Plan) { s.Voice = true }, []string{"The reply is spoken"}},
		{"brief", func(s *chat.Scene, _ *chat.Plan) { s.Memory.Preferences = map[string]string{"brevity": "true"} }, []string{"wants it brief"}},
		{"brief at once", func(_ *chat.Scene, p *chat.Plan) {
			p.Understanding.Signals.Preferences = map[string]string{chat.Brevity: "true"}
		}, []string{"wants it brief"}},
		{"casual", func(s *chat.Scene, _ *chat.Plan) { s.Memory.Style = sessions.Casual }, []string{"writes casually"}},
		{"examples", func(s *chat.Scene, _ *chat.Plan) {
			s.Memory.Preferences = map[string]string{chat.PrefersExamples: "yes"}
		}, []string{"likes examples"}},
		{"plain words", func(s *chat.Scene, _ *chat.Plan) {
			s.Memory.Preferences = map[string]string{chat.TechnicalDepth: "low"}
		}, []string{"no technical terms"}},
		{"technical", func(s *chat.Scene, _ *chat.Plan) {
			s.Memory.Preferences = map[string]string{chat.TechnicalDepth: "high"}
		}, []string{"need no explaining"}},
		{"what is remembered", func(s *chat.Scene, p *chat.Plan) {
			p.Understanding.Intent, p.List = chat.AskMemory, s.Obligations
			s.Memory = sessions.Memory{Style: sessions.Formal, Relationships: []sessions.Relation{{From: s.Obligations[0].Key, To: s.Obligations[1].Key, Type: "limits", Confidence: 0.9}}}
		}, []string{`"remembered":["I keep it formal, as you like it.","I take it that`, `"what_bears_on_what":[{`, "changed or forgotten"}},
		{"asked again", func(s *chat.Scene, p *chat.Plan) {
			p.Question = &sessions.Question{Purpose: sessions.ToAsk, Key: "segment", Prompt: "Who?", Attempt: 2, Examples: []string{"Hotels"}}
		}, []string{"asked before", `"examples":["Hotels"]`, `"strategy":"Ask about the last three customers."`}},
		{"what happened", func(s *chat.Scene, p *chat.Plan) { p.Changes = oneChangeOfEach(s) },
			[]string{`{"label":"What the shop does","what":"taken back","was":"Cheese"}`, `{"label":"Team size","what":"changed","was":"12 people","now":"15 people"}`,
				`{"label":"Pricing","what":"skipped"}`, `{"label":"Sales channels","what":"confirmed","now":"Online"}`, `{"label":"Opening date","what":"put off"}],"question"`}},
		{"form", func(_ *chat.Scene, p *chat.Plan) {
			p.Question = &sessions.Question{Purpose: sessions.ToForm, Prompt: "A few.", Fields: []sessions.Question{{Key: "pricing", Prompt: "How?"}}}
		}, []string{"sees a form", `"fields":[{`}},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()

			m, srv := modelSetup(t)
			s := shopScene("hm")
			p := chat.Decide(s, chat.Understanding{Intent: chat.Answer})
			tc.change(s, p)

			if _, err := m.Reply(bounded(t), s, p, func(string) error { return nil }); err != nil {
				t.Fatalf("Reply: %v", err)
			}
			r := srv.Requests()[0]
			sent := r.System() + r.Messages[1].Content
			for _, want := range tc.want {
				if !strings.Contains(sent, want) {
					t.Errorf("the prompt lacks %q:\n%s", want, sent)
				}
			}
		})
	}
}

// oneChangeOfEach is a turn in which everything happened at once; customers only
// became ready to be asked, which nobody needs to hear.
func oneChangeOfEach(s *chat.Scene) []obligations.Change {
	hold(s, "overview", `"Cheese"`, obligations.Satisfied)
	hold(s, "team_size", "12", obligations.Satisfied)
	hold(s, "channels", `["online"]`, obligations.Partial)
	out := make([]obligations.Change, len(s.Obligations))
	for i, o := range s.Obligations {
		out[i] = obligations.Change{Before: o, After: o}
	}
	out[0].After.Value, out[0].After.Status = nil, obligations.InProgress
	out[1].After.Value = json.RawMessage("15")
	out[2].After.Status, out[2].After.SkipReason = obligations.Skipped, obligations.Declined
	out[3].After.Evidence = append(slices.Clone(out[3].After.Evidence), obligations.Evidence{Kind: obligations.Accepted})
	out[4].After.Status = obligations.Deferred
	out[5].After.Unlocked = true
	return out
}

func TestMessageThatWasNotTyped(t *testing.T) {
	t.Parallel()

	for name, answers := range map[string]map[string]json.RawMessage{"says nothing yet": nil, "filled in the form": {"team_size": json.RawMessage("12")}} {
		m, srv := modelSetup(t)
		s := shopScene("")
		s.Answers = answers
		if _, err := m.Reply(bounded(t), s, chat.Decide(s, chat.Understanding{Intent: chat.Answer}), func(string) error { return nil }); err != nil {
			t.Fatalf("Reply: %v", err)
		}
		if got := srv.Requests()[0].LastUser(); !strings.Contains(got, name) {
			t.Errorf("the stand-in is %q, want words with %q", got, name)
		}
	}
}

// A thousand turns, messages of 64 KiB and 300 obligations make a prompt no
// larger than its budgets; only what the person says now is sent whole.
func TestPromptsAreBounded(t *testing.T) {
	t.Parallel()

	const maxPromptBytes = 96 << 10 // without the message
	m, srv := modelSetup(t)
	srv.OnUnderstand(llmtest.Reply{JSON: reading("answer")})
	s := endlessScene()

	u, err := m.Understand(bounded(t), s)
	if err != nil {
		t.Fatalf("Understand: %v", err)
	}
	if _, err := m.Reply(bounded(t), s, chat.Decide(s, u), func(string) error { return nil }); err != nil {
		t.Fatalf("Reply: %v", err)
	}
	for _, r := range srv.Requests() {
		size := 0
		for _, msg := range r.Messages[:len(r.Messages)-1] {
			size += len(msg.Content)
			if !utf8.ValidString(msg.Content) {
				t.Error("the prompt is not UTF-8")
			}
		}
		if size > maxPromptBytes || r.LastUser() != s.Message {
			t.Errorf("request %d has %d bytes besides the message, want at most %d and the message whole", r.Number, size, maxPromptBytes)
		}
	}
	data := srv.Requests()[0].Messages[1].Content
	if !strings.Contains(data, "40 of 300") || strings.Count(data, `"from":`) != 40 || !strings.Contains(data, `"turn":1000`) {
		t.Errorf("the data does not hold 40 of 300 obligations and the latest 40 messages:\n%.400s", data)
	}
}

// What the summary covers is not told twice, and of what it does not cover the
// older messages are cut shorter.
func TestPromptHoldsWhatIsNotFolded(t *testing.T) {
	t.Parallel()

	s := shopScene("We sell bread.")
	s.Turn, s.Folded, s.Summary, s.Transcript = 33, 20, "Turns 1 to 20: bread.", nil
	for turn := 12; turn < 33; turn++ {
		text := fmt.Sprintf("Message of turn %d. %s", turn, strings.Repeat("x", 700))
		s.Transcript = append(s.Transcript, sessions.Message{Turn: turn, Role: sessions.FromUser, Content: text}, sessions.Message{Turn: turn, Role: sessions.FromAssistant, Content: text})
	}
	m, srv := modelSetup(t)
	srv.OnUnderstand(llmtest.Reply{JSON: reading("answer")})
	if _, err := m.Understand(bounded(t), s); err != nil {
		t.Fatal(err)
	}

	data := srv.Requests()[0].Messages[1].Content
	for part, want := range map[string]int{"Turns 1 to 20: bread.": 1, "of turn 20.": 0, "of turn 21.": 2, "of turn 32.": 2, strings.Repeat("x", 500): 16, strings.Repeat("x", 100): 16*5 + 8} {
		if got := strings.Count(data, part); got != want {
			t.Errorf("the data holds %.30q %d times, want %d", part, got, want)
		}
	}
}

func endlessScene() *chat.Scene {
	long := strings.Repeat("größer <b>& ", 64<<10/14)
	s := shopScene(long)
	s.Turn, s.Summary, s.Transcript = 1001, long, nil
	for turn := 1; turn <= 1000; turn++ {
		s.Transcript = append(s.Transcript, sessions.Message{Turn: turn, Role: sessions.FromUser, Content: long}, sessions.Message{Turn: turn, Role: sessions.FromAssistant, Content: long})
	}
	s.Objective.Obligations = manyTemplates(300)
	s.Obligations = obligations.Fresh(s.Objective.Obligations, obligations.Origin{})
	for i := range s.Obligations {
		s.Obligations[i].Value, _ = json.Marshal(long[:12000])
		s.Obligations[i].Status = obligations.Partial
		s.Obligations[i].Evidence = []obligations.Evidence{{Kind: obligations.Stated}}
		s.Memory.FollowUps = append(s.Memory.FollowUps, sessions.FollowUp{Key: s.Obligations[i].Key, Reason: long})
	}
	s.Asked = &sessions.Question{Purpose: sessions.ToConfirm, Key: "key_7", Label: "Key", Prompt: long, Proposal: s.Obligations[7].Value, Why: long}
	return s
}

func manyTemplates(n int) []obligations.Template {
	out := make([]obligations.Template, n)
	for i := range out {
		out[i] = obligations.Template{Key: fmt.Sprintf("key_%d", i), Label: fmt.Sprintf("Thing %d", i), Prompt: strings.Repeat("What is it? ", 100), Widget: obligations.Text, Priority: 1 + i%10}
	}
	return out
}

func TestLargeObjectivesAreNarrowedToTheTurn(t *testing.T) {
	t.Parallel()

	s := shopScene("Our suppliers are farmers nearby, and thing 5 is done.")
	templates := manyTemplates(200)
	templates[150].Label, templates[150].Key = "Suppliers", "suppliers"
	templates[160].Cues = []string{"nearby"}
	templates[170].Category, templates[199].Category = "Near", "Near"
	templates[180].Dependencies = []string{"key_199"}
	for i := range templates {
		if i != 150 && i != 199 {
			templates[i].Priority = 1
		}
	}
	s.Obligations = obligations.Fresh(templates, obligations.Origin{})
	s.Conflicts = []obligations.Conflict{{Keys: []string{"key_190"}}}
	s.Memory.FollowUps = []sessions.FollowUp{{Key: "key_195"}}
	ask(s, "key_199", sessions.ToAsk)
	m, srv := modelSetup(t)
	answer := reading("answer", said("suppliers", "tell", "farmers", "farmers"), said("key_140", "tell", "x", "farmers"))
	srv.OnUnderstand(llmtest.Reply{JSON: answer})

	u, err := m.Understand(bounded(t), s)
	if err != nil {
		t.Fatalf("Understand: %v", err)
	}
	data := srv.Requests()[0].Messages[1].Content
	for _, key := range []string{"key_199", "suppliers", "key_160", "key_170", "key_180", "key_190", "key_195"} {
		if !strings.Contains(data, `{"key":"`+key+`"`) {
			t.Errorf("%s is not among the obligations shown", key)
		}
	}
	if n := strings.Count(data, `"ask":`); n != 40 {
		t.Errorf("%d obligations are shown, want 40", n)
	}
	if got := gists(u.Findings); len(got) != 1 || got[0].Key != "suppliers" {
		t.Errorf("findings = %+v, want only the one the model was shown", got)
	}
}

// The schema and the code name the same intents, acts, reasons and styles.
func TestSchemaNamesWhatTheCodeKnows(t *testing.T) {
	t.Parallel()

	m, srv := modelSetup(t)
	srv.OnUnderstand(llmtest.Reply{JSON: reading("answer")})
	if _, err := m.Understand(bounded(t), shopScene("x")); err != nil {
		t.Fatalf("Understand: %v", err)
	}
	r := srv.Requests()[0]
	if r.ResponseFormat != "json_schema" || !strings.Contains(string(r.Body), `"strict":false`) {
		t.Errorf("format = %q, want a schema that lets fields be left out", r.ResponseFormat)
	}
	intents := []chat.Intent{chat.Answer, chat.Agree, chat.Disagree, chat.Correction, chat.SkipThis, chat.Later, chat.DontKnow, chat.AskWhy, chat.AskHelp, chat.AskRepeat,
		chat.AskResearch, chat.AskProgress, chat.AskMemory, chat.SmallTalk, chat.OffTopic, chat.Leave, chat.Finish, chat.Unclear}
	acts := []obligations.Act{obligations.Tell, obligations.Correct, obligations.Deny, obligations.Confirm, obligations.Unsure, obligations.Defer, obligations.Skip}
	for _, list := range []any{intents, acts, []obligations.SkipReason{obligations.NotApplicable, obligations.NoPreference, obligations.Declined}, []sessions.Style{sessions.Formal, sessions.Casual}} {
		want, err := json.Marshal(list)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(r.Schema), string(want)) {
			t.Errorf("the schema lacks the enumeration %s", want)
		}
	}
	closed(t, "", r.Schema)
}

// closed checks that each object of a schema has no other properties than those named.
func closed(t *testing.T, at string, raw json.RawMessage) {
	t.Helper()
	var node struct {
		Type       any                        `json:"type"`
		Properties map[string]json.RawMessage `json:"properties"`
		More       *bool                      `json:"additionalProperties"`
		Items      json.RawMessage            `json:"items"`
		AnyOf      []json.RawMessage          `json:"anyOf"`
	}
	if err := json.Unmarshal(raw, &node); err != nil {
		t.Fatalf("%s: %v", at, err)
	}
	if node.Type == "object" && (node.More == nil || *node.More) {
		t.Errorf("object at %q is not closed", at)
	}
	for name, p := range node.Properties {
		closed(t, at+"/"+name, p)
	}
	for _, sub := range append(node.AnyOf, node.Items) {
		if sub != nil {
			closed(t, at+"/…", sub)
		}
	}
}

func TestPromptFilesNameTheirVersion(t *testing.T) {
	t.Parallel()

	files, err := filepath.Glob("prompts/*.tmpl")
	if err != nil || len(files) == 0 {
		t.Fatalf("Glob = %v, %v, want the prompt files", files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf("{{- /* version %d:", model.PromptVersion); !strings.HasPrefix(string(text), want) {
			t.Errorf("%s does not begin with %q", file, want)
		}
	}
}
