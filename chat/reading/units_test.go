package reading

import (
	"testing"
)

// "235 acres" were yearly sales of 235, and "80 cows" of 80.
func TestFiguresOfAnotherUnitAreNotTaken(t *testing.T) {
	t.Parallel()

	const bp = "business_profile"
	checkSpoken(t, []spokenTo{
		{"en", bp, "annual_revenue", nil, "235 acres", ""},
		{"en", bp, "annual_revenue", nil, "we have 235 acres", ""},
		{"en", bp, "annual_revenue", nil, "80 cows", ""},
		{"en", bp, "annual_revenue", nil, "about 300 square metres", ""},
		{"en", bp, "annual_revenue", nil, "6 tonnes a year", ""},
		{"en", bp, "annual_revenue", nil, "12 people", "team_size=12+"},
		{"en", bp, "annual_revenue", nil, "about 40 hours a week", "time_available=40~+"},
		{"en", bp, "budget", nil, "10 hours a week", "time_available=10+"},
		{"en", bp, "budget", nil, "3 months", ""},
		{"en", bp, "team_size", nil, "235 acres", ""},
		{"de", bp, "annual_revenue", nil, "235 Hektar", ""},
		{"de", bp, "annual_revenue", nil, "wir haben 80 Kühe", ""},
		{"de", bp, "annual_revenue", nil, "15 Transporter", ""},
		{"de", bp, "annual_revenue", nil, "300 Quadratmeter", ""},
		{"de", bp, "annual_revenue", nil, "40 Stunden die Woche", "time_available=40+"},
		{"de", bp, "annual_revenue", nil, "zwölf Leute", "team_size=12+"},
		{"de", bp, "budget", nil, "10 Stunden in der Woche", "time_available=10+"},
		{"de", bp, "team_size", nil, "235 Hektar", ""},
		// Money that only has a word behind it:
		{"en", bp, "annual_revenue", nil, "200 thousand sales", "annual_revenue=200000"},
		{"en", bp, "annual_revenue", nil, "80000 at most", `annual_revenue={"min":0,"max":80000}`},
		{"en", bp, "annual_revenue", nil, "5 grand", "annual_revenue=5000"},
		{"en", bp, "budget", nil, "20000 perhaps", "budget=20000~"},
		{"de", bp, "annual_revenue", nil, "200.000 Umsatz", "annual_revenue=200000"},
		{"de", bp, "annual_revenue", nil, "200 Tausend", "annual_revenue=200000"},
		{"de", bp, "budget", nil, "5000 vielleicht", "budget=5000~"},
	})
}
