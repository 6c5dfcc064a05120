package runs

import (
	"testing"

	"quaestor/research/warehouse/insight"
)

// TestSummaryTellsSamples makes sure that the summary names tables that were searched in a sample.
func TestSummaryTellsSamples(t *testing.T) {
	t.Parallel()

	got := sampled(map[string]scan{"shop.orders": {Findings: insight.Findings{Table: "shop.orders", Sampled: 21}}, "shop.customers": {Findings: insight.Findings{Table: "shop.customers"}}})
	if want := " Effects of shop.orders were looked for in one of 21 records, as there are too many to read them all for each question; figures are over all."; got != want {
		t.Errorf("the summary says %q, want %q", got, want)
	}
	if got := sampled(nil); got != "" {
		t.Errorf("without tables it says %q", got)
	}
}
