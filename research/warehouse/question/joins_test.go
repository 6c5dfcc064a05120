package question_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"quaestor/internal/language/messages"
	"quaestor/research/warehouse/question"
)

// TestTablesThatOnlyTheirNamesJoin holds that a value or a column of another table is found where nothing but the name
// of a column says how the tables go together, and that the figure is declined where it would be wrong.
func TestTablesThatOnlyTheirNamesJoin(t *testing.T) {
	t.Parallel()

	l := newLab(t, []string{
		`CREATE SCHEMA shop`,
		`CREATE TABLE shop.customers (customer_id bigint, full_name text, region text)`,
		`INSERT INTO shop.customers SELECT i, 'Name ' || i, (ARRAY['West','North','South'])[1 + i % 3] FROM generate_series(1, 300) i`,
		`CREATE TABLE shop.products (product_id bigint, category text)`, // several rows of one product
		`INSERT INTO shop.products SELECT 1 + i % 20, (ARRAY['bike','lock'])[1 + i % 2] FROM generate_series(1, 40) i`,
		`CREATE TABLE shop.couriers (courier_id bigint, vehicle text)`, // of other couriers
		`INSERT INTO shop.couriers SELECT 5000 + i, (ARRAY['van','bicycle'])[1 + i % 2] FROM generate_series(1, 40) i`,
		`CREATE TABLE shop.orders (order_id bigint, customer_id bigint, product_id bigint, courier_id bigint, total numeric(10,2), status text, order_date date)`,
		`INSERT INTO shop.orders SELECT i, 1 + i % 310, 1 + i % 20, i % 100, 10 + i % 50, (ARRAY['paid','open'])[1 + i % 2], date '2026-01-01' + (i % 300)::int FROM generate_series(1, 3000) i`,
		`ANALYZE`})
	const joined = "SELECT count(*) FROM shop.orders JOIN shop.customers USING (customer_id) WHERE region = 'West'"
	for _, c := range []struct{ tag, ask, truth, says string }{
		{"en", "How many orders from the West?", joined, "customers region is “West”"},
		{"en", "How many orders from the West in September 2026?", joined + " AND order_date >= '2026-09-01' AND order_date < '2026-10-01'", "September 2026"},
		{"en", "orders per region", "SELECT max(n) FROM (SELECT count(*) AS n FROM shop.orders JOIN shop.customers USING (customer_id) GROUP BY region) q", "by region"},
		{"en", "average total by region", "SELECT max(n) FROM (SELECT round(avg(total), 2) AS n FROM shop.orders JOIN shop.customers USING (customer_id) GROUP BY region) q", "by region"},
		{"en", "What share of orders is from the West?", "SELECT 100.0 * (" + joined + ") / count(*) FROM shop.orders", "%"},
		{"en", "How many orders did we have in September 2026 in our shop?", "SELECT count(*) FROM shop.orders WHERE order_date >= '2026-09-01' AND order_date < '2026-10-01'", "September 2026"},
		{"en", "How many paid orders has our company?", "SELECT count(*) FROM shop.orders WHERE status = 'paid'", "paid"},
		{"de", "Wie viele Bestellungen gab es in unserem Laden?", "SELECT count(*) FROM shop.orders", "orders"},
		{"en", "How many orders does the Bike shop have?", "SELECT count(*) FROM shop.orders", "orders"},
	} {
		answer, err := question.Ask(t.Context(), l.gateway, question.Text{Words: c.ask, Language: c.tag, Now: today, Names: []string{"Bike shop"}}, question.Options{Name: "Bike shop"})
		if err != nil {
			t.Errorf("Ask(%q): %v", c.ask, err)
			continue
		}
		t.Log(answer.Sentence)
		if want := l.truth(c.truth); math.Abs(answer.Figure-want) > 0.006 || !strings.Contains(answer.Sentence, c.says) {
			t.Errorf("Ask(%q) = %v, want %v, with %q\n%s\n%s", c.ask, answer.Figure, want, c.says, answer.Sentence, answer.SQL)
		}
	}
	for ask, says := range map[string]string{
		"orders per category":               "shop.products.product_id",
		"How many orders of category lock?": "shop.products.product_id",
		"How many orders by vehicle?":       "shop.couriers.courier_id",
		"How many orders in our East?":      "East",
		"What share of orders is our shop?": "shop",
	} {
		answer, err := question.Ask(t.Context(), l.gateway, question.Text{Words: ask, Language: "en", Now: today, Names: []string{"Bike shop"}}, question.Options{Name: "Bike shop"})
		var u *question.Unclear
		if !errors.As(err, &u) {
			t.Errorf("Ask(%q) = %+v, %v, want it declined", ask, answer, err)
			continue
		}
		if said := u.In(messages.In("en")); !strings.Contains(said, says) {
			t.Errorf("Ask(%q) is declined: %q, without %q", ask, said, says)
		}
	}
}
