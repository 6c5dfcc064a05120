package claims_test

import (
	"slices"
	"testing"

	"quaestor/research/claims"
)

func TestContradict(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		a, b string
		want bool
	}{
		// They differ.
		{"Acme has 12 million users.", "Acme has 15 million users.", true},
		{"Acme employs 250 people.", "Acme employs 400 people.", true},
		{"Revenue of Acme was $12 million in 2023.", "Acme reported revenue of $18 million in 2023.", true},
		{"The Pro plan costs $12 per month.", "The Pro plan costs $20 per month.", true},
		{"The market grew 5% in 2023.", "The market grew 12% in 2023.", true},
		{"The market grew 5% in 2023.", "The market shrank 5% in 2023.", true},
		{"Acme supports SAML.", "Acme does not support SAML.", true},
		{"Acme offers an API for clinics.", "Acme offers no API for clinics.", true},
		{"The service is available in Germany.", "The service is not available in Germany.", true},
		{"The service is available in Germany.", "The service is unavailable in Germany.", true},
		{"Registration is mandatory for clinics.", "Registration is optional for clinics.", true},
		{"The import of cheese is allowed.", "The import of cheese is prohibited.", true},
		{"Acme no longer sells bikes.", "Acme sells bikes.", true},
		{"Acme has fewer than 100 stores.", "Acme has more than 500 stores.", true},
		{"Acme has at least 500 stores.", "Acme has 120 stores.", true},
		{"Acme has 10 to 12 stores.", "Acme has 30 stores.", true},
		{"The dental software market was worth $2 billion in 2024.", "In 2024, the dental software market was worth $3.5 billion.", true},
		{"Uptime of Acme is 99%.", "Uptime of Acme is 70%.", true},
		{"Sales of bikes rose in 2023.", "Sales of bikes fell in 2023.", true},
		{"Acme is profitable.", "Acme is unprofitable.", true},
		{"Globex encrypts all backups.", "Globex never encrypts backups.", true},
		{"About 100 clinics use Acme.", "Some 300 clinics use Acme.", true},
		// They do not.
		{"Acme has 12 million users.", "Acme has 12,000,000 users.", false},
		{"Acme has 12 million users.", "Acme has about 12.4 million users.", false},
		{"Acme has 12 million users.", "Globex has 15 million users.", false},
		{"Acme had 12 million users in 2022.", "Acme had 15 million users in 2024.", false},
		{"Acme has 12 million users.", "Acme had 9 million users in 2020.", false},
		{"Acme has 12 million users.", "Acme has 400 employees.", false},
		{"Revenue of Acme was $12 million.", "Profit of Acme was $3 million.", false},
		{"Revenue of Acme was $12 million.", "Revenue of Acme was €11 million.", false},
		{"The Pro plan costs $12 per month.", "The Pro plan costs $120 per year.", false},
		{"The Pro plan costs $12 per month.", "The Basic plan costs $5 per month.", false},
		{"Acme has 500 employees in Germany.", "Acme has 900 employees worldwide.", false},
		{"Acme has 500 employees in Germany.", "Acme has 300 employees in France.", false},
		{"Acme has more than 10 million users.", "Acme has 12 million users.", false},
		{"Acme has 10 to 14 stores.", "Acme has 12 stores.", false},
		{"Acme supports SAML.", "Acme supports OAuth.", false},
		{"Acme supports SAML.", "Globex does not support SAML.", false},
		{"Acme does not support SAML.", "Acme cannot support SAML.", false},
		{"The market grew 5% in 2023.", "The market grew 5.2% in 2023.", false},
		{"The market grew 5% in 2023.", "The market was worth 5 billion euros in 2023.", false},
		{"The service is available in Germany.", "The service is not available in France.", false},
		{"Sales of bikes rose in 2023.", "Sales of bikes fell in 2024.", false},
		{"Bikes are sold in Leipzig.", "Penguins live on ice.", false},
		{"Acme was founded in Leipzig.", "Acme employs 250 people.", false},
		{"Acme grew from 10 million users in 2022 to 15 million users in 2024.", "Acme had 15 million users in 2024.", false},
		{"Acme is the 3rd largest vendor.", "Acme has 12 stores.", false},
		{"Churn is not measured.", "Churn is 5%.", false},
	} {
		for _, turned := range []bool{false, true} {
			list := []claims.Claim{{N: 1, Source: 1, Text: tt.a}, {N: 2, Source: 2, Text: tt.b}}
			if turned {
				slices.Reverse(list)
			}
			out := claims.Contradict(list)
			if got := len(out[0].Against) > 0; got != tt.want {
				t.Errorf("%q against %q: %v, want %v", list[0].Text, list[1].Text, got, tt.want)
			}
			if len(out[0].Against) != len(out[1].Against) {
				t.Errorf("%q against %q is not symmetric", tt.a, tt.b)
			}
		}
	}
}

func TestContradictOnlyAcrossSources(t *testing.T) {
	t.Parallel()

	list := []claims.Claim{{N: 4, Source: 1, Text: "Acme has 12 million users.", Against: []int{9}}, {N: 5, Source: 1, Text: "Acme has 40 million users."}, {N: 6, Source: 2, Text: "Acme has 90 million users."}}
	out := claims.Contradict(list)
	for i, want := range [][]int{{6}, {6}, {4, 5}} {
		if !slices.Equal(out[i].Against, want) {
			t.Errorf("claim %d is against %v, want %v", out[i].N, out[i].Against, want)
		}
	}
	if !slices.Equal(list[0].Against, []int{9}) {
		t.Error("the given list was changed")
	}
}
