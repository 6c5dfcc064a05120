package reading

import (
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
