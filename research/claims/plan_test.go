package claims_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quaestor/research/claims"
)

func TestPlan(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		q    claims.ResearchQuestion
		want []string // words that some query has
	}{
		{claims.ResearchQuestion{Kind: "competitive_analysis", Text: "Who are your main competitors?", Context: "booking software for dental clinics"}, []string{"competitors", "dental", "pricing"}},
		{claims.ResearchQuestion{Kind: "market_research", Text: "How big is the market for dental software?", Only: []string{"Germany|Austria"}}, []string{"market size", "growth", "Germany"}},
		{claims.ResearchQuestion{Kind: "tech_feasibility", Text: "Can speech recognition run offline on phones?"}, []string{"offline", "feasibility", "requirements"}},
		{claims.ResearchQuestion{Kind: "domain_research", Text: "Which rules apply to storing patient data?", Since: 2024}, []string{"patient", "standards", "2024"}},
		{claims.ResearchQuestion{Kind: "integration_research", Text: "Does it connect to SAP?"}, []string{"SAP", "API", "integration"}},
		{claims.ResearchQuestion{Text: "What is Goldbeck?"}, []string{"Goldbeck"}},
	} {
		got := claims.Plan(tt.q)
		if len(got) < 2 || len(got) > 4 {
			t.Errorf("Plan(%q) has %d queries: %q", tt.q.Text, len(got), got)
		}
		for _, w := range tt.want {
			if !slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, w) }) {
				t.Errorf("Plan(%q) = %q, want %q in one", tt.q.Text, got, w)
			}
		}
	}
	if got := claims.Plan(claims.ResearchQuestion{Text: "What do you think?"}); got != nil {
		t.Errorf("a question about nothing gives %q", got)
	}
}

func TestPlanTellsNothingPrivate(t *testing.T) {
	t.Parallel()

	q := claims.ResearchQuestion{Kind: "market_research",
		Text:    `My name is Erika Musterfrau, mail erika@example.org or call +49 (341) 123-4567. Market for bikes? (answer so far: we lost our secret contract) customer 00451-99812, IBAN DE89 3704 0044 0532 0130 00`,
		Context: `She said "I would rather die than tell my boss about this plan of ours". Order ORD-12345, session 6f1c1d1e-0c5b-4d5a-9a55-0d7a8f6f2b11, see https://intern.example/x?token=abc. Dr. Miller agrees.`}
	for _, s := range claims.Plan(q) {
		for _, secret := range []string{"Erika", "Musterfrau", "example", "@", "341", "4567", "secret", "contract", "00451", "99812", "DE89", "die", "boss", "12345", "6f1c", "token", "Miller"} {
			if strings.Contains(s, secret) {
				t.Errorf("query %q tells %q", s, secret)
			}
		}
		if !strings.Contains(s, "bikes") {
			t.Errorf("query %q lost its subject", s)
		}
	}
}

func TestPlanIsBounded(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		q := claims.ResearchQuestion{Kind: rapid.SampledFrom([]string{"", "market_research", "domain_research"}).Draw(t, "kind"), Text: rapid.String().Draw(t, "text"), Context: rapid.String().Draw(t, "context"),
			Terms: rapid.SliceOfN(rapid.String(), 0, 4).Draw(t, "terms"), Only: rapid.SliceOfN(rapid.String(), 0, 3).Draw(t, "only"), Without: rapid.SliceOfN(rapid.String(), 0, 3).Draw(t, "without")}
		q = claims.Steer(q, rapid.String().Draw(t, "said"))
		list := claims.Plan(q)
		if len(list) > 4 {
			t.Fatalf("%d queries", len(list))
		}
		for _, s := range list {
			if len(s) > 380 || strings.TrimSpace(s) != s || strings.Contains(s, "@") {
				t.Fatalf("query %q", s)
			}
		}
	})
}

func TestSteer(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		said          string
		only, without []string
		terms         []string
		since         int
	}{
		{"look at Germany only", []string{"Germany"}, nil, nil, 0},
		{"only B2B", []string{"B2B"}, nil, nil, 0},
		{"Germany only, please", []string{"Germany"}, nil, []string(nil), 0},
		{"focus on Germany and Austria", []string{"Germany|Austria"}, nil, nil, 0},
		{"please focus on B2B, and ignore retail", []string{"B2B"}, []string{"retail"}, nil, 0},
		{"ignore Amazon and eBay", nil, []string{"Amazon", "eBay"}, nil, 0},
		{"not Amazon", nil, []string{"Amazon"}, nil, 0},
		{"Germany, not Austria", nil, []string{"Austria"}, []string{"Germany"}, 0},
		{"newer than 2023", nil, nil, nil, 2024},
		{"only sources since 2023", nil, nil, nil, 2023},
		{"nothing before 2022", nil, nil, nil, 2022},
		{"2021 onwards", nil, nil, nil, 2021},
		{"stick to Europe, newer than 2020", []string{"Europe"}, nil, nil, 2021},
		{"also look at veterinary practices", nil, nil, []string{"veterinary practices"}, 0},
		{"leave out the United States", nil, []string{"United States"}, nil, 0},
		{"just look at R&D", []string{"R&D"}, nil, nil, 0},
		{"solar roofs", nil, nil, []string{"solar", "roofs"}, 0},
		{"", nil, nil, nil, 0},
	} {
		got := claims.Steer(claims.ResearchQuestion{}, tt.said)
		if !slices.Equal(got.Only, tt.only) || !slices.Equal(got.Without, tt.without) || !slices.Equal(got.Terms, tt.terms) || got.Since != tt.since {
			t.Errorf("Steer(%q) = only %q without %q terms %q since %d, want %q %q %q %d", tt.said, got.Only, got.Without, got.Terms, got.Since, tt.only, tt.without, tt.terms, tt.since)
		}
	}
}

func TestSteerTurnsRound(t *testing.T) {
	t.Parallel()

	q := claims.Steer(claims.Steer(claims.ResearchQuestion{}, "only Germany and Austria"), "not Austria")
	if !slices.Equal(q.Only, []string{"Germany"}) || !slices.Equal(q.Without, []string{"Austria"}) {
		t.Errorf("only %q without %q, want Germany without Austria", q.Only, q.Without)
	}
	if q = claims.Steer(q, "look at Austria only"); len(q.Without) != 0 {
		t.Errorf("without %q, want none: Austria is wanted now", q.Without)
	}
}
