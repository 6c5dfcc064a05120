package research_test

import (
	"encoding/json"
	"testing"

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

func TestDue(t *testing.T) {
	t.Parallel()

	expert := asked("regulation", 1, 0, "")
	expert.ExpertiseRequired = "law"
	vague := asked("regulation", 1, 55, `"it depends"`)
	vague.ExpertiseRequired = "law"
	vague.Evidence = []obligations.Evidence{{Kind: obligations.Stated, Grade: &obligations.Grade{Vague: true}}}
	settled := asked("market", 2, 90, `"clinics"`)
	settled.Status = obligations.Satisfied
	for _, tt := range []struct {
		name string
		turn research.Turn
		want research.Trigger // "" for nothing due
	}{
		{"0.45 after two attempts", changed(asked("target_market", 2, 45, `"small businesses"`)), research.LowConfidence},
		{"0.60 is not low", changed(asked("target_market", 2, 60, `"small businesses"`)), ""},
		{"0.59 is", changed(asked("target_market", 2, 59, `"small businesses"`)), research.LowConfidence},
		{"one attempt is too early", changed(asked("target_market", 1, 45, `"small businesses"`)), ""},
		{"the person does not know and an expert would", research.Turn{List: []obligations.Obligation{expert}, Unsure: []string{"regulation"}}, research.ExpertiseRequired},
		{"the person does not know, anybody could", research.Turn{List: []obligations.Obligation{asked("name", 1, 0, "")}, Unsure: []string{"name"}}, ""},
		{"a vague answer where an expert is needed", changed(vague), research.Ambiguous},
		{"what is settled is left alone", changed(settled), ""},
		{"the person asks", research.Turn{Wishes: []research.Wish{{Query: "How big is the market?"}}}, research.UserRequest},
	} {
		var got research.Trigger
		if due := research.Due(tt.turn); len(due) > 0 {
			got = due[0].Trigger
		}
		if got != tt.want {
			t.Errorf("%s: trigger %q, want %q", tt.name, got, tt.want)
		}
	}
}

func changed(o obligations.Obligation) research.Turn {
	return research.Turn{List: []obligations.Obligation{o}, Changes: []obligations.Change{{After: o}}}
}

func TestDueNeverOrdersTwice(t *testing.T) {
	t.Parallel()

	turn := changed(asked("target_market", 2, 45, `"small businesses"`))
	turn.Queued = []string{"target_market"}
	if due := research.Due(turn); len(due) != 0 {
		t.Fatalf("Due ordered %v again", due)
	}
	turn.Queued, turn.Wishes = nil, []research.Wish{{Key: "target_market", Query: "check it"}}
	if due := research.Due(turn); len(due) != 1 || due[0].Trigger != research.UserRequest {
		t.Fatalf("Due(wish and doubt about one key) = %v, want the wish alone", due)
	}
}

func TestDueIsBounded(t *testing.T) {
	t.Parallel()

	var turn research.Turn
	for range 20 {
		turn.Wishes = append(turn.Wishes, research.Wish{Query: "look"})
	}
	if n := len(research.Due(turn)); n > 3 {
		t.Fatalf("one turn ordered %d tasks", n)
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
	} {
		if got := research.KindFor(&tt.template); got != tt.want {
			t.Errorf("KindFor(%s) = %s, want %s", tt.template.Key, got, tt.want)
		}
	}
}
