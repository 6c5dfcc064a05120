package reading

import (
	"strings"
	"testing"

	"quaestor/chat"
	"quaestor/chat/chattest"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
)

func private(s *chat.Scene, key string) {
	obligations.Find(s.Obligations, key).ResearchType = obligations.NoResearch
}

// What the person wants looked up: what they point at, what they name, or a
// question of its own in their words.
func TestWishesAreGoodQuestions(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct{ asked, in, key, query string }{
		{"competitors", "Can you look that up?", "competitors", "Competitors; Do you have competitors"},
		{"competitors", "please research that for me", "competitors", "Competitors; Do you have competitors"},
		{"business", "Could you look up our competitors for me?", "competitors", "competitors"},
		{"business", "Can you check how large the bread market in Austria is, please?", "", "how large the bread market in Austria is"},
		{"business", "please find out for me whether tourists buy bread at night", "", "tourists buy bread at night"},
		{"team_size", "Can you find out who makes ovens in Leeds?", "", "who makes ovens in Leeds"},
		{"growth", "can you check how much sales grew", "growth", "how much sales grew"},
		{"team_size", "could you find out what a typical budget for a web shop is?", "", "what a typical budget for a web shop is"},
		{"team_size", "Can you please look up how many of the bakeries in Austria closed down in the last five years and for what reasons?", "", "how many of the bakeries in Austria closed down in the last five years and for what reasons"},
		{"business", "look up the price of flour", "", "price of flour"},
		{"business", "please find out how many bakeries closed last year", "", "how many bakeries closed last year"},
		{"business", "can you check our competitors' prices", "competitors", "competitors' prices"},
		{"launch", "can you look up our budget?", "budget", "budget"},
		{"competitors", "How many people in Leeds eat rye bread? Can you find out?", "", "How many people in Leeds eat rye bread"},
		{"competitors", "Which laws do bakeries have to follow? Please look it up.", "", "Which laws do bakeries have to follow"},
		{"growth", "Who are our competitors? Can you look that up?", "competitors", "Who are our competitors"},
	} {
		s := chattest.Scene(tt.asked, tt.in)
		private(s, "budget")
		u := understand(t, s)

		if u.Intent != chat.AskResearch || len(u.Research) != 1 || len(u.Findings) > 0 {
			t.Errorf("asked %s, %q: %s, wishes %v, findings %s; want one wish", tt.asked, tt.in, u.Intent, u.Research, chattest.Brief(u.Findings))
			continue
		}
		if got := u.Research[0]; got.Key != tt.key || got.Query != tt.query {
			t.Errorf("asked %s, %q: wish %q %q, want %q %q", tt.asked, tt.in, got.Key, got.Query, tt.key, tt.query)
		}
	}
}

// What research proposes and nobody has said yes to is no ground for a search.
func TestProposalsNarrowNoSearch(t *testing.T) {
	t.Parallel()

	s := chattest.Scene("competitors", "Could you look that up?")
	chattest.Hold(s, "business", `"a bakery in Leeds"`, 2)
	obligations.Find(s.Obligations, "business").Status = obligations.InProgress
	if u := understand(t, s); len(u.Research) != 1 || u.Research[0].Query != "Competitors; Do you have competitors" {
		t.Errorf("wishes %v, want a search without what is only proposed", u.Research)
	}
}

// While research is open, people say where to look, or that it is enough.
func TestSteering(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 5)

	open := []research.TaskSummary{{ID: "market", Key: "target_market", Query: "Who buys bread?"}, {ID: "rivals", Key: "competitors", Query: "Do you have competitors?"}, {ID: "ovens", Query: "who makes ovens in Leeds"}}
	for _, tt := range []struct{ in, want string }{
		{"look at Germany only", " look at Germany only"},
		{"Please only look at Germany", " only look at Germany"},
		{"Focus the research on B2B", " Focus the research on B2B"},
		{"Could you focus it on B2B?", " Could you focus it on B2B"},
		{"only newer than 2023 please", " only newer than 2023"},
		{"Nothing older than 2020.", " Nothing older than 2020"},
		{"not Amazon", " not Amazon"},
		{"ignore the big chains", " ignore the big chains"},
		{"restrict the search for ovens to Europe", "ovens restrict the search for ovens to Europe"},
		{"focus the research on competitors on online shops", "rivals focus the research on competitors on online shops"},
		{"stop looking", " cancel"},
		{"cancel the research", " cancel"},
		{"Never mind the research on competitors", "rivals cancel"},
		{"stop the ovens research", "ovens cancel"},
		{"please stop all the research", "market cancel,rivals cancel,ovens cancel"},
		{"You don't need to look that up any more.", " cancel"},
	} {
		s := chattest.Scene("team_size", tt.in)
		chattest.Researching(s, open...)
		u := understand(m, s)

		if got := steering(u.Steering); got != tt.want || u.Intent != chat.AskResearch || len(u.Findings)+len(u.Research) > 0 {
			m.Errorf("%q: %s, steering %q, wishes %v, findings %s; want steering %q alone", tt.in, u.Intent, got, u.Research, chattest.Brief(u.Findings), tt.want)
		}
		quiet := chattest.Scene("team_size", tt.in)
		if u := understand(m, quiet); len(u.Steering) > 0 {
			m.Errorf("%q steers %v though nothing is open", tt.in, u.Steering)
		}
	}
}

func steering(list []chat.ResearchSteering) string {
	var out []string
	for _, st := range list {
		word := st.Text
		if st.Cancel {
			word = "cancel"
		}
		out = append(out, st.Task+" "+word)
	}
	return strings.Join(out, ",")
}

// Answers stay answers while research is open.
func TestAnswersWhileResearchIsOpen(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 1)

	for _, tt := range []struct{ asked, in, want string }{
		{"business", "We only sell bread", `business="We only sell bread"`},
		{"business", "only bread", `business="only bread"`},
		{"target_market", "Germany only", `target_market="Germany only"`},
		{"company_size", "not enterprise, small business", `company_size="small_business"`},
		{"team_size", "12", "team_size=12"},
		{"competitors", "not really", ""},
		{"business", "We research new ovens and stop food waste", `business="We research new ovens and stop food waste"`},
		{"business", "We look after old people", `business="We look after old people"`},
	} {
		s := chattest.Scene(tt.asked, tt.in)
		chattest.Researching(s, research.TaskSummary{Key: "competitors", Query: "Do you have competitors?"})
		u := understand(m, s)

		if len(u.Steering) > 0 || tt.want != "" && chattest.Brief(u.Findings) != tt.want {
			m.Errorf("asked %s, %q: steering %v, findings %s, want %s", tt.asked, tt.in, u.Steering, chattest.Brief(u.Findings), tt.want)
		}
	}
	s := chattest.Scene("competitors", "not Amazon")
	chattest.Researching(s, research.TaskSummary{Key: "launch", Turn: 1})
	s.Turn = 9
	if u := understand(m, s); len(u.Steering) > 0 {
		m.Errorf("a few words long after research was asked for steer it: %v", u.Steering)
	}
}

// Once something was noted for research, whatever began with "before" was an
// instruction for it, and was no answer.
func TestAnswersThatSoundLikeDirections(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 7)

	for _, tt := range []struct{ asked, in, want string }{
		{"launch", "before the audit in March, as I said at the start", `launch=`},
		{"launch", "before March 2027", `launch=`},
		{"launch", "only after Easter 2027", `launch=`},
		{"founded", "since 2019", `founded=`},
		{"business", "Reserve a tool, open the locker with the phone, give it back. Before Christmas would be great", `business="Reserve a tool, open the locker with the phone, give it back. Before Christmas would be great"`},
		{"business", "focus on B2B customers", `business="focus on B2B customers"`},
		{"business", "stick to the budget", `business="stick to the budget"`},
		{"business", "for the research department of the hospital", `business="for the research department of the hospital"`},
		{"target_market", "older than 65", `target_market="older than 65"`},
		{"target_market", "only people from the villages around", `target_market="only people from the villages around"`},
		{"target_market", "without a car, mostly", `target_market="without a car, mostly"`},
		{"business", "only use local flour", `business="only use local flour"`},
		{"business", "do not include the old files", `business="do not include the old files"`},
		{"competitors", "without us they use paper", `competitors="without us they use paper"`},
	} {
		for _, sourceless := range []bool{false, true} {
			s := chattest.Scene(tt.asked, tt.in)
			s.Sourceless = sourceless
			chattest.Researching(s, research.TaskSummary{Key: "channels", Query: "Where do you sell?"})
			u := understand(m, s)
			if got := chattest.Brief(u.Findings); len(u.Steering) > 0 || !strings.HasPrefix(got, tt.want) {
				m.Errorf("asked %s, %q: steering %v, findings %s, want %s", tt.asked, tt.in, u.Steering, got, tt.want)
			}
		}
	}
	d := chattest.Shipped(m, "project_discovery")
	s := chattest.SceneIn(d, "timeline", "before the audit in March, 60k, 4 people")
	s.Asked = &sessions.Question{Purpose: sessions.ToForm}
	for _, key := range []string{"timeline", "budget", "team_available"} {
		s.Asked.Fields = append(s.Asked.Fields, sessions.Question{Purpose: sessions.ToAsk, Key: key})
	}
	chattest.Researching(s, research.TaskSummary{Key: "compliance", Query: "Rules and standards"})
	if u := understand(m, s); len(u.Steering) > 0 || len(u.Findings) != 3 {
		m.Errorf("a form answered in one breath steers %v and fills %s", u.Steering, chattest.Brief(u.Findings))
	}
}

// An answer in the same breath as "can you look that up?" was lost.
func TestAnswersBesideAWish(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 10)

	for _, tt := range []struct{ asked, in, wish, want string }{
		{"business", "It's gas safety stuff plus GDPR I suppose. Can you look that up for me?", "business", `business="gas safety stuff plus GDPR"~`},
		{"business", "Can you look that up for me? It's gas safety stuff plus GDPR I suppose", "business", `business="gas safety stuff plus GDPR"~`},
		{"target_market", "Families in the village. Could you look up how many there are?", "", `target_market="Families in the village"`},
		{"competitors", "Two bakeries, I think. Can you check that online?", "competitors", `competitors="Two bakeries"~`},
		{"business", "Dairy, not sure. Can u check?", "business", `business="Dairy"~`},
		{"team_size", "12. Can you find out what other bakeries have?", "", "team_size=12"},
		{"competitors", "I have no idea who they are. Can you look it up?", "competitors", ""},
		{"competitors", "We don't really know them, could you look that up?", "competitors", ""},
		{"competitors", "I'd like to know more about that. Can you look it up?", "competitors", ""},
		{"competitors", "My accountant would know. Can you look it up anyway?", "competitors", ""},
		{"team_size", "No clue honestly, the town has what, 75 thousand people. Can you look it up?", "team_size", ""},
		{"team_size", "No clue, maybe 20. Can you look it up?", "team_size", "team_size=20~"},
		{"competitors", "That's a good question, can you look it up?", "competitors", ""},
		{"growth", "I need some numbers on bread sales in Leeds. Can you find some?", "", ""},
		{"competitors", "I was hoping you could tell me that. Please look it up", "competitors", ""},
	} {
		u := understand(m, chattest.Scene(tt.asked, tt.in))
		if got := chattest.Brief(u.Findings); u.Intent != chat.AskResearch || len(u.Research) != 1 || u.Research[0].Key != tt.wish || got != tt.want {
			m.Errorf("asked %s, %q: %s, wishes %v, findings %s; want a wish for %q, %s", tt.asked, tt.in, u.Intent, u.Research, got, tt.wish, tt.want)
		}
	}
}
