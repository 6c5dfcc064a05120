package question_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"quaestor/internal/llm"
	"quaestor/internal/llm/llmtest"
	"quaestor/internal/secret"
	"quaestor/research/warehouse/question"
)

// TestPartsOfTheCalendarHaveNames makes sure that whoever asks when most happens hears the name of the weekday, the hour
// or the month, in the language of the question, and not the number that the warehouse has for it.
func TestPartsOfTheCalendarHaveNames(t *testing.T) {
	t.Parallel()

	l := newLab(t, []string{
		`CREATE SCHEMA shop`,
		`CREATE TABLE shop.sales (id bigint PRIMARY KEY, sold_at timestamp, amount numeric(10,2), store text, weekday smallint)`,
		// Most on Thursdays, at three in the afternoon, in the months of March; the least in November 2024.
		`INSERT INTO shop.sales SELECT row_number() OVER (), d + h * interval '1 hour', 10, 'A', EXTRACT(DOW FROM d)
		 FROM generate_series(timestamp '2023-01-01', timestamp '2024-12-31', '1 day') d, generate_series(9, 19) h,
		      generate_series(1, 2 + 3 * (EXTRACT(ISODOW FROM d) = 4)::int + 2 * (h = 15)::int + 2 * (EXTRACT(MONTH FROM d) = 3)::int - (d >= '2024-11-01' AND d < '2024-12-01')::int) n`,
		`CREATE TABLE shop.visits (visit_no bigint PRIMARY KEY, visitors integer, month smallint, hour smallint)`,
		`INSERT INTO shop.visits SELECT i, 1 + i % 5, 1 + i % 12, i % 24 FROM generate_series(1, 900) i`,
		`INSERT INTO shop.visits SELECT 1000 + i, 3, 12, 0 FROM generate_series(1, 300) i`,
		`ANALYZE`})
	for _, c := range []struct{ tag, ask, truth, says string }{
		{"en", "Which weekday has the most sales?", "SELECT max(n) FROM (SELECT count(*) AS n FROM shop.sales GROUP BY EXTRACT(ISODOW FROM sold_at)) q", "Thursday"},
		{"en", "Which weekday sells most?", "SELECT max(n) FROM (SELECT count(*) AS n FROM shop.sales GROUP BY EXTRACT(ISODOW FROM sold_at)) q", "Thursday"},
		{"en", "On which day of the week do we have the fewest sales?", "SELECT min(n) FROM (SELECT count(*) AS n FROM shop.sales GROUP BY EXTRACT(ISODOW FROM sold_at)) q", "lowest for"},
		{"de", "An welchem Wochentag haben wir die meisten Verkäufe?", "SELECT max(n) FROM (SELECT count(*) AS n FROM shop.sales GROUP BY EXTRACT(ISODOW FROM sold_at)) q", "Donnerstag"},
		{"en", "At what hour of the day are most sales?", "SELECT max(n) FROM (SELECT count(*) AS n FROM shop.sales GROUP BY EXTRACT(HOUR FROM sold_at)) q", "3 pm"},
		{"de", "Zu welcher Stunde haben wir die meisten Verkäufe?", "SELECT max(n) FROM (SELECT count(*) AS n FROM shop.sales GROUP BY EXTRACT(HOUR FROM sold_at)) q", "15 Uhr"},
		{"de", "Um wie viel Uhr gibt es die meisten Verkäufe?", "SELECT max(n) FROM (SELECT count(*) AS n FROM shop.sales GROUP BY EXTRACT(HOUR FROM sold_at)) q", "15 Uhr"},
		{"en", "Which month of the year has the most sales?", "SELECT max(n) FROM (SELECT count(*) AS n FROM shop.sales GROUP BY EXTRACT(MONTH FROM sold_at)) q", "“March”"},
		{"de", "Welcher Kalendermonat hat die meisten Verkäufe?", "SELECT max(n) FROM (SELECT count(*) AS n FROM shop.sales GROUP BY EXTRACT(MONTH FROM sold_at)) q", "„März“"},
		{"en", "Which month has the fewest sales?", "SELECT min(n) FROM (SELECT count(*) AS n FROM shop.sales GROUP BY date_trunc('month', sold_at)) q", "November 2024"},
		{"de", "Welcher Monat hat die wenigsten Verkäufe?", "SELECT min(n) FROM (SELECT count(*) AS n FROM shop.sales GROUP BY date_trunc('month', sold_at)) q", "November 2024"},
		{"en", "total amount of sales by year", "SELECT max(n) FROM (SELECT sum(amount) AS n FROM shop.sales GROUP BY date_trunc('year', sold_at)) q", "“2023”"},
		{"de", "Summe der Beträge der Verkäufe je Woche", "SELECT max(n) FROM (SELECT sum(amount) AS n FROM shop.sales GROUP BY date_trunc('week', sold_at)) q", "März"},
		{"en", "Which month has the most visits?", "SELECT max(n) FROM (SELECT count(*) AS n FROM shop.visits GROUP BY month) q", "December"},
		{"de", "Welche Stunde hat die meisten Besuche?", "SELECT max(n) FROM (SELECT count(*) AS n FROM shop.visits GROUP BY hour) q", "0 Uhr"},
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
}

// TestModelNamesTheWeekday makes sure that a model that answers with the number of a weekday is not believed: the rules
// answer in its place.
func TestModelNamesTheWeekday(t *testing.T) {
	t.Parallel()

	l := newLab(t, trade)
	for sentence, by := range map[string]string{
		"Day 3 has the most orders, which are 144.":     "rules",
		"Wednesday has the most orders, which are 144.": "model scripted",
	} {
		server := llmtest.New(t)
		client, err := llm.New(llm.Options{BaseURL: server.URL(), Key: secret.New("k"), Model: "scripted"})
		l.must(err)
		t.Cleanup(client.Close)
		server.Handle(func(r llmtest.Request) llmtest.Reply {
			if strings.Contains(r.System(), "You write one SQL query") {
				body, _ := json.Marshal(map[string]string{"sql": "SELECT EXTRACT(DOW FROM placed_at) AS day, count(*) AS orders FROM shop.orders GROUP BY 1 ORDER BY 2 DESC, 1 DESC LIMIT 3"})
				return llmtest.Reply{Text: string(body)}
			}
			body, _ := json.Marshal(map[string]any{"row": 1, "column": "orders", "sentence": sentence})
			return llmtest.Reply{Text: string(body)}
		})
		answer, err := question.Ask(t.Context(), l.gateway, question.Text{Words: "Which weekday has the most orders?", Language: "en", Now: today}, question.Options{Name: "Trade", Model: client})
		if err != nil {
			t.Fatal(err)
		}
		t.Log(answer.By, answer.Sentence)
		if answer.By != by || !strings.Contains(answer.Sentence, "day") || strings.Contains(answer.Sentence, "Day 3") {
			t.Errorf("%q by %s, want by %s", answer.Sentence, answer.By, by)
		}
	}
}
