package question_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"quaestor/internal/language/messages"
	"quaestor/research/warehouse/question"
)

// TestDaysOfTheWeekAndHours asks for rows of some days of the week and hours of the day, in English and German.
func TestDaysOfTheWeekAndHours(t *testing.T) {
	t.Parallel()

	l := newLab(t, []string{
		`CREATE SCHEMA shop`,
		`CREATE TABLE shop.sales (id bigint PRIMARY KEY, sold_on date, sold_at timestamp, amount numeric(10,2), status text)`,
		`INSERT INTO shop.sales SELECT row_number() OVER (), d::date, d + h * interval '1 hour' + interval '20 minutes', 10 + h, CASE WHEN (n + h) % 3 = 0 THEN 'returned' ELSE 'kept' END
		 FROM generate_series(timestamp '2026-01-01', timestamp '2026-06-30', '1 day') d, generate_series(0, 23) h, generate_series(1, 1 + (h % 5) + EXTRACT(ISODOW FROM d)::int % 3) n`,
		`CREATE TABLE shop.parcels (id bigint PRIMARY KEY, sent_on date)`,
		`INSERT INTO shop.parcels SELECT i, date '2026-01-01' + i % 90 FROM generate_series(1, 400) i`,
		`ANALYZE`})
	const count, dow, hour = "SELECT count(*) FROM shop.sales WHERE ", "EXTRACT(ISODOW FROM sold_at)", "EXTRACT(HOUR FROM sold_at)"
	for _, c := range []struct{ tag, ask, truth, says string }{
		{"en", "How many sales did we have on Saturdays?", count + dow + " = 6", "on a Saturday"},
		{"en", "how many sales on saturdays and sundays in May 2026", count + dow + " IN (6, 7) AND sold_at >= '2026-05-01' AND sold_at < '2026-06-01'", "on a Saturday or Sunday"},
		{"en", "total amount of sales before noon", "SELECT sum(amount) FROM shop.sales WHERE " + hour + " < 12", "before 12 pm"},
		{"en", "How many sales were there after 6 pm on weekdays?", count + hour + " >= 18 AND " + dow + " <= 5", "from 6 pm on"},
		{"en", "How many sales between 8 and 10 am?", count + hour + " IN (8, 9)", "from 8 am to 10 am"},
		{"en", "How many sales between 2 and 5 pm?", count + hour + " IN (14, 15, 16)", "from 2 pm to 5 pm"},
		{"en", "How many sales do we make at night?", count + "(" + hour + " >= 22 OR " + hour + " < 6)", "from 10 pm to 6 am"},
		{"en", "How many sales on a Monday?", count + dow + " = 1", "on a Monday"},
		{"en", "How many sales from Friday to Sunday?", count + dow + " >= 5", "Friday, Saturday or Sunday"},
		{"en", "What share of sales is on weekends?", "SELECT 100.0 * avg((" + dow + " >= 6)::int) FROM shop.sales", "%"},
		{"en", "What share of sales on Sundays is returned?", "SELECT 100.0 * avg((status = 'returned')::int) FROM shop.sales WHERE " + dow + " = 7", "on a Sunday"},
		{"en", "Which hour has the most sales on Tuesdays?", "SELECT max(n) FROM (SELECT count(*) AS n FROM shop.sales WHERE " + dow + " = 2 GROUP BY " + hour + ") q", "on a Tuesday"},
		{"en", "Which weekday has the most sales before 9:00?", "SELECT max(n) FROM (SELECT count(*) AS n FROM shop.sales WHERE " + hour + " < 9 GROUP BY " + dow + ") q", "before 9 am"},
		{"en", "How many sales do we have at the weekend?", count + dow + " >= 6", "on a Saturday or Sunday"},
		{"en", "Which hour has the most sales?", "SELECT max(n) FROM (SELECT count(*) AS n FROM shop.sales GROUP BY " + hour + ") q", "by hour of the day (by sold at)"},
		{"de", "Wie viele Verkäufe gab es am Wochenende?", count + dow + " >= 6", "an einem Samstag oder Sonntag"},
		{"de", "Wie viele Verkäufe hatten wir samstags?", count + dow + " = 6", "an einem Samstag"},
		{"de", "Wie viele Verkäufe gab es vormittags?", count + hour + " >= 6 AND " + hour + " < 12", "von 6 Uhr bis 12 Uhr"},
		{"de", "Wie viele Verkäufe gab es vor 12 Uhr?", count + hour + " < 12", "vor 12 Uhr"},
		{"de", "Wie viele Verkäufe montags bis freitags nach 18 Uhr?", count + dow + " <= 5 AND " + hour + " >= 18", "ab 18 Uhr"},
		{"de", "Wie hoch war die Summe der Beträge der Verkäufe an Sonntagen im Mai 2026?", "SELECT sum(amount) FROM shop.sales WHERE " + dow + " = 7 AND sold_at >= '2026-05-01' AND sold_at < '2026-06-01'", "an einem Sonntag"},
		{"de", "Welcher Wochentag hat die meisten Verkäufe zwischen 8 und 10 Uhr?", "SELECT max(n) FROM (SELECT count(*) AS n FROM shop.sales WHERE " + hour + " IN (8, 9) GROUP BY " + dow + ") q", "von 8 Uhr bis 10 Uhr"},
		{"en", "How many parcels were sent on Saturdays?", "SELECT count(*) FROM shop.parcels WHERE EXTRACT(ISODOW FROM sent_on) = 6", "on a Saturday"},
	} {
		answer, err := question.Ask(t.Context(), l.gateway, question.Text{Words: c.ask, Language: c.tag, Now: today}, question.Options{Name: "Trade"})
		if err != nil {
			t.Errorf("Ask(%q): %v", c.ask, err)
			continue
		}
		t.Log(answer.Sentence)
		if want := l.truth(c.truth); math.Abs(answer.Figure-want) > 0.006 {
			t.Errorf("Ask(%q) = %v, want %v\n%s", c.ask, answer.Figure, want, answer.SQL)
		}
		if !strings.Contains(answer.Sentence, c.says) {
			t.Errorf("Ask(%q) says %q, without %q", c.ask, answer.Sentence, c.says)
		}
	}
	for ask, why := range map[string]question.Reason{
		"How many parcels were sent before noon?":   question.NoHours, // days know no hours
		"How many sales not on Saturdays?":          question.TooMuch,
		"How many sales on Mondays before Tuesdays": question.TooMuch,
	} {
		answer, err := question.Ask(t.Context(), l.gateway, question.Text{Words: ask, Language: "en", Now: today}, question.Options{Name: "Trade"})
		var u *question.Unclear
		if !errors.As(err, &u) || u.Why != why {
			t.Errorf("Ask(%q) = %+v, %v, want it declined as %s", ask, answer, err, why)
			continue
		}
		t.Log(u.In(messages.In("en")))
	}
	// A single day is that day, as before.
	answer, err := question.Ask(t.Context(), l.gateway, question.Text{Words: "How many sales on Friday 1 May 2026?", Language: "en", Now: today}, question.Options{Name: "Trade"})
	if err != nil || answer.Period != "2026-05-01" {
		t.Errorf("a single day: %+v, %v", answer, err)
	}
}
