package projects_test

import (
	"slices"
	"testing"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/projects"
)

func TestSteered(t *testing.T) {
	t.Parallel()

	areas := []warehouse.Area{
		{ID: "conversion", Name: "Conversion", Keywords: []string{"funnel", "add to cart"}, Priority: 1},
		{ID: "revenue", Name: "Revenue", Keywords: []string{"discount", "margin"}, Priority: 2},
		{ID: "retention", Name: "Retention", Keywords: []string{"churn", "repeat", "returning customer"}, Priority: 3},
	}
	for _, c := range []struct {
		name, profile string
		want          []string
		first         int
	}{
		{"nothing said", "", []string{"conversion", "revenue", "retention"}, 1},
		{"nothing that bears on an area", "- We sell cheese", []string{"conversion", "revenue", "retention"}, 1},
		{"one area", "- We lose people: churn is high, few returning customers", []string{"retention", "conversion", "revenue"}, 1},
		{"two areas", "- discounts eat the margin, and churn", []string{"revenue", "retention", "conversion"}, 1},
		{"part of a keyword", "- We cart goods around", []string{"conversion", "revenue", "retention"}, 1},
	} {
		got := projects.Steered(areas, c.profile)
		var ids []string
		for _, a := range got {
			ids = append(ids, a.ID)
		}
		if !slices.Equal(ids, c.want) || got[0].Priority != c.first {
			t.Errorf("%s: Steered = %v, the first with priority %d, want %v", c.name, ids, got[0].Priority, c.want)
		}
	}
	if areas[0].ID != "conversion" || areas[0].Priority != 1 {
		t.Error("the areas of the pack were changed")
	}
}
