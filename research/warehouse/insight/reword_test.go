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
