package rules

import (
	"strings"
	"testing"
)

// "Q2" was no answer to "by when", "05/06" was taken without a word.
func TestPartsOfYearsAreAnswers(t *testing.T) {
	t.Parallel()

	const pd, bp = "project_discovery", "business_profile"
	checkSpoken(t, []spokenTo{
		{"en", pd, "timeline", nil, "by Q2 2027", `timeline="2027-06"~`},
		{"en", pd, "timeline", nil, "end of the month", `timeline="2026-08"~`},
		{"en", pd, "timeline", nil, "by the end of the quarter", `timeline="2026-09"~`},
		{"en", pd, "timeline", nil, "mid March", `timeline="2027-03"~`},
		{"en", pd, "timeline", nil, "in a couple of weeks", `timeline="2026-08-26"~`},
		{"en", pd, "timeline", nil, "calendar week 12", `timeline="2027-03-22"~`},
		{"en", bp, "founded", nil, "Q2 2015", `founded="2015-04"~`},
		{"de", pd, "timeline", nil, "Q2", `timeline="2027-06"~`},
		{"de", pd, "timeline", nil, "Mitte März", `timeline="2027-03"~`},
		{"de", pd, "timeline", nil, "Ende des Quartals", `timeline="2026-09"~`},
		{"de", pd, "timeline", nil, "bis KW 12", `timeline="2027-03-22"~`},
		{"de", pd, "timeline", nil, "zum Jahresende", `timeline="2026-12"~`},
		{"de", bp, "founded", nil, "zweites Quartal 2015", `founded="2015-04"~`},
	})
}

// What may be two days is read back, and not known before that is agreed to.
func TestAmbiguousDatesAreReadBack(t *testing.T) {
	t.Parallel()

	for in, other := range map[string]string{"05/06": "6 May 2027", "the 3rd": "3 October 2026", "next Friday": "14 August 2026", "by 4/5/27": "5 April 2027", "Wednesday": "12 August 2026"} {
		s := sceneIn(shipped(t, "project_discovery"), "timeline", in)
		u := understand(t, s)
		if len(u.Findings) != 1 || u.Findings[0].Grade.Fit == nil || *u.Findings[0].Grade.Fit > mostDoubtful {
			t.Errorf("Understand(%q) finds %s for sure", in, brief(u.Findings))
			continue
		}
		if said := reply(t, s, planOf(t, s, "budget")); !strings.Contains(said, "you meant "+other) {
			t.Errorf("%q is answered %q, want %s as well", in, said, other)
		}
	}
}
