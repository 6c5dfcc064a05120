package research_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"quaestor/obligations"
	"quaestor/research"
)

// asked returns an obligation that was asked so often and stands there.
func asked(key string, attempts int, confidence obligations.Confidence, value string) obligations.Obligation {
	o := obligations.Obligation{Template: &obligations.Template{Key: key, Prompt: "What is " + key + "?", Priority: 6}, Status: obligations.Partial, Attempts: attempts, Confidence: confidence}
	if value != "" {
		o.Value = json.RawMessage(value)
	}
	return o
}

// about makes a turn in which somebody answered o, which had been asked as often
// as it says.
func about(o obligations.Obligation) research.TurnFindings {
	before := o
	before.Value, before.Evidence, before.Confidence = nil, nil, 0
	return research.TurnFindings{List: []obligations.Obligation{o}, Changes: []obligations.Change{{Before: before, After: o}}}
}

// with changes an obligation.
func with(o obligations.Obligation, f func(*obligations.Obligation)) obligations.Obligation {
	t := *o.Template
	o.Template = &t
	f(&o)
	return o
}

func graded(g obligations.Grade) []obligations.Evidence {
	return []obligations.Evidence{{Kind: obligations.Stated, Grade: &g}}
}

// The four triggers of the specification, each at its line.
func TestDue(t *testing.T) {
	t.Parallel()

	expert := with(asked("regulation", 1, 0, ""), func(o *obligations.Obligation) { o.ExpertiseRequired = "law" })
	answeredBadly := with(expert, func(o *obligations.Obligation) { o.Value, o.Confidence = json.RawMessage(`"some"`), 65 })
	vague := with(asked("goal", 1, 55, `"it depends"`), func(o *obligations.Obligation) { o.Evidence = graded(obligations.Grade{Vague: true}) })
	settled := with(asked("market", 2, 90, `"clinics"`), func(o *obligations.Obligation) { o.Status = obligations.Satisfied })
	unknowable := with(asked("team", 3, 20, `"a few"`), func(o *obligations.Obligation) {
		o.ResearchType, o.ExpertiseRequired = obligations.NoResearch, "people"
	})
	onlyAsked := func(o obligations.Obligation) research.TurnFindings {
		before := o
		before.Attempts--
		return research.TurnFindings{List: []obligations.Obligation{o}, Changes: []obligations.Change{{Before: before, After: o}}}
	}
	clash := func(o obligations.Obligation, status string) research.TurnFindings {
		turn := about(o)
		turn.Changes[0].Conflict = &obligations.Conflict{Kind: obligations.Changed, Status: status, Keys: []string{o.Key}}
		return turn
	}
	for _, tt := range []struct {
		name string
		turn research.TurnFindings
		want research.Trigger // "" for nothing due
	}{
		{"0.45 after two attempts", about(asked("target_market", 2, 45, `"small businesses"`)), research.LowConfidence},
		{"0.60 is not low", about(asked("target_market", 2, 60, `"small businesses"`)), ""},
		{"0.59 is", about(asked("target_market", 2, 59, `"small businesses"`)), research.LowConfidence},
		{"one attempt is too early", about(asked("target_market", 1, 45, `"small businesses"`)), ""},
		{"nothing known after two attempts", research.TurnFindings{List: []obligations.Obligation{asked("name", 2, 0, "")}, Unsure: []string{"name"}}, research.LowConfidence},
		{"the second attempt is being made now", onlyAsked(asked("target_market", 2, 45, `"small businesses"`)), ""},
		{"the third is", onlyAsked(asked("target_market", 3, 45, `"small businesses"`)), research.LowConfidence},
		{"not a matter of this turn", research.TurnFindings{List: []obligations.Obligation{asked("target_market", 2, 45, `"small businesses"`)}}, ""},
		{"the person does not know and an expert would", research.TurnFindings{List: []obligations.Obligation{expert}, Unsure: []string{"regulation"}}, research.ExpertiseRequired},
		{"an expert is needed and the answer does not do", about(answeredBadly), research.ExpertiseRequired},
		{"an expert is needed and was only asked for", onlyAsked(answeredBadly), ""},
		{"the person does not know, anybody could", research.TurnFindings{List: []obligations.Obligation{asked("name", 1, 0, "")}, Unsure: []string{"name"}}, ""},
		{"a vague answer", about(vague), research.Ambiguous},
		{"a vague answer of an earlier turn", onlyAsked(vague), ""},
		{"an answer against what is held", clash(asked("market", 1, 92, `"clinics"`), obligations.ConflictOpen), research.Ambiguous},
		{"against it, and satisfied all the same", clash(settled, obligations.ConflictOpen), research.Ambiguous},
		{"a conflict that is over", clash(settled, obligations.ConflictResolved), ""},
		{"what is settled is left alone", about(settled), ""},
		{"what no source can know", about(unknowable), ""},
		{"what no source can know, in conflict", clash(unknowable, obligations.ConflictOpen), ""},
		{"the person asks", research.TurnFindings{Requests: []research.Request{{Query: "How big is the market?"}}}, research.UserRequest},
		{"the person asks for what is settled", research.TurnFindings{List: []obligations.Obligation{settled}, Requests: []research.Request{{Key: "market"}}}, research.UserRequest},
		{"an obligation there is not", research.TurnFindings{Unsure: []string{"gone"}}, ""},
	} {
		var got research.Trigger
		if due := research.Due(tt.turn).Orders; len(due) > 0 {
			got = due[0].Trigger
		}
		if got != tt.want {
			t.Errorf("%s: trigger %q, want %q", tt.name, got, tt.want)
		}
	}
}

// had is a task a session has had.
func had(key, query string, status research.Status, outcome research.Outcome) research.TaskSummary {
	return research.TaskSummary{ID: key + query, Key: key, Query: query, Status: status, Outcome: outcome}
}

// What a person asks for, against what the session has had.
func TestRequestsAgainstWhatWasLookedUp(t *testing.T) {
	t.Parallel()

	list := []obligations.Obligation{
		asked("market", 0, 0, ""),
		with(asked("team", 0, 0, ""), func(o *obligations.Obligation) { o.ResearchType = obligations.NoResearch }),
	}
	many := func(n int, status research.Status) (p research.History) {
		for range n {
			p = append(p, had("", fmt.Sprint("other matter ", len(p)), status, research.NoEvidence))
		}
		return p
	}
	for _, tt := range []struct {
		name    string
		request research.Request
		past    research.History
		want    research.DeclineReason // "" for an order
	}{
		{"of an obligation", research.Request{Key: "market"}, nil, ""},
		{"of an obligation that is being looked up", research.Request{Key: "market"}, research.History{had("market", "", research.Running, "")}, research.Underway},
		{"again, of one that is over", research.Request{Key: "market"}, research.History{had("market", "", research.Completed, research.Found)}, ""},
		{"again, of one that failed", research.Request{Key: "market"}, research.History{had("market", "", research.Failed, "")}, ""},
		{"of one open again", research.Request{Key: "market"}, research.History{had("market", "a", research.Completed, research.Found), had("market", "b", research.Pending, "")}, research.Underway},
		{"of what no source can know", research.Request{Key: "team"}, nil, research.Unknowable},
		{"a question", research.Request{Query: "How large is the bread market?"}, nil, ""},
		{"the same question in other order and letters", research.Request{Query: "the bread market: how LARGE"}, research.History{had("", "How large is the bread market?", research.Pending, "")}, research.Underway},
		{"another question", research.Request{Query: "How large is the cake market?"}, research.History{had("", "How large is the bread market?", research.Pending, "")}, ""},
		{"a question that found something", research.Request{Query: "How large is the bread market?"}, research.History{had("", "How large is the bread market?", research.Completed, research.Found)}, research.Known},
		{"one whose sources disagree", research.Request{Query: "How large is the bread market?"}, research.History{had("", "How large is the bread market?", research.Completed, research.Contradicting)}, research.Known},
		{"one that found nothing", research.Request{Query: "How large is the bread market?"}, research.History{had("", "How large is the bread market?", research.Completed, research.NoEvidence)}, ""},
		{"one that was cancelled", research.Request{Query: "How large is the bread market?"}, research.History{had("", "How large is the bread market?", research.Cancelled, "")}, ""},
		{"the fifth at once", research.Request{Query: "bread"}, many(research.MaxOpen-1, research.Running), ""},
		{"the sixth at once", research.Request{Query: "bread"}, many(research.MaxOpen, research.Running), research.TooMany},
		{"the last of a session", research.Request{Query: "bread"}, many(research.MaxSession-1, research.Completed), ""},
		{"one more than a session has", research.Request{Query: "bread"}, many(research.MaxSession, research.Completed), research.UsedUp},
	} {
		due := research.Due(research.TurnFindings{List: list, Requests: []research.Request{tt.request}, Past: tt.past})

		var got research.DeclineReason
		if len(due.Refused) > 0 {
			got = due.Refused[0].Why
		}
		if got != tt.want || len(due.Orders)+len(due.Refused) != 1 {
			t.Errorf("%s: %+v, want obstacle %q", tt.name, due, tt.want)
		}
	}
}

func TestDueNeverOrdersTwice(t *testing.T) {
	t.Parallel()

	turn := about(asked("target_market", 2, 45, `"small businesses"`))
	for _, status := range []research.Status{research.Pending, research.Completed, research.Failed, research.Cancelled} {
		turn.Past = research.History{had("target_market", "", status, "")}
		if due := research.Due(turn); len(due.Orders) != 0 {
			t.Errorf("Due ordered %v though one is %s", due.Orders, status)
		}
	}
	turn.Past, turn.Requests = nil, []research.Request{{Key: "target_market", Query: "check it"}, {Key: "target_market", Query: "and again"}}
	due := research.Due(turn)
	if len(due.Orders) != 1 || due.Orders[0].Trigger != research.UserRequest || len(due.Refused) != 1 || due.Refused[0].Why != research.Underway {
		t.Errorf("Due(two requests and a doubt about one key) = %+v, want the first request alone", due)
	}
}

// A person's requests come before doubts of higher priority when not all can be had.
func TestRequestsGoBeforeDoubts(t *testing.T) {
	t.Parallel()

	turn := research.TurnFindings{Requests: []research.Request{{Query: "bread"}, {Query: "cake"}}}
	for _, key := range []string{"first", "second"} {
		o := with(asked(key, 2, 10, `"x"`), func(o *obligations.Obligation) { o.Priority = 10 })
		more := about(o)
		turn.List, turn.Changes = append(turn.List, more.List...), append(turn.Changes, more.Changes...)
	}

	due := research.Due(turn)

	var got []string
	for _, o := range due.Orders {
		got = append(got, fmt.Sprint(o.Key, o.Priority))
	}
	if want := []string{"first10", "8", "8"}; !slices.Equal(got, want) || len(due.Refused) != 0 {
		t.Errorf("Due orders %v and refuses %v, want %v and none", got, due.Refused, want)
	}
}

// Whatever a turn asks for: the budgets hold, of two tasks about one obligation
// one is open at most, what no source can know is not looked up, and every request is
// either ordered or refused.
func TestDueKeepsItsBudgets(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		turn := anyTurn(t)
		due := research.Due(turn)

		open := turn.Past.Open()
		if len(due.Orders) > 3 || len(due.Orders) > 0 && (len(open)+len(due.Orders) > research.MaxOpen || len(turn.Past)+len(due.Orders) > research.MaxSession) {
			t.Fatalf("%d orders with %d open and %d in all", len(due.Orders), len(open), len(turn.Past))
		}
		taken := map[string]bool{}
		for _, f := range open {
			taken[f.Key] = true
		}
		requested := 0
		for _, o := range due.Orders {
			if o.Key != "" && taken[o.Key] {
				t.Fatalf("two tasks about %s are open: %+v", o.Key, due.Orders)
			}
			taken[o.Key] = true
			if ob := obligations.Find(turn.List, o.Key); ob != nil && ob.ResearchType == obligations.NoResearch {
				t.Fatalf("%s is looked up, which no source can know", o.Key)
			}
			if o.Trigger == research.UserRequest {
				requested++
			}
			if o.Priority < 1 || o.Priority > 10 {
				t.Fatalf("priority %d", o.Priority)
			}
		}
		if requested+len(due.Refused) != len(turn.Requests) {
			t.Fatalf("%d requests: %d ordered, %d refused", len(turn.Requests), requested, len(due.Refused))
		}
	})
}

func anyTurn(t *rapid.T) research.TurnFindings {
	keys := []string{"a", "b", "c", "d", "e", "f"}
	turn := research.TurnFindings{Unsure: rapid.SliceOfDistinct(rapid.SampledFrom(keys), rapid.ID[string]).Draw(t, "unsure")}
	for _, key := range keys {
		o := with(asked(key, rapid.IntRange(0, 4).Draw(t, "attempts"), obligations.Confidence(rapid.IntRange(0, 100).Draw(t, "confidence")), `"x"`), func(o *obligations.Obligation) {
			o.Priority = rapid.IntRange(1, 10).Draw(t, "priority")
			o.ResearchType = rapid.SampledFrom([]string{"", "market_research", obligations.NoResearch}).Draw(t, "type")
			o.ExpertiseRequired = rapid.SampledFrom([]string{"", "law"}).Draw(t, "expertise")
			o.Evidence = graded(obligations.Grade{Vague: rapid.Bool().Draw(t, "vague")})
		})
		if rapid.Bool().Draw(t, "changed") {
			turn.Changes = append(turn.Changes, about(o).Changes...)
		}
		turn.List = append(turn.List, o)
	}
	questions := []string{"bread", "the bread market", "cake", "how large is it", ""}
	keyed := append([]string{""}, keys...)
	for range rapid.IntRange(0, 6).Draw(t, "requests") {
		turn.Requests = append(turn.Requests, research.Request{Key: rapid.SampledFrom(keyed).Draw(t, "request"), Query: rapid.SampledFrom(questions).Draw(t, "question")})
	}
	used := map[string]bool{}
	for range rapid.SampledFrom([]int{0, 1, 3, 4, 5, 8, 38, 39, 40, 41}).Draw(t, "past") {
		f := had(rapid.SampledFrom(keyed).Draw(t, "had"), rapid.SampledFrom(questions).Draw(t, "query"),
			rapid.SampledFrom([]research.Status{research.Pending, research.Running, research.Completed, research.Failed, research.Cancelled}).Draw(t, "status"), research.NoEvidence)
		if f.Open() && (used[f.Key] && f.Key != "" || len(turn.Past.Open()) >= research.MaxOpen) {
			f.Status = research.Completed
		}
		used[f.Key] = used[f.Key] || f.Open()
		turn.Past = append(turn.Past, f)
	}
	return turn
}

// Objectives may name the kinds of research there are, and no others.
func TestObjectivesNameKindsOfResearch(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name string
		want bool
	}{
		{"competitive_analysis", true}, {"tech_feasibility", true}, {"market_research", true}, {"domain_research", true}, {"integration_research", true},
		{obligations.NoResearch, true}, {"", true}, {"astrology", false},
	} {
		faults := obligations.Validate([]obligations.Template{{Key: "a", FieldPath: "a", Prompt: "A?", Priority: 1, Collection: obligations.DirectQuestion, Widget: obligations.Text, ResearchType: tt.name}})
		if ok := len(faults) == 0; ok != tt.want {
			t.Errorf("researchType %q: faults %v, want none: %v", tt.name, faults, tt.want)
		}
		if special := tt.name == "" || tt.name == obligations.NoResearch; tt.want && !special && !research.Kind(tt.name).Valid() {
			t.Errorf("%q is no kind of research", tt.name)
		}
	}
}

func TestKindFor(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		template obligations.Template
		want     research.Kind
	}{
		{obligations.Template{Key: "competitors"}, research.CompetitiveAnalysis},
		{obligations.Template{Key: "existing_integrations"}, research.IntegrationResearch},
		{obligations.Template{Key: "technical_constraints"}, research.TechFeasibility},
		{obligations.Template{Key: "target_market"}, research.MarketResearch},
		{obligations.Template{Key: "rules", Category: "Law"}, research.DomainResearch},
		{obligations.Template{Key: "competitors", ResearchType: "market_research"}, research.MarketResearch},
		{obligations.Template{Key: "working_capital", Label: "Capital for a rapid start"}, research.DomainResearch}, // neither speaks of an API
		{obligations.Template{Key: "public_apis"}, research.IntegrationResearch},
		{obligations.Template{Key: "haystack_rules"}, research.DomainResearch},
	} {
		if got := research.KindFor(&tt.template); got != tt.want {
			t.Errorf("KindFor(%s) = %s, want %s", tt.template.Key, got, tt.want)
		}
	}
}
