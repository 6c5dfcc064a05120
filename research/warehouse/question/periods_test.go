package question_test

import (
	"testing"
	"time"

	"quaestor/internal/language/messages"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/question"
)

// shop is the catalog of a shop whose orders refer to customers and products.
func shop() *catalog.Index {
	return catalog.NewIndex([]catalog.Table{
		{Schema: "main", Name: "customers", Rows: 1200, Columns: []catalog.Column{{Name: "customer_id", Type: "bigint", Key: true}, {Name: "name", Type: "text"}, {Name: "region", Type: "text"}, {Name: "joined", Type: "date"}}},
		{Schema: "main", Name: "products", Rows: 40, Columns: []catalog.Column{{Name: "product_id", Type: "bigint", Key: true}, {Name: "name", Type: "text"}, {Name: "category", Type: "text"}, {Name: "price", Type: "double"}}},
		{
			Schema: "main", Name: "orders", Rows: 18073,
			Columns: []catalog.Column{{Name: "order_id", Type: "bigint", Key: true}, {Name: "customer_id", Type: "bigint"}, {Name: "product_id", Type: "bigint"}, {Name: "quantity", Type: "bigint"}, {Name: "total", Type: "double"}, {Name: "status", Type: "text"}, {Name: "order_date", Type: "date"}, {Name: "shipped_date", Type: "date"}},
			Foreign: []catalog.Foreign{{Columns: []string{"customer_id"}, Table: "main.customers", To: []string{"customer_id"}}, {Columns: []string{"product_id"}, Table: "main.products", To: []string{"product_id"}}},
		},
	})
}

// sunday is the day of the questions that are only read: the last of its week.
var sunday = time.Date(2026, 11, 29, 9, 0, 0, 0, time.UTC)

// TestPeriodsHaveAllTheirDays holds that a week, a weekend, a season or a decade is asked for from its first day to its
// last, and that the last seven days are seven.
func TestPeriodsHaveAllTheirDays(t *testing.T) {
	t.Parallel()

	for _, c := range []struct{ tag, ask, from, to string }{ // to is excluded
		{"en", "How many orders did we have last week?", "2026-11-16", "2026-11-23"},
		{"en", "How many orders so far this week?", "2026-11-23", "2026-11-30"},
		{"en", "How many orders in week 46 of 2026?", "2026-11-09", "2026-11-16"},
		{"en", "How many orders last weekend?", "2026-11-21", "2026-11-23"},
		{"de", "Wie viele Bestellungen hatten wir letzte Woche?", "2026-11-16", "2026-11-23"},
		{"de", "Wie viele Bestellungen in der 46. KW?", "2026-11-09", "2026-11-16"},
		{"de", "Wie viele Bestellungen am letzten Wochenende?", "2026-11-21", "2026-11-23"},
		{"en", "How many orders last week by status?", "2026-11-16", "2026-11-23"},
		{"en", "How many orders since last week?", "2026-11-16", ""},
		{"en", "How many orders until last week?", "", "2026-11-23"},
		{"en", "How many orders between last week and this week?", "2026-11-16", "2026-11-30"},
		{"en", "How many orders from week 48 to week 50 of 2025?", "2025-11-24", "2025-12-15"},
		{"de", "Wie viele Bestellungen in KW 40 bis 46?", "2026-09-28", "2026-11-16"},
		{"en", "How many orders the week before last?", "2026-11-09", "2026-11-16"},
		{"de", "Wie viele Bestellungen im vorletzten Monat?", "2026-09-01", "2026-10-01"},
		{"en", "How many orders two weeks ago?", "2026-11-09", "2026-11-16"},
		{"de", "Wie viele Bestellungen vor zwei Wochen?", "2026-11-09", "2026-11-16"},
		{"en", "How many orders in the week of 18 November 2026?", "2026-11-16", "2026-11-23"},
		{"en", "How many orders in the last 7 days?", "2026-11-23", "2026-11-30"},
		{"en", "How many orders in the last 30 days?", "2026-10-31", "2026-11-30"},
		{"de", "Wie viele Bestellungen in den vergangenen zwei Wochen?", "2026-11-16", "2026-11-30"},
		{"en", "How many orders in the last three months?", "2026-08-30", "2026-11-30"},
		{"de", "Wie viele Bestellungen im letzten halben Jahr?", "2026-05-30", "2026-11-30"},
		{"en", "How many orders in the year to date?", "2026-01-01", "2026-11-30"},
		{"en", "How many orders in the last 10 days of October 2026?", "2026-10-22", "2026-11-01"},
		{"en", "How many orders in the second week of October?", "2026-10-08", "2026-10-15"},
		{"de", "Wie viele Bestellungen in der ersten Hälfte des November 2026?", "2026-11-01", "2026-11-16"},
		{"en", "How many orders in summer 2025?", "2025-06-01", "2025-09-01"},
		{"en", "How many orders in the 90s?", "1990-01-01", "2000-01-01"},
		{"en", "How many orders between 1 and 15 October 2026?", "2026-10-01", "2026-10-16"},
		{"de", "Wie viele Bestellungen vom 1. bis 15. Oktober 2026?", "2026-10-01", "2026-10-16"},
		{"de", "Wie viele Bestellungen zwischen dem 1. und dem 15. Oktober?", "2026-10-01", "2026-10-16"},
		{"en", "How many orders October 1 to 15, 2026?", "2026-10-01", "2026-10-16"},
		{"de", "Wie viele Bestellungen am 3. Oktober 2026?", "2026-10-03", "2026-10-04"},
		{"en", "How many orders until the end of October?", "", "2026-11-01"},
		{"de", "Wie viele Bestellungen seit Anfang Oktober?", "2026-10-01", ""},
		{"en", "How many orders yesterday?", "2026-11-28", "2026-11-29"},
		{"en", "How many orders last Friday?", "2026-11-27", "2026-11-28"},
	} {
		read, unclear := question.Read(question.Text{Words: c.ask, Language: c.tag, Now: sunday}, shop())
		if unclear != nil {
			t.Errorf("Read(%q): %v", c.ask, unclear)
			continue
		}
		said := func(at time.Time) string {
			if at.IsZero() {
				return ""
			}
			return at.Format(time.DateOnly)
		}
		if from, to := said(read.Period.From), said(read.Period.To); from != c.from || to != c.to || len(read.Lookups) > 0 {
			t.Errorf("Read(%q) is from %s to %s, and looks up %v; want %s to %s", c.ask, from, to, read.Lookups, c.from, c.to)
		}
	}
}

// TestVaguePeriodsAreDeclined holds that what does not say its days is no period.
func TestVaguePeriodsAreDeclined(t *testing.T) {
	t.Parallel()

	for ask, word := range map[string]string{
		"How many orders at the end of October 2026?":  "end of October 2026",
		"Wie viele Bestellungen Ende Oktober 2026?":    "Ende Oktober 2026",
		"How many orders since mid October?":           "mid October",
		"How many orders before the end of October?":   "end of October",
		"How many orders at the end of last week?":     "end of last week",
		"How many orders on 1 and 15 October 2026?":    "1 and 15 October 2026",
		"How many orders from October to mid November": "mid November",
	} {
		read, unclear := question.Read(question.Text{Words: ask, Language: "en", Now: sunday}, shop())
		if unclear == nil {
			t.Errorf("Read(%q) is %v, want it declined", ask, read.Period)
			continue
		}
		if unclear.Why != question.Vague || unclear.Word != word || unclear.In(messages.In("de")) == "" {
			t.Errorf("Read(%q) is declined as %s of %q: %s", ask, unclear.Why, unclear.Word, unclear.In(messages.In("en")))
		}
	}
}
