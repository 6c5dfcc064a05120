package reading

import (
	"strings"
	"testing"
)

// TestPutIn holds that an order to note a choice is followed, and that a no to a choice that is read back
// makes way for another that is said.
func TestPutIn(t *testing.T) {
	t.Parallel()

	l := encoded(t)
	for _, tt := range []heldTalk{
		{"business_profile", "en", "budget", `offering_type="mixture"`, "and please put software", `offering_type="software"!`},
		{"business_profile", "de", "team_size", `offering_type="mixture"`, "Nur ich. Und schreiben Sie bitte Dienstleistungen.", `offering_type="services"!`},
		{"business_profile", "en", "budget", `offering_type="mixture"`, "please put the kettle on", ""},
		{"business_profile", "de", "offering_type?", `offering_type="physical_products"`, "Waren? Nein, ich verkaufe nichts, ich putze, das ist Dienstleistung", `offering_type="services"!`},
	} {
		if got := tt.findings(t, l); tt.want != "" && !strings.Contains(got, tt.want) || tt.want == "" && strings.Contains(got, "offering_type") {
			t.Errorf("%q is read as %s, want %s", tt.said, got, tt.want)
		}
	}
}

// TestWhatLeadsUp holds that a word that only leads up to a text is no part of it, nor are figures items of
// a list, nor what is said to be wrong or unchanged a value.
func TestWhatLeadsUp(t *testing.T) {
	t.Parallel()

	l := encoded(t)
	for _, tt := range []heldTalk{
		{"business_profile", "en", "primary_goal", "", "Ahh. Truthfully? To be able to close on Sundays, and a second pair of hands", `primary_goal="To be able to close on Sundays, and a second pair of hands"`},
		{"business_profile", "de", "primary_goal", "", "Ziel? Dass die Kunden endlich pünktlich zahlen, zwölf Rechnungen sind offen", `primary_goal="Dass die Kunden endlich pünktlich zahlen`},
		{"project_discovery", "en", "success_criteria", `current_systems="a whiteboard"`, "The tools are still wrong in your list.", "current_systems deny"},
		{"idea_discovery", "en", "problem_frequency", `problem="prams are dear"`, "the problem's still the dear prams. three times a year", `problem_frequency=`},
	} {
		if got := tt.findings(t, l); !strings.Contains(got, tt.want) || strings.Contains(got, "still") {
			t.Errorf("%q is read as %s, want %s", tt.said, got, tt.want)
		}
	}
}

// TestRecentDatesInPassing holds that what began lately is not when the business began, unless it is said.
func TestRecentDatesInPassing(t *testing.T) {
	t.Parallel()

	l := encoded(t)
	for _, tt := range []heldTalk{
		{"business_profile", "en", "main_challenge", "", "the lease, it has gone up since May, and nobody answers the phone", ""},
		{"business_profile", "de", "main_challenge", "", "die Pacht ist seit Mai höher, und niemand geht ans Telefon", ""},
		{"business_profile", "en", "team_size", "", "we opened in May 2026 and there are two of us", `founded="2026-05"`},
	} {
		if got := tt.findings(t, l); !strings.Contains(got, tt.want) || tt.want == "" && strings.Contains(got, "founded") {
			t.Errorf("%q is read as %s, want %s", tt.said, got, tt.want)
		}
	}
}
