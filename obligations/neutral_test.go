package obligations

import "testing"

func TestNeutralLabelUsesTheObjectivesOwnWords(t *testing.T) {
	t.Parallel()

	own := []Template{{Label: "Team size", Category: "People"}, {Label: "Opening hours", Category: "Trade"}, {Label: "Öffnungszeiten"}}
	for _, tt := range []struct{ label, category, want string }{
		{"The team of Almeida in the morning hours", "", "Team, hours"},
		{"Call 0171 234567 or anna@bakery.example", "", ""},
		{"“We sack the boss”", "Came up", ""},
		{"Öffnungszeiten von Herrn Kern", "", "Öffnungszeiten"},
		{"Whatever Almeida said", "trade", "Trade"},
		{"Whatever Almeida said", "Almeida", ""},
		{"Team hours, size, people, team", "", "Team, hours, size"},
		{"", "", ""},
	} {
		if got := NeutralLabel(&Template{Label: tt.label, Category: tt.category}, own); got != tt.want {
			t.Errorf("%q in %q gets the label %q, want %q", tt.label, tt.category, got, tt.want)
		}
	}
}
