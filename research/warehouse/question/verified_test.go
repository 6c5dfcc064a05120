package question_test

import (
	"math"
	"strings"
	"testing"

	"quaestor/research/warehouse/metrics"
	"quaestor/research/warehouse/question"
)

// TestVerifiedQuestionsAreAnsweredByTheirQueries asks what somebody has verified in the same and in other words, and
// what only resembles it.
func TestVerifiedQuestionsAreAnsweredByTheirQueries(t *testing.T) {
	t.Parallel()

	l := newLab(t, trade)
	store := metrics.Store{Pool: l.pool, Connections: l.store}
	const (
		good   = "SELECT count(*) FROM shop.customers WHERE is_active AND signed_up_at < '2024-06-01'"
		cities = "SELECT city, count(*) AS orders FROM shop.customers WHERE is_active GROUP BY city ORDER BY count(*) DESC, city"
		monthy = "SELECT count(*) FROM shop.orders WHERE placed_at >= '2024-05-01' AND placed_at < '2024-06-01'"
	)
	for ask, sql := range map[string]string{
		"How many good customers do we have in Braga?": good, "Which city has the most loyal customers?": cities, "How many orders did we have last month?": monthy,
		"How many orders came from ATL to LAX?": "SELECT 7 AS n FROM shop.flights LIMIT 1",
	} {
		_, err := store.Verify(t.Context(), l.tenant, l.id, "anna", ask, sql)
		l.must(err)
	}
	h := &question.Warehouses{Store: l.store, Metrics: &store}
	ask := func(tag, words string) (*question.Found, error) {
		return h.Ask(t.Context(), l.tenant, question.Asked{Text: question.Text{Words: words, Language: tag, Now: today}})
	}
	for _, c := range []struct{ tag, ask, truth, says string }{
		{"en", "How many good customers do we have in Braga?", good, "a verified question of this project"},
		{"en", "Please look up in our data how many good customers there are in Braga", good, "checked by your team on"},
		{"en", "number of good customers in Braga", good, "verified"},
		{"de", "Wie viele good Kunden haben wir in Braga?", good, "eine geprüfte Frage dieses Projekts"},
		{"en", "Which city has the most loyal customers", "SELECT max(n) FROM (SELECT count(*) AS n FROM shop.customers WHERE is_active GROUP BY city) q", "“Braga” with"},
	} {
		found, err := ask(c.tag, c.ask)
		if err != nil {
			t.Errorf("Ask(%q): %v", c.ask, err)
			continue
		}
		if want := l.truth(c.truth); math.Abs(found.Figure-want) > 1e-9 || found.Verified == "" || found.By != "verified question" || !strings.Contains(found.Sentence, c.says) {
			t.Errorf("Ask(%q) = %v by %s, want %v\n%s", c.ask, found.Figure, found.By, want, found.Sentence)
		}
		t.Log(found.Sentence)
	}
	for _, words := range []string{
		"How many customers do we have in Braga?", "How many good customers do we have in Porto?", "How many good customers do we have?", "What share of good customers is in Braga?",
		"How many orders did we have last month?", // its query is of a month that is long over
		"How many orders came from LAX to ATL?",
	} {
		if found, err := ask("en", words); err == nil && found.Verified != "" {
			t.Errorf("Ask(%q) is answered by a verified question: %s", words, found.Sentence)
		}
	}
}
