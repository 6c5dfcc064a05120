package reading

import (
	"strings"
	"testing"

	"quaestor/chat/chattest"
	"quaestor/obligations"
	"quaestor/sessions"
)

// heardFreely is a message as people write it, and what must and must not come of it.
type heardFreely struct {
	language, objective string
	asked               string // with ? where its value is read back
	held                string // key=value, apart by semicolons
	in                  string
	want                string // what must be among the findings, apart by semicolons
	never               string // what must not
}

// People correct what was noted, mix what they tell, and talk to the interviewer; the messages
// are those of ten of them.
func TestPeopleWhoTalkFreely(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 6)

	const bp, pd = "business_profile", "project_discovery"
	for _, tt := range []heardFreely{
		// What follows a no is not always the answer.
		{"en", bp, "business_overview?", `business_overview="good afternoon"`, "No, good afternoon is only hello. I have the guest house, seven room.", "", "only hello"},
		{"de", bp, "business_overview?", `business_overview="Ich bin Steuerberater"`, "Nein, das stimmt so nicht, das war nur ein Hinweis. Es ist eine Kanzlei in Kassel, wir machen Steuererklärungen und Lohnbuchhaltung.", "Kanzlei in Kassel", "stimmt so nicht;Hinweis"},
		{"en", bp, "primary_goal?", `primary_goal="sell more subscriptions";timeline="2026-11"`, "no. november was when i lost money, not a target. and yes subscriptions", "", "lost money"},
		{"de", pd, "project_summary?", `project_summary="Bei uns hat gestern der Aufzug gestreikt"`, "Nein, das mit dem Aufzug war nur so. Ich bin im Seniorenheim Lindenhof die Hauswirtschaftsleitung, 86 Bewohner.", "", "Aufzug war nur"},
		{"en", pd, "user_groups?", `user_groups="Dispatchers, 38 drivers"`, "No! I'm not the decision maker, Geoff is. How did you get 'you' out of that?", "", "user_groups=\"I'm"},
		{"en", bp, "main_challenge?", `main_challenge="You write already in Tavira"`, "NO. Nobody say 'you write already'. The problem is booking.com take 17 percent and winter empty.", "booking.com take 17 percent", "Nobody say"},
		{"en", bp, "primary_goal?", `primary_goal="a second boat"`, "two. well three in july, a student", "", "primary_goal"},
		{"en", bp, "business_overview?", `business_overview="Mobile bike repair, Bristol, 3 vans"`, "no, 'mobile bike repair'. bristol and bath actually. next", "obile bike repair", "bath"},
		{"en", pd, "project_summary?", `project_summary="Finally"`, "What? No. 'Finally' isn't the project. We plan all loads on a whiteboard and I want it off the whiteboard. Drivers call me forty times a day.", "We plan all loads", "isn't the project"},
		{"de", bp, "main_challenge?", `main_challenge="die Kanzlei in fünf Jahren";success_measure="etwas"`, "Nein, das ist mein Ziel und nicht mein Hindernis. Das Hindernis ist, dass ich keine Fachangestellten finde, seit zwei Jahren.", "Fachangestellten", "success_measure=;mein Ziel"},
		{"de", bp, "industry?", `industry="es geht schon"`, "Nein, das war die Antwort an Sie. Branche ist Kfz-Werkstatt.", `industry="Kfz-Werkstatt"`, "Branche ist;Antwort an"},
		// Fields that are named get what is named.
		{"de", bp, "", `timeline="2026-12-31"`, "280.000 Personen? Nein. Euro. Wir sind drei Leute. Und 1991.", "team_size=3", "timeline;280000"},
		{"en", bp, "founded", `timeline="2027-08"`, "2016. I literally told you, you removed it. 14 May 2016.", "", "timeline"},
		{"en", bp, "founded", `timeline="2016";team_size=2;target_market_size=60000`, "Now you've moved my deadline to 2016. Time travel, lovely. Target date August 2027. Founded 2016. Team seven. Customers not 60,000. Are you all right?", `timeline="2027-08";founded="2016";team_size=7`, "founded=\"2027"},
		{"de", bp, "annual_revenue?", `annual_revenue=10000;team_size=480000;budget=10`, "Um Gottes Willen, 480.000 Leute in da Backstubn! ACHT. Acht Leute. Und Jahresumsatz 480.000 Euro, und Budget zehn- bis fünfzehntausend.", `team_size=8;annual_revenue=480000!;budget={"min":10000,"max":15000}`, "annual_revenue=8000"},
		{"de", bp, "team_size?", `team_size=8`, "Acht stimmt. Aber bitte schreiben S' nicht 480.000 Kunden, und nicht 10 Euro Budget. Können S' mir mal zeigen, was Sie alles aufgschrieben haben?", "", "480000;annual_revenue"},
		{"de", bp, "time_available", `annual_revenue=12000`, "Jahresumsatz? Des war des Budget! Umsatz mach ma so vierhundertachtzigtausend. Und Zeit: Mittwochnachmittag, drei Stund.", "annual_revenue=480000;time_available=3", "budget=480000"},
		{"de", bp, "budget", "", "Budget, ja mei. So zehn- bis fünfzehntausend, mehr gibt die Raiffeisen net her.", `budget={"min":10000,"max":15000}`, ""},
		{"de", bp, "team_size", "", "Wir sind zu dritt, ich, Jens und der Lehrling Emre. Gegründet 1991, das sagte ich. Umsatz vielleicht 280.000, das steht in Dieters Ordnern.", `team_size=3;founded="1991";annual_revenue=280000`, ""},
		{"de", bp, "main_challenge", "", "Das Personal halt, wir sind zu acht, und meine Schwester hilft aus", "team_size=8", ""},
		{"en", bp, "budget", "", "3000 maybe. have to ask the bank. could be 4", "budget=3000", "annual_revenue"},
		{"en", bp, "budget", "", "Maybe 2.000, 2.500 euro. And two hour in the week, after breakfast.", "budget=;time_available=2", "budget=2~"},
		{"en", bp, "time_available", "annual_revenue=4", "4 what? that was thousand, for the budget. revenue is around 140k. hours.. none. ok two", "annual_revenue=140000", "annual_revenue=2;annual_revenue=none"},
		{"en", bp, "time_available", "annual_revenue=2", "i said two. two hours. revenue 140 thousand. pls fix", "annual_revenue=140000;time_available=2", ""},
		{"en", bp, "budget", "", "Means and limits, that's my wife. We've got 60k from the bank, maybe 70 if I shave. Target August. Time: about four hours a week that aren't on fire.", "budget=;time_available=4", "target_market_size"},
		{"en", bp, "team_size", "", "Team: me, two brewers, four part-timers behind the bar, so seven. Since 2016. Sales about 420 grand, give or take a keg.", `team_size=7;founded="2016";annual_revenue=420000`, ""},
		{"en", bp, "annual_revenue?", "annual_revenue=420000;team_size=2", "2016! Four of us founded it in a garage, if that helps you. Actually three, Dave left.", "", "annual_revenue"},
		{"en", bp, "annual_revenue?", "annual_revenue=420000;team_size=2", "SEVEN, and sales 420 thousand, and put me out of my misery: summary please.", "", "sales_channels;annual_revenue=7"},
		{"de", bp, "team_size", "", "Acht, mit mir und meinem Mann, das hab ich vorhin schon gesagt. Und die 480.000, haben S' die?", "team_size=8", "480000"},
		{"en", bp, "team_size", "", "I and my daughter, and Fátima clean. 3. Open since 2011. Sales 70 thousand more or less. Please show me all.", `team_size=3;founded="2011";annual_revenue=70000`, ""},
		// What is denied is not held.
		{"en", pd, "data_kinds", "", "Names, where the drivers are, customer rates. Health no.", "contact_details", `"health"`},
		{"en", pd, "data_kinds?", `data_kinds=["contact_details","health"]`, "NO. I said health NO. Names, locations, rates.", "", `"health"`},
		{"de", bp, "revenue_model?", `revenue_model=["subscription"]`, "Abo? Naa, des haben wir net. Die kaufen halt und zahlen.", "", "subscription"},
		{"de", bp, "revenue_model", "", "Kein Abo. Mandate auf Honorarbasis.", "", "subscription"},
		{"de", pd, "core_requirements?", `core_requirements=["Stock","sind undicht"]`, "Nein, Fenster egal. Die Tablets müssen Temperaturen erfassen, auch nachts", "Temperaturen", `"Fenster`},
		{"en", pd, "out_of_scope", "", "Leave invoicing alone. Geoff's been burned by that.", "nvoicing", "skip"},
		// Remarks are no values.
		{"en", bp, "annual_revenue", `annual_revenue=420000`, "What have you actually got written down about my brewery? List it.", "", "="},
		{"de", bp, "success_measure", "", "Sie haben meine Frage nach dem KI-Training nicht beantwortet. Und als Bremse steht jetzt mein Ziel. Bitte streichen.", "", "success_measure="},
		{"de", bp, "industry", "", "Es geht schon. Machen wir weiter, aber langsam bitte.", "", "industry="},
		{"de", pd, "integrations", "", "Ich muss jetzt runter, die Frau Sommer ruft. Ist das so recht?", "", "integrations="},
		{"en", bp, "main_challenge", `primary_goal="already in Tavira"`, "You write already in Tavira. is wrong. And what hold back: the booking dot com take 17 percent, and winter nobody come.", "booking dot com", "You write"},
		{"de", bp, "primary_goal", "", "Moment. Bei mir steht jetzt als Unternehmen 'das stimmt so nicht'? Das ist doch Unsinn. Bitte korrigieren: Steuerkanzlei in Kassel, elf Mitarbeiter.", "", "primary_goal="},
		{"en", bp, "business_overview", "", "hi. i run a small ferry across a river, me and my cousin, since my dad died in 2014", "business_overview=", ""},
	} {
		checkFreely(t, m, tt)
	}
}

// checkFreely hears a message, and counts what is missing or too much of what it tells.
func checkFreely(t *testing.T, m *chattest.Tally, tt heardFreely) {
	t.Helper()
	d := chattest.Shipped(t, tt.objective).In(tt.language)
	key, confirming := strings.CutSuffix(tt.asked, "?")
	s := chattest.SceneIn(d, key, tt.in)
	s.Session.Language = tt.language
	turn := 0
	for _, h := range strings.Split(tt.held, ";") {
		if k, v, ok := strings.Cut(h, "="); ok {
			turn++
			chattest.Hold(s, k, v, turn)
		}
	}
	if confirming {
		s.Asked = chattest.Ask(obligations.Find(s.Obligations, key), sessions.ToConfirm)
	}
	got := chattest.Brief(understand(t, s).Findings)
	for _, w := range strings.Split(tt.want, ";") {
		if !strings.Contains(got, w) {
			m.Errorf("%s: %q\n    tells %s\n    without %s", tt.asked, tt.in, got, w)
		}
	}
	for _, w := range strings.Split(tt.never, ";") {
		if w != "" && strings.Contains(got, w) {
			m.Errorf("%s: %q\n    tells %s\n    with %s", tt.asked, tt.in, got, w)
		}
	}
}

// A no that is said twice, or before a reason, is the answer to a question of yes or no.
func TestNoIsAnAnswer(t *testing.T) {
	t.Parallel()

	for _, said := range []string{"No no, forbidden here.", "no, no", "Well, no."} {
		if got := chattest.Brief(understand(t, chattest.Scene("online", said)).Findings); got != `online="no"` {
			t.Errorf("%q tells %s", said, got)
		}
	}
}
