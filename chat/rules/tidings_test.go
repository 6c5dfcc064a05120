package rules

import (
	"encoding/json"
	"strings"
	"testing"

	"quaestor/chat"
	"quaestor/chat/chattest"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
)

// said has the plan of a message worded.
func said(t testing.TB, s *chat.Scene, change func(*chat.Plan)) string {
	t.Helper()
	p := planOf(t, s, "launch")
	change(p)
	text := reply(t, s, p)
	checkReply(t, p, text)
	return text
}

func TestNewsIsTold(t *testing.T) {
	t.Parallel()

	found := research.TaskSummary{ID: "a", Key: "competitors", Status: research.Completed, Outcome: research.Found, Summary: "“Three chains share the trade” (bakers.example.org). Is it so? *Buy now!*"}
	for _, tt := range []struct {
		name string
		news research.TaskSummary
		want []string
	}{
		{"found", found, []string{"“Competitors”", "“Three chains share the trade” (bakers.example.org).", "Is it so Buy now."}},
		{"nothing", research.TaskSummary{Query: "who makes ovens?", Status: research.Completed, Outcome: research.NoEvidence, Summary: "I read two sources."}, []string{"“who makes ovens”", "rely on"}},
		{"contradicting", research.TaskSummary{Key: "growth", Status: research.Completed, Outcome: research.Contradicting, Summary: "The sources differ. Up 3 % (a.example). Down 2 % (b.example)."}, []string{"“Growth”", "agree", "Up 3 % (a.example). Down 2 % (b.example)."}},
		{"failed", research.TaskSummary{Key: "growth", Status: research.Failed}, []string{"“Growth”", "still"}},
	} {
		for turn := range 6 {
			s := chattest.Scene("team_size", "12")
			s.Turn = turn + 2
			text := said(t, s, func(p *chat.Plan) { p.News = []research.TaskSummary{tt.news} })

			for _, want := range append(tt.want, "12 people, then") {
				if !strings.Contains(text, want) {
					if want == "agree" && strings.Contains(text, "disagree") {
						continue
					}
					t.Errorf("%s, turn %d: %q lacks %q", tt.name, s.Turn, text, want)
				}
			}
			if strings.Index(text, tt.want[0]) > strings.Index(text, "12 people") {
				t.Errorf("%s: the news does not come first in %q", tt.name, text)
			}
		}
	}

	s := chattest.Scene("team_size", "12")
	s.Memory.Preferences = map[string]string{chat.Brevity: "true"}
	found.Summary = strings.Repeat("very long ", 100)
	if text := said(t, s, func(p *chat.Plan) { p.News = []research.TaskSummary{found} }); len(text) > 500 {
		t.Errorf("who likes it short is told %d characters", len(text))
	}
}

func TestWishesAreAnsweredHonestly(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name  string
		scene func(*chat.Scene)
		why   research.DeclineReason
		want  string
	}{
		{"ordered", func(*chat.Scene) {}, "", "looked up; meanwhile|research list; meanwhile"},
		{"nothing to look in", func(s *chat.Scene) { s.Sourceless = true }, "", "nothing connected here that I could look “Competitors” up in"},
		{"under way", func(*chat.Scene) {}, research.Underway, "looking up “Competitors” already|looked up already"},
		{"no source knows", func(*chat.Scene) {}, research.Unknowable, "Nobody but you can know that"},
		{"too much at once", func(*chat.Scene) {}, research.TurnFull, "more than I can have looked up at once"},
		{"too many open", func(*chat.Scene) {}, research.TooMany, "Five things are being looked up already"},
		{"used up", func(*chat.Scene) {}, research.UsedUp, "used up all its research"},
		{"known", func(s *chat.Scene) {
			s.Research = research.History{{ID: "old", Key: "competitors", Status: research.Completed, Outcome: research.Found, Summary: "Two rivals (a.example).", Told: 2}}
		}, research.Known, "Two rivals (a.example)."},
	} {
		s := chattest.Scene("competitors", "Can you look that up?")
		tt.scene(s)
		text := said(t, s, func(p *chat.Plan) {
			if tt.why != "" {
				p.Research = research.Agenda{Refused: []research.DeclinedRequest{{Request: research.Request(p.Understanding.Research[0]), Why: tt.why, Had: "old"}}}
			}
		})

		ok := false
		for _, want := range strings.Split(tt.want, "|") {
			ok = ok || strings.Contains(text, want)
		}
		if !ok {
			t.Errorf("%s: %q, want %q", tt.name, text, tt.want)
		}
	}
}

func TestSteeringIsConfirmed(t *testing.T) {
	t.Parallel()

	rivals := research.TaskSummary{ID: "t", Key: "competitors"}
	for _, tt := range []struct {
		st   chat.SteeredTask
		want string
	}{
		{chat.SteeredTask{Task: rivals, Text: "Look at Germany only"}, "I'll look at Germany only."},
		{chat.SteeredTask{Task: rivals, Text: "only newer than 2023"}, "“Competitors”: “only newer than 2023”."},
		{chat.SteeredTask{Task: rivals, Text: "focus on B2B!? *now*"}, "I'll focus on B2B now."},
		{chat.SteeredTask{Task: rivals, Cancel: true}, "“Competitors”"},
	} {
		text := said(t, chattest.Scene("team_size", "12"), func(p *chat.Plan) { p.Steered = []chat.SteeredTask{tt.st} })
		if !strings.Contains(text, tt.want) {
			t.Errorf("%+v: %q, want %q", tt.st, text, tt.want)
		}
	}
	s := chattest.Scene("team_size", "12")
	s.Memory.Style = sessions.Formal
	if text := said(t, s, func(p *chat.Plan) { p.Steered = []chat.SteeredTask{{Task: rivals, Text: "look at Germany only"}} }); !strings.Contains(text, "I will look at Germany only.") {
		t.Errorf("formally: %q", text)
	}
}

// A conflict of a person's word with what research read names where it was read.
func TestConflictWithResearchNamesItsSource(t *testing.T) {
	t.Parallel()

	s := chattest.Scene("launch", "March 2027")
	chattest.Hold(s, "growth", `5`, 2)
	c := obligations.Conflict{Kind: obligations.AgainstResearch, Keys: []string{"growth"}, Sides: []obligations.Side{
		{Key: "growth", Value: json.RawMessage(`5`), Evidence: []obligations.Evidence{{Kind: obligations.Stated}}, Kept: true},
		{Key: "growth", Value: json.RawMessage(`9`), Evidence: []obligations.Evidence{{Kind: obligations.ResearchEvidence, Source: "https://www.bakers.example.org/2026", Quote: "grew by 9 %"}}}}}

	text := said(t, s, func(p *chat.Plan) {
		p.Conflict, p.Question = &c, chattest.Ask(obligations.Find(p.List, "growth"), sessions.ToResolve)
		p.Question.Values = c.Values("growth")
	})

	if want := "I have two answers on “Growth”: you told me 5%; on bakers.example.org I read 9%. Which one is right?"; !strings.HasSuffix(text, want) {
		t.Errorf("%q, want it to end with %q", text, want)
	}
}

// Who asks what came of research is told how it stands, open and ended.
func TestResearchIsAskedAfter(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 3)

	past := []research.TaskSummary{
		{ID: "a", Key: "competitors", Status: research.Completed, Outcome: research.Found, Summary: "Three chains share the trade (bakers.example.org).", Told: 3},
		{ID: "b", Query: "who makes ovens", Status: research.Running},
		{ID: "c", Query: "rents in Leeds", Status: research.Cancelled},
	}
	for _, in := range []string{"what became of your research?", "What did you find?", "any news on that research?", "Have you found anything yet?", "What is the status of the research?", "How is the research going?"} {
		s := chattest.SceneIn(chattest.Trade(), "industry", in)
		chattest.Researching(s, past...)
		u := understand(m, s)
		if !u.AsksAfterResearch() {
			m.Errorf("%q: %s, wishes %v, steering %v, findings %s", in, u.Intent, u.Research, u.Steering, chattest.Brief(u.Findings))
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

	named := chattest.SceneIn(chattest.Trade(), "industry", "what did you find about our competitors?")
	chattest.Researching(named, past...)
	if text := said(m, named, func(*chat.Plan) {}); !strings.Contains(text, "Three chains") || strings.Contains(text, "ovens") {
		m.Errorf("asked after the competitors: %q", text)
	}
	if text := said(m, chattest.SceneIn(chattest.Trade(), "industry", "what did you find?"), func(*chat.Plan) {}); !strings.Contains(text, "I haven't looked anything up so far.") {
		m.Errorf("without research: %q", text)
	}
}
