package insight

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quaestor/research/warehouse"
)

// Text is filled from figures and days; a placeholder that names neither is told of.
func TestFill(t *testing.T) {
	t.Parallel()

	i := Insight{Period: Period{time.Date(2024, 3, 4, 0, 0, 0, 0, time.UTC), time.Date(2024, 4, 1, 0, 0, 0, 0, time.UTC)},
		Figures: []Figure{{ID: "now", Value: 1234.56, Unit: PerDay}, {ID: "share", Value: 0.0347, Unit: Percent}, {ID: "n", Value: 12345, Unit: Records}, {ID: "gap", Value: -3.26, Unit: Points}}}

	got := i.Fill("{{now}}, {{share}}, {{n}}, {{gap}} since {{from}} to {{until}} {{nobody}} {{")

	if want := "1,235, 0.0347 %, 12,345, -3.3 percentage points since 4 March 2024 to 31 March 2024 {{nobody}} {{"; got != want {
		t.Errorf("Fill = %q, want %q", got, want)
	}
	if diff := cmp.Diff([]string{"nobody"}, i.Unknown("{{now}} {{nobody}}")); diff != "" {
		t.Error(diff)
	}
}

// Insights go to the area whose words they name, most severe first, and have ids by area.
func TestAssign(t *testing.T) {
	t.Parallel()

	areas := []warehouse.Area{{ID: "quality", Keywords: []string{"missing"}, Priority: 2}, {ID: "sales", Keywords: []string{"revenue"}, Priority: 1}}
	var got []string
	for _, i := range Assign(areas, []Insight{
		{Kind: NullSpike, Measure: "share of orders without coupon", Severity: Low, Key: "a"},
		{Kind: Drop, Measure: "total revenue", Severity: Medium, Key: "b"},
		{Kind: Drop, Measure: "average revenue", Severity: High, Key: "c"},
		{Kind: Simpson, Measure: "something else", Severity: Low, Key: "d"},
	}) {
		got = append(got, i.ID+" "+i.Key)
	}

	if diff := cmp.Diff([]string{"sales-1 c", "sales-2 b", "quality-1 a", "sales-3 d"}, got); diff != "" {
		t.Error(diff)
	}
}

// Recommendations rest on insights; several about one thing share one.
func TestRecommend(t *testing.T) {
	t.Parallel()

	seg := []Condition{{"s.orders", "country", "DE"}}
	list := Recommend([]Insight{
		{ID: "a-1", Kind: Drop, Table: "s.orders", Measure: "orders", Segment: seg, Severity: High, Affected: 10, Headline: "x", Figures: []Figure{{ID: "was", Value: 10, Unit: PerDay}, {ID: "now", Value: 4, Unit: PerDay}}, Period: Period{time.Date(2024, 3, 4, 0, 0, 0, 0, time.UTC), time.Date(2024, 4, 1, 0, 0, 0, 0, time.UTC)}},
		{ID: "a-2", Kind: Drop, Table: "s.orders", Measure: "total revenue", Segment: seg, Severity: Medium},
		{ID: "a-3", Kind: Concentrated, Table: "s.orders", Severity: Low},
	})

	if len(list) != 1 || len(list[0].Insights) != 2 || list[0].Impact.Improvement != "Back to 10, from 4, if the fall is not wanted" || list[0].Size != 10 || list[0].Priority != 2 {
		t.Errorf("%+v", list)
	}
	for _, r := range list {
		for _, text := range append(append([]string{r.Title, r.Text, r.Impact.Improvement}, r.Actions...), r.Success...) {
			if unknown := (&Insight{}).Unknown(text); len(unknown) > 0 || text == "" {
				t.Errorf("%q is not filled", text)
			}
		}
	}
}

// An effect of much the same size is the same, another or none is a change.
func TestStand(t *testing.T) {
	t.Parallel()

	for _, c := range []struct {
		was, now float64
		want     Standing
	}{{-0.5, -0.45, Again}, {-0.5, -0.2, Changed}, {0.5, -0.5, Changed}} {
		if got := Stand(c.was, c.now); got != c.want {
			t.Errorf("Stand(%v, %v) = %s, want %s", c.was, c.now, got, c.want)
		}
	}
	if got := TableOf("drop|s.orders|count|s.c.country=a|b"); got != "s.orders" {
		t.Error(got)
	}
}

// The same records counted again are confirmed, others adjusted, none rejected.
func TestCompare(t *testing.T) {
	t.Parallel()

	for _, c := range []struct {
		claimed, verified int64
		want              Status
	}{{100, 100, Confirmed}, {100, 81, Confirmed}, {100, 120, Confirmed}, {100, 121, Adjusted}, {100, 30, Adjusted}, {100, 0, Rejected}} {
		if got, _ := compare(c.claimed, c.verified); got != c.want {
			t.Errorf("compare(%d, %d) = %s, want %s", c.claimed, c.verified, got, c.want)
		}
	}
}
