package question_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"quaestor/internal/language/messages"
	"quaestor/research/warehouse/question"
)

// TestAsk compares figures with what the database says itself.
func TestAsk(t *testing.T) {
	t.Parallel()

	l := newLab(t, trade)
	for _, c := range []struct {
		tag, ask, truth string
		says            string // part of the sentence
	}{
		{"en", "please look that up in our warehouse: how many flights were late in March?", "SELECT count(*) FROM shop.flights WHERE delay > 0 AND date >= '2001-03-01' AND date < '2001-04-01'", "March 2001"},
		{"de", "Schaut mal in unserer Datenbank, wie viele Kunden wir in Braga haben", "SELECT count(*) FROM shop.customers WHERE city = 'Braga'", "city gleich „Braga“"},
		{"en", "How many customers do we have?", "SELECT count(*) FROM shop.customers", "the number of customers"},
		{"en", "Can you look up our total order amount in 2024 in our database?", "SELECT sum(amount) FROM shop.orders WHERE placed_at >= '2024-01-01' AND placed_at < '2025-01-01'", "2024"},
		{"en", "What was the average delay of flights from ATL?", "SELECT avg(delay) FROM shop.flights WHERE origin = 'ATL'", "origin is “ATL”"},
		{"en", "how many flights to ATL were there", "SELECT count(*) FROM shop.flights WHERE destination = 'ATL'", "destination is"},
		{"en", "What share of orders is cancelled?", "SELECT 100.0 * avg((status = 'cancelled')::int) FROM shop.orders", "%"},
		{"en", "how many canceled orders did we have in 2024?", "SELECT count(*) FROM shop.orders WHERE status = 'cancelled' AND placed_at >= '2024-01-01' AND placed_at < '2025-01-01'", "status is"},
		{"en", "How many active customers do we have in Porto?", "SELECT count(*) FROM shop.customers WHERE is_active AND city = 'Porto'", "is active is true"},
		{"en", "How many customers in Braga and Porto are not active?", "SELECT count(*) FROM shop.customers WHERE NOT is_active AND city IN ('Braga', 'Porto')", "is active is not true"},
		{"en", "How many orders came from customers in Lisbon?", "SELECT count(*) FROM shop.orders o JOIN shop.customers c ON c.id = o.customer_id WHERE c.city = 'Lisbon'", "customers city is “Lisbon”"},
		{"en", "how many flights had a delay of more than 5 minutes?", "SELECT count(*) FROM shop.flights WHERE delay > 5", "delay is above 5"},
		{"en", "How many different origins do flights have?", "SELECT count(DISTINCT origin) FROM shop.flights", "different origin"},
		{"en", "Which origin has the most flights?", "SELECT max(n) FROM (SELECT count(*) AS n FROM shop.flights GROUP BY origin) q", "by origin is highest for"},
		{"en", "average distance of flights by destination", "SELECT max(a) FROM (SELECT round(avg(distance), 2) AS a FROM shop.flights GROUP BY destination) q", "followed by"},
		{"en", "What is the highest amount of an order?", "SELECT max(amount) FROM shop.orders", "highest amount"},
		{"de", "Wie hoch war der durchschnittliche Betrag der Bestellungen seit Juni 2024?", "SELECT avg(amount) FROM shop.orders WHERE placed_at >= '2024-06-01'", "seit Juni 2024"},
		{"de", "Welcher Anteil der Bestellungen ist offen?", "SELECT 100.0 * avg((status = 'open')::int) FROM shop.orders", "%"},
		{"en", "How many orders were placed between January and March 2024?", "SELECT count(*) FROM shop.orders WHERE placed_at >= '2024-01-01' AND placed_at < '2024-04-01'", "from 1 January 2024 to 31 March 2024"},
		{"en", "how many orders did we get in Q2 2024", "SELECT count(*) FROM shop.orders WHERE placed_at >= '2024-04-01' AND placed_at < '2024-07-01'", "30 June 2024"},
		{"en", "total precipitation of weather in March 2020", "SELECT sum(precipitation) FROM shop.weather WHERE weather_date BETWEEN 20200301 AND 20200331", "March 2020"},
	} {
		answer, err := question.Ask(t.Context(), l.gateway, question.Text{Words: c.ask, Language: c.tag, Now: today}, question.Options{Name: "Trade"})
		if err != nil {
			t.Errorf("Ask(%q): %v", c.ask, err)
			continue
		}
		if want := l.truth(c.truth); math.Abs(answer.Figure-want) > 0.006 {
			t.Errorf("Ask(%q) = %v, want %v\n%s\n%s", c.ask, answer.Figure, want, answer.Sentence, answer.SQL)
		}
		if !strings.Contains(answer.Sentence, c.says) || !strings.Contains(answer.Sentence, "Trade") {
			t.Errorf("Ask(%q) says %q, without %q", c.ask, answer.Sentence, c.says)
		}
		t.Log(answer.Sentence)
	}
}

// TestUnclear holds that what cannot be read is declined, and never guessed.
func TestUnclear(t *testing.T) {
	t.Parallel()

	l := newLab(t, trade)
	for _, c := range []struct {
		ask  string
		why  question.Reason
		says string
	}{
		{"What is our churn?", question.NoTable, "churn"},
		{"How many employees do we have?", question.NoTable, "employees"},
		{"How many customers do we have in Madrid?", question.NoSuchValue, "Madrid"},
		{"How many flights touch ATL?", question.NoSuchValue, "touch ATL"},
		{"How many flights have ATL?", question.ManyValues, "shop.flights.origin"},
		{"Why did orders drop?", question.TooMuch, "Why"},
		{"How many orders in 2024 compared to 2023?", question.TooMuch, "compared"},
		{"What is the total discount pct of orders?", question.NotAdditive, "discount_pct"},
		{"How many orders are not?", question.TooMuch, "not"},
		{"Which planet has the most flights?", question.NoColumn, "planet"},
		{"How many orders over 40 were loved?", question.NoColumn, "40"},
		{"How many customers smiled?", question.NoSuchValue, "smiled"},
		{"Just look into our database", question.NoMeasure, ""},
	} {
		answer, err := question.Ask(t.Context(), l.gateway, question.Text{Words: c.ask, Language: "en", Now: today}, question.Options{Name: "Trade"})
		var u *question.Unclear
		if !errors.As(err, &u) {
			t.Errorf("Ask(%q) = %+v, %v, want it declined", c.ask, answer, err)
			continue
		}
		if said := u.In(messages.In("en")); u.Why != c.why || !strings.Contains(said, c.says) {
			t.Errorf("Ask(%q) is declined as %s: %q, want %s with %q", c.ask, u.Why, said, c.why, c.says)
		}
	}
}
