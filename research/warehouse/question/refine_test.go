package question_test

import (
	"math"
	"testing"
	"time"

	"quaestor/research/warehouse/question"
)

func TestRefine(t *testing.T) {
	t.Parallel()

	now := time.Date(2026, 11, 29, 10, 0, 0, 0, time.UTC)
	for _, x := range []struct{ asked, change, tag, want string }{
		{"how many orders did we have in October 2026?", "that are paid", "en", "how many orders did we have in October 2026 (that are paid)"},
		{"how many orders did we have in October 2026 (that are paid)", "refunded ones", "en", "how many orders did we have in October 2026 (refunded)"},
		{"how many orders did we have in October 2026 (that are paid)", "and also from the West", "en", "how many orders did we have in October 2026 (that are paid from the West)"},
		{"how many orders did we have in October 2026", "in September 2026", "en", "how many orders did we have (in September 2026)"},
		{"average total in the last 30 days", "for October 2026", "en", "average total (for October 2026)"},
		{"wie viele Bestellungen hatten wir im Oktober 2026", "im September 2026", "de", "wie viele Bestellungen hatten wir (im September 2026)"},
		{"wie viele Bestellungen hatten wir im Oktober 2026", "die bezahlten", "de", "wie viele Bestellungen hatten wir im Oktober 2026 (die bezahlten)"},
		{"how many orders did we have in October 2026", "", "en", "how many orders did we have in October 2026"},
	} {
		if got := question.Refine(x.asked, x.change, x.tag, now); got != x.want {
			t.Errorf("Refine(%q, %q) = %q, want %q", x.asked, x.change, got, x.want)
		}
	}
}

// What was changed of a question is read like a question of its own.
func TestAskRefined(t *testing.T) {
	t.Parallel()

	l := newLab(t, trade)
	for _, x := range []struct{ asked, change, tag, truth string }{
		{"how many orders did we have in 2024", "the orders that are cancelled", "en", "SELECT count(*) FROM shop.orders WHERE status = 'cancelled' AND placed_at >= '2024-01-01' AND placed_at < '2025-01-01'"},
		{"how many orders did we have in 2024", "for cancelled orders", "en", "SELECT count(*) FROM shop.orders WHERE status = 'cancelled' AND placed_at >= '2024-01-01' AND placed_at < '2025-01-01'"},
		{"how many orders did we have in 2024", "between January and March 2024", "en", "SELECT count(*) FROM shop.orders WHERE placed_at >= '2024-01-01' AND placed_at < '2024-04-01'"},
		{"how many orders did we have in 2024", "without the cancelled ones", "en", "SELECT count(*) FROM shop.orders WHERE status <> 'cancelled' AND placed_at >= '2024-01-01' AND placed_at < '2025-01-01'"},
		{"how many customers do we have", "in Braga", "en", "SELECT count(*) FROM shop.customers WHERE city = 'Braga'"},
		{"Wie viele Kunden haben wir", "die in Braga", "de", "SELECT count(*) FROM shop.customers WHERE city = 'Braga'"},
	} {
		words := question.Refine(x.asked, x.change, x.tag, today)
		answer, err := question.Ask(t.Context(), l.gateway, question.Text{Words: words, Language: x.tag, Now: today}, question.Options{Name: "Trade"})
		if err != nil {
			t.Errorf("Ask(%q): %v", words, err)
			continue
		}
		if want := l.truth(x.truth); math.Abs(answer.Figure-want) > 0.006 {
			t.Errorf("Ask(%q) = %v, want %v\n%s\n%s", words, answer.Figure, want, answer.Sentence, answer.SQL)
		}
	}
}
