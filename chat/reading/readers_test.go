package reading

import (
	"strconv"
	"strings"
	"testing"

	"quaestor/chat/chattest"
	"quaestor/obligations"
	"quaestor/sessions/objectives"
)

type readerTest struct{ in, want string }

// checkAsked asks for key and compares what each message says of it; a refusal
// reads "refused".
func checkAsked(t testing.TB, key string, tests []readerTest) {
	t.Helper()
	for _, test := range tests {
		u := understand(t, chattest.Scene(key, test.in))
		got := chattest.Brief(u.Findings)
		if got == "" && len(u.Refused) > 0 {
			got = "refused"
		}
		if got == "" {
			got = string(u.Intent)
		}
		want := test.want
		if want != "refused" && want != "unclear" && len(want) > 0 && (want[0] == '"' || want[0] == '[' || want[0] == '{' || want[0] == '-' || want[0] >= '0' && want[0] <= '9') {
			want = key + "=" + want
		}
		if got != want {
			t.Errorf("asked %s, Understand(%q) = %s, want %s (refused %v)", key, test.in, got, want, u.Refused)
		}
	}
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 10)

	checkAsked(m, "team_size", []readerTest{
		{"12", "12"}, {"12 people", "12"}, {"We are 12.", "12"}, {"twelve", "12"}, {"twenty-five", "25"}, {"two hundred", "200"}, {"a dozen", "12"}, {"a hundred", "100"}, {"a hundred and fifty", "150"}, {"three thousand five hundred", "3500"},
		{"50,000", "50000"}, {"50.000", "50000"}, {"50 000", "50000"}, {"5k", "5000"}, {"between 5 and 10", `{"min":5,"max":10}`}, {"5-10", `{"min":5,"max":10}`}, {"5 – 10 people", `{"min":5,"max":10}`}, {"from 5 to 10", `{"min":5,"max":10}`},
		{"about 50", "50~"}, {"around 50 people", "50~"}, {"~50", "50~"}, {"50ish", "50~"}, {"50 or so", "50~"}, {"roughly twenty", "20~"}, {"at least 3", "3~"}, {"up to 50", `{"min":0,"max":50}`}, {"5 or 6", `{"min":5,"max":6}~`}, {"no one", "0"}, {"none", "0"}, {"nobody", "0"},
		{"just me, so 1", "1"}, {"one", "1"}, {"I think 12", "12~"}, {"a couple", "2~"}, {"a few", "refused"}, {"several people", "refused"}, {"12.5", "refused"}, {"-3", "refused"}, {"200000", "refused"}, {"30%", "refused"},
		{"we had 20 last year but now 12", "12"}, {"12 in 2024", "12"}, {"10 or 20, depending", `{"min":10,"max":20}~`}, {"twelve full-time and nothing else", "12"}, {"lots", "refused"}, {"bananas", "unclear"}, {"12!", "12"}, {"It's 12, thanks", "12"},
	})
	checkAsked(m, "budget", []readerTest{
		{"20k", "20000"}, {"$20,000", "20000"}, {"€ 20.000,50", "20000.5"}, {"20,000 euros", "20000"}, {"half a million", "500000"}, {"1.5m", "1500000"}, {"1.25 million", "1250000"}, {"10 to 20k", `{"min":10000,"max":20000}`}, {"10k-20k", `{"min":10000,"max":20000}`},
		{"20 grand", "20000"}, {"two and a half million", "2500000"}, {"up to 50k", `{"min":0,"max":50000}`}, {"under a million", `{"min":0,"max":1000000}`}, {"USD 3000", "3000"}, {"£5", "5"}, {"3bn", "3000000000"}, {"200 to 300k", `{"min":200000,"max":300000}`}, {"500 to 1k", `{"min":500,"max":1000}`},
		{"two hundred thousand", "200000"}, {"maybe 20k", "20000~"}, {"20k?", "20000~"}, {"zero", "0"}, {"1,200.50", "1200.5"}, {"1.200,50", "1200.5"}, {"0.500", "0.5"}, {"12,50", "12.5"}, {"about half a million dollars", "500000~"}, {"300K", "300000"},
		{"20k, maybe 25k", "refused"}, {"1 000 000", "1000000"},
	})
	checkAsked(m, "runway", []readerTest{
		{"two years", "24"}, {"18 months", "18"}, {"18", "18"}, {"a year and a half", "18"}, {"half a year", "6"}, {"6 weeks", "1.4~"}, {"a year", "12"}, {"2 quarters", "6"}, {"12-18 months", `{"min":12,"max":18}`}, {"one to two years", `{"min":12,"max":24}`}, {"6mo", "6"}, {"52 weeks", "12"}, {"90 days", "3"}, {"100 years", "refused"}, {"1.5 years", "18"},
	})
	checkAsked(m, "growth", []readerTest{{"10%", "10"}, {"10 percent", "10"}, {"ten per cent", "10"}, {"5 to 10 %", `{"min":5,"max":10}`}, {"-3%", "-3"}, {"minus 3", "-3"}, {"about 12 %", "12~"}})
}

func TestDates(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 27)

	checkAsked(m, "launch", []readerTest{
		{"2027-03-31", `"2027-03-31"`}, {"2027-03", `"2027-03"`}, {"31/03/2027", `"2027-03-31"`}, {"3/31/2027", `"2027-03-31"`}, {"03/04/2027", "refused"}, {"04/04/2027", `"2027-04-04"`}, {"31.03.2027", `"2027-03-31"`}, {"31.3.27", `"2027-03-31"`},
		{"March 2027", `"2027-03"`}, {"31 March 2027", `"2027-03-31"`}, {"March 31, 2027", `"2027-03-31"`}, {"31st of March", `"2027-03-31"`}, {"mar 3rd", `"2027-03-03"`}, {"September", `"2026-09"`}, {"in May", `"2027-05"`}, {"May", `"2027-05"`}, {"by December", `"2026-12"`},
		{"Q2 2027", `"2027-06"~`}, {"end of Q2", `"2027-06-30"`}, {"end of Q4", `"2026-12-31"`}, {"second quarter of 2027", `"2027-06"~`}, {"in three months", `"2026-11"`}, {"in 2 weeks", `"2026-08-26"`}, {"in ten days", `"2026-08-22"`}, {"two years from now", `"2028"`}, {"within six months", `"2027-02"`}, {"in a year", `"2027"`},
		{"next spring", `"2027-03"~`}, {"this autumn", `"2026-09"~`}, {"summer 2027", `"2027-06"~`}, {"by the end of the year", `"2026-12-31"`}, {"by year end", `"2026-12-31"`}, {"end of the month", `"2026-08-31"`}, {"early 2027", `"2027-02"~`}, {"mid-2027", `"2027-07"~`}, {"late 2027", `"2027-11"~`}, {"end of March", `"2027-03-31"`},
		{"tomorrow", `"2026-08-13"`}, {"Friday", `"2026-08-14"`}, {"next Monday", `"2026-08-17"~`}, {"on Wednesday", `"2026-08-19"`}, {"next month", `"2026-09"`}, {"next year", `"2027"`}, {"2027", `"2027"`}, {"Christmas", `"2026-12-25"~`}, {"before Easter", `"2027-03-28"~`}, {"Easter 2028", `"2028-04-16"~`}, {"after Easter next year", `"2027-03-28"~`},
		{"as soon as possible", "refused"}, {"soon", "refused"}, {"31/31/2027", "refused"}, {"March 2020", "refused"}, {"last year", "refused"}, {"around March 2027", `"2027-03"~`}, {"maybe in October", `"2026-10"~`}, {"March or April 2027", "refused"}, {"whenever", "unclear"}, {"not sure, perhaps next spring", `"2027-03"~`},
	})
	checkAsked(m, "founded", []readerTest{{"in 1999", `"1999"`}, {"March 2020", `"2020-03"`}, {"3 years ago", `"2023"`}, {"last year", `"2025"`}, {"yesterday", `"2026-08-11"`}, {"12/25/2019", `"2019-12-25"`}})
}

func TestChoices(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 23)

	checkAsked(m, "company_size", []readerTest{
		{"Small business", `"small_business"`}, {"small_business", `"small_business"`}, {"smb", `"small_business"`}, {"a startup", `"small_business"`}, {"The second one", `"mid_market"`}, {"2", `"mid_market"`}, {"b)", `"mid_market"`}, {"b", `"mid_market"`}, {"option 3", `"enterprise"`}, {"the last", `"enterprise"`}, {"the last one", `"enterprise"`}, {"number two", `"mid_market"`}, {"first", `"small_business"`},
		{"entreprise", `"enterprise"`}, {"enterprize", `"enterprise"`}, {"smal busines", `"small_business"`}, {"mid market", `"mid_market"`}, {"medium sized", `"mid_market"`}, {"not enterprise, but small business", `"small_business"`}, {"mostly small business, some enterprise", `"small_business"`},
		{"small business and enterprise", "refused"}, {"not enterprise", "refused"}, {"neither small business nor mid-market", `"enterprise"`}, {"I think enterprise", `"enterprise"~`}, {"enterprise?", `"enterprise"~`}, {"the small ones", `"small_business"`}, {"We're a small business.", `"small_business"`}, {"purple", "unclear"}, {"4", "unclear"}, {"large companies", `"enterprise"`},
	})
	checkAsked(m, "channels", []readerTest{
		{"online and own shop", `["web","shop"]`}, {"Online, E-mail & Partners", `["web","email","partners"]`}, {"1 and 3", `["shop","email"]`}, {"1,2", `["shop","web"]`}, {"all of them", `["shop","web","email","partners"]`}, {"everything except partners", `["shop","web","email"]`}, {"all but e-mail", `["shop","web","partners"]`},
		{"the first two", `["shop","web"]`}, {"email\nonline", `["email","web"]`}, {"online but not partners", `["web"]`}, {"none", "channels skip:not_applicable"}, {"none of these", "channels skip:not_applicable"}, {"website", `["web"]`}, {"online, markets", `["web","markets"]`}, {"a and c", `["shop","email"]`}, {"both online and in store", `["web","shop"]`}, {"emial", `["email"]`}, {"resellers mostly", `["partners"]`}, {"trade fairs", `["trade fairs"]`},
	})
}

func TestTexts(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 5)

	checkAsked(m, "target_market", []readerTest{
		{"small clinics", `"small clinics"`}, {"Well, I think small clinics", `"small clinics"~`}, {"My target market is small businesses in healthcare", `"small businesses in healthcare"`}, {"target market: dentists.", `"dentists"`}, {"good", `"good"?`}, {"stuff", `"stuff"?`}, {"everyone", `"everyone"?`}, {"it depends", `"it depends"~?`}, {"various", `"various"?`}, {"all kinds of people", `"all kinds of people"?`},
		{"x", `"x"?`}, {"Dentists, doctors and vets", `"Dentists, doctors and vets"`}, {"- dentists\n- vets", `"dentists\n- vets"`}, {"probably dentists", `"dentists"~`}, {"dentists, I guess", `"dentists"~`}, {"歯科医", `"歯科医"`}, {"أطباء الأسنان", `"أطباء الأسنان"`}, {"people who might move house in the next year or two, mostly in cities", `"people who might move house in the next year or two, mostly in cities"`},
		{"“small” clinics", `"“small” clinics"`}, {"growing by 20%", `"growing by 20%"`}, {"right-handed golfers", `"right-handed golfers"`}, {"so-called solopreneurs", `"so-called solopreneurs"`},
	})
	checkAsked(m, "competitors", []readerTest{{"we don't have competitors", `"we don't have competitors"`}, {"None that I know of", `"None that I know of"`}, {"Acme", `"Acme"`}})
}

func TestRemedies(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 3)

	tests := []struct{ key, in, want string }{
		{"team_size", "200000", "It should be a figure from 0 to 100,000."},
		{"launch", "03/04/2027", "That could be 3 April 2027 or 4 March 2027; please name the month."},
		{"launch", "March 2020", "That date has passed; please give me one that lies ahead."},
		{"company_size", "not enterprise", "Then it's one of the others: Small business or Mid-market."},
	}
	for _, test := range tests {
		u := understand(m, chattest.Scene(test.key, test.in))
		if len(u.Refused) != 1 || u.Refused[0].Remedy != test.want {
			m.Errorf("Understand(%q).Refused = %v, want %q", test.in, u.Refused, test.want)
		}
	}
}

func TestLabelRanges(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 4)

	d := chattest.Templates()[:1]
	d[0] = obligations.Template{Key: "size", Prompt: "How many?", Widget: obligations.ChoiceOne, Priority: 5, Choices: []obligations.Choice{{Value: "s", Label: "1–10"}, {Value: "m", Label: "11 to 50 people"}, {Value: "l", Label: "More than 50"}}}
	for _, test := range []struct{ in, want string }{{"20", "m"}, {"about 7", "s"}, {"we are 300", "l"}, {"11-50", "m"}, {"the first", "s"}} {
		if got, want := chattest.Brief(understand(m, chattest.SceneIn(&objectives.Definition{Obligations: d}, "size", test.in)).Findings), "size="+strconv.Quote(test.want); !strings.HasPrefix(got, want) {
			m.Errorf("Understand(%q) finds %s, want %s", test.in, got, want)
		}
	}
}

// "People in town don't know we exist" was not sure. Only who speaks can doubt.
func TestOthersNotKnowingIsNoDoubt(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 5)

	for _, test := range []struct {
		in     string
		hedged bool
	}{
		{"People in town don't know we exist", false},
		{"owners don't know each other and dogs are bored", false},
		{"They don't know how to fix a bike themselves", false},
		{"customers who have no idea what they need", false},
		{"Parents are not sure whom to trust", false},
		{"many do not know exactly what they pay for", false},
		{"Nobody knows us, people are unsure", false},
		{"our guests really don't know where to park", false},
		{"You don't know whether the bus comes", false},
		{"I don't know, maybe bakers", true},
		{"bakers, but I don't know", true},
		{"we do not know exactly, bakers", true},
		{"Not sure, bakers", true},
		{"bakers, not sure though", true},
		{"bakers, no idea really", true},
		{"don't know exactly, bakers", true},
		{"bakers and I'm really not sure", true},
		{"bakers, I honestly do not know", true},
		{"bakers perhaps", true},
		{"I am unsure but bakers", true},
	} {
		u := cut(test.in)
		if got := u.hedged(u.all()); got != test.hedged {
			m.Errorf("hedged(%q) = %t, want %t", test.in, got, test.hedged)
		}
	}
}
