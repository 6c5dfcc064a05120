package insight

import (
	"strings"
	"testing"
	"time"
)

// Other words are taken if they say the same, with figures by placeholder alone.
func TestReword(t *testing.T) {
	t.Parallel()

	i := Insight{Measure: "orders", Table: "shop.orders", Segment: []Condition{{"shop.customers", "age", "18-24"}}, Period: Period{From: time.Date(2025, 3, 4, 0, 0, 0, 0, time.UTC)},
		Headline: "Orders with customer age “18-24” fell by {{change}} since {{from}}", Text: "There were {{now}} a day in the period, and {{was}} a day before.",
		Figures: []Figure{{ID: "change", Value: 40}, {ID: "now", Value: 6}, {ID: "was", Value: 10}}}
	text := "It is {{now}} a day instead of {{was}}."

	got, err := i.Reword(Wording{"People of “18-24” have ordered {{change}} less since {{from}}", text})
	if err != nil || got.Text != text || !strings.HasPrefix(got.Headline, "People of") || i.Text == text {
		t.Errorf("Reword = %+v, %v", got, err)
	}
	for name, w := range map[string]Wording{
		"a number":               {"Orders of “18-24” fell by {{change}}, a good 40 %, since {{from}}", text},
		"a number in words":      {"Orders of “18-24” halved, by {{change}}, since {{from}}", text},
		"no figure":              {"Orders of “18-24” fell by {{lots}} and {{change}} since {{from}}", text},
		"a figure is left out":   {"Orders of “18-24” fell since {{from}}", text},
		"a segment is left out":  {"Orders of the young fell by {{change}} since {{from}}", text},
		"another way":            {"Orders of “18-24” rose by {{change}} since {{from}}", text},
		"a superlative":          {"The largest fall, {{change}}, is that of “18-24” since {{from}}", text},
		"a cause":                {"Orders of “18-24” fell by {{change}} since {{from}} because of prices", text},
		"all of them":            {"All orders of “18-24” fell by {{change}} since {{from}}", text},
		"nothing":                {"", text},
		"more than anyone reads": {"Orders of “18-24” fell by {{change}} since {{from}}", strings.Repeat("very ", 300) + "low."},
	} {
		if other, err := i.Reword(w); err == nil || other.Headline != i.Headline {
			t.Errorf("with %s it becomes %q, %v", name, other.Headline, err)
		}
	}
}

// A part of the calendar is named as the headline names it, and its times are no figures.
func TestRewordKeepsTheHour(t *testing.T) {
	t.Parallel()

	i := Insight{Table: "s.flights", Measure: "average delay", Segment: []Condition{{"s.flights", "hour of the day of departed_at", "21"}}, Headline: "Average delay is higher between 21:00 and 22:00: {{now}}, against {{rest}} for all other hours",
		Text: "Flights between 21:00 and 22:00 are few.", Figures: []Figure{{ID: "now", Value: 17.59, Unit: Plain}, {ID: "rest", Value: 6.26, Unit: Plain}}}
	if _, err := i.Reword(Wording{"Flights between 21:00 and 22:00 have a higher average delay of {{now}}, against {{rest}}", "There are few of them."}); err != nil {
		t.Error(err)
	}
	for _, w := range []string{"Late flights have a higher average delay of {{now}}, against {{rest}}", "Flights between 20:00 and 22:00 have a higher average delay of {{now}}, against {{rest}}"} {
		if _, err := i.Reword(Wording{w, "There are few of them."}); err == nil {
			t.Errorf("%q is taken", w)
		}
	}
	if got := i.Who(); got != "flights between 21:00 and 22:00" {
		t.Errorf("it is about %q", got)
	}
	if got := (Condition{"s.flights", "weekday of departed_at", "5"}); got.Label() != "Friday" || got.words() != "on Fridays" {
		t.Errorf("%q, %q", got.Label(), got.words())
	}
}
