package language_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"quaestor/internal/language"
)

func shownFigure(f language.Figure) string {
	s := fmt.Sprint(f.Low)
	if f.High != f.Low {
		s += ".." + fmt.Sprint(f.High)
	}
	for _, x := range []struct {
		is   bool
		mark string
	}{{f.Approximate, "~"}, {f.Least, ">"}, {f.Most, "<"}, {f.Percent, "%"}} {
		if x.is {
			s += x.mark
		}
	}
	return strings.TrimSpace(strings.Join(strings.Fields(s+" "+f.Currency+" "+f.Unit), " ") + map[bool]string{true: "/" + f.Period}[f.Period != ""])
}

func TestFiguresAreRead(t *testing.T) {
	t.Parallel()

	for _, x := range []struct{ language, text, want string }{
		{"en", "about 450 euros a month", "450~ EUR/month"},
		{"en", "$4.2M, give or take", "4.2e+06~ USD"},
		{"en", "150'000", "150000"},
		{"en", "1,500 or 1,600", "1500..1600~"},
		{"en", "10, or maybe 12", "10..12~"},
		{"en", "between ten and twelve", "10..12"},
		{"en", "twenty-five", "25"},
		{"en", "a hundred and twenty or so", "120~"},
		{"en", "two and a half hours", "2.5 hour"},
		{"en", "an hour", "1 hour"},
		{"en", "a solid hour", "1~ hour"},
		{"en", "12 hours a week", "12 hour/week"},
		{"en", "half a million pounds", "500000 GBP"},
		{"en", "a dozen", "12"},
		{"en", "three dozen eggs", "36"},
		{"en", "12-15 people", "12..15"},
		{"en", "10 to 12k", "10000..12000"},
		{"en", "at least 30 kg", "30> kg"},
		{"en", "up to 40 %", "40<%"},
		{"en", "fourty", "40"},
		{"en", "1.5k a year", "1500/year"},
		{"en", "half", ""},
		{"en", "a couple of thousand", "2000"},
		{"en", "couple hundred quid", "200 GBP"},
		{"en", "two or three hundred", "200..300~"},
		{"en", "five or six grand", "5000..6000~"},
		{"en", "two and a half million", "2.5e+06"},
		{"en", "200 to 300k", "200000..300000"},
		{"en", "twenty or twenty-five", "20..25~"},
		{"en", "500 to 1k", "500..1000"},
		{"en", "50 000", "50000"},
		{"en", "1 000 000 euros", "1e+06 EUR"},
		{"en", "minus 3", "-3"},
		{"en", "seven point six four metres", "7.64 m"},
		{"de", "sieben Komma sechs vier Meter", "7.64 m"},
		{"en", "-3%", "-3%"},
		{"en", "room 3-4", "3..4"},
		{"en", "three thousand four hundred", "3400"},
		{"en", "£12.50 per hour", "12.5 GBP/hour"},
		{"de", "1.500 Euro", "1500 EUR"},
		{"de", "2,3 Mio", "2.3e+06"},
		{"de", "fünfundzwanzig", "25"},
		{"de", "zweitausenddreihundert Franken im Monat", "2300 CHF/month"},
		{"de", "zwölf bis fünfzehn", "12..15"},
		{"de", "ein gutes Dutzend", "12~"},
		{"de", "anderthalb Stunden", "1.5 hour"},
		{"de", "ca. 80 qm", "80~ m²"},
		{"de", "höchstens 50.-", "50<"},
		{"de", "150'000", "150000"},
		{"de", "3 mrd", "3e+09"},
		{"de", "zwischen 10 und 12 Prozent", "10..12%"},
	} {
		var got []string
		for _, f := range language.NewReader(x.language).Figures(language.Words(x.text)) {
			got = append(got, shownFigure(f))
		}
		if s := strings.Join(got, " | "); s != x.want {
			t.Errorf("%q: got %q, want %q", x.text, s, x.want)
		}
	}
}

func TestDatesAreRead(t *testing.T) {
	t.Parallel()

	now := time.Date(2026, 11, 24, 10, 0, 0, 0, time.UTC)
	for _, x := range []struct{ language, text, want string }{
		{"en", "29 feb 84", "1984-02-29"},
		{"en", "nineteen twenty-eight", "1928"},
		{"en", "17/4", "2027-04-17"},
		{"en", "June of last year", "2025-06"},
		{"en", "this morning", "2026-11-24"},
		{"en", "Saturday the 12th of June", "2027-06-12"},
		{"en", "June 12th, 2027", "2027-06-12"},
		{"en", "Aug. the 24th", "2027-08-24"},
		{"en", "mid March", "2027-03"},
		{"en", "the 28th", "2026-11-28"},
		{"en", "the day after tomorrow", "2026-11-26"},
		{"en", "next Friday", "2026-12-04"},
		{"en", "Friday", "2026-11-27"},
		{"en", "on the third of May", "2027-05-03"},
		{"en", "in three weeks", "2026-12-15"},
		{"en", "two months ago", "2026-09"},
		{"en", "next year", "2027"},
		{"en", "spring 2028", "2028-03"},
		{"en", "12/06/2027", "2027-06-12"},
		{"en", "2027-06-12", "2027-06-12"},
		{"en", "christmas", "2026-12-25"},
		{"en", "may I ask", ""},
		{"en", "in May", "2027-05"},
		{"en", "twenty-fifth of october", "2027-10-25"},
		{"en", "since 1998", "1998"},
		{"de", "am 28.", "2026-11-28"},
		{"de", "12.6.2027", "2027-06-12"},
		{"de", "am 3. Mai", "2027-05-03"},
		{"de", "übermorgen", "2026-11-26"},
		{"de", "Ende März", "2027-03"},
		{"de", "in zwei Wochen", "2026-12-08"},
		{"de", "nächsten Freitag", "2026-12-04"},
		{"de", "Ostern", "2027-03-28"},
		{"de", "am 5.12.", "2026-12-05"},
		{"de", "vor zwei Jahren", "2024"},
		{"de", "nächstes Jahr", "2027"},
	} {
		var got []string
		for _, d := range language.NewReader(x.language).Dates(language.Words(x.text), now, language.Ahead) {
			got = append(got, d.ISO)
		}
		if s := strings.Join(got, " | "); s != x.want {
			t.Errorf("%q: got %q, want %q", x.text, s, x.want)
		}
	}
}

// How often an amount comes, behind it and before it.
func TestRatesAreRead(t *testing.T) {
	t.Parallel()

	for _, x := range []struct{ language, text, want string }{
		{"en", "2 hours every evening", "2 hour/every-day"},
		{"en", "every evening about 2 hours", "2~ hour/every-day"},
		{"en", "2 hours each working day", "2 hour/workday"},
		{"en", "an hour on weekdays", "1 hour/workday"},
		{"en", "an hour and a half a week", "1.5 hour/week"},
		{"en", "2 hours twice a week", "2 hour/week x2"},
		{"en", "6 hours every other week", "6 hour/week x0.5"},
		{"en", "each month we take in 800", "800/month"},
		{"en", "monthly about 800", "800~/month"},
		{"en", "an hour in the mornings", "1 hour/day"},
		{"en", "every customer pays 30", "30"},
		{"de", "jeden Morgen eine halbe Stunde", "0.5 hour/every-day"},
		{"de", "zwei Stunden täglich", "2 hour/day"},
		{"de", "zweimal die Woche drei Stunden", "3 hour/week x2"},
		{"de", "alle zwei Wochen 6 Stunden", "6 hour/week x0.5"},
		{"de", "werktags eine Stunde", "1 hour/workday"},
		{"de", "eine Stunde am Tag", "1 hour/day"},
		{"de", "jeder Kunde zahlt 30", "30"},
	} {
		var got []string
		for _, f := range language.NewReader(x.language).Figures(language.Words(x.text)) {
			s := shownFigure(f)
			if f.Times != 0 {
				s += fmt.Sprint(" x", f.Times)
			}
			got = append(got, s)
		}
		if s := strings.Join(got, " | "); s != x.want {
			t.Errorf("%s: %q: got %q, want %q", x.language, x.text, s, x.want)
		}
	}
}

// Quarters, halves and weeks of the year, ends of periods, and what may be two days.
func TestPartsOfYearsAreRead(t *testing.T) {
	t.Parallel()

	now := time.Date(2026, 11, 27, 10, 0, 0, 0, time.UTC) // a Friday
	for _, x := range []struct{ language, text, want string }{
		{"en", "Q2", "2027-04..2027-06~"},
		{"en", "by Q2 2028", "2028-04..2028-06~"},
		{"en", "Q3 next year", "2027-07..2027-09~"},
		{"en", "the second quarter of 2028", "2028-04..2028-06~"},
		{"en", "end of Q1", "2027-03~"},
		{"en", "first half of 2027", "2027-01..2027-06~"},
		{"en", "H2", "2026-07..2026-12~"},
		{"en", "end of the quarter", "2026-12~"},
		{"en", "end of the month", "2026-11~"},
		{"en", "at the end of the year", "2026-12~"},
		{"en", "end of the week", "2026-11-27~"},
		{"en", "beginning of next year", "2027-01~"},
		{"en", "week 12", "2027-03-22~"},
		{"en", "in a couple of weeks", "2026-12-11~"},
		{"en", "in a fortnight", "2026-12-11"},
		{"en", "within the next six months", "2027-05~"},
		{"en", "05/06", "2027-06-05 or 2027-05-06"},
		{"en", "25/12", "2026-12-25"},
		{"en", "06/06", "2027-06-06"},
		{"en", "the 3rd", "2026-12-03 or 2027-01-03"},
		{"en", "next Friday", "2026-12-04 or 2026-11-27"},
		{"en", "Friday", "2026-12-04 or 2026-11-27"},
		{"en", "Thursday", "2026-12-03"},
		{"en", "12 hours a week", ""},
		{"en", "half of 2027", "2027"},
		{"de", "Q2", "2027-04..2027-06~"},
		{"de", "bis Q2 2028", "2028-04..2028-06~"},
		{"de", "zweites Quartal", "2027-04..2027-06~"},
		{"de", "im 1. Halbjahr 2027", "2027-01..2027-06~"},
		{"de", "Ende des Quartals", "2026-12~"},
		{"de", "Ende nächsten Quartals", "2027-03~"},
		{"de", "Quartalsende", "2026-12~"},
		{"de", "zum Jahresende", "2026-12~"},
		{"de", "Ende des Monats", "2026-11~"},
		{"de", "Mitte März", "2027-03~"},
		{"de", "KW 12", "2027-03-22~"},
		{"de", "in der 12. KW", "2027-03-22~"},
		{"de", "KW50", "2026-12-07~"},
		{"de", "in vierzehn Tagen", "2026-12-11"},
		{"de", "am Dritten", "2026-12-03 or 2027-01-03"},
		{"de", "05.06.", "2027-06-05"},
		{"de", "in der Woche 12 Stunden", ""},
		{"de", "Anfang Jahr 2015", "2015"},
	} {
		var got []string
		for _, d := range language.NewReader(x.language).Dates(language.Words(x.text), now, language.Ahead) {
			s := d.ISO
			if d.Through != "" {
				s += ".." + d.Through
			}
			if d.Approximate {
				s += "~"
			}
			if d.Other != "" {
				s += " or " + d.Other
			}
			got = append(got, s)
		}
		if s := strings.Join(got, " | "); s != x.want {
			t.Errorf("%s: %q: got %q, want %q", x.language, x.text, s, x.want)
		}
	}
}

func TestTimesOfDayAreRead(t *testing.T) {
	t.Parallel()

	for _, x := range []struct{ language, text, want string }{
		{"en", "half past ten", "10:30"}, {"en", "quarter to five", "16:45"}, {"en", "8ish", "08:00"}, {"en", "0730", "07:30"}, {"en", "7:15 pm", "19:15"},
		{"en", "10.30 a.m.", "10:30"}, {"en", "half seven in the evening", "19:30"}, {"en", "at two in the afternoon", "14:00"}, {"en", "noon", "12:00"},
		{"en", "seven thirty", "07:30"}, {"en", "ten past nine", "09:10"}, {"en", "five o'clock", "17:00"}, {"en", "19:30", "19:30"},
		{"de", "halb elf", "10:30"}, {"de", "viertel nach neun", "09:15"}, {"de", "um 8 Uhr 30", "08:30"}, {"de", "20 Uhr", "20:00"}, {"de", "dreiviertel acht", "07:45"}, {"de", "abends um acht", "20:00"},
	} {
		var got []string
		for _, c := range language.NewReader(x.language).Clocks(language.Words(x.text)) {
			got = append(got, c.Text)
		}
		if s := strings.Join(got, " | "); s != x.want {
			t.Errorf("%q: got %q, want %q", x.text, s, x.want)
		}
	}
}
